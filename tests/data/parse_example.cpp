// SPDX-License-Identifier: MIT
#include <jig/data/parse_example.hpp>

#include <doctest/doctest.h>

#include <bit>

namespace {

namespace data = jig::data;

// Messages byte by byte, after the description of the encoding of protocol buffers.
std::string varint(std::uint64_t n) {
  std::string out;
  for (; n >= 128; n >>= 7) out += static_cast<char>(n | 128);
  return out + static_cast<char>(n);
}
std::string message(int field, const std::string& bytes) {
  return varint(static_cast<unsigned>(field << 3 | 2)) + varint(bytes.size()) + bytes;
}
std::string float_bytes(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i));
  return out;
}
std::string feature(const std::string& name, int list, const std::string& values) {
  return message(1, message(1, name) + message(2, message(list, values)));
}
const std::string packed_floats = message(1, float_bytes(1) + float_bytes(2) + float_bytes(-3.5f) + float_bytes(4));
const std::string packed_integers = message(1, varint(7) + varint(static_cast<std::uint64_t>(-2)));
const std::string example =
    message(1, feature("x", 2, packed_floats) + feature("y", 3, packed_integers) + feature("name", 1, message(1, "one") + message(1, "")));

TEST_CASE("Features of every kind, in the order that is asked for") {
  const auto [y, x, name, all] =
      data::parse_single_example(example, data::fixed_len_feature<std::int64_t, 2>("y"), data::fixed_len_feature<float, 2, 2>("x"),
                                 data::fixed_len_feature<std::string, 2>("name"), data::var_len_feature<float>("x"));
  CHECK(y(0) == 7);
  CHECK(y(1) == -2);
  CHECK(x(1, 0) == -3.5f);
  CHECK(name(0) == "one");
  CHECK(name(1) == "");
  CHECK(all.extent(0) == 4);
}

TEST_CASE("Values that are not packed, and features that come twice") {
  const std::string apart = std::string("\x0d") + float_bytes(1.5f) + "\x0d" + float_bytes(2.5f);
  const std::string integers = std::string("\x08") + varint(300);
  const std::string twice = message(1, feature("x", 2, packed_floats) + feature("x", 2, apart)) + message(1, feature("n", 3, integers));
  CHECK(data::parse_single_example(twice, data::fixed_len_feature<float, 2>("x"))(1) == 2.5f);
  CHECK(data::parse_single_example(twice, data::fixed_len_feature<std::int64_t>("n"))() == 300);
}

TEST_CASE("What is not there is refused by name") {
  CHECK_THROWS_WITH_AS(data::parse_single_example(example, data::fixed_len_feature<float>("z")),
                       "parse_single_example: feature \"z\" is missing", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(data::parse_single_example(example, data::fixed_len_feature<float, 2>("y")),
                       "parse_single_example: feature \"y\" is no list of float32", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((data::parse_single_example(example, data::fixed_len_feature<float, 3, 2>("x"))),
                       "parse_single_example: feature \"x\" has 4 values, expected 6", jig::invalid_argument);
  CHECK_THROWS_AS(data::parse_single_example("", data::var_len_feature<float>("x")), jig::invalid_argument);
}

TEST_CASE("Damaged messages throw or are read, and nothing else") {
  for (std::size_t cut = 0; cut < example.size(); ++cut) {
    const std::string part = example.substr(0, cut);
    CHECK_THROWS_AS(data::parse_single_example(part, data::var_len_feature<std::string>("name")), jig::invalid_argument);
  }
  for (std::size_t at = 0; at < example.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = example;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      try {
        (void)data::parse_single_example(damaged, data::var_len_feature<float>("x"), data::var_len_feature<std::int64_t>("y"));
      } catch (const jig::invalid_argument&) {
      }
    }
}

}  // namespace

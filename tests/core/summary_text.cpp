// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/core/summary_text.hpp>
#include <jig/core/tensor.hpp>

#include <array>
#include <limits>
#include <numeric>

namespace {

template <class T>
std::string of(T x) {
  return jig::summary_text(jig::untyped(jig::view<T>(&x)));
}
template <class T, jig::index... E>
std::string of(const jig::tensor<T, E...>& x) {
  return jig::summary_text(jig::untyped(x.view()));
}

}  // namespace

TEST_CASE("floating numbers have six digits, or nine where six do not read back") {
  const struct {
    float value;
    std::string text;
  } table[] = {{0.0f, "0"},
               {-0.0f, "-0"},
               {1.0f, "1"},
               {0.1f, "0.1"},
               {0.5f, "0.5"},
               {0.666458249f, "0.666458249"},
               {0.713946581f, "0.713946581"},
               {0.21746822f, "0.217468217"},
               {1.0f / 3, "0.333333343"},
               {100000.0f, "100000"},
               {123456.0f, "123456"},
               {1000000.0f, "1e+06"},
               {1234567.0f, "1234567"},
               {16777216.0f, "16777216"},
               {123456789.0f, "123456792"},
               {3e10f, "3e+10"},
               {1e-4f, "0.0001"},
               {1e-5f, "1e-05"},
               {1.4e-45f, "1.4013e-45"},
               {std::numeric_limits<float>::max(), "3.40282347e+38"},
               {std::numeric_limits<float>::infinity(), "inf"},
               {-std::numeric_limits<float>::infinity(), "-inf"},
               {std::numeric_limits<float>::quiet_NaN(), "nan"},
               {-std::numeric_limits<float>::quiet_NaN(), "nan"}};
  for (const auto& row : table) CHECK(of(row.value) == row.text);
}

TEST_CASE("doubles have fifteen digits, or seventeen") {
  CHECK(of(0.1) == "0.1");
  CHECK(of(0.1 + 0.2) == "0.30000000000000004");
  CHECK(of(1.0 / 3) == "0.33333333333333331");
  CHECK(of(1e15) == "1e+15");
  CHECK(of(123456789012345.0) == "123456789012345");
  CHECK(of(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
}

TEST_CASE("integers, truth values and strings") {
  CHECK(of(std::int8_t(-128)) == "-128");
  CHECK(of(std::uint8_t(200)) == "200");
  CHECK(of(std::int16_t(-7)) == "-7");
  CHECK(of(std::uint16_t(7)) == "7");
  CHECK(of(-42) == "-42");
  CHECK(of(42u) == "42");
  CHECK(of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(of(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(of(true) == "1");
  CHECK(of(jig::tensor<bool, 2>{true, false}) == "[1 0]");
  CHECK(of(std::string("a \"b\"\n")) == "a \"b\"\n");
  CHECK(of(jig::tensor<std::string, 3>{"", "a b", "\"'\\\n\r\t\x01\x7f\xc3\xa9"}) ==
        "[\"\" \"a b\" \"\\\"\\'\\\\\\n\\r\\t\\001\\177\xc3\xa9\"]");
}

TEST_CASE("an axis of more than six elements is cut to the first and last three") {
  jig::tensor<int, 6> six;
  std::iota(six.begin(), six.end(), 0);
  CHECK(of(six) == "[0 1 2 3 4 5]");
  jig::tensor<int, 7> seven;
  std::iota(seven.begin(), seven.end(), 0);
  CHECK(of(seven) == "[0 1 2 ... 4 5 6]");
  jig::tensor<int, 100> hundred;
  std::iota(hundred.begin(), hundred.end(), 0);
  CHECK(of(hundred) == "[0 1 2 ... 97 98 99]");
}

TEST_CASE("rows are on lines of their own") {
  CHECK(of(jig::tensor<int, 2, 2>{{1, 2}, {3, 4}}) == "[[1 2]\n [3 4]]");
  CHECK(of(jig::tensor<int, 2, 2, 1>{{{1}, {2}}, {{3}, {4}}}) == "[[[1]\n  [2]]\n\n [[3]\n  [4]]]");
  jig::tensor<int, 7, 7> large;
  std::iota(large.begin(), large.end(), 0);
  CHECK(of(large) ==
        "[[0 1 2 ... 4 5 6]\n [7 8 9 ... 11 12 13]\n [14 15 16 ... 18 19 20]\n ...\n [28 29 30 ... 32 33 34]\n"
        " [35 36 37 ... 39 40 41]\n [42 43 44 ... 46 47 48]]");
}

TEST_CASE("arrays without elements") {
  CHECK(of(jig::tensor<float, 0>{}) == "[]");
  CHECK(of(jig::tensor<float, 0, 3>{}) == "[]");
  CHECK(of(jig::tensor<float, 2, 0>{}) == "[[]\n []]");
}

TEST_CASE("strides are followed") {
  const int data[] = {1, 2, 3, 4, 5, 6};
  CHECK(jig::summary_text(jig::untyped(jig::view<const int, 3, 2>(data, {3, 2}, {1, 3}))) == "[[1 4]\n [2 5]\n [3 6]]");
  CHECK(jig::summary_text(jig::untyped(jig::view<const int, 3>(data + 5, {3}, {-2}))) == "[6 4 2]");
}

TEST_CASE("values take the places that are kept for them") {
  const float x = 1.5f;
  const int y[] = {1, 2};
  const jig::any_view values[] = {jig::untyped(jig::view<const float>(&x)), jig::untyped(jig::view<const int, 2>(y))};
  CHECK(jig::filled_in("{}", "{}", {values, 1}) == "1.5");
  CHECK(jig::filled_in("x {} and {}.", "{}", values) == "x 1.5 and [1 2].");
  CHECK(jig::filled_in("{} {_}", "{_}", {values, 1}) == "{} 1.5");
  CHECK(jig::filled_in("only text", "{}", {}) == "only text");
}

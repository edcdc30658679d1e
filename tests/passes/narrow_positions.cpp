// SPDX-License-Identifier: MIT
#include <jig/passes/narrow_positions.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using jig::dyn, jig::spec;

namespace {

template <class F, class... S>
constexpr bool casts(F f, S... specs) {
  return jig::function(f).get_concrete_function(specs...).lowered_graph().count("Cast") > 0;
}
constexpr auto look_up = [](auto table, auto i) { return jig::gather<0>(table, jig::cast<int>(i)); };

static_assert(!casts(look_up, spec<float, 256>(), spec<std::uint8_t, dyn>()));
static_assert(!casts(look_up, spec<float, dyn, 3>(), spec<std::int16_t, 5, 5>()));
static_assert(!casts([](auto x) { return jig::one_hot<10>(jig::cast<std::int64_t>(jig::cast<int>(x))); }, spec<std::uint8_t, 9>()));
static_assert(!casts([](auto x) { return jig::bincount<10>(jig::cast<int>(x)); }, spec<std::uint16_t, 9>()));
static_assert(!casts([](auto x, auto s) { return jig::unsorted_segment_sum<3>(x, jig::cast<int>(s)); }, spec<float, 9>(),
                     spec<std::int8_t, 9>()));
// What others read too is cast for these.
static_assert(casts([](auto x) { return jig::gather<0>(jig::cast<int>(x), jig::cast<int>(x)); }, spec<std::uint8_t, 9>()));
// A cast that loses a number stays: of floats, to fewer bits, of a sign.
static_assert(casts(look_up, spec<float, 256>(), spec<float, 9>()));
static_assert(casts(look_up, spec<float, 256>(), spec<std::int64_t, 9>()));
static_assert(casts([](auto x) { return jig::bincount<10>(jig::cast<std::uint32_t>(x)); }, spec<std::int8_t, 9>()));

}  // namespace

TEST_CASE("elements at positions that are bytes") {
  jig::tensor<float, 256> table{};
  for (int i = 0; i < 256; ++i) table(i) = static_cast<float>(i * i);
  for (const jig::index n : {0, 1, 15, 16, 17, 1000}) {
    jig::tensor<std::uint8_t, dyn> i(n);
    for (jig::index k = 0; k < n; ++k) i(k) = static_cast<std::uint8_t>(k * 37);
    const auto y = jig::function(look_up)(table, i);
    const auto z = jig::function([](auto t, auto at) { return jig::gather<0>(t, jig::cast<int>(at >> 4)) + 1; })(table, i);
    int wrong = 0;
    for (jig::index k = 0; k < n; ++k) wrong += y(k) != table(i(k)) || z(k) != table(i(k) / 16) + 1;
    CHECK(wrong == 0);
  }
}
TEST_CASE("positions that are not there are named as before") {
  const jig::tensor<float, 4> table{1, 2, 3, 4};
  const auto message = [&](auto i) -> std::string {
    try {
      (void)jig::function(look_up)(table, i);
    } catch (const jig::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message(jig::tensor<std::int8_t, 2>{1, -1}).find("-1") != std::string::npos);
  CHECK(message(jig::tensor<std::uint8_t, 2>{1, 200}).find("200") != std::string::npos);
  CHECK(message(jig::tensor<std::uint8_t, 2>{1, 3}) == "");
}

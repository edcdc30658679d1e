// SPDX-License-Identifier: MIT
#include <jig/ops/division.hpp>

#include "../compared_pairs.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace {

template <class T>
T quotient(T x, T y) {
  return std::is_signed_v<T> && y == static_cast<T>(-1) ? static_cast<T>(0 - as_bits(x)) : static_cast<T>(x / y);
}
template <class T>
T remainder(T x, T y) {
  return std::is_signed_v<T> && y == static_cast<T>(-1) ? T(0) : static_cast<T>(x % y);
}
template <class T>
bool rounds_down(T x, T y) {
  return (x < 0) != (y < 0) && remainder(x, y) != 0;
}

}  // namespace

TEST_CASE_TEMPLATE("integer division truncates, or rounds down as in Python", T, std::int8_t, std::int32_t, std::int64_t, std::uint16_t) {
  auto ops = [](const auto& x, const auto& y) { return std::tuple(x / y, x % y, jig::floordiv(x, y), jig::floormod(x, y)); };
  const row<T> rows[] = {
      {"/", quotient},
      {"%", remainder},
      {"floordiv", [](T x, T y) { return static_cast<T>(quotient(x, y) - rounds_down(x, y)); }},
      {"floormod", [](T x, T y) { return static_cast<T>(remainder(x, y) + (rounds_down(x, y) ? y : T(0))); }},
  };
  compare<T>(ops, rows, false);
}

TEST_CASE("dividing integers by zero throws, wherever the zero is") {
  for (int at : {0, 1, 40, 66}) {
    std::vector<int> ones(67, 1), some = ones;
    some[static_cast<std::size_t>(at)] = 0;
    auto x = tensor_of(ones), y = tensor_of(some);
    CHECK_THROWS_WITH_AS((void)(x / y), "TruncateDiv: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)(x % y), "TruncateMod: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)jig::floordiv(x, y), "FloorDiv: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)jig::floormod(x, y), "FloorMod: integer division by zero", jig::invalid_argument);
  }
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return (x + 1) / y * 2; });
  CHECK_THROWS_AS((void)f(tensor_of<std::int8_t>({1, 2}), tensor_of<std::int8_t>({1, 0})), jig::invalid_argument);
  CHECK((tensor_of<int>({}) / 0).size() == 0);
}

TEST_CASE("floordiv and floormod of floating numbers are Python's") {
  auto x = tensor_of<double>({7, -7, 7, -7, 0.3, 1, -0.0, 5.5});
  auto y = tensor_of<double>({2, 2, -2, -2, 0.1, 0.1, 3, -0.5});
  std::vector<double> quotient{3, -4, -4, 3, 2, 9, -0.0, -11}, rest{1, 1, -1, -1, 0.09999999999999998, 0.09999999999999995, 0.0, -0.0};
  auto q = jig::floordiv(x, y), r = jig::floormod(x, y);
  for (jig::index i = 0; i < 8; ++i) {
    CHECK(same(q(i), quotient[static_cast<std::size_t>(i)]));
    CHECK(same(r(i), rest[static_cast<std::size_t>(i)]));
  }
  CHECK(jig::floordiv(1.0f, 0.0f)() == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(jig::floormod(1.0, 0.0)()));
}

// SPDX-License-Identifier: MIT
#include <jig/ops/power.hpp>

#include "../compared_pairs.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

TEST_CASE_TEMPLATE("powers of floating numbers", T, float, double) {
  auto check_power = [](T x, T y, double relative) {
    T found = jig::pow(jig::tensor<T>{x}, y)(), expected = std::pow(x, y);
    CAPTURE(x);
    CAPTURE(y);
    CHECK(same(found, expected, relative));
  };
  for (T x : {T(0.1), T(0.5), T(1), T(2), T(3.7), T(10)})
    for (T y : {T(-3), T(-0.5), T(0), T(0.3), T(1), T(2), T(7.25)}) check_power(x, y, std::is_same_v<T, float> ? 1e-6 : 1e-14);
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  // With these exponents it is a product, known before the call or not, on single numbers and in registers.
  for (T x : {T(-1.7), T(0.1), T(3.3), T(-0.0), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), -inf, nan}) {
    const T expected[] = {x, x * x, x * x * x, (x * x) * (x * x)};
    jig::tensor<T, 67> many;
    for (int i = 0; i < 67; ++i) many.data()[i] = T(1 + i % 4);
    const auto found = jig::pow(jig::tensor<T>{x}, many);
    for (int i = 0; i < 67; ++i) CHECK(same(found(i), expected[i % 4], 0));
    for (int i = 0; i < 4; ++i) CHECK(same(jig::pow(jig::tensor<T>{x}, T(1 + i))(), expected[i], 0));
  }
  for (T x : {T(-2), T(-1)})
    for (T y : {T(-3), T(-2), T(0), T(1), T(2), T(3)}) check_power(x, y, 1e-6);
  CHECK(std::isnan(jig::pow(jig::tensor<T>{-2}, T(0.5))()));
  CHECK(jig::pow(jig::tensor<T>{nan}, T(0))() == 1);
  CHECK(jig::pow(jig::tensor<T>{1}, nan)() == 1);
  CHECK(std::isnan(jig::pow(jig::tensor<T>{2}, nan)()));
  CHECK(jig::pow(jig::tensor<T>{0}, T(0))() == 1);
  CHECK(jig::pow(jig::tensor<T>{0}, T(2))() == 0);
  CHECK(jig::pow(jig::tensor<T>{2}, inf)() == inf);
  CHECK(jig::pow(jig::tensor<T>{2}, -inf)() == 0);
}

TEST_CASE_TEMPLATE("powers of integers wrap, negative exponents throw", T, std::int8_t, std::int32_t, std::uint64_t) {
  std::vector<T> bases, exponents, expected;
  for (int x : {-3, -1, 0, 1, 2, 7})
    for (int n : {0, 1, 2, 5, 31, 100}) {
      std::uint64_t power = 1;
      for (int i = 0; i < n; ++i) power *= as_bits(static_cast<T>(x));
      bases.push_back(static_cast<T>(x));
      exponents.push_back(static_cast<T>(n));
      expected.push_back(static_cast<T>(power));
    }
  auto found = jig::pow(tensor_of(bases), tensor_of(exponents));
  CHECK(std::vector<T>(found.begin(), found.end()) == expected);
  if constexpr (std::is_signed_v<T>) {
    std::vector<T> twos(67, T(2)), negative = twos;
    negative[50] = -1;
    CHECK_THROWS_WITH_AS((void)jig::pow(tensor_of(twos), tensor_of(negative)), "Pow: a negative exponent has no integer result",
                         jig::invalid_argument);
  }
}

TEST_CASE("powers of single integers") {
  CHECK(jig::pow(jig::tensor<int>{-3}, 5)() == -243);
  CHECK_THROWS_AS((void)jig::pow(jig::tensor<int>{1}, -1), jig::invalid_argument);
}

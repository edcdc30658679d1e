// SPDX-License-Identifier: MIT
#include <jig/ops/count_nonzero.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;
using counts = std::vector<std::int64_t>;

TEST_CASE("how many elements are not zero") {
  constexpr auto all = [](const auto& x) { return jig::count_nonzero(x); };
  constexpr auto rows = [](const auto& x) { return jig::count_nonzero<-1>(x); };
  constexpr auto kept = [](const auto& x) { return jig::count_nonzero<0>(x, jig::keepdims); };
  const jig::tensor<float, 2, 3> x{{0, std::numeric_limits<float>::quiet_NaN(), -0.0f}, {1e-45f, 0, -2}};
  const auto y = both(rows, x);
  static_assert(std::is_same_v<decltype(y), const jig::tensor<std::int64_t, 2>>);
  CHECK(elements(y) == counts{1, 2});
  CHECK(elements(both(all, x)) == counts{3});
  CHECK(elements(both(kept, x)) == counts{1, 1, 1});
  CHECK(elements(both(all, jig::tensor<bool, 3>{true, false, true})) == counts{2});
  CHECK(elements(both(rows, jig::transpose(counted<std::int8_t, dyn, 2>(300)))) == counts{297, 300});
  CHECK(elements(both(all, jig::zeros<int, dyn>(0))) == counts{0});
  static_assert(gives<spec<std::int64_t, 1, dyn>>(kept, spec<jig::half, 4, dyn>()));
}

TEST_CASE("which part of the elements is zero") {
  constexpr auto part = [](const auto& x) { return jig::zero_fraction(x); };
  CHECK(both(part, jig::tensor<int, 2, 2>{{0, 1}, {0, 0}})() == 0.75f);
  CHECK(both(part, jig::tensor<bool, dyn>{false})() == 1);
  CHECK(both(part, jig::ones<double, dyn, dyn>(3, 5))() == 0);
  CHECK(std::isnan(part(jig::zeros<float, dyn>(0))()));
}

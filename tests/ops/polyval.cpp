// SPDX-License-Identifier: MIT
#include <jig/ops/polyval.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

using jig::dyn, jig::spec;

TEST_CASE("polynomials") {
  constexpr auto numbers = [](const auto& x) { return jig::polyval(2, 0, -1.5, x); };
  constexpr auto tensors = [](const auto& a, const auto& b, const auto& x) { return jig::polyval(a, b, x); };
  CHECK(elements(both(numbers, jig::tensor<double, 3>{0, 1, -2})) == std::vector<double>{-1.5, 0.5, 6.5});
  CHECK(elements(both(tensors, jig::tensor<float, 2, 1>{{1}, {2}}, jig::tensor<float>(3), counted<float, dyn>(3))) ==
        std::vector<float>{3, 4, 5, 3, 5, 7});
  CHECK(numbers(jig::zeros<float, dyn>(0)).size() == 0);
  CHECK(elements(jig::polyval(jig::tensor<int, 2>{4, 5}, jig::tensor<int>(7))) == ints{4, 5});
  constexpr auto g = jig::function<"g(x)">([](auto x) { return jig::gradient(jig::polyval(2.0, 3.0, -1.5, x), x); });
  CHECK(g(jig::tensor<double>(5))() == 23);
}

// SPDX-License-Identifier: MIT
#include <jig/ops/clip_norm.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;
using doubles = std::vector<double>;

namespace {

bool near(const doubles& found, const doubles& expected) {
  if (found.size() != expected.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= 1e-12)) return false;
  return true;
}

}  // namespace

TEST_CASE("tensors of at most a norm") {
  constexpr auto all = [](const auto& x) { return jig::clip_by_norm(x, 5); };
  constexpr auto rows = [](const auto& x) { return jig::clip_by_norm<-1>(x, 5.0); };
  CHECK(near(elements(both(all, jig::tensor<double, 2>{6, -8})), {3, -4}));
  CHECK(near(elements(both(all, jig::tensor<double, 2>{3, -4})), {3, -4}));
  CHECK(near(elements(both(rows, jig::tensor<double, 3, 2>{{6, 8}, {0, 0}, {1, 2}})), {3, 4, 0, 0, 1, 2}));
  CHECK(all(jig::zeros<double, dyn>(0)).size() == 0);
  static_assert(gives<spec<float, dyn, 3>>(rows, spec<float, dyn, 3>()));
  // No direction is better than another where all are 0.
  constexpr auto g = jig::function<"g(x)">([](auto x) { return jig::gradient(jig::reduce_sum(jig::clip_by_norm(x, 2.0)), x); });
  CHECK(near(elements(g(jig::zeros<double, 3>())), {1, 1, 1}));
  // Along x there is no slope: (1 - x x / |x|²) 2 / |x|.
  const jig::tensor<double, 2> x{6, 8};
  CHECK(near(elements(g(x)), {0.2 * (1 - 0.6 * 1.4), 0.2 * (1 - 0.8 * 1.4)}));
}

TEST_CASE("structures of at most a norm") {
  const jig::tensor<double, 2> a{3, -4};
  const jig::tensor<double> b(12);
  const auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::clip_by_global_norm(x, 6.5), jig::global_norm(x)); });
  const auto [clipped, norm] = f(std::tuple(a, std::pair(b, a * 0)));
  CHECK(norm() == doctest::Approx(13));
  CHECK(near(elements(std::get<0>(clipped)), {1.5, -2}));
  CHECK(near(elements(std::get<1>(clipped).first), {6}));
  CHECK(near(elements(std::get<1>(clipped).second), {0, 0}));
  const auto eager = jig::clip_by_global_norm(std::pair(a, b), 13.0);
  CHECK(near(elements(eager.first), {3, -4}));
  CHECK(near(elements(eager.second), {12}));
  CHECK(jig::global_norm(a)() == doctest::Approx(5));
  const auto infinite = jig::clip_by_global_norm(std::pair(a, b / 0.0), 1.0);
  CHECK(std::isnan(infinite.first(0)));
}

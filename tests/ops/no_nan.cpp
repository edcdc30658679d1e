// SPDX-License-Identifier: MIT
#include <jig/ops/no_nan.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();

constexpr auto quotients = [](const auto& x, const auto& y) { return jig::divide_no_nan(x, y); };
constexpr auto products = [](const auto& x, const auto& y) { return jig::multiply_no_nan(x, y); };
constexpr auto logarithms = [](const auto& x, const auto& y) { return jig::xlogy(x, y); };
constexpr auto quotients_of_x = [](const auto& x, const auto& y) { return jig::xdivy(x, y); };
template <class F>
constexpr auto slopes = jig::function<"g(x, y)">([](auto x, auto y) {
  const auto z = jig::reduce_sum(F()(x, y));
  return std::tuple(jig::gradient(z, x), jig::gradient(z, y));
});

bool same(const std::vector<float>& found, const std::vector<float>& expected) {
  if (found.size() != expected.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= 1e-6f * std::abs(expected[i]) || found[i] == expected[i] ||
          (std::isnan(found[i]) && std::isnan(expected[i]))))
      return false;
  return true;
}

// NaN is not what `both` calls equal.
template <class F>
bool in_both_worlds(F f, const auto& x, const auto& y, const std::vector<float>& expected) {
  return same(elements(f(x, y)), expected) && same(elements(traced(f, x, y)), expected);
}

}  // namespace

TEST_CASE("quotients, products and logarithms that are 0 where the limit says so") {
  // One more than a register of 8 holds.
  const jig::tensor<float, 9> x{0, 3, 0, not_a_number, infinite, -2, 0, 5, -0.0f},
      y{0, 0, not_a_number, 0, 0, 4, infinite, not_a_number, -2};
  CHECK(in_both_worlds(quotients, x, y, {0, 0, not_a_number, 0, 0, -0.5f, 0, not_a_number, 0}));
  CHECK(in_both_worlds(products, x, y, {0, 0, not_a_number, 0, 0, -8, not_a_number, not_a_number, 0}));
  CHECK(in_both_worlds(logarithms, x, y, {0, -infinite, 0, not_a_number, -infinite, -2 * std::log(4.0f), 0, not_a_number, 0}));
  CHECK(in_both_worlds(quotients_of_x, x, y, {0, infinite, 0, not_a_number, infinite, -0.5f, 0, not_a_number, 0}));

  CHECK(elements(both(quotients, jig::tensor<int, 3>{7, -7, 1}, jig::tensor<int, 3>{2, 0, -1})) == ints{3, 0, -1});
  CHECK(elements(both([](const auto& v) { return jig::divide_no_nan(1, v); }, jig::tensor<double, 2>{0, 4})) ==
        std::vector<double>{0, 0.25});
  CHECK(elements(both([](const auto& v) { return jig::xlogy(0.5, v); }, jig::tensor<double, 2>{1, 0}))[0] == 0);
  CHECK(jig::xdivy(jig::zeros<float, dyn>(0), 2.0f).size() == 0);
  static_assert(gives<spec<float, 3, dyn>>(quotients, spec<float, 3, 1>(), spec<float, dyn>()));
  CHECK(same(elements(jig::xlogy(std::vector<float>{0, 1}, std::vector<float>{0, 1})), {0, 0}));
}

TEST_CASE("their gradients are no NaN") {
  const jig::tensor<float, 5> x{0, 3, 0, 2, infinite}, y{0, 0, 4, 4, 0};
  const auto check = [&](const auto& g, const std::vector<float>& by_x, const std::vector<float>& by_y) {
    const auto [first, second] = g(x, y);
    CHECK(same(elements(first), by_x));
    CHECK(same(elements(second), by_y));
  };
  check(slopes<decltype(quotients)>, {0, 0, 0.25f, 0.25f, 0}, {0, 0, 0, -0.125f, 0});
  check(slopes<decltype(products)>, {0, 0, 4, 4, 0}, {0, 3, 0, 2, 0});
  check(slopes<decltype(logarithms)>, {0, -infinite, 0, std::log(4.0f), -infinite}, {0, infinite, 0, 0.5f, infinite});
  check(slopes<decltype(quotients_of_x)>, {0, infinite, 0, 0.25f, infinite}, {0, -infinite, 0, -0.125f, -infinite});
}

// SPDX-License-Identifier: MIT
#include <jig/trace/scan.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <tuple>
#include <type_traits>

TEST_CASE("scan and map") {
  static constexpr auto running =
      jig::function([](auto x) { return jig::scan([](auto s, auto row) { return s + row; }, x, jig::zeros_like(x[0])); });
  static constexpr auto squares = jig::function([](auto x) { return jig::map([](auto row) { return row * row; }, x); });
  for (jig::index n : {1, 2, 7}) {
    auto x = jig::zeros<float, jig::dyn, 3>(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
    auto sums = running(x);
    auto y = squares(x);
    REQUIRE(sums.shape() == jig::shape{2, {n, 3}});
    for (jig::index j = 0; j < 3; ++j) {
      float s = 0;
      for (jig::index i = 0; i < n; ++i) {
        s += x(i, j);
        CHECK(sums(i, j) == s);
        CHECK(y(i, j) == x(i, j) * x(i, j));
      }
    }
  }
  CHECK(squares(jig::zeros<float, jig::dyn, 3>(0)).extent(0) == 0);
  static_assert(decltype(running(jig::tensor<float, 4, 2>()))::rank() == 2);
  auto fixed = running(jig::ones<float, 4, 2>());
  static_assert(std::is_same_v<decltype(fixed), jig::tensor<float, 4, 2>>);
  CHECK(fixed(3, 1) == 4.0f);
}

namespace {

// Sums and largest numbers so far.
constexpr auto sums_and_largest = [](auto x) {
  return jig::scan(
      [](auto state, auto row) {
        const auto& [sum, most] = state;
        return std::tuple(sum + row, jig::maximum(most, jig::reduce_max(row)));
      },
      x, std::tuple(jig::zeros_like(x[0]), jig::reduce_max(x[0])));
};
void check_sums_and_largest(const auto& x, const auto& sums, const auto& largest) {
  const jig::index n = x.extent(0);
  REQUIRE(sums.shape() == jig::shape{2, {n, 3}});
  REQUIRE(largest.shape() == jig::shape{1, {n}});
  float sum[3] = {}, most = x(0, 0);
  for (jig::index i = 0; i < n; ++i)
    for (jig::index j = 0; j < 3; ++j) {
      sum[j] += x(i, j);
      for (jig::index k = 0; k < 3; ++k) most = std::max(most, x(i, k));
      CHECK(sums(i, j) == sum[j]);
      CHECK(largest(i) == most);
    }
}

}  // namespace

TEST_CASE("a state of several values") {
  static constexpr auto f = jig::function(sums_and_largest);
  for (const jig::index n : {1, 2, 7}) {
    auto x = jig::zeros<float, jig::dyn, 3>(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 5 % 7);
    const auto [sums, largest] = f(x);
    check_sums_and_largest(x, sums, largest);
    const auto [now, most_now] = sums_and_largest(x);
    check_sums_and_largest(x, now, most_now);
    const auto g = jig::dynamic_function("g(x)", sums_and_largest);
    const auto [any_sums, any_largest] = g(jig::any_tensor(x));
    check_sums_and_largest(x, jig::tensor<float, jig::dyn, 3>(any_sums), jig::tensor<float, jig::dyn>(any_largest));
  }
  jig::tensor<float, 4, 3> fixed;
  for (jig::index i = 0; i < fixed.size(); ++i) fixed.data()[i] = static_cast<float>(i * 3 % 5);
  const auto [sums, largest] = f(fixed);
  static_assert(std::is_same_v<decltype(sums), const jig::tensor<float, 4, 3>>);
  static_assert(std::is_same_v<decltype(largest), const jig::tensor<float, 4>>);
  check_sums_and_largest(fixed, sums, largest);
}

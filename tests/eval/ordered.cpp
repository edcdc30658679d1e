// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

template <class T>
void and_ordered_of() {
  using B = jig::simd::batch<T>;
  constexpr auto lanes = static_cast<std::size_t>(B::size);
  const T nan = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> numbers(lanes, std::numeric_limits<T>::infinity());
  const B x = jig::simd::load(numbers.data());
  CHECK(xsimd::all(jig::simd::and_ordered(x == x, x, x)));
  CHECK_FALSE(xsimd::any(jig::simd::and_ordered(x < x, x, x)));
  for (std::size_t l = 0; l < lanes; ++l) {
    std::vector<T> one = numbers;
    one[l] = nan;
    const B y = jig::simd::load(one.data());
    for (const auto& m :
         {jig::simd::and_ordered(x == x, x, y), jig::simd::and_ordered(x == x, y, x), jig::simd::and_ordered(x == x, y, y)}) {
      bool at[lanes];
      m.store_unaligned(at);
      for (std::size_t k = 0; k < lanes; ++k) CHECK(at[k] == (k != l));
    }
  }
}

// One NaN at every place of every length, and none.
template <class T>
void extremes() {
  static constexpr auto f =
      jig::function<"f(x)">([](auto x) { return std::tuple(jig::reduce_max(x), jig::reduce_min(x), jig::reduce_max(x * x)); });
  static constexpr auto g = jig::function<"g(x)">([](auto x) { return jig::reduce_min(x); });
  for (jig::index n : {1, 2, 3, 7, 8, 9, 16, 17, 31, 33, 64, 65, 129, 300}) {
    CAPTURE(n);
    auto x = jig::zeros<T, jig::dyn>(n);
    for (jig::index i = 0; i < n; ++i) x.data()[i] = static_cast<T>((i * 37 + 11) % 101 - 50);
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const auto [most, least, square] = f(x);
    CHECK(T(most) == *high);
    CHECK(T(least) == *low);
    CHECK(T(square) == std::max(*low * *low, *high * *high));
    CHECK(T(g(x)) == *low);
    for (jig::index i = 0; i < n; ++i) {
      auto y = x;
      y.data()[i] = std::numeric_limits<T>::quiet_NaN();
      const auto [a, b, c] = f(y);
      const bool all = std::isnan(T(a)) && std::isnan(T(b)) && std::isnan(T(c)) && std::isnan(T(g(y)));
      CHECK(all);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("truth values stay where both registers have numbers", T, float, double) { and_ordered_of<T>(); }
TEST_CASE_TEMPLATE("extremes of numbers with one NaN among them are NaN", T, float, double) { extremes<T>(); }

TEST_CASE("of columns side by side only those with NaN are NaN") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::reduce_max<0>(x); });
  for (jig::index columns : {1, 5, 16, 64, 70, 200}) {
    auto x = jig::zeros<float, jig::dyn, jig::dyn>(5, columns);
    for (jig::index j = 0; j < columns; ++j) {
      auto y = x;
      y(j % 5, j) = std::numeric_limits<float>::quiet_NaN();
      const auto most = f(y);
      bool right = true;
      for (jig::index k = 0; k < columns; ++k) right = right && std::isnan(most(k)) == (k == j);
      CHECK(right);
    }
  }
}

// SPDX-License-Identifier: MIT
#include <jig/eval/twin_leaves.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

namespace {

using jig::dyn;

template <int I>
constexpr auto column(auto x) {
  return jig::strided_slice<jig::all, I>(x);
}
constexpr auto cross = [](auto x) { return column<0>(x) * column<2>(x) - column<1>(x); };
constexpr auto across = [](auto x) { return jig::transpose(x) - x; };
constexpr auto apart = [](auto x, auto y) { return column<0>(x) - column<0>(y); };
constexpr auto reduced = [](auto x) {
  return jig::reduce_sum<0>(column<0>(x) * jig::strided_slice<jig::all, 3>(x)) - jig::reduce_max<0>(column<2>(x) - column<1>(x));
};

template <class F, class... Spec>
using first_step = jig::step<jig::program<jig::trace<F, "x, y", Spec...>, ((void)sizeof(Spec), char(1))...>, 0>;
template <class Step, int L>
constexpr int twin() {
  return jig::detail::twin_of_leaf<Step, jig::detail::nest_extents<Step, 0>, jig::detail::any_axis, L>;
}

}  // namespace

TEST_CASE("twins see the same memory and move alike") {
  using columns = first_step<decltype(cross), jig::spec<float, dyn, 3>>;
  static_assert(twin<columns, 0>() == 0 && twin<columns, 1>() == 0 && twin<columns, 2>() == 0);
  using axes = jig::detail::nest_extents<columns, 0>;
  CHECK(jig::detail::beginning_of_leaf<columns, axes, 1>.offset - jig::detail::beginning_of_leaf<columns, axes, 0>.offset == 2);
  CHECK(jig::detail::beginning_of_leaf<columns, axes, 2>.offset - jig::detail::beginning_of_leaf<columns, axes, 0>.offset == 1);

  using transposed = first_step<decltype(across), jig::spec<float, 20, 20>>;
  static_assert(twin<transposed, 1>() == 1);
  using others = first_step<decltype(apart), jig::spec<float, 20, 3>, jig::spec<float, 20, 3>>;
  static_assert(twin<others, 1>() == 1);
}
TEST_CASE("a view of a number beside the number itself") {
  // What is equal to zero whatever x is becomes the number, but for what needs all of its elements.
  static constexpr auto f = jig::function([](auto x, auto y) {
    const auto zeros = x ^ x;
    return std::tuple(y < jig::minimum(zeros, x), zeros / 3);
  });
  jig::tensor<int, 64, 129, 3, 2> x;
  jig::tensor<int, 1, 1, 3, 2> y;
  for (jig::index i = 0; i < 6; ++i) y.data()[i] = static_cast<int>(i) - 2;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<int>(i % 7) - 3;
  const auto [less, quotient] = f(x, y);
  int wrong = 0;
  for (jig::index i = 0; i < x.size(); ++i) {
    wrong += less.data()[i] != (y.data()[i % 6] < std::min(0, x.data()[i]));
    wrong += quotient.data()[i] != 0;
  }
  CHECK(wrong == 0);
}
TEST_CASE("columns of any number of rows") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(cross(x), column<8>(x) * column<3>(x) + column<5>(x)); });
  static constexpr auto g = jig::function<"g(x)">(reduced);
  int wrong = 0;
  for (jig::index n = 0; n <= 70; ++n) {
    jig::tensor<float, dyn, 9> x(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 101);
    const auto [a, b] = f(x);
    for (jig::index i = 0; i < n; ++i) {
      wrong += a(i) != x(i, 0) * x(i, 2) - x(i, 1);
      wrong += b(i) != x(i, 8) * x(i, 3) + x(i, 5);
    }
    if (n == 0) continue;
    float sum = 0, most = x(0, 2) - x(0, 1);
    for (jig::index i = 0; i < n; ++i) {
      sum += x(i, 0) * x(i, 3);
      most = x(i, 2) - x(i, 1) > most ? x(i, 2) - x(i, 1) : most;
    }
    wrong += float(g(x)) != sum - most;
  }
  CHECK(wrong == 0);
}

// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/few_columns.hpp>

#include <jig/function.hpp>

#include "../../matrix_products.hpp"

namespace {

using jig::dyn;

// Rows that fill the last group and others; sums around whole registers, and longer than what lies on the stack at a time.
template <class T, index N, bool TA, bool TB>
void check_columns() {
  using b_extents = std::conditional_t<TB, list<N, dyn>, list<dyn, N>>;
  using check = product_of<jig::ops::matmul, TA, TB, list<dyn, N>, list<dyn, dyn>, b_extents>;
  constexpr index width = jig::simd::lanes<T>, block = jig::detail::few_columns<T, N>::block;
  for (index k : {index{0}, index{1}, width / 2 + 1, width, 2 * width - 1, 2 * width, 3 * width + 1, block, 2 * block + width + 1})
    for (index m : {index{1}, index{2}, index{7}, index{16}, index{5 * width + 3}}) {
      const shape a = TA ? shape_of({k, m}) : shape_of({m, k}), b = TB ? shape_of({N, k}) : shape_of({k, N}), c = shape_of({m, N});
      check::check(operand<T>(a, 1), operand<T>(b, 2), c);
      // Operands with gaps between rows, in reverse, and with gaps between columns.
      check::check(operand<T>(a, shape_of({a[1] + 1, 1}), 3), operand<T>(b, 4), c);
      check::check(operand<T>(a, 5), operand<T>(b, shape_of({-b[1], 1}), 6), c);
      check::check(operand<T>(a, shape_of({2 * a[1], 2}), 5), operand<T>(b, shape_of({2 * b[1], 2}), 6), c);
    }
}
template <class T, index N>
void check_flags() {
  check_columns<T, N, false, false>();
  check_columns<T, N, true, false>();
  check_columns<T, N, false, true>();
}

TEST_CASE_TEMPLATE("many rows times a few columns", T, float, double, std::int32_t) {
  check_flags<T, 2>();
  check_flags<T, 3>();
  check_flags<T, 4>();
}
TEST_CASE("more columns, as many as half a register holds, and too many") {
  check_flags<float, 5>();
  check_flags<float, 8>();
  check_flags<float, 9>();
  check_flags<double, 5>();
  check_flags<std::uint8_t, 2>();
}

TEST_CASE("a few columns of static extents, on both sides of what pays") {
  check_static<float, 64, 2, 64, false, false>();
  check_static<float, 8, 2, 33, false, false>();
  check_static<float, 7, 2, 64, false, true>();
  check_static<float, 33, 3, 63, false, true>();
  check_static<float, 64, 8, 64, false, false>();
  check_static<float, 300, 8, 70, false, false>();
  check_static<double, 50, 2, 40, false, false>();
  check_static<double, 41, 4, 64, false, false>();
  check_static<double, 100, 4, 200, true, false>();
  check_static<std::int32_t, 20, 3, 50, false, false>();
}

TEST_CASE("a few columns that lie between those of others") {
  constexpr auto f = jig::function([](auto x, auto v, auto w) { return jig::concat<1>(jig::matmul(x, v), jig::matmul(x, w)); });
  jig::tensor<float, dyn, 100> x(37);
  jig::tensor<float, 100, 3> v;
  jig::tensor<float, 100, 2> w;
  std::mt19937 random(3);
  const auto fill = [&](auto& t) {
    for (float& e : t) e = std::uniform_real_distribution<float>(-1, 1)(random);
  };
  fill(x), fill(v), fill(w);
  const auto y = f(x, v, w);
  for (index i = 0; i < 37; ++i)
    for (index j = 0; j < 5; ++j) {
      double sum = 0;
      for (index k = 0; k < 100; ++k) sum += static_cast<double>(x(i, k)) * static_cast<double>(j < 3 ? v(k, j) : w(k, j - 3));
      CHECK(static_cast<double>(y(i, j)) == doctest::Approx(sum).epsilon(1e-4));
    }
}

TEST_CASE("a few columns of batches") {
  product_of<jig::ops::batch_matmul, false, false, list<dyn, dyn, 3>, list<dyn, dyn, dyn>, list<dyn, dyn, 3>>::check(
      operand<float>(shape_of({5, 21, 100}), 8), operand<float>(shape_of({5, 100, 3}), 9), shape_of({5, 21, 3}));
  product_of<jig::ops::batch_matmul, false, false, list<dyn, dyn, 3>, list<dyn, dyn, dyn>, list<dyn, 3>>::check(
      operand<double>(shape_of({5, 21, 100}), 8), operand<double>(shape_of({100, 3}), 9), shape_of({5, 21, 3}));
  product_of<jig::ops::batch_matmul, true, false, list<dyn, dyn, 3>, list<dyn, dyn, dyn>, list<dyn, dyn, 3>>::check(
      operand<float>(shape_of({5, 100, 40}), 8), operand<float>(shape_of({5, 100, 3}), 9), shape_of({5, 40, 3}));
}

}  // namespace

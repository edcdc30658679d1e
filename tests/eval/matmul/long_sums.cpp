// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/long_sums.hpp>

#include <jig/function.hpp>

#include "../../matrix_products.hpp"

namespace {

using jig::dyn;

// Sums that are too short for a register, and longer ones, of matrices that lie as they should and others.
template <class T, index M, index N, bool TA, bool TB>
void check_sums() {
  using a_extents = std::conditional_t<TA, list<dyn, M>, list<M, dyn>>;
  using b_extents = std::conditional_t<TB, list<N, dyn>, list<dyn, N>>;
  using check = product_of<jig::ops::matmul, TA, TB, list<M, N>, a_extents, b_extents>;
  constexpr index width = jig::simd::lanes<T>;
  for (index k : {index{0}, index{1}, width - 1, width, width + 1, 5 * width + 3}) {
    const shape a = TA ? shape_of({k, M}) : shape_of({M, k}), b = TB ? shape_of({N, k}) : shape_of({k, N});
    check::check(operand<T>(a, 1), operand<T>(b, 2), shape_of({M, N}));
    check::check(operand<T>(a, shape_of({a[1] + 1, 1}), 3), operand<T>(b, 4), shape_of({M, N}));
    check::check(operand<T>(a, 5), operand<T>(b, shape_of({-b[1], 1}), 6), shape_of({M, N}));
    check::check(operand<T>(a, 5), operand<T>(b, shape_of({2 * b[1], 2}), 6), shape_of({M, N}));
  }
}
template <class T, index M, index N>
void check_flags() {
  check_sums<T, M, N, false, false>();
  check_sums<T, M, N, true, false>();
  check_sums<T, M, N, false, true>();
  check_sums<T, M, N, true, true>();
}

TEST_CASE_TEMPLATE("long sums of a few rows and columns", T, float, double, std::int32_t) {
  check_flags<T, 3, 3>();
  check_flags<T, 2, 5>();
  check_flags<T, 1, 8>();
  check_flags<T, 8, 1>();
}
TEST_CASE("long sums of more than registers hold, of small dtypes, and of static lengths") {
  check_flags<float, 8, 8>();
  check_flags<double, 5, 5>();
  check_flags<std::uint8_t, 3, 3>();
  check_static<float, 3, 3, 64, true, false>();
  check_static<float, 3, 3, 65, true, false>();
  check_static<double, 2, 4, 1000, true, true>();
}

// The sums of a matrix with itself, of which half are computed.
template <class T, index M>
void check_same() {
  using check = product_of<jig::ops::matmul, true, false, list<M, M>, list<dyn, M>, list<dyn, M>>;
  for (index k : {1, 16, 17, 100}) {
    const operand<T> x(shape_of({k, M}), 7);
    check::check(x, x, shape_of({M, M}));
  }
}
TEST_CASE_TEMPLATE("moments of points", T, float, double, std::uint64_t) {
  check_same<T, 2>();
  check_same<T, 3>();
  check_same<T, 6>();
  check_same<T, 7>();
}

TEST_CASE("batches of long sums") {
  product_of<jig::ops::batch_matmul, true, false, list<dyn, 3, 4>, list<dyn, dyn, 3>, list<dyn, dyn, 4>>::check(
      operand<float>(shape_of({5, 100, 3}), 8), operand<float>(shape_of({5, 100, 4}), 9), shape_of({5, 3, 4}));
  product_of<jig::ops::batch_matmul, true, false, list<dyn, 3, 4>, list<dyn, dyn, 3>, list<dyn, 4>>::check(
      operand<double>(shape_of({5, 70, 3}), 8), operand<double>(shape_of({70, 4}), 9), shape_of({5, 3, 4}));
  // Rows of batches that share b are rows of one product.
  product_of<jig::ops::batch_matmul, false, false, list<dyn, 2, 3>, list<dyn, 2, dyn>, list<dyn, 3>>::check(
      operand<float>(shape_of({5, 2, 100}), 8), operand<float>(shape_of({100, 3}), 9), shape_of({5, 2, 3}));
}

}  // namespace

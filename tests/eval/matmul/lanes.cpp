// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/lanes.hpp>

#include <jig/function.hpp>

#include "../../matrix_products.hpp"

namespace {

constexpr index most = 40;

// Rows of K elements times K x N, as many as lanes, one more and one less, and several times as many.
template <class T, index N, index K>
void check_rows() {
  using jig::dyn;
  constexpr index width = jig::simd::lanes<T>;
  for (index m : {index{0}, index{1}, width - 1, width, width + 1, 2 * width, 3 * width + 1}) {
    const operand<T> b(shape_of({K, N}), 2), bt(shape_of({N, K}), 3), a(shape_of({m, K}), 4), at(shape_of({K, m}), 5);
    product_of<jig::ops::matmul, false, false, list<dyn, N>, list<dyn, K>, list<K, N>>::check(a, b, shape_of({m, N}));
    product_of<jig::ops::matmul, false, true, list<dyn, N>, list<dyn, K>, list<N, K>>::check(a, bt, shape_of({m, N}));
    product_of<jig::ops::matmul, true, false, list<dyn, N>, list<K, dyn>, list<K, N>>::check(at, b, shape_of({m, N}));
    // Rows that do not follow one another, and matrices that lie in other ways.
    product_of<jig::ops::matmul, false, false, list<dyn, N>, list<dyn, K>, list<K, N>>::check(
        operand<T>(shape_of({m, K}), shape_of({K + 1, 1}), 6), operand<T>(shape_of({K, N}), shape_of({-N, 2 * K * N}), 7),
        shape_of({m, N}));
    product_of<jig::ops::matmul, false, false, list<dyn, N>, list<dyn, K>, list<K, N>>::check(
        operand<T>(shape_of({m, K}), shape_of({1, m + 2}), 8), b, shape_of({m, N}));
  }
  product_of<jig::ops::matmul, false, false, list<most * width + 3, N>, list<most * width + 3, K>, list<K, N>>::check(
      operand<T>(shape_of({most * width + 3, K}), 9), operand<T>(shape_of({K, N}), 10), shape_of({most * width + 3, N}));
}

template <class T, index N>
void check_columns() {
  check_rows<T, N, 1>();
  check_rows<T, N, 2>();
  check_rows<T, N, 3>();
  check_rows<T, N, 5>();
  check_rows<T, N, 8>();
  check_rows<T, N, 9>();  // more than lanes are for, unless there are many registers
}

TEST_CASE_TEMPLATE("lanes along rows of a few elements", T, float, double, std::int32_t) {
  check_columns<T, 1>();
  check_columns<T, 3>();
  check_columns<T, 4>();
}
TEST_CASE_TEMPLATE("rows that a register has several of", T, float, double, std::int32_t, std::uint64_t, std::uint8_t) {
  check_rows<T, 2, 2>();
  check_rows<T, 4, 4>();
  check_rows<T, 5, 5>();
  check_rows<T, 2, 7>();
}
TEST_CASE("lanes along rows, up to the most columns and for small dtypes") {
  check_columns<float, 7>();
  check_columns<float, 8>();
  check_columns<float, 9>();
  check_rows<std::uint8_t, 3, 3>();
  check_rows<std::uint64_t, 6, 4>();
}

TEST_CASE("rows of as many elements as registers hold, and of more") {
  check_rows<float, 2, 13>();
  check_rows<float, 8, 16>();
  check_rows<float, 3, 17>();
  check_rows<double, 2, 12>();
  check_rows<double, 8, 16>();
  check_rows<std::int32_t, 5, 11>();
}

TEST_CASE("batches that share a small matrix are rows of one product") {
  using jig::dyn;
  product_of<jig::ops::batch_matmul, false, false, list<dyn, 4, 3>, list<dyn, 4, 3>, list<3, 3>>::check(
      operand<float>(shape_of({50, 4, 3}), 11), operand<float>(shape_of({3, 3}), 12), shape_of({50, 4, 3}));
  product_of<jig::ops::batch_matmul, false, false, list<2, dyn, 4, 3>, list<2, dyn, 4, 3>, list<3, 3>>::check(
      operand<float>(shape_of({2, 50, 4, 3}), shape_of({700, 13, 3, 1}), 13), operand<float>(shape_of({3, 3}), 14),
      shape_of({2, 50, 4, 3}));
}

// A loop behind the product sees every row once, when it is complete.
TEST_CASE("a loop behind rows in lanes") {
  static constexpr auto f = jig::function([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });
  for (index m : {1, 20, 1400, 3000}) {
    const operand<float> x(shape_of({m, 3}), 15), w(shape_of({3, 3}), 16), b(shape_of({3}), 17);
    const jig::view<jig::row_major<const float>, jig::dyn, 3> rows(x.data(), shape_of({m, 3}));
    jig::tensor<float, 3, 3> matrix;
    std::copy_n(w.data(), 9, matrix.data());
    const auto y = f(rows, matrix, std::array<float, 3>{b.data()[0], b.data()[1], b.data()[2]});
    int wrong = 0;
    for (index i = 0; i < m; ++i)
      for (index j = 0; j < 3; ++j) {
        double sum = b.data()[j];
        for (index k = 0; k < 3; ++k) sum += static_cast<double>(x.data()[i * 3 + k]) * static_cast<double>(w.data()[k * 3 + j]);
        wrong += std::abs(static_cast<double>(y(i, j)) - std::max(sum, 0.0)) > 1e-6;
      }
    CHECK(wrong == 0);
  }
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/eval/matmul.hpp>

#include <jig/eager.hpp>

#include "../matrix_products.hpp"

namespace {

TEST_CASE_TEMPLATE("matmul of dynamic extents", T, float, double, std::uint8_t, std::int16_t, std::int32_t, std::uint64_t) {
  for (index m : {1, 2, 3, 5, 8, 9, 17})
    for (index n : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100})
      for (index k : {1, 3, 8, 17}) check_all_flags<T>(m, n, k);
  for (index m : {7, 15, 16, 31, 33, 64, 100}) check_all_flags<T>(m, 33, 9);
  for (index k : {2, 5, 7, 9, 15, 16, 31, 33, 64, 100}) check_all_flags<T>(9, 17, k);
}

TEST_CASE_TEMPLATE("matmul of vectors and matrices", T, float, double, std::uint8_t, std::int16_t, std::int32_t, std::uint64_t) {
  for (index n : {1, 2, 7, 8, 9, 16, 33, 64, 100, 129, 300, 1025})
    for (index k : {1, 2, 5, 16, 31, 33, 64, 129, 257}) {
      check_all_flags<T>(1, n, k);
      check_all_flags<T>(n, 1, k);
    }
}

TEST_CASE_TEMPLATE("matmul without elements", T, float, std::uint8_t) {
  for (index m : {0, 1, 5})
    for (index n : {0, 1, 20})
      for (index k : {0, 3}) check_all_flags<T>(m, n, k);
  if constexpr (std::is_same_v<T, float>) {
    check_static<T, 0, 3, 3>();
    check_static<T, 3, 0, 3>();
    check_static<T, 3, 3, 0>();
    check_static<T, 1, 1, 0>();
  }
}

TEST_CASE_TEMPLATE("matmul of large matrices", T, float, double, std::int16_t, std::int32_t) {
  check_all_flags<T>(130, 257, 300);
  for (index k : {255, 256, 257, 513}) check_dense<false, false, T>(70, 65, k);
  const index m = jig::detail::blocks<T>::m, n = jig::detail::blocks<T>::n;
  for (index more : {-1, 0, 1}) {
    check_dense<true, false, T>(m + more, 272, 257);
    check_dense<false, true, T>(65, n + more, 257);
  }
}

TEST_CASE("matmul of static extents") {
  check_static_squares<float>(list<1, 3, 4, 5, 8, 9, 16, 17, 33, 100>());
  check_static<float, 1, 7, 5>();
  check_static<float, 1, 16, 100>();
  check_static<float, 7, 1, 5>();
  check_static<float, 3, 100, 2>();
  check_static<float, 17, 23, 9>();
  check_static<float, 64, 3, 16>();
  check_static<float, 12, 4, 4>();
  check_static<float, 20, 64, 33>();
}

template <index M, index N, index K, bool TA = false, bool TB = false>
static void check_batches_of_two_axes(index outer, index inner) {
  using jig::dyn, jig::shape;
  using a_extents = std::conditional_t<TA, list<dyn, dyn, K, M>, list<dyn, dyn, M, K>>;
  using b_extents = std::conditional_t<TB, list<dyn, dyn, N, K>, list<dyn, dyn, K, N>>;
  const shape whole{2, {outer, inner}};
  const shape parts[] = {whole, {2, {outer, 1}}, {2, {1, inner}}, {2, {1, 1}}};
  const auto matrices = [](const shape& of, index rows, index columns) { return shape{4, {of[0], of[1], rows, columns}}; };
  // The second axis of a batch may also be the one that lies further apart.
  const auto turned = [](const shape& s) { return shape{4, {s[2] * s[3], s[0] * s[2] * s[3], s[3], 1}}; };
  for (const shape& x : parts)
    for (const shape& y : parts) {
      if ((x[0] == 1 && y[0] == 1 && outer != 1) || (x[1] == 1 && y[1] == 1 && inner != 1)) continue;
      const shape of_a = TA ? matrices(x, K, M) : matrices(x, M, K), of_b = TB ? matrices(y, N, K) : matrices(y, K, N);
      const operand<float> a(of_a, 31), b(of_b, 32), turned_a(of_a, turned(of_a), 33), turned_b(of_b, turned(of_b), 34);
      const shape out{4, {outer, inner, M, N}};
      using products = product_of<jig::ops::batch_matmul, TA, TB, list<dyn, dyn, M, N>, a_extents, b_extents>;
      products::check(a, b, out);
      products::check(turned_a, b, out);
      products::check(a, turned_b, out);
      products::check(turned_a, turned_b, out);
    }
}
// From 16 on an axis goes last where the last one is shorter.
TEST_CASE("matmul of batches of two axes, short and long") {
  for (index outer : {1, 15, 16, 17})
    for (index inner : {1, 3, 15, 16}) {
      check_batches_of_two_axes<17, 1, 1>(outer, inner);
      check_batches_of_two_axes<3, 3, 3>(outer, inner);
      check_batches_of_two_axes<5, 5, 5, true>(outer, inner);
      check_batches_of_two_axes<8, 16, 4>(outer, inner);
      check_batches_of_two_axes<8, 8, 8, false, true>(outer, inner);
      check_batches_of_two_axes<1, 6, 6>(outer, inner);
      check_batches_of_two_axes<4, 1, 4>(outer, inner);
      check_batches_of_two_axes<33, 3, 2>(outer, inner);
    }
  check_batches_of_two_axes<20, 30, 40>(17, 3);
}

TEST_CASE_TEMPLATE("matmul of static extents in lanes of every width", T, double, std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
  check_static_squares<T>(list<4, 33>());
}

TEST_CASE("matmul of static extents, transposed") {
  check_static<float, 4, 4, 4, true, false>();
  check_static<float, 4, 4, 4, false, true>();
  check_static<double, 10, 10, 10, true, true>();
  check_static<float, 5, 17, 9, true, false>();
  check_static<float, 5, 17, 9, false, true>();
  check_static<std::int32_t, 31, 33, 8, true, true>();
  check_static<std::uint8_t, 9, 3, 17, false, true>();
}

// Batches of matrices of M x K and K x N, of one matrix and of several.
template <class T, index M, index N, index K, bool TA = false, bool TB = false>
void check_items() {
  using jig::dyn;
  using a_extents = std::conditional_t<TA, list<dyn, K, M>, list<dyn, M, K>>;
  using b_extents = std::conditional_t<TB, list<dyn, N, K>, list<dyn, K, N>>;
  using check = product_of<jig::ops::batch_matmul, TA, TB, list<dyn, M, N>, a_extents, b_extents>;
  constexpr index ar = TA ? K : M, ac = TA ? M : K, br = TB ? N : K, bc = TB ? K : N;
  for (index count : {1, 2, 3, 4, 5, 6, 16, 17, 33}) {
    const operand<T> a(shape_of({count, ar, ac}), 15), b(shape_of({count, br, bc}), 16), one(shape_of({1, br, bc}), 17);
    check::check(a, b, shape_of({count, M, N}));
    check::check(a, one, shape_of({count, M, N}));
    check::check(operand<T>(shape_of({count, ar, ac}), shape_of({ar * ac + 2, ac, 1}), 18), b, shape_of({count, M, N}));
    check::check(a, operand<T>(shape_of({count, br, bc}), shape_of({-br * bc, bc, 1}), 19), shape_of({count, M, N}));
  }
}

// Rows of a few elements, several of which are summed up at a time, and columns of them.
TEST_CASE_TEMPLATE("small matrices of static extents times vectors", T, float, double, std::int32_t, std::uint8_t) {
  check_static<T, 6, 1, 6>();
  check_static<T, 8, 1, 8>();
  check_static<T, 10, 1, 10>();
  check_static<T, 21, 1, 16>();
  check_static<T, 17, 1, 1>();
  check_static<T, 10, 1, 10, true, false>();
  check_static<T, 5, 1, 16, true, true>();
  check_items<T, 10, 1, 10>();
  check_items<T, 7, 1, 9, true, false>();
}

// Matrices whose columns are taken apart in registers, up to the most of them, and one more.
template <class T, index N, index K>
void check_turned() {
  check_static<T, 1, N, K, false, true>();
  check_static<T, 4, N, K, false, true>();
  check_static<T, 7, N, K, true, true>();
  check_items<T, 3, N, K, false, true>();
}
TEST_CASE_TEMPLATE("small matrices of static extents, of which the second is read transposed", T, float, double, std::int32_t,
                   std::int16_t) {
  check_turned<T, 3, 3>();
  check_turned<T, 4, 4>();
  check_turned<T, 5, 2>();
  check_turned<T, 8, 8>();
  check_turned<T, 9, 10>();
  check_turned<T, 9, 11>();
  check_turned<T, 17, 5>();
  check_turned<T, 33, 3>();
}

TEST_CASE_TEMPLATE("matmul of views with any strides", T, float, double, std::int32_t, std::uint8_t) {
  for (index m : {1, 3, 16, 70})
    for (index n : {1, 5, 16, 33, 130})
      for (index k : {1, 4, 17, 90}) {
        const shape ea = shape_of({m, k}), eb = shape_of({k, n});
        const std::vector<shape> a_strides = {shape_of({k + 3, 1}), shape_of({2 * k, 2}), shape_of({1, m + 1}),
                                              shape_of({-k, 1}),    shape_of({-k, -1}),   shape_of({0, 1}),
                                              shape_of({1, 0}),     shape_of({0, 0}),     shape_of({3, -3 * m})};
        const std::vector<shape> b_strides = {shape_of({n + 3, 1}), shape_of({2 * n, 2}), shape_of({1, k + 1}),
                                              shape_of({-n, 1}),    shape_of({-n, -1}),   shape_of({0, 1}),
                                              shape_of({1, 0}),     shape_of({0, 0}),     shape_of({3, -3 * k})};
        for (std::size_t i = 0; i < a_strides.size(); ++i) {
          check_dynamic<false, false>(operand<T>(ea, a_strides[i], 5), operand<T>(eb, 6));
          check_dynamic<false, false>(operand<T>(ea, 5), operand<T>(eb, b_strides[i], 6));
          check_dynamic<false, false>(operand<T>(ea, a_strides[i], 5), operand<T>(eb, b_strides[(i + 4) % b_strides.size()], 6));
        }
      }
}

TEST_CASE_TEMPLATE("matmul of static extents with other strides", T, float, std::int32_t) {
  using check = product_of<jig::ops::matmul, false, false, list<8, 8>, list<8, 8>, list<8, 8>>;
  const shape square = shape_of({8, 8});
  const std::vector<shape> strides = {shape_of({8, 1}), shape_of({1, 8}),  shape_of({9, 1}),
                                      shape_of({0, 1}), shape_of({-8, 1}), shape_of({16, 2})};
  for (const shape& a : strides)
    for (const shape& b : strides) check::check(operand<T>(square, a, 7), operand<T>(square, b, 8), square);
}

TEST_CASE("batches of matmul broadcast") {
  // That batches broadcast does not depend on the dtype.
  using T = float;
  using jig::dyn;
  using two = list<dyn, dyn>;
  using three = list<dyn, dyn, dyn>;
  using four = list<dyn, dyn, dyn, dyn>;
  auto make = [](std::initializer_list<index> extents) { return operand<T>(shape_of(extents), 9); };
  for (index size : {1, 5, 33}) {
    product_of<jig::ops::batch_matmul, false, false, three, three, three>::check(make({3, size, 4}), make({3, 4, 7}),
                                                                                 shape_of({3, size, 7}));
    product_of<jig::ops::batch_matmul, false, false, three, three, three>::check(make({1, size, 4}), make({3, 4, 7}),
                                                                                 shape_of({3, size, 7}));
    product_of<jig::ops::batch_matmul, false, false, three, three, three>::check(make({3, size, 4}), make({1, 4, 7}),
                                                                                 shape_of({3, size, 7}));
    product_of<jig::ops::batch_matmul, false, false, three, three, two>::check(make({3, size, 4}), make({4, 7}), shape_of({3, size, 7}));
    product_of<jig::ops::batch_matmul, false, false, three, two, three>::check(make({size, 4}), make({3, 4, 7}), shape_of({3, size, 7}));
    product_of<jig::ops::batch_matmul, true, true, four, four, three>::check(make({2, 3, 4, size}), make({3, 7, 4}),
                                                                             shape_of({2, 3, size, 7}));
    product_of<jig::ops::batch_matmul, false, true, four, four, four>::check(make({2, 1, size, 4}), make({1, 5, 7, 4}),
                                                                             shape_of({2, 5, size, 7}));
    product_of<jig::ops::batch_matmul, true, false, four, four, two>::check(make({2, 3, 4, size}), make({4, 7}), shape_of({2, 3, size, 7}));
  }
  product_of<jig::ops::batch_matmul, false, false, three, three, three>::check(make({0, 2, 4}), make({0, 4, 7}), shape_of({0, 2, 7}));
  product_of<jig::ops::batch_matmul, false, false, three, three, three>::check(make({3, 2, 0}), make({3, 0, 7}), shape_of({3, 2, 7}));
  product_of<jig::ops::batch_matmul, false, false, list<6, 4, 4>, list<6, 4, 4>, list<4, 4>>::check(make({6, 4, 4}), make({4, 4}),
                                                                                                    shape_of({6, 4, 4}));
  product_of<jig::ops::batch_matmul, false, true, list<2, 3, 5, 4>, list<2, 3, 5, 9>, list<3, 4, 9>>::check(
      make({2, 3, 5, 9}), make({3, 4, 9}), shape_of({2, 3, 5, 4}));
  product_of<jig::ops::batch_matmul, false, false, list<dyn, 70, 66>, list<dyn, 70, 5>, list<5, 66>>::check(make({3, 70, 5}), make({5, 66}),
                                                                                                            shape_of({3, 70, 66}));
}

TEST_CASE("batches of small matrices of static extents") {
  check_items<float, 1, 1, 1>();
  check_items<float, 3, 3, 3>();
  check_items<float, 3, 3, 3, true, true>();
  check_items<float, 4, 4, 4>();
  check_items<float, 4, 2, 3, false, true>();
  check_items<float, 2, 5, 3, true, false>();
  check_items<float, 3, 1, 3>();
  check_items<float, 8, 1, 8>();
  check_items<float, 5, 1, 2>();
  check_items<float, 1, 3, 3>();
  check_items<float, 3, 1, 3, true, false>();
  check_items<float, 10, 10, 10>();
  check_items<std::int16_t, 2, 2, 2>();
  check_items<std::int16_t, 4, 1, 4>();
  // One column, with rows that registers read and rows that are too short for that.
  check_items<float, 16, 1, 16>();
  check_items<double, 9, 1, 13>();
  check_items<std::int32_t, 8, 1, 3>();
  check_items<std::int8_t, 12, 1, 16>();
}

TEST_CASE_TEMPLATE("matmul keeps NaN and infinity where they belong", T, float, double) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (index size : {3, 10, 17, 40, 100})
    for (T special : {nan, inf, -inf}) {
      const shape square = shape_of({size, size});
      operand<T> a(square, 10), b(square, 11), c(square, 12);
      a.element(shape(), size / 2, size - 1) = special;
      b.element(shape(), size - 1, size - 2) = special;
      check_dynamic<false, false>(a, c);
      check_dynamic<false, true>(c, b);
      check_dynamic<true, false>(a, b);
      c.element(shape(), size - 1, 0) = 0;
      check_dynamic<false, false>(a, c);
    }
  operand<T> a(shape_of({10, 10}), 13), b(shape_of({10, 10}), 14);
  a.element(shape(), 9, 9) = inf;
  b.element(shape(), 9, 0) = 0;
  b.element(shape(), 0, 9) = nan;
  product_of<jig::ops::matmul, false, false, list<10, 10>, list<10, 10>, list<10, 10>>::check(a, b, shape_of({10, 10}));
}

}  // namespace

namespace {

// Products in exact arithmetic, wrapped to T.
template <class T, int M, int K, int N>
void check_small() {
  static constexpr auto plain = jig::function([](auto a, auto b) { return jig::matmul(a, b); });
  static constexpr auto turned = jig::function([](auto a, auto b) { return jig::matmul(a, b, jig::transpose_a, jig::transpose_b); });
  jig::tensor<T, M, K> a;
  jig::tensor<T, K, N> b;
  jig::tensor<T, K, M> at;
  jig::tensor<T, N, K> bt;
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) at(k, i) = a(i, k) = static_cast<T>(i * 100 + k * 7 - 50);
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j) bt(j, k) = b(k, j) = static_cast<T>(k * 90 - j * 13);
  auto c = plain(a, b), d = turned(at, bt);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      std::int64_t exact = 0;
      for (int k = 0; k < K; ++k) exact += static_cast<std::int64_t>(a(i, k)) * static_cast<std::int64_t>(b(k, j));
      CHECK(c(i, j) == static_cast<T>(exact));
      CHECK(d(i, j) == static_cast<T>(exact));
    }
}

}  // namespace

TEST_CASE("matrices of a few elements") {
  check_small<float, 4, 4, 4>();
  check_small<float, 1, 1, 1>();
  check_small<int, 2, 3, 4>();
  check_small<std::int8_t, 4, 2, 3>();
  // One more than what is computed in place.
  check_small<float, 4, 5, 4>();
  check_small<int, 5, 3, 5>();
}

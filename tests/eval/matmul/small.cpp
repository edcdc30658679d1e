// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/small.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using jig::index;
namespace detail = jig::detail;

static_assert(detail::are_small_extents(64, 64, 64) && !detail::are_small_extents(65, 2, 2) && !detail::are_small_extents(2, 65, 2) &&
              !detail::are_small_extents(2, 2, 65) && !detail::are_small_extents(0, 2, 2) && !detail::are_small_extents(2, 2, jig::dyn));
static_assert(detail::are_small_extents(1, 2, 16) && !detail::are_small_extents(1, 2, 17), "a vector times a matrix");
static_assert(detail::are_small_extents(2, 1, 16) && !detail::are_small_extents(2, 1, 17), "a matrix times a vector");
static_assert(detail::are_dense_kernel_extents(true, 64, 32, 32) && !detail::are_dense_kernel_extents(true, 64, 33, 32) &&
              !detail::are_dense_kernel_extents(true, 64, 32, 33) && detail::are_dense_kernel_extents(false, 64, 33, 33));

// Beside both operands and, where the kernel reads them before it writes, on top of them.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
int wrong_ways() {
  const plain_product<T> p(M, N, K, TransposeA ? matrix_lies{1, M} : matrix_lies{K, 1}, TransposeB ? matrix_lies{1, K} : matrix_lies{N, 1},
                           N);
  plain_product<T> apart = p;
  detail::multiply_dense<TransposeA, TransposeB, M, N, K>(apart.a.data(), apart.b.data(), apart.c.data());
  int wrong = apart.wrong();
  if constexpr (detail::dense_reads_first<TransposeA, TransposeB, M, N, K, T>()) {
    for (bool over_a : {true, false}) {
      std::vector<T> operand = over_a ? p.a : p.b;
      operand.resize(operand.size() + static_cast<std::size_t>(M * N));
      detail::multiply_dense<TransposeA, TransposeB, M, N, K>(over_a ? operand.data() : p.a.data(), over_a ? p.b.data() : operand.data(),
                                                              operand.data());
      for (index i = 0; i < M; ++i)
        for (index j = 0; j < N; ++j) wrong += operand[static_cast<std::size_t>(i * N + j)] != p.expected(i, j);
    }
  }
  return wrong;
}
template <index M, index N, index K, class T>
int wrong() {
  return wrong_ways<false, false, M, N, K, T>() + wrong_ways<true, false, M, N, K, T>() + wrong_ways<false, true, M, N, K, T>() +
         wrong_ways<true, true, M, N, K, T>();
}

TEST_CASE_TEMPLATE("products of small extents", T, float, double, std::uint32_t, std::uint8_t) {
  constexpr index w = jig::simd::lanes<T>;
  CHECK(wrong<1, 1, 1, T>() == 0);
  CHECK(wrong<2, 2, 2, T>() == 0);
  CHECK(wrong<4, 4, 4, T>() == 0);
  CHECK(wrong<2, 4, 4, T>() == 0);
  CHECK(wrong<8, 4, 4, T>() == 0);
  CHECK(wrong<3, 5, 7, T>() == 0);
  CHECK(wrong<6, 1, 5, T>() == 0);
  CHECK(wrong<1, 9, 6, T>() == 0);
  if constexpr (w <= 16) {
    CHECK(wrong<5, w, 3, T>() == 0);
    CHECK(wrong<9, w + 1, 4, T>() == 0);
    CHECK(wrong<2, 2 * w, w, T>() == 0);
  }
}
TEST_CASE("products of the most extents that are small") {
  CHECK(wrong_ways<false, false, 64, 64, 64, float>() == 0);
  CHECK(wrong_ways<true, true, 33, 32, 32, double>() == 0);
}

template <index M, index N, index K, class T>
int wrong_of_few() {
  static_assert(detail::few_products<M, N, K>);
  plain_product<T> p(M, N, K), turned(M, N, K, {1, M}, {1, K}, N);
  detail::multiply_few<M, N, K, detail::dense_strides<false, M, K>, detail::dense_strides<false, K, N>>(p.a.data(), p.b.data(), p.c.data());
  detail::multiply_few<M, N, K, detail::dense_strides<true, M, K>, detail::dense_strides<true, K, N>>(turned.a.data(), turned.b.data(),
                                                                                                      turned.c.data());
  return p.wrong() + turned.wrong();
}
TEST_CASE_TEMPLATE("products of few numbers", T, float, std::int8_t, std::int64_t) {
  CHECK(wrong_of_few<1, 1, 1, T>() == 0);
  CHECK(wrong_of_few<3, 3, 3, T>() == 0);
  CHECK(wrong_of_few<5, 1, 5, T>() == 0);
  CHECK(wrong_of_few<2, 5, 3, T>() == 0);
}
static_assert(!detail::few_products<4, 4, 4> && !detail::few_products<5, 1, 6> && !detail::few_products<0, 1, 1>);

}  // namespace

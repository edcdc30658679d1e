// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/rows.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using jig::index;
namespace detail = jig::detail;

// Dtypes of a few bytes have products of their own; more registers than there are hold nothing.
static_assert(!detail::fits_registers<std::uint16_t, 4, 4>);
static_assert(!detail::fits_registers<float, 4, jig::dyn> && !detail::fits_registers<float, jig::dyn, 4>);
static_assert(!detail::fits_registers<float, 4, 1000>);
static_assert(detail::fits_registers<float, jig::simd::lanes<float>, 4>);

// One row by itself, of up to four registers, where there are no more registers than most machines have.
template <class T>
constexpr bool may_go_alone = sizeof(T) >= 4 && jig::simd::registers == 16;
static_assert(detail::fits_row_by_row<float, 6, 3> == may_go_alone<float> && detail::fits_row_by_row<double, 3, 3> == may_go_alone<double>);
static_assert(detail::fits_row_by_row<float, 4 * jig::simd::lanes<float>, 8> == may_go_alone<float>);
static_assert(!detail::fits_row_by_row<float, 4 * jig::simd::lanes<float> + 1, 8> && !detail::fits_row_by_row<float, 6, 9>);
static_assert(!detail::fits_row_by_row<float, 1, 3> && !detail::fits_row_by_row<float, 6, 1> &&
              !detail::fits_row_by_row<std::uint16_t, 6, 3>);
static_assert(!detail::fits_row_by_row<float, jig::dyn, 3> && !detail::fits_row_by_row<float, 3, jig::dyn>);

template <class T, index N, index K>
int wrong_rows() {
  int count = 0;
  for (index m : {0, 1, 2, 4, 5, 7, 8, 9, 40})
    for (const matrix_lies a : {matrix_lies{K, 1}, matrix_lies{K + 2, 1}, matrix_lies{1, m + 1}})
      for (const matrix_lies b : {matrix_lies{N, 1}, matrix_lies{N + 3, 1}, matrix_lies{1, K}, matrix_lies{2, 2 * K}})
        for (index gap : {0, 5}) {
          plain_product<T> p(m, N, K, a, b, N + gap);
          detail::multiply_row_by_row<N, K>(p.operands(), m);
          count += p.wrong();
          if (const auto kernel = detail::kernel_of_rows<N, K>(p.operands())) {
            plain_product<T> chosen(m, N, K, a, b, N + gap);
            kernel(chosen.operands());
            count += chosen.wrong();
          }
        }
  return count;
}

TEST_CASE_TEMPLATE("rows times a small matrix", T, float, double, std::uint32_t, std::uint64_t) {
  constexpr index w = jig::simd::lanes<T>;
  CHECK(wrong_rows<T, 1, 1>() == 0);
  CHECK(wrong_rows<T, 2, 2>() == 0);
  CHECK(wrong_rows<T, 2, 5>() == 0);
  CHECK(wrong_rows<T, 3, 3>() == 0);
  CHECK(wrong_rows<T, 5, 4>() == 0);
  CHECK(wrong_rows<T, 6, 8>() == 0);
  CHECK(wrong_rows<T, w, 3>() == 0);
  CHECK(wrong_rows<T, w + 1, 2>() == 0);
  CHECK(wrong_rows<T, 2 * w, 4>() == 0);
  CHECK(wrong_rows<T, 4 * w - 1, 8>() == 0);
  if constexpr (w > 1) CHECK(wrong_rows<T, w - 1, 5>() == 0);
}
TEST_CASE("few rows, and rows that lie in other ways, are left to others") {
  if constexpr (may_go_alone<float>) {
    plain_product<float> few(7, 6, 3, {3, 1}, {6, 1}, 6), enough(8, 6, 3, {3, 1}, {6, 1}, 6), apart(8, 6, 3, {5, 2}, {6, 1}, 6);
    CHECK((detail::kernel_of_rows<6, 3>(enough.operands()) != nullptr));
    CHECK((detail::kernel_of_rows<6, 3>(apart.operands()) == nullptr));
    if constexpr (jig::simd::lanes<float> == 8) CHECK((detail::kernel_of_rows<6, 3>(few.operands()) == nullptr));
  }
}

// Three products whose rows lie side by side, so long that the rows are taken in parts; and one behind the other.
template <bool SideBySide>
int wrong_in_batch(index m) {
  constexpr index N = 4, K = 3, count = 3, wide = 900;
  constexpr index c_row = SideBySide ? count * wide : N;
  plain_product<float> p(m, SideBySide ? (count - 1) * wide + N : N, K, {K, 1}, {SideBySide ? (count - 1) * wide + N : N, 1}, c_row);
  auto with = p.operands();
  with.n = N;
  int wrong = 0;
  if constexpr (SideBySide) {
    // Columns 0 to 3, 900 to 903 and 1800 to 1803 of one product.
    detail::multiply_many_held<N, K>(with, {0, wide, wide}, count);
    for (index i = 0; i < m; ++i)
      for (index j = 0; j < p.n; ++j) {
        const float expected = j % wide < N ? p.expected(i, j) : p.untouched;
        wrong += p.c[static_cast<std::size_t>(i * c_row + j)] != expected;
      }
  } else {
    // Rows in three parts, by the same matrix.
    with.m = m / count;
    detail::multiply_many_held<N, K>(with, {with.m * K, 0, with.m * N}, count);
    wrong += p.wrong();
  }
  return wrong;
}
TEST_CASE("batches of products whose rows lie between one another, or behind") {
  for (index m : {1, 30, 33, 100}) CHECK(wrong_in_batch<true>(m) == 0);
  for (index m : {3, 30, 99}) CHECK(wrong_in_batch<false>(m) == 0);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/pack.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using jig::index;
std::size_t at(index i) { return static_cast<std::size_t>(i); }

// Rows of a panel are as long as whole registers; behind the columns are zeros.
template <class T>
int wrong_in_panel(index k, index columns, matrix_lies lies) {
  constexpr index w = jig::simd::lanes<T>;
  const index row = (columns + w - 1) / w * w;
  plain_product<T> p(1, columns, k, {0, 1}, lies, columns);
  std::vector<T> to(at(k * row) + 1, p.untouched);
  jig::detail::pack_panel(to.data(), p.b.data(), lies.row, lies.column, columns, k);
  int wrong = to.back() != p.untouched;
  for (index q = 0; q < k; ++q)
    for (index j = 0; j < row; ++j) wrong += to[at(q * row + j)] != (j < columns ? p.b[at(q * lies.row + j * lies.column)] : T(0));
  return wrong;
}

TEST_CASE_TEMPLATE("panels of b", T, float, double, std::uint64_t, std::uint8_t) {
  constexpr index w = jig::simd::lanes<T>;
  int wrong = 0;
  for (index columns : {index{1}, w - 1, w, w + 1, 2 * w})
    for (index k : {index{0}, index{1}, w - 1, w, w + 1, 2 * w + 3}) {
      if (columns == 0) continue;
      wrong += wrong_in_panel<T>(k, columns, {columns, 1});      // rows
      wrong += wrong_in_panel<T>(k, columns, {columns + 3, 1});  // rows with gaps
      wrong += wrong_in_panel<T>(k, columns, {1, k + 1});        // columns
      wrong += wrong_in_panel<T>(k, columns, {2 * columns, 2});  // neither
    }
  CHECK(wrong == 0);
}

// A block of a keeps the direction in which it lies, without gaps.
template <class T>
int wrong_in_block(index m, index k, matrix_lies lies, matrix_lies expected) {
  plain_product<T> p(m, 1, k, lies, {1, 1}, 1);
  std::vector<T> to(at(m * k) + 1, p.untouched);
  matrix_lies found{};
  jig::detail::pack_block(to.data(), p.a.data(), lies.row, lies.column, m, k, found.row, found.column);
  int wrong = (to.back() != p.untouched) + (found.row != expected.row) + (found.column != expected.column);
  for (index i = 0; i < m; ++i)
    for (index q = 0; q < k; ++q) wrong += to[at(i * found.row + q * found.column)] != p.a[at(i * lies.row + q * lies.column)];
  return wrong;
}

TEST_CASE_TEMPLATE("blocks of a", T, float, std::uint16_t) {
  CHECK(wrong_in_block<T>(5, 7, {7, 1}, {7, 1}) == 0);
  CHECK(wrong_in_block<T>(5, 7, {9, 1}, {7, 1}) == 0);
  CHECK(wrong_in_block<T>(5, 7, {1, 5}, {1, 5}) == 0);
  CHECK(wrong_in_block<T>(5, 7, {1, 8}, {1, 5}) == 0);
  CHECK(wrong_in_block<T>(5, 7, {22, 3}, {7, 1}) == 0);
  CHECK(wrong_in_block<T>(1, 1, {1, 1}, {1, 1}) == 0);
}

}  // namespace

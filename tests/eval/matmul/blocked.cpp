// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/blocked.hpp>

#include "../../plain_product.hpp"
#include "../../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using jig::index;
namespace detail = jig::detail;

template <class T>
using size = detail::blocks<T>;

template <class T>
detail::product<T> extents(index m, index n, index k, matrix_lies a, matrix_lies b) {
  return {nullptr, a.row, a.column, nullptr, b.row, b.column, nullptr, n, m, n, k};
}

TEST_CASE("what is packed: operands that lie badly, and large ones that are read often") {
  const auto packs = [](index m, index n, index k, matrix_lies a, matrix_lies b) {
    return detail::choose_packing(extents<float>(m, n, k, a, b));
  };
  constexpr index rows = 8 * size<float>::rows, columns = 8 * size<float>::columns, little = 256 * 1024 / 4;
  CHECK_FALSE(packs(8, 8, 8, {8, 1}, {8, 1}).b);
  CHECK(packs(8, 8, 8, {8, 1}, {1, 8}).b);
  CHECK_FALSE(packs(rows, little / 8, 8, {8, 1}, {little / 8, 1}).b);
  CHECK(packs(rows, little / 8 + 1, 8, {8, 1}, {little / 8 + 1, 1}).b);
  CHECK_FALSE(packs(rows - 1, little / 8 + 1, 8, {8, 1}, {little / 8 + 1, 1}).b);
  CHECK_FALSE(packs(8, columns, 8, {8, 1}, {columns, 1}).a);
  CHECK(packs(8, columns, 8, {1, 8}, {columns, 1}).a);
  CHECK_FALSE(packs(8, columns - 1, 8, {1, 8}, {columns - 1, 1}).a);
  CHECK(packs(little / 8 + 1, columns, 8, {8, 1}, {columns, 1}).a);
}

// In memory of the caller, of just the size that the product asks for.
template <class T>
int wrong(plain_product<T> p) {
  const auto with = p.operands();
  const jig::tile_epilogue then{};
  detail::blocked_product<T> blocked(with, then);
  detail::workspace memory(blocked.b_bytes() + blocked.a_bytes());
  blocked.run(memory.data());
  int count = p.wrong();
  for (T& x : p.c) x = p.untouched;
  detail::multiply_blocked(with, then, detail::memory_of_threads);
  return count + p.wrong();
}

TEST_CASE_TEMPLATE("blocks end where operands do, before and behind", T, float, double, std::uint32_t, std::uint8_t) {
  constexpr index w = jig::simd::lanes<T>, rows = size<T>::rows;
  int count = 0;
  for (index m : {index{1}, rows - 1, rows, rows + 1, 3 * rows + 5})
    for (index n : {index{1}, w, size<T>::columns - 1, size<T>::columns, size<T>::columns + 1})
      for (index k : {index{1}, size<T>::k, size<T>::k + 1}) count += wrong(plain_product<T>(m, n, k));
  CHECK(count == 0);
}
TEST_CASE("products with several blocks of every kind, packed or not") {
  constexpr index rows = 8 * size<double>::rows, columns = 8 * size<double>::columns;
  CHECK(wrong(plain_product<double>(size<double>::m + 3, columns + 1, 258)) == 0);
  CHECK(wrong(plain_product<double>(rows, size<double>::n + 9, 258)) == 0);
  CHECK(wrong(plain_product<double>(19, columns + 3, 258, {1, 19}, {1, 260}, columns + 8)) == 0);
  CHECK(wrong(plain_product<double>(19, 21, 258, {600, 2}, {45, 2}, 21)) == 0);
}

template <class T>
int wrong_of_threads(plain_product<T> p, index blocks) {
  const detail::parallel_runner_scope scope(&backwards);
  const auto with = p.operands();
  blocks_shared = 0;
  detail::multiply_in_blocks(with, jig::tile_epilogue{});
  int count = p.wrong() + (blocks_shared != blocks);
  // As products do of which b is too much to be packed at once.
  for (T& x : p.c) x = p.untouched;
  detail::multiply_in_blocks(with, jig::tile_epilogue{}, p.m >= p.n);
  return count + p.wrong();
}

TEST_CASE("threads share blocks of rows or columns, and what is packed once for all rows") {
  constexpr index lines = detail::shared_lines, k = size<float>::k, n = size<float>::n;
  // b in four blocks, in one, packed by each of two blocks of rows, turned, and not packed; columns in blocks.
  CHECK(wrong_of_threads(plain_product<float>(5 * lines + 3, n + 9, k + 3), 4 + 6) == 0);
  CHECK(wrong_of_threads(plain_product<float>(4 * lines, 257, k), 1 + 4) == 0);
  CHECK(wrong_of_threads(plain_product<float>(4 * lines - 1, 257, k), 4) == 0);
  CHECK(wrong_of_threads(plain_product<float>(4 * lines, 9, 7, {7, 1}, {1, 8}, 9), 1 + 4) == 0);
  CHECK(wrong_of_threads(plain_product<float>(4 * lines, 40, 30), 4) == 0);
  CHECK(wrong_of_threads(plain_product<float>(lines, 2 * lines + 5, 300), 2) == 0);
  CHECK(wrong_of_threads(plain_product<double>(2 * lines + 1, 33, 2 * size<double>::k + 1, {1, 2 * lines + 1}, {1, 600}, 40), 2) == 0);
}

// The elements of the rectangles that an epilogue is told of, each counted once, and the widest of them.
struct told {
  index rows, columns, widest = 0;
  std::vector<int> times = std::vector<int>(static_cast<std::size_t>(rows * columns));
  static void rectangle(const void* to, index row, index m, index column, index n) {
    told& all = **static_cast<told* const*>(to);
    all.widest = std::max(all.widest, n);
    for (index i = row; i < row + m; ++i)
      for (index j = column; j < column + n; ++j) ++all.times[static_cast<std::size_t>(i * all.columns + j)];
  }
};

TEST_CASE("an epilogue may ask for rectangles of whole rows") {
  constexpr index columns = size<float>::columns;
  struct extents {
    index m, n, k, widest;
  };
  // Not packed, with b packed in one and in several blocks of columns, with more than one block along k, and rows in several blocks.
  for (const auto& [m, n, k, widest] : {extents{5, columns + 3, 7, columns + 3}, extents{8 * size<float>::rows + 1, 300, 300, 300},
                                        extents{70, size<float>::n + 9, 258, size<float>::n}, extents{1200, 100, 3, 100}})
    for (const bool whole_rows : {false, true}) {
      CAPTURE(n);
      plain_product<float> p(m, n, k);
      told all{m, n};
      auto* to = &all;
      const auto with = p.operands();
      detail::multiply_blocked(with, {.run = &told::rectangle, .context = &to, .whole_rows = whole_rows}, detail::memory_of_threads);
      CHECK(p.wrong() == 0);
      CHECK(std::count(all.times.begin(), all.times.end(), 1) == m * n);
      CHECK(all.widest == (whole_rows ? widest : columns));
    }
}

}  // namespace

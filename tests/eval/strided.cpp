// SPDX-License-Identifier: MIT
#include <jig/eval/strided.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <utility>
#include <vector>

using namespace jig::detail;

namespace {

// Adds one leaf to the root, place by place.
void add(const void* const* leaf, void* const* root, jig::index n) {
  for (jig::index i = 0; i < n; ++i) static_cast<int*>(root[0])[i] += static_cast<const int*>(leaf[0])[i];
}
// Adds a run of the leaf to one element of the root.
void total(const void* const* leaf, void* const* root, void* const*, jig::index n, reduction_part part) {
  auto* to = static_cast<int*>(root[0]);
  if (part.first) *to = 0;
  for (jig::index i = 0; i < n; ++i) *to += static_cast<const int*>(leaf[0])[i];
  if (part.last) *to += 1000 * static_cast<int>(part.count);
}
// Adds rows of the leaf to the root, place by place.
void add_rows(const void* const* leaf, const jig::index* stride, void* const* root, void* const*, jig::index n, jig::index rows,
              reduction_part part) {
  for (jig::index i = 0; i < n; ++i) {
    auto* to = static_cast<int*>(root[0]) + i;
    if (part.first) *to = 0;
    for (jig::index row = 0; row < rows; ++row) *to += reinterpret_cast<const int*>(static_cast<const char*>(leaf[0]) + row * stride[0])[i];
    if (part.last) *to += 1000 * static_cast<int>(part.count);
  }
}

struct space_of_one_leaf {
  strided_operand operands[2];
  const void* leaf[1];
  jig::index row_stride[1];
  void* root[1];
  std::vector<char> scratch = std::vector<char>(16 * 8);
  strided_space space;

  space_of_one_leaf(const int* from, const jig::shape& strides, int* to, const jig::shape& extents, const jig::shape& to_strides) {
    space.rank = extents.rank;
    space.leaves = space.roots = 1;
    space.operands = operands;
    space.leaf = leaf;
    space.row_stride = row_stride;
    space.root = root;
    space.scratch = scratch.data();
    space.block_length = 16;
    operands[0].data = reinterpret_cast<char*>(const_cast<int*>(from));
    operands[1].data = reinterpret_cast<char*>(to);
    for (int a = 0; a < extents.rank; ++a) {
      space.extents[a] = extents[a];
      operands[0].strides[a] = strides[a] * 4;
      operands[1].strides[a] = to_strides[a] * 4;
    }
    operands[0].bytes = operands[1].bytes = 4;
    operands[0].copies = jig::detail::copies_of(4);
  }
};

}  // namespace

TEST_CASE("every element of a strided leaf meets its place, in short and in long rows") {
  for (jig::index rows : {1, 2, 7, 40})
    for (jig::index columns : {1, 3, 15, 16, 17, 64, 70, 255, 256, 257}) {
      std::vector<int> from(static_cast<std::size_t>(rows * columns));
      std::iota(from.begin(), from.end(), 1);
      for (jig::shape strides : {jig::shape{2, {columns, 1}}, jig::shape{2, {1, rows}}, jig::shape{2, {0, 1}}, jig::shape{2, {1, 0}}}) {
        std::vector<int> to(from.size());
        space_of_one_leaf s(from.data(), strides, to.data(), {2, {rows, columns}}, {2, {columns, 1}});
        run_over(s.space, &add);
        bool same = true;
        for (jig::index i = 0; i < rows; ++i)
          for (jig::index j = 0; j < columns; ++j)
            same = same && to[static_cast<std::size_t>(i * columns + j)] == from[static_cast<std::size_t>(i * strides[0] + j * strides[1])];
        CHECK(same);
      }
    }
}

TEST_CASE("blocks are whole periods of what repeats, where there is room for one") {
  const auto blocks = [](const jig::shape& extents, const jig::shape& strides) {
    int memory[2] = {};
    space_of_one_leaf s(memory, strides, memory + 1, extents, jig::detail::row_major_strides(extents));
    const jig::index period = period_of_blocks(s.space);
    CHECK(length_of_blocks(s.space, period) % period == 0);
    return std::pair(period, length_of_blocks(s.space, period));
  };
  CHECK(blocks({2, {9, 3}}, {2, {0, 1}}) == std::pair<jig::index, jig::index>(3, 15));
  CHECK(blocks({2, {9, 4}}, {2, {0, 1}}) == std::pair<jig::index, jig::index>(4, 16));
  CHECK(blocks({3, {9, 4, 4}}, {3, {0, 1, 0}}) == std::pair<jig::index, jig::index>(16, 16));
  CHECK(blocks({3, {9, 4, 5}}, {3, {0, 1, 0}}) == std::pair<jig::index, jig::index>(5, 15));
  CHECK(blocks({2, {9, 9}}, {2, {1, 0}}) == std::pair<jig::index, jig::index>(9, 9));
  CHECK(blocks({2, {9, 17}}, {2, {0, 1}}) == std::pair<jig::index, jig::index>(1, 16));
  CHECK(blocks({2, {9, 16}}, {2, {16, 1}}) == std::pair<jig::index, jig::index>(16, 16));
}

TEST_CASE("leaves that repeat in blocks, beside others that do not") {
  int wrong = 0;
  for (jig::index a : {0, 1, 2, 5, 9})
    for (jig::index b : {0, 1, 2, 3, 4})
      for (jig::index c : {0, 2, 3, 4, 5}) {
        const jig::shape extents{3, {a, b, c}};
        std::vector<int> from(static_cast<std::size_t>(a * b * c)), to(from.size());
        std::iota(from.begin(), from.end(), 1);
        // What one leaf adds another one adds too, at other strides.
        strided_operand operands[4];
        const jig::shape strides[4] = {{3, {0, 0, 1}}, {3, {0, 1, 0}}, {3, {1, 0, 0}}, {3, {b * c, c, 1}}};
        const void* leaf[3];
        jig::index row_stride[3];
        void* root[1];
        std::vector<char> scratch(3 * 16 * 8);
        strided_space s;
        s.rank = 3;
        s.leaves = 3;
        s.roots = 1;
        s.operands = operands;
        s.leaf = leaf;
        s.row_stride = row_stride;
        s.root = root;
        s.scratch = scratch.data();
        s.block_length = 16;
        for (int k = 0; k < 4; ++k) {
          operands[k].data = reinterpret_cast<char*>(k == 3 ? to.data() : from.data());
          operands[k].bytes = 4;
          operands[k].copies = jig::detail::copies_of(4);
          for (int x = 0; x < 3; ++x) operands[k].strides[x] = strides[k][x] * 4;
        }
        for (int x = 0; x < 3; ++x) s.extents[x] = extents[x];
        run_over(s, [](const void* const* leaves, void* const* roots, jig::index n) {
          for (jig::index i = 0; i < n; ++i)
            static_cast<int*>(roots[0])[i] = static_cast<const int*>(leaves[0])[i] + 100 * static_cast<const int*>(leaves[1])[i] +
                                             10000 * static_cast<const int*>(leaves[2])[i];
        });
        for (jig::index i = 0; i < a; ++i)
          for (jig::index j = 0; j < b; ++j)
            for (jig::index k = 0; k < c; ++k)
              wrong += to[static_cast<std::size_t>((i * b + j) * c + k)] != static_cast<int>(k + 1 + 100 * (j + 1) + 10000 * (i + 1));
      }
  CHECK(wrong == 0);
}

TEST_CASE("roots that are contiguous along the last axis only") {
  for (jig::index columns : {1, 3, 70}) {
    std::vector<int> from(static_cast<std::size_t>(4 * columns)), to(static_cast<std::size_t>(12 * columns));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i) + 1;
    space_of_one_leaf s(from.data(), {2, {1, 4}}, to.data(), {2, {4, columns}}, {2, {3 * columns, 1}});
    s.space.dense_roots = false;
    run_over(s.space, &add);
    for (jig::index r = 0; r < 4; ++r)
      for (jig::index c = 0; c < 3 * columns; ++c)
        CHECK(to[static_cast<std::size_t>(r * 3 * columns + c)] == (c < columns ? static_cast<int>(r + 4 * c) + 1 : 0));
  }
}

TEST_CASE("reductions along inner and outer axes") {
  std::vector<int> from(2 * 3 * 5);
  std::iota(from.begin(), from.end(), 1);
  // Rows two at a time, and as short ones all of them.
  const auto check = [&](unsigned reduced, jig::index most_rows) {
    jig::index extents[3] = {2, 3, 5}, strides[3] = {}, kept = 1;
    for (int a = 3; a-- > 0;)
      if ((reduced >> a & 1) == 0) {
        strides[a] = kept;
        kept *= extents[a];
      }
    const int count = static_cast<int>(30 / kept);
    std::vector<int> to(static_cast<std::size_t>(kept), -1), expected(static_cast<std::size_t>(kept), 1000 * count);
    space_of_one_leaf s(from.data(), {3, {15, 5, 1}}, to.data(), {3, {2, 3, 5}}, {3, {strides[0], strides[1], strides[2]}});
    for (int a = 0; a < 3; ++a) s.space.reduced[a] = (reduced >> a & 1) != 0;
    if ((reduced & 4) != 0) reduce_over(s.space, {2, &total, nullptr, 0, 0}, nullptr);
    else reduce_over(s.space, {2, nullptr, &add_rows, 2, most_rows}, nullptr);
    for (jig::index i = 0; i < 2; ++i)
      for (jig::index j = 0; j < 3; ++j)
        for (jig::index k = 0; k < 5; ++k)
          expected[static_cast<std::size_t>(i * strides[0] + j * strides[1] + k * strides[2])] +=
              from[static_cast<std::size_t>(i * 15 + j * 5 + k)];
    CHECK(to == expected);
  };
  for (unsigned reduced = 0; reduced < 8; ++reduced)
    for (jig::index most_rows : {0, 2, 100}) check(reduced, most_rows);
}

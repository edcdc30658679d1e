// SPDX-License-Identifier: MIT
#include <jig/eval/strided.hpp>

#include <doctest/doctest.h>

#include <numeric>
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
  }
};

}  // namespace

TEST_CASE("every element of a strided leaf meets its place, in short and in long rows") {
  for (jig::index rows : {1, 2, 7, 40})
    for (jig::index columns : {1, 3, 15, 16, 17, 64, 70}) {
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
  for (unsigned reduced = 0; reduced < 8; ++reduced) {
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
    if ((reduced & 4) != 0) reduce_over(s.space, {2, &total, nullptr, 0}, nullptr);
    else reduce_over(s.space, {2, nullptr, &add_rows, 2}, nullptr);
    for (jig::index i = 0; i < 2; ++i)
      for (jig::index j = 0; j < 3; ++j)
        for (jig::index k = 0; k < 5; ++k)
          expected[static_cast<std::size_t>(i * strides[0] + j * strides[1] + k * strides[2])] +=
              from[static_cast<std::size_t>(i * 15 + j * 5 + k)];
    CHECK(to == expected);
  }
}

// SPDX-License-Identifier: MIT
#pragma once
// Spaces whose operands move along every axis by strides of their own. Axes are joined where all operands allow it.

#include <jig/core/shape.hpp>

namespace jig::detail {

/// Copies of elements of one size that lie apart, see gather_block.hpp. Operands name theirs, so that programs are compiled with those of
/// their own sizes only.
struct element_copies {
  void (*run)(char* to, const char* from, index stride, index n);
  void (*rows)(char* to, const char* from, index stride, index length, index row_stride, index rows);
};

/// How an operand moves along the axes of a space.
/// Units: bytes.
struct strided_operand {
  char* data = nullptr;
  index strides[max_rank] = {};
  index bytes = 1;                         // of one element
  bool moves = true;                       // false: one element, the same everywhere
  const element_copies* copies = nullptr;  // of what is read
};

/// Rows of fewer elements cost more to begin than to copy, where a compiled loop runs them.
inline constexpr index short_row = 256;

/// A space with all operands of a step, leaves first. The arrays belong to the caller.
struct strided_space {
  int rank = 0;
  index extents[max_rank] = {};
  bool reduced[max_rank] = {};
  int leaves = 0, roots = 0;
  strided_operand* operands = nullptr;
  const void** leaf = nullptr;  // pointers of one run
  index* row_stride = nullptr;  // of the leaves, where rows are run together
  void** root = nullptr;
  char* scratch = nullptr;         // block_length elements of 8 bytes for each leaf
  bool dense_roots = true;         // else their elements are contiguous along the last axis only
  index shortest_row = short_row;  // where roots are dense, rows of fewer elements are run together in blocks
  index block_length = 0;          // 0: elements cannot be copied, runs have length 1 where a leaf is not contiguous

  int count() const { return leaves + roots; }
  int inner() const { return rank - 1; }
  index size() const {
    index n = 1;
    for (int a = 0; a < rank; ++a) n *= extents[a];
    return n;
  }
  bool dense(const strided_operand& o) const {
    index expected = o.bytes;
    for (int a = rank; a-- > 0; expected *= extents[a])
      if (o.strides[a] != expected) return false;
    return true;
  }
};

// Whether every operand runs through axes `outer` and `inner` as through one.
inline bool axes_join(const strided_space& s, int outer, int inner) {
  if (s.reduced[outer] != s.reduced[inner]) return false;
  for (int k = 0; k < s.count(); ++k)
    if (s.operands[k].strides[outer] != s.operands[k].strides[inner] * s.extents[inner]) return false;
  return true;
}

inline void keep_axis(strided_space& s, int from, int to) {
  s.extents[to] = s.extents[from];
  s.reduced[to] = s.reduced[from];
  for (int k = 0; k < s.count(); ++k) s.operands[k].strides[to] = s.operands[k].strides[from];
}

/// Leaves out axes with one element but for axis `needed`, and joins the others where that changes nothing; at least one
/// axis remains.
inline void join_axes(strided_space& s, int needed = -1) {
  int kept = 0;
  for (int a = 0; a < s.rank; ++a) {
    if (s.extents[a] == 1 && a != needed) continue;
    index joined = 1;
    if (kept > 0 && axes_join(s, kept - 1, a)) joined = s.extents[--kept];
    keep_axis(s, a, kept);
    s.extents[kept++] *= joined;
  }
  s.rank = kept;
  if (kept == 0) {
    s.rank = 1;
    s.extents[0] = 1;
    s.reduced[0] = false;
  }
  // One element is a run of memory, however far the next one would be.
  if (s.extents[s.inner()] == 1)
    for (int k = 0; k < s.count(); ++k) s.operands[k].strides[s.inner()] = s.operands[k].bytes;
}

/// Whether an operand runs through its space, from an axis on, as through one axis.
inline bool contiguous_from(const strided_operand& o, const shape& space, int axis) {
  index expected = o.bytes;
  for (int a = space.rank; a-- > axis; expected *= space[a])
    if (space[a] != 1 && o.strides[a] != expected) return false;
  return true;
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Iteration over shapes that are not one contiguous run: broadcast, strided and transposed operands. Axes are joined
// where all operands allow it, then runs are handed to the same loops that contiguous memory gets; operands that do not
// advance by one are first copied into scratch memory, a block at a time. Nothing here depends on the step.

#include <jig/core/shape.hpp>

#include <cstring>

namespace jig::detail {

/// A loop over n contiguous elements of all leaves and roots of a step.
using run_function = void (*)(const void* const* leaf, void* const* root, index n);

/// How an operand moves along the axes of a space. Units: bytes.
struct run_operand {
  char* data = nullptr;
  index strides[max_rank] = {};
  index bytes = 1;      // of one element
  bool moves = true;    // false: one element, the same everywhere
};

/// A space with all operands of a step, leaves first. The arrays belong to the caller.
struct run_space {
  int rank = 0;
  index extents[max_rank] = {};
  bool reduced[max_rank] = {};
  int leaves = 0, roots = 0;
  run_operand* operands = nullptr;
  const void** leaf = nullptr;  // pointers of one run
  void** root = nullptr;
  char* scratch = nullptr;      // block_length elements of 8 bytes for each leaf
  index block_length = 0;       // 0: elements cannot be copied, runs have length 1 where a leaf is not contiguous

  int count() const { return leaves + roots; }
  int inner() const { return rank - 1; }
  index size() const {
    index n = 1;
    for (int a = 0; a < rank; ++a) n *= extents[a];
    return n;
  }
  bool dense(const run_operand& o) const {
    index expected = o.bytes;
    for (int a = rank; a-- > 0; expected *= extents[a])
      if (o.strides[a] != expected) return false;
    return true;
  }
};

// Whether every operand runs through axes `outer` and `inner` as through one.
inline bool axes_join(const run_space& s, int outer, int inner) {
  if (s.reduced[outer] != s.reduced[inner]) return false;
  for (int k = 0; k < s.count(); ++k)
    if (s.operands[k].strides[outer] != s.operands[k].strides[inner] * s.extents[inner]) return false;
  return true;
}

inline void keep_axis(run_space& s, int from, int to) {
  s.extents[to] = s.extents[from];
  s.reduced[to] = s.reduced[from];
  for (int k = 0; k < s.count(); ++k) s.operands[k].strides[to] = s.operands[k].strides[from];
}

/// Leaves out axes with one element and joins the others where that changes nothing; at least one axis remains.
inline void join_axes(run_space& s) {
  int kept = 0;
  for (int a = 0; a < s.rank; ++a) {
    if (s.extents[a] == 1) continue;
    index joined = 1;
    if (kept > 0 && axes_join(s, kept - 1, a)) joined = s.extents[--kept];
    keep_axis(s, a, kept);
    s.extents[kept++] *= joined;
  }
  s.rank = kept;
  if (kept > 0) return;
  s.rank = 1;
  s.extents[0] = 1;
  s.reduced[0] = false;
  for (int k = 0; k < s.count(); ++k) s.operands[k].strides[0] = s.operands[k].bytes;
}

template <std::size_t Bytes>
void gather_elements(char* to, const char* from, index stride, index n) {
  for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(Bytes), from + i * stride, Bytes);
}

template <class Word>
void fill_elements(char* to, const char* from, index n) {
  Word w;
  std::memcpy(&w, from, sizeof(w));
  for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(sizeof(w)), &w, sizeof(w));
}

// n elements that lie `stride` bytes apart.
inline void gather_run(char* to, const char* from, index bytes, index stride, index n) {
  if (stride == bytes) std::memcpy(to, from, static_cast<std::size_t>(n * bytes));
  else if (stride == 0 && bytes == 4) fill_elements<std::uint32_t>(to, from, n);
  else if (stride == 0 && bytes == 8) fill_elements<std::uint64_t>(to, from, n);
  else if (bytes == 4) gather_elements<4>(to, from, stride, n);
  else if (bytes == 8) gather_elements<8>(to, from, stride, n);
  else if (bytes == 2) gather_elements<2>(to, from, stride, n);
  else gather_elements<1>(to, from, stride, n);
}

// Elements `first` to `first + n` of an operand in row-major order.
inline void gather_block(char* to, const run_space& s, const run_operand& o, index first, index n) {
  index at[max_rank] = {};
  const char* from = o.data;
  for (int a = s.rank; a-- > 0; first /= s.extents[a]) {
    at[a] = first % s.extents[a];
    from += at[a] * o.strides[a];
  }
  const int inner = s.inner();
  while (n > 0) {
    index run = s.extents[inner] - at[inner];
    if (run > n) run = n;
    gather_run(to, from, o.bytes, o.strides[inner], run);
    to += run * o.bytes;
    n -= run;
    at[inner] += run;
    from += run * o.strides[inner];
    for (int a = inner; a > 0 && at[a] == s.extents[a]; --a) {
      from += o.strides[a - 1] - s.extents[a] * o.strides[a];
      at[a] = 0;
      ++at[a - 1];
    }
  }
}

// One run along the innermost axis from where the operands' data point, in blocks where a leaf has to be gathered.
inline void run_row(const run_space& s, run_function run) {
  const int inner = s.inner();
  const index n = s.extents[inner];
  bool direct = true;
  for (int k = 0; k < s.leaves; ++k) direct = direct && (!s.operands[k].moves || s.operands[k].strides[inner] == s.operands[k].bytes);
  index block = direct ? n : s.block_length == 0 ? 1 : s.block_length;
  for (index first = 0; first < n; first += block) {
    index length = n - first < block ? n - first : block;
    for (int k = 0; k < s.count(); ++k) {
      const run_operand& o = s.operands[k];
      char* from = o.data + (o.moves ? first * o.strides[inner] : 0);
      if (k >= s.leaves) {
        s.root[k - s.leaves] = from;
        continue;
      }
      bool gather = o.moves && o.strides[inner] != o.bytes && s.block_length != 0;
      char* memory = s.scratch + k * s.block_length * 8;
      if (gather) gather_run(memory, from, o.bytes, o.strides[inner], length);
      s.leaf[k] = gather ? memory : from;
    }
    run(s.leaf, s.root, length);
  }
}

/// Calls run for every run along the innermost axis, in row-major order. Moves the operands' data.
inline void for_each_row(run_space& s, run_function run) {
  if (s.size() == 0) return;
  index at[max_rank] = {};
  while (true) {
    run_row(s, run);
    int a = s.inner() - 1;
    for (; a >= 0; --a) {
      bool carry = ++at[a] == s.extents[a];
      if (carry) at[a] = 0;
      index by = carry ? 1 - s.extents[a] : 1;
      for (int k = 0; k < s.count(); ++k)
        if (s.operands[k].moves) s.operands[k].data += by * s.operands[k].strides[a];
      if (!carry) break;
    }
    if (a < 0) return;
  }
}

/// Calls run for blocks in row-major order, for roots that are contiguous: better than rows when rows are short.
inline void for_each_block(const run_space& s, run_function run) {
  const index n = s.size();
  for (index first = 0; first < n; first += s.block_length) {
    index length = n - first < s.block_length ? n - first : s.block_length;
    for (int k = 0; k < s.count(); ++k) {
      const run_operand& o = s.operands[k];
      char* from = o.data + (o.moves ? first * o.bytes : 0);
      if (k >= s.leaves) {
        s.root[k - s.leaves] = from;
        continue;
      }
      bool gather = o.moves && !s.dense(o);
      char* memory = s.scratch + k * s.block_length * 8;
      if (gather) gather_block(memory, s, o, first, length);
      s.leaf[k] = gather ? memory : from;
    }
    run(s.leaf, s.root, length);
  }
}

/// Rows of fewer elements than this are run together in blocks.
inline constexpr index short_row = 64;

/// Runs a loop over a space whose roots are contiguous.
inline void run_over(run_space& s, run_function run) {
  join_axes(s);
  bool by_rows = s.block_length == 0 || s.rank == 1 || s.extents[s.inner()] >= short_row;
  if (by_rows) for_each_row(s, run);
  else for_each_block(s, run);
}

/// Runs a reduction over a space: `reduce` along runs of a reduced axis, `accumulate` along runs of a kept one.
inline void reduce_over(run_space& s, run_function reduce, run_function accumulate) {
  join_axes(s);
  // A root does not move along a reduced axis; without any axis left there is one element to combine.
  for (int k = s.leaves; k < s.count(); ++k)
    if (s.extents[s.inner()] == 1) s.operands[k].strides[s.inner()] = 0;
  bool along_reduced = s.reduced[s.inner()] || s.extents[s.inner()] == 1;
  for_each_row(s, along_reduced ? reduce : accumulate);
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Iteration over shapes that are not one contiguous run: broadcast, strided and transposed operands. Runs are handed to the same loops
// that contiguous memory gets; operands that do not advance by one are first copied into scratch memory, a block at a time. Nothing here
// depends on the step.

#include <jig/eval/gather_block.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/workspace.hpp>

#include <algorithm>
#include <numeric>

namespace jig::detail {

// Whether every leaf advances by one along the innermost axis, or not at all anywhere.
inline bool leaves_are_contiguous(const strided_space& s) {
  bool all = true;
  for (int k = 0; k < s.leaves; ++k) all = all && (!s.operands[k].moves || s.operands[k].strides[s.inner()] == s.operands[k].bytes);
  return all;
}

// How many elements along the innermost axis one run has, where leaves that are not contiguous are gathered.
inline index run_length(const strided_space& s) {
  return leaves_are_contiguous(s) ? s.extents[s.inner()] : s.block_length == 0 ? 1 : s.block_length;
}

// The pointers of a run of n elements along the innermost axis, `offset` elements behind where the operands' data point. What is the same
// all along the axis is there from a run before that was as long, where `repeated` says so.
inline void set_pointers(const strided_space& s, index offset, index n, bool repeated = false) {
  const int inner = s.inner();
  for (int k = 0; k < s.count(); ++k) {
    const strided_operand& o = s.operands[k];
    char* from = o.data + (o.moves ? offset * o.strides[inner] : 0);
    if (k >= s.leaves) {
      s.root[k - s.leaves] = from;
      continue;
    }
    bool gather = o.moves && o.strides[inner] != o.bytes && s.block_length != 0;
    char* memory = s.scratch + k * s.block_length * 8;
    if (gather && !(repeated && o.strides[inner] == 0)) o.copies->run(memory, from, o.strides[inner], n);
    s.leaf[k] = gather ? memory : from;
  }
}

inline void shift(strided_space& s, int axis, index by) {
  for (int k = 0; k < s.count(); ++k)
    if (s.operands[k].moves) s.operands[k].data += by * s.operands[k].strides[axis];
}

// Moves the operands to the next place along some axes, the last of them first. Behind the last place they are at the first
// one again.
inline bool next_place(strided_space& s, index* at, const int* axes, int count) {
  while (count-- > 0) {
    const int a = axes[count];
    bool carry = ++at[a] == s.extents[a];
    if (carry) at[a] = 0;
    shift(s, a, carry ? 1 - s.extents[a] : 1);
    if (!carry) return true;
  }
  return false;
}

inline constexpr int all_axes[] = {0, 1, 2, 3, 4, 5, 6, 7};
static_assert(max_rank <= 8);

/// Calls run for every run along the innermost axis, in row-major order. Moves the operands' data.
template <class Run>
void for_each_row(strided_space& s, const Run& run) {
  if (s.size() == 0) return;
  index at[max_rank] = {};
  const index n = s.extents[s.inner()], block = run_length(s);
  do {
    for (index first = 0; first < n; first += block) {
      const index length = n - first < block ? n - first : block;
      set_pointers(s, first, length, first > 0);
      run(s.leaf, s.root, length);
    }
  } while (next_place(s, at, all_axes, s.inner()));
}

// The longest period of a leaf that a block has room for, in whole rows. Shorter ones divide it: they are of fewer axes.
inline index period_of_blocks(const strided_space& s) {
  index longest = s.extents[s.inner()];
  if (longest > s.block_length) return 1;
  for (int k = 0; k < s.leaves; ++k) {
    const index period = s.operands[k].moves ? period_of(s, s.operands[k]) : 1;
    if (period > longest && period <= s.block_length) longest = period;
  }
  return longest;
}
// A block of some periods: where it has room for them, so many that all blocks begin where registers of up to 16 lanes do.
inline index length_of_blocks(const strided_space& s, index period) {
  constexpr index lanes = 16;
  const index aligned = std::lcm(period, lanes);
  return aligned <= s.block_length ? s.block_length / aligned * aligned : s.block_length / period * period;
}

/// Calls run for blocks in row-major order, for roots that are contiguous: better than rows when rows are short.
template <class Run>
void for_each_block(const strided_space& s, const Run& run) {
  const index n = s.size();
  if (n == 0) return;
  const bool one_block = n <= s.block_length;
  const index period = one_block ? n : period_of_blocks(s), block = one_block ? n : length_of_blocks(s, period);
  for (index first = 0; first < n; first += block) {
    index length = n - first < block ? n - first : block;
    for (int k = 0; k < s.count(); ++k) {
      const strided_operand& o = s.operands[k];
      char* from = o.data + (o.moves ? first * o.bytes : 0);
      if (k >= s.leaves) {
        s.root[k - s.leaves] = from;
        continue;
      }
      bool gather = o.moves && !s.dense(o);
      char* memory = s.scratch + k * s.block_length * 8;
      // What repeats in every block is there from the first one on.
      if (gather && (first == 0 || period_of(s, o) > period)) gather_block(memory, s, o, first, length);
      s.leaf[k] = gather ? memory : from;
    }
    run(s.leaf, s.root, length);
  }
}

/// Part of a space along one axis, with arrays of its own.
class space_part {
  workspace memory_;

  static std::size_t scratch_bytes(const strided_space& s) { return static_cast<std::size_t>(s.leaves * s.block_length) * 8; }
  static std::size_t operand_bytes(const strided_space& s) {
    return aligned_size(static_cast<std::size_t>(s.count()) * sizeof(strided_operand));
  }
  static std::size_t pointer_bytes(const strided_space& s) { return aligned_size(static_cast<std::size_t>(s.count()) * sizeof(void*)); }

 public:
  strided_space space;

  space_part(const strided_space& s, int axis, index first, index length)
      : memory_(*current_threads->memory, scratch_bytes(s) + operand_bytes(s) + 3 * pointer_bytes(s)), space(s) {
    char* at = memory_.data();
    space.scratch = at;
    space.operands = reinterpret_cast<strided_operand*>(at += scratch_bytes(s));
    space.leaf = reinterpret_cast<const void**>(at += operand_bytes(s));
    space.root = reinterpret_cast<void**>(at += pointer_bytes(s));
    space.row_stride = reinterpret_cast<index*>(at + pointer_bytes(s));
    for (int k = 0; k < s.count(); ++k) space.operands[k] = s.operands[k];
    shift(space, axis, first);
    space.extents[axis] = length;
  }
};

/// Calls f for parts of a space along an axis, which threads may share, with so many places on it at least.
template <class F>
[[gnu::cold]] void share_axis(const strided_space& s, int axis, index least, F f) {
  const index others = s.size() / s.extents[axis];
  parallel_for(s.extents[axis], (std::max)(shared_length / others, least), [&](index first, index length) {
    space_part part(s, axis, first, length);
    f(part.space);
  });
}

template <class Run>
void run_joined_space(strided_space& s, const Run& run) {
  bool by_rows = s.block_length == 0 || !s.dense_roots || s.rank == 1 || s.extents[s.inner()] >= s.shortest_row;
  if (by_rows) for_each_row(s, run);
  else for_each_block(s, run);
}

/// Runs a loop over a space.
template <class Run>
void run_over(strided_space& s, const Run& run) {
  join_axes(s, s.dense_roots ? -1 : s.inner());
  if (s.extents[0] > 1 && is_shared(s.size())) [[unlikely]]
    return share_axis(s, 0, 1, [&](strided_space& part) { run_joined_space(part, run); });
  run_joined_space(s, run);
}

/// Which part of the elements that a root combines a run has, and how many there are in all.
struct reduction_part {
  bool first = true, last = true;
  index count = 0;
};

/// Combines a run with one element of each root. `lost` is what rounding lost, between the parts of one root.
using reduce_function = void (*)(const void* const* leaf, void* const* root, void* const* lost, index n, reduction_part part);

/// Combines rows of a run each, which lie `stride` bytes apart, with as many elements of each root.
using accumulate_function = void (*)(const void* const* leaf, const index* stride, void* const* root, void* const* lost, index n,
                                     index rows, reduction_part part);

/// Combines rows of n contiguous elements, which lie `stride` bytes apart, each with an element of its own of each root; those follow one
/// another. Returns how many rows that are: what is left goes one by one.
using rows_function = index (*)(const void* const* leaf, const index* stride, void* const* root, index n, index rows);

/// Elements of each root that `lost` has room for.
inline constexpr index most_lost = 512;

/// How a reduction runs: `reduce` where its last axis is reduced, `accumulate` where that is kept, the other is null. Axes that
/// always have one element do not count.
struct reduction_functions {
  int last_axis;  // -1: there is none
  reduce_function reduce;
  accumulate_function accumulate;
  index rows, most_rows;           // so many are accumulated at once, and of short rows as many as that
  rows_function totals = nullptr;  // where there is one, `reduce` gets the rows that this leaves
};

// How a leaf moves from row to row along an axis.
inline void set_row_strides(const strided_space& s, int axis) {
  for (int k = 0; k < s.leaves; ++k) s.row_stride[k] = s.operands[k].moves ? s.operands[k].strides[axis] : 0;
}

// Rows along an axis that is kept, each of which is all that its roots combine: those that come together, and then the others.
inline void reduce_rows(strided_space& s, const reduction_functions& f, void* const* lost, int axis) {
  const index n = s.extents[s.inner()], rows = s.extents[axis];
  set_row_strides(s, axis);
  set_pointers(s, 0, n);
  const index together = f.totals(s.leaf, s.row_stride, s.root, n, rows);
  shift(s, axis, together);
  for (index row = together; row < rows; ++row) {
    set_pointers(s, 0, n);
    f.reduce(s.leaf, s.root, lost, n, {true, true, n});
    shift(s, axis, 1);
  }
  shift(s, axis, -rows);
}

// Reduces a space whose axes are joined. Each root combines `count` elements.
inline void reduce_joined(strided_space& s, const reduction_functions& f, void* const* lost, index count) {
  const int inner = s.inner();
  int kept[max_rank], reduced[max_rank], kept_count = 0, reduced_count = 0;
  for (int a = 0; a < inner; ++a) (s.reduced[a] ? reduced[reduced_count++] : kept[kept_count++]) = a;
  index at[max_rank] = {};
  auto at_last = [&](int axes) {
    bool last = true;
    for (int j = 0; j < axes; ++j) last = last && at[reduced[j]] == s.extents[reduced[j]] - 1;
    return last;
  };
  const index n = s.extents[inner];
  index run = run_length(s);
  if (f.reduce != nullptr) {
    if (f.totals != nullptr && reduced_count == 0 && kept_count > 0 && leaves_are_contiguous(s)) {
      const int axis = kept[--kept_count];
      do {
        reduce_rows(s, f, lost, axis);
      } while (next_place(s, at, kept, kept_count));
      return;
    }
    do {
      bool first = true, more = true;
      while (more) {
        const bool last = at_last(reduced_count);
        for (index i = 0; i < n; i += run) {
          const index length = n - i < run ? n - i : run;
          set_pointers(s, i, length, i > 0);
          f.reduce(s.leaf, s.root, lost, length, {first, last && i + length == n, count});
          first = false;
        }
        more = next_place(s, at, reduced, reduced_count);
      }
    } while (next_place(s, at, kept, kept_count));
    return;
  }
  // Rows lie along the last reduced axis. Where leaves have to be gathered there is one at a time.
  constexpr index fewest_elements = 1024;
  index rows = 1, block = leaves_are_contiguous(s) ? (std::max)(f.rows, (std::min)(fewest_elements / n, f.most_rows)) : 1;
  int axis = inner;
  if (reduced_count > 0) {
    axis = reduced[--reduced_count];
    rows = s.extents[axis];
  }
  set_row_strides(s, axis);
  if (run > most_lost) run = most_lost;
  do {
    for (index i = 0; i < n; i += run) {
      const index length = n - i < run ? n - i : run;
      bool first = true, more = true;
      while (more) {
        const bool last = at_last(reduced_count);
        for (index row = 0; row < rows; row += block) {
          const index together = rows - row < block ? rows - row : block;
          set_pointers(s, i, length);
          f.accumulate(s.leaf, s.row_stride, s.root, lost, length, together, {first, last && row + together == rows, count});
          first = false;
          shift(s, axis, together);
        }
        shift(s, axis, -rows);
        more = next_place(s, at, reduced, reduced_count);
      }
    }
  } while (next_place(s, at, kept, kept_count));
}

/// Elements of each row of a part, where threads share the accumulation of rows.
inline constexpr index least_columns = 256;

/// Runs a reduction over a space that is not empty: all that a root combines comes before the next root.
inline void reduce_over(strided_space& s, const reduction_functions& f, void* const* lost) {
  index count = 1;
  for (int a = 0; a < s.rank; ++a) count *= s.reduced[a] ? s.extents[a] : 1;
  join_axes(s, f.last_axis);
  int axis = 0;
  while (axis < s.rank && (s.reduced[axis] || s.extents[axis] == 1)) ++axis;
  if (axis == s.rank || !is_shared(s.size())) [[likely]]
    return reduce_joined(s, f, lost, count);
  // Rows that are accumulated one after another are not cut short.
  share_axis(s, axis, axis == s.inner() ? least_columns : 1, [&](strided_space& part) {
    constexpr auto bytes = static_cast<std::size_t>(most_lost) * 8;
    workspace memory(*current_threads->memory, static_cast<std::size_t>(part.roots) * (bytes + sizeof(void*)));
    auto** rest = reinterpret_cast<void**>(memory.data() + static_cast<std::size_t>(part.roots) * bytes);
    for (int r = 0; r < part.roots; ++r) rest[r] = memory.data() + static_cast<std::size_t>(r) * bytes;
    reduce_joined(part, f, rest, count);
  });
}

}  // namespace jig::detail

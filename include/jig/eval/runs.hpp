// SPDX-License-Identifier: MIT
#pragma once
// Iteration over shapes that are not one contiguous run: broadcast, strided and transposed operands. Axes are joined
// where all operands allow it, then runs of the innermost one are handed to the same loops that contiguous memory gets;
// operands that do not advance by one are first copied into scratch memory, a block at a time.

#include <jig/eval/body.hpp>

namespace jig {

/// How all operands of a step move along the axes of its space: leaves first, then roots.
template <class Step>
struct layout {
  static constexpr int operands = Step::leaves + Step::roots;
  int rank = 0;
  index extents[max_rank] = {};
  bool reduced[max_rank] = {};
  index strides[operands][max_rank];

  /// Joins axis a + 1 into axis a where every operand runs through both as through one.
  void join() {
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
      if (extents[a] == 1) continue;
      if (kept > 0 && joins(kept - 1, a)) {
        extents[kept - 1] *= extents[a];
        for (auto& s : strides) s[kept - 1] = s[a];
        continue;
      }
      extents[kept] = extents[a];
      reduced[kept] = reduced[a];
      for (auto& s : strides) s[kept] = s[a];
      ++kept;
    }
    rank = kept;
  }
  bool dense(int operand) const {
    index expected = 1;
    for (int a = rank; a-- > 0; expected *= extents[a])
      if (strides[operand][a] != expected) return false;
    return true;
  }
  index size() const {
    index n = 1;
    for (int a = 0; a < rank; ++a) n *= extents[a];
    return n;
  }

 private:
  bool joins(int outer, int inner) const {
    if (reduced[outer] != reduced[inner]) return false;
    for (const auto& s : strides)
      if (s[outer] != s[inner] * extents[inner]) return false;
    return true;
  }
};

namespace detail {

// Strides of an operand along the axes of a space that it broadcasts to.
inline void broadcast_strides(const located& from, const shape& space, index* strides) {
  int shift = space.rank - from.extents.rank;
  for (int a = 0; a < space.rank; ++a)
    strides[a] = a < shift || from.extents[a - shift] == 1 ? 0 : from.strides[a - shift];
}

template <class Step, int... L>
void locate_leaves(const frame<typename Step::program>& f, const shape& space, layout<Step>& l, pointers<Step>& p,
                   std::integer_sequence<int, L...>) {
  using P = typename Step::program;
  (
      [&] {
        constexpr int v = Step::node(L);
        if constexpr (P::value(v).place == place::immediate) {
          p.leaf[L] = nullptr;
          for (auto& s : l.strides[L]) s = 0;
        } else {
          located where = locate<P, v>(f);
          p.leaf[L] = static_cast<const element_at<P, v>*>(where.data) + where.offset;
          broadcast_strides(where, space, l.strides[L]);
        }
      }(),
      ...);
}

// The elements of a run that an operand does not hold next to each other.
template <class T>
void gather_run(T* to, const T* from, index stride, index n) {
  if (stride == 0)
    for (index i = 0; i < n; ++i) to[i] = *from;
  else
    for (index i = 0; i < n; ++i) to[i] = from[i * stride];
}

// Elements `first` to `first + n` in row-major order of an operand.
template <class T>
void gather_flat(T* to, const T* from, const index* extents, const index* strides, int rank, index first, index n) {
  index at[max_rank] = {};
  index offset = 0;
  for (int a = rank; a-- > 0;) {
    at[a] = first % extents[a];
    offset += at[a] * strides[a];
    first /= extents[a];
  }
  while (n > 0) {
    index run = extents[rank - 1] - at[rank - 1];
    if (run > n) run = n;
    gather_run(to, from + offset, strides[rank - 1], run);
    to += run;
    n -= run;
    at[rank - 1] += run;
    offset += run * strides[rank - 1];
    for (int a = rank - 1; a > 0 && at[a] == extents[a]; --a) {
      offset += strides[a - 1] - extents[a] * strides[a];
      at[a] = 0;
      ++at[a - 1];
    }
  }
}

// How many elements of every leaf fit in scratch memory that may be on the stack.
template <class Step>
inline constexpr index block_length = [] {
  index n = 16384 / (8 * static_cast<index>(Step::leaves == 0 ? 1 : Step::leaves));
  return n < 64 ? index{64} : n > 512 ? index{512} : n;
}();

template <class Step>
struct scratch {
  alignas(alignment) char leaf[Step::leaves == 0 ? 1 : Step::leaves][static_cast<std::size_t>(block_length<Step>) * 8];
};

template <class Step>
inline constexpr bool has_strings = [] {
  for (int e = 0; e < Step::entries; ++e)
    if (Step::program::dtype_at(Step::node(e)) == dtype::string) return true;
  return false;
}();

template <class Step, int L>
using leaf_type = element_at<typename Step::program, Step::node(L)>;

// Calls f<L>() for every leaf that differs from place to place.
template <class Step, class F, int... L>
void for_varying_leaves(F&& f, std::integer_sequence<int, L...>) {
  (
      [&] {
        if constexpr (!Step::table.invariant[L]) f.template operator()<L>();
      }(),
      ...);
}

template <class Step>
using leaf_numbers = std::make_integer_sequence<int, Step::leaves>;

template <class Step, int... K>
void advance(pointers<Step>& p, const layout<Step>& l, int axis, index by, std::integer_sequence<int, K...>) {
  using P = typename Step::program;
  (
      [&] {
        if constexpr (K < Step::leaves) {
          if constexpr (!Step::table.invariant[K])
            p.leaf[K] = static_cast<const leaf_type<Step, K>*>(p.leaf[K]) + l.strides[K][axis] * by;
        } else {
          using T = element_at<P, Step::root(K - Step::leaves)>;
          p.root[K - Step::leaves] = static_cast<T*>(p.root[K - Step::leaves]) + l.strides[K][axis] * by;
        }
      }(),
      ...);
}
template <class Step>
void advance(pointers<Step>& p, const layout<Step>& l, int axis, index by) {
  advance(p, l, axis, by, std::make_integer_sequence<int, layout<Step>::operands>());
}

// One run along the innermost axis, in blocks where a leaf has to be gathered.
template <class Step, class Run>
void run_row(const pointers<Step>& row, const layout<Step>& l, Run& run) {
  const int inner = l.rank - 1;
  const index n = l.extents[inner];
  bool direct = true;
  for_varying_leaves<Step>([&]<int L>() { direct = direct && l.strides[L][inner] == 1; }, leaf_numbers<Step>());
  if (direct) return run(row, n);
  if constexpr (has_strings<Step>) {
    pointers<Step> p = row;
    for (index i = 0; i < n; ++i) {
      run(p, index{1});
      advance<Step>(p, l, inner, 1);
    }
  } else {
    scratch<Step> memory;
    pointers<Step> p = row;
    for (index first = 0; first < n; first += block_length<Step>) {
      index length = n - first < block_length<Step> ? n - first : block_length<Step>;
      pointers<Step> block = p;
      for_varying_leaves<Step>(
          [&]<int L>() {
            using T = leaf_type<Step, L>;
            if (l.strides[L][inner] == 1) return;
            auto* to = reinterpret_cast<T*>(memory.leaf[L]);
            gather_run(to, static_cast<const T*>(p.leaf[L]), l.strides[L][inner], length);
            block.leaf[L] = to;
          },
          leaf_numbers<Step>());
      run(block, length);
      advance<Step>(p, l, inner, length);
    }
  }
}

}  // namespace detail

/// Calls run(pointers, n) for every run along the innermost axis, in row-major order.
template <class Step, class Run>
void for_each_row(pointers<Step> p, const layout<Step>& l, Run&& run) {
  if (l.size() == 0) return;
  index at[max_rank] = {};
  while (true) {
    detail::run_row(p, l, run);
    int a = l.rank - 2;
    for (; a >= 0; --a) {
      detail::advance<Step>(p, l, a, 1);
      if (++at[a] < l.extents[a]) break;
      detail::advance<Step>(p, l, a, -l.extents[a]);
      at[a] = 0;
    }
    if (a < 0) return;
  }
}

/// Calls run(pointers, n) for blocks in row-major order, for steps whose roots are contiguous: better than rows when rows
/// are short.
template <class Step, class Run>
void for_each_block(const pointers<Step>& whole, const layout<Step>& l, Run&& run) {
  const index n = l.size();
  detail::scratch<Step> memory;
  bool dense[Step::leaves == 0 ? 1 : Step::leaves];
  for (int k = 0; k < Step::leaves; ++k) dense[k] = l.dense(k);
  for (index first = 0; first < n; first += detail::block_length<Step>) {
    index length = n - first < detail::block_length<Step> ? n - first : detail::block_length<Step>;
    pointers<Step> p = whole;
    detail::for_varying_leaves<Step>(
        [&]<int L>() {
          using T = detail::leaf_type<Step, L>;
          auto* from = static_cast<const T*>(whole.leaf[L]);
          auto* to = reinterpret_cast<T*>(memory.leaf[L]);
          if (!dense[L]) detail::gather_flat(to, from, l.extents, l.strides[L], l.rank, first, length);
          p.leaf[L] = dense[L] ? from + first : to;
        },
        detail::leaf_numbers<Step>());
    [&]<int... R>(std::integer_sequence<int, R...>) {
      ((p.root[R] = static_cast<element_at<typename Step::program, Step::root(R)>*>(whole.root[R]) + first), ...);
    }(std::make_integer_sequence<int, Step::roots>());
    run(p, length);
  }
}

}  // namespace jig

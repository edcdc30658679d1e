// SPDX-License-Identifier: MIT
#pragma once
// The axes along which products of matrices are repeated: how operands walk them, and how threads share them.

#include <jig/eval/matmul/blocked.hpp>
#include <jig/eval/matmul/rows.hpp>

namespace jig::detail {

// Batches: the axes before the last two, of which an operand may have fewer, or ones.
struct batches {
  int rank = 0;
  index extents[max_rank] = {};
  batch_steps steps[max_rank] = {};
};

template <class Out, class A, class B>
batches batches_of(const Out& out, const A& a, const B& b) {
  batches l;
  const int rank = out.rank() - 2, skip_a = out.rank() - a.rank(), skip_b = out.rank() - b.rank();
  for (int axis = 0; axis < rank; ++axis) {
    const index n = out.extent(axis);
    if (n == 1) continue;
    auto stride = [axis](const auto& v, int skip) { return axis < skip || v.extent(axis - skip) == 1 ? 0 : v.stride(axis - skip); };
    const batch_steps steps{stride(a, skip_a), stride(b, skip_b), out.stride(axis)};
    // Axes along which all walk as along one are one.
    if (l.rank > 0 && l.steps[l.rank - 1] == batch_steps{n * steps.a, n * steps.b, n * steps.c}) {
      l.extents[l.rank - 1] *= n;
      l.steps[l.rank - 1] = steps;
      continue;
    }
    l.extents[l.rank] = n;
    l.steps[l.rank++] = steps;
  }
  return l;
}

// Calls f with the products of the batches along the innermost axis: the first one, steps and how many.
template <class T, class F>
[[gnu::always_inline]] inline void for_each_batch(product<T> p, const batches& l, F f) {
  index at[max_rank] = {};
  const int last = l.rank - 1;
  const index inner = l.rank > 0 ? l.extents[last] : 1;
  const batch_steps inner_steps = l.rank > 0 ? l.steps[last] : batch_steps{};
  while (true) {
    f(p, inner_steps, inner);
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      const batch_steps& step = l.steps[axis];
      p.a += step.a;
      p.b += step.b;
      p.c += step.c;
      if (++at[axis] < l.extents[axis]) break;
      p.a -= step.a * l.extents[axis];
      p.b -= step.b * l.extents[axis];
      p.c -= step.c * l.extents[axis];
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

// A long axis comes last where the last one is short: the more products follow one another the better.
inline void put_long_batch_last(batches& l) {
  constexpr index few = 16;
  const int last = l.rank - 1;
  for (int axis = last; axis-- > 0;)
    if (l.extents[last] < few && l.extents[axis] >= few) {
      std::swap(l.extents[axis], l.extents[last]);
      std::swap(l.steps[axis], l.steps[last]);
    }
}

// Batches that share b and continue the rows of a and of the result are one product with more rows.
template <class T>
void join_batches(product<T>& p, batches& l) {
  for (; l.rank > 0 && l.steps[l.rank - 1].b == 0; --l.rank) {
    const batch_steps step = l.steps[l.rank - 1];
    if (p.m == 1) {
      p.a_row = step.a;
      p.c_row = step.c;
    }
    if (step.a != p.m * p.a_row || step.c != p.m * p.c_row) return;
    p.m *= l.extents[l.rank - 1];
  }
}

// The axis of the batches that threads share, or -1: the first one of several, where the products are worth it and too few to be shared
// one by one.
template <class T>
int shared_batch(const product<T>& p, const batches& l) {
  if (!shares_work()) [[likely]]
    return -1;
  index count = 1;
  for (int axis = 0; axis < l.rank; ++axis) count *= l.extents[axis];
  if (count * p.m * p.n * p.k < shared_products || (is_shared_product(p) && count < 16)) return -1;
  for (int axis = 0; axis < l.rank; ++axis)
    if (l.extents[axis] > 1) return axis;
  return -1;
}
// Calls run(first product, batches, memory) for parts of the batches.
template <class T, class Run>
[[gnu::noinline, gnu::cold]] void share_batches(const product<T>& p, const batches& l, int axis, const Run& run) {
  constexpr index parts_of_batch = 64;
  const index n = l.extents[axis];
  share_evenly(n, smaller(n, parts_of_batch), [&](index first, index count) {
    batches some = l;
    some.extents[axis] = count;
    product<T> from = p;
    from.a += first * l.steps[axis].a;
    from.b += first * l.steps[axis].b;
    from.c += first * l.steps[axis].c;
    run(from, some, *current_threads->memory);
  });
}

}  // namespace jig::detail

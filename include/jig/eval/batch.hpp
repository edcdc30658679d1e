// SPDX-License-Identifier: MIT
#pragma once
// A kernel of a region of a batch runs on some items of a batch, where it can with the loop behind it on each register of its result.

#include <jig/eval/chunk_operands.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/node_kernel.hpp>

namespace jig::detail {

// A loop over a register that a kernel has computed in place of storing it: leaf Product of a step.
template <class Step, int Product>
struct loop_on_registers {
  using P = typename Step::program;
  using T = type_of<Step::table.type[Product]>;
  nest_pointers<Step> at;  // from the first item on, as `first`
  const T* first;

  template <class B, class F>
  [[gnu::always_inline]] void operator()(const B& x, F* to) const {
    alignas(alignment) F here[simd::lanes<T>];
    x.store_aligned(here);
    run(here, reinterpret_cast<const T*>(to) - first, std::make_integer_sequence<int, Step::leaves>(), root_numbers<Step>());
  }

 private:
  template <int L>
  [[gnu::always_inline]] const void* leaf_at(const void* here, index i) const {
    if constexpr (L == Product) return here;
    else if constexpr (Step::table.invariant[L]) return at.leaf[L];
    else return static_cast<const type_of<Step::table.type[L]>*>(at.leaf[L]) + i;
  }
  template <int... L, int... R>
  [[gnu::always_inline]] void run(const void* here, index i, std::integer_sequence<int, L...>,
                                  std::integer_sequence<int, R...> roots) const {
    const void* leaves[] = {leaf_at<L>(here, i)..., nullptr};
    void* to[] = {static_cast<root_type<Step, R>*>(at.root[R]) + i...};
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, leaves, 0);
    evaluate_expression<Step, true, false>(r, leaves, 0);
    store_roots<Step, true>(r, to, 0, roots);
  }
};

template <class P, int Node, class T>
using matrix_in_batch = dense_view<T, P::extents(Node)[P::extents(Node).rank - 2], P::extents(Node)[P::extents(Node).rank - 1]>;

// Whether some step of a region is the only one that reads a value, once.
template <class P, int Region>
constexpr bool is_read_once(int v, int by) {
  constexpr planned_region region = P::region(Region);
  int readers = 0;
  for (int s = region.first; s < region.first + region.count; ++s)
    for (int i = 0; i < P::plan.steps.items[s].leaves.count; ++i)
      if (P::plan.leaves.items[P::plan.steps.items[s].leaves.first + i] == v) readers += s == by ? 1 : 2;
  return readers == 1;
}

/// Whether the step behind step S of a region of a batch is a loop that can take the registers of S, which nobody else needs.
template <class P, int Region, int S>
inline constexpr bool goes_on_in_registers = [] {
  constexpr planned_region region = P::region(Region);
  if constexpr (S < region.first || S >= region.first + region.count - 1) {
    return false;
  } else if constexpr (P::plan.steps.items[S].kind != step_kind::kernel) {
    return false;
  } else {
    using at = chunk_operands<P, Region>;
    using next = step<P, S + 1>;
    constexpr int v = P::plan.steps.items[S].space;
    constexpr bool light = next::plan.kind == step_kind::loop && next::vectorizable && next::table.varying <= 8;
    if constexpr (!light || !at::is_local(v) || at::known_size(next::plan.space) != at::known_size(v)) return false;
    else if constexpr (step_lanes<next> != simd::lanes<element_at<P, v>>) return false;
    else
      return is_read_once<P, Region>(v, S + 1) && []<int... I>(std::integer_sequence<int, I...>) {
        return kernel_traits<kernel<P::kind(v)>, attributes_of<P, v>, matrix_in_batch<P, v, element_at<P, v>>,
                             matrix_in_batch<P, P::operand(v, I), const element_at<P, P::operand(v, I)>>...>::gives_registers;
      }(std::make_integer_sequence<int, P::operand_count(v)>());
  }
}();

/// A kernel of a region of a batch.
template <class P, int Region, int S>
struct kernel_on_batch {
  using at = chunk_operands<P, Region>;
  static constexpr int node = P::plan.steps.items[S].space;

  template <int Node, bool Moves, class T>
  [[gnu::always_inline]] static auto matrix(const frame<P>& fr, char* memory, index first) {
    constexpr shape e = P::extents(Node);
    return matrix_in_batch<P, Node, T>(at::template begin<Node, Moves>(fr, memory, first), shape{2, {e[e.rank - 2], e[e.rank - 1]}});
  }

  kernel_on_batch(const frame<P>&, char*, index) {}
  [[gnu::always_inline]] static void run(const frame<P>& fr, char* memory, index first, index count) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      using K = kernel<P::kind(node)>;
      const auto out = matrix<node, true, element_at<P, node>>(fr, memory, first);
      const std::tuple in{
          matrix<P::operand(node, I), at::moves(S, P::operand(node, I)), const element_at<P, P::operand(node, I)>>(fr, memory, first)...};
      constexpr index steps[] = {(at::moves(S, P::operand(node, I)) ? at::known_size(P::operand(node, I)) : 0)...};
      if constexpr (goes_on_in_registers<P, Region, S>) {
        using next = step<P, S + 1>;
        const loop_on_registers<next, next::table.entry_of[node]> then{at::template all<next>(fr, memory, first), out.data()};
        K::run_batch_then(attributes_in<P, node>(fr), out, count, std::get<I>(in)..., steps[I]..., then);
      } else {
        K::run_batch(attributes_in<P, node>(fr), out, count, std::get<I>(in)..., steps[I]...);
      }
    }(std::make_integer_sequence<int, P::operand_count(node)>());
  }
};

}  // namespace jig::detail

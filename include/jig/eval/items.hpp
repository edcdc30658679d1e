// SPDX-License-Identifier: MIT
#pragma once
// The steps of a region of items: some items of a batch pass through all of them before the next ones, and what only they need
// stays in the cache.

#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/loop.hpp>

namespace jig::detail {

// A loop over a register that a kernel has computed in place of storing it: leaf Product of a step.
template <class Step, int Product>
struct loop_on_registers {
  using P = typename Step::program;
  using T = type_of<Step::table.type[Product]>;
  const void* leaf[Step::capacity];  // from the first item on, as `first` and the roots
  void* root[Step::roots];
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
    else if constexpr (Step::table.invariant[L]) return leaf[L];
    else return static_cast<const type_of<Step::table.type[L]>*>(leaf[L]) + i;
  }
  template <int... L, int... R>
  [[gnu::always_inline]] void run(const void* here, index i, std::integer_sequence<int, L...>,
                                  std::integer_sequence<int, R...> roots) const {
    const void* leaves[] = {leaf_at<L>(here, i)..., nullptr};
    void* to[] = {static_cast<root_type<Step, R>*>(root[R]) + i...};
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, leaves, 0);
    evaluate_body<Step, true, false>(r, leaves, 0);
    store_roots<Step, true>(r, to, 0, roots);
  }
};

/// Region Region of a program.
template <class P, int Region>
struct item_run {
  static constexpr planned_region region = P::region(Region);
  static constexpr int First = region.first, last = First + region.count - 1;
  static constexpr int space = P::plan.steps.items[First].space;
  static constexpr int axes = region.axes;

  static constexpr index item_size(int v) {
    index n = 1;
    for (int a = axes; a < P::extents(v).rank; ++a) n *= P::extents(v)[a];
    return n;
  }
  static constexpr index item_bytes(int v) { return item_size(v) * static_cast<index>(size_of(P::dtype_at(v))); }
  // Whether what step S reads goes along with the items.
  template <int S, int Node>
  static constexpr bool moves = goes_along(P::plan.steps.items[S], P::extents(Node));

  // Where the items of a value begin, from item number `first` on.
  template <int Node, bool Moves>
  [[gnu::always_inline]] static void* items_of(const frame<P>& fr, char* memory, index first) {
    if constexpr (P::value(Node).place == place::immediate) {
      return nullptr;
    } else if constexpr (P::local_offset(Region, Node) >= 0) {
      return memory + P::local_offset(Region, Node);
    } else if constexpr (Moves) {
      return static_cast<char*>(const_cast<void*>(data_of<P, Node>(fr))) + first * item_bytes(Node);
    } else {
      return const_cast<element_at<P, Node>*>(first_element<P, Node>(fr));
    }
  }

  // Whether the step behind S is a loop that can take the registers of S, which nobody else needs.
  template <int S>
  static constexpr bool goes_on_in_registers() {
    if constexpr (S < First || S >= last || P::plan.steps.items[S].kind != step_kind::kernel) {
      return false;
    } else {
      using next = step<P, S + 1>;
      constexpr int v = P::plan.steps.items[S].space;
      constexpr bool light = next::plan.kind == step_kind::loop && next::vectorizable && next::table.varying <= 8;
      if constexpr (!light || P::local_offset(Region, v) < 0 || item_size(next::plan.space) != item_size(v)) return false;
      else if constexpr (step_lanes<next> != simd::lanes<element_at<P, v>>) return false;
      else return is_read_once(v, S + 1) && gives_registers<v>(std::make_integer_sequence<int, P::operand_count(v)>());
    }
  }
  static constexpr bool is_read_once(int v, int by) {
    int readers = 0;
    for (int s = First; s <= last; ++s)
      for (int i = 0; i < P::plan.steps.items[s].leaves.count; ++i)
        if (P::plan.leaves.items[P::plan.steps.items[s].leaves.first + i] == v) readers += s == by ? 1 : 2;
    return readers == 1;
  }
  template <int Node, class T>
  using matrix_at = dense_view<T, P::extents(Node)[P::extents(Node).rank - 2], P::extents(Node)[P::extents(Node).rank - 1]>;
  template <int Node, int... I>
  static constexpr bool gives_registers(std::integer_sequence<int, I...>) {
    return kernel_traits<kernel<P::kind(Node)>, attributes_of<P, Node>, matrix_at<Node, element_at<P, Node>>,
                         matrix_at<P::operand(Node, I), const element_at<P, P::operand(Node, I)>>...>::gives_registers;
  }

  template <class Step, int... L, int... R>
  [[gnu::always_inline]] static void set_pointers(const void** leaf, void** root, const frame<P>& fr, char* memory, index first,
                                                  std::integer_sequence<int, L...>, std::integer_sequence<int, R...>) {
    ((leaf[L] = items_of<Step::node(L), moves<Step::number, Step::node(L)>>(fr, memory, first)), ...);
    ((root[R] = items_of<Step::root(R), true>(fr, memory, first)), ...);
  }
  template <int S>
  [[gnu::always_inline]] static void run_step(const frame<P>& fr, char* memory, index first, index count) {
    using s = step<P, S>;
    constexpr std::make_integer_sequence<int, s::leaves> leaves;
    if constexpr (goes_on_in_registers<S - 1>()) {
      return;
    } else if constexpr (s::plan.kind == step_kind::loop) {
      const void* leaf[s::capacity];
      void* root[s::roots];
      set_pointers<s>(leaf, root, fr, memory, first, leaves, root_numbers<s>());
      run_loop<s>(leaf, root, count * item_size(s::plan.space));
    } else {
      constexpr int v = s::root(0);
      [&]<int... I>(std::integer_sequence<int, I...>) {
        using K = kernel<P::kind(v)>;
        const auto out = item<v, true, element_at<P, v>>(fr, memory, first);
        const std::tuple in{item<P::operand(v, I), moves<S, P::operand(v, I)>, const element_at<P, P::operand(v, I)>>(fr, memory, first)...};
        constexpr index steps[] = {(moves<S, P::operand(v, I)> ? item_size(P::operand(v, I)) : 0)...};
        if constexpr (goes_on_in_registers<S>()) {
          using next = step<P, S + 1>;
          loop_on_registers<next, next::table.entry_of[v]> then;
          set_pointers<next>(then.leaf, then.root, fr, memory, first, std::make_integer_sequence<int, next::leaves>(),
                             root_numbers<next>());
          then.first = out.data();
          K::run_items_then(attributes_of<P, v>(), out, count, std::get<I>(in)..., steps[I]..., then);
        } else {
          K::run_items(attributes_of<P, v>(), out, count, std::get<I>(in)..., steps[I]...);
        }
      }(std::make_integer_sequence<int, P::operand_count(v)>());
    }
  }
  // The first item as a matrix.
  template <int Node, bool Moves, class T>
  [[gnu::always_inline]] static auto item(const frame<P>& fr, char* memory, index first) {
    constexpr shape e = P::extents(Node);
    return matrix_at<Node, T>(static_cast<T*>(items_of<Node, Moves>(fr, memory, first)), shape{2, {e[e.rank - 2], e[e.rank - 1]}});
  }

  [[gnu::noinline]] static void run(const frame<P>& fr) {
    alignas(alignment) char memory[array_bound(region.bytes)];
    index all = 1;
    for (int a = 0; a < axes; ++a) all *= fr(P::extents(space)[a]);
    for (index first = 0; first < all; first += region.chunk) {
      const index count = all - first < region.chunk ? all - first : region.chunk;
      [&]<int... S>(std::integer_sequence<int, S...>) {
        (run_step<First + S>(fr, memory, first, count), ...);
      }(std::make_integer_sequence<int, region.count>());
    }
  }
};

}  // namespace jig::detail

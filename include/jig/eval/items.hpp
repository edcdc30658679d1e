// SPDX-License-Identifier: MIT
#pragma once
// Steps that treat the items along the leading axes apart, such as products of batches of small matrices and loops over
// them, run together: some items pass through all of them before the next ones, and what only they need stays in the cache.

#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/loop.hpp>

namespace jig::detail {

/// How a value takes part in a run over items: not at all, with the same elements for every item, or an item at a time.
enum class item_walk : unsigned char { none, same, along };

template <class P>
class item_runs {
  static constexpr const shape& extents(int v) { return P::extents(v); }
  static constexpr const planned_step& step_at(int s) { return P::plan.steps.items[s]; }
  static constexpr int root(const planned_step& s, int i) { return P::plan.roots.items[s.roots.first + i]; }
  static constexpr int leaf(const planned_step& s, int i) { return P::plan.leaves.items[s.leaves.first + i]; }

  static constexpr bool has_items(int s) {
    const auto& step = step_at(s);
    return step.kind == step_kind::kernel && P::kind(step.space).is(fact::items) && extents(step.space).rank > 2;
  }
  // How many axes count the items of a step with items.
  static constexpr int leading(int s) { return extents(step_at(s).space).rank - 2; }

  // Whether the leading axes of v are those of w, or may be in a call.
  static constexpr bool may_lead(int v, int w, int axes) {
    if (extents(v).rank < axes || !P::value(v).dense) return false;
    for (int a = 0; a < axes; ++a) {
      const index x = extents(v)[a], y = extents(w)[a];
      if (x != y && (is_static_extent(x) || is_static_extent(y))) return false;
    }
    return item_size(v, axes) > 0;
  }
  static constexpr bool belongs(int s, int first) {
    const auto& step = step_at(s);
    if (step.together != 1 || P::plan.any_late || step.beside > 0 || copies_onto_itself<P>(s)) return false;
    if (step.kind != step_kind::loop && !(has_items(s) && leading(s) == leading(first))) return false;
    if (extents(step.space).size() == 1) return false;
    for (int i = 0; i < step.roots.count; ++i)
      if (!may_lead(root(step, i), step_at(first).space, leading(first)) || !is_plain(root(step, i))) return false;
    for (int i = 0; i < step.leaves.count; ++i)
      if (walk_of(s, leaf(step, i), first) == item_walk::none) return false;
    return true;
  }
  // Where a part lies, only the call knows; what is around a window lies nowhere.
  static constexpr bool is_plain(int v) {
    for (int u = v; P::value(u).is_view(); u = P::value(u).number)
      if (P::value(u).place == place::part || P::value(u).place == place::window) return false;
    return P::dtype_at(v) != dtype::string;
  }
  static constexpr bool same_items(int v, int w, int axes) {
    if (extents(v).rank != extents(w).rank) return false;
    for (int a = axes; a < extents(v).rank; ++a)
      if (extents(v)[a] != extents(w)[a]) return false;
    return true;
  }
  // Values that share memory with what a step writes have to advance through it alike: v does, as what steps write.
  static constexpr bool apart(int written, int v, item_walk walk, int axes) {
    const auto &x = P::value(P::base(written)), &y = P::value(P::base(v));
    const bool shared = x.place == y.place && x.number == y.number && (x.place == place::workspace || x.place == place::result);
    return !shared || (walk == item_walk::along && item_bytes(written, axes) == item_bytes(v, axes));
  }
  static constexpr bool all_apart(int first, int last) {
    const int axes = leading(first);
    for (int s = first; s <= last; ++s)
      for (int i = 0; i < step_at(s).roots.count; ++i)
        for (int t = first; t <= last; ++t) {
          for (int j = 0; j < step_at(t).roots.count; ++j)
            if (!apart(root(step_at(s), i), root(step_at(t), j), item_walk::along, axes)) return false;
          for (int j = 0; j < step_at(t).leaves.count; ++j) {
            const int v = leaf(step_at(t), j);
            if (!apart(root(step_at(s), i), v, walk_of(t, v, first), axes)) return false;
          }
        }
    return true;
  }

 public:
  static constexpr index item_size(int v, int axes) {
    index n = 1;
    for (int a = axes; a < extents(v).rank; ++a) n *= is_static_extent(extents(v)[a]) ? extents(v)[a] : 0;
    return n;
  }
  static constexpr index item_bytes(int v, int axes) { return item_size(v, axes) * static_cast<index>(size_of(P::dtype_at(v))); }

  /// How what step s reads, v, takes part in a run that begins with step `first`. What steps write always goes along. It depends
  /// on the step: a loop over (n, m) goes through the rows of a value of these extents, a product takes it as one matrix.
  static constexpr item_walk walk_of(int s, int v, int first) {
    const auto& step = step_at(s);
    const shape& e = extents(v);
    const bool loop = step.kind == step_kind::loop;
    const int space = step_at(first).space, axes = leading(first);
    if (!is_plain(v)) return item_walk::none;
    if (loop ? e.size() == 1 : e.rank == 2 && e.is_static() && P::value(v).dense) return item_walk::same;
    if (!may_lead(v, space, axes)) return item_walk::none;
    const bool fits = loop ? item_size(v, axes) == item_size(step.space, axes) && same_items(v, step.space, axes) : e.rank == axes + 2;
    return fits ? item_walk::along : item_walk::none;
  }

  // Of each step how many run together beginning with it: 0 where an earlier one runs it.
  static constexpr auto length = [] {
    std::array<int, static_cast<std::size_t>(P::plan.size.steps) + 1> out{};
    for (int s = 0; s < P::plan.size.steps;) {
      int end = s + 1;
      if (has_items(s) && belongs(s, s)) {
        index bytes = 0;
        while (end < P::plan.size.steps && belongs(end, s) && all_apart(s, end)) {
          for (int i = 0; i < step_at(end - 1).roots.count; ++i) bytes += item_bytes(root(step_at(end - 1), i), leading(s));
          if (bytes > 16384) break;
          ++end;
        }
      }
      out[at(s)] = end - s;
      s = end;
    }
    return out;
  }();

  // Whether nothing but steps `first` to `last` needs v, which one of them writes.
  static constexpr bool stays_within(int v, int first, int last) {
    for (const auto& e : P::graph.outputs())
      if (e.node == v) return false;
    for (int s = 0; s < P::plan.size.steps; ++s)
      for (int i = 0; i < step_at(s).leaves.count; ++i) {
        const int w = leaf(step_at(s), i);
        if (P::base(w) == v && (w != v || s < first || s > last)) return false;
      }
    return true;
  }
};

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

/// Steps First to First + Count - 1 of a program, some items at a time.
template <class P, int First, int Count>
struct item_run {
  using runs = item_runs<P>;
  static constexpr int last = First + Count - 1;
  static constexpr int space = P::plan.steps.items[First].space;
  static constexpr int axes = P::extents(space).rank - 2;

  // Where in local memory a value is, by node: -1 if it is not.
  struct layout {
    index at[P::graph.size()] = {};
    index items = 0, bytes = 0;
  };
  static constexpr layout local = [] {
    layout out;
    for (auto& x : out.at) x = -1;
    auto each = [](auto f) {
      for (int s = First; s <= last; ++s)
        for (int i = 0; i < P::plan.steps.items[s].roots.count; ++i) {
          const int v = P::plan.roots.items[P::plan.steps.items[s].roots.first + i];
          if (runs::stays_within(v, First, last)) f(v);
        }
    };
    index one = 1;
    each([&](int v) { one += runs::item_bytes(v, axes); });
    out.items = 12288 / one < 1 ? 1 : 12288 / one > 128 ? 128 : 12288 / one;
    if (out.items > 16) out.items -= out.items % 16;  // kernels take several at a time
    each([&](int v) {
      out.at[v] = out.bytes;
      out.bytes += (runs::item_bytes(v, axes) * out.items + 63) / 64 * 64;
    });
    return out;
  }();

  // Whether what step S reads goes along with the items.
  template <int S, int Node>
  static constexpr bool moves = runs::walk_of(S, Node, First) == item_walk::along;

  // Whether all leading extents agree in this call.
  template <int Node>
  [[gnu::always_inline]] static bool leads(const frame<P>& fr) {
    bool same = true;
    for (int a = 0; a < axes; ++a) same = same && fr(P::extents(Node)[a]) == fr(P::extents(space)[a]);
    return same;
  }
  template <int S, int Node>
  [[gnu::always_inline]] static bool leaf_agrees(const frame<P>& fr) {
    if constexpr (moves<S, Node>) return leads<Node>(fr);
    else return true;
  }
  template <int S>
  [[gnu::always_inline]] static bool step_agrees(const frame<P>& fr) {
    using s = step<P, S>;
    return leads<s::plan.space>(fr) && [&]<int... L>(std::integer_sequence<int, L...>) {
      return (leaf_agrees<S, s::node(L)>(fr) && ...);
    }(std::make_integer_sequence<int, s::leaves>());
  }
  [[gnu::always_inline]] static bool agrees(const frame<P>& fr) {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return (step_agrees<First + S>(fr) && ...);
    }(std::make_integer_sequence<int, Count>());
  }

  // Where the items of a value begin, from item number `first` on.
  template <int Node, bool Moves>
  [[gnu::always_inline]] static void* items_of(const frame<P>& fr, char* memory, index first) {
    if constexpr (P::value(Node).place == place::immediate) {
      return nullptr;
    } else if constexpr (local.at[Node] >= 0) {
      return memory + local.at[Node];
    } else if constexpr (Moves) {
      return static_cast<char*>(const_cast<void*>(data_of<P, Node>(fr))) + first * runs::item_bytes(Node, axes);
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
      if constexpr (!light || local.at[v] < 0 || runs::item_size(next::plan.space, axes) != runs::item_size(v, axes)) return false;
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
      run_loop<s>(leaf, root, count * runs::item_size(s::plan.space, axes));
    } else {
      constexpr int v = s::root(0);
      [&]<int... I>(std::integer_sequence<int, I...>) {
        using K = kernel<P::kind(v)>;
        const auto out = item<v, true, element_at<P, v>>(fr, memory, first);
        const std::tuple in{item<P::operand(v, I), moves<S, P::operand(v, I)>, const element_at<P, P::operand(v, I)>>(fr, memory, first)...};
        constexpr index steps[] = {(moves<S, P::operand(v, I)> ? runs::item_size(P::operand(v, I), axes) : 0)...};
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
    alignas(alignment) char memory[local.bytes == 0 ? 1 : local.bytes];
    index all = 1;
    for (int a = 0; a < axes; ++a) all *= fr(P::extents(space)[a]);
    for (index first = 0; first < all; first += local.items) {
      const index count = all - first < local.items ? all - first : local.items;
      [&]<int... S>(std::integer_sequence<int, S...>) {
        (run_step<First + S>(fr, memory, first, count), ...);
      }(std::make_integer_sequence<int, Count>());
    }
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Runs a program: extents first, then one step after another.

#include <jig/eval/reduce.hpp>
#include <jig/eval/workspace.hpp>
#include <jig/ops/reduce.hpp>

namespace jig {

namespace detail {


// The specs of a node's operands as they are in this call, for the message of a failed check.
template <class P>
[[noreturn, gnu::cold, gnu::noinline]] void throw_rule_failure(const frame<P>& f, int node) {
  node_facts facts(P::graph, node);
  auto inputs = P::graph.inputs_of(node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shape s = P::extents(inputs[i].node);
    for (int a = 0; a < s.rank; ++a) s[a] = f(s[a]);
    facts.inputs()[i].shape = s;
  }
  auto c = facts.context();
  P::kind(node).rule(c);
  const char* reason = c.failed ? c.failure : "extents do not fit";
  throw_invalid_argument(refusal(P::kind(node), reason, facts.inputs()).view());
}

template <class P, int K>
[[gnu::always_inline]] inline void evaluate_extent(frame<P>& f) {
  using relation = extent_algebra::relation;
  constexpr extent_expression e = P::plan.expressions.items[K];
  index a = f(e.a), b = f(e.b), out = 0;
  bool fits = true;
  if constexpr (e.relation == relation::broadcast) {
    fits = a == b || a == 1 || b == 1;
    out = a == 1 ? b : a;
    // The rule promised the static one of the two as the result.
    if constexpr (e.a >= 0) fits = fits && out == a;
    if constexpr (e.b >= 0) fits = fits && out == b;
  } else if constexpr (e.relation == relation::equal) {
    fits = a == b;
    out = a;
  } else if constexpr (e.relation == relation::sum) {
    out = a + b;
  } else if constexpr (e.relation == relation::difference) {
    out = a - b;
    fits = out >= 0;
  } else if constexpr (e.relation == relation::product) {
    out = a * b;
  } else {
    fits = b == 0 ? a == 0 : a % b == 0;
    out = b == 0 ? 0 : a / b;
  }
  if (!fits) [[unlikely]] throw_rule_failure(f, e.node);
  if constexpr (e.symbol != dyn) f.extents[symbol_number(e.symbol)] = out;
}

/// Computes and checks all extents that follow from those of the arguments.
template <class P>
[[gnu::always_inline]] inline void evaluate_extents(frame<P>& f) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (evaluate_extent<P, K>(f), ...);
  }(std::make_integer_sequence<int, P::plan.size.expressions>());
}


// Whether the memory of a leaf runs along with the space of its step, known before the call.
enum class alignment_of_leaf : unsigned char { along, maybe, never };

template <class Step, int L>
constexpr alignment_of_leaf leaf_alignment() {
  using P = typename Step::program;
  constexpr int v = Step::node(L);
  const shape& leaf = P::extents(v);
  const shape& space = P::extents(Step::plan.space);
  if (Step::table.invariant[L]) return alignment_of_leaf::along;
  if (!P::value(v).dense) return alignment_of_leaf::never;
  if (leaf == space) return alignment_of_leaf::along;
  if (leaf.rank != space.rank) return alignment_of_leaf::never;
  for (int a = 0; a < leaf.rank; ++a)
    if (leaf[a] >= 0 && leaf[a] != space[a] && (space[a] >= 0 || leaf[a] == 1)) return alignment_of_leaf::never;
  return alignment_of_leaf::maybe;
}

template <class Step, class Leaves>
struct step_alignment;
template <class Step, int... L>
struct step_alignment<Step, std::integer_sequence<int, L...>> {
  static constexpr bool never = ((leaf_alignment<Step, L>() == alignment_of_leaf::never) || ...);
  static constexpr bool always = ((leaf_alignment<Step, L>() == alignment_of_leaf::along) && ...);

  // Whether the leaves that may broadcast do not do so in this call.
  [[gnu::always_inline]] static bool now(const frame<typename Step::program>& f) {
    return (leaf_now<L>(f) && ...);
  }
  template <int Leaf>
  [[gnu::always_inline]] static bool leaf_now(const frame<typename Step::program>& f) {
    using P = typename Step::program;
    if constexpr (leaf_alignment<Step, Leaf>() == alignment_of_leaf::along) {
      return true;
    } else {
      constexpr shape leaf = P::extents(Step::node(Leaf));
      constexpr shape space = P::extents(Step::plan.space);
      bool same = true;
      for (int a = 0; a < leaf.rank; ++a) same = same && f(leaf[a]) == f(space[a]);
      return same;
    }
  }
};
template <class Step>
using alignment_in = step_alignment<Step, leaf_numbers<Step>>;

// The address of a value with one element, wherever its view puts it.
template <class P, int Node>
const void* single_element(const frame<P>& f) {
  located where = locate<P, Node>(f);
  return static_cast<const element_at<P, Node>*>(where.data) + where.offset;
}

template <class Step, int... L, int... R>
[[gnu::always_inline]] inline pointers<Step> dense_pointers(const frame<typename Step::program>& f, std::integer_sequence<int, L...>,
                                     std::integer_sequence<int, R...>) {
  using P = typename Step::program;
  pointers<Step> p;
  (
      [&] {
        if constexpr (P::value(Step::node(L)).place == place::immediate) p.leaf[L] = nullptr;
        else if constexpr (P::value(Step::node(L)).dense) p.leaf[L] = data_of<P, Step::node(L)>(f);
        else p.leaf[L] = single_element<P, Step::node(L)>(f);
      }(),
      ...);
  ((p.root[R] = const_cast<void*>(data_of<P, Step::root(R)>(f))), ...);
  return p;
}

template <class Step>
[[gnu::always_inline]] inline pointers<Step> dense_pointers(const frame<typename Step::program>& f) {
  return dense_pointers<Step>(f, leaf_numbers<Step>(), root_numbers<Step>());
}

template <class Step>
[[gnu::noinline]] void run_scattered(const frame<typename Step::program>& f) {
  using P = typename Step::program;
  layout<Step> l;
  pointers<Step> p = {};
  shape space = f.template shape_of<Step::plan.space>();
  l.rank = space.rank;
  for (int a = 0; a < space.rank; ++a) l.extents[a] = space[a];
  locate_leaves(f, space, l, p, leaf_numbers<Step>());
  shape strides = row_major_strides(space);
  [&]<int... R>(std::integer_sequence<int, R...>) {
    ((p.root[R] = const_cast<void*>(data_of<P, Step::root(R)>(f))), ...);
  }(root_numbers<Step>());
  for (int r = 0; r < Step::roots; ++r)
    for (int a = 0; a < space.rank; ++a) l.strides[Step::leaves + r][a] = strides[a];
  l.join();
  if (l.rank == 0) {
    l.rank = 1;
    l.extents[0] = 1;
    for (auto& s : l.strides) s[0] = 1;
  }
  auto run = [](const pointers<Step>& at, index n) { run_loop<Step>(at, n); };
  constexpr index short_row = 64;
  bool by_rows = has_strings<Step> || l.rank == 1 || l.extents[l.rank - 1] >= short_row;
  if (by_rows) for_each_row<Step>(p, l, run);
  else for_each_block<Step>(p, l, run);
}

template <class Step>
[[gnu::always_inline]] inline void run_loop_step(const frame<typename Step::program>& f) {
  using P = typename Step::program;
  constexpr index known = P::extents(Step::plan.space).size();
  if constexpr (alignment_in<Step>::always) {
    run_loop<Step, known>(dense_pointers<Step>(f), f.template size_of<Step::plan.space>());
  } else if constexpr (alignment_in<Step>::never) {
    run_scattered<Step>(f);
  } else {
    if (alignment_in<Step>::now(f)) [[likely]] run_loop<Step>(dense_pointers<Step>(f), f.template size_of<Step::plan.space>());
    else run_scattered<Step>(f);
  }
}


template <class Step>
constexpr unsigned axes_of_step() {
  using P = typename Step::program;
  rule_context c;
  constexpr auto list = attributes_of<P, Step::root(0)>::view();
  c.attributes = list;
  return reduced_axes(c, P::extents(Step::plan.space).rank);
}

template <class Step, int... R>
void prepare_roots(const frame<typename Step::program>& f, std::integer_sequence<int, R...>) {
  using P = typename Step::program;
  (
      [&] {
        using T = root_type<Step, R>;
        auto* to = static_cast<T*>(const_cast<void*>(data_of<P, Step::root(R)>(f)));
        index n = f.template size_of<Step::root(R)>();
        for (index i = 0; i < n; ++i) to[i] = meaning<root_op<Step, R>()>::template neutral<T>();
      }(),
      ...);
}

template <class Step, int... R>
void finish_roots(const frame<typename Step::program>& f, index count, std::integer_sequence<int, R...>) {
  using P = typename Step::program;
  (
      [&] {
        using T = root_type<Step, R>;
        if constexpr (requires(T x) { meaning<root_op<Step, R>()>::finish(x, count); }) {
          auto* to = static_cast<T*>(const_cast<void*>(data_of<P, Step::root(R)>(f)));
          index n = f.template size_of<Step::root(R)>();
          for (index i = 0; i < n; ++i) to[i] = meaning<root_op<Step, R>()>::finish(to[i], count);
        }
      }(),
      ...);
}

template <class Step>
[[gnu::noinline]] void reduce_scattered(const frame<typename Step::program>& f) {
  using P = typename Step::program;
  constexpr unsigned axes = axes_of_step<Step>();
  layout<Step> l;
  pointers<Step> p = {};
  shape space = f.template shape_of<Step::plan.space>();
  l.rank = space.rank;
  index kept_stride[max_rank] = {}, step_size = 1;
  for (int a = space.rank; a-- > 0;) {
    l.extents[a] = space[a];
    l.reduced[a] = (axes >> a & 1) != 0;
    if (l.reduced[a]) continue;
    kept_stride[a] = step_size;
    step_size *= space[a];
  }
  locate_leaves(f, space, l, p, leaf_numbers<Step>());
  [&]<int... R>(std::integer_sequence<int, R...>) {
    ((p.root[R] = const_cast<void*>(data_of<P, Step::root(R)>(f))), ...);
  }(root_numbers<Step>());
  for (int r = 0; r < Step::roots; ++r)
    for (int a = 0; a < space.rank; ++a) l.strides[Step::leaves + r][a] = kept_stride[a];
  l.join();
  if (l.rank == 0) {
    l.rank = 1;
    l.extents[0] = 1;
    l.reduced[0] = true;
    for (auto& s : l.strides) s[0] = 0;
  }
  if (l.reduced[l.rank - 1]) {
    for_each_row<Step>(p, l, [](const pointers<Step>& at, index n) {
      reducer<Step> r(at);
      r.add(n);
      r.finish();
    });
  } else {
    for_each_row<Step>(p, l, [](const pointers<Step>& at, index n) { accumulate_run<Step>(at, n); });
  }
}

template <class Step>
[[gnu::always_inline]] inline void run_reduction_step(const frame<typename Step::program>& f) {
  using P = typename Step::program;
  constexpr int rank = P::extents(Step::plan.space).rank;
  constexpr index known = P::extents(Step::plan.space).size();
  constexpr bool everything = axes_of_step<Step>() == (1u << rank) - 1;
  prepare_roots<Step>(f, root_numbers<Step>());
  index n = f.template size_of<Step::plan.space>();
  bool done = false;
  if constexpr (everything && !alignment_in<Step>::never) {
    if (alignment_in<Step>::always || alignment_in<Step>::now(f)) {
      reducer<Step> r(dense_pointers<Step>(f));
      r.template add<known>(n);
      r.finish();
      done = true;
    }
  }
  if constexpr (!(everything && alignment_in<Step>::always))
    if (!done && n > 0) reduce_scattered<Step>(f);
  index kept = 1;
  for (int a = 0; a < rank; ++a)
    if ((axes_of_step<Step>() >> a & 1) == 0) kept *= f(P::extents(Step::plan.space)[a]);
  finish_roots<Step>(f, kept == 0 ? 0 : n / kept, root_numbers<Step>());
}


template <class P, int Node>
struct typed_view {
  static constexpr const shape& value_shape = P::graph.data(Node).spec.shape;
  template <std::size_t... A>
  static auto pick(std::index_sequence<A...>) -> std::type_identity<view<const element_at<P, Node>, value_shape.extents[A]...>>;
  using type = typename decltype(pick(std::make_index_sequence<static_cast<std::size_t>(value_shape.rank)>()))::type;
};

template <class P, int Node>
auto view_at(const frame<P>& f) {
  located where = locate<P, Node>(f);
  using T = element_at<P, Node>;
  return typename typed_view<P, Node>::type(static_cast<const T*>(where.data) + where.offset, where.extents, where.strides);
}

template <class T, index... E>
view<T, E...> writable(const view<const T, E...>& v) {
  return view<T, E...>(const_cast<T*>(v.data()), v.shape(), v.strides());
}

template <class P, int Node>
void run_kernel(const frame<P>& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    kernel<P::kind(Node)>::run(attributes_of<P, Node>(), writable(view_at<P, Node>(f)), view_at<P, P::operand(Node, I)>(f)...);
  }(std::make_integer_sequence<int, P::operand_count(Node)>());
}


template <class P, int S>
[[gnu::always_inline]] inline void run_step(const frame<P>& f) {
  using s = step<P, S>;
  if constexpr (s::plan.kind == step_kind::loop) run_loop_step<s>(f);
  else if constexpr (s::plan.kind == step_kind::reduction) run_reduction_step<s>(f);
  else run_kernel<P, s::root(0)>(f);
}

template <class P, int First = 0>
[[gnu::always_inline]] inline void run_steps(const frame<P>& f) {
  constexpr int all = P::plan.size.steps;
  constexpr int n = all - First < chunk ? all - First : chunk;
  [&]<int... S>(std::integer_sequence<int, S...>) { (run_step<P, First + S>(f), ...); }(std::make_integer_sequence<int, n>());
  if constexpr (First + n < all) run_steps<P, First + n>(f);
}

template <class P, int Slot>
std::size_t slot_bytes(const frame<P>& f) {
  constexpr planned_slot slot = P::plan.slots.items[Slot];
  if constexpr (slot.bytes >= 0) return aligned_size(static_cast<std::size_t>(slot.bytes));
  else return aligned_size(static_cast<std::size_t>(f.template size_of<slot.like>()) * sizeof(element_at<P, slot.like>));
}

// Strings in the workspace are objects, which have to be made and destroyed.
template <class P, int Slot>
struct slot_objects {
  static constexpr bool strings = P::dtype_at(P::plan.slots.items[Slot].like) == dtype::string;
  std::string* first = nullptr;
  index n = 0;
  void make(const frame<P>& f) {
    if constexpr (strings) {
      first = static_cast<std::string*>(f.slots[Slot]);
      n = f.template size_of<P::plan.slots.items[Slot].like>();
      std::uninitialized_default_construct_n(first, n);
    }
  }
  ~slot_objects() {
    if constexpr (strings) std::destroy_n(first, n);
  }
};

template <class P, int... Slot>
void run_with_workspace(frame<P>& f, std::integer_sequence<int, Slot...>) {
  std::size_t offset[] = {slot_bytes<P, Slot>(f)..., 0};
  std::size_t total = 0;
  for (auto& o : offset) total += std::exchange(o, total);
  // Small static needs are met on the stack.
  constexpr bool on_stack = ((P::plan.slots.items[Slot].bytes >= 0) && ...) &&
                            (std::size_t{0} + ... + aligned_size(static_cast<std::size_t>(P::plan.slots.items[Slot].bytes < 0 ? 0 : P::plan.slots.items[Slot].bytes))) <= 4096;
  auto run = [&](char* memory) {
    ((f.slots[Slot] = memory + offset[Slot]), ...);
    std::tuple<slot_objects<P, Slot>...> objects;
    (std::get<Slot>(objects).make(f), ...);
    run_steps<P>(f);
  };
  if constexpr (on_stack) {
    alignas(alignment) char memory[(std::size_t{1} + ... + aligned_size(static_cast<std::size_t>(P::plan.slots.items[Slot].bytes)))];
    run(memory);
  } else {
    workspace memory(total);
    run(memory.data());
  }
}

}  // namespace detail

/// Runs all steps of a program whose frame has its pointers and extents.
template <class P>
[[gnu::always_inline]] inline void execute(frame<P>& f) {
  if constexpr (P::plan.size.slots == 0) detail::run_steps<P>(f);
  else detail::run_with_workspace<P>(f, std::make_integer_sequence<int, P::plan.size.slots>());
}

}  // namespace jig

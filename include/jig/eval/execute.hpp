// SPDX-License-Identifier: MIT
#pragma once
// Runs a program: extents first, then one step after another.

#include <jig/eval/items.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/reduce.hpp>
#include <jig/eval/tiles.hpp>
#include <jig/eval/workspace.hpp>
#include <jig/ops/reduce.hpp>

namespace jig {

namespace detail {

// Says why the rule of a node refuses the extents of this call. `shapes` are those of the plan, `extents` the symbols' values.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_rule_failure(const graph_view& g, const planned_value* values,
                                                                      const shape* shapes, const index* extents, int node) {
  node_facts facts(g, node);
  auto inputs = g.inputs_of(node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shape s = shapes[values[inputs[i].node].shape];
    for (int a = 0; a < s.rank; ++a)
      if (!is_static_extent(s[a])) s[a] = extents[symbol_number(s[a])];
    facts.inputs()[i].shape = s;
  }
  auto c = facts.context();
  const op& kind = *g.data(node).kind;
  apply_rule(kind, c);
  throw_invalid_argument(refusal(kind, c.failed ? c.failure : "extents do not fit", facts.inputs()).view());
}

// Of nodes without a rule: what their bodies give, or take, has other extents than it must have.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_different_extents(const op& kind, index a, index b) {
  message m;
  m << kind.name << (is_op(kind, ops::if_op) ? ": the branches give different extents: " : ": extents differ: ") << a << " and " << b;
  throw_invalid_argument(m.view());
}
constexpr bool has_rule(const op& kind) { return !kind.is(fact::control | fact::input); }

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_impossible_extent(const graph_view& g, int node) {
  message m;
  throw_invalid_argument((m << g.data(node).kind->name << ": " << rule_context::too_large).view());
}

template <class P>
[[gnu::cold]] void throw_failure_of(const frame<P>& fr, int expression) {
  const extent_expression& e = P::plan.expressions.items[expression];
  if (e.relation == extent_algebra::relation::equal && !has_rule(P::kind(e.node))) throw_different_extents(P::kind(e.node), fr(e.a), fr(e.b));
  throw_rule_failure(P::graph, P::plan.values.items, P::plan.shapes.items, fr.extents, e.node);
}

// Before the step that tells a late extent, what depends on it is an upper bound.
template <class P, int K>
[[gnu::always_inline]] inline void bound_extent(frame<P>& fr) {
  using relation = extent_algebra::relation;
  constexpr extent_expression e = P::plan.expressions.items[K];
  if constexpr (e.symbol != dyn) {
    index a = fr(e.a), b = fr(e.b), out = a;
    bool fits = true;
    if constexpr (e.relation == relation::broadcast) out = a > b ? a : b;
    else if constexpr (e.relation == relation::sum) fits = add_extents(a, b, out);
    else if constexpr (e.relation == relation::product) fits = multiply_extents(a, b, out);
    if (!fits) [[unlikely]] throw_impossible_extent(P::graph, e.node);
    fr.extents[symbol_number(e.symbol)] = out;
  }
}

template <class P, int K>
[[gnu::always_inline]] inline void evaluate_extent(frame<P>& fr) {
  using relation = extent_algebra::relation;
  constexpr extent_expression e = P::plan.expressions.items[K];
  if constexpr (e.relation != relation::at_most) {
    index a = fr(e.a), b = fr(e.b), out = 0;
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
      fits = add_extents(a, b, out);
    } else if constexpr (e.relation == relation::difference) {
      fits = a >= b;
      out = fits ? a - b : 0;
    } else if constexpr (e.relation == relation::product) {
      fits = multiply_extents(a, b, out);
    } else {
      fits = b == 0 ? a == 0 : a % b == 0;
      out = b == 0 ? 0 : a / b;
    }
    if constexpr (e.checked)
      if (!fits) [[unlikely]] throw_with_extents<P, &throw_failure_of<P>>(fr, K);
    if constexpr (e.symbol != dyn) fr.extents[symbol_number(e.symbol)] = out;
  }
}

// All that is known after this step; before the first one, -1, the others become upper bounds.
template <class P, int After>
[[gnu::always_inline]] inline void evaluate_extents_after(frame<P>& fr) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          if constexpr (P::plan.expressions.items[K].after == After) evaluate_extent<P, K>(fr);
          else if constexpr (After < 0) bound_extent<P, K>(fr);
        }(),
        ...);
  }(std::make_integer_sequence<int, P::plan.size.expressions>());
}

// Whether every extent of s but 1 is another one of t.
constexpr bool is_part_of(const shape& s, const shape& t) {
  unsigned taken = 0;
  for (int a = 0; a < s.rank; ++a) {
    int b = 0;
    while (b < t.rank && (t[b] != s[a] || (taken >> b & 1) != 0)) ++b;
    if (b < t.rank) taken |= 1u << b;
    else if (s[a] != 1) return false;
  }
  return true;
}

// The nodes whose number of elements a call has to look at: those that have other extents than an argument that has been stored, or
// than one of these nodes.
template <class P>
constexpr auto nodes_that_grow() {
  list<int> found;
  list<shape> known;
  for (int v = 0; v < P::graph.size() && P::plan.symbols > 0; ++v) {
    const shape& s = P::extents(v);
    if (s.is_static()) continue;
    bool grows = !P::kind(v).is(fact::input);
    for (std::size_t k = 0; grows && k < known.size(); ++k) grows = !is_part_of(s, known[k]);
    if (grows) found.push_back(v);
    if (grows || P::kind(v).is(fact::input)) known.push_back(s);
  }
  return found;
}
template <class P>
struct growing_nodes {
  static constexpr int count = static_cast<int>(nodes_that_grow<P>().size());
  static constexpr auto nodes = [] {
    std::array<int, array_bound(count)> out{};
    const auto found = nodes_that_grow<P>();
    for (int k = 0; k < count; ++k) out[static_cast<std::size_t>(k)] = found[k];
    return out;
  }();
};
template <class P>
[[gnu::cold]] void throw_growth_of(const frame<P>& fr, int node) {
  if (has_rule(P::kind(node))) throw_rule_failure(P::graph, P::plan.values.items, P::plan.shapes.items, fr.extents, node);
  throw_impossible_extent(P::graph, node);
}
template <class P>
[[gnu::always_inline]] inline void check_sizes(const frame<P>& fr) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          constexpr int node = growing_nodes<P>::nodes[static_cast<std::size_t>(K)];
          if (!is_possible(P::dtype_at(node), fr.template shape_of<node>())) [[unlikely]]
            throw_with_extents<P, &throw_growth_of<P>>(fr, node);
        }(),
        ...);
  }(std::make_integer_sequence<int, growing_nodes<P>::count>());
}

/// Computes and checks all extents that follow from those of the arguments.
/// Errors: extents that do not fit, and results of more than 2^56 bytes, throw invalid_argument.
template <class P>
[[gnu::always_inline]] inline void evaluate_extents(frame<P>& fr) {
  evaluate_extents_after<P, -1>(fr);
  detail::check_sizes(fr);
}

// Whether the memory of a leaf runs along with the space of its step, known before the call.
enum class alignment_of_leaf : unsigned char { along, maybe, never };

template <class Step, int L>
constexpr alignment_of_leaf leaf_alignment() {
  using P = typename Step::program;
  constexpr int v = Step::node(L);
  const shape& leaf = P::extents(v);
  const shape& space = P::extents(Step::plan.space);
  if (Step::table.invariant[L] || P::value(v).place == place::window) return alignment_of_leaf::along;
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
  [[gnu::always_inline]] static bool now(const frame<typename Step::program>& fr) {
    return (leaf_now<L>(fr) && ...);
  }
  template <int Leaf>
  [[gnu::always_inline]] static bool leaf_now(const frame<typename Step::program>& fr) {
    using P = typename Step::program;
    if constexpr (leaf_alignment<Step, Leaf>() == alignment_of_leaf::along) {
      return true;
    } else {
      constexpr shape leaf = P::extents(Step::node(Leaf));
      constexpr shape space = P::extents(Step::plan.space);
      bool same = true;
      for (int a = 0; a < leaf.rank; ++a) same = same && fr(leaf[a]) == fr(space[a]);
      return same;
    }
  }
};
template <class Step>
using alignment_in = step_alignment<Step, std::make_integer_sequence<int, Step::leaves>>;

// Copies a value of the program, wherever its elements lie, to dense memory.
template <class P, int Node, class T>
[[gnu::always_inline]] inline void copy_value(const frame<P>& fr, T* to) {
  if constexpr (P::value(Node).dense) {
    const index n = fr.template size_of<Node>();
    auto* from = static_cast<const T*>(data_of<P, Node>(fr));
    for (index i = 0; i < n; ++i) to[i] = from[i];
  } else {
    located where = locate<P, Node>(fr);
    copy_strided(to, row_major_strides(where.extents), static_cast<const T*>(where.data) + where.offset, where.strides, where.extents);
  }
}

/// What root R of a step stores, in the memory of its node: all of it or, of an array, the element at a position.
template <class Step, int R>
class stored_root {
  using P = typename Step::program;
  using T = root_type<Step, R>;
  static constexpr int node = Step::root(R);
  static constexpr bool is_element = Step::is_put(R);
  static constexpr int axis = is_element ? element_axis(P::graph, node) : 0;
  static constexpr int array = is_element ? P::operand(node, 0) : node;

 public:
  static constexpr bool dense = axis == 0;

  /// Its first element. Before the step stores anything: the other elements of an array may have to come along.
  [[gnu::always_inline]] static T* begin(const frame<P>& fr) {
    auto* to = static_cast<T*>(const_cast<void*>(data_of<P, node>(fr)));
    if constexpr (!is_element) {
      return to;
    } else {
      const auto i = static_cast<index>(*first_element<P, P::operand(node, 1)>(fr));
      const index count = fr(P::extents(node)[axis]);
      if (i < 0 || i >= count) [[unlikely]] throw_bad_index(P::kind(node).name, i, 0, count);
      if (first_element<P, array>(fr) != to) [[unlikely]] {
        // Not a function of its own where memmove does: pointers of a frame that are passed on keep the frame in memory.
        if constexpr (P::value(array).dense) std::copy_n(first_element<P, array>(fr), fr.template size_of<array>(), to);
        else copy_scattered_array(fr, to);
      }
      // An array without elements may have no memory to count in.
      return axis > 0 && fr.template size_of<node>() == 0 ? to : to + i * stride_of(fr, axis);
    }
  }
  /// From one place along an axis of the step's space to the next, of an element. Units: elements.
  [[gnu::always_inline]] static index stride(const frame<P>& fr, int a) { return stride_of(fr, a < axis ? a : a + 1); }

 private:
  [[gnu::always_inline]] static index stride_of(const frame<P>& fr, int a) {
    constexpr const shape& extents = P::extents(node);
    index n = 1;
    while (++a < extents.rank) n *= fr(extents[a]);
    return n;
  }
  [[gnu::noinline]] static void copy_scattered_array(frame<P> fr, T* to) { copy_value<P, array>(fr, to); }
};

template <class Step, class Roots>
inline constexpr bool all_roots_dense = true;
template <class Step, int... R>
inline constexpr bool all_roots_dense<Step, std::integer_sequence<int, R...>> = (stored_root<Step, R>::dense && ...);
template <class Step>
inline constexpr bool has_dense_roots = all_roots_dense<Step, root_numbers<Step>>;

// Pointers to all leaves and roots of a step whose leaves run along with its space.
template <class Step>
struct dense_pointers {
  using P = typename Step::program;
  const void* leaf[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];

  [[gnu::always_inline]] explicit dense_pointers(const frame<P>& fr) {
    set_leaves(fr, std::make_integer_sequence<int, Step::leaves>());
    set_roots(fr, root_numbers<Step>());
  }
  template <int... L>
  [[gnu::always_inline]] void set_leaves(const frame<P>& fr, std::integer_sequence<int, L...>) {
    ((leaf[L] = leaf_at<Step::node(L)>(fr)), ...);
  }
  template <int... R>
  [[gnu::always_inline]] void set_roots(const frame<P>& fr, std::integer_sequence<int, R...>) {
    ((root[R] = stored_root<Step, R>::begin(fr)), ...);
  }
  template <int Node>
  [[gnu::always_inline]] static const void* leaf_at(const frame<P>& fr) {
    if constexpr (P::value(Node).place == place::immediate) return nullptr;
    else if constexpr (P::value(Node).place == place::window) return leaf_at<P::value(Node).number>(fr);
    else if constexpr (P::value(Node).dense) return data_of<P, Node>(fr);
    else return first_element<P, Node>(fr);
  }
};

// How many elements of every leaf fit in scratch memory that may be on the stack.
template <class Step>
inline constexpr index block_length = [] {
  index n = 16384 / (8 * static_cast<index>(Step::capacity));
  return n < 64 ? index{64} : n > 512 ? index{512} : n;
}();

template <class Step>
inline constexpr bool has_strings = [] {
  for (int e = 0; e < Step::entries; ++e)
    if (Step::table.type[e] == dtype::string) return true;
  return false;
}();

// Where a value lies, as an operand of a space that it broadcasts to.
inline void set_operand(run_operand& o, const located& from, const shape& space, std::size_t bytes) {
  o.bytes = static_cast<index>(bytes);
  o.data = static_cast<char*>(const_cast<void*>(from.data));
  if (o.data != nullptr) o.data += from.offset * o.bytes;
  int shift = space.rank - from.extents.rank;
  for (int a = 0; a < space.rank; ++a)
    o.strides[a] = o.data == nullptr || a < shift || from.extents[a - shift] == 1 ? 0 : from.strides[a - shift] * o.bytes;
}

// All operands of a step, wherever they lie.
template <class Step>
struct scattered_operands {
  using P = typename Step::program;
  run_operand operands[Step::capacity + Step::roots];
  const void* leaf[Step::capacity];
  index row_stride[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];
  alignas(alignment) char scratch[has_strings<Step> ? 1 : Step::capacity * block_length<Step> * 8];
  run_space space;

  // Bit a of `reduced` is set where the roots do not have axis a.
  scattered_operands(const frame<P>& fr, unsigned reduced) {
    shape extents = fr.template shape_of<Step::plan.space>();
    space.rank = extents.rank;
    space.leaves = Step::leaves;
    space.roots = Step::roots;
    space.operands = operands;
    space.leaf = leaf;
    space.row_stride = row_stride;
    space.root = root;
    space.scratch = scratch;
    space.block_length = has_strings<Step> ? 0 : block_length<Step>;
    space.dense_roots = has_dense_roots<Step>;
    index kept = 1, strides[max_rank] = {};
    for (int a = extents.rank; a-- > 0;) {
      space.extents[a] = extents[a];
      space.reduced[a] = (reduced >> a & 1) != 0;
      if (space.reduced[a]) continue;
      strides[a] = kept;
      kept *= extents[a];
    }
    set_leaves(fr, extents, std::make_integer_sequence<int, Step::leaves>());
    set_roots(fr, strides, root_numbers<Step>());
  }
  template <int... L>
  void set_leaves(const frame<P>& fr, const shape& extents, std::integer_sequence<int, L...>) {
    (set_leaf<L>(operands[L], fr, extents), ...);
  }
  template <int L>
  static void set_leaf(run_operand& o, const frame<P>& fr, const shape& extents) {
    constexpr int v = Step::node(L);
    o.moves = !Step::table.invariant[L];
    if constexpr (P::value(v).place != place::immediate)
      set_operand(o, locate<P, v>(fr), extents, sizeof(element_at<P, v>));
  }
  template <int... R>
  void set_roots(const frame<P>& fr, const index* strides, std::integer_sequence<int, R...>) {
    (set_root<R>(operands[Step::leaves + R], fr, strides), ...);
  }
  template <int R>
  static void set_root(run_operand& o, const frame<P>& fr, const index* strides) {
    using root = stored_root<Step, R>;
    o.data = reinterpret_cast<char*>(root::begin(fr));
    o.bytes = sizeof(root_type<Step, R>);
    for (int a = 0; a < P::extents(Step::plan.space).rank; ++a)
      o.strides[a] = (root::dense ? strides[a] : root::stride(fr, a)) * o.bytes;
  }
};

template <class Step>
[[gnu::noinline]] void run_scattered(const frame<typename Step::program>& fr) {
  scattered_operands<Step> operands(fr, 0);
  // One type for all steps: what walks through spaces is compiled once.
  const run_function run = [](const void* const* leaf, void* const* root, index n) { run_contiguous<Step>(leaf, root, n); };
  run_over(operands.space, run);
}

// Whether a loop over a static space may run row by row, with rows that fill registers.
template <class Step>
inline constexpr bool has_long_rows = [] {
  constexpr const shape& space = Step::program::extents(Step::plan.space);
  return Step::vectorizable && Step::table.varying <= small_body && space.rank > 1 && space.size() > 0 && space[space.rank - 1] >= step_lanes<Step>;
}();

// A static space row by row, where all leaves have contiguous rows: their strides between rows are the call's.
template <class Step, class Leaves = std::make_integer_sequence<int, Step::leaves>, class Roots = root_numbers<Step>>
class loop_over_rows;
template <class Step, int... L, int... R>
class loop_over_rows<Step, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  using P = typename Step::program;
  static constexpr shape space = P::extents(Step::plan.space);
  static constexpr shape dense = row_major_strides(space);
  static constexpr int inner = space.rank - 1;
  shape strides_[Step::capacity];    // in elements, of leaves that do not tell them before the call
  shape root_strides_[Step::roots];  // and of roots that are not dense
  dense_pointers<Step> from_;

  // The strides of a leaf along the axes of the space.
  template <int Leaf>
  static constexpr shape spread(const shape& given) {
    const shape& extents = P::extents(Step::node(Leaf));
    const int missing = space.rank - extents.rank;
    shape out = space;
    for (int a = 0; a < space.rank; ++a) out[a] = a < missing || extents[a - missing] == 1 ? 0 : given[a - missing];
    return out;
  }
  template <int Leaf>
  static constexpr known_layout known = [] {
    known_layout layout = layout_of<P, Step::node(Leaf)>();
    if (layout.known) layout.strides = spread<Leaf>(layout.strides);
    return layout;
  }();
  template <int Leaf>
  [[gnu::always_inline]] void set_strides(const frame<P>& fr) {
    if constexpr (!known<Leaf>.known) strides_[Leaf] = spread<Leaf>(locate<P, Step::node(Leaf)>(fr).strides);
  }
  template <int Leaf, int Axis>
  [[gnu::always_inline]] index stride() const {
    if constexpr (known<Leaf>.known) return std::integral_constant<index, known<Leaf>.strides[Axis]>::value;
    else return strides_[Leaf][Axis];
  }
  template <int Root>
  [[gnu::always_inline]] void set_root_strides(const frame<P>& fr) {
    using at = stored_root<Step, Root>;
    if constexpr (!at::dense)
      for (int a = 0; a < inner; ++a) root_strides_[Root][a] = at::stride(fr, a);
  }
  template <int Root, int Axis>
  [[gnu::always_inline]] index root_stride() const {
    if constexpr (stored_root<Step, Root>::dense) return dense[Axis];
    else return root_strides_[Root][Axis];
  }
  template <int Axis>
  [[gnu::always_inline]] void run_axis(const void* const* leaf, void* const* root) const {
    if constexpr (Axis == inner) {
      run_loop<Step, space[inner]>(leaf, root, space[inner]);
    } else {
      for (index i = 0; i < space[Axis]; ++i) {
        const void* leaves[] = {static_cast<const element_at<P, Step::node(L)>*>(leaf[L]) + i * stride<L, Axis>()..., nullptr};
        void* roots[] = {static_cast<root_type<Step, R>*>(root[R]) + i * root_stride<R, Axis>()..., nullptr};
        run_axis<Axis + 1>(leaves, roots);
      }
    }
  }

 public:
  [[gnu::always_inline]] explicit loop_over_rows(const frame<P>& fr) : from_(fr) {
    (set_strides<L>(fr), ...);
    (set_root_strides<R>(fr), ...);
  }
  /// Whether it is known before the call that this is possible.
  static constexpr bool always = ((Step::table.invariant[L] || (known<L>.known && known<L>.strides[inner] == 1)) && ...);
  [[gnu::always_inline]] bool possible() const { return ((Step::table.invariant[L] || stride<L, inner>() == 1) && ...); }
  [[gnu::always_inline]] void run() const { run_axis<0>(from_.leaf, from_.root); }
};

template <class Step>
[[gnu::always_inline]] inline void run_loop_step(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  constexpr index known = P::extents(Step::plan.space).size();
  if constexpr (alignment_in<Step>::never || !has_dense_roots<Step>) {
    static_assert(!Step::has_windows, "jig: a window in a loop over scattered elements");
    if constexpr (has_long_rows<Step>) {
      const loop_over_rows<Step> rows(fr);
      if constexpr (loop_over_rows<Step>::always) rows.run();
      else if (rows.possible()) [[likely]] rows.run();
      else call_in_parts<P, &run_scattered<Step>>(fr);
    } else {
      call_in_parts<P, &run_scattered<Step>>(fr);
    }
  } else {
    if constexpr (!alignment_in<Step>::always)
      if (!alignment_in<Step>::now(fr)) [[unlikely]] return call_in_parts<P, &run_scattered<Step>>(fr);
    static_assert(!Step::has_windows || alignment_in<Step>::always, "jig: a window in a loop over scattered elements");
    dense_pointers<Step> p(fr);
    run_loop<Step, alignment_in<Step>::always ? known : -1>(p.leaf, p.root, fr.template size_of<Step::plan.space>());
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

// The roots of a reduction of nothing.
template <class Step>
[[gnu::cold, gnu::noinline]] void reduce_nothing(const frame<typename Step::program>& fr) {
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (
        [&] {
          using root = reduced_root<Step, R>;
          auto* to = static_cast<typename root::T*>(const_cast<void*>(data_of<typename Step::program, Step::root(R)>(fr)));
          const index n = fr.template size_of<Step::root(R)>();
          for (index i = 0; i < n; ++i) to[i] = root::finished(root::template neutral<typename root::T>(), {}, 0);
        }(),
        ...);
  }(root_numbers<Step>());
}

// The last axis of a step's space that may have more than one element, or -1.
template <class Step>
inline constexpr int last_moving_axis = [] {
  const shape& space = Step::program::extents(Step::plan.space);
  int a = space.rank - 1;
  while (a >= 0 && space[a] == 1) --a;
  return a;
}();

template <class Step>
[[gnu::noinline]] void reduce_scattered(const frame<typename Step::program>& fr) {
  constexpr unsigned axes = axes_of_step<Step>();
  scattered_operands<Step> operands(fr, axes);
  alignas(alignment) char memory[any_compensated<Step> ? Step::roots : 1][any_compensated<Step> ? most_lost * 8 : 8];
  void* lost[Step::roots];
  for (int r = 0; r < Step::roots; ++r) lost[r] = memory[any_compensated<Step> ? r : 0];
  constexpr int last = last_moving_axis<Step>;
  if constexpr (last < 0 || (axes >> (last < 0 ? 0 : last) & 1) != 0)
    reduce_over(operands.space, {last, &reduce_part<Step>, nullptr, 0}, lost);
  else reduce_over(operands.space, {last, nullptr, &accumulate_rows<Step>, rows_together}, lost);
}

template <class Step>
[[gnu::always_inline]] inline void run_reduction_step(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  constexpr bool everything = axes_of_step<Step>() == (1u << P::extents(Step::plan.space).rank) - 1;
  using along = alignment_in<Step>;
  const index n = fr.template size_of<Step::plan.space>();
  constexpr bool always_one_run = everything && along::always, may_be_one_run = everything && !along::never;
  static_assert(!Step::has_windows || always_one_run, "jig: a window in a reduction of scattered elements");
  if (always_one_run || (may_be_one_run && along::now(fr))) {
    if constexpr (may_be_one_run) {
      dense_pointers<Step> p(fr);
      if (is_shared(n)) [[unlikely]] return shared_reduction<Step>::spread(p.leaf, p.root, n);
      reduce_all<Step, always_one_run ? Step::known_size : -1>(p.leaf, p.root, n);
    }
  } else if constexpr (!always_one_run) {
    if (n > 0) [[likely]] call_in_parts<P, &reduce_scattered<Step>>(fr);
    else call_in_parts<P, &reduce_nothing<Step>>(fr);
  }
}

// Steps that run together: for each row one after another.
template <class P, int First, class Members>
class joined_steps;
template <class P, int First, int... M>
class joined_steps<P, First, std::integer_sequence<int, M...>> {
  static constexpr int outer = P::plan.steps.items[First].outer;
  template <int K>
  using member = step<P, First + K, outer>;
  // Of all operands of the steps, the number of the first one of member k.
  static constexpr int first_operand(int k) {
    constexpr int counts[] = {(member<M>::leaves + member<M>::roots)...};
    int at = 0;
    for (int i = 0; i < k; ++i) at += counts[i];
    return at;
  }
  static constexpr int operands = first_operand(sizeof...(M));

  run_operand operand_[array_bound(operands)];
  std::size_t gathered_[array_bound(operands)] = {};  // bytes of a row that is not contiguous
  char* row_[array_bound(operands)] = {};             // where it is copied to
  shape space_[sizeof...(M)];
  run_space rows_;

  template <int K>
  index row_size() const {
    if constexpr (member<K>::known_size >= 0) return member<K>::known_size;
    index n = 1;
    for (int a = outer; a < space_[K].rank; ++a) n *= space_[K][a];
    return n;
  }
  template <int K>
  void set_member(const frame<P>& fr) {
    space_[K] = fr.template shape_of<member<K>::plan.space>();
    set_leaves<K>(fr, std::make_integer_sequence<int, member<K>::leaves>());
    set_roots<K>(fr, root_numbers<member<K>>());
  }
  template <int K, int... L>
  void set_leaves(const frame<P>& fr, std::integer_sequence<int, L...>) {
    (set_leaf<K, L>(fr), ...);
  }
  template <int K, int L>
  void set_leaf(const frame<P>& fr) {
    constexpr int v = member<K>::node(L), number = first_operand(K) + L;
    if constexpr (P::value(v).place != place::immediate) {
      set_operand(operand_[number], locate<P, v>(fr), space_[K], sizeof(element_at<P, v>));
      if (!member<K>::table.invariant[L] && !contiguous_from(operand_[number], space_[K], outer))
        gathered_[number] = aligned_size(static_cast<std::size_t>(row_size<K>()) * sizeof(element_at<P, v>));
    }
  }
  template <int K, int... R>
  void set_roots(const frame<P>& fr, std::integer_sequence<int, R...>) {
    (set_root<K, R>(operand_[first_operand(K) + member<K>::leaves + R], fr), ...);
  }
  template <int K, int R>
  void set_root(run_operand& o, const frame<P>& fr) const {
    using root = stored_root<member<K>, R>;
    constexpr auto bytes = static_cast<index>(sizeof(root_type<member<K>, R>));
    o.data = reinterpret_cast<char*>(root::begin(fr));
    index stride = (R < member<K>::reduced ? 1 : row_size<K>()) * bytes;
    for (int a = outer; a-- > 0; stride *= rows_.extents[a]) o.strides[a] = root::dense ? stride : root::stride(fr, a) * bytes;
  }
  // In row i along the last axis.
  template <int K>
  [[gnu::always_inline]] void run_member(index i) {
    constexpr int leaves = member<K>::leaves, at = first_operand(K);
    const int axis = rows_.rank - 1;
    const void* leaf[member<K>::capacity];
    void* root[member<K>::roots];
    for (int l = 0; l < leaves; ++l) {
      const run_operand& o = operand_[at + l];
      leaf[l] = o.data + i * o.strides[axis];
      if (row_[at + l] == nullptr) [[likely]] continue;
      gather_row(row_[at + l], o, i * o.strides[axis], space_[K]);
      leaf[l] = row_[at + l];
    }
    for (int r = 0; r < member<K>::roots; ++r) {
      const run_operand& o = operand_[at + leaves + r];
      root[r] = o.data + i * o.strides[axis];
    }
    const index n = row_size<K>();
    if constexpr (member<K>::plan.kind == step_kind::loop) run_loop<member<K>, member<K>::known_size>(leaf, root, n);
    else reduce_all<member<K>, member<K>::known_size>(leaf, root, n);
  }
  [[gnu::noinline]] static void gather_row(char* to, run_operand from, index offset, const shape& space) {
    from.data += offset;
    gather_from(to, from, space, outer);
  }

 public:
  explicit joined_steps(const frame<P>& fr) {
    const shape space = fr.template shape_of<member<0>::plan.space>();
    rows_.rank = outer;
    rows_.leaves = operands;
    rows_.operands = operand_;
    for (int a = 0; a < outer; ++a) rows_.extents[a] = space[a];
    (set_member<M>(fr), ...);
  }
  void run() {
    if (rows_.size() == 0) return;
    join_axes(rows_);
    const index size = most_of_a_row();
    if (rows_.extents[0] == 1 || !is_shared(rows_.size() * size)) [[likely]] return run_rows();
    // Parts of the first axis, with operands of their own.
    const index others = rows_.size() / rows_.extents[0] * (size == 0 ? 1 : size);
    share_blocks(rows_.extents[0], others < shared_length ? shared_length / others : 1, [this](index first, index length) {
      joined_steps part(*this);
      part.rows_.operands = part.operand_;
      shift(part.rows_, 0, first);
      part.rows_.extents[0] = length;
      part.run_rows();
    });
  }

 private:
  index most_of_a_row() const {
    index most = 0;
    ((most = row_size<M>() > most ? row_size<M>() : most), ...);
    return most;
  }
  void run_rows() {
    std::size_t bytes = 0;
    for (std::size_t b : gathered_) bytes += b;
    workspace memory(bytes);
    char* at = memory.data();
    for (int k = 0; k < operands; ++k) {
      if (gathered_[k] == 0) continue;
      row_[k] = at;
      at += gathered_[k];
    }
    index place[max_rank] = {};
    do
      for (index i = 0; i < rows_.extents[rows_.rank - 1]; ++i) (run_member<M>(i), ...);
    while (next_place(rows_, place, all_axes, rows_.rank - 1));
  }
};

template <class P, int First>
[[gnu::noinline]] void run_joined(frame<P> fr) {
  joined_steps<P, First, std::make_integer_sequence<int, P::plan.steps.items[First].together>>(fr).run();
}

template <class P, int Node>
struct typed_view {
  static constexpr const shape& value_shape = P::graph.data(Node).spec.shape;
  template <std::size_t... A>
  static auto pick(std::index_sequence<A...>) -> std::type_identity<view<const element_at<P, Node>, value_shape.extents[A]...>>;
  using type = typename decltype(pick(std::make_index_sequence<static_cast<std::size_t>(value_shape.rank)>()))::type;
};

template <class P, int Node>
auto view_at(const frame<P>& fr) {
  located where = locate<P, Node>(fr);
  using T = element_at<P, Node>;
  return typename typed_view<P, Node>::type(static_cast<const T*>(where.data) + where.offset, where.extents, where.strides);
}

template <class T, index... E>
view<T, E...> writable(const view<const T, E...>& v) {
  return view<T, E...>(const_cast<T*>(v.data()), v.shape(), v.strides());
}

template <class T, class View>
struct dense_like;
template <class T, class Element, index... E>
struct dense_like<T, view<Element, E...>> {
  using type = dense_view<T, E...>;
};
template <class P, int Node, class T>
using dense_view_of = typename dense_like<T, typename typed_view<P, Node>::type>::type;

template <class P, int Node, class T>
[[gnu::always_inline]] inline auto dense_view_at(const frame<P>& fr) {
  return dense_view_of<P, Node, T>(static_cast<T*>(const_cast<void*>(data_of<P, Node>(fr))), fr.template shape_of<Node>());
}

// The symbol of the extent that the kernel of a node tells, or dyn.
template <class P, int Node>
constexpr index late_extent_of() {
  for (int k = 0; P::plan.any_late && k < P::plan.size.expressions; ++k) {
    const extent_expression& e = P::plan.expressions.items[k];
    if (e.node == Node && e.relation == extent_algebra::relation::at_most) return e.symbol;
  }
  return dyn;
}

template <class P, int Node, class Outputs, class Operands>
struct node_kernel;
template <class P, int Node, int... O, int... I>
struct node_kernel<P, Node, std::integer_sequence<int, O...>, std::integer_sequence<int, I...>> {
  using K = kernel<P::kind(Node)>;
  using T = element_at<P, Node>;
  // Kernels that do little for dense values of some shapes have a second form for these, which becomes part of the function
  // around it: so a scalar that a loop carries can stay in a register though an element is read with it.
  using traits = kernel_traits<K, attributes_of<P, Node>, dense_view_of<P, Node, T>,
                               dense_view_of<P, P::operand(Node, I), const element_at<P, P::operand(Node, I)>>...>;
  static constexpr bool is_part = [] {
    if constexpr ((P::value(P::operand(Node, I)).dense && ...)) return traits::has_part;
    else return false;
  }();
  // Whether this has read all of its operands when it begins to write.
  static constexpr bool reads_first = [] {
    if constexpr (is_part) return traits::reads_first;
    else return false;
  }();
  static auto run(const frame<P>& fr) {
    if constexpr (P::kind(Node).is(fact::remembers))
      return K::run(*fr.history, attributes_of<P, Node>(), writable(view_at<P, Node + O>(fr))..., view_at<P, P::operand(Node, I)>(fr)...);
    else return K::run(attributes_of<P, Node>(), writable(view_at<P, Node + O>(fr))..., view_at<P, P::operand(Node, I)>(fr)...);
  }
  // With the loop behind it on every tile.
  static void run_tiled(const frame<P>& fr) {
    const tile_loop then = tiled_step<P, P::value(Node).step>::loop_of(fr);
    if constexpr (is_part)
      K::run_part(attributes_of<P, Node>(), dense_view_at<P, Node, T>(fr),
                  dense_view_at<P, P::operand(Node, I), const element_at<P, P::operand(Node, I)>>(fr)..., then);
    else
      K::run(attributes_of<P, Node>(), writable(view_at<P, Node>(fr)), view_at<P, P::operand(Node, I)>(fr)..., then);
  }
  [[gnu::always_inline]] static void run_part(const frame<P>& fr) {
    K::run_part(attributes_of<P, Node>(), dense_view_at<P, Node, T>(fr),
                dense_view_at<P, P::operand(Node, I), const element_at<P, P::operand(Node, I)>>(fr)...);
  }
};

template <class P, int Node>
using kernel_of = node_kernel<P, Node, std::make_integer_sequence<int, outputs_in_prepared(P::graph, Node)>,
                              std::make_integer_sequence<int, P::operand_count(Node)>>;

template <class P, int Node>
[[gnu::always_inline]] inline void run_kernel(frame<P>& fr) {
  using k = kernel_of<P, Node>;
  if constexpr (kernel_does_nothing<typename k::K, attributes_of<P, Node>>) return;
  else if constexpr (k::is_part) k::run_part(fr);
  else if constexpr (constexpr index symbol = late_extent_of<P, Node>(); symbol != dyn) fr.extents[symbol_number(symbol)] = k::run(fr);
  else k::run(fr);
}

// Runs a node with bodies. Defined in eval/control.hpp.
template <class P, int Node>
[[gnu::always_inline]] inline void run_control(const frame<P>& fr);

template <class P, int S>
[[gnu::always_inline]] inline void run_single_step(frame<P>& fr) {
  using s = step<P, S>;
  if constexpr (s::plan.together == 0 || copies_onto_itself<P>(S)) return;
  else if constexpr (s::plan.together > 1) run_joined<P, S>(fr);
  else if constexpr (s::plan.kind == step_kind::loop) run_loop_step<s>(fr);
  else if constexpr (s::plan.kind == step_kind::reduction) run_reduction_step<s>(fr);
  else if constexpr (s::plan.kind == step_kind::control) run_control<P, s::root(0)>(fr);
  else run_kernel<P, s::root(0)>(fr);
  if constexpr (P::plan.any_late) evaluate_extents_after<P, S>(fr);
}

// Together with those that follow, where items can pass through all of them.
template <class P, int S>
[[gnu::always_inline]] inline void run_step(frame<P>& fr) {
  constexpr int together = item_runs<P>::length[at(S)];
  if constexpr (together == 1) {
    // The loop has run already if it could follow each tile.
    if constexpr (S > 0)
      if constexpr (tiled_step<P, S - 1>::exists)
        if (tiled_step<P, S - 1>::agrees(fr)) return;
    if constexpr (tiled_step<P, S>::exists)
      if (tiled_step<P, S>::agrees(fr)) return kernel_of<P, P::plan.steps.items[S].space>::run_tiled(fr);
    run_single_step<P, S>(fr);
  } else if constexpr (together > 1) {
    using items = item_run<P, S, together>;
    if (items::agrees(fr)) [[likely]] return items::run(fr);
    [&]<int... K>(std::integer_sequence<int, K...>) { (run_single_step<P, S + K>(fr), ...); }(std::make_integer_sequence<int, together>());
  }
}

template <class P, int First, int... S>
[[gnu::always_inline]] inline void run_chunk(frame<P>& fr, std::integer_sequence<int, S...>) {
  (run_step<P, First + S>(fr), ...);
}

template <class P, int First, int... S>
[[gnu::noinline]] void run_chunk_apart(frame<P>& fr, std::integer_sequence<int, S...> steps) {
  run_chunk<P, First>(fr, steps);
}

// In functions of their own where the frame is in memory anyway: one function with all the loops of a large program takes
// compilers several times as long.
inline constexpr int chunk_apart = 16;

// What is left of Count from First on, up to Length.
template <int First, int Length, int Count>
using part_of_count = std::make_integer_sequence<int, (Count - First < Length ? Count - First : Length)>;

template <class P, bool Apart, int... C>
[[gnu::always_inline]] inline void run_chunks(frame<P>& fr, std::integer_sequence<int, C...>) {
  constexpr int count = P::plan.size.steps;
  if constexpr (Apart) (run_chunk_apart<P, C * chunk_apart>(fr, part_of_count<C * chunk_apart, chunk_apart, count>()), ...);
  else (run_chunk<P, C * chunk>(fr, part_of_count<C * chunk, chunk, count>()), ...);
}

template <class P, bool FrameInMemory = false>
[[gnu::always_inline]] inline void run_steps(frame<P>& fr) {
  constexpr int count = P::plan.size.steps;
  constexpr bool apart = FrameInMemory && count > chunk_apart;
  constexpr int length = apart ? chunk_apart : chunk;
  if constexpr (count <= length) run_chunk<P, 0>(fr, std::make_integer_sequence<int, count>());
  else run_chunks<P, apart>(fr, std::make_integer_sequence<int, (count + length - 1) / length>());
}

template <class P, int Slot>
std::size_t slot_bytes(const frame<P>& fr) {
  constexpr planned_slot slot = P::plan.buffers.items[Slot];
  if constexpr (slot.bytes >= 0) return aligned_size(static_cast<std::size_t>(slot.bytes));
  else return aligned_size(static_cast<std::size_t>(fr.template size_of<slot.like>()) * sizeof(element_at<P, slot.like>));
}

template <class P, int Slot>
inline constexpr bool slot_has_strings = P::dtype_at(P::plan.buffers.items[Slot].like) == dtype::string;

// Strings in the workspace are objects, which have to be made and destroyed.
template <class P, int Slot, bool Strings = slot_has_strings<P, Slot>>
struct slot_objects {
  explicit slot_objects(const frame<P>&) {}
};
template <class P, int Slot>
struct slot_objects<P, Slot, true> {
  std::string* first;
  index n;
  explicit slot_objects(const frame<P>& fr)
      : first(static_cast<std::string*>(fr.buffers[Slot])), n(fr.template size_of<P::plan.buffers.items[Slot].like>()) {
    std::uninitialized_default_construct_n(first, n);
  }
  ~slot_objects() { std::destroy_n(first, n); }
};
// Not a tuple: with a hundred slots its types take seconds to instantiate.
template <class P, int... Slot>
struct all_slot_objects : slot_objects<P, Slot>... {
  explicit all_slot_objects(const frame<P>& fr) : slot_objects<P, Slot>(fr)... {}
};

// A slot on the stack.
template <class P, int Slot>
struct stack_slot {
  static constexpr index bytes = P::plan.buffers.items[Slot].bytes;
  alignas(inline_alignment(static_cast<std::size_t>(bytes), 1)) char memory[array_bound(bytes)];
};
template <class P, class Slots>
struct all_stack_slots;
template <class P, int... Slot>
struct all_stack_slots<P, std::integer_sequence<int, Slot...>> : stack_slot<P, Slot>... {};

template <class P, int... Slot>
void run_with_workspace(frame<P>& fr, std::integer_sequence<int, Slot...>) {
  std::size_t offset[] = {slot_bytes<P, Slot>(fr)..., 0};
  std::size_t total = 0;
  for (auto& o : offset) total += std::exchange(o, total);
  workspace memory(total);
  ((fr.buffers[Slot] = memory.data() + offset[Slot]), ...);
  if constexpr ((slot_has_strings<P, Slot> || ...)) {
    const all_slot_objects<P, Slot...> objects(fr);
    run_steps<P, true>(fr);
  } else {
    run_steps<P, true>(fr);
  }
}

// Small static needs are met on the stack.
template <class P, class Slots = std::make_integer_sequence<int, P::plan.size.buffers>>
inline constexpr bool runs_on_stack = false;
template <class P, int... Slot>
inline constexpr bool runs_on_stack<P, std::integer_sequence<int, Slot...>> =
    ((P::plan.buffers.items[Slot].bytes >= 0) && ...) && (index{0} + ... + P::plan.buffers.items[Slot].bytes) <= 4096;

template <class P, int... Slot>
[[gnu::always_inline]] inline void run_on_stack(frame<P>& fr, std::integer_sequence<int, Slot...> buffers) {
  all_stack_slots<P, decltype(buffers)> memory;
  ((fr.buffers[Slot] = static_cast<stack_slot<P, Slot>&>(memory).memory), ...);
  run_steps<P>(fr);
}

template <class P>
[[gnu::always_inline]] inline void execute_steps(frame<P>& fr) {
  using buffers = std::make_integer_sequence<int, P::plan.size.buffers>;
  if constexpr (P::plan.size.buffers == 0) run_steps<P>(fr);
  else if constexpr (runs_on_stack<P>) run_on_stack<P>(fr, buffers());
  else run_with_workspace<P>(fr, buffers());
}

// A history lives as long as the call.
template <class P>
void execute_with_history(frame<P>& fr) {
  call_history history;
  fr.history = &history;
  execute_steps<P>(fr);
  fr.history = nullptr;
}

}  // namespace detail

/// Runs all steps of a program whose frame has its pointers and extents.
template <class P>
[[gnu::always_inline]] inline void execute(frame<P>& fr) {
  // A run before this one may have told others.
  if constexpr (P::plan.any_late) detail::evaluate_extents(fr);
  if constexpr (P::remembers && !P::is_body) detail::execute_with_history<P>(fr);
  else detail::execute_steps<P>(fr);
}

}  // namespace jig

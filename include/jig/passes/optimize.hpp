// SPDX-License-Identifier: MIT
#pragma once
// The passes that every graph goes through before it runs.

#include <jig/passes/fold_branches.hpp>
#include <jig/passes/fold_constants.hpp>
#include <jig/passes/fold_transposes.hpp>
#include <jig/passes/merge_common_subexpressions.hpp>
#include <jig/passes/move_loop_invariants.hpp>
#include <jig/passes/simplify_arithmetic.hpp>
#include <jig/passes/tensor_arrays.hpp>

namespace jig {

/// The graph that runs in place of a traced one. Its results are the same, bit for bit.
template <class Graph = graph_view>
constexpr graph optimize(const std::type_identity_t<Graph>& g) {
  // All rules in one walk: what one of them makes, the others see at once.
  using all_rules = detail::rewriter<Graph, detail::known_control, detail::constants_folding, detail::algebra<false>,
                                     detail::transposes_into_products, detail::merging>;
  graph out = all_rules().run(g);
  if (detail::has_loops(out) && detail::move_once<Graph>(out)) {
    while (detail::move_once<Graph>(out)) {}
    // Both bodies of a loop may have computed the same.
    out = all_rules().run(out);
  }
  if (out.count(ops::new_array.name) == 0) return out;
  return lay_out_arrays(out);
}

namespace detail {

/// The passes of a trace: the standard ones, and behind them those of the user.
template <class... Pass>
struct passes_with {
  static constexpr graph run(const graph_view& g) {
    graph out = optimize<graph_view>(g);
    ((out = Pass{}(out.view())), ...);
    if constexpr (sizeof...(Pass) > 0) out = prune<graph_view>(out);
    return out;
  }
};
/// Nothing but what needs no pass: nodes that nobody needs do not run.
struct no_passes {
  static constexpr graph run(const graph_view& g) { return prune<graph_view>(g); }
};
/// The graph runs as it is.
struct as_traced {};

template <class Trace>
struct passes_of {
  using type = passes_with<>;
};
template <class Trace>
  requires requires { typename Trace::passes; }
struct passes_of<Trace> {
  using type = typename Trace::passes;
};

// Whether pools of these sizes have room for those of a graph.
constexpr bool holds(const graph_sizes& room, const graph_sizes& need) {
  return room.nodes >= need.nodes && room.edges >= need.edges && room.specs >= need.specs && room.attributes >= need.attributes &&
         room.integers >= need.integers && room.characters >= need.characters && room.words >= need.words && room.inputs >= need.inputs &&
         room.outputs >= need.outputs && room.bodies >= need.bodies && room.body_nodes >= need.body_nodes &&
         room.body_inputs >= need.body_inputs && room.body_outputs >= need.body_outputs;
}
// Room for what passes make of most graphs of this size.
constexpr graph_sizes usual_room(graph_sizes s) {
  const auto more = [](int& n) { n += n / 4 + 16; };
  more(s.nodes), more(s.edges), more(s.specs), more(s.attributes), more(s.integers), more(s.words);
  if (s.bodies > 0) more(s.body_nodes), more(s.body_inputs);
  return s;
}

// A graph as a constant, with room for pools of sizes S. It is empty when they do not suffice.
template <graph_sizes S>
struct graph_in_room {
  graph_sizes size;
  bool fits;
  static_graph<S> storage;
  constexpr graph_in_room(const graph& g) : size(sizes_of(g.view())), fits(holds(S, size)), storage(fits ? g.view() : graph_view()) {}
  constexpr graph_view view() const {
    const auto part = [](auto pool, int n) { return pool.first(static_cast<std::size_t>(n)); };
    const graph_view all = storage.view();
    return {part(all.nodes_, size.nodes),           part(all.edges_, size.edges),
            part(all.specs_, size.specs),           part(all.attributes_, size.attributes),
            part(all.integers_, size.integers),     part(all.characters_, size.characters),
            part(all.words_, size.words),           part(all.inputs_, size.inputs),
            part(all.outputs_, size.outputs),       part(all.bodies_, size.bodies),
            part(all.body_nodes_, size.body_nodes), part(all.body_inputs_, size.body_inputs),
            part(all.body_outputs_, size.body_outputs)};
  }
};

// The optimised graph of a trace as a constant. It is computed once when the usual room suffices.
template <class Trace>
struct optimized_graph_of {
 private:
  using passes = typename passes_of<Trace>::type;
  struct usual {
    static constexpr graph_in_room<usual_room(sizes_of(Trace::graph))> storage{passes::run(Trace::graph)};
  };
  struct exact {
    static constexpr graph_in_room<sizes_of(passes::run(Trace::graph).view())> storage{passes::run(Trace::graph)};
  };

 public:
  static constexpr graph_view graph = std::conditional_t<usual::storage.fits, usual, exact>::storage.view();
};

// What runs of a trace.
template <class Trace>
using running_graph_of = std::conditional_t<std::is_same_v<typename passes_of<Trace>::type, as_traced>, Trace, optimized_graph_of<Trace>>;

}  // namespace detail

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// The passes that every graph goes through before it runs.

#include <jig/passes/equal_extents.hpp>
#include <jig/passes/fold_branches.hpp>
#include <jig/passes/fold_constants.hpp>
#include <jig/passes/fold_transposes.hpp>
#include <jig/passes/merge_common_subexpressions.hpp>
#include <jig/passes/move_loop_invariants.hpp>
#include <jig/passes/simplify_arithmetic.hpp>
#include <jig/passes/tensor_arrays.hpp>

namespace jig {

namespace detail {

enum class optimizing : unsigned char { extents, rewrite, prune, move, arrays, done };

// What to do next with a graph, and what was done. Each step is small enough for the limits that compilers set to one constant
// evaluation.
struct optimizing_progress {
  optimizing next = optimizing::rewrite;
  bool moved = false;      // something out of a loop
  bool rewritten = false;  // behind that
};

constexpr optimizing_progress first_step(const graph_view& g) {
  return {may_have_equal_extents(g) ? optimizing::extents : optimizing::rewrite};
}

// One step, the next one: a constant, so that nothing is instantiated for others.
template <optimizing Next, class Graph>
constexpr graph optimize_further(const Graph& g, optimizing_progress& p) {
  const auto finish = [](const graph& out) { return out.count(ops::new_array.name) > 0 ? optimizing::arrays : optimizing::done; };
  graph out;
  if constexpr (Next == optimizing::extents) {
    out = use_equal_extents<Graph>(g);
    p.next = optimizing::rewrite;
  } else if constexpr (Next == optimizing::rewrite) {
    // All rules in one walk: what one of them makes, the others see at once.
    using all_rules = rewriter<Graph, known_control, constants_folding, algebra<false>, transposes_into_products<false>, merging>;
    out = all_rules().unpruned(g);
    p.next = out.bodies.empty() ? finish(out) : optimizing::prune;
  } else if constexpr (Next == optimizing::prune) {
    out = prune<Graph>(g);
    p.next = !p.rewritten && has_loops(out) ? optimizing::move : finish(out);
  } else if constexpr (Next == optimizing::move) {
    invariant_mover<Graph> mover;
    out = mover.run(g);
    // Bodies of a loop may have computed the same; one level of loops may be around another one.
    p.rewritten = p.moved && !mover.moved();
    p.moved = p.moved || mover.moved();
    p.next = p.rewritten ? optimizing::rewrite : mover.moved() ? optimizing::prune : finish(out);
  } else {
    out = lay_out_arrays(g);
    p.next = optimizing::done;
  }
  return out;
}

template <class Graph>
constexpr graph optimize_further(const Graph& g, optimizing_progress& p) {
  switch (p.next) {
    case optimizing::extents: return optimize_further<optimizing::extents>(g, p);
    case optimizing::rewrite: return optimize_further<optimizing::rewrite>(g, p);
    case optimizing::prune: return optimize_further<optimizing::prune>(g, p);
    case optimizing::move: return optimize_further<optimizing::move>(g, p);
    default: return optimize_further<optimizing::arrays>(g, p);
  }
}

}  // namespace detail

/// The graph that runs in place of a traced one. Its results are the same, bit for bit.
template <class Graph = graph_view>
constexpr graph optimize(const std::type_identity_t<Graph>& g) {
  detail::optimizing_progress p = detail::first_step(g);
  graph out = detail::optimize_further<Graph>(g, p);
  while (p.next != detail::optimizing::done) out = detail::optimize_further<Graph>(out, p);
  return out;
}

namespace detail {

/// The passes of a trace: the standard ones, if any, and behind them those of the user. Nodes that nobody needs never run.
template <bool Standard, class... Pass>
struct passes_with {};
/// The graph runs as it is.
struct as_traced {};

template <class Trace>
struct passes_of {
  using type = passes_with<true>;
};
template <class Trace>
  requires requires { typename Trace::passes; }
struct passes_of<Trace> {
  using type = typename Trace::passes;
};

// Room for what passes make of most graphs of this size.
constexpr graph_sizes usual_room(graph_sizes s) {
  const auto more = [](int& n) { n += n / 4 + 16; };
  more(s.nodes), more(s.edges), more(s.specs), more(s.attributes), more(s.integers), more(s.words);
  if (s.bodies > 0) more(s.body_nodes), more(s.body_inputs);
  return s;
}

// What a step makes of a graph, as a constant with room for pools of sizes S. When they do not suffice it is empty, and `size`
// says which would.
template <graph_sizes S, class Step>
struct graph_in_room {
  optimizing_progress next{};
  graph_sizes size{};
  bool fits = false;
  static_graph<S> storage;
  constexpr graph_in_room(const graph_view& from) : storage(make(from)) {}
  constexpr graph_view view() const { return storage.view(size); }

 private:
  constexpr static_graph<S> make(const graph_view& from) {
    const graph made = Step::run(from, next);
    size = sizes_of(made.view());
    fits = holds(S, size);
    if (!fits) return graph_view();
    return made.view();
  }
};

// What a step makes of `Source::graph`. It is computed once when the usual room suffices.
template <class Source, class Step>
struct graph_behind {
 private:
  struct usual {
    static constexpr graph_in_room<usual_room(sizes_of(Source::graph)), Step> storage{Source::graph};
  };
  struct exact {
    static constexpr graph_in_room<usual::storage.size, Step> storage{Source::graph};
  };
  using made = std::conditional_t<usual::storage.fits, usual, exact>;

 public:
  static constexpr graph_view graph = made::storage.view();
  static constexpr optimizing_progress next = made::storage.next;
};

template <optimizing_progress P>
struct optimizing_step {
  template <class Graph>
  static constexpr graph run(const Graph& g, optimizing_progress& next) {
    next = P;
    return optimize_further<P.next, Graph>(g, next);
  }
};
// False where constant evaluation of the graph failed, which has been said then: without it every step would say so once more.
template <class Graph>
concept is_evaluated = requires { typename std::bool_constant<Graph::next.next == optimizing::done>; };

template <class Source, optimizing_progress P = first_step(Source::graph)>
struct optimized_from {
  using step = graph_behind<Source, optimizing_step<P>>;
  template <class Step>
  static auto behind() {
    if constexpr (is_evaluated<Step>) return typename optimized_from<Step, Step::next>::type();
    else return Source();
  }
  using type = decltype(behind<step>());
};
template <class Source, optimizing_progress P>
  requires(P.next == optimizing::done)
struct optimized_from<Source, P> {
  using type = Source;
};

template <class Pass>
struct pass_of_user {
  static constexpr graph run(const graph_view& g, optimizing_progress&) { return Pass{}(g); }
};
struct pruning {
  template <class Graph>
  static constexpr graph run(const Graph& g, optimizing_progress&) {
    return prune<Graph>(g);
  }
};
template <class Source, class... Pass>
struct passed_on {
  using type = graph_behind<Source, pruning>;
};
template <class Source, class First, class... Rest>
struct passed_on<Source, First, Rest...> {
  using type = typename passed_on<graph_behind<Source, pass_of_user<First>>, Rest...>::type;
};

// The graph of a trace behind its passes.
template <class Trace, class Passes>
struct optimized_trace;
template <class Trace>
struct optimized_trace<Trace, passes_with<true>> : optimized_from<Trace>::type {};
template <class Trace, class... Pass>
struct optimized_trace<Trace, passes_with<false, Pass...>> : passed_on<Trace, Pass...>::type {};
template <class Trace, class First, class... Pass>
struct optimized_trace<Trace, passes_with<true, First, Pass...>> : passed_on<typename optimized_from<Trace>::type, First, Pass...>::type {};
template <class Trace>
using optimized_graph_of = optimized_trace<Trace, typename passes_of<Trace>::type>;

// What runs of a trace.
template <class Trace>
using running_graph_of = std::conditional_t<std::is_same_v<typename passes_of<Trace>::type, as_traced>, Trace, optimized_graph_of<Trace>>;

}  // namespace detail

}  // namespace jig

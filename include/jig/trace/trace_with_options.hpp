// SPDX-License-Identifier: MIT
#pragma once
// What options make of a graph: of a trace, in constant evaluation, and of a graph that was made at run time.

#include <jig/passes/check_numerics.hpp>
#include <jig/passes/optimize.hpp>
#include <jig/trace/options.hpp>

namespace jig::detail {

constexpr message unroll_refusal(std::string_view declaration, int most) {
  message m;
  m << function_name(declaration) << ": unrolled: the loops make more than " << most << " trips in all: allow more with unrolled<N>()";
  return m;
}
template <text Name, int Most>
struct unroll_reason {
  static constexpr message sentence = unroll_refusal(Name.view(), Most);
};

template <int Most>
struct unrolling {
  static constexpr graph run(const graph_view& g, optimizing_progress&) { return unroll(g, Most); }
};
struct checking {
  template <class Graph>
  static constexpr graph run(const Graph& g, optimizing_progress&) {
    return check_numerics<Graph>(g);
  }
};

/// A trace with another graph, which computes the same, or with other passes.
template <class Trace, class O>
struct trace_with_options;
template <class Trace, option_values V, class... Pass>
struct trace_with_options<Trace, options<V, types<>, types<Pass...>>> : Trace {
 private:
  template <class Source>
  struct checked {
    static_assert(!has_varying_extents(Source::graph),
                  "jig: check_numerics: a function whose loops have shape invariants runs op by op, without these checks");
    using type = graph_behind<typename passed_on<Source, Pass...>::type, checking>;
  };
  using loops = std::conditional_t<(V.unrolled_trips < 0), Trace, graph_behind<Trace, unrolling<V.unrolled_trips>>>;
  using source = typename std::conditional_t<V.checked_numerics, checked<loops>, std::type_identity<loops>>::type;

 public:
  /// The graph as it was traced, with its loops unrolled and its values checked.
  static constexpr graph_view graph = source::graph;
  using passes = std::conditional_t<V.checked_numerics, passes_with<false>, passes_with<!V.without_passes, Pass...>>;
  /// Whether the lambda runs op by op in place of the graph.
  static constexpr bool runs_eagerly = V.eager;
  static constexpr bool is_concurrent = V.concurrent;
};

/// The trace that runs: with options that say nothing of graphs the one of the lambda itself.
template <class Trace, class O>
using traced_with = std::conditional_t<std::is_same_v<O, options<>>, Trace, trace_with_options<Trace, O>>;

// In calls the lambda may run in place of the graph, unless only the graph does what is asked for.
template <class Trace>
constexpr option_values values_of_call(option_values v) {
  const bool eager = v.eager && !v.checked_numerics && !Trace::differentiates;
  v = values_of_graph(v);
  v.eager = eager;
  return v;
}
/// The options of a call of a trace.
template <class O, class Trace>
using options_of_call = options<values_of_call<Trace>(O::values), types<>, typename O::passes>;

/// What traceable_for says, where options ask for nothing that the graph cannot be.
template <class F, text Name, class O, class... Key, class Traceable>
constexpr auto possible_with(Traceable traceable) {
  constexpr int trips = O::values.unrolled_trips;
  if constexpr (trips >= 0 && !is_refused<Traceable>) {
    if constexpr (!can_unroll(trace<F, Name, Key...>::graph, trips)) return refuse<unroll_reason<Name, trips>>();
    else return traceable;
  } else {
    return traceable;
  }
}

}  // namespace jig::detail

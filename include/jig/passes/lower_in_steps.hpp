// SPDX-License-Identifier: MIT
#pragma once
// Lowering as constants: of a small graph in one constant evaluation, of a large one in several.

#include <jig/passes/lower.hpp>
#include <jig/passes/optimize.hpp>

namespace jig::detail {

// A pass over `graph_behind`, for arguments of which `Known` tells.
template <class Known, class Pass>
struct lowering_step {
  template <class Graph>
  static constexpr graph run(const Graph& g, optimizing_progress&) {
    graph made = Pass::template run<Graph>(g, Known::arguments());
    if (made.size() == 0) made = prune<Graph>(g);
    return made;
  }
};

// Graphs of so many nodes are lowered in steps.
inline constexpr int nodes_lowered_at_once = 160;

// `Source::graph` behind passes, each evaluated by itself.
template <class Source, class Known, class... Pass>
struct lowered_behind {
  using type = Source;
};
template <class Source, class Known, class First, class... Rest>
struct lowered_behind<Source, Known, First, Rest...> {
  static auto behind() {
    if constexpr (First::may_change(Source::graph)) return graph_behind<Source, lowering_step<Known, First>>();
    else return Source();
  }
  using type = typename lowered_behind<decltype(behind()), Known, Rest...>::type;
};

// All passes one by one but those that arrange, which are together.
template <class Source, class Known, class Loops>
struct lowered_one_by_one;
template <class Source, class Known, class... Pass>
struct lowered_one_by_one<Source, Known, pass_list<Pass...>> : lowered_behind<Source, Known, arranging_passes, Pass..., values_in_memory> {
};

/// What a program runs of `Source::graph`, as its `graph`.
template <class Source, class Known>
struct lowered_from {
  static constexpr bool scalars = may_have_scalars(Source::graph), at_once = Source::graph.size() <= nodes_lowered_at_once;
  using type = typename std::conditional_t<at_once, lowered_behind<Source, Known, passes_of_lowering<scalars>>,
                                           lowered_one_by_one<Source, Known, passes_of_loops<scalars>>>::type;
};

}  // namespace jig::detail

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

/// What a program runs of `Source::graph`, as its `graph`.
template <class Source, class Known>
struct lowered_from {
  static constexpr bool scalars = may_have_scalars(Source::graph);
  static auto passes() {
    if constexpr (Source::graph.size() <= nodes_lowered_at_once)
      return lowered_behind<Source, Known, pass_list<arranging_passes, passes_of_loops<scalars>, values_in_memory>>();
    else if constexpr (scalars)
      return lowered_behind<Source, Known, arranging_passes, lowered_elements, reads_of_paddings, packed_superwords, values_in_memory>();
    else return lowered_behind<Source, Known, arranging_passes, reads_of_paddings, values_in_memory>();
  }
  using type = typename decltype(passes())::type;
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Wildcard extents that a graph compares are most often equal: two vectors of one length, the even and the odd places of a vector of even
// length. Where that makes less of what runs, there is a second program in which they are one extent. A call looks whether they are
// equal, and else runs the program for any extents.

#include <jig/eval/call_arguments.hpp>
#include <jig/eval/equated_extents.hpp>
#include <jig/eval/program.hpp>

namespace jig::detail {

/// What a call of program P compares, and the extents of its arguments when all of that is equal.
template <class P>
class equal_wildcards {
  static constexpr int arguments = P::arguments;
  struct found {
    bool pays = false;
    shape shapes[array_bound(arguments)] = {};
    extent_fact needed[array_bound(P::plan.size.sources)] = {};  // by source, of the extent that it is the same as
  };
  static constexpr found known = [] {
    found out;
    const plan_view p = P::plan.view(P::graph);
    const equated_extents extents(p, P::plan.symbols);
    out.pays = extents.pay();
    for (int k = 0; k < arguments; ++k) out.shapes[k] = extents.now(P::extents(P::graph.inputs()[at(k)]));
    for (int s = 0; s < P::plan.size.sources; ++s) out.needed[s] = extents.needed(P::plan.sources.items[s].symbol);
    return out;
  }();

 public:
  /// Whether the program in which they are one does less.
  static constexpr bool pays = known.pays;
  static constexpr given_extents argument_extents{stretch<shape>(known.shapes, at(arguments)), {known.needed, at(P::plan.size.sources)}};

  /// Whether they are, in a call with these arguments.
  template <class Leaves>
  [[gnu::always_inline]] static bool agree(Leaves& leaves) {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return (agrees<S>(leaves) && ...);
    }(std::make_integer_sequence<int, P::plan.size.sources>());
  }

 private:
  template <int S, class Leaves>
  [[gnu::always_inline]] static index extent_of(Leaves& leaves) {
    constexpr extent_source s = P::plan.sources.items[S];
    const auto& leaf = detail::object_at<at(s.input)>(leaves);
    const auto seen = argument<std::remove_cvref_t<decltype(leaf)>>::bind(leaf);
    constexpr bool reversed = [] {
      if constexpr (requires { P::trace::is_column_major(s.input); }) return P::trace::is_column_major(s.input);
      else return false;
    }();
    return seen.extent(reversed ? seen.rank() - 1 - s.axis : s.axis);
  }
  static constexpr int source_of(index symbol) {
    int s = 0;
    while (P::plan.sources.items[s].symbol != symbol) ++s;
    return s;
  }
  template <int S, class Leaves>
  [[gnu::always_inline]] static bool agrees(Leaves& leaves) {
    constexpr extent_fact needed = known.needed[S];
    constexpr index same = needed.extent;
    if constexpr (same == P::plan.sources.items[S].symbol) {
      if constexpr (needed.multiple == 1 && needed.least == 0) return true;
      else return extent_of<S>(leaves) % needed.multiple == 0 && extent_of<S>(leaves) >= needed.least;
    } else if constexpr (is_static_extent(same)) return extent_of<S>(leaves) == same;
    else return extent_of<S>(leaves) == extent_of<source_of(same)>(leaves);
  }
};

/// The trace of a program whose equal wildcards are one extent.
template <class P>
struct equated_trace : P::trace {
  static constexpr given_extents argument_extents = equal_wildcards<P>::argument_extents;
  struct equating {
    static constexpr jig::graph run(const graph_view& g, optimizing_progress&) {
      return use_equal_extents<graph_view>(g, argument_extents);
    }
  };
  using passes = as_traced;
  static constexpr const graph_view& graph =
      optimized_from<graph_behind<running_graph_of<typename P::trace>, equating>, optimizing_progress{}>::type::graph;
};

/// A trace that is called with equal wildcards.
template <class Trace>
struct trace_of_equal : Trace {
  using passes = as_traced;
  static constexpr const graph_view& graph = running_graph_of<Trace>::graph;
};
template <class Trace, bool ColumnMajor, class Arguments, class Results, char... Dense>
struct program_of_layouts<trace_of_equal<Trace>, ColumnMajor, Arguments, Results, Dense...> {
  using type = program<equated_trace<typename program_of_layouts<Trace, ColumnMajor, Arguments, Results, Dense...>::type>, Dense...>;
};

}  // namespace jig::detail

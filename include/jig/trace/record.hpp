// SPDX-License-Identifier: MIT
#pragma once
// Recording: a lambda is run once for every way through it, and one graph is made of the runs.

#include <jig/trace/lower.hpp>

namespace jig::detail {

struct recorded_graph {
  jig::graph graph;
  trace_failure failure = trace_failure::none;
};

// The most ways through a lambda that are followed.
inline constexpr int most_paths = 64;

// Records all ways through a lambda and makes one graph of them.
template <class Record, class Recordings = recordings>
constexpr recorded_graph record_all(Record record) {
  Recordings runs;
  list<char> decisions;
  while (true) {
    builder& b = runs.add();
    b.decisions = decisions;
    record(b);
    if (b.failure != trace_failure::none) return {{}, b.failure};
    if (b.events.empty()) return {std::move(b.graph), trace_failure::none};
    decisions = b.decisions;
    while (!decisions.empty() && !decisions.back()) decisions.pop_back();
    if (decisions.empty()) break;
    decisions.back() = 0;
    if (runs.size() == most_paths) return {{}, trace_failure::too_many_paths};
  }
  structure_of_runs structure(runs);
  if (structure.failure != trace_failure::none) return {{}, structure.failure};
  lowering to_graph(runs, structure);
  recorded_graph out;
  out.graph = to_graph.run();
  out.failure = to_graph.failure;
  return out;
}

}  // namespace jig::detail

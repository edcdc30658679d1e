// SPDX-License-Identifier: MIT
#pragma once
// Recording: a lambda is run once for every way through it, and one graph is made of the runs.

#include <jig/trace/differentiate.hpp>
#include <jig/trace/lower.hpp>

namespace jig::detail {

struct recorded_graph {
  jig::graph graph;
  trace_failure failure = trace_failure::none;
  bool differentiates = false;
  bool has_custom_gradient = false;
};

// The most ways through a lambda that are followed.
inline constexpr int most_paths = 64;

// Records all ways through a lambda and makes one graph of them.
template <class Record, class Recordings = recordings>
constexpr recorded_graph record_structure(Record record) {
  Recordings runs;
  list<char> decisions;
  recorded_graph out;
  while (true) {
    builder& b = runs.add();
    b.decisions = decisions;
    record(b);
    out.differentiates = out.differentiates || b.differentiates;
    out.has_custom_gradient = out.has_custom_gradient || b.has_custom_gradient;
    out.failure = b.failure;
    if (b.failure != trace_failure::none) return out;
    if (b.events.empty()) {
      out.graph = std::move(b.graph);
      return out;
    }
    decisions = b.decisions;
    while (!decisions.empty() && !decisions.back()) decisions.pop_back();
    if (decisions.empty()) break;
    decisions.back() = 0;
    if (runs.size() == most_paths) {
      out.failure = trace_failure::too_many_paths;
      return out;
    }
  }
  structure_of_runs structure(runs);
  out.failure = structure.failure;
  if (structure.failure != trace_failure::none) return out;
  lowering to_graph(runs, structure);
  out.graph = to_graph.run();
  out.failure = to_graph.failure;
  return out;
}

// The same with the gradients that the lambda asks for. Where they cannot be made, says why.
template <class Record, class Recordings = recordings>
constexpr recorded_graph record_all(Record record, message* why = nullptr) {
  recorded_graph out = record_structure<Record, Recordings>(record);
  if (!(out.differentiates || out.has_custom_gradient) || out.failure != trace_failure::none) return out;
  auto made = differentiate(out.graph.view(), why);
  out.graph = std::move(made.graph);
  out.failure = made.failure;
  if (out.differentiates && has_varying_extents(out.graph.view())) {
    if (why) *why << "gradient: a function that has loops with shape invariants runs op by op, and cannot take gradients";
    out.failure = trace_failure::no_gradient;
  }
  return out;
}

}  // namespace jig::detail

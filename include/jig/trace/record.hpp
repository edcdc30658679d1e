// SPDX-License-Identifier: MIT
#pragma once
// Recording: a lambda is run once for every way through it, and one graph is made of the runs.

#include <jig/passes/differentiate.hpp>
#include <jig/trace/lower.hpp>
#include <jig/trace/rerun.hpp>

namespace jig::detail {

struct recorded_graph {
  jig::graph graph;
  trace_failure failure = trace_failure::none;
  jig::unfit_literal unfit{};
  bool differentiates = false;
  bool has_custom_gradient = false;
  bool has_blocks = false;  // whether it has loops or blocks of JIG_IF, which are recorded once
  bool joined = false;      // whether the graph is there, since there is one way only
};

// The most ways through a lambda that are followed.
inline constexpr int most_paths = 64;

// Records all ways through a lambda, as far as nothing fails.
template <class Recordings, class Record>
constexpr void record_ways(Recordings& runs, recorded_graph& out, Record record) {
  list<char> decisions;
  while (true) {
    builder& b = runs.add();
    b.decisions = decisions;
    record(b);
    out.differentiates = out.differentiates || b.differentiates;
    out.has_custom_gradient = out.has_custom_gradient || b.has_custom_gradient;
    for (const auto& e : b.events)
      out.has_blocks = out.has_blocks || e.kind == event_kind::loop || e.kind == event_kind::while_loop || e.kind == event_kind::branch;
    out.failure = b.failure;
    out.unfit = b.unfit;
    if (b.failure != trace_failure::none) return;
    if (b.events.empty()) {
      out.graph = std::move(b.graph);
      out.joined = true;
      return;
    }
    decisions = b.decisions;
    while (!decisions.empty() && !decisions.back()) decisions.pop_back();
    if (decisions.empty()) return;
    decisions.back() = 0;
    if (runs.size() == most_paths) {
      out.failure = trace_failure::too_many_paths;
      return;
    }
  }
}

/// How far the reruns of a lambda got.
struct rerun_progress {
  trace_failure failure = trace_failure::none;
  int next = -1;  // the number of the rerun to begin with next time; -1: there are no more
};

// Runs the lambda on all its ways again, with blocks left out and repeated, and says whether it computes with C++ variables that
// they change. Begins with rerun number `first`, ends when so many nodes have been recorded.
template <class Recordings, class Record>
constexpr rerun_progress run_again(const Recordings& runs, Record record, int first, int most_nodes) {
  rerun_progress progress;
  int number = 0;
  for (int way = 0; way < runs.size(); ++way) {
    rerun again(runs, way);
    auto run = [&](rerun_kind kind, int depth = 0, int bit = -1) {
      if (progress.failure != trace_failure::none || progress.next >= 0 || number++ < first) return;
      if (most_nodes <= 0) {
        progress.next = number - 1;
        return;
      }
      again.prepare(kind, depth, bit);
      Recordings one;
      builder& b = one.add();
      b.decisions = runs[way].decisions;
      b.again = &again;
      record(b);
      most_nodes -= b.graph.size();
      if (b.failure != trace_failure::none || !again.has_recorded_the_same(b)) progress.failure = trace_failure::native_change;
    };
    if (again.has_loops()) run(rerun_kind::repeated);
    for (int depth = 0; depth < again.deepest(); ++depth) {
      for (int bit = 0; again.blocks_at(depth) >> bit != 0; ++bit) run(rerun_kind::without_first, depth, bit);
      if (again.branches_at(depth)) run(rerun_kind::without_second, depth);
    }
  }
  return progress;
}

// The same from the start, in one constant evaluation, whose steps compilers limit: Clang to a million.
template <class Recordings, class Record>
constexpr rerun_progress record_again(Record record, int first) {
#ifdef __clang__
  constexpr int most_nodes = 500;
#else
  constexpr int most_nodes = 2000;
#endif
  Recordings runs;
  recorded_graph out;
  record_ways(runs, out, record);
  return run_again(runs, record, first, most_nodes);
}

// Whether a graph is to be made of several ways, or gradients of one.
constexpr bool is_unfinished(const recorded_graph& r) {
  return r.failure == trace_failure::none && (!r.joined || r.differentiates || r.has_custom_gradient);
}

// Room for what joining and gradients make of most recordings.
template <class Recordings>
constexpr graph_sizes sizes_behind(const Recordings& runs, const recorded_graph& r) {
  using sizes = graph_sizes;
  sizes out = sizes_of(r.joined ? r.graph.view() : runs.graph(0));
  const auto add = [&](auto... pool) {
    for (int run = 1; run < runs.size(); ++run) {
      const sizes more = sizes_of(runs.graph(run));
      ((out.*pool += more.*pool), ...);
    }
    ((out.*pool = 3 * out.*pool + 16), ...);
  };
  add(&sizes::nodes, &sizes::edges, &sizes::specs, &sizes::attributes, &sizes::integers, &sizes::characters, &sizes::words,
      &sizes::outputs);
  if (!r.joined) out.bodies = out.body_nodes = out.body_inputs = out.body_outputs = out.nodes;
  if (out.bodies > 0) add(&sizes::bodies, &sizes::body_nodes, &sizes::body_inputs, &sizes::body_outputs);
  return out;
}

// Makes one graph of all ways.
template <class Recordings>
constexpr void join_ways(const Recordings& runs, recorded_graph& out) {
  if (out.failure != trace_failure::none || out.joined) return;
  structure_of_runs structure(runs);
  out.failure = structure.failure;
  if (structure.failure != trace_failure::none) return;
  lowering to_graph(runs, structure);
  out.graph = to_graph.run();
  out.failure = to_graph.failure;
}

// Makes the gradients that the lambda asks for. Where they cannot be made, says why.
template <class Recorded>
constexpr void make_gradients(Recorded& out, message* why) {
  if (!(out.differentiates || out.has_custom_gradient) || out.failure != trace_failure::none) return;
  auto made = differentiate(out.graph.view(), why, std::is_constant_evaluated() ? most_nodes_for_gradients : 0);
  out.graph = std::move(made.graph);
  if (made.failed) out.failure = made.too_large ? trace_failure::large_gradient : trace_failure::no_gradient;
  if (out.differentiates && has_varying_extents(out.graph.view())) {
    if (why) *why << "gradient: a function that has loops with shape invariants runs op by op, and cannot take gradients";
    out.failure = trace_failure::no_gradient;
  }
}

// The graph of a lambda.
template <class Record>
constexpr recorded_graph record_all(Record record, message* why = nullptr) {
  recordings runs;
  recorded_graph out;
  record_ways(runs, out, record);
  join_ways(runs, out);
  make_gradients(out, why);
  return out;
}

}  // namespace jig::detail

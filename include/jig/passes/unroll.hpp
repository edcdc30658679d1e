// SPDX-License-Identifier: MIT
#pragma once
// Unrolling: a loop whose number of trips follows from constants becomes that many copies of its body.

#include <jig/passes/evaluate.hpp>

namespace jig {

namespace detail {

class unroller {
 public:
  constexpr explicit unroller(int most) : most_(most) {}

  constexpr void run(const graph_view& g) {
    for (const auto& e : copy(g, {})) out_.output_edges.push_back(e);
  }
  constexpr graph done() { return std::move(out_); }
  constexpr bool too_many() const { return trips_ > most_; }

 private:
  // How many trips a loop makes, as far as these are allowed; -1 where only a call knows.
  constexpr int trips_of(const graph_view& g, const node_view& loop, const list<edge>& inputs) const {
    const graph_view condition = g.body(loop, "cond"), body = g.body(loop, "body");
    list<known_bits> now;
    for (const auto& e : inputs) now.push_back(e.port == 0 ? known_[e.node] : known_bits());
    for (int trips = 0;; ++trips) {
      const known_bits again = known_results(condition, now)[0];
      if (!again.known) return -1;
      if (again.bits == 0 || trips_ + trips > most_) return trips;
      const list<known_bits> next = known_results(body, now);
      for (std::size_t k = 0; k < next.size(); ++k) now[k] = next[k];
    }
  }

  constexpr void note(int id) {
    known_.push_back(known_scalar(out_.view(), id, [&](const edge& e) { return e.port == 0 ? known_[e.node] : known_bits(); }));
  }

  // Copies all nodes and returns the results. Arguments of a body are edges of the graph around it; without any they are nodes.
  constexpr list<edge> copy(const graph_view& g, const list<edge>& arguments) {
    list<edge> now;   // of all outputs of all nodes
    list<int> first;  // output of a node
    auto renamed = [&](const edge& e) { return now[first[e.node] + e.port]; };
    std::size_t argument = 0;
    for (int id = 0; id < g.size(); ++id) {
      const auto n = g.node(id);
      first.push_back(static_cast<int>(now.size()));
      if (n.kind().is(fact::input) && !arguments.empty()) {
        for (std::size_t k = 0; k < g.inputs().size(); ++k)
          if (g.inputs()[k] == id) argument = k;
        now.push_back(arguments[argument]);
        continue;
      }
      list<edge> inputs;
      for (const auto& e : n.inputs()) inputs.push_back(renamed(e));
      const bool loop = n.kind().is(fact::control) && !n.attribute("cond").key.empty();
      const int trips = loop ? trips_of(g, n, inputs) : -1;
      if (trips >= 0) {
        for (const auto& e : run_trips(g, n, inputs, trips)) now.push_back(e);
        // What a loop without results would give is nobody's.
        if (static_cast<int>(now.size()) == first[id]) now.push_back({});
        continue;
      }
      const int made = copy_node(out_, g, id, renamed, [&](graph&, const graph_view& body) { return copy_as_body(body); });
      note(made);
      for (int port = 0; port < n.outputs(); ++port) now.push_back({made, port});
    }
    for (std::size_t k = 0; k < g.inputs().size() && arguments.empty(); ++k)
      out_.input_nodes.push_back(renamed(edge{g.inputs()[k], 0}).node);
    list<edge> results;
    for (const auto& e : g.outputs()) results.push_back(renamed(e));
    return results;
  }
  constexpr list<edge> run_trips(const graph_view& g, const node_view& loop, list<edge> now, int trips) {
    trips_ += trips;
    const graph_view body = g.body(loop, "body");
    for (int t = 0; t < trips && !too_many(); ++t) {
      const list<edge> next = copy(body, now);
      for (std::size_t k = 0; k < next.size(); ++k) now[k] = next[k];
    }
    list<edge> results;
    for (std::size_t k = 0; k < body.outputs().size(); ++k) results.push_back(now[k]);
    return results;
  }
  constexpr int copy_as_body(const graph_view& body) {
    auto around = out_.begin_body();
    list<known_bits> known = std::exchange(known_, {});
    for (const auto& e : copy(body, {})) out_.output_edges.push_back(e);
    known_ = std::move(known);
    return out_.end_body(std::move(around));
  }

  int most_, trips_ = 0;
  graph out_;
  list<known_bits> known_;  // of the nodes of out_
};

inline void a_graph_has_too_many_trips_to_unroll() {
  throw_invalid_argument("unroll: the loops make more trips in all than may be copied");
}

}  // namespace detail

/// How many trips of loops unroll copies unless it is told otherwise.
inline constexpr int most_unrolled_trips = 128;

/// Whether unroll may copy all trips of the loops whose number follows from constants.
constexpr bool can_unroll(const graph_view& g, int most_trips = most_unrolled_trips) {
  detail::unroller u(most_trips);
  u.run(g);
  return !u.too_many();
}

/// The graph with copies of its body in place of each loop whose number of trips follows from constants, those of bodies
/// included. Other loops stay.
/// Errors: throws invalid_argument when there would be more than `most_trips` copies in all.
constexpr graph unroll(const graph_view& g, int most_trips = most_unrolled_trips) {
  detail::unroller u(most_trips);
  u.run(g);
  if (u.too_many()) detail::a_graph_has_too_many_trips_to_unroll();
  return u.done();
}

}  // namespace jig

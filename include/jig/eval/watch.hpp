// SPDX-License-Identifier: MIT
#pragma once
// What of a program jig/profile.hpp watches while it runs. Programs of other traces never name it: their calls stay what they are.

#include <jig/eval/program.hpp>
#include <jig/ops/control.hpp>

#include <type_traits>

namespace jig::detail {

/// A trace whose calls are watched.
template <class Trace>
struct watched_trace : Trace {
  static constexpr bool is_watched = true;
};

/// What watches a program, defined in profile/watch.hpp: `begin` and `end` of a run, `lap<R>` behind region R; `chunk<R>` and `tile<R>` are
/// objects that watch the steps of a region.
template <class P>
struct watch;

/// Flops of one run of a node, where `extents` tells the shape of every node; -1 where it does not tell all of them.
template <class Extents>
constexpr index flops_of_node(const graph_view& g, int v, const Extents& extents) {
  const node_data& n = g.data(v);
  if (n.kind->is(fact::input | fact::constant | fact::view) || n.kind->is(fact::control)) return 0;
  node_facts facts(g, v);
  const auto inputs = g.inputs_of(v);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].port == 0) facts.inputs()[i].shape = extents(inputs[i].node);
  rule_context c = facts.context();
  c.result = n.spec;
  c.result.shape = extents(v);
  if (!facts.all_static() || !c.result.shape.is_static()) return -1;
  return n.kind->flops(c);
}

/// Elements that a step reads and writes, and what it computes of them; -1 where only a call tells it.
template <class Extents>
constexpr index work_of_step(const plan_view& p, int s, const Extents& extents) {
  const planned_step& step = p.steps[at(s)];
  if (step.done) return 0;
  if (step.kind == step_kind::control) return -1;
  index total = 0;
  bool known = true;
  const auto add = [&](index n) {
    known = known && n >= 0;
    total += n;
  };
  for (int i = 0; i < step.leaves.count; ++i) add(extents(p.leaves[at(step.leaves.first + i)]).size());
  for (int i = 0; i < step.body.count; ++i) add(flops_of_node(p.graph, p.body[at(step.body.first + i)], extents));
  for (int i = 0; i < step.roots.count; ++i) {
    const int v = p.roots[at(step.roots.first + i)];
    add(extents(v).size());
    if (step.kind != step_kind::loop) add(flops_of_node(p.graph, v, extents));
  }
  return known ? total : -1;
}

/// By region: whether a clock is read behind it. Regions that take less than that are measured together with those behind them.
template <class P>
struct laps {
  static constexpr int count = P::plan.size.regions;
  /// Less than this takes as long as reading a clock twice.
  static constexpr index least_work = 512;
  struct table_type {
    bool ends[array_bound(count)] = {}, large[array_bound(count)] = {};
    bool any_large = false;
  };
  static constexpr table_type table = [] {
    table_type t;
    const plan_view p = P::plan.view(P::graph);
    const auto extents = [](int v) { return P::extents(v); };
    for (int r = 0; r < count; ++r) {
      const planned_region& region = P::region(r);
      index total = 0;
      for (int s = region.first; s < region.first + region.count; ++s) {
        const index n = work_of_step(p, s, extents);
        if (n < 0 || total < 0) total = -1;
        else total += n;
      }
      t.large[r] = total < 0 || total >= least_work;
      t.any_large = t.any_large || t.large[r];
    }
    for (int r = 0; r < count; ++r) t.ends[r] = r + 1 == count || t.large[r] || t.large[r + 1];
    return t;
  }();
};

template <class P>
constexpr bool watches() {
  if constexpr (!requires { P::trace::is_watched; }) return false;
  else if constexpr (P::is_body && P::trace::is_watched) return laps<P>::table.any_large;
  else return P::trace::is_watched;
}
/// Whether a program is watched. Of bodies those are that compute something: reading a clock in trips of a few numbers would be most of
/// what is measured.
template <class P>
inline constexpr bool is_watched = watches<P>();

}  // namespace jig::detail

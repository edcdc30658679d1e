// SPDX-License-Identifier: MIT
#pragma once
// What is computed together: each node gets a level, and those of one level that go through the same space are one group.

#include <jig/eval/planning/values.hpp>

namespace jig::detail {

class group_planner : public value_planner {
 public:
  using value_planner::value_planner;

 protected:
  // Of loops that may run at the same time, those share a step that read the same memory, or little.
  static constexpr index fewest_apart = 4096;
  constexpr bool may_be_long(int space) const {
    const index n = extents(space).size();
    return n < 0 || n >= fewest_apart;
  }
  // By node, a bit for each value in memory of which it is computed, but for single elements. Some have the same bit.
  constexpr void find_sources() {
    if (!concurrent_) return;
    sources_ = list<std::uint64_t>(size_);
    for (int v = 0; v < size_; ++v)
      for (const auto& e : operands(v)) {
        const int w = base(e.node);
        if (elementwise(e.node)) sources_[v] |= sources_[e.node];
        else if (!single(w)) sources_[v] |= std::uint64_t{1} << (w % 61);
      }
  }

  // The earliest level at which each node can run: one more than what it needs from memory. Of stateful nodes each has a
  // later one than that before it.
  constexpr void find_levels() {
    int free_level = 0;  // for the next stateful node
    for (int v = 0; v < size_; ++v) {
      if (leaf(v)) continue;
      bool stateful = is(v, fact::stateful | fact::control) && is_stateful(g_, nodes_[v]);
      int level = stateful ? free_level : 0;
      for (const auto& e : operands(v)) {
        if (given(e.node) && !late(e.node)) continue;
        bool in_registers = !view(e.node) && stays_in_registers(e.node, v);
        int needs = level_[e.node] + (in_registers || view(v) || further_output(v) ? 0 : 1);
        if (needs > level) level = needs;
      }
      level_[v] = level;
      if (stateful) free_level = level + 1;
    }
  }

  // Moves elementwise nodes to the level where they are first needed, so that they are fused there.
  constexpr void sink() {
    for (int v = size_; v-- > 0;) {
      if (elementwise(v) && latest_[v] != max_level && latest_[v] > level_[v]) level_[v] = latest_[v];
      for (const auto& e : operands(v)) {
        int w = e.node;
        bool in_registers = stays_in_registers(w, v);
        int limit = view(v) ? level_[w] : in_registers ? level_[v] : level_[v] - 1;
        if (limit < latest_[w]) latest_[w] = limit;
      }
    }
  }

  // Computed again rather than stored when two steps want it: one operation on what is in memory anyway.
  constexpr bool cheap(int v) const {
    if (is(v, fact::lanes_only | fact::checked)) return false;
    for (const auto& e : operands(v))
      if (elementwise(e.node)) return false;
    return true;
  }

  constexpr int group_of(step_kind k, int level, int space, int node) {
    const auto count = static_cast<int>(groups_.size());
    int& last = last_at_level_[level];
    if (k >= step_kind::kernel) {
      groups_.push_back({k, level, space, node, nobody, 0});
      return count;
    }
    for (int i = last - 1; i >= 0; i = groups_[i].before) {
      auto& o = groups_[i];
      if (o.kind != k || !same_shape(o.space, space) || (k == step_kind::reduction && !same_axes(o.node, node))) continue;
      if (concurrent_ && (o.sources & sources_[node]) == 0 && may_be_long(space)) continue;
      if (concurrent_) o.sources |= sources_[node];
      return i;
    }
    groups_.push_back({k, level, space, node, last - 1, concurrent_ ? sources_[node] : 0});
    last = count + 1;
    return count;
  }
  constexpr bool same_axes(int a, int b) const {
    auto x = g_.node(a).attribute("axes").values, y = g_.node(b).attribute("axes").values;
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) return false;
    return true;
  }

  constexpr void want(int v, int step) {
    int& w = wanted_by_[v];
    if (step == several || (w != nobody && w != step)) w = several;
    else w = step;
  }
  constexpr void store(int v) { must_store_[v] = 1; }

  constexpr void choose_stored() {
    for (int v = size_; v-- > 0;) {
      if (leaf(v)) continue;
      if (view(v)) {
        for (const auto& e : out_.values[at(v)].place == place::padded_read ? operands(v).first(1) : operands(v)) store(e.node);
      } else if (reduction(v)) {
        int w = operands(v)[0].node;
        int step = group_of(step_kind::reduction, level_[v], w, v);
        out_.values[at(v)].step = step;
        if (!elementwise(w)) continue;
        if (fuses(v)) want(w, step);
        else store(w);
      } else if (elementwise(v)) {
        choose_elementwise(v);
      } else if (puts(v)) {
        const int element = element_of(v);
        out_.values[at(v)].step = group_of(step_kind::loop, level_[v], element, v);
        want(element, out_.values[at(v)].step);
        for (const auto& e : operands(v).first(2)) store(e.node);
      } else if (stacks(v)) {
        const int step = group_of(step_kind::loop, level_[v], operands(v)[0].node, v);
        out_.values[at(v)].step = step;
        for (const auto& e : operands(v))
          if (elementwise(e.node)) want(e.node, step);
      } else if (!further_output(v)) {
        int step = group_of(control(v) ? step_kind::control : step_kind::kernel, level_[v], v, v);
        for (int i = 0; i < outputs_in_prepared(g_, v); ++i) out_.values[at(v + i)].step = step;
        for (const auto& e : operands(v)) store(e.node);
      }
    }
  }
  constexpr void choose_elementwise(int v) {
    int step = wanted_by_[v];
    if (must_store_[v] || is_output_[v] || (step == several && !cheap(v))) {
      step = group_of(step_kind::loop, level_[v], v, v);
      out_.values[at(v)].step = step;
    }
    for (const auto& e : operands(v)) {
      if (!elementwise(e.node)) continue;
      if (computable_in(e.node, v)) want(e.node, step);
      else store(e.node);
    }
  }
};

}  // namespace jig::detail

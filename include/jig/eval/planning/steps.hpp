// SPDX-License-Identifier: MIT
#pragma once
// The order of the groups as steps, and what each of them computes, reads and stores.

#include <jig/eval/planning/groups.hpp>

#include <bit>

namespace jig::detail {

class step_planner : public group_planner {
 public:
  using group_planner::group_planner;

 protected:
  // By level; in a level loops over one element first, then loops, then what may read their results. Among loops those come
  // first whose space may turn out to be a smaller one: a loop over more can read what a loop over less has stored.
  constexpr index rank_of(const group& o) const {
    const index first = index{o.level} * 4096;
    if (o.kind != step_kind::loop) return first + 2048;
    if (single(o.space)) return first;
    index weight = 0;
    const shape& s = extents(o.space);
    for (int a = 0; a < s.rank; ++a) weight += is_static_extent(s[a]) ? 65 : std::popcount(out_.extents.part_of(s[a]));
    return first + 1024 + weight;
  }
  // Merges runs of twice the length again and again, so that what is equal stays in order.
  static constexpr void sort_by(const list<index>& keys, list<int>& items) {
    const auto n = static_cast<int>(items.size());
    list<int> merged(n);
    for (int run = 1; run < n; run *= 2) {
      for (int first = 0; first < n; first += 2 * run) {
        const int middle = first + run < n ? first + run : n, end = middle + run < n ? middle + run : n;
        for (int a = first, b = middle, to = first; to < end; ++to)
          merged[to] = b == end || (a < middle && keys[items[a]] <= keys[items[b]]) ? items[a++] : items[b++];
      }
      std::swap(items, merged);
    }
  }

  constexpr void order_steps() {
    list<index> ranks;
    for (const auto& o : groups_) ranks.push_back(rank_of(o));
    for (std::size_t i = 0; i < groups_.size(); ++i) order_.push_back(static_cast<int>(i));
    sort_by(ranks, order_);
    list<int> position;
    for (std::size_t i = 0; i < order_.size(); ++i) position.push_back(0);
    for (std::size_t i = 0; i < order_.size(); ++i) position[at(order_[i])] = static_cast<int>(i);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[at(v.step)];
  }

  // Of steps that are ready, what reads the last one comes next: so that what has to run in order lies together.
  constexpr void follow_readers() {
    const auto n = static_cast<int>(out_.steps.size());
    list<int> waits(n), position(n);
    list<reading> readings;
    int last_effect = -1;
    for (int s = 0; s < n; ++s) {
      const planned_step& step = out_.steps[at(s)];
      for (int i = 0; i < step.leaves.count; ++i) add_readings(readings, out_.leaves[at(step.leaves.first + i)], s);
      if (step.kind < step_kind::kernel || !is_stateful(g_, nodes_[step.space])) continue;
      if (last_effect >= 0) readings.push_back({last_effect, s});
      last_effect = s;
    }
    for (const reading& r : readings) ++waits[r.reader];
    list<planned_step> ordered;
    for (int last = -1; static_cast<int>(ordered.size()) < n;) {
      int chosen = -1;
      for (const reading& r : readings)
        if (r.stored == last && waits[r.reader] == 0 && (chosen < 0 || r.reader < chosen)) chosen = r.reader;
      for (int s = 0; chosen < 0; ++s)
        if (waits[s] == 0) chosen = s;
      waits[chosen] = -1;
      for (const reading& r : readings)
        if (r.stored == chosen) --waits[r.reader];
      position[chosen] = static_cast<int>(ordered.size());
      ordered.push_back(out_.steps[at(chosen)]);
      last = chosen;
    }
    out_.steps = std::move(ordered);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[v.step];
  }
  struct reading {
    int stored, reader;  // steps
  };
  constexpr void add_readings(list<reading>& readings, int v, int s) const {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) add_readings(readings, operands(v)[1].node, s);
    if (const int stored = out_.values[at(v)].step; stored >= 0 && stored != s) readings.push_back({stored, s});
  }

  constexpr void fill_steps() {
    // The roots of each step, in one sweep.
    list<int> first, count;
    for (std::size_t s = 0; s <= order_.size(); ++s) {
      first.push_back(0);
      count.push_back(0);
    }
    for (const auto& v : out_.values)
      if (v.step >= 0) ++count[at(v.step)];
    for (std::size_t s = 0; s < order_.size(); ++s) first[s + 1] = first[s] + count[s];
    int total = first[order_.size()];
    for (int i = 0; i < total; ++i) out_.roots.push_back(0);
    for (auto& c : count) c = 0;
    for (int v = 0; v < size_; ++v) {
      int s = out_.values[at(v)].step;
      if (s >= 0) out_.roots[at(first[at(s)] + count[at(s)]++)] = v;
    }
    for (std::size_t s = 0; s < order_.size(); ++s) {
      const auto& o = groups_[at(order_[s])];
      planned_step step{
          o.kind, o.space, {static_cast<int>(out_.body.size()), 0}, {static_cast<int>(out_.leaves.size()), 0}, {first[s], count[s]}};
      fill_body(static_cast<int>(s), step);
      step.beside = add_leaves_beside(static_cast<int>(s), step);
      step.body.count = static_cast<int>(out_.body.size()) - step.body.first;
      step.leaves.count = static_cast<int>(out_.leaves.size()) - step.leaves.first;
      out_.steps.push_back(step);
    }
  }

  // Depth first from the roots, with a stack of our own: recursion would meet the compilers' depth limits.
  constexpr void fill_body(int s, const planned_step& step) {
    struct visit {
      int node;
      std::size_t next;
    };
    list<visit> stack;
    auto open = [&](int v) {
      if (mark_[v] == s) return;
      mark_[v] = s;
      bool computed_here = elementwise(v) && (out_.values[at(v)].step == s || out_.values[at(v)].step < 0);
      if (computed_here) stack.push_back({v, 0});
      else out_.leaves.push_back(v);
    };
    auto finish = [&] {
      while (!stack.empty()) {
        auto& top = stack.back();
        if (top.next < operands(top.node).size()) {
          open(operands(top.node)[top.next++].node);
        } else {
          out_.body.push_back(top.node);
          stack.pop_back();
        }
      }
    };
    for (int i = 0; i < step.roots.count; ++i) {
      int root = out_.roots[at(step.roots.first + i)];
      if (step.kind == step_kind::loop && !stacks(root)) {
        open(puts(root) ? element_of(root) : root);
        finish();
      } else {
        if (further_output(root)) continue;
        for (const auto& e : operands(root)) {
          open(e.node);
          finish();
        }
      }
    }
  }

  // The arrays that a loop puts elements into, and their positions there. How many.
  constexpr int add_leaves_beside(int s, const planned_step& step) {
    const std::size_t before = out_.leaves.size();
    for (int i = 0; i < step.roots.count; ++i) {
      const int root = out_.roots[at(step.roots.first + i)];
      if (step.kind != step_kind::loop || !puts(root)) continue;
      for (const auto& e : operands(root).first(2))
        if (std::exchange(mark_[e.node], s) != s) out_.leaves.push_back(e.node);
    }
    return static_cast<int>(out_.leaves.size() - before);
  }
};

}  // namespace jig::detail

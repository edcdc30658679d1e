// SPDX-License-Identifier: MIT
#pragma once
// Which regions of a plan have to wait for which: what they read, the memory they share, and the order of effects say it.

#include <jig/eval/plan.hpp>
#include <jig/graph/walk.hpp>

#include <cstdint>

namespace jig::detail {

/// What an order of regions follows from, beside what they read and the order of effects.
enum class shared_memory : unsigned char {
  none,       // nothing: memory is not assigned yet
  workspace,  // slots of the workspace and results
  arguments   // these, where results may lie over arguments
};

/// By region, those it has to wait for, directly or not.
class region_order {
 public:
  constexpr region_order() = default;
  constexpr explicit region_order(const plan_view& p, shared_memory shared)
      : p_(p),
        count_(static_cast<int>(p.regions.size())),
        words_((count_ + 63) / 64),
        reach_(count_ * words_),
        wanted_(count_),
        shared_(shared) {
    for (int r = 0; r < count_; ++r) add_region(r);
  }

  constexpr int count() const { return count_; }
  /// Whether region b has to wait for region a.
  constexpr bool precedes(int a, int b) const { return (reach_[b * words_ + a / 64] >> (a % 64) & 1) != 0; }
  /// Those that region r waits for itself, and not through others.
  constexpr list<int> awaited(int r) const {
    list<int> out;
    for (int i = awaited_first_[at(r)]; i < awaited_first_[at(r)] + awaited_count_[at(r)]; ++i) out.push_back(awaited_[at(i)]);
    return out;
  }

 private:
  // A region reads memory, or writes it: all, or its part of what node `join` joins there.
  struct use {
    int memory, region;
    bool writes;
    int join;
  };

  // Memory by number: slots, results, arguments.
  constexpr int slot_count() const { return static_cast<int>(p_.buffers.size()); }
  constexpr int result_count() const { return static_cast<int>(p_.graph.outputs().size()); }
  constexpr int memory_of(int v) const {
    const planned_value& value = p_.values[at(base_of(p_.values, v))];
    switch (value.place) {
      case place::joined: return memory_of(value.number);
      case place::workspace: return value.number;
      case place::result: return slot_count() + value.number;
      case place::argument: return slot_count() + result_count() + value.number;
      default: return -1;
    }
  }

  constexpr void add_region(int r) {
    for (int i = 0; i < count_; ++i) wanted_[i] = 0;
    const planned_region& region = p_.regions[at(r)];
    for (int s = region.first; s < region.first + region.count; ++s) {
      const planned_step& step = p_.steps[at(s)];
      for (int i = 0; i < step.leaves.count; ++i) read(p_.leaves[at(step.leaves.first + i)], r);
      for (int i = 0; i < step.roots.count; ++i) write(p_.roots[at(step.roots.first + i)], r);
    }
    awaited_first_.push_back(static_cast<int>(awaited_.size()));
    // The nearest first: those it waits for are awaited with it.
    for (int a = r - 1; a >= 0; --a) {
      if (wanted_[a] == 0 || precedes(a, r)) continue;
      awaited_.push_back(a);
      for (int w = 0; w < words_; ++w) reach_[r * words_ + w] |= reach_[a * words_ + w];
      reach_[r * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
    }
    awaited_count_.push_back(static_cast<int>(awaited_.size()) - awaited_first_[at(r)]);
  }

  constexpr void read(int v, int r) {
    for (; p_.values[at(v)].is_view(); v = p_.values[at(v)].number)
      if (p_.values[at(v)].place == place::part) read(p_.graph.inputs_of(v)[1].node, r);
    wait_for_step(p_.values[at(v)].step, r);
    if (const int m = shared_ == shared_memory::none ? -1 : memory_of(v); m >= 0) uses_.push_back({m, r, false, -1});
  }
  constexpr void write(int v, int r) {
    if (is_stateful(p_.graph, p_.graph.data(v))) {
      wait_for(last_effect_, r);
      last_effect_ = r;
    }
    const int m = shared_ == shared_memory::none ? -1 : memory_of(v);
    if (m < 0) return;
    const planned_value& value = p_.values[at(v)];
    const int join = value.place == place::joined ? value.number : -1;
    // Who writes all of it later waits for this one, and so for those that it waits for.
    int kept = 0;
    for (const use u : uses_) {
      const bool beside = u.writes && join >= 0 && u.join == join;
      const bool same = u.memory == m && !beside;
      if (same || may_lie_over(m, u.memory, v)) wait_for(u.region, r);
      if (!same || join >= 0) uses_[kept++] = u;
    }
    uses_.cut(kept);
    uses_.push_back({m, r, true, join});
  }
  // Whether a result may lie over an argument that has been read: with other dtypes or sizes it is made elsewhere.
  constexpr bool may_lie_over(int result, int argument, int v) const {
    if (shared_ != shared_memory::arguments || result < slot_count() || argument < slot_count() + result_count()) return false;
    const int from = p_.graph.inputs()[at(argument - slot_count() - result_count())];
    const index n = shape_of(from).size(), m = shape_of(v).size();
    return size_of(p_.graph.data(from).spec.dtype) == size_of(p_.graph.data(v).spec.dtype) && (n < 0 || m < 0 || n == m);
  }
  constexpr const shape& shape_of(int v) const { return p_.shapes[at(p_.values[at(v)].shape)]; }

  constexpr void wait_for(int a, int r) {
    if (a >= 0 && a != r) wanted_[a] = 1;
  }
  constexpr void wait_for_step(int s, int r) {
    if (s >= 0) wait_for(p_.steps[at(s)].region, r);
  }

  plan_view p_;
  int count_ = 0, words_ = 0;
  list<std::uint64_t> reach_;  // by region, a bit for each that it waits for
  list<char> wanted_;
  list<use> uses_;
  list<int> awaited_first_, awaited_count_, awaited_;
  int last_effect_ = -1;
  shared_memory shared_ = shared_memory::none;
};

}  // namespace jig::detail

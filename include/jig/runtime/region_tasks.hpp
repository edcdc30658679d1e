// SPDX-License-Identifier: MIT
#pragma once
// Regions of a plan that was made at run time as tasks, which threads share: each runs when those have run that it has to wait for.

#include <jig/eval/parallel_for.hpp>
#include <jig/eval/region_order.hpp>
#include <jig/eval/watch.hpp>

#include <memory>
#include <vector>

namespace jig::detail {

/// The tasks of a plan, if there are two that are worth a thread each and need not wait for each other.
class region_tasks {
 public:
  /// More regions or edges between them run in order.
  static constexpr int most_regions = 2048, most_edges = 32767;

  region_tasks() = default;
  /// `extents` tells the shape of every node; results of the plan do not lie over arguments.
  template <class Extents>
  region_tasks(const plan_view& p, const Extents& extents) {
    const int count = static_cast<int>(p.regions.size());
    if (count < 2 || count > most_regions) return;
    is_long_ = std::make_unique<bool[]>(static_cast<std::size_t>(count));
    int longs = 0;
    for (int r = 0; r < count; ++r) longs += is_long_[static_cast<std::size_t>(r)] = work_of_region(p, r, extents) >= long_task;
    if (longs < 2) return;
    const region_order order(p, shared_memory::workspace);
    if (any_beside(order)) make_table(order);
  }

  bool any() const { return count_ > 0; }
  /// Runs all with run(region), on threads that this one's call shares its work with.
  template <class Run>
  void run(const Run& run) const {
    const task_list tasks{count_,         waits_.data(),
                          first_.data(),  followers_.data(),
                          is_long_.get(), [](void* call, int region) {
                            (*static_cast<const Run*>(call))(region); }};
    current_threads->runner()->run_tasks(tasks, const_cast<void*>(static_cast<const void*>(&run)));
  }

 private:
  // What is computed of an element that a kernel reads or writes, about, where its op does not tell it.
  static constexpr index work_of_kernel = 32;

  // Loops and branches may take long, for all that is known.
  template <class Extents>
  static index work_of_region(const plan_view& p, int r, const Extents& extents) {
    index total = 0;
    const planned_region& region = p.regions[at(r)];
    for (int s = region.first; s < region.first + region.count; ++s) {
      const planned_step& step = p.steps[at(s)];
      if (step.kind == step_kind::control) return long_task;
      index n = work_of_step(p, s, extents);
      if (n < 0) {
        n = 0;
        for (int i = 0; i < step.leaves.count; ++i) n += extents(p.leaves[at(step.leaves.first + i)]).size() * work_of_kernel;
        for (int i = 0; i < step.roots.count; ++i) n += extents(p.roots[at(step.roots.first + i)]).size() * work_of_kernel;
      }
      total += n;
    }
    return total;
  }
  template <class Order>
  bool any_beside(const Order& order) const {
    for (int b = 0; b < order.count(); ++b)
      for (int a = 0; a < b; ++a)
        if (is_long_[static_cast<std::size_t>(a)] && is_long_[static_cast<std::size_t>(b)] && !order.precedes(a, b)) return true;
    return false;
  }
  template <class Order>
  void make_table(const Order& order) {
    std::vector<std::vector<short>> followers(static_cast<std::size_t>(order.count()));
    for (int r = 0; r < order.count(); ++r) {
      const list<int> awaited = order.awaited(r);
      waits_.push_back(static_cast<short>(awaited.size()));
      for (int a : awaited) followers[static_cast<std::size_t>(a)].push_back(static_cast<short>(r));
    }
    first_.push_back(0);
    for (const auto& of_one : followers) {
      if (followers_.size() + of_one.size() > most_edges) return;
      followers_.insert(followers_.end(), of_one.begin(), of_one.end());
      first_.push_back(static_cast<short>(followers_.size()));
    }
    count_ = order.count();
  }

  int count_ = 0;
  std::vector<short> waits_, first_, followers_;
  std::unique_ptr<bool[]> is_long_;
};

}  // namespace jig::detail

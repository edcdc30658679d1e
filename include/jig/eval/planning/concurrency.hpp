// SPDX-License-Identifier: MIT
#pragma once
// Who uses a value, in plans whose regions may run at the same time: memory is free for another one only when all of them have to
// come first.

#include <jig/eval/planning/regions.hpp>
#include <jig/eval/region_order.hpp>

namespace jig::detail {

class concurrency_planner : public region_planner {
 public:
  using region_planner::region_planner;

 protected:
  constexpr void find_users() {
    if (!concurrent_) return;
    order_of_regions_ = region_order(view_of(g_, out_), shared_memory::none);
    for (const planned_step& step : out_.steps) {
      for (int i = 0; i < step.leaves.count; ++i) add_user(out_.leaves[at(step.leaves.first + i)], step.region);
      for (int i = 0; i < step.roots.count; ++i) add_user(out_.roots[at(step.roots.first + i)], step.region);
    }
  }
  // Whether all who use v, and what lies where it lies next, come before region r or are that.
  constexpr bool all_before(int v, int r) const {
    for (int next = v; concurrent_ && next >= 0; next = loop_result_[next])
      for (const use& u : users_)
        if (u.of == next && u.region != r && !order_of_regions_.precedes(u.region, r)) return false;
    return true;
  }
  // Whether all who have used a slot come before who stores v. What others store in the place of v comes before that.
  constexpr bool is_left(int slot, int v) const {
    if (!concurrent_) return true;
    const int r = out_.steps[at(out_.values[at(v)].step)].region;
    for (const planned_value& part : out_.values)
      if (part.place == place::joined && part.number == v) return false;
    for (const use& u : slot_users_)
      if (u.of == slot && !order_of_regions_.precedes(u.region, r)) return false;
    return true;
  }
  constexpr void take(int slot, int v) {
    for (int next = v; concurrent_ && next >= 0; next = loop_result_[next])
      for (const use& u : users_)
        if (u.of == next) slot_users_.push_back({slot, u.region});
  }

 private:
  struct use {
    int of, region;
  };
  constexpr void add_user(int v, int r) {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) add_user(operands(v)[1].node, r);
    users_.push_back({v, r});
    if (out_.values[at(v)].place == place::joined) users_.push_back({out_.values[at(v)].number, r});
  }

  region_order order_of_regions_;
  list<use> users_;       // of values
  list<use> slot_users_;  // of slots, so far
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Watches calls with run-time tensors: reads a clock behind every region that the interpreter runs, of many calls in some.

#include <jig/profile/watch.hpp>
#include <jig/runtime/dispatch.hpp>

#include <list>

namespace jig::detail {

class interpreter_watch final : public routine_watch<graph_view> {
  using routine = planned_routine<graph_view>;
  struct entry {
    const routine* of;
    std::uint64_t last = 0, runs = 0, looked_into = 0;
    std::vector<std::uint64_t> laps;
    std::vector<measured_plan::tiles> epilogues;
    std::vector<char> id;  // the address of an element names a region
  };

 public:
  /// Watches so many calls, of which the last is reported.
  interpreter_watch(watching& to, int calls) : to_(to), left_(calls), calls_(calls) { watch_of_routines<graph_view> = this; }
  interpreter_watch(const interpreter_watch&) = delete;
  interpreter_watch& operator=(const interpreter_watch&) = delete;
  ~interpreter_watch() { watch_of_routines<graph_view> = around_; }

  /// Of the last call. Made while its routine exists.
  profiled_graph graph;
  profile_report labels;
  std::vector<const void*> ids;

  bool begin(const routine& r) override {
    entry& e = entry_of(r);
    ++e.runs;
    // The first call is slow.
    if (depth_++ == 0) looks_into_ = left_ == 1 || (calls_ - left_) % parts == 1;
    if (looks_into_) ++e.looked_into;
    else if (depth_ > 1) return false;
    e.last = ticks_now();
    if (depth_ == 1) begun_ = e.last;
    return looks_into_;
  }
  void behind(const routine& r, std::size_t region) override {
    entry& e = entry_of(r);
    const std::uint64_t now = ticks_now();
    e.laps[region] += now - e.last;
    to_.add(e.id.data() + region, e.last, now);
    e.last = now;
  }
  std::uint64_t now() override { return looks_into_ ? ticks_now() : 0; }
  void behind_tile(const routine& r, std::size_t region, index elements, std::uint64_t begun) override {
    if (!looks_into_) return;
    measured_plan::tiles& t = entry_of(r).epilogues[region];
    t.ticks += ticks_now() - begun;
    t.watched += static_cast<std::uint64_t>(elements);
  }
  void end(const routine& r) override {
    if (--depth_ > 0) return;
    // Behind the last region the clock has been read.
    const std::uint64_t ticks = (looks_into_ ? entry_of(r).last : ticks_now()) - begun_;
    all_ticks_ += ticks;
    if (looks_into_) ticks_looked_into_ += ticks;
    else to_.readings += 2;
    if (--left_ > 0) return;
    const std::uint64_t now = ticks_now();
    scale_ = ticks_looked_into_ == 0 ? 1 : static_cast<double>(all_ticks_) / static_cast<double>(ticks_looked_into_);
    const measured_plan m = measured(r);
    graph = plan_report<>(m, seconds_of_tick() / calls_, calls_, node_names(m.plan.graph)).run(labels, ids);
    to_.idle += ticks_now() - now;
  }

 private:
  entry& entry_of(const routine& r) {
    for (auto& e : entries_)
      if (e.of == &r) return e;
    const std::size_t regions = r.view().regions.size();
    entries_.push_back(
        {&r, 0, 0, 0, std::vector<std::uint64_t>(regions), std::vector<measured_plan::tiles>(regions), std::vector<char>(regions + 1)});
    return entries_.back();
  }
  measured_plan measured(const routine& r) {
    measured_plan m;
    const entry& e = entry_of(r);
    m.plan = r.view();
    m.watched = true;
    for (std::uint64_t ticks : e.laps) m.laps.push_back(scaled(ticks));
    m.ends_lap.assign(e.laps.size(), 1);
    m.epilogues = e.epilogues;
    // Other threads do some of the elements, unseen.
    for (std::size_t k = 0; k < m.epilogues.size(); ++k)
      m.epilogues[k].all = scaled(e.looked_into * static_cast<std::uint64_t>(r.size_of_region(k)));
    m.shares.resize(m.plan.steps.size());
    m.runs = e.runs;
    m.id = e.id.data();
    r.for_each_body([&](int node, std::string_view key, const routine& body) {
      measured_plan inner = measured(body);
      inner.node = node;
      inner.key = key;
      m.bodies.push_back(std::move(inner));
    });
    return m;
  }

  // What calls that were looked into tell of all.
  std::uint64_t scaled(std::uint64_t x) const { return static_cast<std::uint64_t>(static_cast<double>(x) * scale_ + 0.5); }

  /// One call in so many is looked into: reading the clock behind each of ten steps takes a tenth of a call of a microsecond.
  static constexpr int parts = 8;

  watching& to_;
  int depth_ = 0, left_, calls_;
  bool looks_into_ = false;
  std::uint64_t begun_ = 0, all_ticks_ = 0, ticks_looked_into_ = 0;
  double scale_ = 1;
  routine_watch<graph_view>* around_ = watch_of_routines<graph_view>;
  std::list<entry> entries_;
};

}  // namespace jig::detail

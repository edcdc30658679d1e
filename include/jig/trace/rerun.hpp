// SPDX-License-Identifier: MIT
#pragma once
// What C++ hides from a trace: a traced loop or JIG_IF block runs once while it is recorded, so a C++ variable that it changes has
// one value where the program has many. Such a variable shows when a lambda is run again with blocks left out or repeated: what
// is recorded then differs.

#include <jig/trace/same_recording.hpp>

#include <utility>

namespace jig::detail {

enum class rerun_kind : unsigned char {
  without_first,   // loops make no trip, branches skip their first block
  without_second,  // branches skip their second block
  repeated         // loops make every trip that is known, forwards and backwards, before the one that counts
};

/// One more run of a lambda on one of its ways, which has to record the same.
class rerun {
 public:
  template <class Recordings>
  constexpr rerun(const Recordings& runs, int way) : original_(&runs[way]), blocks_(static_cast<int>(runs[way].events.size())) {
    for (int r = 0; r < runs.size(); ++r) ways_.push_back(&runs[r]);
    find_blocks();
  }
  constexpr const builder& original() const { return *original_; }
  constexpr bool has_loops() const { return has_loops_; }
  constexpr int deepest() const { return static_cast<int>(at_depth_.size()); }
  constexpr int blocks_at(int depth) const { return at_depth_[depth]; }
  constexpr bool branches_at(int depth) const { return branches_at_[depth] != 0; }

  /// What the next run does with the blocks at this depth; of those only with the ones whose number among them, from 1 on, has this
  /// bit, if one is given, so that changes in two blocks do not make up for each other in all runs.
  constexpr void prepare(rerun_kind kind, int depth = 0, int bit = -1) {
    kind_ = kind;
    depth_ = depth;
    bit_ = bit;
    rehearses_ = false;
    same_nodes_ = same_events_ = 0;
  }

  /// The event up to which block `begin`, or its second block, is copied instead of run; -1 where it runs.
  constexpr int left_out_until(int begin, bool second) const {
    if (rehearses_ || kind_ != (second ? rerun_kind::without_second : rerun_kind::without_first) ||
        begin >= static_cast<int>(blocks_.size()))
      return -1;
    const block& b = blocks_[begin];
    if (b.depth != depth_ || (bit_ >= 0 && (b.number >> bit_) % 2 == 0)) return -1;
    return second ? b.end : b.middle;
  }

  /// Whether what was recorded, and not copied, is the same as before.
  constexpr bool records_the_same(builder& b) {
    take_specs(b);
    const int node = std::exchange(same_nodes_, b.graph.size()), event = std::exchange(same_events_, static_cast<int>(b.events.size()));
    return same_recording(b, *original_, node, same_nodes_, event, same_events_);
  }
  constexpr bool has_recorded_the_same(builder& b) {
    return b.graph.size() == original_->graph.size() && b.events.size() == original_->events.size() && records_the_same(b) &&
           same_edges(b.graph.output_edges, original_->graph.output_edges);
  }

  /// Takes over what was recorded up to this event. Of nodes nobody looks at more than their specs.
  constexpr void copy_until(builder& b, int last) {
    const builder& o = *original_;
    const trace_event& end = o.events[last];
    for (int id = b.graph.size(); id < end.at; ++id) b.graph.nodes.push_back(o.graph.nodes[id]);
    for (int k = static_cast<int>(b.events.size()); k <= last; ++k) {
      b.events.push_back(o.events[k]);
      if (o.events[k].kind == event_kind::decision) ++b.decided;
    }
    for (int k = static_cast<int>(b.pool.size()); k < end.values.first + end.values.count; ++k) b.pool.push_back(o.pool[k]);
    same_nodes_ = b.graph.size();
    same_events_ = static_cast<int>(b.events.size());
  }

  /// The recordings whose trips through a loop are made before the one that counts.
  constexpr list<const builder*> rehearsals(int begin) const {
    list<const builder*> trips;
    if (rehearses_ || kind_ != rerun_kind::repeated || begin >= static_cast<int>(blocks_.size())) return trips;
    bool first = true;
    for (const builder* way : ways_) {
      if (way == original_) break;
      if (same_way(*way, begin)) first = false;
    }
    for (const builder* way : ways_) {
      if (!(first || way == original_) || !same_way(*way, begin) || end_of_trip(*way, begin) < 0) continue;
      if (trips.empty() || !same_trip(*trips.back(), *way, begin)) trips.push_back(way);
    }
    for (std::size_t k = trips.size(); k-- > 1;) trips.push_back(trips[k - 1]);
    return trips;
  }
  constexpr void set_rehearses(bool on) { rehearses_ = on; }
  /// Where a trip of a loop ends; -1 where the loop was left.
  static constexpr int end_of_trip(const builder& b, int begin) {
    for (int k = begin + 1; k < static_cast<int>(b.events.size()); ++k)
      if (ends(b.events[k].kind) && b.events[k].condition.node == begin) return b.events[k].kind == event_kind::next_trip ? k : -1;
    return -1;
  }

 private:
  // At run time only a block may tell the specs of what stands for its results, and it may have been left out.
  constexpr void take_specs(builder& b) const {
    if (std::is_constant_evaluated()) return;
    for (int id = 0; id < b.graph.size() && id < original_->graph.size(); ++id)
      if (b.graph.nodes[id].kind->is(fact::input)) b.graph.nodes[id].spec = original_->graph.nodes[id].spec;
  }
  struct block {
    int depth = -1;             // -1: no block begins here
    int number = 0;             // among those of its depth, from 1 on
    int middle = -1, end = -1;  // the events that end its first and its second part; -1 where it cannot be left out
  };
  static constexpr bool ends(event_kind k) {
    return k == event_kind::next_trip || k == event_kind::leave || k == event_kind::otherwise || k == event_kind::join;
  }
  constexpr void find_blocks() {
    int depth = 0;
    for (int k = 0; k < static_cast<int>(blocks_.size()); ++k) {
      const trace_event& e = original_->events[k];
      if (e.kind == event_kind::loop || e.kind == event_kind::while_loop || e.kind == event_kind::branch) {
        if (depth == static_cast<int>(at_depth_.size())) {
          at_depth_.push_back(0);
          branches_at_.push_back(0);
        }
        blocks_[k].depth = depth;
        blocks_[k].number = ++at_depth_[depth];
        if (e.kind == event_kind::branch) branches_at_[depth] = 1;
        else has_loops_ = true;
        ++depth;
      } else if (ends(e.kind)) {
        block& b = blocks_[e.condition.node];
        if (e.kind == event_kind::join) b.end = k;
        else if (e.kind != event_kind::leave) b.middle = k;
        if (e.kind != event_kind::otherwise) --depth;
      }
    }
  }
  constexpr bool same_way(const builder& way, int last) const {
    if (static_cast<int>(way.events.size()) <= last) return false;
    for (int k = 0; k <= last; ++k)
      if (way.events[k].kind != original_->events[k].kind || way.events[k].outcome != original_->events[k].outcome) return false;
    return true;
  }
  static constexpr bool same_trip(const builder& a, const builder& b, int begin) {
    const int last = end_of_trip(a, begin);
    if (last != end_of_trip(b, begin)) return false;
    for (int k = begin; k < last; ++k)
      if (a.events[k].kind != b.events[k].kind || a.events[k].outcome != b.events[k].outcome) return false;
    return true;
  }

  const builder* original_;
  list<const builder*> ways_;
  list<block> blocks_;  // by the event that begins them
  list<int> at_depth_;  // how many blocks
  list<char> branches_at_;
  bool has_loops_ = false;
  rerun_kind kind_ = rerun_kind::repeated;
  int depth_ = 0, bit_ = -1;
  bool rehearses_ = false;                // a trip that will be forgotten
  int same_nodes_ = 0, same_events_ = 0;  // so many have been compared
};

}  // namespace jig::detail

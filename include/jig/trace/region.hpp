// SPDX-License-Identifier: MIT
#pragma once
// Regions: loops and branches while they are recorded.

#include <jig/trace/rerun.hpp>

namespace jig::detail {

/// A loop or branch that is being recorded: while it is open the living objects stand for its parameters.
class open_region {
 public:
  constexpr open_region() = default;
  open_region(const open_region&) = delete;
  open_region& operator=(const open_region&) = delete;

  constexpr bool is_open() const { return event_ >= 0; }
  constexpr builder* recorder() const { return b_; }

  /// Begins a loop. A counter, if wanted, is a parameter of its own.
  constexpr void begin_loop(builder* b, trace_event e, bool counts) {
    b_ = b;
    serials_ = b->living();
    e.before = b->store_values(serials_);
    if (counts) e.counter = b->parameter(b->graph.view().spec(e.first));
    e.parameters = b->store_parameters(e.before);
    e.after = b->store_parameters(e.before);
    enter(e);
    if (b->again != nullptr) trips_ = b->again->rehearsals(event_);
    next_ = 0;
    begin_trip();
  }
  constexpr void condition(const edge& c) {
    trace_event e = b_->begin_event(event_kind::condition);
    e.condition = c;
    b_->events.push_back(e);
  }
  /// Whether there is a trip to run, now that the condition, if any, is known.
  constexpr bool runs_trip() { return !leave_out(false, event_kind::next_trip); }
  /// Ends a trip. Whether there is one more, which begins then: never where the loop is recorded first.
  constexpr bool end_trip() {
    if (next_ == trips_.size()) {
      end(event_kind::next_trip);
      return false;
    }
    note(event_kind::next_trip);
    const builder& known = *trips_[next_];
    const int last = rerun::end_of_trip(known, event_) + 1;
    if (static_cast<int>(b_->events.size()) != last ||
        !same_recording(*b_, known, nodes_.nodes, known.events[last - 1].at, event_ + 1, last) ||
        b_->graph.size() != known.events[last - 1].at)
      b_->failure = trace_failure::native_change;
    b_->graph.cut(nodes_);
    b_->events.cut(event_ + 1);
    b_->pool.cut(edges_);
    ++next_;
    begin_trip();
    return true;
  }

  constexpr void begin_branch(builder* b, const edge& condition) {
    b_ = b;
    serials_ = b->living();
    trace_event e = b->begin_event(event_kind::branch);
    e.condition = condition;
    e.before = b->store_values(serials_);
    e.after = b->store_parameters(e.before);
    enter(e);
  }
  /// Whether the first block of a branch is to run. If not, the second one has begun.
  constexpr bool runs_first() {
    if (!leave_out(false, event_kind::otherwise)) return true;
    b_->set_values(serials_, begin().before);
    return false;
  }
  constexpr void otherwise() {
    note(event_kind::otherwise);
    b_->set_values(serials_, begin().before);
  }
  /// Whether the second block of a branch is to run. If not, the branch has ended.
  constexpr bool runs_second() { return !leave_out(true, event_kind::join); }

  constexpr void end(event_kind kind) {
    if (next_ < trips_.size()) {
      // A trip that went through is left now.
      b_->failure = trace_failure::native_change;
      next_ = trips_.size();
      b_->again->set_rehearses(false);
    }
    note(kind);
    close();
  }
  constexpr const trace_event& begin() const { return b_->events[event_]; }

 private:
  constexpr void enter(trace_event& e) {
    e.until = b_->graph.size();
    objects_ = b_->value.size();
    event_ = static_cast<int>(b_->events.size());
    b_->events.push_back(e);
  }
  constexpr void note(event_kind kind) {
    trace_event e = b_->begin_event(kind);
    e.condition.node = event_;
    e.values = b_->store_values(serials_);
    b_->events.push_back(e);
    if (kind != event_kind::leave) require_no_other();
  }
  // What a block makes ends with it.
  constexpr void require_no_other() {
    for (std::size_t s = objects_; s < b_->alive.size(); ++s)
      if (b_->alive[s]) b_->failure = trace_failure::outlived_block;
  }
  constexpr void close() {
    b_->set_values(serials_, begin().after);
    event_ = -1;
  }
  // A trip begins as the loop does. In a rerun it follows the way of a recording that is known.
  constexpr void begin_trip() {
    b_->set_values(serials_, begin().parameters);
    if (trips_.empty()) return;
    if (next_ == 0) {
      nodes_ = sizes_of(b_->graph.view());
      edges_ = static_cast<int>(b_->pool.size());
      decided_ = b_->decided;
    }
    const bool rehearses = next_ < trips_.size();
    b_->again->set_rehearses(rehearses);
    b_->decisions = rehearses ? trips_[next_]->decisions : b_->again->original().decisions;
    b_->decided = decided_;
  }
  // Copies a block from the recording that is known, if this run leaves it out.
  constexpr bool leave_out(bool second, event_kind expected) {
    if (b_->again == nullptr) return false;
    const int until = b_->again->left_out_until(event_, second);
    if (until < 0) return false;
    if (b_->again->original().events[until].kind != expected || b_->graph.size() > b_->again->original().events[until].at ||
        !b_->again->records_the_same(*b_)) {
      b_->failure = trace_failure::native_change;
      return false;
    }
    b_->again->copy_until(*b_, until);
    if (expected != event_kind::otherwise) close();
    return true;
  }

  builder* b_ = nullptr;
  int event_ = -1;
  list<int> serials_;        // of the objects that were there before
  std::size_t objects_ = 0;  // how many there had been
  // Of a loop in a rerun: the trips before the one that counts, and what to return to behind each.
  list<const builder*> trips_;
  std::size_t next_ = 0;
  graph_sizes nodes_{};
  int edges_ = 0, decided_ = 0;
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Regions: loops and branches while they are recorded.

#include <jig/trace/builder.hpp>

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
    b->set_values(serials_, e.parameters);
    enter(e);
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
  constexpr void otherwise() {
    note(event_kind::otherwise);
    b_->set_values(serials_, begin().before);
  }
  constexpr void end(event_kind kind) {
    note(kind);
    b_->set_values(serials_, begin().after);
    event_ = -1;
  }
  constexpr void condition(const edge& c) {
    trace_event e = b_->begin_event(event_kind::condition);
    e.condition = c;
    b_->events.push_back(e);
  }
  constexpr const trace_event& begin() const { return b_->events[event_]; }

 private:
  constexpr void enter(trace_event& e) {
    e.until = b_->graph.size();
    event_ = static_cast<int>(b_->events.size());
    b_->events.push_back(e);
  }
  constexpr void note(event_kind kind) {
    trace_event e = b_->begin_event(kind);
    e.condition.node = event_;
    e.values = b_->store_values(serials_);
    b_->events.push_back(e);
  }
  builder* b_ = nullptr;
  int event_ = -1;
  list<int> serials_;
};

}  // namespace jig::detail

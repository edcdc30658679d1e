// SPDX-License-Identifier: MIT
#pragma once
// JIG_WHILE and JIG_IF. In a trace a block runs once and becomes part of the graph; on tensors and numbers these are ordinary
// loops and branches.

#include <jig/trace/region.hpp>
#include <jig/trace/variable.hpp>

namespace jig {

namespace detail {

// The place of a condition. Only now a dynamic one is asked whether it is a scalar of dtype bool.
template <class X>
constexpr edge condition_place(const X& x) {
  if constexpr (world_of<X> == world::dynamic) return x.condition();
  else return x.place();
}

/// The loop of JIG_WHILE.
template <class Condition>
class while_scope {
  using answer = std::remove_cvref_t<std::invoke_result_t<Condition&>>;
  static constexpr bool dual = world_of<answer> == world::dual, traced = is_recorded<answer> || dual;

 public:
  constexpr explicit while_scope(Condition c) : condition_(c) {}
  constexpr ~while_scope() {
    if (region_.is_open()) region_.end(event_kind::leave);
  }
  constexpr bool next() {
    if constexpr (!traced) {
      return static_cast<bool>(number_of(condition_()));
    } else {
      if (region_.is_open()) {
        if (!region_.end_trip()) return false;
      } else {
        builder* b = forget_condition();
        if (b == nullptr || b->computed != nullptr) return holds_;
        region_.begin_loop(b, b->begin_event(event_kind::while_loop), false);
      }
      region_.condition(condition_place(condition_()));
      return region_.runs_trip();
    }
  }

 private:
  // The condition tells which trace this is, but has to be evaluated for that: twice, so that what one evaluation records is
  // known and can be forgotten. In an eager run, which may belong to no trace, it tells whether there is one more trip.
  constexpr builder* forget_condition() {
    builder* b = nullptr;
    int nodes = 0;
    std::size_t events = 0;
    {
      answer first = condition_();
      if constexpr (dual)
        if (!first.is_traced()) {
          holds_ = static_cast<bool>(number_of(first));
          return nullptr;
        }
      const edge place = condition_place(first);
      b = first.builder();
      if (b->computed != nullptr) {
        holds_ = b->computed->holds(place);
        return b;
      }
      nodes = b->graph.size();
      events = b->events.size();
    }
    (void)condition_();
    if (b->events.size() != events) b->failure = trace_failure::branching_condition;
    const int recorded = b->graph.size() - nodes;
    b->forget_nodes(nodes - recorded);
    return b;
  }
  Condition condition_;
  bool holds_ = false;
  open_region region_;
};

/// A loop whose condition was refused: it makes no trip, and is no further mistake.
struct refused_loop {
  static constexpr bool next() { return false; }
};
template <class Condition>
constexpr auto while_loop_of(Condition c) {
  using answer = std::remove_cvref_t<std::invoke_result_t<Condition&>>;
  if constexpr (is_refused<answer>) {
    return refused_loop();
  } else if constexpr (!is_scalar_bool<answer>) {
    (void)refuse<condition_reason<answer>>();
    return refused_loop();
  } else {
    return while_scope<Condition>(c);
  }
}

/// The two blocks of JIG_IF: both are recorded in one trace, one runs in an eager run.
class branch_scope {
 public:
  constexpr explicit branch_scope(bool taken) : taken_(taken) {}
  constexpr branch_scope(builder* b, const edge& condition) : condition_(condition) {
    if (b->computed != nullptr) taken_ = b->computed->holds(condition);
    else b_ = b;
  }
  constexpr ~branch_scope() {
    if (region_.is_open()) b_->failure = trace_failure::left_branch;
  }
  /// Whether there is one more block to run.
  constexpr bool next() {
    ++blocks_;
    if (b_ == nullptr) return blocks_ == 1;
    if (blocks_ == 3) {
      region_.end(event_kind::join);
      return false;
    }
    if (blocks_ == 1) {
      region_.begin_branch(b_, condition_);
      if (region_.runs_first()) return true;
      blocks_ = 2;
    } else {
      region_.otherwise();
    }
    return region_.runs_second();
  }
  constexpr bool first() const { return b_ == nullptr ? taken_ : blocks_ == 1; }

 private:
  bool taken_ = false;
  builder* b_ = nullptr;
  edge condition_{};
  int blocks_ = 0;
  open_region region_;
};

template <class X>
constexpr auto branch_on(const X& x) {
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (!is_scalar_bool<X>) {
    return refuse<condition_reason<X>>();
  } else if constexpr (is_recorded<X>) {
    return branch_scope(x.builder(), condition_place(x));
  } else {
    if constexpr (world_of<X> == world::dual)
      if (x.is_traced()) return branch_scope(x.builder(), x.place());
    return branch_scope(static_cast<bool>(number_of(x)));
  }
}

}  // namespace detail

}  // namespace jig

#define JIG_JOINED_(a, b) a##b
#define JIG_JOIN_(a, b) JIG_JOINED_(a, b)

/// `JIG_WHILE(condition) { … }` repeats the block as long as the condition holds, which is evaluated before each trip. In a
/// trace it becomes one While node. `break` and `continue` work as in a `while`.
#define JIG_WHILE(...)                                                                                    \
  for (auto JIG_JOIN_(jig_loop_, __LINE__) = ::jig::detail::while_loop_of([&] { return (__VA_ARGS__); }); \
       JIG_JOIN_(jig_loop_, __LINE__).next();)

/// `JIG_IF(condition) { … } JIG_ELSE { … }` is a branch that joins at its end: in a trace both blocks are recorded at once, so
/// that many of them in sequence cost no more than one each. It cannot be left by `return` or `break`.
#define JIG_IF(...)                                                                                                             \
  for (auto JIG_JOIN_(jig_branch_, __LINE__) = ::jig::detail::branch_on(__VA_ARGS__); JIG_JOIN_(jig_branch_, __LINE__).next();) \
    if (JIG_JOIN_(jig_branch_, __LINE__).first())
#define JIG_ELSE else

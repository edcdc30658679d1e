// SPDX-License-Identifier: MIT
#pragma once
// Branches as functions: cond and switch_case. On tensors they run at once.

#include <jig/trace/control.hpp>
#include <jig/trace/traced_structure.hpp>

namespace jig {

namespace detail {

template <class X>
void take_specs(const X& unknown, const list<tensor_spec>& specs) {
  std::size_t next = 0;
  for_each_leaf(unknown, [&](const auto& leaf) { leaf.builder()->graph.nodes[leaf.place().node].spec = specs[next++]; });
}
// The result of a dynamic branch stands for parameters until its first block tells its specs; those take them, and so do what they
// become behind the branch.
template <class X, class Y>
void take_specs(builder* b, std::size_t begin, const X& unknown, const list<edge>& parameters, const Y& known) {
  const list<tensor_spec> specs = specs_now(known);
  const trace_event& e = b->events[begin];
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    b->graph.nodes[parameters[k].node].spec = specs[k];
    for (int i = 0; i < e.before.count; ++i)
      if (b->pool[e.before.first + i] == parameters[k]) b->graph.nodes[b->pool[e.after.first + i].node].spec = specs[k];
  }
  take_specs(unknown, specs);
}

template <class Condition>
constexpr edge place_of_condition(const Condition& c) {
  if constexpr (is_dynamic<Condition>) return c.condition();
  else return c.place();
}

// The results of a branch that is traced at run time have the specs of what its first block gives.
template <class Condition, class Yes, class No, class First>
auto dynamic_results_of_branch(const Condition& c, Yes& yes, No& no, std::type_identity<First>) {
  builder* b = c.builder();
  auto result = traced_unknown<First, First, true>(b);
  if (b->computed != nullptr) {
    auto take = [&](const auto& value) {
      take_specs(result, specs_now(value));
      assign_all(b, result, value);
    };
    if (b->computed->holds(c.condition())) take(yes());
    else take(no());
    return result;
  }
  list<edge> parameters;
  for_each_leaf(result, [&](const auto& leaf) { parameters.push_back(leaf.place()); });
  const std::size_t begin = b->events.size();
  branch_scope scope(b, c.condition());
  while (scope.next()) {
    if (scope.first()) {
      const auto value = yes();
      take_specs(b, begin, result, parameters, value);
      assign_all(b, result, value);
    } else {
      const auto value = no();
      check_same_specs("cond", result, value);
      assign_all(b, result, value);
    }
  }
  return result;
}

template <class Condition, class Yes, class No>
constexpr auto recorded_cond(const Condition& c, Yes& yes, No& no) {
  using first = std::remove_cvref_t<std::invoke_result_t<Yes&>>;
  using second = std::remove_cvref_t<std::invoke_result_t<No&>>;
  constexpr bool dynamic = is_dynamic<Condition>;
  if constexpr (is_refused<first>) {
    return first();
  } else if constexpr (is_refused<second>) {
    return second();
  } else if constexpr (std::is_void_v<first>) {
    branch_scope scope(c.builder(), place_of_condition(c));
    while (scope.next()) {
      if (scope.first()) yes();
      else no();
    }
  } else if constexpr (!same_structure<first, second, dynamic>()) {
    return refuse_structures<"cond", dynamic, first, second>();
  } else if constexpr (dynamic) {
    return dynamic_results_of_branch(c, yes, no, std::type_identity<first>());
  } else {
    builder* b = c.builder();
    auto result = traced_unknown<first, second, false>(b);
    branch_scope scope(b, c.place());
    while (scope.next()) {
      if (scope.first()) assign_all(b, result, yes());
      else assign_all(b, result, no());
    }
    return result;
  }
}

}  // namespace detail

/// What `yes()` returns if the condition holds, else what `no()` returns. Both become part of the graph; one runs.
/// Errors: a condition that is no bool scalar, or results of different specs, are refused at compile time.
template <Operand Condition, class Yes, class No>
constexpr auto cond(const Condition& c, Yes yes, No no) {
  if constexpr (is_refused<Condition>) return c;
  else if constexpr (!detail::is_scalar_bool<Condition>) return refuse<detail::condition_reason<Condition>>();
  else if constexpr (detail::is_recorded<Condition>) return detail::recorded_cond(c, yes, no);
  else return static_cast<bool>(detail::number_of(c)) ? yes() : no();
}

/// What the function with this number returns; the last one is also for all numbers without a function.
/// Errors: an index that is no integer scalar, or results of different specs, are refused at compile time.
template <Operand I, class F>
constexpr auto switch_case(const I&, F last) {
  return last();
}
template <Operand I, class F, class... More>
  requires(sizeof...(More) > 0)
constexpr auto switch_case(const I& i, F first, More... more) {
  return cond(i == 0, first, [&] { return switch_case(i - 1, more...); });
}

}  // namespace jig

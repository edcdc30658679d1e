// SPDX-License-Identifier: MIT
#pragma once
// Functions over the parts of a tensor along its first axis: scan and map.

#include <jig/trace/range.hpp>
#include <jig/trace/tensor_array.hpp>
#include <jig/trace/trace.hpp>

#include <tuple>
#include <utility>

namespace jig {

namespace detail {
template <std::size_t Values, class T>
inline constexpr bool is_state_of = false;
template <std::size_t Values, class... T>
inline constexpr bool is_state_of<Values, std::tuple<T...>> = sizeof...(T) == Values;
// Whether a value has parts, as far as compilers know.
template <class X>
constexpr bool has_parts() {
  if constexpr (is_dynamic<X>) return true;
  else return operand_spec<X>::type::rank() > 0;
}
}  // namespace detail

/// The states of a loop over the parts of xs along its first axis: state = f(state, part), all states along a new first axis.
/// Errors: a state that changes its spec is refused at compile time.
template <class F, Operand X, Operand State>
constexpr auto scan(F f, const X& xs, const State& init) {
  if constexpr (!detail::has_parts<X>()) {
    return refuse_with<"scan: the second argument is a number, not a tensor with a first axis; the third one is the first state", X>();
  } else {
    auto state = init;
    auto states = tensor_array(extent<0>(xs), state);
    for (auto i : range(extent<0>(xs))) {
      state = f(state, element(xs, i));
      states = states.write(i, state);
    }
    return states.stack();
  }
}
/// The same for a state of several values, which f takes and returns as a tuple: a tuple of all states of each.
template <class F, Operand X, Operand... State>
constexpr auto scan(F f, const X& xs, const std::tuple<State...>& init) {
  using next = std::remove_cvref_t<decltype(f(init, element(xs, 0)))>;
  if constexpr (is_refused<next>) {
    return next();
  } else if constexpr (!detail::is_state_of<sizeof...(State), next>) {
    return refuse_with<"scan: the function must return as many values as its state has", State...>();
  } else {
    auto state = init;
    auto states = std::apply([&](const auto&... s) { return std::tuple(tensor_array(extent<0>(xs), s)...); }, state);
    for (auto i : range(extent<0>(xs))) {
      state = f(state, element(xs, i));
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((std::get<K>(states) = std::get<K>(states).write(i, std::get<K>(state))), ...);
      }(std::index_sequence_for<State...>());
    }
    return std::apply([](const auto&... kept) { return std::tuple(kept.stack()...); }, states);
  }
}

namespace detail {

// The spec of what a function returns, without a trace of the call.
template <class F>
tensor_spec spec_of_call(builder* b, F f) {
  const int nodes = b->graph.size(), decided = b->decided;
  const std::size_t events = b->events.size(), objects = b->value.size();
  list<edge> values = b->value;
  const tensor_spec found = [&] {
    struct pause {
      builder* b;
      computed_values* computed = std::exchange(b->computed, nullptr);
      ~pause() { b->computed = computed; }
    } recording_only{b};
    return spec_now(f());
  }();
  b->forget_nodes(nodes);
  b->decided = decided;
  while (b->events.size() > events) b->events.pop_back();
  for (std::size_t k = 0; k < objects; ++k) b->value[k] = values[k];
  return found;
}

template <class F, class X>
auto dynamic_results_of_map(F& f, const X& xs) {
  const tensor_spec s = spec_of_call(xs.builder(), [&] { return f(element(xs, 0)); });
  if (s.shape.is_static()) return dynamic_array_for_rows(xs, s);
  return tensor_array(extent<0>(xs), f(element(xs, 0)));
}

template <class F, class X>
constexpr auto results_of_map(F& f, const X& xs) {
  using result = typename operand_spec<std::remove_cvref_t<std::invoke_result_t<F&, decltype(element(xs, 0))>>>::type;
  if constexpr (result::value().shape.is_static()) return array_for_rows(xs, result());
  else return tensor_array(extent<0>(xs), f(element(xs, 0)));
}

}  // namespace detail

/// f of every part of xs along its first axis, along a new first axis.
/// Errors: results of f with wildcard extents need at least one part; without any, invalid_argument is thrown.
template <class F, Operand X>
constexpr auto map(F f, const X& xs) {
  auto results = [&] {
    if constexpr (detail::is_dynamic<X>) return detail::dynamic_results_of_map(f, xs);
    else return detail::results_of_map(f, xs);
  }();
  for (auto i : range(extent<0>(xs))) results = results.write(i, f(element(xs, i)));
  return results.stack();
}

}  // namespace jig

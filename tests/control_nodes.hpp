// SPDX-License-Identifier: MIT
#pragma once
// Nodes with bodies, put into a trace by hand: the bodies are lambdas over symbols of their own.

#include <jig/ops/control.hpp>
#include <jig/trace/trace.hpp>

#include <tuple>

namespace control_nodes {

template <class S>
using symbol_of = typename jig::detail::symbol_of_spec<std::remove_const_t<S>>::type;

/// A body that takes values of these specs and returns what f returns: a symbol, a tuple of symbols or nothing.
template <class... S, class F>
constexpr jig::index body(jig::builder* b, F f) {
  auto around = b->graph.begin_body();
  std::tuple<symbol_of<S>...> inputs{symbol_of<S>(b, b->input(S::value(), ""))...};
  if constexpr (std::is_void_v<decltype(std::apply(f, inputs))>) {
    std::apply(f, inputs);
  } else {
    auto result = std::apply(f, inputs);
    jig::for_each_leaf(result, [&](const auto& leaf) { b->graph.output_edges.push_back(leaf.place()); });
  }
  return b->graph.end_body(std::move(around));
}

/// A value of the trace that `like` belongs to.
template <class T, class Like>
constexpr jig::symbol<T> constant(const Like& like, T x) {
  return {like.builder(), like.builder()->template literal<T>(x)};
}

// The node; without results it has effects only.
constexpr int add_node(jig::builder* b, const jig::op& kind, const jig::list<jig::edge>& inputs, const jig::list<jig::tensor_spec>& results,
                       std::string_view first_key, jig::index first, std::string_view second_key, jig::index second) {
  constexpr jig::index yes[] = {1};
  jig::list<jig::attribute_view> with{{first_key, jig::attribute_kind::body, {&first, 1}, {}, {}},
                                      {second_key, jig::attribute_kind::body, {&second, 1}, {}, {}}};
  if (results.empty()) with.push_back({"effects_only", jig::attribute_kind::boolean, yes, {}, {}});
  int made = b->graph.add(kind, results.empty() ? jig::tensor_spec{jig::dtype::boolean, {}} : results[0], inputs, with).node;
  for (std::size_t k = 1; k < results.size(); ++k) b->graph.add_output(results[k]);
  return made;
}

template <class... S>
constexpr auto outputs(jig::builder* b, int node) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    if constexpr (sizeof...(S) == 1) return (symbol_of<S>(b, {node, static_cast<int>(K)}), ...);
    else return std::tuple<symbol_of<S>...>{symbol_of<S>(b, {node, static_cast<int>(K)})...};
  }(std::index_sequence_for<S...>());
}

/// An If with results of specs S.
template <class... S, class Condition, class Then, class Else, class... X>
constexpr auto if_node(const Condition& condition, Then yes, Else no, const X&... captured) {
  jig::builder* b = condition.builder();
  jig::index first = body<typename X::spec_type...>(b, yes), second = body<typename X::spec_type...>(b, no);
  int made =
      add_node(b, jig::ops::if_op, {condition.place(), captured.place()...}, {S::value()...}, "then_branch", first, "else_branch", second);
  if constexpr (sizeof...(S) > 0) return outputs<S...>(b, made);
}

/// A While that carries values of these specs and types.
template <class... V, class Condition, class Trip, class... X>
constexpr auto while_node(const std::tuple<V...>& carried, Condition condition, Trip trip, const X&... captured) {
  return std::apply(
      [&](const auto&... v) {
        jig::builder* b = jig::detail::builder_of(v..., captured...);
        jig::index first = body<typename V::spec_type..., typename X::spec_type...>(b, condition);
        jig::index second = body<typename V::spec_type..., typename X::spec_type...>(b, trip);
        int made =
            add_node(b, jig::ops::while_op, {v.place()..., captured.place()...}, {V::spec_type::value()...}, "cond", first, "body", second);
        if constexpr (sizeof...(V) > 0) return outputs<typename V::spec_type...>(b, made);
      },
      carried);
}

}  // namespace control_nodes

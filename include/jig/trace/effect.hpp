// SPDX-License-Identifier: MIT
#pragma once
// Effects in a trace: nodes that run although nobody may use their result.

#include <jig/ops/effect.hpp>
#include <jig/trace/symbol.hpp>

namespace jig::detail {

template <class X>
constexpr void append_input(list<edge>& inputs, builder* b, const X& x) {
  if constexpr (!is_words<X> && !is_anchor<X>) inputs.push_back(result_place(*b, x));
}

template <const op& Op, class Result, class Builder, class... X>
constexpr auto record_effect(Builder* b, stretch<attribute_view> with, const X&... x) {
  list<edge> inputs;
  (append_input(inputs, b, x), ...);
  return typed<symbol, Result>(b, b->graph.add(Op, Result::value, inputs, with));
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Effects in a trace: nodes that run although nobody may use their result.

#include <jig/ops/effect.hpp>
#include <jig/trace/symbol.hpp>

namespace jig::detail {

template <bool Dynamic, class X>
constexpr void append_input(list<edge>& inputs, builder* b, const X& x) {
  if constexpr (is_words<X> || is_anchor<X>) return;
  else if constexpr (Dynamic) inputs.push_back(dynamic_place(*b, x));
  else inputs.push_back(result_place(*b, x));
}

template <const op& Op, class Result, class Builder, class... X>
constexpr auto record_effect(Builder* b, stretch<attribute_view> with, const X&... x) {
  list<edge> inputs;
  constexpr bool dynamic = in_dynamic_trace<X...>;
  if constexpr (dynamic) enter_kernels<Op>();
  (append_input<dynamic>(inputs, b, x), ...);
  const edge made = b->graph.add(Op, Result::value, inputs, with);
  if constexpr (dynamic)
    if (b->computed != nullptr) b->computed->compute();
  return typed<symbol, Result>(b, made);
}

}  // namespace jig::detail

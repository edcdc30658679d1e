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
  b->compute();
  return typed<symbol, Result>(b, made);
}

/// Finds the recording of this thread at run time. Programs that make none have no such function, and no variable of a thread.
using recording_finder = builder* (*)();
inline constinit recording_finder find_recording = nullptr;
/// The recording that is made on this thread at run time; null if there is none.
inline builder* recording_of_thread() {
  const auto find = __atomic_load_n(&find_recording, __ATOMIC_RELAXED);
  return find == nullptr ? nullptr : find();
}

// A run that computes at once leaves no trace.
template <class Builder, class... X>
constexpr void record_note(Builder* b, stretch<attribute_view> with, const X&... x) {
  if (b->computed != nullptr) return;
  list<edge> inputs;
  (append_input<in_dynamic_trace<X...>>(inputs, b, x), ...);
  b->graph.add(ops::trace_note, effect_result::value, inputs, with);
}

}  // namespace jig::detail

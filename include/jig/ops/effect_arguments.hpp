// SPDX-License-Identifier: MIT
#pragma once
// Arguments of effects: texts, values and anchors, and which trace they belong to.

#include <jig/core/list.hpp>
#include <jig/ops/operands.hpp>

namespace jig {

/// Tells print which trace it belongs to when it has no traced value to write. Made by beside.
template <class X>
struct anchor {
  const X& of;
};

/// An argument of print that writes nothing. A text alone belongs to no trace: `jig::print("fizz", jig::beside(i))`.
template <Operand X>
constexpr anchor<X> beside(const X& x) {
  return {x};
}

namespace detail {

template <class X>
inline constexpr bool is_anchor = false;
template <class X>
inline constexpr bool is_anchor<anchor<X>> = true;

template <class X>
inline constexpr bool is_words = std::is_convertible_v<const X&, std::string_view>;

template <class X>
inline constexpr bool is_effect_argument = is_words<X> || Operand<X> || is_anchor<X>;

template <class X>
inline constexpr world world_of_effect = world_of<X>;
template <class X>
inline constexpr world world_of_effect<anchor<X>> = world_of<X>;

template <class X>
inline constexpr bool is_eager_value<anchor<X>> = is_eager_value<X>;

// Whether the arguments belong to a trace wherever they are, and whether they do in constant evaluation.
template <class... X>
inline constexpr bool always_in_trace = ((world_of_effect<X> == world::traced || world_of_effect<X> == world::dynamic) || ...);
template <class... X>
inline constexpr bool may_be_in_trace =
    (always_in_trace<X> || ...) || (((world_of_effect<X> == world::dual) || ...) && !(is_eager_value<X> || ...));
template <class... X>
inline constexpr bool in_dynamic_trace = ((world_of_effect<X> == world::dynamic) || ...);

// Whether they do now.
template <class... X>
constexpr bool belong_to_trace([[maybe_unused]] const X&... x) {
  [[maybe_unused]] const auto is = []<class Y>(const Y& y) {
    if constexpr (world_of_effect<Y> != world::dual) return always_in_trace<Y>;
    else if constexpr (is_anchor<Y>) return y.of.is_traced();
    else return y.is_traced();
  };
  return always_in_trace<X...> || (is(x) || ...);
}
template <class First, class... Rest>
constexpr auto recorder_of(const First& x, const Rest&... rest) {
  if constexpr (!may_be_in_trace<First>) {
    return recorder_of(rest...);
  } else {
    if constexpr (may_be_in_trace<Rest...>)
      if (!belong_to_trace(x)) return recorder_of(rest...);
    if constexpr (is_anchor<First>) return x.of.builder();
    else return x.builder();
  }
}

}  // namespace detail

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// How many elements are not zero.

#include <jig/ops/shape_of.hpp>

#include <cstdint>

namespace jig {

/// How many elements are not 0, or not false, along axes; NaN counts.
/// Shape: those that reduce_sum has
/// Dtype: of numbers or bool; the counts are int64
template <index... Axes, Operand X>
constexpr auto count_nonzero(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return reduce_sum<Axes...>(cast<std::int64_t>(jig::cast<bool>(x)));
}
template <index... Axes, Operand X>
constexpr auto count_nonzero(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return reduce_sum<Axes...>(cast<std::int64_t>(jig::cast<bool>(x)), keepdims);
}

/// TensorFlow's `tf.math.zero_fraction`: which part of the elements is 0; NaN of none.
/// Shape: []
/// Dtype: of numbers or bool; the fraction is float32
template <Operand X>
constexpr auto zero_fraction(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (is_refused<X>) {
    return x;
  } else {
    auto elements = cast<std::int64_t>(jig::size(x));
    return cast<float>(elements - jig::count_nonzero(x)) / cast<float>(elements);
  }
}

}  // namespace jig

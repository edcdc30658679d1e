// SPDX-License-Identifier: MIT
#pragma once
// Tensors that are scaled down to a norm. Limits of elements are in ops/select.hpp.

#include <jig/adapt/structure.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/reduce.hpp>

namespace jig {

namespace detail {

// The root of a sum of squares, whose slope at 0 is 0.
constexpr auto norm_of_squares(const auto& squares) {
  auto positive = call<ops::greater>(squares, 0);
  return where(positive, sqrt(where(positive, squares, 1)), squares);
}

// The factor that brings a norm down to a limit. A norm that is not finite makes NaN of all, as in TensorFlow.
constexpr auto factor_for_norm(const auto& limit, const auto& norm) { return limit / jig::maximum(norm, limit) + (norm - norm); }

template <class X, std::size_t... I>
constexpr auto squared_norm_of_leaves_of_parts(const X& x, std::index_sequence<I...>);
/// The sum of the squares of all elements of all leaves.
template <class X>
constexpr auto squared_norm_of_leaves(const X& x) {
  using S = structure<X>;
  if constexpr (S::nested) return detail::squared_norm_of_leaves_of_parts(x, std::make_index_sequence<S::size>());
  else return reduce_sum(jig::square(x));
}
template <class X, std::size_t... I>
constexpr auto squared_norm_of_leaves_of_parts(const X& x, std::index_sequence<I...>) {
  return (detail::squared_norm_of_leaves(structure<X>::template get<I>(x)) + ...);
}

}  // namespace detail

/// x, scaled so that its norm along axes (none: of all elements) is at most that one.
/// Shape: that of x
/// Dtype: floating
template <index... Axes, Operand X, Operand N>
constexpr auto clip_by_norm(const X& x, const N& most, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, most);
  auto norm_of_x = detail::norm_of_squares(reduce_sum<Axes...>(jig::square(x), keepdims));
  return detail::quotient(call<ops::multiply>(x, most), jig::maximum(norm_of_x, most));
}

/// The norm of all elements of all tensors of a structure, such as gradients of a model.
/// Shape: []
/// Dtype: floating, the same of all
template <class X>
constexpr auto global_norm(const X& structure_of_tensors) {
  return sqrt(detail::squared_norm_of_leaves(structure_of_tensors));
}

/// The tensors of a structure, scaled by one factor so that their global_norm is at most that one. All are NaN where it is not finite.
/// TensorFlow's function returns the norm, too: it is `global_norm(structure)`, which is computed once for both.
/// Shape: those of the tensors
/// Dtype: floating, the same of all
template <class X, Operand N>
constexpr auto clip_by_global_norm(const X& structure_of_tensors, const N& most) {
  auto factor = detail::factor_for_norm(most, jig::global_norm(structure_of_tensors));
  return jig::map_leaves(structure_of_tensors, [&](const auto& x) { return call<ops::multiply>(x, factor); });
}

}  // namespace jig

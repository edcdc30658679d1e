// SPDX-License-Identifier: MIT
#pragma once
// Reductions: combine elements along axes. Without axes all of them; negative axes count from the end; with
// `jig::keepdims` reduced axes stay with extent 1.

#include <jig/ops/extremes.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/unary.hpp>

#include <limits>

namespace jig {

/// Asks a reduction to keep the reduced axes with extent 1.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

namespace detail {

/// Bit a is set where axis a is reduced.
constexpr unsigned reduced_axes(rule_context& c, int rank) {
  auto axes = c.integers("axes");
  if (axes.empty()) return (1u << rank) - 1;
  unsigned set = 0;
  for (index a : axes) {
    unsigned bit = 1u << c.axis(a, rank);
    if ((set & bit) != 0) c.fail("an axis is named twice");
    set |= bit;
  }
  return set;
}

template <unsigned Kinds>
constexpr void reduction_rule(rule_context& c) {
  check_dtypes(c, Kinds);
  const shape& from = c.inputs[0].shape;
  unsigned set = reduced_axes(c, from.rank);
  bool keep = c.integer("keep_dims") != 0;
  shape s;
  for (int a = 0; a < from.rank; ++a) {
    if ((set >> a & 1) == 0) s.push_back(from[a]);
    else if (keep) s.push_back(1);
  }
  c.result = {c.inputs[0].dtype, s};
}

// A value of the extents that the result of a reduction has, with extents of 1 where axes were reduced: so it broadcasts to those
// of the input.
constexpr graph_value with_reduced_axes(gradient_context& c, graph_value x) {
  if (c.integer("keep_dims") != 0 || c.spec(x).shape.rank == 0) return x;
  rule_context numbers;
  const int rank = c.spec(c.input(0)).shape.rank;
  unsigned set = 0;
  for (index a : c.integers("axes")) set |= 1u << numbers.axis(a, rank);
  index a = 0;
  const attribute_view with{"dim", attribute_kind::integer, {&a, 1}};
  for (; a < rank; ++a)
    if ((set >> a & 1) != 0) x = c.call(c.ops().expand_dims, {x}, {&with, 1});
  return x;
}

constexpr void sum_gradient(gradient_context& c) { c.give(0, with_reduced_axes(c, c.full_adjoint())); }
constexpr void mean_gradient(gradient_context& c) {
  auto x = c.input(0);
  const index all = c.extents(x).size(), left = c.extents(c.output()).size();
  auto adjoint = with_reduced_axes(c, c.full_adjoint());
  if (all >= 0 && left >= 0) c.give(0, adjoint * (left == 0 ? 0 : static_cast<double>(left) / static_cast<double>(all)));
  else c.give(0, adjoint * c.call(c.ops().shrinkage, {x, c.output()}));
}
// Elements that are equally large share alike.
constexpr void extreme_gradient(gradient_context& c) {
  auto x = c.input(0);
  auto found = x == with_reduced_axes(c, c.output());
  auto ones = where(found, c.call(c.ops().ones_like, {x}), 0);
  auto count = c.call_alike(c.ops().sum, {ones});
  c.give(0, ones * with_reduced_axes(c, c.full_adjoint() / count));
}
template <unsigned Kinds>
constexpr op reduction(std::string_view name, fact more = fact::none, void (*gradient)(gradient_context&) = no_gradient) {
  return {.name = name,
          .label = name,
          .facts = fact::reduction | more,
          .rule = reduction_rule<Kinds>,
          .flops = elements_of_first_input,
          .gradient = gradient};
}

constexpr value_range range_of_sums(const known_ranges& x) { return {x.count * x[0].low, x.count * x[0].high}; }
constexpr value_range range_of_extremes(const known_ranges& x) { return x[0]; }

}  // namespace detail

namespace ops {

/// All of these: attributes `axes` (none: all) and `keep_dims`.
inline constexpr op reduce_sum = detail::reduction<numbers>("Sum", fact::wraps, detail::sum_gradient).within(detail::range_of_sums);
inline constexpr op reduce_mean = detail::reduction<numbers>("Mean", fact::wraps, detail::mean_gradient);
inline constexpr op reduce_max = detail::reduction<numbers>("Max", fact::none, detail::extreme_gradient).within(detail::range_of_extremes);
inline constexpr op reduce_min = detail::reduction<numbers>("Min", fact::none, detail::extreme_gradient).within(detail::range_of_extremes);
inline constexpr op reduce_any = detail::reduction<booleans>("Any");
inline constexpr op reduce_all = detail::reduction<booleans>("All");
}  // namespace ops

template <>
struct functor<ops::reduce_sum> {
  static constexpr bool sums = true;
  template <class T>
  static T neutral() {
    return T(0);
  }
  static auto combine(const auto& x, const auto& y) { return x + y; }
};
template <>
struct functor<ops::reduce_mean> : functor<ops::reduce_sum> {
  // Integers truncate, as in TensorFlow; the mean of nothing is NaN, or 0 for integers.
  template <class T>
  static T finish(T total, index count) {
    if constexpr (std::is_integral_v<T>)
      return count == 0 ? T(0) : static_cast<T>(total / static_cast<std::conditional_t<std::is_signed_v<T>, index, std::size_t>>(count));
    else if constexpr (requires { typename T::value_type; }) return total / T(static_cast<typename T::value_type>(count));
    else return total / static_cast<T>(count);
  }
};
template <>
struct functor<ops::reduce_max> {
  template <class T>
  static T neutral() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  }
  static auto combine(const auto& x, const auto& y) { return functor<ops::maximum>::apply(x, y); }
  // The same where neither is NaN.
  static auto combine_numbers(const auto& x, const auto& y) {
    using detail::max;
    return max<>(x, y);
  }
};
template <>
struct functor<ops::reduce_min> {
  template <class T>
  static T neutral() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : (std::numeric_limits<T>::max)();
  }
  static auto combine(const auto& x, const auto& y) { return functor<ops::minimum>::apply(x, y); }
  static auto combine_numbers(const auto& x, const auto& y) {
    using detail::min;
    return min<>(x, y);
  }
};
template <>
struct functor<ops::reduce_any> {
  template <class T>
  static T neutral() {
    return false;
  }
  static auto combine(const auto& x, const auto& y) { return x | y; }
};
template <>
struct functor<ops::reduce_all> {
  template <class T>
  static T neutral() {
    return true;
  }
  static auto combine(const auto& x, const auto& y) { return x & y; }
};

namespace detail {

template <const op& Op, bool Keep, index... Axes, class X>
constexpr auto reduce(const X& x) {
  return call<Op, attributes<integers<"axes", Axes...>, boolean<"keep_dims", Keep>>>(x);
}

}  // namespace detail

/// The sum. Integer overflow wraps; nothing sums to 0.
template <index... Axes, Operand X>
constexpr auto reduce_sum(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_sum, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_sum(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_sum, true, Axes...>(x);
}

/// The mean. Integers truncate; the mean of no floating numbers is NaN.
template <index... Axes, Operand X>
constexpr auto reduce_mean(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_mean, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_mean(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_mean, true, Axes...>(x);
}

/// The largest element, NaN if there is one; of nothing the lowest value of the dtype.
template <index... Axes, Operand X>
constexpr auto reduce_max(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_max, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_max(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_max, true, Axes...>(x);
}

/// The smallest element, NaN if there is one; of nothing the highest value of the dtype.
template <index... Axes, Operand X>
constexpr auto reduce_min(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_min, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_min(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_min, true, Axes...>(x);
}

/// Whether any element is true; false for nothing.
template <index... Axes, Operand X>
constexpr auto reduce_any(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_any, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_any(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_any, true, Axes...>(x);
}

/// Whether all elements are true; true for nothing.
template <index... Axes, Operand X>
constexpr auto reduce_all(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_all, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_all(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_all, true, Axes...>(x);
}

/// The mean of the squared distances from the mean.
template <index... Axes, Operand X>
constexpr auto reduce_variance(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  auto deviation = x - reduce_mean<Axes...>(x, keepdims);
  return reduce_mean<Axes...>(square(deviation));
}
template <index... Axes, Operand X>
constexpr auto reduce_variance(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  auto deviation = x - reduce_mean<Axes...>(x, keepdims);
  return reduce_mean<Axes...>(square(deviation), keepdims);
}

/// The square root of the variance.
template <index... Axes, Operand X>
constexpr auto reduce_std(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return sqrt(reduce_variance<Axes...>(x));
}
template <index... Axes, Operand X>
constexpr auto reduce_std(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return sqrt(reduce_variance<Axes...>(x, keepdims));
}

/// The logarithm of the sum of exponentials, without overflow.
template <index... Axes, Operand X>
constexpr auto reduce_logsumexp(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  // Shifted by the largest element, unless that is infinite.
  auto largest = reduce_max<Axes...>(x, keepdims);
  auto shift = stop_gradient(where(is_finite(largest), largest, 0));
  auto total = log(reduce_sum<Axes...>(exp(x - shift)));
  return total + reduce_max<Axes...>(shift);
}
template <index... Axes, Operand X>
constexpr auto reduce_logsumexp(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  // Shifted by the largest element, unless that is infinite.
  auto largest = reduce_max<Axes...>(x, keepdims);
  auto shift = stop_gradient(where(is_finite(largest), largest, 0));
  auto total = log(reduce_sum<Axes...>(exp(x - shift), keepdims));
  return total + shift;
}

/// The Euclidean norm: the square root of the sum of squares.
template <index... Axes, Operand X>
constexpr auto norm(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return sqrt(reduce_sum<Axes...>(square(x)));
}
template <index... Axes, Operand X>
constexpr auto norm(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return sqrt(reduce_sum<Axes...>(square(x), keepdims));
}

}  // namespace jig

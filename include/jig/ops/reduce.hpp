// SPDX-License-Identifier: MIT
#pragma once
// Reductions: combine elements along axes. Without axes all of them; negative axes count from the end; with
// `jig::keepdims` reduced axes stay with extent 1.

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

template <unsigned Kinds>
constexpr op reduction(std::string_view name, fact more = fact::none) {
  return {.name = name,
          .label = name,
          .facts = fact::reduction | more,
          .rule = reduction_rule<Kinds>,
          .flops = elements_of_first_input};
}

}  // namespace detail

namespace ops {

/// All of these: attributes `axes` (none: all) and `keep_dims`.
inline constexpr op reduce_sum = detail::reduction<numbers>("Sum", fact::wraps);
inline constexpr op reduce_mean = detail::reduction<numbers>("Mean", fact::wraps);
inline constexpr op reduce_prod = detail::reduction<numbers>("Prod", fact::wraps);
inline constexpr op reduce_max = detail::reduction<numbers>("Max");
inline constexpr op reduce_min = detail::reduction<numbers>("Min");
inline constexpr op reduce_any = detail::reduction<booleans>("Any");
inline constexpr op reduce_all = detail::reduction<booleans>("All");

}  // namespace ops

template <>
struct meaning<ops::reduce_sum> {
  static constexpr bool sums = true;
  template <class T>
  static T neutral() {
    return T(0);
  }
  static auto combine(const auto& x, const auto& y) { return x + y; }
};
template <>
struct meaning<ops::reduce_mean> : meaning<ops::reduce_sum> {
  // Integers truncate, as in TensorFlow; the mean of nothing is NaN, or 0 for integers.
  template <class T>
  static T finish(T total, index count) {
    if constexpr (std::is_integral_v<T>)
      return count == 0 ? T(0) : static_cast<T>(total / static_cast<std::conditional_t<std::is_signed_v<T>, index, std::size_t>>(count));
    else return total / static_cast<T>(count);
  }
};
template <>
struct meaning<ops::reduce_prod> {
  template <class T>
  static T neutral() {
    return T(1);
  }
  static auto combine(const auto& x, const auto& y) { return x * y; }
};
template <>
struct meaning<ops::reduce_max> {
  template <class T>
  static T neutral() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  }
  static auto combine(const auto& x, const auto& y) { return meaning<ops::maximum>::apply(x, y); }
  // The same where neither is NaN.
  static auto combine_numbers(const auto& x, const auto& y) {
    using detail::max;
    return max(x, y);
  }
};
template <>
struct meaning<ops::reduce_min> {
  template <class T>
  static T neutral() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  }
  static auto combine(const auto& x, const auto& y) { return meaning<ops::minimum>::apply(x, y); }
  static auto combine_numbers(const auto& x, const auto& y) {
    using detail::min;
    return min(x, y);
  }
};
template <>
struct meaning<ops::reduce_any> {
  template <class T>
  static T neutral() {
    return false;
  }
  static auto combine(const auto& x, const auto& y) { return x | y; }
};
template <>
struct meaning<ops::reduce_all> {
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
constexpr auto reduce_sum(const X& x) {
  return detail::reduce<ops::reduce_sum, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_sum(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_sum, true, Axes...>(x);
}

/// The mean. Integers truncate; the mean of no floating numbers is NaN.
template <index... Axes, Operand X>
constexpr auto reduce_mean(const X& x) {
  return detail::reduce<ops::reduce_mean, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_mean(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_mean, true, Axes...>(x);
}

/// The product. Integer overflow wraps; the product of nothing is 1.
template <index... Axes, Operand X>
constexpr auto reduce_prod(const X& x) {
  return detail::reduce<ops::reduce_prod, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_prod(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_prod, true, Axes...>(x);
}

/// The largest element, NaN if there is one; of nothing the lowest value of the dtype.
template <index... Axes, Operand X>
constexpr auto reduce_max(const X& x) {
  return detail::reduce<ops::reduce_max, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_max(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_max, true, Axes...>(x);
}

/// The smallest element, NaN if there is one; of nothing the highest value of the dtype.
template <index... Axes, Operand X>
constexpr auto reduce_min(const X& x) {
  return detail::reduce<ops::reduce_min, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_min(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_min, true, Axes...>(x);
}

/// Whether any element is true; false for nothing.
template <index... Axes, Operand X>
constexpr auto reduce_any(const X& x) {
  return detail::reduce<ops::reduce_any, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_any(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_any, true, Axes...>(x);
}

/// Whether all elements are true; true for nothing.
template <index... Axes, Operand X>
constexpr auto reduce_all(const X& x) {
  return detail::reduce<ops::reduce_all, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_all(const X& x, keepdims_t) {
  return detail::reduce<ops::reduce_all, true, Axes...>(x);
}

/// The mean of the squared distances from the mean.
template <index... Axes, Operand X>
constexpr auto reduce_variance(const X& x) {
  auto deviation = x - reduce_mean<Axes...>(x, keepdims);
  return reduce_mean<Axes...>(square(deviation));
}
template <index... Axes, Operand X>
constexpr auto reduce_variance(const X& x, keepdims_t) {
  auto deviation = x - reduce_mean<Axes...>(x, keepdims);
  return reduce_mean<Axes...>(square(deviation), keepdims);
}

/// The square root of the variance.
template <index... Axes, Operand X>
constexpr auto reduce_std(const X& x) {
  return sqrt(reduce_variance<Axes...>(x));
}
template <index... Axes, Operand X>
constexpr auto reduce_std(const X& x, keepdims_t) {
  return sqrt(reduce_variance<Axes...>(x, keepdims));
}

/// The logarithm of the sum of exponentials, without overflow.
template <index... Axes, Operand X>
constexpr auto reduce_logsumexp(const X& x) {
  // Shifted by the largest element, unless that is infinite.
  auto largest = reduce_max<Axes...>(x, keepdims);
  auto shift = where(is_finite(largest), largest, 0);
  auto total = log(reduce_sum<Axes...>(exp(x - shift)));
  return total + reduce_max<Axes...>(shift);
}
template <index... Axes, Operand X>
constexpr auto reduce_logsumexp(const X& x, keepdims_t) {
  // Shifted by the largest element, unless that is infinite.
  auto largest = reduce_max<Axes...>(x, keepdims);
  auto shift = where(is_finite(largest), largest, 0);
  auto total = log(reduce_sum<Axes...>(exp(x - shift), keepdims));
  return total + shift;
}

/// The Euclidean norm: the square root of the sum of squares.
template <index... Axes, Operand X>
constexpr auto norm(const X& x) {
  return sqrt(reduce_sum<Axes...>(square(x)));
}
template <index... Axes, Operand X>
constexpr auto norm(const X& x, keepdims_t) {
  return sqrt(reduce_sum<Axes...>(square(x), keepdims));
}

}  // namespace jig

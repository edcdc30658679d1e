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
constexpr void product_gradient(gradient_context&);
constexpr void product_of_others_gradient(gradient_context&);
constexpr void first_input_rule(rule_context& c) { c.result = c.inputs[0]; }
constexpr index three_for_each_element(const rule_context& c) { return 3 * c.result.shape.size(); }

template <unsigned Kinds>
constexpr op reduction(std::string_view name, fact more = fact::none, void (*gradient)(gradient_context&) = no_gradient) {
  return {.name = name,
          .label = name,
          .facts = fact::reduction | more,
          .rule = reduction_rule<Kinds>,
          .flops = elements_of_first_input,
          .gradient = gradient};
}

}  // namespace detail

namespace ops {

extern const op product_of_others;

/// All of these: attributes `axes` (none: all) and `keep_dims`.
inline constexpr op reduce_sum = detail::reduction<numbers>("Sum", fact::wraps, detail::sum_gradient);
inline constexpr op reduce_mean = detail::reduction<numbers>("Mean", fact::wraps, detail::mean_gradient);
inline constexpr op reduce_prod =
    detail::reduction<numbers>("Prod", fact::wraps, detail::product_gradient).making(made_ops<product_of_others>);
inline constexpr op reduce_max = detail::reduction<numbers>("Max", fact::none, detail::extreme_gradient);
inline constexpr op reduce_min = detail::reduction<numbers>("Min", fact::none, detail::extreme_gradient);
inline constexpr op reduce_any = detail::reduction<booleans>("Any");
inline constexpr op reduce_all = detail::reduction<booleans>("All");
/// For each of a few elements, all that the input has, the product of the others.
inline constexpr op product_of_others{.name = "ProdOthers",
                                      .label = "ProdOthers",
                                      .facts = fact::computes,
                                      .rule = detail::first_input_rule,
                                      .flops = detail::three_for_each_element,
                                      .gradient = detail::product_of_others_gradient,
                                      .makes = made_ops<reduce_prod>,
                                      .operands = {.elements = numbers}};

}  // namespace ops

namespace detail {

// So many elements are multiplied faster than divided.
inline constexpr index most_others = 16;

// The product of the others: of many elements it is the product over the element unless that is 0.
constexpr void product_gradient(gradient_context& c) {
  auto x = c.input(0);
  const shape& extents = c.extents(x);
  if (c.extents(c.output()).size() == 1 && extents.size() > 1 && extents.size() <= most_others)
    return c.give(0, with_reduced_axes(c, c.full_adjoint()) * c.call(ops::product_of_others, {x}));
  auto one = c.number(x, 1), zero = c.number(x, 0);
  auto is_zero = x == zero;
  auto others = with_reduced_axes(c, c.call_alike(c.node().kind(), {where(is_zero, one, x)}));
  auto zeros = with_reduced_axes(c, c.call_alike(c.ops().sum, {where(is_zero, c.call(c.ops().ones_like, {x}), zero)}));
  auto share = where(is_zero, where(zeros == one, others, zero), where(zeros == zero, others / x, zero));
  c.give(0, with_reduced_axes(c, c.full_adjoint()) * share);
}

inline constexpr index no_kept_axes[] = {0};
// The sum over the others of what is asked of them times the product of all but both: with products of those that are not 0, it
// depends on how many are.
constexpr void product_of_others_gradient(gradient_context& c) {
  auto x = c.input(0), adjoint = c.full_adjoint();
  auto one = c.number(x, 1), zero = c.number(x, 0);
  auto is_zero = x == zero, numbers = where(is_zero, one, x);
  const attribute_view with[] = {{"axes", attribute_kind::integers, {}}, {"keep_dims", attribute_kind::boolean, no_kept_axes}};
  const auto sum = [&](const graph_value& terms) { return c.call(ops::reduce_sum, {terms}, with); };
  auto zeros = sum(where(is_zero, c.call(c.ops().ones_like, {x}), zero));
  auto at_zeros = sum(where(is_zero, adjoint, zero)), share = where(is_zero, zero, adjoint / numbers), elsewhere = sum(share);
  auto product = c.call(ops::reduce_prod, {numbers}, with), others = product / numbers;
  auto of_zero = where(zeros == one, product * elsewhere, where(zeros == one + one, product * (at_zeros - adjoint), zero));
  auto of_number = where(zeros == zero, others * (elsewhere - share), where(zeros == one, others * at_zeros, zero));
  c.give(0, where(is_zero, of_zero, of_number));
}
}  // namespace detail

namespace detail {

template <int N, class T>
[[gnu::always_inline]] constexpr T product_of(const T* x) {
  if constexpr (N == 1) return *x;
  else return product_of<N / 2>(x) * product_of<N - N / 2>(x + N / 2);
}
// What is outside of a half is what is outside of the whole times the other half.
template <int N, class T, class W>
[[gnu::always_inline]] constexpr void multiply_others(T* to, const W* x, W outside) {
  if constexpr (N == 1) {
    *to = static_cast<T>(outside);
  } else {
    const W left = product_of<N / 2>(x), right = product_of<N - N / 2>(x + N / 2);
    multiply_others<N / 2>(to, x, outside * right);
    multiply_others<N - N / 2>(to + N / 2, x + N / 2, left * outside);
  }
}

}  // namespace detail

template <>
struct kernel<ops::product_of_others> {
  template <class Attributes, class T, index... E>
    requires((E * ... * 1) > 1 && (E * ... * 1) <= detail::most_others && ((E > 0) && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in) {
    using W = typename detail::wrapping_type<T>::type;
    constexpr int n = static_cast<int>((E * ... * 1));
    // Without loops, which compilers would turn into vectors that are taken apart again.
    [&]<int... I>(std::integer_sequence<int, I...>) {
      const W x[] = {static_cast<W>(in.data()[I])...};
      constexpr int half = n / 2;
      detail::multiply_others<half>(out.data(), x, detail::product_of<n - half>(x + half));
      detail::multiply_others<n - half>(out.data() + half, x + half, detail::product_of<half>(x));
    }(std::make_integer_sequence<int, n>());
  }
  template <class Attributes, class T, index... E>
  static constexpr bool reads_first(Attributes, std::type_identity<dense_view<T, E...>>, std::type_identity<dense_view<const T, E...>>) {
    return true;
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    using W = typename detail::wrapping_type<T>::type;
    // Those before each element, then those behind it.
    const auto each = [&](bool forward) {
      W product(1);
      for (index k = 0; k < out.size(); ++k) {
        const index place = forward ? k : out.size() - 1 - k;
        index rest = place, from = 0;
        for (int a = in.rank(); a-- > 0; rest /= in.extent(a)) from += rest % in.extent(a) * in.stride(a);
        T& to = out.data()[place];
        to = forward ? static_cast<T>(product) : static_cast<T>(static_cast<W>(to) * product);
        product *= static_cast<W>(in.data()[from]);
      }
    };
    each(true);
    each(false);
  }
};

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
struct functor<ops::reduce_prod> {
  template <class T>
  static T neutral() {
    return T(1);
  }
  static auto combine(const auto& x, const auto& y) { return x * y; }
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
  auto shift = stop_gradient(where(is_finite(largest), largest, 0));
  auto total = log(reduce_sum<Axes...>(exp(x - shift)));
  return total + reduce_max<Axes...>(shift);
}
template <index... Axes, Operand X>
constexpr auto reduce_logsumexp(const X& x, keepdims_t) {
  // Shifted by the largest element, unless that is infinite.
  auto largest = reduce_max<Axes...>(x, keepdims);
  auto shift = stop_gradient(where(is_finite(largest), largest, 0));
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

// SPDX-License-Identifier: MIT
#pragma once
// Products along axes, and of all elements but each: what their gradients are made of.

#include <jig/ops/reduce.hpp>

namespace jig {

namespace detail {

constexpr void product_gradient(gradient_context&);
constexpr void product_of_others_gradient(gradient_context&);
constexpr void first_input_rule(rule_context& c) { c.result = c.inputs[0]; }
constexpr index three_for_each_element(const rule_context& c) { return 3 * c.result.shape.size(); }

}  // namespace detail

namespace ops {

extern const op product_of_others;

/// The product: attributes `axes` (none: all) and `keep_dims`.
inline constexpr op reduce_prod =
    detail::reduction<numbers>("Prod", fact::wraps, detail::product_gradient).making(made_ops<product_of_others>);
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
struct functor<ops::reduce_prod> {
  template <class T>
  static T neutral() {
    return T(1);
  }
  static auto combine(const auto& x, const auto& y) { return x * y; }
};

/// The product. Integer overflow wraps; the product of nothing is 1.
template <index... Axes, Operand X>
constexpr auto reduce_prod(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_prod, false, Axes...>(x);
}
template <index... Axes, Operand X>
constexpr auto reduce_prod(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::reduce<ops::reduce_prod, true, Axes...>(x);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// The largest element or the mean of every window of an operand with one to three spatial axes, and what their gradients are made of.
// The kernels are in eval/pool.hpp.

#include <jig/ops/convolution.hpp>

namespace jig {

namespace detail {

template <int Axes>
constexpr void pool_rule(rule_context& c, const shape& x) {
  if (x.rank != Axes + 2) return c.fail("the operand needs its batch, spatial axes and channels");
  const auto windows = c.integers("ksize");
  if (windows.size() != static_cast<std::size_t>(Axes) + 2) return c.fail("a window needs an extent for every spatial axis");
  for (const index n : windows)
    if (n < 1) return c.fail("a window must have elements");
  if (!has_convolution_lists(c, Axes)) return;
  for (const index n : c.integers("dilations"))
    if (n != 1) return c.fail("the elements of a window must lie side by side, dilations of 1");
  shape out = x;
  for (int a = 0; a < Axes; ++a) out[a + 1] = convolved_extent(c, a, x[a + 1], windows[static_cast<std::size_t>(a) + 1]);
  c.result = {c.inputs[0].dtype, out};
}
template <int Axes, unsigned Kinds>
constexpr void pool_rule(rule_context& c) {
  check_dtypes(c, Kinds);
  if (!c.failed) pool_rule<Axes>(c, c.inputs[0].shape);
}
// Inputs: operand, result, and something with the extents of the result. The result has those of the operand.
constexpr void max_pool_grad_rule(rule_context& c) {
  check_dtypes(c, numbers);
  c.result = c.inputs[0];
}
// The same, but the last input has the extents of the operand and the result those of the result.
constexpr void max_pool_grad_grad_rule(rule_context& c) {
  check_dtypes(c, numbers);
  c.result = c.inputs[1];
}
// Inputs: the adjoint of the result, and something with the extents of the operand.
constexpr void avg_pool_grad_rule(rule_context& c) {
  check_dtypes(c, floats);
  c.result = c.inputs[1];
}

template <const op& Grad>
constexpr void max_pool_gradient(gradient_context& c) {
  c.give(0, c.call_alike(Grad, {c.input(0), c.output(), c.full_adjoint()}));
}
// Which element is the largest changes in steps.
template <const op& Other>
constexpr void max_pool_grad_gradient(gradient_context& c) {
  c.nothing();
  if (c.wants(2)) c.give(2, c.call_alike(Other, {c.input(0), c.input(1), c.full_adjoint()}));
}
template <const op& Grad>
constexpr void avg_pool_gradient(gradient_context& c) {
  c.give(0, c.call_alike(Grad, {c.full_adjoint(), c.input(0)}));
}
template <const op& Forward>
constexpr void avg_pool_grad_gradient(gradient_context& c) {
  c.nothing();
  if (c.wants(0)) c.give(0, c.call_alike(Forward, {c.full_adjoint()}));
}

constexpr index elements_of_windows(const rule_context& c) {
  index n = c.result.shape.size();
  for (const index e : c.integers("ksize")) n *= e;
  return n;
}

}  // namespace detail

namespace ops {

extern const op max_pool2d_grad, max_pool2d_grad_grad, avg_pool2d_grad, max_pool3d_grad, max_pool3d_grad_grad, avg_pool3d_grad;

// All of them have the attributes `ksize`, `strides`, `padding`, `explicit_paddings` and `data_format`.

inline constexpr op max_pool2d{.name = "MaxPool",
                               .label = "MaxPool",
                               .facts = fact::computes,
                               .rule = detail::pool_rule<2, numbers>,
                               .flops = detail::elements_of_windows,
                               .gradient = detail::max_pool_gradient<max_pool2d_grad>,
                               .makes = made_ops<max_pool2d_grad>,
                               .operands = {.elements = numbers}};
/// Of the operand and the result of max_pool2d and the adjoint of that.
inline constexpr op max_pool2d_grad{.name = "MaxPoolGrad",
                                    .label = "MaxPoolGrad",
                                    .facts = fact::computes,
                                    .rule = detail::max_pool_grad_rule,
                                    .gradient = detail::max_pool_grad_gradient<max_pool2d_grad_grad>,
                                    .makes = made_ops<max_pool2d_grad_grad>,
                                    .operands = {.elements = numbers}};
/// Of the operand and the result of max_pool2d, the elements of something like the operand that are the largest ones there.
inline constexpr op max_pool2d_grad_grad{.name = "MaxPoolGradGrad",
                                         .label = "MaxPoolGradGrad",
                                         .facts = fact::computes,
                                         .rule = detail::max_pool_grad_grad_rule,
                                         .gradient = detail::max_pool_grad_gradient<max_pool2d_grad>,
                                         .makes = made_ops<max_pool2d_grad>,
                                         .operands = {.elements = numbers}};
inline constexpr op avg_pool2d{.name = "AvgPool",
                               .label = "AvgPool",
                               .facts = fact::computes,
                               .rule = detail::pool_rule<2, floats>,
                               .flops = detail::elements_of_windows,
                               .gradient = detail::avg_pool_gradient<avg_pool2d_grad>,
                               .makes = made_ops<avg_pool2d_grad>,
                               .operands = {.elements = floats}};
/// Of the adjoint of the result of avg_pool2d and a tensor with the extents of its operand.
inline constexpr op avg_pool2d_grad{.name = "AvgPoolGrad",
                                    .label = "AvgPoolGrad",
                                    .facts = fact::computes,
                                    .rule = detail::avg_pool_grad_rule,
                                    .gradient = detail::avg_pool_grad_gradient<avg_pool2d>,
                                    .makes = made_ops<avg_pool2d>,
                                    .operands = {.elements = floats, .shapes = 2}};
inline constexpr op max_pool3d{.name = "MaxPool3D",
                               .label = "MaxPool3D",
                               .facts = fact::computes,
                               .rule = detail::pool_rule<3, numbers>,
                               .flops = detail::elements_of_windows,
                               .gradient = detail::max_pool_gradient<max_pool3d_grad>,
                               .makes = made_ops<max_pool3d_grad>,
                               .operands = {.elements = numbers}};
inline constexpr op max_pool3d_grad{.name = "MaxPool3DGrad",
                                    .label = "MaxPool3DGrad",
                                    .facts = fact::computes,
                                    .rule = detail::max_pool_grad_rule,
                                    .gradient = detail::max_pool_grad_gradient<max_pool3d_grad_grad>,
                                    .makes = made_ops<max_pool3d_grad_grad>,
                                    .operands = {.elements = numbers}};
inline constexpr op max_pool3d_grad_grad{.name = "MaxPool3DGradGrad",
                                         .label = "MaxPool3DGradGrad",
                                         .facts = fact::computes,
                                         .rule = detail::max_pool_grad_grad_rule,
                                         .gradient = detail::max_pool_grad_gradient<max_pool3d_grad>,
                                         .makes = made_ops<max_pool3d_grad>,
                                         .operands = {.elements = numbers}};
inline constexpr op avg_pool3d{.name = "AvgPool3D",
                               .label = "AvgPool3D",
                               .facts = fact::computes,
                               .rule = detail::pool_rule<3, floats>,
                               .flops = detail::elements_of_windows,
                               .gradient = detail::avg_pool_gradient<avg_pool3d_grad>,
                               .makes = made_ops<avg_pool3d_grad>,
                               .operands = {.elements = floats}};
inline constexpr op avg_pool3d_grad{.name = "AvgPool3DGrad",
                                    .label = "AvgPool3DGrad",
                                    .facts = fact::computes,
                                    .rule = detail::avg_pool_grad_rule,
                                    .gradient = detail::avg_pool_grad_gradient<avg_pool3d>,
                                    .makes = made_ops<avg_pool3d>,
                                    .operands = {.elements = floats, .shapes = 2}};

}  // namespace ops

namespace detail {

template <class Flag>
inline constexpr bool is_dilation = false;
template <index... N>
inline constexpr bool is_dilation<dilations_t<N...>> = true;

/// The attributes of a pool over `All` spatial axes, of which the last ones have windows: those of a convolution and the windows, which
/// are the strides too unless an option says others.
template <int All, class Windows, class... Flags>
struct pool_attributes;
template <int All, index... Window, class... Flags>
struct pool_attributes<All, integers<"ksize", Window...>, Flags...> {
  static constexpr int axes = static_cast<int>(sizeof...(Window));
  using others = convolution_attributes<All, axes, strides_t<Window...>, Flags...>;
  struct lists {
    index windows[static_cast<std::size_t>(All) + 2];
  };
  static constexpr lists all = [] {
    lists to{};
    const index windows[] = {Window...};
    for (int i = 0; i < All + 2; ++i) to.windows[i] = i <= All - axes || i == All + 1 ? 1 : windows[i - 1 - (All - axes)];
    return to;
  }();
  static constexpr std::size_t count = others::view().size() + 1;
  struct views {
    attribute_view at[count];
  };
  static constexpr views values = [] {
    views to{};
    to.at[0] = {"ksize", attribute_kind::integers, all.windows};
    for (std::size_t i = 1; i < count; ++i) to.at[i] = others::view()[i - 1];
    return to;
  }();
  static constexpr stretch<attribute_view> view() { return values.at; }
};

template <int Axes>
struct pool_option_reason {
  static constexpr message sentence =
      option_refusal("pool", Axes, "a window has one number, or one for each spatial axis; options are jig::strides<>, ");
};

template <int Axes, index... Window>
constexpr auto windows_of_pool() {
  if constexpr (sizeof...(Window) == 1)
    return []<int... I>(std::integer_sequence<int, I...>) {
      constexpr index one[] = {Window...};
      return integers<"ksize", (static_cast<void>(I), one[0])...>();
    }(std::make_integer_sequence<int, Axes>());
  else return integers<"ksize", Window...>();
}

template <int Axes, const op& Op, index... Window, class... Flags, class X>
constexpr auto call_pool(types<Flags...>, const X& x) {
  constexpr bool known = are_convolution_options<Flags...> && !(is_dilation<Flags> || ...);
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (!known || (sizeof...(Window) != 1 && sizeof...(Window) != Axes)) {
    return refuse<pool_option_reason<Axes>>();
  } else {
    using with = pool_attributes<Axes == 1 ? 2 : Axes, decltype(windows_of_pool<Axes, Window...>()), Flags...>;
    constexpr auto& options = with::others::options;
    if constexpr (!options.fits) return refuse<pool_option_reason<Axes>>();
    else if constexpr (options.channels_first && Axes == 1)
      return channels_to_front<1>(squeeze<1>(call<Op, with>(expand_dims<1>(channels_to_end<1>(x)))));
    else if constexpr (options.channels_first) return channels_to_front<Axes>(call<Op, with>(channels_to_end<Axes>(x)));
    else if constexpr (Axes == 1) return squeeze<1>(call<Op, with>(expand_dims<1>(x)));
    else return call<Op, with>(x);
  }
}

}  // namespace detail

/// The largest element of every window of so many elements along one axis of space, for each channel. Windows follow one another unless
/// `jig::strides<>` says how far they are apart. Further arguments, in any order, as those of `conv1d`: `jig::same_padding`,
/// `jig::explicit_padding<before, after>` and `jig::channels_first`. What lies outside of the operand is in no window. NaN is larger than
/// all numbers. The gradient goes to the first of several equal elements.
/// Shape: [batch, length, channels] -> [batch, length', channels]
template <index... Window, Operand X, class... Options>
constexpr auto max_pool1d(const X& x, Options...) {
  return detail::call_pool<1, ops::max_pool2d, Window...>(detail::types<Options...>(), x);
}
/// The same along two axes, `max_pool2d<2>(x)` or `max_pool2d<3, 2>(x)`.
/// Shape: [batch, rows, columns, channels] -> [batch, rows', columns', channels]
template <index... Window, Operand X, class... Options>
constexpr auto max_pool2d(const X& x, Options...) {
  return detail::call_pool<2, ops::max_pool2d, Window...>(detail::types<Options...>(), x);
}
/// The same along three axes.
/// Shape: [batch, planes, rows, columns, channels] -> [batch, planes', rows', columns', channels]
template <index... Window, Operand X, class... Options>
constexpr auto max_pool3d(const X& x, Options...) {
  return detail::call_pool<3, ops::max_pool3d, Window...>(detail::types<Options...>(), x);
}

/// The mean of every window, with the options of `max_pool1d`. What lies outside of the operand does not count; the mean of nothing is 0.
/// Shape: [batch, length, channels] -> [batch, length', channels]
/// Dtype: floating
template <index... Window, Operand X, class... Options>
constexpr auto avg_pool1d(const X& x, Options...) {
  return detail::call_pool<1, ops::avg_pool2d, Window...>(detail::types<Options...>(), x);
}
/// The same along two axes.
/// Shape: [batch, rows, columns, channels] -> [batch, rows', columns', channels]
/// Dtype: floating
template <index... Window, Operand X, class... Options>
constexpr auto avg_pool2d(const X& x, Options...) {
  return detail::call_pool<2, ops::avg_pool2d, Window...>(detail::types<Options...>(), x);
}
/// The same along three axes.
/// Shape: [batch, planes, rows, columns, channels] -> [batch, planes', rows', columns', channels]
/// Dtype: floating
template <index... Window, Operand X, class... Options>
constexpr auto avg_pool3d(const X& x, Options...) {
  return detail::call_pool<3, ops::avg_pool3d, Window...>(detail::types<Options...>(), x);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// Images with other extents. The kernels are in eval/image_resize.hpp.

#include <jig/graph/gradient.hpp>
#include <jig/ops/reshape.hpp>

#include <type_traits>

namespace jig {

/// How an image is resized: between the four nearest elements of the operand, or by the nearest one.
struct bilinear_t {};
inline constexpr bilinear_t bilinear{};
struct nearest_t {};
inline constexpr nearest_t nearest{};

namespace detail {

template <unsigned Kinds>
constexpr void resize_rule(rule_context& c) {
  const shape &x = c.inputs[0].shape, &like = c.inputs[1].shape;
  if (!is_of(c.inputs[0].dtype, Kinds)) return c.fail(wrong_kind(Kinds));
  const auto size = c.integers("size");
  if (x.rank != 4 || like.rank != 4) return c.fail("an image needs four axes, [batch, rows, columns, channels]");
  if (size.size() != 2) return c.fail("an image has two extents");
  shape out = x;
  for (int a = 0; a < 2; ++a) {
    if (size[static_cast<std::size_t>(a)] == dyn) return c.fail("extents are numbers, names of the operand's, or those of another image");
    out[a + 1] = listed_extent(c, size[static_cast<std::size_t>(a)]);
  }
  for (int a = 1; a < 3; ++a)
    if (x[a] == 0 && out[a] > 0) return c.fail("an image without elements cannot be resized");
  c.result = {c.inputs[0].dtype, out};
}
// Inputs: the adjoint of the result, and something with the extents of the operand.
template <unsigned Kinds>
constexpr void resize_grad_rule(rule_context& c) {
  check_dtypes(c, Kinds);
  c.result = c.inputs[1];
}
template <const op& Grad>
constexpr void resize_gradient(gradient_context& c) {
  c.nothing();
  if (c.wants(0)) c.give(0, c.call(Grad, {c.full_adjoint(), c.input(0)}));
}
template <const op& Forward>
constexpr void resize_grad_gradient(gradient_context& c) {
  constexpr index size[] = {product_of_axes(1, 1), product_of_axes(1, 2)};
  const attribute_view with{"size", attribute_kind::integers, size};
  c.nothing();
  if (c.wants(0)) c.give(0, c.call(Forward, {c.full_adjoint(), c.input(0)}, {&with, 1}));
}

}  // namespace detail

namespace ops {

extern const op resize_bilinear_grad, resize_nearest_grad;

/// Both: attribute `size`, two extents as those of Reshape's attribute. Inputs: images, and a tensor that is looked at for its extents
/// only.
inline constexpr op resize_bilinear{.name = "ResizeBilinear",
                                    .label = "ResizeBilinear",
                                    .facts = fact::computes,
                                    .rule = detail::resize_rule<floats>,
                                    .free_inputs = 2,
                                    .gradient = detail::resize_gradient<resize_bilinear_grad>,
                                    .makes = made_ops<resize_bilinear_grad>,
                                    .operands = {.elements = floats, .shapes = 2}};
inline constexpr op resize_nearest{.name = "ResizeNearestNeighbor",
                                   .label = "ResizeNearestNeighbor",
                                   .rule = detail::resize_rule<anything>,
                                   .free_inputs = 2,
                                   .gradient = detail::resize_gradient<resize_nearest_grad>,
                                   .makes = made_ops<resize_nearest_grad>,
                                   .operands = {.moves = true, .shapes = 2}};
/// Of the adjoint of the result and a tensor with the extents of the images.
inline constexpr op resize_bilinear_grad{.name = "ResizeBilinearGrad",
                                         .label = "ResizeBilinearGrad",
                                         .facts = fact::computes,
                                         .rule = detail::resize_grad_rule<floats>,
                                         .gradient = detail::resize_grad_gradient<resize_bilinear>,
                                         .makes = made_ops<resize_bilinear>,
                                         .operands = {.elements = floats, .shapes = 2}};
inline constexpr op resize_nearest_grad{.name = "ResizeNearestNeighborGrad",
                                        .label = "ResizeNearestNeighborGrad",
                                        .facts = fact::computes,
                                        .rule = detail::resize_grad_rule<floats>,
                                        .gradient = detail::resize_grad_gradient<resize_nearest>,
                                        .makes = made_ops<resize_nearest>,
                                        .operands = {.elements = floats, .shapes = 2}};

}  // namespace ops

namespace detail {

template <class Method, class Find, class X, class Y>
constexpr auto resize_by(Find find, const X& x, const Y& like) {
  if constexpr (std::is_same_v<Method, nearest_t>) return call_with_found<ops::resize_nearest, "size">(find, x, like);
  else return call_with_found<ops::resize_bilinear, "size">(find, x, like);
}

}  // namespace detail

/// Images with so many rows and columns, as TensorFlow's `tf.image.resize` makes them: `resize<64, 64>(x)`, which is bilinear, or
/// `resize<64, 64>(x, jig::nearest)`. Elements count as squares, whose middles are at halves. A name stands for the axis of x that
/// bears it.
/// Shape: [batch, rows, columns, channels] -> [batch, Rows, Columns, channels]
/// Dtype: floating, or any with `jig::nearest`
/// Errors: images without elements, of which others cannot be made, are refused at compile time or throw invalid_argument.
/// Cost: a row of the result is made of two rows of x, and then of two elements for each of its own.
template <index Rows, index Columns, Operand X, class Method = bilinear_t>
  requires(std::is_same_v<Method, bilinear_t> || std::is_same_v<Method, nearest_t>)
constexpr auto resize(const X& x, Method = {}) {
  constexpr auto size = [](const shape& s, const shape&) {
    return detail::found_integers<2>{{detail::without_name(Rows, s), detail::without_name(Columns, s), 0}, 2};
  };
  return detail::resize_by<Method>(size, x, x);
}

/// The same to the rows and columns of other images, which may be wildcards.
/// Shape: [batch, rows, columns, channels], [..., rows', columns', ...] -> [batch, rows', columns', channels]
/// Dtype: floating, or any with `jig::nearest`
/// Errors: images without elements, of which others cannot be made, are refused at compile time or throw invalid_argument.
template <Operand X, Operand Y, class Method = bilinear_t>
  requires(std::is_same_v<Method, bilinear_t> || std::is_same_v<Method, nearest_t>)
constexpr auto resize_like(const X& x, const Y& like, Method = {}) {
  constexpr auto size = [](const shape&, const shape&) {
    return detail::found_integers<2>{{detail::product_of_axes(1, 1), detail::product_of_axes(1, 2), 0}, 2};
  };
  return detail::resize_by<Method>(size, x, like);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// Which ops are the library's own: the kernels of these a program may have from jig's run-time library.

#include <jig/ops/activation.hpp>
#include <jig/ops/arg_extreme.hpp>
#include <jig/ops/band_part.hpp>
#include <jig/ops/bincount.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/convolution.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/effect.hpp>
#include <jig/ops/einsum.hpp>
#include <jig/ops/exponential.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/linear_algebra.hpp>
#include <jig/ops/linear_systems.hpp>
#include <jig/ops/mask.hpp>
#include <jig/ops/one_hot.hpp>
#include <jig/ops/pad.hpp>
#include <jig/ops/pool.hpp>
#include <jig/ops/power.hpp>
#include <jig/ops/random.hpp>
#include <jig/ops/reduce_prod.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/resize.hpp>
#include <jig/ops/roll.hpp>
#include <jig/ops/rounding.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/searchsorted.hpp>
#include <jig/ops/segment.hpp>
#include <jig/ops/set_shape.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/slice.hpp>
#include <jig/ops/sort.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/special.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/summary.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/ops/trigonometric.hpp>

namespace jig::detail {

/// Every op of the library but host calls, which are the program's. tests/build/lists.sh compares it with ops/.
// clang-format off
inline constexpr const op* all_ops[] = {
    &ops::abs, &ops::acos, &ops::acosh, &ops::add, &ops::add_n, &ops::adjoint_of, &ops::along_axis_place, &ops::argmax,
    &ops::argmin, &ops::argsort, &ops::arranged_batch_matmul, &ops::array_write, &ops::asin, &ops::asinh, &ops::assert_equal, &ops::assert_that, &ops::atan,
    &ops::atan2, &ops::atanh, &ops::batch_matmul, &ops::bincount, &ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor, &ops::boolean_mask, &ops::broadcast_like,
    &ops::broadcast_to, &ops::cast, &ops::ceil, &ops::check_numerics, &ops::cholesky, &ops::concat, &ops::concat_part, &ops::constant, &ops::conv2d, &ops::conv2d_backprop_filter, &ops::conv2d_backprop_input, &ops::conv3d, &ops::conv3d_backprop_filter, &ops::conv3d_backprop_input, &ops::depthwise_conv2d, &ops::depthwise_conv2d_backprop_filter, &ops::depthwise_conv2d_backprop_input, &ops::cos,
    &ops::cosh, &ops::cumprod, &ops::cumsum, &ops::custom_gradient, &ops::diag, &ops::diag_part, &ops::diag_part_add,
    &ops::digamma, &ops::divide, &ops::einsum, &ops::elu, &ops::ensure_shape, &ops::equal, &ops::erf, &ops::erfc, &ops::exp, &ops::expand_dims,
    &ops::expm1, &ops::eye, &ops::fill, &ops::floor, &ops::floor_divide, &ops::floor_mod, &ops::fma, &ops::further_output,
    &ops::gather, &ops::gather_add, &ops::gather_nd, &ops::gelu, &ops::gradient, &ops::greater, &ops::greater_equal,
    &ops::tape_write, &ops::tape_read, &ops::identity, &ops::if_op, &ops::invert, &ops::is_finite, &ops::is_inf,
    &ops::is_nan, &ops::leaky_relu, &ops::left_shift, &ops::less, &ops::less_equal, &ops::lgamma, &ops::log, &ops::log1p,
    &ops::logical_and, &ops::logical_not, &ops::logical_or, &ops::lower_bound, &ops::matmul, &ops::matrix_determinant, &ops::matrix_inverse, &ops::matrix_solve, &ops::maximum, &ops::minimum, &ops::multiply, &ops::neg,
    &ops::new_array, &ops::not_equal, &ops::one_hot, &ops::ones_like, &ops::pack, &ops::pad, &ops::pad_like, &ops::placeholder, &ops::max_pool2d, &ops::max_pool2d_grad, &ops::max_pool2d_grad_grad, &ops::max_pool3d, &ops::max_pool3d_grad, &ops::max_pool3d_grad_grad, &ops::avg_pool2d, &ops::avg_pool2d_grad, &ops::avg_pool3d, &ops::avg_pool3d_grad,
    &ops::power,
    &ops::print, &ops::product_of_others, &ops::random_bits, &ops::random_normal, &ops::random_uniform, &ops::reciprocal, &ops::reduce_all,
    &ops::reduce_any, &ops::reduce_max, &ops::reduce_mean, &ops::reduce_min, &ops::reduce_prod, &ops::reduce_sum, &ops::relu,
    &ops::relu6, &ops::reshape, &ops::resize_bilinear, &ops::resize_bilinear_grad, &ops::resize_nearest, &ops::resize_nearest_grad, &ops::reverse, &ops::right_shift, &ops::rint, &ops::roll, &ops::round, &ops::rsqrt, &ops::scatter_nd, &ops::set_row,
    &ops::select, &ops::selu, &ops::set_diag, &ops::set_shape, &ops::shape_of, &ops::shrinkage, &ops::sigmoid, &ops::sign, &ops::silu, &ops::sin,
    &ops::sinh, &ops::slice, &ops::slice_add, &ops::slice_update, &ops::softplus, &ops::softsign, &ops::sort, &ops::split, &ops::split_add,
    &ops::sqrt, &ops::square, &ops::squared_difference, &ops::squeeze, &ops::stop_gradient, &ops::strided_slice,
    &ops::strided_slice_add, &ops::strided_slice_update, &ops::subtract, &ops::sum_like, &ops::summary_scalar, &ops::tan, &ops::tanh, &ops::tensor_scatter_add,
    &ops::tensor_scatter_update, &ops::tensordot, &ops::tile, &ops::tile_sum, &ops::top_k, &ops::trace_note, &ops::transpose, &ops::triangle, &ops::triangular_solve, &ops::trunc,
    &ops::truncate_divide, &ops::truncate_mod, &ops::unique, &ops::unpack, &ops::unsorted_segment_max, &ops::unsorted_segment_mean, &ops::unsorted_segment_min, &ops::unsorted_segment_sum, &ops::upper_bound, &ops::where, &ops::while_op, &ops::zeros_like};
// clang-format on

constexpr bool is_of_library(const op& o) {
  for (const op* own : all_ops)
    if (own->identity == o.identity) return true;
  return false;
}

}  // namespace jig::detail

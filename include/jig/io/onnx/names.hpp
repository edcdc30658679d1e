// SPDX-License-Identifier: MIT
#pragma once
// What ONNX calls jig's ops, their inputs, outputs and attributes.

#include <jig/io/op_name.hpp>
#include <jig/runtime/all_ops.hpp>

namespace jig::onnx {

using detail::op_name, detail::spelling, detail::several, detail::none, detail::of_composites, detail::of_gradients, detail::of_lowering;

constexpr op_name unary(const op& kind, std::string_view name, std::string_view in = "X", std::string_view out = "Y") {
  return {&kind, spelling::node, name, in, out};
}
constexpr op_name binary(const op& kind, std::string_view name, std::string_view in = "A B", std::string_view out = "C") {
  return {&kind, spelling::node, name, in, out};
}

inline constexpr std::string_view of_tapes = "ONNX has no tape of what loops keep for their gradients; loops that unroll need none";
inline constexpr std::string_view of_effects = "ONNX has no effects";
inline constexpr std::string_view of_random = "the random numbers of ONNX are those of each runtime, and jig's follow from their seed";
inline constexpr std::string_view of_systems = "ONNX has no op that solves linear systems";
inline constexpr std::string_view of_gamma = "ONNX has no gamma function";

/// An entry for each op of the library. Ops in the default domain, as opset 13 has them.
// clang-format off
inline constexpr op_name op_names[] = {
    // Operands and control flow.
    several(ops::placeholder, "input"), several(ops::constant, "initializer"), several(ops::if_op, "If"), several(ops::while_op, "Loop"),
    none(ops::further_output, of_lowering),
    // Arithmetic.
    binary(ops::add, "Add"), binary(ops::subtract, "Sub"), binary(ops::multiply, "Mul"), binary(ops::divide, "Div"),
    several(ops::truncate_divide, "Div Cast Equal Where Sub"), several(ops::truncate_mod, "Mod Cast Equal Where Div Mul Sub"),
    several(ops::floor_divide, "Div Mod Less Equal Not And Sub Where Round Cast Mul"),
    several(ops::floor_mod, "Mod Less Equal Not And Add Where Cast"),
    binary(ops::power, "Pow", "X Y", "Z"), binary(ops::maximum, "Max", "data_0 data_1", "max"),
    binary(ops::minimum, "Min", "data_0 data_1", "min"), several(ops::squared_difference, "Sub Mul"), several(ops::fma, "Mul Add"),
    several(ops::atan2, "Abs Less Reciprocal Or Greater Where Equal Div Atan Sub Neg"), several(ops::add_n, "Sum Add Identity"),
    // Bits and comparison.
    binary(ops::bitwise_and, "BitwiseAnd"), binary(ops::bitwise_or, "BitwiseOr"), binary(ops::bitwise_xor, "BitwiseXor"),
    several(ops::left_shift, "BitShift Cast"), several(ops::right_shift, "BitShift Cast Less Neg Sub Add Mul"), several(ops::invert, "Sub"),
    binary(ops::equal, "Equal"), several(ops::not_equal, "Equal Not"), binary(ops::less, "Less"), binary(ops::less_equal, "LessOrEqual"),
    binary(ops::greater, "Greater"), binary(ops::greater_equal, "GreaterOrEqual"), binary(ops::logical_and, "And"),
    binary(ops::logical_or, "Or"), unary(ops::logical_not, "Not"), unary(ops::is_nan, "IsNaN"), unary(ops::is_inf, "IsInf"),
    several(ops::is_finite, "IsNaN IsInf Or Not"),
    // Functions of one number.
    several(ops::neg, "Neg Sub"), unary(ops::abs, "Abs"), unary(ops::sign, "Sign", "input", "output"),
    unary(ops::exp, "Exp", "input", "output"), several(ops::expm1, "Mul Tanh Exp Add"), unary(ops::log, "Log", "input", "output"),
    several(ops::log1p, "Add Log Sub Div Mul Equal Where"), unary(ops::sqrt, "Sqrt"), several(ops::rsqrt, "Sqrt Reciprocal"),
    several(ops::square, "Mul"), unary(ops::reciprocal, "Reciprocal"), unary(ops::sin, "Sin", "input", "output"),
    unary(ops::cos, "Cos", "input", "output"), unary(ops::tan, "Tan", "input", "output"), unary(ops::asin, "Asin", "input", "output"),
    unary(ops::acos, "Acos", "input", "output"), unary(ops::atan, "Atan", "input", "output"), unary(ops::sinh, "Sinh", "input", "output"),
    unary(ops::cosh, "Cosh", "input", "output"), unary(ops::tanh, "Tanh", "input", "output"), unary(ops::asinh, "Asinh", "input", "output"),
    unary(ops::acosh, "Acosh", "input", "output"), unary(ops::atanh, "Atanh", "input", "output"), unary(ops::erf, "Erf", "input", "output"),
    several(ops::erfc, "Erf Sub"), none(ops::lgamma, of_gamma), none(ops::digamma, of_gamma), unary(ops::floor, "Floor"),
    unary(ops::ceil, "Ceil"), unary(ops::rint, "Round"), several(ops::round, "Round"), several(ops::trunc, "Sign Abs Floor Mul"),
    several(ops::relu, "Relu Identity"), several(ops::relu6, "Clip"), unary(ops::elu, "Elu"), unary(ops::selu, "Selu"),
    unary(ops::softplus, "Softplus"), unary(ops::softsign, "Softsign", "input", "output"), unary(ops::sigmoid, "Sigmoid"),
    several(ops::silu, "Sigmoid Mul Neg Exp Add Div"), several(ops::gelu, "Mul Erf Add"), binary(ops::leaky_relu, "PRelu", "X slope", "Y"),
    unary(ops::identity, "Identity", "input", "output"), several(ops::stop_gradient, "Identity"), several(ops::cast, "Cast"),
    {&ops::select, spelling::node, "Where", "condition X Y", "output"},
    // Reductions.
    several(ops::reduce_sum, "ReduceSum"), several(ops::reduce_mean, "ReduceMean Expand Shape ReduceSum Max Cast Div"),
    several(ops::reduce_prod, "ReduceProd"), several(ops::reduce_max, "ReduceMax"), several(ops::reduce_min, "ReduceMin"),
    several(ops::reduce_any, "Cast ReduceMax Greater"), several(ops::reduce_all, "Cast ReduceMin Greater"),
    {&ops::argmax, spelling::node, "ArgMax", "data", "reduced", "axis=dimension keepdims!0"},
    {&ops::argmin, spelling::node, "ArgMin", "data", "reduced", "axis=dimension keepdims!0"},
    {&ops::cumsum, spelling::node, "CumSum", "x #axis", "y"}, several(ops::cumprod, "Cast ReduceSum Shape Expand Scan"),
    several(ops::product_of_others, "Reshape Where ReduceProd"),
    // Linear algebra.
    several(ops::matmul, "Transpose MatMul"), several(ops::batch_matmul, "Transpose MatMul"),
    several(ops::arranged_batch_matmul, "Transpose MatMul"), none(ops::einsum, of_composites), none(ops::tensordot, of_composites),
    several(ops::diag, "Shape Gather Range Unsqueeze Equal Where And"), several(ops::diag_part, "Transpose Reshape Slice"),
    several(ops::diag_part_add, "Range Size Shape Reshape Transpose Slice ScatterND"),
    several(ops::set_diag, "Range Size Shape Reshape Transpose Slice ScatterND"), several(ops::roll, "Shape Gather Range Cast Sub Mod"), several(ops::eye, "initializer"),
    {&ops::matrix_determinant, spelling::node, "Det", "X", "Y"}, several(ops::triangle, "Trilu"),
    none(ops::cholesky, of_systems), none(ops::matrix_inverse, of_systems), none(ops::matrix_solve, of_systems),
    none(ops::triangular_solve, of_systems),
    // Convolutions and pools.
    several(ops::conv2d, "Transpose Conv"), several(ops::conv3d, "Transpose Conv"), several(ops::depthwise_conv2d, "Transpose Reshape Conv"),
    several(ops::conv2d_backprop_input, "Transpose ConvTranspose"), several(ops::conv3d_backprop_input, "Transpose ConvTranspose"),
    several(ops::depthwise_conv2d_backprop_input, "Transpose Reshape ConvTranspose"),
    several(ops::conv2d_backprop_filter, "Transpose Reshape Conv Slice"), several(ops::conv3d_backprop_filter, "Transpose Reshape Conv Slice"),
    several(ops::depthwise_conv2d_backprop_filter, "Transpose Reshape Conv Slice"),
    several(ops::max_pool2d, "Transpose MaxPool"), several(ops::max_pool3d, "Transpose MaxPool"),
    several(ops::max_pool2d_grad, "Transpose MaxPool Reshape Expand Shape Size ScatterND"),
    several(ops::max_pool3d_grad, "Transpose MaxPool Reshape Expand Shape Size ScatterND"),
    several(ops::max_pool2d_grad_grad, "Transpose MaxPool Reshape Gather"), several(ops::max_pool3d_grad_grad, "Transpose MaxPool Reshape Gather"),
    several(ops::avg_pool2d, "Transpose AveragePool"), several(ops::avg_pool3d, "Transpose AveragePool"),
    several(ops::avg_pool2d_grad, "Div Transpose Shape Reshape ConvTranspose"), several(ops::avg_pool3d_grad, "Div Transpose Shape Reshape ConvTranspose"),
    several(ops::resize_bilinear, "Transpose Shape Slice Concat Resize"), several(ops::resize_nearest, "Transpose Shape Slice Concat Resize"),
    several(ops::resize_bilinear_grad, "Resize Transpose MatMul"), several(ops::resize_nearest_grad, "Resize Transpose MatMul"),
    // Shapes.
    several(ops::reshape, "Reshape"), several(ops::broadcast_to, "Expand"),
    several(ops::expand_dims, "Unsqueeze"), several(ops::squeeze, "Squeeze Identity"),
    several(ops::transpose, "Transpose Identity"), several(ops::reverse, "Slice Identity"),
    {&ops::concat, spelling::node, "Concat", "inputs*", "concat_result", "axis"}, several(ops::pack, "Unsqueeze Concat"),
    several(ops::split, "Slice"), none(ops::unpack, of_composites), several(ops::concat_part, "Shape Gather Add Slice"),
    several(ops::split_add, "Pad Add"), {&ops::tile, spelling::node, "Tile", "input #multiples:repeats", "output"},
    several(ops::tile_sum, "Reshape ReduceSum"), several(ops::pad, "Pad"), none(ops::pad_like, of_lowering),
    several(ops::shape_of, "Shape Cast"), several(ops::set_shape, "Identity"), several(ops::ensure_shape, "Identity"),
    several(ops::broadcast_like, "Shape Expand"), several(ops::sum_like, "Shape Concat Equal Not NonZero Reshape ReduceSum"),
    several(ops::shrinkage, "Size Cast Sign Mul Max Div"),
    // Parts.
    several(ops::slice, "Cast Reshape Add Slice"), several(ops::slice_update, "Range Size Shape Reshape Cast Add Slice ScatterND"),
    several(ops::slice_add, "Range Size Shape Reshape Cast Add Slice ScatterND"), several(ops::strided_slice, "Slice Squeeze Identity"),
    several(ops::strided_slice_add, "Range Size Shape Reshape Slice Squeeze Identity ScatterND"),
    several(ops::strided_slice_update, "Range Size Shape Reshape Slice Squeeze Identity ScatterND"),
    several(ops::gather, "Gather Cast Unsqueeze GatherND"), several(ops::gather_nd, "Cast GatherND"),
    several(ops::gather_add, "Range Size Shape Reshape Gather GatherND Cast Unsqueeze ScatterND"), several(ops::scatter_nd, "Expand Cast ScatterND"),
    several(ops::tensor_scatter_update, "Cast ScatterND"), several(ops::tensor_scatter_add, "Cast ScatterND"),
    none(ops::set_row, of_composites), several(ops::one_hot, "Cast Unsqueeze Equal"), several(ops::where, "NonZero Transpose"),
    several(ops::unsorted_segment_sum, "Cast Less Unsqueeze Where Max Expand ScatterND"),
    several(ops::unsorted_segment_max, "Cast Less Unsqueeze Where Max Expand ScatterND"), several(ops::unsorted_segment_min, "Cast Less Unsqueeze Where Max Expand ScatterND"),
    none(ops::unsorted_segment_mean, of_composites), several(ops::bincount, "Cast Reshape Clip Equal Where Unsqueeze Expand ScatterND"),
    none(ops::boolean_mask, of_composites), several(ops::unique, "Unique Cast"), several(ops::top_k, "TopK Cast"),
    several(ops::sort, "TopK"), several(ops::argsort, "TopK Cast"),
    several(ops::lower_bound, "Unsqueeze Less Cast ReduceSum"), several(ops::upper_bound, "Unsqueeze LessOrEqual IsNaN Or Cast ReduceSum"),
    several(ops::along_axis_place, "Shape Expand Cast ScatterElements"),
    // New values.
    several(ops::zeros_like, "Shape Expand"), several(ops::ones_like, "Shape Expand"), several(ops::fill, "Shape Expand"),
    none(ops::random_uniform, of_random), none(ops::random_normal, of_random), none(ops::random_bits, of_random),
    several(ops::new_array, "Expand"), several(ops::array_write, "Cast Reshape Unsqueeze ScatterND"),
    // Gradients and effects.
    none(ops::gradient, of_gradients), none(ops::custom_gradient, of_gradients), none(ops::adjoint_of, of_gradients),
    none(ops::tape_write, of_tapes), none(ops::tape_read, of_tapes), none(ops::print, of_effects), none(ops::assert_that, of_effects),
    none(ops::assert_equal, of_effects), none(ops::check_numerics, of_effects), none(ops::trace_note, of_effects),
    none(ops::summary_scalar, of_effects),
};
// clang-format on

}  // namespace jig::onnx

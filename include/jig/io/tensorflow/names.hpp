// SPDX-License-Identifier: MIT
#pragma once
// What TensorFlow calls jig's ops, their inputs, outputs and attributes.

#include <jig/io/op_name.hpp>
#include <jig/runtime/all_ops.hpp>

namespace jig::detail::tensorflow {

constexpr op_name unary(const op& kind, std::string_view name, std::string_view in = "x", std::string_view out = "y") {
  return {&kind, spelling::node, name, in, out, "T:0"};
}
constexpr op_name binary(const op& kind, std::string_view name, std::string_view attributes = "T:0") {
  return {&kind, spelling::node, name, "x y", "z", attributes};
}
constexpr op_name reduction(const op& kind, std::string_view name, std::string_view attributes = "T:0 Tidx:i keep_dims") {
  return {&kind, spelling::node, name, "input #axes:reduction_indices", "output", attributes};
}
constexpr op_name segments(const op& kind, std::string_view name) {
  return {&kind, spelling::node, name, "data segment_ids #num_segments", "output", "T:0 Tindices:1 Tnumsegments:i"};
}
inline constexpr std::string_view of_tapes = "TensorFlow has no tape of what loops keep for their gradients; loops that unroll need none";
inline constexpr std::string_view convolved = "T:0 strides padding explicit_paddings data_format dilations";
inline constexpr std::string_view convolved_3d = "T:0 strides padding data_format dilations";
inline constexpr std::string_view pooled = "T:0 ksize strides padding data_format";
inline constexpr std::string_view compared = "T:0 incompatible_shape_error!true";
inline constexpr std::string_view sliced = "T:0 Index:i begin_mask end_mask shrink_axis_mask ellipsis_mask!0 new_axis_mask!0";

/// An entry for each op of the library.
// clang-format off
inline constexpr op_name op_names[] = {
    // Operands and control flow.
    several(ops::placeholder, "Placeholder"), several(ops::constant, "Const"),
    several(ops::if_op, "StatelessIf If"), several(ops::while_op, "StatelessWhile While"),
    none(ops::further_output, of_lowering),
    // Arithmetic.
    binary(ops::add, "AddV2"), binary(ops::subtract, "Sub"), binary(ops::multiply, "Mul"), binary(ops::divide, "RealDiv"),
    binary(ops::truncate_divide, "TruncateDiv"), binary(ops::truncate_mod, "TruncateMod"), binary(ops::floor_divide, "FloorDiv"),
    binary(ops::floor_mod, "FloorMod"), binary(ops::power, "Pow"), binary(ops::maximum, "Maximum"), binary(ops::minimum, "Minimum"),
    binary(ops::squared_difference, "SquaredDifference"), several(ops::fma, "Mul AddV2"),
    {&ops::atan2, spelling::node, "Atan2", "y x", "z", "T:0"},
    {&ops::add_n, spelling::node, "AddN", "inputs*", "sum", "N:n T:0"},
    // Bits and comparison.
    binary(ops::bitwise_and, "BitwiseAnd"), binary(ops::bitwise_or, "BitwiseOr"), binary(ops::bitwise_xor, "BitwiseXor"),
    binary(ops::left_shift, "LeftShift"), binary(ops::right_shift, "RightShift"), unary(ops::invert, "Invert"),
    binary(ops::equal, "Equal", compared), binary(ops::not_equal, "NotEqual", compared), binary(ops::less, "Less"),
    binary(ops::less_equal, "LessEqual"), binary(ops::greater, "Greater"), binary(ops::greater_equal, "GreaterEqual"),
    binary(ops::logical_and, "LogicalAnd", ""), binary(ops::logical_or, "LogicalOr", ""),
    {&ops::logical_not, spelling::node, "LogicalNot", "x", "y", ""},
    unary(ops::is_nan, "IsNan"), unary(ops::is_inf, "IsInf"), unary(ops::is_finite, "IsFinite"),
    // Functions of one number.
    unary(ops::neg, "Neg"), unary(ops::abs, "Abs"), unary(ops::sign, "Sign"), unary(ops::exp, "Exp"), unary(ops::expm1, "Expm1"),
    unary(ops::log, "Log"), unary(ops::log1p, "Log1p"), unary(ops::sqrt, "Sqrt"), unary(ops::rsqrt, "Rsqrt"), unary(ops::square, "Square"),
    unary(ops::reciprocal, "Reciprocal"), unary(ops::sin, "Sin"), unary(ops::cos, "Cos"), unary(ops::tan, "Tan"), unary(ops::asin, "Asin"),
    unary(ops::acos, "Acos"), unary(ops::atan, "Atan"), unary(ops::sinh, "Sinh"), unary(ops::cosh, "Cosh"), unary(ops::tanh, "Tanh"),
    unary(ops::asinh, "Asinh"), unary(ops::acosh, "Acosh"), unary(ops::atanh, "Atanh"), unary(ops::erf, "Erf"), unary(ops::erfc, "Erfc"),
    unary(ops::lgamma, "Lgamma"), unary(ops::digamma, "Digamma"), unary(ops::floor, "Floor"), unary(ops::ceil, "Ceil"),
    unary(ops::round, "Round"), unary(ops::rint, "Rint"), several(ops::trunc, "ZerosLike Less Ceil Floor SelectV2"),
    unary(ops::relu, "Relu", "features", "activations"), unary(ops::relu6, "Relu6", "features", "activations"),
    unary(ops::elu, "Elu", "features", "activations"), unary(ops::selu, "Selu", "features", "activations"),
    unary(ops::softplus, "Softplus", "features", "activations"), unary(ops::softsign, "Softsign", "features", "activations"),
    unary(ops::sigmoid, "Sigmoid"), several(ops::silu, "Sigmoid Mul"), several(ops::gelu, "Mul Erf AddV2"),
    several(ops::leaky_relu, "LeakyRelu"),
    unary(ops::identity, "Identity", "input", "output"), unary(ops::stop_gradient, "StopGradient", "input", "output"),
    {&ops::cast, spelling::node, "Cast", "x", "y", "SrcT:0 DstT:>0 Truncate!false"},
    {&ops::select, spelling::node, "SelectV2", "condition t e", "output", "T:1"},
    // Reductions.
    reduction(ops::reduce_sum, "Sum"), reduction(ops::reduce_mean, "Mean"), reduction(ops::reduce_prod, "Prod"),
    reduction(ops::reduce_max, "Max"), reduction(ops::reduce_min, "Min"), reduction(ops::reduce_any, "Any", "Tidx:i keep_dims"),
    reduction(ops::reduce_all, "All", "Tidx:i keep_dims"),
    {&ops::argmax, spelling::node, "ArgMax", "input #dimension", "output", "T:0 Tidx:i output_type:>0"},
    {&ops::argmin, spelling::node, "ArgMin", "input #dimension", "output", "T:0 Tidx:i output_type:>0"},
    {&ops::cumsum, spelling::node, "Cumsum", "x #axis", "out", "T:0 Tidx:i exclusive!false reverse!false"},
    {&ops::cumprod, spelling::node, "Cumprod", "x #axis", "out", "T:0 Tidx:i exclusive!false reverse!false"},
    none(ops::product_of_others, "TensorFlow has no op for the products of all other elements"),
    // Linear algebra.
    {&ops::matmul, spelling::node, "MatMul", "a b", "product", "T:0 transpose_a transpose_b"},
    {&ops::batch_matmul, spelling::node, "BatchMatMulV2", "x y", "output", "T:0 adj_x=transpose_a adj_y=transpose_b"},
    none(ops::arranged_batch_matmul, of_lowering),
    none(ops::einsum, of_composites),
    none(ops::tensordot, of_composites),
    unary(ops::diag, "MatrixDiag", "diagonal", "output"), several(ops::diag_part, "Transpose MatrixDiagPart"),
    several(ops::diag_part_add, "MatrixDiag AddV2"), several(ops::set_diag, "MatrixSetDiag"), several(ops::eye, "Const"),
    unary(ops::cholesky, "Cholesky", "input", "output"), unary(ops::matrix_determinant, "MatrixDeterminant", "input", "output"),
    {&ops::matrix_inverse, spelling::node, "MatrixInverse", "input", "output", "T:0 adjoint!false"},
    {&ops::matrix_solve, spelling::node, "MatrixSolve", "matrix rhs", "output", "T:0 adjoint"},
    {&ops::triangular_solve, spelling::node, "MatrixTriangularSolve", "matrix rhs", "output", "T:0 lower adjoint"},
    several(ops::triangle, "MatrixBandPart"),
    // Convolutions and pools.
    {&ops::conv2d, spelling::node, "Conv2D", "input filter", "output", convolved},
    {&ops::conv3d, spelling::node, "Conv3D", "input filter", "output", convolved_3d},
    {&ops::depthwise_conv2d, spelling::node, "DepthwiseConv2dNative", "input filter", "output", convolved},
    several(ops::conv2d_backprop_input, "Conv2DBackpropInput"), several(ops::conv2d_backprop_filter, "Conv2DBackpropFilter"),
    several(ops::conv3d_backprop_input, "Conv3DBackpropInputV2"), several(ops::conv3d_backprop_filter, "Conv3DBackpropFilterV2"),
    several(ops::depthwise_conv2d_backprop_input, "DepthwiseConv2dNativeBackpropInput"),
    several(ops::depthwise_conv2d_backprop_filter, "DepthwiseConv2dNativeBackpropFilter"),
    {&ops::max_pool2d, spelling::node, "MaxPool", "input", "output", "T:0 ksize strides padding explicit_paddings data_format"},
    {&ops::max_pool2d_grad, spelling::node, "MaxPoolGrad", "orig_input orig_output grad", "output", "T:0 ksize strides padding explicit_paddings data_format"},
    {&ops::max_pool2d_grad_grad, spelling::node, "MaxPoolGradGrad", "orig_input orig_output grad", "output", pooled},
    {&ops::max_pool3d, spelling::node, "MaxPool3D", "input", "output", pooled},
    {&ops::max_pool3d_grad, spelling::node, "MaxPool3DGrad", "orig_input orig_output grad", "output", "T:0 TInput:0 ksize strides padding data_format"},
    {&ops::max_pool3d_grad_grad, spelling::node, "MaxPool3DGradGrad", "orig_input orig_output grad", "output", pooled},
    {&ops::avg_pool2d, spelling::node, "AvgPool", "value", "output", pooled},
    {&ops::avg_pool3d, spelling::node, "AvgPool3D", "input", "output", pooled},
    several(ops::avg_pool2d_grad, "Shape AvgPoolGrad"), several(ops::avg_pool3d_grad, "Shape AvgPool3DGrad"),
    several(ops::resize_bilinear, "ResizeBilinear"), several(ops::resize_nearest, "ResizeNearestNeighbor"),
    several(ops::resize_bilinear_grad, "ResizeBilinearGrad"), several(ops::resize_nearest_grad, "ResizeNearestNeighborGrad"),
    // Shapes.
    several(ops::reshape, "Reshape"), several(ops::broadcast_to, "BroadcastTo"),
    {&ops::expand_dims, spelling::node, "ExpandDims", "input #dim", "output", "T:0 Tdim:i"},
    {&ops::squeeze, spelling::node, "Squeeze", "input", "output", "T:0 squeeze_dims"},
    {&ops::transpose, spelling::node, "Transpose", "x #perm", "y", "T:0 Tperm:i"},
    {&ops::reverse, spelling::node, "ReverseV2", "tensor #axis", "output", "T:0 Tidx:i"},
    several(ops::roll, "Roll"),
    {&ops::concat, spelling::node, "ConcatV2", "values* #axis", "output", "N:n T:0 Tidx:i"},
    {&ops::pack, spelling::node, "Pack", "values*", "output", "N:n T:0 axis"},
    several(ops::split, "Split"), none(ops::unpack, of_composites),
    several(ops::concat_part, "Slice"), several(ops::split_add, "PadV2 AddV2"),
    {&ops::tile, spelling::node, "Tile", "input #multiples", "output", "T:0 Tmultiples:i"},
    several(ops::tile_sum, "Reshape Sum"), several(ops::pad, "PadV2"), none(ops::pad_like, of_lowering),
    {&ops::shape_of, spelling::node, "Shape", "input", "output", "T:0 out_type:>0"},
    several(ops::set_shape, "EnsureShape"), several(ops::ensure_shape, "Identity"),
    several(ops::broadcast_like, "Shape BroadcastTo"), several(ops::sum_like, "Sum Reshape"), several(ops::shrinkage, "Size Cast RealDiv"),
    // Parts.
    several(ops::slice, "Slice"), several(ops::slice_update, "PadV2 SelectV2"), several(ops::slice_add, "PadV2 AddV2"),
    {&ops::strided_slice, spelling::node, "StridedSlice", "input #begin #end #strides", "output", sliced},
    several(ops::strided_slice_add, "StridedSliceGrad AddV2"), several(ops::strided_slice_update, "TensorStridedSliceUpdate"),
    {&ops::gather, spelling::node, "GatherV2", "params indices #axis", "output", "Tparams:0 Tindices:1 Taxis:i batch_dims"},
    {&ops::gather_nd, spelling::node, "GatherNd", "params indices", "output", "Tparams:0 Tindices:1"},
    several(ops::gather_add, "ExpandDims ScatterNd AddV2"),
    {&ops::scatter_nd, spelling::node, "ScatterNd", "indices updates #shape", "output", "Tindices:0 T:1"},
    {&ops::tensor_scatter_update, spelling::node, "TensorScatterUpdate", "tensor indices updates", "output", "T:0 Tindices:1"},
    {&ops::tensor_scatter_add, spelling::node, "TensorScatterAdd", "tensor indices updates", "output", "T:0 Tindices:1"},
    none(ops::set_row, of_composites),
    several(ops::one_hot, "OneHot"),
    segments(ops::unsorted_segment_sum, "UnsortedSegmentSum"), segments(ops::unsorted_segment_max, "UnsortedSegmentMax"),
    segments(ops::unsorted_segment_min, "UnsortedSegmentMin"), none(ops::unsorted_segment_mean, of_composites),
    several(ops::bincount, "Reshape Cast DenseBincount"),
    {&ops::where, spelling::node, "Where", "condition", "index", "T:0"},
    none(ops::boolean_mask, of_composites),
    {&ops::unique, spelling::node, "Unique", "x", "y idx", "T:0 out_idx:>1"},
    {&ops::top_k, spelling::node, "TopKV2", "input #k", "values indices", "T:0 sorted!true"},
    several(ops::sort, "Neg TopKV2"), several(ops::argsort, "Neg TopKV2"),
    several(ops::lower_bound, "Reshape LowerBound"), several(ops::upper_bound, "Reshape UpperBound"),
    none(ops::along_axis_place, "TensorFlow has no op that puts elements along an axis"),
    // New values.
    unary(ops::zeros_like, "ZerosLike"), unary(ops::ones_like, "OnesLike"), several(ops::fill, "Shape Fill"),
    several(ops::random_uniform, "Shape StatelessRandomUniform"), several(ops::random_normal, "Shape StatelessRandomNormal"),
    several(ops::random_bits, "Shape StatelessRandomUniformFullInt"),
    several(ops::new_array, "Fill"), several(ops::array_write, "ExpandDims TensorScatterUpdate"),
    // Gradients and effects.
    none(ops::gradient, of_gradients), none(ops::custom_gradient, of_gradients), none(ops::adjoint_of, of_gradients),
    none(ops::tape_write, of_tapes), none(ops::tape_read, of_tapes),
    several(ops::print, "StringFormat PrintV2"), several(ops::assert_that, "Assert"), several(ops::assert_equal, "Assert"),
    several(ops::check_numerics, "CheckNumerics"), several(ops::trace_note, "NoOp"),
    none(ops::summary_scalar, "the writer of summaries is one of this program"),
};
// clang-format on

/// Whether an attribute of jig's is true or false.
constexpr bool is_truth(std::string_view own) {
  return own == "transpose_a" || own == "transpose_b" || own == "keep_dims" || own == "lower" || own == "adjoint";
}

constexpr const op_name* find_name(const op& kind) { return detail::find_name(op_names, kind); }
/// The op that one node of TensorFlow's is, or null.
constexpr const op_name* find_node(std::string_view name) { return detail::find_node(op_names, name); }

}  // namespace jig::detail::tensorflow

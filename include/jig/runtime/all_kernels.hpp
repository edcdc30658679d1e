// SPDX-License-Identifier: MIT
#pragma once
// The kernels of all ops, for programs that run graphs which they do not trace themselves, such as those from a file. Takes long
// to compile: include it in one file. Files with JIG_PREBUILT_KERNELS get the list of ops alone, without their kernels.

#include <jig/ops/activation.hpp>
#include <jig/ops/arg_extreme.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/one_hot.hpp>
#include <jig/ops/pad.hpp>
#include <jig/ops/power.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/rounding.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/set_shape.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/slice.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/special.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/runtime/dynamic_eager.hpp>
#include <jig/runtime/kernels.hpp>
#include <jig/runtime/runtime_graph.hpp>

namespace jig {

namespace detail {

/// Every op of the library but host calls, which are the program's. tests/build/lists.sh compares it with ops/.
// clang-format off
inline constexpr const op* all_ops[] = {
    &ops::abs, &ops::acos, &ops::acosh, &ops::add, &ops::add_n, &ops::adjoint_of, &ops::along_axis_place, &ops::argmax,
    &ops::argmin, &ops::argsort, &ops::arranged_batch_matmul, &ops::array_write, &ops::asin, &ops::asinh, &ops::assert_equal, &ops::assert_that, &ops::atan,
    &ops::atan2, &ops::atanh, &ops::batch_matmul, &ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor, &ops::boolean_mask, &ops::broadcast_like,
    &ops::broadcast_to, &ops::cast, &ops::ceil, &ops::check_numerics, &ops::concat, &ops::concat_part, &ops::constant, &ops::cos,
    &ops::cosh, &ops::cumprod, &ops::cumsum, &ops::custom_gradient, &ops::diag, &ops::diag_part, &ops::diag_part_add,
    &ops::digamma, &ops::divide, &ops::einsum, &ops::elu, &ops::ensure_shape, &ops::equal, &ops::erf, &ops::erfc, &ops::exp, &ops::expand_dims,
    &ops::expm1, &ops::eye, &ops::fill, &ops::floor, &ops::floor_divide, &ops::floor_mod, &ops::fma, &ops::further_output,
    &ops::gather, &ops::gather_add, &ops::gather_nd, &ops::gelu, &ops::gradient, &ops::greater, &ops::greater_equal,
    &ops::tape_write, &ops::tape_read, &ops::identity, &ops::if_op, &ops::invert, &ops::is_finite, &ops::is_inf,
    &ops::is_nan, &ops::leaky_relu, &ops::left_shift, &ops::less, &ops::less_equal, &ops::lgamma, &ops::log, &ops::log1p,
    &ops::logical_and, &ops::logical_not, &ops::logical_or, &ops::matmul, &ops::maximum, &ops::minimum, &ops::multiply, &ops::neg,
    &ops::new_array, &ops::not_equal, &ops::one_hot, &ops::ones_like, &ops::pack, &ops::pad, &ops::placeholder, &ops::power,
    &ops::print, &ops::product_of_others, &ops::random_bits, &ops::random_normal, &ops::random_uniform, &ops::reciprocal, &ops::reduce_all,
    &ops::reduce_any, &ops::reduce_max, &ops::reduce_mean, &ops::reduce_min, &ops::reduce_prod, &ops::reduce_sum, &ops::relu,
    &ops::relu6, &ops::reshape, &ops::reverse, &ops::right_shift, &ops::rint, &ops::round, &ops::rsqrt, &ops::scatter_nd,
    &ops::select, &ops::selu, &ops::set_row, &ops::set_shape, &ops::shape_of, &ops::shrinkage, &ops::sigmoid, &ops::sign, &ops::silu, &ops::sin,
    &ops::sinh, &ops::slice, &ops::slice_add, &ops::slice_update, &ops::softplus, &ops::softsign, &ops::sort, &ops::split, &ops::split_add,
    &ops::sqrt, &ops::square, &ops::squared_difference, &ops::squeeze, &ops::stop_gradient, &ops::strided_slice,
    &ops::strided_slice_add, &ops::subtract, &ops::sum_like, &ops::tan, &ops::tanh, &ops::tensor_scatter_add,
    &ops::tensor_scatter_update, &ops::tensordot, &ops::tile, &ops::tile_sum, &ops::top_k, &ops::trace_note, &ops::transpose, &ops::trunc,
    &ops::truncate_divide, &ops::truncate_mod, &ops::unique, &ops::unpack, &ops::where, &ops::while_op, &ops::zeros_like};
// clang-format on

// Ops that stand for something while a graph is made have none.
template <const op& Op>
constexpr bool has_runtime_kernel() {
  if constexpr (Op.is(fact::elementwise | fact::reduction)) return requires { sizeof(functor<Op>); };
  else return requires { sizeof(kernel<Op>); };
}

template <const op& Op>
bool enter_runtime_kernel() {
  if constexpr (has_runtime_kernel<Op>()) return runtime_kernel_registration<Op>::entered;
  else return true;
}

#if defined JIG_BUILD_KERNELS || !defined JIG_PREBUILT_KERNELS
/// Enters them all into the list of the program, before main.
inline const bool all_kernels_entered = []<std::size_t... I>(std::index_sequence<I...>) {
  return (... + (enter_runtime_kernel<*all_ops[I]>() ? 1 : 0)) > 0;
}(std::make_index_sequence<std::size(all_ops)>());
#endif

#ifdef JIG_BUILD_KERNELS
void require_prebuilt_kernels();
void require_prebuilt_kernels() {}
template void finish_recording(const dynamic_recordings&, recorded_graph&, std::string_view);
template runtime_graph<> runtime_graph_of(const graph&);
template std::vector<any_tensor> run_graph(const runtime_graph<>&, stretch<any_tensor>);
template class eager_values<any_tensor>;
#endif

}  // namespace detail

}  // namespace jig

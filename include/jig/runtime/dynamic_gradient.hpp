// SPDX-License-Identifier: MIT
#pragma once
// What a dynamic trace that takes gradients needs besides the ops that it names.

#include <jig/ops/einsum.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/sort.hpp>
#include <jig/runtime/dynamic_symbol.hpp>

namespace jig::detail {

// The ops that gradients of other ops are made of.
template <class X>
void enter_kernels_of_gradients() {
  enter_kernels<ops::add, ops::subtract, ops::multiply, ops::divide, ops::neg, ops::select, ops::equal, ops::less, ops::greater_equal, ops::log,
                ops::cast, ops::reduce_sum, ops::squeeze, ops::expand_dims, ops::zeros_like, ops::ones_like, ops::broadcast_like, ops::sum_like,
                ops::shrinkage, ops::history_push, ops::history_recall>();
  enter_kernels<ops::strided_slice_add, ops::split_add, ops::diag_part_add, ops::gather, ops::gather_add, ops::slice_add, ops::slice, ops::slice_update, ops::gather_nd,
                ops::tensor_scatter_add, ops::tensor_scatter_update, ops::cumsum, ops::reverse, ops::concat_part, ops::tile_sum, ops::argsort,
                ops::along_axis_place, ops::product_of_others, ops::sin, ops::sinh>();
}

}  // namespace jig::detail

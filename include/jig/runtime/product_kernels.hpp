// SPDX-License-Identifier: MIT
#pragma once
// Matrix products whose dtype, ranks and extents are known at run time only: those that compiled programs run for extents that a
// call tells.

#include <jig/core/any_rank_view.hpp>
#include <jig/eval/matmul.hpp>
#include <jig/runtime/float_copy.hpp>
#include <jig/runtime/kernel.hpp>

namespace jig::detail {

template <class F>
void multiply_matrices(const any_view& to, const any_view& left, const any_view& right, bool transpose_a, bool transpose_b,
                       const void* packed, const tile_epilogue& then) {
  const rank_erased<F> out(to);
  const rank_erased<const F> a(left), b(right);
  product<F> p = product_of<F>(out, a, b, transpose_a, transpose_b);
  p.packed_b = static_cast<const F*>(packed);
  if (out.rank() == 2) return multiply(p, then, memory_of_threads);
  if (out.size() == 0) return;
  batches l = batches_of(out, a, b);
  join_batches(p, l);
  put_long_batch_last(l);
  for_each_batch(p, l, [&](const product<F>& first, const batch_steps& steps, index count) {
    const auto each = [&](product<F> q, index now, const tile_epilogue& behind) {
      if (now > 1 && fits_across_batch(q, now)) return multiply_across_batch(q, steps, now);
      for (; now > 0; --now, q.a += steps.a, q.b += steps.b, q.c += steps.c) multiply(q, behind, memory_of_threads);
    };
    if (then.run == nullptr) each(first, count, {});
    else multiply_some_then(first, steps, count, p.c, then, each);
  });
}

/// The right operand of a product as blocks read it, if it is one matrix that they would pack: they read large ones in order then.
template <class Call>
any_tensor pack_right_operand(const Call& call) {
  const any_view& b = call.inputs[1];
  if (b.extents.rank != 2 || is_storage(b.dtype)) return {};
  const int inner = find_attribute(call.attributes, "transpose_b").values[0] != 0 ? 1 : 0;
  const index k = b.extents[inner], n = b.extents[1 - inner], m = n == 0 ? 0 : call.outputs[0].extents.size() / n;
  any_tensor out;
  with_type_of(b.dtype, [&]<class T>(const T&) {
    if constexpr (is_number(dtype_of<T>) && !is_storage_float<T>) {
      using F = factor<T>;
      product<F> p{nullptr, k, 1, static_cast<const F*>(b.data), b.strides[inner], b.strides[1 - inner], nullptr, n, m, n, k};
      if (m < 2 || n < 2 || k == 0 || (p.b_col == 1 && n * k <= few_to_pack<F>)) return;
      p.packed_b = p.b;
      const tile_epilogue none;
      const blocked_product<F> blocks(p, none);
      out = any_tensor::empty(b.dtype, {1, {blocks.packed_elements()}});
      blocks.pack_all(static_cast<F*>(out.mutable_data()));
    }
  });
  return out;
}

template <class Call>
void run_product_kernel(Call& call) {
  const bool transpose_a = find_attribute(call.attributes, "transpose_a").values[0] != 0,
             transpose_b = find_attribute(call.attributes, "transpose_b").values[0] != 0;
  const float_copy<> a(call.inputs[0]), b(call.inputs[1]);
  const float_result<> out(call.outputs[0]);
  // The axes of the product, where the result has them in another order.
  any_view product = out.view;
  const auto order = find_attribute(call.attributes, "perm").values;
  for (std::size_t axis = 0; axis < order.size(); ++axis) {
    product.extents[static_cast<int>(order[axis])] = out.view.extents[static_cast<int>(axis)];
    product.strides[static_cast<int>(order[axis])] = out.view.strides[static_cast<int>(axis)];
  }
  with_type_of(product.dtype, [&]<class T>(const T&) {
    if constexpr (is_number(dtype_of<T>) && !is_storage_float<T>)
      multiply_matrices<factor<T>>(product, a.view, b.view, transpose_a, transpose_b, call.packed, call.then);
  });
  out.store();
}

}  // namespace jig::detail

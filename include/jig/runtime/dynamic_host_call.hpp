// SPDX-License-Identifier: MIT
#pragma once
// Host calls in dynamic traces: the function takes any_tensors in place of views.

#include <jig/ops/host_call.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_call.hpp>

namespace jig::detail {

template <>
struct host_argument<run_time_spec> {
  using type = any_tensor;
  static type of(const any_view& v) { return any_tensor::viewing(v); }
};

template <>
struct host_result_copy<any_tensor> {
  static void run(const any_tensor& x, const any_view& result) {
    if (!(x.dtype() == result.dtype && x.shape() == result.extents))
      throw_host_misfit({result.dtype, result.extents}, {x.dtype(), x.shape()});
    copy_untyped(x.view(), const_cast<void*>(result.data), row_major_strides(result.extents));
  }
};

}  // namespace jig::detail

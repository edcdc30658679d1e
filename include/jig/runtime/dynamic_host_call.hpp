// SPDX-License-Identifier: MIT
#pragma once
// Host calls in dynamic traces: the function takes any_tensors in place of views.

#include <jig/ops/host_call.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_call.hpp>

namespace jig {

namespace detail {

// Of tensors whose specs only the run tells: all that is known of the arguments is their number.
template <class F, class Out, std::size_t... I>
struct host_function<F, Out, std::index_sequence<I...>> {
  static void run(stretch<any_view> inputs, const any_view& result) {
    if constexpr (std::is_same_v<Out, no_result>) {
      (void)F{}(any_tensor::viewing(inputs[I])...);
    } else {
      const auto returned = F{}(any_tensor::viewing(inputs[I])...);
      if constexpr (std::is_same_v<decltype(returned), const any_tensor>) {
        if (!(returned.dtype() == result.dtype && returned.shape() == result.extents))
          throw_host_misfit({result.dtype, result.extents}, {returned.dtype(), returned.shape()});
        copy_untyped(returned.view(), const_cast<void*>(result.data), row_major_strides(result.extents));
      } else {
        copy_host_result(returned, result);
      }
    }
  }
};

template <class F, std::size_t... I>
constexpr bool takes_any_tensors(std::index_sequence<I...>) {
  return std::is_invocable_v<F, std::enable_if_t<(I + 1 > 0), any_tensor>...>;
}

template <class F, class Out, class... X>
auto dynamic_host_call(const X&... x) {
  using arguments = std::index_sequence_for<X...>;
  if constexpr (!takes_any_tensors<F>(arguments())) {
    return refuse_with<"host_call: the function cannot be called with any_tensors, which a trace at run time gives it", F, X...>();
  } else if constexpr (std::is_same_v<Out, no_result>) {
    (void)call<ops::host_call<F, Out, arguments>>(x...);
  } else {
    return call<ops::host_call<F, Out, arguments>>(x...);
  }
}

}  // namespace detail

}  // namespace jig

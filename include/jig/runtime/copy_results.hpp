// SPDX-License-Identifier: MIT
#pragma once
// Results of calls with run-time tensors in memory of the caller.

#include <jig/eval/bound_call.hpp>
#include <jig/runtime/any_tensor.hpp>

namespace jig::detail {

// The memory of a view, as addresses.
inline std::pair<const char*, const char*> bytes_of(const any_view& v) {
  const char *first = static_cast<const char*>(v.data), *last = first;
  const index size = v.dtype == dtype::string ? static_cast<index>(sizeof(std::string)) : static_cast<index>(size_of(v.dtype));
  for (int a = 0; a < v.extents.rank; ++a) {
    if (v.extents[a] == 0) return {first, first};
    (v.strides[a] < 0 ? first : last) += (v.extents[a] - 1) * v.strides[a] * size;
  }
  return {first, last + size};
}

/// Copies results of a call with run-time tensors into objects of the caller, which are of their dtypes and extents.
/// Errors: another dtype, rank or extent throws invalid_argument before anything is written.
template <class Results, class Out>
void copy_results(std::string_view declaration, Results results, Out& out) {
  static_assert(leaf_count<Results> == leaf_count<std::remove_const_t<Out>>, "jig: into needs one object for each result");
  any_tensor from[leaf_count<Results>], to[leaf_count<Results>];
  any_tensor* next = from;
  for_each_leaf(results, [&](any_tensor& x) { *next++ = std::move(x); });
  next = to;
  for_each_leaf(out, [&]<class X>(X& x) {
    if constexpr (is_any_tensor<X>) {
      (void)x.mutable_data();
      *next++ = any_tensor::viewing(x.view());
    } else if constexpr (RunTimeArgument<X>) {
      static_assert(!std::is_const_v<X>, "jig: into cannot write const elements");
      *next++ = any_tensor::viewing(x);
    } else {
      static_assert(Argument<std::remove_const_t<X>>, "jig: into writes into tensors, views, containers, numbers and structures of these");
      static_assert(!std::is_const_v<std::remove_pointer_t<decltype(bound(x).data())>>, "jig: into cannot write const elements");
      *next++ = any_tensor::viewing(x);
    }
  });
  const auto spec = [](const any_tensor& x) { return tensor_spec{x.dtype(), x.shape()}; };
  for (std::size_t k = 0; k < std::size(to); ++k)
    if (const tensor_spec given = spec(from[k]), expected = spec(to[k]); !(given == expected))
      throw_misfit(declaration, "result", given, expected, {});
  // A result may be an argument, and an argument what is written.
  for (auto& x : from)
    for (const auto& y : to)
      if (bytes_of(x.view()).first < bytes_of(y.view()).second && bytes_of(y.view()).first < bytes_of(x.view()).second)
        x = any_tensor(x.view());
  for (std::size_t k = 0; k < std::size(to); ++k) copy_untyped(from[k].view(), const_cast<void*>(to[k].data()), to[k].strides());
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Storage dtypes are computed in float32: operands as floats, and results as what they are stored as.

#include <jig/core/any_view.hpp>
#include <jig/eval/workspace.hpp>
#include <jig/ops/copy.hpp>
#include <jig/runtime/elementwise_kernels.hpp>

namespace jig::detail {

/// Calls f with an object of the storage type that a dtype stands for.
template <class F>
void with_storage_type_of(dtype d, F f) {
  if (d == dtype::float16) f(half());
  else f(bfloat16());
}

/// A value of a storage dtype as floats, row-major in memory of its own. Other values stay where they are.
template <class View = any_view>
class float_copy {
  workspace memory_;

  static bool is_copied(const View& v) { return is_storage(v.dtype); }
  static std::size_t bytes(index n) { return aligned_size(static_cast<std::size_t>(n) * sizeof(float)); }

 public:
  View view;

  explicit float_copy(const View& v) : memory_(is_copied(v) ? bytes(v.extents.size()) * 2 : 0), view(v) {
    if (!is_copied(v)) return;
    const index n = v.extents.size();
    view = {dtype::float32, memory_.data(), v.extents, row_major_strides(v.extents)};
    with_storage_type_of(v.dtype, [&]<class T>(const T&) {
      const auto* from = static_cast<const T*>(v.data);
      if (v.strides != view.strides && n > 0) {
        auto* dense = reinterpret_cast<T*>(memory_.data() + bytes(n));
        copy_strided(dense, view.strides, from, v.strides, v.extents);
        from = dense;
      }
      const void* in[] = {from};
      block_loop<ops::cast, float, T>::run(in, memory_.data(), n);
    });
  }
};

/// Where the floats of a result of a storage dtype go, which become that when it ends. Other results are where they are to be.
template <class View = any_view>
class float_result {
  workspace memory_;
  const View& to_;

 public:
  View view;

  explicit float_result(const View& v)
      : memory_(is_storage(v.dtype) ? static_cast<std::size_t>(v.extents.size()) * sizeof(float) : 0), to_(v), view(v) {
    if (is_storage(v.dtype)) view = {dtype::float32, memory_.data(), v.extents, v.strides};
  }
  /// Stores the result, when it is complete.
  void store() const {
    if (!is_storage(to_.dtype)) return;
    with_storage_type_of(to_.dtype, [&]<class T>(const T&) {
      const void* in[] = {memory_.data()};
      block_loop<ops::cast, T, float>::run(in, const_cast<void*>(to_.data), to_.extents.size());
    });
  }
};

}  // namespace jig::detail

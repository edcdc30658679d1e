// SPDX-License-Identifier: MIT
#pragma once
// Views whose element type is known and whose rank is a value: what kernels see where only the run tells ranks.

#include <jig/core/any_view.hpp>
#include <jig/core/view.hpp>

namespace jig::detail {

/// As `view`, with a rank that is known at run time only. It refers to the extents and strides that it is made of.
template <class T>
class rank_erased {
 public:
  using value_type = std::remove_const_t<T>;

  rank_erased(T* data, const jig::shape& extents, const jig::shape& strides) : data_(data), extents_(&extents), strides_(&strides) {}
  /// The element type has to have the size of the dtype's.
  explicit rank_erased(const any_view& v) : rank_erased(static_cast<T*>(const_cast<void*>(v.data)), v.extents, v.strides) {}

  int rank() const { return extents_->rank; }
  T* data() const { return data_; }
  index extent(int axis) const { return (*extents_)[axis]; }
  index stride(int axis) const { return (*strides_)[axis]; }
  const jig::shape& shape() const { return *extents_; }
  const jig::shape& strides() const { return *strides_; }
  index size() const { return extents_->size(); }

 private:
  T* data_;
  const jig::shape* extents_;
  const jig::shape* strides_;
};

}  // namespace jig::detail

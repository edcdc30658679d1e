// SPDX-License-Identifier: MIT
#pragma once
// Arguments that are the same in every call of a graph, such as the weights of a model, in the forms that kernels read them in.

#include <jig/runtime/kernel.hpp>
#include <jig/runtime/shared_list.hpp>

#include <memory>
#include <vector>

namespace jig::detail {

/// The values of the last arguments of a graph, and what kernels have made of them: once for all plans. Threads may ask at the same time.
template <class Tensor = any_tensor>
class known_arguments {
 public:
  static constexpr int most_packed = 256;

  known_arguments(int first, const std::vector<Tensor>& values) : first_(first), values_(values) {}

  /// The first element of an argument, or null where only a call tells.
  const void* operator()(int argument) const {
    return argument < first_ ? nullptr : values_[static_cast<std::size_t>(argument - first_)].data();
  }
  /// Input 1 of a call as its kernel packs it, valid as long as this; null where it does not, or where there are too many already.
  const void* packed(const runtime_kernel& kernel, const kernel_call& call) const {
    const any_view& from = call.inputs[1];
    for (int i = 0; i < packed_.size(); ++i)
      if (packed_[i].is(kernel, from)) return packed_[i].form.data();
    if (packed_.size() == most_packed) return nullptr;
    auto made = std::make_unique<form_of>(form_of{&kernel, from, kernel.pack(call)});
    if (made->form.data() == nullptr) return nullptr;
    const form_of* const kept = packed_.add(made, [&](const form_of& other) { return other.is(kernel, from); });
    return kept == nullptr ? nullptr : kept->form.data();
  }

 private:
  struct form_of {
    const runtime_kernel* kernel;
    any_view from;
    Tensor form;
    bool is(const runtime_kernel& k, const any_view& v) const {
      return kernel == &k && from.data == v.data && from.dtype == v.dtype && from.extents == v.extents && from.strides == v.strides;
    }
  };

  int first_;
  const std::vector<Tensor>& values_;
  mutable shared_list<form_of, most_packed> packed_;
};

}  // namespace jig::detail

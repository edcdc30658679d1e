// SPDX-License-Identifier: MIT
#pragma once
// Operands whose elements kernels read by registers.

#include <jig/core/view.hpp>
#include <jig/eval/workspace.hpp>
#include <jig/ops/copy.hpp>

namespace jig::detail {

/// The elements of a view in row-major order: where they are, or a copy if they lie in another way.
template <class T, class View>
class dense_operand {
  static std::size_t bytes(const View& v) { return is_dense(v) ? 0 : static_cast<std::size_t>(v.size()) * sizeof(T); }
  static bool is_dense(const View& v) {
    index next = 1;
    for (int a = v.rank(); a-- > 0; next *= v.extent(a))
      if (v.extent(a) != 1 && v.stride(a) != next) return false;
    return true;
  }

  const workspace memory_;

 public:
  const T* data;

  dense_operand(memory_source& memory, const View& v) : memory_(memory, bytes(v)), data(v.data()) {
    if (is_dense(v)) return;
    auto* to = reinterpret_cast<T*>(memory_.data());
    copy_strided(to, row_major_strides(v.shape()), v.data(), v.strides(), v.shape());
    data = to;
  }
};

}  // namespace jig::detail

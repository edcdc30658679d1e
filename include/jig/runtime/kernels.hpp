// SPDX-License-Identifier: MIT
#pragma once
// The kernels of ops as the interpreter runs them, and the list that it finds them in. An op that no program names costs nothing.

#include <jig/runtime/elementwise_kernels.hpp>
#include <jig/runtime/product_kernels.hpp>
#include <jig/runtime/reduction_kernels.hpp>

namespace jig::detail {

/// How an op is computed at run time.
template <const op& Op>
inline constexpr runtime_kernel runtime_kernel_of{
    .kind = &Op,
    .block = [] {
      if constexpr (Op.is(fact::elementwise)) return &elementwise_blocks<Op>::find;
      else return nullptr;
    }(),
    .run = [] {
      if constexpr (Op.is(fact::elementwise)) return nullptr;
      else if constexpr (Op.is(fact::reduction)) return &run_reduction_kernel<Op>;
      // By name: GCC with -fsanitize=undefined takes no comparison of addresses for a constant.
      else if constexpr (Op.name == ops::matmul.name || Op.name == ops::batch_matmul.name) return &run_product_kernel;
      else return nullptr;
    }()};

/// Enters the kernel of an op into the list of the program where `entered` is named.
template <const op& Op>
struct runtime_kernel_registration {
  static inline constinit runtime_kernel_link link{&runtime_kernel_of<Op>, nullptr};
  static bool enter() {
    link.next = first_runtime_kernel;
    first_runtime_kernel = &link;
    return true;
  }
  static inline const bool entered = enter();
};

}  // namespace jig::detail

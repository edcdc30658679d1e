// SPDX-License-Identifier: MIT
#pragma once
// Which kernels a program has.

#include <jig/graph/op.hpp>

namespace jig::detail {

/// Enters the kernel of an op into the list of the program where `entered` is named.
template <const op& Op>
struct runtime_kernel_registration {
  static inline const bool entered = true;
};

}  // namespace jig::detail

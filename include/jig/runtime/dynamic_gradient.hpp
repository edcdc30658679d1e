// SPDX-License-Identifier: MIT
#pragma once
// What a dynamic trace that takes gradients needs besides the ops that it names.

#include <jig/runtime/dynamic_symbol.hpp>
#include <jig/trace/differentiate.hpp>

namespace jig::detail {

// What an op makes in particular is entered with it.
template <class X>
void enter_kernels_of_gradients() {
  []<std::size_t... I>(std::index_sequence<I...>) {
    enter_kernels<*made_of_ops.all()[I]...>();
  }(std::make_index_sequence<made_of_ops.all().size()>());
}

}  // namespace jig::detail

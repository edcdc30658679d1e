// SPDX-License-Identifier: MIT
#pragma once
// What a dynamic trace that takes gradients needs besides the ops that it names.

#include <jig/ops/gradient.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/power.hpp>
#include <jig/ops/unary.hpp>
#include <jig/runtime/dynamic_call.hpp>

namespace jig::detail {

// What an op makes in particular is entered with it.
template <class X>
void enter_kernels_of_gradients() {
  []<std::size_t... I>(std::index_sequence<I...>) {
    enter_kernels<*ops::gradient.makes()[I]...>();
  }(std::make_index_sequence<ops::gradient.makes().size()>());
}

template <class Y>
void enter_kernels_of_jacobians() {
  enter_kernels<ops::unpack, ops::pack>();
}

// What becomes of gradients of variables: of an optimizer's own numbers alone no dynamic value is made that would enter kernels.
template <class X>
void enter_kernels_of_optimizers() {
  enter_kernels<ops::sqrt, ops::square, ops::power>();
}

}  // namespace jig::detail

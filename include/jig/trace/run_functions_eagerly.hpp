// SPDX-License-Identifier: MIT
#pragma once
// The switch between graphs and lambdas as they stand.

namespace jig {

namespace detail {

// Read and written as an atomic is; <atomic> would cost more time to include than this is worth.
inline bool eager_switch = false;

}  // namespace detail

/// Whether functions run their lambdas as they stand, op by op, in place of their graphs: for a debugger, which then stops
/// inside them with real values. Concrete functions, `into` and functions with checked numerics always run the graph; so do functions
/// that take gradients, but for calls with run-time tensors, in programs without the kernels of jig's run-time library
/// (JIG_PREBUILT_KERNELS). Where these run op by op, variables have their new values at the end, and `x.value()` tells the elements of a
/// value. With the macro JIG_NO_EAGER, which saves its part of the compile time, functions always run their graphs.
inline void run_functions_eagerly(bool on) { __atomic_store_n(&detail::eager_switch, on, __ATOMIC_RELAXED); }
/// What was set last.
inline bool functions_run_eagerly() { return __atomic_load_n(&detail::eager_switch, __ATOMIC_RELAXED); }

}  // namespace jig

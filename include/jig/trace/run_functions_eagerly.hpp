// SPDX-License-Identifier: MIT
#pragma once
// The switch between graphs and lambdas as they stand.

namespace jig {

namespace detail {

// Read and written as an atomic is; <atomic> would cost more time to include than this is worth.
inline bool eager_switch = false;

}  // namespace detail

/// Whether functions run their lambdas as they stand, op by op, in place of their graphs: for a debugger, which then stops
/// inside them with real values. Concrete functions, `into`, functions with checked numerics and, but for calls with run-time
/// tensors, functions that take gradients always run the graph. With the macro JIG_NO_EAGER, which saves its part of the compile
/// time, functions always run their graphs.
inline void run_functions_eagerly(bool on) { __atomic_store_n(&detail::eager_switch, on, __ATOMIC_RELAXED); }
/// What was set last.
inline bool functions_run_eagerly() { return __atomic_load_n(&detail::eager_switch, __ATOMIC_RELAXED); }

}  // namespace jig

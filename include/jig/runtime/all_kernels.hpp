// SPDX-License-Identifier: MIT
#pragma once
// The kernels of all ops, for programs that run graphs which they do not trace themselves, such as those from a file. Takes long
// to compile: programs that link jig's run-time library, which is made of it, get nothing from here.

#include <jig/runtime/all_ops.hpp>
#include <jig/runtime/dynamic_eager.hpp>
#include <jig/runtime/kernels.hpp>
#include <jig/runtime/runtime_graph.hpp>

namespace jig {

namespace detail {

// Ops that stand for something while a graph is made have none.
template <const op& Op>
constexpr bool has_runtime_kernel() {
  if constexpr (Op.is(fact::elementwise | fact::reduction)) return requires { sizeof(functor<Op>); };
  else return requires { sizeof(kernel<Op>); };
}

template <const op& Op>
bool enter_runtime_kernel() {
  if constexpr (has_runtime_kernel<Op>()) return runtime_kernel_registration<Op>::entered;
  else return true;
}

#if defined JIG_BUILD_KERNELS || !defined JIG_PREBUILT_KERNELS
/// Enters them all into the list of the program, before main.
inline const bool all_kernels_entered = []<std::size_t... I>(std::index_sequence<I...>) {
  return (... + (enter_runtime_kernel<*all_ops[I]>() ? 1 : 0)) > 0;
}(std::make_index_sequence<std::size(all_ops)>());
#endif

#ifdef JIG_BUILD_KERNELS
void require_runtime_library_for(simd::instruction_set);
void require_runtime_library_for(simd::instruction_set) {}
template void finish_recording(const dynamic_recordings&, recorded_graph&, std::string_view);
template runtime_graph<> runtime_graph_of(const graph&);
template std::vector<any_tensor> run_graph(const runtime_graph<>&, stretch<any_tensor>);
template class eager_values<any_tensor>;
#endif

}  // namespace detail

}  // namespace jig

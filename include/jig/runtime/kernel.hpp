// SPDX-License-Identifier: MIT
#pragma once
// What the interpreter runs: for every op that a program traces at run time the functions that compute it, whatever the dtypes,
// ranks and attributes are.

#include <jig/core/any_view.hpp>
#include <jig/eval/epilogue.hpp>
#include <jig/eval/tape.hpp>
#include <jig/graph/op.hpp>
#include <jig/runtime/any_tensor.hpp>

namespace jig::detail {

/// Computes n elements of an elementwise op. Operands and result are dense; each operand has n elements.
using block_function = void (*)(const void* const* in, void* out, index n);

/// One run of an op that is not elementwise.
struct kernel_call {
  stretch<attribute_view> attributes;
  stretch<any_view> inputs;   // lie anywhere
  stretch<any_view> outputs;  // row-major; their memory is to be written
  call_tape* tape = nullptr;
  const void* packed = nullptr;  // input 1 as the kernel's `pack` has made it, if it was
  tile_epilogue then = {};       // of an op with fact::epilogue on elements of no storage dtype
  index found = -1;              // of an op whose extent only the run tells: that of the first axis of output 0
};

/// How an op is computed.
struct runtime_kernel {
  const op* kind;
  /// Of an elementwise op: the function for operands and a result of these dtypes; null where its rule refuses them.
  block_function (*block)(stretch<dtype> inputs, dtype result);
  /// Of any other op but views and control flow.
  void (*run)(kernel_call& call);
  /// Of an op that reads an input 1 which is the same in every call in a form of its own: that, or nothing where it would not be read.
  any_tensor (*pack)(const kernel_call& call) = nullptr;
};

/// The kernels of a program, linked before main.
struct runtime_kernel_link {
  const runtime_kernel* kernel;
  runtime_kernel_link* next;
};
inline constinit runtime_kernel_link* first_runtime_kernel = nullptr;

/// How an op is computed, or null when the program never asked for it.
inline const runtime_kernel* find_runtime_kernel(const op& kind) {
  for (auto* link = first_runtime_kernel; link; link = link->next)
    if (link->kernel->kind == &kind) return link->kernel;
  return nullptr;
}

/// The function that does what two others do one after the other: the result of the first is an operand of the second, which
/// nobody else reads. Its operands are those of the first and the other one of the second.
struct paired_kernel {
  block_function first, second;
  int position;  // of the first's result among the operands of the second
  block_function both;
  paired_kernel* next = nullptr;
};
inline constinit paired_kernel* first_paired_kernel = nullptr;

/// The function for two, or null.
inline block_function find_paired_kernel(block_function first, block_function second, int position) {
  for (const auto* p = first_paired_kernel; p; p = p->next)
    if (p->first == first && p->second == second && p->position == position) return p->both;
  return nullptr;
}

}  // namespace jig::detail

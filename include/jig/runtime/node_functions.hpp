// SPDX-License-Identifier: MIT
#pragma once
// What the interpreter runs for single nodes: the functions and kernels of ops, and constants as tensors.

#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/block_program.hpp>
#include <jig/trace/builder.hpp>

#include <string>
#include <vector>

namespace jig::detail {

template <class Op>
const runtime_kernel& runtime_kernel_for(const Op& kind) {
  const runtime_kernel* k = find_runtime_kernel(kind);
  if (k == nullptr) [[unlikely]] {
    message m;
    m << kind.name << ": this program has no kernel of it that takes run-time dtypes: include jig/runtime/all_kernels.hpp";
    throw_invalid_argument(m.view());
  }
  return *k;
}

inline std::size_t element_bytes(dtype d) { return d == dtype::string ? sizeof(std::string) : size_of(d); }

template <class Op>
block_function block_function_for(const Op& kind, stretch<dtype> inputs, dtype result) {
  const block_function f = runtime_kernel_for(kind).block(inputs, result);
  if (f == nullptr) {
    message m;
    m << kind.name << ": there is no such operation on these dtypes";
    throw_invalid_argument(m.view());
  }
  return f;
}

/// Adds an elementwise node and returns its entry. More operands than there are functions for, which only sums have, are added up
/// in turns.
template <class Program>
int add_elementwise(Program& program, const op& kind, std::vector<int> from, std::vector<dtype> types, dtype result) {
  constexpr std::size_t most = 8;
  while (from.size() > most) {
    const int sum = program.add(block_function_for(kind, {types.data(), most}, result), {from.data(), most}, result);
    from.erase(from.begin() + 1, from.begin() + most);
    types.erase(types.begin() + 1, types.begin() + most);
    from[0] = sum;
    types[0] = result;
  }
  return program.add(block_function_for(kind, {types.data(), types.size()}, result), {from.data(), from.size()}, result);
}

/// A constant of a graph as a tensor.
template <class Tensor = any_tensor>
Tensor constant_tensor(const graph_view& g, int node) {
  const auto constant = g.node(node);
  const auto words = constant.attribute("value").words;
  Tensor out = Tensor::empty(constant.dtype(), constant.shape());
  std::string_view text = constant.attribute("text").text;
  with_type_of(constant.dtype(), [&]<class T>(const T&) {
    auto* to = static_cast<T*>(out.mutable_data());
    for (const auto word : words) {
      if constexpr (std::is_same_v<T, std::string>) {
        *to++ = text.substr(0, word);
        text.remove_prefix(word);
      } else {
        *to++ = from_word<T>(word);
      }
    }
  });
  return out;
}

}  // namespace jig::detail

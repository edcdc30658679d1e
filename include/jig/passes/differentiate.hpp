// SPDX-License-Identifier: MIT
#pragma once
// Reverse mode as a pass.

#include <jig/passes/differentiate_loops.hpp>

namespace jig::detail {

/// Makes the gradients that a graph asks for. If that cannot be done, says why where `why` points to; with `allowed_work`, it ends when
/// more nodes than these were copied, looked at and made.
template <class Graph = graph_view>
constexpr differentiated differentiate(const std::type_identity_t<Graph>& g, message* why = nullptr, int allowed_work = 0) {
  return differentiation<Graph>(why, allowed_work).run(g);
}

}  // namespace jig::detail

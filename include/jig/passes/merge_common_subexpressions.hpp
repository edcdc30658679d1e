// SPDX-License-Identifier: MIT
#pragma once
// Common subexpressions: nodes that compute the same from the same become one, in bodies too.

#include <jig/passes/rewrite.hpp>

namespace jig {

namespace detail {

struct merging : rewriting_rule {
  static constexpr bool merges = true;
};

}  // namespace detail

/// The graph in which nodes of the same op with the same inputs and attributes are one node. Operands that commute may stand in
/// either order. Effects stay as many as they are.
template <class Graph = graph_view>
constexpr graph merge_common_subexpressions(const std::type_identity_t<Graph>& g) {
  return detail::rewriter<Graph, detail::merging>().run(g);
}

}  // namespace jig

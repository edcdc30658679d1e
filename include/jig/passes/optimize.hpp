// SPDX-License-Identifier: MIT
#pragma once
// The passes that every graph goes through before it runs.

#include <jig/passes/prune.hpp>
#include <jig/passes/tensor_arrays.hpp>

namespace jig {

/// The graph that runs in place of a traced one.
constexpr graph optimize(const graph_view& g) {
  graph pruned = prune(g);
  if (pruned.count(ops::new_array.name) == 0) return pruned;
  return lay_out_arrays(pruned);
}

namespace detail {

// The optimised graph of a trace as a constant.
template <class Trace>
struct optimized_graph_of {
  static constexpr graph_sizes sizes = sizes_of(optimize(Trace::graph).view());
  static constexpr static_graph<sizes> storage{optimize(Trace::graph).view()};
  static constexpr graph_view graph = storage.view();
};

}  // namespace detail

}  // namespace jig

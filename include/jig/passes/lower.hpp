// SPDX-License-Identifier: MIT
#pragma once
// What a compiled program runs of an optimised graph: every node is a step or part of one, or a name for memory.

#include <jig/passes/arrange_products.hpp>
#include <jig/passes/elements.hpp>
#include <jig/passes/padded_reads.hpp>
#include <jig/passes/prepare.hpp>

namespace jig {

namespace detail {

// Whether a graph is what lowering would make of it.
constexpr bool is_lowered(const graph_view& g, stretch<char> dense_arguments) {
  return !may_have_products_to_arrange(g) && !may_have_elements(g) && !may_have_padded_reads(g) && is_ready(g, dense_arguments);
}

template <class Graph>
constexpr graph lowered_to_padded_reads(const Graph& g, stretch<char> dense_arguments) {
  if (!may_have_padded_reads(g)) return prepared<Graph>(g, dense_arguments);
  return prepared<graph_view>(graph_of_padded_reads<Graph>(g, dense_arguments).run(), dense_arguments);
}
template <class Graph>
constexpr graph lowered_to_elements(const Graph& g, stretch<char> dense_arguments) {
  if (!may_have_elements(g)) return lowered_to_padded_reads<Graph>(g, dense_arguments);
  const graph of_elements = lower_elements<Graph>(g).run();
  return lowered_to_padded_reads<graph_view>(of_elements, dense_arguments);
}

template <class Graph = graph_view>
constexpr graph lowered(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  if (!may_have_products_to_arrange(g)) return lowered_to_elements<Graph>(g, dense_arguments);
  const graph of_products = product_arrangement<Graph>(g).run();
  return lowered_to_elements<graph_view>(of_products, dense_arguments);
}

// What a plan begins with when nothing else is known: all arguments are dense.
constexpr list<char> all_dense(const graph_view& g) {
  list<char> dense;
  for (std::size_t k = 0; k < g.inputs().size(); ++k) dense.push_back(1);
  return dense;
}

}  // namespace detail

/// The graph that a plan is made from when all arguments are dense: transposes beside products are parts of them; parts at constant
/// positions are slices, and small tensors made of scalars are scalars until somebody needs the tensor; paddings are those of memory, which
/// loops read through padded reads; every output of a node is a node; storage dtypes are cast where ops compute in float32; results that no
/// op would write, such as arguments and constants, are copies. Bodies are lowered by themselves, when the node around them is planned.
template <class Graph = graph_view>
constexpr graph lower(const std::type_identity_t<Graph>& g) {
  return detail::lowered<Graph>(g, detail::all_dense(g));
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// Positions that were made wider are read as they are: kernels take integers of every dtype, and nobody stores them twice.

#include <jig/ops/select.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// Whether a cast between integers keeps every number.
constexpr bool keeps_numbers(dtype from, dtype to) {
  if (!is_integer(from) || !is_integer(to)) return false;
  return size_of(from) < size_of(to) && (!is_signed(from) || is_signed(to));
}
/// Whether an input of a node is a list of positions. Seeds are not: they come with a shape.
constexpr bool is_list_of_positions(const op& kind, std::size_t input, const tensor_spec& of) {
  return kind.outputs == 1 && kind.operands.shapes == 0 && (kind.operands.positions >> input & 1) != 0 && of.shape.rank > 0;
}
constexpr bool widens_positions(const graph_view& g, const edge& e) {
  return is_op(*g.data(e.node).kind, ops::cast) && keeps_numbers(g.spec(g.inputs_of(e.node)[0]).dtype, g.spec(e).dtype);
}
constexpr bool may_have_wide_positions(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    for (std::size_t k = 0; k < g.inputs_of(v).size(); ++k)
      if (is_list_of_positions(*g.data(v).kind, k, g.spec(g.inputs_of(v)[k])) && widens_positions(g, g.inputs_of(v)[k])) return true;
  return false;
}

struct narrow_positions : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (n.kind.operands.positions == 0) return {};
    list<edge> inputs;
    bool any = false;
    for (std::size_t k = 0; k < n.inputs.size(); ++k) {
      edge e = n.inputs[k];
      if (is_list_of_positions(n.kind, k, r.spec(e)))
        for (; r.is(e, ops::cast) && keeps_numbers(r.spec(r.input(e)).dtype, r.spec(e).dtype); any = true) e = r.input(e);
      inputs.push_back(e);
    }
    return any ? r.make(n.kind, n.spec, inputs, n.attributes) : edge();
  }
};

}  // namespace jig::detail

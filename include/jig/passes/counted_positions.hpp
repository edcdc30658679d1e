// SPDX-License-Identifier: MIT
#pragma once
// Sums of rows of zeros with a one are counts of the positions of these: nobody writes the rows.

#include <jig/ops/bincount.hpp>
#include <jig/ops/one_hot.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/select.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// Whether a sum of a value of this rank goes over all axes but the last one, and keeps none of them.
constexpr bool sums_all_rows(stretch<index> axes, bool keeps, int rank) {
  unsigned summed = 0;
  for (const index a : axes) summed |= 1u << (a < 0 ? a + rank : a);
  return !keeps && rank > 1 && summed == (1u << (rank - 1)) - 1;
}
constexpr bool may_have_counted_positions(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (is_op(*g.data(v).kind, ops::reduce_sum) && is_op(*g.data(g.inputs_of(v)[0].node).kind, ops::one_hot)) return true;
  return false;
}

struct counted_positions : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!is_op(n.kind, ops::reduce_sum) || !r.is(n.inputs[0], ops::one_hot)) return {};
    const tensor_spec to = n.spec;
    const edge positions = r.input(n.inputs[0]);
    if (!sums_all_rows(n.integers("axes"), n.integers("keep_dims")[0] != 0, r.spec(n.inputs[0]).shape.rank)) return {};
    // Negative positions are rows of zeros, as large ones are, but no numbers to count.
    const tensor_spec of = r.spec(positions), unsigned_of{size_of(of.dtype) == 8 ? dtype::uint64 : dtype::uint32, of.shape};
    const index type = static_cast<index>(unsigned_of.dtype), counts = static_cast<index>(to.dtype), bins = to.shape[0];
    const attribute_view as_type[] = {{"DstT", attribute_kind::type, {&type, 1}}};
    const edge counted = is_signed(of.dtype) ? r.make(ops::cast, unsigned_of, {&positions, 1}, as_type) : positions;
    const attribute_view with[] = {{"size", attribute_kind::integer, {&bins, 1}}, {"T", attribute_kind::type, {&counts, 1}}};
    return r.make(ops::bincount, to, {&counted, 1}, with);
  }
};

}  // namespace jig::detail

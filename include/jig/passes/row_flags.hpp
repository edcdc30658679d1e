// SPDX-License-Identifier: MIT
#pragma once
// Whether all or any truth values of a row hold is the least or largest of them as integers as wide as what they are computed of: these
// lie in registers together with it, also where rows are short.

#include <jig/ops/compare.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/select.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// Bytes of the widest number that loops compute a value of; 0 where they are many: `budget` goes down.
constexpr std::size_t widest_of_value(const auto& g, const edge& x, int& budget) {
  if (--budget < 0) return 0;
  std::size_t widest = size_of(g.spec(x).dtype);
  const node_data n = g.data(x);
  for (int k = 0; n.kind->is(fact::elementwise) && k < n.inputs.count; ++k) {
    const std::size_t of = widest_of_value(g, g.input(x, at(k)), budget);
    if (of == 0) return 0;
    widest = (std::max)(widest, of);
  }
  return widest;
}
constexpr dtype integer_of_bytes(std::size_t bytes) {
  return bytes == 1 ? dtype::uint8 : bytes == 2 ? dtype::int16 : bytes == 4 ? dtype::int32 : dtype::int64;
}

/// Whether an op reduces truth values along the last axis, but not all of them, and not so many that each row is long.
constexpr bool reduces_flags_of_rows(const op& kind, const shape& from, stretch<index> axes) {
  if (!is_op(kind, ops::reduce_all) && !is_op(kind, ops::reduce_any)) return false;
  constexpr index is_long = 64;
  if (axes.empty() || static_cast<int>(axes.size()) >= from.rank || from[from.rank - 1] >= is_long) return false;
  for (index a : axes)
    if ((a < 0 ? a + from.rank : a) == from.rank - 1) return true;
  return false;
}
constexpr bool may_have_flags_of_rows(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (g.data(v).kind->is(fact::reduction) &&
        reduces_flags_of_rows(*g.data(v).kind, g.spec(g.inputs_of(v)[0]).shape, g.node(v).attribute("axes").values))
      return true;
  return false;
}

/// Such truth values are reduced as integers.
struct row_flags : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!n.kind.is(fact::reduction) || !reduces_flags_of_rows(n.kind, r.spec(n.inputs[0]).shape, n.integers("axes"))) return {};
    int most_visited = 64;
    const edge from = n.inputs[0];
    const std::size_t bytes = widest_of_value(r, from, most_visited);
    if (bytes == 0) return {};
    const tensor_spec to = n.spec;
    const dtype d = integer_of_bytes(bytes);
    const index type = static_cast<index>(d);
    const attribute_view as[] = {{"DstT", attribute_kind::type, {&type, 1}}};
    const edge flags = r.make(ops::cast, {d, r.spec(from).shape}, {&from, 1}, as);
    const op& extreme = is_op(n.kind, ops::reduce_any) ? ops::reduce_max : ops::reduce_min;
    // Of none, the least is the largest number, and the other way round.
    const edge both[] = {r.make(extreme, {d, to.shape}, {&flags, 1}, n.attributes), r.scalar(d, 0)};
    return r.make(ops::greater, to, both);
  }
};

}  // namespace jig::detail

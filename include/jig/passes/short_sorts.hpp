// SPDX-License-Identifier: MIT
#pragma once
// Sorts along an axis of a few places are exchanges of its parts, which a loop computes together with what surrounds them: only those that
// somebody wants to know of.

#include <jig/ops/compare.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/slice_positions.hpp>
#include <jig/ops/sort.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/exchanges.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// The axis of a sort that has so few places; -1 if it has more, or something else than numbers that compare as they are.
constexpr int axis_of_short_sort(const tensor_spec& of, index axis) {
  constexpr index most_places = 5;  // more exchanges take long to compile
  const auto a = static_cast<int>(axis < 0 ? axis + of.shape.rank : axis);
  const bool is_number = is_integer(of.dtype) || of.dtype == dtype::float32 || of.dtype == dtype::float64;
  return is_number && of.shape[a] > 0 && of.shape[a] <= most_places ? a : -1;
}
constexpr bool may_have_short_sorts(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (is_op(*g.data(v).kind, ops::sort) && axis_of_short_sort(g.data(v).spec, g.node(v).attribute("axis").values[0]) >= 0) return true;
  return false;
}

struct short_sorts : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!is_op(n.kind, ops::sort)) return {};
    const int axis = axis_of_short_sort(n.spec, n.integers("axis")[0]);
    if (axis < 0) return {};
    const tensor_spec to = n.spec;
    const bool descending = n.integers("descending")[0] != 0;
    const edge from = n.inputs[0];
    if (to.shape[axis] == 1) return from;
    list<edge> parts;
    for (index k = 0; k < to.shape[axis]; ++k) parts.push_back(part(r, from, axis, k));
    for_each_exchange(static_cast<int>(parts.size()), [&](int i, int k) {
      const edge first = parts[i], second = parts[k];
      const edge wrong = descending ? is_less(r, first, second) : is_less(r, second, first);
      parts[i] = select(r, wrong, second, first);
      parts[k] = select(r, wrong, first, second);
    });
    const index along[] = {axis};
    const attribute_view with[] = {{"axis", attribute_kind::integer, along}};
    return r.make(ops::pack, to, stretch<edge>(parts), with);
  }

 private:
  static constexpr edge part(auto& r, const edge& e, int axis, index k) {
    tensor_spec to = r.spec(e);
    slice_positions p;
    const shape from = to.shape;
    to.shape.rank = 0;
    for (int a = 0; a < from.rank; ++a) {
      if (a == axis) {
        p.add(k, 1, 1, true);
        continue;
      }
      p.add_whole(from[a]);
      to.shape.push_back(from[a]);
    }
    return with_attributes(p, [&](stretch<attribute_view> with) { return r.make(ops::strided_slice, to, {&e, 1}, with); });
  }
  static constexpr edge flag(auto& r, const op& kind, const edge& a, const edge& b) {
    const edge inputs[] = {a, b};
    return r.make(kind, {dtype::boolean, r.spec(a).shape}, inputs);
  }
  // NaN is larger than all numbers.
  static constexpr edge is_less(auto& r, const edge& a, const edge& b) {
    if (is_integer(r.spec(a).dtype)) return flag(r, ops::less, a, b);
    const edge reaches = flag(r, ops::less_equal, b, a);
    return flag(r, ops::logical_and, r.make(ops::logical_not, r.spec(reaches), {&reaches, 1}), flag(r, ops::equal, a, a));
  }
  static constexpr edge select(auto& r, const edge& condition, const edge& a, const edge& b) {
    const edge inputs[] = {condition, a, b};
    return r.make(ops::select, r.spec(a), inputs);
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Small tensors that are made of scalars, element by element: `stack`, gradients with respect to a tensor of which elements were
// read, and what only moves or adds up such elements. They are scalars until somebody needs the tensor, which is one Pack then.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/constant_positions.hpp>

namespace jig::detail {

constexpr void pack_elements_rule(rule_context& c) {
  shape s;
  for (index e : c.integers("shape")) s.push_back(e);
  c.result = {c.inputs[0].dtype, s};
}
/// A tensor of scalars, in row-major order. Attribute `shape`. Plans have it, traces do not: a loop over one element stores it.
inline constexpr op pack_elements{.name = "PackElements", .label = "PackElements", .rule = pack_elements_rule};

/// Whether a node puts scalars side by side.
constexpr bool packs_scalars(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  if (is_op(*n.kind, pack_elements)) return true;
  return is_op(*n.kind, ops::pack) && n.spec.shape.rank == 1 && n.spec.shape.size() > 0 && n.spec.dtype != dtype::string;
}

/// Whether a node puts elements of tensors of one shape side by side along an axis behind all others. Of few tensors of which some are
/// computed a loop does that in registers.
constexpr bool packs_groups(const graph_view& g, int v) {
  constexpr std::size_t most = 8;
  const node_data& n = g.data(v);
  const auto parts = g.inputs_of(v);
  if (!is_op(*n.kind, ops::pack) || n.spec.shape.rank < 2 || parts.size() < 2 || parts.size() > most || n.spec.dtype == dtype::string)
    return false;
  const index axis = g.node(v).attribute("axis").values[0];
  if (axis != -1 && axis != n.spec.shape.rank - 1) return false;
  for (const auto& e : parts)
    if (g.data(e.node).kind->is(fact::elementwise)) return true;
  return false;
}

/// Whether lower_elements could change a graph.
constexpr bool may_have_elements(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    const op& kind = *g.data(v).kind;
    if (changes_slice(kind) || is_op(kind, ops::slice_update) || is_op(kind, ops::tensor_scatter_update)) return true;
    if ((slices_at_positions(kind) || adds_at_positions(kind)) &&
        g.data(g.inputs_of(v)[slices_at_positions(kind) ? 1 : 2].node).kind->is(fact::constant))
      return true;
    for (const auto& e : g.inputs_of(v))
      if (is_op(*g.data(e.node).kind, ops::pack)) return true;
  }
  return false;
}

/// Makes a graph anew in which parts at constant positions are slices, and what is made of scalars is made of them at its end. Its
/// values are the same, bit for bit.
template <class Graph>
class lower_elements {
 public:
  constexpr explicit lower_elements(const Graph& g) : g_(g), first_(g.size()), uses_(use_counts(g)) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      first_[v] = -1;
      renamed_.push_back(-1);
      if (!splits(v)) renamed_[at(v)] = copy(v);
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(whole(e));
    return std::move(out_);
  }

 private:
  // Of a tensor of more elements a gradient is better kept in memory, and what is computed of it in registers full of elements.
  static constexpr index most_elements = 64, most_computed = 16;
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  constexpr bool is_split(const edge& e) const { return e.port == 0 && first_[e.node] >= 0; }
  // A scalar without memory that a view could show: it has none yet, or lies among others.
  constexpr bool is_computed_scalar(const edge& e) const {
    const op& kind = *g_.data(e.node).kind;
    return g_.spec(e).shape.rank == 0 && (kind.is(fact::elementwise) || slices_at_positions(kind) || is_op(kind, ops::strided_slice));
  }
  constexpr bool is_constant(const edge& e) const { return g_.data(e.node).kind->is(fact::constant); }
  // Whether the elements of a value are there without a load.
  constexpr bool is_known(const edge& e) const { return is_split(e) || is_constant(e) || g_.spec(e).shape.size() == 1; }

  // The new value of an edge.
  constexpr edge whole(const edge& e) {
    if (renamed_[at(e.node)] < 0) renamed_[at(e.node)] = packed(e.node);
    return {renamed_[at(e.node)], e.port};
  }
  constexpr int packed(int v) {
    const tensor_spec spec = g_.data(v).spec;
    if (spec.shape.rank == 0) return elements_[first_[v]].node;
    list<edge> inputs;
    for (index k = 0; k < spec.shape.size(); ++k) inputs.push_back(elements_[first_[v] + k]);
    const index axis = 0;
    const attribute_view along[] = {{"axis", attribute_kind::integer, {&axis, 1}, {}, {}}};
    if (spec.shape.rank == 1) return out_.add(ops::pack, spec, inputs, along).node;
    const auto with = extents_of(spec.shape);
    return out_.add(pack_elements, spec, inputs, {&with, 1}).node;
  }
  static constexpr attribute_view extents_of(const shape& s) {
    return {"shape", attribute_kind::integers, {s.extents, static_cast<std::size_t>(s.rank)}, {}, {}};
  }
  constexpr edge reshaped(const edge& e, const tensor_spec& to) {
    const attribute_view with[] = {extents_of(to.shape)};
    return out_.add(ops::reshape, to, {&e, 1}, with);
  }
  // Element number k, in row-major order, of a value with known elements; a single one is that for every k.
  constexpr edge element(const edge& e, index k) {
    const tensor_spec& spec = g_.spec(e);
    if (spec.shape.size() == 1) k = 0;
    if (is_split(e)) return elements_[first_[e.node] + k];
    if (is_constant(e)) return scalar(spec.dtype, g_.node(e.node).attribute("value").words[static_cast<std::size_t>(k)]);
    return spec.shape.rank == 0 ? whole(e) : reshaped(whole(e), {spec.dtype, {}});
  }
  constexpr edge scalar(dtype d, std::uint64_t bits) {
    for (const auto& c : constants_)
      if (c.type == d && c.bits == bits) return c.made;
    const edge made = add_constant(out_, d, bits);
    constants_.push_back({d, bits, made});
    return made;
  }

  // Whether a value is one of elements from here on. Then they are found.
  constexpr bool splits(int v) {
    const node_data& n = g_.data(v);
    const shape& s = n.spec.shape;
    if (!s.is_static() || s.size() < 1 || s.size() > most_elements || n.more_specs.count > 0) return false;
    if ((!is_number(n.spec.dtype) && n.spec.dtype != dtype::boolean) || is_storage(n.spec.dtype)) return false;
    list<edge> made;
    const auto inputs = g_.inputs_of(v);
    const op& kind = *n.kind;
    if (is_op(kind, ops::pack) || is_op(kind, ops::concat)) {
      if (!joins(v)) return false;
      for (const auto& e : inputs)
        for (index k = 0; k < g_.spec(e).shape.size(); ++k) made.push_back(element(e, k));
    } else if (kind.is(fact::keeps_order) && is_computed_scalar(inputs[0])) {
      made.push_back(whole(inputs[0]));
    } else if (kind.is(fact::view) && is_split(inputs[0])) {
      for (index i : places(v, kind, s, g_.node(v).attributes())) made.push_back(element(inputs[0], i));
    } else if (slices_at_positions(kind) && is_split(inputs[0])) {
      const slice_positions p = constant_positions(g_, v);
      if (!p.exists) return false;
      const auto found = with_attributes(p, [&](stretch<attribute_view> with) { return places(v, ops::strided_slice, s, with); });
      for (index i : found) made.push_back(element(inputs[0], i));
    } else if (changes_slice(kind)) {
      if (!is_known(inputs[0]) || !is_known(inputs[1])) return false;
      change_elements(v, places(v, ops::strided_slice, g_.spec(inputs[1]).shape, g_.node(v).attributes()), inputs[1],
                      is_op(kind, ops::strided_slice_add));
      return true;
    } else if (is_op(kind, ops::slice_update) || is_op(kind, ops::tensor_scatter_update)) {
      return replaces_elements(v);
    } else if (adds_at_positions(kind)) {
      if (!is_known(inputs[0]) || !is_known(inputs[1])) return false;
      const slice_positions p = constant_positions(g_, v);
      if (!p.exists) return false;
      const auto found =
          with_attributes(p, [&](stretch<attribute_view> with) { return places(v, ops::strided_slice, g_.spec(inputs[1]).shape, with); });
      change_elements(v, found, inputs[1], true);
      return true;
    } else if (is_op(kind, ops::zeros_like) && is_split(inputs[0])) {
      for (index k = 0; k < s.size(); ++k) made.push_back(scalar(n.spec.dtype, 0));
    } else if (computes_on_elements(v)) {
      const list<attribute_view> with = g_.node(v).attributes();
      for (index k = 0; k < s.size(); ++k) {
        list<edge> x;
        for (const auto& e : inputs) x.push_back(element(e, k));
        made.push_back(out_.add(kind, {n.spec.dtype, {}}, x, with));
      }
    } else {
      return false;
    }
    first_[v] = static_cast<int>(elements_.size());
    for (const auto& e : made) elements_.push_back(e);
    return true;
  }
  // Scalars side by side, or tensors of scalars along their first axis.
  constexpr bool joins(int v) const {
    const index axis = g_.node(v).attribute("axis").values[0];
    if (axis != 0 && axis != -g_.data(v).spec.shape.rank) return false;
    bool any = false;
    for (const auto& e : g_.inputs_of(v)) {
      if (!is_known(e)) return false;
      any = any || is_split(e) || g_.spec(e).shape.rank == 0;
    }
    return any;
  }
  // Functions of several elements at once are for registers.
  constexpr bool computes_on_elements(int v) const {
    const node_data& n = g_.data(v);
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::lanes_only | fact::checked | fact::stateful)) return false;
    if (n.spec.shape.rank == 0 || n.spec.shape.size() > most_computed) return false;
    bool any = false;
    for (const auto& e : g_.inputs_of(v)) {
      if (!is_known(e) || (g_.spec(e).shape.size() != 1 && !(g_.spec(e).shape == n.spec.shape))) return false;
      any = any || is_split(e);
    }
    return any;
  }
  // Which elements of the first input a view of it with the extents `part` shows, in row-major order.
  constexpr list<index> places(int v, const op& view, const shape& part, stretch<attribute_view> with) const {
    const shape& from = g_.spec(g_.inputs_of(v)[0]).shape;
    list<index> out;
    if (view.is(fact::keeps_order)) {
      for (index k = 0; k < part.size(); ++k) out.push_back(k);
      return out;
    }
    index first = 0;
    shape strides = part;
    view.restride({with, from, row_major_strides(from), part}, first, strides);
    for (index k = 0; k < part.size(); ++k) {
      index rest = k, place = first;
      for (int a = part.rank; a-- > 0;) {
        place += rest % part[a] * strides[a];
        rest /= part[a];
      }
      out.push_back(place);
    }
    return out;
  }
  // An assignment to elements at constant positions.
  constexpr bool replaces_elements(int v) {
    const edge to = g_.inputs_of(v)[0], part = g_.inputs_of(v)[2];
    if (!is_known(to) || !is_known(part)) return false;
    const shape &whole = g_.spec(to).shape, &positions = g_.spec(g_.inputs_of(v)[1]).shape;
    if (is_op(*g_.data(v).kind, ops::slice_update)) {
      const slice_positions p = constant_positions(g_, v);
      if (!p.exists) return false;
      const auto found =
          with_attributes(p, [&](stretch<attribute_view> with) { return places(v, ops::strided_slice, g_.spec(part).shape, with); });
      change_elements(v, found, part, false);
      return true;
    }
    const list<index> numbers = constant_numbers(g_, g_.inputs_of(v)[1]);
    if (numbers.empty() || whole.rank != 1 || positions[positions.rank - 1] != 1) return false;
    for (index i : numbers)
      if (i < 0 || i >= whole[0]) return false;
    change_elements(v, numbers, part, false);
    return true;
  }
  // Adds a part to these elements of the first input, or puts it in their place.
  constexpr void change_elements(int v, const list<index>& where, const edge& part, bool adds) {
    const edge to = g_.inputs_of(v)[0];
    const tensor_spec one{g_.data(v).spec.dtype, {}};
    // A sum that is only added to further is not copied: there may be as many additions as elements.
    if (is_split(to) && uses_[to.node] == 1) {
      first_[v] = first_[to.node];
    } else {
      list<edge> copied;
      for (index k = 0; k < g_.data(v).spec.shape.size(); ++k) copied.push_back(element(to, k));
      first_[v] = static_cast<int>(elements_.size());
      for (const auto& e : copied) elements_.push_back(e);
    }
    for (std::size_t k = 0; k < where.size(); ++k) {
      const index at = first_[v] + where[k];
      const edge terms[] = {elements_[at], element(part, static_cast<index>(k))};
      elements_[at] = adds ? out_.add(ops::add, one, terms) : terms[1];
    }
  }

  constexpr int copy(int v) {
    const auto inputs = g_.inputs_of(v);
    const op& kind = *g_.data(v).kind;
    const bool picks = slices_at_positions(kind);
    if (picks || adds_at_positions(kind)) {
      if (const slice_positions p = constant_positions(g_, v); p.exists) {
        list<edge> x;
        for (std::size_t k = 0; k < (picks ? 1 : 2); ++k) x.push_back(whole(inputs[k]));
        return with_attributes(p, [&](stretch<attribute_view> with) {
          return out_.add(picks ? ops::strided_slice : ops::strided_slice_add, g_.data(v).spec, x, with).node;
        });
      }
    }
    for (const auto& e : inputs) (void)whole(e);
    return copy_node(out_, g_, v, [&](const edge& e) { return edge{renamed_[at(e.node)], e.port}; });
  }

  struct made_constant {
    dtype type;
    std::uint64_t bits;
    edge made;
  };
  Graph g_;
  graph out_;
  list<int> renamed_;       // by node of the old graph: its new number, -1 as long as it has none
  list<int> first_, uses_;  // where its elements begin, -1 if there are none, and how many read it
  list<edge> elements_;
  list<made_constant> constants_;
};

}  // namespace jig::detail

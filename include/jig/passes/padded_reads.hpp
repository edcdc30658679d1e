// SPDX-License-Identifier: MIT
#pragma once
// Values with zeros around them, such as gradients of slices, as parts of the loops that need them. A loop over the larger shape
// reads what is padded at other places, and nothing outside of it: a window on it. So that a padded read shows memory, paddings move
// through elementwise ops to what these read.

#include <jig/core/list.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/pad.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig::detail {

/// Where the elements of a value lie, in row-major order, among those of a larger one.
struct padded_read {
  bool exists = false;
  index before = 0;  // elements of the larger value
  index size = 0;    // of the smaller one
};

// Padded reads are parts of loops that threads do not share.
inline constexpr index most_padded_elements = 65536;

// A stretch of a row-major tensor that begins with the elements at `place` along the first axis.
constexpr padded_read rows_of(const shape& whole, const shape& part, index place) {
  if (!whole.is_static() || !part.is_static() || whole.rank == 0 || part.rank != whole.rank) return {};
  index row = 1;
  for (int a = 1; a < whole.rank; ++a) {
    if (whole[a] != part[a]) return {};
    row *= whole[a];
  }
  const bool fits = row > 0 && part[0] > 0 && part[0] < whole[0] && whole[0] * row < most_padded_elements;
  return {fits, place * row, part[0] * row};
}

/// The padded read of a PadV2.
template <class Graph>
constexpr padded_read padded_read_of(const Graph& g, int v) {
  const auto paddings = g.node(v).attribute("paddings").values;
  return rows_of(g.data(v).spec.shape, g.spec(g.inputs_of(v)[0]).shape, paddings.empty() ? 0 : paddings[0]);
}

/// The padded read of a StridedSliceGrad or TensorStridedSliceUpdate.
template <class Graph>
constexpr padded_read read_of_slice(const Graph& g, int v) {
  const shape &whole = g.data(v).spec.shape, &part = g.spec(g.inputs_of(v)[1]).shape;
  if (!whole.is_static() || !part.is_static() || part.size() == 0) return {};
  shape strides = part;
  index first = 0;
  const node_facts facts(g, v);
  ops::strided_slice.restride({facts.context().attributes, whole, row_major_strides(whole), part}, first, strides);
  if (part.size() == 1 && whole.rank == 1) return {whole.size() > 1 && whole.size() < most_padded_elements, first, 1};
  const shape expected = row_major_strides(part);
  for (int a = 0; a < part.rank; ++a)
    if (part[a] != 1 && strides[a] != expected[a]) return {};
  index row = 1;
  for (int a = 1; a < whole.rank; ++a) row *= whole[a];
  return row == 0 ? padded_read() : rows_of(whole, part, first / row);
}

/// Whether the elements of a value lie side by side in row-major order, if it is stored; `dense` says that of the nodes before it.
template <class Graph>
constexpr bool lies_dense(const Graph& g, int v, const list<char>& dense) {
  const op& kind = *g.data(v).kind;
  if (!kind.is(fact::view)) return true;
  const int from = g.inputs_of(v)[0].node;
  const shape &s = g.data(from).spec.shape, &to = g.data(v).spec.shape;
  if (!dense[from] || kind.is(fact::keeps_order)) return dense[from] != 0;
  if (!s.is_static() || !to.is_static()) return false;
  shape strides = to;
  index first = 0;
  const node_facts facts(g, v);
  kind.restride({facts.context().attributes, s, row_major_strides(s), to}, first, strides);
  const shape expected = row_major_strides(to);
  for (int a = 0; a < to.rank; ++a)
    if (to[a] != 1 && strides[a] != expected[a]) return false;
  return true;
}

/// Whether every loop over a shape runs through all that it reads as through one run of memory. `shape_of` tells the extents of
/// a node, `is_dense` whether it lies so if it is stored.
template <class Graph, class Shape, class Dense>
constexpr bool loops_are_dense(const Graph& g, const shape& space, Shape shape_of, Dense is_dense) {
  for (int v = 0; v < g.size(); ++v) {
    const op& kind = *g.data(v).kind;
    // A loop may store what is stacked, with what it computes.
    if (is_op(kind, ops::pack))
      for (const auto& e : g.inputs_of(v))
        if (shape_of(e.node) == space && !g.data(e.node).kind->is(fact::elementwise) && !is_dense(e.node)) return false;
    if (!kind.is(fact::elementwise | fact::reduction | fact::dynamic_update)) continue;
    const bool own = kind.is(fact::elementwise) && shape_of(v) == space;
    bool reads = false;
    for (const auto& e : g.inputs_of(v)) {
      const shape& s = shape_of(e.node);
      if (s == space) reads = true;
      if (own && s.size() == 1) continue;
      const bool along = s == space && (g.data(e.node).kind->is(fact::elementwise) || is_dense(e.node));
      if ((own || (s == space && kind.is(fact::reduction))) && !along) return false;
    }
    if (!reads || own) continue;
    if (kind.is(fact::dynamic_update) || (kind.is(fact::elementwise) && !shape_of(v).is_static())) return false;
    if (kind.is(fact::reduction) && space.rank > 1 && !g.node(v).attribute("axes").values.empty()) return false;
  }
  return true;
}

constexpr bool is_padding(const op& kind) { return is_op(kind, ops::pad); }

/// Whether a graph has nodes that could become parts of loops.
constexpr bool may_have_padded_reads(const graph_view& g) {
  for (const auto& n : g.nodes_)
    if (is_padding(*n.kind) || changes_slice(*n.kind)) return true;
  return false;
}

/// Makes a graph anew where paddings are those of memory: pad(f(x), c) becomes where(inside, f(pad(x, 0)), c).
template <class Graph>
class graph_of_padded_reads {
 public:
  constexpr graph_of_padded_reads(const Graph& g, stretch<char> dense_arguments) : g_(g) {
    uses_ = list<int>(g.size());
    dense_ = list<char>(g.size());
    pulled_ = list<char>(g.size());
    for (int v = 0; v < g.size(); ++v) {
      dense_[v] = lies_dense(g, v, dense_);
      for (const auto& e : g.inputs_of(v)) ++uses_[e.node];
    }
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense_[g.inputs()[k]] = dense_arguments[k];
    for (const auto& e : g.outputs()) ++uses_[e.node];
  }

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      edge made{-1, 0};
      const op& kind = *g_.data(v).kind;
      if (is_padding(kind)) made = padding(v);
      else if (is_op(kind, ops::strided_slice_add)) made = slice_add(v);
      else if (is_op(kind, ops::strided_slice_update)) made = slice_update(v);
      renamed_.push_back(made.node >= 0 ? made.node : copy_node(out_, g_, v, [&](const edge& e) { return place_of(e); }));
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(place_of(e));
    return std::move(out_);
  }

 private:
  constexpr edge place_of(const edge& e) const { return {renamed_[at(e.node)], e.port}; }

  // Whether padded reads in loops over a shape will be read in place. The few shapes that there are were asked for before.
  constexpr bool loops_are_dense(const shape& s) {
    for (const auto& known : known_)
      if (known.space == s) return known.dense;
    const auto shape_of = [&](int v) -> const shape& { return g_.data(v).spec.shape; };
    const bool dense = detail::loops_are_dense(g_, s, shape_of, [&](int v) { return dense_[v] != 0; });
    known_.push_back({s, dense});
    return dense;
  }
  constexpr bool is_elementwise(const edge& e) const { return g_.data(e.node).kind->is(fact::elementwise); }
  constexpr bool is_zero(const edge& e) const {
    if (!g_.data(e.node).kind->is(fact::constant)) return false;
    for (const auto w : g_.node(e.node).attribute("value").words)
      if (w != 0) return false;
    return true;
  }

  constexpr edge padding(int v) {
    const edge inside = g_.inputs_of(v)[0], value = g_.inputs_of(v)[1];
    const padded_read w = padded_read_of(g_, v);
    if (!is_elementwise(inside) || !g_.data(value.node).kind->is(fact::constant) || !begin(v, inside, w)) return {-1, 0};
    return framed(inside, is_zero(value), place_of(value));
  }
  constexpr edge slice_add(int v) {
    const edge whole = g_.inputs_of(v)[0], part = g_.inputs_of(v)[1];
    const bool zeros = is_zero(whole);
    if (!(zeros || is_in_loop(whole, part)) || !begin(v, part, read_of_slice(g_, v))) return {-1, 0};
    // What is added where nothing is: 0 would make 0 of -0.
    const dtype d = spec_.dtype;
    const bool plain = zeros || !is_floating(d);
    const edge nothing = scalar(d, plain ? 0 : sign_bit(d));
    const edge framed_part = framed(part, plain, nothing);
    const edge sum[] = {zeros ? scalar(d, 0) : place_of(whole), framed_part};
    return out_.add(ops::add, spec_, sum);
  }

  constexpr edge slice_update(int v) {
    const edge whole = g_.inputs_of(v)[0], part = g_.inputs_of(v)[1];
    if (!is_in_loop(whole, part) || !begin(v, part, read_of_slice(g_, v))) return {-1, 0};
    return framed(part, false, place_of(whole));
  }
  constexpr bool is_in_loop(const edge& whole, const edge& part) const {
    return is_elementwise(part) || out_.nodes[at(place_of(whole).node)].kind->is(fact::elementwise);
  }

  // Whether a padding to the shape of node v is worth it, and then what it is.
  constexpr bool begin(int v, const edge& inside, const padded_read& w) {
    spec_ = g_.data(v).spec;
    if (!w.exists) return false;
    if (!is_number(spec_.dtype) || is_storage(spec_.dtype)) return false;
    // Of a small part of much memory that part alone is better touched.
    if (2 * w.size < spec_.shape.size() && spec_.shape.size() > few) return false;
    if (!loops_are_dense(spec_.shape)) return false;
    padded_read_ = w;
    part_ = g_.spec(inside).shape;
    return true;
  }
  // So few elements wait longer for each other in memory than for what is computed twice.
  static constexpr index few = 64;

  // The padded value of an edge; what is around it is `value`, of which is told whether it is 0.
  constexpr edge framed(const edge& e, bool zero, const edge& value) {
    // One element is the same wherever it is read.
    edge f = place_of(e);
    bool in_memory = false;
    if (part_.size() > 1) {
      choose(e.node);
      in_memory = !pulled_[e.node];
      f = pull(e.node);
    }
    if (in_memory && zero) return f;
    const edge inputs[] = {inside(), f, value};
    return out_.add(ops::select, spec_, inputs);
  }

  // An op that may be computed for nothing, at zeros.
  constexpr bool moves(int v) const {
    const node_data& n = g_.data(v);
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::checked | fact::scalar_only | fact::stateful) || !(n.spec.shape == part_))
      return false;
    if (is_storage(n.spec.dtype) || n.spec.dtype == dtype::string) return false;
    for (const auto& e : g_.inputs_of(v)) {
      const tensor_spec& s = g_.spec(e);
      if (!(s.shape == part_) && s.shape.size() != 1) return false;
      // What is in memory has to be a number.
      if (s.shape == part_ && !is_number(s.dtype) && !g_.data(e.node).kind->is(fact::elementwise)) return false;
      if (is_storage(s.dtype) || s.dtype == dtype::string) return false;
    }
    return true;
  }
  // Chooses which nodes are computed for the larger shape, from `last` on: what nobody else needs, and a few cheap ones that are
  // then computed twice.
  constexpr void choose(int last) {
    list<int> needed(last + 1);
    int again = 0, moved = 0;
    for (int v = 0; v <= last; ++v) pulled_[v] = 0;
    needed[last] = 1;
    for (int v = last; v >= 0; --v) {
      if (needed[v] == 0 || !moves(v)) continue;
      const bool alone = uses_[v] == needed[v];
      const op& kind = *g_.data(v).kind;
      const bool slow = kind.is(fact::lanes_only) || (is_op(kind, ops::divide) && part_.size() > few);
      if (!alone && (slow || again == most_again)) {
        if (g_.data(v).spec.dtype == dtype::boolean) return pull_nothing(last);
        continue;
      }
      if (++moved > most_moved) return pull_nothing(last);
      again += !alone;
      pulled_[v] = 1;
      for (const auto& e : g_.inputs_of(v)) ++needed[e.node];
    }
    for (int v = 0; v <= last; ++v)
      if (needed[v] > 0 && !pulled_[v] && g_.data(v).spec.shape == part_ && !is_number(g_.data(v).spec.dtype)) return pull_nothing(last);
  }
  constexpr void pull_nothing(int last) {
    for (int v = 0; v <= last; ++v) pulled_[v] = 0;
  }
  static constexpr int most_again = 16, most_moved = 64;

  // The padded value of a node and of those before it that were chosen.
  constexpr edge pull(int last) {
    list<int> made(last + 1);
    for (int v = 0; v <= last; ++v) made[v] = -1;
    const auto padded = [&](const edge& e) {
      if (g_.spec(e).shape.size() == 1) return place_of(e);
      if (made[e.node] < 0 || e.port != 0) return padded_memory(e);
      return edge{made[e.node], 0};
    };
    for (int v = 0; v <= last; ++v) {
      if (!pulled_[v]) continue;
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(padded(e));
      const list<attribute_view> with = g_.node(v).attributes();
      made[v] = out_.add(*g_.data(v).kind, {g_.data(v).spec.dtype, spec_.shape}, inputs, with).node;
    }
    return padded({last, 0});
  }
  constexpr edge padded_memory(const edge& e) { return pad(place_of(e), g_.spec(e).dtype, part_); }
  // Equal paddings become one node.
  constexpr edge pad(const edge& e, dtype d, const shape& part) {
    for (const auto& p : paddings_)
      if (p.of == e && p.before == padded_read_.before && p.space == spec_.shape) return p.made;
    const edge inputs[] = {e, scalar(d, 0)};
    const index row = spec_.shape.size() / spec_.shape[0], first = padded_read_.before / row;
    index paddings[2 * max_rank] = {first, spec_.shape[0] - first - part[0]};
    const attribute_view with[] = {
        {"paddings", attribute_kind::integers, {paddings, 2 * static_cast<std::size_t>(spec_.shape.rank)}, {}, {}}};
    const edge made = out_.add(ops::pad, {d, spec_.shape}, inputs, with);
    paddings_.push_back({e, padded_read_.before, spec_.shape, made});
    return made;
  }
  // Whether a place is one of the part.
  constexpr edge inside() {
    shape rows = spec_.shape;
    rows[0] = padded_read_.size / (spec_.shape.size() / spec_.shape[0]);
    for (const auto& p : insides_)
      if (p.space == spec_.shape && p.before == padded_read_.before && p.part == rows) return p.made;
    const edge yes = scalar(dtype::boolean, 1);
    const attribute_view with[] = {{"shape", attribute_kind::integers, {rows.extents, static_cast<std::size_t>(rows.rank)}, {}, {}}};
    const edge made = pad(out_.add(ops::broadcast_to, {dtype::boolean, rows}, {&yes, 1}, with), dtype::boolean, rows);
    insides_.push_back({padded_read_.before, spec_.shape, rows, made});
    return made;
  }
  constexpr edge scalar(dtype d, std::uint64_t bits) {
    const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&bits, 1}}};
    return out_.add(ops::constant, {d, {}}, {}, with);
  }

  struct answer {
    shape space;
    bool dense;
  };
  struct made_padding {
    edge of;
    index before;
    shape space;
    edge made;
  };
  struct made_inside {
    index before;
    shape space, part;
    edge made;
  };
  Graph g_;
  graph out_;
  list<int> renamed_, uses_;
  list<char> dense_, pulled_;
  list<answer> known_;
  list<made_padding> paddings_;
  list<made_inside> insides_;
  // Of the padding that is being made: its result, what the padded read shows and the shape of that.
  tensor_spec spec_{};
  padded_read padded_read_{};
  shape part_{};
};

}  // namespace jig::detail

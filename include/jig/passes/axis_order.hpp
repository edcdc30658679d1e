// SPDX-License-Identifier: MIT
#pragma once
// Graphs for column-major memory: a column-major argument of shape (m, n) is a row-major one of shape (n, m) with its axes reversed. What
// is elementwise or a reduction is computed with reversed axes where its operands lie that way, so that loops run along memory.

#include <jig/ops/reshape.hpp>
#include <jig/passes/arrange_products.hpp>

namespace jig::detail {

// Which way round the axes of a value are where it is computed; for `either` it does not matter.
enum class axis_order : unsigned char { either, straight, reversed };

constexpr axis_order opposite(axis_order o) {
  return o == axis_order::straight ? axis_order::reversed : o == axis_order::reversed ? axis_order::straight : o;
}

template <class Graph>
class axis_ordering {
 public:
  /// Marks say for each argument, and for each of the first results, whether it is column-major.
  constexpr axis_ordering(const Graph& g, stretch<char> arguments, stretch<char> results)
      : g_(g), arguments_(arguments), results_(results), orders_(g.size()), wanted_(g.size()), straight_(g.size()), reversed_(g.size()) {}

  constexpr graph run() {
    for (char r : results_) prefer_reversed_ = prefer_reversed_ || r != 0;
    for (int v = 0; v < g_.size(); ++v) orders_[v] = own_order(v);
    choose();
    for (int v = 0; v < g_.size(); ++v) {
      straight_[v] = reversed_[v] = {-1, 0};
      if (!is_made_on_demand(v)) make(v);
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back((orders_[v] == axis_order::reversed ? reversed_ : straight_)[v].node);
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) {
      const edge e = g_.outputs()[k];
      out_.output_edges.push_back(value(e, is_reversed_result(k) ? axis_order::reversed : axis_order::straight));
    }
    return std::move(out_);
  }

 private:
  static constexpr unsigned bit(axis_order o) { return o == axis_order::either ? 0u : 1u << static_cast<unsigned>(o); }
  constexpr const op& kind(int v) const { return *g_.data(v).kind; }
  constexpr const shape& extents(const edge& e) const { return g_.spec(e).shape; }
  constexpr int rank(int v) const { return g_.data(v).spec.shape.rank; }
  constexpr bool has_one_output(int v) const { return g_.data(v).more_specs.count == 0; }
  constexpr bool is_elementwise(int v) const {
    return kind(v).is(fact::elementwise) && !kind(v).is(fact::stateful) && has_one_output(v) && rank(v) >= 2;
  }
  constexpr bool is_reduction(int v) const { return kind(v).is(fact::reduction) && has_one_output(v); }
  constexpr bool is_matrix_product(int v) const { return is_product(kind(v)) && rank(v) == 2; }
  constexpr bool is_reversed_result(std::size_t k) const {
    return k < results_.size() && results_[k] != 0 && extents(g_.outputs()[k]).rank >= 2;
  }
  // What has two forms that need nothing but another one of their operand, if any.
  constexpr bool is_made_on_demand(int v) const {
    return reverses_axes(v) || is_axis_view(v) || (kind(v).is(fact::constant) && g_.data(v).spec.dtype != dtype::string);
  }

  constexpr bool reverses_axes(int v) const {
    if (!is_op(kind(v), ops::transpose)) return false;
    const auto order = g_.node(v).attribute("perm").values;
    const auto r = static_cast<int>(order.size());
    for (int a = 0; a < r; ++a)
      if ((order[at(a)] < 0 ? order[at(a)] + r : order[at(a)]) != r - 1 - a) return false;
    return r >= 2;
  }
  // Whether a view adds or drops axes of extent 1 and nothing else.
  constexpr bool is_axis_view(int v) const {
    if (is_op(kind(v), ops::expand_dims) || is_op(kind(v), ops::squeeze)) return true;
    if (!is_op(kind(v), ops::reshape)) return false;
    const shape &from = extents(g_.inputs_of(v)[0]), &to = g_.data(v).spec.shape;
    return from.is_static() && to.is_static() && without_ones(from) == without_ones(to);
  }
  static constexpr shape without_ones(const shape& s) {
    shape out;
    for (int a = 0; a < s.rank; ++a)
      if (s[a] != 1) out.push_back(s[a]);
    return out;
  }
  // Whether the elements lie the same way with reversed axes.
  static constexpr bool is_line(const shape& s) { return without_ones(s).rank < 2; }

  constexpr axis_order own_order(int v) const {
    using enum axis_order;
    if (kind(v).is(fact::input)) {
      if (rank(v) < 2) return either;
      for (std::size_t k = 0; k < g_.inputs().size(); ++k)
        if (g_.inputs()[k] == v && arguments_[k] != 0) return reversed;
      return straight;
    }
    if (kind(v).is(fact::constant) || is_matrix_product(v)) return either;
    if (is_elementwise(v)) return common_order(v);
    if (is_reduction(v)) {
      const edge e = g_.inputs_of(v)[0];
      return e.port == 0 && extents(e).rank >= 2 && orders_[e.node] == reversed ? reversed : straight;
    }
    if (reverses_axes(v)) return opposite(orders_[g_.inputs_of(v)[0].node]);
    if (kind(v).is(fact::view)) return g_.inputs_of(v)[0].port == 0 ? value_order(g_.inputs_of(v)[0].node) : straight;
    return straight;
  }
  constexpr axis_order value_order(int v) const { return rank(v) < 2 ? axis_order::either : orders_[v]; }
  constexpr axis_order common_order(int v) const {
    unsigned found = 0;
    for (const auto& e : g_.inputs_of(v))
      if (!is_line(extents(e))) found |= e.port > 0 ? bit(axis_order::straight) : bit(value_order(e.node));
    if (found == 0) return axis_order::either;
    if (found == bit(axis_order::straight)) return axis_order::straight;
    if (found == bit(axis_order::reversed)) return axis_order::reversed;
    return prefer_reversed_ ? axis_order::reversed : axis_order::straight;
  }

  // What all who use a value want the other way round is computed like that: loops read and write across memory at less cost than one more
  // pass through it.
  constexpr void choose() {
    using enum axis_order;
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) wanted_[g_.outputs()[k].node] |= bit(is_reversed_result(k) ? reversed : straight);
    for (int v = g_.size(); v-- > 0;) {
      const unsigned wanted = wanted_[v];
      axis_order& order = orders_[v];
      if (rank(v) < 2 && order == either) order = straight;
      if (is_elementwise(v) || order == either) {
        if (wanted == bit(straight)) order = straight;
        else if (wanted == bit(reversed)) order = reversed;
        else if (order == either) order = straight;
      }
      // Products read their operands either way.
      if (is_product(kind(v))) continue;
      unsigned wants = bit(straight);
      if (is_elementwise(v) || is_reduction(v)) wants = bit(order);
      else if (reverses_axes(v)) wants = (wanted & bit(straight) ? bit(reversed) : 0) | (wanted & bit(reversed) ? bit(straight) : 0);
      else if (kind(v).is(fact::view)) wants = wanted;
      for (const auto& e : g_.inputs_of(v)) wanted_[e.node] |= wants;
    }
  }

  // A value with its axes this way round.
  constexpr edge value(const edge& e, axis_order o) {
    if (extents(e).rank < 2) o = axis_order::straight;
    if (e.port > 0) return o == axis_order::straight ? edge{straight_[e.node].node, e.port} : transposed(e);
    edge& known = (o == axis_order::reversed ? reversed_ : straight_)[e.node];
    if (!is_none(known)) return known;
    const edge made = is_made_on_demand(e.node) ? make_on_demand(e, o) : transposed(e);
    return (o == axis_order::reversed ? reversed_ : straight_)[e.node] = made;
  }
  // The other form of a value that has one already.
  constexpr edge transposed(const edge& e) {
    const shape s = extents(e);
    const bool from_reversed = e.port == 0 && !is_none(reversed_[e.node]);
    const edge from = from_reversed ? reversed_[e.node] : edge{straight_[e.node].node, e.port};
    const tensor_spec to = {g_.spec(e).dtype, from_reversed ? s : reversed(s)};
    list<index> numbers;
    // Elements in one line stay where they are.
    const bool line = is_line(s);
    for (int a = 0; a < s.rank; ++a) numbers.push_back(!line ? s.rank - 1 - a : is_static_extent(to.shape[a]) ? to.shape[a] : jig::infer);
    const attribute_view with[] = {{line ? "shape" : "perm", attribute_kind::integers, numbers, {}, {}}};
    return out_.add(line ? ops::reshape : ops::transpose, to, {&from, 1}, with);
  }
  constexpr edge constant_reversed(const edge& e) {
    const tensor_spec s = g_.spec(e);
    const shape strides = column_major_strides(reversed(s.shape));
    list<attribute_view> with = g_.node(e.node).attributes();
    const stretch<std::uint64_t> from = g_.node(e.node).attribute("value").words;
    list<std::uint64_t> words(static_cast<int>(from.size()));
    shape place = reversed(s.shape);
    for (int a = 0; a < place.rank; ++a) place[a] = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      index source = 0;
      for (int a = 0; a < place.rank; ++a) source += place[a] * strides[a];
      words[i] = from[static_cast<std::size_t>(source)];
      for (int a = place.rank; a-- > 0;) {
        if (++place[a] < s.shape[place.rank - 1 - a]) break;
        place[a] = 0;
      }
    }
    for (auto& a : with)
      if (a.key == "value") a.words = words;
    return out_.add(kind(e.node), {s.dtype, reversed(s.shape)}, {}, with);
  }
  constexpr edge make_on_demand(const edge& e, axis_order o) {
    const int v = e.node;
    if (kind(v).is(fact::constant))
      return o == axis_order::reversed ? constant_reversed(e) : edge{copy_node(out_, g_, v, [](const edge& x) { return x; }), 0};
    const edge in = g_.inputs_of(v)[0];
    if (reverses_axes(v)) return value(in, opposite(o));
    const edge from = value(in, o);
    if (o == axis_order::straight) return {copy_node(out_, g_, v, [&](const edge&) { return from; }), 0};
    const shape to = reversed(g_.data(v).spec.shape);
    return with_axes(from, {g_.data(v).spec.dtype, to}, v);
  }
  // A value as it is or, with reversed axes, with ones added or dropped where view v does so.
  constexpr edge with_axes(const edge& from, const tensor_spec& to, int v) {
    if (is_op(kind(v), ops::expand_dims)) {
      const index given = g_.node(v).attribute("dim").values[0], last = to.shape.rank - 1;
      const index dim = last - (given < 0 ? given + last + 1 : given);
      const attribute_view with[] = {{"dim", attribute_kind::integer, {&dim, 1}, {}, {}}};
      return out_.add(ops::expand_dims, to, {&from, 1}, with);
    }
    if (is_op(kind(v), ops::squeeze)) {
      const list<index> dims = reversed_axes(g_.node(v).attribute("squeeze_dims").values, extents(g_.inputs_of(v)[0]).rank);
      const attribute_view with[] = {{"squeeze_dims", attribute_kind::integers, dims, {}, {}}};
      return out_.add(ops::squeeze, to, {&from, 1}, with);
    }
    const attribute_view with[] = {{"shape", attribute_kind::integers, {to.shape.extents, at(to.shape.rank)}, {}, {}}};
    return out_.add(ops::reshape, to, {&from, 1}, with);
  }
  static constexpr list<index> reversed_axes(stretch<index> axes, index rank) {
    list<index> out;
    for (std::size_t i = axes.size(); i-- > 0;) out.push_back(rank - 1 - (axes[i] < 0 ? axes[i] + rank : axes[i]));
    return out;
  }

  constexpr void make(int v) {
    const node_data n = g_.data(v);
    const bool turned = orders_[v] == axis_order::reversed;
    if (turned && kind(v).is(fact::input)) {
      const list<attribute_view> with = g_.node(v).attributes();
      reversed_[v] = out_.add(kind(v), {n.spec.dtype, reversed(n.spec.shape)}, {}, with);
    } else if (turned && is_elementwise(v)) {
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(broadcast_reversed(e, n.spec.shape.rank));
      const list<attribute_view> with = g_.node(v).attributes();
      reversed_[v] = out_.add(kind(v), {n.spec.dtype, reversed(n.spec.shape)}, inputs, with);
    } else if (turned && is_reduction(v)) {
      const edge in = g_.inputs_of(v)[0], from = value(in, axis_order::reversed);
      list<attribute_view> with = g_.node(v).attributes();
      const list<index> axes = reversed_axes(g_.node(v).attribute("axes").values, extents(in).rank);
      for (auto& a : with)
        if (a.key == "axes") a.values = axes;
      const edge made = out_.add(kind(v), {n.spec.dtype, reversed(n.spec.shape)}, {&from, 1}, with);
      (rank(v) < 2 ? straight_ : reversed_)[v] = made;
    } else {
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(value(e, axis_order::straight));
      std::size_t next = 0;
      straight_[v] = {copy_node(out_, g_, v, [&](const edge&) { return inputs[next++]; }), 0};
    }
  }
  // An operand of a node with reversed axes: what broadcasts along the first axes does so along the last ones.
  constexpr edge broadcast_reversed(const edge& e, int rank) {
    const tensor_spec s = g_.spec(e);
    edge from = value(e, axis_order::reversed);
    if (s.shape.rank == 0) return from;
    shape to = reversed(s.shape);
    while (to.rank < rank) {
      const index dim = to.rank;
      to.push_back(1);
      const attribute_view with[] = {{"dim", attribute_kind::integer, {&dim, 1}, {}, {}}};
      from = out_.add(ops::expand_dims, {s.dtype, to}, {&from, 1}, with);
    }
    return from;
  }

  const Graph& g_;
  stretch<char> arguments_, results_;
  graph out_;
  list<axis_order> orders_;
  list<unsigned> wanted_;
  list<edge> straight_, reversed_;
  bool prefer_reversed_ = false;
};

/// The graph for arguments and results of which those that are marked lie in column-major order: there each has its axes reversed.
template <class Graph = graph_view>
constexpr graph with_column_major(const std::type_identity_t<Graph>& g, stretch<char> arguments, stretch<char> results) {
  return axis_ordering<Graph>(g, arguments, results).run();
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Values with zeros around them, such as gradients of slices, as parts of the loops that need them. A loop over the larger shape
// reads what is padded at other places, and nothing outside of it: a window on it. So that a padded read shows memory, paddings move
// through elementwise ops to what these read.

#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/equal_extents.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig::detail {

/// Makes a graph anew where paddings are those of memory: pad(f(x), c) becomes where(inside, f(pad(x, 0)), c).
template <class Graph>
class graph_of_padded_reads {
 public:
  constexpr graph_of_padded_reads(const Graph& g, stretch<char> dense_arguments) : g_(g) {
    uses_ = list<int>(g.size());
    dense_ = list<char>(g.size());
    pulled_ = list<char>(g.size());
    bool is_static = true;
    for (int v = 0; v < g.size(); ++v) is_static = is_static && g.data(v).spec.shape.is_static();
    if (is_static) {
      for (int v = 0; v < g.size(); ++v) shapes_.push_back(g.data(v).spec.shape);
    } else {
      graph_extents found = find_extents<Graph>(g);
      late_ = found.any_late();
      shapes_ = std::move(found.shapes);
    }
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense_[g.inputs()[k]] = dense_arguments[k];
    for (int v = 0; v < g.size(); ++v) {
      if (!g.data(v).kind->is(fact::input)) dense_[v] = lies_dense(g, v, dense_, [&](int w) -> const shape& { return shapes_[w]; });
      for (const auto& e : g.inputs_of(v)) ++uses_[e.node];
    }
    for (const auto& e : g.outputs()) ++uses_[e.node];
  }

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      edge made{-1, 0};
      const op& kind = *g_.data(v).kind;
      if (is_op(kind, ops::pad)) made = padding(v);
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
  // With symbols for what only a call knows, which are equal where extents are.
  constexpr const shape& extents(const edge& e) const { return e.port == 0 ? shapes_[e.node] : g_.spec(e).shape; }

  // Whether padded reads in loops over a shape will be read in place. The few shapes that there are were asked for before.
  constexpr bool loops_are_dense(const shape& s) {
    for (const auto& known : known_)
      if (known.space == s) return known.dense;
    const auto shape_of = [&](int v) -> const shape& { return shapes_[v]; };
    const bool dense = detail::loops_are_dense(g_, s, shape_of, [&](int v) { return dense_[v] != 0; });
    known_.push_back({s, dense});
    return dense;
  }
  constexpr bool is_elementwise(const edge& e) const { return g_.data(e.node).kind->is(fact::elementwise); }
  constexpr bool is_zero(const edge& e) const {
    if (is_op(*g_.data(e.node).kind, ops::zeros_like)) return true;
    if (!g_.data(e.node).kind->is(fact::constant)) return false;
    for (const auto w : g_.node(e.node).attribute("value").words)
      if (w != 0) return false;
    return true;
  }

  constexpr edge padding(int v) {
    const edge inside = g_.inputs_of(v)[0], value = g_.inputs_of(v)[1];
    const padded_read w = padded_read_of(g_, v, shapes_[v]);
    if (!is_elementwise(inside) || !g_.data(value.node).kind->is(fact::constant) || !begin(v, inside, w)) return {-1, 0};
    return framed(inside, is_zero(value), place_of(value));
  }
  constexpr edge slice_add(int v) {
    const edge whole = g_.inputs_of(v)[0], part = g_.inputs_of(v)[1];
    const bool zeros = is_zero(whole);
    if (!(zeros || is_in_loop(whole, part)) || !begin(v, part, read_of_slice(g_, v, shapes_[v], extents(part)), whole)) return {-1, 0};
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
    if (!is_in_loop(whole, part) || !begin(v, part, read_of_slice(g_, v, shapes_[v], extents(part)), whole)) return {-1, 0};
    return framed(part, false, place_of(whole));
  }
  constexpr bool is_in_loop(const edge& whole, const edge& part) const {
    return is_elementwise(part) || out_.nodes[at(place_of(whole).node)].kind->is(fact::elementwise);
  }

  // Whether a padding to the shape of node v is worth it, and then what it is. `like` has the shape, if the paddings alone do not tell it.
  constexpr bool begin(int v, const edge& inside, const padded_read& w, const edge& like = {-1, 0}) {
    spec_ = g_.data(v).spec;
    space_ = shapes_[v];
    part_ = extents(inside);
    if (!w.exists || late_) return false;
    if (!is_number(spec_.dtype) || is_storage(spec_.dtype)) return false;
    // Of a small part of much memory that part alone is better touched.
    const index size = space_.size();
    if (size > few_padded_elements && size < 2 * (w.before + w.behind)) return false;
    if (!loops_are_dense(space_)) return false;
    padded_read_ = w;
    like_ = like.node < 0 || (spec_.shape.is_static() && g_.spec(inside).shape.is_static()) ? edge{-1, 0} : first_like(like);
    return true;
  }
  // The earliest value of the same shape, most often an argument, which is there anyway.
  constexpr edge first_like(const edge& e) const {
    for (int v = 0; e.port == 0 && v < e.node; ++v)
      if (g_.data(v).spec.shape == g_.spec(e).shape && shapes_[v] == shapes_[e.node]) return place_of({v, 0});
    return place_of(e);
  }

  // The padded value of an edge; what is around it is `value`, of which is told whether it is 0.
  constexpr edge framed(const edge& e, bool zero, const edge& value) {
    // One element is the same wherever it is read.
    edge f = place_of(e);
    bool in_memory = false;
    if (part_.size() != 1) {
      choose(e.node);
      in_memory = !pulled_[e.node];
      f = pull(e.node);
    }
    if (in_memory && zero) return f;
    const edge inputs[] = {inside(f), f, value};
    return out_.add(ops::select, spec_, inputs);
  }

  // An op that may be computed for nothing, at zeros.
  constexpr bool moves(int v) const {
    const node_data& n = g_.data(v);
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::checked | fact::scalar_only | fact::stateful) || !(shapes_[v] == part_))
      return false;
    if (is_storage(n.spec.dtype) || n.spec.dtype == dtype::string) return false;
    std::size_t k = 0;
    for (const auto& e : g_.inputs_of(v)) {
      if (is_like(v, k++)) continue;
      const dtype d = g_.spec(e).dtype;
      const bool whole = extents(e) == part_;
      if (!whole && extents(e).size() != 1) return false;
      // What is in memory has to be a number.
      if (whole && !is_number(d) && !g_.data(e.node).kind->is(fact::elementwise)) return false;
      if (is_storage(d) || d == dtype::string) return false;
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
      const bool slow =
          kind.is(fact::lanes_only) || (is_op(kind, ops::divide) && !(part_.is_static() && part_.size() <= few_padded_elements));
      if (!alone && (slow || again == most_again)) {
        if (g_.data(v).spec.dtype == dtype::boolean) return pull_nothing(last);
        continue;
      }
      if (++moved > most_moved) return pull_nothing(last);
      again += !alone;
      pulled_[v] = 1;
      std::size_t k = 0;
      for (const auto& e : g_.inputs_of(v)) needed[e.node] += !is_like(v, k++);
    }
    for (int v = 0; v <= last; ++v)
      if (needed[v] > 0 && !pulled_[v] && shapes_[v] == part_ && !is_number(g_.data(v).spec.dtype)) return pull_nothing(last);
  }
  constexpr void pull_nothing(int last) {
    for (int v = 0; v <= last; ++v) pulled_[v] = 0;
  }
  static constexpr int most_again = 16, most_moved = 64;

  // Whether an input is looked at for its extents only, which those of the larger shape replace.
  constexpr bool is_like(int v, std::size_t input) const { return like_.node >= 0 && looks_at_extents(*g_.data(v).kind, input); }

  // The padded value of a node and of those before it that were chosen.
  constexpr edge pull(int last) {
    list<int> made(last + 1);
    for (int v = 0; v <= last; ++v) made[v] = -1;
    const auto padded = [&](const edge& e) {
      if (extents(e).size() == 1) return place_of(e);
      if (made[e.node] < 0 || e.port != 0) return padded_memory(e);
      return edge{made[e.node], 0};
    };
    for (int v = 0; v <= last; ++v) {
      if (!pulled_[v]) continue;
      list<edge> inputs;
      std::size_t k = 0;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(is_like(v, k++) ? like_ : padded(e));
      const list<attribute_view> with = g_.node(v).attributes();
      made[v] = out_.add(*g_.data(v).kind, {g_.data(v).spec.dtype, spec_.shape}, inputs, with).node;
    }
    return padded({last, 0});
  }
  // Equal paddings become one node.
  constexpr edge padded_memory(const edge& e) {
    for (const auto& p : paddings_)
      if (p.of == place_of(e) && p.at == padded_read_ && p.space == space_) return p.made;
    const edge made = pad(place_of(e), g_.spec(e).dtype, like_);
    paddings_.push_back({place_of(e), padded_read_, space_, made});
    return made;
  }
  constexpr edge pad(const edge& e, dtype d, const edge& like) {
    const edge inputs[] = {e, scalar(d, 0), like};
    const index row = elements_of_row(space_);
    index paddings[2 * max_rank] = {padded_read_.before / row, padded_read_.behind / row};
    const attribute_view with[] = {
        {"paddings", attribute_kind::integers, {paddings, 2 * static_cast<std::size_t>(spec_.shape.rank)}, {}, {}}};
    if (like.node < 0) return out_.add(ops::pad, {d, spec_.shape}, {inputs, 2}, with);
    return out_.add(ops::pad_like, {d, spec_.shape}, inputs, with);
  }
  // Whether a place is one of the part; `whole` has the larger shape.
  constexpr edge inside(const edge& whole) {
    for (const auto& p : insides_)
      if (p.space == space_ && p.at == padded_read_) return p.made;
    edge all = scalar(dtype::boolean, 1);
    edge like = like_;
    if (like.node < 0 && !spec_.shape.is_static()) {
      like = whole;
    } else if (like.node < 0) {
      shape rows = spec_.shape;
      rows[0] -= (padded_read_.before + padded_read_.behind) / elements_of_row(space_);
      const attribute_view with[] = {{"shape", attribute_kind::integers, {rows.extents, static_cast<std::size_t>(rows.rank)}, {}, {}}};
      all = out_.add(ops::broadcast_to, {dtype::boolean, rows}, {&all, 1}, with);
    }
    const edge made = pad(all, dtype::boolean, like);
    insides_.push_back({{-1, 0}, padded_read_, space_, made});
    return made;
  }
  constexpr edge scalar(dtype d, std::uint64_t bits) { return add_constant(out_, d, bits); }

  struct answer {
    shape space;
    bool dense;
  };
  struct made_padding {
    edge of;
    padded_read at;
    shape space;
    edge made;
  };
  Graph g_;
  graph out_;
  list<int> renamed_, uses_;
  list<char> dense_, pulled_;
  list<answer> known_;
  list<made_padding> paddings_, insides_;
  list<shape> shapes_;
  bool late_ = false;  // whether there are extents that only the run of an op tells
  // Of the padding that is being made: its result, what the padded read shows, the extents of both, and what has those of the result where
  // no number tells them.
  tensor_spec spec_{};
  padded_read padded_read_{};
  shape space_{}, part_{};
  edge like_{-1, 0};
};

}  // namespace jig::detail

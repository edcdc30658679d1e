// SPDX-License-Identifier: MIT
#pragma once
// Equal expressions of many scalars as one expression of a vector (superword-level parallelism, Larsen and Amarasinghe 2000): the
// tensor of f(x[0], x[1]), f(x[1], x[2]), … is f of two slices of x, however it is spelled.

#include <jig/ops/arithmetic.hpp>
#include <jig/passes/elements.hpp>
#include <jig/passes/windows.hpp>

namespace jig::detail {

/// Of so many scalars side by side vectors are looked for.
inline constexpr std::size_t fewest_lanes = 4;

/// Whether pack_superwords could change a graph.
constexpr bool may_have_superwords(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    const auto lanes = g.inputs_of(v);
    if (!packs_scalars(g, v) || lanes.size() < fewest_lanes) continue;
    const op& middle = *g.data(lanes[lanes.size() / 2].node).kind;
    if (middle.is(fact::elementwise) && is_op(middle, *g.data(lanes[lanes.size() / 2 - 1].node).kind)) return true;
  }
  return false;
}

/// What graphs of scalars and small vectors cost, in operations on one register each. Elements of arguments are operands of either.
struct superword_cost {
  static constexpr index register_bytes = 32, most_elements = 64;
  static constexpr index of_division = 4, of_function = 5, of_exchange = 8;
  /// So much less is worth another loop.
  static constexpr index least_gain = 8;

  static constexpr index of_op(const op& kind) { return is_op(kind, ops::divide) || is_op(kind, ops::sqrt) ? of_division : 1; }
  /// Of one node.
  static constexpr index of(const graph_view& g, int v) {
    const node_data& n = g.data(v);
    const op& kind = *n.kind;
    if (packs_scalars(g, v)) return static_cast<index>(g.inputs_of(v).size());
    if (is_op(kind, ops::strided_slice) && n.spec.shape.rank == 1) {
      const index step = g.node(v).attribute("strides").values[0];
      return n.spec.shape.is_static() && step != 1 && step != -1 ? n.spec.shape[0] : 0;
    }
    if (!(kind.is(fact::elementwise) || is_padding(kind)) || !n.spec.shape.is_static() || n.spec.dtype == dtype::string) return 0;
    const index size = n.spec.shape.size();
    if (size > most_elements) return 0;
    // Functions of scalars share registers as they are.
    if (kind.is(fact::approximate)) return of_function * size;
    return of_op(kind) * ((size * static_cast<index>(size_of(n.spec.dtype)) + register_bytes - 1) / register_bytes);
  }
  /// Of all nodes that are needed, and of computed scalars that vectors read.
  static constexpr index of(const graph_view& g) {
    const list<char> needed = needed_nodes(g);
    list<char> exchanged(g.size());
    index total = 0;
    for (int v = g.size(); v-- > 0;) {
      if (!needed[v]) continue;
      total += of(g, v);
      const node_data& n = g.data(v);
      if (!n.kind->is(fact::elementwise)) continue;
      if (exchanged[v]) total += of_exchange;
      if (n.spec.shape.rank == 0) continue;
      for (const auto& e : g.inputs_of(v)) exchanged[e.node] = g.spec(e).shape.rank == 0;
    }
    return total;
  }
};

/// Makes a graph anew in which tensors of scalars are computed as vectors. Lanes that nobody reads may compute anything; a lane that
/// lacks an operation does it with what changes nothing, such as the addition of -0; where lanes differ otherwise, both vectors are
/// computed and joined. The values are the same, bit for bit.
template <class Graph>
class pack_superwords {
 public:
  constexpr pack_superwords(const Graph& g, stretch<char> dense_arguments) : g_(g), dense_(g.size()), covered_(g.size()), hash_(g.size()) {
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense_[g.inputs()[k]] = dense_arguments[k];
    for (int v = 0; v < g.size(); ++v)
      if (!g.data(v).kind->is(fact::input)) dense_[v] = lies_dense(g, v, dense_);
  }

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      elements_.push_back(g_.data(v).spec.shape.rank == 0 && g_.data(v).kind->is(fact::view) ? element_of({v, 0}) : element());
      hash_[v] = hash_of(v);
      edge made{-1, 0};
      if (packs_scalars(g_, v) && g_.inputs_of(v).size() >= fewest_lanes) made = root(v);
      renamed_.push_back(made.node >= 0 ? made.node : copy_node(out_, g_, v, [&](const edge& e) { return place_of(e); }));
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(place_of(e));
    pays_ = any_ && superword_cost::of(out_) + superword_cost::least_gain <= superword_cost::of(g_);
    return std::move(out_);
  }
  /// Whether what was made is less work.
  constexpr bool pays() const { return pays_; }

 private:
  using lanes_list = list<edge>;  // a lane that nobody reads has no node
  static constexpr edge nothing{-1, 0};
  // Bounds of what a graph costs to look at: packs that follow one another, and lanes of all of them.
  static constexpr int most_depth = 40, most_work = 8192, most_splits = 4;

  constexpr edge place_of(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr const op& kind_of(const edge& e) const { return *g_.data(e.node).kind; }
  constexpr bool is_constant(const edge& e) const { return kind_of(e).is(fact::constant); }
  constexpr std::uint64_t constant_bits(const edge& e) const { return g_.node(e.node).attribute("value").words[0]; }

  // Scalars that lanes can compute: nothing that throws, and what has the same bits in a register of any width.
  constexpr bool computes(const edge& e) const {
    const node_data& n = g_.data(e.node);
    if (e.port != 0 || n.spec.shape.rank != 0 || !n.kind->is(fact::elementwise)) return false;
    if (n.kind->is(fact::checked | fact::lanewise | fact::stateful) || (is_op(*n.kind, ops::sqrt) && n.spec.dtype == dtype::float32)) return false;
    for (const auto& in : g_.inputs_of(e.node))
      if (g_.spec(in).shape.rank != 0 || !is_value(g_.spec(in).dtype)) return false;
    return is_value(n.spec.dtype);
  }
  static constexpr bool is_value(dtype d) { return (is_number(d) && !is_storage(d)) || d == dtype::boolean; }

  // An element of memory.
  struct element {
    edge base{-1, 0};
    index place = 0;  // in row-major order
  };
  constexpr element element_of(const edge& e) const {
    element out{e, 0};
    while (g_.data(out.base.node).kind->is(fact::view)) {
      const int v = out.base.node;
      const edge from = g_.inputs_of(v)[0];
      const shape &whole = g_.spec(from).shape, &part = g_.data(v).spec.shape;
      if (!whole.is_static()) return {};
      if (!kind_of(out.base).is(fact::keeps_order)) {
        shape strides = part;
        index first = 0;
        const node_facts facts(g_, v);
        kind_of(out.base).restride({facts.context().attributes, whole, row_major_strides(whole), part}, first, strides);
        for (int a = part.rank; a-- > 0;) {
          first += out.place % part[a] * strides[a];
          out.place /= part[a];
        }
        out.place = first;
      }
      out.base = from;
    }
    const tensor_spec& s = g_.spec(out.base);
    if (dense_[out.base.node] == 0 || packs_scalars(g_, out.base.node) || !s.shape.is_static() || s.shape.size() < 2 || !is_number(s.dtype) || is_storage(s.dtype)) return {};
    return out;
  }

  // Equal expressions of elements of the same tensors have equal hashes.
  constexpr unsigned hash_of(int v) const {
    const edge e{v, 0};
    const node_data& n = g_.data(v);
    if (n.spec.shape.rank != 0) return 0;
    const auto mixed = [](unsigned h, std::uint64_t x) { return (h ^ static_cast<unsigned>(x ^ x >> 32)) * 16777619u; };
    unsigned h = mixed(2166136261u, static_cast<std::uint64_t>(n.spec.dtype));
    if (n.kind->is(fact::constant)) return h;
    if (n.kind->is(fact::view)) return mixed(h, static_cast<std::uint64_t>(elements_[v].base.node) + 1);
    if (!computes(e)) return mixed(h, static_cast<std::uint64_t>(v));
    h = mixed(h, n.kind->identity);
    for (const auto& in : g_.inputs_of(v)) h = mixed(h, hash_[in.node]);
    return h;
  }

  constexpr edge root(int v) {
    lanes_list lanes;
    for (const auto& e : g_.inputs_of(v)) lanes.push_back(e);
    int like_usual = 0;
    const edge usual = most_frequent(lanes);
    for (const auto& e : lanes) like_usual += hash_[e.node] == hash_[usual.node];
    if (!computes(usual) || 2 * like_usual < static_cast<int>(lanes.size())) return nothing;
    const graph_sizes before = sizes_of(out_.view());
    spec_ = g_.data(v).spec;
    packs_.clear();
    parts_.clear();
    splits_ = 0;
    windows_ = strided_ = false;
    edge made = pack(lanes, 0);
    const bool fits = made.node >= 0 && out_.view().spec(made) == spec_ && !(windows_ && (strided_ || !loops_are_dense()));
    if (!fits || !is_worth(before.nodes)) {
      out_.cut(before);
      return nothing;
    }
    any_ = true;
    return made;
  }
  // Whether the nodes from one on are less than the scalars that they compute, if nobody else needs those.
  constexpr bool is_worth(int from) {
    index vectors = 0, scalars = spec_.shape.size();
    for (int v = from; v < out_.size(); ++v) vectors += superword_cost::of(out_, v);
    for (int v = 0; v < g_.size(); ++v) {
      if (covered_[v]) scalars += superword_cost::of(g_, v);
      covered_[v] = 0;
    }
    return vectors < scalars;
  }
  // Whether windows in loops over the shape are read in place.
  constexpr bool loops_are_dense() const {
    const auto shape_of = [&](int v) -> const shape& { return g_.data(v).spec.shape; };
    return detail::loops_are_dense(g_, spec_.shape, shape_of, [&](int v) { return dense_[v] != 0; });
  }

  // The vector of some scalars, or one scalar if all are the same.
  constexpr edge pack(const lanes_list& lanes, int depth) {
    unsigned hash = 0;
    for (const auto& e : lanes) hash = (hash ^ static_cast<unsigned>(e.node)) * 16777619u;
    for (const auto& p : packs_)
      if (p.hash == hash && is_same(p.lanes, lanes)) return p.made;
    const edge made = new_pack(lanes, depth);
    packs_.push_back({hash, lanes, made});
    return made;
  }
  static constexpr bool is_same(const lanes_list& a, const lanes_list& b) {
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!(a[k] == b[k])) return false;
    return true;
  }
  constexpr edge new_pack(const lanes_list& lanes, int depth) {
    work_ += static_cast<int>(lanes.size());
    if (depth > most_depth || work_ > most_work) return nothing;
    edge some = nothing;
    bool same = true, constants = true, isomorphic = true;
    for (const auto& e : lanes) {
      if (e.node < 0) continue;
      if (some.node < 0) some = e;
      same = same && e == some;
      constants = constants && is_constant(e);
      isomorphic = isomorphic && hash_[e.node] == hash_[some.node];
      if (g_.spec(e).dtype != g_.spec(some).dtype) return nothing;
    }
    if (same) return place_of(some);
    if (constants) return constant_vector(lanes, some);
    if (isomorphic && computes(some)) return computed(lanes, some, depth);
    if (const edge slice = slice_of(lanes); slice.node >= 0) return slice;
    const edge usual = most_frequent(lanes);
    if (computes(usual))
      if (const edge made = completed(lanes, usual, depth); made.node >= 0) return made;
    return joined(lanes, depth);
  }

  constexpr tensor_spec vector_of(dtype d) const { return {d, spec_.shape}; }
  constexpr edge constant(const tensor_spec& spec, stretch<std::uint64_t> bits) {
    const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, bits}};
    return out_.add(ops::constant, spec, {}, with);
  }
  constexpr edge constant_vector(const lanes_list& lanes, const edge& some) {
    list<std::uint64_t> bits;
    bool same = true;
    for (const auto& e : lanes) {
      bits.push_back(constant_bits(e.node < 0 ? some : e));
      same = same && bits.back() == bits[0];
    }
    const dtype d = g_.spec(some).dtype;
    if (same) return constant({d, {}}, {bits.data(), 1});
    return d == dtype::boolean ? nothing : constant(vector_of(d), bits);
  }

  // Elements of one tensor that lie one step apart.
  constexpr edge slice_of(const lanes_list& lanes) {
    element first;
    index lane = 0, step = 0, last = 0;
    bool found = false;  // the step
    for (index k = 0; k < static_cast<index>(lanes.size()); ++k) {
      const edge& e = lanes[k];
      if (e.node < 0) continue;
      const element& x = elements_[e.node];
      if (x.base.node < 0) return nothing;
      if (first.base.node < 0) {
        first = x;
        lane = k;
      } else if (!(x.base == first.base)) {
        return nothing;
      } else if (!found) {
        if ((x.place - first.place) % (k - lane) != 0) return nothing;
        step = (x.place - first.place) / (k - lane);
        found = true;
      } else if (x.place != first.place + step * (k - lane)) {
        return nothing;
      }
      last = k;
    }
    if (!found || step == 0) return nothing;
    const index n = static_cast<index>(lanes.size()), size = g_.spec(first.base).shape.size();
    // Lanes that nobody reads read what is there, or, behind the ends of the tensor, nothing.
    index before = 0, behind = n;
    const auto is_inside = [&](index k) {
      const index place = first.place + step * (k - lane);
      return place >= 0 && place < size;
    };
    while (before < lane && !is_inside(before)) ++before;
    while (behind > last + 1 && !is_inside(behind - 1)) --behind;
    const bool whole = before == 0 && behind == n;
    if (!whole && (step != 1 || spec_.shape.rank != 1)) return nothing;
    if (step != 1) {
      if (spec_.shape.rank != 1) return nothing;
      strided_ = true;
    }
    const dtype d = g_.spec(first.base).dtype;
    edge from = place_of(first.base);
    if (g_.spec(first.base).shape.rank != 1) from = reshaped(from, {d, shape{1, {size}}});
    const index begin = first.place + step * (before - lane), count = behind - before;
    for (const auto& p : parts_)
      if (p.base == first.base && p.begin == begin && p.step == step && p.before == before && p.count == count) return p.made;
    if (begin != 0 || step != 1 || count != size) {
      slice_positions p;
      p.add(begin, step, count);
      from = with_attributes(p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, {d, shape{1, {count}}}, {&from, 1}, with); });
    }
    if (!whole) from = window(from, before, count);
    if (spec_.shape.rank != 1) from = reshaped(from, vector_of(d));
    parts_.push_back({first.base, begin, step, before, count, from});
    return from;
  }
  constexpr edge reshaped(const edge& e, const tensor_spec& to) {
    const attribute_view with[] = {{"shape", attribute_kind::integers, {to.shape.extents, static_cast<std::size_t>(to.shape.rank)}, {}, {}}};
    return out_.add(ops::reshape, to, {&e, 1}, with);
  }
  // A vector with zeros before and behind it.
  constexpr edge window(const edge& e, index before, index count) {
    windows_ = true;
    const dtype d = out_.view().spec(e).dtype;
    const std::uint64_t zero = 0;
    const edge inputs[] = {e, constant({d, {}}, {&zero, 1})};
    const index paddings[] = {before, spec_.shape.size() - before - count};
    const attribute_view with[] = {{"paddings", attribute_kind::integers, {paddings, 2}, {}, {}}};
    return out_.add(ops::pad, vector_of(d), inputs, with);
  }

  // A lane like more than half of them, if there is one.
  constexpr edge most_frequent(const lanes_list& lanes) const {
    edge best = nothing;
    int more = 0;
    for (const auto& e : lanes) {
      if (e.node < 0) continue;
      if (more == 0) best = e;
      more += more == 0 || hash_[e.node] == hash_[best.node] ? 1 : -1;
    }
    return best;
  }

  // All lanes have the op and the operands' dtypes of one of them.
  constexpr edge computed(const lanes_list& lanes, const edge& some, int depth) {
    const auto count = g_.inputs_of(some.node).size();
    list<edge> operands;
    for (const auto& e : lanes) {
      if (e.node < 0) continue;
      if (!fits(e, some)) return nothing;
      covered_[e.node] = 1;
    }
    lanes_list x[3];
    if (count > 3) return nothing;
    for (const auto& e : lanes)
      for (std::size_t i = 0; i < count; ++i) x[i].push_back(e.node < 0 ? nothing : g_.inputs_of(e.node)[i]);
    if (count == 2 && kind_of(some).is(fact::commutative)) arrange(x[0], x[1]);
    for (std::size_t i = 0; i < count; ++i) {
      const edge made = pack(x[i], depth + 1);
      if (made.node < 0) return nothing;
      operands.push_back(made);
    }
    return computed(some, operands);
  }
  // Elements of one tensor that are combined in either order: those that lie one step apart become one operand.
  constexpr void arrange(lanes_list& x, lanes_list& y) const {
    const auto n = static_cast<index>(x.size());
    index lane = -1, step = 0;
    bool found = false;
    for (index k = 0; k < n; ++k) {
      if (x[k].node < 0) continue;
      const element &a = elements_[x[k].node], &b = elements_[y[k].node];
      if (a.base.node < 0 || !(a.base == b.base)) return;
      if (lane < 0) {
        lane = k;
        continue;
      }
      const index apart = a.place - elements_[x[lane].node].place, other = b.place - elements_[x[lane].node].place;
      if (!found) step = apart / (k - lane);
      found = true;
      if (apart == step * (k - lane) || other != step * (k - lane)) continue;
      const edge first = x[k];
      x[k] = y[k];
      y[k] = first;
    }
  }
  constexpr edge computed(const edge& some, const list<edge>& operands) {
    list<attribute_view> with;
    for (int i = 0; i < g_.node(some.node).attribute_count(); ++i) with.push_back(g_.node(some.node).attribute(i));
    bool vector = false;
    for (const auto& e : operands) vector = vector || out_.view().spec(e).shape.rank > 0;
    const dtype d = g_.spec(some).dtype;
    return out_.add(kind_of(some), vector ? vector_of(d) : tensor_spec{d, {}}, operands, with);
  }
  // Whether a lane is the same op on the same dtypes as another one.
  constexpr bool fits(const edge& e, const edge& other) const {
    if (!computes(e) || !is_op(kind_of(e), kind_of(other)) || g_.spec(e).dtype != g_.spec(other).dtype) return false;
    const auto x = g_.inputs_of(e.node), y = g_.inputs_of(other.node);
    if (x.size() != y.size() || g_.node(e.node).attribute_count() != g_.node(other.node).attribute_count()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (g_.spec(x[i]).dtype != g_.spec(y[i]).dtype) return false;
    for (int i = 0; i < g_.node(e.node).attribute_count(); ++i)
      if (!is_same(g_.node(e.node).attribute(i), g_.node(other.node).attribute(i))) return false;
    return true;
  }
  static constexpr bool is_same(const attribute_view& a, const attribute_view& b) {
    if (a.key != b.key || a.text != b.text || a.values.size() != b.values.size() || a.words.size() != b.words.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      if (a.values[i] != b.values[i]) return false;
    for (std::size_t i = 0; i < a.words.size(); ++i)
      if (a.words[i] != b.words[i]) return false;
    return true;
  }

  // What changes nothing as the second operand of an op.
  struct neutral {
    bool exists = false;
    std::uint64_t bits = 0;
  };
  static constexpr neutral neutral_of(const op& kind, dtype d) {
    if (!is_number(d)) return {};
    if (is_op(kind, ops::add)) return {true, is_floating(d) ? sign_bit(d) : 0};
    if (is_op(kind, ops::subtract)) return {true, 0};
    if (is_op(kind, ops::multiply) || is_op(kind, ops::divide)) return {true, bits_of_number(d, 1)};
    return {};
  }
  // How much of an expression looks like another one.
  static constexpr int alike = 16;
  constexpr int likeness(const edge& a, const edge& b, int depth) {
    ++work_;
    if (a == b || hash_[a.node] == hash_[b.node]) return alike;
    if (depth == 0 || !computes(a) || !computes(b) || !fits(a, b)) return 0;
    const auto x = g_.inputs_of(a.node), y = g_.inputs_of(b.node);
    int direct = 1, crossed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) direct += likeness(x[i], y[i], depth - 1);
    if (kind_of(a).is(fact::commutative)) crossed = 1 + likeness(x[0], y[1], depth - 1) + likeness(x[1], y[0], depth - 1);
    return direct > crossed ? direct : crossed;
  }
  // Every lane with the op that is usual among them, by operands in either order or with a neutral one.
  constexpr edge completed(const lanes_list& lanes, const edge& usual, int depth) {
    constexpr int looks_ahead = 2;
    const auto wanted = g_.inputs_of(usual.node);
    const std::size_t count = wanted.size();
    const op& kind = kind_of(usual);
    const neutral none = neutral_of(kind, g_.spec(usual).dtype);
    lanes_list operands[3];
    bool added[2] = {};  // a neutral operand somewhere
    if (count > 3) return nothing;
    list<char> is_neutral;
    for (const auto& e : lanes) {
      is_neutral.push_back(0);
      if (e.node < 0) {
        for (std::size_t i = 0; i < count; ++i) operands[i].push_back(nothing);
        continue;
      }
      if (hash_[e.node] == hash_[usual.node]) {
        covered_[e.node] = 1;
        for (std::size_t i = 0; i < count; ++i) operands[i].push_back(g_.inputs_of(e.node)[i]);
        continue;
      }
      int best = -1;
      edge found[3] = {};
      if (fits(e, usual)) {
        const auto x = g_.inputs_of(e.node);
        best = 0;
        covered_[e.node] = 1;
        for (std::size_t i = 0; i < count; ++i) {
          found[i] = x[i];
          best += likeness(x[i], wanted[i], looks_ahead);
        }
        if (kind.is(fact::commutative) && best < 2 * alike) {
          const int crossed = likeness(x[0], wanted[1], looks_ahead) + likeness(x[1], wanted[0], looks_ahead);
          if (crossed > best) {
            best = crossed;
            found[0] = x[1];
            found[1] = x[0];
          }
        }
      }
      if (none.exists && count == 2 && !is_constant(e)) {
        for (std::size_t i = 0; i < (kind.is(fact::commutative) ? 2u : 1u); ++i) {
          const int alone = likeness(e, wanted[i], looks_ahead);
          if (alone <= best + alike / 2) continue;
          best = alone;
          found[i] = e;
          found[1 - i] = nothing;
          is_neutral.back() = static_cast<char>(2 - i);  // which operand it is, plus one
        }
        if (is_neutral.back() != 0) added[is_neutral.back() - 1] = true;
      }
      if (best < 0) return nothing;
      for (std::size_t i = 0; i < count; ++i) operands[i].push_back(found[i]);
    }
    list<edge> made;
    for (std::size_t i = 0; i < count; ++i) {
      edge x = pack(operands[i], depth + 1);
      if (x.node < 0) return nothing;
      if (i < 2 && added[i]) x = with_neutral(x, is_neutral, static_cast<char>(i + 1), none.bits);
      if (x.node < 0) return nothing;
      made.push_back(x);
    }
    return computed(usual, made);
  }
  // A vector with a constant in some lanes, which are at its ends.
  constexpr edge with_neutral(const edge& x, const list<char>& lanes, char which, std::uint64_t bits) {
    const index n = spec_.shape.size();
    index before = 0, behind = n;
    while (before < n && lanes[before] == which) ++before;
    while (behind > before && lanes[behind - 1] == which) --behind;
    for (index k = before; k < behind; ++k)
      if (lanes[k] == which) return nothing;
    const tensor_spec s{out_.view().spec(x).dtype, {}};
    return selected(before, behind - before, x, constant(s, {&bits, 1}));
  }
  // One vector in these lanes, another one beside them.
  constexpr edge selected(index before, index count, const edge& x, const edge& other) {
    if (spec_.shape.rank != 1 || count <= 0 || ++splits_ > most_splits) return nothing;
    const edge inputs[] = {inside(before, count), x, other};
    return out_.add(ops::select, vector_of(out_.view().spec(x).dtype), inputs);
  }

  // Whether a lane is one of these.
  constexpr edge inside(index before, index count) {
    for (const auto& p : parts_)
      if (p.base.node < 0 && p.before == before && p.count == count) return p.made;
    const std::uint64_t yes = 1;
    const edge truth = constant({dtype::boolean, {}}, {&yes, 1});
    const attribute_view with[] = {{"shape", attribute_kind::integers, {&count, 1}, {}, {}}};
    const edge made = window(out_.add(ops::broadcast_to, {dtype::boolean, shape{1, {count}}}, {&truth, 1}, with), before, count);
    parts_.push_back({nothing, 0, 1, before, count, made});
    return made;
  }

  // Where lanes differ: the vectors of both parts.
  constexpr edge joined(const lanes_list& lanes, int depth) {
    const auto is_alike = [&](const edge& a, const edge& b) {
      if (is_constant(a) || is_constant(b)) return is_constant(a) && is_constant(b);
      if (computes(a) || computes(b)) return computes(a) && computes(b) && is_op(kind_of(a), kind_of(b));
      return hash_[a.node] == hash_[b.node];
    };
    const auto n = static_cast<index>(lanes.size());
    constexpr index unknown = -1 - (index{1} << 62);
    index cut = 0, lane = 0, step = unknown;
    edge first = nothing;
    for (index k = 0; k < n; ++k) {
      const edge& e = lanes[k];
      if (e.node < 0) continue;
      if (first.node < 0) {
        first = e;
        lane = k;
      } else if (!is_alike(e, first)) {
        break;
      } else if (elements_[e.node].base.node >= 0) {
        // Elements one step apart.
        const index apart = elements_[e.node].place - elements_[first.node].place;
        if (step == unknown) step = apart % (k - lane) == 0 ? apart / (k - lane) : 0;
        if (apart != step * (k - lane)) break;
      }
      cut = k + 1;
    }
    lanes_list before = lanes, behind = lanes;
    bool any = false;
    for (index k = 0; k < n; ++k) {
      (k < cut ? behind : before)[k] = nothing;
      any = any || (k >= cut && lanes[k].node >= 0);
    }
    if (!any || splits_ >= most_splits || spec_.shape.rank != 1) return nothing;
    const edge left = pack(before, depth + 1);
    if (left.node < 0) return nothing;
    const edge right = pack(behind, depth + 1);
    if (right.node < 0) return nothing;
    return selected(0, cut, left, right);
  }

  struct made_pack {
    unsigned hash;
    lanes_list lanes;
    edge made;
  };
  // Elements of a tensor in some lanes; without one, truth in these.
  struct made_part {
    edge base;
    index begin, step, before, count;
    edge made;
  };
  Graph g_;
  graph out_;
  list<int> renamed_;
  list<char> dense_, covered_;
  list<unsigned> hash_;
  list<element> elements_;
  bool any_ = false, pays_ = false;
  // Of the tensor that is being made.
  tensor_spec spec_{};
  list<made_pack> packs_;
  list<made_part> parts_;
  int work_ = 0, splits_ = 0;
  bool windows_ = false, strided_ = false;
};

}  // namespace jig::detail

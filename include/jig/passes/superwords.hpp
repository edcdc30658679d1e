// SPDX-License-Identifier: MIT
#pragma once
// Equal expressions of many scalars as one expression of a vector (superword-level parallelism, Larsen and Amarasinghe 2000): the
// tensor of f(x[0], x[1]), f(x[1], x[2]), … is f of two slices of x, however it is spelled.

#include <jig/passes/isomorphic_scalars.hpp>
#include <jig/passes/superword_cost.hpp>
#include <jig/passes/superword_vectors.hpp>

namespace jig::detail {

/// Of so many scalars side by side vectors are looked for.
inline constexpr std::size_t fewest_lanes = 4;

// Larger graphs would take more steps than compilers allow one constant evaluation.
inline constexpr int most_superword_nodes = 400;

/// Whether pack_superwords could change a graph.
constexpr bool may_have_superwords(const graph_view& g) {
  if (g.size() > most_superword_nodes) return false;
  for (int v = 0; v < g.size(); ++v) {
    const auto lanes = g.inputs_of(v);
    if (!packs_scalars(g, v) || lanes.size() < fewest_lanes) continue;
    const op& middle = *g.data(lanes[lanes.size() / 2].node).kind;
    if (middle.is(fact::elementwise) && is_op(middle, *g.data(lanes[lanes.size() / 2 - 1].node).kind)) return true;
  }
  return false;
}

/// What changes nothing as the second operand of an op.
struct neutral {
  bool exists = false;
  std::uint64_t bits = 0;
};
constexpr neutral neutral_of(const op& kind, dtype d) {
  if (!is_number(d)) return {};
  if (is_op(kind, ops::add)) return {true, is_floating(d) ? sign_bit(d) : 0};
  if (is_op(kind, ops::subtract)) return {true, 0};
  if (is_op(kind, ops::multiply) || is_op(kind, ops::divide)) return {true, bits_of_number(d, 1)};
  return {};
}

/// Makes a graph anew in which tensors of scalars are computed as vectors. Lanes that nobody reads may compute anything; a lane that
/// lacks an operation does it with what changes nothing, such as the addition of -0; where lanes differ otherwise, both vectors are
/// computed and joined. The values are the same, bit for bit.
template <class Graph>
class pack_superwords : isomorphic_scalars<Graph> {
  using base = isomorphic_scalars<Graph>;
  using base::alike, base::computes, base::constant_bits, base::element_of, base::fits, base::hash_of, base::is_constant, base::kind_of,
      base::likeness;
  using element = typename base::element;

 public:
  constexpr pack_superwords(const Graph& g, stretch<char> dense_arguments) : base(g, dense_arguments), g_(g), covered_(g.size()) {}
  // Its parts refer to each other.
  pack_superwords(const pack_superwords&) = delete;

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
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
  static constexpr int most_depth = 40, most_work = 2048;

  constexpr edge place_of(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr edge root(int v) {
    lanes_list lanes;
    for (const auto& e : g_.inputs_of(v)) lanes.push_back(e);
    int like_usual = 0;
    const edge usual = most_frequent(lanes);
    for (const auto& e : lanes) like_usual += hash_of(e) == hash_of(usual);
    if (!computes(usual) || 2 * like_usual < static_cast<int>(lanes.size())) return nothing;
    const graph_sizes before = sizes_of(out_.view());
    vectors_.begin(g_.data(v).spec.shape);
    packs_.clear();
    edge made = pack(lanes, 0);
    const bool runs = made.node >= 0 && out_.view().spec(made) == g_.data(v).spec && (!vectors_.have_padded_reads() || loops_are_dense());
    if (!runs || !is_worth(before.nodes)) {
      out_.cut(before);
      return nothing;
    }
    any_ = true;
    return made;
  }
  // Whether the nodes from one on are less than the scalars that they compute, if nobody else needs those.
  constexpr bool is_worth(int from) {
    index vectors = 0, scalars = vectors_.space().size();
    for (int v = from; v < out_.size(); ++v) vectors += superword_cost::of(out_, v);
    for (int v = 0; v < g_.size(); ++v) {
      if (covered_[v]) scalars += superword_cost::of(g_, v);
      covered_[v] = 0;
    }
    return vectors < scalars;
  }
  // Whether padded reads in loops over the shape are read in place.
  constexpr bool loops_are_dense() const {
    const auto shape_of = [&](int v) -> const shape& { return g_.data(v).spec.shape; };
    return detail::loops_are_dense(g_, vectors_.space(), shape_of, [&](int v) { return base::is_dense(v); });
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
      isomorphic = isomorphic && hash_of(e) == hash_of(some);
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

  constexpr edge constant_vector(const lanes_list& lanes, const edge& some) {
    list<std::uint64_t> bits;
    bool same = true;
    for (const auto& e : lanes) {
      bits.push_back(constant_bits(e.node < 0 ? some : e));
      same = same && bits.back() == bits[0];
    }
    const dtype d = g_.spec(some).dtype;
    if (same) return vectors_.constant({d, {}}, {bits.data(), 1});
    return d == dtype::boolean ? nothing : vectors_.constant(vectors_.of(d), bits);
  }

  // Elements of one tensor that lie side by side. Those with gaps, or backwards, compilers gather as well one by one.
  constexpr edge slice_of(const lanes_list& lanes) {
    const index n = static_cast<index>(lanes.size());
    edge from = nothing;
    index shift = 0, first = n, last = 0;  // from lane to place; lanes that somebody reads
    for (index k = 0; k < n; ++k) {
      if (lanes[k].node < 0) continue;
      const element& x = element_of(lanes[k]);
      if (x.base.node < 0) return nothing;
      if (from.node < 0) {
        from = x.base;
        shift = x.place - k;
        first = k;
      }
      if (!(x.base == from) || x.place - k != shift) return nothing;
      last = k;
    }
    // Lanes that nobody reads read what is there, or, behind the ends of the tensor, nothing.
    const index size = g_.spec(from).shape.size();
    const index before = first < -shift ? first : -shift > 0 ? -shift : 0;
    const index behind = last + 1 > size - shift ? last + 1 : size - shift < n ? size - shift : n;
    return vectors_.slice(from, place_of(from), {before + shift, before, behind - before});
  }

  // A lane like more than half of them, if there is one.
  constexpr edge most_frequent(const lanes_list& lanes) const {
    edge best = nothing;
    int more = 0;
    for (const auto& e : lanes) {
      if (e.node < 0) continue;
      if (more == 0) best = e;
      more += more == 0 || hash_of(e) == hash_of(best) ? 1 : -1;
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
  // Elements of one tensor that are combined in either order: those that lie side by side become one operand.
  constexpr void arrange(lanes_list& x, lanes_list& y) const {
    index lane = -1;
    for (index k = 0; k < static_cast<index>(x.size()); ++k) {
      if (x[k].node < 0) continue;
      const element &a = element_of(x[k]), &b = element_of(y[k]);
      if (a.base.node < 0 || !(a.base == b.base)) return;
      if (lane < 0) lane = k;
      const index expected = element_of(x[lane]).place + k - lane;
      if (a.place == expected || b.place != expected) continue;
      const edge first = x[k];
      x[k] = y[k];
      y[k] = first;
    }
  }
  constexpr edge computed(const edge& some, const list<edge>& operands) {
    bool vector = false;
    for (const auto& e : operands) vector = vector || out_.view().spec(e).shape.rank > 0;
    const dtype d = g_.spec(some).dtype;
    return out_.add(kind_of(some), vector ? vectors_.of(d) : tensor_spec{d, {}}, operands, g_.node(some.node).attributes());
  }
  // How a lane becomes like the usual ones: the operands that it gets, of which a neutral one has no node.
  struct completed_lane {
    int likeness = -1;  // of the operands; below 0 it cannot be done
    edge operands[3] = {nothing, nothing, nothing};
    int neutral = -1;  // which operand changes nothing
  };
  constexpr completed_lane completed_lane_of(const edge& e, const edge& usual) const {
    constexpr int looks_ahead = 2;
    const auto wanted = g_.inputs_of(usual.node);
    const op& kind = kind_of(usual);
    completed_lane out;
    if (fits(e, usual)) {
      const auto x = g_.inputs_of(e.node);
      out.likeness = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        out.operands[i] = x[i];
        out.likeness += likeness(x[i], wanted[i], looks_ahead);
      }
      if (kind.is(fact::commutative) && out.likeness < 2 * alike) {
        const int crossed = likeness(x[0], wanted[1], looks_ahead) + likeness(x[1], wanted[0], looks_ahead);
        if (crossed > out.likeness) out = {crossed, {x[1], x[0], nothing}, -1};
      }
    }
    if (!neutral_of(kind, g_.spec(usual).dtype).exists || wanted.size() != 2 || is_constant(e)) return out;
    for (int i = 0; i < (kind.is(fact::commutative) ? 2 : 1); ++i) {
      const int alone = likeness(e, wanted[static_cast<std::size_t>(i)], looks_ahead);
      if (alone <= out.likeness + alike / 2) continue;
      out = {alone, {i == 0 ? e : nothing, i == 0 ? nothing : e, nothing}, 1 - i};
    }
    return out;
  }
  // Every lane with the op that is usual among them, by operands in either order or with a neutral one.
  constexpr edge completed(const lanes_list& lanes, const edge& usual, int depth) {
    const std::size_t count = g_.inputs_of(usual.node).size();
    if (count > 3) return nothing;
    lanes_list operands[3];
    list<char> neutral;  // which operand of a lane is one, -1 for none
    bool has_neutral[3] = {};
    for (const auto& e : lanes) {
      completed_lane lane{0};
      if (e.node >= 0 && hash_of(e) == hash_of(usual)) {
        for (std::size_t i = 0; i < count; ++i) lane.operands[i] = g_.inputs_of(e.node)[i];
      } else if (e.node >= 0) {
        ++work_;
        lane = completed_lane_of(e, usual);
      }
      if (lane.likeness < 0) return nothing;
      if (e.node >= 0 && fits(e, usual)) covered_[e.node] = 1;
      for (std::size_t i = 0; i < count; ++i) operands[i].push_back(lane.operands[i]);
      neutral.push_back(static_cast<char>(lane.neutral));
      if (lane.neutral >= 0) has_neutral[lane.neutral] = true;
    }
    list<edge> made;
    for (std::size_t i = 0; i < count; ++i) {
      edge x = pack(operands[i], depth + 1);
      if (x.node >= 0 && has_neutral[i])
        x = with_neutral(x, neutral, static_cast<char>(i), neutral_of(kind_of(usual), g_.spec(usual).dtype).bits);
      if (x.node < 0) return nothing;
      made.push_back(x);
    }
    return computed(usual, made);
  }
  // A vector with a constant in some lanes, which are at its ends.
  constexpr edge with_neutral(const edge& x, const list<char>& lanes, char which, std::uint64_t bits) {
    const index n = vectors_.space().size();
    index before = 0, behind = n;
    while (before < n && lanes[before] == which) ++before;
    while (behind > before && lanes[behind - 1] == which) --behind;
    for (index k = before; k < behind; ++k)
      if (lanes[k] == which) return nothing;
    const tensor_spec s{out_.view().spec(x).dtype, {}};
    return vectors_.selected(before, behind - before, x, vectors_.constant(s, {&bits, 1}));
  }
  // Where lanes differ: the vectors of both parts.
  constexpr edge joined(const lanes_list& lanes, int depth) {
    const auto is_alike = [&](const edge& a, const edge& b) {
      if (is_constant(a) || is_constant(b)) return is_constant(a) && is_constant(b);
      if (computes(a) || computes(b)) return computes(a) && computes(b) && is_op(kind_of(a), kind_of(b));
      return hash_of(a) == hash_of(b);
    };
    const auto n = static_cast<index>(lanes.size());
    index cut = 0, lane = 0;
    edge first = nothing;
    for (index k = 0; k < n; ++k) {
      const edge& e = lanes[k];
      if (e.node < 0) continue;
      if (first.node < 0) {
        first = e;
        lane = k;
      } else if (!is_alike(e, first)) {
        break;
      } else if (element_of(e).base.node >= 0) {
        if (element_of(e).place - element_of(first).place != k - lane) break;
      }
      cut = k + 1;
    }
    lanes_list before = lanes, behind = lanes;
    bool any = false;
    for (index k = 0; k < n; ++k) {
      (k < cut ? behind : before)[k] = nothing;
      any = any || (k >= cut && lanes[k].node >= 0);
    }
    if (!any || !vectors_.may_split()) return nothing;
    const edge left = pack(before, depth + 1);
    if (left.node < 0) return nothing;
    const edge right = pack(behind, depth + 1);
    if (right.node < 0) return nothing;
    return vectors_.selected(0, cut, left, right);
  }

  struct made_pack {
    unsigned hash;
    lanes_list lanes;
    edge made;
  };
  Graph g_;
  graph out_;
  list<int> renamed_;
  superword_vectors vectors_{out_};
  list<char> covered_;  // scalars that vectors compute
  bool any_ = false, pays_ = false;
  list<made_pack> packs_;
  int work_ = 0;
};

}  // namespace jig::detail

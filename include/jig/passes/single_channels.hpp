// SPDX-License-Identifier: MIT
#pragma once
// Convolutions of one channel by one small filter, such as a moving average or an edge filter, become sums of neighbours: a loop reads
// these where they lie, goes on with what follows, and calls nothing.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/convolution.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

/// How many numbers a convolution adds up that is a sum of few neighbours; 0 of others.
constexpr index taps_of_single_channel(const graph_view& g, int v) {
  constexpr index most_taps = 16;
  if (!is_op(*g.data(v).kind, ops::conv2d) || is_storage(g.data(v).spec.dtype)) return 0;
  const list<attribute_view> with = g.node(v).attributes();
  const shape &x = g.spec(g.inputs_of(v)[0]).shape, &filter = g.spec(g.inputs_of(v)[1]).shape;
  if (padding_of(with) != padding_kind::valid || asks_for_winograd(with) || x[3] != 1) return 0;
  for (int a = 0; a < filter.rank; ++a)
    if (!is_static_extent(filter[a]) || (a > 1 && filter[a] != 1) || filter[a] > most_taps) return 0;
  for (int a = 0; a < 2; ++a)
    if (number_of_axis(with, "strides", a) != 1) return 0;
  const index taps = filter[0] * filter[1];
  return taps >= 2 && taps <= most_taps ? taps : 0;
}
constexpr bool may_have_single_channels(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (taps_of_single_channel(g, v) > 0) return true;
  return false;
}

/// The graph anew with sums of neighbours in place of such convolutions.
template <class Graph>
class single_channels {
 public:
  constexpr explicit single_channels(const Graph& g) : g_(g) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v)
      renamed_.push_back(taps_of_single_channel(g_, v) > 0 ? sum(v) : copy_node(out_, g_, v, [&](const edge& e) { return now(e); }));
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(now(e));
    return std::move(out_);
  }

 private:
  constexpr edge now(const edge& e) const { return {renamed_[at(e.node)], e.port}; }

  constexpr int sum(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const list<attribute_view> with = g_.node(v).attributes();
    const edge x = now(g_.inputs_of(v)[0]), filter = now(g_.inputs_of(v)[1]);
    const shape taps = g_.spec(g_.inputs_of(v)[1]).shape;
    out_.here = g_.data(v).at;
    edge all;
    for (index i = 0; i < taps[0]; ++i)
      for (index j = 0; j < taps[1]; ++j) {
        const index tap[] = {i, j}, left[] = {taps[0] - 1 - i, taps[1] - 1 - j};
        const edge both[] = {neighbours(x, spec, with, tap, left), weight(filter, spec.dtype, tap)};
        const edge product = out_.add(ops::multiply, spec, both), next[] = {all, product};
        all = i + j == 0 ? product : out_.add(ops::add, spec, next);
      }
    out_.here = {};
    return all.node;
  }
  // What a tap lies on: so many taps are before it along each axis, and left behind it.
  constexpr edge neighbours(const edge& x, const tensor_spec& spec, const list<attribute_view>& with, const index* tap, const index* left) {
    slice_positions p;
    p.add_whole(spec.shape[0]);
    for (int a = 0; a < 2; ++a) {
      const index apart = number_of_axis(with, "dilations", a);
      p.add_within(tap[a] * apart, left[a] * apart);
    }
    p.add_whole(1);
    return slice(x, spec, p);
  }
  constexpr edge weight(const edge& filter, dtype type, const index* tap) {
    slice_positions p;
    for (const index k : {tap[0], tap[1], index{0}, index{0}}) p.add(k, 1, 1, true);
    return slice(filter, {type, {}}, p);
  }
  constexpr edge slice(const edge& from, const tensor_spec& spec, const slice_positions& p) {
    return with_attributes(p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, spec, {&from, 1}, with); });
  }

  const Graph& g_;
  graph out_;
  list<int> renamed_;
};

}  // namespace jig::detail

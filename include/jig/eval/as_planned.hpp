// SPDX-License-Identifier: MIT
#pragma once
// Whether a call is as the plan of a step supposes: what may broadcast does not, and axes are long.

#include <jig/eval/nest.hpp>

#include <array>

namespace jig::detail {

/// Whether a leaf of a step may broadcast in a call along this one of its axes, where it does not in others.
template <class Step>
constexpr bool may_broadcast_along(int leaf, int axis) {
  const shape &own = Step::program::extents(Step::node(leaf)), &space = Step::program::extents(Step::plan.space);
  return own[axis] != 1 && own[axis] != space[axis + space.rank - own.rank];
}
/// The same along any of them.
template <class Step>
constexpr bool may_broadcast(int leaf) {
  for (int a = 0; a < Step::program::extents(Step::node(leaf)).rank; ++a)
    if (may_broadcast_along<Step>(leaf, a)) return true;
  return false;
}
/// Whether no leaf of a step may.
template <class Step>
inline constexpr bool always_walks_as_planned = [] {
  for (int l = 0; l < Step::leaves; ++l)
    if (may_broadcast<Step>(l)) return false;
  return true;
}();
// The extents of leaves that may broadcast, with those of the axes of the step that they then differ from; each pair once.
template <class Step>
struct extents_to_compare {
  struct pair {
    index own, there;
  };
  static constexpr list<pair> found() {
    using P = typename Step::program;
    const shape& space = P::extents(Step::plan.space);
    list<pair> out;
    for (int l = 0; l < Step::leaves; ++l) {
      const shape& own = P::extents(Step::node(l));
      for (int a = 0; a < own.rank; ++a) {
        const pair p{own[a], space[a + space.rank - own.rank]};
        bool is_new = p.own != 1 && p.own != p.there;
        for (const pair& known : out) is_new = is_new && (known.own != p.own || known.there != p.there);
        if (is_new) out.push_back(p);
      }
    }
    return out;
  }
  static constexpr int count = static_cast<int>(found().size());
  static constexpr std::array<pair, array_bound(count)> pairs = [] {
    std::array<pair, array_bound(count)> out{};
    int k = 0;
    for (const pair& p : found()) out[static_cast<std::size_t>(k++)] = p;
    return out;
  }();
};
/// Whether leaves that may broadcast, as far as is known before a call, run along with the axes of their step in this one.
template <class Step>
[[gnu::always_inline]] inline bool walks_as_planned(const frame<typename Step::program>& fr) {
  using compared = extents_to_compare<Step>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    return ((fr(compared::pairs[I].own) == fr(compared::pairs[I].there)) && ...);
  }(std::make_index_sequence<static_cast<std::size_t>(compared::count)>());
}

/// How many places there are along an axis of the nest of a step, which only a call knows.
template <class Step, int Axis>
[[gnu::always_inline]] inline index places_along(const frame<typename Step::program>& fr, const auto& axes) {
  index n = 1;
  for (int a = axes.last[Axis] - axes.count[Axis] + 1; a <= axes.last[Axis]; ++a) n *= fr(Step::program::extents(Step::plan.space)[a]);
  return n;
}
/// Whether there are as many as a step needs, which may depend on the call.
template <class Step, int Axis, index Least>
[[gnu::always_inline]] inline bool is_as_long(const frame<typename Step::program>& fr, const auto& axes) {
  if constexpr (Axis < 0) return true;
  else return axes.extent[Axis] != known_at_call || places_along<Step, Axis>(fr, axes) >= Least;
}

}  // namespace jig::detail

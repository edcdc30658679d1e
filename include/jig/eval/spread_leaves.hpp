// SPDX-License-Identifier: MIT
#pragma once
// Leaves that a call broadcasts along axes where the nest of a step supposes that they run along: copies of them that do, for some places
// of the nest at a time.

#include <jig/eval/as_planned.hpp>

#include <algorithm>

namespace jig::detail {

/// Copies for a step with a nest, whose places are cut along the axis `Kept` of the nest where it has that one.
template <class Step, class Axes, int Kept>
class spread_leaves {
  using P = typename Step::program;
  static constexpr auto& axes = Axes::axes;
  static constexpr const shape& space = P::extents(Step::plan.space);
  static constexpr index target_bytes = 16384, most_bytes = index{1} << 24;

  template <int L>
  static constexpr int missing = space.rank - P::extents(Step::node(L)).rank;
  // The axis of the nest that an axis of the space became alone, and along which a leaf has a stride of the call; else -1.
  template <int L>
  static constexpr int free_axis(int a) {
    for (int n = 0; n < axes.rank; ++n)
      if (axes.last[n] == a && axes.count[n] == 1 && axes.stride[L][n] == known_at_call) return n;
    return -1;
  }
  // Whether the call broadcasts a leaf along this one of its axes.
  template <int L>
  [[gnu::always_inline]] static bool is_broadcast_along(const frame<P>& fr, int a) {
    constexpr shape own = P::extents(Step::node(L)), whole = space;
    constexpr unsigned may = [] {
      unsigned out = 0;
      for (int k = 0; k < own.rank; ++k) out |= may_broadcast_along<Step>(L, k) ? 1u << k : 0u;
      return out;
    }();
    return (may >> a & 1) != 0 && fr(own[a]) != fr(whole[a + missing<L>]);
  }
  enum class broadcast : unsigned char { none, stays, copied };
  // How it broadcasts a leaf: a stride of 0 does where strides are free.
  template <int L>
  static broadcast broadcast_of(const frame<P>& fr) {
    constexpr int rank = P::extents(Step::node(L)).rank;
    broadcast out = broadcast::none;
    for (int a = 0; a < rank; ++a)
      if (out != broadcast::copied && is_broadcast_along<L>(fr, a))
        out = free_axis<L>(a + missing<L>) >= 0 ? broadcast::stays : broadcast::copied;
    return out;
  }
  template <int L>
  static void stay_along_axes(const frame<P>& fr, Axes& e) {
    constexpr int rank = P::extents(Step::node(L)).rank;
    for (int a = 0; a < rank; ++a)
      if (is_broadcast_along<L>(fr, a)) e.template stay_along<L>(free_axis<L>(a + missing<L>));
  }
  // Whether copies may have fewer places along an axis of the nest than there are: strides along those outside of it are free then.
  static constexpr bool is_cut = []<int... L>(std::integer_sequence<int, L...>) {
    bool can = Kept < axes.rank;
    for (int a = 0; can && a < Kept; ++a)
      can = ((!may_broadcast<Step>(L) || axes.stride[L][a] == known_at_call || axes.stride[L][a] == 0) && ...);
    return can;
  }(std::make_integer_sequence<int, Step::leaves>());
  // The axis of the space that is cut: the first one of those that became that of the nest.
  static constexpr int cut = is_cut ? axes.last[is_cut ? Kept : 0] - axes.count[is_cut ? Kept : 0] + 1 : -1;

  // The extents of a copy for so many places along the axis that is cut.
  template <int L>
  static shape extents(const frame<P>& fr, index places) {
    shape out = P::extents(Step::node(L));
    for (int a = 0; a < out.rank; ++a)
      if (out[a] != 1) out[a] = a + missing<L> == cut ? places : fr(space[a + missing<L>]);
    return out;
  }
  template <int L>
  static std::size_t bytes_of(const frame<P>& fr, index places) {
    return aligned_size(static_cast<std::size_t>(extents<L>(fr, places).size()) * sizeof(element_at<P, Step::node(L)>));
  }
  // Calls f for leaves that the call broadcasts so.
  template <class F>
  static void for_each(broadcast how, const frame<P>& fr, const F& f) {
    [&]<int... L>(std::integer_sequence<int, L...>) {
      (
          [&] {
            if constexpr (may_broadcast<Step>(L))
              if (broadcast_of<L>(fr) == how) f(std::integral_constant<int, L>());
          }(),
          ...);
    }(std::make_integer_sequence<int, Step::leaves>());
  }

 public:
  /// Whether what may broadcast is dense, as a copy is: else its strides could be another's in the nest.
  static constexpr bool possible = []<int... L>(std::integer_sequence<int, L...>) {
    return !always_walks_as_planned<Step> &&
           ((!may_broadcast<Step>(L) || (P::value(Step::node(L)).dense && Step::table.type[L] != dtype::string)) && ...);
  }(std::make_integer_sequence<int, Step::leaves>());

  /// Bytes of all copies for so many places.
  static std::size_t bytes(const frame<P>& fr, index places) {
    std::size_t n = 0;
    for_each(broadcast::copied, fr, [&](auto leaf) { n += bytes_of<leaf>(fr, places); });
    return n;
  }
  /// Places along the axis that is cut; 1 where there is none.
  static index places(const frame<P>& fr) {
    if constexpr (is_cut) return fr(space[cut]);
    else return 1;
  }
  /// Places along the axis of the nest for each of them: all where it is not cut.
  static index unit(const frame<P>& fr) {
    index n = 1;
    if constexpr (Kept < axes.rank)
      for (int a = is_cut ? cut + 1 : axes.last[Kept] - axes.count[Kept] + 1; a <= axes.last[Kept]; ++a) n *= fr(space[a]);
    return n;
  }
  /// How many of them copies are made for at a time, in multiples of `least`, and as many more as are left behind the last ones; 0 where
  /// not even that many are to be had.
  static index places_at_once(const frame<P>& fr, index least) {
    const index all = places(fr);
    const auto one = static_cast<index>(bytes(fr, 1));
    if (one == 0) return all;
    const index most = (std::min)((std::max)(target_bytes / one / least * least, least), all);
    const std::size_t needed = bytes(fr, most + all % most);
    return needed > static_cast<std::size_t>(most_bytes) || needed > fr.memory->room(*fr.memory) ? 0 : most;
  }
  /// Some places, and whether memory has the copies for those before them.
  struct part {
    index first, count;
    bool follows;
  };
  /// Leaves that need no copies: they stay where they are along axes of the nest.
  static void stay(const frame<P>& fr, Axes& e) {
    for_each(broadcast::stays, fr, [&](auto leaf) { stay_along_axes<leaf>(fr, e); });
  }
  /// Makes the copies for some places, and leads the pointers and strides of the nest to them. `memory` has room for `most` places.
  static void set(const frame<P>& fr, Axes& e, auto& pointers, char* memory, index most, const part& now) {
    for_each(broadcast::copied, fr, [&](auto leaf) {
      constexpr int v = Step::node(leaf), at = cut - missing<leaf>;
      using T = element_at<P, v>;
      const shape to = extents<leaf>(fr, now.count);
      strided_operand o;
      set_operand(o, locate<P, v>(fr), to, sizeof(T), copies_of<T>());
      if constexpr (at >= 0) o.data += now.first * o.strides[at];
      const bool is_there = now.follows && (at < 0 || (at == 0 && o.strides[0] == 0));
      if (!is_there) gather_from(memory, o, to, 0);
      e.template lie_densely<leaf>(to);
      pointers.leaf[leaf] = memory;
      memory += bytes_of<leaf>(fr, most);
    });
  }
};

}  // namespace jig::detail

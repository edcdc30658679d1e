// SPDX-License-Identifier: MIT
#pragma once
// The loop nest of a step: the axes of its space, and how far each operand moves along them. Axes that all operands walk alike are one.

#include <jig/eval/operands.hpp>
#include <jig/eval/parallel_for.hpp>

#include <limits>
#include <tuple>
#include <utility>

namespace jig::detail {

/// A stride or an extent that only a call knows.
inline constexpr index known_at_call = (std::numeric_limits<index>::min)();

constexpr shape unknown_strides(int rank) {
  shape s;
  for (int a = 0; a < rank; ++a) s.push_back(known_at_call);
  return s;
}

// Two extents that stand for those that only a call knows: what is the same with both does not depend on them. Strides of as many axes as
// there may be fit into 64 bits.
inline constexpr index one_extent = 251, other_extent = 509;

// The strides of a node if every extent that only a call knows were `e`.
template <class P, int Node>
constexpr shape strides_supposing(index e) {
  constexpr planned_value v = P::value(Node);
  constexpr int rank = P::extents(Node).rank;
  const auto supposed = [&](int node) {
    shape s = P::extents(node);
    for (int a = 0; a < s.rank; ++a)
      if (!is_static_extent(s[a])) s[a] = e;
    return s;
  };
  if constexpr (v.dense) {
    return row_major_strides(supposed(Node));
  } else if constexpr (v.place == place::argument) {
    constexpr known_layout layout = layout_of<P, Node>();
    return layout.known ? layout.strides : unknown_strides(rank);
  } else if constexpr (v.place == place::padded_read) {
    return unknown_strides(rank);
  } else {
    const shape from = strides_supposing<P, v.number>(e);
    for (int a = 0; a < from.rank; ++a)
      if (from[a] == known_at_call) return unknown_strides(rank);
    shape out;
    if constexpr (v.place == place::part) {
      for (int a = 0; a < from.rank; ++a)
        if (a != picked_axis<P, Node>()) out.push_back(from[a]);
    } else {
      index offset = 0;
      out.rank = rank;
      P::kind(Node).restride({attributes_of<P, Node>::view(), supposed(v.number), from, supposed(Node)}, offset, out);
    }
    return out;
  }
}
// Those that do not depend on these extents, nor on whether some of them are 1, which broadcasts. Places that lie farther apart than memory
// reaches make one element, whatever the stride.
template <class P, int Node>
constexpr shape known_strides() {
  constexpr index farthest = index{1} << 48;
  constexpr shape one = strides_supposing<P, Node>(one_extent), other = strides_supposing<P, Node>(other_extent),
                  single = strides_supposing<P, Node>(1);
  shape out = one;
  for (int a = 0; a < out.rank; ++a)
    if (one[a] != other[a] || one[a] != single[a] || one[a] > farthest || one[a] < -farthest) out[a] = known_at_call;
  return out;
}

/// Axes and strides of the operands of a step, leaves before roots. Units of strides: elements.
template <int Operands>
struct nest_shape {
  int rank = 0;
  index extent[max_rank] = {};
  bool reduced[max_rank] = {};
  int last[max_rank] = {};  // the last of the axes of the space that became this one
  int count[max_rank] = {};
  index stride[array_bound(Operands)][max_rank] = {};
  index offset[array_bound(Operands)] = {};  // of a leaf that is seen in dense memory: where it begins there
  index whole[array_bound(Operands)] = {};   // that memory consists of runs of so many elements; 0 where nobody knows

  /// Whether there is nothing along one of the axes, whatever the call says of others.
  constexpr bool is_empty() const {
    for (int a = 0; a < rank; ++a)
      if (extent[a] == 0) return true;
    return false;
  }
  /// The elements along all axes from a on; known_at_call where only a call knows.
  constexpr index size_from(int a) const {
    index n = 1;
    for (; a < rank; ++a) {
      if (extent[a] == known_at_call) return known_at_call;
      n *= extent[a];
    }
    return n;
  }
};

// Where a view begins in dense memory, and of runs of how many elements that consists, if every extent that only a call knows were `e`.
template <class P, int Node>
constexpr std::pair<index, index> start_supposing(index e) {
  constexpr planned_value v = P::value(Node);
  if constexpr (!v.dense && v.place == place::alias && P::value(v.is_view() ? v.number : 0).dense) {
    const auto supposed = [&](int node) {
      shape s = P::extents(node);
      for (int a = 0; a < s.rank; ++a)
        if (!is_static_extent(s[a])) s[a] = e;
      return s;
    };
    const shape from = supposed(v.number), known = P::extents(v.number);
    index offset = 0, whole = 1;
    shape strides;
    strides.rank = P::extents(Node).rank;
    P::kind(Node).restride({attributes_of<P, Node>::view(), from, row_major_strides(from), supposed(Node)}, offset, strides);
    int a = known.rank - 1;
    for (; a >= 0 && is_static_extent(known[a]); --a) whole *= known[a];
    return {offset, a < 0 ? whole : whole * P::divisor_of(known[a])};
  } else {
    return {0, 0};
  }
}

/// The nest of a step. Bit a of `Reduced` is set where its roots do not have axis a of the space.
template <class Step, unsigned Reduced>
class nest {
  using P = typename Step::program;
  static constexpr shape space = P::extents(Step::plan.space);

  // How an operand lies: its strides along the axes of the space, and where it is dense.
  struct lying {
    index stride[max_rank] = {};
    bool dense[max_rank] = {};  // runs along with its next axis as row-major memory does
    std::pair<index, index> start{};
  };
  template <int L>
  static constexpr lying leaf() {
    constexpr int v = Step::node(L);
    lying out;
    if constexpr (!Step::table.invariant[L] || P::value(v).place != place::immediate) {
      const shape own = P::extents(v), strides = known_strides<P, v>();
      const int missing = space.rank - own.rank;
      for (int a = 0; a < space.rank; ++a) {
        const bool there = a >= missing && own[a - missing] != 1;
        out.stride[a] = there ? strides[a - missing] : 0;
        out.dense[a] = there && P::value(v).dense;
      }
      constexpr auto one = start_supposing<P, v>(one_extent), other = start_supposing<P, v>(other_extent);
      if (one == other) out.start = one;
    }
    return out;
  }
  template <int R>
  static constexpr lying root() {
    lying out;
    if constexpr (!stored_root<Step, R>::dense) {
      constexpr shape one = stored_root<Step, R>::strides_supposing(one_extent),
                      other = stored_root<Step, R>::strides_supposing(other_extent);
      for (int a = 0; a < space.rank; ++a) out.stride[a] = one[a] == other[a] ? one[a] : known_at_call;
      return out;
    }
    index n = 1;
    for (int a = space.rank; a-- > 0;) {
      const bool kept = (Reduced >> a & 1) == 0;
      out.stride[a] = kept ? n : 0;
      out.dense[a] = kept;
      if (kept) n = n == known_at_call || !is_static_extent(space[a]) ? known_at_call : n * space[a];
    }
    return out;
  }
  static constexpr int operands = Step::leaves + Step::roots;

  template <int... L, int... R>
  static constexpr auto make(std::integer_sequence<int, L...>, std::integer_sequence<int, R...>) {
    const lying all[] = {leaf<L>()..., root<R>()...};
    nest_shape<operands> out;
    for (int o = 0; o < operands; ++o) std::tie(out.offset[o], out.whole[o]) = all[o].start;
    for (int a = 0; a < space.rank; ++a) {
      if (space[a] == 1) continue;
      const bool is_reduced = (Reduced >> a & 1) != 0;
      const index e = is_static_extent(space[a]) ? space[a] : known_at_call;
      int to = out.rank;
      if (to > 0 && out.reduced[to - 1] == is_reduced) {
        bool joins = true;
        for (int o = 0; o < operands; ++o) {
          const index outer = out.stride[o][to - 1], inner = all[o].stride[a];
          const bool both = all[o].dense[out.last[to - 1]] && all[o].dense[a];
          joins = joins && (both || (outer == 0 && inner == 0) ||
                            (outer != known_at_call && inner != known_at_call && e != known_at_call && outer == inner * e));
        }
        if (joins) --to;
      }
      if (to == out.rank) {
        ++out.rank;
        out.extent[to] = 1;
        out.reduced[to] = is_reduced;
        out.count[to] = 0;
      }
      out.extent[to] = out.extent[to] == known_at_call || e == known_at_call ? known_at_call : out.extent[to] * e;
      out.count[to] = a + 1 - (out.count[to] == 0 ? a : out.last[to] + 1 - out.count[to]);
      out.last[to] = a;
      for (int o = 0; o < operands; ++o) out.stride[o][to] = all[o].stride[a];
    }
    return out;
  }

 public:
  static constexpr auto axes = make(std::make_integer_sequence<int, Step::leaves>(), root_numbers<Step>());
};

/// The numbers of a nest that only a call knows.
template <class Step, unsigned Reduced>
class nest_extents {
  using P = typename Step::program;

 public:
  static constexpr auto& axes = nest<Step, Reduced>::axes;
  static constexpr int operands = Step::leaves + Step::roots;
  static constexpr bool is_one_of_many = has_many_steps<P>;

  [[gnu::always_inline]] explicit nest_extents(const frame<P>& fr) {
    [&]<int... A>(std::integer_sequence<int, A...>) { (set_extent<A>(fr), ...); }(std::make_integer_sequence<int, axes.rank>());
    [&]<int... L>(std::integer_sequence<int, L...>) { (set_leaf<L>(fr), ...); }(std::make_integer_sequence<int, Step::leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) { (set_root<R>(fr), ...); }(root_numbers<Step>());
  }
  template <int A>
  [[gnu::always_inline]] index extent() const {
    if constexpr (axes.extent[A] != known_at_call) return std::integral_constant<index, axes.extent[A]>::value;
    else return at_call_.extent[A];
  }
  template <int O, int A>
  [[gnu::always_inline]] index stride() const {
    if constexpr (axes.stride[O][A] != known_at_call) return std::integral_constant<index, axes.stride[O][A]>::value;
    else return at_call_.stride[O][A];
  }
  [[gnu::always_inline]] index size() const {
    index n = 1;
    [&]<int... A>(std::integer_sequence<int, A...>) { ((n *= extent<A>()), ...); }(std::make_integer_sequence<int, axes.rank>());
    return n;
  }
  /// A leaf is the same all along an axis, whose stride only the call knows, from here on.
  template <int L>
  void stay_along(int axis) {
    if constexpr (asks_call) at_call_.stride[L][axis] = 0;
  }
  /// A leaf lies in dense memory with these extents from here on.
  template <int L>
  void lie_densely(const shape& extents) {
    constexpr int missing = P::extents(Step::plan.space).rank - P::extents(Step::node(L)).rank;
    const shape strides = row_major_strides(extents);
    if constexpr (asks_call)
      for (int a = 0; a < axes.rank; ++a)
        if (axes.stride[L][a] == known_at_call) at_call_.stride[L][a] = strides[axes.last[a] - missing];
  }

 private:
  template <int A>
  [[gnu::always_inline]] void set_extent(const frame<P>& fr) {
    if constexpr (axes.extent[A] == known_at_call) {
      at_call_.extent[A] = 1;
      for (int a = axes.last[A] - axes.count[A] + 1; a <= axes.last[A]; ++a) at_call_.extent[A] *= fr(P::extents(Step::plan.space)[a]);
    }
  }
  template <int O>
  static constexpr bool any_unknown() {
    for (int a = 0; a < axes.rank; ++a)
      if (axes.stride[O][a] == known_at_call) return true;
    return false;
  }
  template <int L>
  [[gnu::always_inline]] void set_leaf(const frame<P>& fr) {
    if constexpr (any_unknown<L>()) {
      constexpr int v = Step::node(L), missing = P::extents(Step::plan.space).rank - P::extents(v).rank;
      [&]<int... A>(std::integer_sequence<int, A...>) {
        (
            [&] {
              if constexpr (axes.stride[L][A] == known_at_call) at_call_.stride[L][A] = stride_of<P, v, axes.last[A] - missing>(fr);
            }(),
            ...);
      }(std::make_integer_sequence<int, axes.rank>());
    }
  }
  template <int R>
  [[gnu::always_inline]] void set_root([[maybe_unused]] const frame<P>& fr) {
    constexpr int o = Step::leaves + R;
    if constexpr (any_unknown<o>() && !stored_root<Step, R>::dense) {
      for (int a = 0; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) at_call_.stride[o][a] = stored_root<Step, R>::stride(fr, axes.last[a]);
    } else if constexpr (any_unknown<o>()) {
      index n = 1;
      [&]<int... A>(std::integer_sequence<int, A...>) {
        (
            [&] {
              constexpr int a = axes.rank - 1 - A;
              if constexpr (!axes.reduced[a]) {
                if constexpr (axes.stride[o][a] == known_at_call) at_call_.stride[o][a] = n;
                n *= extent<a>();
              }
            }(),
            ...);
      }(std::make_integer_sequence<int, axes.rank>());
    }
  }

  struct known_then {
    index extent[array_bound(axes.rank)];
    index stride[array_bound(operands)][array_bound(axes.rank)];
  };
  struct nothing {};
  static constexpr bool asks_call = [] {
    for (int a = 0; a < axes.rank; ++a) {
      if (axes.extent[a] == known_at_call) return true;
      for (int o = 0; o < operands; ++o)
        if (axes.stride[o][a] == known_at_call) return true;
    }
    return false;
  }();
  std::conditional_t<asks_call, known_then, nothing> at_call_;
};

/// Whether the code of a nest stands in every call of it: of so few elements, in so short a program, that a function call would count.
template <class Axes>
inline constexpr bool nest_runs_in_place =
    !Axes::is_one_of_many && Axes::axes.size_from(0) != known_at_call && Axes::axes.size_from(0) <= 4096;

/// How much code a body is, in elementary operations.
template <class Step>
inline constexpr int expression_work = [] {
  int work = 0;
  for (int e = Step::leaves; e < Step::entries; ++e)
    if (!Step::table.invariant[e]) work += Step::kind(e).is(fact::lanes_only) ? 8 : 1;
  return work;
}();
/// So much may be in the program for one loop: compilers take time for it.
inline constexpr int most_work = 96;

/// Pointers to the operands of a step at one place of its nest.
template <class Step>
struct nest_pointers {
  const void* leaf[Step::capacity];
  void* root[array_bound(Step::roots)];
};
// What readers of a nest have in common: where its operands are, and the leaves that are one element.
template <class Step>
struct nest_reader {
  const nest_pointers<Step>& at;

  template <int Entry>
  [[gnu::always_inline]] const void* single() const {
    return at.leaf[Entry];
  }
};

template <class Step, class Pointers>
[[gnu::always_inline]] inline nest_pointers<Step> pointers_of(const Pointers& from) {
  nest_pointers<Step> p;
  [&]<int... L>(std::integer_sequence<int, L...>) { ((p.leaf[L] = from.leaf[L]), ...); }(std::make_integer_sequence<int, Step::leaves>());
  [&]<int... R>(std::integer_sequence<int, R...>) { ((p.root[R] = from.root[R]), ...); }(root_numbers<Step>());
  return p;
}

// The places of a nest, as pointers that move along its axes.
template <class Step, class Axes>
struct nest_walk {
  using P = typename Step::program;
  template <int A, int... L>
  [[gnu::always_inline]] static void leaves(const Axes& e, nest_pointers<Step>& p, index i, std::integer_sequence<int, L...>) {
    ((p.leaf[L] = static_cast<const element_at<P, Step::node(L)>*>(p.leaf[L]) + i * e.template stride<L, A>()), ...);
  }
  template <int A, int... R>
  [[gnu::always_inline]] static void roots(const Axes& e, nest_pointers<Step>& p, index i, std::integer_sequence<int, R...>) {
    ((p.root[R] = static_cast<root_type<Step, R>*>(p.root[R]) + i * e.template stride<Step::leaves + R, A>()), ...);
  }
  template <int A>
  [[gnu::always_inline]] static void move(const Axes& e, nest_pointers<Step>& p, index i) {
    leaves<A>(e, p, i, std::make_integer_sequence<int, Step::leaves>());
    roots<A>(e, p, i, root_numbers<Step>());
  }
  /// Calls f at every place along the axes from A up to End that are reduced, or that are kept.
  template <int A, int End, bool Reduced, class F>
  [[gnu::always_inline]] static void for_each(const Axes& e, nest_pointers<Step> p, const F& f) {
    if constexpr (A >= End) {
      f(p);
    } else if constexpr (Axes::axes.reduced[A] != Reduced) {
      for_each<A + 1, End, Reduced>(e, p, f);
    } else {
      for (index i = 0; i < e.template extent<A>(); ++i) {
        for_each<A + 1, End, Reduced>(e, p, f);
        move<A>(e, p, 1);
      }
    }
  }
  static constexpr int first_kept = [] {
    int a = 0;
    while (a < Axes::axes.rank && Axes::axes.reduced[a]) ++a;
    return a;
  }();
  // Whether a call may come with a part of an axis, which threads share.
  template <int A>
  static constexpr bool may_be_shared =
      A == first_kept && (Axes::axes.size_from(0) == known_at_call || Axes::axes.size_from(0) >= 2 * shared_length);
  /// How many places there are along the reduced axes before End; known_at_call where only a call knows.
  static constexpr index reduced_places(int end) {
    index n = 1;
    for (int a = 0; a < end; ++a) {
      if (!Axes::axes.reduced[a]) continue;
      if (Axes::axes.extent[a] == known_at_call) return known_at_call;
      n *= Axes::axes.extent[a];
    }
    return n;
  }
  // The last axis before End that is reduced, or -1.
  static constexpr int last_reduced(int end) {
    int a = end - 1;
    while (a >= 0 && !Axes::axes.reduced[a]) --a;
    return a;
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Elementwise steps that read some operand across its memory, such as the transpose of a matrix: squares of as many rows and columns
// as a register has lanes, in which registers of that operand change places.

#include <jig/eval/lane_moves.hpp>
#include <jig/eval/nest_loop.hpp>

namespace jig::detail {

template <class Step>
class tiled_nest {
  static constexpr auto& axes = nest<Step, 0>::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr index lanes = step_lanes<Step>;

  static constexpr bool is_long(int a) { return axes.extent[a] == known_at_call || axes.extent[a] >= least; }
  static constexpr bool can_read(int leaf, int along) {
    return Step::table.invariant[leaf] ||
           (is_in_full_registers<Step>(leaf) &&
            (axes.stride[leaf][inner] == 0 || axes.stride[leaf][inner] == 1 || axes.stride[leaf][along] == 1));
  }
  static constexpr bool fits(int along) {
    bool any = false;
    for (int l = 0; l < Step::leaves; ++l) {
      if (!can_read(l, along)) return false;
      any = any || is_across(l, along);
    }
    return any && is_long(along) && is_long(inner);
  }

 public:
  /// The least places along both axes of a square for which squares pay.
  static constexpr index least = (lanes + 1) / 2;
  /// Whether a leaf is read across: it runs along another axis than the last one.
  static constexpr bool is_across(int leaf, int along) {
    return !Step::table.invariant[leaf] && axes.stride[leaf][inner] != 0 && axes.stride[leaf][inner] != 1 && axes.stride[leaf][along] == 1;
  }
  /// The axis along which the operands that are read across run; -1 if there is none, or registers are found in a cheaper way.
  static constexpr int axis = [] {
    if (!Step::vectorizable || stores_wider<Step> || Step::has_padded_reads || !has_dense_roots<Step> || axes.rank < 2 || axes.is_empty())
      return -1;
    for (int e = 0; e < Step::entries; ++e)
      if (Step::kind(e).is(fact::checked)) return -1;
    for (int r = 0; r < Step::roots; ++r)
      if (!is_in_full_registers<Step>(Step::stored_entry(r))) return -1;
    const flat_block flat = flat_nest<Step>::block;
    if (flat.registers > 0 && flat.cost * static_cast<double>(lanes) < 16) return -1;
    for (int a = inner - 1; a >= 0; --a)
      if (fits(a)) return a;
    return -1;
  }();
};

/// Whether the axes of a step's squares are so long, in every call or in this one.
template <class Step>
inline constexpr bool squares_are_always_long = [] {
  constexpr auto& axes = nest<Step, 0>::axes;
  return axes.extent[tiled_nest<Step>::axis] != known_at_call && axes.extent[axes.rank - 1] != known_at_call;
}();
template <class Step>
[[gnu::always_inline]] inline bool squares_are_long(const frame<typename Step::program>& fr) {
  constexpr auto& axes = nest<Step, 0>::axes;
  constexpr index least = tiled_nest<Step>::least;
  return is_as_long<Step, tiled_nest<Step>::axis, least>(fr, axes) && is_as_long<Step, axes.rank - 1, least>(fr, axes);
}

// Reads row `row` of a square.
template <class Step, class Axes, int Axis, bool Full, class Squares>
struct square_reader : nest_reader<Step> {
  const Axes& extents;
  const Squares& squares;
  index row, columns;

  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    using B = simd::batch<T>;
    constexpr index stride = Axes::axes.stride[Entry][Axes::axes.rank - 1];
    if constexpr (Squares::template is_across<Entry>) {
      return squares.template of<Entry>().at[row];
    } else {
      const T* from = static_cast<const T*>(this->at.leaf[Entry]) + row * extents.template stride<Entry, Axis>();
      if constexpr (stride == 0) return B(*from);
      else if constexpr (Full) return simd::load(from);
      else return columns == step_lanes<Step> ? simd::load(from) : simd::load_first<B>(from, columns);
    }
  }
};

template <class T, int Entry>
struct square {
  simd::batch<T> at[static_cast<std::size_t>(simd::lanes<T>)];
};
template <class Step, int Axis, class Leaves>
struct all_squares;
template <class Step, int Axis, int... L>
struct all_squares<Step, Axis, std::integer_sequence<int, L...>>
    : std::conditional_t<tiled_nest<Step>::is_across(L, Axis), square<type_of<Step::table.type[L]>, L>, std::integral_constant<int, L>>... {
  template <int Leaf>
  static constexpr bool is_across = tiled_nest<Step>::is_across(Leaf, Axis);
  template <int Leaf>
  [[gnu::always_inline]] auto& of() {
    return static_cast<square<type_of<Step::table.type[Leaf]>, Leaf>&>(*this);
  }
  template <int Leaf>
  [[gnu::always_inline]] const auto& of() const {
    return static_cast<const square<type_of<Step::table.type[Leaf]>, Leaf>&>(*this);
  }
};

/// An elementwise step that runs by squares.
template <class Step>
class loop_of_squares {
  using P = typename Step::program;
  using Axes = nest_extents<Step, 0>;
  using walk = nest_walk<Step, Axes>;
  static constexpr int axis = tiled_nest<Step>::axis, inner = Axes::axes.rank - 1;
  static constexpr index lanes = step_lanes<Step>;
  using leaf_numbers = std::make_integer_sequence<int, Step::leaves>;
  using squares = all_squares<Step, axis, leaf_numbers>;

  template <bool Full, int L>
  [[gnu::always_inline]] static void load(squares& s, const Axes& e, const nest_pointers<Step>& p, index rows, index columns) {
    if constexpr (squares::template is_across<L>) {
      using T = type_of<Step::table.type[L]>;
      using B = simd::batch<T>;
      const T* from = static_cast<const T*>(p.leaf[L]);
      const index stride = e.template stride<L, inner>();
      auto& to = s.template of<L>().at;
#pragma GCC unroll 32
      for (index c = 0; c < lanes; ++c) {
        if constexpr (Full) to[c] = simd::load(from + c * stride);
        else to[c] = c < columns ? simd::load_first<B>(from + c * stride, rows) : B(T(0));
      }
      simd::transpose(to);
    }
  }
  template <bool Full, int... R>
  [[gnu::always_inline]] static void run_row(const squares& s, registers<Step, true>& r, const Axes& e, const nest_pointers<Step>& p,
                                             index row, index columns, std::integer_sequence<int, R...>) {
    evaluate_expression<Step, true, false>(r, square_reader<Step, Axes, axis, Full, squares>{{p}, e, s, row, columns});
    (store<Full, R>(r, static_cast<root_type<Step, R>*>(p.root[R]) + row * e.template stride<Step::leaves + R, axis>(), columns), ...);
  }
  template <bool Full, int... L>
  [[gnu::always_inline]] static void run_square(const Axes& e, const nest_pointers<Step>& p, const registers<Step, true>& invariant,
                                                index rows, index columns, std::integer_sequence<int, L...>) {
    squares s;
    (load<Full, L>(s, e, p, rows, columns), ...);
    registers<Step, true> r = invariant;
    if constexpr (Full && expression_work<Step> * static_cast<int>(lanes) <= most_work / 2) {
#pragma GCC unroll 32
      for (index row = 0; row < lanes; ++row) run_row<true>(s, r, e, p, row, lanes, root_numbers<Step>());
    } else {
      for (index row = 0; row < rows; ++row) run_row<Full>(s, r, e, p, row, columns, root_numbers<Step>());
    }
  }
  template <bool Full, int R>
  [[gnu::always_inline]] static void store(registers<Step, true>& r, root_type<Step, R>* to, index columns) {
    if constexpr (Step::elements_at_place(R) > 1) {
      if (Full || columns == lanes) return store_root<Step, true, R>(r, to, 0);
      root_type<Step, R> all[static_cast<std::size_t>(lanes)];
      store_root<Step, true, R>(r, all, 0);
      std::memcpy(to, all, static_cast<std::size_t>(columns) * sizeof(all[0]));
    } else {
      auto& x = r.template get<Step::stored_entry(R)>();
      if (Full || columns == lanes) simd::store(to, x);
      else simd::store_first(to, x, columns);
    }
  }
  // From these places on, n of them along axis A, and `left` along that which is read across.
  template <int A>
  [[gnu::always_inline]] static void run_axis(const Axes& e, nest_pointers<Step> p, const registers<Step, true>& invariant, index n,
                                              index left) {
    if constexpr (A == inner) {
      for (; left > 0; left -= lanes) {
        nest_pointers<Step> at = p;
        for (index columns = n; columns > 0; columns -= lanes) {
          if (left >= lanes && columns >= lanes) run_square<true>(e, at, invariant, lanes, lanes, leaf_numbers());
          else run_square<false>(e, at, invariant, left < lanes ? left : lanes, columns < lanes ? columns : lanes, leaf_numbers());
          walk::template move<inner>(e, at, lanes);
        }
        walk::template move<axis>(e, p, lanes);
      }
    } else if constexpr (A == axis) {
      run_axis<A + 1>(e, p, invariant, e.template extent<A + 1>(), n);
    } else {
      for (; n > 0; --n) {
        run_axis<A + 1>(e, p, invariant, e.template extent<A + 1>(), left);
        walk::template move<A>(e, p, 1);
      }
    }
  }
  [[gnu::always_inline]] static void run_here(const Axes& e, const nest_pointers<Step>& p, index n) {
    registers<Step, true> invariant;
    evaluate_expression<Step, true, true>(invariant, p.leaf, 0);
    run_axis<0>(e, p, invariant, n, 0);
  }
  // Threads and calls share the code. It reads copies of the extents, which results of bytes could alias.
  static void run_apart(const Axes& e, const nest_pointers<Step>& p, index n) {
    const Axes own = e;
    run_here(own, nest_pointers<Step>(p), n);
  }
  [[gnu::always_inline]] static void run_part(const Axes& e, const nest_pointers<Step>& p, index n) {
    if constexpr (nest_runs_in_place<Axes>) run_here(e, p, n);
    else run_apart(e, p, n);
  }
  // Parts of the first axis, which threads share: whole squares.
  [[gnu::noinline, gnu::cold]] static void share(Axes e, nest_pointers<Step> p) {
    const index n = e.template extent<0>(), others = e.size() / n;
    const index least = others < shared_length ? shared_length / others : 1;
    parallel_for(n, (least + lanes - 1) / lanes * lanes, [&](index first, index length) {
      nest_pointers<Step> part = p;
      walk::template move<0>(e, part, first);
      run_part(e, part, length);
    });
  }

 public:
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    const Axes e(fr);
    // Where there are no elements there may be no memory to move along.
    if constexpr (Axes::axes.size_from(0) == known_at_call)
      if (e.size() == 0) return;
    const nest_pointers<Step> p = pointers_of<Step>(dense_pointers<Step>(fr));
    if constexpr (Axes::axes.size_from(0) == known_at_call || Axes::axes.size_from(0) >= 2 * shared_length)
      if (is_shared(e.size())) [[unlikely]]
        return share(e, p);
    run_part(e, p, e.template extent<0>());
  }
};

}  // namespace jig::detail

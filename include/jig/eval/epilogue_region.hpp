// SPDX-License-Identifier: MIT
#pragma once
// A kernel with a loop behind it, which runs on each rectangle of the kernel's result while that is in the cache. The kernel decides what
// the rectangles are.

#include <jig/eval/chunk_steps.hpp>
#include <jig/eval/loop_steps.hpp>
#include <jig/eval/node_kernel.hpp>
#include <jig/eval/watch.hpp>

namespace jig::detail {

/// How the loop of a region with an epilogue goes through a rectangle.
enum class tile_walk : unsigned char {
  rows,   // row by row
  nest,   // many rows at a time by its nest, where the rectangle has whole rows; else row by row
  behind  // not at all: it runs when the kernel is done
};

template <class P, int Region>
class epilogue_region {
  using at = chunk_operands<P, Region>;
  static constexpr int number = at::region.first + 1, outer = at::axes;
  static constexpr shape whole = P::extents(at::space);
  using loop = step<P, number, outer>;
  using by_nest = nest_of_places<P, Region, number>;

  // Blocks of nests with more rows are for other steps.
  static constexpr index most_rows = 64;

  static constexpr int leading_axes(int v) { return P::extents(v).rank - 1; }
  // Whether a leaf has a row for each row of the result.
  static constexpr bool goes_along(int v) {
    for (int a = 0; a < outer; ++a)
      if (leading_axes(v) != outer || P::extents(v)[a] != at_loop(a)) return false;
    return true;
  }
  // Whether it has rows for some axes only.
  static constexpr bool is_mixed(int v) { return at::moves(number, v) && !goes_along(v); }
  static constexpr index at_loop(int a) { return P::extents(P::plan.steps.items[number].space)[a]; }
  static constexpr bool any_mixed = [] {
    for (int l = 0; l < loop::leaves; ++l)
      if (is_mixed(loop::node(l))) return true;
    return false;
  }();

  // What all rectangles of a call share. Units: elements.
  struct frame_of_call {
    const frame<P>& fr;
    index extent[array_bound(outer)] = {};
    index stride[array_bound(loop::leaves)][array_bound(outer)] = {};

    explicit frame_of_call(const frame<P>& f) : fr(f) {
      if constexpr (any_mixed) {
        for (int a = 0; a < outer; ++a) extent[a] = fr(whole[a]);
        for (int l = 0; l < loop::leaves; ++l) set_strides(l);
      }
    }
    void set_strides(int l) {
      const shape& own = P::extents(loop::node(l));
      if (own.rank == 0 || !is_mixed(loop::node(l))) return;
      index n = fr(own[own.rank - 1]);
      for (int a = own.rank - 1; a-- > 0; n *= fr(own[a])) stride[l][a + outer + 1 - own.rank] = own[a] == 1 ? 0 : n;
    }
    // Where a leaf has its row for one of the result.
    index offset(int l, index row) const {
      index from = 0;
      for (int a = outer; a-- > 0; row /= extent[a]) from += row % extent[a] * stride[l][a];
      return from;
    }
  };

  template <int L>
  [[gnu::always_inline]] static const void* leaf(const frame_of_call& here, index row, index column) {
    constexpr int v = loop::node(L);
    constexpr shape own = P::extents(v);
    if constexpr (P::value(v).place == place::immediate) {
      return nullptr;
    } else {
      const auto* from = first_element<P, v>(here.fr);
      constexpr bool has_columns = own.rank > 0 && own[own.rank - 1 < 0 ? 0 : own.rank - 1] != 1;
      if constexpr (has_columns) from += column;
      if constexpr (is_mixed(v)) from += here.offset(L, row);
      else if constexpr (at::moves(number, v)) from += row * (has_columns ? here.fr(whole[outer]) : 1);
      return from;
    }
  }
  [[gnu::always_inline]] static nest_pointers<loop> pointers(const frame_of_call& here, index row, index column) {
    nest_pointers<loop> p;
    [&]<int... L>(std::integer_sequence<int, L...>) {
      ((p.leaf[L] = leaf<L>(here, row, column)), ...);
    }(std::make_integer_sequence<int, loop::leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) {
      ((p.root[R] = at::template begin<loop::root(R), true>(here.fr, nullptr, row) + column), ...);
    }(root_numbers<loop>());
    return p;
  }
  static void run_tile(const void* context, index row, index rows, index column, index columns) {
    if (columns == 0) return;
    if constexpr (is_watched<P>) {
      typename watch<P>::template tile<Region> watching(rows * columns);
      run_rectangle(context, row, rows, column, columns);
    } else {
      run_rectangle(context, row, rows, column, columns);
    }
  }
  [[gnu::always_inline]] static void run_rectangle(const void* context, index row, index rows, index column, index columns) {
    const frame_of_call& here = *static_cast<const frame_of_call*>(context);
    if constexpr (walk == tile_walk::nest)
      if (columns == whole[outer] && rows >= flat_nest<step<P, number>>::block.rows) return by_nest::run(here.fr, nullptr, row, rows);
    for (const index end = row + rows; row < end; ++row) {
      const nest_pointers<loop> p = pointers(here, row, column);
      run_any_length<loop>(p.leaf, p.root, columns);
    }
  }

 public:
  /// Rows of a few registers run many at a time: a loop over one of them would cost more than what it does.
  static constexpr tile_walk walk = [] {
    constexpr index columns = whole[outer];
    constexpr index lanes = step_lanes<loop>;
    if constexpr (!is_static_extent(columns) || columns >= 4 * lanes) return tile_walk::rows;
    else if constexpr (columns == 1) return tile_walk::behind;
    else if constexpr (!any_mixed && !kernel_goes_row_by_row<kernel<P::kind(at::space)>> && by_nest::takes(most_rows))
      return tile_walk::nest;
    else return columns < 2 * lanes ? tile_walk::behind : tile_walk::rows;
  }();
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    if constexpr (walk == tile_walk::behind) {
      if constexpr (is_watched<P>) {
        typename watch<P>::template chunk<Region> watching(true);
        kernel_of<P, at::space>::run_tiled(fr, {});
        watching.step(0);
        run_loop_step<step<P, number>>(fr);
        watching.step(1);
      } else {
        kernel_of<P, at::space>::run_tiled(fr, {});
        run_loop_step<step<P, number>>(fr);
      }
    } else {
      const frame_of_call here(fr);
      kernel_of<P, at::space>::run_tiled(fr, {.run = &run_tile, .context = &here});
    }
  }
};

}  // namespace jig::detail

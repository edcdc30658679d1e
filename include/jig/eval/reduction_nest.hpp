// SPDX-License-Identifier: MIT
#pragma once
// What the lanes of a reduction over any axes of a nest are: places along the last axis that is kept, with short reduced axes inside
// of it unrolled, or what is inside of a long reduced axis, or rows that are reduced whole.

#include <jig/eval/nest_loop.hpp>
#include <jig/eval/reduce.hpp>
#include <jig/ops/reduce.hpp>

namespace jig::detail {

/// What the lanes of a reduction are.
enum class reduction_lanes : unsigned char {
  none,     // the nest is not for it
  kept,     // places along axis `axis`, which is kept
  inside,   // all elements inside of axis `axis`, which is reduced, in some of its rows
  through,  // elements of the last axis, which is reduced as is axis `axis` before it
  row       // elements of the last axis, which is reduced
};

struct reduction_nest {
  reduction_lanes lanes = reduction_lanes::none;
  int axis = 0;
  int rows = 1;  // of a block, where lanes are inside
};

template <class Step>
constexpr unsigned axes_of_step() {
  using P = typename Step::program;
  rule_context c;
  constexpr auto list = attributes_of<P, Step::root(0)>::view();
  c.attributes = list;
  return reduced_axes(c, P::extents(Step::plan.space).rank);
}

/// The longest product of reduced axes that is unrolled inside of a kept one.
inline constexpr index most_components = 16;

template <class Step>
class nest_of_reduction {
  using P = typename Step::program;
  static constexpr index lanes = step_lanes<Step>;

 public:
  static constexpr auto& axes = nest<Step, axes_of_step<Step>()>::axes;

 private:
  static constexpr auto& ordered = nest<Step, axes_of_step<Step>(), nest_order::kept_first>::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr bool knows_strides(int from) {
    for (int o = 0; o < Step::leaves; ++o)
      for (int a = from; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) return false;
    return true;
  }
  // Whether rows along the last axis are runs of memory, or single elements.
  static constexpr bool has_rows() {
    for (int o = 0; o < Step::leaves; ++o)
      if (axes.stride[o][inner] != 1 && !is_same_in_row(o)) return false;
    return true;
  }
  static constexpr bool is_same_in_row(int o) {
    const shape &own = P::extents(Step::node(o)), &space = P::extents(Step::plan.space);
    const int first = axes.last[inner] - axes.count[inner] + 1 - (space.rank - own.rank);
    for (int a = first < 0 ? 0 : first; a < own.rank; ++a)
      if (own[a] != 1) return false;
    return true;
  }
  static constexpr int rows_of_block(index size) {
    index rows = 1;
    while (rows * size % lanes != 0) rows *= 2;
    return static_cast<int>(rows);
  }
  static constexpr bool is_long(int a, index least) { return axes.extent[a] == known_at_call || axes.extent[a] >= least; }

 public:
  static constexpr reduction_nest chosen = []() -> reduction_nest {
    reduction_nest out;
    if (!Step::vectorizable || Step::has_windows || Step::reduced != Step::roots || axes.rank == 0 || body_work<Step> > most_work) return out;
    int kept = inner;
    while (kept >= 0 && axes.reduced[kept]) --kept;
    const index components = axes.size_from(kept + 1);
    if (kept >= 0 && components != known_at_call && components <= most_components && components * body_work<Step> <= most_work && knows_strides(kept)) {
      out = {reduction_lanes::kept, kept};
      // Few places along it, in the rows of a long reduced axis.
      const index size = axes.size_from(kept);
      if (kept > 0 && axes.reduced[kept - 1] && size != known_at_call && size <= 16 * lanes && axes.extent[kept] < 2 * lanes && knows_strides(kept - 1)) {
        const int rows = size > 4 * lanes ? 1 : rows_of_block(size);
        const index used = (rows * size + lanes - 1) / lanes * lanes;
        if (used * Step::roots <= 16 * lanes && used / lanes * body_work<Step> <= most_work && used * 3 <= rows * size * 4 && is_long(kept - 1, 16 * rows)) return {reduction_lanes::inside, kept - 1, rows};
      }
      return out;
    }
    if (!axes.reduced[inner] || !has_rows()) return out;
    // With all axes that are reduced behind those that are kept.
    if (inner > 0 && ordered.reduced[inner > 0 ? inner - 1 : 0] && axes.extent[inner] != known_at_call && knows_strides(0) && axes.extent[inner] <= 8 * lanes / Step::roots)
      return {reduction_lanes::through, inner - 1};
    return {reduction_lanes::row, inner};
  }();
};

}  // namespace jig::detail

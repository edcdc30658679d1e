// SPDX-License-Identifier: MIT
#pragma once
// What the lanes of a reduction over any axes of a nest are: places along the last axis that is kept, with short reduced axes inside
// of it unrolled, or all the elements of a block, or rows that are reduced whole.

#include <jig/eval/block_lanes.hpp>
#include <jig/eval/kept_lanes.hpp>
#include <jig/eval/widening_sum.hpp>
#include <jig/ops/reduce.hpp>

namespace jig::detail {

/// What the lanes of a reduction are.
enum class reduction_lanes : unsigned char {
  none,   // the nest is not for it
  kept,   // places along axis `axis`, which is kept
  block,  // all elements in `rows` places along axis `axis`, which is kept or reduced
  row     // elements of the last axis, which is reduced
};

struct reduction_nest {
  reduction_lanes lanes = reduction_lanes::none;
  int axis = 0;
  int rows = 1;
  double cost = 0;       // of an element
  bool columns = false;  // leaves that are the same along the axis outside of that of the lanes are found once for many of its places
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
/// So many registers hold a block.
inline constexpr int most_registers_folded = 16;

template <class Step>
class nest_of_reduction {
  using P = typename Step::program;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);

 public:
  static constexpr auto& axes = nest<Step, axes_of_step<Step>()>::axes;

 private:
  static constexpr int inner = axes.rank - 1;
  static constexpr int work = expression_work<Step> + Step::roots;
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

  // The cost of an element, in instructions, about. How many there are along an axis that only a call knows, nobody can tell.
  static constexpr double supposed = 256, each_visit = 2;
  static constexpr double extent_of(int a) { return axes.extent[a] == known_at_call ? supposed : static_cast<double>(axes.extent[a]); }
  // How often something inside of an axis is combined with what comes next.
  static constexpr double times_outside(int axis) {
    double n = 1;
    for (int a = 0; a < axis; ++a) n *= axes.reduced[a] ? extent_of(a) : 1;
    return n;
  }
  static constexpr double used_of(double extent, double length) {
    double blocks = 1;
    while (blocks * length < extent) ++blocks;
    return extent / (blocks * length);
  }
  // Whether an earlier component has the same lanes of a leaf. Where only the call knows how many places there are, they may be too few for
  // such lanes, which then cost more than is saved.
  static constexpr bool was_found(int kept, int o, index component) {
    if (axes.extent[kept] == known_at_call) return false;
    const index offset = offset_in_block(axes, kept, o, component);
    for (index c = 0; c < component; ++c)
      if (offset_in_block(axes, kept, o, c) == offset) return true;
    return false;
  }
  static constexpr reduction_nest along_kept(int kept) {
    const index components = axes.size_from(kept + 1);
    if (components == known_at_call || components > most_components || components * expression_work<Step> > most_work ||
        !knows_strides(kept))
      return {};
    double loads = 0;
    constexpr index enough_rows = 8;
    bool columns = false;
    for (int o = 0; kept > 0 && o < Step::leaves; ++o)
      columns = columns || (times_outside(kept) == 1 && is_kept_in_column<Step>(axes, kept, o) &&
                            (axes.extent[kept - 1] == known_at_call || axes.extent[kept - 1] >= enough_rows));
    for (int o = 0; o < Step::leaves; ++o)
      for (int c = 0; c < components; ++c) {
        if ((columns && is_kept_in_column<Step>(axes, kept, o)) || was_found(kept, o, c)) continue;
        const auto map = map_of_component<lanes>(axes, kept, o, c, 0, lanes);
        const auto sources = simd::find_sources(map, simd::lane_sources<lanes>::most);
        const double alone = sources.cost(), moves = components > 1 ? simd::cost_in_two_steps(map, sources) : -1;
        loads += moves >= 0                                                  ? moves + 1
                 : components > 1 && alone > static_cast<double>(components) ? static_cast<double>(components)
                                                                             : alone;
      }
    const double times = times_outside(kept), extent = extent_of(kept), n = static_cast<double>(components);
    const double used = axes.extent[kept] == known_at_call ? 1 : used_of(extent, lanes);
    // Several registers are visited together.
    const double visit = components > 1 || extent <= lanes ? each_visit : extent < 8 * lanes ? each_visit * lanes / extent : each_visit / 8;
    return {reduction_lanes::kept, kept, 1, (times * (loads + n * work + visit) + 2) / (times * n * lanes * used), columns};
  }
  static constexpr reduction_nest along_block(int axis, int rows) {
    const index size = axes.size_from(axis + 1), count = rows * size;
    const int registers = simd::registers_of(count, lanes);
    int loads = 0;
    const bool pairs = axes.reduced[axis] && axis > 0 && axes.reduced[axis - 1] && makes_pairs<Step>(axes, axis, count);
    for (int o = 0; o < Step::leaves; ++o)
      for (index from = 0; from < count && !(pairs && axes.stride[o][axis - 1] == 0); from += lanes)
        loads += simd::find_sources(map_in_block<lanes>(axes, axis, o, count, from)).cost();
    double times = times_outside(axis), used = axes.extent[axis] == known_at_call ? 1 : used_of(extent_of(axis), rows);
    if (axes.reduced[axis]) times *= extent_of(axis) / rows / used;
    const double fold = Step::roots * (simd::cost_of_fold(shape_of_block(axes, axis, rows), lanes) + 1);
    return {reduction_lanes::block, axis, rows,
            (times * (loads + registers * work + each_visit) + fold) / (times * static_cast<double>(count) * used)};
  }
  static constexpr reduction_nest best_block() {
    reduction_nest best;
    for (int axis = inner; axis >= 0 && knows_strides(axis); --axis) {
      const index size = axes.size_from(axis + 1), extent = axes.extent[axis];
      if (size == known_at_call || size > most_registers_folded * lanes) break;
      const bool visited = axes.reduced[axis] || times_outside(axis) > 1;
      const int most = visited && most_registers_folded > simd::registers / 2 ? simd::registers / 2 : most_registers_folded;
      index rows = 1;
      while (rows * size % lanes != 0) rows *= 2;
      for (bool more = true; more; rows *= 2) {
        if (extent != known_at_call && rows >= extent) {
          rows = extent;
          more = false;
        }
        const int registers = simd::registers_of(rows * size, lanes);
        if (registers * Step::roots > most || registers * expression_work<Step> > most_work) break;
        const reduction_nest next = along_block(axis, static_cast<int>(rows));
        // What is more to compile has to be worth it. Moves in two steps take long, and fewer blocks at a time hide less of it.
        constexpr double worth_it = simd::detail::has_two_step_moves ? .92 : .85;
        if (best.lanes == reduction_lanes::none || next.cost < worth_it * best.cost) best = next;
      }
    }
    return best;
  }

 public:
  static constexpr reduction_nest chosen = []() -> reduction_nest {
    if (axes.is_empty() || !Step::vectorizable || Step::has_padded_reads || Step::reduced != Step::roots || axes.rank == 0 ||
        expression_work<Step> > most_work)
      return {};
    int last_kept = inner;
    while (last_kept >= 0 && axes.reduced[last_kept]) --last_kept;
    const bool rows = axes.reduced[inner] && has_rows();
    // Long rows either way.
    constexpr index enough = most_registers_folded * lanes;
    const bool is_long = axes.extent[inner] == known_at_call || axes.extent[inner] > enough;
    constexpr index row = inner < 0 ? 0 : axes.extent[inner];
    if ((is_long || adds_narrow_rows<Step, row>) && rows) return {reduction_lanes::row, inner};
    const reduction_nest kept = last_kept < 0 ? reduction_nest{} : along_kept(last_kept);
    // What lies apart is brought together.
    if (is_long && !(axes.reduced[inner] && !rows)) return kept;
    const reduction_nest block = best_block();
    // Blocks are for any number of places.
    const bool is_short = last_kept >= 0 && last_kept < inner;
    reduction_nest best =
        kept.lanes == reduction_lanes::none || (block.lanes != reduction_lanes::none && block.cost < (is_short ? 1.2 : 1) * kept.cost)
            ? block
            : kept;
    if (rows) {
      // Rows beside one another are brought together as one, where the rest of each costs no more than a register full.
      const bool bundled = simd::cheap_parts && inner > 0 && !axes.reduced[inner > 0 ? inner - 1 : 0];
      const double n = static_cast<double>(axes.extent[inner]),
                   cost = (simd::registers_of(axes.extent[inner], lanes) * (work + 1.) + (bundled ? 5 : 16) * Step::roots) / n;
      if (best.lanes == reduction_lanes::none || cost < best.cost) best = {reduction_lanes::row, inner, 1, cost};
    }
    return best;
  }();
};

}  // namespace jig::detail

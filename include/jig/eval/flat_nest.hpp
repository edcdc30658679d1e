// SPDX-License-Identifier: MIT
#pragma once
// How the innermost axes of a nest are cut into blocks of registers.

#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_map.hpp>
#include <jig/eval/lane_network.hpp>
#include <jig/eval/twin_leaves.hpp>

namespace jig::detail {

/// What the lanes of a block are: some rows along axis `axis` of a nest, with all along the axes inside of it.
struct flat_block {
  int axis = -1;  // -1: the block is all of the space
  int rows = 1;
  int registers = 0;  // 0: there is no such block
  double cost = 0;    // of an element
};

// Where element e of a block lies in the memory of operand o.
template <int Operands>
constexpr index offset_in_block(const nest_shape<Operands>& axes, int axis, int o, index e) {
  index at = 0;
  for (int a = axes.rank - 1; a > axis; --a) {
    at += e % axes.extent[a] * axes.stride[o][a];
    e /= axes.extent[a];
  }
  return axis < 0 ? at : at + e * axes.stride[o][axis];
}

/// How many elements there are in memory before the first one of a block and behind its last one, in the same rows, where more is seen of
/// these rows than a leaf: what views of the same memory read begins in the same place then.
template <int Operands>
constexpr std::pair<index, index> around_block(const nest_shape<Operands>& axes, int axis, int o) {
  const index row = axis < 0 ? 0 : axes.stride[o][axis];
  if (axes.whole[o] == 0 || row <= 1 || axes.whole[o] % row != 0) return {};
  // What only a call knows is a multiple of a run: else it would not be known where the leaf begins.
  for (int a = 0; a < axis; ++a)
    if (const index stride = axes.stride[o][a]; stride != known_at_call && (stride < 0 || stride % row != 0)) return {};
  index reach = axes.offset[o] % row;
  for (int a = axis + 1; a < axes.rank; ++a) {
    if (axes.stride[o][a] < 0) return {};
    reach += (axes.extent[a] - 1) * axes.stride[o][a];
  }
  if (reach >= row) return {};
  return {axes.offset[o] % row, row - 1 - reach};
}

// The lanes of one register of a block of `count` elements, which are whole rows. Those behind the last element repeat it.
template <int Lanes, int Operands>
constexpr simd::lane_map<Lanes> map_in_block(const nest_shape<Operands>& axes, int axis, int o, index count, index from) {
  simd::lane_map<Lanes> map;
  index rows = count;
  const auto reach = [&](index extent, index stride) { (stride < 0 ? map.first : map.last) += (extent - 1) * stride; };
  for (int a = axes.rank - 1; a > axis; --a) {
    reach(axes.extent[a], axes.stride[o][a]);
    rows /= axes.extent[a];
  }
  if (axis >= 0) reach(rows, axes.stride[o][axis]);
  const auto [before, behind] = around_block(axes, axis, o);
  map.first -= before;
  map.last += behind;
  for (int l = 0; l < Lanes; ++l) map.at[l] = offset_in_block(axes, axis, o, from + l < count ? from + l : count - 1);
  return map;
}

/// So many rows are held in registers to be taken by turns.
inline constexpr index most_interleaved = 16;

/// Whether the registers of an operand in a block are rows of memory by turns: the elements of each lie along the axis of the block, in
/// as many rows as a register has lanes.
template <int Operands>
constexpr bool is_interleaved(const nest_shape<Operands>& axes, int axis, int o, index rows, int lanes) {
  const int inner = axes.rank - 1;
  const index n = inner < 0 ? 0 : axes.extent[inner];
  return axis >= 0 && axis == inner - 1 && rows == lanes && axes.stride[o][axis] == 1 && n > 1 && n <= most_interleaved && n <= lanes &&
         axes.stride[o][inner] != 0 && axes.stride[o][inner] != 1;
}

// What it costs to find the registers of an operand in a block each by itself, and whether some of them come from more than two.
struct registers_alone {
  int cost = 0, moves = 0;  // with loads, and without those that another leaf has made
  bool many = false;
};
template <int Lanes, int Operands>
constexpr registers_alone find_alone(const nest_shape<Operands>& axes, int axis, int o, index count) {
  registers_alone out;
  for (index from = 0; from < count; from += Lanes) {
    const auto sources = simd::find_sources(map_in_block<Lanes>(axes, axis, o, count, from), simd::lane_sources<Lanes>::most);
    out.cost += sources.cost();
    out.moves += sources.cost_of_moves();
    out.many = out.many || sources.count > 2;
  }
  return out;
}
/// The moves that find all registers of an operand in a block of `count` elements together, where that takes fewer of them.
template <int Registers, int Lanes, int Operands>
constexpr simd::lane_network<Registers, Lanes> network_of_block(const nest_shape<Operands>& axes, int axis, int o, index count) {
  if (count != index{Registers} * Lanes) return {};
  const registers_alone alone = find_alone<Lanes>(axes, axis, o, count);
  if (!alone.many) return {};
  const auto all = simd::find_network<Registers, Lanes>([&](int r) { return map_in_block<Lanes>(axes, axis, o, count, index{r} * Lanes); });
  return all.cost() + Registers < alone.cost ? all : simd::lane_network<Registers, Lanes>();
}

/// Registers of a block that are computed before the first one is stored.
inline constexpr int most_registers_of_block = 16;
/// So many registers of operands are found once for all blocks. More of them would take those that blocks are computed in.
inline constexpr int most_kept_registers = simd::registers / 2;

// Whether the registers of a leaf are the same in every block of so many, and are found once for all of them.
template <class Step>
constexpr bool is_kept(const nest_shape<Step::leaves + Step::roots>& axes, int axis, int leaf, int registers) {
  int kept = 0;
  for (int l = 0; l <= leaf; ++l) {
    const bool same = axis >= 0 && !Step::table.invariant[l] && axes.stride[l][axis < 0 ? 0 : axis] == 0;
    if (l == leaf) return same && kept + registers <= most_kept_registers;
    if (same) kept += registers;
  }
  return false;
}

/// Whether a nest pairs places along an axis with places along the one outside of it: every leaf moves along one of them only. Registers
/// that are made of several are found once for some places along the axis outside then.
template <class Step>
constexpr bool makes_pairs(const nest_shape<Step::leaves + Step::roots>& axes, int axis, index count) {
  constexpr int lanes = static_cast<int>(step_lanes<Step>);
  constexpr index enough = 8;
  if (axis < 1 || (axes.extent[axis - 1] != known_at_call && axes.extent[axis - 1] < enough)) return false;
  bool many = false;
  for (int l = 0; l < Step::leaves; ++l) {
    bool inside = false;
    for (int a = axis; a < axes.rank; ++a) inside = inside || axes.stride[l][a] != 0;
    if (inside && axes.stride[l][axis - 1] != 0) return false;
    many = many || (inside && find_alone<lanes>(axes, axis, l, count).cost > (count + lanes - 1) / lanes);
  }
  return many;
}
/// The axis along which registers of leaves are kept.
template <class Step>
constexpr int axis_of_kept(const nest_shape<Step::leaves + Step::roots>& axes, int axis, index count) {
  return makes_pairs<Step>(axes, axis, count) ? axis - 1 : axis;
}

// Whether an entry fills the registers of its step.
template <class Step>
constexpr bool is_in_full_registers(int entry) {
  const dtype d = Step::table.type[entry];
  return is_number(d) && !is_storage(d) && size_of(d) == size_of(Step::lead);
}

template <class Step>
class flat_nest {
  using P = typename Step::program;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);
  static constexpr auto& axes = nest<Step, 0>::axes;

  static constexpr bool knows_strides(int from) {
    for (int o = 0; o < Step::leaves; ++o)
      for (int a = from < 0 ? 0 : from; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) return false;
    return true;
  }
  // Whether the results in so many rows along an axis, of so many elements, are one run of memory.
  static constexpr bool stores_one_run(int axis, index rows, index size) {
    for (int o = Step::leaves; o < Step::leaves + Step::roots; ++o) {
      if (rows > 1 && axes.stride[o][axis] != size) return false;
      index run = 1;
      for (int a = axes.rank - 1; a > axis; run *= axes.extent[a--])
        if (axes.stride[o][a] != run) return false;
    }
    return true;
  }
  template <int... L>
  static constexpr bool has_twin(int leaf, std::integer_sequence<int, L...>) {
    return ((L == leaf && twin_of_leaf<Step, nest<Step, 0>, any_axis, L> != L) || ...);
  }
  static constexpr int cost_of_operand(int axis, int o, index count) {
    const registers_alone alone = find_alone<lanes>(axes, axis, o, count);
    if (has_twin(o, std::make_integer_sequence<int, Step::leaves>())) return alone.moves;
    if (!alone.many || !is_in_full_registers<Step>(o)) return alone.cost;
    const auto together = [&]<int Registers>(std::integral_constant<int, Registers>) {
      const auto network = network_of_block<Registers, lanes>(axes, axis, o, count);
      return network.rounds > 0 ? Registers + network.cost() : 0;
    };
    const int cost = together(std::integral_constant<int, 4>()) + together(std::integral_constant<int, 8>()) +
                     together(std::integral_constant<int, 16>());
    return cost > 0 ? cost : alone.cost;
  }
  static constexpr int cost_of(int axis, index rows, index count) {
    int cost = 0;
    const int kept = axis_of_kept<Step>(axes, axis, count);
    for (int o = 0; o < Step::leaves; ++o)
      if (is_kept<Step>(axes, kept, o, static_cast<int>((count + lanes - 1) / lanes))) continue;
      else if (is_interleaved(axes, axis, o, rows, lanes) && is_in_full_registers<Step>(o))
        cost += static_cast<int>(axes.extent[axes.rank - 1]) + simd::moves_of_interleaving(static_cast<int>(axes.extent[axes.rank - 1]));
      else cost += cost_of_operand(axis, o, count);
    return cost;
  }
  // How often an element is computed: the last block of an axis overlaps with that before it.
  static constexpr double repeated(int axis, index rows) {
    const index n = axis < 0 ? rows : axes.extent[axis];
    return n == known_at_call ? 1 : static_cast<double>((n + rows - 1) / rows * rows) / static_cast<double>(n);
  }
  static constexpr flat_block choose() {
    flat_block best;
    for (int axis = axes.rank - 1; axis >= -1; --axis) {
      const index size = axis + 1 < axes.rank ? axes.size_from(axis + 1) : 1;
      if (size == known_at_call || size > most_registers_of_block * lanes || !knows_strides(axis)) break;
      if (!stores_one_run(axis, 1, size)) break;
      const bool rows_are_one_run = axis >= 0 && stores_one_run(axis, 2, size);
      index rows = 1;
      while (rows_are_one_run && rows * size % lanes != 0) rows *= 2;
      for (bool fits = true; fits && (rows * size + lanes - 1) / lanes <= most_registers_of_block; rows *= 2) {
        fits = rows_are_one_run && (axes.extent[axis] == known_at_call || rows <= axes.extent[axis]);
        const index used = !rows_are_one_run ? 1 : fits ? rows : axes.extent[axis], elements = used * size;
        const int registers = static_cast<int>((elements + lanes - 1) / lanes), leaves = cost_of(axis, used, elements);
        const double cost = (leaves + 2. * registers) / static_cast<double>(elements) * repeated(axis, used);
        if (best.registers == 0 || cost < best.cost) best = {axis, static_cast<int>(used), registers, cost};
        if (elements % lanes == 0 && leaves <= 2 * registers * Step::leaves && repeated(axis, used) < 1.125) return best;
      }
    }
    return best;
  }

 public:
  /// The block of the nest. A body is in the program for every register of it.
  static constexpr flat_block block = [] {
    if (!Step::vectorizable || Step::has_padded_reads || axes.rank == 0 || axes.is_empty()) return flat_block{};
    flat_block b = choose();
    if (b.registers > 1 && b.registers * expression_work<Step> > most_work) b.registers = 0;
    return b;
  }();
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Elementwise steps whose operands lie in different ways: broadcast, strided, reversed, transposed, with short axes. The innermost
// axes of the results are one run of memory, which is cut into blocks of registers; how each register of each operand is found is the
// same for all blocks and known at compile time.

#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_map.hpp>
#include <jig/eval/nest.hpp>

namespace jig::detail {

/// What the lanes of a block are: some rows along axis `axis` of a nest, with all along the axes inside of it.
struct flat_block {
  int axis = -1;       // -1: the block is all of the space
  int rows = 1;
  int registers = 0;   // 0: there is no such block
  double cost = 0;     // of an element
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

// The lanes of one register of a block of `count` elements. Those behind the last element repeat it.
template <int Lanes, int Operands>
constexpr simd::lane_map<Lanes> map_in_block(const nest_shape<Operands>& axes, int axis, int o, index count, index from) {
  simd::lane_map<Lanes> map;
  for (index e = 0; e < count; ++e) {
    const index at = offset_in_block(axes, axis, o, e);
    if (e == 0 || at < map.first) map.first = at;
    if (e == 0 || at > map.last) map.last = at;
  }
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

/// Registers of a block that are computed before the first one is stored.
inline constexpr int most_registers_of_block = 16;

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
  static constexpr int cost_of(int axis, index rows, index count) {
    int cost = 0;
    for (int o = 0; o < Step::leaves; ++o)
      if (is_interleaved(axes, axis, o, rows, lanes) && is_in_full_registers<Step>(o)) cost += static_cast<int>(axes.extent[axes.rank - 1]) + simd::moves_of_interleaving(static_cast<int>(axes.extent[axes.rank - 1]));
      else for (index from = 0; from < count; from += lanes) cost += simd::find_sources(map_in_block<lanes>(axes, axis, o, count, from)).cost();
    return cost;
  }
  static constexpr flat_block choose() {
    flat_block best;
    for (int axis = axes.rank - 1; axis >= -1; --axis) {
      const index size = axis + 1 < axes.rank ? axes.size_from(axis + 1) : 1;
      if (size == known_at_call || size > most_registers_of_block * lanes || !knows_strides(axis)) break;
      index rows = 1;
      while (axis >= 0 && rows * size % lanes != 0) rows *= 2;
      for (bool fits = true; fits && (rows * size + lanes - 1) / lanes <= most_registers_of_block; rows *= 2) {
        fits = axis >= 0 && (axes.extent[axis] == known_at_call || rows <= axes.extent[axis]);
        const index used = axis < 0 ? 1 : fits ? rows : axes.extent[axis], elements = used * size;
        const int registers = static_cast<int>((elements + lanes - 1) / lanes), leaves = cost_of(axis, used, elements);
        const double cost = (leaves + 2. * registers) / static_cast<double>(elements);
        if (best.registers == 0 || cost < best.cost) best = {axis, static_cast<int>(used), registers, cost};
        if (elements % lanes == 0 && leaves <= 2 * registers * Step::leaves) return best;
      }
    }
    return best;
  }

 public:
  /// The block of the nest. A body is in the program for every register of it.
  static constexpr flat_block block = [] {
    if (!Step::vectorizable || Step::has_windows || !has_dense_roots<Step> || axes.rank == 0 || axes.size_from(0) == 0) return flat_block{};
    flat_block b = choose();
    if (b.registers > 1 && b.registers * body_work<Step> > most_work) b.registers = 0;
    return b;
  }();
};

// T in a register of a step.
template <class T, class Lead, class N>
[[gnu::always_inline]] inline auto to_register(const N& x) {
  using R = typename register_type<T, Lead, true>::type;
  if constexpr (!std::is_same_v<T, bool> && !is_storage_float<T> && sizeof(R) == sizeof(N)) {
    return R(std::bit_cast<typename R::register_type>(x));
  } else {
    alignas(alignment) T at[static_cast<std::size_t>(simd::lanes<Lead>)];
    std::memcpy(static_cast<void*>(at), &x, sizeof(at));
    return fill<T, Lead>(at);
  }
}
// What lanes of T are moved as.
template <class T>
using moved_as = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, std::conditional_t<is_storage_float<T>, std::uint16_t, T>>;

// The registers of an operand in a block that are found together.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct interleaved_leaf {
  using T = type_of<Step::table.type[Entry]>;
  static constexpr int n = static_cast<int>(Axes::axes.extent[Axes::axes.rank - 1]);
  simd::batch<T> at[static_cast<std::size_t>(n)];
  [[gnu::always_inline]] explicit interleaved_leaf(const nest_pointers<Step>& p) {
    const T* from = static_cast<const T*>(p.leaf[Entry]);
#pragma GCC unroll 32
    for (int c = 0; c < n; ++c) at[c] = simd::load(from + c * Axes::axes.stride[Entry][Axes::axes.rank - 1]);
    simd::interleave_groups<n>(at);
  }
};
template <int Entry>
struct leaf_by_itself {
  template <class Pointers>
  [[gnu::always_inline]] explicit leaf_by_itself(const Pointers&) {}
};
template <class Step, class Axes, int Axis, int Rows, int L>
inline constexpr bool is_found_together = !Step::table.invariant[L] && is_in_full_registers<Step>(L) &&
                                          is_interleaved(Axes::axes, Axis, L, Rows, static_cast<int>(step_lanes<Step>));
template <class Step, class Axes, int Axis, int Rows, int L>
using leaf_of_block =
    typename std::conditional_t<is_found_together<Step, Axes, Axis, Rows, L>, std::type_identity<interleaved_leaf<Step, Axes, Axis, Rows, L>>,
                                std::type_identity<leaf_by_itself<L>>>::type;
template <class Step, class Axes, int Axis, int Rows, class Leaves = std::make_integer_sequence<int, Step::leaves>>
struct leaves_of_block;
template <class Step, class Axes, int Axis, int Rows, int... L>
struct leaves_of_block<Step, Axes, Axis, Rows, std::integer_sequence<int, L...>> : leaf_of_block<Step, Axes, Axis, Rows, L>... {
  [[gnu::always_inline]] explicit leaves_of_block(const nest_pointers<Step>& p) : leaf_of_block<Step, Axes, Axis, Rows, L>(p)... {}
};

// The register of an entry whose lanes Map::map tells.
template <class Step, int Entry, class Map>
[[gnu::always_inline]] inline auto load_entry(const void* from) {
  using T = type_of<Step::table.type[Entry]>;
  return to_register<T, typename Step::lead_type>(simd::load_mapped<Map, static_cast<int>(step_lanes<Step>)>(static_cast<const moved_as<T>*>(from)));
}

/// Reads register Q of a block with this many rows.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct flat_reader : nest_reader<Step> {
  using nest_reader<Step>::nest_reader;

  template <int Entry>
  struct lanes_of {
    static constexpr int lanes = static_cast<int>(step_lanes<Step>);
    static constexpr index size = Axis + 1 < Axes::axes.rank ? Axes::axes.size_from(Axis + 1) : 1;
    static constexpr simd::lane_map<lanes> map = map_in_block<lanes>(Axes::axes, Axis, Entry, Rows * size, Q * lanes);
  };
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    return load_entry<Step, Entry, lanes_of<Entry>>(this->at.leaf[Entry]);
  }
};

// The same with leaves of which all registers have been found together.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct block_reader : flat_reader<Step, Axes, Axis, Rows, Q> {
  const leaves_of_block<Step, Axes, Axis, Rows>& together;

  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    if constexpr (is_found_together<Step, Axes, Axis, Rows, Entry>) return static_cast<const interleaved_leaf<Step, Axes, Axis, Rows, Entry>&>(together).at[Q];
    else return flat_reader<Step, Axes, Axis, Rows, Q>::template read<Entry>();
  }
};

// Stores the first Count elements of a register.
template <class Step, int R, index Count>
[[gnu::always_inline]] inline void store_count(registers<Step, true>& r, void* to, index i) {
  using T = root_type<Step, R>;
  if constexpr (Count >= step_lanes<Step>) store_root<Step, true, R>(r, to, i);
  else spill_first<T, typename Step::lead_type>(static_cast<T*>(to) + i, r.template get<Step::stored_entry(R)>(), Count);
}

/// The loops of an elementwise step. Its rows begin with axis Outer of the space.
template <class Step, class Axes, int Axis, int Rows>
class nest_loop {
  using P = typename Step::program;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>;
  static constexpr index size = Axis + 1 < axes.rank ? axes.size_from(Axis + 1) : 1;
  const Axes& extents_;

  template <int A>
  [[gnu::always_inline]] void move(nest_pointers<Step>& p, index i) const {
    nest_walk<Step, Axes>::template move<A>(extents_, p, i);
  }

  // All registers of a block are computed before the first one is stored.
  struct block_registers {
    registers<Step, true> at[static_cast<std::size_t>((Rows * size + lanes - 1) / lanes)];
  };
  static constexpr std::make_integer_sequence<int, static_cast<int>((Rows * size + lanes - 1) / lanes)> numbers{};
  template <int... Q>
  [[gnu::always_inline]] static block_registers compute(const registers<Step, true>& invariant, const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    block_registers r{{((void)Q, invariant)...}};
    const leaves_of_block<Step, Axes, Axis, Rows> together(p);
    (evaluate_body<Step, true, false>(r.at[Q], block_reader<Step, Axes, Axis, Rows, Q>{{p}, together}), ...);
    return r;
  }
  template <int... Q>
  [[gnu::always_inline]] static void store(block_registers& r, const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    (store_register<Rows * size - Q * lanes>(r.at[Q], p, Q * lanes, root_numbers<Step>()), ...);
  }
  template <index Count, int... R>
  [[gnu::always_inline]] static void store_register(registers<Step, true>& r, const nest_pointers<Step>& p, index i, std::integer_sequence<int, R...>) {
    (store_count<Step, R, Count>(r, p.root[R], i), ...);
  }
  [[gnu::always_inline]] static void run_block(const registers<Step, true>& invariant, const nest_pointers<Step>& p) {
    block_registers r = compute(invariant, p, numbers);
    store(r, p, numbers);
  }
  // At least as many rows as a block has. The last block may overlap with that before it: it is computed first and stored last, so
  // results may lie on top of leaves.
  [[gnu::always_inline]] void run_rows(nest_pointers<Step> p, index n) const {
    registers<Step, true> invariant;
    evaluate_body<Step, true, true>(invariant, p.leaf, 0);
    if constexpr (Axis < 0 || axes.extent[Axis < 0 ? 0 : Axis] == Rows) {
      run_block(invariant, p);
    } else if constexpr (Rows == 1) {
      for (; n > 0; --n) {
        run_block(invariant, p);
        move<Axis>(p, 1);
      }
    } else {
      nest_pointers<Step> end = p;
      move<Axis>(end, n - Rows);
      const bool rest = n % Rows != 0;
      block_registers last;
      if (rest) last = compute(invariant, end, numbers);
      for (; n >= Rows; n -= Rows) {
        run_block(invariant, p);
        move<Axis>(p, Rows);
      }
      if (rest) store(last, end, numbers);
    }
  }
  template <int A>
  [[gnu::always_inline]] void run_axis(nest_pointers<Step> p, index n) const {
    if constexpr (A >= Axis) {
      run_rows(p, n);
    } else {
      for (index i = 0; i < n; ++i) {
        run_axis<A + 1>(p, extents_.template extent<A + 1>());
        move<A>(p, 1);
      }
    }
  }

 public:
  [[gnu::always_inline]] explicit nest_loop(const Axes& extents) : extents_(extents) {}
  /// From these places on, `n` of them along the first axis.
  [[gnu::always_inline]] void run(const nest_pointers<Step>& p, index n) const { run_axis<0>(p, n); }
  /// Parts of the first axis, which threads share.
  [[gnu::noinline, gnu::cold]] static void share(Axes extents, nest_pointers<Step> p) {
    const index n = extents.template extent<0>(), others = extents.size() / (n == 0 ? 1 : n);
    const index least = others < shared_length ? shared_length / (others == 0 ? 1 : others) : 1;
    share_blocks(n, (least + Rows - 1) / Rows * Rows, [&](index first, index length) {
      const nest_loop loop(extents);
      nest_pointers<Step> part = p;
      loop.template move<0>(part, first);
      loop.run(part, length);
    });
  }
};

/// Whether leaves that may broadcast, as far as is known before a call, run along with the axes of their step in this one.
template <class Step>
[[gnu::always_inline]] inline bool walks_as_planned(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  return [&]<int... L>(std::integer_sequence<int, L...>) {
    return ([&] {
      constexpr shape own = P::extents(Step::node(L)), space = P::extents(Step::plan.space);
      bool same = true;
      for (int a = 0; a < own.rank; ++a) {
        const index there = space[a + space.rank - own.rank];
        if (own[a] != 1 && own[a] != there) same = same && fr(own[a]) == fr(there);
      }
      return same;
    }() && ...);
  }(std::make_integer_sequence<int, Step::leaves>());
}

/// Whether they do so in every call.
template <class Step>
inline constexpr bool always_walks_as_planned = [] {
  using P = typename Step::program;
  const shape& space = P::extents(Step::plan.space);
  for (int l = 0; l < Step::leaves; ++l) {
    const shape& own = P::extents(Step::node(l));
    for (int a = 0; a < own.rank; ++a)
      if (own[a] != 1 && own[a] != space[a + space.rank - own.rank]) return false;
  }
  return true;
}();

/// Whether there are as many places along an axis of its nest as a step needs, which may depend on the call.
template <class Step, int Axis, index Least>
[[gnu::always_inline]] inline bool is_as_long(const frame<typename Step::program>& fr, const auto& axes) {
  if (Axis < 0 || axes.extent[Axis < 0 ? 0 : Axis] != known_at_call) return true;
  index n = 1;
  for (int a = axes.last[Axis] - axes.count[Axis] + 1; a <= axes.last[Axis]; ++a) n *= fr(Step::program::extents(Step::plan.space)[a]);
  return n >= Least;
}
/// Whether an elementwise step that has a block runs by its nest in this call.
template <class Step>
[[gnu::always_inline]] inline bool runs_by_nest(const frame<typename Step::program>& fr) {
  constexpr flat_block block = flat_nest<Step>::block;
  return is_as_long<Step, block.axis, block.rows>(fr, nest<Step, 0>::axes) && walks_as_planned<Step>(fr);
}

template <class Step>
inline constexpr bool always_runs_by_nest = [] {
  constexpr int axis = flat_nest<Step>::block.axis;
  return (axis < 0 || nest<Step, 0>::axes.extent[axis < 0 ? 0 : axis] != known_at_call) && always_walks_as_planned<Step>;
}();

/// An elementwise step that runs by its nest.
template <class Step>
struct loop_of_nest {
  using P = typename Step::program;
  static constexpr flat_block block = flat_nest<Step>::block;
  static constexpr auto& axes = nest<Step, 0>::axes;
  // What is the same all along the rows is computed once for all of them.
  static constexpr int outer = block.axis <= 0 ? 0 : axes.last[block.axis] - axes.count[block.axis] + 1;
  using rows = step<P, Step::number, outer>;
  using Axes = nest_extents<Step, 0>;
  using loop = nest_loop<rows, Axes, block.axis, block.rows>;

  /// Runs it from these places on, `n` of them along the first axis.
  [[gnu::always_inline]] static void run_part(const Axes& extents, const nest_pointers<rows>& p, index n) { loop(extents).run(p, n); }
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    const Axes extents(fr);
    const nest_pointers<rows> p = pointers_of<rows>(dense_pointers<Step>(fr));
    if constexpr (block.axis >= 0 && (axes.size_from(0) == known_at_call || axes.size_from(0) >= 2 * shared_length))
      if (is_shared(extents.size())) [[unlikely]] return loop::share(extents, p);
    run_part(extents, p, extents.template extent<0>());
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Reductions with lanes along all the elements of a block, as they lie in memory.

#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>

namespace jig::detail {

/// A block of some rows along an axis of a nest, with all that is inside.
template <int Operands>
constexpr simd::block_shape shape_of_block(const nest_shape<Operands>& axes, int axis, index rows) {
  simd::block_shape out;
  for (int a = axis; a < axes.rank; ++a) {
    out.extent[out.rank] = a == axis ? rows : axes.extent[a];
    out.reduced[out.rank++] = axes.reduced[a];
  }
  return out;
}

// A leaf in a part of a block: how its rows lie. Where they do not all begin at the same place, what is behind the last one is not read.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct leaf_of_part {
  using T = moved_as<type_of<Step::table.type[Entry]>>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);
  static constexpr index stride = axes.stride[Entry][Axis], size = axes.size_from(Axis + 1);
  static constexpr auto row = map_in_block<lanes>(axes, Axis, Entry, size, 0);
  static constexpr bool in_full = Step::table.invariant[Entry] || stride == 0;
  static constexpr index elements(index rows) { return (rows - 1) * stride + row.last + 1; }
  // Whether it can be read so, which goes by whole registers.
  static constexpr bool possible = in_full || [] {
    bool can = stride > 0 && row.first >= 0 && sizeof(T) * static_cast<std::size_t>(lanes) >= 16;
    for (int q = 0; q < simd::registers_of(Rows * size, lanes); ++q)
      can = can && simd::can_be_read_in_part(map_in_block<lanes>(axes, Axis, Entry, Rows * size, q * lanes));
    return can;
  }();
};
/// Reads register Q of the first `rows` rows of a block. Lanes of the others mean nothing.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct part_reader : flat_reader<Step, Axes, Axis, Rows, Q> {
  using whole = flat_reader<Step, Axes, Axis, Rows, Q>;
  index rows;

  [[gnu::always_inline]] part_reader(const nest_pointers<Step>& p, index n) : whole{p}, rows(n) {}
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using leaf = leaf_of_part<Step, Axes, Axis, Rows, Entry>;
    if constexpr (leaf::in_full) {
      return whole::template read<Entry>();
    } else {
      using map = typename whole::template lanes_of<Entry>;
      const auto x = simd::load_mapped_first<map, leaf::lanes>(
          static_cast<const typename leaf::T*>(leaf_pointer<Step, Axes, Entry>(this->at)), leaf::elements(rows));
      return to_register<type_of<Step::table.type[Entry]>, typename Step::lead_type>(x);
    }
  }
};

// The registers of a leaf that lies the same in all blocks along a kept axis. Reading it takes moves: it is read once.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct held_leaf {
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);
  static constexpr int count = simd::registers_of(Rows * Axes::axes.size_from(Axis + 1), lanes);
  static constexpr bool is_held = Axes::axes.stride[Entry][Axis] == 0 && !Step::table.invariant[Entry] && [] {
    for (int q = 0; q < count; ++q)
      if (simd::find_sources(map_in_block<lanes>(Axes::axes, Axis, Entry, Rows * Axes::axes.size_from(Axis + 1), q * lanes)).cost() > 1)
        return true;
    return false;
  }();
  struct nothing {};
  template <int Q = 0>
  [[gnu::always_inline]] static auto read(const nest_pointers<Step>& p) {
    if constexpr (is_held) return flat_reader<Step, Axes, Axis, Rows, Q>{p}.template read<Entry>();
    else return nothing();
  }
  decltype(read(std::declval<const nest_pointers<Step>&>())) at[is_held ? array_bound(count) : 1];

  [[gnu::always_inline]] explicit held_leaf(const nest_pointers<Step>& p)
      : held_leaf(p, std::make_integer_sequence<int, is_held ? count : 1>()) {}
  template <int... Q>
  [[gnu::always_inline]] held_leaf(const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) : at{read<Q>(p)...} {}
};
template <class Step, class Axes, int Axis, int Rows, class Leaves = std::make_integer_sequence<int, Step::leaves>>
struct held_leaves;
template <class Step, class Axes, int Axis, int Rows, int... L>
struct held_leaves<Step, Axes, Axis, Rows, std::integer_sequence<int, L...>> : held_leaf<Step, Axes, Axis, Rows, L>... {
  [[gnu::always_inline]] explicit held_leaves(const nest_pointers<Step>& p) : held_leaf<Step, Axes, Axis, Rows, L>(p)... {}
};
/// Reads register Q of a block whose leaves may be held.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct held_reader : flat_reader<Step, Axes, Axis, Rows, Q> {
  const held_leaves<Step, Axes, Axis, Rows>& held;

  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using leaf = held_leaf<Step, Axes, Axis, Rows, Entry>;
    if constexpr (leaf::is_held) return static_cast<const leaf&>(held).at[Q];
    else return flat_reader<Step, Axes, Axis, Rows, Q>::template read<Entry>();
  }
};

/// Lanes are the elements of `Rows` rows along axis `Axis`, which may be kept or reduced, with all that is inside. What is reduced around
/// them is combined place by place; in the end what belongs to one element of a root.
template <class Step, class Axes, int Axis, int Rows>
class block_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>, size = axes.size_from(Axis + 1);
  static constexpr bool is_kept = !axes.reduced[Axis];
  static constexpr int axis_of_rows = walk::last_reduced(Axis);
  static constexpr bool in_pairs = !is_kept && axis_of_rows == Axis - 1 && makes_pairs<Step>(axes, Axis, Rows* size);
  template <int Now>
  using numbers = std::make_integer_sequence<int, simd::registers_of((Now * size), static_cast<int>(lanes))>;
  using totals = all_lane_totals<Step, simd::registers_of((Rows * size), static_cast<int>(lanes))>;
  struct block {
    static constexpr simd::block_shape shape = shape_of_block(axes, Axis, Rows);
  };

  // Of a part of a block the other lanes change nothing.
  template <int Now, int... Q>
  [[gnu::always_inline]] static void add_block(totals& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                               std::integer_sequence<int, Q...>) {
    constexpr index whole = Now == Rows ? (Rows * size + lanes - 1) / lanes * lanes : Now * size;
    (
        [&]() __attribute__((always_inline)) {
          evaluate_expression<Step, true, false>(r, flat_reader<Step, Axes, Axis, Now, Q>{p});
          t.template add<(whole - Q * lanes < lanes ? whole - Q * lanes : lanes)>(Q, r);
        }(),
        ...);
  }
  // Rows along a reduced axis.
  [[gnu::always_inline]] static void add_rows(const Axes& e, totals& t, registers<Step, true>& r, nest_pointers<Step> p, bool& first) {
    constexpr index extent = axes.extent[Axis], rest = extent == known_at_call ? 0 : extent % Rows;
    for (index left = e.template extent<Axis>(); left > 0;) {
      t.start();
      for (index k = 0; k < longest_sum<Step> && left >= Rows; ++k, left -= Rows) {
        add_block<Rows>(t, r, p, numbers<Rows>());
        walk::template move<Axis>(e, p, Rows);
      }
      if constexpr (rest > 0) {
        if (left == rest) {
          add_block<static_cast<int>(rest)>(t, r, p, numbers<static_cast<int>(rest)>());
          left = 0;
        }
      } else if constexpr (extent == known_at_call && Rows > 1) {
        for (; left > 0 && left < Rows; --left) {
          add_block<1>(t, r, p, numbers<1>());
          walk::template move<Axis>(e, p, 1);
        }
      }
      t.close(first);
      first = false;
    }
  }
  // Rows along a reduced axis, each block of them at all places along the reduced axis outside.
  [[gnu::always_inline]] static void add_pairs(const Axes& e, totals& t, registers<Step, true>& r, nest_pointers<Step> p, bool& first) {
    constexpr index extent = axes.extent[Axis], rest = extent == known_at_call ? 1 : extent % Rows;
    index left = e.template extent<Axis>();
    for (; left >= Rows; left -= Rows) {
      add_blocks<Rows>(e, t, r, p, first);
      walk::template move<Axis>(e, p, Rows);
    }
    if constexpr (rest > 0)
      for (; left > 0; left -= rest) {
        add_blocks<static_cast<int>(rest)>(e, t, r, p, first);
        walk::template move<Axis>(e, p, rest);
      }
  }
  // Rows along the last reduced axis outside.
  template <int Now>
  [[gnu::always_inline]] static void add_blocks(const Axes& e, totals& t, registers<Step, true>& r, nest_pointers<Step> p, bool& first) {
    const index n = e.template extent<axis_of_rows>();
    for (index row = 0; row < n;) {
      const index end = n - row < longest_sum<Step> ? n : row + longest_sum<Step>;
      t.start();
      for (; row < end; ++row) {
        add_block<Now>(t, r, p, numbers<Now>());
        walk::template move<axis_of_rows>(e, p, 1);
      }
      t.close(first);
      first = false;
    }
  }
  // Few blocks along a reduced axis, at some places along the last reduced axis outside before they become part of a total.
  [[gnu::always_inline]] static void add_few(const Axes& e, totals& t, registers<Step, true>& r, nest_pointers<Step> p, bool& first) {
    constexpr index rows_of_part = longest_sum<Step> / blocks_of_row;
    const index n = e.template extent<axis_of_rows>();
    for (index row = 0; row < n;) {
      const index end = n - row < rows_of_part ? n : row + rows_of_part;
      t.start();
      for (; row < end; ++row) {
        add_row(e, t, r, p);
        walk::template move<axis_of_rows>(e, p, 1);
      }
      t.close(first);
      first = false;
    }
  }
  // All blocks along the axis, of which there are that many at compile time.
  [[gnu::always_inline]] static void add_row(const Axes& e, totals& t, registers<Step, true>& r, nest_pointers<Step> p) {
    for (index k = 0; k < blocks; ++k) {
      add_block<Rows>(t, r, p, numbers<Rows>());
      walk::template move<Axis>(e, p, Rows);
    }
    if constexpr (rest_of_axis > 0) add_block<rest_of_axis>(t, r, p, numbers<rest_of_axis>());
  }
  // Whether so few are combined in every place of a block that the part of a compensated total is all of it, and the blocks along the axis.
  static constexpr index places = walk::reduced_places(Axis);
  static constexpr bool knows_blocks = is_kept || axes.extent[Axis] != known_at_call;
  static constexpr index blocks = is_kept || !knows_blocks ? 1 : axes.extent[Axis] / Rows;
  static constexpr int rest_of_axis = is_kept || !knows_blocks ? 0 : static_cast<int>(axes.extent[Axis] % Rows);
  static constexpr index blocks_of_row = blocks + (rest_of_axis > 0 ? 1 : 0);
  static constexpr bool has_few_blocks =
      !is_kept && !in_pairs && knows_blocks && axis_of_rows >= 0 && 2 * blocks_of_row <= longest_sum<Step>;
  static constexpr bool in_one_part = !in_pairs && knows_blocks && places != known_at_call && places <= longest_sum<Step> / blocks_of_row;
  [[gnu::always_inline]] static void run_block(const Axes& e, const nest_pointers<Step>& p, index count) {
    totals t{};  // GCC does not see that there are rows
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (in_one_part) {
      t.start();
      walk::template for_each<0, Axis, true>(
          e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) { add_row(e, t, r, outer); });
      t.template store_block<block, true>(p.root, count);
    } else {
      bool first = true;
      walk::template for_each<0, is_kept || in_pairs || has_few_blocks ? axis_of_rows : Axis, true>(
          e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
            if constexpr (is_kept) add_blocks<Rows>(e, t, r, outer, first);
            else if constexpr (in_pairs) add_pairs(e, t, r, outer, first);
            else if constexpr (has_few_blocks) add_few(e, t, r, outer, first);
            else add_rows(e, t, r, outer, first);
          });
      t.template store_block<block, false>(p.root, count);
    }
  }

  // Nothing is reduced around the rows.
  using held = held_leaves<Step, Axes, Axis, Rows>;
  template <int... Q>
  [[gnu::always_inline]] static void run_alone(const nest_pointers<Step>& p, const held& leaves, index count,
                                               std::integer_sequence<int, Q...>) {
    totals t{};
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    ((evaluate_expression<Step, true, false>(r, held_reader<Step, Axes, Axis, Rows, Q>{{p}, leaves}), t.set(Q, r)), ...);
    t.template store_block<block, true>(p.root, count);
  }
  // Fewer places than a block has are a part of it, where registers can be read and stored in part.
  static constexpr bool has_parts = [] {
    if constexpr (!is_kept || Rows == 1 || axis_of_rows >= 0 || axes.extent[Axis] != known_at_call || !reads_some<Step> ||
                  Step::minds_zeros) {
      return false;
    } else {
      return []<int... L, int... R>(std::integer_sequence<int, L...>, std::integer_sequence<int, R...>) {
        return (leaf_of_part<Step, Axes, Axis, Rows, L>::possible && ...) && (block_of_root<Step, R>::has_parts && ...);
      }(std::make_integer_sequence<int, Step::leaves>(), root_numbers<Step>());
    }
  }();
  template <int... Q>
  [[gnu::always_inline]] static void run_part(const nest_pointers<Step>& p, index rows, index count, std::integer_sequence<int, Q...>) {
    totals t{};
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    ((evaluate_expression<Step, true, false>(r, part_reader<Step, Axes, Axis, Rows, Q>(p, rows)), t.set(Q, r)), ...);
    t.template store_part<block>(p.root, count, rows);
  }

  // All blocks along a kept axis. The last one is a part of one, which is left where it can be read so, or overlaps with the one before.
  static constexpr bool leaves_part = has_parts && simd::cheap_parts;
  [[gnu::always_inline]] static void run_blocks(const Axes& e, nest_pointers<Step>& p, index& n, index count) {
    const auto each = [&](const auto& run) __attribute__((always_inline)) {
      while (leaves_part ? n >= Rows : n > 0) {
        if (!leaves_part && n < Rows) walk::template move<Axis>(e, p, n - Rows);
        run();
        walk::template move<Axis>(e, p, Rows);
        n -= Rows;
      }
    };
    if constexpr (axis_of_rows < 0) {
      const held leaves(p);
      each([&]() __attribute__((always_inline)) { run_alone(p, leaves, count, numbers<Rows>()); });
    } else {
      each([&]() __attribute__((always_inline)) { run_block(e, p, count); });
    }
  }

  // Otherwise they are several smaller ones.
  static constexpr bool may_be_few = is_kept && Rows > 1 && (axes.extent[Axis] == known_at_call || walk::template may_be_shared<Axis>);
  [[gnu::noinline]] static void run_few(Axes e, nest_pointers<Step> p, index n, index count) {
    block_lanes<Step, Axes, Axis, (Rows < 4 ? 1 : Rows / 4)>::run(e, p, n, count);
  }

 public:
  /// `n` places along the axis, if it is kept.
  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index n, index count) {
    if constexpr (may_be_few && !leaves_part)
      if (n < Rows) [[unlikely]] {
        if constexpr (!has_parts) return run_few(e, p, n, count);
        else if (n > 0) return run_part(p, n, count, numbers<Rows>());
      }
    // Many accumulators are more work than a few rows.
    if constexpr (!is_kept && Rows >= 16 && axes.extent[Axis] == known_at_call)
      if (e.template extent<Axis>() < Rows) [[unlikely]]
        return run_few(e, p, n, count);
    if constexpr (!is_kept) {
      run_block(e, p, count);
    } else {
      if constexpr (axes.extent[Axis] == Rows) n = Rows;
      run_blocks(e, p, n, count);
      if constexpr (leaves_part)
        if (n > 0) run_part(p, n, count, numbers<Rows>());
    }
  }
};

}  // namespace jig::detail

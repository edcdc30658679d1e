// SPDX-License-Identifier: MIT
#pragma once
// Reductions with lanes along an axis that is kept.

#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>

namespace jig::detail {

/// Reads component C of Count places along axis `Axis`, from the first one or from register G on.
template <class Step, class Axes, int Axis, int C, int G, index Count>
struct component_reader {
  const nest_pointers<Step>& at;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);

  template <int Entry>
  struct lanes_of {
    static constexpr simd::lane_map<lanes> map = [] {
      simd::lane_map<lanes> out;
      constexpr auto& axes = Axes::axes;
      const index stride = axes.stride[Entry][Axis], size = axes.size_from(Axis + 1);
      for (index c = 0; c < size; ++c)
        for (index l : {index{0}, Count - 1}) {
          const index e = offset_in_block(axes, Axis, Entry, l * size + c);
          if ((c == 0 && l == 0) || e < out.first) out.first = e;
          if ((c == 0 && l == 0) || e > out.last) out.last = e;
        }
      const index here = offset_in_block(axes, Axis, Entry, C) + G * lanes * stride;
      out.first += G * lanes * stride;
      out.last += G * lanes * stride;
      for (int l = 0; l < lanes; ++l) out.at[l] = here + (l < Count ? l : Count - 1) * stride;
      return out;
    }();
  };
  template <int Entry>
  [[gnu::always_inline]] const void* single() const {
    return at.leaf[Entry];
  }
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    using M = moved_as<T>;
    return to_register<T, typename Step::lead_type>(simd::load_mapped<lanes_of<Entry>, lanes>(static_cast<const M*>(at.leaf[Entry])));
  }
};

/// Lanes along a kept axis.
template <class Step, class Axes, int Axis>
class kept_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>;
  static constexpr int components = static_cast<int>(axes.size_from(Axis + 1));
  static constexpr int axis_of_rows = walk::last_reduced(Axis);
  // Several registers side by side hide the latency of the combination.
  static constexpr int most_together = [] {
    if (components > 1 || axis_of_rows < 0 || body_work<Step> > 8 || Step::roots > 1) return 1;
    const index n = axes.extent[Axis];
    if (n != known_at_call && n < 4 * lanes) return 1;
    return n != known_at_call && n >= 16 * lanes && body_work<Step> <= 2 ? 8 : 4;
  }();
  // Whether components are combined as they lie, in as many registers, and those of one place last of all.
  static constexpr bool grouped = components > 1 && Step::roots == 1 && fills_registers<Step, 0>;
  // So many rows are combined before what they give becomes part of a compensated total.
  static constexpr index rows_of_part = grouped ? longest_sum<Step> : longest_sum<Step> / components < 1 ? 1 : longest_sum<Step> / components;
  using numbers = std::make_integer_sequence<int, components>;

  template <index Count, int G, int Together, int... C>
  [[gnu::always_inline]] static void add_register(all_lane_totals<Step, Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                                  std::integer_sequence<int, C...>) {
    ((evaluate_body<Step, true, false>(r, component_reader<Step, Axes, Axis, C, G, Count>{p}), t.template add<lanes>(G, r)), ...);
  }
  template <index Count, int... Q>
  [[gnu::always_inline]] static void add_registers(all_lane_totals<Step, components>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                                   std::integer_sequence<int, Q...>) {
    ((evaluate_body<Step, true, false>(r, flat_reader<Step, Axes, Axis, static_cast<int>(Count), Q>{p}), t.template add<lanes>(Q, r)), ...);
  }
  template <index Count, int Together, int... G>
  [[gnu::always_inline]] static void add_place(all_lane_totals<Step, grouped ? components : Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                               std::integer_sequence<int, G...>) {
    if constexpr (grouped) add_registers<Count>(t, r, p, numbers());
    else (add_register<Count, G>(t, r, p, numbers()), ...);
  }
  template <index Count, int Together>
  [[gnu::always_inline]] static void run_lanes(const Axes& e, const nest_pointers<Step>& p, index count) {
    constexpr std::make_integer_sequence<int, Together> together;
    all_lane_totals<Step, grouped ? components : Together> t{};  // GCC does not see that there are rows
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    if constexpr (axis_of_rows < 0) {
      t.start();
      add_place<Count, Together>(t, r, p, together);
      t.close(true);
    } else {
      bool first = true;
      walk::template for_each<0, axis_of_rows, true>(e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
        nest_pointers<Step> at = outer;
        const index n = e.template extent<axis_of_rows>();
        for (index row = 0; row < n;) {
          const index end = n - row < rows_of_part ? n : row + rows_of_part;
          t.start();
          for (; row < end; ++row) {
            add_place<Count, Together>(t, r, at, together);
            walk::template move<axis_of_rows>(e, at, 1);
          }
          t.close(first);
          first = false;
        }
      });
    }
    if constexpr (grouped) t.template store_grouped<Count>(p.root, count);
    else [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) { (t.template store<Count>(G, p.root, G * lanes, count), ...); }
      (together);
  }

 public:
  /// Places along the axis that a call has to have if their number is not static.
  static constexpr index least = lanes;
  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index n, index count) {
    if constexpr (axes.extent[Axis] != known_at_call && axes.extent[Axis] < lanes) {
      run_lanes<axes.extent[Axis], 1>(e, p, count);
    } else {
      for (; n >= most_together * lanes; n -= most_together * lanes) {
        run_lanes<lanes, most_together>(e, p, count);
        walk::template move<Axis>(e, p, most_together * lanes);
      }
      // What is left over, the last register full of which overlaps.
      while (n > 0) {
        if (n < lanes) walk::template move<Axis>(e, p, n - lanes);
        run_lanes<lanes, 1>(e, p, count);
        walk::template move<Axis>(e, p, lanes);
        n -= lanes;
      }
    }
  }
};

}  // namespace jig::detail

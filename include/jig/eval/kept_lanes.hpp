// SPDX-License-Identifier: MIT
#pragma once
// Reductions with lanes along an axis that is kept.

#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>

namespace jig::detail {

// The lanes of component c of Count places along an axis, from number `first` on.
template <int Lanes, int Operands>
constexpr simd::lane_map<Lanes> map_of_component(const nest_shape<Operands>& axes, int axis, int o, index c, index first, index count) {
  simd::lane_map<Lanes> out;
  const index stride = axes.stride[o][axis], size = axes.size_from(axis + 1);
  for (index k = 0; k < size; ++k)
    for (index l : {index{0}, count - 1}) {
      const index e = offset_in_block(axes, axis, o, l * size + k);
      if ((k == 0 && l == 0) || e < out.first) out.first = e;
      if ((k == 0 && l == 0) || e > out.last) out.last = e;
    }
  out.first += first * stride;
  out.last += first * stride;
  for (int l = 0; l < Lanes; ++l) out.at[l] = offset_in_block(axes, axis, o, c) + (first + (l < count ? l : count - 1)) * stride;
  return out;
}
// Where register g begins of as many as hold `extent` places, the last of which overlaps.
constexpr index first_of_register(index extent, int g, index lanes) {
  const index first = g * lanes;
  return extent == known_at_call || extent < lanes || first + lanes <= extent ? first : extent - lanes;
}

/// Reads component C of Count places along axis `Axis`, from register G on.
template <class Step, class Axes, int Axis, int C, int G, index Count>
struct component_reader : nest_reader<Step> {
  using nest_reader<Step>::nest_reader;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);

  template <int Entry>
  struct lanes_of {
    static constexpr simd::lane_map<lanes> map =
        map_of_component<lanes>(Axes::axes, Axis, Entry, C, first_of_register(Axes::axes.extent[Axis], G, lanes), Count);
  };
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    return load_entry<Step, Entry, lanes_of<Entry>>(this->at.leaf[Entry]);
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
  // Several registers side by side hide the latency of the combination, and read rows of memory as they lie.
  static constexpr int most_together = [] {
    if (components > 1 || axis_of_rows < 0 || expression_work<Step> > 8 || Step::roots > 1) return 1;
    constexpr int most = simd::registers == 32 ? 16 : 4;
    if (axes.extent[Axis] == known_at_call) return most / 2;
    const index all = (axes.extent[Axis] + lanes - 1) / lanes, passes = (all + most - 1) / most;
    return static_cast<int>((all + passes - 1) / passes);
  }();
  // So many rows are combined before what they give becomes part of a compensated total.
  static constexpr index rows_of_part = longest_sum<Step> / components < 1 ? 1 : longest_sum<Step> / components;
  using numbers = std::make_integer_sequence<int, components>;

  template <index Count, int G, int Together, int... C>
  [[gnu::always_inline]] static void add_register(all_lane_totals<Step, Together>& t, registers<Step, true>& r,
                                                  const nest_pointers<Step>& p, std::integer_sequence<int, C...>) {
    ((evaluate_expression<Step, true, false>(r, component_reader<Step, Axes, Axis, C, G, Count>{p}), t.template add<lanes>(G, r)), ...);
  }
  template <index Count, int Together, int... G>
  [[gnu::always_inline]] static void add_place(all_lane_totals<Step, Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                               std::integer_sequence<int, G...>) {
    (add_register<Count, G>(t, r, p, numbers()), ...);
  }
  template <index Count, int Together>
  [[gnu::always_inline]] static void run_lanes(const Axes& e, const nest_pointers<Step>& p, index count) {
    constexpr std::make_integer_sequence<int, Together> together;
    all_lane_totals<Step, Together> t{};  // GCC does not see that there are rows
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
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
    [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) {
      (t.template store<Count>(G, p.root, first_of_register(axes.extent[Axis], G, lanes), count), ...);
    }(together);
  }

 public:
  /// Places along the axis that a call has to have if their number is not static.
  static constexpr index least = lanes;
  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index n, index count) {
    constexpr index extent = axes.extent[Axis], length = most_together * lanes;
    if constexpr (extent != known_at_call && extent < lanes) {
      run_lanes<extent, 1>(e, p, count);
    } else if constexpr (extent != known_at_call && extent <= length) {
      if (!walk::template may_be_shared<Axis> || n == extent) return run_lanes<lanes, most_together>(e, p, count);
      if constexpr (walk::template may_be_shared<Axis>) run_all<1>(e, p, n, count);
    } else {
      if (n >= length) return run_all<most_together>(e, p, n, count);
      if constexpr (most_together > 1) run_all<1>(e, p, n, count);
    }
  }

 private:
  // The last ones overlap with those before them.
  template <int Together>
  [[gnu::always_inline]] static void run_all(const Axes& e, nest_pointers<Step>& p, index n, index count) {
    constexpr index length = Together * lanes;
    while (n > 0) {
      if (n < length) walk::template move<Axis>(e, p, n - length);
      run_lanes<lanes, Together>(e, p, count);
      walk::template move<Axis>(e, p, length);
      n -= length;
    }
  }
};

}  // namespace jig::detail

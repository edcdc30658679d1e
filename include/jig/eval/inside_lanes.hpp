// SPDX-License-Identifier: MIT
#pragma once
// Reductions with lanes along all that is inside of a reduced axis.

#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>

namespace jig::detail {

/// Lanes are what is inside of a long reduced axis, in `Rows` of its rows at a time. In the end lanes of one root element are combined.
template <class Step, class Axes, int Axis, int Rows>
class inside_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>, size = axes.size_from(Axis + 1);
  static constexpr int registers_of_block = static_cast<int>((Rows * size + lanes - 1) / lanes);
  using totals = all_lane_totals<Step, registers_of_block>;

  template <int Now, int... Q>
  [[gnu::always_inline]] static void add_block(totals& t, registers<Step, true>& r, const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    ((evaluate_body<Step, true, false>(r, flat_reader<Step, Axes, Axis, Now, Q>{p}),
      t.template add<(Now * size - Q * lanes < lanes ? Now * size - Q * lanes : lanes)>(Q, r)),
     ...);
  }
  // The place of element e of a row among the elements of a root.
  static constexpr auto places = [] {
    std::array<int, static_cast<std::size_t>(size)> out{};
    for (index e = 0; e < size; ++e) out[static_cast<std::size_t>(e)] = static_cast<int>(offset_in_block(axes, Axis, Step::leaves, e));
    return out;
  }();
  // Whether all of them are one element of each root.
  static constexpr bool is_one = [] {
    for (int place : places)
      if (place != 0) return false;
    return true;
  }();
  template <int R>
  [[gnu::always_inline]] static void store(totals& t, void* root, index count) {
    using of = reduced_root<Step, R>;
    using T = typename of::T;
    constexpr auto n = static_cast<std::size_t>(registers_of_block * lanes);
    auto& from = static_cast<lane_totals<Step, R, registers_of_block>&>(t);
    if constexpr (is_one) {
      typename of::vector all = from.whole(0);
      for (int q = 1; q < registers_of_block; ++q) all = of::both(all, from.whole(q));
      *static_cast<T*>(root) = of::finished(of::across(all), T(), count);
      return;
    }
    alignas(alignment) T total[n], lost[n];
    for (int q = 0; q < registers_of_block; ++q) {
      spill<T, typename of::Lead>(total + q * lanes, from.total[q]);
      if constexpr (of::compensated) spill<T, typename of::Lead>(lost + q * lanes, from.lost[q]);
    }
    for (index step = Rows / 2; step > 0; step /= 2)
      for (index k = 0; k < step * size; ++k) {
        total[k] = of::template both<T>(total[k], total[k + step * size]);
        if constexpr (of::compensated) lost[k] += lost[k + step * size];
      }
    T* to = static_cast<T*>(root);
    bool begun[static_cast<std::size_t>(size)] = {};
    T rest[static_cast<std::size_t>(size)] = {};
    for (index e = 0; e < size; ++e) {
      const auto at = static_cast<std::size_t>(places[static_cast<std::size_t>(e)]);
      to[at] = begun[at] ? of::template both<T>(to[at], total[e]) : total[e];
      if constexpr (of::compensated) rest[at] += lost[e];
      begun[at] = true;
    }
    for (index e = 0; e < size; ++e)
      if (begun[e]) to[e] = of::finished(to[e], rest[e], count);
  }

 public:
  [[gnu::always_inline]] static void run(const Axes& e, const nest_pointers<Step>& p, index count) {
    totals t;
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    bool first = true;
    walk::template for_each<0, Axis, true>(e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
      nest_pointers<Step> at = outer;
      index left = e.template extent<Axis>();
      while (left > 0) {
        t.start();
        for (index k = 0; k < longest_sum<Step> && left >= Rows; ++k, left -= Rows) {
          add_block<Rows>(t, r, at, std::make_integer_sequence<int, registers_of_block>());
          walk::template move<Axis>(e, at, Rows);
        }
        if constexpr (Rows > 1)
          for (; left > 0 && left < Rows; --left) {
            add_block<1>(t, r, at, std::make_integer_sequence<int, static_cast<int>((size + lanes - 1) / lanes)>());
            walk::template move<Axis>(e, at, 1);
          }
        t.close(first);
        first = false;
      }
    });
    [&]<int... R>(std::integer_sequence<int, R...>) { (store<R>(t, p.root[R], count), ...); }(root_numbers<Step>());
  }
};

}  // namespace jig::detail

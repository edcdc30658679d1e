// SPDX-License-Identifier: MIT
#pragma once
// Sums of short rows of bytes, as many rows at a time as there are lanes of 64 bits.

#include <jig/eval/interleave.hpp>
#include <jig/eval/row_lanes.hpp>
#include <jig/eval/widening_sum.hpp>

namespace jig::detail {

/// Rows along the last axis of a nest, whose lengths are known and no more than a few registers full.
template <class Step, class Axes>
class narrow_rows {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr index n = axes.rank == 0 || axes.extent[inner] == known_at_call ? 0 : axes.extent[inner];
  using words = simd::batch<std::uint64_t>;
  static constexpr int lanes = static_cast<int>(words::size);

 public:
  static constexpr bool possible = [] {
    if constexpr (inner < 1 || !adds_narrow_rows<Step, n>) return false;
    else if constexpr (walk::last_reduced(inner) >= 0 || !widening_sum<Step, n>::is_short) return false;
    else
      return is_op(Step::program::kind(Step::root(0)), ops::reduce_sum) &&
             std::is_same_v<typename widening_sum<Step, n>::part, simd::native_of<words>> && sizeof(root_type<Step, 0>) >= 4;
  }();

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    using sum = widening_sum<Step, n>;
    using T = root_type<Step, 0>;
    for (; rows >= lanes; rows -= lanes) {
      T* const to = static_cast<T*>(p.root[0]);
      words x[array_bound(lanes)];
      const auto next = [&](int k) __attribute__((always_inline)) {
        x[k] = simd::from_native<words>(sum::part_of_row(p.leaf));
        walk::template move<inner - 1>(e, p, 1);
      };
      [&]<int... K>(std::integer_sequence<int, K...>)
          __attribute__((always_inline)) { (next(K), ...); }(std::make_integer_sequence<int, lanes>());
      const words all = simd::fold_each(x, [](const words& a, const words& b) __attribute__((always_inline)) { return a + b; });
      simd::store_part<lanes>(to, simd::resize<T, lanes>(all - words(sum::excess)));
    }
    for (; rows > 0; --rows) {
      row_lanes<Step, Axes>::run(e, p, n);
      walk::template move<inner - 1>(e, p, 1);
    }
  }
};

}  // namespace jig::detail

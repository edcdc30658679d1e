// SPDX-License-Identifier: MIT
#pragma once
// Reductions of so few contiguous elements that all of them are computed before the first two are combined.

#include <jig/eval/block_fold.hpp>
#include <jig/eval/ordered.hpp>
#include <jig/eval/reduced_root.hpp>

namespace jig::detail {

/// Whether a step reduces this many elements, known at compile time, in a few registers, or one by one where they are less than one.
template <class Step, index Known>
inline constexpr bool are_few = [] {
  if (Known < 1 || !Step::vectorizable || Step::has_padded_reads || Step::reduced != Step::roots) return false;
  constexpr int most_registers = simd::registers * 3 / 4, most_of_body = 48, most_singles = 4;
  const index work = Step::table.varying + Step::roots;
  if (Known <= most_singles) return Known * work <= most_of_body;
  if (Known < step_lanes<Step>) return Step::has_parts && work <= most_of_body;
  const int registers = simd::registers_of(Known, static_cast<int>(step_lanes<Step>));
  return registers <= most_registers && registers * work <= most_of_body;
}();

// The elements of one root: so many registers, or single elements.
template <class Step, int R, bool Vector, index Known>
struct elements_of_root {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using X = std::conditional_t<Vector, typename root::vector, T>;
  static constexpr index width = Vector ? step_lanes<Step> : 1;
  static constexpr int count = static_cast<int>((Known + width - 1) / width);
  static constexpr bool looks_at_all = Vector && root::looks_for_nan && count > 2;
  X at[array_bound(count)];

  template <int K>
  [[gnu::always_inline]] void set(registers<Step, Vector>& r) {
    at[K] = r.template get<root::operand>();
    // The last register full overlaps.
    if constexpr (Vector && Known > width && (K + 1) * width > Known) at[K] = root::lanes_from((K + 1) * width - Known, at[K]);
  }
  // Whether no lane is NaN, which is seen of two registers at a time.
  template <int... K>
  [[gnu::always_inline]] bool all_numbers(std::integer_sequence<int, K...>) const {
    auto ordered = at[count - 1] == at[count - 1];
    ((ordered = simd::and_ordered(ordered, at[2 * K], at[2 * K + 1])), ...);
    return simd::all_of<width>(ordered);
  }
  // Half with half, of numbers where that is known of them.
  template <int Left, int... K>
  [[gnu::always_inline]] void combine(std::integer_sequence<int, K...>) {
    constexpr int rest = Left - static_cast<int>(sizeof...(K));
    ((at[K] = looks_at_all ? root::both_numbers(at[K], at[K + rest]) : root::both(at[K], at[K + rest])), ...);
    if constexpr (rest > 1) combine<rest>(std::make_integer_sequence<int, rest / 2>());
  }
  [[gnu::always_inline]] static T across_numbers(const X& x) {
    return simd::fold<width>(x, [](const X& a, const X& b) __attribute__((always_inline)) { return root::both_numbers(a, b); });
  }
  struct block {
    static constexpr simd::block_shape shape{1, {Known < width ? Known : width}, {true}};
  };
  [[gnu::always_inline]] root_total<Step, R> total() {
    if constexpr (looks_at_all)
      if (!all_numbers(std::make_integer_sequence<int, count / 2>())) [[unlikely]]
        return {std::numeric_limits<T>::quiet_NaN(), {}};
    if constexpr (count > 1) combine<count>(std::make_integer_sequence<int, count / 2>());
    if constexpr (!Vector) {
      return {at[0], {}};
    } else if constexpr (std::is_same_v<T, bool> || static_cast<index>(X::size) != width || (root::looks_for_nan && Known >= width)) {
      if constexpr (Known < width) at[0] = root::template first_lanes<Known>(at[0]);
      if constexpr (looks_at_all) return {across_numbers(at[0]), {}};
      else return {root::across(at[0]), {}};
    } else {
      simd::fold_block<block>(at, root::template neutral<X>(),
                              [](const X& a, const X& b) __attribute__((always_inline)) { return root::both(a, b); });
      return {static_cast<T>(at[0].get(0)), {}};
    }
  }
};

template <class Step, index Known, class Roots = root_numbers<Step>>
struct reduction_of_few;
template <class Step, index Known, int... R>
struct reduction_of_few<Step, Known, std::integer_sequence<int, R...>> {
  static constexpr bool vector = Known > 4;
  static constexpr index width = vector ? step_lanes<Step> : 1;
  template <int K>
  [[gnu::always_inline]] static void evaluate(registers<Step, vector>& r, const void* const* leaf) {
    if constexpr (Known < width) evaluate_expression<Step, true, false, reading{.first = Known}>(r, leaf, 0);
    else evaluate_expression<Step, vector, false>(r, leaf, (K + 1) * width > Known ? Known - width : K * width);
  }
  [[gnu::always_inline]] static run_totals<Step> run(const void* const* leaf) {
    std::tuple<elements_of_root<Step, R, vector, Known>...> x;
    registers<Step, vector> r;
    evaluate_expression<Step, vector, true>(r, leaf, 0);
    const auto set = [&]<int K>(std::integral_constant<int, K>) __attribute__((always_inline)) {
      evaluate<K>(r, leaf);
      (std::get<R>(x).template set<K>(r), ...);
    };
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
      (set(std::integral_constant<int, K>()), ...);
    }(std::make_integer_sequence<int, static_cast<int>((Known + width - 1) / width)>());
    return {std::get<R>(x).total()...};
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Sums of integers of 8 and 16 bits, and of truth values of narrow numbers, in wider integers: which steps add such up, and the loop over
// their rows.

#include <jig/eval/neighbour_sums.hpp>
#include <jig/eval/reduced_root.hpp>

namespace jig {

namespace detail {

/// What the only root of a step adds up, as entries of 8 or 16 bits or truth values: one that is cast to the dtype of the sum, or two that
/// are multiplied behind that.
struct narrow_addends {
  int x = -1, y = -1;
  int wide[3] = {-1, -1, -1};   // the entries that come of them
  dtype lead = dtype::boolean;  // the widest one beside these
};

template <class Step>
class find_narrow_addends {
  static constexpr auto& t = Step::table;
  // What an entry is that is cast from less than 32 bits, or -1.
  static constexpr int narrow_of(int e) {
    if (e < Step::leaves || !is_op(Step::kind(e), ops::cast) || !is_integer(t.type[e]) || size_of(t.type[e]) < 4) return -1;
    const int from = t.operand[e][0];
    if (t.invariant[e] || t.invariant[from]) return -1;
    return t.type[from] == dtype::boolean || (is_integer(t.type[from]) && size_of(t.type[from]) <= 2) ? from : -1;
  }
  static constexpr int added = Step::stored_entry(0);
  static constexpr narrow_addends find() {
    if constexpr (added >= Step::leaves && !t.invariant[added]) {
      if (const int x = narrow_of(added); x >= 0) return {x, -1, {added, -1, -1}, t.type[x]};
      constexpr bool square = is_op(Step::kind(added), ops::square);
      if constexpr (simd::detail::adds_neighbours && size_of(t.type[added]) == 4 && (square || is_op(Step::kind(added), ops::multiply))) {
        const int a = t.operand[added][0], b = t.operand[added][square ? 0 : 1], x = narrow_of(a), y = narrow_of(b);
        if (x < 0 || y < 0) return {};
        if (t.type[x] != dtype::int16 || t.type[y] != dtype::int16) return {};
        return {x, y, {added, a, b}, dtype::int16};
      }
    }
    return {};
  }
  static constexpr bool is_wide(const narrow_addends& of, int e) { return e == of.wide[0] || e == of.wide[1] || e == of.wide[2]; }
  // What truth values are computed of is as narrow as it is.
  static constexpr dtype lead_of(const narrow_addends& of) {
    dtype widest = of.lead;
    for (int e = 0; e < Step::entries && of.lead == dtype::boolean; ++e)
      if (!is_wide(of, e) && is_number(t.type[e]) && size_of(t.type[e]) > size_of(widest)) widest = t.type[e];
    return widest;
  }
  // Whether all else is as narrow, and computed from that.
  static constexpr bool is_alone(const narrow_addends& of) {
    if (!is_number(of.lead) || size_of(of.lead) >= size_of(t.type[of.wide[0]])) return false;
    for (int e = 0; e < Step::entries; ++e) {
      if (is_wide(of, e)) continue;
      const bool number = is_number(t.type[e]) && !is_storage(t.type[e]);
      if (t.type[e] != dtype::boolean && !(number && size_of(t.type[e]) <= size_of(of.lead))) return false;
      for (int k = 0; k < t.operand_count[e]; ++k)
        if (is_wide(of, t.operand[e][k])) return false;
    }
    return true;
  }

 public:
  static constexpr narrow_addends found = []() -> narrow_addends {
    if constexpr (Step::reduced == 1 && Step::roots == 1 && Step::vectorizable && !Step::has_padded_reads) {
      const op& sum = Step::program::kind(Step::root(0));
      if (!is_op(sum, ops::reduce_sum) && !is_op(sum, ops::reduce_mean)) return {};
      narrow_addends of = find();
      if (of.x < 0) return {};
      of.lead = lead_of(of);
      if (is_alone(of)) return of;
    }
    return {};
  }();
};
template <class Step>
inline constexpr bool adds_narrow = find_narrow_addends<Step>::found.x >= 0;
/// Whether they are truth values, which are not much dearer in wide registers: short rows are better together.
template <class Step>
inline constexpr bool adds_flags = [] {
  if constexpr (adds_narrow<Step>) return Step::table.type[find_narrow_addends<Step>::found.x] == dtype::boolean;
  else return false;
}();

/// The body of a step whose root adds up narrow integers, as far as these.
template <class Step>
struct step_of_narrow : Step {
  static constexpr narrow_addends added = find_narrow_addends<Step>::found;
  static constexpr dtype lead = added.lead;
  using lead_type = type_of<lead>;
  static constexpr auto table = [] {
    typename Step::tables t = Step::table;
    int n = 0;
    for (int i = 0; i < t.ordered[0]; ++i) {
      const int e = t.order[0][i];
      if (e == added.wide[0] || e == added.wide[1] || e == added.wide[2]) --t.varying;
      else t.order[0][n++] = e;
    }
    t.ordered[0] = n;
    t.count[static_cast<int>(t.type[added.wide[0]])] = 0;
    return t;
  }();
};

/// Whether a step adds up narrow integers, in rows of so many that at least one register is full, of truth values eight.
template <class Step, index Known>
inline constexpr bool adds_narrow_rows = [] {
  if constexpr (adds_narrow<Step>) return Known >= (adds_flags<Step> ? 8 : 1) * step_lanes<step_of_narrow<Step>>;
  else return false;
}();

/// The sum of n contiguous elements of such a body, which are at least a register full.
template <class Step, index Known, class Leaves = std::make_integer_sequence<int, Step::leaves>>
class widening_sum;
template <class Step, index Known, int... L>
class widening_sum<Step, Known, std::integer_sequence<int, L...>> {
  using body = step_of_narrow<Step>;
  static constexpr int operand = body::added.x, factor = body::added.y;
  static constexpr index width = step_lanes<body>;
  static constexpr bool flags = adds_flags<Step>;
  using flag = std::conditional_t<sizeof(typename body::lead_type) == 2, std::uint16_t, std::uint32_t>;
  using B = simd::sized<std::conditional_t<flags, flag, typename body::lead_type>, width>;
  using sums = simd::neighbour_sums<B>;
  static constexpr int count = Step::table.varying > 8 ? 1 : 4;
  template <int>
  using leaf_pointer = const void*;

  // The operands of a distance of bytes: the larger one less the smaller one.
  struct pair {
    int x = -1, y = -1;
  };
  static constexpr int operand_of(int e, int k) { return Step::table.operand[e][k]; }
  static constexpr bool computes(int e, const op& kind) { return e >= Step::leaves && is_op(Step::kind(e), kind); }
  static constexpr pair distance = []() -> pair {
    if (!simd::detail::adds_neighbours || body::lead != dtype::uint8 || !computes(operand, ops::subtract)) return {};
    const int most = operand_of(operand, 0), least = operand_of(operand, 1);
    if (!computes(most, ops::maximum) || !computes(least, ops::minimum)) return {};
    const int x = operand_of(most, 0), y = operand_of(most, 1), first = operand_of(least, 0), second = operand_of(least, 1);
    return (first == x && second == y) || (first == y && second == x) ? pair{x, y} : pair{};
  }();

  [[gnu::always_inline]] static B added_of(registers<body, true>& r) {
    if constexpr (flags) return simd::flags_of<B>(simd::as_mask<B, width>(r.template get<operand>()));
    else return r.template get<operand>();
  }
  [[gnu::always_inline]] static typename sums::part sums_of(registers<body, true>& r) {
    if constexpr (factor >= 0) return sums::of_products(r.template get<operand>(), r.template get<factor>());
    else if constexpr (distance.x >= 0) return sums::of_distances(r.template get<distance.x>(), r.template get<distance.y>());
    else return sums::of(added_of(r));
  }
  // The lanes from `first` on. Others are as if nothing were added.
  [[gnu::always_inline]] static typename sums::part last_sums(registers<body, true>& r, index first) {
    const B x = sums::lanes_from(first, added_of(r));
    if constexpr (factor >= 0) return sums::of_products(x, r.template get<factor>());
    else return sums::of(x);
  }
  // What a few registers add up.
  [[gnu::always_inline]] static typename sums::part add_few(leaf_pointer<L>... leaf) {
    constexpr index n = Known, whole = n / width * width;
    const void* leaves[] = {leaf..., nullptr};
    const local_pointers<body> p(leaves);
    registers<body, true> r;
    evaluate_expression<body, true, true>(r, p.leaf, 0);
    typename sums::part at{};
    for (index i = 0; i < whole; i += width) {
      evaluate_expression<body, true, false>(r, p.leaf, i);
      at += sums_of(r);
    }
    if (whole != n) {
      evaluate_expression<body, true, false>(r, p.leaf, n - width);
      at += last_sums(r, width - (n - whole));
    }
    return at;
  }
  [[gnu::noinline]] static std::uint64_t run(index n, leaf_pointer<L>... leaf) { return add_all(n, leaf...); }
  [[gnu::always_inline]] static std::uint64_t add_all(index given, leaf_pointer<L>... leaf) {
    const index n = Known < 0 ? given : Known, whole = n / width * width;
    const void* leaves[] = {leaf..., nullptr};
    const local_pointers<body> p(leaves);
    registers<body, true> r;
    evaluate_expression<body, true, true>(r, p.leaf, 0);
    std::uint64_t total = 0;
    for (index i = 0; i < whole;) {
      const index first = i, end = (whole - i) / width > sums::most ? i + sums::most * width : whole;
      typename sums::part at[array_bound(count)] = {};
      const auto add = [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
        ((evaluate_expression<body, true, false>(r, p.leaf, i + K * width), at[K] += sums_of(r)), ...);
        i += static_cast<index>(sizeof...(K)) * width;
      };
      while (end - i >= count * width) add(std::make_integer_sequence<int, count>());
      while (i < end) add(std::make_integer_sequence<int, 1>());
      for (int k = 1; k < count; ++k) at[0] += at[k];
      index added = i - first;
      if (i == whole && whole != n) {
        // The last register full, which overlaps.
        evaluate_expression<body, true, false>(r, p.leaf, n - width);
        at[0] += last_sums(r, width - (n - whole));
        added += width;
      }
      total += sums::total(at[0], added);
    }
    return total;
  }

 public:
  /// Whether so many elements, or so many as a call tells if it is negative, may be added up so.
  static constexpr bool possible = Known < 0 || Known >= width;
  static constexpr index least = width;
  static constexpr bool is_short = Known >= 0 && Known <= 4 * width;
  using part = typename sums::part;
  /// What a short row adds up, in lanes whose sum is `excess` too large.
  [[gnu::always_inline]] static part part_of_row(const void* const* leaf) { return add_few(leaf[L]...); }
  static constexpr index counted = (Known + width - 1) / width * width;
  static constexpr std::uint64_t excess = static_cast<std::uint64_t>(sums::added * counted);
  [[gnu::always_inline]] static run_totals<Step> of(const void* const* leaf, index n) {
    if constexpr (is_short) return total(sums::total(part_of_row(leaf), counted));
    else return total(run(n, leaf[L]...));
  }

 private:
  [[gnu::always_inline]] static run_totals<Step> total(std::uint64_t x) {
    return {{static_cast<typename reduced_root<Step, 0>::T>(x), {}}};
  }
};

}  // namespace detail

}  // namespace jig

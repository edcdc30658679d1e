// SPDX-License-Identifier: MIT
#pragma once
// Loops whose results are integers wider than all that they compute, such as positions among floating numbers as int64: registers hold
// as many of the narrow ones as go into one, and these are widened as they are stored.

#include <jig/eval/partial_registers.hpp>
#include <jig/eval/registers.hpp>
#include <jig/ops/select.hpp>

namespace jig::detail {

/// Whether root r of a loop only widens integers that the loop computes.
template <class Step>
constexpr bool only_widens(int r) {
  const auto& t = Step::table;
  const int e = t.entry_of[Step::root(r)];
  if (e < Step::leaves || t.invariant[e] || !is_op(Step::kind(e), ops::cast)) return false;
  const int from = t.operand[e][0];
  const dtype wide = t.type[e], narrow = t.type[from];
  if ((wide != dtype::int64 && wide != dtype::int32) || !is_integer(narrow) || !is_signed(narrow)) return false;
  if (from < Step::leaves || size_of(narrow) >= size_of(wide)) return false;
  for (int other = Step::leaves; other < Step::entries; ++other)
    for (int k = 0; k < t.operand_count[other]; ++k)
      if (t.operand[other][k] == e) return false;
  return true;
}
/// Whether a loop has wider results than all else, and so much to compute that registers full of it are worth it.
template <class Step>
inline constexpr bool widens_roots = [] {
  constexpr int enough_work = 8;
  if (Step::plan.kind != step_kind::loop || Step::is_scalar || !Step::vectorizable || Step::has_padded_reads || Step::has_stacks)
    return false;
  // Fewer places than lanes along the last axis, of which only calls know how many, would fill less of wide registers.
  const shape& space = Step::program::extents(Step::plan.space);
  if (space.rank > 1 && space[space.rank - 1] < 0) return false;
  int work = 0;
  for (int e = 0; e < Step::entries; ++e) {
    bool widens = false;
    for (int r = 0; r < Step::roots; ++r) widens = widens || (Step::table.entry_of[Step::root(r)] == e && only_widens<Step>(r));
    if (!widens && is_number(Step::table.type[e]) && size_of(in_registers(Step::table.type[e])) == size_of(Step::lead)) return false;
    if (e >= Step::leaves && !widens && !Step::table.invariant[e]) work += Step::table.operand_count[e];
  }
  return work >= enough_work;
}();

/// The body of such a loop without what widens its results.
template <class Step>
struct step_of_narrow_roots : Step {
  static constexpr auto table = [] {
    typename Step::tables t = Step::table;
    int n = 0;
    for (int i = 0; i < t.ordered[0]; ++i) {
      bool widens = false;
      for (int r = 0; r < Step::roots; ++r) widens = widens || (t.entry_of[Step::root(r)] == t.order[0][i] && only_widens<Step>(r));
      if (widens) --t.varying;
      else t.order[0][n++] = t.order[0][i];
    }
    t.ordered[0] = n;
    t.count[static_cast<int>(Step::lead)] = 0;
    return t;
  }();
  static constexpr int stored_entry(int r) {
    const int e = Step::stored_entry(r);
    return only_widens<Step>(r) ? table.operand[e][0] : e;
  }
  static constexpr dtype lead = [] {
    dtype types[Step::room] = {};
    for (std::size_t e = 0; e < Step::room; ++e) {
      const bool counts =
          static_cast<int>(e) < Step::entries && (table.type[e] == dtype::boolean || table.count[static_cast<int>(table.type[e])] > 0);
      types[e] = counts ? table.type[e] : dtype::boolean;
    }
    return widest_in_registers(types);
  }();
  using lead_type = type_of<lead>;
};
template <class Step>
using body_of_loop =
    typename std::conditional_t<widens_roots<Step>, std::type_identity<step_of_narrow_roots<Step>>, std::type_identity<Step>>::type;

/// Whether what a step stores in some root is wider than it is in registers.
template <class Step>
inline constexpr bool stores_wider = false;
template <class Step>
inline constexpr bool stores_wider<step_of_narrow_roots<Step>> = true;

/// Stores a register full of narrow integers.
template <class From, class Lead, class T>
[[gnu::always_inline]] inline void spill_widened(T* to, const typename register_type<From, Lead, true>::type& x) {
  constexpr index lanes = simd::lanes<Lead>;
  typename simd::native<From, lanes>::type narrow;
  if constexpr (sizeof(narrow) == sizeof(x)) {
    narrow = simd::to_native(x);
  } else {
    spilled<From, Lead> all;
    spill<From, Lead>(all.at, x);
    std::memcpy(&narrow, all.at, sizeof(narrow));
  }
  simd::store_as<lanes>(to, narrow);
}
/// The first n of them: nothing behind them is written.
template <class From, class Lead, class T>
[[gnu::always_inline]] inline void spill_first_widened(T* to, const typename register_type<From, Lead, true>::type& x, index n) {
  constexpr index part = simd::lanes<T>;
  spilled<From, Lead> all;
  spill<From, Lead>(all.at, x);
#pragma GCC unroll 8
  for (index i = 0; i < simd::lanes<Lead>; i += part) {
    if (i >= n) return;
    typename simd::native<From, part>::type narrow;
    alignas(alignment) T wide[static_cast<std::size_t>(part)];
    std::memcpy(&narrow, all.at + i, sizeof(narrow));
    simd::store_as<part>(wide, narrow);
    simd::store_first(to + i, simd::load(wide), n - i < part ? n - i : part);
  }
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Functions of independent scalars in one register of lanes: six sines of six scalars are one sine of a register.

#include <jig/eval/plan.hpp>

namespace jig::detail {

/// Of the entries of a body with one place: in which order they are computed, and which of them together.
template <std::size_t Room>
struct scalar_lanes {
  int order[Room] = {};
  int count[Room] = {};  // how many one entry computes: itself and those that follow it by `next`; 0 if another one computes it
  int next[Room] = {};   // -1: the last one
};

/// `order` holds n entries, operands first; `operand(e, k)` is the entry of operand k of e, or -1 behind the last one; `shares(e)` whether
/// it is a function that may share a register with others like it, `kind_of(e)` its op; `lanes(e)` how many elements such a register has.
template <std::size_t Room, class Operand, class Shares, class Kind, class Lanes>
constexpr scalar_lanes<Room> find_lanes(const int* order, int n, Operand operand, Shares shares, Kind kind_of, Lanes lanes) {
  scalar_lanes<Room> out;
  int shared = 0, functions[Room] = {};
  bool function[Room] = {};
  for (int i = 0; i < n; ++i) {
    out.order[i] = order[i];
    out.count[order[i]] = 1;
    out.next[order[i]] = -1;
    function[order[i]] = shares(order[i]);
    if (function[order[i]]) functions[shared++] = order[i];
  }
  if (shared < 2) return out;
  int level[Room] = {}, latest[Room] = {}, levels = 0;
  // How many functions follow one another up to an entry, itself included.
  const auto find_levels = [&] {
    for (int i = 0; i < n; ++i) {
      const int e = order[i];
      for (int k = 0, from = 0; (from = operand(e, k)) >= 0; ++k) {
        const int after = level[from] + function[e];
        if (after > level[e]) level[e] = after;
      }
      if (function[e] && level[e] == 0) level[e] = 1;
      if (level[e] > levels) levels = level[e];
    }
  };
  find_levels();
  // A function that nobody waits for joins later ones like it.
  for (int i = 0; i < n; ++i) latest[order[i]] = levels;
  for (int i = n; i-- > 0;) {
    const int e = order[i], before = latest[e] - function[e];
    for (int k = 0, from = 0; (from = operand(e, k)) >= 0; ++k)
      if (before < latest[from]) latest[from] = before;
  }
  constexpr int most_compared = 64;  // with each other
  for (int i = 0; shared <= most_compared && i < shared; ++i) {
    const int e = functions[i];
    for (int j = 0; j < shared; ++j) {
      const int other = functions[j];
      if (!is_op(kind_of(other), kind_of(e)) || level[other] <= level[e] || level[other] > latest[e]) continue;
      level[e] = level[other];
      break;
    }
  }
  find_levels();
  // Functions wait for those of the level before, what is between them stays in its order.
  const auto rank = [&](int e) { return 2 * level[e] + !function[e]; };
  int begin[2 * Room + 3] = {};
  for (int i = 0; i < n; ++i) ++begin[rank(order[i]) + 1];
  for (int r = 0; r <= 2 * levels + 1; ++r) begin[r + 1] += begin[r];
  for (int i = 0; i < n; ++i) out.order[begin[rank(order[i])]++] = order[i];
  for (int i = 0; i < n; ++i) {
    const int first = out.order[i];
    if (!function[first] || out.count[first] == 0) continue;
    int last = first;
    for (int j = i + 1; j < n && out.count[first] < lanes(first); ++j) {
      const int e = out.order[j];
      if (level[e] != level[first] || !function[e]) break;
      if (!is_op(kind_of(e), kind_of(first)) || lanes(e) != lanes(first) || out.count[e] != 1) continue;
      out.count[e] = 0;
      ++out.count[first];
      last = out.next[last] = e;
    }
  }
  return out;
}

}  // namespace jig::detail

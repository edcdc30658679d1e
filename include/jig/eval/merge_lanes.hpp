// SPDX-License-Identifier: MIT
#pragma once
// A register whose lanes come from several ones.

#include <jig/eval/simd.hpp>
#include <jig/eval/two_step_moves.hpp>

#include <utility>

namespace jig::simd {

namespace detail {

// Lanes of registers First and behind it. Others are of no matter.
template <class From, int First>
struct lane_of_pair {
  static constexpr int at(int l, int width) {
    const int reg = From::source(l) - First;
    return reg == 0 || reg == 1 ? reg * width + From::lane(l) : l;
  }
};
// Lanes that are in their places already, from register First on those of the second of two.
template <class From, int First>
struct lane_of_blend {
  static constexpr int at(int l, int width) { return From::source(l) >= First ? width + l : l; }
};
// Lanes that are in their places already, and those of the last register.
template <class From, int Last>
struct lane_of_rest {
  static constexpr int at(int l, int width) { return From::source(l) == Last ? width + From::lane(l) : l; }
};
// The lanes of two registers, those of the second behind those of the first.
template <class Map, int Width>
struct lanes_of_two {
  static constexpr int source(int l) { return Map::at(l, Width) / Width; }
  static constexpr int lane(int l) { return Map::at(l, Width) % Width; }
};
template <class Map, class N, int... I>
[[gnu::always_inline]] inline N shuffle_by(const N& x, const N& y, std::integer_sequence<int, I...>) {
  constexpr int width = static_cast<int>(sizeof...(I));
  if constexpr (moves_in_two_steps<lanes_of_two<Map, width>, width, 2, N>()) {
    const N both[] = {x, y};
    return move_in_two_steps<lanes_of_two<Map, width>, width>(both);
  } else {
    return shuffle<Map::at(I, width)...>(x, y);
  }
}

}  // namespace detail

/// Lane l is lane From::lane(l) of x[From::source(l)]. Registers are taken two by two: machines move lanes of two registers at a time, and
/// what comes of one pair is in its places, so that it only has to be chosen.
template <class From, int Lanes, std::size_t Count, class N>
[[gnu::always_inline]] inline N merge_lanes(const N (&x)[Count]) {
  constexpr int count = static_cast<int>(Count);
  constexpr std::make_integer_sequence<int, Lanes> all{};
  if constexpr (detail::moves_in_two_steps<From, Lanes, count, N>()) return detail::move_in_two_steps<From, Lanes>(x);
  N out = detail::shuffle_by<detail::lane_of_pair<From, 0>>(x[0], x[count > 1 ? 1 : 0], all);
  if constexpr (count > 3)
    [&]<int... P>(std::integer_sequence<int, 0, P...>) __attribute__((always_inline)) {
      ((out = detail::shuffle_by<detail::lane_of_blend<From, 2 * P>>(
            out, detail::shuffle_by<detail::lane_of_pair<From, 2 * P>>(x[2 * P], x[2 * P + 1], all), all)),
       ...);
    }(std::make_integer_sequence<int, (count < 2 ? 1 : count / 2)>());
  if constexpr (count > 1 && count % 2 == 1) out = detail::shuffle_by<detail::lane_of_rest<From, count - 1>>(out, x[count - 1], all);
  return out;
}

}  // namespace jig::simd

// SPDX-License-Identifier: MIT
#pragma once
// Registers that hold a run of memory in another order, such as small matrices that are transposed one after another. Where each of them
// has lanes of many registers of that run, these change places two by two: in as many rounds as halve their number to one.

#include <jig/eval/lane_map.hpp>
#include <jig/eval/lane_moves.hpp>

namespace jig::simd {

/// The rounds of moves. In round s, register r becomes lanes `lane[s][r]` of the pair of registers that begins with number `pair[s][r]`.
template <int Registers, int Lanes>
struct lane_network {
  int rounds = 0;  // 0: there is none
  int pair[4][jig::detail::array_bound(Registers)] = {};
  // Those of the second register are counted behind those of the first one.
  int lane[4][jig::detail::array_bound(Registers)][jig::detail::array_bound(Lanes)] = {};

  /// How many moves it takes.
  constexpr int cost() const { return rounds * Registers; }
};

/// The network for registers of which lane l of register r is element `map(r).at[l]`. There is none where these are no run of memory from
/// map.first to map.last, or where some pair of registers has more for one half of the others than for the other.
template <int Registers, int Lanes, class Maps>
constexpr lane_network<Registers, Lanes> find_network(const Maps& map) {
  constexpr int count = Registers * Lanes;
  int rounds = 0;
  while (1 << rounds < Registers) ++rounds;
  if (rounds < 2 || rounds > 4 || 1 << rounds != Registers) return {};
  // Where every element goes to, and which element every lane has.
  int target[jig::detail::array_bound(count)] = {}, has[jig::detail::array_bound(count)] = {};
  for (int r = 0; r < Registers; ++r) {
    const lane_map<Lanes> of = map(r);
    if (of.last - of.first + 1 != count) return {};
    for (int l = 0; l < Lanes; ++l) {
      int& to = target[of.at[l] - of.first];
      if (to != 0) return {};
      to = r * Lanes + l + 1;
    }
  }
  lane_network<Registers, Lanes> out;
  for (int e = 0; e < count; ++e) has[e] = e;
  for (int s = 0; s < rounds; ++s) {
    const int group = Registers >> s;
    int next[jig::detail::array_bound(count)] = {};
    for (int pair = 0; pair < Registers; pair += 2) {
      // All that goes to the first half of the registers of a group becomes one register, the rest another.
      const int base = pair / group * group, one = base + (pair - base) / 2;
      int filled[2] = {};
      for (int l = 0; l < 2 * Lanes; ++l) {
        const int element = has[pair * Lanes + l], to = target[element] - 1, half = to / Lanes >= base + group / 2;
        const int at = group == 2 ? to % Lanes : filled[half], reg = one + half * (group / 2);
        if (filled[half]++ == Lanes) return {};
        out.pair[s][reg] = pair;
        out.lane[s][reg][at] = l;
        next[reg * Lanes + at] = element;
      }
    }
    for (int e = 0; e < count; ++e) has[e] = next[e];
  }
  out.rounds = rounds;
  return out;
}

namespace detail {

template <class Network, int Round, int Q>
struct lane_of_round {
  static constexpr int at(int i) { return Network::network.lane[Round][Q][i]; }
};
template <class Network, int Round, class B, int... Q>
[[gnu::always_inline]] inline void run_rounds(B* x, std::integer_sequence<int, Q...> all) {
  if constexpr (Round < Network::network.rounds) {
    const B from[] = {x[Q]...};
    ((x[Q] = permute<lane_of_round<Network, Round, Q>>(from[Network::network.pair[Round][Q]], from[Network::network.pair[Round][Q] + 1])),
     ...);
    run_rounds<Network, Round + 1>(x, all);
  }
}

}  // namespace detail

/// Moves the lanes of so many registers. Network::network is a lane_network for them.
template <class Network, int Registers, class B>
[[gnu::always_inline]] inline void run_network(B* x) {
  detail::run_rounds<Network, 0>(x, std::make_integer_sequence<int, Registers>());
}

}  // namespace jig::simd

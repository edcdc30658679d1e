// SPDX-License-Identifier: MIT
#pragma once
// Moves of lanes that AVX2 makes in two steps: what is wanted of several registers comes into one, each lane where it can, and from there
// to its place. Compilers move the lanes of each register on their own, which takes a slow move for each.

#include <jig/eval/simd.hpp>

#include <type_traits>
#include <utility>

namespace jig::simd::detail {

/// Whether registers of such vectors have no move of any lanes of two of them, but cheap ones of some.
#if defined(__AVX2__) && !defined(__AVX512VL__)
template <class N>
inline constexpr bool may_move_in_two_steps = sizeof(N) == 32 && sizeof(std::declval<N>()[0]) >= 4;
#else
template <class N>
inline constexpr bool may_move_in_two_steps = false;
#endif

/// Which register each lane of the first step is from, and which lane of it; where each lane is then.
template <int Lanes>
struct two_steps {
  bool found = false;
  int source[jig::detail::array_bound(Lanes)] = {}, lane[jig::detail::array_bound(Lanes)] = {};
  int place[jig::detail::array_bound(Lanes)] = {};

  constexpr bool in_place() const {
    for (int l = 0; l < Lanes; ++l)
      if (place[l] != l) return false;
    return true;
  }
};

// Lanes that stay where they are: if no two of them are wanted from different registers.
template <class From, int Lanes>
constexpr two_steps<Lanes> find_blend() {
  two_steps<Lanes> out;
  bool taken[jig::detail::array_bound(Lanes)] = {};
  for (int p = 0; p < Lanes; ++p) out.lane[p] = p;
  for (int l = 0; l < Lanes; ++l) {
    const int p = From::lane(l);
    if (taken[p] && out.source[p] != From::source(l)) return {};
    taken[p] = true;
    out.source[p] = From::source(l);
    out.place[l] = p;
  }
  out.found = true;
  return out;
}
// Two lanes of each 16 bytes of one register and two of another, the same ones of all 16 bytes.
template <class From, int Lanes>
constexpr two_steps<Lanes> find_pack() {
  constexpr int half = Lanes / 2, each = half / 2;
  two_steps<Lanes> out;
  int wanted[2][jig::detail::array_bound(each)] = {}, count[2] = {};
  const auto position = [&](int reg, int lane) {
    int at = 0;
    while (at < count[reg] && wanted[reg][at] != lane) ++at;
    return at;
  };
  for (int l = 0; l < Lanes; ++l) {
    const int reg = From::source(l), lane = From::lane(l) % half;
    if (position(reg, lane) < count[reg]) continue;
    if (count[reg] == each) return {};
    wanted[reg][count[reg]++] = lane;
  }
  for (int p = 0; p < Lanes; ++p) {
    out.source[p] = p % half / each;
    out.lane[p] = p / half * half + wanted[out.source[p]][p % each];
  }
  for (int l = 0; l < Lanes; ++l) {
    const int reg = From::source(l), lane = From::lane(l);
    out.place[l] = lane / half * half + reg * each + position(reg, lane % half);
  }
  out.found = true;
  return out;
}

// Whether one move does it: lanes of one register, within each 16 bytes, or 16 bytes as a whole.
template <class From, int Lanes>
constexpr bool is_one_move() {
  constexpr int half = Lanes / 2;
  bool one = true, within = true, whole = true;
  for (int l = 0; l < Lanes; ++l) {
    one = one && From::source(l) == From::source(0);
    within = within && From::lane(l) / half == l / half;
    whole = whole && From::lane(l) % half == l % half && From::source(l) == From::source(l / half * half) &&
            From::lane(l) / half == From::lane(l / half * half) / half;
  }
  return one || within || whole;
}

template <class From, int Lanes, int Count>
inline constexpr two_steps<Lanes> steps_of = [] {
  two_steps<Lanes> out;
  if (Count == 2 && is_one_move<From, Lanes>()) return out;
  out = find_blend<From, Lanes>();
  if (!out.found && Count == 2) out = find_pack<From, Lanes>();
  return out;
}();
template <class From, int Lanes, int Count, class N>
constexpr bool moves_in_two_steps() {
  if constexpr (Count > 1 && may_move_in_two_steps<N>) return steps_of<From, Lanes, Count>.found;
  else return false;
}

// The compiler may not make one move of two.
template <class N>
[[gnu::always_inline]] inline void end_step([[maybe_unused]] N& x) {
#if defined(__x86_64__) && !defined(__clang__)
  asm("" : "+x"(x));
#endif
}

/// Lane l is lane From::lane(l) of x[From::source(l)].
template <class From, int Lanes, std::size_t Count, class N>
[[gnu::always_inline]] inline N move_in_two_steps(const N (&x)[Count]) {
  using T = std::conditional_t<Lanes == 4, double, float>;
  using F = typename native<T, Lanes>::type;
  constexpr auto& steps = steps_of<From, Lanes, static_cast<int>(Count)>;
  return [&]<int... L>(std::integer_sequence<int, L...>) __attribute__((always_inline)) {
    const auto with = [&]<int R>(const F& all, std::integral_constant<int, R>) __attribute__((always_inline)) {
      if constexpr (((steps.source[L] == R) || ...))
        return shuffle<(steps.source[L] == R ? Lanes + steps.lane[L] : R > 1 ? L : steps.lane[L])...>(all, std::bit_cast<F>(x[R]));
      else return all;
    };
    F all = std::bit_cast<F>(x[0]);
    [&]<int... R>(std::integer_sequence<int, 0, R...>) __attribute__((always_inline)) {
      ((all = with(all, std::integral_constant<int, R>())), ...);
    }(std::make_integer_sequence<int, static_cast<int>(Count)>());
    if constexpr (!steps.in_place()) {
      end_step(all);
      all = shuffle<steps.place[L]...>(all, all);
    }
    return std::bit_cast<N>(all);
  }(std::make_integer_sequence<int, Lanes>());
}

}  // namespace jig::simd::detail

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
inline constexpr bool has_two_step_moves = true;
#else
inline constexpr bool has_two_step_moves = false;
#endif
template <class N>
inline constexpr bool may_move_in_two_steps = has_two_step_moves && sizeof(N) == 32 && sizeof(std::declval<N>()[0]) >= 4;

/// Where each lane of a register comes from: one of some registers, and a lane of it.
template <int Lanes>
struct lane_choice {
  int source[jig::detail::array_bound(Lanes)] = {}, lane[jig::detail::array_bound(Lanes)] = {};
};
/// What comes into one register first, and where each lane is then.
template <int Lanes>
struct two_steps {
  bool found = false;
  lane_choice<Lanes> first;
  int place[jig::detail::array_bound(Lanes)] = {};

  constexpr bool in_place() const {
    for (int l = 0; l < Lanes; ++l)
      if (place[l] != l) return false;
    return true;
  }
};

// Lanes that stay where they are: if no two of them are wanted from different registers.
template <int Lanes>
constexpr two_steps<Lanes> find_blend(const lane_choice<Lanes>& from) {
  two_steps<Lanes> out;
  bool taken[jig::detail::array_bound(Lanes)] = {};
  for (int p = 0; p < Lanes; ++p) out.first.lane[p] = p;
  for (int l = 0; l < Lanes; ++l) {
    const int p = from.lane[l];
    if (taken[p] && out.first.source[p] != from.source[l]) return {};
    taken[p] = true;
    out.first.source[p] = from.source[l];
    out.place[l] = p;
  }
  out.found = true;
  return out;
}
// A quarter of the lanes from each 16 bytes of two registers, the same ones of all 16 bytes.
template <int Lanes>
constexpr two_steps<Lanes> find_pack(const lane_choice<Lanes>& from) {
  constexpr int half = Lanes / 2, each = half / 2;
  two_steps<Lanes> out;
  int wanted[2][jig::detail::array_bound(each)] = {}, count[2] = {};
  for (int l = 0; l < Lanes; ++l) {
    const int r = from.source[l], lane = from.lane[l] % half;
    int at = 0;
    while (at < count[r] && wanted[r][at] != lane) ++at;
    if (at == each) return {};
    if (at == count[r]) wanted[r][count[r]++] = lane;
    out.place[l] = from.lane[l] / half * half + r * each + at;
  }
  for (int p = 0; p < Lanes; ++p) {
    const int r = p % half / each;
    out.first.source[p] = r;
    out.first.lane[p] = p / half * half + wanted[r][p % each];
  }
  out.found = true;
  return out;
}

/// Whether all lanes stay within their 16 bytes.
template <int Lanes>
constexpr bool is_within(const lane_choice<Lanes>& from) {
  constexpr int half = Lanes / 2;
  for (int l = 0; l < Lanes; ++l)
    if (from.lane[l] / half != l / half) return false;
  return true;
}
/// Whether one move does it: lanes of one register, within each 16 bytes, or 16 bytes as a whole.
template <int Lanes>
constexpr bool is_one_move(const lane_choice<Lanes>& from) {
  constexpr int half = Lanes / 2;
  bool one = true, whole = true;
  for (int l = 0; l < Lanes; ++l) {
    const int first = l / half * half;
    one = one && from.source[l] == from.source[0];
    whole =
        whole && from.lane[l] % half == l % half && from.source[l] == from.source[first] && from.lane[l] / half == from.lane[first] / half;
  }
  return one || whole || is_within(from);
}

/// The two steps from so many registers, if they are better than the moves that compilers find.
template <int Lanes>
constexpr two_steps<Lanes> find_two_steps(const lane_choice<Lanes>& from, int count) {
  if (count == 2 && is_one_move(from)) return {};
  const two_steps<Lanes> blend = find_blend(from);
  return blend.found || count != 2 ? blend : find_pack(from);
}

/// What it costs to bring lanes of so many registers into one, in instructions, about: to choose lanes costs less than to move them.
template <int Lanes>
constexpr double cost_in_two_steps(const lane_choice<Lanes>& from, int count) {
  constexpr double choose = .5, move = 1.5, pack = 1;
  if (count == 1) return is_within(from) ? 1 : move;
  if (count == 2 && is_one_move(from)) return 1;
  const two_steps<Lanes> steps = find_two_steps(from, count);
  if (!steps.found) return (2 * move + choose) * (count - 1);
  return (find_blend(from).found ? choose * (count - 1) : pack) + (steps.in_place() ? 0 : move);
}

template <class From, int Lanes, int Count>
inline constexpr two_steps<Lanes> steps_of = [] {
  lane_choice<Lanes> from;
  for (int l = 0; l < Lanes; ++l) from.source[l] = From::source(l), from.lane[l] = From::lane(l);
  return find_two_steps(from, Count);
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
      if constexpr (((steps.first.source[L] == R) || ...))
        return shuffle<(steps.first.source[L] == R ? Lanes + steps.first.lane[L]
                        : R > 1                    ? L
                                                   : steps.first.lane[L])...>(all, std::bit_cast<F>(x[R]));
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

// SPDX-License-Identifier: MIT
#pragma once
// Groups of elements that lie some steps apart, side by side: what windows that move by more than one element read with registers.

#include <jig/eval/interleave.hpp>
#include <jig/eval/resize.hpp>
#include <jig/ops/copy.hpp>

#include <cstdint>
#include <type_traits>

namespace jig::detail {

/// The phases of a line of groups of elements: phase p has groups p, p + step, p + 2 step, … side by side.
/// Units: elements.
struct phases {
  index step, group, apart;  // `apart`: from one phase to the next

  constexpr phases(index groups, index by, index elements) : step(by), group(elements), apart((groups + by - 1) / by * elements) {}

  constexpr index size() const { return step * apart; }
  /// Where group k of the line is among the phases.
  constexpr index place(index k) const { return k % step * apart + k / step * group; }
};

// Calls f with the step as a std::integral_constant and a word that is as large as a group, if registers move such words so far apart;
// f says how many groups it has moved.
template <class T, class F>
index move_words(const phases& p, F f) {
  const auto with_step = [&](auto word) -> index {
    switch (p.step) {
      case 2: return f(std::integral_constant<int, 2>(), word);
      case 3: return f(std::integral_constant<int, 3>(), word);
      case 4: return f(std::integral_constant<int, 4>(), word);
      case 8: return f(std::integral_constant<int, 8>(), word);
      default: return 0;
    }
  };
  const std::size_t bytes = static_cast<std::size_t>(p.group) * sizeof(T);
  if constexpr (sizeof(T) == 1)
    if (bytes == 1) return with_step(std::uint8_t());
  if constexpr (sizeof(T) <= 2)
    if (bytes == 2) return with_step(std::uint16_t());
  if constexpr (sizeof(T) <= 4)
    if (bytes == 4) return with_step(std::uint32_t());
  return bytes == 8 ? with_step(std::uint64_t()) : 0;
}
// Calls f with the groups of a line from a multiple of the step on, their places, and what copies one.
template <class F>
void move_groups(const phases& p, index first, index groups, F f) {
  const auto all = [&](auto copy) {
    for (index phase = 0; phase < p.step; ++phase) {
      index place = phase * p.apart + first / p.step * p.group;
      for (index k = first + phase; k < groups; k += p.step, place += p.group) f(k * p.group, place, copy);
    }
  };
  switch (p.group) {
    case 1: return all([](auto* to, const auto* from) { *to = *from; });
    case 3: return all([](auto* to, const auto* from) { copy_run<3>(to, from); });
    default: return all([&](auto* to, const auto* from) { copy_run(to, from, p.group); });
  }
}

// Which lanes of registers are those of register Q of a phase.
template <int Width, int Step, int Group, int Phase, int Q>
struct lane_of_phase {
  static constexpr int at(int l) { return ((Q * Width + l) / Group * Step + Phase) * Group + (Q * Width + l) % Group; }
  static constexpr int first = at(0) / Width, count = at(Width - 1) / Width - first + 1;
  static constexpr int source(int l) { return at(l) / Width - first; }
  static constexpr int lane(int l) { return at(l) % Width; }
};
// Register Q of a phase of the line that registers x hold.
template <int Step, int Group, int Phase, int Q, class B>
[[gnu::always_inline]] inline B phase_register(const B* x) {
  using from = lane_of_phase<static_cast<int>(B::size), Step, Group, Phase, Q>;
  return simd::merge<from, from::count>(x + from::first);
}
// Groups of which no register holds a whole number: as many registers at a time as have one again.
template <int Step, int Group, class T>
index split_registers(T* to, index apart, const T* line, index groups) {
  using B = simd::batch<T>;
  constexpr int width = static_cast<int>(simd::lanes<T>);
  index k = 0;
  for (; k + Step * width <= groups; k += Step * width, line += Step * Group * width, to += Group * width) {
    B x[array_bound(Step * Group)];
#pragma GCC unroll 16
    for (int r = 0; r < Step * Group; ++r) x[r] = B::load_unaligned(line + r * width);
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      (phase_register<Step, Group, R / Group, R % Group>(x).store_unaligned(to + R / Group * apart + R % Group * width), ...);
    }(std::make_integer_sequence<int, Step * Group>());
  }
  return k;
}

/// The phases of a line of so many groups. The two do not overlap.
template <class T>
[[gnu::noinline]] void split(const phases& p, T* to, const T* line, index groups) {
  if (p.step == 1) return copy_run(to, line, groups * p.group);
  index moved = 0;
  using W = simd::detail::word_of_bytes<sizeof(T)>;
  if (sizeof(T) == sizeof(W) && p.group == 3 && p.step == 2)
    moved = split_registers<2, 3>(reinterpret_cast<W*>(to), p.apart, reinterpret_cast<const W*>(line), groups);
  else
    moved = move_words<T>(p, [&]<int Step, class Word>(std::integral_constant<int, Step>, Word) {
      using B = simd::batch<Word>;
      const index apart = p.apart * static_cast<index>(sizeof(T)) / static_cast<index>(sizeof(Word));
      const auto* from = reinterpret_cast<const Word*>(line);
      auto* part = reinterpret_cast<Word*>(to);
      index k = 0;
      for (; k + Step * simd::lanes<Word> <= groups; k += Step * simd::lanes<Word>, part += simd::lanes<Word>) {
        B x[array_bound(Step)];
#pragma GCC unroll 8
        for (int r = 0; r < Step; ++r) x[r] = B::load_unaligned(from + k + r * simd::lanes<Word>);
        simd::deinterleave<Step>(x);
#pragma GCC unroll 8
        for (int r = 0; r < Step; ++r) x[r].store_unaligned(part + r * apart);
      }
      return k;
    });
  move_groups(p, moved, groups, [&](index at, index place, auto copy) { copy(to + place, line + at); });
}

// Which lanes of registers of the phases are those of register R of the line: of every phase two that follow one another.
template <int Width, int Step, int Group, int R>
struct lane_of_line {
  static constexpr int at(int l) { return (R * Width + l) / Group; }
  static constexpr int place(int l) { return at(l) / Step * Group + (R * Width + l) % Group; }
  static constexpr int first = at(0) / Step * Group / Width;
  static constexpr int source(int l) { return at(l) % Step * 2 + place(l) / Width - first; }
  static constexpr int lane(int l) { return place(l) % Width; }
};
template <int Step, int Group, class T>
index merge_registers(T* line, const T* from, index apart, index groups) {
  using B = simd::batch<T>;
  constexpr int width = static_cast<int>(simd::lanes<T>);
  index k = 0;
  for (; k + Step * width <= groups; k += Step * width, line += Step * Group * width, from += Group * width)
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            using lanes = lane_of_line<width, Step, Group, R>;
            constexpr int second = lanes::first + 1 < Group ? lanes::first + 1 : lanes::first;
            B x[array_bound(2 * Step)];
#pragma GCC unroll 8
            for (int p = 0; p < Step; ++p) {
              x[2 * p] = B::load_unaligned(from + p * apart + lanes::first * width);
              x[2 * p + 1] = B::load_unaligned(from + p * apart + second * width);
            }
            simd::merge<lanes, 2 * Step>(x).store_unaligned(line + R * width);
          }(),
          ...);
    }(std::make_integer_sequence<int, Step * Group>());
  return k;
}

/// The line of so many groups that has these phases. The two do not overlap.
template <class T>
[[gnu::noinline]] void merge(const phases& p, T* line, const T* from, index groups) {
  if (p.step == 1) return copy_run(line, from, groups * p.group);
  index moved = 0;
  using W = simd::detail::word_of_bytes<sizeof(T)>;
  if (sizeof(T) == sizeof(W) && p.group == 3 && p.step == 2)
    moved = merge_registers<2, 3>(reinterpret_cast<W*>(line), reinterpret_cast<const W*>(from), p.apart, groups);
  else
    moved = move_words<T>(p, [&]<int Step, class Word>(std::integral_constant<int, Step>, Word) {
      using B = simd::batch<Word>;
      const index apart = p.apart * static_cast<index>(sizeof(T)) / static_cast<index>(sizeof(Word));
      const auto* part = reinterpret_cast<const Word*>(from);
      auto* to = reinterpret_cast<Word*>(line);
      index k = 0;
      for (; k + Step * simd::lanes<Word> <= groups; k += Step * simd::lanes<Word>, part += simd::lanes<Word>) {
        B x[array_bound(Step)];
#pragma GCC unroll 8
        for (int r = 0; r < Step; ++r) x[r] = B::load_unaligned(part + r * apart);
        simd::interleave_groups<Step>(x);
#pragma GCC unroll 8
        for (int r = 0; r < Step; ++r) x[r].store_unaligned(to + k + r * simd::lanes<Word>);
      }
      return k;
    });
  move_groups(p, moved, groups, [&](index at, index place, auto copy) { copy(line + at, from + place); });
}

}  // namespace jig::detail

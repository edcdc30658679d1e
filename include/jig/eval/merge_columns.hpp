// SPDX-License-Identifier: MIT
#pragma once
// A register of elements that lie 2, 4, 8 … apart, such as the red ones of pixels of four bytes, out of the registers that hold all between
// them. What is moved on the way is packed with what columns beside it need there, so that compilers find the same moves where those are
// wanted, too: four columns take 8 moves in place of 12, eight 24 in place of 56.

#include <jig/eval/simd.hpp>

#include <utility>

namespace jig::simd {

/// Whether any lanes of two registers become one register in one move.
#if defined(__AVX512VBMI__)
template <class T, int Lanes>
inline constexpr bool moves_any_two = sizeof(T) * Lanes == 64;
#elif defined(__AVX512F__)
template <class T, int Lanes>
inline constexpr bool moves_any_two = sizeof(T) >= 4 && sizeof(T) * Lanes == 64;
#else
template <class T, int Lanes>
inline constexpr bool moves_any_two = false;
#endif

namespace detail {

// What so many neighbouring registers have of columns: of as many columns as fill a register, one column after another.
template <int Lanes, int Columns, int Registers>
struct packed_columns {
  static constexpr int columns = Columns / Registers, rows = Lanes / columns;
  /// Which lane has the element of a row of these registers.
  static constexpr int lane_of(int row, int column) { return Registers == 1 ? row * Columns + column : column % columns * rows + row; }
};
// The lanes of the first and of the second half of the registers that are packed for the columns beside `Column`.
template <int Lanes, int Columns, int Registers, int Column>
struct lane_of_halves {
  using all = packed_columns<Lanes, Columns, Registers>;
  using half = packed_columns<Lanes, Columns, Registers / 2>;
  static constexpr int at(int lane) {
    const int column = Column / all::columns * all::columns + lane / all::rows, row = lane % all::rows;
    return row < half::rows ? half::lane_of(row, column) : Lanes + half::lane_of(row - half::rows, column);
  }
};
template <int Lanes, int Columns, int Registers, int Column, class N>
[[gnu::always_inline]] inline N pack_columns(const N* x) {
  if constexpr (Registers == 1) {
    return x[0];
  } else {
    const N first = pack_columns<Lanes, Columns, Registers / 2, Column>(x),
            second = pack_columns<Lanes, Columns, Registers / 2, Column>(x + Registers / 2);
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return shuffle<lane_of_halves<Lanes, Columns, Registers, Column>::at(I)...>(first, second);
    }(std::make_integer_sequence<int, Lanes>());
  }
}

}  // namespace detail

/// Lane l is element Column + l * Columns of what the registers hold one after another. There are a power of two of them.
template <int Lanes, int Column, class N, std::size_t Columns>
[[gnu::always_inline]] inline N merge_column(const N (&x)[Columns]) {
  constexpr int columns = static_cast<int>(Columns);
  static_assert((columns & (columns - 1)) == 0 && columns <= Lanes);
  return detail::pack_columns<Lanes, columns, columns, Column>(x);
}

}  // namespace jig::simd

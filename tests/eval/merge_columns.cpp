// SPDX-License-Identifier: MIT
// Registers of 64 bytes are also made of shorter ones, where functions that are not inlined return them in memory.
#pragma GCC diagnostic ignored "-Wpsabi"

#include <jig/eval/merge_columns.hpp>

#include <jig/eval/lane_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace {

template <class T, int Columns, int Column>
int wrong_lanes() {
  constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  using N = typename jig::simd::native<T, lanes>::type;
  T memory[Columns * lanes], merged[lanes];
  for (int i = 0; i < Columns * lanes; ++i) memory[i] = static_cast<T>(i * 3 + 1);
  N x[Columns];
  std::memcpy(x, memory, sizeof(x));
  const N y = jig::simd::merge_column<lanes, Column>(x);
  std::memcpy(merged, &y, sizeof(y));
  int wrong = 0;
  for (int l = 0; l < lanes; ++l) wrong += merged[l] != memory[l * Columns + Column];
  return wrong;
}
template <class T, int Columns>
void check_columns() {
  [&]<int... C>(std::integer_sequence<int, C...>) {
    CHECK((wrong_lanes<T, Columns, C>() + ...) == 0);
  }(std::make_integer_sequence<int, Columns>());
}

// A column of rows, of which so many elements may be read.
template <int Lanes, int Columns, int Column>
constexpr int column_found(jig::index first, jig::index last) {
  jig::simd::lane_map<Lanes> map;
  for (int l = 0; l < Lanes; ++l) map.at[l] = first + l * Columns + Column;
  map.first = first;
  map.last = last;
  return jig::simd::column_of(map, jig::simd::find_sources(map));
}

}  // namespace

TEST_CASE_TEMPLATE("columns of rows in registers", T, float, double, std::uint8_t, std::int16_t, std::int32_t) {
  check_columns<T, 2>();
  check_columns<T, 4>();
  check_columns<T, 8>();
}
TEST_CASE("which maps take a column") {
  static_assert(column_found<16, 4, 0>(0, 63) == 0);
  static_assert(column_found<16, 4, 3>(0, 63) == 3);
  static_assert(column_found<16, 8, 5>(16, 143) == 5);
  static_assert(column_found<8, 2, 1>(0, 15) == 1);
  // Of rows of another length, or of which the last register would not be a whole one.
  static_assert(column_found<16, 3, 1>(0, 47) == -1);
  static_assert(column_found<16, 4, 0>(0, 60) == -1);
  static_assert(column_found<16, 4, 1>(0, 1000) == -1);
}

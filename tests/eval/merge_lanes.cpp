// SPDX-License-Identifier: MIT
#include <jig/eval/merge_lanes.hpp>

#include <jig/eval/lane_moves.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>

namespace {

// Lanes from anywhere, all of one register, and such that stay in their places.
template <int Count, int Width>
struct scattered {
  static constexpr int source(int l) { return (l * 7 + l / 3) % Count; }
  static constexpr int lane(int l) { return (l * 5 + 3) % Width; }
};
template <int Count, int Width>
struct of_last {
  static constexpr int source(int) { return Count - 1; }
  static constexpr int lane(int l) { return Width - 1 - l; }
};
template <int Count, int Width>
struct in_place {
  static constexpr int source(int l) { return l * Count / Width; }
  static constexpr int lane(int l) { return l; }
};

template <class T, int Count, int Stride, template <int, int> class From>
void check() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size), registers = (Count - 1) * Stride + 1;
  using from = From<Count, width>;
  T memory[registers * width], lanes[width];
  for (int i = 0; i < registers * width; ++i) memory[i] = static_cast<T>(i * 3 + 1);
  B x[registers];
  for (int r = 0; r < registers; ++r) x[r] = B::load_unaligned(memory + r * width);
  jig::simd::merge<from, Count, Stride>(x).store_unaligned(lanes);
  int wrong = 0;
  for (int l = 0; l < width; ++l) wrong += lanes[l] != memory[from::source(l) * Stride * width + from::lane(l)];
  CHECK(wrong == 0);
}
template <class T, int... C>
void check_counts(std::integer_sequence<int, C...>) {
  (check<T, C + 1, 1, scattered>(), ...);
  (check<T, C + 1, 2, scattered>(), ...);
  (check<T, C + 1, 1, of_last>(), ...);
  (check<T, C + 1, 1, in_place>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("lanes of several registers in one", T, float, double, std::uint8_t, std::int16_t, std::int64_t) {
  check_counts<T>(std::make_integer_sequence<int, 8>());
}

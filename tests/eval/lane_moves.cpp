// SPDX-License-Identifier: MIT
#include <jig/eval/lane_moves.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using jig::index;
namespace simd = jig::simd;

template <class T>
using batch = simd::batch<T>;
template <class T>
inline constexpr int width = static_cast<int>(batch<T>::size);

template <class T>
T number(int i) {
  return static_cast<T>(i * 3 + 1);
}
template <class T>
batch<T> counted(int first) {
  T from[width<T>];
  for (int i = 0; i < width<T>; ++i) from[i] = number<T>(first + i);
  return batch<T>::load_unaligned(from);
}
// How many lanes are not the number that they should come from.
template <class T, class F>
int wrong(const batch<T>& found, F source) {
  T to[width<T>];
  found.store_unaligned(to);
  int count = 0;
  for (int i = 0; i < width<T>; ++i) count += to[i] != number<T>(source(i));
  return count;
}

template <class T, int N>
int wrong_in_groups() {
  if constexpr (N > width<T>) {
    return 0;
  } else {
    T few[jig::detail::array_bound(N)];
    for (int i = 0; i < N; ++i) few[i] = number<T>(i);
    const auto x = counted<T>(0);
    return wrong<T>(simd::repeat<batch<T>, N>(few), [](int i) { return i % N; }) +
           wrong<T>(simd::spread<0, N>(x), [](int i) { return i / N * N; }) +
           wrong<T>(simd::spread<N - 1, N>(x), [](int i) { return i / N * N + N - 1; });
  }
}

template <int Width>
struct backwards {
  static constexpr int at(int i) { return 2 * Width - 1 - i; }
};
template <int Width>
struct scattered {
  static constexpr int at(int i) { return i * 5 % (2 * Width); }
};
template <int Width>
struct of_three {
  static constexpr int source(int l) { return l % 3; }
  static constexpr int lane(int l) { return (l * 3 + 1) % Width; }
};

}  // namespace

TEST_CASE_TEMPLATE("lanes repeat, and spread over groups", T, float, double, std::int32_t, std::uint64_t, std::int16_t, std::uint8_t) {
  CHECK(wrong_in_groups<T, 1>() == 0);
  CHECK(wrong_in_groups<T, 2>() == 0);
  CHECK(wrong_in_groups<T, 4>() == 0);
  CHECK(wrong_in_groups<T, 8>() == 0);
  CHECK(wrong_in_groups<T, width<T>>() == 0);
}

TEST_CASE_TEMPLATE("lanes of two registers, or of more", T, float, double, std::int32_t, std::uint64_t, std::int16_t) {
  constexpr int w = width<T>;
  const auto x = counted<T>(0), y = counted<T>(w);
  CHECK(wrong<T>(simd::permute<backwards<w>>(x, y), [](int i) { return 2 * w - 1 - i; }) == 0);
  CHECK(wrong<T>(simd::permute<scattered<w>>(x, y), [](int i) { return i * 5 % (2 * w); }) == 0);
  CHECK(wrong<T>(simd::permute<scattered<w>>(x), [](int i) { return i * 5 % (2 * w) % w; }) == 0);
  const batch<T> apart[] = {x, counted<T>(500), y, counted<T>(600), counted<T>(2 * w)};
  CHECK(wrong<T>(simd::merge<of_three<w>, 3, 2>(apart), [](int i) { return i % 3 * w + (i * 3 + 1) % w; }) == 0);
}

TEST_CASE_TEMPLATE("columns become rows, and back", T, float, double, std::int32_t, std::uint64_t, std::int16_t) {
  constexpr int w = width<T>;
  batch<T> x[batch<T>::size];
  for (int r = 0; r < w; ++r) x[r] = counted<T>(r * w);
  simd::transpose(x);
  int count = 0;
  for (int r = 0; r < w; ++r) count += wrong<T>(x[r], [r](int i) { return i * w + r; });
  simd::transpose(x);
  for (int r = 0; r < w; ++r) count += wrong<T>(x[r], [r](int i) { return r * w + i; });
  CHECK(count == 0);
}

TEST_CASE_TEMPLATE("two registers by turns", T, float, double, std::int32_t, std::uint64_t, std::int16_t, std::uint8_t) {
  constexpr int w = width<T>;
  auto x = counted<T>(0), y = counted<T>(w);
  simd::interleave(x, y);
  CHECK(wrong<T>(x, [](int i) { return i / 2 + i % 2 * w; }) == 0);
  CHECK(wrong<T>(y, [](int i) { return (i + w) / 2 + i % 2 * w; }) == 0);
}

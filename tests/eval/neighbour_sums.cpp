// SPDX-License-Identifier: MIT
#include <jig/eval/neighbour_sums.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using jig::index;
namespace simd = jig::simd;

template <class T>
T element(int i) {
  using limits = std::numeric_limits<T>;
  return i % 5 == 0 ? limits::min() : i % 5 == 1 ? limits::max() : static_cast<T>(i * 37);
}
// Registers of the ends of the dtype and numbers between, from element number `first` on.
template <class T>
auto counted(int first) {
  using B = simd::batch<T>;
  T from[B::size];
  for (std::size_t i = 0; i < B::size; ++i) from[i] = element<T>(first + static_cast<int>(i));
  return B::load_unaligned(from);
}

TEST_CASE_TEMPLATE("sums of many registers", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t) {
  using sums = simd::neighbour_sums<simd::batch<T>>;
  constexpr int width = static_cast<int>(simd::batch<T>::size);
  for (int registers : {1, 2, 100}) {
    typename sums::part part{};
    std::int64_t expected = 0;
    for (int r = 0; r < registers; ++r) part += sums::of(counted<T>(r));
    for (int r = 0; r < registers; ++r)
      for (int i = 0; i < width; ++i) expected += element<T>(r + i);
    CHECK(static_cast<std::int64_t>(sums::total(part, index{registers} * width)) == expected);
  }
}

TEST_CASE_TEMPLATE("as many registers as one part takes, of the largest and the smallest numbers", T, std::int16_t, std::uint16_t) {
  using sums = simd::neighbour_sums<simd::batch<T>>;
  constexpr index width = static_cast<index>(simd::batch<T>::size);
  for (T x : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) {
    typename sums::part part{};
    for (index r = 0; r < sums::most; ++r) part += sums::of(simd::batch<T>(x));
    CHECK(static_cast<std::int64_t>(sums::total(part, sums::most * width)) == sums::most * width * std::int64_t{x});
  }
}

TEST_CASE_TEMPLATE("lanes from one on, zeros before it", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t) {
  using B = simd::batch<T>;
  const B x = counted<T>(1);
  int wrong = 0;
  for (index first = 0; first < static_cast<index>(B::size); ++first) {
    T to[B::size];
    simd::neighbour_sums<B>::lanes_from(first, x).store_unaligned(to);
    for (std::size_t i = 0; i < B::size; ++i)
      wrong += to[i] != (static_cast<index>(i) < first ? T(0) : element<T>(1 + static_cast<int>(i)));
  }
  CHECK(wrong == 0);
}

// Where the machine has instructions for them.
template <class Sums, class B>
void check_distances(const B& x, const B& y) {
  if constexpr (requires { Sums::of_distances(x, y); }) {
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < B::size; ++i)
      expected += static_cast<std::uint64_t>(x.get(i) > y.get(i) ? x.get(i) - y.get(i) : y.get(i) - x.get(i));
    std::uint64_t found = 0;
    const auto part = Sums::of_distances(x, y);
    for (std::size_t i = 0; i < sizeof(part) / sizeof(part[0]); ++i) found += part[i];
    CHECK(found == expected);
  }
}
template <class Sums, class B>
void check_products(const B& x, const B& y) {
  if constexpr (requires { Sums::of_products(x, y); }) {
    std::uint32_t expected = 0, found = 0;
    for (std::size_t i = 0; i < B::size; ++i) expected += static_cast<std::uint32_t>(x.get(i) * y.get(i));
    const auto part = Sums::of_products(x, y);
    for (std::size_t i = 0; i < sizeof(part) / sizeof(part[0]); ++i) found += part[i];
    CHECK(found == expected);
  }
}
TEST_CASE("distances of bytes, and products of words, which wrap") {
  check_distances<simd::neighbour_sums<simd::batch<std::uint8_t>>>(counted<std::uint8_t>(0), counted<std::uint8_t>(3));
  check_products<simd::neighbour_sums<simd::batch<std::int16_t>>>(counted<std::int16_t>(0), counted<std::int16_t>(0));
  check_products<simd::neighbour_sums<simd::batch<std::int16_t>>>(counted<std::int16_t>(0), counted<std::int16_t>(3));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/eval/multiply_high.hpp>

#include <jig/eval/simd.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

// Numbers at the ends, around zero and powers of two, and anywhere.
template <class T>
std::vector<T> numbers() {
  std::vector<T> out;
  std::mt19937_64 random(3);
  for (int bit = 0; bit < 8 * static_cast<int>(sizeof(T)); ++bit)
    for (int by = -2; by <= 2; ++by) {
      out.push_back(static_cast<T>((std::uint64_t(1) << bit) + static_cast<std::uint64_t>(by)));
      out.push_back(static_cast<T>(0 - (std::uint64_t(1) << bit) + static_cast<std::uint64_t>(by)));
    }
  for (int i = 0; i < 600; ++i)
    out.push_back(static_cast<T>(random() >> (64 - 8 * sizeof(T) + static_cast<std::size_t>(i) % (8 * sizeof(T)))));
  return out;
}
// All registers of T of so many lanes, with f of each.
template <class T, jig::index Lanes, class F>
std::vector<T> in_registers(const std::vector<T>& x, F f) {
  using B = jig::simd::sized<T, Lanes>;
  std::vector<T> out(x.size() / B::size * B::size);
  for (std::size_t i = 0; i < out.size(); i += B::size) f(B::load_unaligned(x.data() + i)).store_unaligned(out.data() + i);
  return out;
}

template <class T, jig::index Lanes>
void check_registers() {
  using B = jig::simd::sized<T, Lanes>;
  constexpr bool exists = [] {
    if constexpr (std::is_void_v<B>) return false;
    else return jig::simd::multiplies_high<T, sizeof(B)>;
  }();
  if constexpr (exists) {
    const auto x = numbers<T>();
    int wrong = 0;
    for (const T y : numbers<T>()) {
      const auto high = in_registers<T, Lanes>(x, [&](const B& b) { return jig::simd::multiply_high(b, B(y)); });
      for (std::size_t i = 0; i < high.size(); ++i) {
        using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        wrong += high[i] != static_cast<T>(wide(x[i]) * wide(y) >> 8 * sizeof(T));
      }
      if (y == 0) continue;
      const jig::simd::invariant_divisor<T> by(y);
      const auto quotients = in_registers<T, Lanes>(x, [&](const B& b) { return by.divide(b); });
      for (std::size_t i = 0; i < quotients.size(); ++i) wrong += quotients[i] != static_cast<T>(std::int64_t(x[i]) / std::int64_t(y));
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("high halves of products, and quotients by one number", T, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t) {
  check_registers<T, 16 / sizeof(T)>();
  check_registers<T, 32 / sizeof(T)>();
  check_registers<T, 64 / sizeof(T)>();
}
TEST_CASE("all bytes by all bytes") {
  using B = jig::simd::sized<std::uint16_t, 8>;
  if constexpr (jig::simd::multiplies_high<std::uint16_t, sizeof(B)>) {
    std::vector<std::uint16_t> bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<std::uint16_t>(i));
    int wrong = 0;
    for (int d = 1; d < 256; ++d) {
      const jig::simd::byte_divisor by(static_cast<std::uint8_t>(d));
      const auto quotients = in_registers<std::uint16_t, 8>(bytes, [&](const B& b) { return by.divide(b); });
      for (int i = 0; i < 256; ++i) wrong += quotients[static_cast<std::size_t>(i)] != i / d;
    }
    CHECK(wrong == 0);
  }
}
TEST_CASE("which machines multiply so") {
#if defined(__SSE4_1__)
  static_assert(jig::simd::multiplies_high<std::int32_t, 16>);
#endif
#if defined(__SSE2__)
  static_assert(jig::simd::multiplies_high<std::int16_t, 16>);
#endif
  static_assert(!jig::simd::multiplies_high<std::int8_t, 16> && !jig::simd::multiplies_high<std::int64_t, 16>);
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace {

template <class T>
T number(jig::index i) {
  if (i % 9 == 4) return std::numeric_limits<T>::lowest();
  if (i % 9 == 5) return std::numeric_limits<T>::max();
  return static_cast<T>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> 7);
}

}  // namespace

TEST_CASE_TEMPLATE("registers of integers shift, wrap and lose signs as single ones do", T, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  using B = jig::simd::batch<T>;
  constexpr jig::index lanes = jig::simd::lanes<T>;
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  using left = jig::simd::on_integers<jig::ops::left_shift>;
  using right = jig::simd::on_integers<jig::ops::right_shift>;
  int wrong = 0;
  for (int round = 0; round < bits; ++round) {
    T x[lanes], count[lanes], out[lanes];
    for (jig::index k = 0; k < lanes; ++k) {
      x[k] = number<T>(k + 31 * round);
      count[k] = static_cast<T>((k * 5 + round) % bits);
    }
    const B a = jig::simd::load<T>(x), c = jig::simd::load<T>(count);
    auto expect = [&](const B& got, auto want) {
      jig::simd::store<T>(out, got);
      for (jig::index k = 0; k < lanes; ++k) wrong += out[k] != static_cast<T>(want(k));
    };
    auto unsigned_at = [&](jig::index k) { return static_cast<std::uint64_t>(x[k]); };
    expect(left::apply<lanes>(a, c), [&](jig::index k) { return unsigned_at(k) << count[k]; });
    expect(right::apply<lanes>(a, c), [&](jig::index k) { return x[k] >> count[k]; });
    expect(left::apply_same<lanes>(a, static_cast<T>(round)), [&](jig::index k) { return unsigned_at(k) << round; });
    expect(right::apply_same<lanes>(a, static_cast<T>(round)), [&](jig::index k) { return x[k] >> round; });
    expect(jig::simd::on_integers<jig::ops::abs>::apply<lanes>(a),
           [&](jig::index k) { return x[k] < 0 ? 0 - unsigned_at(k) : unsigned_at(k); });
    expect(jig::simd::on_integers<jig::ops::sign>::apply<lanes>(a), [&](jig::index k) { return x[k] > 0 ? 1 : x[k] < 0 ? -1 : 0; });
    using W = jig::simd::wrapping<B>;
    expect(static_cast<B>(W(a) * W(c) - W(c)),
           [&](jig::index k) { return unsigned_at(k) * static_cast<std::uint64_t>(count[k]) - static_cast<std::uint64_t>(count[k]); });
    for (jig::index k = 0; k < lanes; ++k) {
      T bad[lanes] = {};
      bad[k] = static_cast<T>(bits);
      CHECK_THROWS_AS(left::apply<lanes>(a, jig::simd::load<T>(bad)), jig::invalid_argument);
      if (std::is_signed_v<T>) {
        bad[k] = static_cast<T>(-1);
        CHECK_THROWS_AS(right::apply<lanes>(a, jig::simd::load<T>(bad)), jig::invalid_argument);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("shifts of arrays by one count and by many", T, std::uint8_t, std::int32_t) {
  constexpr auto f =
      jig::function<"f(x, c, s)">([](auto x, auto c, auto s) { return std::make_tuple(x << c, x >> s, x << 3, abs(x) >> (s + 1)); });
  constexpr jig::index lanes = jig::simd::lanes<T>;
  for (jig::index n : {jig::index{0}, jig::index{1}, lanes - 1, lanes, lanes + 1, 3 * lanes}) {
    auto x = jig::zeros<T, jig::dyn>(n), c = jig::zeros<T, jig::dyn>(n);
    auto s = jig::zeros<T>();
    s() = 5;
    for (jig::index i = 0; i < n; ++i) {
      x(i) = number<T>(i);
      c(i) = static_cast<T>(i % 8);
    }
    auto [many, one, known, computed] = f(x, c, s);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      const auto bits = static_cast<std::uint64_t>(x(i));
      const T magnitude = x(i) < 0 ? static_cast<T>(0 - bits) : x(i);
      wrong += many(i) != static_cast<T>(bits << c(i)) || one(i) != static_cast<T>(x(i) >> 5) || known(i) != static_cast<T>(bits << 3) ||
               computed(i) != static_cast<T>(magnitude >> 6);
    }
    CHECK(wrong == 0);
    if (n == 0) continue;
    c(n - 1) = static_cast<T>(8 * sizeof(T));
    CHECK_THROWS_AS(f(x, c, s), jig::invalid_argument);
    c(n - 1) = 0;
    s() = static_cast<T>(8 * sizeof(T));
    CHECK_THROWS_AS(f(x, c, s), jig::invalid_argument);
  }
}

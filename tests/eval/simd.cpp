// SPDX-License-Identifier: MIT
#include <jig/eval/lane_moves.hpp>
#include <jig/eval/sized_mask.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <tuple>

TEST_CASE_TEMPLATE("load and store every lane", T, float, double, std::int8_t, std::int32_t, std::int64_t, std::uint16_t) {
  T in[jig::simd::lanes<T> + 1], out[jig::simd::lanes<T> + 1] = {};
  for (jig::index k = 0; k <= jig::simd::lanes<T>; ++k) in[k] = static_cast<T>(k + 1);
  // One element behind an aligned address: loads and stores take any.
  jig::simd::store<T>(out + 1, jig::simd::load<T>(in + 1));
  for (jig::index k = 1; k <= jig::simd::lanes<T>; ++k) CHECK(out[k] == in[k]);
  CHECK(out[0] == 0);
}

TEST_CASE_TEMPLATE("masks keep their truth in memory and in other dtypes of the same size", T, float, double, std::int32_t, std::int64_t,
                   std::uint8_t) {
  constexpr auto lanes = jig::simd::lanes<T>;
  bool in[lanes], out[lanes];
  for (jig::index k = 0; k < lanes; ++k) in[k] = k % 3 == 1;
  jig::simd::store_mask<T>(out, jig::simd::load_mask<T>(in));
  for (jig::index k = 0; k < lanes; ++k) CHECK(out[k] == in[k]);
  using Other = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 8, std::uint64_t, std::int8_t>>;
  jig::simd::store_mask<Other>(out, jig::simd::as_mask<jig::simd::batch<Other>, jig::simd::lanes<T>>(jig::simd::load_mask<T>(in)));
  for (jig::index k = 0; k < lanes; ++k) CHECK(out[k] == in[k]);
}

TEST_CASE("integers keep their bits as the other signedness") {
  std::int32_t in[jig::simd::lanes<std::int32_t>];
  for (auto& x : in) x = -2;
  std::uint32_t out[jig::simd::lanes<std::int32_t>];
  jig::simd::store<std::uint32_t>(out,
                                  jig::simd::resize<std::uint32_t, jig::simd::lanes<std::uint32_t>>(jig::simd::load<std::int32_t>(in)));
  for (auto x : out) CHECK(x == 0xfffffffeu);
}

TEST_CASE("bits stay what they are in another dtype") {
  constexpr auto lanes = jig::simd::lanes<std::uint32_t>;
  std::uint32_t in[lanes];
  for (auto& x : in) x = 0x40200000;
  float out[lanes];
  jig::simd::store(out, jig::simd::bits_as<float>(jig::simd::load(in)));
  for (float x : out) CHECK(x == 2.5f);
}

TEST_CASE_TEMPLATE("two registers by turns", T, float, double, std::uint32_t, std::uint64_t) {
  constexpr auto lanes = jig::simd::lanes<T>;
  T x[lanes], y[lanes], out[2 * lanes];
  for (jig::index k = 0; k < lanes; ++k) {
    x[k] = static_cast<T>(2 * k);
    y[k] = static_cast<T>(2 * k + 1);
  }
  auto first = jig::simd::load(x), second = jig::simd::load(y);
  jig::simd::interleave(first, second);
  jig::simd::store(out, first);
  jig::simd::store(out + lanes, second);
  for (jig::index k = 0; k < 2 * lanes; ++k) CHECK(out[k] == static_cast<T>(k));
}

TEST_CASE("the whole products of lower halves") {
  constexpr auto lanes = jig::simd::lanes<std::uint64_t>;
  std::uint64_t x[lanes], y[lanes], out[lanes];
  for (jig::index k = 0; k < lanes; ++k) {
    x[k] = 0xabcdef01fffffff0u + static_cast<std::uint64_t>(k % 8);
    y[k] = 0x12345678ffffffffu - static_cast<std::uint64_t>(k);
  }
  jig::simd::store(out, jig::simd::multiply_low_halves(jig::simd::load(x), jig::simd::load(y)));
  for (jig::index k = 0; k < lanes; ++k) CHECK(out[k] == (x[k] & 0xffffffff) * (y[k] & 0xffffffff));
}

TEST_CASE_TEMPLATE("truth values in loops beside numbers of any size", T, float, double, std::int64_t, std::int32_t, std::int16_t,
                   std::uint8_t) {
  constexpr auto f = jig::function([](auto m, auto n, auto x) {
    return std::tuple(!m, m == n, m != n, (m & n) | !(x == 3), jig::where(m, x, x + 1), jig::cast<T>(n), x != 3);
  });
  for (jig::index size : {0, 1, 5, 63, 64, 65, 200}) {
    CAPTURE(size);
    jig::tensor<bool, jig::dyn> m(jig::uninitialized, {1, {size}}), n(jig::uninitialized, {1, {size}});
    jig::tensor<T, jig::dyn> x(jig::uninitialized, {1, {size}});
    for (jig::index i = 0; i < size; ++i) {
      m(i) = i % 3 == 0;
      n(i) = i * i % 7 < 3;
      x(i) = static_cast<T>(i % 5);
    }
    const auto [opposite, same, other, mixed, chosen, number, unequal] = f(m, n, x);
    int wrong = 0;
    for (jig::index i = 0; i < size; ++i) {
      wrong += opposite(i) != !m(i);
      wrong += same(i) != (m(i) == n(i));
      wrong += other(i) != (m(i) != n(i));
      wrong += mixed(i) != ((m(i) && n(i)) || x(i) != T(3));
      wrong += chosen(i) != (m(i) ? x(i) : static_cast<T>(x(i) + T(1)));
      wrong += number(i) != (n(i) ? T(1) : T(0));
      wrong += unequal(i) != (x(i) != T(3));
      wrong += *reinterpret_cast<const unsigned char*>(&opposite(i)) > 1;
    }
    CHECK(wrong == 0);
  }
}

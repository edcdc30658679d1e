// SPDX-License-Identifier: MIT
#include <jig/eval/masks.hpp>

#include <jig/eval/sized_mask.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <tuple>

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

TEST_CASE_TEMPLATE("lanes from one to another, which may lie outside", T, float, double, std::int16_t, std::uint8_t) {
  constexpr auto lanes = jig::simd::lanes<T>;
  bool out[lanes];
  for (jig::index first = -1; first <= lanes + 1; ++first)
    for (jig::index last = -1; last <= lanes + 1; ++last) {
      jig::simd::store_mask<T>(out, jig::simd::lanes_between<T>(first, last));
      int wrong = 0;
      for (jig::index k = 0; k < lanes; ++k) wrong += out[k] != (k >= first && k < last);
      CHECK(wrong == 0);
    }
}

TEST_CASE_TEMPLATE("lanes from one on", T, float, double, std::int64_t, std::int32_t, std::int16_t, std::uint8_t) {
  constexpr auto lanes = jig::simd::lanes<T>;
  bool out[lanes];
  for (jig::index first = 0; first <= lanes; ++first) {
    jig::simd::store_mask<T>(out, jig::simd::lanes_from<T>(first));
    int wrong = 0;
    for (jig::index k = 0; k < lanes; ++k) wrong += out[k] != (k >= first);
    CHECK(wrong == 0);
    // As numbers are chosen by it.
    const auto chosen = xsimd::select(jig::simd::lanes_from<T>(first), jig::simd::batch<T>(T(1)), jig::simd::batch<T>(T(2)));
    for (jig::index k = 0; k < lanes; ++k) wrong += chosen.get(static_cast<std::size_t>(k)) != (k >= first ? T(1) : T(2));
    CHECK(wrong == 0);
  }
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

// Values at which conversions go wrong, a number of times so that they meet every lane.
template <class T>
std::vector<T> edges() {
  std::vector<T> out;
  if constexpr (std::is_floating_point_v<T>) {
    for (double x : {0.,
                     -0.,
                     0.5,
                     -0.5,
                     1.5,
                     -1.5,
                     77.3,
                     127.,
                     127.9,
                     128.,
                     -128.,
                     -128.9,
                     -129.,
                     255.,
                     255.9,
                     256.,
                     300.,
                     32767.,
                     32768.,
                     -32768.5,
                     -32769.,
                     65535.,
                     65535.5,
                     65536.,
                     2147483520.,
                     2147483647.,
                     2147483648.,
                     2147483648.5,
                     -2147483648.,
                     -2147483649.,
                     3000000000.7,
                     4294967040.,
                     4294967295.,
                     4294967295.5,
                     4294967296.,
                     9.2e18,
                     9223372036854775808.,
                     -9223372036854775808.,
                     1.8e19,
                     18446744073709551616.,
                     1e30,
                     -1e30,
                     1e-40})
      out.push_back(static_cast<T>(x));
    for (T x : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                -std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()})
      out.push_back(x);
  } else {
    for (std::uint64_t k = 0; k < 64; ++k)
      for (std::uint64_t x : {std::uint64_t{1} << k, (std::uint64_t{1} << k) - 1, std::uint64_t{0} - k, k * 0x9e3779b97f4a7c15u,
                              k * 0x9e3779b97f4a7c15u >> 11})
        out.push_back(static_cast<T>(x));
    out.push_back(std::numeric_limits<T>::lowest());
  }
  return out;
}

template <class T>
bool same(T x, T y) {
  return std::memcmp(&x, &y, sizeof(T)) == 0 || (x != x && y != y);
}

template <class To, jig::index Lanes, class From>
int wrong_in_registers() {
  int wrong = 0;
  if constexpr (jig::simd::has_conversion<To, From>) {
    const auto from = edges<From>();
    for (std::size_t first = 0; first < from.size(); ++first) {
      From in[Lanes];
      for (std::size_t k = 0; k < Lanes; ++k) in[k] = from[(first + k) % from.size()];
      To out[Lanes + 1] = {};
      out[Lanes] = To(77);
      jig::simd::store_lanes<To, Lanes>(out, jig::simd::convert<To, Lanes>(jig::simd::load_lanes<From, Lanes>(in)));
      for (std::size_t k = 0; k < Lanes; ++k) wrong += !same(out[k], jig::functor<jig::ops::cast>::convert<To>(in[k]));
      wrong += out[Lanes] != To(77);
    }
  }
  return wrong;
}

template <class To, class From>
int wrong_conversions() {
  using wider = std::conditional_t<(sizeof(To) > sizeof(From)), To, From>;
  int wrong = wrong_in_registers<To, jig::simd::lanes<wider>, From>();
  // Beside a dtype that is wider than both.
  if constexpr (sizeof(wider) < 8) wrong += wrong_in_registers<To, jig::simd::lanes<double>, From>();
  return wrong;
}

template <class... To, class From>
int wrong_of_all(const From&) {
  return (wrong_conversions<To, From>() + ...);
}

}  // namespace

TEST_CASE_TEMPLATE("conversions in registers are those of elements", From, float, double, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  CHECK(wrong_of_all<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                     std::uint64_t>(From()) == 0);
}

TEST_CASE_TEMPLATE("casts of arrays of any length", From, float, double, std::uint8_t, std::int32_t, bool, jig::half) {
  constexpr auto f = jig::function([](auto x) {
    return std::make_tuple(jig::cast<std::uint8_t>(x), jig::cast<float>(x), jig::cast<double>(x), jig::cast<std::int16_t>(x),
                           jig::cast<bool>(x), jig::cast<jig::half>(x));
  });
  for (jig::index n : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200}) {
    auto x = jig::zeros<From, jig::dyn>(n);
    for (jig::index i = 0; i < n; ++i) x(i) = static_cast<From>(static_cast<float>(i * 37 % 251));
    auto [bytes, floats, doubles, words, truths, halves] = f(x);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      using functor = jig::functor<jig::ops::cast>;
      wrong += bytes(i) != functor::convert<std::uint8_t>(x(i)) || floats(i) != functor::convert<float>(x(i)) ||
               doubles(i) != functor::convert<double>(x(i)) || words(i) != functor::convert<std::int16_t>(x(i)) ||
               truths(i) != functor::convert<bool>(x(i)) || halves(i) != functor::convert<jig::half>(x(i));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("one number that is out of range among many that are not", From, float, double) {
  static constexpr auto cut = jig::function([](auto x) { return jig::cast<std::int32_t>(x); });
  static constexpr auto narrow = jig::function([](auto x) { return jig::cast<std::int8_t>(x); });
  const From wrong_ones[] = {std::numeric_limits<From>::quiet_NaN(), std::numeric_limits<From>::infinity(), From(-3e9), From(0x1p31)};
  const int words[] = {0, 2147483647, -2147483647 - 1, 2147483647};
  const int bytes[] = {0, 127, -128, 127};
  int wrong = 0;
  for (jig::index place = -1; place < 40; ++place)
    for (std::size_t k = 0; k < 4; ++k) {
      jig::tensor<From, 40> x;
      for (jig::index i = 0; i < 40; ++i) x(i) = static_cast<From>(i) + From(0.75);
      if (place >= 0) x(place) = wrong_ones[k];
      const auto a = cut(x);
      const auto b = narrow(x);
      for (jig::index i = 0; i < 40; ++i) {
        wrong += a(i) != (i == place ? words[k] : static_cast<int>(i));
        wrong += b(i) != (i == place ? bytes[k] : static_cast<int>(i));
      }
    }
  CHECK(wrong == 0);
}

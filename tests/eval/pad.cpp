// SPDX-License-Identifier: MIT
#include <jig/eval/pad.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using jig::dyn;

namespace {

template <class T>
T number(jig::index i) {
  return static_cast<T>(i % 251);
}
template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = seed;
  for (auto& e : x) e = number<T>(i += 7);
  return x;
}

template <jig::index A, jig::index B, jig::index C, class X>
void check_tile(const X& x) {
  auto y = jig::function<"f(x)">([](auto v) { return jig::tile<A, B, C>(v); })(x);
  REQUIRE(y.shape() == jig::shape{3, {A * x.extent(0), B * x.extent(1), C * x.extent(2)}});
  bool same = true;
  for (jig::index i = 0; i < y.extent(0); ++i)
    for (jig::index j = 0; j < y.extent(1); ++j)
      for (jig::index k = 0; k < y.extent(2); ++k) same = same && y(i, j, k) == x(i % x.extent(0), j % x.extent(1), k % x.extent(2));
  CHECK(same);
}
template <jig::index... P, class X>
void check_pad(const X& x) {
  using T = typename X::value_type;
  constexpr jig::index around[] = {P...};
  auto y = jig::function<"f(x)">([](auto v) { return jig::pad<P...>(v, T(9)); })(x);
  bool same = true;
  for (jig::index i = 0; i < y.extent(0); ++i)
    for (jig::index j = 0; j < y.extent(1); ++j)
      for (jig::index k = 0; k < y.extent(2); ++k) {
        const jig::index p = i - around[0], q = j - around[2], r = k - around[4];
        const bool inside = p >= 0 && p < x.extent(0) && q >= 0 && q < x.extent(1) && r >= 0 && r < x.extent(2);
        same = same && y(i, j, k) == (inside ? x(p, q, r) : T(9));
      }
  CHECK(same);
}

}  // namespace

TEST_CASE("tile") {
  check_tile<2, 2, 2>(numbers<float, 2, 2, 2>(1));  // 64 elements
  check_tile<2, 2, 2>(numbers<float, 2, 2, 3>(1));
  check_tile<1, 3, 1>(numbers<std::uint8_t, 5, 4, 6>(1));
  check_tile<3, 1, 2>(numbers<double, dyn, dyn, dyn>(1, 3, 4, 5));
  check_tile<1, 1, 7>(numbers<std::int16_t, dyn, dyn, dyn>(1, 9, 2, 1));
  check_tile<0, 1, 2>(numbers<float, dyn, 2, 2>(1, 3));
  check_tile<2, 1, 2>(numbers<float, 3, 0, 2>(1));
  check_tile<1, 1, 2>(numbers<int, 2, 3, 40>(1));
  auto x = numbers<int, dyn, dyn, dyn>(4, 5, 3, 7);
  auto y = jig::function<"f(x)">([](auto v) { return jig::tile<1, 2, 3>(jig::transpose(v)); })(x);
  bool same = true;
  for (jig::index i = 0; i < 7; ++i)
    for (jig::index j = 0; j < 6; ++j)
      for (jig::index k = 0; k < 15; ++k) same = same && y(i, j, k) == x(k % 5, j % 3, i);
  CHECK(same);
}

TEST_CASE("pad") {
  check_pad<1, 0, 1, 1, 1, 1>(numbers<float, 3, 2, 2>(1));  // 64 elements
  check_pad<1, 0, 1, 1, 1, 1>(numbers<float, 3, 2, 3>(1));
  check_pad<0, 0, 0, 0, 0, 1>(numbers<std::uint8_t, dyn, dyn, 3>(1, 8, 9));
  check_pad<2, 1, 0, 0, 0, 0>(numbers<double, dyn, 4, 5>(1, 3));
  check_pad<0, 0, 3, 2, 0, 0>(numbers<int, 4, dyn, 5>(1, 3));
  check_pad<1, 2, 3, 4, 5, 6>(numbers<std::int16_t, dyn, dyn, dyn>(1, 5, 1, 40));
  check_pad<1, 2, 3, 4, 5, 6>(numbers<float, dyn, 2, 3>(1, 0));
  check_pad<0, 0, 0, 0, 0, 0>(numbers<float, 5, 5, 5>(1));
  auto x = numbers<int, dyn, dyn>(4, 5, 3);
  auto y = jig::function<"f(x)">([](auto v) { return jig::pad<1, 0, 0, 2>(jig::transpose(v), 4); })(x);
  bool same = true;
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 7; ++j) same = same && y(i, j) == (i >= 1 && j < 5 ? x(j, i - 1) : 4);
  CHECK(same);
}

TEST_CASE("tiles and pads of many rows") {
  check_tile<1, 1, 3>(numbers<float, dyn, dyn, 2>(1, 20, 7));  // shuffled
  check_tile<1, 1, 3>(numbers<std::uint8_t, 9, 17, 3>(1));     // copied
  check_tile<1, 2, 1>(numbers<double, dyn, 3, 1>(1, 40));
  check_tile<1, 1, 8>(numbers<std::uint16_t, dyn, 100, 1>(1, 3));
  check_tile<1, 1, 9>(numbers<float, dyn, 100, 1>(1, 3));
  check_tile<2, 1, 3>(numbers<float, 9, 9, 2>(1));
  // Several axes are repeated, also such of which only the call knows how long they are.
  check_tile<2, 2, 3>(numbers<float, 100, 8, 1>(1));
  check_tile<2, 1, 2>(numbers<double, dyn, 16, 7>(1, 13));
  check_tile<3, 2, 1>(numbers<std::uint8_t, dyn, 5, 40>(1, 4));
  check_tile<3, 2, 1>(numbers<std::uint8_t, dyn, dyn, 3>(1, 4, 9));
  check_tile<1, 2, 2>(numbers<int, dyn, dyn, 3>(1, 4, 9));
  check_tile<2, 1, 2>(numbers<int, dyn, dyn, 3>(1, 0, 9));
  check_pad<0, 0, 0, 0, 0, 1>(numbers<float, dyn, dyn, 3>(1, 20, 7));
  check_pad<0, 0, 0, 0, 2, 0>(numbers<std::uint8_t, dyn, dyn, 3>(1, 20, 7));
  check_pad<1, 2, 0, 0, 2, 3>(numbers<double, dyn, dyn, 3>(1, 6, 8));  // the widest
  check_pad<1, 2, 1, 0, 2, 3>(numbers<double, dyn, dyn, 4>(1, 6, 8));
  check_pad<0, 0, 2, 1, 0, 0>(numbers<std::int16_t, dyn, 2, 1>(1, 70));
  check_pad<2, 1, 0, 0, 0, 0>(numbers<int, 40, 2, 3>(1));
  check_pad<1, 1, 0, 0, 0, 1>(numbers<float, dyn, 4, 3>(1, 0));
  // Rows around as many as a register has lanes, inside of padded axes and of such that are not.
  for (jig::index rows : {1, 15, 16, 17, 18, 33}) {
    CAPTURE(rows);
    check_pad<0, 0, 1, 1, 1, 1>(numbers<float, 2, dyn, 6>(1, rows));
    check_pad<1, 0, 0, 0, 1, 2>(numbers<float, 2, dyn, 3>(1, rows));
    check_pad<2, 1, 0, 1, 3, 0>(numbers<std::uint8_t, dyn, 7, 5>(1, rows));
  }
}

TEST_CASE("copies along an extent that only the call knows are not lost") {
  jig::tensor<float, jig::dyn, 20> x(jig::uninitialized, jig::shape{2, {5, 20}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
  const auto y = jig::function([](auto v) { return jig::tile<2, 3>(v); })(x);
  REQUIRE(y.extent(0) == 10);
  bool same = true;
  for (jig::index i = 0; i < 10; ++i)
    for (jig::index j = 0; j < 60; ++j) same = same && y.data()[i * 60 + j] == x.data()[i % 5 * 20 + j % 20];
  CHECK(same);
}

TEST_CASE("lines and rows whose number only the call knows") {
  static constexpr auto line = jig::function([](auto x) { return jig::pad<2, 1>(x, 9); });
  static constexpr auto rows = jig::function([](auto x) { return jig::pad<1, 3, 0, 0>(x, 9); });
  static constexpr auto around = jig::function([](auto x) { return jig::pad<1, 0, 0, 2>(x, 9); });
  for (jig::index n : {0, 1, 2, 15, 16, 17, 100}) {
    CAPTURE(n);
    jig::tensor<std::uint8_t, dyn> x(n);
    jig::tensor<float, dyn, 3> y(n);
    for (jig::index i = 0; i < n; ++i) x(i) = static_cast<std::uint8_t>(i + 1);
    for (jig::index i = 0; i < 3 * n; ++i) y.data()[i] = static_cast<float>(i + 1);
    const auto a = line(x);
    const auto b = rows(y);
    const auto c = around(y);
    int wrong = (a.extent(0) != n + 3) + (b.extent(0) != n + 4) + (c.extent(0) != n + 1);
    for (jig::index i = 0; i < n + 3; ++i) wrong += a(i) != (i < 2 || i >= n + 2 ? 9 : i - 1);
    for (jig::index i = 0; i < n + 4; ++i)
      for (jig::index k = 0; k < 3; ++k) wrong += b(i, k) != static_cast<float>(i < 1 || i > n ? 9 : (i - 1) * 3 + k + 1);
    for (jig::index i = 0; i < n + 1; ++i)
      for (jig::index k = 0; k < 5; ++k) wrong += c(i, k) != static_cast<float>(i < 1 || k > 2 ? 9 : (i - 1) * 3 + k + 1);
    CHECK(wrong == 0);
  }
}

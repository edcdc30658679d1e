// SPDX-License-Identifier: MIT
#include <jig/eval/register_parts.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace {

// Every number of elements, in memory that ends with the last one of them.
template <class T, jig::index N>
bool check_part() {
  using B = jig::simd::batch<T>;
  std::vector<T> from(N), all(B::size), to(B::size, T(99));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
  const B x = jig::simd::load_part<B, N>(from.data());
  x.store_unaligned(all.data());
  bool fine = true;
  for (std::size_t i = 0; i < all.size(); ++i) fine = fine && all[i] == (i < from.size() ? from[i] : T(0));
  jig::simd::store_part<N>(to.data(), x);
  for (std::size_t i = 0; i < to.size(); ++i) fine = fine && to[i] == (i < from.size() ? from[i] : T(99));
  std::vector<T> exact(N);
  jig::simd::store_part<N>(exact.data(), x);
  return fine && exact == from;
}
template <class T, jig::index... N>
void check_parts(std::integer_sequence<jig::index, N...>) {
  CHECK((check_part<T, N + 1>() && ...));
}
template <class T>
void check_parts() {
  check_parts<T>(std::make_integer_sequence<jig::index, jig::simd::lanes<T>>());
}

// Loops over N elements in each way that depends on their number, also on top of what they read.
template <class T, jig::index N>
bool check_loop() {
  constexpr auto f = jig::function([](auto x, auto y) { return x * y + x; });
  constexpr auto g = jig::function([](auto x) { return jig::clip(x, static_cast<T>(2), static_cast<T>(60)); });
  jig::tensor<T, N> x, y, z;
  for (jig::index i = 0; i < N; ++i) {
    x(i) = static_cast<T>((i * 7 + 3) % 11);
    y(i) = static_cast<T>((i * 5 + 1) % 13);
  }
  f.into(z, x, y);
  bool fine = true;
  for (jig::index i = 0; i < N; ++i) fine = fine && z(i) == static_cast<T>(x(i) * y(i) + x(i));
  jig::tensor<T, N> limited = g(z), same = z;
  g.into(same, same);
  for (jig::index i = 0; i < N; ++i) {
    const T v = z(i) < T(2) ? T(2) : z(i) > T(60) ? T(60) : z(i);
    fine = fine && limited(i) == v && same(i) == v;
  }
  f.into(y, x, y);
  f.into(x, x, limited);
  for (jig::index i = 0; i < N; ++i) fine = fine && y(i) == z(i);
  return fine;
}
template <class T, jig::index... N>
void check_loops(std::integer_sequence<jig::index, N...>) {
  CHECK((check_loop<T, N>() && ...));
}

}  // namespace

TEST_CASE("the first elements of a register, of any number") {
  check_parts<float>();
  check_parts<double>();
  check_parts<std::int16_t>();
  check_parts<std::uint8_t>();
}

TEST_CASE("loops over few elements, of numbers around those of registers") {
  check_loops<float>(std::integer_sequence<jig::index, 0, 1, 3, 4, 5, 7, 15, 17, 31, 33, 63, 65>());
  check_loops<double>(std::integer_sequence<jig::index, 3, 7, 9, 33>());
  check_loops<std::uint8_t>(std::integer_sequence<jig::index, 5, 63, 65, 255, 257>());
  check_loops<std::int16_t>(std::integer_sequence<jig::index, 31, 33>());
}

TEST_CASE("limits that are constants keep NaN, and NaN as a limit stays") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  constexpr auto f = jig::function([](auto x) { return jig::clip(x, -0.5f, 0.5f); });
  constexpr auto g = jig::function([](auto x) { return jig::maximum(x, std::numeric_limits<float>::quiet_NaN()); });
  constexpr auto h = jig::function([](auto x) { return jig::minimum(jig::constant_like(x, 0.5f), x); });
  const jig::tensor<float, 7> x{nan, inf, -inf, 0.25f, nan, -1, 1}, y = f(x), z = g(x), w = h(x);
  const float expected[] = {nan, 0.5f, -0.5f, 0.25f, nan, -0.5f, 0.5f};
  const float smaller[] = {nan, 0.5f, -inf, 0.25f, nan, -1, 0.5f};
  for (jig::index i = 0; i < 7; ++i) {
    CHECK((y(i) == expected[i] || (y(i) != y(i) && expected[i] != expected[i])));
    CHECK((w(i) == smaller[i] || (w(i) != w(i) && smaller[i] != smaller[i])));
    CHECK(z(i) != z(i));
  }
  CHECK(f(jig::tensor<float, 2>{nan, 3})(1) == 0.5f);
}

TEST_CASE("zeros behind the elements raise nothing") {
  constexpr auto f = jig::function([](auto x, auto y) { return x / y; });
  const jig::tensor<int, 5> x{10, 20, 30, 40, 50}, y{1, 2, 3, 4, 5};
  for (jig::index i = 0; i < 5; ++i) CHECK(f(x, y)(i) == 10);
  const jig::tensor<int, 19> p = jig::iota<int, 19>(), q = p + 1;
  for (jig::index i = 0; i < 19; ++i) CHECK(f(p, q)(i) == 0);
}

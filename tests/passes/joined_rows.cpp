// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

using jig::dyn;

namespace {

// How many products the graph has that is planned.
template <class... Spec>
int products(auto f) {
  const std::string text = jig::to_text(jig::lower(jig::graph_of(f, Spec()...)));
  int n = 0;
  for (auto i = text.find(" = Mul("); i != std::string::npos; i = text.find(" = Mul(", i + 1)) ++n;
  return n;
}
template <class T>
T number(int i) {
  if constexpr (std::is_floating_point_v<T>) {
    if (i % 13 == 3) return std::numeric_limits<T>::infinity();
    if (i % 13 == 5) return -T(0);
    if (i % 13 == 7) return std::numeric_limits<T>::quiet_NaN();
    return static_cast<T>(i % 100) / 8 - 5;
  } else {
    return static_cast<T>(i * 37 - 90);
  }
}
template <class T>
bool same_bits(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<word>(a) == std::bit_cast<word>(b) || (a != a && b != b);
  } else {
    return a == b;
  }
}

// An argument, some of its columns, minus it, a constant and another argument side by side, beside loops.
constexpr auto mixed = [](auto x, auto y) {
  using T = typename decltype(x)::value_type;
  return jig::concat<1>(x, jig::strided_slice<jig::all, jig::range_of(1, 4)>(x), -x, jig::zeros<T, 3, 9>() + T(2), y);
};
template <class X, class Y>
void join(const X& x, const Y& y) {
  using T = typename X::value_type;
  const auto z = jig::function<"f(x, y)">(mixed)(x, y);
  const jig::index a = x.extent(1), b = y.extent(1);
  REQUIRE(z.extent(1) == 2 * a + 12 + b);
  bool same = true;
  for (jig::index i = 0; i < 3; ++i) {
    for (jig::index k = 0; k < a; ++k)
      same = same && same_bits<T>(z(i, k), x(i, k)) && same_bits<T>(z(i, a + 3 + k), static_cast<T>(-x(i, k)));
    for (jig::index k = 0; k < 3; ++k) same = same && same_bits<T>(z(i, a + k), x(i, 1 + k));
    for (jig::index k = 0; k < 9; ++k) same = same && z(i, 2 * a + 3 + k) == T(2);
    for (jig::index k = 0; k < b; ++k) same = same && same_bits<T>(z(i, 2 * a + 12 + k), y(i, k));
  }
  CHECK(same);
}
template <class T, jig::index A, jig::index B>
void joins() {
  auto x = jig::zeros<T, 3, A>();
  auto y = jig::zeros<T, 3, B>();
  auto wide = jig::zeros<T, 3, 2 * A>();
  auto turned = jig::zeros<T, A, 3>();
  int n = 0;
  for (auto& e : y) e = number<T>(++n);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index k = 0; k < A; ++k) x(i, k) = wide(i, k) = turned(k, i) = number<T>(++n);
  join(x, y);
  join(jig::view<const T, 3, A>(wide.data(), {3, A}, {2 * A, 1}), y);
  join(jig::view<const T, 3, A>(turned.data(), {3, A}, {1, 3}), y);
  join(jig::view<jig::column_major<const T>, 3, A>(turned.data()), y);
}

// Both halves of rows, each with the other, in one row again.
template <class T, jig::index N>
int wrong_halves() {
  constexpr auto halves = jig::function<"f(x, c)">([](auto x, auto c) {
    constexpr jig::index half = N / 2;
    auto a = jig::strided_slice<jig::all, jig::range_of(0, half)>(x), b = jig::strided_slice<jig::all, jig::range_of(half, 2 * half)>(x);
    return jig::concat<1>(a - b * c, b + a * c);
  });
  int wrong = 0;
  auto c = jig::zeros<T, N / 2>();
  for (jig::index k = 0; k < N / 2; ++k) c(k) = static_cast<T>(k % 3);
  for (jig::index rows : {0, 1, 2, 7, 33}) {
    auto x = jig::zeros<T, dyn, N>(rows);
    auto wide = jig::zeros<T, dyn, N + 3>(rows);
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index k = 0; k < N; ++k) x(i, k) = wide(i, k) = static_cast<T>((i * 7 + k * 5) % 11);
    const auto dense = halves(x, c), apart = halves(jig::view<const T, dyn, N>(wide.data(), {rows, N}, {N + 3, 1}), c);
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index k = 0; k < N; ++k) {
        const jig::index h = N / 2, j = k % h;
        const T expected = static_cast<T>(k < h ? x(i, j) - x(i, j + h) * c(j) : x(i, j + h) + x(i, j) * c(j));
        wrong += dense(i, k) != expected || apart(i, k) != expected;
      }
  }
  return wrong;
}

}  // namespace

TEST_CASE("loops copy what is joined with rows that they compute") {
  using row = jig::spec<float, 10, 8>;
  constexpr auto with_given = [](auto x) { return jig::concat<1>(x, -x); };
  CHECK(products<row>(with_given) == 1);
  CHECK(products<jig::spec<float, dyn, 8>>(with_given) == 1);
  CHECK(products<jig::spec<float, 10, 4>>(with_given) == 0);
  CHECK(products<jig::spec<float, 10, dyn>>(with_given) == 1);
  CHECK(products<jig::spec<std::int8_t, 10, dyn>>(with_given) == 0);
  CHECK(products<jig::spec<float, 10, dyn>>([](auto x) { return jig::concat<1>(x, jig::sin(x)); }) == 0);
  CHECK(products<jig::spec<std::int8_t, 10, 63>>(with_given) == 0);
  CHECK(products<jig::spec<std::int8_t, 10, 64>>(with_given) == 1);
  CHECK(products<row>([](auto x) { return jig::concat<1>(x, x); }) == 0);
  CHECK(products<row>([](auto x) { return jig::concat<0>(x, -x); }) == 0);
  CHECK(products<row>([](auto x) { return jig::stack<1>(x, -x); }) == 1);
  CHECK(products<row>([](auto x) { return jig::stack<2>(x, -x); }) == 0);
  CHECK(products<jig::spec<bool, 10, 100>>([](auto x) { return jig::concat<1>(x, !x); }) == 0);
  CHECK(products<jig::spec<jig::half, 10, 100>>(with_given) == 0);
  // Nobody else may need what is computed, and what is given has to lie in rows.
  CHECK(products<row>([](auto x) {
          const auto y = -x;
          return std::tuple(jig::concat<1>(x, y), y);
        }) == 0);
  CHECK(products<jig::spec<float, 8, 8>>([](auto x) { return jig::concat<1>(jig::transpose(x), -x); }) == 0);
  CHECK(products<row>([](auto x) { return jig::concat<1>(jig::strided_slice<jig::all, jig::range_of(0, 8, 2)>(x), -x); }) == 0);
  constexpr auto with_slice = [](auto x) { return jig::concat<1>(jig::strided_slice<jig::all, jig::range_of(1, 8)>(x), -x); };
  CHECK(products<row>(with_slice) == 1);
  CHECK(products<jig::spec<float, dyn, 8>>(with_slice) == 1);
  CHECK(products<jig::spec<float, dyn, 8>>(
            [](auto x) { return jig::concat<1>(jig::strided_slice<jig::all, jig::range_of(0, 8, 2)>(x), -x); }) == 0);
}
TEST_CASE("halves of rows, as many as a call has") {
  CHECK(wrong_halves<float, 4>() == 0);
  CHECK(wrong_halves<float, 18>() == 0);
  CHECK(wrong_halves<double, 64>() == 0);
  CHECK(wrong_halves<std::uint8_t, 130>() == 0);
}
TEST_CASE("they keep all bits, wherever arguments lie") {
  joins<float, 5, 1>();
  joins<float, 16, 16>();
  joins<float, 40, 33>();
  joins<double, 17, 3>();
  joins<int, 9, 70>();
  joins<std::int64_t, 33, 8>();
  joins<std::int8_t, 65, 64>();
  joins<std::uint8_t, 30, 100>();
}

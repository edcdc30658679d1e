// SPDX-License-Identifier: MIT
#include <jig/eval/scan.hpp>

#include <jig.hpp>

#include "../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

// Small whole numbers, so that floating sums are the same in any order; products of powers of two.
template <class T, bool Product>
T number(jig::index i) {
  const auto k = static_cast<int>(i * 7 % 13);
  if constexpr (Product && std::is_floating_point_v<T>) return k < 6 ? T(0.5) : k < 12 ? T(2) : T(-1);
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(k * 37 - 200);
  else return static_cast<T>(k - 6);
}

template <bool Product, class T>
T both(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
    return static_cast<T>(Product ? a * b : a + b);
  } else {
    return Product ? x * y : x + y;
  }
}

template <bool Product, int Axis, class X>
X reference(const X& x) {
  X y = x;
  jig::index place[3];
  for (place[0] = 0; place[0] < x.extent(0); ++place[0])
    for (place[1] = 0; place[1] < x.extent(1); ++place[1])
      for (place[2] = 0; place[2] < x.extent(2); ++place[2]) {
        if (place[Axis] == 0) continue;
        jig::index before[3] = {place[0], place[1], place[2]};
        --before[Axis];
        auto& to = y(place[0], place[1], place[2]);
        to = both<Product>(y(before[0], before[1], before[2]), to);
      }
  return y;
}

template <class X>
bool same_bits(const X& x, const X& y) {
  return x.shape() == y.shape() &&
         (x.size() == 0 || std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(*x.data())) == 0);
}

struct values_of {
  jig::stretch<jig::attribute_view> values;
  jig::stretch<jig::attribute_view> view() const { return values; }
};

// The kernel on views whose rank is a value, out of another place and on top of its operand.
template <const jig::op& Op, int Axis, class X>
bool erased_is_same(const X& x, const X& expected) {
  using T = typename X::value_type;
  const jig::index axis = Axis;
  const jig::attribute_view with{"axis", jig::attribute_kind::integer, {&axis, 1}, {}, {}};
  const jig::shape extents = x.shape(), strides = jig::detail::row_major_strides(extents);
  X y = x, z = x;
  const jig::detail::rank_erased<T> to(y.data(), extents, strides), on_top(z.data(), extents, strides);
  jig::kernel<Op>::run(values_of{{&with, 1}}, to, jig::detail::rank_erased<const T>(x.data(), extents, strides));
  jig::kernel<Op>::run(values_of{{&with, 1}}, on_top, jig::detail::rank_erased<const T>(z.data(), extents, strides));
  return same_bits(y, expected) && same_bits(z, expected);
}

template <class T, bool Product, int Axis, jig::index... E>
void check(jig::index a, jig::index b, jig::index c) {
  CAPTURE(Axis);
  CAPTURE(a);
  CAPTURE(b);
  CAPTURE(c);
  jig::tensor<T, E...> x(jig::uninitialized, {3, {a, b, c}});
  jig::index i = 3;
  for (auto& e : x) e = number<T, Product>(i++);
  static constexpr auto f = jig::function<"f(x)">([](auto v) {
    if constexpr (Product) return jig::cumprod<Axis>(v);
    else return jig::cumsum<Axis>(v);
  });
  const auto y = f(x);
  CHECK(same_bits(y, reference<Product, Axis>(x)));
  CHECK(erased_is_same<Product ? jig::ops::cumprod : jig::ops::cumsum, Axis>(x, y));
}

// Lengths on both sides of the lanes of every dtype.
template <class T, bool Product = false>
void lengths() {
  for (jig::index n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 25, 31, 32, 33, 63, 64, 65, 130}) {
    check<T, Product, 2, dyn, dyn, dyn>(3, 5, n);
    check<T, Product, 1, dyn, dyn, dyn>(2, 6, n);
    check<T, Product, 0, dyn, dyn, dyn>(n, 1, 3);
    check<T, Product, 1, dyn, dyn, dyn>(2, n, 1);
  }
  check<T, Product, 2, dyn, dyn, dyn>(1, 1, 1000);
  check<T, Product, 1, dyn, dyn, dyn>(2, 3, 1000);
}
template <class T, jig::index... N>
void constant_lengths(std::integer_sequence<jig::index, N...>) {
  (check<T, false, 2, 7, 5, N>(7, 5, N), ...);
  (check<T, false, 2, dyn, 1, N>(1, 1, N), ...);
}

// A few rows of a few numbers, of which a register has several parts, has one, or is too small.
template <class T, bool Product, jig::index N, jig::index... Inner>
void constant_rows(std::integer_sequence<jig::index, Inner...>) {
  for (jig::index outer : {0, 1, 2, 3, 5, 16, 33}) {
    (check<T, Product, 1, dyn, N, Inner>(outer, N, Inner), ...);
  }
  (check<T, Product, 1, 40, N, Inner>(40, N, Inner), ...);
  (check<T, Product, 0, N, 1, Inner>(N, 1, Inner), ...);
}

}  // namespace

TEST_CASE("scans of a few rows of a few numbers, as registers have them") {
  constexpr std::integer_sequence<jig::index, 2, 3, 4, 5, 8, 9> all;
  constexpr std::integer_sequence<jig::index, 3, 8> some;
  constant_rows<float, false, 2>(some);
  constant_rows<float, true, 3>(all);
  constant_rows<float, false, 8>(all);
  constant_rows<float, false, 9>(some);
  constant_rows<double, false, 2>(some);
  constant_rows<double, true, 4>(std::integer_sequence<jig::index, 2, 4, 5>());
  constant_rows<std::int32_t, false, 5>(some);
  constant_rows<std::uint8_t, false, 4>(std::integer_sequence<jig::index, 3, 4, 9>());
}

TEST_CASE("scans of floats") {
  lengths<float>();
  constant_lengths<float>(std::integer_sequence<jig::index, 1, 2, 3, 4, 8, 9, 16, 17>());
}
TEST_CASE("scans of doubles") {
  lengths<double>();
  lengths<double, true>();
  constant_lengths<double>(std::integer_sequence<jig::index, 2, 3, 8, 9>());
}
TEST_CASE("scans of integers wrap") {
  lengths<std::int32_t>();
  lengths<std::int64_t, true>();
  lengths<std::uint16_t, true>();
  lengths<std::uint8_t>();
  lengths<std::int8_t, true>();
  constant_lengths<std::uint8_t>(std::integer_sequence<jig::index, 3, 63, 64>());
}

TEST_CASE("a few numbers are scanned in the same order as many") {
  // Up to 16, and more; the sums of these floats depend on the order.
  const auto few = []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (
        [] {
          auto x = jig::zeros<float, N>();
          for (jig::index i = 0; i < N; ++i) x(i) = static_cast<float>(std::sin(static_cast<double>(3 * i + 1)));
          jig::tensor<float, dyn> same(x);
          CHECK(same_bits(jig::tensor<float, dyn>(jig::function<"f(x)">([](auto v) { return jig::cumsum(v); })(x)),
                          jig::function<"f(x)">([](auto v) { return jig::cumsum(v); })(same)));
        }(),
        ...);
  };
  few(std::integer_sequence<jig::index, 1, 2, 3, 4, 5, 8, 9, 13, 15, 16, 17>());
  auto m = jig::zeros<double, 4, 4>();
  for (jig::index i = 0; i < 16; ++i) m.data()[i] = std::sin(static_cast<double>(i));
  const jig::tensor<double, dyn, dyn> same(m);
  const auto f = jig::function<"f(x)">(
      [](auto v) { return std::tuple(jig::cumsum<0>(v), jig::cumsum<1>(v), jig::cumprod<0>(v), jig::cumprod<1>(v)); });
  const auto [a, b, c, d] = f(m);
  const auto [p, q, r, s] = f(same);
  const auto bits = [](const auto& x, const auto& y) { return std::memcmp(x.data(), y.data(), 16 * sizeof(double)) == 0; };
  CHECK(bits(a, p));
  CHECK(bits(b, q));
  CHECK(bits(c, r));
  CHECK(bits(d, s));
}

TEST_CASE("what a sum or a product keeps") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  static constexpr auto sum = jig::function<"f(x)">([](auto v) { return jig::cumsum<-1>(v); });
  static constexpr auto product = jig::function<"f(x)">([](auto v) { return jig::cumprod<-1>(v); });
  for (jig::index n : {3, 16, 40}) {
    jig::tensor<float, dyn, dyn> zeros(jig::uninitialized, {2, {3, n}});
    for (auto& e : zeros) e = -0.0f;
    bool negative = true;
    for (float e : sum(zeros)) negative = negative && e == 0 && std::signbit(e);
    CHECK(negative);
    // One row does not touch another one.
    jig::tensor<float, dyn, dyn> x(jig::uninitialized, {2, {5, n}});
    for (auto& e : x) e = 1;
    x(0, n - 1) = inf;
    x(2, 1) = nan;
    const auto s = sum(x), p = product(x);
    for (jig::index r = 0; r < 5; ++r)
      for (jig::index i = 0; i < n; ++i) {
        const bool is_nan = r == 2 && i >= 1, is_inf = r == 0 && i == n - 1;
        CHECK((is_nan ? std::isnan(s(r, i)) : s(r, i) == (is_inf ? inf : static_cast<float>(i + 1))));
        CHECK((is_nan ? std::isnan(p(r, i)) : p(r, i) == (is_inf ? inf : 1.0f)));
      }
  }
}

TEST_CASE("operands at any strides and of storage dtypes") {
  jig::tensor<int, dyn, dyn> x(jig::uninitialized, {2, {30, 7}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<int>(i % 11);
  const auto y = jig::function<"f(x)">([](auto v) { return jig::cumsum<1>(jig::reverse<1>(jig::transpose(v))); })(x);
  bool same = true;
  for (jig::index i = 0; i < 7; ++i) {
    int total = 0;
    for (jig::index k = 0; k < 30; ++k) same = same && y(i, k) == (total += x(29 - k, i));
  }
  CHECK(same);
  const auto h = jig::function<"f(x)">([](auto v) { return jig::cumsum(v); })(
      jig::tensor<jig::half, 3>{jig::half(1.0f), jig::half(0.5f), jig::half(2.0f)});
  CHECK(static_cast<float>(h(2)) == 3.5f);
}
TEST_CASE("threads share parts along which nothing is scanned") {
  constexpr auto along = jig::function([](auto x) { return std::tuple(jig::cumsum<1>(x), jig::cumprod<1>(x)); });
  const auto filled = []<class T>(T x) {
    jig::index i = 0;
    for (auto& e : x) e = static_cast<typename T::value_type>((i += 7) % 11 - 5);
    return x;
  };
  check_shared(true, along, filled(jig::tensor<float, 17, 7000>()));
  check_shared(true, along, filled(jig::tensor<std::uint8_t, 9000, 9>()));
  check_shared(true, along, filled(jig::tensor<double, jig::dyn, 300, 3>(jig::index{90})));
  check_shared(false, along, filled(jig::tensor<double, jig::dyn, 300, 3>(jig::index{70})));
  check_shared(false, along, filled(jig::tensor<float, 1, 70000>()));
}

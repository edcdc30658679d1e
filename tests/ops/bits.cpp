// SPDX-License-Identifier: MIT
#include <jig/ops/bits.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <tuple>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

}  // namespace

TEST_CASE_TEMPLATE("bits of integers at every length", T, std::int8_t, std::int32_t, std::uint16_t, std::uint64_t) {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return std::tuple(x & y, x | y, x ^ y, ~x); });
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<T>(i * 0x9e3779b97f4a7c15u);
      b[i] = i % 4 == 0 ? std::numeric_limits<T>::lowest() : static_cast<T>(~i * 0xbf58476d1ce4e5b9u);
    }
    auto x = tensor_of(a), y = tensor_of(b);
    auto [p, q, r, s] = f(x, y);
    for (jig::index i = 0; i < x.size(); ++i) {
      CHECK(p(i) == static_cast<T>(x(i) & y(i)));
      CHECK(q(i) == static_cast<T>(x(i) | y(i)));
      CHECK(r(i) == static_cast<T>(x(i) ^ y(i)));
      CHECK(s(i) == static_cast<T>(~x(i)));
    }
  }
}

TEST_CASE_TEMPLATE("shifts by every count of the width", T, std::int8_t, std::int64_t, std::uint8_t, std::uint64_t) {
  constexpr int width = 8 * sizeof(T);
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) { return std::tuple(x << n, x >> n); });
  for (T x : {T(1), T(0), T(0x55), std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), static_cast<T>(-T(3))}) {
    std::vector<T> counts;
    for (int k = 0; k < width; ++k) counts.push_back(static_cast<T>(k));
    auto [left, right] = f(x, counts);
    for (int k = 0; k < width; ++k) {
      CHECK(left(k) == static_cast<T>(static_cast<std::uint64_t>(x) << k));
      CHECK(right(k) == static_cast<T>(x >> k));
    }
  }
}

TEST_CASE_TEMPLATE("shifts out of range throw", T, std::int8_t, std::uint64_t) {
  constexpr T width = static_cast<T>(8 * sizeof(T));
  constexpr auto left = jig::function<"f(x, n)">([](auto x, auto n) { return x << n; });
  constexpr auto right = jig::function<"f(x, n)">([](auto x, auto n) { return x >> n; });
  jig::tensor<T, 3> x{1, 2, 3};
  for (T n : {width, static_cast<T>(width + 1), static_cast<T>(-T(1)), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}) {
    if (n == 0) continue;
    CHECK_THROWS_WITH_AS((void)left(x, n), "a shift by a negative count or by the width of the dtype or more", jig::invalid_argument);
    CHECK_THROWS_AS((void)right(x, n), jig::invalid_argument);
  }
}

TEST_CASE("one shift out of range throws") {
  jig::tensor<int, 3> x{1, 2, 3};
  CHECK_THROWS_AS((void)(x << jig::tensor<int, 3>{0, 0, 32}), jig::invalid_argument);
}

TEST_CASE("the same operators on bool tensors are logic") {
  constexpr auto traced = jig::function<"f(x, y)">([](auto x, auto y) { return std::tuple(x & y, x | y, x ^ y, !x); });
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    const jig::shape extents{1, {static_cast<jig::index>(n)}};
    jig::tensor<bool, jig::dyn> x(jig::uninitialized, extents), y(jig::uninitialized, extents);
    for (jig::index i = 0; i < x.size(); ++i) {
      x(i) = i % 2 == 0;
      y(i) = i % 3 == 0;
    }
    auto [p, q, r, s] = traced(x, y);
    for (jig::index i = 0; i < x.size(); ++i) {
      CHECK(p(i) == (x(i) && y(i)));
      CHECK(q(i) == (x(i) || y(i)));
      CHECK(r(i) == (x(i) != y(i)));
      CHECK(s(i) == !x(i));
    }
  }
  constexpr auto& g = traced.get_concrete_function(jig::spec<bool>{}, jig::spec<bool>{}).graph();
  static_assert(g.count("LogicalAnd") == 1 && g.count("LogicalOr") == 1 && g.count("NotEqual") == 1 && g.count("LogicalNot") == 1);
  CHECK((jig::tensor<bool>{true} & false)() == false);
}

TEST_CASE("operators at once, with literals on either side") {
  jig::tensor<int, 2> x{1, 2};
  CHECK((x << 3)(1) == 16);
  CHECK((1 << x)(1) == 4);
  CHECK((x & jig::lit<1>)(0) == 1);
  CHECK((x ^ x)(1) == 0);
  CHECK((~x)(0) == -2);
}

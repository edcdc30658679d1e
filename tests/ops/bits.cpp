// SPDX-License-Identifier: MIT
#include <jig/ops/bits.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

}  // namespace

TEST_CASE_TEMPLATE("bits of integers at every length", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  auto all = [](const auto& x, const auto& y) { return std::tuple(x & y, x | y, x ^ y, ~x); };
  constexpr auto traced = jig::function<"f(x, y)">(all);
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<T>(i * 0x9e3779b97f4a7c15u);
      b[i] = i % 4 == 0 ? std::numeric_limits<T>::lowest() : static_cast<T>(~i * 0xbf58476d1ce4e5b9u);
    }
    auto x = tensor_of(a), y = tensor_of(b);
    auto [p, q, r, s] = all(x, y);
    auto [p2, q2, r2, s2] = traced(x, y);
    for (jig::index i = 0; i < x.size(); ++i) {
      CHECK(p(i) == static_cast<T>(x(i) & y(i)));
      CHECK(q(i) == static_cast<T>(x(i) | y(i)));
      CHECK(r(i) == static_cast<T>(x(i) ^ y(i)));
      CHECK(s(i) == static_cast<T>(~x(i)));
      CHECK(p2(i) == p(i));
      CHECK(q2(i) == q(i));
      CHECK(r2(i) == r(i));
      CHECK(s2(i) == s(i));
    }
  }
}

TEST_CASE_TEMPLATE("shifts by every count of the width", T, std::int8_t, std::int32_t, std::int64_t, std::uint8_t, std::uint32_t,
                   std::uint64_t) {
  constexpr int width = 8 * sizeof(T);
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) { return std::tuple(x << n, x >> n); });
  for (T x : {T(1), T(0), T(0x55), std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), static_cast<T>(-T(3))}) {
    std::vector<T> counts;
    for (int k = 0; k < width; ++k) counts.push_back(static_cast<T>(k));
    auto [left, right] = f(x, counts);
    auto left_now = jig::tensor<T>{x} << tensor_of(counts), right_now = jig::tensor<T>{x} >> tensor_of(counts);
    for (int k = 0; k < width; ++k) {
      CHECK(left(k) == static_cast<T>(static_cast<std::uint64_t>(x) << k));
      CHECK(right(k) == static_cast<T>(x >> k));
      CHECK(left_now(k) == left(k));
      CHECK(right_now(k) == right(k));
    }
  }
}

TEST_CASE_TEMPLATE("shifts out of range throw", T, std::int8_t, std::int32_t, std::int64_t, std::uint8_t, std::uint64_t) {
  constexpr T width = static_cast<T>(8 * sizeof(T));
  jig::tensor<T, 3> x{1, 2, 3};
  for (T n : {width, static_cast<T>(width + 1), static_cast<T>(-T(1)), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}) {
    if (n == 0) continue;
    CHECK_THROWS_WITH_AS((void)(x << n), "a shift by a negative count or by the width of the dtype or more", jig::invalid_argument);
    CHECK_THROWS_AS((void)(x >> n), jig::invalid_argument);
  }
  CHECK_THROWS_AS((void)(x << jig::tensor<T, 3>{0, 0, width}), jig::invalid_argument);
  CHECK((x << 1)(2) == 6);
}

TEST_CASE("the same operators on bool tensors are logic") {
  auto all = [](const auto& x, const auto& y) { return std::tuple(x & y, x | y, x ^ y, !x); };
  constexpr auto traced = jig::function<"f(x, y)">(all);
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    const jig::shape extents{1, {static_cast<jig::index>(n)}};
    jig::tensor<bool, jig::dyn> x(jig::uninitialized, extents), y(jig::uninitialized, extents);
    for (jig::index i = 0; i < x.size(); ++i) {
      x(i) = i % 2 == 0;
      y(i) = i % 3 == 0;
    }
    auto [p, q, r, s] = traced(x, y);
    auto [p2, q2, r2, s2] = all(x, y);
    for (jig::index i = 0; i < x.size(); ++i) {
      CHECK(p(i) == (x(i) && y(i)));
      CHECK(q(i) == (x(i) || y(i)));
      CHECK(r(i) == (x(i) != y(i)));
      CHECK(s(i) == !x(i));
      CHECK(p2(i) == p(i));
      CHECK(q2(i) == q(i));
      CHECK(r2(i) == r(i));
      CHECK(s2(i) == s(i));
    }
  }
  constexpr auto& g = traced.get_concrete_function(jig::spec<bool>{}, jig::spec<bool>{}).graph();
  static_assert(g.count("LogicalAnd") == 1 && g.count("LogicalOr") == 1 && g.count("NotEqual") == 1 && g.count("LogicalNot") == 1);
  CHECK((jig::tensor<bool>{true} & false)() == false);
}

TEST_CASE("literals on either side") {
  jig::tensor<int, 2> x{1, 2};
  CHECK((x << 3)(1) == 16);
  CHECK((1 << x)(1) == 4);
  CHECK((x & jig::lit<1>)(0) == 1);
}

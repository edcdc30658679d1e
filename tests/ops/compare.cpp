// SPDX-License-Identifier: MIT
#include <jig/ops/compare.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

template <class T>
void check(const std::vector<T>& a, const std::vector<T>& b) {
  auto x = tensor_of(a), y = tensor_of(b);
  constexpr auto f = jig::function<"f(x, y)">([](auto p, auto q) { return std::tuple(p == q, p != q, p<q, p <= q, p> q, p >= q); });
  auto [eq, ne, lt, le, gt, ge] = f(x, y);
  static_assert(std::is_same_v<decltype(eq), jig::tensor<bool, jig::dyn>>);
  REQUIRE(eq.size() == x.size());
  for (jig::index i = 0; i < x.size(); ++i) {
    CHECK(eq(i) == (x(i) == y(i)));
    CHECK(ne(i) == (x(i) != y(i)));
    CHECK(lt(i) == (x(i) < y(i)));
    CHECK(le(i) == (x(i) <= y(i)));
    CHECK(gt(i) == (x(i) > y(i)));
    CHECK(ge(i) == (x(i) >= y(i)));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("comparisons equal those of C++ at every length", T, float, double, std::int8_t, std::int32_t, std::uint64_t) {
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<T>(i % 7);
      b[i] = static_cast<T>(i % 5);
    }
    check(a, b);
  }
  using limits = std::numeric_limits<T>;
  std::vector<T> edges{limits::lowest(), limits::max(), T(0), T(1), static_cast<T>(-T(1))}, a, b;
  if constexpr (limits::has_infinity)
    edges.insert(edges.end(), {-T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::denorm_min()});
  for (T x : edges)
    for (T y : edges) a.push_back(x), b.push_back(y);
  check(a, b);
}

TEST_CASE("bool and strings") {
  check<std::string>({"a", "b", "", "aa"}, {"a", "a", "a", "b"});
  jig::tensor<bool, 4> p{true, true, false, false}, q{true, false, true, false};
  auto equal = p == q, differ = p != q;
  for (int i = 0; i < 4; ++i) {
    CHECK(equal(i) == (p(i) == q(i)));
    CHECK(differ(i) == (p(i) != q(i)));
  }
  CHECK((p == true)(1));
}

TEST_CASE_TEMPLATE("kinds of floating numbers", T, float, double) {
  using limits = std::numeric_limits<T>;
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::is_nan(x), jig::is_inf(x), jig::is_finite(x)); });
  std::vector<T> values{limits::quiet_NaN(),
                        -limits::quiet_NaN(),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::max(),
                        limits::lowest(),
                        limits::denorm_min(),
                        T(0),
                        -T(0),
                        T(1)};
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = values[i % values.size()];
    auto x = tensor_of(v);
    auto [a, b, c] = f(x);
    for (jig::index i = 0; i < x.size(); ++i) {
      CHECK(a(i) == std::isnan(x(i)));
      CHECK(b(i) == std::isinf(x(i)));
      CHECK(c(i) == std::isfinite(x(i)));
    }
  }
}

TEST_CASE("comparisons chain with logic, literals and broadcasting") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return (!((x < 0) | (y >= x))) & (x != 3); });
  jig::tensor<int, 5> x{-1, 1, 2, 3, 4};
  auto r = f(x, 1);
  for (int i = 0; i < 5; ++i) CHECK(r(i) == (!(x(i) < 0 || 1 >= x(i)) && x(i) != 3));
  CHECK((1 < x)(2));
  CHECK((x <= x)(2));
  CHECK(!(jig::lit<4> != x)(4));
  auto table = jig::tensor<int, 2, 1>{{1}, {3}} > jig::tensor<int, 3>{0, 2, 4};
  static_assert(std::is_same_v<decltype(table), jig::tensor<bool, 2, 3>>);
  CHECK(table(1, 1));
  CHECK(!table(0, 1));
}

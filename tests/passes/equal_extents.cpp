// SPDX-License-Identifier: MIT
#include <jig/passes/equal_extents.hpp>

#include "without_passes.hpp"

using jig::dyn;

namespace {

constexpr int count(const auto& graph, std::string_view name) { return static_cast<int>(graph.count(name)); }

constexpr auto chain = [](auto x) {
  auto a = jig::strided_slice<jig::range_of(1, jig::unbounded)>(x), b = jig::strided_slice<jig::range_of(0, -1)>(x);
  return jig::reduce_sum(100.0 * jig::square(a - jig::square(b)) + jig::square(1.0 - b));
};
constexpr auto mean_of_squares = [](auto x, auto y) { return jig::reduce_mean(jig::square(x - y)); };

jig::tensor<double, dyn> some(jig::index n, int seed) {
  jig::tensor<double, dyn> x(jig::uninitialized, jig::shape{1, {n}});
  for (jig::index i = 0; i < n; ++i) x.data()[i] = static_cast<double>((i * 29 + seed) % 17) / 4 - 2;
  return x;
}

}  // namespace

TEST_CASE("inputs beyond those that an op tells are looked at for their elements") {
  static_assert(jig::detail::looks_at_extents(jig::ops::broadcast_like, 1));
  static_assert(!jig::detail::looks_at_extents(jig::ops::concat, 40));
}

TEST_CASE("gradients along extents that are computed equally sum nothing") {
  constexpr auto f = jig::grad<0>(jig::function<"chain(x)">(chain));
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{});
  static_assert(count(concrete.graph(), "SumLike") > 0 && count(concrete.optimized_graph(), "SumLike") == 0);
  static_assert(count(concrete.optimized_graph(), "BroadcastLike") == 0);
  for (jig::index n : {1, 2, 3, 9, 65}) {
    const auto x = some(n, 3);
    jig::tensor<double, dyn> expected(jig::uninitialized, jig::shape{1, {n}});
    for (auto& e : expected) e = 0;
    for (jig::index i = 0; i + 1 < n; ++i) {
      const double b = x(i), a = x(i + 1);
      expected(i) += -400 * b * (a - b * b) - 2 * (1 - b);
      expected(i + 1) += 200 * (a - b * b);
    }
    const auto made = f(x);
    for (jig::index i = 0; i < n; ++i) CHECK(made(i) == doctest::Approx(expected(i)));
  }
}

TEST_CASE("extents that may differ are summed along") {
  constexpr auto f = jig::grad<0>(jig::function<"mean_of_squares(x, y)">(mean_of_squares));
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{}, jig::spec<double, dyn>{});
  static_assert(count(concrete.optimized_graph(), "SumLike") == 1);
  constexpr auto named = f.get_concrete_function(jig::spec<double, jig::dim<"n">>{}, jig::spec<double, jig::dim<"n">>{});
  static_assert(count(named.optimized_graph(), "SumLike") == 0);
  for (jig::index n : {1, 5, 64}) {
    for (jig::index m : {jig::index{1}, n}) {
      const auto x = some(m, 1), y = some(n, 5);
      const auto made = f(x, y);
      REQUIRE(made.size() == m);
      for (jig::index i = 0; i < m; ++i) {
        double expected = 0;
        for (jig::index k = m == n ? i : 0; k < (m == n ? i + 1 : n); ++k) expected += 2 * (x(i) - y(k)) / static_cast<double>(n);
        CHECK(made(i) == doctest::Approx(expected));
      }
    }
  }
}

TEST_CASE("values are repeated to extents that may differ from theirs") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return jig::broadcast_like(x, x * y); });
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{}, jig::spec<double, dyn>{});
  static_assert(count(concrete.optimized_graph(), "BroadcastTo") == 1);
  constexpr auto named = f.get_concrete_function(jig::spec<double, jig::dim<"n">>{}, jig::spec<double, jig::dim<"n">>{});
  static_assert(count(named.optimized_graph(), "BroadcastTo") == 0);
  const auto made = f(jig::tensor<double, dyn>{3}, some(5, 1));
  REQUIRE(made.size() == 5);
  for (double e : made) CHECK(e == 3);
}

TEST_CASE("extents that are equal in a body") {
  constexpr auto f = jig::function<"smoothed(x)">([](auto x) {
    constexpr auto inside = jig::range_of<1, -1>();
    constexpr auto behind = jig::range_of<2, jig::unbounded>();
    for ([[maybe_unused]] auto trip : jig::range(0, 3, jig::beside(x))) x(inside) = x(inside) + x(behind);
    return x;
  });
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{});
  static_assert(count(concrete.graph(), "BroadcastTo") == 1 && count(concrete.optimized_graph(), "BroadcastTo") == 0);
  const auto made = f(jig::tensor<double, dyn>{1, 2, 3, 4});
  CHECK(made(1) == 2 + 3 * 3 + 3 * 4);
  CHECK(made(2) == 3 + 3 * 4);
}

TEST_CASE("nothing is computed for its extents alone") {
  constexpr auto f = jig::function<"f(x)">([](auto t) { return jig::ones_like(jig::exp(t)) + t; });
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{});
  static_assert(count(concrete.graph(), "Exp") == 1 && count(concrete.optimized_graph(), "Exp") == 0);
  const auto x = some(5, 2), made = f(x);
  for (jig::index i = 0; i < 5; ++i) CHECK(made(i) == x(i) + 1);
  // Of another dtype there is nothing that would do as well.
  constexpr auto other = jig::function<"other(x)">([](auto t) { return jig::zeros_like(jig::cast<float>(t)); });
  static_assert(count(other.get_concrete_function(jig::spec<double, dyn>{}).optimized_graph(), "Cast") == 1);
  CHECK(other(x)(4) == 0.0f);
}

TEST_CASE("repeated scalars are computed with as scalars where another operand has the shape") {
  constexpr auto f = jig::function<"f(x, y)">([](auto t, auto y) {
    auto r = jig::broadcast_like(y, t) * 2.0;
    return std::tuple(r * t, r + 1.0);
  });
  constexpr auto without = f.without_passes();
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, dyn>{}, jig::spec<double>{});
  // One is needed as a whole.
  static_assert(count(concrete.optimized_graph(), "BroadcastTo") == 1);
  static_assert(count(concrete.optimized_graph(), "Mul") == 3);
  const auto x = some(9, 4);
  const auto [product, sum] = f(x, 3.0);
  CHECK(same_bits(without(x, 3.0), f(x, 3.0)));
  REQUIRE(sum.size() == 9);
  for (jig::index i = 0; i < 9; ++i) {
    CHECK(product(i) == 6 * x(i));
    CHECK(sum(i) == 7);
  }
}

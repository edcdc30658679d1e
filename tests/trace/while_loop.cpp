// SPDX-License-Identifier: MIT
#include <jig/trace/while_loop.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

TEST_CASE("while_loop") {
  static constexpr auto doubled = jig::function([](auto x) {
    auto [i, y] = jig::while_loop([](auto k, auto) { return k < 10; }, [](auto k, auto z) { return std::tuple(k + 1, z + z); },
                                  std::tuple(jig::constant_like(x, 0), x));
    return y;
  });
  static_assert(doubled.get_concrete_function(jig::spec<int>()).graph().count("While") == 1);
  CHECK(doubled(1)() == 1024);
  // A single value, and no trip at all.
  static constexpr auto halved =
      jig::function([](auto x) { return jig::while_loop([](auto y) { return jig::reduce_max(y) > 1; }, [](auto y) { return y / 2; }, x); });
  auto y = halved(jig::tensor<float, 3>{8, 4, -1});
  CHECK(y(0) == 1.0f);
  CHECK(y(1) == 0.5f);
  CHECK(y(2) == -0.125f);
  CHECK(halved(jig::tensor<float, 3>{1, 0.5f, -1})(0) == 1.0f);
  CHECK(halved(std::vector<float>{32})(0) == 1.0f);
  // On tensors it runs at once.
  auto eager = jig::while_loop([](auto k) { return k < 100; }, [](auto k) { return k * 3; }, jig::tensor<int>(1));
  CHECK(eager() == 243);
}

namespace {

// Concatenates a row per trip.
constexpr auto grow = jig::function<"grow(x, n)">([](auto x, auto n) {
  auto [i, all] = jig::while_loop(
      [&](auto k, auto) { return k < n; },
      [&](auto k, auto rows) { return std::tuple(k + 1, jig::concat<0>(rows, jig::slice<1, -1>(rows, jig::tensor<int, 2>{0, 0}) + k)); },
      std::tuple(jig::zeros_like(n), x), jig::shape_invariants<jig::spec<int>, jig::spec<int, jig::dyn, 2>>());
  return all * 10;
});

template <class Y>
bool has_grown(const Y& y, int n) {
  bool right = y.extent(0) == n + 1 && y.extent(1) == 2;
  for (int i = 0; right && i <= n; ++i) right = y(i, 0) == 10 * (1 + (i > 0 ? i - 1 : 0)) && y(i, 1) == y(i, 0) + 10;
  return right;
}

}  // namespace

TEST_CASE("while_loop with shape invariants carries what grows") {
  constexpr auto f = grow.get_concrete_function(jig::spec<int, 1, 2>(), jig::spec<int>());
  static_assert(f.graph().count("While") == 1 && jig::has_varying_extents(f.graph()) && f.peak_workspace() == -1);
  static_assert(std::is_same_v<decltype(f)::output_spec, jig::spec<int, jig::dyn, 2>>);
  const jig::tensor<int, 1, 2> x{{1, 2}};
  for (int n : {0, 1, 2, 50}) {
    CHECK(has_grown(grow(x, n), n));
    CHECK(has_grown(grow(jig::tensor<int, jig::dyn, 2>(x), n), n));
    CHECK(has_grown(grow.eager(x, n), n));
    CHECK(has_grown(f(jig::tensor<int, jig::dyn, jig::dyn>(x), n), n));
  }
  jig::tensor<int, 3, 2> out;
  grow.into(out, x, 2);
  CHECK(has_grown(out, 2));
  CHECK_THROWS_WITH_AS(grow.into(out, x, 3), "grow: result: expected int32 shape=(4, 2), given int32 shape=(3, 2); into resizes nothing",
                       jig::invalid_argument);
  CHECK_THROWS_AS(f(jig::zeros<int, jig::dyn, 2>(2), 1), jig::invalid_argument);
}

TEST_CASE("loops that grow inside loops, branches and functions, and shrink") {
  static constexpr auto nested = jig::function([](auto x, auto n) {
    auto sum = jig::reduce_sum(x) * 0;
    for (auto k : jig::range(n)) sum = sum + jig::reduce_sum(grow(x, k));
    JIG_IF(n > 2) {
      sum = sum + jig::reduce_sum(grow(x, n));
    }
    return sum;
  });
  auto total = [](int n) { return 30 * (n + 1) + 10 * n * (n - 1); };
  for (int n : {0, 1, 4}) {
    int expected = n > 2 ? total(n) : 0;
    for (int k = 0; k < n; ++k) expected += total(k);
    CHECK(nested(jig::tensor<int, 1, 2>{{1, 2}}, n)() == expected);
  }
  // Halves while there are two: a single value, and an extent that the loop looks at.
  static constexpr auto halve = jig::function([](auto x) {
    return jig::while_loop([](auto v) { return jig::extent<0>(v) > 1; }, [](auto v) { return jig::strided_slice<jig::range_of(0, -1)>(v); },
                           x, jig::shape_invariants<jig::spec<float, jig::dyn>>());
  });
  auto y = halve(std::vector<float>{7, 8, 9});
  CHECK(y.size() == 1);
  CHECK(y(0) == 7);
}

TEST_CASE("shape invariants without wildcards change nothing") {
  static constexpr auto f = jig::function([](auto x) {
    return jig::while_loop([](auto v) { return jig::reduce_sum(v) < 10; }, [](auto v) { return v + 1; }, x,
                           jig::shape_invariants<jig::spec<float, 2>>());
  });
  constexpr auto g = f.get_concrete_function(jig::spec<float, 2>());
  static_assert(!jig::has_varying_extents(g.graph()) && g.peak_workspace() >= 0);
  CHECK(f(jig::tensor<float, 2>{1, 2})(1) == 6);
  CHECK_THROWS_AS(f(std::vector<float>{1, 2, 3}), jig::invalid_argument);
}

TEST_CASE("a native loop cannot carry what grows, and says what can") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    for (auto i : jig::range(n)) x = jig::concat<0>(x, x + i);
    return x;
  });
  CHECK(f(std::vector<int>{1}, 0).size() == 1);
  CHECK_THROWS_WITH_AS(f(std::vector<int>{1}, 1),
                       "While: the extents of a carried value changed: (1,) and (2,); jig::while_loop can change those that "
                       "jig::shape_invariants leave open",
                       jig::invalid_argument);
}

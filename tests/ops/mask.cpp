// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

using longs = std::vector<std::int64_t>;

// Every third of the numbers 0, 1, 2, … and those above 40.
constexpr auto picked = [](const auto& x) { return (x % 3 == 0) | (x > 40); };

ints picked_by_loop(int n) {
  ints out;
  for (int i = 0; i < n; ++i)
    if (i % 3 == 0 || i > 40) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE("where with one argument gives positions") {
  constexpr auto f = jig::function<"f(c)">([](auto c) { return jig::where(jig::transpose(c)); });
  auto y = f(jig::tensor<bool, dyn, dyn>{{true, false, true}, {false, false, true}});
  static_assert(std::is_same_v<decltype(y), jig::tensor<std::int64_t, dyn, 2>>);
  CHECK(elements(y) == longs{0, 0, 2, 0, 2, 1});
  CHECK(f(jig::zeros<bool, dyn, dyn>(2, 3)).shape() == jig::shape{2, {0, 2}});
  CHECK(f(jig::zeros<bool, dyn, dyn>(0, 3)).shape() == jig::shape{2, {0, 2}});
  CHECK(jig::where(jig::tensor<bool>{true}).shape() == jig::shape{2, {1, 0}});
}

TEST_CASE("boolean_mask picks what a loop picks") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::boolean_mask(x, picked(x)); });
  for (int n : {0, 1, 2, 7, 64, 1000}) CHECK(elements(f(counted<int, dyn>(n))) == picked_by_loop(n));
  CHECK(elements(jig::boolean_mask(counted<int, 3>(), std::array<bool, 3>{true, false, true})) == ints{0, 2});
  constexpr auto g = jig::function<"g(x, m)">([](auto v, auto m) { return jig::boolean_mask(v, m); });
  auto pairs = g(counted<int, dyn, 2, 2>(2), jig::tensor<bool, 2, 2>{{false, true}, {true, false}});
  static_assert(std::is_same_v<decltype(pairs), jig::tensor<int, dyn, 2>>);
  CHECK(elements(pairs) == ints{2, 3, 4, 5});
  auto words = g(jig::tensor<std::string, 3>{"a", "long enough for the heap", "c"}, std::array<bool, 3>{false, true, true});
  CHECK(elements(words) == std::vector<std::string>{"long enough for the heap", "c"});
  // a strided operand, a mask that is a constant of the trace
  CHECK(elements(jig::function<"f(x)">([](auto v) { return jig::boolean_mask(jig::transpose(v), jig::tensor<bool, 2>{false, true}); })(
            counted<int, 3, 2>())) == ints{1, 3, 5});
  CHECK_THROWS_WITH_AS(g(counted<int, dyn>(3), jig::zeros<bool, dyn>(2)),
                       doctest::Contains("EnsureShape: extents that must be equal differ: int32 (3,) and bool (2,)"),
                       jig::invalid_argument);
}

TEST_CASE("extents that the run tells go on through a graph") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    auto p = jig::boolean_mask(x, x > 2), q = jig::boolean_mask(y, y > 2);
    auto both_of_them = jig::concat<0>(p, q, x);
    return std::make_tuple(p * 2 + q, jig::reduce_mean(p), both_of_them, jig::shape_of(both_of_them), jig::reverse(p) + 1,
                           jig::broadcast_like(jig::reduce_max(x, jig::keepdims), p) - jig::reshape_like(p, p));
  });
  auto r = f(counted<float, dyn>(6), counted<float, dyn>(6));
  CHECK(elements(std::get<0>(r)) == std::vector<float>{9, 12, 15});
  CHECK(std::get<1>(r)() == 4);
  CHECK(elements(std::get<2>(r)) == std::vector<float>{3, 4, 5, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  CHECK(elements(std::get<3>(r)) == ints{12});
  CHECK(elements(std::get<4>(r)) == std::vector<float>{6, 5, 4});
  // The last one only takes such an extent.
  CHECK(elements(std::get<5>(r)) == std::vector<float>{2, 1, 0});
  // What does not fit is found out when both extents are known; extents of 1 broadcast.
  CHECK_THROWS_WITH_AS(f(counted<float, dyn>(6), counted<float, dyn>(7)),
                       doctest::Contains("AddV2: shapes do not broadcast: float32 (3,) and float32 (4,)"), jig::invalid_argument);
  CHECK(elements(std::get<0>(f(counted<float, dyn>(6), counted<float, dyn>(4)))) == std::vector<float>{9, 11, 13});
  CHECK(std::get<0>(f(counted<float, dyn>(0), counted<float, dyn>(2))).size() == 0);
}

TEST_CASE("in bodies of loops and branches") {
  // Primes by a sieve whose loop keeps nothing of its late extents but a sum.
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    auto total = jig::reduce_sum(x) * 0;
    for (auto i : jig::range(1, n)) {
      auto kept = jig::boolean_mask(x, x % i == 0);
      total = total + jig::reduce_sum(kept * kept);
    }
    if (total > 1000) total = total - jig::reduce_sum(jig::boolean_mask(x, x > 5));
    return total;
  });
  int expected = 0;
  for (int i = 1; i < 9; ++i)
    for (int k = 0; k < 20; ++k) expected += k % i == 0 ? k * k : 0;
  for (int k = 6; k < 20; ++k) expected -= k;
  CHECK(f(counted<int, dyn>(20), 9)() == expected);
}

TEST_CASE("into") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::boolean_mask(x, x > 2) + 1; });
  auto x = counted<int, dyn>(6);
  jig::tensor<int, dyn> out;
  f.into(out, x);
  CHECK(elements(out) == ints{4, 5, 6});
  f.into(x, x);
  CHECK(elements(x) == ints{4, 5, 6});
  jig::tensor<int, 3> fixed;
  f.into(fixed, x);
  CHECK(elements(fixed) == ints{5, 6, 7});
  jig::tensor<int, 2> short_one;
  CHECK_THROWS_AS(f.into(short_one, x), jig::invalid_argument);
}

TEST_CASE("extents of a mask that only the call knows are checked") {
  constexpr auto f = jig::function<"f(x, m)">([](auto x, auto m) { return jig::boolean_mask(x, m); });
  const jig::tensor<bool, dyn> three{true, false, true};
  const auto rows = counted<int, 3, 2>();
  CHECK(elements(f(counted<int, 3>(), three)).size() == 2);
  CHECK(f(rows, three).extent(0) == 2);
  CHECK(f(rows, jig::ones<bool, 3, dyn>(2)).extent(0) == 6);
  CHECK_THROWS_AS(f(counted<int, 3>(), jig::tensor<bool, dyn>{true, false}), jig::invalid_argument);
  CHECK_THROWS_AS(f(rows, jig::tensor<bool, dyn>{true}), jig::invalid_argument);
  CHECK_THROWS_AS(f(rows, jig::ones<bool, 3, dyn>(3)), jig::invalid_argument);
}

TEST_CASE("signatures") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::boolean_mask(x, x > 0.5); });
  using traced = decltype(f.get_concrete_function(jig::spec<double, 4, 3>()));
  static_assert(std::is_same_v<traced::output_spec, jig::spec<double, dyn>>);
  static_assert(traced::graph().count("Where") == 1 && traced::graph().count("GatherV2") == 1);
  static_assert(traced::graph().flops() == -1 && traced::graph().bytes() == -1);
}

// SPDX-License-Identifier: MIT
#include <jig/passes/short_sorts.hpp>

#include "../sorted_rows.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using jig::dyn, jig::spec;

namespace {

template <class F, class... S>
constexpr bool sorts(F f, S... specs) {
  return jig::function(f).get_concrete_function(specs...).lowered_graph().count("Sort") > 0;
}
constexpr auto along_rows = [](auto x) { return jig::sort<1>(x); };
constexpr auto along_columns = [](auto x) { return jig::sort<0>(x, jig::descending); };

static_assert(!sorts(along_rows, spec<float, dyn, 2>()));
static_assert(!sorts(along_rows, spec<double, 7, 5>()));
static_assert(!sorts(along_columns, spec<std::uint8_t, 3, dyn>()));
// One place is in order; of more than five the exchanges would take long to compile.
static_assert(!sorts(along_rows, spec<float, dyn, 1>()));
static_assert(sorts(along_rows, spec<float, dyn, 6>()));
// What only the call knows, nothing, and numbers that do not compare as they lie.
static_assert(sorts(along_rows, spec<float, 4, dyn>()));
static_assert(sorts(along_rows, spec<float, 4, 0>()));
static_assert(sorts(along_rows, spec<jig::half, 4, 2>()));
// Only what is wanted: the median takes four exchanges less than the largest and the smallest of five.
constexpr auto median = [](auto x) { return jig::sort<1>(x)(jig::all, 2); };
static_assert(jig::function(median).get_concrete_function(spec<float, dyn, 5>()).lowered_graph().count("Pack") == 0);

template <class T, jig::index N>
void check(unsigned seed) {
  std::mt19937 random(seed);
  constexpr auto both = jig::function([](auto x) { return std::tuple(jig::sort<1>(x), jig::sort<1>(x, jig::descending)); });
  for (const jig::index outer : {1, 3, 40})
    for (const jig::index inner : {0, 1, 2, 15, 16, 17, 33}) {
      jig::tensor<T, dyn, N, dyn> x(outer, inner);
      for (T& e : x) e = random_element<T>(random);
      const auto [up, down] = both(x);
      CHECK(is_sorted_of(up.data(), x.data(), outer, N, inner, false));
      CHECK(is_sorted_of(down.data(), x.data(), outer, N, inner, true));
    }
  constexpr auto rows = jig::function([](auto x) { return jig::sort<-1>(x); });
  for (const jig::index count : {0, 1, 2, 7, 8, 15, 16, 17, 64, 65, 200}) {
    jig::tensor<T, dyn, N> x(count);
    for (T& e : x) e = random_element<T>(random);
    const auto before = x;
    rows.into(x, x);
    CHECK(is_sorted_of(x.data(), before.data(), count, N, 1, false));
  }
}

}  // namespace

TEST_CASE("rows of up to five elements, beside and behind each other") {
  check<float, 2>(1);
  check<float, 3>(2);
  check<double, 5>(3);
  check<std::int32_t, 4>(4);
  check<std::uint8_t, 3>(5);
  check<float, 1>(6);
}
TEST_CASE("a median of five, and of three neighbours") {
  std::mt19937 random(7);
  jig::tensor<float, dyn, 5> x(77);
  for (float& e : x) e = static_cast<float>(random() % 20);
  const auto m = jig::function(median)(x);
  int wrong = 0;
  for (jig::index i = 0; i < 77; ++i) {
    std::vector<float> row(x.data() + 5 * i, x.data() + 5 * i + 5);
    std::sort(row.begin(), row.end());
    wrong += m(i) != row[2];
  }
  const auto y = jig::function([](auto v) {
    using jig::range_of, jig::unbounded;
    return jig::sort<0>(jig::stack<0>(v(range_of(0, -2)), v(range_of(1, -1)), v(range_of(2, unbounded))))[1];
  })(jig::function([](auto v) { return v(jig::all, 0); })(x));
  REQUIRE(y.size() == 75);
  for (jig::index i = 0; i < 75; ++i) {
    const float a = x(i, 0), b = x(i + 1, 0), c = x(i + 2, 0);
    wrong += y(i) != std::max(std::min(a, b), std::min(std::max(a, b), c));
  }
  CHECK(wrong == 0);
}
TEST_CASE("gradients go to where the elements came from") {
  const auto g = jig::grad<0>(jig::function([](auto x, auto w) { return jig::reduce_sum(jig::sort<0>(x) * w); }))(
      jig::tensor<float, 4>{3, 1, 4, 2}, jig::tensor<float, 4>{10, 20, 30, 40});
  CHECK(g(0) == 30);
  CHECK(g(1) == 10);
  CHECK(g(2) == 40);
  CHECK(g(3) == 20);
}

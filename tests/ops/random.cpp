// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

struct moments {
  double mean = 0, variance = 0;
  template <class V>
  explicit moments(const V& v) {
    const auto n = static_cast<double>(v.size());
    for (auto x : v) mean += static_cast<double>(x) / n;
    for (auto x : v) variance += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / n;
  }
};

// The largest distance between the share of numbers below a place and the share expected there, times the root of how many there
// are: above 2.5 in one of a hundred thousand samples (Kolmogorov and Smirnov).
template <class V, class F>
double distance(const V& v, F share_below) {
  std::vector<double> sorted;
  for (auto x : v) sorted.push_back(static_cast<double>(x));
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  double worst = 0, below = 0;
  for (double x : sorted) {
    double expected = share_below(x);
    worst = std::max({worst, std::abs(expected - below / n), std::abs(expected - (below + 1) / n)});
    ++below;
  }
  return worst * std::sqrt(n);
}

// How far two neighbours at this distance depend on each other, from -1 to 1.
template <class V>
double correlation(const V& v, jig::index by) {
  const moments m(v);
  double sum = 0;
  for (jig::index i = 0; i + by < v.size(); ++i) sum += (static_cast<double>(v(i)) - m.mean) * (static_cast<double>(v(i + by)) - m.mean);
  return sum / m.variance / static_cast<double>(v.size() - by);
}

constexpr jig::index many = 100000;

}  // namespace

TEST_CASE_TEMPLATE("uniform numbers are in [0, 1) and equally likely there", T, float, double) {
  for (int seed : {1, 2, 3}) {
    auto r = jig::random_uniform_like(jig::zeros<T, dyn>(many), seed);
    static_assert(std::is_same_v<decltype(r), jig::tensor<T, dyn>>);
    for (T x : r) REQUIRE((x >= 0 && x < 1));
    const moments m(r);
    CHECK(std::abs(m.mean - 0.5) < 0.004);
    CHECK(std::abs(m.variance - 1.0 / 12) < 0.002);
    CHECK(distance(r, [](double x) { return x; }) < 2.5);
    for (jig::index by : {1, 2, 3, 4, 8, 32}) CHECK(std::abs(correlation(r, by)) < 0.015);
  }
}

TEST_CASE_TEMPLATE("normal numbers have mean 0, variance 1 and the right share below every place", T, float, double) {
  for (int seed : {1, 2, 3}) {
    auto r = jig::random_normal_like(jig::zeros<T, dyn>(many), seed);
    static_assert(std::is_same_v<decltype(r), jig::tensor<T, dyn>>);
    for (T x : r) REQUIRE(std::abs(x) < 6);
    const moments m(r);
    CHECK(std::abs(m.mean) < 0.015);
    CHECK(std::abs(m.variance - 1) < 0.02);
    CHECK(distance(r, [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }) < 2.5);
    for (jig::index by : {1, 2, 3, 4, 8, 32}) CHECK(std::abs(correlation(r, by)) < 0.015);
  }
}

TEST_CASE_TEMPLATE("integers fill their whole range", T, std::int8_t, std::int32_t, std::uint16_t, std::uint64_t) {
  auto r = jig::random_uniform_like(jig::zeros<T, dyn>(many), 5);
  static_assert(std::is_same_v<decltype(r), jig::tensor<T, dyn>>);
  // The place in the range, from 0 to 1.
  std::vector<double> place;
  const auto lowest = static_cast<double>(std::numeric_limits<T>::lowest()), range = std::pow(2.0, 8 * sizeof(T));
  for (T x : r) place.push_back((static_cast<double>(x) - lowest + 0.5) / range);
  // Steps of one byte are wide enough to be seen.
  CHECK(distance(place, [](double x) { return x; }) < (sizeof(T) == 1 ? 3.5 : 2.5));
  for (std::size_t bit = 0; bit < 8 * sizeof(T); ++bit) {
    double ones = 0;
    for (T x : r) ones += static_cast<double>(static_cast<std::uint64_t>(x) >> bit & 1) / static_cast<double>(many);
    CHECK(std::abs(ones - 0.5) < 0.007);
  }
}

// The numbers that the documentation of TensorFlow 2 prints for these seeds.
TEST_CASE("the same numbers as TensorFlow's") {
  // tf.random.stateless_normal(shape=[2, 3], seed=[1, 2])
  auto n = jig::random_normal_like(jig::zeros<float, 2, 3>(), std::array<int, 2>{1, 2});
  const float expected[] = {0.5441101f, 0.20738031f, 0.07356433f, 0.04643455f, -1.30159f, -0.95385665f};
  for (int i = 0; i < 6; ++i) CHECK(n(i / 3, i % 3) == doctest::Approx(expected[i]).epsilon(1e-6));
  // tf.nn.experimental.stateless_dropout(tf.ones([3, 5]), rate=0.5 and 0.8, seed=[1, 0])
  const int half[] = {2, 0, 2, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 2};
  const int fifth[] = {5, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5};
  auto x = jig::ones<float, 3, 5>();
  constexpr auto drop =
      jig::function<"f(x, seed)">([](auto v, auto seed) { return std::tuple(jig::dropout<0.5>(v, seed), jig::dropout<0.8>(v, seed)); });
  auto [h, f] = drop(x, std::array<int, 2>{1, 0});
  for (int i = 0; i < 15; ++i) {
    CHECK(h(i / 5, i % 5) == static_cast<float>(half[i]));
    CHECK(f(i / 5, i % 5) == static_cast<float>(fifth[i]));
  }
}

TEST_CASE("seeds: any integer or two, and all of their bits count") {
  jig::tensor<float, 40> x;
  constexpr auto traced = jig::function<"f(x, seed)">([](auto like, auto seed) { return jig::random_uniform_like(like, seed); });
  auto first = [&](const auto& seed) { return traced(x, seed)(0); };
  const float seven = first(7);
  CHECK(first(std::int64_t{7}) == seven);
  CHECK(first(std::uint8_t{7}) == seven);
  CHECK(first(jig::lit<7>) == seven);
  CHECK(first(std::array<std::int64_t, 2>{7, 0}) == seven);
  CHECK(first(std::vector<int>{7, 0}) == seven);
  CHECK(first(8) != seven);
  CHECK(first(-7) != seven);
  CHECK(first(7 + (std::int64_t{1} << 32)) != seven);
  CHECK(first(std::vector<int>{7, 1}) != seven);
  CHECK(first(std::vector<int>{0, 7}) != seven);
  CHECK(first(std::numeric_limits<std::int64_t>::min()) != first(0));
  CHECK_THROWS_AS(first(std::vector<int>{7}), jig::invalid_argument);
  CHECK_THROWS_AS(first(std::vector<int>{7, 0, 0}), jig::invalid_argument);
}

TEST_CASE("different seeds give unrelated numbers") {
  auto x = jig::zeros<double, dyn>(many);
  auto before = jig::random_uniform_like(x, 0);
  for (int seed = 1; seed < 4; ++seed) {
    auto r = jig::random_uniform_like(x, seed);
    double sum = 0;
    for (jig::index i = 0; i < many; ++i) sum += (r(i) - 0.5) * (before(i) - 0.5);
    CHECK(std::abs(sum * 12 / static_cast<double>(many)) < 0.015);
    before = r;
  }
}

TEST_CASE("random values in a trace") {
  constexpr auto f = jig::function<"f(x, seed)">([](auto x, auto seed) {
    return jig::random_uniform_like(x, seed) + jig::random_normal_like(x, seed) * 2 + jig::cast<double>(jig::random_uniform_like(seed, 3));
  });
  constexpr auto traced = f.get_concrete_function(jig::spec<double, jig::dim<"n">>{}, jig::spec<std::int64_t>{});
  static_assert(std::is_same_v<decltype(traced)::output_spec, jig::spec<double, jig::dim<"n">>>);
  static_assert(traced.graph().count("StatelessRandomUniformV2") == 1);
  static_assert(traced.graph().count("StatelessRandomNormalV2") == 1);
  static_assert(traced.graph().count("StatelessRandomUniformFullIntV2") == 1);
  auto x = jig::zeros<double, dyn>(101);
  auto y = f(x, std::int64_t{9});
  auto u = jig::random_uniform_like(x, 9), n = jig::random_normal_like(x, 9);
  auto i = jig::random_uniform_like(jig::tensor<std::int64_t>(0), 3);
  for (jig::index k = 0; k < 101; ++k) CHECK(y(k) == doctest::Approx(u(k) + 2 * n(k) + static_cast<double>(i())));
  // Of the values that a trace computes only the shape counts, of seeds the value.
  constexpr auto g = jig::function<"g(x, seed)">([](auto v, auto seed) { return jig::random_uniform_like(v / 0, seed + 1); });
  auto z = g(x, 8);
  for (jig::index k = 0; k < 101; ++k) CHECK(z(k) == u(k));
  // Values that only the trace knows: a new tensor, a literal.
  constexpr auto h = jig::function<"h(seed)">([](auto seed) {
    return jig::random_uniform_like(jig::zeros<double, 5>(), seed) + jig::dropout<0.5>(jig::ones<double, 5>(), seed) * 0;
  });
  auto w = h(9);
  for (jig::index k = 0; k < 5; ++k) CHECK(w(k) == u(k));
}

TEST_CASE_TEMPLATE("dropout keeps the right share and scales it", T, float, double) {
  auto x = jig::zeros<T, dyn>(many);
  for (jig::index i = 0; i < many; ++i) x(i) = static_cast<T>(i + 1);
  auto check = [&](const auto& r, double rate) {
    double kept = 0;
    for (jig::index i = 0; i < many; ++i) {
      if (r(i) == 0) continue;
      ++kept;
      REQUIRE(r(i) == doctest::Approx(static_cast<double>(i + 1) / (1 - rate)).epsilon(1e-6));
    }
    const double n = static_cast<double>(many);
    CHECK(std::abs(kept / n - (1 - rate)) <= 4 * std::sqrt(rate * (1 - rate) / n));
  };
  constexpr auto drop = jig::function<"f(x, seed)">([](auto v, auto seed) {
    return std::tuple(jig::dropout<0.1>(v, seed), jig::dropout<0.5f>(v, seed), jig::dropout<0.9>(v, seed), jig::dropout<0>(v, seed),
                      jig::dropout<0.0>(v, seed));
  });
  auto [tenth, half, most, none, nothing] = drop(x, 1);
  check(tenth, 0.1);
  check(half, 0.5);
  check(most, 0.9);
  check(none, 0);
  for (jig::index i = 0; i < many; ++i) REQUIRE(nothing(i) == x(i));
}

TEST_CASE("dropout takes what other ops take, and drops what is not finite") {
  const float infinity = std::numeric_limits<float>::infinity();
  auto r = jig::dropout<0.5>(std::vector<float>(64, infinity), 1);
  auto s = jig::dropout<0.5>(std::vector<float>(64, 1), 1);
  for (int i = 0; i < 64; ++i) CHECK(r(i) == (s(i) == 0 ? 0 : infinity));
  CHECK((jig::dropout<0.5>(1.0f, 1)() == 0 || jig::dropout<0.5>(1.0f, 1)() == 2));
  CHECK(jig::dropout<0.5>(jig::zeros<float, dyn, 3>(0), 1).size() == 0);
}

TEST_CASE("dropout in a trace: the generator is a step of its own, the rest is fused") {
  constexpr auto f = jig::function<"f(x, seed)">([](auto x, auto seed) { return jig::relu(jig::dropout<0.25>(x, seed)) + 1; });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, dyn, 7>{}, jig::spec<std::int64_t, 2>{});
  static_assert(std::is_same_v<decltype(traced)::output_spec, jig::spec<float, dyn, 7>>);
  static_assert(traced.graph().count("StatelessRandomUniformV2") == 1);
  auto x = jig::full<float, dyn, 7>(3, 11);
  jig::tensor<std::int64_t, 2> seed{10, 20};
  auto y = traced(x, seed);
  auto d = jig::dropout<0.25>(x, seed);
  int kept = 0;
  for (jig::index i = 0; i < 11; ++i)
    for (jig::index j = 0; j < 7; ++j) {
      CHECK(y(i, j) == d(i, j) + 1);
      kept += d(i, j) != 0;
    }
  CHECK(kept > 40);
  CHECK(kept < 75);
}

TEST_CASE("integers between bounds are equally likely, without a bias for small ones") {
  constexpr auto dice = jig::function<"dice(x, seed)">([](auto x, auto seed) { return jig::random_uniform_like<int>(x, seed, -2, 5); });
  const auto thrown = dice(jig::zeros<float, dyn>(many), 7);
  static_assert(std::is_same_v<decltype(thrown(0)), const int&>);
  std::array<int, 7> count{};
  for (int x : thrown) {
    REQUIRE(x >= -2);
    REQUIRE(x < 5);
    ++count[static_cast<std::size_t>(x + 2)];
  }
  // Chi squared of six degrees of freedom is above 30 in one of twenty thousand samples.
  double chi = 0;
  for (int n : count) chi += (n - many / 7.0) * (n - many / 7.0) / (many / 7.0);
  CHECK(chi < 30);
  // Three quarters of the whole range: of 32 bits modulo that, numbers of the first third would be twice as likely as others.
  const auto wide = jig::random_uniform_like<std::uint32_t>(jig::zeros<float, dyn>(many), 3, 0, 3221225472);
  double below = 0;
  for (auto x : wide) below += x < 1073741824u;
  CHECK(std::abs(below / many - 1.0 / 3) < 0.01);
  // The ends of a dtype, and one number alone.
  for (auto x : jig::random_uniform_like<std::int8_t>(jig::zeros<float, 100>(), 1, -128, 128)) CHECK((x >= -128 && x <= 127));
  for (auto x : jig::random_uniform_like<int>(jig::zeros<float, 3>(), 1, 4, 5)) CHECK(x == 4);
  CHECK_THROWS_WITH_AS((void)jig::random_uniform_like<int>(jig::zeros<float, 3>(), 1, 4, 4),
                       "random_uniform_like: there is no number of this dtype from 4 on and less than 4", jig::invalid_argument);
  CHECK_THROWS_AS((void)jig::random_uniform_like<std::int8_t>(jig::zeros<float, 3>(), 1, 0, 129), jig::invalid_argument);
}

// SPDX-License-Identifier: MIT
#include <jig/eval/reduce_few.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace {

template <class T, jig::index N>
using step_of = jig::step<jig::program<jig::trace<decltype([](auto x) { return jig::reduce_sum(x); }), "f(x)", jig::spec<T, N>>, 1>, 0>;

template <class T, jig::index N>
jig::tensor<T, N> numbers(int seed) {
  jig::tensor<T, N> x;
  for (jig::index i = 0; i < N; ++i) x(i) = static_cast<T>((i * 37 + seed * 11) % 23 - (std::is_signed_v<T> ? 11 : 0));
  return x;
}

template <class T, jig::index N>
void check_number() {
  CAPTURE(N);
  for (int seed : {1, 2, 3}) {
    const auto x = numbers<T, N>(seed);
    T sum = 0, most = x(0), least = x(0);
    bool any = false, all = true;
    for (jig::index i = 0; i < N; ++i) {
      sum = static_cast<T>(sum + x(i));
      most = x(i) > most ? x(i) : most;
      least = x(i) < least ? x(i) : least;
      any = any || x(i) > T(20);
      all = all && x(i) < T(10);
    }
    const auto [s, m, l] = jig::function([](auto y) { return std::tuple(jig::reduce_sum(y), jig::reduce_max(y), jig::reduce_min(y)); })(x);
    CHECK(s() == sum);
    CHECK(m() == most);
    CHECK(l() == least);
    const auto [some, every] = jig::function([](auto y) { return std::tuple(jig::reduce_any(y > T(20)), jig::reduce_all(y < T(10))); })(x);
    CHECK(some() == any);
    CHECK(every() == all);
  }
}
template <class T, jig::index... N>
void check_numbers() {
  (check_number<T, N>(), ...);
}
template <class T>
constexpr jig::index lanes = jig::simd::lanes<T>;

}  // namespace

TEST_CASE("which reductions are of few elements") {
  using jig::detail::are_few;
  constexpr jig::index most = jig::simd::registers * 3 / 4 * lanes<float>;
  static_assert(are_few<step_of<float, 3>, 3> && are_few<step_of<float, 4>, 4> && are_few<step_of<float, most>, most>);
  static_assert(!are_few<step_of<float, most + 1>, most + 1> && !are_few<step_of<float, 1000>, -1>);
}

TEST_CASE_TEMPLATE("a few elements and one more", T, float, std::int64_t, std::uint8_t) {
  check_numbers<T, 1, 3, 4, 5, lanes<T> - 1, lanes<T>, lanes<T> + 1>();
  check_numbers<T, 3 * lanes<T> - 1, jig::simd::registers * 3 / 4 * lanes<T>, jig::simd::registers * 3 / 4 * lanes<T> + 1>();
}

TEST_CASE("unusual numbers") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto check = []<jig::index N>(std::integral_constant<jig::index, N>) {
    for (float v : {inf, -inf, nan, -0.f})
      for (jig::index at = 0; at < N; ++at) {
        auto x = numbers<float, N>(1);
        x(at) = v;
        float most = x(0), sum = 0;
        for (jig::index i = 0; i < N; ++i) {
          most = most != most || x(i) != x(i) ? nan : x(i) > most ? x(i) : most;
          sum += x(i);
        }
        const float found = jig::function([](auto y) { return jig::reduce_max(y); })(x)(),
                    total = jig::function([](auto y) { return jig::reduce_sum(y); })(x)();
        CHECK((found == most || (found != found && most != most)));
        CHECK((total == sum || (total != total && sum != sum)));
      }
    jig::tensor<float, N> zeros;
    for (float& x : zeros) x = -0.f;
    CHECK(!std::signbit(jig::function([](auto y) { return jig::reduce_sum(y); })(zeros)()));
  };
  check(std::integral_constant<jig::index, 3>());
  check(std::integral_constant<jig::index, 5>());
  check(std::integral_constant<jig::index, lanes<float>>());
  check(std::integral_constant<jig::index, 2 * lanes<float> + 1>());
}

// NaN is looked for in all registers at once where there are more than two.
template <class T, jig::index N>
void check_extremes_of_registers() {
  constexpr auto f = jig::function([](auto x) { return std::tuple(jig::reduce_max(x), jig::reduce_min(-x)); });
  auto x = jig::zeros<T, N>();
  for (jig::index i = 0; i < N; ++i) x(i) = static_cast<T>((i * 37) % 101 - 50);
  T most = x(0);
  for (T e : x) most = e > most ? e : most;
  const auto [all, negative] = f(x);
  CHECK(all() == most);
  CHECK(negative() == -most);
  for (jig::index i = 0; i < N; ++i) {
    auto y = x;
    y(i) = std::numeric_limits<T>::quiet_NaN();
    const auto [with, without] = f(y);
    CHECK(std::isnan(with()));
    CHECK(std::isnan(without()));
    y(i) = std::numeric_limits<T>::infinity();
    const auto [largest, smallest] = f(y);
    CHECK(largest() == std::numeric_limits<T>::infinity());
    CHECK(smallest() == -std::numeric_limits<T>::infinity());
  }
}
TEST_CASE_TEMPLATE("the largest of two, three and more registers", T, float, double) {
  constexpr jig::index lanes = jig::simd::lanes<T>;
  check_extremes_of_registers<T, 2 * lanes>();
  check_extremes_of_registers<T, 2 * lanes + 1>();
  check_extremes_of_registers<T, 3 * lanes>();
  check_extremes_of_registers<T, 6 * lanes - 1>();
}

TEST_CASE("bodies: of one element that all share, with much to do, with a root of its own") {
  const auto x = numbers<float, 9>(1), y = numbers<float, 9>(2);
  double dot = 0, squares = 0;
  for (jig::index i = 0; i < 9; ++i) {
    dot += static_cast<double>(x(i)) * 2.5 * static_cast<double>(y(i));
    squares += static_cast<double>(x(i)) * static_cast<double>(x(i));
  }
  CHECK(static_cast<double>(jig::function([](auto a, auto b, auto c) { return jig::reduce_sum(a * c * b); })(x, y, 2.5f)()) ==
        doctest::Approx(dot));
  const auto unit = jig::function([](auto a) { return a / jig::sqrt(jig::reduce_sum(a * a)); })(x);
  for (jig::index i = 0; i < 9; ++i) CHECK(static_cast<double>(unit(i)) == doctest::Approx(static_cast<double>(x(i)) / std::sqrt(squares)));
  double sines = 0;
  for (jig::index i = 0; i < 9; ++i) sines += std::sin(static_cast<double>(x(i)));
  CHECK(static_cast<double>(jig::function([](auto a) { return jig::reduce_sum(jig::sin(a)); })(x)()) == doctest::Approx(sines));
}

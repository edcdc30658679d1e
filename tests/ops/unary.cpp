// SPDX-License-Identifier: MIT
#include <jig/ops/unary.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

// Zeros, infinities, NaN, numbers with fewer digits than usual and the largest ones.
template <class T>
std::vector<T> special() {
  using limits = std::numeric_limits<T>;
  return {not_a_number<T>,
          inf<T>,
          -inf<T>,
          T(0),
          -T(0),
          T(1),
          T(-1),
          limits::min(),
          -limits::min(),
          limits::denorm_min(),
          -limits::denorm_min(),
          limits::min() / 4,
          limits::max(),
          limits::lowest()};
}

template <class T>
std::vector<T> between(double low, double high, std::size_t n) {
  std::mt19937 g(7);
  std::uniform_real_distribution<double> d(low, high);
  std::vector<T> v(n);
  for (auto& x : v) x = static_cast<T>(d(g));
  return v;
}

// A tolerance that also lets the sign of zero go.
constexpr double any_zero = 0.75;

// Whether a result is as exact as it should be; zeros have the right sign where results are exact.
template <class T, class Exact>
bool close(T found, Exact exact, double ulps) {
  T expected = static_cast<T>(exact);
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (found == expected) return found != 0 || std::signbit(found) == std::signbit(expected) || ulps >= any_zero;
  T ulp = std::nextafter(std::abs(expected), inf<T>) - std::abs(expected);
  if (std::isinf(expected)) return ulps > 0.5 && std::abs(found) > std::numeric_limits<T>::max() / 2;
  return std::abs(static_cast<Exact>(found) - exact) <= static_cast<Exact>(ulps) * static_cast<Exact>(ulp);
}

// The next wider type, in which results are judged.
template <class T>
using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// One of several functions, judged between two numbers and at special ones.
template <class T>
struct row {
  const char* name;
  wide<T> (*exact)(wide<T>);
  double low, high, ulps = 5;
};

// Several functions in one trace, at lengths around the width of registers.
template <class T, std::size_t N>
void compare(auto functions, const row<T> (&rows)[N]) {
  constexpr auto traced = jig::function<"f(x)">(functions);
  auto check = [&](const row<T>& r, const jig::tensor<T, jig::dyn>& x, const jig::tensor<T, jig::dyn>& y) {
    REQUIRE(y.size() == x.size());
    for (jig::index i = 0; i < x.size(); ++i) {
      auto expected = r.exact(x(i));
      if (!close(y(i), expected, r.ulps))
        FAIL_CHECK(std::string(r.name) << " of " << sizeof(T) << " bytes: (" << x(i) << ") = " << y(i) << ", not " << expected);
    }
  };
  auto results_at = [&](const jig::tensor<T, jig::dyn>& x) {
    return std::apply([](const auto&... y) { return std::array<jig::tensor<T, jig::dyn>, N>{y...}; }, traced(x));
  };
  const auto some = tensor_of(special<T>());
  const auto at_some = results_at(some);
  for (std::size_t k = 0; k < N; ++k) {
    check(rows[k], some, at_some[k]);
    for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
      const auto x = tensor_of(between<T>(rows[k].low, rows[k].high, n));
      check(rows[k], x, results_at(x)[k]);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("roots and rounding are exact", T, float, double) {
  using W = wide<T>;
  auto functions = [](const auto& x) {
    return std::tuple(jig::sqrt(x), jig::floor(x), jig::ceil(x), jig::trunc(x), jig::rint(x), jig::round(x), jig::abs(x), -x,
                      jig::square(x), jig::reciprocal(x), jig::rsqrt(x), jig::sign(x));
  };
  const row<T> rows[] = {
      {"sqrt", [](W x) { return std::sqrt(x); }, -1, 100, 0.5},
      // Registers without an instruction for these (SSE2) lose the sign of zero.
      {"floor", [](W x) { return std::floor(x); }, -9, 9, any_zero},
      {"ceil", [](W x) { return std::ceil(x); }, -9, 9, any_zero},
      {"trunc", [](W x) { return std::trunc(x); }, -9, 9, any_zero},
      {"rint", [](W x) { return std::rint(x); }, -9, 9, 0},
      {"round", [](W x) { return std::rint(x); }, -9, 9, 0},
      {"abs", [](W x) { return std::abs(x); }, -9, 9, 0},
      {"neg", [](W x) { return -x; }, -9, 9, 0},
      {"square", [](W x) { return x * x; }, -9, 9, 0.5},
      {"reciprocal", [](W x) { return 1 / x; }, -9, 9, 0.5},
      {"rsqrt", [](W x) { return 1 / std::sqrt(x); }, -1, 100, 2},
      {"sign", [](W x) { return x > 0   ? W(1)
                                : x < 0 ? W(-1)
                                        : x; }, -1, 1, 0},
  };
  compare<T>(functions, rows);
}

TEST_CASE_TEMPLATE("exponentials and logarithms", T, float, double) {
  using W = wide<T>;
  auto functions = [](const auto& x) { return std::tuple(jig::exp(x), jig::expm1(x), jig::log(x), jig::log1p(x)); };
  const row<T> rows[] = {
      {"exp", [](W x) { return std::exp(x); }, -80, 80},
      {"expm1", [](W x) { return std::expm1(x); }, -5, 5},
      {"log", [](W x) { return std::log(x); }, -1, 100},
      {"log1p", [](W x) { return std::log1p(x); }, -1, 5},
  };
  compare<T>(functions, rows);
}

TEST_CASE("trigonometry, hyperbolic and error functions") {
  // Those of doubles are judged in maths.cpp.
  using W = wide<float>;
  auto functions = [](const auto& x) {
    return std::tuple(jig::sin(x), jig::cos(x), jig::tan(x), jig::asin(x), jig::acos(x), jig::atan(x), jig::sinh(x), jig::cosh(x),
                      jig::tanh(x), jig::asinh(x), jig::acosh(x), jig::atanh(x), jig::erf(x), jig::erfc(x));
  };
  const row<float> rows[] = {
      {"sin", [](W x) { return std::sin(x); }, -100, 100},   {"cos", [](W x) { return std::cos(x); }, -100, 100},
      {"tan", [](W x) { return std::tan(x); }, -1.5, 1.5},   {"asin", [](W x) { return std::asin(x); }, -1.1, 1.1},
      {"acos", [](W x) { return std::acos(x); }, -1.1, 1.1}, {"atan", [](W x) { return std::atan(x); }, -50, 50},
      {"sinh", [](W x) { return std::sinh(x); }, -20, 20},   {"cosh", [](W x) { return std::cosh(x); }, -20, 20},
      {"tanh", [](W x) { return std::tanh(x); }, -5, 5},     {"asinh", [](W x) { return std::asinh(x); }, -50, 50},
      {"acosh", [](W x) { return std::acosh(x); }, 0.9, 50}, {"atanh", [](W x) { return std::atanh(x); }, -1.1, 1.1},
      {"erf", [](W x) { return std::erf(x); }, -4, 4},       {"erfc", [](W x) { return std::erfc(x); }, -4, 4},
  };
  compare<float>(functions, rows);
}

TEST_CASE_TEMPLATE("the logarithm of the gamma function", T, float, double) {
  constexpr auto lgamma = jig::function<"f(x)">([](auto x) { return jig::lgamma(x); });
  const std::vector<T> values{0.5, 1.5, 3.0, 10.0, 25.5, -0.5, -2.5};
  auto found = lgamma(values), special = lgamma(std::vector<T>{0, -3, inf<T>, not_a_number<T>});
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(found(static_cast<jig::index>(i)) == doctest::Approx(std::lgamma(values[i])).epsilon(std::is_same_v<T, float> ? 1e-6 : 1e-13));
  for (int i = 0; i < 3; ++i) CHECK(special(i) == inf<T>);
  CHECK(std::isnan(special(3)));
}

TEST_CASE_TEMPLATE("integers: minus, absolute value, square and sign", T, std::int8_t, std::int32_t, std::int64_t, std::uint16_t) {
  constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
  using bits = std::uint64_t;
  constexpr auto all = jig::function<"all(x)">([](auto x) { return std::tuple(-x, jig::abs(x), jig::square(x), jig::sign(x)); });
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = i % 3 == 0 ? lowest : i % 3 == 1 ? highest : static_cast<T>(7 * i);
    auto x = tensor_of(values);
    auto [minus, absolute, squared, sign] = all(x);
    for (jig::index i = 0; i < x.size(); ++i) {
      T v = x(i);
      CHECK(minus(i) == static_cast<T>(bits{0} - static_cast<bits>(v)));
      CHECK(absolute(i) == (v < 0 ? minus(i) : v));
      CHECK(squared(i) == static_cast<T>(static_cast<bits>(v) * static_cast<bits>(v)));
      CHECK(sign(i) == (v > 0 ? T(1) : v < 0 ? static_cast<T>(-1) : T(0)));
    }
  }
}

TEST_CASE_TEMPLATE("even functions of negated numbers, with and without signs", T, float, std::int8_t, std::int32_t, std::uint8_t,
                   std::uint32_t) {
  constexpr auto even = jig::function<"even(x)">(
      [](auto x) { return std::tuple(jig::abs(-x), jig::square(-x), jig::square(jig::abs(x)), jig::abs(-jig::abs(-x))); });
  std::vector<T> values;
  for (int i = 0; i < 67; ++i) values.push_back(static_cast<T>(static_cast<std::int8_t>(4 * i - 128)));
  // Integers wrap without promotion to a signed type.
  using wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;
  const auto x = tensor_of(values);
  const auto [distance, squared, of_distance, twice] = even(x);
  for (jig::index i = 0; i < x.size(); ++i) {
    const wide v = static_cast<wide>(x(i));
    const T minus = static_cast<T>(wide(0) - v), magnitude = x(i) < 0 ? minus : x(i);
    CHECK(distance(i) == (minus < 0 ? x(i) : minus));
    CHECK(squared(i) == static_cast<T>(v * v));
    CHECK(of_distance(i) == squared(i));
    CHECK(twice(i) == magnitude);
  }
}

TEST_CASE("functions at once are those of a trace") {
  auto x = tensor_of(special<float>());
  constexpr auto traced = jig::function<"f(x)">([](auto v) { return std::tuple(-v, jig::sqrt(v), jig::tanh(v)); });
  auto [minus, root, tangent] = traced(x);
  auto minus_at_once = -x, root_at_once = jig::sqrt(x), tangent_at_once = jig::tanh(x);
  for (jig::index i = 0; i < x.size(); ++i) {
    CHECK(close(minus_at_once(i), minus(i), 0));
    CHECK(close(root_at_once(i), root(i), 0));
    CHECK(close(tangent_at_once(i), tangent(i), 0));
  }
}

TEST_CASE("numbers and compile-time constants are operands too") {
  CHECK(jig::sqrt(2.25)() == 1.5);
  CHECK(jig::abs(-3)() == 3);
  CHECK(jig::square(jig::lit<-3>)() == 9);
  static_assert(std::is_same_v<decltype(jig::sqrt(2.0f)), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::abs(std::vector<std::int8_t>())), jig::tensor<std::int8_t, jig::dyn>>);
}

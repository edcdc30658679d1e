// SPDX-License-Identifier: MIT
#include <jig/ops/unary.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
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
  return {not_a_number<T>, inf<T>, -inf<T>, T(0), -T(0), T(1), T(-1), limits::min(), -limits::min(),
          limits::denorm_min(), -limits::denorm_min(), limits::min() / 4, limits::max(), limits::lowest()};
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

// An op at once and in a trace, at lengths around the width of registers, against the same function of one number in
// twice the precision.
template <class T>
void compare(const char* name, auto op, auto exact, double low, double high, double ulps) {
  using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  constexpr auto traced = jig::function<"f(x)">(op);
  auto check = [&](const std::vector<T>& values) {
    auto x = tensor_of(values);
    auto y = op(x), z = traced(x);
    REQUIRE(y.size() == x.size());
    REQUIRE(z.size() == x.size());
    for (jig::index i = 0; i < x.size(); ++i) {
      auto expected = exact(static_cast<wide>(x(i)));
      if (!close(y(i), expected, ulps)) FAIL_CHECK(std::string(name) << " of " << sizeof(T) << " bytes: (" << x(i) << ") = " << y(i) << ", not " << expected);
      if (!(y(i) == z(i)) && y(i) == y(i)) FAIL_CHECK(std::string(name) << " at once " << y(i) << ", traced " << z(i));
    }
  };
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) check(between<T>(low, high, n));
  check(special<T>());
  CHECK(close(op(jig::tensor<T>{static_cast<T>(low)})(), exact(static_cast<wide>(static_cast<T>(low))), ulps));
}

void compare_floats(const char* name, auto op, auto exact, double low, double high, double ulps = 5) {
  compare<float>(name, op, exact, low, high, ulps);
  compare<double>(name, op, exact, low, high, ulps);
}

#define FUNCTION(name) #name, [](const auto& x) { return jig::name(x); }, [](auto x) { return std::name(x); }

}  // namespace

TEST_CASE("roots and rounding are exact") {
  compare_floats(FUNCTION(sqrt), -1, 100, 0.5);
  // Registers without an instruction for these (SSE2) lose the sign of zero.
  compare_floats(FUNCTION(floor), -9, 9, any_zero);
  compare_floats(FUNCTION(ceil), -9, 9, any_zero);
  compare_floats(FUNCTION(trunc), -9, 9, any_zero);
  compare_floats(FUNCTION(rint), -9, 9, 0);
  compare_floats("round", [](const auto& x) { return jig::round(x); }, [](auto x) { return std::rint(x); }, -9, 9, 0);
  compare_floats(FUNCTION(abs), -9, 9, 0);
  compare_floats("neg", [](const auto& x) { return -x; }, [](auto x) { return -x; }, -9, 9, 0);
  compare_floats("square", [](const auto& x) { return jig::square(x); }, [](auto x) { return x * x; }, -9, 9, 0.5);
  compare_floats("reciprocal", [](const auto& x) { return jig::reciprocal(x); }, [](auto x) { return 1 / x; }, -9, 9, 0.5);
  compare_floats("rsqrt", [](const auto& x) { return jig::rsqrt(x); }, [](auto x) { return 1 / std::sqrt(x); }, -1, 100, 2);
  compare_floats("sign", [](const auto& x) { return jig::sign(x); }, [](auto x) { return x > 0 ? decltype(x)(1) : x < 0 ? decltype(x)(-1) : x; }, -1, 1, 0);
}

TEST_CASE("exponentials and logarithms") {
  compare_floats(FUNCTION(exp), -80, 80);
  compare_floats(FUNCTION(expm1), -5, 5);
  compare_floats(FUNCTION(log), -1, 100);
  compare_floats(FUNCTION(log1p), -1, 5);
}

TEST_CASE("trigonometry") {
  compare_floats(FUNCTION(sin), -100, 100);
  compare_floats(FUNCTION(cos), -100, 100);
  compare_floats(FUNCTION(tan), -1.5, 1.5);
  compare_floats(FUNCTION(asin), -1.1, 1.1);
  compare_floats(FUNCTION(acos), -1.1, 1.1);
  compare_floats(FUNCTION(atan), -50, 50);
}

TEST_CASE("hyperbolic functions") {
  compare_floats(FUNCTION(sinh), -20, 20);
  compare_floats(FUNCTION(cosh), -20, 20);
  compare_floats(FUNCTION(tanh), -5, 5);
  compare_floats(FUNCTION(asinh), -50, 50);
  compare_floats(FUNCTION(acosh), 0.9, 50);
  compare_floats(FUNCTION(atanh), -1.1, 1.1);
}

TEST_CASE("error and gamma functions") {
  compare_floats(FUNCTION(erf), -4, 4);
  compare_floats(FUNCTION(erfc), -4, 4);
  auto lgamma = [](const auto& x) { return jig::lgamma(x); };
  for (float x : {0.5f, 1.5f, 3.0f, 10.0f, 25.5f, -0.5f, -2.5f}) {
    CHECK(lgamma(jig::tensor<float>{x})() == doctest::Approx(std::lgamma(x)).epsilon(1e-6));
    CHECK(lgamma(jig::tensor<double>{x})() == doctest::Approx(std::lgamma(static_cast<double>(x))).epsilon(1e-13));
  }
  CHECK(lgamma(jig::tensor<float>{0})() == inf<float>);
  CHECK(lgamma(jig::tensor<float>{-3})() == inf<float>);
  CHECK(lgamma(jig::tensor<float>{inf<float>})() == inf<float>);
  CHECK(std::isnan(lgamma(jig::tensor<float>{not_a_number<float>})()));
}

TEST_CASE_TEMPLATE("integers: minus, absolute value, square and sign", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
  using bits = std::uint64_t;
  constexpr auto all = jig::function<"all(x)">([](auto x) { return std::tuple(-x, jig::abs(x), jig::square(x), jig::sign(x)); });
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = i % 3 == 0 ? lowest : i % 3 == 1 ? highest : static_cast<T>(7 * i);
    auto x = tensor_of(values);
    auto [minus, absolute, squared, sign] = all(x);
    auto minus_at_once = -x, absolute_at_once = jig::abs(x), squared_at_once = jig::square(x), sign_at_once = jig::sign(x);
    for (jig::index i = 0; i < x.size(); ++i) {
      T v = x(i);
      CHECK(minus(i) == static_cast<T>(bits{0} - static_cast<bits>(v)));
      CHECK(absolute(i) == (v < 0 ? minus(i) : v));
      CHECK(squared(i) == static_cast<T>(static_cast<bits>(v) * static_cast<bits>(v)));
      CHECK(sign(i) == (v > 0 ? T(1) : v < 0 ? static_cast<T>(-1) : T(0)));
      CHECK(minus_at_once(i) == minus(i));
      CHECK(absolute_at_once(i) == absolute(i));
      CHECK(squared_at_once(i) == squared(i));
      CHECK(sign_at_once(i) == sign(i));
    }
  }
}

TEST_CASE("numbers and compile-time constants are operands too") {
  CHECK(jig::sqrt(2.25)() == 1.5);
  CHECK(jig::abs(-3)() == 3);
  CHECK(jig::square(jig::lit<-3>)() == 9);
  static_assert(std::is_same_v<decltype(jig::sqrt(2.0f)), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::abs(std::vector<std::int8_t>())), jig::tensor<std::int8_t, jig::dyn>>);
}

// SPDX-License-Identifier: MIT
#include <jig/ops/select.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

// The conversion as the rules say it: truncate, saturate, NaN is 0; between integers the low bits.
template <class To, class From>
To converted(From x) {
  using limits = std::numeric_limits<To>;
  if constexpr (std::is_same_v<To, bool>) return x != 0;
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(x)) return 0;
    long double t = std::trunc(static_cast<long double>(x));
    return t <= static_cast<long double>(limits::lowest()) ? limits::lowest()
           : t >= static_cast<long double>(limits::max())  ? limits::max()
                                                           : static_cast<To>(t);
  } else return static_cast<To>(x);
}

template <class To, class From>
void check_cast(const jig::tensor<From, jig::dyn>& x, const jig::tensor<To, jig::dyn>& found) {
  REQUIRE(found.size() == x.size());
  for (jig::index i = 0; i < x.size(); ++i) {
    // C++ does not say what becomes of doubles beyond the largest float.
    if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>)
      if (std::abs(x(i)) > 1e38 && std::isfinite(x(i))) continue;
    To e = converted<To>(x(i));
    if (found(i) != e && !(e != e && found(i) != found(i))) FAIL_CHECK("cast of " << +x(i) << " gives " << +found(i) << ", not " << +e);
  }
}

template <class From>
std::vector<From> numbers_to_cast() {
  using limits = std::numeric_limits<From>;
  std::vector<From> v{From(0), From(1), limits::max(), limits::lowest()};
  if constexpr (!std::is_same_v<From, bool>)
    v.insert(v.end(), {From(100), From(127), static_cast<From>(-From(1)), static_cast<From>(limits::max() / 3)});
  if constexpr (std::is_floating_point_v<From>)
    v.insert(v.end(),
             {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), From(-0.9), From(2.5), From(127.9), From(128), From(255.5),
              From(-128.5), From(32767.5), From(65536), From(2147483648.0), From(-2147483648.0), From(4294967296.0),
              From(9223372036854775808.0), From(-9223372036854775808.0), From(18446744073709551616.0), -From(0), limits::denorm_min()});
  while (v.size() < 67) v.push_back(v[v.size() - 4]);
  return v;
}

// All casts of a dtype in one trace.
template <class From, class... To>
void check_casts() {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::cast<To>(x)...); });
  const auto v = numbers_to_cast<From>();
  // The first n, so that values are seen by registers and by the rest behind them; each of the few is seen alone, too.
  auto check = [&](std::size_t from, std::size_t n) {
    jig::tensor<From, jig::dyn> x(jig::uninitialized, {1, {static_cast<jig::index>(n)}});
    for (std::size_t i = 0; i < n; ++i) x(static_cast<jig::index>(i)) = v[from + i];
    auto results = f(x);
    (check_cast<To, From>(x, std::get<jig::tensor<To, jig::dyn>>(results)), ...);
  };
  for (std::size_t n : {std::size_t{0}, std::size_t{5}, v.size()}) check(0, n);
  for (std::size_t i = 0; i < v.size(); ++i) check(i, 1);
}

}  // namespace

TEST_CASE("casts from floating numbers truncate and saturate") {
  check_casts<float, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
              std::uint64_t, bool>();
  check_casts<double, float, double, std::int8_t, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, bool>();
}

TEST_CASE("numbers that are limited to the range of what they are cast to") {
  constexpr auto limited = jig::function<"f(x)">([](auto x) {
    return std::tuple(jig::cast<std::uint8_t>(jig::clip(x, 0, 255)), jig::cast<std::int8_t>(jig::clip(x, -128, 127)),
                      jig::cast<std::int8_t>(jig::clip(x, -128, 100)));
  });
  const auto x = numbers_to_cast<float>();
  const auto [bytes, numbers, fewer] = limited(tensor_of(x));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const float in = x[k] != x[k] ? 0 : x[k];
    const auto i = static_cast<jig::index>(k);
    CHECK(bytes(i) == static_cast<int>(std::min(std::max(in, 0.0f), 255.0f)));
    CHECK(numbers(i) == static_cast<int>(std::min(std::max(in, -128.0f), 127.0f)));
    CHECK(fewer(i) == static_cast<int>(std::min(std::max(in, -128.0f), 100.0f)));
  }
}

TEST_CASE("casts from integers keep the low bits") {
  check_casts<std::int32_t, float, double, std::int8_t, std::int32_t, std::int64_t, std::uint16_t, std::uint64_t, bool>();
  check_casts<std::int64_t, float, double, std::int16_t, std::int32_t, std::uint8_t, std::uint64_t, bool>();
  check_casts<std::uint8_t, float, double, std::int8_t, std::int64_t, std::uint32_t, bool>();
}

TEST_CASE("casts from bool") { check_casts<bool, float, double, std::int8_t, std::int64_t, std::uint16_t, bool>(); }

TEST_CASE("a cast at once is that of a trace") {
  auto x = tensor_of(numbers_to_cast<float>());
  check_cast<std::int8_t>(x, jig::cast<std::int8_t>(x));
  auto n = tensor_of(numbers_to_cast<std::int64_t>());
  check_cast<float>(n, jig::cast<float>(n));
}

TEST_CASE("a cast to the same dtype is a node, as in TensorFlow, and strings cast to strings") {
  CHECK(jig::cast<std::string>(jig::tensor<std::string>{"a"})() == "a");
  CHECK(jig::cast<int>(2.9)() == 2);
  CHECK(jig::cast<bool>(jig::lit<3>)());
}

TEST_CASE_TEMPLATE("where takes elements of either", T, float, double, std::int8_t, std::uint16_t, bool) {
  constexpr auto f = jig::function<"f(c, x, y)">([](auto c, auto x, auto y) { return jig::where(c, x, y); });
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    const jig::shape extents{1, {static_cast<jig::index>(n)}};
    jig::tensor<bool, jig::dyn> c(jig::uninitialized, extents);
    jig::tensor<T, jig::dyn> x(jig::uninitialized, extents), y(jig::uninitialized, extents);
    for (jig::index i = 0; i < c.size(); ++i) {
      c(i) = i % 3 == 0;
      x(i) = static_cast<T>(i);
      y(i) = static_cast<T>(i % 2);
    }
    auto r = f(c, x, y);
    for (jig::index i = 0; i < c.size(); ++i) CHECK(r(i) == (c(i) ? x(i) : y(i)));
  }
}

TEST_CASE("where broadcasts all three") {
  jig::tensor<bool, 2, 1> c{{true}, {false}};
  jig::tensor<float, 3> x{1, 2, 3};
  auto r = jig::where(c, x, 0);
  static_assert(std::is_same_v<decltype(r), jig::tensor<float, 2, 3>>);
  CHECK(r(0, 2) == 3);
  CHECK(r(1, 2) == 0);
  CHECK(jig::where(true, x, -1)(1) == 2);
  CHECK(jig::where(jig::lit<false>, x, -1)(1) == -1);
  auto s = jig::where(jig::tensor<bool, 4>{true, false, false, true}, 1, 2.5f);
  static_assert(std::is_same_v<decltype(s), jig::tensor<float, 4>>);
  CHECK(s(1) == 2.5f);
  jig::tensor<std::string, 2> words{"a", "b"};
  CHECK(jig::where(jig::tensor<bool, 2>{false, true}, words, jig::tensor<std::string>{"-"})(0) == "-");
  // What is not taken does not matter.
  const float nan = std::nanf("");
  auto kept = jig::where(jig::tensor<bool, 2>{true, false}, jig::tensor<float, 2>{1, nan}, jig::tensor<float, 2>{nan, 2});
  CHECK(kept(0) == 1);
  CHECK(kept(1) == 2);
}

TEST_CASE_TEMPLATE("clip limits, NaN stays", T, float, double, std::int32_t, std::uint8_t) {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::clip(x, 10, 20), jig::clip(x, x, 5)); });
  std::vector<T> v;
  for (int i = 0; i < 67; ++i) v.push_back(static_cast<T>(i));
  auto [limited, lower_first] = f(v);
  for (jig::index i = 0; i < 67; ++i) CHECK(limited(i) == std::min<T>(std::max<T>(static_cast<T>(i), T(10)), T(20)));
  CHECK(lower_first(60) == 5);
  if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    auto special = std::get<0>(f(std::vector<T>{limits::quiet_NaN(), limits::infinity(), -limits::infinity()}));
    CHECK(std::isnan(special(0)));
    CHECK(special(1) == 20);
    CHECK(special(2) == 10);
  }
}

TEST_CASE("a number is clipped at once") {
  CHECK(jig::clip(jig::tensor<float>{3}, -1, 1)() == 1);
  CHECK(jig::clip_by_value(std::vector<int>{3, -5}, -1, 1)(1) == -1);
}

TEST_CASE("identity and stop_gradient are nodes that change nothing") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::stop_gradient(jig::identity(x)); });
  constexpr auto& g = f.get_concrete_function(jig::spec<float, jig::dyn>{}).graph();
  static_assert(g.count("Identity") == 1 && g.count("StopGradient") == 1);
  std::vector<float> x{1, -0.0f, std::nanf("")};
  auto r = f(x);
  CHECK(r(0) == 1);
  CHECK(std::signbit(r(1)));
  CHECK(std::isnan(r(2)));
  CHECK(jig::identity(jig::tensor<bool, 2>{true, false})(0));
  CHECK(jig::identity(jig::tensor<std::string>{"a"})() == "a");
}

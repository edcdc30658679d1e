// SPDX-License-Identifier: MIT
#include <jig/trace/loop_trips.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <concepts>
#include <cstdint>
#include <limits>

namespace loop_trips {
namespace {

// The numbers from a to b in steps, in an order that matters.
template <class T>
std::int64_t counted(T a, T b, T step) {
  std::uint64_t s = 0;
  const auto distance = [](T low, T high) { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); };
  const bool up = step > 0;
  if (step == 0 || !(up ? a < b : a > b)) return 0;
  const std::uint64_t way = up ? distance(a, b) : distance(b, a), by = up ? distance(0, step) : distance(step, 0);
  for (std::uint64_t gone = 0; gone < way;) {
    s = 3 * s + static_cast<std::uint64_t>(static_cast<T>(static_cast<std::uint64_t>(a) + (up ? gone : std::uint64_t{} - gone))) + 1;
    if (way - gone <= by) break;
    gone += by;
  }
  return static_cast<std::int64_t>(s);
}

constexpr auto thirds = jig::function<"thirds(a, b)">([](auto a, auto b) {
  auto s = jig::cast<std::int64_t>(a) * 0;
  for (auto i : jig::range(a, b, 3)) s = 3 * s + jig::cast<std::int64_t>(i) + 1;
  return s;
});
constexpr auto back = jig::function<"back(a, b)">([](auto a, auto b) {
  auto s = jig::cast<std::int64_t>(a) * 0;
  for (auto i : jig::range(a, b, -3)) s = 3 * s + jig::cast<std::int64_t>(i) + 1;
  return s;
});
constexpr auto any = jig::function<"any(a, b, step)">([](auto a, auto b, auto step) {
  auto s = jig::cast<std::int64_t>(a) * 0;
  for (auto i : jig::range(a, b, step)) s = 3 * s + jig::cast<std::int64_t>(i) + 1;
  return s;
});

template <class T>
int wrong(T a, T b, T step) {
  int out = any(a, b, step)() != counted(a, b, step);
  if (step != 0) out += any.eager(a, b, step)() != counted(a, b, step);
  return out;
}

// Bounds near the ends of a dtype and near 0, steps of every sign, up to those from one end to the other.
template <class T>
int wrong_trips() {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  int out = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const auto a = static_cast<T>(i), b = static_cast<T>(j);
      for (int k = -4; k < 5; ++k) {
        const auto step = static_cast<T>(k);
        out += wrong<T>(high - a, high - b, step) + wrong<T>(low + a, low + b, step) + wrong<T>(a, b, step);
      }
      out += wrong<T>(high - a, high, high) + wrong<T>(low, high - a, high - b);
      if constexpr (std::signed_integral<T>) out += wrong<T>(high, low + a, low + b) + wrong<T>(low + a, high - a, high);
    }
  return out;
}
template <class T>
int wrong_thirds() {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  int out = 0;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      const auto a = static_cast<T>(high - i), b = static_cast<T>(high - j), c = static_cast<T>(low + i), d = static_cast<T>(low + j);
      out += thirds(a, b)() != counted(a, b, T(3));
      out += thirds(c, d)() != counted(c, d, T(3));
      if constexpr (std::signed_integral<T>) {
        out += back(a, b)() != counted(a, b, T(-3));
        out += back(c, d)() != counted(c, d, T(-3));
      }
    }
  return out;
}

}  // namespace

TEST_CASE("loops in any steps end where their bounds say, also at the ends of a dtype") {
  CHECK(wrong_trips<std::uint8_t>() == 0);
  CHECK(wrong_trips<std::int8_t>() == 0);
  CHECK(wrong_trips<std::int32_t>() == 0);
  CHECK(wrong_trips<std::uint64_t>() == 0);
  CHECK(wrong_trips<std::int64_t>() == 0);
  CHECK(wrong_thirds<std::uint8_t>() == 0);
  CHECK(wrong_thirds<std::int16_t>() == 0);
  CHECK(wrong_thirds<std::int64_t>() == 0);
}

TEST_CASE("loops in steps of one count in their own numbers, others in trips") {
  constexpr auto sum = [](auto n) {
    auto s = n * 0;
    for (auto i : jig::range(n)) s = s + i;
    return s;
  };
  constexpr auto halves = [](auto n) {
    auto s = n * 0;
    for (auto i : jig::range(0, n, 2)) s = s + i;
    return s;
  };
  static_assert(jig::graph_of(sum, jig::spec<int>()).count("FloorDiv") == 0);
  static_assert(jig::graph_of(halves, jig::spec<int>()).count("FloorDiv") == 1);
  // Numbers that round are added up.
  constexpr auto floats = [](auto x) {
    auto s = x * 0;
    for (auto i : jig::range(x * 0, x, 0.5f)) s = s + i;
    return s;
  };
  static_assert(jig::graph_of(floats, jig::spec<float>()).count("FloorDiv") == 0);
  CHECK(jig::function(floats)(2.0f)() == 3.0f);
}

TEST_CASE("gradients of loops in steps") {
  constexpr auto f = jig::function([](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n, 0, -2)) y = y * x + jig::cast<double>(i);
    return jig::gradient(y, x);
  });
  // ((x * x + 5) * x + 3) * x + 1 of n = 5.
  CHECK(f(2.0, 5)() == 4 * 8.0 + 5 * 2 * 2.0 + 3);
  CHECK(f(2.0, 0)() == 1);
}

TEST_CASE("the trips of constants are a constant, so that gradients keep no tape") {
  constexpr auto f = jig::function([](auto x) {
    auto y = x;
    for (auto i : jig::range(0, 6, 2, jig::beside(x))) y = y * x + jig::cast<float>(i);
    return jig::gradient(jig::reduce_sum(y), x);
  });
  static_assert(!f.get_concrete_function(jig::spec<float, 4>()).allocates());
  // ((x * x) * x + 2) * x + 4: 4 x^3 + 2.
  CHECK(f(jig::tensor<float, 2>{1, 2})(1) == 34);
  constexpr auto trips = [](auto first, auto last, auto step) {
    return jig::function([](auto x) {
      auto n = x * 0;
      for ([[maybe_unused]] auto i : jig::range(decltype(first)::value, decltype(last)::value, decltype(step)::value, jig::beside(x)))
        n = n + 1;
      return n;
    })(1)();
  };
  CHECK(trips(jig::lit<0>, jig::lit<7>, jig::lit<3>) == 3);
  CHECK(trips(jig::lit<7>, jig::lit<0>, jig::lit<3>) == 0);
  CHECK(trips(jig::lit<7>, jig::lit<0>, jig::lit<-3>) == 3);
  CHECK(trips(jig::lit<-7>, jig::lit<7>, jig::lit<7>) == 2);
  CHECK(trips(jig::lit<5>, jig::lit<5>, jig::lit<2>) == 0);
}

TEST_CASE("loops of more trips than an int64 counts may be left") {
  constexpr auto f = jig::function([](auto last, auto step) {
    auto n = last * 0;
    for ([[maybe_unused]] auto i : jig::range(last * 0, last, step)) {
      n = n + 1;
      if (n > 3) break;
    }
    return n;
  });
  CHECK(f(static_cast<std::uint64_t>(-1), std::uint64_t{1})() == 4);
  CHECK(f(std::uint64_t{2}, std::uint64_t{1})() == 2);
}

}  // namespace loop_trips

// SPDX-License-Identifier: MIT
#include <jig/eval/loop.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <vector>

namespace {

constexpr auto two_results = jig::function([](auto a, auto b) { return std::tuple(a * b, a - b); });
constexpr auto twice = jig::function([](auto a) { return a + a; });

float number(std::size_t i) { return static_cast<float>(i % 1009); }

}  // namespace

TEST_CASE("results that are streamed equal a plain loop, wherever they begin and end") {
  constexpr auto least = static_cast<std::size_t>(jig::detail::streamed_bytes) / sizeof(float);
  std::vector<float> a(least + 64), b(least + 64), sum(least + 64), difference(least + 64);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = number(i);
    b[i] = number(i * 7);
  }
  // The second result begins at another place of its register in the last case.
  for (auto [extra, first, second] : {std::array<std::size_t, 3>{0, 0, 0}, {1, 1, 1}, {37, 3, 19}, {5, 2, 3}}) {
    CAPTURE(extra);
    const std::size_t n = least + extra;
    std::fill(sum.begin(), sum.end(), -1.f);
    std::fill(difference.begin(), difference.end(), -1.f);
    std::span<float> product_out(sum.data() + first, n), difference_out(difference.data() + second, n);
    two_results.into(std::tie(product_out, difference_out), std::span<const float>(a.data() + 1, n), std::span<const float>(b.data(), n));
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right = right && product_out[i] == a[i + 1] * b[i] && difference_out[i] == a[i + 1] - b[i];
    CHECK(right);
    for (std::size_t i = 0; i < sum.size(); ++i)
      right = right && (sum[i] == -1.f || (i >= first && i < first + n)) && (difference[i] == -1.f || (i >= second && i < second + n));
    CHECK(right);  // nothing beside them
  }
  std::span<float> all(a.data(), least);
  twice.into(all, all);
  bool right = true;
  for (std::size_t i = 0; i < least; ++i) right = right && a[i] == 2 * number(i);
  CHECK(right);
}

namespace {

constexpr auto mixed = jig::function([](auto a, auto b) { return std::tuple(a * b - 1, jig::where(a < b, a, b), a + b < 3); });
constexpr auto quotient = jig::function([](auto a, auto b) { return a / b; });
constexpr auto exponential = jig::function([](auto a) { return jig::exp(a) + 1; });

// n elements in the middle of others, which must stay as they are.
template <jig::index N>
void check_few() {
  constexpr auto n = static_cast<std::size_t>(N);
  std::vector<float> a(n), b(n), out(n + 2, -5.f), least(n + 2, -5.f);
  std::vector<int> x(n), y(n);
  jig::tensor<bool, N> below;
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = number(i + 3) / 4;
    b[i] = number(7 - i % 8);
    x[i] = static_cast<int>(100 - 9 * i);
    y[i] = static_cast<int>(i) - static_cast<int>(n);
  }
  const jig::view<const float, N> first(a.data(), jig::shape{1, {N}}), second(b.data(), jig::shape{1, {N}});
  const jig::view<float, N> product(out.data() + 1, jig::shape{1, {N}}), lower(least.data() + 1, jig::shape{1, {N}});
  auto results = std::tie(product, lower, below);
  mixed.into(results, first, second);
  bool right = true;
  for (std::size_t i = 0; i < n; ++i) {
    right = right && std::abs(out[i + 1] - (a[i] * b[i] - 1)) < 1e-5f && least[i + 1] == std::min(a[i], b[i]);
    right = right && below(static_cast<jig::index>(i)) == (a[i] + b[i] < 3);
  }
  for (const auto& v : {out, least}) right = right && v.front() == -5.f && v.back() == -5.f;
  CHECK(right);
  const jig::view<const int, N> dividend(x.data(), jig::shape{1, {N}}), divisor(y.data(), jig::shape{1, {N}});
  const auto whole = quotient(dividend, divisor);
  const auto e = exponential(first);
  for (std::size_t i = 0; i < n; ++i) {
    right = right && whole(static_cast<jig::index>(i)) == x[i] / y[i];
    right = right && std::abs(e(static_cast<jig::index>(i)) - (std::exp(a[i]) + 1)) < 1e-5f * e(static_cast<jig::index>(i));
  }
  CHECK(right);
  // The result lies over the argument, one element further.
  std::vector<float> shifted(n + 1);
  for (std::size_t i = 0; i < n; ++i) shifted[i] = a[i];
  twice.into(jig::view<float, N>(shifted.data() + 1, jig::shape{1, {N}}), jig::view<const float, N>(shifted.data(), jig::shape{1, {N}}));
  for (std::size_t i = 0; i < n; ++i) right = right && shifted[i + 1] == 2 * a[i];
  CHECK(right);
}

}  // namespace

TEST_CASE("few elements, of which there are that many at compile time, are all that is read and written") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  [&]<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (check_few<N>(), ...);
  }(std::integer_sequence<jig::index, 1, 2, 3, 4, 5, 7, 8, 9, 10, lanes - 1, lanes, lanes + 1, 17, 2 * lanes - 1>());
}

TEST_CASE("bodies up to which loops take several registers full a round, and longer ones") {
  constexpr auto four = jig::function<"f(x, y)">([](auto x, auto y) { return ((x + y) * x - y) * y; });
  constexpr auto five = jig::function<"f(x, y)">([](auto x, auto y) { return ((x + y) * x - y) * y + x; });
  constexpr jig::index width = jig::simd::lanes<int>;
  for (jig::index n = 0; n <= 10 * width; n += n % width == 1 ? width - 2 : 1) {
    auto x = jig::zeros<int, jig::dyn>(n), y = jig::zeros<int, jig::dyn>(n);
    for (jig::index i = 0; i < n; ++i) {
      x(i) = static_cast<int>(i) - 7;
      y(i) = static_cast<int>(i % 5);
    }
    auto a = four(x, y), b = five(x, y);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      const int expected = ((x(i) + y(i)) * x(i) - y(i)) * y(i);
      wrong += a(i) != expected || b(i) != expected + x(i);
    }
    CHECK(wrong == 0);
  }
}

// Results from where they are aligned on, with registers full before and behind that: every beginning and end, on top of an operand
// or apart, with operands that lie alike or otherwise.
template <class T>
void check_beginnings() {
  constexpr std::size_t width = static_cast<std::size_t>(jig::simd::lanes<T>), least = 16 * width, room = least + 4 * width;
  constexpr auto one = jig::function<"f(x, y)">([](auto x, auto y) { return x * 3 - y; });
  constexpr auto two = jig::function<"f(x, y)">([](auto x, auto y) { return std::tuple(x + y, x - y); });
  alignas(64) static T x[room], y[room], a[room], b[room];
  for (const std::size_t n : {least - 1, least, least + 1, least + width - 1, least + width, least + 2 * width + 3})
    for (std::size_t begin = 0; begin <= width; ++begin)
      for (const std::size_t other : {begin, std::size_t(0), std::size_t(1)}) {
        for (std::size_t i = 0; i < room; ++i) {
          x[i] = static_cast<T>(i % 13);
          y[i] = static_cast<T>(i % 7);
          a[i] = b[i] = T(99);
        }
        const std::span<const T> from(x + begin, n), with(y + other, n);
        std::span<T> to(a + begin, n), more(b + other, n), on_top(x + begin, n), on_other(y + other, n);
        std::size_t wrong = 0;
        const auto x_at = [&](std::size_t i) { return static_cast<T>((begin + i) % 13); };
        const auto y_at = [&](std::size_t i) { return static_cast<T>((other + i) % 7); };
        one.into(to, from, with);
        for (std::size_t i = 0; i < n; ++i) wrong += to[i] != static_cast<T>(x_at(i) * 3 - y_at(i));
        for (std::size_t i = 0; i < room; ++i) wrong += (i < begin || i >= begin + n) && a[i] != T(99);
        auto both = std::tie(to, more);
        two.into(both, from, with);
        for (std::size_t i = 0; i < n; ++i)
          wrong += to[i] != static_cast<T>(x_at(i) + y_at(i)) || more[i] != static_cast<T>(x_at(i) - y_at(i));
        auto swapped = std::tie(on_top, on_other);
        two.into(swapped, from, with);
        for (std::size_t i = 0; i < n; ++i)
          wrong += on_top[i] != static_cast<T>(x_at(i) + y_at(i)) || on_other[i] != static_cast<T>(x_at(i) - y_at(i));
        one.into(on_top, from, with);
        for (std::size_t i = 0; i < n; ++i) wrong += on_top[i] != static_cast<T>((x_at(i) + y_at(i)) * 3 - (x_at(i) - y_at(i)));
        CAPTURE(n);
        CAPTURE(begin);
        CAPTURE(other);
        CHECK(wrong == 0);
      }
}

TEST_CASE_TEMPLATE("long loops of small bodies begin and end anywhere", T, float, double, int, std::int16_t) { check_beginnings<T>(); }

namespace {

// As many elements as the call tells, from none to some registers full: the memory ends with the last one, where sanitizers look.
template <class T>
void check_lengths() {
  constexpr auto divided = jig::function([](auto a, auto b) { return std::tuple(a - b, jig::floordiv(a, b)); });
  constexpr auto lanes = static_cast<std::size_t>(jig::simd::lanes<T>);
  bool right = true, beside = true, in_place = true;
  for (std::size_t n = 0; n <= 2 * lanes + 1; ++n) {
    std::vector<T> a(n), b(n), difference(n + 1, T(77)), floors(n + 1, T(77));
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<T>(i * 37 % 101);
      b[i] = static_cast<T>(i % 9 + 1);
    }
    std::span<T> to_difference(difference.data(), n), to_floors(floors.data(), n);
    divided.into(std::tie(to_difference, to_floors), std::span<const T>(a), std::span<const T>(b));
    for (std::size_t i = 0; i < n; ++i)
      right = right && difference[i] == static_cast<T>(a[i] - b[i]) && floors[i] == static_cast<T>(std::floor(a[i] / b[i]));
    beside = beside && difference[n] == T(77) && floors[n] == T(77);
    std::span<T> all(b);
    twice.into(all, all);
    for (std::size_t i = 0; i < n; ++i) in_place = in_place && b[i] == static_cast<T>(2 * (i % 9 + 1));
  }
  CHECK(right);
  CHECK(beside);
  CHECK(in_place);
}

}  // namespace

TEST_CASE_TEMPLATE("any number of elements, which only the call knows", T, float, int, std::uint8_t) { check_lengths<T>(); }

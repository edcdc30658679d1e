// SPDX-License-Identifier: MIT
#include <jig/eval/reduce.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace {

// Numbers between 0 and 1 that do not repeat soon.
std::vector<float> many_numbers(std::size_t n) {
  std::vector<float> v(n);
  std::uint32_t state = 1;
  for (float& x : v) {
    state = state * 1664525 + 1013904223;
    x = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return v;
}

constexpr auto total = jig::function([](auto x) { return jig::reduce_sum(x); });
constexpr auto by_column = jig::function([](auto x) { return jig::reduce_sum<0>(x); });
constexpr auto squared_error = jig::function([](auto x, auto y) { return jig::reduce_mean(jig::square(x - y)); });
constexpr auto extremes = jig::function([](auto x) { return std::tuple(jig::reduce_max(x), jig::reduce_min(x)); });

using matrix = jig::view<const float, jig::dyn, jig::dyn>;

bool close(double found, long double expected) {
  return std::abs(static_cast<long double>(found) - expected) <= 1e-6L * std::abs(expected);
}

}  // namespace

TEST_CASE("sums of ten million floats are right to 1e-6") {
  constexpr jig::index n = 10'000'000, columns = 4;
  auto v = many_numbers(static_cast<std::size_t>(n));
  for (bool equal : {false, true}) {
    // Equal numbers are the worst: all roundings go one way.
    if (equal) v.assign(v.size(), 0.1f);
    long double sum = 0, squares = 0, odd = 0, column[columns] = {};
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto x = static_cast<long double>(v[i]);
      sum += x;
      squares += (x - 0.25L) * (x - 0.25L);
      odd += i % 2 == 1 ? x : 0;
      column[i % columns] += x;
    }
    CHECK(close(total(v)(), sum));
    CHECK(close(squared_error(v, 0.25f)(), squares / n));
    // One column of two, so that every run of the total is short.
    CHECK(close(total(matrix(v.data() + 1, {2, {n / 2, 1}}, {2, {2, 1}}))(), odd));
    auto found = by_column(matrix(v.data(), {2, {n / columns, columns}}, {2, {columns, 1}}));
    for (jig::index j = 0; j < columns; ++j) CHECK(close(found(j), column[j]));
  }
}

TEST_CASE("every length around registers and blocks") {
  const auto v = many_numbers(20'000);
  constexpr jig::index lanes = jig::simd::lanes<float>;
  for (jig::index base : {jig::index{0}, lanes, 2 * lanes, 8 * lanes, 8 * lanes * 32, 2 * 8 * lanes * 32})
    for (jig::index n = base - 2; n <= base + 3; ++n) {
      if (n < 0) continue;
      CAPTURE(n);
      std::span<const float> x(v.data() + 1, static_cast<std::size_t>(n));
      long double sum = 0, error = 0;
      float most = -std::numeric_limits<float>::infinity(), least = -most;
      for (float e : x) {
        sum += static_cast<long double>(e);
        error += (static_cast<long double>(e) - 0.5L) * (static_cast<long double>(e) - 0.5L);
        most = std::max(most, e);
        least = std::min(least, e);
      }
      CHECK(close(total(x)(), sum));
      if (n > 0) CHECK(close(squared_error(x, 0.5f)(), error / n));
      auto [hi, lo] = extremes(x);
      CHECK(hi() == most);
      CHECK(lo() == least);
    }
}

TEST_CASE("long sums of infinities, NaN and what overflows") {
  constexpr float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (std::size_t at : {0u, 4000u, 9999u}) {
    std::vector<float> v(10'000, 1);
    v[at] = inf;
    CHECK(total(v)() == inf);
    v[5000] = -inf;
    CHECK(std::isnan(total(v)()));
    v[at] = v[5000] = 1;
    v[at] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(total(v)()));
    CHECK(std::isnan(std::get<0>(extremes(v))()));
  }
  CHECK(total(std::vector<float>(10'000, most))() == inf);
  CHECK(by_column(matrix(std::vector<float>(10'000, -most).data(), {2, {5000, 2}}, {2, {2, 1}}))(1) == -inf);
}

TEST_CASE("a NaN anywhere is the extreme") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  for (jig::index n : {jig::index{1}, lanes - 1, lanes, lanes + 1, 8 * lanes, 23 * lanes + 3})
    for (jig::index at = 0; at < n; ++at) {
      auto v = many_numbers(static_cast<std::size_t>(n));
      v[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
      auto [hi, lo] = extremes(v);
      CHECK(std::isnan(hi()));
      CHECK(std::isnan(lo()));
    }
}

// Divides by what it reads, keeps a value beside what it reduces, and reads a number that is the same everywhere.
constexpr auto parts = jig::function([](auto x, auto y) {
  const auto quotient = jig::floordiv(y, x);
  return std::tuple(jig::reduce_sum(quotient), jig::reduce_max(x), jig::reduce_min(quotient), jig::reduce_prod(x), quotient);
});

TEST_CASE_TEMPLATE("any number of elements up to a register and a few more, where nothing lies behind", T, float, double, std::int32_t,
                   std::int64_t, std::int16_t, std::uint8_t) {
  int wrong = 0;
  for (std::size_t n = 1; n <= 66; n += n < 20 ? 1 : 15) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i % 8 == 3 ? 2 : i % 16 == 5 ? 3 : 1);
    const T y = 60;
    T sum = 0, most = 0, least = y, product = 1;
    for (const T e : x) {
      sum = static_cast<T>(sum + y / e);
      most = std::max(most, e);
      least = std::min(least, static_cast<T>(y / e));
      product = static_cast<T>(product * e);
    }
    const auto [s, hi, lo, p, quotient] = parts(x, y);
    wrong += s() != sum || hi() != most || lo() != least || p() != product;
    for (std::size_t i = 0; i < n; ++i) wrong += quotient(static_cast<jig::index>(i)) != static_cast<T>(y / x[i]);
  }
  CHECK(wrong == 0);
}
TEST_CASE("unusual numbers in a part of a register") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  int wrong = 0;
  for (std::size_t n = 1; n <= 17; ++n) {
    const std::vector<float> nothing(n, -0.0f), lowest(n, -infinity);
    wrong += total(nothing)() != 0 || std::signbit(total(nothing)());
    wrong += std::get<0>(extremes(lowest))() != -infinity || total(lowest)() != -infinity;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<float> x(n, 1.0f);
      x[i] = nan;
      auto [hi, lo] = extremes(x);
      wrong += !std::isnan(hi()) || !std::isnan(lo()) || !std::isnan(total(x)());
      x[i] = -infinity;
      std::tie(hi, lo) = extremes(x);
      wrong += lo() != -infinity || hi() != (n == 1 ? -infinity : 1.0f);
    }
  }
  CHECK(wrong == 0);
  CHECK(total(std::vector<float>())() == 0);
}

TEST_CASE("few elements of a long body") {
  constexpr auto f = jig::function([](auto x) {
    auto y = x;
    for (int k = 0; k < 40; ++k) y = y * 0.5f + x;
    return std::tuple(jig::reduce_sum(y), jig::reduce_max(y));
  });
  for (jig::index n = 0; n < 2 * jig::simd::lanes<float>; ++n) {
    const auto v = many_numbers(static_cast<std::size_t>(n));
    double sum = 0, most = -std::numeric_limits<double>::infinity();
    for (float x : v) {
      sum += 2 * static_cast<double>(x);
      most = std::max(most, 2 * static_cast<double>(x));
    }
    auto [found, highest] = f(v);
    CHECK(found() == doctest::Approx(sum).epsilon(1e-6));
    CHECK((n == 0 ? highest() == most : highest() == doctest::Approx(most).epsilon(1e-6)));
  }
}

// Values that are stored while they are reduced, of a short and of a long body.
template <int Rounds, class T>
void check_kept(jig::index columns, bool turned) {
  CAPTURE(columns);
  constexpr jig::index rows = 3;
  constexpr auto f = jig::function([](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    for (int k = 0; k < Rounds; ++k) e = e * T(0.5) + x * T(0.25);
    auto large = e > T(0.5);
    auto sum = jig::reduce_sum<1>(e, jig::keepdims);
    return std::tuple(e, e * jig::reciprocal(sum + 1), jig::reduce_min<1>(e), large, jig::reduce_any<1>(large));
  });
  const auto v = many_numbers(static_cast<std::size_t>(rows * columns));
  const std::vector<T> numbers(v.begin(), v.end());
  const jig::shape strides = turned ? jig::shape{2, {1, rows}} : jig::shape{2, {columns, 1}};
  const jig::view<const T, jig::dyn, jig::dyn> x(numbers.data(), {2, {rows, columns}}, strides);
  auto [e, scaled, least, large, any] = f(x);
  constexpr double close = std::is_same_v<T, float> ? 2e-6 : 1e-14;
  for (jig::index i = 0; i < rows; ++i) {
    double most = 0, sum = 0, low = std::numeric_limits<double>::infinity();
    for (jig::index j = 0; j < columns; ++j) most = std::max(most, static_cast<double>(x(i, j)));
    auto expected = [&](jig::index j) {
      double y = std::exp(static_cast<double>(x(i, j)) - most);
      for (int k = 0; k < Rounds; ++k) y = y * 0.5 + static_cast<double>(x(i, j)) * 0.25;
      return y;
    };
    bool some = false;
    for (jig::index j = 0; j < columns; ++j) {
      sum += expected(j);
      low = std::min(low, expected(j));
      some = some || large(i, j);
      CHECK(static_cast<double>(e(i, j)) == doctest::Approx(expected(j)).epsilon(close));
      CHECK(large(i, j) == (e(i, j) > T(0.5)));
    }
    for (jig::index j = 0; j < columns; ++j)
      CHECK(static_cast<double>(scaled(i, j)) == doctest::Approx(expected(j) / (sum + 1)).epsilon(close));
    if (columns > 0) CHECK(static_cast<double>(least(i)) == doctest::Approx(low).epsilon(close));
    CHECK(any(i) == some);
  }
}

TEST_CASE("values that are stored while they are reduced") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  for (bool turned : {false, true})
    for (jig::index columns : {0 * lanes, 1 + 0 * lanes, lanes - 1, lanes, lanes + 1, 2 * lanes + 3, 16 * lanes - 1, 130 * lanes + 20}) {
      check_kept<0, double>(columns, turned);
      check_kept<20, float>(columns, turned);
    }
}

TEST_CASE("columns of any number of rows, wherever the leaves lie") {
  const auto v = many_numbers(70 * 40);
  for (jig::index rows : {1, 2, 31, 32, 33, 65})
    for (jig::index columns : {1, 3, 15, 16, 17, 40})
      for (bool turned : {false, true}) {
        CAPTURE(rows);
        CAPTURE(columns);
        matrix x(v.data(), {2, {rows, columns}}, turned ? jig::shape{2, {1, rows}} : jig::shape{2, {columns, 1}});
        auto found = by_column(x);
        bool right = true;
        for (jig::index j = 0; j < columns; ++j) {
          long double sum = 0;
          for (jig::index i = 0; i < rows; ++i) sum += static_cast<long double>(x(i, j));
          right = right && close(found(j), sum);
        }
        CHECK(right);
      }
}

namespace {

// A layer normalisation with two results, in plain C++.
template <class X>
void normalized_row(const X& x, jig::index i, const std::vector<double>& scale, std::vector<double>& out, double& deviation) {
  const jig::index n = x.extent(1);
  double mean = 0, variance = 0;
  for (jig::index j = 0; j < n; ++j) mean += static_cast<double>(x(i, j)) / static_cast<double>(n);
  for (jig::index j = 0; j < n; ++j) variance += std::pow(static_cast<double>(x(i, j)) - mean, 2) / static_cast<double>(n);
  deviation = std::sqrt(variance + 1e-3);
  out.clear();
  for (jig::index j = 0; j < n; ++j) out.push_back((static_cast<double>(x(i, j)) - mean) / deviation * scale[static_cast<std::size_t>(j)]);
}

constexpr auto normalize = jig::function([](auto x, auto scale) {
  auto d = x - jig::reduce_mean<-1>(x, jig::keepdims);
  auto deviation = jig::sqrt(jig::reduce_mean<-1>(d * d) + 1e-3);
  return std::tuple(d / jig::expand_dims<-1>(deviation) * scale, deviation);
});

template <class X, class S>
void check_normalize(const X& x, const S& scale) {
  auto [y, deviation] = normalize(x, scale);
  std::vector<double> weights, row;
  for (auto s : scale) weights.push_back(static_cast<double>(s));
  bool right = true;
  for (jig::index i = 0; i < x.extent(0); ++i) {
    double expected = 0;
    normalized_row(x, i, weights, row, expected);
    right = right && std::abs(static_cast<double>(deviation(i)) - expected) < 1e-5;
    for (jig::index j = 0; j < x.extent(1); ++j)
      right = right && std::abs(static_cast<double>(y(i, j)) - row[static_cast<std::size_t>(j)]) < 1e-4;
  }
  CHECK(right);
}

}  // namespace

TEST_CASE("steps on the same rows run row by row, with any rows and strides") {
  const auto v = many_numbers(7 * 200);
  for (jig::index rows : {0, 1, 2, 7})
    for (jig::index columns : {1, 2, 15, 16, 17, 33, 200})
      for (bool turned : {false, true}) {
        CAPTURE(rows);
        CAPTURE(columns);
        matrix x(v.data(), {2, {rows, columns}}, turned ? jig::shape{2, {1, rows}} : jig::shape{2, {columns, 1}});
        check_normalize(x, many_numbers(static_cast<std::size_t>(columns)));
      }
  jig::tensor<float, 3, 40> fixed;
  for (int i = 0; i < 120; ++i) fixed.data()[i] = v[static_cast<std::size_t>(i)];
  check_normalize(fixed, many_numbers(40));
}

TEST_CASE("softmax of rows of a cube, in place too") {
  constexpr auto softmax = jig::function([](auto x) { return jig::softmax(x); });
  jig::tensor<float, jig::dyn, jig::dyn, jig::dyn> x(jig::uninitialized, {3, {2, 3, 50}});
  const auto v = many_numbers(300);
  for (int i = 0; i < 300; ++i) x.data()[i] = 10 * v[static_cast<std::size_t>(i)];
  const auto before = x;
  softmax.into(x, x);
  for (jig::index i = 0; i < 6; ++i) {
    double sum = 0;
    for (jig::index j = 0; j < 50; ++j) sum += std::exp(static_cast<double>(before.data()[i * 50 + j]));
    for (jig::index j = 0; j < 50; ++j)
      CHECK(x.data()[i * 50 + j] == doctest::Approx(std::exp(static_cast<double>(before.data()[i * 50 + j])) / sum).epsilon(1e-5));
  }
}

TEST_CASE("a variable is written row by row where only its own row is read") {
  jig::variable<float, 4, 40> w(jig::tensor<float, 4, 40>{});
  const auto v = many_numbers(160);
  constexpr auto center = jig::function([](auto& x) { x.assign(x - jig::reduce_mean<1>(x, jig::keepdims)); });
  // Here every row needs the others, which must still be old then.
  constexpr auto mix = jig::function([](auto& x) { x.assign(x - jig::reduce_mean<1>(x + jig::reduce_sum<0>(x), jig::keepdims)); });
  auto number = [&](jig::index i, jig::index j) { return static_cast<double>(v[static_cast<std::size_t>(i * 40 + j)]); };
  auto start = [&] {
    jig::tensor<float, 4, 40> t;
    for (int i = 0; i < 160; ++i) t.data()[i] = v[static_cast<std::size_t>(i)];
    w.assign(t);
  };
  double all = 0, mean[4] = {};
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 40; ++j) {
      all += number(i, j) / 40;
      mean[i] += number(i, j) / 40;
    }
  bool right = true;
  start();
  center(w);
  auto centered = w.read();
  start();
  mix(w);
  auto mixed = w.read();
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 40; ++j) {
      right = right && std::abs(static_cast<double>(centered(i, j)) - (number(i, j) - mean[i])) < 1e-5;
      right = right && std::abs(static_cast<double>(mixed(i, j)) - (number(i, j) - mean[i] - all)) < 1e-5;
    }
  CHECK(right);
}

TEST_CASE("rows that are picked by number are read when the number is known") {
  constexpr auto f = jig::function([](auto x, auto table) {
    auto sum = jig::reduce_sum<1>(x, jig::keepdims);
    auto last = jig::argmax<0>(jig::reduce_sum<1>(x));
    return std::tuple(x - sum, table[last] + sum, (x - sum)[last] * sum);
  });
  const jig::index rows = 40, columns = 50;
  auto x = jig::zeros<float, jig::dyn, jig::dyn>(rows, columns);
  auto table = jig::zeros<float, jig::dyn, jig::dyn, jig::dyn>(rows, rows, columns);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7 % 11);
  for (jig::index i = 0; i < table.size(); ++i) table.data()[i] = static_cast<float>(i % 101);
  jig::index last = 0;
  auto sum = jig::zeros<float, jig::dyn>(rows);
  for (jig::index i = 0; i < rows; ++i) {
    for (jig::index j = 0; j < columns; ++j) sum(i) += x(i, j);
    if (sum(i) > sum(last)) last = i;
  }
  auto [less, picked, product] = f(x, table);
  bool same = true;
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index j = 0; j < columns; ++j)
      same = same && less(i, j) == x(i, j) - sum(i) && picked(i, j) == table(last, i, j) + sum(i) &&
             product(i, j) == (x(last, j) - sum(last)) * sum(i);
  CHECK(same);
}

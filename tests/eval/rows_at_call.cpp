// SPDX-License-Identifier: MIT
#include <jig/eval/rows_at_call.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using jig::dyn;

constexpr auto sums = jig::function([](auto x) { return jig::reduce_sum<1>(x); });
constexpr auto sum_of_all = jig::function([](auto x) { return jig::reduce_sum(x); });
constexpr auto products_with_columns =
    jig::function([](auto x, auto column) { return jig::reduce_mean<1>(x * jig::expand_dims<1>(column)); });
constexpr auto extremes = jig::function([](auto x) { return jig::reduce_max<1>(x); });

template <class T>
constexpr jig::index lanes = static_cast<jig::index>(jig::simd::lanes<T>);

// Lengths on both sides of where another way begins.
template <class T>
std::vector<jig::index> lengths() {
  std::vector<jig::index> all{1, 2, 3};
  for (jig::index n : {1, 2, 3, 4, 8, 12, 16, 17})
    for (jig::index beside : {-1, 0, 1}) all.push_back(n * lanes<T> + beside);
  return all;
}
template <class T>
std::vector<jig::index> row_counts() {
  return {1, 2, lanes<T> - 1, lanes<T>, lanes<T> + 1, 2 * lanes<T> + 3};
}

template <class T>
std::vector<T> random_numbers(jig::index n, std::mt19937& random) {
  std::vector<T> all(static_cast<std::size_t>(n));
  for (T& x : all) x = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / static_cast<T>(7);
  return all;
}
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("rows together: sums have the bits of rows one by one, and are right") {
  std::mt19937 random(1);
  for (jig::index n : lengths<float>())
    for (jig::index rows : row_counts<float>()) {
      CAPTURE(n);
      CAPTURE(rows);
      // One behind another, and with a gap, which nothing may be read of beyond the last row.
      for (jig::index gap : {0, 3}) {
        auto x = random_numbers<float>(rows * (n + gap) - gap, random);
        if (n > 2) x[0] = -0.0f;
        const jig::view<const float, dyn, dyn> all(x.data(), {rows, n}, {n + gap, 1});
        const auto y = sums(all);
        bool same = true, near_plain = true;
        for (jig::index i = 0; i < rows; ++i) {
          same = same && same_bits<float>(y(i), sum_of_all(jig::view(x.data() + i * (n + gap), n)));
          double plain = 0, size = 0;
          for (jig::index k = 0; k < n; ++k) {
            const double e = static_cast<double>(x[static_cast<std::size_t>(i * (n + gap) + k)]);
            plain += e;
            size += std::abs(e);
          }
          near_plain = near_plain && std::abs(static_cast<double>(y(i)) - plain) <= 1e-6 * size;
        }
        CHECK(same);
        CHECK(near_plain);
      }
    }
}

TEST_CASE("rows together: a sum of zeros below zero is 0, and what is infinite stays so") {
  for (jig::index n : lengths<float>()) {
    std::vector<float> x(static_cast<std::size_t>(3 * n), -0.0f);
    x[static_cast<std::size_t>(2 * n - 1)] = std::numeric_limits<float>::infinity();
    x[static_cast<std::size_t>(2 * n)] = std::numeric_limits<float>::quiet_NaN();
    const auto y = sums(jig::view(x.data(), jig::index{3}, n));
    CHECK(same_bits(y(0), 0.0f));
    CHECK(y(1) == std::numeric_limits<float>::infinity());
    CHECK(std::isnan(y(2)));
  }
}

TEST_CASE("rows together: means of what is computed, with numbers that are the same all along a row") {
  std::mt19937 random(2);
  for (jig::index n : lengths<double>())
    for (jig::index rows : row_counts<double>()) {
      const auto x = random_numbers<double>(rows * n, random), column = random_numbers<double>(rows, random);
      const auto y = products_with_columns(jig::view(x.data(), rows, n), jig::view(column.data(), rows));
      bool right = true;
      for (jig::index i = 0; i < rows; ++i) {
        double plain = 0;
        for (jig::index k = 0; k < n; ++k) plain += x[static_cast<std::size_t>(i * n + k)] * column[static_cast<std::size_t>(i)];
        right = right && y(i) == doctest::Approx(plain / static_cast<double>(n)).epsilon(1e-9).scale(100.0);
      }
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(right);
    }
}

TEST_CASE("rows together: the greatest, NaN where there is one") {
  std::mt19937 random(3);
  for (jig::index n : lengths<float>())
    for (jig::index rows : row_counts<float>()) {
      auto x = random_numbers<float>(rows * n, random);
      const auto bad = static_cast<std::size_t>(random() % static_cast<unsigned>(rows * n));
      x[bad] = std::numeric_limits<float>::quiet_NaN();
      const auto y = extremes(jig::view(x.data(), rows, n));
      bool right = true;
      for (jig::index i = 0; i < rows; ++i) {
        float plain = -std::numeric_limits<float>::infinity();
        for (jig::index k = 0; k < n; ++k) plain = (std::max)(plain, x[static_cast<std::size_t>(i * n + k)]);
        right = right && (i == static_cast<jig::index>(bad) / n ? std::isnan(y(i)) : y(i) == plain);
      }
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(right);
    }
}

TEST_CASE("rows together: of zeros of both signs and of NaN, what a row alone gives") {
  constexpr auto greatest_of_all = jig::function([](auto x) { return jig::reduce_max(x); });
  std::mt19937 random(6);
  for (jig::index n : lengths<float>())
    for (jig::index rows : row_counts<float>()) {
      std::vector<float> x(static_cast<std::size_t>(rows * n));
      for (float& e : x) e = random() % 2 == 0 ? 0.f : -0.f;
      const auto bits = static_cast<std::uint32_t>(0xffc12345);  // a NaN with a payload and a sign
      std::memcpy(x.data() + random() % x.size(), &bits, sizeof(bits));
      const auto y = extremes(jig::view(x.data(), rows, n));
      bool same = true;
      for (jig::index i = 0; i < rows; ++i) same = same && same_bits<float>(y(i), greatest_of_all(jig::view(x.data() + i * n, n)));
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(same);
    }
}

TEST_CASE_TEMPLATE("rows together: integers wrap around", T, std::int32_t, std::uint8_t, std::int16_t) {
  std::mt19937 random(4);
  for (jig::index n : lengths<T>())
    for (jig::index rows : row_counts<T>()) {
      std::vector<T> x(static_cast<std::size_t>(rows * n));
      for (auto& e : x) e = static_cast<T>(random());
      const auto y = sums(jig::view(x.data(), rows, n));
      bool right = true;
      for (jig::index i = 0; i < rows; ++i) {
        std::uint32_t plain = 0;
        for (jig::index k = 0; k < n; ++k) plain += static_cast<std::uint32_t>(x[static_cast<std::size_t>(i * n + k)]);
        right = right && y(i) == static_cast<T>(plain);
      }
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(right);
    }
}

TEST_CASE("rows together: in a region of rows, of which several are a chunk") {
  constexpr auto centred = jig::function([](auto x) {
    auto y = x - jig::reduce_mean<1>(x, jig::keepdims);
    return y / jig::sqrt(jig::reduce_sum<1>(y * y, jig::keepdims) + 1.f);
  });
  std::mt19937 random(5);
  for (jig::index n : lengths<float>())
    for (jig::index rows : row_counts<float>()) {
      const auto x = random_numbers<float>(rows * n, random);
      const auto y = centred(jig::view(x.data(), rows, n));
      bool right = true;
      for (jig::index i = 0; i < rows; ++i) {
        const float* row = x.data() + i * n;
        double mean = 0, squares = 1;
        for (jig::index k = 0; k < n; ++k) mean += static_cast<double>(row[k]) / static_cast<double>(n);
        for (jig::index k = 0; k < n; ++k) squares += (static_cast<double>(row[k]) - mean) * (static_cast<double>(row[k]) - mean);
        for (jig::index k = 0; k < n; ++k)
          right = right && std::abs(static_cast<double>(y(i, k)) - (static_cast<double>(row[k]) - mean) / std::sqrt(squares)) < 1e-5;
      }
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(right);
    }
}

TEST_CASE("rows together: with zeros around them that are nowhere in memory") {
  constexpr auto padded = jig::function([](auto x) { return jig::reduce_sum<1>(jig::pad<0, 0, 1, 2>(x * x, 3.f)); });
  std::mt19937 random(7);
  for (jig::index n : lengths<float>()) {
    const jig::index rows = lanes<float> + 1;
    const auto x = random_numbers<float>(rows * n, random);
    const auto y = padded(jig::view(x.data(), rows, n));
    bool right = true;
    for (jig::index i = 0; i < rows; ++i) {
      double plain = 9;
      for (jig::index k = 0; k < n; ++k)
        plain += static_cast<double>(x[static_cast<std::size_t>(i * n + k)]) * static_cast<double>(x[static_cast<std::size_t>(i * n + k)]);
      right = right && static_cast<double>(y(i)) == doctest::Approx(plain).epsilon(1e-5);
    }
    CAPTURE(n);
    CHECK(right);
  }
}

TEST_CASE("rows together: masks, halves, small integers, two totals of one row and longer expressions") {
  std::mt19937 random(8);
  // Small integers, of which sums are exact.
  const auto check = [&]<class T>(T, auto f, auto plain) {
    constexpr jig::index all = [] {
      if constexpr (std::is_arithmetic_v<T>) return lanes<T>;
      else return lanes<float>;
    }();
    for (jig::index n : {jig::index{1}, jig::index{2}, all - 1, all, all + 1, 2 * all, 3 * all + 2})
      for (jig::index rows : {jig::index{1}, all / 2 + 1, all, 2 * all + 3}) {
        if (n == 0) continue;
        std::vector<T> x(static_cast<std::size_t>(rows * n));
        for (T& e : x) e = T(static_cast<float>(static_cast<int>(random() % 7) - (std::is_unsigned_v<T> ? 0 : 3)));
        const auto y = f(jig::view(x.data(), rows, n));
        bool right = true;
        for (jig::index i = 0; i < rows; ++i) right = right && plain(y, i, x.data() + i * n, n);
        CAPTURE(n);
        CAPTURE(rows);
        CHECK(right);
      }
  };
  const auto total = [](auto& y, jig::index i, const auto* row, jig::index n) {
    using T = std::remove_cvref_t<decltype(*row)>;
    float sum = 0;
    for (jig::index k = 0; k < n; ++k) sum += static_cast<float>(row[k]);
    if constexpr (std::is_integral_v<T>) return y(i) == static_cast<T>(static_cast<int>(sum));
    else return static_cast<float>(y(i)) == sum;
  };
  const auto greatest = [](auto& y, jig::index i, const auto* row, jig::index n) { return y(i) == *std::max_element(row, row + n); };
  check(jig::half(), sums, total);
  check(jig::bfloat16(), sums, total);
  check(std::int8_t(), sums, total);
  check(std::int16_t(), sums, total);
  check(std::uint8_t(), extremes, greatest);
  check(std::int16_t(), extremes, greatest);
  constexpr auto of_positive = jig::function([](auto x) { return jig::reduce_sum<1>(jig::where(x > 0.f, x, jig::zeros_like(x))); });
  check(0.0f, of_positive, [](auto& y, jig::index i, const float* row, jig::index n) {
    float sum = 0;
    for (jig::index k = 0; k < n; ++k) sum += row[k] > 0 ? row[k] : 0;
    return y(i) == sum;
  });
  constexpr auto both = jig::function([](auto x) { return std::tuple(jig::reduce_sum<1>(x), jig::reduce_sum<1>(x * x)); });
  check(0.0f, both, [](auto& y, jig::index i, const float* row, jig::index n) {
    float sum = 0, squares = 0;
    for (jig::index k = 0; k < n; ++k) sum += row[k], squares += row[k] * row[k];
    return std::get<0>(y)(i) == sum && std::get<1>(y)(i) == squares;
  });
  constexpr auto polynomial = jig::function([](auto x) { return jig::reduce_sum<1>((((x + 2.f) * x - 1.f) * x + 3.f) * x - 2.f); });
  constexpr auto longer = jig::function(
      [](auto x) { return jig::reduce_sum<1>((((((((x + 2.f) * x - 1.f) * x + 3.f) * x - 2.f) * x + 1.f) * x - 1.f) * x + 2.f)); });
  check(0.0f, polynomial, [](auto& y, jig::index i, const float* row, jig::index n) {
    float sum = 0;
    for (jig::index k = 0; k < n; ++k) sum += (((row[k] + 2) * row[k] - 1) * row[k] + 3) * row[k] - 2;
    return y(i) == sum;
  });
  check(0.0f, longer, [](auto& y, jig::index i, const float* row, jig::index n) {
    float sum = 0;
    for (jig::index k = 0; k < n; ++k)
      sum += ((((((row[k] + 2) * row[k] - 1) * row[k] + 3) * row[k] - 2) * row[k] + 1) * row[k] - 1) * row[k] + 2;
    return y(i) == sum;
  });
  // A mask that lies in memory.
  constexpr auto masked = jig::function([](auto mask, auto x) { return jig::reduce_sum<1>(jig::where(mask, x, jig::zeros_like(x))); });
  for (jig::index n : {jig::index{1}, lanes<float> - 1, lanes<float>, 2 * lanes<float> + 1})
    for (jig::index rows : {jig::index{1}, lanes<float>, 2 * lanes<float> + 3}) {
      const auto x = random_numbers<float>(rows * n, random);
      std::vector<unsigned char> bytes(x.size());
      for (auto& b : bytes) b = random() % 2;
      const auto mask = jig::view(reinterpret_cast<const bool*>(bytes.data()), rows, n);
      const auto y = masked(mask, jig::view(x.data(), rows, n));
      bool right = true;
      for (jig::index i = 0; i < rows; ++i) {
        double sum = 0;
        for (jig::index k = 0; k < n; ++k) sum += mask(i, k) ? static_cast<double>(x[static_cast<std::size_t>(i * n + k)]) : 0;
        right = right && std::abs(static_cast<double>(y(i)) - sum) <= 1e-3;
      }
      CAPTURE(n);
      CAPTURE(rows);
      CHECK(right);
    }
}

// SPDX-License-Identifier: MIT
#include <jig/eval/block_lanes.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

using jig::dyn;

constexpr auto sums = jig::function([](auto x, auto w) { return std::tuple(jig::reduce_sum<1>(x * w), jig::reduce_mean<1>(x)); });
constexpr auto most = jig::function([](auto x) { return jig::reduce_max<1>(x); });
// None of these is read in parts: rows from the last one on, and what must not be divided by zero.
constexpr auto others = jig::function([](auto x, auto w) {
  return std::tuple(jig::reduce_sum<1>(jig::reverse<1>(x) * w), jig::reduce_sum<1>(jig::reverse<0>(x)), jig::reduce_sum<1>(w / x));
});

template <class T>
T number(jig::index i) {
  return static_cast<T>(i * 37 % 101 + 1);
}

}  // namespace

TEST_CASE_TEMPLATE("any number of short rows: nothing behind the last one is written", T, float, double) {
  constexpr jig::index N = sizeof(T) == 4 ? 3 : 5;
  int wrong = 0;
  for (jig::index rows = 0; rows <= 37; ++rows) {
    std::vector<T> from(static_cast<std::size_t>(rows * N)), to(static_cast<std::size_t>(2 * rows + 2), T(77));
    for (jig::index i = 0; i < rows * N; ++i) from[static_cast<std::size_t>(i)] = number<T>(i);
    jig::tensor<T, N> w;
    for (jig::index k = 0; k < N; ++k) w(k) = static_cast<T>(k + 2);
    const jig::view<jig::row_major<const T>, dyn, N> x(from.data(), rows);
    jig::view<jig::row_major<T>, dyn> a(to.data(), rows), b(to.data() + rows + 1, rows);
    sums.into(std::tie(a, b), x, w);
    for (jig::index i = 0; i < rows; ++i) {
      T sum = 0, total = 0;
      for (jig::index k = 0; k < N; ++k) {
        sum += x(i, k) * w(k);
        total += x(i, k);
      }
      wrong += (a(i) != sum) + !(std::abs(b(i) - total / static_cast<T>(N)) < T(1e-4));
    }
    wrong += (to[static_cast<std::size_t>(rows)] != T(77)) + (to.back() != T(77));
  }
  CHECK(wrong == 0);
}

TEST_CASE("the largest of short rows of bytes") {
  int wrong = 0;
  for (jig::index rows : {1, 5, 63, 64, 65, 130, 200}) {
    jig::tensor<std::uint8_t, dyn, 3> x(rows);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<std::uint8_t>(i);
    const auto y = most(x);
    for (jig::index i = 0; i < rows; ++i) wrong += y(i) != std::max({x(i, 0), x(i, 1), x(i, 2)});
  }
  CHECK(wrong == 0);
}

TEST_CASE("rows backwards, from the last one on, and divisors") {
  int wrong = 0;
  const jig::tensor<std::int32_t, 3> w{6, -20, 300};
  for (jig::index rows : {0, 1, 3, 15, 16, 17, 40}) {
    jig::tensor<std::int32_t, dyn, 3> x(rows);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<std::int32_t>(i);
    const auto [backwards, last, divided] = others(x, w);
    for (jig::index i = 0; i < rows; ++i) {
      std::int32_t a = 0, b = 0, c = 0;
      for (jig::index k = 0; k < 3; ++k) {
        a += x(i, 2 - k) * w(k);
        b += x(rows - 1 - i, k);
        c += w(k) / x(i, k);
      }
      wrong += (backwards(i) != a) + (last(i) != b) + (divided(i) != c);
    }
  }
  CHECK(wrong == 0);
}

namespace {

// Everything, of rows that are weighted by what is the same all along them.
constexpr auto total = jig::function([](auto x, auto w) {
  const auto weighted = x * jig::expand_dims<1>(w) - jig::expand_dims<1>(w);
  return std::tuple(jig::reduce_sum(weighted), jig::reduce_max(weighted), jig::reduce_mean(weighted));
});
// Over the first and the last axis; between them there is one that is kept.
constexpr auto ends = jig::function([](auto x, auto w) { return jig::reduce_sum<0, 2>(x * w); });

template <class T, jig::index N, jig::index Rows = dyn>
int wrong_totals(jig::index rows) {
  auto x = [&] {
    if constexpr (Rows == dyn) return jig::zeros<T, dyn, N>(rows);
    else return jig::zeros<T, Rows, N>();
  }();
  auto w = [&] {
    if constexpr (Rows == dyn) return jig::zeros<T, dyn>(rows);
    else return jig::zeros<T, Rows>();
  }();
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<T>(i) / T(7);
  for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = number<T>(3 * i) / T(11) - T(3);
  // What rounding loses of a sum must not add up over the rows.
  long double sum = 0;
  T largest = x(0, 0) * w(0) - w(0);
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index k = 0; k < N; ++k) {
      const T e = x(i, k) * w(i) - w(i);
      sum += e;
      largest = std::max(largest, e);
    }
  const auto [a, b, c] = total(x, w);
  const auto near = [](T found, long double expected) {
    return std::abs(static_cast<long double>(found) - expected) <= (sizeof(T) == 4 ? 2e-6L : 1e-13L) * std::abs(expected) + 1e-3L;
  };
  return !near(a(), sum) + !near(b(), largest) + !near(c(), sum / static_cast<long double>(rows * N));
}
template <class T, jig::index N>
int wrong_totals_of_any() {
  int wrong = 0;
  for (jig::index rows : {1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 1000}) wrong += wrong_totals<T, N>(rows);
  return wrong;
}
template <jig::index N>
int wrong_ends() {
  int wrong = 0;
  for (jig::index rows : {1, 2, 31, 32, 33, 100}) {
    auto x = jig::zeros<float, dyn, 3, N>(rows);
    auto w = jig::zeros<float, dyn, 3, 1>(rows);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<float>(i);
    for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = number<float>(5 * i) / 4;
    const auto found = ends(x, w);
    for (jig::index j = 0; j < 3; ++j) {
      double sum = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index k = 0; k < N; ++k) sum += static_cast<double>(x(i, j, k)) * static_cast<double>(w(i, j, 0));
      wrong += !(std::abs(static_cast<double>(found(j)) - sum) <= 1e-6 * sum);
    }
  }
  return wrong;
}

// Rows beside some that are the same for all of them: they lie behind one another, or apart.
template <jig::index N, jig::index Rows = dyn>
int wrong_beside(jig::index rows) {
  static constexpr auto beside = jig::function([](auto x, auto d, auto pairs) {
    auto second = jig::strided_slice<jig::all, jig::all, 1>(pairs);
    return std::tuple(jig::reduce_max<1>(x + jig::strided_slice<0>(d)), jig::reduce_all<1>(x > jig::strided_slice<1>(second)),
                      jig::reduce_min<2>(jig::expand_dims<1>(x) * second));
  });
  auto x = [&] {
    if constexpr (Rows == dyn) return jig::zeros<float, dyn, N>(rows);
    else return jig::zeros<float, Rows, N>();
  }();
  auto d = jig::zeros<float, 3, N>();
  auto pairs = jig::zeros<float, 3, N, 2>();
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<float>(i);
  for (jig::index i = 0; i < d.size(); ++i) d.data()[i] = number<float>(7 * i + 3);
  for (jig::index i = 0; i < pairs.size(); ++i) pairs.data()[i] = number<float>(5 * i) - 40;
  const auto [greatest, all, least] = beside(x, d, pairs);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i) {
    float largest = x(i, 0) + d(0, 0), smallest[3];
    bool every = true;
    for (jig::index k = 0; k < N; ++k) {
      largest = std::max(largest, x(i, k) + d(0, k));
      every = every && x(i, k) > pairs(1, k, 1);
      for (jig::index j = 0; j < 3; ++j) smallest[j] = k == 0 ? x(i, k) * pairs(j, k, 1) : std::min(smallest[j], x(i, k) * pairs(j, k, 1));
    }
    wrong += greatest(i) != largest || all(i) != every;
    for (jig::index j = 0; j < 3; ++j) wrong += least(i, j) != smallest[j];
  }
  return wrong;
}
template <jig::index... N>
int wrong_beside_any() {
  int wrong = 0;
  for (jig::index rows : {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100}) wrong += (0 + ... + wrong_beside<N>(rows));
  return wrong;
}

}  // namespace

TEST_CASE("rows beside some that are the same for all") {
  CHECK(wrong_beside_any<2, 3, 5, 6>() == 0);
  CHECK(wrong_beside_any<7, 10, 12, 16>() == 0);
  CHECK((wrong_beside<6, 32>(32)) == 0);
  CHECK((wrong_beside<10, 37>(37)) == 0);
}
TEST_CASE("all of many rows of a few blocks each") {
  CHECK(wrong_totals_of_any<float, 16>() == 0);
  CHECK(wrong_totals_of_any<float, 40>() == 0);
  CHECK(wrong_totals_of_any<double, 8>() == 0);
  CHECK(wrong_totals_of_any<float, 300>() == 0);
  CHECK((wrong_totals<float, 16, 1000>(1000)) == 0);
  CHECK((wrong_totals<double, 20, 77>(77)) == 0);
  CHECK(wrong_ends<16>() == 0);
  CHECK(wrong_ends<24>() == 0);
}

namespace {

template <class T, jig::index C>
void check_columns_of_few_rows() {
  static constexpr auto f =
      jig::function([](auto x) { return std::tuple(jig::reduce_sum<0>(x), jig::reduce_max<0>(x), jig::reduce_mean<0>(x * x)); });
  for (jig::index rows = 0; rows <= 70; ++rows) {
    CAPTURE(rows);
    jig::tensor<T, dyn, C> x(rows);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<T>(i);
    const auto [sum, largest, squares] = f(x);
    int wrong = 0;
    for (jig::index c = 0; c < C; ++c) {
      T s = 0, m = std::numeric_limits<T>::lowest(), q = 0;
      if (std::is_floating_point_v<T>) m = -std::numeric_limits<T>::infinity();
      for (jig::index r = 0; r < rows; ++r) {
        s += x(r, c);
        m = std::max(m, x(r, c));
        q += x(r, c) * x(r, c);
      }
      wrong += (sum(c) != s) + (largest(c) != m);
      if (rows > 0) wrong += !(std::abs(squares(c) - q / static_cast<T>(rows)) <= std::abs(q) * T(1e-5));
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("columns of few rows, whose number only the call knows") {
  check_columns_of_few_rows<float, 1>();
  check_columns_of_few_rows<float, 2>();
  check_columns_of_few_rows<float, 3>();
  check_columns_of_few_rows<float, 5>();
  check_columns_of_few_rows<float, 8>();
  check_columns_of_few_rows<float, 16>();
  check_columns_of_few_rows<double, 2>();
  check_columns_of_few_rows<double, 4>();
  check_columns_of_few_rows<std::int32_t, 3>();
}

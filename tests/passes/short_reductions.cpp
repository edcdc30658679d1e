// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

using jig::dyn;

namespace {

template <class... Spec>
bool keeps(const char* op, auto f) {
  return jig::to_text(jig::lower(jig::graph_of(f, Spec()...))).find(std::string(" = ") + op + "(") != std::string::npos;
}

// Whether a product with a vector is a step of its own: its kernel, or a sum.
template <class... Spec>
bool is_apart(auto f) {
  return keeps<Spec...>("MatMul", f) || keeps<Spec...>("Sum", f);
}

template <class T, jig::index... E>
jig::tensor<T, E...> random(jig::tensor<T, E...> x, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> number(-40, 40);
  for (T& e : x) e = static_cast<T>(number(generator)) / 8;
  return x;
}
bool is_near(double a, double b) { return (a != a && b != b) || a == b || std::abs(a - b) <= 1e-5 * (1 + std::abs(b)); }

constexpr auto lengths = [](auto x) { return jig::sqrt(jig::reduce_sum<-1>(x * x)); };
constexpr auto spread = [](auto x) { return (jig::reduce_max<1>(x) - jig::reduce_min<1>(x)) / (2 + jig::reduce_mean<1>(x)); };
constexpr auto spread_of_columns = [](auto x) { return jig::reduce_max<0>(x) - jig::reduce_min<0>(x) + jig::reduce_mean<0>(x); };
constexpr auto kept = [](auto x) { return 1 + jig::reduce_sum<1>(2 * x, jig::keepdims); };
constexpr auto nearest = [](auto p, auto q) { return jig::reduce_min<1>(jig::reduce_sum<2>(jig::square(jig::expand_dims<1>(p) - q))); };
constexpr auto all_pairs = [](auto p, auto q) { return 1 / (1 + jig::reduce_sum<2>(jig::abs(jig::expand_dims<1>(p) - q))); };
constexpr auto potential = [](auto p) { return jig::reduce_sum(1 / (1 + jig::reduce_sum<2>(jig::square(jig::expand_dims<1>(p) - p)))); };
constexpr auto moved = [](auto x, auto m, auto z) { return jig::matmul(x, m) + z; };
constexpr auto moved_by_transpose = [](auto x, auto m, auto z) { return jig::matmul(x, m, jig::transpose_b) + z; };

}  // namespace

TEST_CASE("a loop goes on with few neighbours, and with no others") {
  CHECK_FALSE((keeps<jig::spec<float, dyn, 2>>("Sum", lengths)));
  CHECK_FALSE((keeps<jig::spec<float, dyn, 2>>("Max", spread)));
  CHECK((keeps<jig::spec<float, dyn, 5>>("Max", spread)));
  CHECK((keeps<jig::spec<float, dyn, dyn>>("Max", spread)));
  CHECK((keeps<jig::spec<float, 15, 3>>("Max", spread)));
  CHECK_FALSE((keeps<jig::spec<float, 16, 3>>("Max", spread)));
  // Three and four that lie side by side and are read once; not side by side; the same ones for many results; for a sum of all.
  CHECK_FALSE((keeps<jig::spec<float, dyn, 3>>("Sum", lengths)));
  CHECK((keeps<jig::spec<float, dyn, 4>>("Sum", lengths)));
  CHECK_FALSE((keeps<jig::spec<float, 3, dyn>>("Sum", [](auto x) { return 1 + jig::reduce_sum<0>(x); })));
  // More planes than components.
  CHECK_FALSE((keeps<jig::spec<float, 9, dyn>>("Sum", [](auto x) { return 1 + jig::reduce_sum<0>(x); })));
  CHECK_FALSE((keeps<jig::spec<float, dyn, 9, 4>>("Max", spread)));
  CHECK((keeps<jig::spec<float, 10, dyn>>("Sum", [](auto x) { return 1 + jig::reduce_sum<0>(x); })));
  CHECK_FALSE((keeps<jig::spec<float, 30, 3>, jig::spec<float, 20, 3>>("Sum", all_pairs)));
  CHECK_FALSE((keeps<jig::spec<float, dyn, 3>>("Sum", [](auto x) { return jig::reduce_max(jig::reduce_sum<1>(x * x)); })));
  constexpr auto products = [](auto x, auto y) { return jig::reduce_max(jig::reduce_sum<1>(x * y)); };
  CHECK((keeps<jig::spec<float, dyn, 2>, jig::spec<float, dyn, 2>>("Sum", products)));
  CHECK_FALSE((keeps<jig::spec<float, dyn, 2>, jig::spec<float, 2>>("Sum", products)));
  // Products of two values, of which another reduction takes one apart, or none does.
  constexpr auto discriminant = [](auto x, auto y) {
    auto b = jig::reduce_sum<1>(x * y);
    return b * b - jig::reduce_sum<1>(x * x);
  };
  CHECK_FALSE((keeps<jig::spec<float, dyn, 3>, jig::spec<float, dyn, 3>>("Sum", discriminant)));
  CHECK((keeps<jig::spec<float, dyn, 4>, jig::spec<float, dyn, 4>>("Sum", discriminant)));
  CHECK((keeps<jig::spec<float, dyn, 3>, jig::spec<float, dyn, 3>>("Sum", [](auto x, auto y) { return 1 + jig::reduce_sum<1>(x * y); })));
  // The smallest of few, and of many.
  CHECK_FALSE((keeps<jig::spec<float, dyn, 3>, jig::spec<float, 16, 3>>("Sum", nearest)));
  CHECK((keeps<jig::spec<float, dyn, 3>, jig::spec<float, 17, 3>>("Sum", nearest)));
  CHECK((keeps<jig::spec<float, dyn, 3>, jig::spec<float, dyn, 3>>("Sum", nearest)));
  // Nobody goes on with it, or a loop over more.
  CHECK((keeps<jig::spec<float, dyn, 2>>("Sum", [](auto x) { return jig::reduce_sum<1>(x); })));
  CHECK((keeps<jig::spec<float, dyn, 2>>("Sum", [](auto x) { return x / jig::sqrt(jig::reduce_sum<1>(x, jig::keepdims)); })));
  // Two axes; what is computed first; much work; halves; means of integers.
  CHECK((keeps<jig::spec<float, dyn, 2, 2>>("Sum", [](auto x) { return 1 + jig::reduce_sum<1, 2>(x); })));
  CHECK((keeps<jig::spec<float, dyn, 2>>("Sum", [](auto x) { return 1 + jig::reduce_sum<1>(jig::cumsum<0>(x)); })));
  CHECK((keeps<jig::spec<float, 4, dyn>>("Sum", [](auto x) { return 1 + jig::reduce_sum<0>(jig::exp(x)); })));
  CHECK_FALSE((keeps<jig::spec<float, dyn, 2>>("Sum", [](auto x) { return 1 + jig::reduce_sum<1>(jig::exp(x)); })));
  CHECK((keeps<jig::spec<jig::half, dyn, 2>>("Sum", lengths)));
  CHECK((keeps<jig::spec<int, dyn, 2>>("Mean", [](auto x) { return 1 + jig::reduce_mean<1>(x); })));
  CHECK_FALSE((keeps<jig::spec<int, dyn, 2>>("Sum", [](auto x) { return 1 + jig::reduce_sum<1>(x); })));
  CHECK_FALSE((keeps<jig::spec<bool, dyn, 3>>("All", [](auto x) { return !(jig::reduce_any<1>(x) & !jig::reduce_all<1>(x)); })));
}
TEST_CASE("products of points with a small matrix are part of the loop behind them") {
  using points = jig::spec<float, dyn, 3>;
  using shift = jig::spec<float, 3>;
  CHECK_FALSE((keeps<points, jig::spec<float, 3, 3>, shift>("MatMul", moved)));
  CHECK_FALSE((keeps<jig::spec<float, 100, 2>, jig::spec<float, 8, 2>, jig::spec<float, 8>>("MatMul", moved_by_transpose)));
  CHECK((keeps<jig::spec<float, 100, 2>, jig::spec<float, 9, 2>, jig::spec<float, 9>>("MatMul", moved_by_transpose)));
  CHECK((keeps<jig::spec<float, dyn, 5>, jig::spec<float, 5, 3>, shift>("MatMul", moved)));
  CHECK((keeps<jig::spec<float, 4, 3>, jig::spec<float, 3, 3>, shift>("MatMul", moved)));
  CHECK((keeps<jig::spec<jig::half, dyn, 3>, jig::spec<jig::half, 3, 3>, jig::spec<jig::half, 3>>("MatMul", moved)));
  CHECK((keeps<points, jig::spec<float, 3, 3>>("MatMul", [](auto x, auto m) { return jig::matmul(x, m); })));
  CHECK((keeps<points, jig::spec<float, 3, 3>>("MatMul", [](auto x, auto m) { return jig::reduce_sum(jig::matmul(x, m)); })));
  CHECK((keeps<jig::spec<float, 3, dyn>, jig::spec<float, 3, 3>, shift>(
      "MatMul", [](auto x, auto m, auto z) { return jig::matmul(x, m, jig::transpose_a) + z; })));
  CHECK((keeps<points, jig::spec<float, 3, 3>, shift>("MatMul",
                                                      [](auto x, auto m, auto z) { return jig::matmul(jig::cumsum<0>(x), m) + z; })));
}

TEST_CASE("factors whose lengths only the call knows stay factors of products, which check them") {
  CHECK((keeps<jig::spec<float, dyn, 3>, jig::spec<float, dyn, 3>, jig::spec<float, 3>>("MatMul", moved)));
  constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) { return jig::matmul(x, w) + 1; });
  const jig::tensor<float, dyn, 3> x(20);
  CHECK(f(x, jig::tensor<float, dyn>(3)).size() == 20);
  CHECK(f(x, jig::tensor<float, dyn, 2>(3)).size() == 40);
  for (const jig::index n : {1, 2, 4, 5}) {
    CHECK_THROWS_WITH_AS(f(x, jig::tensor<float, dyn>(n)), doctest::Contains("MatMul"), jig::invalid_argument);
    CHECK_THROWS_WITH_AS(f(x, jig::tensor<float, dyn, 2>(n)), doctest::Contains("MatMul"), jig::invalid_argument);
    CHECK_THROWS_WITH_AS(f(jig::tensor<float, dyn>(n), jig::tensor<float, 3, dyn>(20)), doctest::Contains("MatMul"), jig::invalid_argument);
  }
}
TEST_CASE("products with a vector are part of the loop behind them") {
  constexpr auto weighed = [](auto x, auto w) { return jig::matmul(x, w) + 1; };
  using rows = jig::spec<float, dyn, 4>;
  CHECK_FALSE((is_apart<rows, jig::spec<float, 4>>(weighed)));
  CHECK_FALSE((is_apart<jig::spec<float, 4>, jig::spec<float, 4, dyn>>(weighed)));
  CHECK_FALSE(
      (is_apart<jig::spec<float, 4, dyn>, jig::spec<float, 4>>([](auto x, auto w) { return jig::matmul(x, w, jig::transpose_a) + 1; })));
  CHECK((is_apart<jig::spec<float, dyn, 5>, jig::spec<float, 5>>(weighed)));
  CHECK((is_apart<jig::spec<float, 15, 4>, jig::spec<float, 4>>(weighed)));
  CHECK_FALSE((is_apart<jig::spec<float, 16, 4>, jig::spec<float, 4>>(weighed)));
  // Factors that are computed are computed anew, as long as that is little work.
  CHECK_FALSE((is_apart<jig::spec<std::uint8_t, dyn, 3>, jig::spec<float, 3>>(
      [](auto x, auto w) { return jig::matmul(jig::cast<float>(x), w) / 255; })));
  CHECK((is_apart<rows, jig::spec<float, 4>>([](auto x, auto w) { return jig::matmul(jig::exp(x), w) + 1; })));
  // Nobody goes on with it; functions do; the product is needed for more.
  CHECK((is_apart<rows, jig::spec<float, 4>>([](auto x, auto w) { return jig::matmul(x, w); })));
  CHECK((is_apart<rows, jig::spec<float, 4>>([](auto x, auto w) { return jig::sigmoid(jig::matmul(x, w)); })));
  CHECK((is_apart<rows, jig::spec<float, 4, 1>>([](auto x, auto w) {
    const auto y = jig::matmul(x, w);
    return std::tuple(jig::squeeze<-1>(y) + 1, y);
  })));
}

namespace {

template <class T, int N>
void check_products(jig::index n) {
  static constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) {
    return std::tuple(jig::matmul(x, w) - 1, jig::matmul(2 * x, w) * 2, jig::matmul(w, jig::transpose(x)) + 2,
                      jig::matmul(jig::transpose(x), w, jig::transpose_a) + 3);
  });
  const auto x = random(jig::zeros<T, dyn, N>(n), static_cast<unsigned>(n * N));
  const auto w = random(jig::zeros<T, N>(), 9);
  const auto [less, twice, left, turned] = f(x, w);
  int wrong = 0;
  for (jig::index i = 0; i < n; ++i) {
    double sum = 0;
    for (jig::index k = 0; k < N; ++k) sum += static_cast<double>(x(i, k)) * static_cast<double>(w(k));
    wrong += !is_near(static_cast<double>(less(i)), sum - 1) || !is_near(static_cast<double>(twice(i)), 4 * sum);
    wrong += !is_near(static_cast<double>(left(i)), sum + 2) || !is_near(static_cast<double>(turned(i)), sum + 3);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("products with a vector have the values of plain loops", T, float, double, int) {
  for (const jig::index n : {0, 1, 3, 7, 8, 15, 16, 17, 33, 100}) {
    check_products<T, 2>(n);
    check_products<T, 3>(n);
    check_products<T, 4>(n);
    check_products<T, 5>(n);
  }
}

namespace {

template <class T, int N>
void check_rows(jig::index rows) {
  static constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(lengths(x), spread(x), kept(x)); });
  auto x = random(jig::zeros<T, dyn, N>(rows), static_cast<unsigned>(rows * N));
  if (rows > 4) x(4, N - 1) = std::numeric_limits<T>::quiet_NaN();
  const auto [length, range, doubled] = f(x);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i) {
    double squares = 0, sum = 0, high = static_cast<double>(x(i, 0)), low = high;
    for (jig::index k = 0; k < N; ++k) {
      const auto e = static_cast<double>(x(i, k));
      squares += e * e;
      sum += e;
      high = e != e ? e : std::max(high, e);
      low = e != e ? e : std::min(low, e);
    }
    wrong += !is_near(static_cast<double>(length(i)), std::sqrt(squares));
    wrong += !is_near(static_cast<double>(range(i)), (high - low) / (2 + sum / N));
    wrong += !is_near(static_cast<double>(doubled(i, 0)), 1 + 2 * sum);
  }
  CHECK(wrong == 0);
}
template <class T, int N>
void check_columns(jig::index columns) {
  static constexpr auto f = jig::function<"f(x)">(spread_of_columns);
  const auto x = random(jig::zeros<T, N, dyn>(columns), 3);
  const auto y = f(x);
  int wrong = 0;
  for (jig::index i = 0; i < columns; ++i) {
    T sum = 0, high = x(0, i), low = high;
    for (jig::index k = 0; k < N; ++k) {
      sum += x(k, i);
      high = std::max(high, x(k, i));
      low = std::min(low, x(k, i));
    }
    wrong += !is_near(static_cast<double>(y(i)), static_cast<double>(high - low + sum / N));
  }
  CHECK(wrong == 0);
}
template <class T, class P, class Q>
void check_pairs(P p, Q q) {
  static constexpr auto f = jig::function<"f(p, q)">([](auto a, auto b) { return std::tuple(nearest(a, b), all_pairs(a, b)); });
  static constexpr auto g = jig::function<"g(p)">(potential);
  p = random(p, 5);
  q = random(q, 6);
  const auto [least, pairs] = f(p, q);
  int wrong = 0;
  for (jig::index i = 0; i < p.extent(0); ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (jig::index j = 0; j < q.extent(0); ++j) {
      double squares = 0, sum = 0;
      for (jig::index k = 0; k < p.extent(1); ++k) {
        const double d = static_cast<double>(p(i, k)) - static_cast<double>(q(j, k));
        squares += d * d;
        sum += std::abs(d);
      }
      best = std::min(best, squares);
      wrong += !is_near(static_cast<double>(pairs(i, j)), 1 / (1 + sum));
    }
    wrong += !is_near(static_cast<double>(least(i)), best);
  }
  CHECK(wrong == 0);
  double all = 0;
  for (jig::index i = 0; i < p.extent(0); ++i)
    for (jig::index j = 0; j < p.extent(0); ++j) {
      double squares = 0;
      for (jig::index k = 0; k < p.extent(1); ++k) {
        const double d = static_cast<double>(p(i, k)) - static_cast<double>(p(j, k));
        squares += d * d;
      }
      all += 1 / (1 + squares);
    }
  CHECK(is_near(static_cast<double>(T(g(p))), all));
}

}  // namespace

TEST_CASE("of rows, of columns, with NaN") {
  for (jig::index n : {0, 1, 7, 8, 15, 16, 17, 31, 33, 100}) {
    check_rows<float, 2>(n);
    check_rows<double, 3>(n);
    check_rows<float, 4>(n);
    check_columns<float, 3>(n);
    check_columns<double, 2>(n);
  }
}
TEST_CASE("of all pairs of points") {
  check_pairs<float>(jig::zeros<float, 37, 3>(), jig::zeros<float, 50, 3>());
  check_pairs<double>(jig::zeros<double, 200, 2>(), jig::zeros<double, 8, 2>());
  for (jig::index n : {1, 5, 8, 16, 23, 40, 101}) {
    check_pairs<double>(jig::zeros<double, dyn, 3>(n), jig::zeros<double, dyn, 3>(n + 3));
    check_pairs<float>(jig::zeros<float, dyn, 4>(n + 20), jig::zeros<float, 17, 4>());
  }
}
TEST_CASE("of points and a small matrix") {
  static constexpr auto f = jig::function<"f(x, m, z)">(moved_by_transpose);
  static constexpr auto g = jig::function<"g(x, m, z)">(moved);
  const auto m = random(jig::zeros<double, 3, 3>(), 8);
  const auto z = random(jig::zeros<double, 3>(), 9);
  int wrong = 0;
  for (jig::index n : {0, 1, 7, 8, 9, 16, 33, 1000}) {
    const auto x = random(jig::zeros<double, dyn, 3>(n), 7);
    const auto by_rows = f(x, m, z), by_columns = g(x, m, z);
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < 3; ++k) {
        double a = z(k), b = z(k);
        for (jig::index c = 0; c < 3; ++c) {
          a += x(i, c) * m(k, c);
          b += x(i, c) * m(c, k);
        }
        wrong += !is_near(by_rows(i, k), a) + !is_near(by_columns(i, k), b);
      }
  }
  CHECK(wrong == 0);
}
TEST_CASE("results on top of arguments, and arguments at strides of the call") {
  static constexpr auto f = jig::function<"f(x, m, z)">(moved);
  const auto m = random(jig::zeros<float, 3, 3>(), 1);
  const auto z = random(jig::zeros<float, 3>(), 2);
  auto x = random(jig::zeros<float, dyn, 3>(45), 3);
  const auto expected = f(x, m, z);
  f.into(x, x, m, z);
  CHECK(std::equal(x.begin(), x.end(), expected.begin()));

  static constexpr auto g = jig::function<"g(x)">(lengths);
  const auto wide = random(jig::zeros<float, dyn, 5>(40), 4);
  const jig::view<const float, dyn, 3> some(wide.data(), {20, 3}, {10, 2});
  const auto y = g(some);
  int wrong = 0;
  for (jig::index i = 0; i < 20; ++i) {
    double squares = 0;
    for (jig::index k = 0; k < 3; ++k) squares += std::pow(static_cast<double>(wide.data()[10 * i + 2 * k]), 2);
    wrong += !is_near(static_cast<double>(y(i)), std::sqrt(squares));
  }
  CHECK(wrong == 0);
}
TEST_CASE("tensors that are put together are reduced where they are") {
  using row = jig::spec<float, 40>;
  constexpr auto length = [](auto x, auto y, auto z) { return jig::norm<0>(jig::stack<0>(x, y, z)); };
  constexpr auto most = [](auto x, auto y, auto z) { return jig::reduce_max<1>(jig::stack<1>(x, 2 * y, z)); };
  CHECK_FALSE((keeps<row, row, row>("Pack", length)));
  CHECK_FALSE((keeps<row, row, row>("Pack", most)));
  CHECK((keeps<row, row, row>("Pack", [](auto x, auto y, auto z) { return jig::reduce_max<0>(jig::stack<1>(x, y, z)); })));
  CHECK((keeps<row, row, row>("Pack", [](auto x, auto y, auto z) { return jig::reduce_sum<0>(jig::stack<0>(x, y, z), jig::keepdims); })));
  CHECK((keeps<row, row, row>("Pack", [](auto x, auto y, auto z) { return jig::reduce_sum<0>(jig::stack<0>(x, y, z, x, y)); })));
  CHECK((keeps<jig::spec<float, 15>, jig::spec<float, 15>, jig::spec<float, 15>>("Pack", most)));

  static constexpr auto f = jig::function<"f(x, y, z)">([](auto x, auto y, auto z) {
    const auto all = jig::stack<1>(x, 2 * y, z), scaled = all * jig::expand_dims<1>(x), other = jig::stack<1>(z, x, x);
    return std::tuple(jig::reduce_sum<1>(jig::square(all)), jig::reduce_max<1>(scaled), jig::reduce_mean<1>(all - other) + 1,
                      jig::reduce_min<1>(all), jig::reduce_any<1>(all > 4), jig::reduce_sum<1>(all, jig::keepdims), all);
  });
  const auto check = [](auto x) {
    x = random(x, 3);
    auto y = random(x, 4), z = random(x, 5);
    const jig::index n = x.size();
    if (n > 5) x.data()[1] = y.data()[2] = z.data()[3] = std::numeric_limits<float>::quiet_NaN();
    const auto [squares, largest, means, least, any, kept_sum, all] = f(x, y, z);
    bool same = true;
    for (jig::index i = 0; i < n; ++i) {
      const float a[] = {x(i), 2 * y(i), z(i)}, b[] = {z(i), x(i), x(i)};
      float high = a[0] * x(i), low = a[0], sum = 0, square = 0, difference = 0;
      bool exceeds = false;
      for (int k = 0; k < 3; ++k) {
        if (high == high && !(a[k] * x(i) <= high)) high = a[k] * x(i);
        if (low == low && !(a[k] >= low)) low = a[k];
        exceeds = exceeds || a[k] > 4;
        sum += a[k];
        square += a[k] * a[k];
        difference += a[k] - b[k];
        same = same && is_near(all(i, k), a[k]);
      }
      same = same && is_near(squares(i), square) && is_near(largest(i), high) && is_near(means(i), difference / 3 + 1);
      same = same && is_near(least(i), low) && any(i) == exceeds && is_near(kept_sum(i, 0), sum);
    }
    CHECK(same);
  };
  check(jig::zeros<float, 16>());
  check(jig::zeros<float, 37>());
  for (jig::index n : {0, 1, 33}) check(jig::zeros<float, dyn>(n));
}

TEST_CASE("tensors whose lengths only the call compares are put together by who compares them") {
  constexpr auto sum = [](auto x, auto y) { return jig::reduce_sum<1>(jig::stack<1>(x, y)); };
  constexpr auto squares = [](auto x, auto y) {
    return jig::reduce_sum<0>(jig::square(jig::concat<0>(jig::expand_dims<0>(x), jig::expand_dims<0>(y))));
  };
  using any = jig::spec<float, dyn>;
  using same = jig::spec<float, jig::dim<"n">>;
  CHECK((keeps<any, any>("Pack", sum)));
  CHECK((keeps<any, any>("ConcatV2", squares)));
  CHECK_FALSE((keeps<same, same>("Pack", sum)));
  CHECK_FALSE((keeps<same, same>("ConcatV2", squares)));
  CHECK_FALSE((keeps<any>("Pack", [](auto x) { return jig::reduce_sum<1>(jig::stack<1>(x, x * x)); })));

  static constexpr auto f = jig::function<"f(x, y)">(sum);
  static constexpr auto g = jig::function<"g(x, y)">(squares);
  for (jig::index n : {0, 1, 2, 16, 40}) {
    const auto x = random(jig::zeros<float, dyn>(n), 1), y = random(jig::zeros<float, dyn>(n), 2);
    const auto added = f(x, y), squared = g(x, y);
    REQUIRE(added.size() == n);
    for (jig::index i = 0; i < n; ++i) {
      CHECK(added(i) == x(i) + y(i));
      CHECK(squared(i) == x(i) * x(i) + y(i) * y(i));
    }
  }
  const auto five = jig::ones<float, dyn>(5), one = jig::ones<float, dyn>(1);
  CHECK_THROWS_WITH_AS(f(five, one), doctest::Contains("Pack: shapes differ: float32 (5,) and float32 (1,)"), jig::invalid_argument);
  CHECK_THROWS_WITH_AS(f(one, five), doctest::Contains("Pack: shapes differ: float32 (1,) and float32 (5,)"), jig::invalid_argument);
  CHECK_THROWS_WITH_AS(g(five, one), doctest::Contains("float32 (1, 5) and float32 (1, 1)"), jig::invalid_argument);
}

TEST_CASE("a loop goes on with the sum of some planes") {
  constexpr auto moments = jig::function<"moments(f)">([](auto f) {
    const auto density = jig::reduce_sum<0>(f);
    return jig::stack<0>(density, (f[1] - f[3]) / density, (jig::reduce_max<0>(f) - f[4]) / density);
  });
  const auto check = [&]<jig::index N, jig::index Rows, jig::index Columns>(jig::tensor<float, N, Rows, Columns> f, jig::index rows,
                                                                            jig::index columns) {
    f = random(f, 3);
    for (float& x : f) x = std::abs(x) + 1;
    const auto y = moments(f);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < columns; ++j) {
        double sum = 0, most = 0;
        for (jig::index k = 0; k < N; ++k) sum += f(k, i, j), most = std::max(most, static_cast<double>(f(k, i, j)));
        wrong += !is_near(y(0, i, j), sum) || !is_near(y(1, i, j), (f(1, i, j) - f(3, i, j)) / sum) ||
                 !is_near(y(2, i, j), (most - f(4, i, j)) / sum);
      }
    CHECK(wrong == 0);
  };
  check(jig::zeros<float, 5, 7, 9>(), 7, 9);
  check(jig::zeros<float, 9, dyn, dyn>(13, 5), 13, 5);
  check(jig::zeros<float, 10, dyn, dyn>(3, 33), 3, 33);
}

// SPDX-License-Identifier: MIT
#include <jig/eval/linear_systems.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using jig::dyn;

namespace {

using numbers = std::vector<double>;

numbers some_numbers(jig::index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> number;
  numbers x(static_cast<std::size_t>(n));
  for (double& e : x) e = number(generator);
  return x;
}

// One square matrix of a batch and its right-hand sides, as plain numbers.
struct matrix {
  jig::index n;
  numbers at;
  double& operator()(jig::index i, jig::index k) { return at[static_cast<std::size_t>(i * n + k)]; }
  double operator()(jig::index i, jig::index k) const { return at[static_cast<std::size_t>(i * n + k)]; }
};

double determinant(matrix a) {
  double product = 1;
  for (jig::index k = 0; k < a.n; ++k) {
    jig::index p = k;
    for (jig::index i = k; i < a.n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
    if (p != k) {
      product = -product;
      for (jig::index j = 0; j < a.n; ++j) std::swap(a(p, j), a(k, j));
    }
    product *= a(k, k);
    for (jig::index i = k + 1; i < a.n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (jig::index j = k; j < a.n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return product;
}

// Where a product of two matrices, of which the first is read in part, is not what it should be.
template <class Read, class Get, class Expected>
jig::index wrong_in_product(jig::index n, jig::index columns, double tolerance, Read read, Get get, Expected expected) {
  jig::index wrong = 0;
  for (jig::index i = 0; i < n; ++i)
    for (jig::index j = 0; j < columns; ++j) {
      double sum = 0, size = 1;
      for (jig::index k = 0; k < n; ++k) {
        sum += read(i, k) * get(k, j);
        size += std::abs(read(i, k) * get(k, j));
      }
      wrong += !(std::abs(sum - expected(i, j)) <= tolerance * size);
    }
  return wrong;
}

constexpr auto solve = jig::function<"solve(a, b)">([](auto a, auto b) { return jig::solve(a, b); });
constexpr auto solve_transposed =
    jig::function<"solve_transposed(a, b)">([](auto a, auto b) { return jig::solve(a, b, jig::transpose_a); });
constexpr auto inverse = jig::function<"inverse(a)">([](auto a) { return jig::inv(a); });
constexpr auto determinants = jig::function<"determinants(a)">([](auto a) { return jig::det(a); });
constexpr auto factor = jig::function<"factor(a)">([](auto a) { return jig::cholesky(a); });
constexpr auto triangular = jig::function<"triangular(a, b)">([](auto a, auto b) {
  return std::tuple(jig::triangular_solve(a, b), jig::triangular_solve(a, b, jig::transpose_a), jig::triangular_solve(a, b, jig::upper),
                    jig::triangular_solve(a, b, jig::transpose_a, jig::upper));
});

template <class A, class B>
void check(A a, B b) {
  using T = std::remove_const_t<typename A::value_type>;
  const double tolerance = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
  const jig::index batches = a.extent(0), n = a.extent(1), columns = b.extent(2);
  const numbers some = some_numbers(a.size(), 1), sides = some_numbers(b.size(), 2);
  std::transform(some.begin(), some.end(), a.data(), [](double x) { return static_cast<T>(x); });
  std::transform(sides.begin(), sides.end(), b.data(), [](double x) { return static_cast<T>(x); });
  const auto x = solve(a, b), xt = solve_transposed(a, b);
  const auto y = inverse(a);
  const auto products = determinants(a);
  // A matrix with a dominant diagonal is as good as one that is symmetric, of which one triangle is read.
  A definite = a;
  for (jig::index m = 0; m < batches; ++m)
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < n; ++k)
        definite(m, i, k) = k > i ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(k < i ? a(m, i, k) : T(2 * n + 1));
  const auto factors = factor(definite);
  A dominant = a;
  for (jig::index m = 0; m < batches; ++m)
    for (jig::index i = 0; i < n; ++i) dominant(m, i, i) = T(n + 1);
  const auto [low, low_transposed, high, high_transposed] = triangular(dominant, b);

  jig::index wrong = 0;
  for (jig::index m = 0; m < batches; ++m) {
    const auto given = [&](jig::index i, jig::index j) { return static_cast<double>(b(m, i, j)); };
    const auto number = [&](const auto& t, jig::index i, jig::index k) { return static_cast<double>(t(m, i, k)); };
    const auto unit = [](jig::index i, jig::index j) { return i == j ? 1.0 : 0.0; };
    // What is solved with a matrix that is nearly singular is as exact as its condition tells: against the size of what is added up.
    wrong += wrong_in_product(
        n, columns, tolerance, [&](jig::index i, jig::index k) { return number(a, i, k); },
        [&](jig::index k, jig::index j) { return number(x, k, j); }, given);
    wrong += wrong_in_product(
        n, columns, tolerance, [&](jig::index i, jig::index k) { return number(a, k, i); },
        [&](jig::index k, jig::index j) { return number(xt, k, j); }, given);
    wrong += wrong_in_product(
        n, n, tolerance, [&](jig::index i, jig::index k) { return number(a, i, k); },
        [&](jig::index k, jig::index j) { return number(y, k, j); }, unit);
    const auto in_triangle = [&](bool lower, bool transposed) {
      return [&, lower, transposed](jig::index i, jig::index k) {
        const jig::index row = transposed ? k : i, column = transposed ? i : k;
        return (lower ? column <= row : row <= column) ? number(dominant, row, column) : 0.0;
      };
    };
    wrong += wrong_in_product(
        n, columns, tolerance, in_triangle(true, false), [&](jig::index k, jig::index j) { return number(low, k, j); }, given);
    wrong += wrong_in_product(
        n, columns, tolerance, in_triangle(true, true), [&](jig::index k, jig::index j) { return number(low_transposed, k, j); }, given);
    wrong += wrong_in_product(
        n, columns, tolerance, in_triangle(false, false), [&](jig::index k, jig::index j) { return number(high, k, j); }, given);
    wrong += wrong_in_product(
        n, columns, tolerance, in_triangle(false, true), [&](jig::index k, jig::index j) { return number(high_transposed, k, j); }, given);
    wrong += wrong_in_product(
        n, n, tolerance, [&](jig::index i, jig::index k) { return number(factors, i, k); },
        [&](jig::index k, jig::index j) { return number(factors, j, k); },
        [&](jig::index i, jig::index j) { return number(definite, std::max(i, j), std::min(i, j)); });
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = i + 1; k < n; ++k) wrong += factors(m, i, k) != 0;
    matrix plain{n, {}};
    for (jig::index i = 0; i < n * n; ++i) plain.at.push_back(static_cast<double>(a.data()[m * n * n + i]));
    const double expected = determinant(plain);
    double bound = 1;
    for (jig::index i = 0; i < n; ++i) {
      double length = 0;
      for (jig::index k = 0; k < n; ++k) length += plain(i, k) * plain(i, k);
      bound *= std::sqrt(length);
    }
    wrong +=
        !(std::abs(static_cast<double>(products(m)) - expected) <= tolerance * static_cast<double>(n + 1) * (bound + std::abs(expected)));
  }
  CAPTURE(batches);
  CAPTURE(n);
  CAPTURE(columns);
  CHECK(wrong == 0);
}

template <class T, jig::index Batches, jig::index N, jig::index Columns>
void check_static() {
  check(jig::zeros<T, Batches, N, N>(), jig::zeros<T, Batches, N, Columns>());
}

}  // namespace

TEST_CASE("systems of any extents, in lanes and in rows") {
  const jig::index lanes = jig::simd::lanes<float>;
  for (const jig::index n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 50})
    for (const jig::index columns : {0, 1, 3, 8, 9, 20})
      for (const jig::index batches : {jig::index{0}, jig::index{1}, lanes / 2 - 1, lanes / 2, lanes + 1}) {
        if (n > 20 && batches > 1) continue;
        check(jig::zeros<float, dyn, dyn, dyn>(batches, n, n), jig::zeros<float, dyn, dyn, dyn>(batches, n, columns));
        if (columns < 4) check(jig::zeros<double, dyn, dyn, dyn>(batches, n, n), jig::zeros<double, dyn, dyn, dyn>(batches, n, columns));
      }
}

TEST_CASE("systems whose extents types tell") {
  check_static<float, 1, 2, 2>();
  check_static<float, 1, 3, 1>();
  check_static<double, 1, 4, 4>();
  check_static<double, 3, 4, 5>();
  check_static<float, 11, 3, 2>();
  check_static<double, 2, 6, 1>();
  check(jig::zeros<double, dyn, 3, 3>(9), jig::zeros<double, dyn, 3, 2>(9));
}

TEST_CASE("one small matrix is part of the function around it, as a vector is") {
  const jig::tensor<double, 3, 3> a{{2, 1, 0}, {1, 3, 1}, {0, 1, 4}};
  const jig::tensor<double, 3> b{1, 2, 3};
  static constexpr auto f = jig::function<"f(m, v)">([](auto m, auto v) {
    const auto lower = jig::cholesky(m);
    return std::tuple(jig::solve(m, v), jig::cholesky_solve(lower, v), jig::matmul(jig::inv(m), v), jig::det(m), lower,
                      jig::triangular_solve(lower, v, jig::transpose_a));
  });
  const auto [x, y, z, d, l, t] = f(a, b);
  const double expected[] = {1 / 3., 1 / 3., 2 / 3.};
  for (jig::index i = 0; i < 3; ++i) {
    CHECK(x(i) == doctest::Approx(expected[i]));
    CHECK(y(i) == doctest::Approx(expected[i]));
    CHECK(z(i) == doctest::Approx(expected[i]));
  }
  CHECK(d == doctest::Approx(18));
  CHECK(l(0, 0) == doctest::Approx(std::sqrt(2.)));
  CHECK(l(1, 0) == doctest::Approx(1 / std::sqrt(2.)));
  CHECK(l(2, 2) == doctest::Approx(std::sqrt(4 - 1 / 2.5)));
  CHECK(l(0, 2) == 0);
  CHECK(t(2) == doctest::Approx(3 / std::sqrt(3.6)));
}

TEST_CASE("matrices that lie apart, and right-hand sides that are shared") {
  const jig::index n = 5, batches = 6;
  jig::tensor<float, dyn, dyn, dyn> wide(jig::uninitialized, {3, {n, batches, 2 * n}});
  const numbers some = some_numbers(wide.size(), 3);
  std::transform(some.begin(), some.end(), wide.data(), [](double x) { return static_cast<float>(x); });
  // Batches along the second axis, every second column, from the last row up.
  const jig::view<const float, dyn, dyn, dyn> a(wide.data() + (n - 1) * batches * 2 * n, {batches, n, n}, {2 * n, -batches * 2 * n, 2});
  const float sides[] = {1, -2, 3, -4, 5};
  const jig::view<const float, dyn, dyn, dyn> b(sides, {batches, n, 1}, {0, 1, 1});
  const auto x = solve(a, b);
  jig::index wrong = 0;
  for (jig::index m = 0; m < batches; ++m)
    for (jig::index i = 0; i < n; ++i) {
      double sum = 0, size = 1;
      for (jig::index k = 0; k < n; ++k) {
        sum += static_cast<double>(a(m, i, k)) * static_cast<double>(x(m, k, 0));
        size += std::abs(static_cast<double>(a(m, i, k)) * static_cast<double>(x(m, k, 0)));
      }
      wrong += !(std::abs(sum - static_cast<double>(sides[i])) < 1e-5 * size);
    }
  CHECK(wrong == 0);
}

TEST_CASE("matrices without a solution are refused, those beside them count too") {
  for (const jig::index n : {2, 5, 12})
    for (const jig::index batches : {1, 3, 20}) {
      auto a = jig::zeros<double, dyn, dyn, dyn>(batches, n, n);
      for (jig::index m = 0; m < batches; ++m)
        for (jig::index i = 0; i < n; ++i) a(m, i, (i + 1) % n) = 1 + static_cast<double>(m);
      const auto b = jig::ones<double, dyn, dyn, dyn>(batches, n, 2);
      CHECK(solve(a, b)(batches - 1, 0, 1) == 1 / static_cast<double>(batches));
      CHECK(determinants(a)(0) == (n % 2 == 0 ? -1 : 1));
      CHECK_THROWS_WITH_AS(factor(a), doctest::Contains("Cholesky: a matrix is not positive definite"), jig::invalid_argument);
      CHECK_THROWS_WITH_AS(triangular(a, b), doctest::Contains("MatrixTriangularSolve: a matrix is not invertible"), jig::invalid_argument);
      for (jig::index i = 0; i < n; ++i) a(batches - 1, i, 0) = 0;
      CHECK_THROWS_WITH_AS(solve(a, b), doctest::Contains("MatrixSolve: a matrix is not invertible"), jig::invalid_argument);
      CHECK_THROWS_WITH_AS(inverse(a), doctest::Contains("MatrixInverse: a matrix is not invertible"), jig::invalid_argument);
      CHECK(determinants(a)(batches - 1) == 0);
    }
  CHECK_THROWS_WITH_AS(factor(jig::zeros<float, dyn, dyn>(2, 3)), doctest::Contains("Cholesky: the matrix is not square: float32 (2, 3)"),
                       jig::invalid_argument);
  CHECK_THROWS_WITH_AS(solve(jig::ones<float, dyn, dyn>(3, 3), jig::ones<float, dyn, dyn>(2, 3)),
                       doctest::Contains("the right-hand sides do not have as many rows as the matrix"), jig::invalid_argument);
}

TEST_CASE("NaN is passed on, tiny pivots have no reciprocal, large ones do not overflow") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), tiny = std::numeric_limits<float>::denorm_min();
  for (const jig::index n : {2, 6, 11}) {
    auto a = jig::zeros<float, dyn, dyn>(n, n);
    for (jig::index i = 0; i < n; ++i) a(i, i) = i == 0 ? 4 * tiny : 1e38f;
    if (n > 1) a(1, 0) = 2 * tiny;
    auto b = jig::ones<float, dyn, dyn>(n, 1);
    b(0, 0) = 8 * tiny;
    b(1, 0) = 1e38f;
    const auto x = solve(a, b);
    CHECK(x(0, 0) == 2);
    CHECK(x(1, 0) == 1);
    a(n - 1, n - 1) = nan;
    CHECK(std::isnan(solve(a, b)(n - 1, 0)));
    CHECK(std::isnan(inverse(a)(n - 1, n - 1)));
    CHECK(std::isnan(determinants(a)));
    CHECK(std::isnan(factor(a)(n - 1, n - 1)));
  }
}

TEST_CASE("determinants of few rows are exact where their products are, and those of equal rows are 0") {
  CHECK(determinants(jig::tensor<double, 2, 2>{{1, 2}, {3, 4}}) == -2);
  CHECK(determinants(jig::tensor<float, 3, 3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}) == -3);
  CHECK(determinants(jig::tensor<float, 2, 2>{{.1f, .1f}, {.1f, .1f}}) == 0);
  CHECK(determinants(jig::tensor<double, 3, 3>{{.1, .3, .7}, {.1, .3, .7}, {.2, .4, .6}}) == doctest::Approx(0).epsilon(1e-17));
  CHECK(determinants(jig::tensor<double, 1, 1>{{-3}}) == -3);
  CHECK(determinants(jig::tensor<float, 4, 4>{{1, 2, 3, 4}, {2, 5, 1, 0}, {3, -1, 7, 2}, {0, 4, 1, 6}}) == -20);
  auto many = jig::zeros<float, dyn, dyn, dyn>(20, 3, 3);
  for (jig::index m = 0; m < 20; ++m)
    for (jig::index i = 0; i < 3; ++i) many(m, i, 2 - i) = static_cast<float>(m + 1);
  const auto all = determinants(many);
  for (jig::index m = 0; m < 20; ++m) CHECK(all(m) == -static_cast<float>((m + 1) * (m + 1) * (m + 1)));
}

TEST_CASE("numbers of half size are computed as floats") {
  const jig::tensor<jig::half, 2, 2> a{{jig::half(4.f), jig::half(2.f)}, {jig::half(2.f), jig::half(3.f)}};
  const auto l = factor(a);
  CHECK(static_cast<float>(l(0, 0)) == 2);
  CHECK(static_cast<float>(l(1, 0)) == 1);
  CHECK(static_cast<float>(l(1, 1)) == doctest::Approx(std::sqrt(2.f)).epsilon(.001));
  CHECK(static_cast<float>(determinants(a)) == 8);
}

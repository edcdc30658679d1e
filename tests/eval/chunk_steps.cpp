// SPDX-License-Identifier: MIT
#include <jig/eval/chunk_steps.hpp>

#include <jig.hpp>
#include <jig/parallel.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

using jig::dyn;

struct centred {
  constexpr auto operator()(auto x) const { return x - jig::reduce_mean<-1>(x, jig::keepdims); }
};
struct softmax {
  constexpr auto operator()(auto x) const {
    auto e = jig::exp(x - jig::reduce_max<-1>(x, jig::keepdims));
    return e / jig::reduce_sum<-1>(e, jig::keepdims);
  }
};
struct normalised {
  constexpr auto operator()(auto x) const { return x / jig::sqrt(jig::reduce_sum<-1>(x * x, jig::keepdims) + 0.25); }
};
// A result between two others, and a row that all have in common.
struct with_sums {
  constexpr auto operator()(auto x, auto w) const {
    auto y = x * w;
    auto sum = jig::reduce_sum<-1>(y, jig::keepdims);
    return std::tuple(y - sum, sum, jig::reduce_max<-1>(y) + 1);
  }
};

// What is expected of one row of n numbers.
void expect(centred, const double* x, double* y, jig::index n) {
  double mean = 0;
  for (jig::index j = 0; j < n; ++j) mean += x[j] / static_cast<double>(n);
  for (jig::index j = 0; j < n; ++j) y[j] = x[j] - mean;
}
void expect(softmax, const double* x, double* y, jig::index n) {
  double most = x[0], sum = 0;
  for (jig::index j = 0; j < n; ++j) most = x[j] > most || x[j] != x[j] ? x[j] : most;
  for (jig::index j = 0; j < n; ++j) sum += std::exp(x[j] - most);
  for (jig::index j = 0; j < n; ++j) y[j] = std::exp(x[j] - most) / sum;
}
void expect(normalised, const double* x, double* y, jig::index n) {
  double sum = 0.25;
  for (jig::index j = 0; j < n; ++j) sum += x[j] * x[j];
  for (jig::index j = 0; j < n; ++j) y[j] = x[j] / std::sqrt(sum);
}

template <class T, jig::index... E>
jig::tensor<T, E...> filled(auto... extents) {
  jig::tensor<T, E...> x(jig::uninitialized, {sizeof...(E), {static_cast<jig::index>(extents)...}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 37 + 5) % 113 - 50) * T(0.125);
  return x;
}

template <class F, class X, class Y>
int wrong_rows(F f, const X& x, const Y& y) {
  constexpr double bound = std::is_same_v<typename X::value_type, float> ? 2e-6 : 1e-13;
  const jig::index n = x.extent(x.shape().rank - 1);
  double from[129], to[129];
  int wrong = 0;
  for (jig::index i = 0; i < x.size(); i += n) {
    for (jig::index j = 0; j < n; ++j) from[j] = static_cast<double>(x.data()[i + j]);
    expect(f, from, to, n);
    for (jig::index j = 0; j < n; ++j) {
      const auto found = static_cast<double>(y.data()[i + j]);
      wrong += std::isnan(to[j]) ? !std::isnan(found) : !(std::abs(found - to[j]) <= bound * (std::abs(to[j]) + 1));
    }
  }
  return wrong;
}

// As a result of its own, and on top of the argument.
template <class F, class X>
void check(F f, X x) {
  constexpr auto g = jig::function(F());
  CAPTURE(x.extent(0));
  const auto y = g(x);
  CHECK(wrong_rows(f, x, y) == 0);
  const X before = x;
  g.into(x, x);
  CHECK(wrong_rows(f, before, x) == 0);
}

template <class F, class... E>
constexpr int chunk_of = jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>::region(0).chunk;

constexpr jig::index counts[] = {0, 1, 2, 15, 31, 32, 33, 63, 64, 65, 95, 127, 128, 129, 191, 192, 193, 1000};

}  // namespace

TEST_CASE("few numbers in each of any number of rows") {
  static_assert(chunk_of<centred, jig::spec<float, dyn, 3>> > 1 && chunk_of<softmax, jig::spec<float, dyn, 3>> > 1);
  static_assert(chunk_of<centred, jig::spec<float, dyn, 128>> > 1 && chunk_of<centred, jig::spec<float, dyn, 129>> <= 1);
  // Long rows of much work are not many at once; the cache has fewer of longer ones.
  static_assert(chunk_of<softmax, jig::spec<float, dyn, 64>> > 1 && chunk_of<softmax, jig::spec<float, dyn, 128>> <= 1);
  static_assert(chunk_of<centred, jig::spec<double, dyn, 128>> < chunk_of<centred, jig::spec<double, dyn, 32>>);
  for (jig::index rows : counts) {
    check(centred(), filled<float, dyn, 3>(rows, 3));
    check(centred(), filled<double, dyn, 8>(rows, 8));
    check(softmax(), filled<float, dyn, 3>(rows, 3));
    check(normalised(), filled<float, dyn, 3>(rows, 3));
    check(normalised(), filled<double, dyn, 2>(rows, 2));
  }
}

TEST_CASE("rows that are too long for it, or not long enough for other ways") {
  for (jig::index rows : {0, 1, 63, 64, 65, 200}) {
    check(softmax(), filled<float, dyn, 31>(rows, 31));
    check(centred(), filled<float, dyn, 32>(rows, 32));
    check(softmax(), filled<float, dyn, 64>(rows, 64));
    check(centred(), filled<double, dyn, 128>(rows, 128));
    check(centred(), filled<float, dyn, 129>(rows, 129));
  }
}

TEST_CASE("rows along two axes") {
  for (jig::index rows : {0, 1, 12, 13, 14, 100}) check(softmax(), filled<float, dyn, 5, 3>(rows, 5, 3));
}

TEST_CASE("a static number of rows on both sides of a chunk") {
  check(centred(), filled<float, 63, 3>(63, 3));
  check(centred(), filled<float, 64, 3>(64, 3));
  check(softmax(), filled<float, 65, 3>(65, 3));
  check(normalised(), filled<float, 129, 3>(129, 3));
}

TEST_CASE("results in between, and a row for all") {
  constexpr auto f = jig::function(with_sums());
  for (jig::index rows : counts) {
    CAPTURE(rows);
    const auto x = filled<double, dyn, 4>(rows, 4);
    const auto w = filled<double, 4>(4);
    const auto [y, sum, most] = f(x, w);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i) {
      double s = 0, m = -std::numeric_limits<double>::infinity();
      for (jig::index j = 0; j < 4; ++j) {
        s += x(i, j) * w(j);
        m = std::max(m, x(i, j) * w(j));
      }
      wrong += std::abs(sum(i, 0) - s) > 1e-12 || most(i) != m + 1;
      for (jig::index j = 0; j < 4; ++j) wrong += std::abs(y(i, j) - (x(i, j) * w(j) - s)) > 1e-12;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("what is not a number stays in its row") {
  constexpr auto f = jig::function(softmax());
  for (jig::index rows : {3, 64, 129})
    for (float v :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()})
      for (jig::index at : {jig::index{0}, rows + 1, 3 * rows - 1}) {
        auto x = filled<float, dyn, 3>(rows, 3);
        x.data()[at] = v;
        CHECK(wrong_rows(softmax(), x, f(x)) == 0);
      }
}

TEST_CASE("rows that lie apart, or turned round") {
  constexpr auto f = jig::function(softmax());
  for (jig::index rows : {1, 63, 64, 65, 200}) {
    const auto numbers = filled<float, dyn>(rows * 6);
    jig::tensor<float, dyn, 3> x(jig::uninitialized, {2, {rows, 3}}), z(jig::uninitialized, {2, {rows, 3}});
    const jig::view<const float, dyn, 3> apart(numbers.data(), {2, {rows, 3}}, {2, {6, 2}}),
        turned(numbers.data(), {2, {rows, 3}}, {2, {1, rows}});
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < 3; ++j) {
        x(i, j) = apart(i, j);
        z(i, j) = turned(i, j);
      }
    CHECK(wrong_rows(softmax(), x, f(apart)) == 0);
    CHECK(wrong_rows(softmax(), z, f(turned)) == 0);
  }
}

TEST_CASE("threads share the rows, also on top of the argument") {
  constexpr auto f = jig::function(softmax());
  for (jig::index rows : {21'845, 21'846, 50'001}) {
    auto x = filled<float, dyn, 3>(rows, 3);
    const auto before = x;
    CHECK(wrong_rows(softmax(), x, jig::parallel(f)(x)) == 0);
    jig::parallel(f).into(x, x);
    CHECK(wrong_rows(softmax(), before, x) == 0);
  }
}

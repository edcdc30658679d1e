// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <jig.hpp>
#include <jig/parallel.hpp>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T, jig::index... E>
auto numbers(std::initializer_list<jig::index> wildcards, unsigned seed) {
  auto next = wildcards.begin();
  jig::shape extents;
  for (jig::index e : std::initializer_list<jig::index>{E...}) extents.push_back(e == jig::dyn ? *next++ : e);
  jig::tensor<T, E...> x(jig::uninitialized, extents);
  std::mt19937 generator(seed);
  for (T& e : x) e = static_cast<T>(static_cast<int>(generator() % 201) - 100) / static_cast<T>(std::is_integral_v<T> ? 1 : 8);
  return x;
}

// What each of some rows p has in common with each of some rows q.
constexpr auto distances = jig::function([](auto p, auto q) { return jig::reduce_sum<2>(jig::square(jig::expand_dims<1>(p) - q)); });
constexpr auto farthest = jig::function([](auto p, auto q) { return jig::reduce_max<2>(jig::abs(jig::expand_dims<1>(p) - q)); });

constexpr auto own = jig::function([](auto p, auto q) { return jig::reduce_sum<3>(jig::expand_dims<2>(p) * jig::expand_dims<1>(q)); });
constexpr auto shared = jig::function([](auto p, auto q) { return jig::reduce_sum<3>(jig::expand_dims<2>(p) * q); });

template <class T, jig::index A, jig::index B, jig::index C>
void check(jig::index rows = A, jig::index columns = B) {
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(C);
  const auto p = numbers<T, A, C>({rows}, 1);
  const auto q = numbers<T, B, C>({columns}, 2);
  const auto sums = distances(p, q);
  const auto largest = farthest(p, q);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index j = 0; j < columns; ++j) {
      T sum = 0, most = 0;
      for (jig::index k = 0; k < C; ++k) {
        const T d = static_cast<T>(p(i, k) - q(j, k)), size = d < T(0) ? static_cast<T>(-d) : d;
        sum = static_cast<T>(sum + d * d);
        most = size > most ? size : most;
      }
      wrong += sums(i, j) != sum;
      wrong += largest(i, j) != most;
    }
  CHECK(wrong == 0);
}

template <jig::index A, jig::index B, jig::index C>
bool keeps_columns() {
  constexpr auto f = distances.get_concrete_function(jig::spec<float, A, C>(), jig::spec<float, B, C>());
  return f.loop_nests().find("many places along the axis before it") != std::string::npos;
}

// Of each row p the form p M p, and p M q, where q is the row behind it.
constexpr auto forms = jig::function([](auto x, auto m) {
  const auto form = [](auto p, auto by, auto q) { return jig::reduce_sum<1, 2>(jig::expand_dims<2>(p) * by * jig::expand_dims<1>(q)); };
  const auto p = jig::strided_slice<jig::range_of(0, -1)>(x), q = jig::strided_slice<jig::range_of(1, jig::unbounded)>(x);
  return std::tuple(form(x, m, x), form(p, m, q));
});

void check_forms(const auto& x) {
  CAPTURE(x.extent(0));
  const auto m = numbers<float, 3, 3>({}, 9);
  const auto [all, next] = forms(x, m);
  int wrong = 0;
  for (jig::index b = 0; b < x.extent(0); ++b) {
    float form = 0, other = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        form += x(b, i) * m(i, j) * x(b, j);
        if (b + 1 < x.extent(0)) other += x(b, i) * m(i, j) * x(b + 1, j);
      }
    wrong += !(std::abs(all(b) - form) < 0.5f);
    if (b + 1 < x.extent(0)) wrong += !(std::abs(next(b) - other) < 0.5f);
  }
  CHECK(wrong == 0);
}

}  // namespace

// Of numbers like these every order of additions gives the same.
TEST_CASE("all rows with all rows, of which one side is found once for many of the other") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  check<float, 65, lanes, 3>();
  check<float, 64, lanes + 1, 2>();
  check<float, 130, 2 * lanes - 1, 3>();
  check<float, 9, 4 * lanes, 2>();
  check<float, 8, 9 * lanes + 5, 2>();
  check<float, 70, lanes - 1, 4>();
  check<float, 500, 10, 8>();
  check<float, 20, 5 * lanes, 16>();
  check<float, 12, 1, 3>();
  check<double, 67, 40, 3>();
  check<std::int32_t, 66, 37, 5>();
  check<std::uint8_t, 33, 70, 3>();
  for (jig::index rows : {0, 1, 7, 63, 64, 65, 129})
    for (jig::index columns : {jig::index{0}, jig::index{1}, lanes - 1, lanes, lanes + 1, 5 * lanes + 3}) {
      check<float, jig::dyn, jig::dyn, 3>(rows, columns);
      check<double, jig::dyn, 40, 2>(rows, 40);
    }
}

TEST_CASE("few rows do not pay for it") {
  CHECK(keeps_columns<8, 64, 2>());
  CHECK(!keeps_columns<7, 64, 2>());
  CHECK(keeps_columns<8, jig::dyn, 2>());
}

TEST_CASE("batches of rows with rows of their batch or of all") {
  const auto p = numbers<double, 3, 20, 3>({}, 3);
  const auto q = numbers<double, 3, 33, 3>({}, 4);
  const auto y = own(p, q);
  const auto one = numbers<double, 33, 3>({}, 5);
  const auto z = shared(p, one);
  int wrong = 0;
  for (jig::index b = 0; b < 3; ++b)
    for (jig::index i = 0; i < 20; ++i)
      for (jig::index j = 0; j < 33; ++j) {
        double sum = 0, other = 0;
        for (jig::index k = 0; k < 3; ++k) {
          sum += p(b, i, k) * q(b, j, k);
          other += p(b, i, k) * one(j, k);
        }
        wrong += y(b, i, j) != sum;
        wrong += z(b, i, j) != other;
      }
  CHECK(wrong == 0);
}

TEST_CASE("NaN, infinity and negative zero among them") {
  auto p = numbers<float, 16, 3>({}, 6);
  auto q = numbers<float, 32, 3>({}, 7);
  p(3, 1) = std::numeric_limits<float>::quiet_NaN();
  q(17, 2) = std::numeric_limits<float>::infinity();
  const auto sums = distances(p, q);
  const auto largest = farthest(p, q);
  for (jig::index i = 0; i < 16; ++i)
    for (jig::index j = 0; j < 32; ++j) {
      CHECK(std::isnan(sums(i, j)) == (i == 3));
      CHECK(std::isnan(largest(i, j)) == (i == 3));
      CHECK(std::isinf(sums(i, j)) == (i != 3 && j == 17));
    }
  constexpr auto products = jig::function([](auto x, auto y) { return jig::reduce_sum<2>(jig::expand_dims<1>(x) * y); });
  const auto zeros = products(jig::full<float, 16, 2>(-0.0f), jig::full<float, 32, 2>(1.0f));
  for (float z : zeros) CHECK(!std::signbit(z));
}

TEST_CASE("leaves that are views of the same memory, and of parts of it that lie behind one another") {
  constexpr auto f = forms.get_concrete_function(jig::spec<float, 100, 3>(), jig::spec<float, 3, 3>());
  CHECK(f.loop_nests().find("(100, 3*, 3*) lanes along axis 0") != std::string::npos);
  check_forms(numbers<float, 100, 3>({}, 8));
  for (jig::index rows : {1, 15, 16, 17, 33, 100}) check_forms(numbers<float, jig::dyn, 3>({rows}, 8));
}

namespace {

constexpr auto over_middle = jig::function<"over_middle(x)">([](const auto& x) {
  return std::tuple(jig::reduce_sum<1>(x * 2), jig::reduce_max<1>(x), jig::reduce_mean<1>(x), jig::reduce_any<1>(x > 3));
});
constexpr auto over_two = jig::function<"over_two(x, y)">([](const auto& x, const auto& y) {
  const auto d = jig::expand_dims<1>(x) - y;
  return std::tuple(jig::reduce_sum<2>(d * d), jig::reduce_min<2>(d));
});

// Of numbers that are small and whole, so that sums are exact.
template <class T>
int wrong_in_few_columns(jig::index rows, jig::index columns) {
  jig::tensor<T, jig::dyn, 3, jig::dyn> x(rows, columns);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 5) % 7);
  const auto [sum, largest, mean, any] = over_middle(x);
  int wrong = 0;
  for (jig::index r = 0; r < rows; ++r)
    for (jig::index c = 0; c < columns; ++c) {
      const auto at = [&](jig::index k) { return x(r, k, c); };
      const T total = static_cast<T>(at(0) + at(1) + at(2));
      wrong += sum(r, c) != static_cast<T>(2 * total);
      wrong += largest(r, c) != std::max(std::max(at(0), at(1)), at(2));
      wrong += mean(r, c) != static_cast<T>(total / T(3));
      wrong += any(r, c) != (at(0) > 3 || at(1) > 3 || at(2) > 3);
    }
  // One after another in memory, of another axis than the lanes'.
  jig::tensor<T, jig::dyn, 3> p(rows), q(columns);
  for (jig::index i = 0; i < p.size(); ++i) p.data()[i] = static_cast<T>(i % 5);
  for (jig::index i = 0; i < q.size(); ++i) q.data()[i] = static_cast<T>((i * 3) % 5);
  const auto [squares, least] = over_two(p, q);
  for (jig::index r = 0; r < rows; ++r)
    for (jig::index c = 0; c < columns; ++c) {
      T total = 0, smallest = std::numeric_limits<T>::max();
      for (jig::index k = 0; k < 3; ++k) {
        const T d = static_cast<T>(p(r, k) - q(c, k));
        total = static_cast<T>(total + d * d);
        smallest = std::min(smallest, d);
      }
      wrong += squares(r, c) != total || least(r, c) != smallest;
    }
  return wrong;
}

}  // namespace

TEST_CASE_TEMPLATE("fewer places than lanes, where only the call knows how many", T, float, double, std::int32_t, std::uint8_t) {
  int wrong = 0;
  for (jig::index rows : {0, 1, 2, 5})
    for (jig::index columns : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65}) wrong += wrong_in_few_columns<T>(rows, columns);
  CHECK(wrong == 0);
}

namespace {

constexpr auto over_rows = jig::function<"over_rows(x)">([](const auto& x) {
  return std::tuple(jig::reduce_sum<0>(x * 2), jig::reduce_max<0>(x), jig::reduce_mean<0>(x), jig::reduce_any<0>(x > 3),
                    jig::reduce_sum<0>(x * x - jig::reduce_min<0>(x)));
});
constexpr auto over_ends =
    jig::function<"over_ends(x)">([](const auto& x) { return std::tuple(jig::reduce_sum<0, 2>(x + 1), jig::reduce_min<0, 2>(x)); });

template <class T>
int wrong_in_few_columns_of_rows(jig::index rows, jig::index columns) {
  jig::tensor<T, jig::dyn, jig::dyn> x(rows, columns);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 5) % 7);
  const auto [sum, largest, mean, any, rest] = over_rows(x);
  int wrong = 0;
  for (jig::index c = 0; c < columns; ++c) {
    T total = 0, most = x(0, c), least = x(0, c), squares = 0;
    for (jig::index r = 0; r < rows; ++r) {
      total = static_cast<T>(total + x(r, c));
      squares = static_cast<T>(squares + x(r, c) * x(r, c));
      most = std::max(most, x(r, c));
      least = std::min(least, x(r, c));
    }
    wrong += sum(c) != static_cast<T>(2 * total) || largest(c) != most || any(c) != (most > 3);
    wrong += !(std::abs(static_cast<double>(mean(c)) - static_cast<double>(total / static_cast<T>(rows))) < 1e-5);
    wrong += rest(c) != static_cast<T>(squares - static_cast<T>(rows) * least);
  }
  jig::tensor<T, jig::dyn, jig::dyn, 3> y(rows, columns);
  for (jig::index i = 0; i < y.size(); ++i) y.data()[i] = static_cast<T>((i * 3) % 5);
  const auto [ends, smallest] = over_ends(y);
  for (jig::index c = 0; c < columns; ++c) {
    T total = 0, least = y(0, c, 0);
    for (jig::index r = 0; r < rows; ++r)
      for (jig::index k = 0; k < 3; ++k) {
        total = static_cast<T>(total + y(r, c, k) + 1);
        least = std::min(least, y(r, c, k));
      }
    wrong += ends(c) != total || smallest(c) != least;
  }
  return wrong;
}

}  // namespace

TEST_CASE_TEMPLATE("fewer columns than lanes of rows whose number only the call knows, on both sides of one part", T, float, double,
                   std::int32_t) {
  int wrong = 0;
  // A part of compensated sums has 32 numbers.
  for (jig::index rows : {1, 2, 3, 10, 11, 31, 32, 33, 64, 100})
    for (jig::index columns : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33}) wrong += wrong_in_few_columns_of_rows<T>(rows, columns);
  CHECK(wrong == 0);
  const auto nothing = over_rows(jig::tensor<T, jig::dyn, jig::dyn>(0, 3));
  for (jig::index c = 0; c < 3; ++c) {
    CHECK(std::get<0>(nothing)(c) == T(0));
    CHECK(!std::get<3>(nothing)(c));
  }
}

TEST_CASE_TEMPLATE("more columns than registers hold that are combined together: the last ones have one to themselves or overlap", T, float,
                   double, std::int32_t) {
  int wrong = 0;
  for (jig::index rows : {1, 3, 40})
    for (jig::index full : {2, 3, 4, 8, 9, 10, 16, 17, 24})
      for (jig::index more : {-1, 0, 1}) wrong += wrong_in_few_columns_of_rows<T>(rows, full * jig::simd::lanes<T> + more);
  CHECK(wrong == 0);
}

TEST_CASE("sums of many rows of few columns keep what rounding loses, in every column, with threads too") {
  constexpr auto f = jig::function<"f(x)">([](const auto& x) { return jig::reduce_sum<0>(x); });
  for (const jig::index rows : {32, 33, 100'000})
    for (const jig::index columns : {1, 3, 15, 70}) {
      jig::tensor<float, jig::dyn, jig::dyn> x(rows, columns);
      for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.1f + static_cast<float>(i % 13) / 7;
      const auto y = f(x), together = jig::parallel(f)(x);
      for (jig::index c = 0; c < columns; ++c) {
        CHECK(std::abs(y(c) - together(c)) <= 1e-6f * y(c));
        double sum = 0;
        for (jig::index r = 0; r < rows; ++r) sum += static_cast<double>(x(r, c));
        CHECK(std::abs(static_cast<double>(y(c)) - sum) <= 1e-6 * sum);
      }
    }
}

TEST_CASE("few places with NaN, infinity, zeros and functions that mind zeros") {
  constexpr auto f = jig::function<"f(x)">(
      [](const auto& x) { return std::tuple(jig::reduce_sum<0>(x), jig::reduce_max<0>(x), jig::reduce_sum<0>(1 / jig::sqrt(x))); });
  constexpr auto quotients = jig::function<"quotients(x)">([](const auto& x) { return jig::reduce_sum<0>(840 / x); });
  for (const jig::index n : {1, 2, 3, 5, 8, 11, 15, 16, 18}) {
    jig::tensor<float, 2, jig::dyn> x(n);
    jig::tensor<int, 2, jig::dyn> k(n);
    for (jig::index c = 0; c < n; ++c) {
      x(0, c) = x(1, c) = c % 2 == 0 ? -0.0f : 4.0f;
      k(0, c) = static_cast<int>(c % 8 + 1), k(1, c) = 2;
    }
    x(1, n - 1) = std::numeric_limits<float>::quiet_NaN();
    if (n > 3) x(0, 1) = std::numeric_limits<float>::infinity();
    // What lies behind the last place is not read as one, nor written.
    std::vector<float> room(static_cast<std::size_t>(n) + 1, 7.0f);
    const auto [sum, largest, roots] = f(x);
    int wrong = 0;
    for (jig::index c = 0; c < n; ++c) {
      const bool nan = c == n - 1;
      wrong += std::isnan(sum(c)) != nan || std::isnan(largest(c)) != nan || std::isnan(roots(c)) != nan;
      if (!nan) wrong += sum(c) != x(0, c) + x(1, c) || std::signbit(sum(c)) || largest(c) != std::max(x(0, c), x(1, c));
      wrong += quotients(k)(c) != 840 / k(0, c) + 420;
    }
    CHECK(wrong == 0);
    constexpr auto sums = jig::function<"sums(x)">([](const auto& y) { return jig::reduce_sum<0>(y * 2); });
    jig::view<float, jig::dyn> out(room.data(), {n}, {1});
    sums.into(out, x);
    CHECK(room.back() == 7.0f);
  }
}

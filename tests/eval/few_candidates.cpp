// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "../comes_first.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

using jig::dyn;

namespace {

constexpr auto found_in = [](auto candidates) {
  return std::tuple(jig::argmin<1>(candidates), jig::argmax<1>(candidates), jig::cast<int>(jig::argmin<1>(candidates)));
};
// Products, so that infinity and zero give NaN; many of them are equal.
constexpr auto products = [](auto x, auto c) { return found_in(jig::expand_dims<1>(x) * c); };
constexpr auto distances = [](auto p, auto c) { return found_in(jig::reduce_sum<2>(jig::abs(jig::expand_dims<1>(p) - c))); };

template <class T>
T number(std::mt19937& generator, bool special) {
  const auto n = generator();
  if constexpr (std::is_floating_point_v<T>) {
    if (special && n % 13 == 0) return std::numeric_limits<T>::quiet_NaN();
    if (special && n % 11 == 0) return n % 2 == 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    if (n % 7 == 0) return n % 2 == 0 ? T(0) : -T(0);
  }
  return static_cast<T>(static_cast<int>(n % 9) - (std::is_unsigned_v<T> ? 0 : 4));
}
template <class T, class Found>
int wrong_in_row(const Found& found, jig::index i, const T* row, int n) {
  int low = 0, high = 0;
  for (int k = 1; k < n; ++k) {
    if (comes_first(row[k], row[low], true)) low = k;
    if (comes_first(row[k], row[high], false)) high = k;
  }
  return (std::get<0>(found)(i) != low) + (std::get<1>(found)(i) != high) + (std::get<2>(found)(i) != low);
}

template <class T, int N, jig::index Rows = dyn>
int wrong_products(jig::index rows, bool special) {
  static constexpr auto f = jig::function<"f(x, c)">(products);
  std::mt19937 generator(static_cast<unsigned>(rows * N));
  auto x = [&] {
    if constexpr (Rows == dyn) return jig::zeros<T, dyn>(rows);
    else return jig::zeros<T, Rows>();
  }();
  auto c = jig::zeros<T, N>();
  for (T& e : x) e = number<T>(generator, special);
  for (T& e : c) e = number<T>(generator, special && generator() % 8 == 0);
  const auto found = f(x, c);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i) {
    T row[N];
    for (int k = 0; k < N; ++k) row[k] = static_cast<T>(x(i) * c(k));
    wrong += wrong_in_row(found, i, row, N);
  }
  return wrong;
}
template <class T, int N>
int wrong_of_all_lengths() {
  int wrong = 0;
  constexpr auto lanes = static_cast<jig::index>(64 / sizeof(T));
  for (jig::index rows : {jig::index{0}, jig::index{1}, jig::index{3}, lanes / 2, lanes - 1, lanes, lanes + 1, 3 * lanes + 5})
    for (bool special : {false, true}) wrong += wrong_products<T, N>(rows, special);
  return wrong;
}
template <class T, int N, int Components>
int wrong_distances(jig::index rows) {
  static constexpr auto f = jig::function<"f(p, c)">(distances);
  std::mt19937 generator(static_cast<unsigned>(rows));
  auto p = jig::zeros<T, dyn, Components>(rows);
  auto c = jig::zeros<T, N, Components>();
  for (T& e : p) e = number<T>(generator, false);
  for (T& e : c) e = number<T>(generator, false);
  if constexpr (std::is_floating_point_v<T>)
    if (rows > 5) p(5, 1) = std::numeric_limits<T>::quiet_NaN();
  const auto found = f(p, c);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i) {
    T row[N] = {};
    for (int k = 0; k < N; ++k)
      for (int a = 0; a < Components; ++a) row[k] = static_cast<T>(row[k] + std::abs(p(i, a) - c(k, a)));
    wrong += wrong_in_row(found, i, row, N);
  }
  return wrong;
}

}  // namespace

TEST_CASE("the first of the best candidates, NaN before all numbers") {
  CHECK(wrong_of_all_lengths<float, 2>() == 0);
  CHECK(wrong_of_all_lengths<float, 7>() == 0);
  CHECK(wrong_of_all_lengths<float, 32>() == 0);
  CHECK(wrong_of_all_lengths<double, 5>() == 0);
}
TEST_CASE("integers of every width") {
  CHECK(wrong_of_all_lengths<std::int8_t, 3>() == 0);
  CHECK(wrong_of_all_lengths<std::uint8_t, 6>() == 0);
  CHECK(wrong_of_all_lengths<std::int16_t, 4>() == 0);
  CHECK(wrong_of_all_lengths<int, 9>() == 0);
  CHECK(wrong_of_all_lengths<std::uint64_t, 5>() == 0);
}
TEST_CASE("static extents") {
  CHECK((wrong_products<float, 7, 16>(16, true)) == 0);
  CHECK((wrong_products<float, 7, 100>(100, true)) == 0);
  CHECK((wrong_products<double, 3, 37>(37, true)) == 0);
}
TEST_CASE("nearest places") {
  for (jig::index rows : {1, 16, 17, 100}) {
    CHECK((wrong_distances<float, 7, 2>(rows)) == 0);
    CHECK((wrong_distances<double, 4, 3>(rows)) == 0);
    CHECK((wrong_distances<int, 5, 2>(rows)) == 0);
  }
}
TEST_CASE("candidates along the first axis") {
  static constexpr auto f = jig::function<"f(x, b)">([](auto x, auto b) { return jig::argmax<0>(x + b); });
  auto x = jig::zeros<float, 5, dyn>(43);
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < 43; ++i) x(k, i) = static_cast<float>((k * 31 + i * 17) % 7);
  const auto b = jig::tensor<float, 5, 1>{{0}, {1}, {0}, {2}, {0}};
  const auto found = f(x, b);
  int wrong = 0;
  for (int i = 0; i < 43; ++i) {
    int at = 0;
    for (int k = 1; k < 5; ++k)
      if (x(k, i) + b(k, 0) > x(at, i) + b(at, 0)) at = k;
    wrong += found(i) != at;
  }
  CHECK(wrong == 0);
}

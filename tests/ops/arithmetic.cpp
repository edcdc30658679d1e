// SPDX-License-Identifier: MIT
#include <jig/ops/arithmetic.hpp>

#include "../compared_pairs.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T>
T larger(T x, T y) {
  return x != x ? x : y != y ? y : x > y ? x : y;
}
template <class T>
T smaller(T x, T y) {
  return x != x ? x : y != y ? y : x < y ? x : y;
}

}  // namespace

TEST_CASE_TEMPLATE("floating numbers: what C++ computes; NaN on either side is the maximum and the minimum", T, float, double) {
  auto ops = [](const auto& x, const auto& y) {
    // Which of two zeros is larger is not said.
    return std::tuple(x + y, x - y, x * y, x / y, x % y, jig::squared_difference(x, y), jig::maximum(x, y) + 0, jig::minimum(x, y) + 0);
  };
  const row<T> rows[] = {
      {"+", [](T x, T y) { return x + y; }},
      {"-", [](T x, T y) { return x - y; }},
      {"*", [](T x, T y) { return x * y; }},
      {"/", [](T x, T y) { return x / y; }},
      {"%", [](T x, T y) { return std::fmod(x, y); }},
      {"squared_difference", [](T x, T y) { return (x - y) * (x - y); }},
      {"maximum", [](T x, T y) { return larger(x, y) + 0; }},
      {"minimum", [](T x, T y) { return smaller(x, y) + 0; }},
  };
  compare<T>(ops, rows, true);
}

TEST_CASE_TEMPLATE("integers wrap", T, std::int8_t, std::int32_t, std::uint16_t, std::uint64_t) {
  auto ops = [](const auto& x, const auto& y) {
    return std::tuple(x + y, x - y, x * y, jig::squared_difference(x, y), jig::maximum(x, y), jig::minimum(x, y));
  };
  const row<T> rows[] = {
      {"+", [](T x, T y) { return static_cast<T>(as_bits(x) + as_bits(y)); }},
      {"-", [](T x, T y) { return static_cast<T>(as_bits(x) - as_bits(y)); }},
      {"*", [](T x, T y) { return static_cast<T>(as_bits(x) * as_bits(y)); }},
      {"squared_difference", [](T x, T y) { return static_cast<T>((as_bits(x) - as_bits(y)) * (as_bits(x) - as_bits(y))); }},
      {"maximum", larger},
      {"minimum", smaller},
  };
  compare<T>(ops, rows, true);
}

TEST_CASE_TEMPLATE("atan2 has the quadrant of the point", T, float, double) {
  const T inf = std::numeric_limits<T>::infinity();
  std::vector<T> y, x;
  for (T a : {T(-2), T(-0.5), T(0), T(0.1), T(1), T(3)})
    for (T b : {T(-2), T(-0.5), T(0.1), T(1), T(3), inf, std::numeric_limits<T>::quiet_NaN()}) y.push_back(a), x.push_back(b);
  y.push_back(1), x.push_back(0);
  const row<T> rows[] = {{"atan2", [](T b, T a) { return std::atan2(b, a); }}};
  auto atan2 = [](const auto& b, const auto& a) { return std::tuple(jig::atan2(b, a)); };
  check<T>(atan2, rows, y, x, std::is_same_v<T, float> ? 1e-6 : 1e-14);
}

TEST_CASE("add_n adds from left to right, fma and strings") {
  auto a = tensor_of<float>({1e8f, 1}), b = tensor_of<float>({-1e8f, 2}), c = tensor_of<float>({1, 3});
  CHECK(jig::add_n(a, b, c)(0) == 1);
  CHECK(jig::add_n(c, a, b)(0) == 0);
  CHECK(jig::add_n(a)(1) == 1);
  CHECK(jig::add_n(tensor_of<std::int8_t>({100}), tensor_of<std::int8_t>({100}))(0) == -56);
  for (std::size_t n : {0u, 1u, 5u, 67u}) {
    std::vector<double> x(n, 3), y(n, 0.5), z(n, -1);
    auto r = jig::fma(tensor_of(x), tensor_of(y), tensor_of(z));
    for (double v : r) CHECK(v == 0.5);
  }
  auto words = tensor_of<std::string>({"a", "", "long enough for the heap, surely"});
  CHECK((words + words)(2) == "long enough for the heap, surelylong enough for the heap, surely");
  CHECK((jig::tensor<std::string>{"<"} + words)(1) == "<");
}

TEST_CASE("a scalar operand and a row broadcast") {
  constexpr auto f = jig::function<"f(a, x)">([](auto a, auto x) { return a - x * 2; });
  for (std::size_t n : {0u, 1u, 5u, 67u}) {
    std::vector<int> x(n, 4);
    auto r = f(1, x);
    REQUIRE(r.size() == static_cast<jig::index>(n));
    for (int v : r) CHECK(v == -7);
  }
  auto table = jig::tensor<int, 2, 1>{{10}, {20}} + jig::tensor<int, 3>{1, 2, 3};
  CHECK(table(1, 2) == 23);
}

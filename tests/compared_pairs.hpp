// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

// Ops on two numbers, judged by what C++ computes of random numbers and of extremes.

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

template <class T>
T random_number(std::mt19937& g) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(std::uniform_real_distribution<double>(-9, 9)(g));
  else return static_cast<T>((std::uint64_t{g()} << 32) ^ g());
}

template <class T>
bool same(T a, T b, double relative = 0) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (relative > 0 && std::isfinite(a)) return std::abs(a - b) <= static_cast<T>(relative) * std::abs(b);
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

/// What one of several ops gives of two numbers.
template <class T>
struct row {
  const char* name;
  T (*expected)(T, T);
};

/// Several ops in one trace; of one dtype also at once, which runs the same kernels.
template <class T, std::size_t N>
void check(auto ops, const row<T> (&rows)[N], const std::vector<T>& a, const std::vector<T>& b, double relative = 0) {
  constexpr auto traced = jig::function<"f(x, y)">(ops);
  auto x = tensor_of(a), y = tensor_of(b);
  auto check_one = [&](const row<T>& r, const jig::tensor<T, jig::dyn>& found) {
    REQUIRE(found.size() == x.size());
    for (jig::index i = 0; i < x.size(); ++i) {
      T e = r.expected(x(i), y(i));
      if (!same<T>(found(i), e, relative))
        FAIL_CHECK(std::string(r.name) << " of " << sizeof(T) << " bytes: (" << +x(i) << ", " << +y(i) << ") gives " << +found(i)
                                       << ", not " << +e);
    }
  };
  auto check_all = [&](const auto& results) {
    static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(results)>> == N);
    std::apply([&, k = 0](const auto&... found) mutable { (check_one(rows[k++], found), ...); }, results);
  };
  check_all(traced(x, y));
  if constexpr (std::is_same_v<T, std::int32_t>) check_all(ops(x, y));
}

template <class T, std::size_t N>
void compare(auto ops, const row<T> (&rows)[N], bool zeros) {
  std::mt19937 g(5);
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> a(n), b(n);
    for (auto& x : a) x = random_number<T>(g);
    for (auto& y : b) do
        y = random_number<T>(g);
      while (y == 0 && !zeros);
    check<T>(ops, rows, a, b);
  }
  // Every pair of extremes.
  using limits = std::numeric_limits<T>;
  std::vector<T> edges{T(0), T(1), T(2), static_cast<T>(-T(1)), limits::max(), limits::lowest(), static_cast<T>(limits::max() / 2)};
  if constexpr (std::is_floating_point_v<T>)
    edges.insert(edges.end(), {-T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), T(0.5)});
  std::vector<T> a, b;
  for (T x : edges)
    for (T y : edges)
      if (y != 0 || zeros) a.push_back(x), b.push_back(y);
  check<T>(ops, rows, a, b);
}

/// Numbers as unsigned 64-bit ones, which wrap.
inline constexpr auto as_bits = [](auto x) { return static_cast<std::uint64_t>(x); };

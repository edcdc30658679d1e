// SPDX-License-Identifier: MIT
#pragma once
// Tensors of every dtype beside numbers of every type that may join them, compared with loops in C++.

#include "traced_and_eager.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

inline constexpr jig::index number_cases = 37;

struct with_number {
  constexpr auto operator()(auto x, auto k) const {
    return std::tuple(x + k, k - x * k, jig::maximum(x, k) * (k - 1), jig::where(x > k, x, k), jig::cast<int>(x == k));
  }
};
inline constexpr auto function_with_number = jig::function<"with_number(x, k)">(with_number());

/// Whether two elements are the same number.
template <class T>
bool same_element(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using std::abs;
    // A compiler may join a product and a sum.
    return a == b || abs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * abs(b);
  } else {
    return a == b;
  }
}

/// How many elements of `call(f, x, k)` differ from what a loop computes. Results are containers of elements.
template <class T, class K, class Call>
int wrong_with_number(const Call& call, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> x(static_cast<std::size_t>(number_cases));
  for (auto& e : x) e = static_cast<T>(random() % 21);
  const K k = static_cast<K>(static_cast<K>(random() % 20) + static_cast<K>(std::is_floating_point_v<K> ? 0.25 : 0));
  const T joined = static_cast<T>(k), less = static_cast<T>(static_cast<K>(k - 1));
  const auto results = call(function_with_number, x, k);
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto at = static_cast<jig::index>(i);
    const auto bad = [&](const auto& given, T expected) { return !same_element<T>(given(at), expected); };
    wrong += bad(std::get<0>(results), static_cast<T>(x[i] + joined));
    wrong += bad(std::get<1>(results), static_cast<T>(joined - static_cast<T>(x[i] * joined)));
    wrong += bad(std::get<2>(results), static_cast<T>(std::max(x[i], joined) * less));
    wrong += bad(std::get<3>(results), x[i] > joined ? x[i] : joined);
    wrong += std::get<4>(results)(at) != (x[i] == joined ? 1 : 0);
  }
  return wrong;
}

template <class T, class... K, class Call>
void compare_dtypes(const Call& call) {
  int wrong = 0;
  for (unsigned seed = 0; seed < 5; ++seed) ((wrong += wrong_with_number<T, K>(call, seed)), ...);
  CHECK(wrong == 0);
}

template <class Call>
void compare_numbers(const Call& call) {
  compare_dtypes<float, int, std::uint8_t, std::int64_t, unsigned long, double>(call);
  compare_dtypes<double, int, std::int16_t, unsigned long, float>(call);
  compare_dtypes<std::int8_t, int, std::int64_t>(call);
  compare_dtypes<std::uint8_t, int, std::int16_t>(call);
  compare_dtypes<std::int32_t, std::int64_t, std::uint8_t>(call);
  compare_dtypes<std::int64_t, int, unsigned>(call);
  compare_dtypes<std::uint64_t, int>(call);
}

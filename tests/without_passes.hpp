// SPDX-License-Identifier: MIT
#pragma once
// What passes promise: the same bits with and without them, and of a NaN that it is one.

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

template <class T>
bool same_bits(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  if constexpr (std::is_floating_point_v<T>) return a == b && std::signbit(a) == std::signbit(b);
  else return a == b;
}
template <class T, jig::index... E>
bool same_bits(const jig::tensor<T, E...>& a, const jig::tensor<T, E...>& b) {
  bool same = a.shape() == b.shape();
  for (jig::index i = 0; same && i < a.size(); ++i) same = same_bits<T>(a.data()[i], b.data()[i]);
  return same;
}
template <class... T>
bool same_bits(const std::tuple<T...>& a, const std::tuple<T...>& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same_bits(std::get<I>(a), std::get<I>(b)) && ...);
  }(std::index_sequence_for<T...>());
}

template <class F, class... X>
void same_without_passes(F f, const X&... x) {
  CHECK(same_bits(f(x...), f.without_passes()(x...)));
}

/// Numbers that tell rules apart that only nearly hold.
template <class T>
std::vector<T> telling_numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> out{T(0), T(1), T(2), T(3), T(7), limits::max(), limits::lowest()};
  // One by one: GCC 12 warns of insertions that are all right.
  if constexpr (limits::is_signed)
    for (T x : {T(-1), T(-2), T(-7)}) out.push_back(x);
  if constexpr (std::is_floating_point_v<T>)
    for (T x : {T(-0.0), T(0.5), T(-0.5), T(1.5), T(2.5), T(-2.5), T(0.1), T(-1e10), T(3e30), limits::min(), limits::denorm_min(),
                -limits::denorm_min(), limits::infinity(), -limits::infinity(), limits::quiet_NaN()})
      out.push_back(x);
  return out;
}

/// All pairs of them, as two vectors.
template <class T>
std::tuple<std::vector<T>, std::vector<T>> telling_pairs() {
  std::tuple<std::vector<T>, std::vector<T>> out;
  for (T x : telling_numbers<T>())
    for (T y : telling_numbers<T>()) {
      std::get<0>(out).push_back(x);
      std::get<1>(out).push_back(y);
    }
  return out;
}

// SPDX-License-Identifier: MIT
#pragma once
// Rows to sort, and whether they are sorted: bit by bit, NaN the largest, equals in the order that they had.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <jig/core/shape.hpp>

template <class T>
inline T random_element(std::mt19937& random) {
  const auto number = static_cast<int>(random() % 23) - 11;
  if constexpr (std::is_floating_point_v<T>) {
    switch (random() % 12) {
      case 0: return std::numeric_limits<T>::quiet_NaN();
      case 1: return std::numeric_limits<T>::infinity();
      case 2: return -std::numeric_limits<T>::infinity();
      case 3: return T(-0.0);
      default: return static_cast<T>(number) / 2;
    }
  } else {
    switch (random() % 12) {
      case 0: return (std::numeric_limits<T>::max)();
      case 1: return std::numeric_limits<T>::lowest();
      default: return static_cast<T>(number);
    }
  }
}

// Of rows along the middle axis: whether each is in order, and has the elements that it had, bit by bit.
template <class T>
inline bool is_sorted_of(const T* y, const T* x, jig::index outer, jig::index n, jig::index inner, bool descending) {
  const auto is_nan = [](T e) { return e != e; };
  const auto bits = [](T e) {
    std::uint64_t out = 0;
    std::memcpy(&out, &e, sizeof(T));
    return out;
  };
  std::vector<std::uint64_t> had, has;
  for (jig::index o = 0; o < outer; ++o)
    for (jig::index i = 0; i < inner; ++i) {
      had.clear();
      has.clear();
      for (jig::index k = 0; k < n; ++k) {
        const jig::index at = (o * n + k) * inner + i;
        had.push_back(bits(x[at]));
        has.push_back(bits(y[at]));
        if (k == 0) continue;
        T a = y[at - inner], b = y[at];
        if (descending) std::swap(a, b);
        if (is_nan(a) ? !is_nan(b) : b < a) return false;
      }
      std::sort(had.begin(), had.end());
      std::sort(has.begin(), has.end());
      if (had != has) return false;
    }
  return true;
}

// Where the elements of a row in order are, found by insertion: NaN is largest, of equals the first one comes first.
template <class T>
inline std::vector<std::int32_t> order_of(const T* x, jig::index n, jig::index apart, bool descending) {
  const auto less = [](T a, T b) { return a < b || (b != b && a == a); };
  std::vector<std::int32_t> order;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(n); ++k) {
    auto to = order.end();
    const auto later = [&](std::int32_t other) {
      const T own = x[k * apart], theirs = x[other * apart];
      return descending ? less(theirs, own) : less(own, theirs);
    };
    while (to != order.begin() && later(*(to - 1))) --to;
    order.insert(to, k);
  }
  return order;
}
// How many positions along the middle axis are others than these.
template <class T>
inline int wrong_places(const std::int32_t* places, const T* x, jig::index outer, jig::index n, jig::index inner, bool descending) {
  int wrong = 0;
  for (jig::index o = 0; o < outer; ++o)
    for (jig::index i = 0; i < inner; ++i) {
      const jig::index first = o * n * inner + i;
      const auto expected = order_of(x + first, n, inner, descending);
      for (jig::index k = 0; k < n; ++k) wrong += places[first + k * inner] == expected[static_cast<std::size_t>(k)] ? 0 : 1;
    }
  return wrong;
}

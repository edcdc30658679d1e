// SPDX-License-Identifier: MIT
#include <jig/eval/sort_network.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace {

using jig::dyn;

template <class T>
T random_element(std::mt19937& random) {
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
bool is_sorted_of(const T* y, const T* x, jig::index outer, jig::index n, jig::index inner, bool descending) {
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
std::vector<std::int32_t> order_of(const T* x, jig::index n, jig::index apart, bool descending) {
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
int wrong_places(const std::int32_t* places, const T* x, jig::index outer, jig::index n, jig::index inner, bool descending) {
  int wrong = 0;
  for (jig::index o = 0; o < outer; ++o)
    for (jig::index i = 0; i < inner; ++i) {
      const jig::index first = o * n * inner + i;
      const auto expected = order_of(x + first, n, inner, descending);
      for (jig::index k = 0; k < n; ++k) wrong += places[first + k * inner] == expected[static_cast<std::size_t>(k)] ? 0 : 1;
    }
  return wrong;
}

template <class T>
void check_sorts(unsigned seed) {
  std::mt19937 random(seed);
  constexpr auto up = jig::function([](auto x) { return std::tuple(jig::sort<1>(x), jig::argsort<1>(x)); });
  constexpr auto down =
      jig::function([](auto x) { return std::tuple(jig::sort<1>(x, jig::descending), jig::argsort<1>(x, jig::descending)); });
  for (jig::index n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17})
    for (jig::index inner : {1, 2, 3, 8, 15, 16, 17, 40, 64, 65})
      for (jig::index outer : {1, 3, 130, 1030}) {
        if (outer > 3 && inner > 1) continue;
        CAPTURE(n);
        CAPTURE(inner);
        CAPTURE(outer);
        jig::tensor<T, dyn, dyn, dyn> x(jig::uninitialized, jig::shape{3, {outer, n, inner}});
        for (T& e : x) e = random_element<T>(random);
        const auto [smallest_first, places] = up(x);
        CHECK(is_sorted_of(smallest_first.data(), x.data(), outer, n, inner, false));
        CHECK(wrong_places(places.data(), x.data(), outer, n, inner, false) == 0);
        const auto [largest_first, places_down] = down(x);
        CHECK(is_sorted_of(largest_first.data(), x.data(), outer, n, inner, true));
        CHECK(wrong_places(places_down.data(), x.data(), outer, n, inner, true) == 0);
      }
}

// The largest three of rows, bit by bit, and where they are.
template <class T>
void check_top(unsigned seed) {
  std::mt19937 random(seed);
  constexpr auto top = jig::function([](auto x) { return jig::top_k<3>(x); });
  for (jig::index n : {3, 4, 8, 9, 16, 17})
    for (jig::index rows : {0, 1, 15, 17, 700}) {
      CAPTURE(n);
      CAPTURE(rows);
      jig::tensor<T, dyn, dyn> x(rows, n);
      for (T& e : x) e = random_element<T>(random);
      const auto [values, places] = top(x);
      int wrong = 0;
      for (jig::index r = 0; r < rows; ++r) {
        const auto expected = order_of(x.data() + r * n, n, 1, true);
        for (jig::index k = 0; k < 3; ++k) {
          const std::int32_t place = expected[static_cast<std::size_t>(k)];
          wrong += places(r, k) != place || std::memcmp(&values(r, k), &x(r, place), sizeof(T)) != 0 ? 1 : 0;
        }
      }
      CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("the exchanges of a network sort whatever there is") {
  for (int n = 0; n <= jig::detail::longest_network; ++n) {
    CAPTURE(n);
    // What sorts all rows of zeros and ones sorts all rows.
    int wrong = 0;
    for (unsigned row = 0; row < 1u << n; ++row) {
      unsigned x = row;
      jig::detail::for_each_exchange(n, [&](int i, int k) {
        wrong += 0 <= i && i < k && k < n ? 0 : 1;
        const unsigned a = x >> i & 1, b = x >> k & 1;
        x = (x & ~(1u << i) & ~(1u << k)) | (a & b) << i | (a | b) << k;
      });
      int ones = 0;
      for (int i = 0; i < n; ++i) ones += static_cast<int>(row >> i & 1);
      const unsigned sorted = ones == 0 ? 0 : ((1u << ones) - 1) << (n - ones);
      wrong += x == sorted ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("rows of up to as many elements as a network has, and of more, beside and behind each other") {
  check_sorts<float>(1);
  check_sorts<double>(2);
  check_sorts<std::int8_t>(3);
  check_sorts<std::uint8_t>(4);
  check_sorts<std::int32_t>(5);
  check_sorts<std::uint64_t>(6);
}

TEST_CASE("the largest of rows of up to as many elements as a network has, and of more") {
  check_top<float>(7);
  check_top<std::int8_t>(8);
  check_top<std::int64_t>(9);
}

TEST_CASE("a median of neighbours, and rows that lie apart") {
  constexpr auto median = jig::function([](auto x, auto y, auto z) { return jig::sort<0>(jig::stack<0>(x, y, z))[1]; });
  jig::tensor<float, 5, 9> x, y, z;
  for (jig::index i = 0; i < 45; ++i) {
    x.data()[i] = static_cast<float>(i * 7 % 11);
    y.data()[i] = static_cast<float>(i * 5 % 13);
    z.data()[i] = static_cast<float>(i * 3 % 7);
  }
  const auto m = median(x, y, z);
  int wrong = 0;
  for (jig::index i = 0; i < 45; ++i) {
    const float a = x.data()[i], b = y.data()[i], c = z.data()[i];
    wrong += m.data()[i] == (std::max)((std::min)(a, b), (std::min)((std::max)(a, b), c)) ? 0 : 1;
  }
  CHECK(wrong == 0);
  const auto columns = jig::function([](auto v) { return jig::sort<1>(jig::transpose(v)); })(x);
  for (jig::index j = 0; j < 9; ++j)
    for (jig::index i = 1; i < 5; ++i) CHECK(columns(j, i - 1) <= columns(j, i));
}

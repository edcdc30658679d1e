// SPDX-License-Identifier: MIT
#include <jig/eval/sort_network.hpp>

#include "../sorted_rows.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <tuple>
#include <vector>

namespace {

using jig::dyn;

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

namespace {

// Rows whose length the types tell, as many as the call says.
template <class T, jig::index N>
void check_known(unsigned seed) {
  std::mt19937 random(seed);
  constexpr auto up = jig::function([](auto x) { return jig::sort<-1>(x); });
  constexpr auto down = jig::function([](auto x) { return jig::sort<1>(x, jig::descending); });
  for (jig::index rows : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 65, 300}) {
    CAPTURE(rows);
    jig::tensor<T, dyn, N> x(rows);
    for (T& e : x) e = random_element<T>(random);
    CHECK(is_sorted_of(up(x).data(), x.data(), rows, N, 1, false));
    const auto before = x;
    down.into(x, x);
    CHECK(is_sorted_of(x.data(), before.data(), rows, N, 1, true));
  }
}
// Few rows, as many as the types tell.
template <class T, jig::index Rows, jig::index N>
void check_few(unsigned seed) {
  std::mt19937 random(seed);
  constexpr auto up = jig::function([](auto x) { return std::tuple(jig::sort<1>(x), jig::argsort<-1>(x)); });
  constexpr auto down =
      jig::function([](auto x) { return std::tuple(jig::sort<1>(x, jig::descending), jig::argsort<1>(x, jig::descending)); });
  for (int repeat = 0; repeat < 50; ++repeat) {
    jig::tensor<T, Rows, N> x{};
    for (T& e : x) e = random_element<T>(random);
    const auto [smallest_first, places] = up(x);
    CHECK(is_sorted_of(smallest_first.data(), x.data(), Rows, N, 1, false));
    CHECK(wrong_places(places.data(), x.data(), Rows, N, 1, false) == 0);
    const auto [largest_first, places_down] = down(x);
    CHECK(is_sorted_of(largest_first.data(), x.data(), Rows, N, 1, true));
    CHECK(wrong_places(places_down.data(), x.data(), Rows, N, 1, true) == 0);
  }
}

}  // namespace

TEST_CASE("rows whose length is known") {
  check_known<float, 6>(10);
  check_known<float, 7>(11);
  check_known<float, 8>(12);
  check_known<float, 16>(13);
  check_known<float, 17>(14);
  check_known<double, 9>(15);
  check_known<std::uint32_t, 11>(16);
  check_known<std::int8_t, 8>(17);
}
TEST_CASE("few rows of known length") {
  check_few<float, 1, 1>(20);
  check_few<float, 1, 8>(21);
  check_few<float, 1, 16>(22);  // 256 comparisons, the most
  check_few<float, 2, 12>(23);
  check_few<double, 5, 7>(24);
  check_few<double, 6, 7>(25);
  check_few<std::uint8_t, 1, 9>(26);
  check_few<std::int64_t, 1, 17>(27);
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

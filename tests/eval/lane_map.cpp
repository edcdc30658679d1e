// SPDX-License-Identifier: MIT
#include <jig/eval/lane_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>

namespace {

using jig::simd::lane_map;

// The element of lane l, and how many elements there are: all of them are read from memory that has no more.
struct identity {
  static constexpr jig::index size(int lanes) { return lanes; }
  static constexpr jig::index at(int l, int) { return l; }
};
struct one {
  static constexpr jig::index size(int) { return 1; }
  static constexpr jig::index at(int, int) { return 0; }
};
struct last_one {
  static constexpr jig::index size(int lanes) { return 3 * lanes; }
  static constexpr jig::index at(int, int lanes) { return 3 * lanes - 1; }
};
struct reversed {
  static constexpr jig::index size(int lanes) { return lanes; }
  static constexpr jig::index at(int l, int lanes) { return lanes - 1 - l; }
};
template <int Stride>
struct strided {
  static constexpr jig::index size(int lanes) { return (lanes - 1) * Stride + 1; }
  static constexpr jig::index at(int l, int) { return l * Stride; }
};
template <int Period>
struct periodic {
  static constexpr jig::index size(int) { return Period; }
  static constexpr jig::index at(int l, int) { return (l + 1) % Period; }
};
template <int Each>
struct spread {
  static constexpr jig::index size(int lanes) { return (lanes + Each - 1) / Each; }
  static constexpr jig::index at(int l, int) { return l / Each; }
};
// Columns of a matrix with three rows.
struct turned {
  static constexpr jig::index size(int lanes) { return 3 * lanes; }
  static constexpr jig::index at(int l, int lanes) { return l % 3 * lanes + l / 3; }
};
template <int Seed>
struct any {
  static constexpr jig::index size(int lanes) { return Seed * lanes / 2 + 1; }
  static constexpr jig::index at(int l, int lanes) { return static_cast<jig::index>((static_cast<unsigned>(l) + 1) * 2654435761u >> 7) % size(lanes); }
};
// The transpose of a matrix of 5 rows and 10 columns, from an element on.
template <int From>
struct transposed {
  static constexpr jig::index size(int) { return 50; }
  static constexpr jig::index at(int l, int) { return (From + l) % 5 * 10 + (From + l) / 5; }
};

template <class How, int Lanes, int Before>
struct map_of {
  static constexpr lane_map<Lanes> map = [] {
    lane_map<Lanes> m;
    for (int l = 0; l < Lanes; ++l) m.at[l] = Before + How::at(l, Lanes);
    m.first = Before;
    m.last = Before + How::size(Lanes) - 1;
    return m;
  }();
};

template <class T, int Lanes, class How, int Before>
int wrong_lanes() {
  const jig::index size = How::size(Lanes);
  const auto memory = std::make_unique<T[]>(static_cast<std::size_t>(Before + size));
  for (jig::index i = 0; i < size; ++i) memory[static_cast<std::size_t>(Before + i)] = static_cast<T>(i * 3 + 1);
  const auto x = jig::simd::load_mapped<map_of<How, Lanes, Before>, Lanes>(memory.get());
  T lane[Lanes];
  std::memcpy(lane, &x, sizeof(lane));
  int wrong = 0;
  for (int l = 0; l < Lanes; ++l) wrong += lane[l] != static_cast<T>(How::at(l, Lanes) * 3 + 1);
  return wrong;
}

template <class T, int Lanes>
void check_maps() {
  const auto check = []<class... How>() { CHECK((0 + ... + wrong_lanes<T, Lanes, How, 0>()) == 0); };
  check.template operator()<identity, one, last_one, reversed, strided<2>, strided<3>, strided<40>>();
  check.template operator()<periodic<2>, periodic<3>, periodic<7>, spread<2>, spread<3>, turned, any<1>, any<6>, any<40>>();
}

template <class T, int N>
void check_groups() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size);
  INFO("groups of ", N);
  T from[N * width];
  for (int i = 0; i < N * width; ++i) from[i] = static_cast<T>((i * 37 + 11) % 101);
  B x[N];
  for (int r = 0; r < N; ++r) x[r] = B::load_unaligned(from + r * width);
  const B sums = jig::simd::combine_groups<N>(x, [](const B& a, const B& b) { return a + b; });
  const B most = jig::simd::combine_groups<N>(x, [](const B& a, const B& b) { return xsimd::max(a, b); });
  T sum[width], largest[width];
  sums.store_unaligned(sum);
  most.store_unaligned(largest);
  int wrong = 0;
  for (int i = 0; i < width; ++i) {
    T total = 0, top = from[i * N];
    for (int k = 0; k < N; ++k) {
      total = static_cast<T>(total + from[i * N + k]);
      top = from[i * N + k] > top ? from[i * N + k] : top;
    }
    wrong += (sum[i] != total) + (largest[i] != top);
  }
  CHECK(wrong == 0);
}

template <class T, int N>
void check_turns() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size);
  T lane[N * width];
  B x[N];
  for (int i = 0; i < N * width; ++i) lane[i] = static_cast<T>(i);
  for (int r = 0; r < N; ++r) x[r] = B::load_unaligned(lane + r * width);
  jig::simd::interleave_all<N>(x);
  for (int r = 0; r < N; ++r) x[r].store_unaligned(lane + r * width);
  int wrong = 0;
  for (int r = 0; r < N; ++r)
    for (int l = 0; l < width; ++l) wrong += lane[l * N + r] != static_cast<T>(r * width + l);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("how many registers a map needs") {
  constexpr auto cost = []<class How>(How) { return jig::simd::find_sources(map_of<How, 8, 0>::map).cost(); };
  static_assert(cost(identity()) == 1 && cost(one()) == 1 && cost(periodic<3>()) == 2 && cost(reversed()) == 2);
  static_assert(jig::simd::find_sources(map_of<strided<2>, 8, 0>::map).count == 2);
  static_assert(jig::simd::find_sources(map_of<strided<40>, 8, 0>::map).count == 8);
  static_assert(jig::simd::find_sources(map_of<strided<40>, 16, 0>::map).count > jig::simd::lane_sources<16>::most);
  static_assert(cost(strided<2>()) > cost(reversed()) && cost(strided<40>()) > cost(strided<2>()));
}

TEST_CASE_TEMPLATE("lanes from anywhere in memory that has nothing else", T, float, double, std::uint8_t, std::int16_t, std::int32_t, std::int64_t) {
  constexpr int lanes = static_cast<int>(jig::simd::lanes<T>);
  check_maps<T, lanes>();
  if constexpr (lanes > 4) check_maps<T, lanes / 2>();
  CHECK(wrong_lanes<T, lanes, turned, 5>() == 0);
  CHECK(wrong_lanes<T, lanes, strided<2>, 5>() == 0);
}

TEST_CASE_TEMPLATE("neighbouring lanes combined, in groups of any number", T, float, double, std::int32_t, std::uint64_t) {
  [&]<int... N>(std::integer_sequence<int, N...>) { (check_groups<T, N + 1>(), ...); }(std::make_integer_sequence<int, 16>());
}

// GCC 12 makes wrong instructions of some orders of 8 doubles; those from element 32 on are such.
TEST_CASE_TEMPLATE("all registers of a transpose", T, float, double) {
  [&]<int... From>(std::integer_sequence<int, From...>) {
    constexpr int lanes = static_cast<int>(jig::simd::lanes<T>);
    CHECK((0 + ... + wrong_lanes<T, lanes, transposed<From>, 0>()) == 0);
  }(std::make_integer_sequence<int, 35>());
}

TEST_CASE_TEMPLATE("lanes of registers by turns", T, float, double, std::int32_t) {
  check_turns<T, 2>();
  check_turns<T, 4>();
  check_turns<T, 8>();
}

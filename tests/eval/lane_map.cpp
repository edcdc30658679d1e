// SPDX-License-Identifier: MIT
#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
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
// Rows of so many elements that lie a number of registers apart.
template <int Row, int Apart>
struct rows_apart {
  static constexpr jig::index size(int lanes) { return (lanes - 1) / Row * jig::index{Apart} * lanes + Row; }
  static constexpr jig::index at(int l, int lanes) { return l / Row * jig::index{Apart} * lanes + l % Row; }
};
template <int Seed>
struct any {
  static constexpr jig::index size(int lanes) { return Seed * lanes / 2 + 1; }
  static constexpr jig::index at(int l, int lanes) {
    return static_cast<jig::index>((static_cast<unsigned>(l) + 1) * 2654435761u >> 7) % size(lanes);
  }
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
  check.template
  operator()<rows_apart<2, 2>, rows_apart<3, 1>, rows_apart<3, 17>, rows_apart<3, 100>, rows_apart<5, 20>, rows_apart<7, 90>>();
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

}  // namespace

TEST_CASE("how many registers a map needs") {
  constexpr auto cost = []<class How>(How) { return jig::simd::find_sources(map_of<How, 8, 0>::map).cost(); };
  static_assert(cost(identity()) == 1 && cost(one()) == 1 && cost(periodic<3>()) == 2 && cost(reversed()) == 2);
  static_assert(jig::simd::find_sources(map_of<strided<2>, 8, 0>::map).count == 2);
  static_assert(jig::simd::find_sources(map_of<strided<40>, 8, 0>::map).count == 8);
  static_assert(jig::simd::find_sources(map_of<strided<40>, 16, 0>::map).count > jig::simd::lane_sources<16>::most);
  static_assert(cost(strided<2>()) > cost(reversed()) && cost(strided<40>()) > cost(strided<2>()));
}

TEST_CASE("what lies apart is loaded in pieces") {
  using far_rows = map_of<rows_apart<3, 40>, 16, 0>;
  static_assert(jig::simd::detail::count_to_load<far_rows, 16, 0, 4> == 4 && jig::simd::detail::count_to_load<far_rows, 16, 1, 4> == 4);
  // Behind the last row there is nothing: all of its registers end with it.
  static_assert(jig::simd::detail::count_to_load<far_rows, 16, 5, 4> >= 16);
  static_assert(jig::simd::detail::count_to_load<map_of<rows_apart<5, 40>, 16, 0>, 16, 0, 4> == 8);
  static_assert(jig::simd::detail::count_to_load<map_of<rows_apart<3, 1>, 16, 0>, 16, 0, 4> >= 16);
  CHECK(jig::simd::find_sources(far_rows::map).count == 6);
}

TEST_CASE_TEMPLATE("lanes from anywhere in memory that has nothing else", T, float, double, std::uint8_t, std::int16_t, std::int32_t,
                   std::int64_t) {
  constexpr int lanes = static_cast<int>(jig::simd::lanes<T>);
  check_maps<T, lanes>();
  if constexpr (lanes > 4) check_maps<T, lanes / 2>();
  CHECK(wrong_lanes<T, lanes, turned, 5>() == 0);
  CHECK(wrong_lanes<T, lanes, strided<2>, 5>() == 0);
}

TEST_CASE_TEMPLATE("neighbouring lanes combined, in groups of any number", T, float, double, std::int32_t, std::uint64_t) {
  [&]<int... N>(std::integer_sequence<int, N...>) { (check_groups<T, N + 1>(), ...); }(std::make_integer_sequence<int, 16>());
}

namespace {

// The lanes of a register of the transpose of a matrix of 5 rows and 10 columns, from element First on.
template <int Lanes, int First>
struct transposed {
  static constexpr jig::simd::lane_map<Lanes> map = [] {
    jig::simd::lane_map<Lanes> out;
    out.last = 49;
    for (int l = 0; l < Lanes; ++l) out.at[l] = (First + l) % 5 * 10 + (First + l) / 5;
    return out;
  }();
};

template <class T, int Lanes, int First>
bool right() {
  T x[50], y[Lanes];
  for (int i = 0; i < 50; ++i) x[i] = static_cast<T>(i);
  const auto loaded = jig::simd::load_mapped<transposed<Lanes, First>, Lanes>(x);
  std::memcpy(y, &loaded, sizeof(y));
  bool good = true;
  for (int l = 0; l < Lanes; ++l) good = good && y[l] == static_cast<T>((First + l) % 5 * 10 + (First + l) / 5);
  return good;
}

#if defined __AVX512F__
constexpr int register_bytes = 64;
#elif defined __AVX2__
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

}  // namespace

// GCC 12 makes wrong instructions of some orders of 8 doubles; those of element 32 are such.
TEST_CASE("lanes of a transpose come from where the map says") {
  [&]<int... First>(std::integer_sequence<int, First...>) {
    CHECK((right<double, register_bytes / 8, First>() && ...));
    CHECK((right<float, register_bytes / 4, First>() && ...));
  }(std::make_integer_sequence<int, 35>());
}

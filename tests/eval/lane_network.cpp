// SPDX-License-Identifier: MIT
#include <jig/eval/lane_network.hpp>

#include <jig/eval/nest_loop.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

namespace {

using jig::dyn, jig::index, jig::simd::lane_map;

// Matrices of so many rows and columns one behind another, each transposed.
template <int Lanes, int Rows, int Columns>
constexpr lane_map<Lanes> map_of_matrices(int registers, int r) {
  lane_map<Lanes> map;
  map.last = index{registers} * Lanes - 1;
  for (int l = 0; l < Lanes; ++l) {
    const int e = r * Lanes + l, in = e % (Rows * Columns);
    map.at[l] = e - in + in % Rows * Columns + in / Rows;
  }
  return map;
}
template <int Registers, int Lanes, int Rows, int Columns>
struct network_of_matrices {
  static constexpr auto network =
      jig::simd::find_network<Registers, Lanes>([](int r) { return map_of_matrices<Lanes, Rows, Columns>(Registers, r); });
};

template <class T, int Registers, int Rows, int Columns>
void check_network() {
  using B = jig::simd::batch<T>;
  constexpr int lanes = static_cast<int>(B::size);
  if constexpr (Registers * lanes == Rows * Columns) {
    using matrices = network_of_matrices<Registers, lanes, Rows, Columns>;
    static_assert(matrices::network.rounds > 0);
    T from[Registers * lanes], to[Registers * lanes];
    for (int i = 0; i < Registers * lanes; ++i) from[i] = static_cast<T>(i * 3);
    B x[Registers];
    for (int r = 0; r < Registers; ++r) x[r] = B::load_unaligned(from + r * lanes);
    jig::simd::run_network<matrices, Registers>(x);
    for (int r = 0; r < Registers; ++r) x[r].store_unaligned(to + r * lanes);
    int wrong = 0;
    for (int e = 0; e < Registers * lanes; ++e) {
      const int in = e % (Rows * Columns);
      wrong += to[e] != from[e - in + in % Rows * Columns + in / Rows];
    }
    CHECK(wrong == 0);
  }
}

template <class T>
void check_all() {
  check_network<T, 4, 4, 4>();
  check_network<T, 4, 4, 8>();
  check_network<T, 4, 8, 8>();
  check_network<T, 4, 16, 8>();
  check_network<T, 4, 16, 16>();
  check_network<T, 8, 8, 8>();
  check_network<T, 8, 16, 8>();
  check_network<T, 16, 8, 16>();
  check_network<T, 16, 16, 16>();
}

template <class T, index... E>
jig::tensor<T, E...> filled(int by, auto... extents) {
  jig::tensor<T, E...> x(jig::uninitialized, {sizeof...(E), {static_cast<index>(extents)...}});
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * by + 5) % 113);
  return x;
}

struct turned_minus {
  constexpr auto operator()(auto x, auto y) const { return jig::transpose<0, 2, 1>(x) - y; }
};
template <class T, index Rows, index Columns>
constexpr bool goes_by_network = [] {
  using first =
      jig::step<jig::program<jig::trace<turned_minus, "f", jig::spec<T, dyn, Rows, Columns>, jig::spec<T, Columns, Rows>>, 1, 1>, 0>;
  constexpr jig::detail::flat_block block = jig::detail::flat_nest<first>::block;
  if constexpr (block.registers > 0)
    return jig::detail::is_found_by_network<first, jig::detail::nest_extents<first, 0>, block.axis, block.rows, 0>;
  else return false;
}();

template <class T, index Rows, index Columns>
void check_matrices() {
  constexpr auto f = jig::function(turned_minus());
  const auto y = filled<T, Columns, Rows>(7, Columns, Rows);
  for (index n : {0, 1, 2, 3, 5, 8, 17, 64}) {
    CAPTURE(n);
    const auto x = filled<T, dyn, Rows, Columns>(11, n, Rows, Columns);
    const auto turned = f(x, y);
    int wrong = 0;
    for (index b = 0; b < n; ++b)
      for (index i = 0; i < Columns; ++i)
        for (index j = 0; j < Rows; ++j) wrong += turned(b, i, j) != static_cast<T>(x(b, j, i) - y(i, j));
    CHECK(wrong == 0);
  }
}
template <class T>
void check_all_matrices() {
  check_matrices<T, 2, 2>();
  check_matrices<T, 2, 8>();
  check_matrices<T, 4, 4>();
  check_matrices<T, 4, 6>();
  check_matrices<T, 8, 8>();
  check_matrices<T, 16, 8>();
  check_matrices<T, 8, 16>();
  check_matrices<T, 32, 4>();
}

}  // namespace

TEST_CASE("a run of memory in another order, two registers at a time") {
  check_all<float>();
  check_all<double>();
  check_all<std::int16_t>();
  check_all<std::uint8_t>();
}

TEST_CASE("what no network finds") {
  constexpr auto rounds = [](auto map) { return jig::simd::find_network<4, 4>(map).rounds; };
  constexpr auto matrix = [](int r) { return map_of_matrices<4, 4, 4>(4, r); };
  static_assert(rounds(matrix) == 2);
  static_assert(jig::simd::find_network<4, 4>(matrix).cost() == 8);
  // Two registers need none, more than sixteen would be too many.
  static_assert(jig::simd::find_network<2, 4>([](int r) { return map_of_matrices<4, 2, 4>(2, r); }).rounds == 0);
  static_assert(jig::simd::find_network<8, 4>([](int r) { return map_of_matrices<4, 8, 4>(8, r); }).rounds == 3);
  static_assert(jig::simd::find_network<6, 4>([](int r) { return map_of_matrices<4, 6, 4>(6, r); }).rounds == 0);
  static_assert(jig::simd::find_network<32, 4>([](int r) { return map_of_matrices<4, 8, 16>(32, r); }).rounds == 0);
  // Registers that stay as they are: some pair has nothing for the other half.
  static_assert(rounds([](int r) { return map_of_matrices<4, 1, 4>(4, r); }) == 0);
  // An element twice, and elements that are no run.
  static_assert(rounds([&](int r) {
                  auto map = matrix(r);
                  if (r == 3) map.at[3] = 0;
                  return map;
                }) == 0);
  static_assert(rounds([&](int r) {
                  auto map = matrix(r);
                  map.last += 1;
                  return map;
                }) == 0);
  CHECK(rounds(matrix) == 2);
}

TEST_CASE("matrices that are smaller than registers are transposed by networks") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  if constexpr (lanes == 16) {
    static_assert(goes_by_network<float, 8, 8>);
    static_assert(!goes_by_network<float, 4, 4>);  // one register
  }
  // Rows as long as a register are taken by turns.
  static_assert(!goes_by_network<float, 3, 5>);
  static_assert(!goes_by_network<float, 4, lanes>);
  check_all_matrices<float>();
  check_all_matrices<double>();
  check_all_matrices<std::int32_t>();
  check_all_matrices<std::uint8_t>();
}

TEST_CASE("a result of a network on top of its operand") {
  constexpr auto f = jig::function([](auto x) { return jig::transpose<0, 2, 1>(x) + 1; });
  auto x = filled<float, 33, 8, 8>(11, 33, 8, 8);
  const auto before = x;
  f.into(x, x);
  int wrong = 0;
  for (jig::index b = 0; b < 33; ++b)
    for (jig::index i = 0; i < 8; ++i)
      for (jig::index j = 0; j < 8; ++j) wrong += x(b, i, j) != before(b, j, i) + 1;
  CHECK(wrong == 0);
}

// SPDX-License-Identifier: MIT
#include <jig/eval/narrow_rows.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using jig::dyn;

namespace {

constexpr auto sums = jig::function([](auto x) { return jig::reduce_sum<-1>(jig::cast<std::int32_t>(x)); });
constexpr auto long_sums = jig::function([](auto x) { return jig::reduce_sum<-1>(jig::cast<std::int64_t>(x)); });
constexpr auto inverted = jig::function([](auto x) { return jig::reduce_sum<-1>(jig::cast<std::uint32_t>(255 - x)); });

// Rows of so many numbers, as many as lanes and more or less; what is written lies in memory of its own.
template <class T, jig::index N>
void check() {
  std::mt19937 generator(static_cast<unsigned>(N));
  for (jig::index rows : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 23}) {
    CAPTURE(rows);
    jig::tensor<T, dyn, N> x(rows);
    for (T& e : x) e = static_cast<T>(generator());
    std::vector<std::int32_t> to(static_cast<std::size_t>(rows) + 1, 77);
    std::vector<std::int64_t> long_to(static_cast<std::size_t>(rows) + 1, 77);
    sums.into(jig::view<jig::row_major<std::int32_t>, dyn>(to.data(), rows), x);
    long_sums.into(jig::view<jig::row_major<std::int64_t>, dyn>(long_to.data(), rows), x);
    int wrong = to.back() != 77 || long_to.back() != 77;
    for (jig::index i = 0; i < rows; ++i) {
      std::int64_t sum = 0;
      for (jig::index k = 0; k < N; ++k) sum += x(i, k);
      wrong += to[static_cast<std::size_t>(i)] != static_cast<std::int32_t>(sum);
      wrong += long_to[static_cast<std::size_t>(i)] != sum;
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("sums of rows of narrow integers, on both sides of the registers that they fill") {
  const auto lengths = []<class T, jig::index... N>(T, std::integer_sequence<jig::index, N...>) { (check<T, N>(), ...); };
  lengths(std::uint8_t(), std::integer_sequence<jig::index, 15, 16, 31, 33, 64, 78, 256, 257>());
  lengths(std::int8_t(), std::integer_sequence<jig::index, 31, 64, 257>());
  lengths(std::int16_t(), std::integer_sequence<jig::index, 15, 33, 64, 257>());
  lengths(std::uint16_t(), std::integer_sequence<jig::index, 16, 78, 256>());
}
TEST_CASE("the largest numbers, what is computed, and planes of rows") {
  jig::tensor<std::uint8_t, 3, 20, 100> x;
  for (auto& e : x) e = 255;
  const auto all = sums(x);
  for (const auto& e : all) CHECK(e == 25500);
  x(1, 3, 7) = 0;
  const auto rest = inverted(x);
  int wrong = 0;
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index j = 0; j < 20; ++j) wrong += rest(i, j) != (i == 1 && j == 3 ? 255u : 0u);
  CHECK(wrong == 0);
  const auto mean = jig::function([](auto y) { return jig::reduce_mean<-1>(jig::cast<std::int32_t>(y)); })(x);
  CHECK(mean(0, 0) == 255);
  CHECK(mean(1, 3) == 252);
}

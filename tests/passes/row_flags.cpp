// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <jig.hpp>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

using jig::dyn;

namespace {

constexpr auto all_of_rows = jig::function([](auto x, auto low) { return jig::reduce_all<1>(x > low); });
constexpr auto any_of_rows = jig::function([](auto x, auto low) { return jig::reduce_any<-1>((x > low) & (x == x)); });
constexpr auto all_of_flags = jig::function([](auto x) { return jig::reduce_all<1>(x, jig::keepdims); });
constexpr auto any_of_both = jig::function([](auto x, auto low) { return jig::reduce_any<0, 2>(x > low); });

template <class T>
std::vector<T> numbers(jig::index n, int most, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& e : x) e = static_cast<T>(static_cast<int>(generator() % static_cast<unsigned>(most)));
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t k = 5; k < x.size(); k += 23) x[k] = std::numeric_limits<T>::quiet_NaN();
  return x;
}

template <class T, int Columns>
void check_rows() {
  CAPTURE(Columns);
  for (jig::index rows : {0, 1, 3, 8, 17, 50}) {
    CAPTURE(rows);
    // Limits such that some rows hold, and others do not.
    const auto x = numbers<T>(rows * Columns, 4 * Columns + 4, static_cast<unsigned>(rows));
    for (T low : {T(0), T(3 * Columns)}) {
      const auto n = static_cast<std::size_t>(rows);
      const auto found = std::make_unique<bool[]>(n), wild = std::make_unique<bool[]>(n);
      const jig::view<const T, dyn, Columns> known_rows(x.data(), {2, {rows, Columns}});
      const jig::view<const T, dyn, dyn> rows_at_call(x.data(), {2, {rows, Columns}});
      const auto check = [&](const auto& f, bool all) {
        f.into(jig::view<bool, dyn>(found.get(), {1, {rows}}), known_rows, low);
        f.into(jig::view<bool, dyn>(wild.get(), {1, {rows}}), rows_at_call, low);
        for (std::size_t i = 0; i < n; ++i) {
          bool expected = all;
          for (int j = 0; j < Columns; ++j) {
            const bool holds = x[i * Columns + static_cast<std::size_t>(j)] > low;
            expected = all ? expected && holds : expected || holds;
          }
          CHECK(found[i] == expected);
          CHECK(wild[i] == expected);
        }
      };
      check(all_of_rows, true);
      check(any_of_rows, false);
    }
  }
}

template <class F, class... Spec>
std::string lowered(F f, Spec... specs) {
  return jig::to_text(jig::lower(jig::graph_of(f, specs...)));
}

}  // namespace

TEST_CASE("whether all or any of a row hold") {
  check_rows<float, 0>();
  check_rows<float, 3>();
  check_rows<float, 64>();
  check_rows<std::uint8_t, 20>();
  check_rows<std::int16_t, 7>();
}

TEST_CASE("truth values from memory, and rows that are not alone") {
  jig::tensor<bool, 5, 7> x;
  for (jig::index k = 0; k < 35; ++k) x.data()[k] = k % 11 != 3;
  const auto y = all_of_flags(x);
  for (jig::index i = 0; i < 5; ++i) {
    bool all = true;
    for (jig::index j = 0; j < 7; ++j) all = all && x(i, j);
    CHECK(y(i, 0) == all);
  }
  const auto z = numbers<float>(4 * 9 * 6, 100, 3);
  const auto any = any_of_both(jig::view<const float, dyn, 9, 6>(z.data(), {3, {4, 9, 6}}), 90.0f);
  for (jig::index j = 0; j < 9; ++j) {
    bool expected = false;
    for (jig::index i = 0; i < 4; ++i)
      for (jig::index k = 0; k < 6; ++k) expected = expected || z[static_cast<std::size_t>((i * 9 + j) * 6 + k)] > 90.0f;
    CHECK(any(j) == expected);
  }
}

TEST_CASE("short rows are reduced as integers of what they are computed of, others as they are") {
  constexpr auto f = [](auto x) { return jig::reduce_all<1>(x > 0); };
  CHECK(lowered(f, jig::spec<float, dyn, 63>()).find("Min(Cast) {axes: [1]} : int32") != std::string::npos);
  CHECK(lowered(f, jig::spec<double, dyn, dyn>()).find("Min(Cast) {axes: [1]} : int64") != std::string::npos);
  CHECK(lowered(f, jig::spec<std::int16_t, 5, 3>()).find("Min(Cast) {axes: [1]} : int16") != std::string::npos);
  CHECK(lowered(f, jig::spec<float, dyn, 64>()).find("All(Greater)") != std::string::npos);
  CHECK(lowered([](auto x) { return jig::reduce_any(x > 0); }, jig::spec<float, dyn, 3>()).find("Any(Greater)") != std::string::npos);
  CHECK(lowered([](auto x) { return jig::reduce_any<0>(x > 0); }, jig::spec<float, dyn, 3>()).find("Any(Greater)") != std::string::npos);
}

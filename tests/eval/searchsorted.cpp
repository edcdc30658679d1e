// SPDX-License-Identifier: MIT
#include <jig/eval/searchsorted.hpp>

#include <jig.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using jig::dyn;

namespace {

// Numbers of which some come several times, the ends among them.
template <class T>
T some_number(jig::index i, jig::index of) {
  if (i % 29 == 11) return std::numeric_limits<T>::max();
  if (i % 31 == 17) return std::numeric_limits<T>::lowest();
  return static_cast<T>(static_cast<int>((i * 7919 + i / 3) % (of + 5) % 120) - (std::is_signed_v<T> ? 50 : 0));
}

template <class T>
void check(const std::vector<T>& row, const std::vector<T>& values) {
  const auto n = static_cast<jig::index>(row.size()), m = static_cast<jig::index>(values.size());
  static constexpr auto left = jig::function<"f(s, v)">([](auto s, auto v) { return jig::searchsorted(s, v); });
  static constexpr auto right = jig::function<"f(s, v)">([](auto s, auto v) { return jig::searchsorted<"right">(s, v); });
  const auto first = left(row, values), last = right(row, values);
  // Both at strides, by the kernel itself.
  std::vector<T> apart(2 * row.size() + 1), values_apart(3 * values.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) apart[2 * i] = row[i];
  for (std::size_t i = 0; i < values.size(); ++i) values_apart[3 * i] = values[i];
  jig::tensor<std::int32_t, dyn> own(jig::uninitialized, {1, {m}});
  jig::kernel<jig::ops::upper_bound>::run(jig::attributes<>(), jig::view<std::int32_t, dyn>(own.data(), {1, {m}}),
                                          jig::view<const T, dyn>(apart.data(), {1, {n}}, {1, {2}}),
                                          jig::view<const T, dyn>(values_apart.data(), {1, {m}}, {1, {3}}));
  jig::index wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<jig::index>(i);
    const auto less = [](const T& a, const T& b) { return a < b; };
    wrong += first(at) != std::lower_bound(row.begin(), row.end(), values[i], less) - row.begin();
    wrong += last(at) != std::upper_bound(row.begin(), row.end(), values[i], less) - row.begin();
    wrong += last(at) != own(at);
  }
  CHECK(wrong == 0);
}
template <class T>
void check() {
  for (const jig::index n : {0, 1, 2, 3, 31, 32, 33, 126, 127, 128, 256, 257, 513, 1500})
    for (const jig::index m : {0, 1, 2, 7, 8, 9, 17, 65, 130}) {
      std::vector<T> row, values;
      for (jig::index i = 0; i < n; ++i) row.push_back(some_number<T>(i, n));
      for (jig::index i = 0; i < m; ++i) values.push_back(some_number<T>(i * 5 + 2, n));
      std::sort(row.begin(), row.end());
      check(row, values);
    }
  check(std::vector<T>(300, T(1)), {T(0), T(1), T(2)});
}

}  // namespace

TEST_CASE("values of every dtype in rows of any length") {
  check<float>();
  check<double>();
  check<std::int8_t>();
  check<std::uint8_t>();
  check<std::int16_t>();
  check<std::uint16_t>();
  check<std::int32_t>();
  check<std::uint32_t>();
  check<std::int64_t>();
  check<std::uint64_t>();
  check(std::vector<jig::half>{jig::half(-1.0f), jig::half(0.0f), jig::half(0.0f), jig::half(9.0f)},
        std::vector<jig::half>{jig::half(0.0f), jig::half(7.0f), jig::half(-2.0f)});
}

TEST_CASE("NaN, infinity, and rows that are not sorted") {
  const float nan_value = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t n : {std::size_t{6}, std::size_t{600}}) {
    std::vector<float> row(n, 3);
    row[0] = -infinity, row[1] = -1;
    row[n - 2] = infinity, row[n - 1] = nan_value;
    const auto size = static_cast<int>(n);
    const std::vector<float> values{nan_value, -infinity, infinity, 3, 4};
    CHECK(elements(jig::searchsorted(row, values)) == ints{0, 0, size - 2, 2, size - 2});
    CHECK(elements(jig::searchsorted<"right">(row, values)) == ints{size, 1, size - 1, size - 2, size - 2});
    for (std::size_t i = 0; i < n; ++i) row[i] = i % 7 == 3 ? nan_value : static_cast<float>(i * 7919 % 101) - 50;
    std::vector<float> many;
    for (int i = -60; i < 60; ++i) many.push_back(static_cast<float>(i));
    for (const int found : jig::searchsorted(row, many)) CHECK((found >= 0 && found <= size));
    for (const int found : jig::searchsorted<"right">(row, many)) CHECK((found >= 0 && found <= size));
  }
}

TEST_CASE("batches of rows, which may lie in another order") {
  constexpr auto f = jig::function<"f(s, v)">([](auto s, auto v) { return jig::searchsorted(s, v); });
  jig::tensor<int, dyn, dyn, dyn> rows(jig::uninitialized, {3, {2, 3, 40}}), values(jig::uninitialized, {3, {2, 3, 70}});
  for (jig::index b = 0; b < 6; ++b) {
    for (jig::index i = 0; i < 40; ++i) rows.data()[b * 40 + i] = static_cast<int>(i * (b + 1));
    for (jig::index i = 0; i < 70; ++i) values.data()[b * 70 + i] = static_cast<int>(i * 37 % 100);
  }
  const auto y = f(rows, values);
  const auto turned = f(jig::transpose<1, 0, 2>(rows), jig::transpose<1, 0, 2>(values));
  jig::index wrong = 0;
  for (jig::index a = 0; a < 2; ++a)
    for (jig::index b = 0; b < 3; ++b)
      for (jig::index i = 0; i < 70; ++i) {
        const int* const row = &rows(a, b, 0);
        wrong += y(a, b, i) != std::lower_bound(row, row + 40, values(a, b, i)) - row;
        wrong += turned(b, a, i) != y(a, b, i);
      }
  CHECK(wrong == 0);
  CHECK(f(jig::zeros<int, dyn, dyn>(0, 3), jig::zeros<int, dyn, dyn>(0, 3)).size() == 0);
  CHECK(elements(f(jig::zeros<int, dyn, dyn>(2, 0), jig::zeros<int, dyn, dyn>(2, 1))) == ints{0, 0});
}

// SPDX-License-Identifier: MIT
#include <jig/eval/accumulate_rows.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using jig::dyn;

// Rows of fewer columns than a register has lanes, of one more, and of several registers; few of them, and more than are read at once.
template <class T, class Check>
void for_each_size(Check check) {
  constexpr auto lanes = static_cast<jig::index>(jig::simd::lanes<T>);
  std::mt19937 random(7);
  for (jig::index columns : {jig::index{1}, jig::index{2}, jig::index{3}, lanes - 1, lanes, lanes + 1, 5 * lanes + 2})
    for (jig::index rows : {1, 7, 8, 9, 40, 300, 1025, 3000})
      for (jig::index gap : {0, 3}) {
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(gap);
        std::vector<T> x(static_cast<std::size_t>(rows * (columns + gap) - gap));
        for (T& e : x) e = static_cast<T>(static_cast<int>(random() % 2001) - 1000);
        check(x, rows, columns, columns + gap, random);
      }
}

}  // namespace

TEST_CASE("sums of columns, whose rounding is compensated") {
  constexpr auto sums = jig::function([](auto x) { return jig::reduce_sum<0>(x * 0.1f); });
  for_each_size<float>([&](std::vector<float>& x, jig::index rows, jig::index columns, jig::index stride, std::mt19937&) {
    const auto y = sums(jig::view<const float, dyn, dyn>(x.data(), {rows, columns}, {stride, 1}));
    bool right = true;
    for (jig::index c = 0; c < columns; ++c) {
      double plain = 0, size = 0;
      for (jig::index r = 0; r < rows; ++r) {
        const auto e = static_cast<double>(x[static_cast<std::size_t>(r * stride + c)] * 0.1f);
        plain += e;
        size += std::abs(e);
      }
      right = right && std::abs(static_cast<double>(y(c)) - plain) <= 3e-7 * size;
    }
    CHECK(right);
  });
}

TEST_CASE("the greatest of columns, NaN where there is one") {
  constexpr auto greatest = jig::function([](auto x) { return jig::reduce_max<0>(x); });
  for_each_size<double>([&](std::vector<double>& x, jig::index rows, jig::index columns, jig::index stride, std::mt19937& random) {
    const auto bad_row = static_cast<jig::index>(random() % static_cast<unsigned>(rows)), bad_column = columns - 1;
    x[static_cast<std::size_t>(bad_row * stride + bad_column)] = std::numeric_limits<double>::quiet_NaN();
    const auto y = greatest(jig::view<const double, dyn, dyn>(x.data(), {rows, columns}, {stride, 1}));
    bool right = std::isnan(y(bad_column));
    for (jig::index c = 0; c < bad_column; ++c) {
      double plain = -std::numeric_limits<double>::infinity();
      for (jig::index r = 0; r < rows; ++r) plain = (std::max)(plain, x[static_cast<std::size_t>(r * stride + c)]);
      right = right && y(c) == plain;
    }
    CHECK(right);
  });
}

TEST_CASE("sums of columns of integers") {
  constexpr auto sums = jig::function([](auto x) { return jig::reduce_sum<0>(x); });
  for_each_size<std::int32_t>([&](std::vector<std::int32_t>& x, jig::index rows, jig::index columns, jig::index stride, std::mt19937&) {
    const auto y = sums(jig::view<const std::int32_t, dyn, dyn>(x.data(), {rows, columns}, {stride, 1}));
    bool right = true;
    for (jig::index c = 0; c < columns; ++c) {
      std::int32_t plain = 0;
      for (jig::index r = 0; r < rows; ++r) plain += x[static_cast<std::size_t>(r * stride + c)];
      right = right && y(c) == plain;
    }
    CHECK(right);
  });
}

// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/tile.hpp>

#include <jig.hpp>

#include "../../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace convolutions {

namespace {

constexpr index length = 3;
jig::detail::tile_terms<float> two_segments(const std::vector<float>& b, index b_row, index last_count, bool add) {
  jig::detail::tile_terms<float> terms;
  terms.count = 2;
  terms.length = length;
  terms.a_step = 2;
  terms.segments[0] = {1, 0};
  terms.segments[1] = {8, 4 * b_row};
  terms.b = b.data();
  terms.b_row = b_row;
  terms.last_count = last_count;
  terms.add = add;
  return terms;
}

}  // namespace

TEST_CASE("rows at even distances hold sums of their segments") {
  constexpr index lanes = jig::simd::lanes<float>;
  int wrong = 0;
  const auto check = [&]<int Registers, bool Whole>(std::integral_constant<int, Registers>, std::bool_constant<Whole>, index columns,
                                                    index next, bool add) {
    constexpr index rows = jig::detail::even_rows_of_tile<Registers>;
    const index b_row = Whole ? Registers * lanes : columns;
    std::vector<float> a(static_cast<std::size_t>(next * rows + 30)), b(static_cast<std::size_t>(10 * b_row)),
        c(static_cast<std::size_t>((rows + 1) * (columns + 1)), 2), expected = c;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
    const auto terms = two_segments(b, b_row, columns - (Registers - 1) * lanes, add);
    jig::detail::convolve_even_rows<Registers, Whole, float>({a.data(), next, c.data(), columns + 1}, terms);
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j) {
        float sum = add ? 2.0f : 0.0f;
        for (const auto& s : {terms.segments[0], terms.segments[1]})
          for (index q = 0; q < length; ++q)
            sum += a[static_cast<std::size_t>(next * i + s.a + 2 * q)] * b[static_cast<std::size_t>(s.b + q * b_row + j)];
        expected[static_cast<std::size_t>(i * (columns + 1) + j)] = sum;
      }
    if (c != expected) ++wrong;
  };
  for (const index next : {0, 1, 3, 16})
    for (const bool add : {false, true})
      for (index columns = 1; columns <= lanes; ++columns) {
        check(std::integral_constant<int, 1>(), std::true_type(), columns, next, add);
        check(std::integral_constant<int, 1>(), std::false_type(), columns, next, add);
        check(std::integral_constant<int, 2>(), std::true_type(), lanes + columns, next, add);
        check(std::integral_constant<int, 2>(), std::false_type(), lanes + columns, next, add);
      }
  CHECK(wrong == 0);
}

TEST_CASE("tiles of any number of rows and columns hold sums of their segments") {
  constexpr index lanes = jig::simd::lanes<float>;
  int wrong = 0;
  for (const bool whole : {false, true})
    for (const bool add : {false, true})
      for (index rows = 0; rows <= 2 * jig::detail::blocks<float>::rows + 1; ++rows)
        for (index columns = 1; columns <= 2 * lanes; ++columns) {
          constexpr index row = 2 * lanes;
          const index b_row = whole ? row : columns;
          std::vector<float> a(static_cast<std::size_t>(20 * (rows + 1) + 40 + 2 * lanes)), b(static_cast<std::size_t>(10 * b_row)),
              c(static_cast<std::size_t>((rows + 1) * columns), 2), expected = c;
          for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
          for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
          const auto terms = two_segments(b, b_row, columns > lanes ? columns - lanes : columns, add);
          const auto check = [&]<jig::detail::meeting Meeting>(std::integral_constant<jig::detail::meeting, Meeting>) {
            std::fill(c.begin(), c.end(), 2.0f);
            jig::detail::with_registers<float>(columns, whole, [&](auto registers, auto all) {
              jig::detail::tile_rows<registers, all, Meeting, float> tile(terms);
              for (index i = 0; i < rows; ++i) tile.add(a.data() + 20 * i, c.data() + i * columns);
              tile.finish();
            });
            for (index i = 0; i < rows; ++i)
              for (index j = 0; j < columns; ++j) {
                float sum = add ? 2.0f : 0.0f;
                const index lane = Meeting == jig::detail::meeting::lane ? j : 0;
                for (const auto& s : {terms.segments[0], terms.segments[1]})
                  for (index q = 0; q < length; ++q)
                    sum += a[static_cast<std::size_t>(20 * i + s.a + 2 * q + lane)] * b[static_cast<std::size_t>(s.b + q * b_row + j)];
                expected[static_cast<std::size_t>(i * columns + j)] = sum;
              }
            if (c != expected) ++wrong;
          };
          check(std::integral_constant<jig::detail::meeting, jig::detail::meeting::row>());
          check(std::integral_constant<jig::detail::meeting, jig::detail::meeting::lane>());
        }
  CHECK(wrong == 0);
}

}  // namespace convolutions

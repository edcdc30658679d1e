// SPDX-License-Identifier: MIT
#include <jig/ops/view.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using jig::dyn, jig::shape;

// Lengths at both sides of the blocks that are added at once, in memory that lies in every way.
TEST_CASE_TEMPLATE("views are added to elements at any strides", T, std::uint8_t, std::int32_t, float, double) {
  constexpr jig::index block = static_cast<jig::index>(64 / sizeof(T));
  int wrong = 0;
  for (const jig::index rows : {jig::index{0}, jig::index{1}, jig::index{3}})
    for (const jig::index n : {jig::index{0}, jig::index{1}, block - 1, block, block + 1, 3 * block + 2})
      for (const jig::index step : {-1, 0, 1, 2})
        for (const jig::index from_step : {-1, 0, 1, 3})
          for (const jig::index row_step : {jig::index{0}, 3 * n + 5}) {
            const std::size_t size = static_cast<std::size_t>(8 * (n + 2) * (rows + 1));
            std::vector<T> to(size), from(size);
            for (std::size_t i = 0; i < size; ++i) {
              to[i] = static_cast<T>(i % 7);
              from[i] = static_cast<T>(i % 5);
            }
            std::vector<T> expected = to;
            const jig::index begin = n + 1;
            const jig::view<const T, dyn, dyn> in(from.data() + begin, shape{2, {rows, n}}, shape{2, {row_step, from_step}});
            for (jig::index r = 0; r < rows; ++r)
              for (jig::index i = 0; i < n; ++i) {
                T& sum = expected[static_cast<std::size_t>(begin + r * row_step + i * step)];
                sum = static_cast<T>(sum + from[static_cast<std::size_t>(begin + r * row_step + i * from_step)]);
              }
            jig::detail::add_strided(to.data() + begin, shape{2, {row_step, step}}, in);
            wrong += to != expected;
          }
  CHECK(wrong == 0);
  T one = 2, other = 3;
  jig::detail::add_strided(&one, shape{}, jig::view<const T>(&other, shape{}));
  CHECK(one == T(5));
}

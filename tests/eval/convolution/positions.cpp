// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/positions.hpp>

#include <jig.hpp>

#include "../../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

namespace convolutions {

TEST_CASE("classes hold every position once, with the taps that meet the operand there") {
  std::mt19937 random(23);
  int wrong = 0;
  for (int k = 0; k < 3000; ++k) {
    const jig::detail::convolved_axis axis{roll(random, 0, 12), roll(random, 0, 6), roll(random, 1, 5), roll(random, 1, 4),
                                           roll(random, 0, 5)};
    const bool transposed = k % 2 == 1;
    const index out = roll(random, 0, 20), from = roll(random, 0, out), to = roll(random, from, out);
    const jig::detail::convolution_positions positions(axis, out, transposed);
    std::vector<std::vector<std::pair<index, index>>> met(static_cast<std::size_t>(out));  // of each position: taps, places
    std::vector<int> times(static_cast<std::size_t>(out));
    positions.for_each_class(from, to, [&](const jig::detail::position_class& c) {
      for (index i = 0; i < c.size; ++i) {
        const index o = c.begin + i * c.step;
        if (o < from || o >= to) {
          ++wrong;
          continue;
        }
        ++times[static_cast<std::size_t>(o)];
        for (index t = 0; t < c.taps; ++t)
          met[static_cast<std::size_t>(o)].push_back(
              {c.first + t * positions.tap_step(), c.operand + i * positions.operand_of_position() + t * positions.operand_of_tap()});
      }
    });
    for (index o = from; o < to; ++o) {
      std::vector<std::pair<index, index>> expected;
      for (index t = 0; t < axis.taps; ++t) {
        // Of transposes taps are counted from the last one.
        const index tap = transposed ? axis.taps - 1 - t : t;
        for (index i = 0; i < axis.in; ++i)
          if (transposed ? o + axis.before == i * axis.stride + tap * axis.dilation
                         : o * axis.stride + tap * axis.dilation - axis.before == i)
            expected.push_back({t, i});
      }
      if (times[static_cast<std::size_t>(o)] != 1 || met[static_cast<std::size_t>(o)] != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("positions that meet all taps are one class, or one for each position of a stride") {
  const auto classes = [](const jig::detail::convolution_positions& p) {
    int count = 0;
    p.for_each_class(0, p.positions(), [&](const jig::detail::position_class&) { ++count; });
    return count;
  };
  CHECK(classes({{100, 3, 1, 1, 1}, 100, false}) == 3);
  CHECK(classes({{100, 3, 2, 1, 0}, 49, false}) == 1);
  CHECK(classes({{50, 4, 2, 1, 1}, 100, true}) == 2 + 2 + 2);
}

}  // namespace convolutions

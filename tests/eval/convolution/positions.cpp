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

TEST_CASE("neighbours that are joined have every tap once, in order, and know what was computed before") {
  std::mt19937 random(29);
  int wrong = 0, joined = 0;
  for (int k = 0; k < 3000; ++k) {
    const jig::detail::convolved_axis axis{roll(random, 0, 30), roll(random, 0, 30), roll(random, 1, 2), roll(random, 1, 3),
                                           roll(random, 0, 20)};
    const bool transposed = k % 2 == 1;
    const index out = roll(random, 0, 40), from = roll(random, 0, out), to = roll(random, from, out);
    const jig::detail::convolution_positions positions(axis, out, transposed);
    using taps = std::vector<std::pair<index, index>>;
    std::vector<taps> expected(static_cast<std::size_t>(out)), met(expected);
    const auto put = [&](std::vector<taps>& to_all, const jig::detail::position_class& c, index i) {
      for (index t = 0; t < c.taps; ++t)
        to_all[static_cast<std::size_t>(c.begin + i * c.step)].push_back(
            {c.first + t * positions.tap_step(), c.operand + i * positions.operand_of_position() + t * positions.operand_of_tap()});
    };
    positions.for_each_class(from, to, [&](const auto& c) {
      for (index i = 0; i < c.size; ++i) put(expected, c, i);
    });
    std::vector<int> begun(static_cast<std::size_t>(out));
    positions.for_each_group(from, to, 8, [&](const auto& c) {
      for (index i = 0; i < c.size; ++i) {
        const auto o = static_cast<std::size_t>(c.begin + i * c.step);
        // What has been begun is gone on with, and nothing else is.
        const bool goes_on = c.taps > 0 && c.earliest < c.first;
        wrong += goes_on != (begun[o] > 0);
        begun[o] = 1;
        joined += c.size > 1 && c.earliest < c.first;
        put(met, c, i);
      }
    });
    for (index o = from; o < to; ++o) wrong += begun[static_cast<std::size_t>(o)] != 1;
    wrong += met != expected;
  }
  CHECK(wrong == 0);
  CHECK(joined > 500);
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

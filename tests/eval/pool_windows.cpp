// SPDX-License-Identifier: MIT
#include <jig/eval/pool_windows.hpp>

#include "../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace convolutions {

TEST_CASE("lines of windows have every window once, with the elements that lie in the operand") {
  std::mt19937 random(5);
  for (int k = 0; k < 100; ++k) {
    problem p = random_problem(random, 1 + k % 3);
    p.groups = roll(random, 1, 3);
    p.in = p.out = 1;
    for (index& d : p.dilations) d = 1;
    p.finish();
    const shape xs = p.x_shape(), ys = p.y_shape();
    // Elements of the first channel of every window.
    std::vector<std::vector<index>> expected(static_cast<std::size_t>(ys.size())), found(expected.size());
    p.each_product([&](index i, index, index o) {
      if (o % p.groups == 0) expected[static_cast<std::size_t>(o)].push_back(i);
    });
    const jig::detail::pool_windows windows(p.view(), xs, ys);
    CHECK(windows.channels() == p.groups);
    std::vector<int> seen(expected.size());
    windows.for_each_line([&](const jig::detail::window_line& line) {
      for (index i = 0; i < line.count; ++i) {
        const auto to = static_cast<std::size_t>(line.to + i * windows.channels());
        ++seen[to];
        for (index z = 0; z < line.taps[0]; ++z)
          for (index t = 0; t < line.taps[1]; ++t)
            for (index u = 0; u < line.taps[2]; ++u)
              found[to].push_back(line.from + i * windows.step() * windows.channels() + z * windows.stride(0) + t * windows.stride(1) +
                                  u * windows.stride(2));
      }
    });
    CHECK(found == expected);
    CHECK(std::count(seen.begin(), seen.end(), 1) * p.groups == ys.size());
  }
}

}  // namespace convolutions

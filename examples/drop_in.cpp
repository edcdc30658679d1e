// SPDX-License-Identifier: MIT
// jig in a code base that has its own containers: nothing is copied, results go where they are wanted. Prints what
// drop_in.txt holds.

#include <jig.hpp>

#include <iostream>
#include <numeric>
#include <span>
#include <vector>

constexpr auto smooth =
    jig::function<"smooth(x, previous, rate)">([](auto x, auto previous, auto rate) { return rate * x + (1 - rate) * previous; });
constexpr auto lengths = jig::function<"lengths(points)">([](auto points) { return jig::sqrt(jig::reduce_sum<1>(jig::square(points))); });

int main() {
  std::vector<double> signal(8), filtered(8);
  std::iota(signal.begin(), signal.end(), 1.0);

  // Straight into a std::vector; the result may be an argument.
  for (int round = 0; round < 3; ++round) smooth.into(filtered, signal, filtered, 0.5);
  for (double v : filtered) std::cout << v << ' ';
  std::cout << '\n';

  // Rows of a matrix that somebody else owns, and the same memory seen as its transpose.
  std::vector<float> memory{3, 4, 6, 8, 5, 12};
  jig::view<const float, jig::dyn, 2> rows(memory.data(), 3);
  jig::view<const float, jig::dyn, jig::dyn> columns(memory.data(), {2, 3}, {1, 2});
  std::cout << lengths(rows) << '\n' << lengths(columns) << '\n';

  // A size that does not fit is refused before anything is written.
  try {
    smooth.into(filtered, std::span<const double>(signal).first(5), filtered, 0.5);
  } catch (const jig::invalid_argument& e) {
    std::cout << e.what() << '\n';
  }
}

// SPDX-License-Identifier: MIT
#include <jig/eval/convolution.hpp>

#include <jig.hpp>

#include "../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace convolutions {

TEST_CASE("convolutions and their gradients are what loops say, whatever their extents, strides, padding and groups") {
  std::mt19937 random(17);
  for (int k = 0; k < 400; ++k) {
    const problem p = random_problem(random, 1 + k % 3);
    check_kernels<float>(p, random);
    if (k % 4 == 0) check_kernels<double>(p, random);
    if (k % 4 == 1) check_kernels<std::int32_t>(p, random);
  }
}

TEST_CASE("convolutions of nothing give nothing, and without taps or channels zeros") {
  std::mt19937 random(7);
  for (int k = 0; k < 5; ++k) {
    problem p = small_problem(k);
    p.in = p.out = 3;
    if (k == 2) p.in = 0;
    if (k == 3) p.out = 0;
    if (k == 4) p.taps[0] = 9;  // more than the operand has
    p.finish();
    check_kernels<float>(p, random);
  }
  // Long lines.
  problem p = line_problem(40, 3, "SAME");
  for (index out : {2, 5}) {
    p.in = 0;
    p.out = out;
    p.finish();
    check_kernels<float>(p, random);
  }
}

TEST_CASE("NaN in the operand reaches the positions that meet it, and no others") {
  problem p = line_problem(40, 3, "SAME");
  p.out = 5;
  p.finish();
  std::vector<float> x(40, 1), w(15, 0), y(200);
  x[20] = std::numeric_limits<float>::quiet_NaN();
  jig::kernel<jig::ops::conv2d>::run(p, jig::any_rank_view<float>(y.data(), p.y_shape()),
                                     jig::any_rank_view<const float>(x.data(), p.x_shape()),
                                     jig::any_rank_view<const float>(w.data(), p.w_shape()));
  int wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool meets = i / 5 >= 19 && i / 5 <= 21;
    if (meets ? y[i] == y[i] : y[i] != 0) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace convolutions

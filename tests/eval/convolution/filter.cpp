// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/filter.hpp>

#include <jig.hpp>

#include "../../convolution_loops.hpp"
#include "../../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <random>

namespace convolutions {

TEST_CASE("lines of positions are added up in as many pieces as it takes") {
  std::mt19937 random(11);
  problem p;
  p.axes = 2;
  p.in = 3;
  p.out = jig::simd::lanes<float> + 1;
  p.taps[0] = p.taps[1] = 2;
  p.padding = "VALID";
  // So many lines as a tile has segments, one more, and lines so long that fewer go together.
  for (const index lines : {63, 64, 65, 130}) {
    p.extents[0] = lines + 1;
    p.extents[1] = 5;
    p.finish();
    check_kernels<float>(p, random);
  }
  p.extents[0] = 5;
  p.extents[1] = 3000;
  p.finish();
  check_kernels<float>(p, random);
}

TEST_CASE("taps that meet the operand nowhere get zeros") {
  std::mt19937 random(13);
  problem p;
  p.axes = 1;
  p.in = 2;
  p.out = 3;
  p.extents[0] = 3;
  p.taps[0] = 9;
  p.padding = "SAME";
  p.finish();
  check_kernels<float>(p, random);
}

TEST_CASE("threads share panels of the filter and channels of the operand") {
  constexpr index panel = jig::detail::blocks<float>::columns;
  constexpr auto adjoint =
      jig::function([](auto x, auto w, auto g) { return jig::gradient(jig::reduce_sum(jig::conv2d(x, w, jig::same_padding) * g), w); });
  std::mt19937 random(14);
  const auto filled = [&]<class T>(T x) {
    const auto all = numbers<float>(random, x.shape());
    std::copy(all.begin(), all.end(), x.begin());
    return x;
  };
  const auto check = [&]<index In, index Out>(bool in_blocks, index batch) {
    check_shared(in_blocks, adjoint, filled(jig::tensor<float, jig::dyn, 15, 16, In>(batch)), filled(jig::tensor<float, 3, 3, In, Out>()),
                 filled(jig::tensor<float, jig::dyn, 15, 16, Out>(batch)));
  };
  check.template operator()<16, panel>(true, 16);
  check.template operator()<8, panel>(false, 16);
  check.template operator()<9, panel + 3>(true, 8);
  check.template operator()<40, 2 * panel>(true, 2);
  check.template operator()<40, 2 * panel>(false, 0);
}

}  // namespace convolutions

// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/lines.hpp>

#include <jig.hpp>

#include "../../convolution_loops.hpp"
#include "../../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace convolutions {
namespace {

// Few channels, and lines of some registers.
problem random_lines(std::mt19937& random, int axes) {
  problem p = random_problem(random, axes);
  const index lanes = jig::simd::lanes<float>;
  p.groups = roll(random, 0, 2) == 0 ? roll(random, 2, 3) : 1;
  p.in = roll(random, 1, 4);
  p.out = roll(random, 1, 1 + 4 / p.groups);
  const index lengths[] = {lanes - 1, lanes, lanes + 1, 2 * lanes + 3, 4 * lanes, 9 * lanes + 5, 12 * lanes + 1};
  p.extents[axes - 1] = lengths[roll(random, 0, 6)] + roll(random, 0, 3);
  if (axes == 3) p.extents[0] = roll(random, 1, 3);
  p.finish();
  return p;
}

}  // namespace

TEST_CASE("convolutions with few channels are what loops say, whatever their extents, strides, dilations, padding and groups") {
  std::mt19937 random(11);
  for (int k = 0; k < 240; ++k) {
    const problem p = random_lines(random, 1 + k % 3);
    check_kernels<float>(p, random);
    if (k % 4 == 0) check_kernels<double>(p, random);
  }
}

TEST_CASE("long lines and high images go block by block") {
  std::mt19937 random(13);
  for (const index height : {1, 3, 70}) {
    problem p;
    p.axes = 2;
    p.batch = 2;
    p.in = 3;
    p.out = 2;
    p.extents[0] = height;
    p.extents[1] = 1500;
    p.taps[0] = 3;
    p.taps[1] = 5;
    p.strides[0] = height == 70 ? 2 : 1;
    p.padding = "SAME";
    p.finish();
    check_kernels<float>(p, random);
  }
}

namespace {}  // namespace

TEST_CASE("threads share the blocks of large ones") {
  std::mt19937 random(17);
  problem p;
  p.axes = 2;
  p.in = 3;
  p.out = 2;
  p.taps[0] = p.taps[1] = 3;
  p.padding = "SAME";
  p.extents[1] = 1000;
  // Few products, and many in several blocks.
  for (const index height : {8, 100}) {
    p.extents[0] = height;
    p.finish();
    blocks_shared = 0;
    const jig::detail::parallel_runner_scope scope(&backwards);
    check_kernels<float>(p, random);
    CHECK((blocks_shared > 1) == (height == 100));
  }
}

TEST_CASE("lanes run along lines where channels are few and lines fill a register") {
  const auto runs = [](index groups, index out, index positions, index stride, bool transposed) {
    const jig::detail::convolution_positions axis({100, 3, stride, 1, 0}, positions, transposed);
    return jig::detail::lanes_run_along_lines<float>({groups, 1, out}, axis, positions);
  };
  const index lanes = jig::simd::lanes<float>;
  const index most = lanes / 2 < 4 ? lanes / 2 : 4;
  CHECK(runs(1, most, lanes, 1, false));
  CHECK(runs(2, most / 2, lanes, 2, false));
  CHECK_FALSE(runs(1, most + 1, lanes, 1, false));
  CHECK_FALSE(runs(most + 1, 1, lanes, 1, false));
  CHECK_FALSE(runs(1, 1, lanes - 1, 1, false));
  CHECK(runs(1, 1, lanes, 1, true));
  CHECK_FALSE(runs(1, 1, lanes, 2, true));
}

TEST_CASE("filters are read where they lie, in rows or otherwise") {
  constexpr int taps = 5, n = 70;
  constexpr auto f = jig::function([](auto x, auto w) {
    const auto along = [&](auto filter) { return jig::conv1d(jig::reshape<1, -1, 1>(x), jig::reshape<taps, 1, 1>(filter)); };
    constexpr auto even = jig::range_of<0, jig::unbounded, 2>();
    const auto two = jig::conv1d(jig::reshape<1, -1, 1>(x), jig::transpose<0, 2, 1>(jig::reshape<taps, 2, 1>(w)));
    return std::tuple(along(w(jig::range_of<0, taps>())), along(jig::reverse(w(jig::range_of<0, taps>()))), along(w(even)), two);
  });
  jig::tensor<float, jig::dyn> x(n);
  jig::tensor<float, 2 * taps> w;
  for (int i = 0; i < n; ++i) x(i) = static_cast<float>(i * 7 % 11 - 4);
  for (int i = 0; i < 2 * taps; ++i) w(i) = static_cast<float>(i * 5 % 7 - 2);
  const auto [straight, back, every_other, both] = f(x, w);
  int wrong = 0;
  for (int i = 0; i + taps <= n; ++i) {
    float sums[5] = {};
    for (int t = 0; t < taps; ++t) {
      const float at = x(i + t);
      sums[0] += at * w(t);
      sums[1] += at * w(taps - 1 - t);
      sums[2] += at * w(2 * t);
      sums[3] += at * w(2 * t);
      sums[4] += at * w(2 * t + 1);
    }
    wrong += straight(0, i, 0) != sums[0];
    wrong += back(0, i, 0) != sums[1];
    wrong += every_other(0, i, 0) != sums[2];
    wrong += both(0, i, 0) != sums[3];
    wrong += both(0, i, 1) != sums[4];
  }
  CHECK(wrong == 0);
}

TEST_CASE("zeros around the operand meet no infinite number of the filter") {
  const float infinity = std::numeric_limits<float>::infinity();
  problem p = line_problem(40, 3, "SAME");
  p.finish();
  const std::vector<float> x(40, 1.0f);
  for (const float first : {2.0f, infinity, std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> w{first, 1, 1};
    std::vector<float> y(40, 7);
    jig::kernel<jig::ops::conv2d>::run(p, jig::any_rank_view<float>(y.data(), p.y_shape()),
                                       jig::any_rank_view<const float>(x.data(), p.x_shape()),
                                       jig::any_rank_view<const float>(w.data(), p.w_shape()));
    // The first tap lies before the operand there.
    CHECK(y[0] == 2);
    for (std::size_t i = 1; i < 39; ++i) CHECK((first != first ? y[i] != y[i] : y[i] == first + 2));
    CHECK((first != first ? y[39] != y[39] : y[39] == first + 1));
  }
}

TEST_CASE("what follows gets every line once, when it is complete") {
  problem p;
  p.axes = 3;
  p.batch = 2;
  p.out = 2;
  p.extents[0] = 3;
  p.extents[1] = 50;
  p.extents[2] = 900;
  p.finish();
  const std::vector<float> x(static_cast<std::size_t>(p.x_shape().size()), 1.0f), w{2, 3};
  std::vector<float> y(static_cast<std::size_t>(p.y_shape().size()));
  struct seen {
    std::vector<int> rows;
    const std::vector<float>* results;
    bool complete = true;
  } context{std::vector<int>(y.size() / 2), &y};
  jig::tile_epilogue then;
  then.context = &context;
  then.run = [](const void* at, index row, index rows, index column, index columns) {
    auto& s = *const_cast<seen*>(static_cast<const seen*>(at));
    s.complete = s.complete && column == 0 && columns == 2;
    for (index r = row; r < row + rows; ++r) {
      ++s.rows[static_cast<std::size_t>(r)];
      s.complete =
          s.complete && (*s.results)[static_cast<std::size_t>(2 * r)] == 2 && (*s.results)[static_cast<std::size_t>(2 * r + 1)] == 3;
    }
  };
  jig::kernel<jig::ops::conv3d>::run(p, jig::any_rank_view<float>(y.data(), p.y_shape()),
                                     jig::any_rank_view<const float>(x.data(), p.x_shape()),
                                     jig::any_rank_view<const float>(w.data(), p.w_shape()), then);
  CHECK(context.complete);
  CHECK(context.rows == std::vector<int>(y.size() / 2, 1));
}

}  // namespace convolutions

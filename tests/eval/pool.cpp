// SPDX-License-Identifier: MIT
#include <jig/eval/pool.hpp>

#include <jig.hpp>

#include "../convolution_loops.hpp"
#include "../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace convolutions {
namespace {

problem random_pool(std::mt19937& random, int axes) {
  problem p = random_problem(random, axes);
  const index lanes = jig::simd::lanes<float>;
  const index channels[] = {1, 3, lanes - 1, lanes, lanes + 1, 2 * lanes + 1};
  p.groups = channels[roll(random, 0, 5)];
  p.in = p.out = 1;
  for (index& d : p.dilations) d = 1;
  p.finish();
  return p;
}

template <class T>
void check_pools(const problem& p, std::mt19937& random) {
  const shape xs = p.x_shape(), ys = p.y_shape();
  const auto x = numbers<T>(random, xs), g = numbers<T>(random, ys), h = numbers<T>(random, xs);
  const placed<T> px(x, xs, roll(random, 0, 2)), pg(g, ys, roll(random, 0, 2)), ph(h, xs, roll(random, 0, 2));
  const jig::any_rank_view<const T> vx(px.data(), xs, px.strides), vg(pg.data(), ys, pg.strides), vh(ph.data(), xs, ph.strides);
  const auto at = [](index i) { return static_cast<std::size_t>(i); };
  const T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  std::vector<T> largest(g.size(), lowest), sums(g.size()), gx(x.size()), gy(g.size()), shares(x.size());
  std::vector<index> first(g.size(), -1), count(g.size());
  p.each_product([&](index i, index, index k) {
    if (first[at(k)] < 0 || x[at(i)] > largest[at(k)]) {
      largest[at(k)] = x[at(i)];
      first[at(k)] = i;
    }
    sums[at(k)] = static_cast<T>(sums[at(k)] + x[at(i)]);
    ++count[at(k)];
  });
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (first[k] < 0) continue;
    gx[at(first[k])] = static_cast<T>(gx[at(first[k])] + g[k]);
    gy[k] = h[at(first[k])];
  }
  const auto compare = [&](auto op_kernel, const std::vector<T>& expected, const shape& s, const char* what, const auto&... in) {
    std::vector<T> found(expected.size(), T(7));
    decltype(op_kernel)::run(p, jig::any_rank_view<T>(found.data(), s), in...);
    int wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double a = static_cast<double>(found[i]), b = static_cast<double>(expected[i]);
      if (!(a == b || (a - b < 1e-5 && b - a < 1e-5))) ++wrong;
    }
    CHECK_MESSAGE(wrong == 0, what << " of channels " << p.groups << " axes " << p.axes << " " << std::string(p.padding));
  };
  const jig::any_rank_view<const T> vy(largest.data(), ys);
  compare(jig::kernel<jig::ops::max_pool3d>(), largest, ys, "largest", vx);
  compare(jig::kernel<jig::ops::max_pool3d_grad>(), gx, xs, "gradient of largest", vx, vy, vg);
  compare(jig::kernel<jig::ops::max_pool3d_grad_grad>(), gy, ys, "second gradient of largest", vx, vy, vh);
  if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t k = 0; k < g.size(); ++k) sums[k] /= static_cast<T>(count[k] > 0 ? count[k] : 1);
    p.each_product([&](index i, index, index k) { shares[at(i)] += g[at(k)] / static_cast<T>(count[at(k)]); });
    compare(jig::kernel<jig::ops::avg_pool3d>(), sums, ys, "mean", vx);
    compare(jig::kernel<jig::ops::avg_pool3d_grad>(), shares, xs, "gradient of mean", vg, vx);
  }
}

}  // namespace

TEST_CASE("pools and their gradients are what loops say, whatever their extents, strides, padding and channels") {
  std::mt19937 random(29);
  for (int k = 0; k < 300; ++k) {
    const problem p = random_pool(random, 1 + k % 3);
    check_pools<float>(p, random);
    if (k % 4 == 0) check_pools<double>(p, random);
    if (k % 4 == 1) check_pools<std::int32_t>(p, random);
    if (k % 4 == 2) check_pools<std::uint8_t>(p, random);
  }
}

TEST_CASE("long lines pass through blocks, whatever their windows share") {
  std::mt19937 random(37);
  const index lanes = jig::simd::lanes<float>;
  const index channels[] = {1, 2, 3, 4, lanes / 2, lanes, lanes + 4, 4 * lanes + 1};
  for (int k = 0; k < 48; ++k) {
    problem p = random_pool(random, 1);
    p.batch = 1;
    p.groups = channels[k % 8];
    p.extents[0] = roll(random, 1000, 6000) / p.groups + p.taps[0];
    p.taps[0] = roll(random, 1, 5);
    p.strides[0] = 1 + k / 8 % 4;
    p.finish();
    check_pools<float>(p, random);
    if (k % 8 < 4) check_pools<std::uint8_t>(p, random);
  }
  // Lines that several rows of windows share.
  for (int k = 0; k < 16; ++k) {
    problem p = random_pool(random, 2);
    p.batch = 1;
    p.groups = channels[k % 8];
    p.extents[0] = 6;
    p.extents[1] = 150;
    p.taps[0] = 2 + k % 3;
    p.taps[1] = 2 + k / 3 % 3;
    p.strides[1] = 1 + k % 2;
    p.finish();
    check_pools<float>(p, random);
  }
}

TEST_CASE("pools of nothing give nothing, and windows of nothing the lowest number and 0") {
  std::mt19937 random(31);
  for (int k = 0; k < 4; ++k) {
    problem p = small_problem(k);
    p.groups = k == 2 ? 0 : 3;
    if (k == 3) {
      p.padding = "EXPLICIT";
      p.before[0] = 3;  // the first row of windows lies before the operand
    }
    p.finish();
    check_pools<float>(p, random);
  }
}

TEST_CASE("NaN is the largest element of its window, and no gradient goes to it") {
  problem p = line_problem(8, 2, "VALID");
  p.strides[0] = 2;
  p.finish();
  std::vector<float> x{1, 2, 3, std::numeric_limits<float>::quiet_NaN(), 5, 6, std::numeric_limits<float>::infinity(), 8}, y(4), gx(8, 7),
      g{1, 1, 1, 1};
  const jig::any_rank_view<const float> vx(x.data(), p.x_shape()), vy(y.data(), p.y_shape()), vg(g.data(), p.y_shape());
  jig::kernel<jig::ops::max_pool2d>::run(p, jig::any_rank_view<float>(y.data(), p.y_shape()), vx);
  CHECK(y[0] == 2);
  CHECK(y[1] != y[1]);
  CHECK(y[2] == 6);
  CHECK(y[3] == std::numeric_limits<float>::infinity());
  jig::kernel<jig::ops::max_pool2d_grad>::run(p, jig::any_rank_view<float>(gx.data(), p.x_shape()), vx, vy, vg);
  CHECK(gx == std::vector<float>{0, 1, 0, 0, 0, 1, 1, 0});
}

}  // namespace convolutions
TEST_CASE("threads share the batch") {
  constexpr auto both = jig::function(
      [](auto x) { return std::tuple(jig::max_pool2d<3>(x, jig::strides<2>, jig::same_padding), jig::avg_pool2d<3>(x, jig::strides<1>)); });
  const auto filled = []<class T>(T x) {
    jig::index i = 0;
    for (auto& e : x) e = static_cast<typename T::value_type>((i += 7919) % 113);
    return x;
  };
  check_shared(true, both, filled(jig::tensor<float, 5, 40, 30, 12>()));
  check_shared(true, both, filled(jig::tensor<double, jig::dyn, 40, 30, 12>(jig::index{7})));
  check_shared(false, both, filled(jig::tensor<double, jig::dyn, 40, 30, 12>(jig::index{4})));
  check_shared(false, both, filled(jig::tensor<float, 1, 70, 70, 17>()));
}

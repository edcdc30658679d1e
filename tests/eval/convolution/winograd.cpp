// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/winograd.hpp>

#include <jig.hpp>

#include <jig/parallel.hpp>

#include "../../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace winograd {
namespace {

using ::convolutions::index;
using ::convolutions::problem;
using jig::dyn;

template <class T>
using images = jig::tensor<T, dyn, dyn, dyn, dyn>;

template <class T>
images<T> normal(const jig::shape& s, unsigned seed) {
  images<T> x(s[0], s[1], s[2], s[3]);
  std::mt19937 generator(seed);
  std::normal_distribution<T> numbers;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = numbers(generator);
  return x;
}

problem planar(index batch, index rows, index columns, index in, index out, const char* padding) {
  problem p;
  p.batch = batch;
  p.extents[0] = rows;
  p.extents[1] = columns;
  p.in = in;
  p.out = out;
  p.taps[0] = p.taps[1] = 3;
  p.padding = padding;
  if (padding[0] == 'E') p.before[0] = 2, p.before[1] = 1, p.after[1] = 4;
  p.finish();
  return p;
}

template <class T>
std::vector<double> sums(const problem& p, const T* x, const T* w) {
  std::vector<double> y(static_cast<std::size_t>(p.y_shape().size()));
  p.each_product([&](index i, index j, index k) { y[static_cast<std::size_t>(k)] += double(x[i]) * double(w[j]); });
  return y;
}

// How far a result is from sums, as a part of the largest of them.
template <class Y>
double error(const Y& y, const std::vector<double>& expected) {
  REQUIRE(static_cast<std::size_t>(y.size()) == expected.size());
  double largest = 0, off = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    // What is no number is no result.
    const double d = std::abs(double(y.data()[i]) - expected[i]);
    off = d <= off ? off : d;
  }
  return expected.empty() ? 0 : off / largest;
}

template <class T>
auto convolved(const problem& p, const images<T>& x, const images<T>& w) {
  if (p.padding[0] == 'S') return jig::conv2d(x, w, jig::same_padding, jig::winograd);
  if (p.padding[0] == 'V') return jig::conv2d(x, w, jig::winograd);
  return jig::conv2d(x, w, jig::explicit_padding<2, 0, 1, 4>, jig::winograd);
}

template <class T>
void check(const problem& p, double most, unsigned seed) {
  const images<T> x = normal<T>(p.x_shape(), seed), w = normal<T>(p.w_shape(), seed + 1);
  const auto y = convolved(p, x, w);
  CAPTURE(p.extents[0]);
  CAPTURE(p.extents[1]);
  CAPTURE(p.in);
  CAPTURE(p.out);
  CHECK(y.shape() == p.y_shape());
  CHECK(error(y, sums(p, x.data(), w.data())) <= most);
}

constexpr auto layer = jig::function<"layer(x, w, b)">(
    [](auto x, auto w, auto b) { return jig::relu(jig::conv2d(x, w, jig::same_padding, jig::winograd) + b); });
constexpr auto slopes = jig::function(
    [](auto x, auto w) { return jig::gradient(jig::reduce_sum(jig::square(jig::conv2d(x, w, jig::same_padding, jig::winograd))), x, w); });
constexpr auto direct_slopes =
    jig::function([](auto x, auto w) { return jig::gradient(jig::reduce_sum(jig::square(jig::conv2d(x, w, jig::same_padding))), x, w); });

}  // namespace

TEST_CASE("tiles of Winograd's algorithm are what loops say, whatever their extents, channels and padding") {
  // Channels around those of a register, and results that end anywhere in a tile.
  unsigned seed = 1;
  for (const char* padding : {"SAME", "VALID", "EXPLICIT"}) {
    for (index channels : {1, 3, 15, 16, 17, 33}) {
      check<float>(planar(2, 31, 37, channels, 5, padding), 2e-5, seed += 2);
      check<float>(planar(2, 29, 35, 7, channels, padding), 2e-5, seed += 2);
    }
    for (index rest = 0; rest < 4; ++rest) {
      check<float>(planar(3, 30 + rest, 33, 8, 24, padding), 2e-5, seed += 2);
      check<double>(planar(3, 33, 30 + rest, 9, 12, padding), 2e-14, seed += 2);
    }
    // Items that are tiles by themselves, or less.
    check<float>(planar(70, 4, 4, 6, 6, padding), 2e-5, seed += 2);
    check<float>(planar(130, 3, 5, 6, 6, padding), 2e-5, seed += 2);
  }
  // More than one block, and more than one panel of columns.
  check<float>(planar(1, 60, 61, 80, 70, "SAME"), 2e-5, seed += 2);
  check<double>(planar(1, 60, 61, 40, 70, "SAME"), 2e-14, seed += 2);
}

TEST_CASE("few tiles are computed with every tap, and nothing is nothing") {
  const auto same_bits = [](index rows, index columns) {
    const problem p = planar(1, rows, columns, 5, 9, "SAME");
    const images<float> x = normal<float>(p.x_shape(), 5), w = normal<float>(p.w_shape(), 6);
    const auto y = convolved(p, x, w), direct = jig::conv2d(x, w, jig::same_padding);
    return std::memcmp(y.data(), direct.data(), static_cast<std::size_t>(y.size()) * sizeof(float)) == 0;
  };
  CHECK(same_bits(32, 28));
  CHECK(!same_bits(32, 29));
  for (const problem& p : {planar(0, 32, 32, 3, 3, "SAME"), planar(1, 2, 40, 3, 3, "VALID"), planar(1, 40, 40, 3, 0, "SAME")})
    CHECK(convolved(p, normal<float>(p.x_shape(), 1), normal<float>(p.w_shape(), 2)).size() == 0);
  const problem p = planar(1, 40, 40, 0, 3, "SAME");
  const auto zeros = convolved(p, normal<float>(p.x_shape(), 1), normal<float>(p.w_shape(), 2));
  CHECK(std::all_of(zeros.data(), zeros.data() + zeros.size(), [](float y) { return y == 0; }));
}

TEST_CASE("what is not finite stays where its tile reads") {
  const problem p = planar(1, 64, 64, 3, 4, "SAME");
  images<float> x = normal<float>(p.x_shape(), 3);
  const images<float> w = normal<float>(p.w_shape(), 4);
  const auto before = convolved(p, x, w);
  x(0, 20, 31, 1) = std::numeric_limits<float>::infinity();
  const auto y = convolved(p, x, w);
  for (index i = 0; i < 64; ++i)
    for (index j = 0; j < 64; ++j) {
      if (std::abs(i - 20) <= 1 && std::abs(j - 31) <= 1) CHECK(!std::isfinite(y(0, i, j, 0)));
      if (std::abs(i - 20) > 5 || std::abs(j - 31) > 5) CHECK(y(0, i, j, 0) == before(0, i, j, 0));
    }
}

TEST_CASE("functions join what follows with its tiles, in static, wildcard, strided and column-major memory") {
  const problem p = planar(2, 26, 30, 10, 20, "SAME");
  const images<float> x = normal<float>(p.x_shape(), 11), w = normal<float>(p.w_shape(), 12);
  const jig::tensor<float, 2, 26, 30, 10> static_x(x);
  const jig::tensor<float, 3, 3, 10, 20> static_w(w);
  jig::tensor<float, 20> b;
  for (index i = 0; i < 20; ++i) b(i) = static_cast<float>(i - 10);
  auto expected = sums(p, x.data(), w.data());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = std::max(0.0, expected[i] + double(b(static_cast<index>(i % 20))));
  CHECK(error(layer(static_x, static_w, b), expected) <= 2e-5);
  CHECK(error(layer.eager(static_x, static_w, b), expected) <= 2e-5);
  CHECK(error(layer(x, w, b), expected) <= 2e-5);

  // Every other column of a wider image, and a filter in the other order.
  std::vector<float> wide(static_cast<std::size_t>(2 * x.size())), turned(static_cast<std::size_t>(w.size()));
  for (index i = 0; i < x.size(); ++i) wide[static_cast<std::size_t>(i / 10 * 20 + i % 10)] = x.data()[i];
  const jig::shape e = w.shape();
  for (index i = 0; i < e[0]; ++i)
    for (index j = 0; j < e[1]; ++j)
      for (index k = 0; k < e[2]; ++k)
        for (index l = 0; l < e[3]; ++l) turned[static_cast<std::size_t>(i + 3 * (j + 3 * (k + 10 * l)))] = w(i, j, k, l);
  const jig::view<const float, 2, 26, 30, 10> strided(wide.data(), jig::shape{4, {2, 26, 30, 10}}, jig::shape{4, {15600, 600, 20, 1}});
  const jig::view<const float, 3, 3, 10, 20> columns(turned.data(), jig::shape{4, {3, 3, 10, 20}}, jig::shape{4, {1, 3, 9, 90}});
  CHECK(error(layer(strided, columns, b), expected) <= 2e-5);

  // In lent memory of as many bytes as the plan says.
  constexpr auto g =
      layer.get_concrete_function(jig::spec<float, 2, 26, 30, 10>(), jig::spec<float, 3, 3, 10, 20>(), jig::spec<float, 20>());
  static_assert(g.peak_workspace() > 36 * 10 * 20 * 4);
  alignas(64) static std::byte memory[static_cast<std::size_t>(g.peak_workspace())];
  jig::tensor<float, 2, 26, 30, 20> out;
  g.with_workspace(memory).into(out, static_x, static_w, b);
  CHECK(error(out, expected) <= 2e-5);
  CHECK_THROWS_AS(g.with_workspace(std::span<std::byte>(memory).first(sizeof(memory) / 2)).into(out, static_x, static_w, b),
                  jig::invalid_argument);
}

TEST_CASE("views inside of a graph are read where they lie, or with every tap") {
  constexpr auto f = jig::function([](auto x, auto w) {
    return std::tuple(jig::conv2d(jig::transpose<0, 2, 1, 3>(x), w, jig::same_padding, jig::winograd),
                      jig::conv2d(jig::transpose<0, 3, 1, 2>(x), w, jig::channels_first, jig::same_padding, jig::winograd));
  });
  constexpr auto g = f.get_concrete_function(jig::spec<float, 1, 34, 40, 8>(), jig::spec<float, 3, 3, 8, 8>());
  const jig::tensor<float, 1, 34, 40, 8> x(normal<float>({4, {1, 34, 40, 8}}, 41));
  const jig::tensor<float, 3, 3, 8, 8> w(normal<float>({4, {3, 3, 8, 8}}, 42));
  const problem p = planar(1, 34, 40, 8, 8, "SAME"), q = planar(1, 40, 34, 8, 8, "SAME");
  alignas(64) static std::byte memory[static_cast<std::size_t>(g.peak_workspace())];
  jig::tensor<float, 1, 40, 34, 8> turned;
  jig::tensor<float, 1, 8, 34, 40> first;
  g.with_workspace(memory).into(std::tie(turned, first), x, w);
  const jig::tensor<float, 1, 40, 34, 8> turned_x = jig::transpose<0, 2, 1, 3>(x);
  CHECK(error(turned, sums(q, turned_x.data(), w.data())) <= 2e-5);
  CHECK(error(jig::tensor<float, 1, 34, 40, 8>(jig::transpose<0, 2, 3, 1>(first)), sums(p, x.data(), w.data())) <= 2e-5);
}

TEST_CASE("threads that share blocks give the same bits") {
  const problem p = planar(1, 130, 120, 40, 48, "SAME");
  const images<float> x = normal<float>(p.x_shape(), 21), w = normal<float>(p.w_shape(), 22);
  const jig::tensor<float, 48> b = jig::zeros<float, 48>();
  const auto alone = layer(x, w, b), shared = jig::parallel(layer)(x, w, b);
  CHECK(std::memcmp(alone.data(), shared.data(), static_cast<std::size_t>(alone.size()) * sizeof(float)) == 0);
}

TEST_CASE("gradients are taken with every tap") {
  const jig::tensor<float, 1, 32, 32, 4> x(normal<float>({4, {1, 32, 32, 4}}, 31));
  const jig::tensor<float, 3, 3, 4, 8> w(normal<float>({4, {3, 3, 4, 8}}, 32));
  const auto [gx, gw] = slopes(x, w);
  const auto [dx, dw] = direct_slopes(x, w);
  const auto as_sums = [](const auto& t) { return std::vector<double>(t.data(), t.data() + t.size()); };
  CHECK(error(gx, as_sums(dx)) <= 4e-5);
  CHECK(error(gw, as_sums(dw)) <= 4e-5);
}

}  // namespace winograd

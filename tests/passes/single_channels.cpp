// SPDX-License-Identifier: MIT
#include <jig/passes/single_channels.hpp>

#include "../lowered_text.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using jig::dyn;

template <class... Key>
bool convolves(auto lambda, Key... key) {
  return lowered_text(lambda, key...).find("Conv2D(") != std::string::npos;
}
constexpr auto valid = [](const auto& x, const auto& f) { return jig::conv2d(x, f, jig::valid_padding); };
template <jig::index H, jig::index W, jig::index In = 1, jig::index Out = 1>
using filter = jig::spec<float, H, W, In, Out>;
using images = jig::spec<float, dyn, dyn, dyn, 1>;

template <class T, jig::index... E>
jig::tensor<T, E...> numbers(jig::tensor<T, E...> x, int factor) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * factor) % 41 - 20) / 8;
  return x;
}

// Of images of these extents, against a plain loop.
template <class T, jig::index H, jig::index W, jig::index Apart>
void check(jig::index batch, jig::index rows, jig::index columns) {
  static constexpr auto f = jig::function<"f(x, w)">(
      [](const auto& x, const auto& w) { return jig::conv2d(x, w, jig::valid_padding, jig::dilations<Apart>) * 2; });
  const auto x = numbers(jig::zeros<T, dyn, dyn, dyn, 1>(batch, rows, columns), 7);
  const auto w = numbers(jig::zeros<T, H, W, 1, 1>(), 5);
  const auto y = f(x, w);
  const jig::index out_rows = rows - (H - 1) * Apart, out_columns = columns - (W - 1) * Apart;
  const bool empty = out_rows <= 0 || out_columns <= 0;
  int wrong = y.size() != (empty ? 0 : batch * out_rows * out_columns);
  for (jig::index b = 0; b < batch && !empty; ++b)
    for (jig::index i = 0; i < out_rows; ++i)
      for (jig::index j = 0; j < out_columns; ++j) {
        double sum = 0;
        for (jig::index p = 0; p < H; ++p)
          for (jig::index q = 0; q < W; ++q)
            sum += static_cast<double>(x(b, i + p * Apart, j + q * Apart, 0)) * static_cast<double>(w(p, q, 0, 0));
        wrong += !(std::abs(static_cast<double>(y(b, i, j, 0)) - 2 * sum) <= 1e-5 * (1 + std::abs(sum)));
      }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("small filters of one channel are sums of neighbours") {
  CHECK_FALSE(convolves(valid, images(), filter<3, 3>()));
  CHECK_FALSE(convolves(valid, images(), filter<1, 2>()));
  CHECK_FALSE(convolves(valid, images(), filter<1, 16>()));
  CHECK_FALSE(convolves(valid, jig::spec<double, 2, 28, 28, 1>(), jig::spec<double, 4, 4, 1, 1>()));
  CHECK_FALSE(convolves([](const auto& x, const auto& f) { return jig::conv2d(x, f, jig::valid_padding, jig::dilations<2>); }, images(),
                        filter<3, 3>()));
  CHECK_FALSE(convolves([](const auto& x, const auto& f) { return jig::conv1d(x, f); }, jig::spec<float, 1, dyn, 1>(),
                        jig::spec<float, 5, 1, 1>()));
}
TEST_CASE("other convolutions stay") {
  CHECK(convolves(valid, images(), filter<1, 17>()));
  CHECK(convolves(valid, images(), filter<1, 1>()));
  CHECK(convolves(valid, images(), filter<3, 3, 1, 4>()));
  CHECK(convolves(valid, jig::spec<float, dyn, dyn, dyn, 2>(), filter<3, 3, 2, 1>()));
  CHECK(convolves(valid, jig::spec<float, dyn, dyn, dyn, dyn>(), filter<3, 3>()));
  CHECK(convolves(valid, images(), jig::spec<float, dyn, 3, 1, 1>()));
  CHECK(convolves(valid, jig::spec<jig::half, dyn, dyn, dyn, 1>(), jig::spec<jig::half, 3, 3, 1, 1>()));
  CHECK(convolves([](const auto& x, const auto& f) { return jig::conv2d(x, f, jig::same_padding); }, images(), filter<3, 3>()));
  CHECK(convolves([](const auto& x, const auto& f) { return jig::conv2d(x, f, jig::valid_padding, jig::strides<2>); }, images(),
                  filter<3, 3>()));
  CHECK(convolves([](const auto& x, const auto& f) { return jig::conv2d(x, f, jig::valid_padding, jig::winograd); }, images(),
                  filter<3, 3>()));
}

TEST_CASE_TEMPLATE("sums of neighbours are what a plain loop gives", T, float, double) {
  for (const jig::index batch : {0, 1, 3})
    for (const jig::index rows : {1, 2, 3, 4, 9})
      for (const jig::index columns : {1, 2, 3, 5, 16, 17, 40}) {
        check<T, 3, 3, 1>(batch, rows, columns);
        check<T, 1, 2, 1>(batch, rows, columns);
        check<T, 2, 1, 3>(batch, rows, columns);
        check<T, 2, 3, 2>(batch, rows, columns);
      }
}
TEST_CASE("a signal of any length by a filter of 16 taps, and its gradient") {
  constexpr auto f = jig::function<"f(x, w)">(
      [](const auto& x, const auto& w) { return jig::flatten(jig::conv1d(jig::reshape<1, jig::infer, 1>(x), jig::reshape<16, 1, 1>(w))); });
  constexpr auto slope = jig::grad<1>([](const auto& x, const auto& w) {
    return jig::reduce_sum(jig::conv1d(jig::reshape<1, jig::infer, 1>(x), jig::reshape<16, 1, 1>(w)));
  });
  for (const jig::index n : {16, 17, 31, 32, 47, 100}) {
    const auto x = numbers(jig::zeros<float, dyn>(n), 11);
    const auto w = numbers(jig::zeros<float, 16>(), 3);
    const auto y = f(x, w);
    const auto g = slope(x, w);
    int wrong = y.size() != n - 15;
    for (jig::index i = 0; i < n - 15; ++i) {
      double sum = 0;
      for (jig::index k = 0; k < 16; ++k) sum += static_cast<double>(x(i + k)) * static_cast<double>(w(k));
      wrong += !(std::abs(static_cast<double>(y(i)) - sum) <= 1e-5 * (1 + std::abs(sum)));
    }
    for (jig::index k = 0; k < 16; ++k) {
      double sum = 0;
      for (jig::index i = 0; i < n - 15; ++i) sum += static_cast<double>(x(i + k));
      wrong += !(std::abs(static_cast<double>(g(k)) - sum) <= 1e-5 * (1 + std::abs(sum)));
    }
    CHECK(wrong == 0);
  }
  CHECK(f(jig::zeros<float, dyn>(15), jig::zeros<float, 16>()).size() == 0);
}

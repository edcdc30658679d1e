// SPDX-License-Identifier: MIT
#include <jig/ops/normalization.hpp>

#include <jig.hpp>

#include "../check_gradients.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace normalizations {
namespace {

using jig::dyn;
using jig::index;

constexpr auto moments_of = jig::function([](auto x) { return std::tuple_cat(jig::moments<0>(x), jig::moments<1>(x, jig::keepdims)); });
constexpr auto trained = [](auto x, auto offset, auto scale) {
  auto [mean, variance] = jig::batch_moments(x);
  return jig::batch_norm(x, mean, variance, offset, scale);
};
constexpr auto of_channels = jig::function(trained);
constexpr auto kept = jig::function([](auto x, auto m, auto v, auto o, auto s) { return jig::batch_norm(x, m, v, o, s, 0.5); });
constexpr auto rows = [](auto x, auto gamma, auto beta) { return jig::layer_norm(x, gamma, beta); };
constexpr auto of_rows = jig::function(rows);
constexpr auto plain_rows = jig::function([](auto x) { return jig::layer_norm(x); });
// As a program traces it at run time.
const auto of_channels_at_run_time = jig::dynamic_function("channels(x, offset, scale)", trained);
const auto of_rows_at_run_time = jig::dynamic_function("rows(x, gamma, beta)", rows);

// The mean and the variance of every step-th number from the first on.
struct loop {
  double mean = 0, variance = 0;
  template <class T>
  loop(const T* x, index count, index step) {
    for (index i = 0; i < count; ++i) mean += static_cast<double>(x[i * step]) / static_cast<double>(count);
    for (index i = 0; i < count; ++i) {
      const double d = static_cast<double>(x[i * step]) - mean;
      variance += d * d / static_cast<double>(count);
    }
  }
  double of(double x, double epsilon) const { return (x - mean) / std::sqrt(variance + epsilon); }
};

bool near_to(double found, double expected, double tolerance) { return std::abs(found - expected) <= tolerance * (1 + std::abs(expected)); }

template <class T, index... E, class... N>
auto scattered(N... n) {
  auto x = jig::zeros<T, E...>(n...);
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<double>((i + 3) * 7919 % 1009) / 250 - 1);
  return x;
}

// Wrong elements of a matrix whose columns, or rows, are normalised.
template <class Y, class X, class S>
int wrong_in(const Y& y, const X& x, const S& offset, const S& scale, index n, index c, bool columns, double tolerance) {
  int wrong = 0;
  for (index i = 0; i < n; ++i)
    for (index k = 0; k < c; ++k) {
      const loop m(columns ? x.data() + k : x.data() + i * c, columns ? n : c, columns ? c : 1);
      const double expected =
          m.of(static_cast<double>(x.data()[i * c + k]), 1e-3) * static_cast<double>(scale(k)) + static_cast<double>(offset(k));
      if (!near_to(static_cast<double>(y.data()[i * c + k]), expected, tolerance)) ++wrong;
    }
  return wrong;
}

}  // namespace

TEST_CASE("moments") {
  const auto x = scattered<double, 5, 7>();
  const auto [mean, variance, row_mean, row_variance] = moments_of(x);
  REQUIRE((mean.shape() == jig::shape{1, {7}} && row_variance.shape() == jig::shape{2, {5, 1}}));
  for (index k = 0; k < 7; ++k) {
    CHECK(near_to(mean(k), loop(x.data() + k, 5, 7).mean, 1e-14));
    CHECK(near_to(variance(k), loop(x.data() + k, 5, 7).variance, 1e-14));
  }
  for (index i = 0; i < 5; ++i) {
    CHECK(near_to(row_mean(i, 0), loop(x.data() + i * 7, 7, 1).mean, 1e-14));
    CHECK(near_to(row_variance(i, 0), loop(x.data() + i * 7, 7, 1).variance, 1e-14));
  }
  // Of one number the variance is 0, of none nothing is known.
  const auto [one_mean, one_variance] = jig::moments(jig::tensor<float, 1>{3});
  CHECK((one_mean() == 3 && one_variance() == 0));
  CHECK(std::isnan(std::get<1>(jig::moments(jig::zeros<float, 0>()))()));
}

TEST_CASE("batch_norm: moments of channels, and those that were kept") {
  const auto offset = scattered<float, 9>(), scale = scattered<float, 9>();
  for (index n : {1, 2, 17, 64}) {
    CAPTURE(n);
    const auto x = scattered<float, dyn, 2, 9>(n);
    CHECK(wrong_in(of_channels(x, offset, scale), x, offset, scale, 2 * n, 9, true, 2e-5) == 0);
    const jig::any_tensor y = of_channels_at_run_time(jig::any_tensor(x), jig::any_tensor(offset), jig::any_tensor(scale));
    CHECK(wrong_in(y.as<float, dyn, 2, 9>(), x, offset, scale, 2 * n, 9, true, 2e-5) == 0);
  }
  // TensorFlow's formula, by hand: 2 (5 - 1) / sqrt(3.5 + 0.5) + 10.
  const jig::tensor<float, 1> five{5}, one{1}, variance{3.5f}, ten{10}, two{2};
  CHECK(kept(five, one, variance, ten, two)(0) == 14);
  CHECK(std::isnan(kept(five, one, jig::tensor<float, 1>{-1}, ten, two)(0)));
}

TEST_CASE("batch_norm: runs with the convolution before it, on every tile") {
  constexpr auto block = [](auto x, auto w, auto m, auto v, auto o, auto s) {
    return jig::relu(jig::batch_norm(jig::conv2d(x, w, jig::same_padding), m, v, o, s));
  };
  using c = jig::spec<float, 8>;
  const auto f =
      jig::function(block).get_concrete_function(jig::spec<float, dyn, 9, 9, 8>(), jig::spec<float, 3, 3, 8, 8>(), c(), c(), c(), c());
  const std::string plan = jig::to_text(f.plan());
  CHECK(plan.find("epilogue of (n0, 9, 9, 8)") != std::string::npos);
  CHECK(plan.find("mul_1, add_1 -> Relu [result 0]") != std::string::npos);
}

TEST_CASE("layer_norm: rows of every length") {
  for (index n : {1, 2, 7, 8, 15, 16, 17, 33, 100}) {
    CAPTURE(n);
    const auto gamma = scattered<float, dyn>(n), beta = scattered<float, dyn>(n + 0);
    const auto x = scattered<float, dyn, dyn>(5, n);
    CHECK(wrong_in(of_rows(x, gamma, beta), x, beta, gamma, 5, n, false, 2e-5) == 0);
    const jig::any_tensor y = of_rows_at_run_time(jig::any_tensor(x), jig::any_tensor(gamma), jig::any_tensor(beta));
    CHECK(wrong_in(y.as<float, dyn, dyn>(), x, beta, gamma, 5, n, false, 2e-5) == 0);
  }
  CHECK(of_rows(jig::zeros<float, dyn, dyn>(0, 4), jig::ones<float, dyn>(4), jig::ones<float, dyn>(4)).size() == 0);
  // The documentation of Keras' layer: pairs of numbers that are 10 apart.
  const auto y = plain_rows(jig::tensor<float, 2, 2>{{0, 10}, {20, 30}});
  for (index i = 0; i < 2; ++i) {
    CHECK(y(i, 0) == doctest::Approx(-0.99998));
    CHECK(y(i, 1) == doctest::Approx(0.99998));
  }
  const auto bad = plain_rows(jig::tensor<float, 2, 2>{{std::numeric_limits<float>::quiet_NaN(), 1}, {3, 3}});
  CHECK((std::isnan(bad(0, 1)) && bad(1, 0) == 0));
}

TEST_CASE("layer_norm: one pass by rows") {
  const auto f = of_rows.get_concrete_function(jig::spec<float, dyn, 256>(), jig::spec<float, 256>(), jig::spec<float, 256>());
  const std::string plan = jig::to_text(f.plan());
  CHECK(plan.find("rows of (n0,)") != std::string::npos);
  CHECK(plan.find("slot") == std::string::npos);
}

TEST_CASE("normalisations have gradients") {
  const auto x = numbers<jig::tensor<double, 4, 3>>(-1, 2);
  const auto a = numbers<jig::tensor<double, 3>>(0.5, 1.5, 2), b = numbers<jig::tensor<double, 3>>(-1, 1, 3);
  check_gradients(trained, x, a, b);
  check_gradients(rows, x, a, b);
}

TEST_CASE("what has no batch is refused") {
  using jig::detail::inferred;
  using vector = inferred<jig::detail::channel_mean, jig::attributes<>, jig::detail::types<jig::spec<float, 3>>>;
  static_assert(!vector::accepted);
  CHECK(vector::why().view() == "batch_moments: the operand needs an axis before its channels");
  CHECK_THROWS_WITH_AS(of_channels_at_run_time(jig::any_tensor(jig::ones<float, 3>()), jig::any_tensor(1.0f), jig::any_tensor(1.0f)),
                       doctest::Contains("batch_moments: the operand needs an axis before its channels"), jig::invalid_argument);
}

TEST_CASE("rows of norm 1") {
  constexpr auto normalized = [](auto x) { return jig::l2_normalize<-1>(x); };
  const auto y = jig::function(normalized)(jig::tensor<double, 3, 2>{{3, -4}, {0, 0}, {1e-9, 0}});
  const double expected[] = {0.6, -0.8, 0, 0, 1e-3, 0};
  for (index i = 0; i < 6; ++i) CHECK(y.data()[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  CHECK(jig::l2_normalize(std::vector<float>{3, 4}, 100.0)(1) == doctest::Approx(0.4));
  CHECK(jig::l2_normalize(jig::zeros<float, dyn>(0)).size() == 0);
  check_gradients(normalized, numbers<jig::tensor<double, 3, 4>>(-1, 2));
}

}  // namespace normalizations

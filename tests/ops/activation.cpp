// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// An activation, its formula and its limits.
struct row {
  const char* name;
  double (*expected)(double);
  double at_infinity, at_minus_infinity;
};

constexpr auto all_of_them = jig::function<"f(x)">([](auto x) {
  return std::tuple(jig::relu(x), jig::relu6(x), jig::leaky_relu(x), jig::leaky_relu(x, 0.5), jig::elu(x), jig::selu(x), jig::sigmoid(x),
                    jig::softplus(x), jig::softsign(x), jig::silu(x), jig::log_sigmoid(x));
});
constexpr row rows[] = {
    {"relu", [](double x) { return x > 0 ? x : 0; }, inf, 0},
    {"relu6", [](double x) { return x < 0   ? 0
                                    : x > 6 ? 6
                                            : x; }, 6, 0},
    {"leaky_relu", [](double x) { return x > 0 ? x : 0.2 * x; }, inf, -inf},
    {"leaky_relu of 0.5", [](double x) { return x > 0 ? x : 0.5 * x; }, inf, -inf},
    {"elu", [](double x) { return x > 0 ? x : std::expm1(x); }, inf, -1},
    {"selu", [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }, inf, -1.7580993408473766},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 1, 0},
    {"softplus", [](double x) { return std::log1p(std::exp(x)); }, inf, 0},
    {"softsign", [](double x) { return x / (1 + std::abs(x)); }, not_a_number, not_a_number},
    {"silu", [](double x) { return x / (1 + std::exp(-x)); }, inf, not_a_number},
    {"log_sigmoid", [](double x) { return -std::log1p(std::exp(-x)); }, 0, -inf},
};

}  // namespace

TEST_CASE("activations are what their formulas say, of many numbers and of one") {
  std::vector<float> x;
  for (int i = 0; i < 37; ++i) x.push_back(static_cast<float>(i - 18) / 2);
  auto check = [&](const std::vector<float>& values) {
    std::size_t k = 0;
    auto one = [&](const jig::tensor<float, jig::dyn>& y) {
      const row& r = rows[k++];
      CAPTURE(r.name);
      for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(y(static_cast<jig::index>(i)) == doctest::Approx(r.expected(static_cast<double>(values[i]))).epsilon(3e-6));
    };
    std::apply([&](const auto&... y) { (one(y), ...); }, all_of_them(values));
  };
  check(x);
  for (float v : x) check({v});
}

TEST_CASE("activations of doubles") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::leaky_relu(x), jig::selu(x), jig::sigmoid(x)); });
  std::vector<double> x;
  for (int i = 0; i < 37; ++i) x.push_back(static_cast<double>(i - 18) / 2);
  auto [leaky, scaled, share] = f(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto at = static_cast<jig::index>(i);
    CHECK(leaky(at) == doctest::Approx(rows[2].expected(x[i])).epsilon(1e-13));
    CHECK(scaled(at) == doctest::Approx(rows[5].expected(x[i])).epsilon(1e-13));
    CHECK(share(at) == doctest::Approx(rows[6].expected(x[i])).epsilon(1e-13));
  }
}

TEST_CASE("gelu is that of erf") {
  auto op = [](auto x) { return jig::gelu(x); };
  jig::tensor<double, 5> x{-3, -1, 0, 0.5, 2};
  auto y = op(x);
  for (int i = 0; i < 5; ++i) CHECK(y(i) == doctest::Approx(0.5 * x(i) * (1 + std::erf(x(i) / std::sqrt(2.0)))).epsilon(1e-12));
  // tf.nn.gelu of the same numbers
  CHECK(jig::gelu(1.0f)() == doctest::Approx(0.8413447f));
  static_assert(std::is_same_v<decltype(jig::gelu(1.0f)), jig::tensor<float>>);
}

TEST_CASE("integers have relu and relu6 only") {
  jig::tensor<std::int8_t, 4> x{-128, -1, 5, 127};
  auto y = jig::relu6(x);
  CHECK(y(0) == 0);
  CHECK(y(2) == 5);
  CHECK(y(3) == 6);
  constexpr auto relu = jig::function<"f(x)">([](auto v) { return jig::relu(v); });
  std::vector<int> numbers;
  for (int i = 0; i < 37; ++i) numbers.push_back(i - 18);
  auto z = relu(numbers);
  for (int i = 0; i < 37; ++i) CHECK(z(i) == (i > 18 ? i - 18 : 0));
  CHECK(jig::relu(jig::tensor<std::uint16_t, 2>{0, 65535})(1) == 65535);
}

TEST_CASE("NaN passes, infinities have their limits") {
  std::size_t k = 0;
  auto check = [&](const jig::tensor<float, jig::dyn>& y) {
    const row& r = rows[k++];
    CAPTURE(r.name);
    CHECK(std::isnan(y(0)));
    CHECK(std::isnan(y(3)));
    CHECK(std::isnan(y(8)));
    // Where there is no limit in the table, infinities are divided by each other.
    if (!std::isnan(r.at_infinity)) CHECK(static_cast<double>(y(1)) == r.at_infinity);
    if (!std::isnan(r.at_minus_infinity))
      CHECK((y(2) == static_cast<float>(r.at_minus_infinity) || y(2) == doctest::Approx(r.at_minus_infinity)));
  };
  const std::vector<float> x{not_a_number, inf, -inf, not_a_number, 1, 2, 3, -4, not_a_number};
  std::apply([&](const auto&... y) { (check(y), ...); }, all_of_them(x));
  CHECK(jig::softplus(1000.0f)() == 1000.0f);
  CHECK(jig::sigmoid(-200.0)() == doctest::Approx(std::exp(-200.0)));
}

TEST_CASE("softmax sums to 1 along its axis") {
  jig::tensor<double, 2, 3> x{{1, 2, 3}, {1000, 1000, 1001}};
  auto y = jig::softmax(x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<double, 2, 3>>);
  double total = std::exp(-2.0) + std::exp(-1.0) + 1;
  CHECK(y(0, 0) == doctest::Approx(std::exp(-2.0) / total));
  CHECK(y(0, 2) == doctest::Approx(1 / total));
  CHECK(y(1, 2) == doctest::Approx(1 / (1 + 2 * std::exp(-1.0))));
  auto columns = jig::softmax<0>(x);
  CHECK(columns(1, 0) == doctest::Approx(1.0));
  CHECK(columns(0, 0) + columns(1, 0) == doctest::Approx(1.0));
  auto logs = jig::log_softmax(x);
  CHECK(logs(0, 0) == doctest::Approx(-2 - std::log(total)));
  CHECK(jig::log_softmax(jig::tensor<float, 2>{0, 200})(0) == doctest::Approx(-200));
}

TEST_CASE("softmax takes infinities as TensorFlow does") {
  jig::tensor<float, 4, 3> x{{-inf, 0, 0}, {inf, 0, 0}, {-inf, -inf, -inf}, {not_a_number, 0, 0}};
  auto y = jig::softmax(x);
  CHECK(y(0, 0) == 0);
  CHECK(y(0, 1) == 0.5f);
  for (int j = 0; j < 3; ++j) {
    CHECK(std::isnan(y(1, j)));
    CHECK(std::isnan(y(2, j)));
    CHECK(std::isnan(y(3, j)));
  }
  auto logs = jig::log_softmax(x);
  CHECK(logs(0, 0) == -inf);
  CHECK(logs(0, 1) == doctest::Approx(-std::log(2.0)));
}

TEST_CASE("wildcard extents, nothing and views") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::softmax(jig::relu(x)); });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, jig::dyn, 3>{});
  static_assert(std::is_same_v<decltype(traced)::output_spec, jig::spec<float, jig::dyn, 3>>);
  static_assert(traced.graph().count("Relu") == 1);
  jig::tensor<float, jig::dyn, 3> none;
  CHECK(traced(none).extent(0) == 0);
  jig::tensor<float, jig::dyn, 3> one{{-1, 0, 1}};
  CHECK(traced(one)(0, 2) == doctest::Approx(std::exp(1.0) / (2 + std::exp(1.0))));
  float memory[6] = {1, 9, 2, 9, -3, 9};
  jig::view<const float, 3> every_second(memory, {3}, {2});
  auto y = jig::relu(every_second);
  CHECK(y(0) == 1);
  CHECK(y(1) == 2);
  CHECK(y(2) == 0);
}

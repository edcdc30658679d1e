// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// An op on many elements, on a few and in a trace against a plain function of one.
template <class T>
void compare(auto op, auto expected, double tolerance = 1e-6) {
  jig::tensor<T, 37> x;
  for (int i = 0; i < 37; ++i) x(i) = static_cast<T>(i - 18) / static_cast<T>(2);
  auto y = op(x);
  auto traced = jig::function<"f(x)">(op)(x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<T, 37>>);
  for (int i = 0; i < 37; ++i) {
    double e = expected(static_cast<double>(x(i)));
    CHECK(static_cast<double>(y(i)) == doctest::Approx(e).epsilon(tolerance));
    CHECK(y(i) == traced(i));
    CHECK(op(jig::tensor<T>{x(i)})() == y(i));
  }
}

void compare_floats(auto op, auto expected) {
  compare<float>(op, expected, 3e-6);
  compare<double>(op, expected, 1e-13);
}

}  // namespace

TEST_CASE("activations are what their formulas say") {
  compare_floats([](const auto& x) { return jig::relu(x); }, [](double x) { return x > 0 ? x : 0; });
  compare_floats([](const auto& x) { return jig::relu6(x); },
                 [](double x) { return x < 0   ? 0
                                       : x > 6 ? 6
                                               : x; });
  compare_floats([](const auto& x) { return jig::leaky_relu(x); },
                 [](double x) { return x > 0 ? x : 0.2 * x; });
  compare_floats([](const auto& x) { return jig::leaky_relu(x, 0.5); },
                 [](double x) { return x > 0 ? x : 0.5 * x; });
  compare_floats([](const auto& x) { return jig::elu(x); },
                 [](double x) { return x > 0 ? x : std::expm1(x); });
  compare_floats([](const auto& x) { return jig::selu(x); }, [](double x) {
    return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
  });
  compare_floats([](const auto& x) { return jig::sigmoid(x); },
                 [](double x) { return 1 / (1 + std::exp(-x)); });
  compare_floats([](const auto& x) { return jig::silu(x); }, [](double x) { return x / (1 + std::exp(-x)); });
  compare_floats([](const auto& x) { return jig::softplus(x); },
                 [](double x) { return std::log1p(std::exp(x)); });
  compare_floats([](const auto& x) { return jig::softsign(x); },
                 [](double x) { return x / (1 + std::abs(x)); });
}

TEST_CASE("gelu is that of erf") {
  auto op = [](auto x) { return jig::gelu(x); };
  jig::tensor<double, 5> x{-3, -1, 0, 0.5, 2};
  auto y = op(x);
  for (int i = 0; i < 5; ++i)
    CHECK(y(i) == doctest::Approx(0.5 * x(i) * (1 + std::erf(x(i) / std::sqrt(2.0)))).epsilon(1e-12));
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
  compare<int>([](const auto& v) { return jig::relu(v); }, [](double v) { return v > 0 ? v : 0; });
  CHECK(jig::relu(jig::tensor<std::uint16_t, 2>{0, 65535})(1) == 65535);
  CHECK(jig::relu(jig::tensor<std::int64_t, 2>{-7, 7})(0) == 0);
}

TEST_CASE("NaN passes, infinities have their limits") {
  jig::tensor<float, 9> x{not_a_number, inf, -inf, not_a_number, 1, 2, 3, -4, not_a_number};
  auto check = [&](auto op, float at_inf, float at_minus_inf) {
    auto y = op(x);
    CHECK(std::isnan(y(0)));
    CHECK(std::isnan(y(3)));
    CHECK(std::isnan(y(8)));
    CHECK(y(1) == at_inf);
    CHECK((y(2) == at_minus_inf || y(2) == doctest::Approx(at_minus_inf)));
    CHECK(std::isnan(op(jig::tensor<float>{not_a_number})()));
  };
  check([](const auto& v) { return jig::relu(v); }, inf, 0);
  check([](const auto& v) { return jig::relu6(v); }, 6, 0);
  check([](const auto& v) { return jig::leaky_relu(v); }, inf, -inf);
  check([](const auto& v) { return jig::elu(v); }, inf, -1);
  check([](const auto& v) { return jig::selu(v); }, inf, -1.7580993f);
  check([](const auto& v) { return jig::sigmoid(v); }, 1, 0);
  check([](const auto& v) { return jig::softplus(v); }, inf, 0);
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

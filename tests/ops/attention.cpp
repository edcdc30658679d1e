// SPDX-License-Identifier: MIT
#include <jig/ops/attention.hpp>

#include <jig.hpp>

#include "../check_gradients.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace attentions {
namespace {

using jig::dyn;
using jig::index;

constexpr auto plain = [](auto q, auto k, auto v) { return jig::dot_product_attention(q, k, v); };
constexpr auto restricted = [](auto q, auto k, auto v, auto mask, auto bias) {
  return jig::dot_product_attention(q, k, v, jig::causal, mask, bias);
};
constexpr auto attend = jig::function(plain);
constexpr auto attend_some = jig::function(restricted);
const auto at_run_time = jig::dynamic_function("attend(q, k, v)", plain);
const auto some_at_run_time = jig::dynamic_function("attend(q, k, v, mask, bias)", restricted);

struct sizes {
  index batch, length, keys, heads, dim, out;
};

double number(index i, index of) { return static_cast<double>((i * 37 + of * 101 + 11) % 97) / 40 - 1; }
bool allows(index b, index t, index s) { return (b + 2 * t + s) % 3 != 0; }

// The mean of values for one position and element. Keys are left out where the mask is false and behind the position, unless none is left.
double expected(const sizes& n, index b, index t, index h, index o, bool some) {
  const auto at = [&](index of, index position, index extent, index dim, index d) {
    return number(((b * extent + position) * n.heads + h) * dim + d, of);
  };
  std::vector<double> weights;
  bool any = false;
  for (index s = 0; s < n.keys; ++s) any = any || (s <= t && allows(b, t, s));
  double total = 0, mean = 0;
  for (index s = 0; s < n.keys; ++s) {
    double score = some ? number(t * n.keys + s, 5) : 0;
    for (index d = 0; d < n.dim; ++d)
      score += at(1, t, n.length, n.dim, d) * at(2, s, n.keys, n.dim, d) / std::sqrt(static_cast<double>(n.dim));
    const bool left_out = some && !(s <= t && allows(b, t, s));
    weights.push_back(!some || any ? (left_out ? 0 : std::exp(score)) : 1);
    total += weights.back();
  }
  for (index s = 0; s < n.keys; ++s) mean += weights[static_cast<std::size_t>(s)] / total * at(3, s, n.keys, n.out, o);
  return mean;
}

template <class T, index... E>
auto operand(int of, const jig::tensor<T, E...>& like) {
  auto x = like;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(number(i, of));
  return x;
}

template <class Y>
int wrong_in(const Y& y, const sizes& n, bool some, double tolerance) {
  int wrong = 0;
  for (index b = 0; b < n.batch; ++b)
    for (index t = 0; t < n.length; ++t)
      for (index h = 0; h < n.heads; ++h)
        for (index o = 0; o < n.out; ++o)
          if (!(std::abs(static_cast<double>(y(b, t, h, o)) - expected(n, b, t, h, o, some)) < tolerance)) ++wrong;
  return wrong;
}

template <class T>
using open = jig::tensor<T, dyn, dyn, dyn, dyn>;

}  // namespace

TEST_CASE("dot_product_attention: of static extents") {
  const sizes n{2, 5, 7, 3, 4, 6};
  const auto q = operand(1, jig::tensor<float, 2, 5, 3, 4>());
  CHECK(0 ==
        wrong_in(attend(q, operand(2, jig::tensor<float, 2, 7, 3, 4>()), operand(3, jig::tensor<float, 2, 7, 3, 6>())), n, false, 1e-5));
}

TEST_CASE("dot_product_attention: masks, biases and causal attention, of any extents, traced when it is compiled and when it runs") {
  for (const sizes& n :
       {sizes{1, 1, 1, 1, 1, 1}, sizes{2, 5, 7, 3, 4, 6}, sizes{3, 17, 9, 1, 16, 8}, sizes{0, 3, 2, 1, 4, 4}, sizes{1, 0, 2, 1, 4, 4}}) {
    CAPTURE(n.length);
    const auto q = operand(1, jig::zeros<float, dyn, dyn, dyn, dyn>(n.batch, n.length, n.heads, n.dim));
    const auto k = operand(2, jig::zeros<float, dyn, dyn, dyn, dyn>(n.batch, n.keys, n.heads, n.dim));
    const auto v = operand(3, jig::zeros<float, dyn, dyn, dyn, dyn>(n.batch, n.keys, n.heads, n.out));
    auto mask = jig::zeros<bool, dyn, dyn, dyn, dyn>(n.batch, 1, n.length, n.keys);
    for (index b = 0; b < n.batch; ++b)
      for (index t = 0; t < n.length; ++t)
        for (index s = 0; s < n.keys; ++s) mask(b, 0, t, s) = allows(b, t, s);
    const auto bias = operand(5, jig::zeros<float, dyn, dyn>(n.length, n.keys));
    CHECK(wrong_in(attend(q, k, v), n, false, 1e-5) == 0);
    CHECK(wrong_in(attend_some(q, k, v, mask, bias), n, true, 1e-5) == 0);
    CHECK(wrong_in(at_run_time(jig::any_tensor(q), jig::any_tensor(k), jig::any_tensor(v)).as<float, dyn, dyn, dyn, dyn>(), n, false,
                   1e-5) == 0);
    CHECK(
        wrong_in(some_at_run_time(jig::any_tensor(q), jig::any_tensor(k), jig::any_tensor(v), jig::any_tensor(mask), jig::any_tensor(bias))
                     .as<float, dyn, dyn, dyn, dyn>(),
                 n, true, 1e-5) == 0);
  }
}

TEST_CASE("dot_product_attention: gradients") {
  const auto q = numbers<jig::tensor<double, 1, 3, 2, 2>>(-1, 1), k = numbers<jig::tensor<double, 1, 3, 2, 2>>(-1, 1, 2);
  check_gradients([](auto x, auto y, auto z) { return jig::dot_product_attention(x, y, z, jig::causal); }, q, k,
                  numbers<jig::tensor<double, 1, 3, 2, 2>>(-1, 1, 3));
}

TEST_CASE("dot_product_attention: what a mask leaves out has no part in results and gradients, also where it leaves out all keys") {
  constexpr auto masked = [](auto q, auto k, auto v) {
    return jig::dot_product_attention(q, k, v, jig::constant(jig::tensor<bool, 3, 2>{{true, false}, {false, false}, {true, true}}));
  };
  const auto q = numbers<jig::tensor<double, 1, 3, 1, 2>>(-1, 1);
  auto k = numbers<jig::tensor<double, 1, 2, 1, 2>>(-1, 1, 2);
  const auto v = numbers<jig::tensor<double, 1, 2, 1, 2>>(-1, 1, 3);
  check_gradients(masked, q, k, v);
  k(0, 1, 0, 0) = std::nan("");
  static constexpr auto f = jig::function(masked);
  const auto y = f(q, k, v);
  CHECK(y(0, 0, 0, 0) == v(0, 0, 0, 0));
  CHECK(y(0, 1, 0, 0) == doctest::Approx((v(0, 0, 0, 0) + v(0, 1, 0, 0)) / 2));
  CHECK(std::isnan(y(0, 2, 0, 0)));
}

TEST_CASE("dot_product_attention: the softmax goes row by row, and no operand is copied") {
  using s = jig::spec<float, 1, 128, 1, 256>;
  const std::string plan = jig::to_text(attend.get_concrete_function(s(), s(), s()).plan());
  CHECK(plan.find("rows of (1, 1, 128)") != std::string::npos);
  CHECK(plan.find("Transpose [slot") == std::string::npos);
  CHECK(plan.find("slot 2") == std::string::npos);
}

TEST_CASE("dot_product_attention: what is refused") {
  using matrix = jig::any_tensor;
  const matrix x = jig::ones<float, 2, 3>();
  CHECK_THROWS_WITH_AS(at_run_time(x, x, x), std::string(jig::detail::attention_refusal.view()).c_str(), jig::invalid_argument);
  CHECK_THROWS_AS(attend(open<float>(jig::ones<float, 1, 2, 1, 4>()), open<float>(jig::ones<float, 1, 2, 1, 3>()),
                         open<float>(jig::ones<float, 1, 2, 1, 4>())),
                  jig::invalid_argument);
}

TEST_CASE("the root of an extent is that of the library") {
  int wrong = 0;
  for (int i = 1; i < 3000; ++i)
    if (std::abs(jig::detail::constant_root(i) - std::sqrt(i)) > 1e-15 * i) ++wrong;
  CHECK(wrong == 0);
}

}  // namespace attentions

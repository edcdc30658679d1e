// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <boost/hana.hpp>
#include <tuple>

namespace {

using jig::dyn;
using jig::gradient;
using jig::range;
using jig::spec;

constexpr spec<float> scalar{};
constexpr spec<float, 3> vector{};
constexpr spec<float, 4, 3> matrix{};
constexpr spec<int> number{};

}  // namespace

TEST_CASE("gradients") {
  same_graph(
      [](auto& x) {
        auto y = jig::exp(x);
        auto z = jig::sin(y);
        return gradient(z, x);
      },
      matrix);
  same_graph(
      [](auto& x, auto& w) {
        auto y = jig::matmul(x, w);
        auto z = jig::tanh(y);
        auto loss = jig::reduce_mean(z);
        return gradient(loss, std::tuple(x, w));
      },
      matrix, spec<float, 3, 2>());
  same_graph(
      [](auto& x, auto& n) {
        auto y = x;
        for (auto i : range(n)) {
          y = jig::sin(y);
          if (i > 2) y = y * x;
        }
        return gradient(y, x);
      },
      vector, number);
  same_graph(
      [](auto& x) {
        auto y = jig::square(x);
        auto first = gradient(y, x);
        auto z = jig::exp(first);
        return gradient(z, x);
      },
      spec<double, dyn>());
  same_graph([](auto& x) { return jig::softmax(x); }, matrix);
  same_graph(
      [](auto& x) {
        auto y = jig::softmax(x);
        auto z = jig::square(y);
        return gradient(z, x);
      },
      spec<float, dyn, 3>());
}

TEST_CASE("functions of gradients") {
  same_graph([](auto& x) { return jig::grad([](auto y) { return jig::sin(y); })(x); }, vector);
  same_graph(
      [](auto& x, auto& w) {
        auto both = jig::value_and_grad<0, 1>([](auto& a, auto& b) {
          auto y = jig::matmul(a, b);
          return jig::reduce_sum(y);
        })(x, w);
        return both;
      },
      matrix, spec<float, 3, 2>());
  same_graph(
      [](auto& x) {
        auto f = jig::custom_gradient([](auto y) { return jig::sin(y); }, [](auto g, auto y) { return g * y; });
        auto y = f(x);
        return gradient(y, x);
      },
      vector);
}

TEST_CASE("what has no gradient") {
  CHECK(refused_dynamically([](auto& n) { return gradient(n, n); }, number) ==
        "gradient: the target must be a traced value or variable of a floating dtype, given int32 ()");
  CHECK(refused_dynamically([](auto& x, auto& n) { return gradient(x, n); }, vector, number) ==
        "gradient: a source must be a traced value or variable of a floating dtype, given int32 ()");
  CHECK(refused_dynamically([](auto& x, auto& y) { return gradient(x, y); }, vector, scalar).starts_with("function: gradient: "));
  CHECK(refused_dynamically(
            [](auto& x) {
              auto f = jig::custom_gradient([](auto y) { return jig::sin(y); }, [](auto g, auto) { return jig::reduce_sum(g); });
              return gradient(f(x), x);
            },
            vector) ==
        "custom_gradient: the second function must return a gradient for each argument of the first, of its spec: (float32 (3,)), given "
        "float32 ()");
}

// SPDX-License-Identifier: MIT
#undef JIG_NO_EAGER  // it is what is tested here
#include <jig/runtime/recorded_eager.hpp>

#include "../printed.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <cmath>
#include <vector>

// Like all tests with run-time tensors (any_tensor) this needs the kernels of the library.

namespace {

int runs = 0;
constexpr void count_run() {
  if (!std::is_constant_evaluated()) ++runs;
}

void require_equal(float a, float b) { CHECK((std::isfinite(a) && a == b)); }

struct eagerly {
  eagerly() {
    jig::run_functions_eagerly(true);
    runs = 0;
  }
  ~eagerly() { jig::run_functions_eagerly(false); }
};

struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<float, 2>, w), (jig::variable<float>, b));
  constexpr auto operator()(const auto& x) const { return jig::reduce_sum(x * w) + b; }
};

template <class X>
std::vector<float> elements(const X& x) {
  return std::vector<float>(x.data(), x.data() + x.size());
}

constexpr auto cube = jig::function<"cube(x)">([](auto x) {
  count_run();
  return jig::reduce_sum(x * x * x);
});

}  // namespace

TEST_CASE("functions made of gradients run their lambdas op by op, with the values and types of the graph") {
  const jig::tensor<float, 2> x{2, -3};
  CHECK(elements(jig::grad(cube)(x)) == std::vector<float>{12, 27});
  CHECK(runs == 0);
  const eagerly on;
  const auto g = jig::grad(cube)(x);
  static_assert(std::is_same_v<decltype(g), const jig::tensor<float, 2>>);
  CHECK(elements(g) == std::vector<float>{12, 27});
  CHECK(runs == 1);
  const auto [value, gradient] = jig::value_and_grad(cube)(x);
  CHECK(value() == -19);
  CHECK(elements(gradient) == std::vector<float>{12, 27});
  CHECK(runs == 2);
  // Wildcard extents, and several arguments, of which one is a number that takes the dtype of the other.
  const std::vector<float> v{1, 2, 4};
  CHECK(elements(jig::grad(cube)(v)) == std::vector<float>{3, 12, 48});
  constexpr auto scaled = jig::function<"scaled(x, k)">([](auto y, auto k) { return jig::reduce_sum(y * y) * k; });
  const auto [of_x, of_x_again] = jig::grad<0, 0>(scaled)(v, 3);
  CHECK(elements(of_x) == std::vector<float>{6, 12, 24});
  CHECK(elements(of_x_again) == elements(of_x));
}

TEST_CASE("one call runs eagerly where its function says so; checks are in the graph") {
  runs = 0;
  const jig::tensor<double, 1> x{4};
  CHECK(jig::grad(cube).run_eagerly()(x)(0) == 48);
  CHECK(runs == 1);
  CHECK(jig::grad(cube).check_numerics().run_eagerly()(x)(0) == 48);
  CHECK(runs == 1);
}

TEST_CASE("steps of training: real values in the lambda, effects in order, variables with new values") {
  static constexpr auto step = jig::function<"step(model, rate, x, y)">([](auto& model, const auto& rate, auto x, auto y) {
    count_run();
    auto loss = jig::square(model(x) - y) + 0.5f * jig::reduce_sum(jig::square(model.w));
    jig::print("loss", loss);
    auto g = jig::gradient(loss, model);
    if constexpr (requires { loss.value(); }) {
      // A value that the program looks at, and one behind its assignment.
      require_equal(loss.value()(), static_cast<float>(loss));
      model.b.assign_sub(rate * g[BOOST_HANA_STRING("b")]);
      require_equal(model.b.value()(), static_cast<float>(model.b.read()));
    } else {
      model.b.assign_sub(rate * g[BOOST_HANA_STRING("b")]);
    }
    model.w.assign_sub(rate * g[BOOST_HANA_STRING("w")]);
    jig::print("b", model.b);
    return std::tuple(loss, jig::lit<7>);
  });
  line graph, eager;
  graph.w.assign(jig::tensor<float, 2>{1, -2});
  graph.b.assign(0.5f);
  eager = graph;
  const jig::variable<float> rate(0.125f);
  const jig::tensor<float, 2> x{0.5f, -1};
  for (int i = 0; i < 3; ++i) {
    float loss = 0, other = 0;
    const auto of_graph = printed([&] { loss = std::get<0>(step(graph, rate, x, 2.0f))(); });
    runs = 0;
    const auto of_lambda = printed([&] {
      const eagerly on;
      const auto result = step(eager, rate, x, 2.0f);
      static_assert(std::is_same_v<decltype(result), decltype(step(graph, rate, x, 2.0f)) const>);
      other = std::get<0>(result)();
    });
    CHECK(runs == 1);
    CHECK(loss == doctest::Approx(other));
    CHECK(of_lambda == of_graph);
    CHECK(graph.b.value()() == doctest::Approx(eager.b.value()()));
    for (int k = 0; k < 2; ++k) CHECK(graph.w.value()(k) == doctest::Approx(eager.w.value()(k)));
  }
}

TEST_CASE("native control flow, gradients of gradients and gradients of the program's own") {
  static constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    auto y = x * x;
    for (auto i : jig::range(n)) y = y * x + jig::cast<float>(i) * 0.0f;
    JIG_WHILE(y > 100.0f) { y = y * 0.5f; }
    JIG_IF(x < 0) {
      y = y * 2.0f;
    }
    if (x > 1) return jig::gradient(y, x);
    return jig::gradient(-y, x);
  });
  static constexpr auto second = jig::function<"second(x)">([](auto x) {
    auto first = jig::gradient(x * x * x * x, x);
    return jig::gradient(first, x);
  });
  static constexpr auto own = jig::function<"own(x)">([](auto x) {
    auto tripled =
        jig::custom_gradient([](const auto& a) { return a * a; }, [](const auto& adjoint, const auto& a) { return adjoint * a * 3.0f; });
    return jig::gradient(tripled(x) + jig::stop_gradient(x * x), x);
  });
  for (const float x : {-2.0f, 0.5f, 3.0f})
    for (const int n : {0, 1, 4}) {
      const float traced = f(x, n)(), traced_second = second(x)(), traced_own = own(x)();
      const eagerly on;
      CHECK(f(x, n)() == doctest::Approx(traced));
      CHECK(second(x)() == doctest::Approx(traced_second));
      CHECK(traced_second == doctest::Approx(12 * x * x));
      CHECK(own(x)() == doctest::Approx(traced_own));
      CHECK(traced_own == doctest::Approx(3 * x));
    }
}

TEST_CASE("variables alone, twice the same one, and those of a call that throws") {
  static constexpr auto both = jig::function<"both(v, u, x)">([](auto& v, auto& u, auto x) {
    auto g = jig::gradient(jig::reduce_sum(v * v * x), v);
    u.assign_add(g);
    jig::assert_that(jig::reduce_all(x < 100.0f), "too large");
    return v.read();
  });
  jig::variable<float, 2> v{1, 2}, u{10, 20};
  const eagerly on;
  CHECK(elements(both(v, u, jig::tensor<float, 2>{1, 3})) == std::vector<float>{1, 2});
  CHECK(elements(u.value()) == std::vector<float>{12, 32});
  CHECK(elements(both(v, v, jig::tensor<float, 2>{1, 3})) == std::vector<float>{3, 14});
  CHECK(elements(v.value()) == std::vector<float>{3, 14});
  CHECK_THROWS_AS(both(v, u, jig::tensor<float, 2>{1, 300}), jig::invalid_argument);
  CHECK(elements(u.value()) == std::vector<float>{12, 32});
}

TEST_CASE("functions of functions: what a lambda calls runs in it") {
  static constexpr auto inner = jig::function<"inner(v)">([](auto& v) {
    count_run();
    v.assign_add(1.0f);
    return v * v;
  });
  static constexpr auto outer = jig::function<"outer(v)">([](auto& v) { return jig::gradient(inner(v), v); });
  jig::variable<float> v(2.0f);
  CHECK(outer(v)() == 6);
  const eagerly on;
  CHECK(outer(v)() == 8);
  CHECK(runs == 1);
  CHECK(v.value()() == 4);
}

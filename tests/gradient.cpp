// SPDX-License-Identifier: MIT
#include <jig/gradient.hpp>

#include "check_gradients.hpp"
#include "recurrent_network.hpp"

#include <boost/hana.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace hana = boost::hana;

namespace {

constexpr auto log1pexp = jig::custom_gradient([](auto x) { return jig::log(1 + jig::exp(x)); },
                                               [](auto adjoint, auto x) { return adjoint * (1 - 1 / (1 + jig::exp(x))); });
constexpr auto product = jig::custom_gradient(
    [](auto x, auto y) { return x * y; }, [](auto adjoint, auto x, auto y) { return std::tuple(adjoint * y * 10.0, adjoint * x * 100.0); });

// A number that only a run knows.
constexpr auto traced(int n, auto x) { return jig::cast<int>(jig::reduce_sum(x) * 0) + n; }

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (jig::variable<double, 2, 3>, w), (jig::variable<double, 3>, b));
};

TEST_CASE("gradient: one source, several, the sum of several targets") {
  constexpr auto cubic = jig::function<"f">([](auto x) { return jig::gradient(x * x * x, x); });
  CHECK(cubic(3.0)() == 27.0);
  constexpr auto two = jig::function<"f">([](auto x, auto y) { return jig::gradient(x * y + x, x, y); });
  const auto [dx, dy] = two(3.0, 5.0);
  CHECK((dx() == 6.0 && dy() == 3.0));
  constexpr auto of_tuple = jig::function<"f">([](auto x, auto y) { return jig::gradient(x * y, hana::make_tuple(x, std::array{y, y})); });
  const auto nested = of_tuple(3.0, 5.0);
  CHECK(hana::at_c<0>(nested)() == 5.0);
  CHECK(hana::at_c<1>(nested)[0]() == 3.0);
  // Of a target that is no scalar: of its sum. With respect to what was computed.
  constexpr auto sums = jig::function<"f">([](auto x) {
    auto y = jig::square(x);
    return jig::gradient(y * 3 + x, y);
  });
  const auto threes = sums(jig::tensor<float, 3>{1, 2, 3});
  CHECK((threes(0) == 3 && threes(1) == 3 && threes(2) == 3));
  // With respect to itself.
  CHECK(jig::function<"f">([](auto x) { return jig::gradient(x, x); })(jig::tensor<float, 2>{1, 2})(1) == 1);
}

TEST_CASE("gradient: a value that is used often costs once") {
  constexpr auto shared = jig::function<"f">([](auto x) {
    auto y = x;
    for (int i = 0; i < 30; ++i) y = y + y;
    return jig::gradient(y, x);
  });
  CHECK(shared(1.0)() == std::pow(2.0, 30));
  static_assert(shared.get_concrete_function(jig::spec<double>{}).graph().size() <= 3 * 30);
}

TEST_CASE("gradient: conventions at edges") {
  constexpr auto at_zero = jig::function<"f">(
      [](auto x) { return std::tuple(jig::gradient(jig::relu(x), x), jig::gradient(jig::abs(x), x), jig::gradient(jig::sqrt(x), x)); });
  const auto [of_relu, of_abs, of_sqrt] = at_zero(0.0f);
  CHECK((of_relu() == 0 && of_abs() == 0 && of_sqrt() == std::numeric_limits<float>::infinity()));
  constexpr auto both = jig::function<"f">([](auto x, auto y) {
    auto of = [&](auto z) { return jig::gradient(z, x, y); };
    return std::tuple(of(jig::maximum(x, y)), of(jig::minimum(x, y)), of(jig::pow(x, y)));
  });
  const auto equal = both(2.0f, 2.0f);
  const auto& largest = std::get<0>(equal);
  const auto& smallest = std::get<1>(equal);
  CHECK((std::get<0>(largest)() == 1 && std::get<1>(largest)() == 0));
  CHECK((std::get<0>(smallest)() == 1 && std::get<1>(smallest)() == 0));
  // The logarithm counts only where the base is positive.
  const auto power = std::get<2>(both(-2.0f, 3.0f));
  CHECK((std::get<0>(power)() == 12 && std::get<1>(power)() == 0));
  constexpr auto parts = jig::function<"f">([](auto x) {
    return std::tuple(jig::gradient(x * jig::stop_gradient(x) + jig::floor(x) * x, x), jig::gradient(jig::where(x > 0, x, jig::log(x)), x));
  });
  const auto [of_part, of_choice] = parts(2.5f);
  CHECK((of_part() == 4.5f && of_choice() == 1));
}

TEST_CASE("gradient: variables, structs of them, and their update") {
  constexpr auto step = jig::function<"step(l, x)">([](auto& l, auto x) {
    auto loss = jig::reduce_sum(jig::square(jig::matmul(x, l.w.read()) + l.b.read()));
    auto g = jig::gradient(loss, l);
    l.w.assign_sub(0.1 * hana::at_key(g, BOOST_HANA_STRING("w")));
    l.b.assign_sub(0.1 * hana::at_key(g, BOOST_HANA_STRING("b")));
    return loss;
  });
  layer l;
  l.b.assign(jig::tensor<double, 3>{1, 2, 3});
  const jig::tensor<double, 1, 2> x{{1, 2}};
  CHECK(step(l, x)() == 14.0);
  CHECK(l.b.value()(2) == doctest::Approx(3 - 0.1 * 6));
  CHECK(l.w.value()(1, 0) == doctest::Approx(-0.1 * 2 * 1 * 2));
  // Only variables.
  constexpr auto alone = jig::function<"alone(v)">([](auto& v) { return jig::gradient(v.read() * v.read(), v); });
  jig::variable<double> v{3.0};
  CHECK(alone(v)() == 6.0);
  // The tutorial's step: 8.
  constexpr auto tutorial =
      jig::function<"f(w, x, y)">([](auto& w, auto a, auto b) { return jig::gradient(jig::reduce_sum(jig::square(w * a - b)), w); });
  jig::variable<double> w{2.0};
  CHECK(tutorial(w, jig::tensor<double, 1>{-1}, jig::tensor<double, 1>{2})() == 8.0);
}

TEST_CASE("gradient: the same variable twice is refused when it is assigned") {
  constexpr auto f = jig::function<"f(a, b)">([](auto& a, auto& b) {
    a.assign_sub(jig::gradient(a.read() * b.read(), b));
    return a.read();
  });
  jig::variable<double> a{2.0}, b{3.0};
  CHECK(f(a, b)() == 0.0);
  CHECK_THROWS_WITH_AS(f(b, b), "f: a variable is passed twice to a function that takes gradients and assigns it", jig::invalid_argument);
  CHECK(b.value()() == 3.0);
}

TEST_CASE("grad and value_and_grad") {
  constexpr auto loss = jig::function<"loss(w, x)">([](auto w, auto x) { return jig::reduce_mean(jig::square(jig::matmul(x, w))); });
  const jig::tensor<double, 2, 1> w{{1}, {2}};
  const jig::tensor<double, 3, 2> x{{1, 0}, {0, 1}, {1, 1}};
  const auto [value, gradients] = jig::value_and_grad<0, 1>(loss)(w, x);
  CHECK(value() == doctest::Approx((1 + 4 + 9) / 3.0));
  CHECK(std::get<0>(gradients)(1, 0) == doctest::Approx((2 * 2 + 2 * 3) / 3.0));
  CHECK(std::get<1>(gradients)(2, 1) == doctest::Approx(2 * 3 * 2 / 3.0));
  // That of one argument is no tuple.
  const auto [same, of_x] = jig::value_and_grad<1>(loss)(w, x);
  CHECK((same() == value() && of_x(2, 1) == std::get<1>(gradients)(2, 1)));
  const auto [of_both, again] = jig::grad<0, 1>(loss)(w, x);
  CHECK((of_both(1, 0) == std::get<0>(gradients)(1, 0) && again(2, 1) == of_x(2, 1)));
  CHECK(jig::grad(loss)(w, x)(0, 0) == doctest::Approx((2 * 1 + 2 * 3) / 3.0));
  // Of a gradient.
  constexpr auto second = jig::grad(jig::grad(jig::function<"f(x)">([](auto a) { return a * a * a; })));
  CHECK(second(2.0)() == 12.0);
  CHECK(jig::grad(loss).get_concrete_function(w, x).pretty_printed_signature().starts_with("grad_loss(w, x)\n"));
  // In another trace, and for other specs.
  CHECK(jig::function<"f">([](auto a) { return jig::grad([](auto b) { return b * b; })(a) + a; })(3.0f)() == 9.0f);
}

TEST_CASE("gradients have the options of the function") {
  constexpr auto root = jig::function<"root(x)">([](auto x) { return jig::reduce_sum(jig::sqrt(x)); });
  constexpr auto checked = jig::grad(root.check_numerics().relax_shapes());
  static_assert(std::is_same_v<decltype(checked), decltype(jig::grad(root).relax_shapes().check_numerics()) const>);
  CHECK(checked(jig::tensor<float, 2>{4, 1})(0) == 0.25f);
  CHECK(checked(jig::tensor<float, 1>{4})(0) == 0.25f);
  CHECK_THROWS_AS(checked(jig::tensor<float, 2>{0, 1}), jig::invalid_argument);
  CHECK(std::isinf(jig::grad(root)(jig::tensor<float, 2>{0, 1})(0)));
  constexpr auto declared = jig::value_and_grad(root.with_signature<jig::spec<float, jig::dyn>>());
  CHECK(std::get<1>(declared(jig::tensor<float, 2>{4, 1}))(1) == 0.5f);
  CHECK(std::get<1>(declared(jig::any_tensor(jig::tensor<float, 2>{4, 1}))).as<float>()(1) == 0.5f);
  CHECK_THROWS_AS(declared(jig::any_tensor(1.5f)), jig::invalid_argument);
  CHECK(jig::grad(root).run_eagerly()(jig::tensor<float, 1>{4})(0) == 0.25f);
}

TEST_CASE("gradients through branches") {
  constexpr auto leaky = jig::function<"f">([](auto x) {
    if (x > 0) return jig::gradient(x * x, x);
    return jig::gradient(0.1 * x, x);
  });
  CHECK((leaky(2.0)() == 4.0 && leaky(-2.0)() == 0.1));
  auto value = [](auto x) {
    auto y = x * 2;
    if (jig::reduce_sum(x) > 0) y = y * x;
    else y = jig::exp(y);
    if (y[0] > 1) return y * y;
    return y;
  };
  check_gradients(value, jig::tensor<double, 2>{0.9, 0.4});
  check_gradients(value, jig::tensor<double, 2>{0.2, 0.4});
  check_gradients(value, jig::tensor<double, 2>{-0.2, -0.4});
  check_compiled_gradients(value, jig::tensor<double, jig::dyn>{-0.2, -0.4});
  // A branch that an argument does not reach.
  check_gradients([](auto x, auto y) { return jig::cond(x > 0, [&] { return x * 1; }, [&] { return y * y; }); }, jig::tensor<double>(0.5),
                  jig::tensor<double>(2));
  // Second order through a branch.
  check_gradients(
      [](auto x) {
        auto y = x * x * x;
        if (x > 0) y = y * x;
        return jig::gradient(y, x);
      },
      jig::tensor<double>(1.5));
}

TEST_CASE("gradients through loops") {
  constexpr auto guide = jig::function<"f">([](auto x) {
    auto y = x;
    JIG_WHILE(jig::reduce_sum(y) > 1) y = jig::tanh(y);
    return jig::gradient(jig::reduce_sum(y), x);
  });
  const auto g = guide(jig::tensor<float, 5>{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f});
  const float expected[] = {0.0333081558f, 0.0274334978f, 0.0263736844f, 0.1859299093f, 0.4780215323f};
  for (int i = 0; i < 5; ++i) CHECK(g(i) == doctest::Approx(expected[i]).epsilon(1e-5));
  // No trip at all.
  CHECK(guide(jig::tensor<float, 5>{0, 0, 0, 0, 0.5f})(4) == 1.0f);

  // A range, with values from outside, two carried values and the counter in the computation.
  check_gradients(
      [](auto x, auto w) {
        auto y = x, z = x * 0.1;
        for (auto i : jig::range(traced(4, x))) {
          z = z + jig::sin(y * w) * jig::cast<double>(i);
          y = y * 0.9 + w;
        }
        return y * z;
      },
      numbers<jig::tensor<double, 3>>(0, 1), numbers<jig::tensor<double, 3>>(-1, 1, 3));
  // Loops in loops, branches in loops, and wildcard extents.
  auto nested = [](auto x) {
    auto y = x;
    for (auto i : jig::range(traced(3, x))) {
      for (auto k : jig::range(i + 1)) {
        if (k % 2 == 0) y = jig::sin(y) + x;
        else y = y * x;
      }
    }
    return y;
  };
  check_compiled_gradients(nested, jig::tensor<double, jig::dyn>(numbers<jig::tensor<double, 3>>(0, 1)));
  // A loop with a break, in a branch.
  check_gradients(
      [](auto x) {
        auto y = x;
        if (x > 0) {
          for (auto i : jig::range(traced(10, x))) {
            y = y * 1.5;
            if (y > 4) break;
            y = y + jig::cast<double>(i) * x;
          }
        }
        return y;
      },
      jig::tensor<double>(0.7));
  // Gradient steps in a loop.
  constexpr auto descend = jig::function<"f">([](auto x, auto n) {
    for (auto i : jig::range(n)) {
      (void)i;
      x = x - 0.1 * jig::gradient(jig::square(x - 3), x);
    }
    return x;
  });
  CHECK(descend(0.0, 50)() == doctest::Approx(3 * (1 - std::pow(0.8, 50))));
  // A recurrent network over time.
  check_gradients(recurrent_states, numbers<jig::tensor<double, 4, 2>>(-1, 1), numbers<jig::tensor<double, 2>>(-1, 1, 3));
}

TEST_CASE("gradients through loops: the tape is that of the call") {
  // A call in the middle of another one of the same function.
  constexpr auto inner = jig::function<"inner">([](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n)) {
      (void)i;
      y = jig::sin(y);
    }
    return jig::gradient(y, x);
  });
  auto expected = [](double x, int n) {
    double d = 1;
    for (int i = 0; i < n; ++i) d *= std::cos(x), x = std::sin(x);
    return d;
  };
  for (int n : {5, 0, 100, 3}) CHECK(inner(0.5, n)() == doctest::Approx(expected(0.5, n)));
}

TEST_CASE("gradients through loops: what can be computed anew is not kept") {
  // The gradient of a product needs its factor of every trip; the number of a trip follows from how many there were.
  constexpr auto f = jig::function<"f">([](auto x) {
    auto y = x[0];
    for (auto i : jig::range(10, traced(-5, x), -3)) y = y * x[jig::abs(i) % 3] + jig::cast<double>(i);
    return jig::gradient(y, x);
  });
  constexpr auto concrete = f.get_concrete_function(jig::spec<double, 3>());
  static_assert(concrete.optimized_graph().count("TensorListPushBack") == 1);
  const double x[] = {1.5, -0.5, 2}, step = 1e-6;
  auto value = [](const double* at) {
    double y = at[0];
    for (int i : {10, 7, 4, 1, -2}) y = y * at[std::abs(i) % 3] + i;
    return y;
  };
  const auto g = f(jig::tensor<double, 3>{1.5, -0.5, 2});
  for (int k = 0; k < 3; ++k) {
    double up[] = {x[0], x[1], x[2]}, down[] = {x[0], x[1], x[2]};
    up[k] += step;
    down[k] -= step;
    CHECK(g(k) == doctest::Approx((value(up) - value(down)) / (2 * step)).epsilon(1e-6));
  }
}

TEST_CASE("gradients: effects in branches and loops happen once") {
  int calls = 0;
  static int* counter;
  counter = &calls;
  constexpr auto f = jig::function<"f">([](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n)) {
      (void)i;
      jig::host_call([](const auto&) { ++*counter; }, y);
      if (y > 0) {
        jig::host_call([](const auto&) { ++*counter; }, y);
        y = jig::check_numerics(jig::sin(y), "y");
      }
    }
    return std::tuple(y, jig::gradient(y, x), jig::gradient(y * y, x));
  });
  const auto [y, once, twice] = f(0.5, 3);
  CHECK(calls == 6);
  const double a = std::sin(0.5), b = std::sin(a), slope = std::cos(0.5) * std::cos(a) * std::cos(b);
  CHECK(y() == doctest::Approx(std::sin(b)));
  CHECK(once() == doctest::Approx(slope));
  CHECK(twice() == doctest::Approx(2 * std::sin(b) * slope));
}

TEST_CASE("gradient: with respect to what a loop has left, and to what it began with") {
  constexpr auto f = jig::function<"f">([](auto x, auto n) {
    auto y = x, z = x;
    for (auto i : jig::range(n)) {
      (void)i;
      y = y * x;
      z = z + y;
    }
    return jig::gradient(y * z, x, y, z);
  });
  const auto [dx, dy, dz] = f(2.0, 2);  // y = x³, z = x + x² + x³
  CHECK(dy() == 14);
  CHECK(dz() == 8);
  CHECK(dx() == 14 * 12 + 8 * (1 + 4 + 12));
}

TEST_CASE("custom_gradient") {
  constexpr auto slope = jig::grad(jig::function<"f">([](auto x) { return log1pexp(x) * 2; }));
  CHECK(slope(100.0f)() == 2.0f);
  CHECK(slope(0.0f)() == 1.0f);
  // Several arguments, on tensors, without a gradient, of second order, and what depends on its results.
  CHECK(product(jig::tensor<double>(2), jig::tensor<double>(3))() == 6);
  CHECK(jig::function<"f">([](auto x, auto y) { return product(x, y); })(2.0, 3.0)() == 6.0);
  const auto [of_x, of_y] = jig::grad<0, 1>(jig::function<"f">([](auto x, auto y) { return jig::square(product(x, y)); }))(2.0, 3.0);
  CHECK((of_x() == 2 * 6 * 3 * 10 && of_y() == 2 * 6 * 2 * 100));
  CHECK(jig::grad(jig::grad(jig::function<"f">([](auto x) { return log1pexp(x); })))(0.0)() == doctest::Approx(0.25));
  // Of a lambda that may change.
  CHECK(jig::grad(jig::function<"f">([](auto x) mutable { return product(x, x); }))(3.0)() == doctest::Approx(110 * 3.0));
  // In a branch and in a loop.
  CHECK(jig::grad(jig::function<"f">([](auto x) {
          auto y = x;
          for (auto i : jig::range(traced(2, x))) {
            (void)i;
            if (x > 0) y = product(y, x);
          }
          return y;
        }))(3.0)() == doctest::Approx(3.0 * 10 * 3 * 10 + 100 * 3 * (3 * 10) + 100 * 9));
}

}  // namespace

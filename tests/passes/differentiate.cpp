// SPDX-License-Identifier: MIT
#include <jig/gradient.hpp>

#include "check_gradients.hpp"
#include "recurrent_network.hpp"

#include <cmath>
#include <vector>

namespace {

// A number that only a run knows.
constexpr auto traced(int n, auto x) { return jig::cast<int>(jig::reduce_sum(x) * 0) + n; }

// n (n - 1) ... (n - k + 1) x^(n - k), the derivative of order k of x^n.
double derivative_of_power(double x, int n, int k) {
  double factor = 1;
  for (int i = 0; i < k; ++i) factor *= n - i;
  return factor == 0 ? 0 : factor * std::pow(x, n - k);
}

// How often a loop from one constant to another multiplies by x, which its gradient at 1 tells. Test: <, <=, >, >=.
template <class Int, Int Start, Int End, Int Step, int Test>
struct counting_loop {
  static constexpr bool goes_on(Int k) { return Test == 0 ? k < End : Test == 1 ? k <= End : Test == 2 ? k > End : k >= End; }
  static int trips() {
    int n = 0;
    for (Int k = Start; goes_on(k); k = static_cast<Int>(k + Step)) ++n;
    return n;
  }
  constexpr auto operator()(auto x) const {
    auto goes_on = [](auto k, auto) {
      if constexpr (Test == 0) return k < End;
      else if constexpr (Test == 1) return k <= End;
      else if constexpr (Test == 2) return k > End;
      else return k >= End;
    };
    auto next = [](auto k, auto y) {
      if constexpr (Step < 0) return std::tuple(k - static_cast<Int>(-Step), y * jig::stop_gradient(y) + y);
      else return std::tuple(k + Step, y * jig::stop_gradient(y) + y);
    };
    auto [k, y] = jig::while_loop(goes_on, next, std::tuple(jig::constant_like(jig::cast<Int>(x), Start), x));
    return std::tuple(y, jig::gradient(y, x));
  }
};
// Traced at compile time and interpreted; the compiled program, for some of them, gives the same.
template <class Int, Int Start, Int End, Int Step, int Test, bool Compiled = false>
void check_counting_loop() {
  using loop = counting_loop<Int, Start, End, Step, Test>;
  const jig::graph_view& graph = jig::graph_of(loop(), jig::spec<double>());
  CHECK(graph.count("TensorListPushBack") == 0);
  double y = 0.3, slope = 1;
  for (int n = loop::trips(); n > 0; --n) slope *= y + 1, y = y * y + y;
  CAPTURE(Start);
  CAPTURE(End);
  CAPTURE(Step);
  CAPTURE(Test);
  const std::vector<jig::any_tensor> found = interpreted(graph)({jig::any_tensor(0.3)});
  CHECK(found[0].as<double>()() == doctest::Approx(y));
  CHECK(found[1].as<double>()() == doctest::Approx(slope));
  if constexpr (Compiled) {
    const auto [value, gradient] = jig::function(loop())(0.3);
    CHECK(value() == doctest::Approx(y));
    CHECK(gradient() == doctest::Approx(slope));
  }
}

TEST_CASE("gradients through loops from one constant to another: one value for each trip is kept, in arrays") {
  check_counting_loop<int, 0, 5, 1, 0, true>();
  check_counting_loop<int, 0, 5, 2, 0>();
  check_counting_loop<int, 0, 6, 2, 1>();
  check_counting_loop<int, -3, 5, 3, 1>();
  check_counting_loop<int, 5, 0, -1, 2>();
  check_counting_loop<jig::index, 6, 0, -2, 3>();
  check_counting_loop<jig::index, 7, -2, -2, 3, true>();
  check_counting_loop<jig::index, 4, 5, 1, 0>();
  check_counting_loop<jig::index, -5, -4, 3, 0>();
  check_counting_loop<int, 3, -4, -3, 3>();
  // No trip.
  check_counting_loop<int, 5, 5, 1, 0>();
  check_counting_loop<int, 6, 5, 1, 1, true>();
  check_counting_loop<int, 0, 5, -1, 2>();
}

TEST_CASE("gradients through loops of as many trips as a tensor has elements, in loops and branches, of any order") {
  check_compiled_gradients(
      [](auto x, auto w) {
        auto y = x * w;
        auto z = x[0];
        for (auto i : jig::range(jig::extent<0>(x))) {
          if (x[i] > 0.4) {
            for (auto k : jig::rows(x)) z = jig::sin(z + k * w);
          }
          y = jig::tanh(y * z + x[i]);
        }
        return y;
      },
      numbers<jig::tensor<double, 4>>(0, 1), jig::tensor<double>(0.7));
  check_gradients(
      [](auto x, auto w) {
        auto all = jig::scan([&](auto state, auto step) { return jig::sin(state * w) * step; }, x, w);
        auto first = jig::gradient(jig::reduce_sum(all * all), w);
        return std::tuple(all, first, jig::gradient(first, x));
      },
      numbers<jig::tensor<double, 4>>(0.5, 1), jig::tensor<double>(0.7));
}

TEST_CASE("gradients of gradients through a loop: powers") {
  constexpr auto derivatives = jig::function<"power(x, n)">([](auto x, auto n) {
    auto y = 1 + 0 * jig::stop_gradient(x);
    for (auto i : jig::range(n)) {
      (void)i;
      y = y * x;
    }
    auto first = jig::gradient(y, x);
    auto second = jig::gradient(first, x);
    return std::tuple(first, second, jig::gradient(second, x));
  });
  for (int n : {0, 1, 2, 3, 7}) {
    const auto [first, second, third] = derivatives(1.3, n);
    CAPTURE(n);
    CHECK(first() == doctest::Approx(derivative_of_power(1.3, n, 1)));
    CHECK(second() == doctest::Approx(derivative_of_power(1.3, n, 2)));
    CHECK(third() == doctest::Approx(derivative_of_power(1.3, n, 3)));
  }
}

TEST_CASE("gradients of gradients through a loop: several values, values from outside, the counter") {
  check_gradients(
      [](auto x, auto w) {
        auto y = x, z = x * 0.1;
        for (auto i : jig::range(traced(4, x))) {
          z = z + jig::sin(y * w) * jig::cast<double>(i);
          y = y * y * 0.4 + w;
        }
        return std::tuple(jig::gradient(y * z, x), jig::gradient(z, w));
      },
      numbers<jig::tensor<double, 3>>(0, 1), numbers<jig::tensor<double, 3>>(-1, 1, 3));
}

TEST_CASE("gradients of gradients through a loop: loops and branches in it, wildcard extents") {
  check_compiled_gradients(
      [](auto x) {
        auto y = x;
        for (auto i : jig::range(traced(3, x))) {
          for (auto k : jig::range(i + 1)) {
            if (k % 2 == 0) y = jig::sin(y) + x;
            else y = y * x;
          }
        }
        return jig::gradient(y, x);
      },
      jig::tensor<double, jig::dyn>(numbers<jig::tensor<double, 3>>(0, 1)));
}

TEST_CASE("gradients of gradients through a loop: in a branch, and with a break") {
  check_gradients(
      [](auto x) {
        auto y = x;
        if (x > 0) {
          for (auto i : jig::range(traced(10, x))) {
            y = y * y * 1.5;
            if (y > 4) break;
            y = y + jig::cast<double>(i) * x;
          }
          y = jig::gradient(y, x);
        }
        return y;
      },
      jig::tensor<double>(0.7));
}

TEST_CASE("gradients of gradients through a loop: steps of a descent, from gradients of a loop in it") {
  check_gradients(
      [](auto x, auto rate) {
        for (auto i : jig::range(traced(3, x))) {
          (void)i;
          auto y = x;
          for (auto k : jig::range(traced(2, x))) {
            (void)k;
            y = jig::sin(y) * x;
          }
          x = x - rate * jig::gradient(y, x);
        }
        return x;
      },
      jig::tensor<double>(0.7), jig::tensor<double>(0.2));
}

TEST_CASE("gradients of gradients through a loop: a recurrent network") {
  check_gradients(
      [](auto input, auto w) {
        auto all = recurrent_states(input, w);
        return jig::reduce_sum(jig::square(jig::gradient(jig::reduce_sum(all * all), w))) + jig::reduce_sum(all);
      },
      numbers<jig::tensor<double, 4, 2>>(-1, 1), numbers<jig::tensor<double, 2>>(-1, 1, 3));
}

TEST_CASE("gradients of gradients through a loop: a scan, floats, one trip and none") {
  constexpr auto curvature = jig::function<"f">([](auto x) {
    auto all = jig::scan([](auto state, auto step) { return state * step; }, x, x[0] * 0 + 1);
    return jig::gradient(jig::reduce_sum(jig::square(jig::gradient(jig::reduce_sum(all), x))), x);
  });
  CHECK(curvature(jig::tensor<float, 1>{3})(0) == 0);
  // y = a + a b, its gradient (1 + b, a), the squares of that: (1 + b)² + a².
  const auto g = curvature(jig::tensor<float, 2>{3, 5});
  CHECK((g(0) == 6 && g(1) == 12));
}

TEST_CASE("gradients through loops of wildcard extents: the adjoints that they carry have these, and are not broadcast in every trip") {
  constexpr auto gradients = [](auto x, auto w) {
    auto y = jig::zeros_like(x[0]);
    for (auto i : jig::range(jig::extent<0>(x))) y = jig::tanh(y * w + x[i]);
    return jig::gradient(jig::reduce_sum(y * y), x, w);
  };
  const jig::graph_view& some = jig::graph_of(gradients, jig::spec<double, 4, jig::dyn, 3>(), jig::spec<double, 3>());
  const jig::graph_view& given = jig::graph_of(gradients, jig::spec<double, 4, 2, 3>(), jig::spec<double, 3>());
  jig::graph_view back;
  for (int v = 0; v < some.size(); ++v)
    if (!some.node(v).attribute("body").key.empty()) back = some.body(some.node(v), "body");
  REQUIRE(back.count("GatherGrad") == 1);
  CHECK(back.count("BroadcastLike") == 0);
  CHECK(back.count("SumLike") == 0);
  const jig::any_tensor x(numbers<jig::tensor<double, 4, 2, 3>>(-1, 1)), w(numbers<jig::tensor<double, 3>>(0.5, 1));
  const std::vector<jig::any_tensor> found = interpreted(some)({x, w}), expected = interpreted(given)({x, w});
  int wrong = 0;
  for (jig::index i = 0; i < 24; ++i)
    wrong += !(found[0].as<double>()(i / 6, i / 3 % 2, i % 3) == doctest::Approx(expected[0].as<double>()(i / 6, i / 3 % 2, i % 3)));
  for (jig::index i = 0; i < 3; ++i) wrong += !(found[1].as<double>()(i) == doctest::Approx(expected[1].as<double>()(i)));
  CHECK(wrong == 0);
}

TEST_CASE("gradients of one target, asked for one after the other: one way back") {
  constexpr auto apart = [](auto x, auto w) {
    auto all = recurrent_states(x, w);
    auto loss = jig::reduce_sum(all * all);
    auto of_w = jig::gradient(loss, w);
    auto more = jig::sin(of_w);  // between them
    auto of_states = jig::gradient(loss, all);
    return std::tuple(of_w, more, of_states, jig::gradient(loss, x));
  };
  constexpr auto together = [](auto x, auto w) {
    auto all = recurrent_states(x, w);
    auto [of_w, of_states, of_x] = jig::gradient(jig::reduce_sum(all * all), w, all, x);
    return std::tuple(of_w, jig::sin(of_w), of_states, of_x);
  };
  const jig::graph_view& graph = jig::graph_of(apart, jig::spec<double, 4, 2>(), jig::spec<double, 2>());
  CHECK(graph.count("While") == 2);
  CHECK(graph.size() == jig::graph_of(together, jig::spec<double, 4, 2>(), jig::spec<double, 2>()).size());
  check_compiled_gradients(
      [](auto x, auto w) {
        auto loss = jig::reduce_sum(jig::exp(x * w));
        return std::tuple(jig::gradient(loss, x), jig::gradient(loss, w), loss);
      },
      numbers<jig::tensor<double, 4>>(0, 1), jig::tensor<double>(0.7));
  // Another target, a source that stands behind the first gradient, and targets in branches.
  check_gradients(
      [](auto x, auto w) {
        auto loss = jig::reduce_sum(jig::sin(x * w)), other = jig::reduce_sum(x * x * w);
        auto of_x = jig::gradient(loss, x);
        auto of_other = jig::gradient(other, x);
        auto again = jig::reduce_sum(of_x * of_other);
        auto result = jig::gradient(again, x) * jig::gradient(other, w);
        if (again > 0) {
          auto local = jig::sin(result);
          auto inner = jig::reduce_sum(local * local);
          result = jig::gradient(inner, result) + jig::gradient(inner, local);
        }
        return result + jig::gradient(again, of_other) + jig::gradient(again, of_x) * jig::gradient(loss, w);
      },
      numbers<jig::tensor<double, 4>>(0, 1), jig::tensor<double>(0.7));
}

TEST_CASE("gradients beside a loop that only has effects") {
  static int calls = 0;
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    JIG_WHILE(n < 0) jig::host_call([](const auto&) { ++calls; }, x);
    JIG_WHILE(jig::constant_like(n, 3) < 0) jig::host_call([](const auto&) { ++calls; }, x);
    auto y = x;
    for (auto i : jig::range(n)) {
      (void)i;
      y = y * x;
    }
    return jig::gradient(y, x);
  });
  CHECK(f(2.0, 2)() == 12);
  CHECK(calls == 0);
}

}  // namespace

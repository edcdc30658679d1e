// SPDX-License-Identifier: MIT
#include <jig/profile/interpreted.hpp>

#include <jig/profile.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace jig;
using doctest::Approx;

constexpr auto program = function<"f(x, w)">([](auto x, auto w) {
  auto y = relu(matmul(x, w));
  JIG_WHILE(reduce_sum(y) > 1.0f) { y = y * 0.5f; }
  return y;
});
constexpr auto late = function<"late(x)">([](auto x) { return boolean_mask(x, x > 0.0f); });

bool same(const tensor<float, 4, 2>& a, const tensor<float, 4, 2>& b) { return std::memcmp(a.data(), b.data(), 8 * sizeof(float)) == 0; }

TEST_CASE("calls with run-time tensors are profiled too") {
  tensor<float, 4, 3> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}};
  tensor<float, 3, 2> w{{1, 0.5f}, {0.5f, 1}, {1, 1}};
  const any_tensor a(x), b(w);
  const any_tensor expected = program(a, b);
  const int traces = program.experimental_get_tracing_count();
  double reading_of_one = 0;
  for (int calls : {1, 2, 3, 9, 41}) {
    const auto [y, r] = profile(program).repeated(calls)(a, b);
    CHECK(same(y.as<float, 4, 2>(), expected.as<float, 4, 2>()));
    CHECK(r.name == "f(x, w)");
    CHECK(r.graph.runs == 1);
    CHECK(r.graph.nodes[0].spec == "float32 (4, 3)");
    CHECK(r.graph.seconds + r.outside == Approx(r.seconds));
    double steps = 0;
    for (const auto& s : r.graph.steps) steps += s.seconds;
    CHECK(steps == Approx(r.graph.seconds));
    REQUIRE(r.graph.bodies.size() == 2);
    // The sum is 84.5; 7 trips halve it to less than 1.
    CHECK(r.graph.bodies[1].graph.runs == 7);
    CHECK(r.graph.bodies[1].graph.watched);
    CHECK(!r.events.empty());
    CHECK(r.graph.seconds > 0);
    CHECK(r.outside >= 0);
    // Of many calls some are looked into.
    if (calls == 1) reading_of_one = r.reading;
    if (calls == 41) CHECK(r.reading < 0.6 * reading_of_one);
  }
  // It runs the signature that there is.
  CHECK(program.experimental_get_tracing_count() == traces);
  CHECK(detail::watch_of_routines<graph_view> == nullptr);
  tensor<float, 4, 2> out;
  CHECK(profile(program).into(out, a, b).graph.runs == 1);
  CHECK(same(out, expected.as<float, 4, 2>()));
}

TEST_CASE("a loop behind a product has the time that its rectangles take") {
  constexpr auto layer = function<"layer">([](auto x, auto w) { return tanh(matmul(x, w)); });
  const any_tensor x(ones<float, 300, 2>()), w(ones<float, 2, 700>());
  const auto r = profile(layer).repeated(3)(x, w).report;
  REQUIRE(r.graph.steps.size() == 2);
  REQUIRE(r.graph.regions.size() == 1);
  CHECK(r.graph.regions[0].kind == "epilogue");
  CHECK(r.graph.steps[0].seconds > 0);
  CHECK(r.graph.steps[1].seconds > 0);
  CHECK(r.graph.steps[0].seconds + r.graph.steps[1].seconds == Approx(r.graph.regions[0].seconds));
}

TEST_CASE("what runs node by node has a time, but no steps") {
  const any_tensor x(tensor<float, 3>{1, -1, 2});
  const auto [y, r] = profile(late)(x);
  CHECK(y.size() == 2);
  CHECK(r.graph.steps.empty());
  CHECK(r.outside == r.seconds);
  CHECK(to_text(r).find("it ran op by op") != std::string::npos);
}

}  // namespace

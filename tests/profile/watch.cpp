// SPDX-License-Identifier: MIT
#include <jig/profile/watch.hpp>

#include <jig/profile.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace {

using namespace jig;
using doctest::Approx;

// A product with an epilogue, rows that run together, and a loop with a branch inside.
constexpr auto program = function<"f(x, w)">([](auto x, auto w) {
  auto y = softmax<-1>(relu(matmul(x, w)));
  JIG_WHILE(reduce_sum(y) > 1.0f) {
    y = cond(y(0, 0) > 0.01f, [&] { return y * 0.5f; }, [&] { return y * 0.25f; });
  }
  return y;
});
constexpr auto update = function<"update(v, x)">([](auto& v, auto x) { v.assign_add(reduce_sum(x)); });
constexpr auto parts = function<"f(x)">([](auto x) { return std::tuple(exp(x), cumsum<0>(x)); });

template <class X>
void fill(X& x) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.01f * static_cast<float>(i % 17) - 0.05f;
}

bool same(const auto& a, const auto& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

void check_nodes(const profiled_graph& g, const plan_view& p) {
  // All that the plan computes is in the report, with the step that does.
  REQUIRE(g.steps.size() == p.steps.size());
  REQUIRE(static_cast<int>(g.nodes.size()) == p.graph.size());
  for (std::size_t s = 0; s < p.steps.size(); ++s) {
    const auto has = [&](int v) { return std::find(g.steps[s].nodes.begin(), g.steps[s].nodes.end(), v) != g.steps[s].nodes.end(); };
    for (int i = 0; i < p.steps[s].body.count; ++i) CHECK(has(p.body[detail::at(p.steps[s].body.first + i)]));
    for (int i = 0; i < p.steps[s].roots.count; ++i) CHECK(has(p.roots[detail::at(p.steps[s].roots.first + i)]));
  }
}
// Of a report all times add up.
void check_sums(const profile_report& r) {
  double steps = 0, regions = 0;
  for (const auto& s : r.graph.steps) steps += s.seconds;
  for (const auto& g : r.graph.regions) regions += g.seconds;
  CHECK(steps == Approx(r.graph.seconds));
  CHECK(regions == Approx(r.graph.seconds));
  CHECK(r.graph.seconds + r.outside == Approx(r.seconds));
  CHECK(r.outside > 0);
  for (const auto& b : r.graph.bodies)
    if (b.graph.watched)
      CHECK(b.graph.seconds <= r.graph.steps[static_cast<std::size_t>(r.graph.nodes[static_cast<std::size_t>(b.node)].steps[0])].seconds);
}

TEST_CASE("a profiled call computes what others do, and all of its plan is in the report") {
  tensor<float, dyn, 24> x(40);
  tensor<float, 24, 32> w;
  fill(x);
  fill(w);
  const auto expected = program(x, w);
  const auto [y, r] = profile(program)(x, w);
  CHECK(same(y, expected));
  CHECK(r.name == "f(x, w)");
  CHECK(r.calls == 1);
  check_nodes(r.graph, decltype(program.get_concrete_function(x, w))::plan());
  check_sums(r);

  REQUIRE(r.graph.bodies.size() == 2);
  CHECK(r.graph.bodies[0].key == "cond");
  const auto& body = r.graph.bodies[1];
  CHECK(body.key == "body");
  CHECK(body.graph.watched);
  // The sum of 40 rows goes to 20, 10, then 2.5 and 0.625.
  CHECK(body.graph.runs == 4);
  CHECK(r.graph.bodies[0].graph.runs == 5);
  REQUIRE(body.graph.bodies.size() == 2);
  for (const auto& branch : body.graph.bodies) CHECK(branch.graph.runs == 2);

  // Events are in order, within the call, and name what ran.
  REQUIRE(!r.events.empty());
  for (const auto& e : r.events) {
    CHECK(e.begin >= 0);
    CHECK(e.seconds >= 0);
    CHECK(e.label < static_cast<int>(r.labels.size()));
  }
  const auto when = [&](std::string_view label) {
    for (const auto& e : r.events)
      if (r.labels[static_cast<std::size_t>(e.label)].find(label) != std::string::npos) return e.begin;
    return -1.0;
  };
  CHECK(when("MatMul") >= 0);
  CHECK(when("while") > when("MatMul"));
}

TEST_CASE("averages, and results in memory of the caller") {
  tensor<float, dyn, 24> x(40);
  tensor<float, 24, 32> w;
  fill(x);
  fill(w);
  const auto expected = program(x, w);
  tensor<float, dyn, 32> y(40);
  const auto r = profile(program).repeated(5).into(y, x, w);
  CHECK(same(y, expected));
  CHECK(r.calls == 5);
  CHECK(r.graph.runs == 1);
  CHECK(r.graph.bodies[1].graph.runs == 4);
  check_sums(r);
  // One signature as well.
  const auto one = program.get_concrete_function(x, w);
  CHECK(same(profile(one)(x, w).result, expected));
}

// Eight short trips, a branch in each.
constexpr auto trips = function<"trips(x)">([](auto x) {
  auto y = x * 2.0f;
  JIG_WHILE(reduce_sum(y) > 1.0f) {
    y = cond(y(0, 0) > 0.01f, [&] { return y * 0.5f; }, [&] { return y * 0.25f; });
  }
  return y;
});

TEST_CASE("where reading the clock in loops would take long, averages are of some of the calls") {
  tensor<float, 32, 32> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.0625f;
  const auto expected = trips(x);
  const auto [first, one] = profile(trips)(x);
  CHECK(same(first, expected));
  // What is inside takes at most as long as what it is inside of. The machine may be busy with something else: that it takes most of it
  // must hold in one of some tries.
  bool shares_are_large = false;
  for (int i = 0; i < 20 && !shares_are_large; ++i) {
    const auto [y, r] = profile(trips).repeated(2000)(x);
    CHECK(same(y, expected));
    check_sums(r);
    REQUIRE(r.graph.bodies.size() == 2);
    const profiled_graph &condition = r.graph.bodies[0].graph, &body = r.graph.bodies[1].graph;
    // The sum of 1024 eighths goes by halves to 8, where an element is below 0.01, and by quarters to 0.5. Runs are counted in all calls.
    CHECK(condition.runs == 7);
    CHECK(body.runs == 6);
    REQUIRE(body.bodies.size() == 2);
    CHECK(body.bodies[0].graph.runs == 4);
    CHECK(body.bodies[1].graph.runs == 2);
    CHECK(r.reading < (std::max)(r.seconds / 10, 0.75 * one.reading));
    // Events are all those of the last call.
    CHECK(r.events.size() == one.events.size());
    CHECK(one.events_left_out == 0);
    CHECK(r.events_left_out == 0);
    const double loop = r.graph.nodes[static_cast<std::size_t>(r.graph.bodies[0].node)].seconds;
    const double branches = body.bodies[0].graph.seconds + body.bodies[1].graph.seconds;
    const double inside = condition.seconds + body.seconds;
    CHECK(inside <= loop * (1 + 1e-9));
    CHECK(branches <= body.seconds * (1 + 1e-9));
    shares_are_large = inside > 0.3 * loop && branches > 0.1 * body.seconds;
  }
  CHECK(shares_are_large);
}

TEST_CASE("what a function assigns it assigns in every call") {
  variable<float> v(1.0f);
  tensor<float, 4> x{1, 2, 3, 4};
  const profile_report r = profile(update).repeated(3)(v, x);
  CHECK(v.value()() == 31.0f);
  CHECK(r.graph.runs == 1);
}

TEST_CASE("several results, none of them with elements") {
  const auto [y, r] = profile(parts)(std::vector<float>{});
  CHECK(std::get<0>(y).size() == 0);
  CHECK(r.graph.runs == 1);
  check_sums(r);
}

TEST_CASE("an exception leaves no trace") {
  tensor<float, dyn, 24> x(2);
  tensor<float, dyn, 32> w(3);
  fill(x);
  fill(w);
  CHECK_THROWS_AS((void)profile(program)(x, w), invalid_argument);
  CHECK(detail::watching_now == nullptr);
  tensor<float, dyn, 32> whole(24);
  fill(whole);
  const auto [y, r] = profile(program)(x, whole);
  CHECK(same(y, program(x, whole)));
  CHECK(r.graph.runs == 1);
}

}  // namespace

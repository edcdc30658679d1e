// SPDX-License-Identifier: MIT
#include <jig/profile/report.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig;
using doctest::Approx;

constexpr auto layer = [](auto x, auto w) {
  auto y = relu(matmul(x, w));
  return cumsum<-1>(y);
};
using P = dense_program_of<trace<decltype(layer), "f(x, w)", spec<float, dyn, 3>, spec<float, 3, 40>>>;

// A plan with one region for the product and what follows it, and a kernel.
detail::measured_plan measured() {
  detail::measured_plan m;
  m.plan = P::plan.view(P::graph);
  m.watched = true;
  m.runs = 20;
  m.extents = {7};
  m.laps.assign(m.plan.regions.size(), 1000);
  m.ends_lap.assign(m.plan.regions.size(), 1);
  m.shares.assign(m.plan.steps.size(), 0);
  m.epilogues.resize(m.plan.regions.size());
  static const char addresses[16] = {};
  REQUIRE(m.plan.regions.size() <= sizeof addresses);
  m.id = addresses;
  return m;
}
profiled_graph report_of(const detail::measured_plan& m) {
  profile_report labels;
  std::vector<const void*> ids;
  auto g = detail::plan_report<>(m, 1e-3, 10, node_names(m.plan.graph)).run(labels, ids);
  CHECK(labels.labels.size() == ids.size());
  return g;
}

TEST_CASE("times of regions are shared among their steps and nodes") {
  auto m = measured();
  REQUIRE(m.plan.regions.size() == 2);
  REQUIRE(m.plan.regions[0].kind == region_kind::epilogue);
  // What follows the product took 10 ticks for 70 of 140 elements.
  m.epilogues[0] = {10, 70, 140};
  const auto g = report_of(m);
  CHECK(g.runs == 2);
  REQUIRE(g.steps.size() == 3);
  CHECK(g.steps[0].seconds == Approx(0.980));
  CHECK(g.steps[1].seconds == Approx(0.020));
  CHECK(g.steps[0].estimated);
  CHECK(g.steps[2].seconds == Approx(1));
  CHECK(!g.steps[2].estimated);
  CHECK(g.seconds == Approx(2));
  CHECK(g.regions[0].kind == "epilogue");
  CHECK(g.regions[0].seconds == Approx(1));
  double nodes = 0;
  for (const auto& n : g.nodes) nodes += n.seconds;
  CHECK(nodes == Approx(g.seconds));
}

TEST_CASE("flops and bytes have the extents of the call") {
  const auto g = report_of(measured());
  CHECK(g.steps[0].extents == "(7, 40)");
  CHECK(g.steps[0].flops == 2 * 7 * 3 * 40);
  CHECK(g.steps[0].bytes == 4 * (7 * 3 + 3 * 40 + 7 * 40));
  CHECK(g.steps[2].flops == 7 * 40);
  CHECK(g.nodes[0].name == "x");
  CHECK(g.nodes[0].spec == "float32 (7, 3)");
  CHECK(g.nodes[0].steps.empty());
  // Each value once.
  CHECK(g.regions[0].bytes <= g.steps[0].bytes + g.steps[1].bytes);
}

TEST_CASE("regions that are measured together share by what they do") {
  auto m = measured();
  m.ends_lap[0] = 0;
  const auto g = report_of(m);
  CHECK(g.seconds == Approx(1));
  CHECK(g.steps[2].estimated);
  CHECK(g.steps[0].seconds > g.steps[2].seconds);
  CHECK(g.steps[2].seconds > 0);
}

TEST_CASE("what was not watched, or never ran, has no time") {
  auto m = measured();
  m.watched = false;
  m.extents.clear();
  m.runs = 0;
  const auto g = report_of(m);
  CHECK(g.seconds == 0);
  CHECK(g.steps.size() == 3);
  CHECK(g.steps[0].flops == 0);
  CHECK(g.nodes[0].spec == "float32 (None, 3)");
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/profile/dot.hpp>

#include "../profile/report_by_hand.hpp"

#include <doctest/doctest.h>

namespace {

TEST_CASE("a profile as a picture") {
  const std::string dot = jig::to_dot(report_by_hand());
  const auto has = [&](std::string_view part) { return dot.find(part) != std::string::npos; };
  CHECK(has("n0 [id=n0, label=\"x\\nPlaceholder\\nfloat32 (4, 3)\", tooltip=\"x\\nPlaceholder\\nfloat32 (4, 3)\", shape=ellipse];\n"));
  CHECK(has("label=\"MatMul\\nMatMul\\nfloat32 (4, 5)\\n6.00 us\""));
  CHECK(has("step 0, kernel (4, 5): 6.00 us\""));
  CHECK(has("tooltip=\"MatMul\\nMatMul\\nfloat32 (4, 5)\\nmodel.cpp:3\\nstep 0"));
  CHECK(has("step 2, control (4, 5): 4.00 us, memory bounds it\""));
  CHECK(has("  n0 -> n2;\n  n1 -> n2;\n"));
  CHECK(has("class=opens"));
  // The body is a frame inside, and was not measured.
  CHECK(has("subgraph cluster_0 {\n    label=\"while body\";\n"));
  CHECK(has("b0_n1 [id=b0_n1, label=\"a\\\"<b\\nSub\\nfloat32 (4, 5)\", tooltip"));
  CHECK(has("    b0_n0 -> b0_n1;\n"));
  CHECK(has("b0_n1 -> b0_r0;"));
  CHECK(dot.ends_with("  n4 -> r0;\n}\n"));
}

TEST_CASE("the longer it takes, the redder") {
  using jig::detail::heat;
  CHECK(heat(0) == "#ffffff");
  CHECK(heat(1) == "#ff1414");
  CHECK(heat(7) == heat(1));
  CHECK(heat(-1) == heat(0));
  CHECK(heat(0.25) == "#ff8a8a");
}

}  // namespace

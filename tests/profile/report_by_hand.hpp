// SPDX-License-Identifier: MIT
#pragma once
// A report whose numbers are known: of a product with an epilogue, and a loop whose body is small.

#include <jig/profile/report.hpp>

inline jig::profile_report report_by_hand() {
  jig::profile_report r;
  r.name = "f(x, w)";
  r.calls = 10;
  r.seconds = 12.5e-6;
  r.outside = 0.5e-6;
  r.reading = 60e-9;
  auto& g = r.graph;
  g.watched = true;
  g.runs = 1;
  g.seconds = 12e-6;
  g.nodes = {{"x", "Placeholder", "float32 (4, 3)", {}, {}, 0, 0, ""},
             {"w", "Placeholder", "float32 (3, 5)", {}, {}, 0, 0, ""},
             {"MatMul", "MatMul", "float32 (4, 5)", {{0, 0}, {1, 0}}, {0}, 6e-6, 120, "model.cpp:3"},
             {"Relu", "Relu", "float32 (4, 5)", {{2, 0}}, {1}, 2e-6, 20, ""},
             {"while", "While", "float32 (4, 5)", {{3, 0}}, {2}, 4e-6, 0, "model.cpp:5"}};
  g.results = {{4, 0}};
  g.regions = {{"epilogue", 8e-6, 188, false}, {"single", 4e-6, 160, true}};
  g.steps = {{"kernel", "MatMul", "(4, 5)", 0, {2}, 6e-6, 120, 188, true},
             {"loop", "Relu", "(4, 5)", 0, {3}, 2e-6, 20, 160, true},
             {"control", "while", "(4, 5)", 1, {4}, 4e-6, 0, 160, false}};
  jig::profiled_graph body;
  body.nodes = {{"Relu", "Placeholder", "float32 (4, 5)", {}, {}, 0, 0, ""}, {"a\"<b", "Sub", "float32 (4, 5)", {{0, 0}}, {0}, 0, 20, ""}};
  body.results = {{1, 0}};
  body.regions = {{"single", 0, 160, false}};
  body.steps = {{"loop", "a\"<b", "(4, 5)", 0, {1}, 0, 20, 160, false}};
  g.bodies = {{4, "body", body}};
  r.labels = {"MatMul, Relu", "while"};
  r.events = {{0, 1e-6, 8e-6}, {1, 9e-6, 4e-6}};
  r.events_left_out = 7;
  return r;
}

// SPDX-License-Identifier: MIT
#pragma once
// All ways through a lambda of three integers, recorded while the test runs, and the statements that they become.

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <tuple>

namespace ways {

using jig::edge;
using jig::detail::recordings;
using jig::detail::statement;
using jig::detail::statement_kind;
using structure = jig::detail::structure_of_runs<recordings>;

/// Records f(x, y, z), once for every way.
template <class F>
void record(recordings& runs, F f) {
  jig::detail::recorded_graph out;
  jig::detail::record_ways(runs, out, [&](jig::builder& b) {
    using whole = jig::symbol<std::int32_t>;
    const auto input = [&](std::string_view name) { return whole(&b, b.input(jig::spec<std::int32_t>::value(), name)); };
    const auto x = input("x"), y = input("y"), z = input("z");
    const auto result = f(x, y, z);
    jig::for_each_leaf(result, [&](const auto& leaf) { b.graph.output_edges.push_back(jig::detail::result_place(b, leaf)); });
  });
  REQUIRE(out.failure == jig::trace_failure::none);
  REQUIRE_FALSE(out.joined);
}

/// Calls f with every statement of a block and of those inside.
template <class F>
void for_each_statement(const structure& s, int block, F f) {
  for (int i = block; i >= 0; i = s.all[i].next) {
    f(s.all[i]);
    for_each_statement(s, s.all[i].yes, f);
    for_each_statement(s, s.all[i].no, f);
  }
}
inline int count(const structure& s, statement_kind kind) {
  int n = 0;
  for_each_statement(s, s.first, [&](const statement& one) { n += one.kind == kind; });
  return n;
}
inline int count(const structure& s, std::string_view op) {
  int n = 0;
  for_each_statement(s, s.first, [&](const statement& one) { n += one.kind == statement_kind::node && s.node_of(one).kind->name == op; });
  return n;
}
/// The first statement of a kind.
inline statement find(const structure& s, statement_kind kind) {
  statement found;
  bool there = false;
  for_each_statement(s, s.first, [&](const statement& one) {
    if (one.kind == kind && !there) found = one, there = true;
  });
  REQUIRE(there);
  return found;
}

}  // namespace ways

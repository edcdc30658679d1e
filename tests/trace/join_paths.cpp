// SPDX-License-Identifier: MIT
// What stands behind an if is in the program once. The reference is how often the source has it.
#include <jig/trace/join_paths.hpp>

#include "../recorded_ways.hpp"

namespace {

using ways::count, ways::find, ways::record, ways::recordings, ways::statement_kind, ways::structure;

TEST_CASE("what both sides of an if lead to stands behind it") {
  recordings runs;
  record(runs, [](auto x, auto y, auto) {
    if (x > 0) y = y + 5;
    else y = y - 7;
    return y * x;
  });
  const structure s(runs);
  CHECK(s.failure == jig::trace_failure::none);
  CHECK(count(s, statement_kind::fork) == 1);
  CHECK(count(s, statement_kind::result) == 1);
  CHECK(count(s, "AddV2") == 1);
  CHECK(count(s, "Sub") == 1);
  CHECK(count(s, "Mul") == 1);
  // y behind the if is the sum on one side and the difference on the other.
  const auto fork = find(s, statement_kind::fork);
  CHECK(fork.joins);
  int sums_and_differences = 0;
  for (int k = 0; k < fork.joined.count; k += 3) {
    const auto kind_of = [&](int side) {
      const auto& d = s.definitions[s.pool[fork.joined.first + k + side].node];
      return runs[d.run].graph.nodes[d.node].kind->name;
    };
    sums_and_differences += kind_of(1) == "AddV2" && kind_of(2) == "Sub";
  }
  CHECK(sums_and_differences == 1);
}

TEST_CASE("the same op of other values is one statement behind the if; another op is not") {
  recordings values, ops;
  record(values, [](auto x, auto y, auto z) {
    if (x > 0) return y * x;
    return y * z;
  });
  const structure one(values);
  CHECK(count(one, "Mul") == 1);
  const auto fork = find(one, statement_kind::fork);
  bool x_or_z = false;
  for (int k = 0; k < fork.joined.count; k += 3)
    x_or_z = x_or_z ||
             (one.pool[fork.joined.first + k + 1] == one.named(0, {0, 0}) && one.pool[fork.joined.first + k + 2] == one.named(0, {2, 0}));
  CHECK(x_or_z);
  record(ops, [](auto x, auto y, auto z) {
    if (x > 0) return y * z;
    return y + z;
  });
  const structure two(ops);
  CHECK(count(two, "Mul") == 1);
  CHECK(count(two, "AddV2") == 1);
}

TEST_CASE("an early return leaves the rest of the function on one side") {
  recordings runs;
  record(runs, [](auto x, auto y, auto z) {
    if (x > 0) return y - z;
    y = y + x;
    return y * x;
  });
  const structure s(runs);
  CHECK(count(s, "Sub") == 1);
  CHECK(count(s, "AddV2") == 1);
  CHECK(count(s, "Mul") == 1);
}

TEST_CASE("ifs one behind another make a program as long as their source") {
  recordings runs;
  record(runs, [](auto x, auto y, auto z) {
    for (int k = 0; k < 5; ++k) {
      if (x > k) y = y + z;
      else y = y - z;
      x = x * y;
    }
    return x;
  });
  CHECK(runs.size() == 32);
  const structure s(runs);
  CHECK(count(s, statement_kind::fork) == 5);
  CHECK(count(s, "AddV2") == 5);
  CHECK(count(s, "Sub") == 5);
  CHECK(count(s, "Mul") == 5);
}

TEST_CASE("blocks behind an if are the same when all in them is") {
  const auto program = [](bool same) {
    return [same](auto x, auto y, auto z) {
      int step = 1;
      if (x > 0) {
        y = y + z;
        step = same ? 1 : 2;
      }
      for (auto i : jig::range(0, z)) y = y * (i + step);
      return y;
    };
  };
  recordings alike, other;
  record(alike, program(true));
  CHECK(count(structure(alike), statement_kind::loop) == 1);
  record(other, program(false));
  const structure s(other);
  CHECK(count(s, statement_kind::loop) + count(s, statement_kind::fork) >= 2);
}

}  // namespace

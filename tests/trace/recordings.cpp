// SPDX-License-Identifier: MIT
#include <jig/trace/recordings.hpp>

#include "../recorded_ways.hpp"

#include <string>

namespace {

std::string decisions(const jig::builder& b) {
  std::string out;
  for (char d : b.decisions) out += d ? '1' : '0';
  return out;
}

TEST_CASE("recordings stay where they are while more are added") {
  ways::recordings runs;
  CHECK(runs.size() == 0);
  const jig::builder* first = &runs.add();
  for (int i = 0; i < 100; ++i) runs.add();
  CHECK(runs.size() == 101);
  CHECK(&runs[0] == first);
}
static_assert(
    [] {
      ways::recordings runs;
      runs.add();
      runs.add();
      return runs.size();
    }() == 2,
    "in constant evaluation too");

TEST_CASE("one recording for every way, the first side of a decision before the other") {
  ways::recordings runs;
  ways::record(runs, [](auto x, auto y, auto z) {
    if (x > 0) {
      if (y > 0) return x * 1;
      return y - z;
    }
    return x + y;
  });
  REQUIRE(runs.size() == 3);
  CHECK(decisions(runs[0]) == "11");
  CHECK(decisions(runs[1]) == "10");
  CHECK(decisions(runs[2]) == "0");
  const char* ops[] = {"Mul", "Sub", "AddV2"};
  for (int run = 0; run < 3; ++run)
    for (int op = 0; op < 3; ++op) CHECK(runs.graph(run).count(ops[op]) == (run == op));
}

}  // namespace

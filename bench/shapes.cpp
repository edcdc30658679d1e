// SPDX-License-Identifier: MIT
// Families of ops on many shapes, each call beside the same loop in plain C++: bench/shapes/ holds the rows. Both sides are compared
// before anything is timed; rows where they differ are named and left out.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>

#include "shapes/measure.hpp"

namespace {

using namespace bench;

// The first difference, as a fraction of the largest element: floating sums may be added up in any order.
bool equal(const std::vector<double>& given, const std::vector<double>& expected, const char* name, const std::string& contender,
           bool exact) {
  double largest = 0;
  for (double x : expected) largest = std::fmax(largest, std::fabs(x));
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::fabs(given[i] - expected[i]) <= (exact ? 0 : 1e-4 * largest)) continue;
    std::fprintf(stderr, "%s: element %zu of jig is %.9g, of %s %.9g\n", name, i, given[i], contender.c_str(), expected[i]);
    return false;
  }
  return true;
}

bool enter(const entry& e) {
  std::shared_ptr<measured> m = e.of.make();
  std::string op = e.of.op;
  if (op.front() == '(' && op.back() == ')') op = op.substr(1, op.size() - 2);
  const std::string name = op + "/" + m->shapes;
  m->clear();
  m->run();
  const std::vector<double> given = m->result();
  bool fine = true;
  for (const auto& [contender, loop] : e.loops) {
    m->clear();
    loop(m->n, m->memory.data());
    fine = equal(given, m->result(), name.c_str(), contender, m->exact) && fine;
  }
  if (!fine) return false;
  // The call before those that count: memory is in the cache as it will be.
  const auto timed = [&](const std::string& contender, auto run) {
    benchmark::RegisterBenchmark((name + '/' + contender).c_str(), [run](benchmark::State& state) {
      run();
      for (auto _ : state) {
        run();
        barrier();
      }
    });
  };
  timed("jig", [m] { m->run(); });
  for (const auto& [contender, loop] : e.loops) timed(contender, [m, loop = loop] { loop(m->n, m->memory.data()); });
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  bool fine = true;
  for (const entry& e : entries) fine = enter(e) && fine;
  benchmark::RunSpecifiedBenchmarks();
  return fine ? 0 : 1;
}

// SPDX-License-Identifier: MIT
#pragma once
// Workloads: contenders that compute the same values from the same memory. They are compared before
// anything is timed.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jig.hpp>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#ifdef JIG_BENCH_EIGEN
#include <Eigen/Dense>
#endif
#ifdef JIG_BENCH_XTENSOR
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#endif
#ifdef JIG_BENCH_OPENBLAS
#include <cblas.h>
#endif

namespace bench {

/// The elements of a container; scalars have one.
template <class Container>
auto elements(Container& of) {
  if constexpr (std::is_arithmetic_v<Container>) return std::span(&of, 1);
  else return std::span(of.data(), static_cast<std::size_t>(of.size()));
}

/// Sets all elements of containers to numbers between low and high, the same in every run.
template <class... Container>
void fill(double low, double high, Container&... to) {
  static std::mt19937 generator(42);
  std::uniform_real_distribution<double> number(low, high);
  auto fill_one = [&](auto all) {
    for (auto& x : all) x = static_cast<typename decltype(all)::value_type>(number(generator));
  };
  (fill_one(elements(to)), ...);
}

/// Contenders that write the same elements: one row of a table, for each size. What is passed must
/// outlive the benchmarks.
template <class Out>
class workload {
 public:
  workload(const std::string& name, const std::string& size, Out& out) : name_(name + '/' + size), out_(elements(out)) {}

  /// Runs a contender once, compares what it writes with what the first one wrote, and enters it.
  /// The tolerance is relative to the largest element.
  template <class Run>
  void add(const std::string& contender, Run run, double tolerance = 1e-5) {
    for (auto& x : out_) x = std::numeric_limits<element>::quiet_NaN();
    run();
    if (expected_.empty()) expected_.assign(out_.begin(), out_.end());
    compare(contender, tolerance);
    auto* entered = benchmark::RegisterBenchmark((name_ + '/' + contender).c_str(), [run](benchmark::State& state) {
      for (auto _ : state) {
        run();
        benchmark::ClobberMemory();
      }
    });
    if (real_time_) entered->UseRealTime();
  }

  /// What is entered from now on is measured by the clock on the wall, since other threads work too.
  void in_real_time() { real_time_ = true; }

 private:
  using elements_type = decltype(elements(std::declval<Out&>()));
  using element = typename elements_type::value_type;

  void compare(const std::string& contender, double tolerance) const {
    double largest = 0;
    for (auto x : expected_) largest = std::fmax(largest, std::fabs(static_cast<double>(x)));
    for (std::size_t i = 0; i < out_.size(); ++i) {
      auto given = static_cast<double>(out_[i]), expected = static_cast<double>(expected_[i]);
      if (std::fabs(given - expected) <= tolerance * largest) continue;
      std::fprintf(stderr, "%s/%s: element %zu is %.9g instead of %.9g\n", name_.c_str(), contender.c_str(), i, given, expected);
      std::exit(1);
    }
  }

  std::string name_;
  bool real_time_ = false;
  elements_type out_;
  std::vector<element> expected_;
};

/// Runs the benchmarks that were entered.
inline int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace bench

// SPDX-License-Identifier: MIT
// Calls with run-time tensors, whose graphs an interpreter runs, beside the same functions compiled for wildcard extents. Both
// return new tensors.

#include "workload.hpp"

namespace {

using jig::any_tensor;
using jig::dyn;

constexpr auto scalar = jig::function([](auto x, auto y) { return x * y + 1; });
constexpr auto sum_of_products = jig::function([](auto x, auto y) { return x * y + x - y; });
constexpr auto tanh_chain = jig::function([](auto x, auto y) { return jig::tanh(x * y + 1) * y; });
constexpr auto root_chain = jig::function([](auto x, auto y, auto z) { return jig::sqrt(x * x + y * y) / (1 + jig::abs(z)); });
constexpr auto exp_chain = jig::function([](auto x, auto y) { return jig::exp(-x * x) + jig::exp(-y * y) * jig::exp(x); });
constexpr auto reduction = jig::function([](auto x) { return jig::reduce_sum(x); });
constexpr auto sums_of_rows = jig::function([](auto x) { return jig::reduce_sum<1>(x); });
constexpr auto product = jig::function([](auto x, auto y) { return jig::matmul(x, y); });

void check(const std::string& name, const any_tensor& found, const any_tensor& expected) {
  auto value = expected.as<float>().begin();
  for (float x : found.as<float>()) {
    const float e = *value++;
    if (std::fabs(x - e) <= 1e-5f * (1 + std::fabs(e))) continue;
    std::fprintf(stderr, "%s: %.9g instead of %.9g\n", name.c_str(), static_cast<double>(x), static_cast<double>(e));
    std::exit(1);
  }
}

template <class Run>
void enter(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), [run](benchmark::State& state) {
    for (auto _ : state) {
      auto result = run();
      benchmark::DoNotOptimize(result.data());
    }
  });
}

// The arguments outlive the benchmarks.
template <class F, class... X>
void add(const std::string& name, const std::string& size, F f, const X&... x) {
  const std::string row = name + '/' + size + '/';
  check(row, f(any_tensor(x)...), f(x...));
  enter(row + "compiled", [f, &x...] { return f(x...); });
  std::apply([&](auto*... argument) { enter(row + "jig", [f, argument...] { return f(*argument...); }); },
             std::tuple{new any_tensor(x)...});
}

}  // namespace

int main(int argc, char** argv) {
  static auto x = jig::tensor<float>{0.5f}, y = jig::tensor<float>{0.25f};
  add("`x * y + 1`, a call on numbers", "1", scalar, x, y);
  for (jig::index n : {1000, 100000, 10000000}) {
    auto& a = *new jig::tensor<float, dyn>(jig::zeros<float, dyn>(n));
    auto& b = *new jig::tensor<float, dyn>(jig::zeros<float, dyn>(n));
    auto& c = *new jig::tensor<float, dyn>(jig::zeros<float, dyn>(n));
    bench::fill(-1, 1, a, b, c);
    add("`x * y + x - y`", std::to_string(n), sum_of_products, a, b);
    add("`tanh(x * y + 1) * y`", std::to_string(n), tanh_chain, a, b);
    add("`sqrt(x * x + y * y) / (1 + abs(z))`", std::to_string(n), root_chain, a, b, c);
    add("`exp(-x * x) + exp(-y * y) * exp(x)`", std::to_string(n), exp_chain, a, b);
    add("`reduce_sum(x)`", std::to_string(n), reduction, a);
  }
  for (jig::index n : {4, 30, 300}) {
    auto& a = *new jig::tensor<float, dyn, dyn>(jig::zeros<float, dyn, dyn>(2000, n));
    bench::fill(-1, 1, a);
    add("`reduce_sum<1>(x)`, 2000 rows", std::to_string(n), sums_of_rows, a);
  }
  for (jig::index n : {16, 64, 256, 512}) {
    auto& a = *new jig::tensor<float, dyn, dyn>(jig::zeros<float, dyn, dyn>(n, n));
    bench::fill(-1, 1, a);
    add("`matmul(x, x)`", std::to_string(n), product, a, a);
  }
  return bench::run(argc, argv);
}

// SPDX-License-Identifier: MIT
// What measuring costs: averages over many calls beside as many calls that are not measured. All calls take about a microsecond, or ten.

#include "workload.hpp"

#include <jig/profile.hpp>

namespace {

constexpr int calls = 1000;

constexpr auto loop = jig::function<"loop(x, w)">([](auto x, auto w) { return jig::tanh(x * w + 1.0f); });
constexpr auto rows = jig::function<"rows(x, w)">([](auto x, auto w) { return jig::softmax<-1>(jig::relu(jig::matmul(x, w))); });
constexpr auto layers = jig::function<"layers(x, w)">([](auto x, auto w) {
  auto y = jig::matmul(x, w);
  for (int i = 0; i < 4; ++i) y = jig::matmul(jig::relu(y), w);
  return y;
});
constexpr auto trips = jig::function<"trips(x, w)">([](auto x, auto w) {
  auto y = x * x + w * w;
  JIG_WHILE(jig::reduce_sum(y) > 1.0f) { y = y * 0.5f; }
  return y;
});

constexpr auto sums = jig::function<"sums(x, w)">([](auto x, auto w) {
  for (int i = 0; i < 5; ++i) x = jig::cumsum<0>(x * w);
  return x;
});

template <class Y, class X, class W, class F>
void add_row(const char* name, const char* size, F f) {
  static Y y;
  static X x;
  static W w;
  bench::fill(-1, 1, x, w);
  bench::workload row(name, size, y);
  row.add("call", [f] {
    for (int i = 0; i < calls; ++i) {
      f.into(y, x, w);
      benchmark::ClobberMemory();
    }
  });
  row.add("jig", [f] { benchmark::DoNotOptimize(jig::profile(f).repeated(calls).into(y, x, w)); });
}
// Of the interpreter.
template <class Y, class X, class W, class F>
void add_run_time_row(const char* name, const char* size, F f) {
  static Y y;
  static X x;
  static W w;
  bench::fill(-1, 1, x, w);
  static const jig::any_tensor any_x(x), any_w(w);
  bench::workload row(name, size, y);
  row.add("call", [f] {
    for (int i = 0; i < calls; ++i) {
      f.into(y, any_x, any_w);
      benchmark::ClobberMemory();
    }
  });
  row.add("jig", [f] { benchmark::DoNotOptimize(jig::profile(f).repeated(calls).into(y, any_x, any_w)); });
}
template <jig::index... E>
using tensor = jig::tensor<float, E...>;

}  // namespace

int main(int argc, char** argv) {
  add_row<tensor<3000>, tensor<3000>, tensor<3000>>("tanh(x * w + 1)", "3000", loop);
  add_row<tensor<30000>, tensor<30000>, tensor<30000>>("tanh(x * w + 1)", "30000", loop);
  add_row<tensor<24, 32>, tensor<24, 32>, tensor<32, 32>>("softmax(relu(matmul))", "24x32", rows);
  add_row<tensor<64, 64>, tensor<64, 64>, tensor<64, 64>>("softmax(relu(matmul))", "64x64", rows);
  add_row<tensor<20, 32>, tensor<20, 32>, tensor<32, 32>>("five layers", "20x32", layers);
  add_row<tensor<64, 64>, tensor<64, 64>, tensor<64, 64>>("five layers", "64x64", layers);
  add_row<tensor<32, 32>, tensor<32, 32>, tensor<32, 32>>("loop of 10 trips", "32x32", trips);
  add_row<tensor<64, 64>, tensor<64, 64>, tensor<64, 64>>("loop of 12 trips", "64x64", trips);
  add_run_time_row<tensor<8>, tensor<8>, tensor<8>>("ten steps of run-time tensors", "8", sums);
  add_run_time_row<tensor<20, 32>, tensor<20, 32>, tensor<32, 32>>("five layers of run-time tensors", "20x32", layers);
  return bench::run(argc, argv);
}

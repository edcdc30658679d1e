// SPDX-License-Identifier: MIT
// Two threads beside one: large loops, products and convolutions that threads share, and steps that need not wait for one another.

#include "workload.hpp"

#include <jig/parallel.hpp>

#ifdef JIG_USE_TBB
#include <tbb/global_control.h>
#endif

#include <functional>

namespace {

constexpr auto product = jig::function([](const auto& x, const auto& y) { return jig::matmul(x, y); });
constexpr auto soft = jig::function([](const auto& x) { return jig::softmax(x); });
constexpr auto layer =
    jig::function([](const auto& x, const auto& w, const auto& b) { return jig::relu(jig::conv2d(x, w, jig::same_padding) + b); });
constexpr auto elements = jig::function([](const auto& x, const auto& y) { return jig::tanh(x * y + 1.0f) * y; });
constexpr auto adjoint = jig::function([](const auto& x, const auto& w, const auto& g) {
  return jig::gradient(jig::reduce_sum(jig::conv2d(x, w, jig::same_padding) * g), w);
});
constexpr auto attention = jig::function([](const auto& x) { return jig::dot_product_attention(x, x, x); });
constexpr auto sorted = jig::function([](const auto& x) { return jig::sort<1>(x); });
constexpr auto scanned = jig::function([](const auto& x) { return jig::cumsum<1>(x); });
// Two networks of the same input, of products that are too small to be shared.
constexpr auto two_networks = jig::function([](const auto& x, const auto& u, const auto& v) {
  auto a = x, b = x;
  for (int k = 0; k < 6; ++k) {
    a = jig::tanh(jig::matmul(a, u));
    b = jig::tanh(jig::matmul(b, v));
  }
  return a - b;
});
constexpr auto three_layers = jig::function([](const auto& x, const auto& u, const auto& v, const auto& w) {
  return jig::softmax(jig::matmul(jig::relu(jig::matmul(jig::relu(jig::matmul(x, u)), v)), w));
});
// A sequence that is read from both ends.
constexpr auto both_ways = jig::function([](const auto& x, const auto& w, const auto& u, const auto& b) {
  return jig::lstm(x, w, u, b) + jig::lstm(jig::reverse<1>(x), w, u, b);
});

template <class F, class Out, class... X>
void row(const std::string& name, const std::string& size, F f, Out& out, const X&... x) {
  bench::workload row(name, size, out);
  row.in_real_time();
  row.add("one thread", [&out, f, ... x = std::cref(x)] { f.into(out, x.get()...); });
  row.add("jig", [&out, g = jig::parallel(f), ... x = std::cref(x)] { g.into(out, x.get()...); });
}

}  // namespace

int main(int argc, char** argv) {
#ifdef JIG_USE_TBB
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
#endif
  static jig::tensor<float, jig::dyn, jig::dyn> x(1024, 1024), y = x, z = x;
  static jig::tensor<float, 1, 56, 56, 64> image, filtered;
  static jig::tensor<float, 3, 3, 64, 64> filter;
  static jig::tensor<float, 64> bias;
  static jig::tensor<float, 64, 96> input, output;
  static jig::tensor<float, 96, 96> u, v;
  bench::fill(-0.3, 0.3, x, y, image, filter, bias, input, u, v);
  row("matmul", "1024", product, z, x, y);
  row("softmax", "1024x1024", soft, z, x);
  row("tanh(x * y + 1) * y", "1024x1024", elements, z, x, y);
  row("relu(conv2d + b)", "1x56x56x64x64", layer, filtered, image, filter, bias);
  static jig::tensor<float, 1, 14, 14, 256> deep, deep_filtered;
  static jig::tensor<float, 3, 3, 256, 256> deep_filter;
  static jig::tensor<float, 256> deep_bias;
  static jig::tensor<float, 8, 28, 28, 64> images, adjoints;
  static jig::tensor<float, 3, 3, 64, 64> to_filter;
  static jig::tensor<float, 200, 64, 64> many, others, products;
  static jig::tensor<float, 4, 128, 4, 64> heads, attended;
  static jig::tensor<float, 200, 1000> unsorted, in_order;
  bench::fill(-0.3, 0.3, deep, deep_filter, images, adjoints, many, others, heads, unsorted);
  row("relu(conv2d + b)", "1x14x14x256x256", layer, deep_filtered, deep, deep_filter, deep_bias);
  row("gradient of conv2d to its filter", "8x28x28x64x64", adjoint, to_filter, images, filter, adjoints);
  row("matmul", "200x64x64x64", product, products, many, others);
  row("attention of 4 heads", "4x128x4x64", attention, attended, heads);
  row("sort<1>", "200x1000", sorted, in_order, unsorted);
  row("cumsum<1>", "1024x1024", scanned, z, x);
  static jig::tensor<float, 8, 50, 32> sequence;
  static jig::tensor<float, 32, 256> kernel;
  static jig::tensor<float, 64, 256> recurrent_kernel;
  static jig::tensor<float, 256> gates;
  static jig::tensor<float, 8, 64> states;
  bench::fill(-0.3, 0.3, sequence, kernel, recurrent_kernel, gates);
  row("lstm from both ends", "8x50x32x64", both_ways, states, sequence, kernel, recurrent_kernel, gates);
  row("two networks of six layers", "64x96", two_networks, output, input, u, v);
  static jig::tensor<float, 256, 256> large_input, large_output, large_u, large_v;
  bench::fill(-0.1, 0.1, large_input, large_u, large_v);
  row("two networks of six layers", "256x256", two_networks, large_output, large_input, large_u, large_v);
  // The interpreter.
  static const jig::any_tensor any_input(input), any_u(u), any_v(v), any_large_input(large_input), any_large_u(large_u),
      any_large_v(large_v);
  row("two networks of run-time tensors", "64x96", two_networks, output, any_input, any_u, any_v);
  row("two networks of run-time tensors", "256x256", two_networks, large_output, any_large_input, any_large_u, any_large_v);
  static jig::tensor<float, 32, 1024> samples, scores;
  static jig::tensor<float, 1024, 1024> weights;
  bench::fill(-0.1, 0.1, samples, weights);
  static const jig::any_tensor any_samples(samples), any_weights(weights);
  row("three layers of run-time tensors", "32x1024", three_layers, scores, any_samples, any_weights, any_weights, any_weights);
  return bench::run(argc, argv);
}

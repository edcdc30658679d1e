// SPDX-License-Identifier: MIT
// What TensorFlow's graph guides time: a function as a graph beside the same lambda op by op, for many small ops and for one large one.

#include "workload.hpp"

#include <algorithm>
#include <cstdint>

namespace {

constexpr auto power = jig::function<"power(x, n)">([](const auto& x, auto n) {
  auto result = jig::eye_like(x);
  for (int i = 0; i < n; ++i) result = jig::matmul(x, result);
  return result;
});

constexpr auto convolve =
    jig::function<"conv(image, filter)">([](const auto& image, const auto& filter) { return jig::conv2d(image, filter); });

// Both ways return new tensors.
template <class Tensor>
void put(Tensor& to, const Tensor& from) {
  std::copy_n(from.data(), from.size(), to.data());
}

// The 100th power of a matrix of 10 x 10 integers, which wrap.
void add_power() {
  constexpr jig::index n = 10;
  static jig::tensor<std::int32_t, n, n> y, x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::int32_t>((i * 7 + i / 10) % 10);
  bench::workload row("power(x, 100), int32", "10x10", y);
  row.add(
      "loop",
      [] {
        std::uint32_t r[2][n * n] = {};
        for (jig::index i = 0; i < n; ++i) r[0][i * n + i] = 1;
        for (int k = 0; k < 100; ++k) {
          const std::uint32_t* from = r[k % 2];
          std::uint32_t* to = r[1 - k % 2];
          std::fill_n(to, n * n, 0u);
          for (jig::index i = 0; i < n; ++i)
            for (jig::index p = 0; p < n; ++p)
              for (jig::index j = 0; j < n; ++j) to[i * n + j] += static_cast<std::uint32_t>(x.data()[i * n + p]) * from[p * n + j];
        }
        std::copy_n(r[0], n * n, y.data());
      },
      0);
  row.add("jig", [] { put(y, power(x, jig::lit<100>)); }, 0);
  row.add("eager", [] { put(y, power.eager(x, jig::lit<100>)); }, 0);
}

// A layer with 100 filters of 3 x 3 on an image of 200 x 200 with 100 channels.
void add_convolution() {
  constexpr jig::index n = 200, m = n - 2, c = 100;
  static auto& y = *new jig::tensor<float, 1, m, m, c>;
  static auto& image = *new jig::tensor<float, 1, n, n, c>;
  static auto& filter = *new jig::tensor<float, 3, 3, c, c>;
  bench::fill(-1, 1, image, filter);
  bench::workload row("conv2d, 100 filters of 3x3", "1x200x200x100", y);
  row.add(
      "loop",
      [] {
        float* __restrict to = y.data();
        for (jig::index i = 0; i < m; ++i)
          for (jig::index j = 0; j < m; ++j, to += c) {
            std::fill_n(to, c, 0.0f);
            for (jig::index a = 0; a < 3; ++a)
              for (jig::index b = 0; b < 3; ++b)
                for (jig::index k = 0; k < c; ++k) {
                  const float x = image.data()[((i + a) * n + j + b) * c + k];
                  const float* w = filter.data() + ((a * 3 + b) * c + k) * c;
                  for (jig::index o = 0; o < c; ++o) to[o] += x * w[o];
                }
          }
      },
      1e-4);
  row.add("jig", [] { put(y, convolve(image, filter)); }, 1e-4);
  row.add("eager", [] { put(y, convolve.eager(image, filter)); }, 1e-4);
}

}  // namespace

int main(int argc, char** argv) {
  add_power();
  add_convolution();
  return bench::run(argc, argv);
}

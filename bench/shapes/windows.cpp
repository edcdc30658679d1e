// SPDX-License-Identifier: MIT
// Windows over images and signals with few channels: pools, filters, and what they pass back.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

// K x K windows, S apart, of images with C channels.
template <class T, bool Largest, long B, long H, long W, long C, long K, long S>
void pooled(long, const T* __restrict x, T* __restrict y) {
  constexpr long h = (H - K) / S + 1, w = (W - K) / S + 1;
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < h; ++i)
      for (long j = 0; j < w; ++j)
        for (long c = 0; c < C; ++c) {
          const T* p = x + ((b * H + i * S) * W + j * S) * C + c;
          T total = Largest ? *p : T(0);
          for (long k = 0; k < K; ++k)
            for (long l = 0; l < K; ++l) {
              const T v = p[(k * W + l) * C];
              if (Largest) total = total < v ? v : total;
              else total += v;
            }
          y[((b * h + i) * w + j) * C + c] = Largest ? total : total / (K * K);
        }
}
template <long B, long N, long C, long K>
void pooled_lines(long, const float* __restrict x, float* __restrict y) {
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < N / K; ++i)
      for (long c = 0; c < C; ++c) {
        float total = x[(b * N + i * K) * C + c];
        for (long k = 1; k < K; ++k) {
          const float v = x[(b * N + i * K + k) * C + c];
          total = total < v ? v : total;
        }
        y[(b * (N / K) + i) * C + c] = total;
      }
}
// What windows that lie side by side pass back: to the first place that is the largest, or to all places alike.
template <bool Largest, long B, long H, long W, long C, long K>
void pool_gradient(long, const float* __restrict x, const float* __restrict g, float* __restrict y) {
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < H / K; ++i)
      for (long j = 0; j < W / K; ++j)
        for (long c = 0; c < C; ++c) {
          const long from = ((b * H + i * K) * W + j * K) * C + c;
          const float passed = g[((b * (H / K) + i) * (W / K) + j) * C + c];
          float most = x[from];
          for (long k = 0; Largest && k < K * K; ++k) {
            const float v = x[from + (k / K * W + k % K) * C];
            most = most < v ? v : most;
          }
          bool found = false;
          for (long k = 0; k < K * K; ++k) {
            const long at = from + (k / K * W + k % K) * C;
            const bool here = Largest && !found && x[at] == most;
            y[at] = !Largest ? passed / (K * K) : here ? passed : 0;
            found = found || here;
          }
        }
}
// K x K taps from I to O channels in each of G groups, results S apart.
template <class T, long B, long H, long W, long I, long O, long K, long S, long G = 1>
void convolved(long, const T* __restrict x, const T* __restrict f, T* __restrict y) {
  constexpr long h = (H - K) / S + 1, w = (W - K) / S + 1;
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < h; ++i) {
      T line[w * G * O] = {};
      for (long k = 0; k < K; ++k)
        for (long l = 0; l < K; ++l)
          for (long j = 0; j < w; ++j)
            for (long g = 0; g < G; ++g)
              for (long c = 0; c < I; ++c)
                for (long o = 0; o < O; ++o)
                  line[(j * G + g) * O + o] +=
                      x[(((b * H + i * S + k) * W + j * S + l) * G + g) * I + c] * f[((k * K + l) * I + c) * G * O + g * O + o];
      for (long j = 0; j < w * G * O; ++j) y[(b * h + i) * w * G * O + j] = line[j];
    }
}
template <class T, long H, long W, long K>
void same_convolved(long, const T* __restrict x, const T* __restrict f, T* __restrict y) {
  for (long i = 0; i < H; ++i) {
    T line[W] = {};
    for (long k = 0; k < K; ++k) {
      const long row = i + k - K / 2;
      if (row < 0 || row >= H) continue;
      for (long l = 0; l < K; ++l) {
        const long shift = l - K / 2, first = shift < 0 ? -shift : 0, last = shift > 0 ? W - shift : W;
        for (long j = first; j < last; ++j) line[j] += x[row * W + j + shift] * f[k * K + l];
      }
    }
    for (long j = 0; j < W; ++j) y[i * W + j] = line[j];
  }
}
template <long B, long H, long W, long O, long K>
void filter_gradient(long, const float* __restrict x, const float*, const float* __restrict g, float* __restrict y) {
  constexpr long h = H - K + 1, w = W - K + 1;
  for (long t = 0; t < K * K * O; ++t) y[t] = 0;
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < h; ++i)
      for (long k = 0; k < K; ++k)
        for (long l = 0; l < K; ++l)
          for (long o = 0; o < O; ++o) {
            float s = 0;
            for (long j = 0; j < w; ++j) s += x[(b * H + i + k) * W + j + l] * g[((b * h + i) * w + j) * O + o];
            y[(k * K + l) * O + o] += s;
          }
}
template <long B, long H, long W, long O, long K>
void image_gradient(long, const float*, const float* __restrict f, const float* __restrict g, float* __restrict y) {
  constexpr long h = H - K + 1, w = W - K + 1;
  for (long t = 0; t < B * H * W; ++t) y[t] = 0;
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < h; ++i)
      for (long k = 0; k < K; ++k)
        for (long l = 0; l < K; ++l)
          for (long j = 0; j < w; ++j) {
            float s = 0;
            for (long o = 0; o < O; ++o) s += f[(k * K + l) * O + o] * g[((b * h + i) * w + j) * O + o];
            y[(b * H + i + k) * W + j + l] += s;
          }
}
template <long N, long K>
void line_convolved(long, const float* __restrict x, const float* __restrict f, float* __restrict y) {
  constexpr long block = 512;
  for (long first = 0; first < N - K + 1; first += block) {
    const long count = first + block < N - K + 1 ? block : N - K + 1 - first;
    float line[block] = {};
    for (long k = 0; k < K; ++k)
      for (long i = 0; i < count; ++i) line[i] += x[first + i + k] * f[k];
    for (long i = 0; i < count; ++i) y[first + i] = line[i];
  }
}
template <long B, long H, long W, long C>
void enlarged(long, const float* __restrict x, float* __restrict y) {
  for (long b = 0; b < B; ++b)
    for (long i = 0; i < 2 * H; ++i) {
      const float* row = x + (b * H + i / 2) * W * C;
      float* to = y + (b * 2 * H + i) * 2 * W * C;
      for (long j = 0; j < W; ++j)
        for (long k = 0; k < 2; ++k)
          for (long c = 0; c < C; ++c) *to++ = row[j * C + c];
    }
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(windows){
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 1, 480, 640, 1, 2, 2>), out<float, 1, 240, 320, 1>(),
        in<float, 1, 480, 640, 1>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 1, 480, 640, 3, 2, 2>), out<float, 1, 240, 320, 3>(),
        in<float, 1, 480, 640, 3>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 32, 28, 28, 8, 2, 2>), out<float, 32, 14, 14, 8>(), in<float, 32, 28, 28, 8>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 32, 28, 28, 16, 2, 2>), out<float, 32, 14, 14, 16>(),
        in<float, 32, 28, 28, 16>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 32, 28, 28, 20, 2, 2>), out<float, 32, 14, 14, 20>(),
        in<float, 32, 28, 28, 20>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 32, 28, 28, 8, 2, 2>), out<float, dyn, 14, 14, 8>({32}),
        in<float, dyn, 28, 28, 8>({32})),
    ROW((auto x), (max_pool2d<3>(x, strides<1>)), (pooled<float, true, 1, 480, 640, 1, 3, 1>), out<float, 1, 478, 638, 1>(),
        in<float, 1, 480, 640, 1>()),
    ROW((auto x), (avg_pool2d<3>(x, strides<1>)), (pooled<float, false, 1, 480, 640, 3, 3, 1>), out<float, 1, 478, 638, 3>(),
        in<float, 1, 480, 640, 3>()),
    ROW((auto x), (max_pool2d<3>(x, strides<2>)), (pooled<float, true, 1, 225, 225, 3, 3, 2>), out<float, 1, 112, 112, 3>(),
        in<float, 1, 225, 225, 3>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<bench::u8, true, 1, 480, 640, 3, 2, 2>), out<bench::u8, 1, 240, 320, 3>(),
        in<bench::u8, 1, 480, 640, 3>()),
    ROW((auto x), (max_pool1d<4>(x)), (pooled_lines<8, 4000, 1, 4>), out<float, 8, 1000, 1>(), in<float, 8, 4000, 1>()),
    ROW((auto x), (max_pool1d<2>(x)), (pooled_lines<8, 400, 16, 2>), out<float, 8, 200, 16>(), in<float, 8, 400, 16>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 32, 28, 28, 1, 2, 2>), out<float, 32, 14, 14, 1>(), in<float, 32, 28, 28, 1>()),
    ROW((auto x), (max_pool2d<2>(x)), (pooled<float, true, 4, 28, 28, 64, 2, 2>), out<float, 4, 14, 14, 64>(), in<float, 4, 28, 28, 64>()),
    ROW((auto x), (avg_pool2d<2>(x)), (pooled<float, false, 8, 28, 28, 4, 2, 2>), out<float, 8, 14, 14, 4>(), in<float, 8, 28, 28, 4>()),
    ROW((auto x), (avg_pool2d<3>(x)), (pooled<float, false, 2, 30, 30, 16, 3, 3>), out<float, 2, 10, 10, 16>(), in<float, 2, 30, 30, 16>()),
    ROW((auto x, auto g), (gradient(reduce_sum(max_pool2d<2>(x) * g), x)), (pool_gradient<true, 32, 28, 28, 1, 2>),
        out<float, 32, 28, 28, 1>(), in<float, 32, 28, 28, 1>(), in<float, 32, 14, 14, 1>()),
    ROW((auto x, auto g), (gradient(reduce_sum(max_pool2d<2>(x) * g), x)), (pool_gradient<true, 8, 28, 28, 32, 2>),
        out<float, 8, 28, 28, 32>(), in<float, 8, 28, 28, 32>(), in<float, 8, 14, 14, 32>()),
    ROW((auto x, auto g), (gradient(reduce_sum(avg_pool2d<2>(x) * g), x)), (pool_gradient<false, 32, 28, 28, 8, 2>),
        out<float, 32, 28, 28, 8>(), in<float, 32, 28, 28, 8>(), in<float, 32, 14, 14, 8>()),
    ROW((auto x, auto g), (gradient(reduce_sum(avg_pool2d<3>(x) * g), x)), (pool_gradient<false, 2, 30, 30, 16, 3>),
        out<float, 2, 30, 30, 16>(), in<float, 2, 30, 30, 16>(), in<float, 2, 10, 10, 16>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding)), (convolved<float, 1, 480, 640, 1, 1, 3, 1>), out<float, 1, 478, 638, 1>(),
        in<float, 1, 480, 640, 1>(), in<float, 3, 3, 1, 1>()),
    ROW((auto x, auto f), (conv2d(x, f, same_padding)), (same_convolved<float, 480, 640, 3>), out<float, 1, 480, 640, 1>(),
        in<float, 1, 480, 640, 1>(), in<float, 3, 3, 1, 1>()),
    ROW((auto x, auto f), (conv2d(x, f, same_padding)), (same_convolved<double, 28, 28, 5>), out<double, 1, 28, 28, 1>(),
        in<double, 1, 28, 28, 1>(), in<double, 5, 5, 1, 1>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding)), (convolved<float, 1, 480, 640, 3, 3, 3, 1>), out<float, 1, 478, 638, 3>(),
        in<float, 1, 480, 640, 3>(), in<float, 3, 3, 3, 3>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding)), (convolved<float, 32, 28, 28, 1, 8, 3, 1>), out<float, 32, 26, 26, 8>(),
        in<float, 32, 28, 28, 1>(), in<float, 3, 3, 1, 8>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding)), (convolved<float, 32, 28, 28, 1, 4, 3, 1>), out<float, 32, 26, 26, 4>(),
        in<float, 32, 28, 28, 1>(), in<float, 3, 3, 1, 4>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding)), (convolved<float, 8, 28, 28, 16, 1, 3, 1>), out<float, 8, 26, 26, 1>(),
        in<float, 8, 28, 28, 16>(), in<float, 3, 3, 16, 1>()),
    ROW((auto x, auto f), (conv2d(x, f, valid_padding, strides<2>)), (convolved<float, 1, 225, 225, 3, 8, 3, 2>),
        out<float, 1, 112, 112, 8>(), in<float, 1, 225, 225, 3>(), in<float, 3, 3, 3, 8>()),
    ROW((auto x, auto f), (depthwise_conv2d(x, f, valid_padding)), (convolved<float, 1, 480, 640, 1, 1, 5, 1, 3>),
        out<float, 1, 476, 636, 3>(), in<float, 1, 480, 640, 3>(), in<float, 5, 5, 3, 1>()),
    ROW((auto x, auto f), (conv1d(x, f, valid_padding)), (line_convolved<10000, 16>), out<float, 1, 9985, 1>(), in<float, 1, 10000, 1>(),
        in<float, 16, 1, 1>()),
    ROW((auto x, auto f), (conv1d(x, f, valid_padding)), (line_convolved<10000, 200>), out<float, 1, 9801, 1>(), in<float, 1, 10000, 1>(),
        in<float, 200, 1, 1>()),
    ROW((auto x, auto f, auto g), (gradient(reduce_sum(conv2d(x, f, valid_padding) * g), f)), (filter_gradient<32, 28, 28, 8, 3>),
        out<float, 3, 3, 1, 8>(), in<float, 32, 28, 28, 1>(), in<float, 3, 3, 1, 8>(), in<float, 32, 26, 26, 8>()),
    ROW((auto x, auto f, auto g), (gradient(reduce_sum(conv2d(x, f, valid_padding) * g), x)), (image_gradient<32, 28, 28, 8, 3>),
        out<float, 32, 28, 28, 1>(), in<float, 32, 28, 28, 1>(), in<float, 3, 3, 1, 8>(), in<float, 32, 26, 26, 8>()),
    ROW((auto x), (resize<480, 640>(x, nearest)), (enlarged<1, 240, 320, 3>), out<float, 1, 480, 640, 3>(), in<float, 1, 240, 320, 3>()),
    ROW((auto x), (resize<480, 640>(x, nearest)), (enlarged<1, 240, 320, 1>), out<float, 1, 480, 640, 1>(), in<float, 1, 240, 320, 1>()),
};

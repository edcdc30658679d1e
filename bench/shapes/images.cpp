// SPDX-License-Identifier: MIT
// Images: neighbourhoods, colours, layouts.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::u8;

template <class T, long H, long W>
void box_blur(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < H - 2; ++i)
    for (long j = 0; j < W - 2; ++j) {
      T s = 0;
      for (long a = 0; a < 3; ++a)
        for (long b = 0; b < 3; ++b) s += x[(i + a) * W + j + b];
      y[i * (W - 2) + j] = s / 9;
    }
}
template <long H, long W>
void sobel(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < H - 2; ++i)
    for (long j = 0; j < W - 2; ++j) {
      const float* p = x + i * W + j;
      const float gx = p[2] - p[0] + 2 * (p[W + 2] - p[W]) + p[2 * W + 2] - p[2 * W];
      const float gy = p[2 * W] - p[0] + 2 * (p[2 * W + 1] - p[1]) + p[2 * W + 2] - p[2];
      y[i * (W - 2) + j] = std::sqrt(gx * gx + gy * gy);
    }
}
template <class T, long H, long W, long C>
void halved(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < H / 2; ++i)
    for (long j = 0; j < W / 2; ++j)
      for (long c = 0; c < C; ++c) {
        const T* p = x + (2 * i * W + 2 * j) * C + c;
        y[(i * (W / 2) + j) * C + c] = (p[0] + p[C] + p[W * C] + p[W * C + C]) / 4;
      }
}
template <class T, long H, long W, long C>
void doubled(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < 2 * H; ++i)
    for (long j = 0; j < 2 * W; ++j)
      for (long c = 0; c < C; ++c) y[(i * 2 * W + j) * C + c] = x[(i / 2 * W + j / 2) * C + c];
}
template <long N>
void threshold(long, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < N; ++i) y[i] = x[i] > 127 ? 255 : 0;
}
template <long N>
void blended(long, const u8* __restrict x, const u8* __restrict z, u8* __restrict y) {
  for (long i = 0; i < N; ++i) {
    const float a = static_cast<float>(x[4 * i + 3]) / 255;
    for (long c = 0; c < 3; ++c)
      y[3 * i + c] = static_cast<u8>(static_cast<float>(x[4 * i + c]) * a + static_cast<float>(z[3 * i + c]) * (1 - a) + 0.5f);
  }
}
template <long H, long W>
void sharp(long, const u8* __restrict x, float* __restrict y) {
  const long m = bench::told<W>();
  for (long i = 0; i < H - 2; ++i)
    for (long j = 0; j < m - 2; ++j) {
      const u8* p = x + (i + 1) * m + j + 1;
      y[i * (m - 2) + j] = static_cast<float>(p[1] + p[-1] + p[m] + p[-m] - 4 * p[0]);
    }
}
template <long H, long W>
void halved(long, const float* __restrict x, float* __restrict y) {
  const long m = bench::told<W>();
  for (long i = 0; i < H / 2; ++i)
    for (long j = 0; j < m / 2; ++j) {
      const float* p = x + 2 * i * m + 2 * j;
      y[i * (m / 2) + j] = (p[0] + p[1] + p[m] + p[m + 1]) / 4;
    }
}
void digits(long n, const u8* __restrict x, int* __restrict y) {
  int count = 0;
  for (long i = 0; i < n; ++i) count += x[i] >= '0' && x[i] <= '9';
  *y = count;
}
template <long N>
void looked_up(long, const u8* __restrict x, const u8* __restrict t, u8* __restrict y) {
  for (long i = 0; i < N; ++i) y[i] = t[x[i]];
}
template <long H, long W, long C>
void planes(long, const u8* __restrict x, const float* __restrict m, const float* __restrict s, float* __restrict y) {
  for (long c = 0; c < C; ++c)
    for (long i = 0; i < H * W; ++i) y[c * H * W + i] = (static_cast<float>(x[i * C + c]) / 255 - m[c]) / s[c];
}
template <long N, long C>
void interleaved(long, const float* __restrict x, u8* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long c = 0; c < C; ++c) {
      const float v = x[c * N + i] * 255;
      y[i * C + c] = static_cast<u8>(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
template <long N>
void swapped(long, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long c = 0; c < 3; ++c) y[3 * i + c] = x[3 * i + 2 - c];
}
template <class T, long H, long W, long C>
void mirrored(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < H; ++i)
    for (long j = 0; j < W; ++j)
      for (long c = 0; c < C; ++c) y[(i * W + j) * C + c] = x[(i * W + W - 1 - j) * C + c];
}
template <long N>
void difference(long, const u8* __restrict x, const u8* __restrict z, int* __restrict y) {
  int s = 0;
  for (long i = 0; i < N; ++i) s += std::abs(static_cast<int>(x[i]) - static_cast<int>(z[i]));
  *y = s;
}
template <long H, long W>
void dilated(long, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < H - 2; ++i)
    for (long j = 0; j < W - 2; ++j) {
      u8 m = 0;
      for (long a = 0; a < 3; ++a)
        for (long b = 0; b < 3; ++b) {
          const u8 v = x[(i + a) * W + j + b];
          m = m < v ? v : m;
        }
      y[i * (W - 2) + j] = m;
    }
}
template <long H, long W>
void integral(long, const u8* __restrict x, int* __restrict y) {
  for (long i = 0; i < H; ++i) {
    int s = 0;
    for (long j = 0; j < W; ++j) {
      s += x[i * W + j];
      y[i * W + j] = s + (i ? y[(i - 1) * W + j] : 0);
    }
  }
}
template <long N>
void yuv(long, const float* __restrict x, const float* __restrict m, const float* __restrict z, float* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long c = 0; c < 3; ++c) {
      float s = z[c];
      for (long k = 0; k < 3; ++k) s += x[3 * i + k] * m[3 * c + k];
      y[3 * i + c] = s;
    }
}
template <long B, long H, long W, long C>
void mean_colour(long, const float* __restrict x, float* __restrict y) {
  for (long b = 0; b < B; ++b) {
    for (long c = 0; c < C; ++c) y[b * C + c] = 0;
    for (long i = 0; i < H * W; ++i)
      for (long c = 0; c < C; ++c) y[b * C + c] += x[(b * H * W + i) * C + c];
    for (long c = 0; c < C; ++c) y[b * C + c] /= H * W;
  }
}
template <long B, long C, long N>
void mean_plane(long, const float* __restrict x, float* __restrict y) {
  for (long b = 0; b < B * C; ++b) {
    float s = 0;
    for (long i = 0; i < N; ++i) s += x[b * N + i];
    y[b] = s / N;
  }
}
template <long B, long C, long N>
void biased_plane(long, const float* __restrict x, const float* __restrict z, float* __restrict y) {
  for (long b = 0; b < B; ++b)
    for (long c = 0; c < C; ++c)
      for (long i = 0; i < N; ++i) {
        const float v = x[(b * C + c) * N + i] + z[c];
        y[(b * C + c) * N + i] = v > 0 ? v : 0;
      }
}
template <long H, long W, long C, long P>
void patches(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < H / P; ++i)
    for (long j = 0; j < W / P; ++j)
      for (long a = 0; a < P; ++a)
        for (long b = 0; b < P; ++b)
          for (long c = 0; c < C; ++c) *y++ = x[((i * P + a) * W + j * P + b) * C + c];
}
template <long H, long W>
void padded(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < H + 2; ++i)
    for (long j = 0; j < W + 2; ++j) {
      const bool in = i > 0 && i <= H && j > 0 && j <= W;
      y[i * (W + 2) + j] = in ? x[(i - 1) * W + j - 1] : 0;
    }
}
template <long H, long W>
void turned_image(long, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < W; ++i)
    for (long j = 0; j < H; ++j) y[i * H + j] = x[(H - 1 - j) * W + i];
}
template <long N>
void hue(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < N; ++i) {
    const float r = x[3 * i], g = x[3 * i + 1], b = x[3 * i + 2];
    const float high = std::fmax(r, std::fmax(g, b)), low = std::fmin(r, std::fmin(g, b));
    y[i] = (high - low) / (high + 1e-6f);
  }
}

}  // namespace
}  // namespace loops

#ifndef JIG_BENCH_LOOPS

namespace {

// The part of x without a margin of one pixel, moved.
template <int I, int J>
constexpr auto near(auto x) {
  return strided_slice<range_of(1 + I, I == 1 ? unbounded : I - 1), range_of(1 + J, J == 1 ? unbounded : J - 1)>(x);
}
constexpr auto box(auto x) {
  auto row = [&]<int I>(std::integral_constant<int, I>) { return near<I, -1>(x) + near<I, 0>(x) + near<I, 1>(x); };
  return (row(std::integral_constant<int, -1>()) + row(std::integral_constant<int, 0>()) + row(std::integral_constant<int, 1>())) / 9;
}
constexpr auto edges(auto x) {
  auto gx = near<-1, 1>(x) - near<-1, -1>(x) + 2 * (near<0, 1>(x) - near<0, -1>(x)) + near<1, 1>(x) - near<1, -1>(x);
  auto gy = near<1, -1>(x) - near<-1, -1>(x) + 2 * (near<1, 0>(x) - near<-1, 0>(x)) + near<1, 1>(x) - near<-1, 1>(x);
  return sqrt(gx * gx + gy * gy);
}
constexpr auto dilation(auto x) {
  auto row = [&]<int I>(std::integral_constant<int, I>) { return maximum(maximum(near<I, -1>(x), near<I, 0>(x)), near<I, 1>(x)); };
  return maximum(maximum(row(std::integral_constant<int, -1>()), row(std::integral_constant<int, 0>())),
                 row(std::integral_constant<int, 1>()));
}
template <int I, int J>
constexpr auto next_to(auto x) {
  return strided_slice<range_of(1 + I, I == 1 ? unbounded : I - 1), range_of(1 + J, J == 1 ? unbounded : J - 1)>(x);
}
template <int I, int J>
constexpr auto every_second(auto x) {
  return strided_slice<range_of(I, unbounded, 2), range_of(J, unbounded, 2)>(x);
}
constexpr auto half_size(auto x) {
  return (every_second<0, 0>(x) + every_second<0, 1>(x) + every_second<1, 0>(x) + every_second<1, 1>(x)) / 4;
}
constexpr auto sharpness(auto x) {
  auto c = cast<float>(x);
  return next_to<0, 1>(c) + next_to<0, -1>(c) + next_to<1, 0>(c) + next_to<-1, 0>(c) - 4 * next_to<0, 0>(c);
}
constexpr auto over(auto x, auto z) {
  auto a = cast<float>(strided_slice<all, range_of(3, 4)>(x)) / 255;
  return cast<std::uint8_t>(cast<float>(strided_slice<all, range_of(0, 3)>(x)) * a + cast<float>(z) * (1 - a) + 0.5f);
}

}  // namespace

#endif

using namespace loops;

ROWS(images){
    ROW((auto x), (box(x)), (box_blur<float, 480, 640>), out<float, 478, 638>(), in<float, 480, 640>()),
    ROW((auto x), (edges(x)), (sobel<480, 640>), out<float, 478, 638>(), in<float, 480, 640>()),
    ROW((auto x), (reduce_mean<1, 3>(reshape<240, 2, 320, 2, 3>(x))), (halved<float, 480, 640, 3>), out<float, 240, 320, 3>(),
        in<float, 480, 640, 3>()),
    ROW((auto x), (reduce_mean<1, 3>(reshape<240, 2, 320, 2>(x))), (halved<double, 480, 640, 1>), out<double, 240, 320>(),
        in<double, 480, 640>()),
    ROW((auto x), (reshape<480, 640>(tile<1, 2, 1, 2>(reshape<240, 1, 320, 1>(x)))), (doubled<float, 240, 320, 1>), out<float, 480, 640>(),
        in<float, 240, 320>()),
    ROW((auto x), (where(x > std::uint8_t(127), std::uint8_t(255), std::uint8_t(0))), (threshold<480 * 640>), out<u8, 480 * 640>(),
        in<u8, 480 * 640>()),
    ROW((auto x, auto z), (over(x, z)), (blended<480 * 640>), out<u8, 480 * 640, 3>(), in<u8, 480 * 640, 4>(), in<u8, 480 * 640, 3>()),
    ROW((auto x), (half_size(x)), (halved<480, 640>), out<float, 240, 320>(), in<float, 480, 640>()),
    ROW((auto x), (half_size(x)), (halved<480, 640>), out<float, dyn, dyn>({240, 320}), in<float, dyn, dyn>({480, 640})),
    ROW((auto x), (sharpness(x)), (sharp<480, 640>), out<float, dyn, dyn>({478, 638}), in<u8, dyn, dyn>({480, 640})),
    ROW((auto x), (reduce_sum(cast<int>((x >= '0') & (x <= '9')))), (digits), out<int>(), in<u8, dyn>({100000})),
    ROW((auto x, auto t), (gather(t, x)), (looked_up<480 * 640>), out<u8, 480 * 640>(), in<u8, 480 * 640>(), in<u8, 256>()),
    ROW((auto x, auto m, auto s), ((transpose<2, 0, 1>(cast<float>(x) / 255) - m) / s), (planes<480, 640, 3>), out<float, 3, 480, 640>(),
        in<u8, 480, 640, 3>(), in<float, 3, 1, 1>(), in<float, 3, 1, 1>()),
    ROW((auto x), (cast<std::uint8_t>(clip(transpose<1, 2, 0>(x) * 255, 0, 255))), (interleaved<480 * 640, 3>), out<u8, 480, 640, 3>(),
        in<float, 3, 480, 640>()),
    ROW((auto x), (reverse<1>(x)), (swapped<480 * 640>), out<u8, 480 * 640, 3>(), in<u8, 480 * 640, 3>()),
    ROW((auto x), (reverse<1>(x)), (mirrored<u8, 480, 640, 3>), out<u8, 480, 640, 3>(), in<u8, 480, 640, 3>()),
    ROW((auto x), (reverse<1>(x)), (mirrored<float, 480, 640, 3>), out<float, 480, 640, 3>(), in<float, 480, 640, 3>()),
    ROW((auto x, auto z), (reduce_sum(abs(cast<int>(x) - cast<int>(z)))), (difference<480 * 640>), out<int>(), in<u8, 480 * 640>(),
        in<u8, 480 * 640>()),
    ROW((auto x), (dilation(x)), (dilated<480, 640>), out<u8, 478, 638>(), in<u8, 480, 640>()),
    ROW((auto x), (cumsum<0>(cumsum<1>(cast<int>(x)))), (integral<480, 640>), out<int, 480, 640>(), in<u8, 480, 640>()),
    ROW((auto x, auto m, auto z), (matmul(x, m, transpose_b) + z), (yuv<480 * 640>), out<float, 480 * 640, 3>(), in<float, 480 * 640, 3>(),
        in<float, 3, 3>(), in<float, 3>()),
    ROW((auto x), (reduce_mean<1, 2>(x)), (mean_colour<8, 56, 56, 64>), out<float, 8, 64>(), in<float, 8, 56, 56, 64>()),
    ROW((auto x), (reduce_mean<1, 2>(x)), (mean_colour<8, 200, 200, 3>), out<float, 8, 3>(), in<float, 8, 200, 200, 3>()),
    ROW((auto x), (reduce_mean<2, 3>(x)), (mean_plane<8, 64, 49>), out<float, 8, 64>(), in<float, 8, 64, 7, 7>()),
    ROW((auto x, auto z), (relu(x + z)), (biased_plane<8, 64, 49>), out<float, 8, 64, 7, 7>(), in<float, 8, 64, 7, 7>(),
        in<float, 64, 1, 1>()),
    ROW((auto x), (transpose<0, 2, 1, 3, 4>(reshape<14, 16, 14, 16, 3>(x))), (patches<224, 224, 3, 16>), out<float, 14, 14, 16, 16, 3>(),
        in<float, 224, 224, 3>()),
    ROW((auto x), (pad<1, 1, 1, 1>(x)), (padded<480, 640>), out<float, 482, 642>(), in<float, 480, 640>()),
    ROW((auto x), (reverse<1>(transpose(x))), (turned_image<480, 640>), out<u8, 640, 480>(), in<u8, 480, 640>()),
    ROW((auto x), ((reduce_max<1>(x) - reduce_min<1>(x)) / (reduce_max<1>(x) + 1e-6f)), (hue<480 * 640>), out<float, 480 * 640>(),
        in<float, 480 * 640, 3>()),
};

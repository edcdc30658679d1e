// SPDX-License-Identifier: MIT
// Signals: filters, windows, recurrences, samples of other types.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::known;

template <class T, long N, long K>
void filtered(long, const T* __restrict x, const T* __restrict h, T* __restrict y) {
  for (long i = 0; i < N - K + 1; ++i) {
    T s = 0;
    for (long k = 0; k < K; ++k) s += x[i + k] * h[k];
    y[i] = s;
  }
}
template <class T, long N>
void moving_mean(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<N>(n) - 4; ++i) y[i] = (x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4]) / 5;
}
template <class T, long N>
void differences(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i + 1 < known<N>(n); ++i) y[i] = x[i + 1] - x[i];
}
template <class T, long N>
void second_differences(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i + 2 < known<N>(n); ++i) y[i] = x[i + 2] - 2 * x[i + 1] + x[i];
}
template <class T, long N>
void limited(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i + 2 < known<N>(n); ++i) {
    const T a = x[i + 1] - x[i], b = x[i + 2] - x[i + 1];
    y[i] = a * b > 0 ? (std::fabs(a) < std::fabs(b) ? a : b) : 0;
  }
}
template <long N>
void smoothed(long n, const float* __restrict x, float* __restrict y) {
  float s = 0;
  for (long i = 0; i < known<N>(n); ++i) y[i] = s = 0.9f * s + 0.1f * x[i];
}
template <long F, long N>
void windowed(long, const float* __restrict x, const float* __restrict w, float* __restrict y) {
  for (long i = 0; i < F; ++i)
    for (long k = 0; k < N; ++k) y[i * N + k] = x[i * N + k] * w[k];
}
template <long F, long N>
void energies(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < F; ++i) {
    float s = 0;
    for (long k = 0; k < N; ++k) s += x[i * N + k] * x[i * N + k];
    y[i] = 10 * std::log10(s / N + 1e-10f);
  }
}
template <long N>
void to_samples(long n, const float* __restrict x, std::int16_t* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const float v = x[i] * 32767;
    y[i] = static_cast<std::int16_t>(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
  }
}
template <long N>
void from_samples(long n, const std::int16_t* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) y[i] = static_cast<float>(x[i]) * (1.f / 32768);
}
template <long N>
void mono(long n, const std::int16_t* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) y[i] = static_cast<float>(x[2 * i] + x[2 * i + 1]) * 0.5f;
}
template <class T, long N>
void every_fourth(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<N>(n) / 4; ++i) y[i] = x[4 * i];
}
template <long N>
void magnitudes(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) y[i] = std::sqrt(x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]);
}
template <long N>
void autocorrelation(long, const float* __restrict x, float* __restrict y) {
  for (long k = 0; k < 8; ++k) {
    float s = 0;
    for (long i = 0; i < N - 8; ++i) s += x[i] * x[i + k];
    y[k] = s;
  }
}
template <long N>
void crossings(long n, const float* __restrict x, int* __restrict y) {
  int s = 0;
  for (long i = 0; i + 1 < known<N>(n); ++i) s += (x[i] < 0) != (x[i + 1] < 0);
  *y = s;
}
template <long N>
void scaled_to_peak(long n, const float* __restrict x, float* __restrict y) {
  float top = 0;
  for (long i = 0; i < known<N>(n); ++i) top = std::fmax(top, std::abs(x[i]));
  for (long i = 0; i < known<N>(n); ++i) y[i] = x[i] / top;
}
template <long N>
void returns(long n, const double* __restrict x, double* __restrict y) {
  for (long i = 0; i + 1 < known<N>(n); ++i) y[i] = std::log((x[i + 1] + 2) / (x[i] + 2));
}
template <long F, long N, long H>
void framed(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < F; ++i)
    for (long k = 0; k < N; ++k) y[i * N + k] = x[i * H + k];
}
template <long N>
void trapezoids(long n, const double* __restrict x, const double* __restrict t, double* __restrict y) {
  double s = 0;
  for (long i = 0; i + 1 < known<N>(n); ++i) s += (t[i + 1] - t[i]) * (x[i + 1] + x[i]) / 2;
  *y = s;
}
template <long N>
void running_sum_of_squares(long n, const double* __restrict x, double* __restrict y) {
  double s = 0;
  for (long i = 0; i < known<N>(n); ++i) y[i] = s += x[i] * x[i];
}
template <long B, long N>
void mixed(long, const float* __restrict x, const float* __restrict g, float* __restrict y) {
  for (long i = 0; i < N; ++i) {
    float s = 0;
    for (long b = 0; b < B; ++b) s += g[b] * x[b * N + i];
    y[i] = std::tanh(s);
  }
}
template <long N>
void phases(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n) / 4; ++i) y[i] = 0.1f * x[4 * i] + 0.2f * x[4 * i + 1] + 0.3f * x[4 * i + 2] + 0.4f * x[4 * i + 3];
}
template <long N>
void echo(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) y[i] = x[i] + (i < 3 ? 0 : 0.5f * x[i - 3]);
}
template <long N>
void around(long n, const float* __restrict x, float* __restrict y) {
  y[0] = x[0] - x[known<N>(n) - 1];
  for (long i = 1; i < known<N>(n); ++i) y[i] = x[i] - x[i - 1];
}
template <long N>
void bits(long n, const std::uint32_t* __restrict x, std::uint32_t* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    std::uint32_t v = x[i];
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    y[i] = v;
  }
}

}  // namespace
}  // namespace loops

#ifndef JIG_BENCH_LOOPS

namespace {

template <int Begin, int End>
constexpr auto from(auto x) {
  return strided_slice<range_of(Begin, End == 0 ? unbounded : End)>(x);
}
constexpr auto slopes(auto x) {
  auto d = from<1, 0>(x) - from<0, -1>(x);
  auto a = from<0, -1>(d), b = from<1, 0>(d);
  return where(a * b > 0, where(abs(a) < abs(b), a, b), 0);
}
constexpr auto by_phases(auto x) {
  return 0.1f * strided_slice<range_of(0, unbounded, 4)>(x) + 0.2f * strided_slice<range_of(1, unbounded, 4)>(x) +
         0.3f * strided_slice<range_of(2, unbounded, 4)>(x) + 0.4f * strided_slice<range_of(3, unbounded, 4)>(x);
}
constexpr auto exponential_average(auto x) {
  auto s = zeros_like(element(x, 0));
  return scan([](auto state, auto now) { return 0.9f * state + 0.1f * now; }, x, s);
}

}  // namespace

#endif

using namespace loops;

ROWS(signals){
    ROW((auto x, auto h), (conv1d(reshape<1, 10000, 1>(x), reshape<16, 1, 1>(h), valid_padding)), (filtered<float, 10000, 16>),
        out<float, 1, 9985, 1>(), in<float, 10000>(), in<float, 16>()),
    ROW((auto x, auto h), (from<0, -2>(x) * h[0] + from<1, -1>(x) * h[1] + from<2, 0>(x) * h[2]), (filtered<double, 10000, 3>),
        out<double, 9998>(), in<double, 10000>(), in<double, 3>()),
    ROW((auto x), ((from<0, -4>(x) + from<1, -3>(x) + from<2, -2>(x) + from<3, -1>(x) + from<4, 0>(x)) / 5), (moving_mean<float, 10000>),
        out<float, 9996>(), in<float, 10000>()),
    ROW((auto x), ((from<0, -4>(x) + from<1, -3>(x) + from<2, -2>(x) + from<3, -1>(x) + from<4, 0>(x)) / 5), (moving_mean<float, 0>),
        out<float, dyn>({9996}), in<float, dyn>({10000})),
    ROW((auto x), (from<1, 0>(x) - from<0, -1>(x)), (differences<double, 1000>), out<double, 999>(), in<double, 1000>()),
    ROW((auto x), (from<1, 0>(x) - from<0, -1>(x)), (differences<float, 0>), out<float, dyn>({99999}), in<float, dyn>({100000})),
    ROW((auto x), (from<2, 0>(x) - 2 * from<1, -1>(x) + from<0, -2>(x)), (second_differences<int, 10000>), out<int, 9998>(),
        in<int, 10000>()),
    ROW((auto x), (slopes(x)), (limited<double, 10000>), out<double, 9998>(), in<double, 10000>()),
    ROW((auto x), (slopes(x)), (limited<double, 0>), out<double, dyn>({9998}), in<double, dyn>({10000})),
    ROW((auto x, auto w), (x * w), (windowed<100, 512>), out<float, 100, 512>(), in<float, 100, 512>(), in<float, 512>()),
    ROW((auto x), (10 * log(reduce_mean<1>(x * x) + 1e-10f) / 2.302585093f), (energies<100, 512>), out<float, 100>(),
        in<float, 100, 512>()),
    ROW((auto x), (cast<std::int16_t>(clip(x * 32767, -32768, 32767))), (to_samples<10000>), out<std::int16_t, 10000>(),
        in<float, 10000>()),
    ROW((auto x), (cast<std::int16_t>(clip(x * 32767, -32768, 32767))), (to_samples<0>), out<std::int16_t, dyn>({10000}),
        in<float, dyn>({10000})),
    ROW((auto x), (cast<float>(x) * (1.f / 32768)), (from_samples<0>), out<float, dyn>({10000}), in<std::int16_t, dyn>({10000})),
    ROW((auto x), (reduce_mean<1>(cast<float>(x))), (mono<10000>), out<float, 10000>(), in<std::int16_t, 10000, 2>()),
    ROW((auto x), (reduce_mean<1>(cast<float>(x))), (mono<0>), out<float, dyn>({10000}), in<std::int16_t, dyn, 2>({10000})),
    ROW((auto x), (strided_slice<range_of(0, unbounded, 4)>(x)), (every_fourth<float, 10000>), out<float, 2500>(), in<float, 10000>()),
    ROW((auto x), (strided_slice<range_of(0, unbounded, 4)>(x)), (every_fourth<std::int16_t, 10000>), out<std::int16_t, 2500>(),
        in<std::int16_t, 10000>()),
    ROW((auto x), (norm<1>(x)), (magnitudes<10000>), out<float, 10000>(), in<float, 10000, 2>()),
    ROW((auto x), (norm<1>(x)), (magnitudes<0>), out<float, dyn>({10000}), in<float, dyn, 2>({10000})),
    ROW((auto x),
        (stack<0>(dot(from<0, -8>(x), from<0, -8>(x)), dot(from<0, -8>(x), from<1, -7>(x)), dot(from<0, -8>(x), from<2, -6>(x)),
                  dot(from<0, -8>(x), from<3, -5>(x)), dot(from<0, -8>(x), from<4, -4>(x)), dot(from<0, -8>(x), from<5, -3>(x)),
                  dot(from<0, -8>(x), from<6, -2>(x)), dot(from<0, -8>(x), from<7, -1>(x)))),
        (autocorrelation<10000>), out<float, 8>(), in<float, 10000>()),
    ROW((auto x), (reduce_sum(cast<int>((from<0, -1>(x) < 0) != (from<1, 0>(x) < 0)))), (crossings<10000>), out<int>(), in<float, 10000>()),
    ROW((auto x), (x / reduce_max(abs(x))), (scaled_to_peak<10000>), out<float, 10000>(), in<float, 10000>()),
    ROW((auto x), (x / reduce_max(abs(x))), (scaled_to_peak<0>), out<float, dyn>({10000}), in<float, dyn>({10000})),
    ROW((auto x), (log((from<1, 0>(x) + 2) / (from<0, -1>(x) + 2))), (returns<1000>), out<double, 999>(), in<double, 1000>()),
    ROW((auto x), (log(from<1, 0>(x) + 2) - log(from<0, -1>(x) + 2)), (returns<1000>), out<double, 999>(), in<double, 1000>()),
    ROW((auto x),
        (reshape<99, 512>(concat<1>(strided_slice<range_of(0, -1), all>(reshape<100, 256>(x)),
                                    strided_slice<range_of(1, unbounded), all>(reshape<100, 256>(x))))),
        (framed<99, 512, 256>), out<float, 99, 512>(), in<float, 25600>()),
    ROW((auto x, auto t), (reduce_sum((from<1, 0>(t) - from<0, -1>(t)) * (from<1, 0>(x) + from<0, -1>(x))) / 2), (trapezoids<10000>),
        out<double>(), in<double, 10000>(), in<double, 10000>()),
    ROW((auto x, auto t), (reduce_sum((from<1, 0>(t) - from<0, -1>(t)) * (from<1, 0>(x) + from<0, -1>(x))) / 2), (trapezoids<0>),
        out<double>(), in<double, dyn>({10000}), in<double, dyn>({10000})),
    ROW((auto x), (cumsum<0>(x * x)), (running_sum_of_squares<10000>), out<double, 10000>(), in<double, 10000>()),
    ROW((auto x, auto g), (tanh(reduce_sum<0>(x * expand_dims<1>(g)))), (mixed<8, 4096>), out<float, 4096>(), in<float, 8, 4096>(),
        in<float, 8>()),
    ROW((auto x, auto g), (tanh(matmul(g, x))), (mixed<8, 4096>), out<float, 4096>(), in<float, 8, 4096>(), in<float, 8>()),
    ROW((auto x), (by_phases(x)), (phases<10000>), out<float, 2500>(), in<float, 10000>()),
    ROW((auto x), (by_phases(x)), (phases<0>), out<float, dyn>({2500}), in<float, dyn>({10000})),
    ROW((auto x), (x + 0.5f * pad<3, 0>(from<0, -3>(x))), (echo<10000>), out<float, 10000>(), in<float, 10000>()),
    ROW((auto x), (x + 0.5f * pad<3, 0>(from<0, -3>(x))), (echo<0>), out<float, dyn>({10000}), in<float, dyn>({10000})),
    ROW((auto x), (x - concat<0>(from<-1, 0>(x), from<0, -1>(x))), (around<10000>), out<float, 10000>(), in<float, 10000>()),
    ROW((auto x), (x - concat<0>(from<-1, 0>(x), from<0, -1>(x))), (around<0>), out<float, dyn>({10000}), in<float, dyn>({10000})),
    ROW((auto x), (exponential_average(x)), (smoothed<10000>), out<float, 10000>(), in<float, 10000>()),
};

// SPDX-License-Identifier: MIT
// Points and colours: a short last axis.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::known, bench::u8;

template <long A>
void grey(long n, const u8* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    y[i] = 0.299f * static_cast<float>(x[3 * i]) + 0.587f * static_cast<float>(x[3 * i + 1]) + 0.114f * static_cast<float>(x[3 * i + 2]);
}
template <class T, class U, long A, long C>
void scaled(long n, const T* __restrict x, const U* __restrict mean, const U* __restrict deviation, U* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = (static_cast<U>(x[i * C + k]) - mean[k]) / (deviation[k] + 2);
}
template <class T, long A, long C>
void lengths(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k] * x[i * C + k];
    y[i] = std::sqrt(s);
  }
}
template <class T, long A, long C>
void normalised(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k] * x[i * C + k];
    s = std::sqrt(s);
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] / s;
  }
}
template <class T, long A, long C>
void turned(long n, const T* __restrict x, const T* __restrict m, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) {
      T s = 0;
      for (long j = 0; j < C; ++j) s += x[i * C + j] * m[j * C + k];
      y[i * C + k] = s;
    }
}
template <class T, long A, long C>
void distances(long n, const T* __restrict p, T* __restrict y) {
  const long points = known<A>(n);
  for (long i = 0; i < points; ++i)
    for (long j = 0; j < points; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += (p[i * C + k] - p[j * C + k]) * (p[i * C + k] - p[j * C + k]);
      y[i * points + j] = s;
    }
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto to_grey = [](auto x) { return reduce_sum<2>(cast<float>(x) * constant(tensor<float, 3>{0.299f, 0.587f, 0.114f})); };
}  // namespace
#endif

ROWS(points){
    ROW((auto x), (to_grey(x)), (grey<480 * 640>), out<float, 480, 640>(), in<u8, 480, 640, 3>()),
    ROW((auto x, auto m, auto s), ((cast<float>(x) - m) / (s + 2)), (scaled<u8, float, 480 * 640, 3>), out<float, 480, 640, 3>(), in<u8, 480, 640, 3>(), in<float, 3>(), in<float, 3>()),
    ROW((auto x, auto m, auto s), ((x - m) / (s + 2)), (scaled<float, float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>(), in<float, 3>(), in<float, 3>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 100000, 3>), out<float, 100000>(), in<float, 100000, 3>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 0, 3>), out<float, dyn>({100000}), in<float, dyn, 3>({100000})),
    ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (normalised<float, 100000, 3>), out<float, 100000, 3>(), in<float, 100000, 3>()),
    ROW((auto x, auto m), (matmul(x, m)), (turned<float, 100000, 3>), out<float, 100000, 3>(), in<float, 100000, 3>(), in<float, 3, 3>()),
    ROW((auto p), (reduce_sum<2>(square(expand_dims<1>(p) - p))), (distances<float, 500, 3>), out<float, 500, 500>(), in<float, 500, 3>()),
};

// SPDX-License-Identifier: MIT
// Reductions, and what stands around them.

#include "over.hpp"

#include <cmath>

namespace loops {
namespace {

struct itself {
  template <class T>
  static T of(T x) {
    return x;
  }
};
struct squared {
  template <class T>
  static T of(T x) {
    return x * x;
  }
};

// Along the last axis.
template <class T, long A, long C, class Op = add, class Of = itself>
void last(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = Of::of(x[i * C]);
    for (long k = 1; k < C; ++k) s = Op::of(s, Of::of(x[i * C + k]));
    y[i] = s;
  }
}
template <class T, long A, long C>
void centred(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k];
    s /= C;
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] - s;
  }
}
template <class T, long A, long C>
void deviations(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0, q = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k];
    s /= C;
    for (long k = 0; k < C; ++k) q += (x[i * C + k] - s) * (x[i * C + k] - s);
    y[i] = std::sqrt(q / C);
  }
}
template <class T, long A, long C>
void centred_columns(long n, const T* __restrict x, T* __restrict y) {
  T mean[C] = {};
  const long rows = known<A>(n);
  for (long i = 0; i < rows; ++i)
    for (long k = 0; k < C; ++k) mean[k] += x[i * C + k];
  for (long k = 0; k < C; ++k) mean[k] /= static_cast<T>(rows);
  for (long i = 0; i < rows; ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] - mean[k];
}
template <class T, long A>
void count_above(long n, const T* __restrict x, int* __restrict y) {
  int s = 0;
  for (long i = 0; i < known<A>(n); ++i) s += x[i] > 0;
  *y = s;
}
template <long A, long C, class T = float>
void any_above(long n, const T* __restrict x, bool* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    bool any = false;
    for (long k = 0; k < C; ++k) any = any | (x[i * C + k] > T(0.75f));
    y[i] = any;
  }
}
// Rows to mean 0 and variance 1.
template <long A, long C>
void normalised(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    float s = 0, q = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k];
    s /= C;
    for (long k = 0; k < C; ++k) q += (x[i * C + k] - s) * (x[i * C + k] - s);
    q = 1 / std::sqrt(q / C + 1e-5f);
    for (long k = 0; k < C; ++k) y[i * C + k] = (x[i * C + k] - s) * q;
  }
}
// A batch of matrices, each times one row.
template <class T, long A, long B, long C>
void times_row(long n, const T* __restrict a, const T* __restrict v, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long j = 0; j < B; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += a[(i * B + j) * C + k] * v[k];
      y[i * B + j] = s;
    }
}
template <class T, long A, long B>
void times_column(long n, const T* __restrict a, const T* __restrict v, T* __restrict y) {
  for (long j = 0; j < B; ++j) y[j] = 0;
  for (long i = 0; i < known<A>(n); ++i)
    for (long j = 0; j < B; ++j) y[j] += a[i * B + j] * v[i];
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(reduce){
    ROW((auto x), (reduce_sum<2>(x)), (last<float, 50000, 3>), out<float, 1, 50000>(), in<float, 1, 50000, 3>()),
    ROW((auto x), (reduce_max<2>(x * x)), (last<float, 50000, 3, larger, squared>), out<float, 1, 50000>(), in<float, 1, 50000, 3>()),
    ROW((auto x), (reduce_max<2>(x * x)), (last<float, 4096 * 8, 8, larger, squared>), out<float, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reduce_max<2>(x * x)), (last<float, 25000, 10, larger, squared>), out<float, 1000, 25>(), in<float, 1000, 25, 10>()),
    ROW((auto x), (reduce_sum<1>(x)), (last<float, 0, 3>), out<float, jig::dyn>({50000}), in<float, jig::dyn, 3>({50000})),
    ROW((auto x), (x - reduce_mean<1>(x, keepdims)), (centred<float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>()),
    ROW((auto x), (x - reduce_mean<2>(x, keepdims)), (centred<float, 4096 * 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto a, auto v), (reduce_sum<2>(a * v)), (times_row<float, 1000, 10, 10>), out<float, 1000, 10>(), in<float, 1000, 10, 10>(),
        in<float, 10>()),
    ROW((auto a, auto v), (reduce_sum<0>(a * expand_dims<1>(v))), (times_column<float, 1000, 100>), out<float, 100>(),
        in<float, 1000, 100>(), in<float, 1000>()),
    ROW((auto x), (reduce_sum<1>(x)), (over<float, float, 0, 8, 8, false, true, false>), out<float, dyn, 8>({2000}),
        in<float, dyn, 8, 8>({2000})),
    ROW((auto x), (reduce_sum<2>(x)), (over<float, float, 0, 8, 8, false, false, true>), out<float, dyn, 8>({2000}),
        in<float, dyn, 8, 8>({2000})),
    ROW((auto x), (reduce_sum<0>(x)), (over<float, float, 0, 1, 3, true, false, false>), out<float, 3>(), in<float, dyn, 3>({20000})),
    ROW((auto x), (reduce_max<1>(x)), (over<int, int, 0, 1, 10, false, false, true, larger>), out<int, dyn>({5000}),
        in<int, dyn, 10>({5000})),
    ROW((auto x), (reduce_sum<1>(cast<int>(x))), (over<u8, int, 10000, 1, 16, false, false, true>), out<int, 10000>(), in<u8, 10000, 16>()),
    ROW((auto x), (reduce_prod<1>(x)), (over<int, int, 10000, 1, 4, false, false, true, times>), out<int, 10000>(), in<int, 10000, 4>()),
    ROW((auto x), (reduce_std<1>(x)), (deviations<float, 10000, 10>), out<float, 10000>(), in<float, 10000, 10>()),
    ROW((auto x), (reduce_std<1>(x)), (deviations<float, 100, 1000>), out<float, 100>(), in<float, 100, 1000>()),
    ROW((auto x), (x - reduce_mean<0>(x)), (centred_columns<float, 20000, 3>), out<float, 20000, 3>(), in<float, 20000, 3>()),
    ROW((auto x), (x - reduce_mean<0>(x)), (centred_columns<double, 1000, 64>), out<double, 1000, 64>(), in<double, 1000, 64>()),
    ROW((auto x), (x - reduce_mean<1>(x, keepdims)), (centred<double, 10000, 4>), out<double, 10000, 4>(), in<double, 10000, 4>()),
    ROW((auto x), (reduce_sum(cast<int>(x > 0))), (count_above<float, 50000>), out<int>(), in<float, 50000>()),
    ROW((auto x), (reduce_any<1>(x > 0.75f)), (any_above<10000, 8>), out<bool, 10000>(), in<float, 10000, 8>()),
    ROW((auto x), (reduce_any<1>(x > 0.75f)), (any_above<1000, 100>), out<bool, 1000>(), in<float, 1000, 100>()),
    ROW((auto x), (reduce_any<1>(x > 0.75)), (any_above<1700, 3, double>), out<bool, 1700>(), in<double, 1700, 3>()),
    ROW((auto x), (reduce_min<0>(x * x)), (last<int, 1, 4096, smaller, squared>), out<int>(), in<int, 4096>()),
    ROW((auto x), (reduce_prod<0, 2>(x)), (over<int, int, 17, 129, 16, true, false, true, times>), out<int, 129>(), in<int, 17, 129, 16>()),
    ROW((auto x), ((x - reduce_mean<1>(x, keepdims)) * rsqrt(reduce_mean<1>(square(x - reduce_mean<1>(x, keepdims)), keepdims) + 1e-5f)),
        (normalised<1000, 64>), out<float, 1000, 64>(), in<float, 1000, 64>()),
    SMALL_ROW((auto x), (reduce_sum<0>(x)), (over<float, float, 4, 4, 1, true, false, false>), out<float, 4>(), in<float, 4, 4>()),
    SMALL_ROW((auto x), (reduce_sum<1>(x)), (over<float, float, 1, 3, 3, false, false, true>), out<float, 3>(), in<float, 3, 3>()),
    SMALL_ROW((auto x), (reduce_sum(x)), (over<float, float, 1, 3, 3, true, true, true>), out<float>(), in<float, 3, 3>()),
    SMALL_ROW((auto x), (reduce_min(x)), (last<double, 1, 100, smaller>), out<double>(), in<double, 100>()),
    SMALL_ROW((auto x), (reduce_sum<1>(x)), (last<float, 0, 3>), out<float, jig::dyn>({5}), in<float, jig::dyn, 3>({5})),
    SMALL_ROW((auto x), (reduce_max<1>(x)), (last<u8, 0, 7, larger>), out<u8, jig::dyn>({30}), in<u8, jig::dyn, 7>({30})),
};

// SPDX-License-Identifier: MIT
// Reductions, and what stands around them.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

struct add {
  template <class T>
  static T of(T s, T x) { return s + x; }
};
struct larger {
  template <class T>
  static T of(T s, T x) { return x > s ? x : s; }
};
struct itself {
  template <class T>
  static T of(T x) { return x; }
};
struct squared {
  template <class T>
  static T of(T x) { return x * x; }
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
// Along the middle one.
template <class T, long A, long B, long C, class Op = add, class Of = itself>
void middle(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    for (long k = 0; k < C; ++k) y[i * C + k] = Of::of(x[i * B * C + k]);
    for (long j = 1; j < B; ++j)
      for (long k = 0; k < C; ++k) y[i * C + k] = Op::of(y[i * C + k], Of::of(x[(i * B + j) * C + k]));
  }
}
// Along the first and the last one.
template <class T, long A, long B, long C>
void outer_and_last(long n, const T* __restrict x, T* __restrict y) {
  for (long j = 0; j < B; ++j) y[j] = 0;
  for (long i = 0; i < known<A>(n); ++i)
    for (long j = 0; j < B; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += x[(i * B + j) * C + k];
      y[j] += s;
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
void position_of_largest(long n, const T* __restrict x, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    int m = 0;
    for (int k = 1; k < C; ++k)
      if (x[i * C + k] > x[i * C + m]) m = k;
    y[i] = m;
  }
}
template <class T, long H, long W, long Channels>
void pooled(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<H>(n); ++i)
    for (long j = 0; j < W; ++j)
      for (long c = 0; c < Channels; ++c) {
        const T* p = x + ((2 * i) * 2 * W + 2 * j) * Channels + c;
        const T a = p[0] > p[Channels] ? p[0] : p[Channels];
        const T* q = p + 2 * W * Channels;
        const T b = q[0] > q[Channels] ? q[0] : q[Channels];
        y[(i * W + j) * Channels + c] = a > b ? a : b;
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
    ROW((auto x), (reduce_sum<2>(x)), (last<float, 4096 * 8, 8>), out<float, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reduce_max<2>(x * x)), (last<float, 4096 * 8, 8, larger, squared>), out<float, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reduce_sum<2>(x)), (last<float, 25000, 10>), out<float, 1000, 25>(), in<float, 1000, 25, 10>()),
    ROW((auto x), (reduce_max<2>(x * x)), (last<float, 25000, 10, larger, squared>), out<float, 1000, 25>(), in<float, 1000, 25, 10>()),
    ROW((auto x), (reduce_sum<1>(x)), (last<float, 0, 3>), out<float, jig::dyn>({50000}), in<float, jig::dyn, 3>({50000})),
    ROW((auto x), (reduce_sum<1>(x)), (middle<float, 4096, 8, 8>), out<float, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reduce_sum<0>(x)), (middle<float, 1, 1000, 250>), out<float, 25, 10>(), in<float, 1000, 25, 10>()),
    ROW((auto x), (reduce_sum<0, 2>(x)), (outer_and_last<float, 4096, 8, 8>), out<float, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reduce_sum<0, 2>(x)), (outer_and_last<float, 1000, 25, 10>), out<float, 25>(), in<float, 1000, 25, 10>()),
    ROW((auto x), (x - reduce_mean<1>(x, keepdims)), (centred<float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>()),
    ROW((auto x), (x - reduce_mean<2>(x, keepdims)), (centred<float, 4096 * 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 50000, 3>), out<int, 1, 50000>(), in<float, 1, 50000, 3>()),
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 4096 * 8, 8>), out<int, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 64, 4096>), out<int, 8, 8>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (reduce_max<1, 3>(reshape<64, 2, 64, 2>(x))), (pooled<float, 64, 64, 1>), out<float, 64, 64>(), in<float, 128, 128>()),
    ROW((auto a, auto v), (reduce_sum<2>(a * v)), (times_row<float, 1000, 10, 10>), out<float, 1000, 10>(), in<float, 1000, 10, 10>(), in<float, 10>()),
    ROW((auto a, auto v), (reduce_sum<0>(a * expand_dims<1>(v))), (times_column<float, 1000, 100>), out<float, 100>(), in<float, 1000, 100>(), in<float, 1000>()),
};

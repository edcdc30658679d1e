// SPDX-License-Identifier: MIT
// Calls on a few numbers.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

template <class T>
void cross(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  y[0] = p[1] * q[2] - p[2] * q[1];
  y[1] = p[2] * q[0] - p[0] * q[2];
  y[2] = p[0] * q[1] - p[1] * q[0];
}
template <class T>
void skew(long, const T* __restrict v, T* __restrict y) {
  y[0] = 0, y[1] = -v[2], y[2] = v[1];
  y[3] = v[2], y[4] = 0, y[5] = -v[0];
  y[6] = -v[1], y[7] = v[0], y[8] = 0;
}
template <class T, long N>
void turned(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long k = 0; k < N; ++k) y[i * N + k] = x[k * N + i];
}
template <class T, long N>
void outer_product(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long k = 0; k < N; ++k) y[i * N + k] = p[i] * q[k];
}

template <class T, long N>
void dot(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  T s = 0;
  for (long i = 0; i < N; ++i) s += p[i] * q[i];
  *y = s;
}
template <class T, long N>
void unit(long, const T* __restrict p, T* __restrict y) {
  T s = 0;
  for (long i = 0; i < N; ++i) s += p[i] * p[i];
  s = std::sqrt(s);
  for (long i = 0; i < N; ++i) y[i] = p[i] / s;
}
template <class T, long M, long N>
void on_vector(long, const T* __restrict a, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < M; ++i) {
    T s = 0;
    for (long k = 0; k < N; ++k) s += a[i * N + k] * x[k];
    y[i] = s;
  }
}
template <class T>
void hamilton(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  y[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  y[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  y[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  y[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}
template <class T, long B, long C>
void appended(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < B; ++i) y[i] = p[i];
  for (long i = 0; i < C; ++i) y[B + i] = q[i];
}
template <class T, long A, long C>
void row_sums(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < A; ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) s += x[i * C + k];
    y[i] = s;
  }
}
template <class T, long N>
void limited(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < N; ++i) y[i] = x[i] < T(-0.5) ? T(-0.5) : x[i] > T(0.5) ? T(0.5) : x[i];
}
template <class T, long N>
void backwards(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < N; ++i) y[i] = x[N - 1 - i];
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto cross_product = [](auto x, auto y) {
  return stack<0>(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
};
constexpr auto skew_matrix = [](auto v) {
  auto zero = zeros_like(v[0]);
  return stack<0>(stack<0>(zero, -v[2], v[1]), stack<0>(v[2], zero, -v[0]), stack<0>(-v[1], v[0], zero));
};
constexpr auto quaternion_product = [](auto p, auto q) {
  return stack<0>(p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                  p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]);
};
}  // namespace
#endif

ROWS(small){
    SMALL_ROW((auto x, auto y), (cross_product(x, y)), (loops::cross<float>), out<float, 3>(), in<float, 3>(), in<float, 3>()),
    SMALL_ROW((auto v), (skew_matrix(v)), (skew<float>), out<float, 3, 3>(), in<float, 3>()),
    SMALL_ROW((auto x), (transpose(x)), (turned<float, 3>), out<float, 3, 3>(), in<float, 3, 3>()),
    SMALL_ROW((auto x, auto y), (outer(x, y)), (outer_product<float, 3>), out<float, 3, 3>(), in<float, 3>(), in<float, 3>()),
    SMALL_ROW((auto x), (transpose(x)), (turned<double, 4>), out<double, 4, 4>(), in<double, 4, 4>()),
    SMALL_ROW((auto x), (transpose(x)), (turned<float, 8>), out<float, 8, 8>(), in<float, 8, 8>()),
    SMALL_ROW((auto x, auto y), (outer(x, y)), (outer_product<double, 4>), out<double, 4, 4>(), in<double, 4>(), in<double, 4>()),
    SMALL_ROW((auto x, auto y), (reduce_sum(x * y)), (loops::dot<float, 3>), out<float>(), in<float, 3>(), in<float, 3>()),
    SMALL_ROW((auto x, auto y), (reduce_sum(x * y)), (loops::dot<double, 10>), out<double>(), in<double, 10>(), in<double, 10>()),
    SMALL_ROW((auto x), (x / sqrt(reduce_sum(x * x))), (unit<float, 3>), out<float, 3>(), in<float, 3>()),
    SMALL_ROW((auto a, auto x), (einsum<"ij,j->i">(a, x)), (on_vector<float, 3, 3>), out<float, 3>(), in<float, 3, 3>(), in<float, 3>()),
    SMALL_ROW((auto a, auto x), (einsum<"ij,j->i">(a, x)), (on_vector<double, 4, 4>), out<double, 4>(), in<double, 4, 4>(),
              in<double, 4>()),
    SMALL_ROW((auto p, auto q), (quaternion_product(p, q)), (hamilton<float>), out<float, 4>(), in<float, 4>(), in<float, 4>()),
    SMALL_ROW((auto x, auto y), (concat<0>(x, y)), (appended<float, 3, 1>), out<float, 4>(), in<float, 3>(), in<float, 1>()),
    SMALL_ROW((auto x, auto y), (concat<0>(x, y)), (appended<double, 5, 7>), out<double, 12>(), in<double, 5>(), in<double, 7>()),
    SMALL_ROW((auto x), (reduce_sum<1>(x)), (row_sums<float, 4, 3>), out<float, 4>(), in<float, 4, 3>()),
    SMALL_ROW((auto x), (reduce_sum<1>(x)), (row_sums<double, 3, 8>), out<double, 3>(), in<double, 3, 8>()),
    SMALL_ROW((auto x), (clip(x, -0.5f, 0.5f)), (limited<float, 5>), out<float, 5>(), in<float, 5>()),
    SMALL_ROW((auto x), (clip(x, -0.5f, 0.5f)), (limited<float, 17>), out<float, 17>(), in<float, 17>()),
    SMALL_ROW((auto x), (clip(x, -0.5, 0.5)), (limited<double, 12>), out<double, 12>(), in<double, 12>()),
    SMALL_ROW((auto x), (reverse<0>(x)), (backwards<float, 7>), out<float, 7>(), in<float, 7>()),
};

// SPDX-License-Identifier: MIT
// Calls on a few numbers.

#include "row.hpp"

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
}  // namespace
#endif

ROWS(small){
    SMALL_ROW((auto x, auto y), (cross_product(x, y)), (loops::cross<float>), out<float, 3>(), in<float, 3>(), in<float, 3>()),
    SMALL_ROW((auto v), (skew_matrix(v)), (skew<float>), out<float, 3, 3>(), in<float, 3>()),
    SMALL_ROW((auto x), (transpose(x)), (turned<float, 3>), out<float, 3, 3>(), in<float, 3, 3>()),
    SMALL_ROW((auto x, auto y), (outer(x, y)), (outer_product<float, 3>), out<float, 3, 3>(), in<float, 3>(), in<float, 3>()),
};

// SPDX-License-Identifier: MIT
// Bodies in space: rotations, forces, fields on a grid.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::known;

template <class T, long N>
void forces(long n, const T* __restrict p, const T* __restrict m, T* __restrict y) {
  const long bodies = known<N>(n);
  for (long i = 0; i < bodies; ++i) {
    T a[3] = {};
    for (long j = 0; j < bodies; ++j) {
      T d[3], s = T(0.01);
      for (long k = 0; k < 3; ++k) d[k] = p[3 * j + k] - p[3 * i + k], s += d[k] * d[k];
      const T w = m[j] / (s * std::sqrt(s));
      for (long k = 0; k < 3; ++k) a[k] += w * d[k];
    }
    for (long k = 0; k < 3; ++k) y[3 * i + k] = a[k];
  }
}
template <long N>
void potential(long, const double* __restrict p, double* __restrict y) {
  double all = 0;
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < N; ++j) {
      double s = 0.5;
      for (long k = 0; k < 3; ++k) s += (p[3 * j + k] - p[3 * i + k]) * (p[3 * j + k] - p[3 * i + k]);
      const double r = 1 / (s * s * s);
      all += 4 * (r * r - r);
    }
  *y = all / 2;
}
template <class T, long N>
void turned_by_quaternions(long n, const T* __restrict q, const T* __restrict p, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const T *a = q + 4 * i, *b = p + 4 * i;
    y[4 * i] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    y[4 * i + 1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    y[4 * i + 2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    y[4 * i + 3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  }
}
template <class T, long N>
void rotated(long n, const T* __restrict q, const T* __restrict v, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const T *a = q + 4 * i, *b = v + 3 * i;
    const T s = 2 * (a[2] * b[2] - a[3] * b[1]), t = 2 * (a[3] * b[0] - a[1] * b[2]), u = 2 * (a[1] * b[1] - a[2] * b[0]);
    y[3 * i] = b[0] + a[0] * s + (a[2] * u - a[3] * t);
    y[3 * i + 1] = b[1] + a[0] * t + (a[3] * s - a[1] * u);
    y[3 * i + 2] = b[2] + a[0] * u + (a[1] * t - a[2] * s);
  }
}
template <class T, long N>
void lorenz(long n, const T* __restrict x, T* __restrict y) {
  const T h = T(0.01);
  const auto slope = [](const T* s, T* d) {
    d[0] = 10 * (s[1] - s[0]);
    d[1] = s[0] * (28 - s[2]) - s[1];
    d[2] = s[0] * s[1] - T(2.5) * s[2];
  };
  for (long i = 0; i < known<N>(n); ++i) {
    const T* s = x + 3 * i;
    T a[3], b[3], c[3], d[3], t[3];
    slope(s, a);
    for (int k = 0; k < 3; ++k) t[k] = s[k] + h / 2 * a[k];
    slope(t, b);
    for (int k = 0; k < 3; ++k) t[k] = s[k] + h / 2 * b[k];
    slope(t, c);
    for (int k = 0; k < 3; ++k) t[k] = s[k] + h * c[k];
    slope(t, d);
    for (int k = 0; k < 3; ++k) y[3 * i + k] = s[k] + h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
}
template <class T, long N>
void distances_of_mahalanobis(long n, const T* __restrict x, const T* __restrict mu, const T* __restrict m, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    T s = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) s += (x[4 * i + a] - mu[a]) * m[4 * a + b] * (x[4 * i + b] - mu[b]);
    y[i] = s;
  }
}
template <class T, long N>
void seen(long n, const T* __restrict p, const T* __restrict m, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    T h[3];
    for (int j = 0; j < 3; ++j) h[j] = p[3 * i] * m[j] + p[3 * i + 1] * m[3 + j] + p[3 * i + 2] * m[6 + j];
    y[2 * i] = h[0] / (1 + h[2] * h[2]);
    y[2 * i + 1] = h[1] / (1 + h[2] * h[2]);
  }
}
template <class T, long N>
void mirrored_rays(long n, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const T d = 2 * (a[3 * i] * b[3 * i] + a[3 * i + 1] * b[3 * i + 1] + a[3 * i + 2] * b[3 * i + 2]);
    for (int k = 0; k < 3; ++k) y[3 * i + k] = a[3 * i + k] - d * b[3 * i + k];
  }
}
template <class T, long N>
void determinants(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const T* a = x + 9 * i;
    y[i] = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
  }
}
template <class T, long N>
void transformed(long n, const T* __restrict m, const T* __restrict p, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i)
    for (long r = 0; r < 3; ++r)
      y[3 * i + r] = m[4 * r] * p[3 * i] + m[4 * r + 1] * p[3 * i + 1] + m[4 * r + 2] * p[3 * i + 2] + m[4 * r + 3];
}
template <class T, long N>
void each_transformed(long n, const T* __restrict m, const T* __restrict p, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i)
    for (long r = 0; r < 3; ++r)
      y[3 * i + r] = m[9 * i + 3 * r] * p[3 * i] + m[9 * i + 3 * r + 1] * p[3 * i + 1] + m[9 * i + 3 * r + 2] * p[3 * i + 2];
}
template <long N>
void spherical(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const float a = x[2 * i], b = x[2 * i + 1];
    y[3 * i] = std::sin(a) * std::cos(b);
    y[3 * i + 1] = std::sin(a) * std::sin(b);
    y[3 * i + 2] = std::cos(a);
  }
}
template <class T, long H, long W>
void wave(long, const T* __restrict u, const T* __restrict v, T* __restrict y) {
  for (long i = 0; i < H - 2; ++i)
    for (long j = 0; j < W - 2; ++j) {
      const T* p = u + (i + 1) * W + j + 1;
      y[i * (W - 2) + j] = 2 * p[0] - v[(i + 1) * W + j + 1] + T(0.1) * (p[1] + p[-1] + p[W] + p[-W] - 4 * p[0]);
    }
}
template <long N>
void cube_laplacian(long, const float* __restrict u, float* __restrict y) {
  for (long i = 1; i < N - 1; ++i)
    for (long j = 1; j < N - 1; ++j)
      for (long k = 1; k < N - 1; ++k) {
        const float* p = u + (i * N + j) * N + k;
        *y++ = p[1] + p[-1] + p[N] + p[-N] + p[N * N] + p[-N * N] - 6 * p[0];
      }
}
template <long H, long W>
void around(long, const float* __restrict u, float* __restrict y) {
  for (long i = 0; i < H; ++i)
    for (long j = 0; j < W; ++j)
      y[i * W + j] =
          u[(i + 1) % H * W + j] + u[(i + H - 1) % H * W + j] + u[i * W + (j + 1) % W] + u[i * W + (j + W - 1) % W] - 4 * u[i * W + j];
}
template <class T, long N>
void polynomial(long n, const T* __restrict x, const T* __restrict c, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    T s = c[5];
    for (long k = 5; k-- > 0;) s = s * x[i] + c[k];
    y[i] = s;
  }
}
template <long N, long M>
void interpolated(long n, const float* __restrict x, const float* __restrict table, float* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    const float at = (x[i] + 1) * 0.5f * (M - 2);
    const int k = static_cast<int>(at);
    const float part = at - static_cast<float>(k);
    y[i] = table[k] + part * (table[k + 1] - table[k]);
  }
}
template <class T, long N>
void moved(long n, const T* __restrict p, const T* __restrict v, const T* __restrict m, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i)
    for (long k = 0; k < 3; ++k) y[3 * i + k] = p[3 * i + k] + T(0.01) * v[3 * i + k] / (m[i] + 2);
}
template <class T, long N>
void kinetic(long n, const T* __restrict v, const T* __restrict m, T* __restrict y) {
  T s = 0;
  for (long i = 0; i < known<N>(n); ++i) s += m[i] * (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]);
  *y = s / 2;
}
template <class T, long N>
void centred(long n, const T* __restrict p, const T* __restrict m, T* __restrict y) {
  T c[3] = {}, all = 0;
  for (long i = 0; i < known<N>(n); ++i) {
    all += m[i] + 2;
    for (long k = 0; k < 3; ++k) c[k] += (m[i] + 2) * p[3 * i + k];
  }
  for (long i = 0; i < known<N>(n); ++i)
    for (long k = 0; k < 3; ++k) y[3 * i + k] = p[3 * i + k] - c[k] / all;
}
template <class T, long N>
void bounced(long n, const T* __restrict p, const T* __restrict v, T* __restrict y) {
  for (long i = 0; i < known<N>(n) * 3; ++i) y[i] = p[i] > T(0.9) || p[i] < T(-0.9) ? -v[i] : v[i];
}
template <class T, long N>
void edges(long, const T* __restrict p, const int* __restrict a, const int* __restrict b, T* __restrict y) {
  for (long i = 0; i < N; ++i) {
    T s = 0;
    for (long k = 0; k < 3; ++k) s += (p[3 * a[i] + k] - p[3 * b[i] + k]) * (p[3 * a[i] + k] - p[3 * b[i] + k]);
    y[i] = std::sqrt(s);
  }
}
template <long N>
void areas(long, const double* __restrict t, double* __restrict y) {
  for (long i = 0; i < N; ++i) {
    const double* a = t + 9 * i;
    double u[3], v[3];
    for (long k = 0; k < 3; ++k) u[k] = a[3 + k] - a[k], v[k] = a[6 + k] - a[k];
    const double x = u[1] * v[2] - u[2] * v[1], z = u[2] * v[0] - u[0] * v[2], w = u[0] * v[1] - u[1] * v[0];
    y[i] = std::sqrt(x * x + z * z + w * w) / 2;
  }
}

}  // namespace
}  // namespace loops

#ifndef JIG_BENCH_LOOPS

namespace {

constexpr auto gravity(auto p, auto m) {
  auto d = p - expand_dims<1>(p);
  auto s = reduce_sum<2>(d * d) + 0.01;
  return reduce_sum<1>(d * expand_dims<2>(m / (s * sqrt(s))));
}
constexpr auto gravity_f(auto p, auto m) {
  auto d = p - expand_dims<1>(p);
  auto s = reduce_sum<2>(d * d) + 0.01f;
  return einsum<"ijk,ij->ik">(d, m / (s * sqrt(s)));
}
constexpr auto lennard_jones(auto p) {
  auto s = reduce_sum<2>(square(expand_dims<1>(p) - p)) + 0.5;
  auto r = 1 / (s * s * s);
  return reduce_sum(4 * (r * r - r)) / 2;
}
constexpr auto quaternion_product(auto a, auto b) {
  auto [w, x, y, z] = unstack<1>(a);
  auto [s, t, u, v] = unstack<1>(b);
  return stack<1>(w * s - x * t - y * u - z * v, w * t + x * s + y * v - z * u, w * u - x * v + y * s + z * t,
                  w * v + x * u - y * t + z * s);
}
constexpr auto cross(auto a, auto b) {
  auto [s, t, u] = unstack<1>(a);
  auto [x, y, z] = unstack<1>(b);
  return stack<1>(t * z - u * y, u * x - s * z, s * y - t * x);
}
constexpr auto rotation(auto q, auto v) {
  auto axis = strided_slice<all, range_of(1, 4)>(q);
  auto w = strided_slice<all, range_of(0, 1)>(q);
  auto t = 2 * cross(axis, v);
  return v + w * t + cross(axis, t);
}
constexpr auto slope(auto s) {
  auto [x, y, z] = unstack<1>(s);
  return stack<1>(10 * (y - x), x * (28 - z) - y, x * y - 2.5f * z);
}
constexpr auto runge_kutta(auto s) {
  const float h = 0.01f;
  auto a = slope(s), b = slope(s + h / 2 * a), c = slope(s + h / 2 * b), d = slope(s + h * c);
  return s + h / 6 * (a + 2 * b + 2 * c + d);
}
constexpr auto mahalanobis(auto x, auto mu, auto m) {
  auto d = x - mu;
  return reduce_sum<1>(matmul(d, m) * d);
}
constexpr auto perspective(auto p, auto m) {
  auto h = matmul(p, m);
  return strided_slice<all, range_of(0, 2)>(h) / (1 + square(strided_slice<all, range_of(2, 3)>(h)));
}
template <int I, int J>
constexpr auto entry(auto x) {
  return strided_slice<all, I, J>(x);
}
constexpr auto determinant(auto x) {
  return entry<0, 0>(x) * (entry<1, 1>(x) * entry<2, 2>(x) - entry<1, 2>(x) * entry<2, 1>(x)) -
         entry<0, 1>(x) * (entry<1, 0>(x) * entry<2, 2>(x) - entry<1, 2>(x) * entry<2, 0>(x)) +
         entry<0, 2>(x) * (entry<1, 0>(x) * entry<2, 1>(x) - entry<1, 1>(x) * entry<2, 0>(x));
}
constexpr auto on_sphere(auto x) {
  auto [a, b] = unstack<1>(x);
  return stack<1>(sin(a) * cos(b), sin(a) * sin(b), cos(a));
}
template <int I, int J>
constexpr auto near(auto x) {
  return strided_slice<range_of(1 + I, I == 1 ? unbounded : I - 1), range_of(1 + J, J == 1 ? unbounded : J - 1)>(x);
}
template <int I, int J, int K>
constexpr auto near(auto x) {
  return strided_slice<range_of(1 + I, I == 1 ? unbounded : I - 1), range_of(1 + J, J == 1 ? unbounded : J - 1),
                       range_of(1 + K, K == 1 ? unbounded : K - 1)>(x);
}
constexpr auto wave_step(auto u, auto v) {
  auto c = near<0, 0>(u);
  return 2 * c - near<0, 0>(v) + 0.1f * (near<0, 1>(u) + near<0, -1>(u) + near<1, 0>(u) + near<-1, 0>(u) - 4 * c);
}
constexpr auto laplacian(auto u) {
  return near<0, 0, 1>(u) + near<0, 0, -1>(u) + near<0, 1, 0>(u) + near<0, -1, 0>(u) + near<1, 0, 0>(u) + near<-1, 0, 0>(u) -
         6 * near<0, 0, 0>(u);
}
template <int Axis, int By>
constexpr auto roll(auto x) {
  if constexpr (Axis == 0) return concat<0>(strided_slice<range_of(By, unbounded), all>(x), strided_slice<range_of(0, By), all>(x));
  else return concat<1>(strided_slice<all, range_of(By, unbounded)>(x), strided_slice<all, range_of(0, By)>(x));
}
constexpr auto periodic(auto u) { return roll<0, 1>(u) + roll<0, -1>(u) + roll<1, 1>(u) + roll<1, -1>(u) - 4 * u; }
constexpr auto horner(auto x, auto c) { return ((((c[5] * x + c[4]) * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]; }
constexpr auto linear(auto x, auto table) {
  auto at = (x + 1) * 0.5f * cast<float>(extent<0>(table) - 2);
  auto k = cast<int>(at);
  auto low = gather(table, k);
  return low + (at - cast<float>(k)) * (gather(table, k + 1) - low);
}
constexpr auto area(auto t) {
  auto a = strided_slice<all, 0, all>(t), b = strided_slice<all, 1, all>(t), c = strided_slice<all, 2, all>(t);
  auto [u0, u1, u2] = unstack<1>(b - a);
  auto [v0, v1, v2] = unstack<1>(c - a);
  return norm<1>(stack<1>(u1 * v2 - u2 * v1, u2 * v0 - u0 * v2, u0 * v1 - u1 * v0)) / 2;
}

}  // namespace

#endif

using namespace loops;

ROWS(motion){
    ROW((auto p, auto m), (gravity(p, m)), (forces<double, 200>), out<double, 200, 3>(), in<double, 200, 3>(), in<double, 200>()),
    ROW((auto p, auto m), (gravity_f(p, m)), (forces<float, 200>), out<float, 200, 3>(), in<float, 200, 3>(), in<float, 200>()),
    ROW((auto p, auto m), (gravity(p, m)), (forces<double, 0>), out<double, dyn, 3>({200}), in<double, dyn, 3>({200}),
        in<double, dyn>({200})),
    ROW((auto p), (lennard_jones(p)), (potential<200>), out<double>(), in<double, 200, 3>()),
    ROW((auto p, auto q), (quaternion_product(p, q)), (turned_by_quaternions<double, 5000>), out<double, 5000, 4>(), in<double, 5000, 4>(),
        in<double, 5000, 4>()),
    ROW((auto p, auto q), (quaternion_product(p, q)), (turned_by_quaternions<float, 0>), out<float, dyn, 4>({5000}),
        in<float, dyn, 4>({5000}), in<float, dyn, 4>({5000})),
    ROW((auto q, auto v), (rotation(q, v)), (rotated<float, 5000>), out<float, 5000, 3>(), in<float, 5000, 4>(), in<float, 5000, 3>()),
    ROW((auto q, auto v), (rotation(q, v)), (rotated<float, 0>), out<float, dyn, 3>({5000}), in<float, dyn, 4>({5000}),
        in<float, dyn, 3>({5000})),
    ROW((auto x), (runge_kutta(x)), (lorenz<float, 5000>), out<float, 5000, 3>(), in<float, 5000, 3>()),
    ROW((auto x), (runge_kutta(x)), (lorenz<float, 0>), out<float, dyn, 3>({5000}), in<float, dyn, 3>({5000})),
    ROW((auto x, auto mu, auto m), (mahalanobis(x, mu, m)), (distances_of_mahalanobis<float, 0>), out<float, dyn>({5000}),
        in<float, dyn, 4>({5000}), in<float, 4>(), in<float, 4, 4>()),
    ROW((auto x, auto mu, auto m), (mahalanobis(x, mu, m)), (distances_of_mahalanobis<double, 5000>), out<double, 5000>(),
        in<double, 5000, 4>(), in<double, 4>(), in<double, 4, 4>()),
    ROW((auto p, auto m), (perspective(p, m)), (seen<float, 0>), out<float, dyn, 2>({5000}), in<float, dyn, 3>({5000}), in<float, 3, 3>()),
    ROW((auto a, auto b), (a - 2 * reduce_sum<1>(a * b, keepdims) * b), (mirrored_rays<float, 0>), out<float, dyn, 3>({5000}),
        in<float, dyn, 3>({5000}), in<float, dyn, 3>({5000})),
    ROW((auto x), (determinant(x)), (determinants<double, 5000>), out<double, 5000>(), in<double, 5000, 3, 3>()),
    ROW((auto x), (determinant(x)), (determinants<float, 0>), out<float, dyn>({5000}), in<float, dyn, 3, 3>({5000})),
    ROW((auto m, auto p), (matmul(p, strided_slice<range_of(0, 3), range_of(0, 3)>(m), transpose_b) + strided_slice<range_of(0, 3), 3>(m)),
        (transformed<float, 5000>), out<float, 5000, 3>(), in<float, 4, 4>(), in<float, 5000, 3>()),
    ROW((auto m, auto p), (squeeze<2>(matmul(m, expand_dims<2>(p)))), (each_transformed<double, 5000>), out<double, 5000, 3>(),
        in<double, 5000, 3, 3>(), in<double, 5000, 3>()),
    ROW((auto m, auto p), (einsum<"nij,nj->ni">(m, p)), (each_transformed<float, 0>), out<float, dyn, 3>({5000}),
        in<float, dyn, 3, 3>({5000}), in<float, dyn, 3>({5000})),
    ROW((auto x), (on_sphere(x)), (spherical<5000>), out<float, 5000, 3>(), in<float, 5000, 2>()),
    ROW((auto u, auto v), (wave_step(u, v)), (wave<float, 300, 400>), out<float, 298, 398>(), in<float, 300, 400>(), in<float, 300, 400>()),
    ROW((auto u), (laplacian(u)), (cube_laplacian<66>), out<float, 64, 64, 64>(), in<float, 66, 66, 66>()),
    ROW((auto u), (laplacian(u)), (cube_laplacian<22>), out<float, 20, 20, 20>(), in<float, 22, 22, 22>()),
    ROW((auto u), (periodic(u)), (around<128, 128>), out<float, 128, 128>(), in<float, 128, 128>()),
    ROW((auto x, auto c), (horner(x, c)), (polynomial<double, 10000>), out<double, 10000>(), in<double, 10000>(), in<double, 6>()),
    ROW((auto x, auto t), (linear(x, t)), (interpolated<10000, 256>), out<float, 10000>(), in<float, 10000>(), in<float, 256>()),
    ROW((auto p, auto v, auto m), (p + 0.01 * v / expand_dims<1>(m + 2)), (moved<double, 5000>), out<double, 5000, 3>(),
        in<double, 5000, 3>(), in<double, 5000, 3>(), in<double, 5000>()),
    ROW((auto p, auto v, auto m), (p + 0.01f * v / expand_dims<1>(m + 2)), (moved<float, 0>), out<float, dyn, 3>({5000}),
        in<float, dyn, 3>({5000}), in<float, dyn, 3>({5000}), in<float, dyn>({5000})),
    ROW((auto v, auto m), (reduce_sum(m * reduce_sum<1>(v * v)) / 2), (kinetic<double, 5000>), out<double>(), in<double, 5000, 3>(),
        in<double, 5000>()),
    ROW((auto v, auto m), (reduce_sum(m * reduce_sum<1>(v * v)) / 2), (kinetic<double, 0>), out<double>(), in<double, dyn, 3>({5000}),
        in<double, dyn>({5000})),
    ROW((auto p, auto m), (p - reduce_sum<0>(p * expand_dims<1>(m + 2)) / reduce_sum(m + 2)), (centred<double, 5000>),
        out<double, 5000, 3>(), in<double, 5000, 3>(), in<double, 5000>()),
    ROW((auto p, auto v), (where((p > 0.9f) | (p < -0.9f), -v, v)), (bounced<float, 5000>), out<float, 5000, 3>(), in<float, 5000, 3>(),
        in<float, 5000, 3>()),
    ROW((auto p, auto a, auto b), (norm<1>(gather(p, a) - gather(p, b))), (edges<float, 10000>), out<float, 10000>(), in<float, 2000, 3>(),
        positions<int, 10000>(2000), positions<int, 10000>(1999)),
    ROW((auto t), (area(t)), (areas<5000>), out<double, 5000>(), in<double, 5000, 3, 3>()),
};

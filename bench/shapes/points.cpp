// SPDX-License-Identifier: MIT
// Points and colours: a short last axis.

#include "row.hpp"

#include <cmath>
#include <limits>

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

template <class T, long A, long C>
void dots(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) s += p[i * C + k] * q[i * C + k];
    y[i] = s;
  }
}
template <class T, long A>
void crossed(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    const T *a = p + 3 * i, *b = q + 3 * i;
    y[3 * i] = a[1] * b[2] - a[2] * b[1];
    y[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
    y[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
  }
}
template <class T, long A>
void complex_products(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    y[2 * i] = p[2 * i] * q[2 * i] - p[2 * i + 1] * q[2 * i + 1];
    y[2 * i + 1] = p[2 * i] * q[2 * i + 1] + p[2 * i + 1] * q[2 * i];
  }
}
template <class T, long A, long B, long C>
void nearest(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T least = std::numeric_limits<T>::max();
    for (long j = 0; j < B; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += (p[i * C + k] - q[j * C + k]) * (p[i * C + k] - q[j * C + k]);
      least = s < least ? s : least;
    }
    y[i] = least;
  }
}
template <class T, long A, long C>
void box(long n, const T* __restrict x, T* __restrict y) {
  for (long k = 0; k < C; ++k) y[k] = -std::numeric_limits<T>::max(), y[C + k] = std::numeric_limits<T>::max();
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) {
      y[k] = x[i * C + k] > y[k] ? x[i * C + k] : y[k];
      y[C + k] = x[i * C + k] < y[C + k] ? x[i * C + k] : y[C + k];
    }
}
template <long A>
void over_colour(long n, const float* __restrict x, const float* __restrict alpha, const float* __restrict c, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < 3; ++k) y[3 * i + k] = x[3 * i + k] * alpha[i] + c[k] * (1 - alpha[i]);
}
template <long A>
void brightness(long n, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<u8>((x[4 * i] * 77 + x[4 * i + 1] * 151 + x[4 * i + 2] * 28) >> 8);
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto to_grey = [](auto x) { return reduce_sum<2>(cast<float>(x) * constant(tensor<float, 3>{0.299f, 0.587f, 0.114f})); };
template <int K>
constexpr auto component = [](auto x) { return strided_slice<all, K>(x); };
constexpr auto crossed_rows = [](auto x, auto y) {
  return stack<1>(component<1>(x) * component<2>(y) - component<2>(x) * component<1>(y),
                  component<2>(x) * component<0>(y) - component<0>(x) * component<2>(y),
                  component<0>(x) * component<1>(y) - component<1>(x) * component<0>(y));
};
constexpr auto complex_product = [](auto x, auto y) {
  return stack<1>(component<0>(x) * component<0>(y) - component<1>(x) * component<1>(y),
                  component<0>(x) * component<1>(y) + component<1>(x) * component<0>(y));
};
constexpr auto brighter = [](auto x) {
  return cast<bench::u8>(reduce_sum<1>(cast<int>(x) * constant(tensor<int, 4>{77, 151, 28, 0})) >> 8);
};
}  // namespace
#endif

ROWS(points){
    ROW((auto x), (to_grey(x)), (grey<480 * 640>), out<float, 480, 640>(), in<u8, 480, 640, 3>()),
    ROW((auto x, auto m, auto s), ((cast<float>(x) - m) / (s + 2)), (scaled<u8, float, 480 * 640, 3>), out<float, 480, 640, 3>(),
        in<u8, 480, 640, 3>(), in<float, 3>(), in<float, 3>()),
    ROW((auto x, auto m, auto s), ((x - m) / (s + 2)), (scaled<float, float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>(),
        in<float, 3>(), in<float, 3>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 100000, 3>), out<float, 100000>(), in<float, 100000, 3>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 0, 3>), out<float, dyn>({100000}), in<float, dyn, 3>({100000})),
    ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (normalised<float, 100000, 3>), out<float, 100000, 3>(),
        in<float, 100000, 3>()),
    ROW((auto x, auto m), (matmul(x, m)), (turned<float, 100000, 3>), out<float, 100000, 3>(), in<float, 100000, 3>(), in<float, 3, 3>()),
    ROW((auto p), (reduce_sum<2>(square(expand_dims<1>(p) - p))), (distances<float, 500, 3>), out<float, 500, 500>(), in<float, 500, 3>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<double, 20000, 2>), out<double, 20000>(), in<double, 20000, 2>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 20000, 4>), out<float, 20000>(), in<float, 20000, 4>()),
    ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<float, 20000, 10>), out<float, 20000>(), in<float, 20000, 10>()),
    ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (normalised<double, 20000, 3>), out<double, 20000, 3>(),
        in<double, 20000, 3>()),
    ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (normalised<float, 0, 4>), out<float, dyn, 4>({20000}),
        in<float, dyn, 4>({20000})),
    ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (normalised<float, 2000, 64>), out<float, 2000, 64>(), in<float, 2000, 64>()),
    ROW((auto x, auto y), (reduce_sum<1>(x * y)), (dots<float, 20000, 3>), out<float, 20000>(), in<float, 20000, 3>(),
        in<float, 20000, 3>()),
    ROW((auto x, auto y), (reduce_sum<1>(x * y)), (dots<double, 5000, 8>), out<double, 5000>(), in<double, 5000, 8>(),
        in<double, 5000, 8>()),
    ROW((auto x, auto y), (reduce_sum<1>(x * y)), (dots<int, 20000, 2>), out<int, 20000>(), in<int, 20000, 2>(), in<int, 20000, 2>()),
    ROW((auto x, auto m), (matmul(x, m)), (turned<double, 20000, 2>), out<double, 20000, 2>(), in<double, 20000, 2>(), in<double, 2, 2>()),
    ROW((auto x, auto m), (matmul(x, m)), (turned<float, 0, 4>), out<float, dyn, 4>({20000}), in<float, dyn, 4>({20000}),
        in<float, 4, 4>()),
    ROW((auto x, auto y), (crossed_rows(x, y)), (crossed<float, 20000>), out<float, 20000, 3>(), in<float, 20000, 3>(),
        in<float, 20000, 3>()),
    ROW((auto x, auto y), (complex_product(x, y)), (complex_products<float, 20000>), out<float, 20000, 2>(), in<float, 20000, 2>(),
        in<float, 20000, 2>()),
    ROW((auto p, auto q), (reduce_min<1>(reduce_sum<2>(square(expand_dims<1>(p) - q)))), (nearest<float, 500, 64, 2>), out<float, 500>(),
        in<float, 500, 2>(), in<float, 64, 2>()),
    ROW((auto p, auto q), (reduce_min<1>(reduce_sum<2>(square(expand_dims<1>(p) - q)))), (nearest<float, 500, 10, 8>), out<float, 500>(),
        in<float, 500, 8>(), in<float, 10, 8>()),
    ROW((auto p), (stack<0>(reduce_max<0>(p), reduce_min<0>(p))), (box<float, 20000, 3>), out<float, 2, 3>(), in<float, 20000, 3>()),
    ROW((auto x, auto a, auto c), (x * a + c * (1 - a)), (over_colour<20000>), out<float, 20000, 3>(), in<float, 20000, 3>(),
        in<float, 20000, 1>(), in<float, 3>()),
    ROW((auto x), (brighter(x)), (brightness<20000>), out<u8, 20000>(), in<u8, 20000, 4>()),
};

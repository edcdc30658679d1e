// SPDX-License-Identifier: MIT
// Values that are transposed or reversed before others read them, and products with a few columns.

#include "row.hpp"

#include <algorithm>
#include <cmath>

namespace loops {
namespace {

template <class T, long C, bool Squares>
void sums_of_rows(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < n; ++i) {
    T t = 0;
    for (long c = 0; c < C; ++c) t += Squares ? x[i * C + c] * x[i * C + c] : x[i * C + c];
    y[i] = t;
  }
}
template <class T, long C>
void sums_of_columns(long n, const T* __restrict x, T* __restrict y) {
  for (long c = 0; c < C; ++c) y[c] = 0;
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) y[c] += x[i * C + c];
}
template <long B, long C>
void sums_of_middle(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) {
      float t = 0;
      for (long b = 0; b < B; ++b) t += x[(i * B + b) * C + c];
      y[i * C + c] = t;
    }
}
template <long R, long C>
void centred(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < C; ++i) {
    float t = 0;
    for (long j = 0; j < R; ++j) t += x[j * C + i];
    t /= R;
    for (long j = 0; j < R; ++j) y[i * R + j] = x[j * C + i] - t;
  }
}
template <long C>
void best_of_rows(long n, const float* __restrict x, std::int64_t* __restrict y) {
  for (long i = 0; i < n; ++i) {
    float t = x[i * C];
    long at = 0;
    for (long c = 1; c < C; ++c)
      if (x[i * C + c] > t) t = x[i * C + c], at = c;
    y[i] = at;
  }
}
template <long N, long C>
void best_of_middle(long n, const float* __restrict x, std::int64_t* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) {
      float t = x[i * N * C + c];
      long at = 0;
      for (long k = 1; k < N; ++k)
        if (x[(i * N + k) * C + c] > t) t = x[(i * N + k) * C + c], at = k;
      y[i * C + c] = at;
    }
}
template <class T, long N, long C>
void scans_of_middle(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < N; ++k)
      for (long c = 0; c < C; ++c) y[(i * N + k) * C + c] = x[(i * N + k) * C + c] + (k > 0 ? y[(i * N + k - 1) * C + c] : T(0));
}
template <class T, class To>
void positive_in_reverse(long n, const T* __restrict x, To* __restrict y) {
  for (long i = 0; i < n; ++i) y[i] = static_cast<To>(x[n - 1 - i] > 0 ? x[n - 1 - i] : 0);
}
template <long C>
void products_in_reverse(long n, const float* __restrict x, const float* __restrict row, float* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] = x[i * C + C - 1 - c] * row[C - 1 - c];
}
template <long C>
void sums_in_reverse(long n, const float* __restrict x, const float* __restrict z, float* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] = x[(n - 1 - i) * C + c] + z[(n - 1 - i) * C + c];
}
template <long C>
void blue_to_red(long n, const bench::u8* __restrict x, float* __restrict y) {
  for (long i = 0; i < n * C; ++i)
    for (long c = 0; c < 3; ++c) y[3 * i + c] = static_cast<float>(x[3 * i + 2 - c]) / 255;
}
template <long R, long C, bool Transposed>
void padded(long, const float* __restrict x, float* __restrict y) {
  constexpr long rows = Transposed ? C : R, columns = Transposed ? R : C;
  for (long i = 0; i < (rows + 2) * (columns + 2); ++i) y[i] = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[(i + 1) * (columns + 2) + j + 1] = Transposed ? x[j * C + i] : x[i * C + C - 1 - j];
}
template <long R, long C>
void joined(long, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < C; ++i)
    for (long j = 0; j < R; ++j) y[i * 2 * R + j] = y[i * 2 * R + R + j] = x[j * C + i];
}
template <long C>
void joined_with_twice(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) {
      const float v = std::max(x[i * C + c], 0.f);
      y[i * 2 * C + c] = v;
      y[i * 2 * C + C + c] = v + v;
    }
}
template <class T, long K, long N>
void multiplied(long m, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < m; ++i) {
    T t[N] = {};
    for (long k = 0; k < K; ++k)
      for (long j = 0; j < N; ++j) t[j] += a[i * K + k] * b[k * N + j];
    for (long j = 0; j < N; ++j) y[i * N + j] = t[j];
  }
}
template <class T, long M, long N>
void multiplied_transposed(long k, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < M * N; ++i) y[i] = 0;
  for (long p = 0; p < k; ++p)
    for (long i = 0; i < M; ++i)
      for (long j = 0; j < N; ++j) y[i * N + j] += a[p * M + i] * b[p * N + j];
}

}  // namespace
}  // namespace loops

using namespace loops;

#define TRANSPOSED(n, c)                                                                                                              \
  ROW((auto x), (reduce_sum<0>(transpose<1, 0>(x))), (sums_of_rows<float, c, false>), out<float, dyn>({n}), in<float, dyn, c>({n})),  \
      ROW((auto x), (reduce_sum<0>(square(transpose<1, 0>(x)))), (sums_of_rows<float, c, true>), out<float, n>(), in<float, n, c>()), \
      ROW((auto x), (reduce_sum<1>(transpose<1, 0>(x))), (sums_of_columns<float, c>), out<float, c>(), in<float, dyn, c>({n}))
#define COLUMNS(type, m, k, n) \
  ROW((auto a, auto b), (matmul(a, b)), (multiplied<type, k, n>), out<type, dyn, n>({m}), in<type, dyn, k>({m}), in<type, k, n>())
#define COLUMNS_OF_TRANSPOSE(type, m, k, n)                                                                                    \
  ROW((auto a, auto b), (matmul(a, b, transpose_a)), (multiplied_transposed<type, m, n>), out<type, m, n>(), in<type, k, m>(), \
      in<type, k, n>())

ROWS(turned){
    TRANSPOSED(3, 3333),
    TRANSPOSED(100, 100),
    TRANSPOSED(3333, 3),
    TRANSPOSED(1000, 10),
    ROW((auto x), (reduce_sum<2>(transpose<0, 2, 1>(x) * 1)), (sums_of_middle<100, 32>), out<float, dyn, 32>({30}),
        in<float, dyn, 100, 32>({30})),
    ROW((auto x), (transpose(x) - reduce_mean<1>(transpose(x), keepdims)), (centred<200, 300>), out<float, 300, 200>(),
        in<float, 200, 300>()),
    ROW((auto x), (argmax<0>(transpose<1, 0>(x))), (best_of_rows<3>), out<std::int64_t, dyn>({5000}), in<float, dyn, 3>({5000})),
    SMALL_ROW((auto x), (argmax<1>(x)), (best_of_rows<8>), out<std::int64_t, dyn>({8}), in<float, dyn, 8>({8})),
    ROW((auto x), (argmax<1>(x)), (best_of_middle<5, 17>), out<std::int64_t, dyn, 17>({100}), in<float, dyn, 5, 17>({100})),
    ROW((auto x), (cumsum<1>(x)), (scans_of_middle<float, 2, 2>), out<float, dyn, 2, 2>({1000}), in<float, dyn, 2, 2>({1000})),
    ROW((auto x), (cumsum<1>(x)), (scans_of_middle<double, 2, 4>), out<double, dyn, 2, 4>({1000}), in<double, dyn, 2, 4>({1000})),
    ROW((auto x), (reverse<0>(relu(x))), (positive_in_reverse<float, float>), out<float, dyn>({10000}), in<float, dyn>({10000})),
    ROW((auto x), (reverse<0>(cast<double>(relu(x)))), (positive_in_reverse<float, double>), out<double, 10000>(), in<float, 10000>()),
    ROW((auto x, auto row), (reverse<1>(x * row)), (products_in_reverse<200>), out<float, dyn, 200>({500}), in<float, dyn, 200>({500}),
        in<float, 200>()),
    ROW((auto x, auto z), (reverse<0>(x + z)), (sums_in_reverse<200>), out<float, 500, 200>(), in<float, 500, 200>(),
        in<float, 500, 200>()),
    ROW((auto x), (reverse<2>(cast<float>(x) / 255)), (blue_to_red<300>), out<float, 200, 300, 3>(), in<bench::u8, 200, 300, 3>()),
    ROW((auto x), (pad<1, 1, 1, 1>(transpose(x))), (padded<200, 300, true>), out<float, 302, 202>(), in<float, 200, 300>()),
    ROW((auto x), (pad<1, 1, 1, 1>(reverse<1>(x))), (padded<200, 300, false>), out<float, 202, 302>(), in<float, 200, 300>()),
    ROW((auto x), (concat<1>(transpose(x), transpose(x))), (joined<200, 300>), out<float, 300, 400>(), in<float, 200, 300>()),
    ROW((auto x), (concat<1>(relu(x), relu(x) + relu(x))), (joined_with_twice<300>), out<float, 200, 600>(), in<float, 200, 300>()),
    COLUMNS(float, 200, 50, 2),
    COLUMNS(float, 1000, 32, 3),
    COLUMNS(float, 1000, 64, 8),
    COLUMNS(float, 2000, 9, 2),
    COLUMNS(float, 2000, 12, 5),
    COLUMNS(double, 17, 588, 2),
    COLUMNS(double, 300, 33, 4),
    COLUMNS(float, 10, 10000, 3),
    COLUMNS_OF_TRANSPOSE(float, 200, 50, 2),
    COLUMNS_OF_TRANSPOSE(double, 100, 2000, 2),
};

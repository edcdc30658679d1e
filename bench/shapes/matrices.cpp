// SPDX-License-Identifier: MIT
// Many small matrices and short rows: batched products, covariances that are carried on, sorts; and kernels of a few elements.

#include "row.hpp"

#include <algorithm>
#include <utility>

namespace loops {
namespace {

using bench::known, bench::u8;

// How the factors lie: a matrix for each product, or one for all.
enum class shares { nothing, left, right };

template <class T, long A, int M, int K, int N, shares Shares = shares::nothing>
void products(long n, const T* __restrict a, const T* __restrict b, T* __restrict c) {
  for (long m = 0; m < known<A>(n); ++m) {
    const T* x = Shares == shares::left ? a : a + m * M * K;
    const T* y = Shares == shares::right ? b : b + m * K * N;
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        T sum = 0;
        for (int k = 0; k < K; ++k) sum += x[i * K + k] * y[k * N + j];
        c[(m * M + i) * N + j] = sum;
      }
  }
}
template <class T, long A, int N>
void predictions(long n, const T* __restrict p, const T* __restrict f, const T* __restrict q, T* __restrict out) {
  for (long m = 0; m < known<A>(n); ++m) {
    const T* x = p + m * N * N;
    T half[N * N];
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        T sum = 0;
        for (int k = 0; k < N; ++k) sum += f[i * N + k] * x[k * N + j];
        half[i * N + j] = sum;
      }
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        T sum = q[i * N + j];
        for (int k = 0; k < N; ++k) sum += half[i * N + k] * f[j * N + k];
        out[(m * N + i) * N + j] = sum;
      }
  }
}
template <class T, long A, int N>
void sorted_rows(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T* row = y + i * N;
    std::copy_n(x + i * N, N, row);
    for (int k = 1; k < N; ++k)
      for (int j = k; j > 0 && row[j] < row[j - 1]; --j) std::swap(row[j], row[j - 1]);
  }
}
template <class T, long A>
void sorted_pairs(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    const T a = x[2 * i], b = x[2 * i + 1];
    y[2 * i] = std::min(a, b);
    y[2 * i + 1] = std::max(a, b);
  }
}
template <long A>
void medians(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i + 2 < known<A>(n); ++i) {
    const float a = x[i], b = x[i + 1], c = x[i + 2];
    y[i] = std::max(std::min(a, b), std::min(std::max(a, b), c));
  }
}
template <long A>
void table(long n, const float* __restrict t, const u8* __restrict i, float* __restrict y) {
  for (long k = 0; k < known<A>(n); ++k) y[k] = t[i[k]];
}
void spread(long, const int* __restrict i, const float* __restrict x, float* __restrict y) {
  for (int k = 0; k < 16; ++k) y[k] = 0;
  for (int k = 0; k < 5; ++k) y[i[k]] += x[k];
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto predicted = [](auto p, auto f, auto q) { return matmul(matmul(f, p), f, transpose_b) + q; };
constexpr auto median = [](auto x) { return sort<0>(stack<0>(x(range_of<0, 3998>()), x(range_of<1, 3999>()), x(range_of<2, 4000>())))[1]; };
}  // namespace
#endif

ROWS(matrices){
    ROW((auto a, auto b), (matmul(a, b)), (products<float, 500, 2, 2, 2>), out<float, 500, 2, 2>(), in<float, 500, 2, 2>(),
        in<float, 500, 2, 2>()),
    ROW((auto a, auto b), (matmul(a, b)), (products<float, 0, 3, 3, 3>), out<float, dyn, 3, 3>({500}), in<float, dyn, 3, 3>({500}),
        in<float, dyn, 3, 3>({500})),
    ROW((auto a, auto b), (matmul(a, b)), (products<float, 500, 3, 4, 3, shares::left>), out<float, 500, 3, 3>(), in<float, 3, 4>(),
        in<float, 500, 4, 3>()),
    ROW((auto a, auto b), (matmul(a, b)), (products<double, 0, 2, 2, 2, shares::right>), out<double, dyn, 2, 2>({500}),
        in<double, dyn, 2, 2>({500}), in<double, 2, 2>()),
    ROW((auto a, auto b), (matmul(a, b)), (products<double, 500, 2, 3, 4>), out<double, 500, 2, 4>(), in<double, 500, 2, 3>(),
        in<double, 500, 3, 4>()),
    ROW((auto p, auto f, auto q), (predicted(p, f, q)), (predictions<float, 500, 2>), out<float, 500, 2, 2>(), in<float, 500, 2, 2>(),
        in<float, 2, 2>(), in<float, 2, 2>()),
    ROW((auto p, auto f, auto q), (predicted(p, f, q)), (predictions<double, 0, 2>), out<double, dyn, 2, 2>({500}),
        in<double, dyn, 2, 2>({500}), in<double, 2, 2>(), in<double, 2, 2>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (products<float, 2, 4, 4, 4>), out<float, 2, 4, 4>(), in<float, 2, 4, 4>(),
              in<float, 2, 4, 4>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (products<float, 3, 5, 6, 5>), out<float, 3, 5, 5>(), in<float, 3, 5, 6>(),
              in<float, 3, 6, 5>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (products<double, 0, 2, 2, 2>), out<double, dyn, 2, 2>({4}), in<double, dyn, 2, 2>({4}),
              in<double, dyn, 2, 2>({4})),
    ROW((auto x), (sort<1>(x)), (sorted_pairs<float, 1000>), out<float, 1000, 2>(), in<float, 1000, 2>()),
    ROW((auto x), (sort<1>(x)), (sorted_rows<float, 0, 3>), out<float, dyn, 3>({1000}), in<float, dyn, 3>({1000})),
    ROW((auto x), (sort<1>(x)), (sorted_rows<int, 1000, 5>), out<int, 1000, 5>(), in<int, 1000, 5>()),
    ROW((auto x), (sort<1>(x)), (sorted_rows<float, 0, 8>), out<float, dyn, 8>({1000}), in<float, dyn, 8>({1000})),
    ROW((auto x), (median(x)), (medians<4000>), out<float, 3998>(), in<float, 4000>()),
    SMALL_ROW((auto x), (sort<0>(x)), (sorted_rows<float, 1, 5>), out<float, 5>(), in<float, 5>()),
    SMALL_ROW((auto x), (sort<0>(x)), (sorted_rows<float, 1, 12>), out<float, 12>(), in<float, 12>()),
    ROW((auto t, auto i), (gather<0>(t, cast<int>(i))), (table<4000>), out<float, 4000>(), in<float, 256>(), in<u8, 4000>()),
    SMALL_ROW((auto i, auto x), (scatter_nd<16>(expand_dims<1>(i), x)), (spread), out<float, 16>(), positions<int, 5>(16), in<float, 5>()),
};

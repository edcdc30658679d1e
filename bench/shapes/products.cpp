// SPDX-License-Identifier: MIT
// Products of matrices, batches and einsum.

#include "row.hpp"

namespace loops {
namespace {

using bench::known;

template <class T, long M, long K, long N>
[[gnu::always_inline]] inline void multiply(const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < M; ++i) {
    T s[N] = {};
    for (long k = 0; k < K; ++k)
      for (long j = 0; j < N; ++j) s[j] += a[i * K + k] * b[k * N + j];
    for (long j = 0; j < N; ++j) y[i * N + j] = s[j];
  }
}
template <class T, long M, long K, long N>
void product(long, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  multiply<T, M, K, N>(a, b, y);
}
template <class T, long N>
void product_with_turned(long, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < N; ++j) {
      T s = 0;
      for (long k = 0; k < N; ++k) s += a[i * N + k] * b[j * N + k];
      y[i * N + j] = s;
    }
}
template <class T, long N>
void chain(long, const T* __restrict a, const T* __restrict b, const T* __restrict c, T* __restrict y) {
  T ab[N * N];
  multiply<T, N, N, N>(a, b, ab);
  multiply<T, N, N, N>(ab, c, y);
}
// kij, nkj -> nki
template <class T, long K, long I, long N>
void each_on_vectors(long, const T* __restrict a, const T* __restrict x, T* __restrict y) {
  for (long n = 0; n < N; ++n)
    for (long k = 0; k < K; ++k)
      for (long i = 0; i < I; ++i) {
        T s = 0;
        for (long j = 0; j < I; ++j) s += a[(k * I + i) * I + j] * x[(n * K + k) * I + j];
        y[(n * K + k) * I + i] = s;
      }
}
template <class T, long A, long N>
void batch(long n, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) multiply<T, N, N, N>(a + i * N * N, b + i * N * N, y + i * N * N);
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(products){
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 2, 2, 2>), out<double, 2, 2>(), in<double, 2, 2>(), in<double, 2, 2>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 3, 3, 3>), out<double, 3, 3>(), in<double, 3, 3>(), in<double, 3, 3>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 4, 4, 4>), out<double, 4, 4>(), in<double, 4, 4>(), in<double, 4, 4>()),
    SMALL_ROW((auto a, auto b), (matmul(a, transpose(b))), (product_with_turned<double, 3>), out<double, 3, 3>(), in<double, 3, 3>(), in<double, 3, 3>()),
    SMALL_ROW((auto a, auto b), (matmul(a, transpose(b))), (product_with_turned<double, 4>), out<double, 4, 4>(), in<double, 4, 4>(), in<double, 4, 4>()),
    SMALL_ROW((auto a, auto b, auto c), (matmul(matmul(a, b), c)), (chain<double, 3>), out<double, 3, 3>(), in<double, 3, 3>(), in<double, 3, 3>(), in<double, 3, 3>()),
    ROW((auto a, auto x), (einsum<"kij,nkj->nki">(a, x)), (each_on_vectors<double, 25, 10, 1000>), out<double, 1000, 25, 10>(), in<double, 25, 10, 10>(), in<double, 1000, 25, 10>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<float, 10000, 3>), out<float, 10000, 3, 3>(), in<float, 10000, 3, 3>(), in<float, 10000, 3, 3>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<float, 10000, 4>), out<float, 10000, 4, 4>(), in<float, 10000, 4, 4>(), in<float, 10000, 4, 4>()),
};

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

// Each matrix of a batch times its own vector.
template <class T, long A, long M, long N>
void batch_on_vectors(long n, const T* __restrict a, const T* __restrict x, T* __restrict y) {
  for (long b = 0; b < known<A>(n); ++b)
    for (long i = 0; i < M; ++i) {
      T s = 0;
      for (long j = 0; j < N; ++j) s += a[(b * M + i) * N + j] * x[b * N + j];
      y[b * M + i] = s;
    }
}
template <class T, long A, long N>
void outer_products(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long b = 0; b < known<A>(n); ++b)
    for (long i = 0; i < N; ++i)
      for (long j = 0; j < N; ++j) y[(b * N + i) * N + j] = p[b * N + i] * q[b * N + j];
}
template <class T, long A, long N>
void traces(long n, const T* __restrict a, T* __restrict y) {
  for (long b = 0; b < known<A>(n); ++b) {
    T s = 0;
    for (long i = 0; i < N; ++i) s += a[(b * N + i) * N + i];
    y[b] = s;
  }
}
// nd,kd -> nk
template <class T, long N, long K, long D>
void scores(long n, const T* __restrict x, const T* __restrict w, T* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i)
    for (long k = 0; k < K; ++k) {
      T s = 0;
      for (long d = 0; d < D; ++d) s += x[i * D + d] * w[k * D + d];
      y[i * K + k] = s;
    }
}
// bi,ij,bj -> b
template <class T, long A, long N>
void forms(long n, const T* __restrict x, const T* __restrict a, T* __restrict y) {
  for (long b = 0; b < known<A>(n); ++b) {
    T s = 0;
    for (long i = 0; i < N; ++i) {
      T t = 0;
      for (long j = 0; j < N; ++j) t += a[i * N + j] * x[b * N + j];
      s += t * x[b * N + i];
    }
    y[b] = s;
  }
}
template <class T, long A, long N>
void gram(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < N * N; ++i) y[i] = 0;
  for (long b = 0; b < known<A>(n); ++b)
    for (long i = 0; i < N; ++i)
      for (long j = 0; j < N; ++j) y[i * N + j] += x[b * N + i] * x[b * N + j];
}

// ijb,jkb -> ikb
template <class T, long N, long A>
void along_batch(long, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long k = 0; k < N; ++k) {
      T s[A] = {};
      for (long j = 0; j < N; ++j)
        for (long l = 0; l < A; ++l) s[l] += a[(i * N + j) * A + l] * b[(j * N + k) * A + l];
      for (long l = 0; l < A; ++l) y[(i * N + k) * A + l] = s[l];
    }
}
// abc,ca -> cb
template <class T, long A, long B, long C>
void batch_in_other_places(long, const T* __restrict x, const T* __restrict z, T* __restrict y) {
  for (long c = 0; c < C; ++c)
    for (long b = 0; b < B; ++b) {
      T s = 0;
      for (long a = 0; a < A; ++a) s += x[(a * B + b) * C + c] * z[c * A + a];
      y[c * B + b] = s;
    }
}
// ab,ba ->
template <class T, long A, long B>
void turned_dot(long, const T* __restrict x, const T* __restrict z, T* __restrict y) {
  T s = 0;
  for (long b = 0; b < B; ++b)
    for (long a = 0; a < A; ++a) s += x[a * B + b] * z[b * A + a];
  *y = s;
}
template <class T, long A, long N>
void batch_with_turned(long n, const T* __restrict a, const T* __restrict b, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) product_with_turned<T, N>(n, a + i * N * N, b + i * N * N, y + i * N * N);
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(products){
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 2, 2, 2>), out<double, 2, 2>(), in<double, 2, 2>(), in<double, 2, 2>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 3, 3, 3>), out<double, 3, 3>(), in<double, 3, 3>(), in<double, 3, 3>()),
    SMALL_ROW((auto a, auto b), (matmul(a, b)), (product<double, 4, 4, 4>), out<double, 4, 4>(), in<double, 4, 4>(), in<double, 4, 4>()),
    SMALL_ROW((auto a, auto b), (matmul(a, transpose(b))), (product_with_turned<double, 3>), out<double, 3, 3>(), in<double, 3, 3>(),
              in<double, 3, 3>()),
    SMALL_ROW((auto a, auto b), (matmul(a, transpose(b))), (product_with_turned<double, 4>), out<double, 4, 4>(), in<double, 4, 4>(),
              in<double, 4, 4>()),
    SMALL_ROW((auto a, auto b, auto c), (matmul(matmul(a, b), c)), (chain<double, 3>), out<double, 3, 3>(), in<double, 3, 3>(),
              in<double, 3, 3>(), in<double, 3, 3>()),
    ROW((auto a, auto x), (einsum<"kij,nkj->nki">(a, x)), (each_on_vectors<double, 25, 10, 1000>), out<double, 1000, 25, 10>(),
        in<double, 25, 10, 10>(), in<double, 1000, 25, 10>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<float, 10000, 3>), out<float, 10000, 3, 3>(), in<float, 10000, 3, 3>(),
        in<float, 10000, 3, 3>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<float, 10000, 4>), out<float, 10000, 4, 4>(), in<float, 10000, 4, 4>(),
        in<float, 10000, 4, 4>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<double, 5000, 2>), out<double, 5000, 2, 2>(), in<double, 5000, 2, 2>(),
        in<double, 5000, 2, 2>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<double, 2000, 3>), out<double, 2000, 3, 3>(), in<double, 2000, 3, 3>(),
        in<double, 2000, 3, 3>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<double, 500, 8>), out<double, 500, 8, 8>(), in<double, 500, 8, 8>(),
        in<double, 500, 8, 8>()),
    ROW((auto a, auto b), (matmul(a, b)), (batch<float, 0, 4>), out<float, dyn, 4, 4>({2000}), in<float, dyn, 4, 4>({2000}),
        in<float, dyn, 4, 4>({2000})),
    ROW((auto a, auto b), (matmul(a, b)), (batch<int, 500, 10>), out<int, 500, 10, 10>(), in<int, 500, 10, 10>(), in<int, 500, 10, 10>()),
    ROW((auto a, auto x), (einsum<"bij,bj->bi">(a, x)), (batch_on_vectors<float, 5000, 3, 3>), out<float, 5000, 3>(),
        in<float, 5000, 3, 3>(), in<float, 5000, 3>()),
    ROW((auto a, auto x), (einsum<"bij,bj->bi">(a, x)), (batch_on_vectors<double, 500, 10, 10>), out<double, 500, 10>(),
        in<double, 500, 10, 10>(), in<double, 500, 10>()),
    ROW((auto p, auto q), (einsum<"bi,bj->bij">(p, q)), (outer_products<float, 5000, 3>), out<float, 5000, 3, 3>(), in<float, 5000, 3>(),
        in<float, 5000, 3>()),
    ROW((auto p, auto q), (einsum<"bi,bj->bij">(p, q)), (outer_products<float, 500, 16>), out<float, 500, 16, 16>(), in<float, 500, 16>(),
        in<float, 500, 16>()),
    ROW((auto a), (einsum<"bii->b">(a)), (traces<float, 2000, 3>), out<float, 2000>(), in<float, 2000, 3, 3>()),
    ROW((auto x, auto w), (einsum<"nd,kd->nk">(x, w)), (scores<float, 2000, 10, 3>), out<float, 2000, 10>(), in<float, 2000, 3>(),
        in<float, 10, 3>()),
    ROW((auto x, auto w), (einsum<"nd,kd->nk">(x, w)), (scores<double, 500, 32, 16>), out<double, 500, 32>(), in<double, 500, 16>(),
        in<double, 32, 16>()),
    ROW((auto x, auto a), (einsum<"bi,ij,bj->b">(x, a, x)), (forms<float, 5000, 3>), out<float, 5000>(), in<float, 5000, 3>(),
        in<float, 3, 3>()),
    ROW((auto x), (einsum<"bi,bj->ij">(x, x)), (gram<float, 5000, 3>), out<float, 3, 3>(), in<float, 5000, 3>()),
    ROW((auto x), (einsum<"bi,bj->ij">(x, x)), (gram<double, 1000, 10>), out<double, 10, 10>(), in<double, 1000, 10>()),
    ROW((auto x), (einsum<"bi,bj->ij">(x, x)), (gram<double, 1000, 6>), out<double, 6, 6>(), in<double, 1000, 6>()),
    ROW((auto a, auto b), (einsum<"ijb,jkb->ikb">(a, b)), (along_batch<double, 4, 500>), out<double, 4, 4, 500>(), in<double, 4, 4, 500>(),
        in<double, 4, 4, 500>()),
    ROW((auto a, auto b), (einsum<"abc,ca->cb">(a, b)), (batch_in_other_places<float, 8, 8, 3000>), out<float, 3000, 8>(),
        in<float, 8, 8, 3000>(), in<float, 3000, 8>()),
    ROW((auto a, auto b), (einsum<"ab,ba->">(a, b)), (turned_dot<double, 500, 10>), out<double>(), in<double, 500, 10>(),
        in<double, 10, 500>()),
    ROW((auto a, auto b), (matmul(a, transpose<0, 2, 1>(b))), (batch_with_turned<float, 0, 4>), out<float, dyn, 4, 4>({2000}),
        in<float, dyn, 4, 4>({2000}), in<float, dyn, 4, 4>({2000})),
};

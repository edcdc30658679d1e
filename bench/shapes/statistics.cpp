// SPDX-License-Identifier: MIT
// Tables of samples: statistics of columns and rows, losses, neighbours.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::known;

template <class T, long R, long C>
void standardised(long n, const T* __restrict x, T* __restrict y) {
  const long rows = known<R>(n);
  T mean[C] = {}, square[C] = {};
  for (long i = 0; i < rows; ++i)
    for (long c = 0; c < C; ++c) mean[c] += x[i * C + c];
  for (long c = 0; c < C; ++c) mean[c] /= static_cast<T>(rows);
  for (long i = 0; i < rows; ++i)
    for (long c = 0; c < C; ++c) square[c] += (x[i * C + c] - mean[c]) * (x[i * C + c] - mean[c]);
  for (long c = 0; c < C; ++c) square[c] = 1 / std::sqrt(square[c] / static_cast<T>(rows));
  for (long i = 0; i < rows; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] = (x[i * C + c] - mean[c]) * square[c];
}
template <class T, long R, long C>
void covariance(long, const T* __restrict x, T* __restrict y) {
  T mean[C] = {};
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) mean[c] += x[i * C + c];
  for (long c = 0; c < C; ++c) mean[c] /= R;
  for (long c = 0; c < C * C; ++c) y[c] = 0;
  for (long i = 0; i < R; ++i)
    for (long a = 0; a < C; ++a)
      for (long b = 0; b < C; ++b) y[a * C + b] += (x[i * C + a] - mean[a]) * (x[i * C + b] - mean[b]);
  for (long c = 0; c < C * C; ++c) y[c] /= R - 1;
}
template <long R, long C>
void column_softmax(long, const float* __restrict x, float* __restrict y) {
  float top[C], sum[C] = {};
  for (long c = 0; c < C; ++c) top[c] = x[c];
  for (long i = 1; i < R; ++i)
    for (long c = 0; c < C; ++c) top[c] = std::fmax(top[c], x[i * C + c]);
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) sum[c] += y[i * C + c] = std::exp(x[i * C + c] - top[c]);
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] /= sum[c];
}
template <long R, long C>
void row_softmax(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<R>(n); ++i) {
    float top = x[i * C], sum = 0;
    for (long c = 1; c < C; ++c) top = std::fmax(top, x[i * C + c]);
    for (long c = 0; c < C; ++c) sum += y[i * C + c] = std::exp(x[i * C + c] - top);
    for (long c = 0; c < C; ++c) y[i * C + c] /= sum;
  }
}
template <long R, long C>
void sparse_loss(long n, const float* __restrict x, const int* __restrict label, float* __restrict y) {
  float all = 0;
  for (long i = 0; i < known<R>(n); ++i) {
    float top = x[i * C], sum = 0;
    for (long c = 1; c < C; ++c) top = std::fmax(top, x[i * C + c]);
    for (long c = 0; c < C; ++c) sum += std::exp(x[i * C + c] - top);
    all += std::log(sum) + top - x[i * C + label[i]];
  }
  *y = all / static_cast<float>(known<R>(n));
}
template <long R, long C>
void accuracy(long n, const float* __restrict x, const int* __restrict label, float* __restrict y) {
  long right = 0;
  for (long i = 0; i < known<R>(n); ++i) {
    long best = 0;
    for (long c = 1; c < C; ++c)
      if (x[i * C + c] > x[i * C + best]) best = c;
    right += best == label[i];
  }
  *y = static_cast<float>(right) / static_cast<float>(known<R>(n));
}
template <class T, long N, long M, long C>
void manhattan(long, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < M; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += std::abs(p[i * C + k] - q[j * C + k]);
      y[i * M + j] = s;
    }
}
template <long N, long M, long C>
void assigned(long n, const float* __restrict p, const float* __restrict q, std::int64_t* __restrict y) {
  for (long i = 0; i < known<N>(n); ++i) {
    float least = 1e30f;
    long best = 0;
    for (long j = 0; j < M; ++j) {
      float s = 0;
      for (long k = 0; k < C; ++k) s += (p[i * C + k] - q[j * C + k]) * (p[i * C + k] - q[j * C + k]);
      if (s < least) {
        least = s;
        best = j;
      }
    }
    y[i] = best;
  }
}
template <long N, long C>
void cosines(long, const float* __restrict p, const float* __restrict q, float* __restrict y) {
  for (long i = 0; i < N; ++i) {
    float a = 0, b = 0, c = 0;
    for (long k = 0; k < C; ++k) a += p[i * C + k] * q[i * C + k], b += p[i * C + k] * p[i * C + k], c += q[i * C + k] * q[i * C + k];
    y[i] = a / std::sqrt(b * c);
  }
}
template <long N>
void masked_mean(long n, const float* __restrict x, float* __restrict y) {
  float s = 0, m = 0;
  for (long i = 0; i < known<N>(n); ++i) {
    s += x[i] > 0 ? x[i] : 0;
    m += x[i] > 0 ? 1.f : 0.f;
  }
  *y = s / m;
}
template <long N>
void counted(long n, const float* __restrict x, int* __restrict y) {
  int s = 0;
  for (long i = 0; i < known<N>(n); ++i) s += x[i] > 0.5f;
  *y = s;
}
template <long R, long C>
void any_negative(long, const float* __restrict x, bool* __restrict y) {
  for (long i = 0; i < R; ++i) {
    bool a = false;
    for (long c = 0; c < C; ++c) a |= x[i * C + c] < -0.99f;
    y[i] = a;
  }
}
template <long N, long Places>
void histogram(long, const int* __restrict x, int* __restrict y) {
  for (long k = 0; k < Places; ++k) y[k] = 0;
  for (long i = 0; i < N; ++i) ++y[x[i]];
}
template <class T, long N, long Places>
void counts(long n, const T* __restrict x, int* __restrict y) {
  for (long k = 0; k < Places; ++k) y[k] = 0;
  for (long i = 0; i < known<N>(n); ++i) ++y[x[i]];
}
// Sums of the rows that have the same number.
template <long R, long C, long Places>
void segment_sums(long n, const float* __restrict x, const int* __restrict id, float* __restrict y) {
  for (long k = 0; k < Places * C; ++k) y[k] = 0;
  for (long i = 0; i < known<R>(n); ++i)
    for (long c = 0; c < C; ++c) y[id[i] * C + c] += x[i * C + c];
}
template <long N, long D>
void hot(long, const int* __restrict x, float* __restrict y) {
  for (long i = 0; i < N; ++i)
    for (long k = 0; k < D; ++k) y[i * D + k] = x[i] == k;
}
template <class T, long R, long C>
void weighted(long, const T* __restrict x, const T* __restrict w, T* __restrict y) {
  T sum = 0;
  for (long c = 0; c < C; ++c) y[c] = 0;
  for (long i = 0; i < R; ++i) {
    sum += w[i] + 2;
    for (long c = 0; c < C; ++c) y[c] += x[i * C + c] * (w[i] + 2);
  }
  for (long c = 0; c < C; ++c) y[c] /= sum;
}
template <long N>
void correlation(long n, const double* __restrict a, const double* __restrict b, double* __restrict y) {
  double x = 0, z = 0, xx = 0, zz = 0, xz = 0;
  const long count = known<N>(n);
  for (long i = 0; i < count; ++i) x += a[i], z += b[i];
  x /= static_cast<double>(count), z /= static_cast<double>(count);
  for (long i = 0; i < count; ++i) xx += (a[i] - x) * (a[i] - x), zz += (b[i] - z) * (b[i] - z), xz += (a[i] - x) * (b[i] - z);
  *y = xz / std::sqrt(xx * zz);
}
template <long R, long C>
void rank_one(long, const float* __restrict x, const float* __restrict u, const float* __restrict v, float* __restrict y) {
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] = x[i * C + c] - u[i] * v[c];
}
template <long R, long C>
void picked_rows(long, const float* __restrict x, const int* __restrict at, float* __restrict y) {
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) y[i * C + c] = x[at[i] * C + c];
}
template <long R, long C>
void picked_elements(long, const float* __restrict x, const int* __restrict at, float* __restrict y) {
  for (long i = 0; i < R; ++i) y[i] = x[i * C + at[i]];
}
template <long N>
void ridge(long n, const float* __restrict x, float* __restrict y) {
  float s = 0, t = 0;
  for (long i = 0; i < known<N>(n); ++i) s += x[i] * x[i], t += std::abs(x[i]);
  *y = 0.01f * s + 0.1f * t;
}
template <long R, long C>
void log_sums(long, const float* __restrict x, float* __restrict y) {
  float top[C], sum[C] = {};
  for (long c = 0; c < C; ++c) top[c] = x[c];
  for (long i = 1; i < R; ++i)
    for (long c = 0; c < C; ++c) top[c] = std::fmax(top[c], x[i * C + c]);
  for (long i = 0; i < R; ++i)
    for (long c = 0; c < C; ++c) sum[c] += std::exp(x[i * C + c] - top[c]);
  for (long c = 0; c < C; ++c) y[c] = std::log(sum[c]) + top[c];
}

}  // namespace
}  // namespace loops

#ifndef JIG_BENCH_LOOPS

namespace {

constexpr auto standard(auto x) {
  auto d = x - reduce_mean<0>(x);
  return d / sqrt(reduce_mean<0>(d * d));
}
constexpr auto covariances(auto x) {
  auto d = x - reduce_mean<0>(x);
  return matmul(d, d, transpose_a) / cast<typename decltype(d)::value_type>(extent<0>(d) - 1);
}
constexpr auto pearson(auto a, auto b) {
  auto x = a - reduce_mean(a), z = b - reduce_mean(b);
  return reduce_sum(x * z) / sqrt(reduce_sum(x * x) * reduce_sum(z * z));
}
template <jig::index D>
constexpr auto loss_by_one_hot(auto x, auto label) {
  return -reduce_mean(reduce_sum<1>(log_softmax<1>(x) * one_hot<D>(label)));
}

}  // namespace

#endif

using namespace loops;

ROWS(statistics){
    ROW((auto x), (standard(x)), (standardised<float, 10000, 8>), out<float, 10000, 8>(), in<float, 10000, 8>()),
    ROW((auto x), (standard(x)), (standardised<float, 0, 8>), out<float, dyn, 8>({10000}), in<float, dyn, 8>({10000})),
    ROW((auto x), (standard(x)), (standardised<double, 1000, 30>), out<double, 1000, 30>(), in<double, 1000, 30>()),
    ROW((auto x), (standard(x)), (standardised<float, 1000, 256>), out<float, 1000, 256>(), in<float, 1000, 256>()),
    ROW((auto x), ((x - reduce_mean<0>(x)) / reduce_std<0>(x)), (standardised<double, 1000, 30>), out<double, 1000, 30>(),
        in<double, 1000, 30>()),
    ROW((auto x), (covariances(x)), (covariance<double, 1000, 13>), out<double, 13, 13>(), in<double, 1000, 13>()),
    ROW((auto x), (covariances(x)), (covariance<float, 10000, 3>), out<float, 3, 3>(), in<float, 10000, 3>()),
    ROW((auto x), (softmax<0>(x)), (column_softmax<1000, 10>), out<float, 1000, 10>(), in<float, 1000, 10>()),
    ROW((auto x), (softmax<1>(x)), (row_softmax<1000, 10>), out<float, 1000, 10>(), in<float, 1000, 10>()),
    ROW((auto x), (softmax<1>(x)), (row_softmax<0, 5>), out<float, dyn, 5>({1000}), in<float, dyn, 5>({1000})),
    ROW((auto x), (softmax<1>(x)), (row_softmax<0, 100>), out<float, dyn, 100>({1000}), in<float, dyn, 100>({1000})),
    ROW((auto x, auto l), (loss_by_one_hot<10>(x, l)), (sparse_loss<1000, 10>), out<float>(), in<float, 1000, 10>(),
        positions<int, 1000>(10)),
    ROW((auto x, auto l), (loss_by_one_hot<10>(x, l)), (sparse_loss<0, 10>), out<float>(), in<float, dyn, 10>({1000}),
        positions<int, 1000>(10)),
    ROW((auto x, auto l), (loss_by_one_hot<16>(x, l)), (sparse_loss<1000, 16>), out<float>(), in<float, 1000, 16>(),
        positions<int, 1000>(16)),
    ROW((auto x, auto l), (-reduce_sum(one_hot<16>(l) * log_softmax<1>(x)) / 1000), (sparse_loss<1000, 16>), out<float>(),
        in<float, 1000, 16>(), positions<int, 1000>(16)),
    ROW((auto x, auto l), (-reduce_sum(one_hot<32>(l) * log_softmax<1>(x)) / 1000), (sparse_loss<1000, 32>), out<float>(),
        in<float, 1000, 32>(), positions<int, 1000>(32)),
    ROW((auto x, auto l), (loss_by_one_hot<100>(x, l)), (sparse_loss<128, 100>), out<float>(), in<float, 128, 100>(),
        positions<int, 128>(100)),
    ROW((auto x, auto l), (reduce_mean(cast<float>(argmax<1>(x) == cast<std::int64_t>(l)))), (accuracy<1000, 10>), out<float>(),
        in<float, 1000, 10>(), positions<int, 1000>(10)),
    ROW((auto x, auto l), (reduce_mean(cast<float>(argmax<1>(x) == cast<std::int64_t>(l)))), (accuracy<200, 100>), out<float>(),
        in<float, 200, 100>(), positions<int, 200>(100)),
    ROW((auto p, auto q), (reduce_sum<2>(abs(expand_dims<1>(p) - q))), (manhattan<float, 300, 200, 3>), out<float, 300, 200>(),
        in<float, 300, 3>(), in<float, 200, 3>()),
    ROW((auto p, auto q), (reduce_sum<2>(abs(expand_dims<1>(p) - q))), (manhattan<double, 300, 200, 16>), out<double, 300, 200>(),
        in<double, 300, 16>(), in<double, 200, 16>()),
    ROW((auto p, auto q), (reduce_sum<2>(abs(expand_dims<1>(p) - expand_dims<0>(q)))), (manhattan<float, 100, 100, 784>),
        out<float, 100, 100>(), in<float, 100, 784>(), in<float, 100, 784>()),
    ROW((auto p, auto q), (argmin<1>(reduce_sum<2>(square(expand_dims<1>(p) - q)))), (assigned<5000, 8, 2>), out<std::int64_t, 5000>(),
        in<float, 5000, 2>(), in<float, 8, 2>()),
    ROW((auto p, auto q), (argmin<1>(reduce_sum<2>(square(expand_dims<1>(p) - q)))), (assigned<0, 10, 4>), out<std::int64_t, dyn>({3000}),
        in<float, dyn, 4>({3000}), in<float, 10, 4>()),
    ROW((auto p, auto q), (argmin<1>(reduce_sum<1>(square(q)) - 2 * matmul(p, q, transpose_b))), (assigned<1000, 20, 32>),
        out<std::int64_t, 1000>(), in<float, 1000, 32>(), in<float, 20, 32>()),
    ROW((auto p, auto q), (reduce_sum<1>(p * q) / sqrt(reduce_sum<1>(p * p) * reduce_sum<1>(q * q))), (cosines<2000, 50>),
        out<float, 2000>(), in<float, 2000, 50>(), in<float, 2000, 50>()),
    ROW((auto x), (reduce_sum(where(x > 0, x, 0)) / reduce_sum(cast<float>(x > 0))), (masked_mean<100000>), out<float>(),
        in<float, 100000>()),
    ROW((auto x), (reduce_sum(where(x > 0, x, 0)) / reduce_sum(cast<float>(x > 0))), (masked_mean<0>), out<float>(),
        in<float, dyn>({100000})),
    ROW((auto x), (reduce_sum(cast<int>(x > 0.5f))), (counted<100000>), out<int>(), in<float, 100000>()),
    ROW((auto x), (reduce_any<1>(x < -0.99f)), (any_negative<1000, 100>), out<bool, 1000>(), in<float, 1000, 100>()),
    ROW((auto x), (reduce_sum<0>(one_hot<16, int>(x))), (histogram<10000, 16>), out<int, 16>(), positions<int, 10000>(16)),
    ROW((auto x), (reduce_sum<0>(one_hot<256, int>(x))), (histogram<10000, 256>), out<int, 256>(), positions<int, 10000>(256)),
    ROW((auto x), (tensor_scatter_add(zeros<int, 256>(), expand_dims<1>(x), ones_like(x))), (histogram<10000, 256>), out<int, 256>(),
        positions<int, 10000>(256)),
    ROW((auto x), (bincount<256>(x)), (histogram<10000, 256>), out<int, 256>(), positions<int, 10000>(256)),
    ROW((auto x), (bincount<10>(x)), (histogram<1000000, 10>), out<int, 10>(), positions<int, 1000000>(10)),
    ROW((auto x), (bincount<5000>(x)), (histogram<1000000, 5000>), out<int, 5000>(), positions<int, 1000000>(5000)),
    ROW((auto x), (bincount<256>(x)), (counts<bench::u8, 307200, 256>), out<int, 256>(), positions<bench::u8, 307200>(256)),
    ROW((auto x), (bincount<256>(x)), (counts<bench::u8, 0, 256>), out<int, 256>(), positions<bench::u8, dyn>(256, {307200})),
    ROW((auto x, auto i), (unsorted_segment_sum<1000>(x, i)), (segment_sums<100000, 1, 1000>), out<float, 1000, 1>(),
        in<float, 100000, 1>(), positions<int, 100000>(1000)),
    ROW((auto x, auto i), (unsorted_segment_sum<10>(x, i)), (segment_sums<100000, 3, 10>), out<float, 10, 3>(), in<float, 100000, 3>(),
        positions<int, 100000>(10)),
    ROW((auto x, auto i), (unsorted_segment_sum<1000>(x, i)), (segment_sums<0, 16, 1000>), out<float, 1000, 16>(),
        in<float, dyn, 16>({100000}), positions<int, dyn>(1000, {100000})),
    ROW((auto x, auto i), (unsorted_segment_sum<1000>(x, i)), (segment_sums<10000, 100, 1000>), out<float, 1000, 100>(),
        in<float, 10000, 100>(), positions<int, 10000>(1000)),
    ROW((auto x), (one_hot<10>(x)), (hot<1000, 10>), out<float, 1000, 10>(), positions<int, 1000>(10)),
    ROW((auto x), (cast<float>(expand_dims<1>(x) == iota<int, 10>())), (hot<1000, 10>), out<float, 1000, 10>(), positions<int, 1000>(10)),
    ROW((auto x, auto w), (reduce_sum<0>(x * expand_dims<1>(w + 2)) / reduce_sum(w + 2)), (weighted<double, 5000, 6>), out<double, 6>(),
        in<double, 5000, 6>(), in<double, 5000>()),
    ROW((auto x, auto w), (reduce_sum<0>(x * expand_dims<1>(w + 2)) / reduce_sum(w + 2)), (weighted<float, 1000, 200>), out<float, 200>(),
        in<float, 1000, 200>(), in<float, 1000>()),
    ROW((auto a, auto b), (pearson(a, b)), (correlation<10000>), out<double>(), in<double, 10000>(), in<double, 10000>()),
    ROW((auto a, auto b), (pearson(a, b)), (correlation<0>), out<double>(), in<double, dyn>({10000}), in<double, dyn>({10000})),
    ROW((auto x, auto u, auto v), (x - outer(u, v)), (rank_one<300, 300>), out<float, 300, 300>(), in<float, 300, 300>(), in<float, 300>(),
        in<float, 300>()),
    ROW((auto x, auto l), (gather(x, l)), (picked_rows<1000, 32>), out<float, 1000, 32>(), in<float, 1000, 32>(),
        positions<int, 1000>(1000)),
    ROW((auto x, auto l), (gather(x, l)), (picked_rows<1000, 3>), out<float, 1000, 3>(), in<float, 1000, 3>(), positions<int, 1000>(1000)),
    ROW((auto x, auto l), (reduce_sum<1>(x * one_hot<10>(l))), (picked_elements<1000, 10>), out<float, 1000>(), in<float, 1000, 10>(),
        positions<int, 1000>(10)),
    ROW((auto x), (0.01f * reduce_sum(square(x)) + 0.1f * reduce_sum(abs(x))), (ridge<10000>), out<float>(), in<float, 10000>()),
    ROW((auto x), (reduce_logsumexp<0>(x)), (log_sums<1000, 10>), out<float, 10>(), in<float, 1000, 10>()),
};

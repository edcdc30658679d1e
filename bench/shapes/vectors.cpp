// SPDX-License-Identifier: MIT
// Products of short rows with a vector, sums of rows of bytes, and slices side by side.

#include "row.hpp"

#include <cstdint>

namespace loops {
namespace {

// Of R rows, or as many as the call tells.
template <class T, long R, long K>
void by_vector(long n, const T* __restrict x, const T* __restrict v, T* __restrict y) {
  for (long i = 0; i < (R > 0 ? R : n); ++i) {
    T t = 0;
    for (long k = 0; k < K; ++k) t += x[i * K + k] * v[k];
    y[i] = t;
  }
}
template <class T, long R, long K>
void from_vector(long n, const T* __restrict v, const T* __restrict x, T* __restrict y) {
  by_vector<T, R, K>(n, x, v, y);
}
template <class T, long C, long K>
void of_columns(long, const T* __restrict x, const T* __restrict v, T* __restrict y) {
  for (long c = 0; c < C; ++c) y[c] = 0;
  for (long k = 0; k < K; ++k)
    for (long c = 0; c < C; ++c) y[c] += x[k * C + c] * v[k];
}
template <long R, long C>
void sums_of_bytes(long, const std::uint8_t* __restrict x, int* __restrict y) {
  for (long i = 0; i < R; ++i) {
    int t = 0;
    for (long c = 0; c < C; ++c) t += x[i * C + c];
    y[i] = t;
  }
}
template <long R, long C>
void most_of_bytes(long, const std::uint8_t* __restrict x, std::uint8_t* __restrict y) {
  for (long i = 0; i < R; ++i) {
    std::uint8_t t = 0;
    for (long c = 0; c < C; ++c) t = x[i * C + c] > t ? x[i * C + c] : t;
    y[i] = t;
  }
}
// The last and the first of three rows of W numbers.
template <class T, long R, long W>
void two_of_three(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < (R > 0 ? R : n); ++i)
    for (long c = 0; c < W; ++c) {
      y[2 * i * W + c] = x[(3 * i + 2) * W + c];
      y[(2 * i + 1) * W + c] = x[3 * i * W + c];
    }
}
template <long C>
void less_sums(long n, const float* __restrict x, float* __restrict y) {
  for (long i = 0; i < n; ++i) {
    float t = 0;
    for (long c = 0; c < C; ++c) t += x[i * C + c];
    for (long c = 0; c < C; ++c) y[i * C + c] = x[i * C + c] - t;
  }
}
template <long C>
void sums_of_columns(long n, const float* __restrict x, float* __restrict y) {
  for (long c = 0; c < C; ++c) y[c] = 0;
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < C; ++c) y[c] += x[i * C + c];
}
template <class T>
void cut(long n, const T* __restrict x, int* __restrict y) {
  for (long i = 0; i < n; ++i) y[i] = static_cast<int>(x[i] * T(100));
}

}  // namespace
}  // namespace loops

using namespace loops;
using u8 = std::uint8_t;

ROWS(vectors){
    SMALL_ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 2>), out<float, dyn>({16}), in<float, dyn, 2>({16}), in<float, 2>()),
    SMALL_ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 4>), out<float, dyn>({16}), in<float, dyn, 4>({16}), in<float, 4>()),
    SMALL_ROW((auto x, auto v), (matmul(x, v)), (by_vector<double, 0, 4>), out<double, dyn>({16}), in<double, dyn, 4>({16}),
              in<double, 4>()),
    SMALL_ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 32>), out<float, dyn>({16}), in<float, dyn, 32>({16}),
              in<float, 32>()),
    SMALL_ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 16, 8>), out<float, 16>(), in<float, 16, 8>(), in<float, 8>()),
    ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 4>), out<float, dyn>({1000}), in<float, dyn, 4>({1000}), in<float, 4>()),
    ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 8>), out<float, dyn>({1000}), in<float, dyn, 8>({1000}), in<float, 8>()),
    ROW((auto x, auto v), (matmul(x, v)), (by_vector<double, 0, 6>), out<double, dyn>({1000}), in<double, dyn, 6>({1000}), in<double, 6>()),
    ROW((auto x, auto v), (matmul(x, v)), (by_vector<double, 0, 16>), out<double, dyn>({1000}), in<double, dyn, 16>({1000}),
        in<double, 16>()),
    ROW((auto x, auto v), (matmul(x, v)), (by_vector<float, 0, 48>), out<float, dyn>({1000}), in<float, dyn, 48>({1000}), in<float, 48>()),
    ROW((auto v, auto x), (matmul(v, transpose(x))), (from_vector<float, 200, 3>), out<float, 200>(), in<float, 3>(), in<float, 200, 3>()),
    ROW((auto x, auto v), (matmul(transpose(x), v)), (of_columns<float, 200, 3>), out<float, 200>(), in<float, 3, 200>(), in<float, 3>()),
    ROW((auto x), (reduce_sum<1>(cast<int>(x))), (sums_of_bytes<781, 25>), out<int, 781>(), in<u8, 781, 25>()),
    ROW((auto x), (reduce_sum<1>(cast<int>(x))), (sums_of_bytes<781, 64>), out<int, 781>(), in<u8, 781, 64>()),
    ROW((auto x), (reduce_sum<1>(cast<int>(x))), (sums_of_bytes<781, 200>), out<int, 781>(), in<u8, 781, 200>()),
    ROW((auto x), (reduce_max<1>(x)), (most_of_bytes<781, 64>), out<u8, 781>(), in<u8, 781, 64>()),
    ROW((auto x), (reduce_max<1>(x)), (most_of_bytes<781, 128>), out<u8, 781>(), in<u8, 781, 128>()),
    SMALL_ROW((auto x), (stack<1>(x(all, 2, all), x(all, 0, all))), (two_of_three<int, 20, 16>), out<int, 20, 2, 16>(),
              in<int, 20, 3, 16>()),
    SMALL_ROW((auto x), (stack<1>(x(all, 2, all), x(all, 0, all))), (two_of_three<int, 0, 16>), out<int, dyn, 2, 16>({20}),
              in<int, dyn, 3, 16>({20})),
    SMALL_ROW((auto x), (stack<1>(x(all, 2, all), x(all, 0, all))), (two_of_three<float, 0, 3>), out<float, dyn, 2, 3>({18}),
              in<float, dyn, 3, 3>({18})),
    SMALL_ROW((auto x), (x - reduce_sum<1>(x, keepdims)), (less_sums<2>), out<float, dyn, 2>({32}), in<float, dyn, 2>({32})),
    SMALL_ROW((auto x), (x - reduce_sum<1>(x, keepdims)), (less_sums<10>), out<float, dyn, 10>({12}), in<float, dyn, 10>({12})),
    SMALL_ROW((auto x), (reduce_sum<0>(x)), (sums_of_columns<3>), out<float, 3>(), in<float, dyn, 3>({12})),
    SMALL_ROW((auto x), (reduce_sum<0>(x)), (sums_of_columns<16>), out<float, 16>(), in<float, dyn, 16>({12})),
    ROW((auto x), (cast<int>(x * 100)), (cut<float>), out<int, 1000>(), in<float, 1000>()),
    ROW((auto x), (cast<int>(x * 100)), (cut<double>), out<int, 1000>(), in<double, 1000>()),
};

// SPDX-License-Identifier: MIT
// What moves elements: transposes, reversed and strided parts, joined tensors, and operands that are broadcast.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

template <class T, long A, long B, long C>
void turned_plus_one(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k)
      for (long j = 0; j < B; ++j) y[(i * C + k) * B + j] = x[(i * B + j) * C + k] + 1;
}
template <class T, long A, long C>
void reversed(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + C - 1 - k];
}
template <class T, long A>
void paired(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    y[2 * i] = p[i];
    y[2 * i + 1] = q[i];
  }
}
template <class T, long A, long B, long C>
void both_computed(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    for (long k = 0; k < B; ++k) y[i * (B + C) + k] = p[i * B + k] + 1;
    for (long k = 0; k < C; ++k) y[i * (B + C) + B + k] = 2 * q[i * C + k];
  }
}
// Halves of rows turned by angles of their own.
template <long A, long B>
void rotary(long n, const float* __restrict x, const float* __restrict c, const float* __restrict s, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < B; ++k) {
      const float p = x[i * 2 * B + k], q = x[i * 2 * B + B + k];
      y[i * 2 * B + k] = p * c[i * B + k] - q * s[i * B + k];
      y[i * 2 * B + B + k] = p * s[i * B + k] + q * c[i * B + k];
    }
}
template <class T, long A, long B, long C>
void joined(long n, const T* __restrict p, const T* __restrict q, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    for (long k = 0; k < B; ++k) y[i * (B + C) + k] = p[i * B + k];
    for (long k = 0; k < C; ++k) y[i * (B + C) + B + k] = 2 * q[i * C + k];
  }
}
template <class T, long A, long C>
void every_second(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n) / 2; ++i)
    for (long k = 0; k < C / 2; ++k) y[i * (C / 2) + k] = x[2 * i * C + 2 * k];
}

template <class T, long A, long C>
void transposed(long n, const T* __restrict x, T* __restrict y) {
  const long rows = known<A>(n);
  for (long k = 0; k < C; ++k)
    for (long i = 0; i < rows; ++i) y[k * rows + i] = x[i * C + k];
}
// Planes of channels to channels in each place, and back.
template <class T, long Channels, long Places>
void interleaved(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < Places; ++i)
    for (long k = 0; k < Channels; ++k) y[i * Channels + k] = x[k * Places + i];
}
template <class T, long Places, long Channels>
void planes(long, const T* __restrict x, T* __restrict y) {
  for (long k = 0; k < Channels; ++k)
    for (long i = 0; i < Places; ++i) y[k * Places + i] = x[i * Channels + k];
}
template <class T, long A, long B, long C>
void swapped(long n, const T* __restrict x, T* __restrict y) {
  const long rows = known<A>(n);
  for (long j = 0; j < B; ++j)
    for (long i = 0; i < rows; ++i)
      for (long k = 0; k < C; ++k) y[(j * rows + i) * C + k] = x[(i * B + j) * C + k];
}
template <class T, long A, long C>
void reversed_rows(long n, const T* __restrict x, T* __restrict y) {
  const long rows = known<A>(n);
  for (long i = 0; i < rows; ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[(rows - 1 - i) * C + k];
}
template <class T, long A, long C>
void every_third_row(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; 3 * i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[3 * i * C + k];
}
template <class T, long A, long C>
void inside(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 1; i < known<A>(n) - 1; ++i)
    for (long k = 1; k < C - 1; ++k) y[(i - 1) * (C - 2) + k - 1] = x[i * C + k];
}
template <class T, long A, long C, long K>
void component_of(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = x[i * C + K];
}
template <class T, long A>
void with_ones(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    for (long k = 0; k < 3; ++k) y[4 * i + k] = x[3 * i + k];
    y[4 * i + 3] = 1;
  }
}
template <class T, long A>
void three_piled(long n, const T* __restrict p, const T* __restrict q, const T* __restrict r, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[3 * i] = p[i], y[3 * i + 1] = q[i], y[3 * i + 2] = r[i];
}
template <class T, long A, long C>
void padded(long n, const T* __restrict x, T* __restrict y) {
  const long rows = known<A>(n);
  for (long i = 0; i < (rows + 2) * (C + 2); ++i) y[i] = 0;
  for (long i = 0; i < rows; ++i)
    for (long k = 0; k < C; ++k) y[(i + 1) * (C + 2) + k + 1] = x[i * C + k];
}
template <class T, long A, long C, long Rows>
void tiled(long, const T* __restrict x, T* __restrict y) {
  for (long r = 0; r < Rows; ++r)
    for (long i = 0; i < A * C; ++i) y[r * A * C + i] = x[i];
}
template <class T, long A, long B, long I, long J>
void tiled_both(long, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < I; ++i)
    for (long a = 0; a < A; ++a)
      for (long j = 0; j < J; ++j)
        for (long b = 0; b < B; ++b) y[((i * A + a) * J + j) * B + b] = x[a * B + b];
}
template <class T, long A, long C>
void picked_rows(long, const T* __restrict x, const int* __restrict which, T* __restrict y) {
  for (long i = 0; i < A; ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[which[i] * C + k];
}
template <class T, long A, long C, long D>
void picked_columns(long n, const T* __restrict x, const int* __restrict which, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < D; ++k) y[i * D + k] = x[i * C + which[k]];
}
template <long A, long D>
void classes(long n, const int* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < D; ++k) y[i * D + k] = x[i] == k ? 1.0f : 0.0f;
}
template <class T, long A, long C>
void plus_transposed(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] + x[k * C + i];
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
template <int N>
constexpr auto rotated(auto x, auto c, auto s) {
  const auto p = strided_slice<all, range_of(0, N)>(x), q = strided_slice<all, range_of(N, 2 * N)>(x);
  return concat<1>(p * c - q * s, p * s + q * c);
}
#endif

ROWS(layout){
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<float, 8, 8, 4096>), out<float, 8, 4096, 8>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<float, 4096, 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reverse<1>(x)), (reversed<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x, auto y), (stack<2>(x, y)), (paired<float, 256 * 256>), out<float, 256, 256, 2>(), in<float, 256, 256>(),
        in<float, 256, 256>()),
    ROW((auto x, auto y), (concat<1>(x, 2 * y)), (joined<float, 256, 256, 256>), out<float, 256, 512>(), in<float, 256, 256>(),
        in<float, 256, 256>()),
    ROW((auto x), (strided_slice<range_of(0, 256, 2), range_of(0, 256, 2)>(x)), (every_second<float, 256, 256>), out<float, 128, 128>(),
        in<float, 256, 256>()),
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<double, 500, 5, 10>), out<double, 500, 10, 5>(), in<double, 500, 5, 10>()),
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<float, 0, 4, 3>), out<float, dyn, 3, 4>({4000}),
        in<float, dyn, 4, 3>({4000})),
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<u8, 4, 64, 64>), out<u8, 4, 64, 64>(), in<u8, 4, 64, 64>()),
    ROW((auto x), (transpose(x)), (transposed<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x), (transpose(x)), (transposed<double, 100, 100>), out<double, 100, 100>(), in<double, 100, 100>()),
    ROW((auto x), (transpose(x)), (transposed<float, 20000, 3>), out<float, 3, 20000>(), in<float, 20000, 3>()),
    ROW((auto x), (transpose(x)), (interleaved<float, 3, 20000>), out<float, 20000, 3>(), in<float, 3, 20000>()),
    ROW((auto x), (transpose(x)), (transposed<float, 0, 4>), out<float, 4, dyn>({20000}), in<float, dyn, 4>({20000})),
    ROW((auto x), (transpose(x)), (transposed<int, 1000, 10>), out<int, 10, 1000>(), in<int, 1000, 10>()),
    ROW((auto x), (x + transpose(x)), (plus_transposed<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x), (transpose<2, 0, 1>(x)), (planes<u8, 128 * 128, 3>), out<u8, 3, 128, 128>(), in<u8, 128, 128, 3>()),
    ROW((auto x), (transpose<1, 2, 0>(x)), (interleaved<u8, 3, 128 * 128>), out<u8, 128, 128, 3>(), in<u8, 3, 128, 128>()),
    ROW((auto x), (transpose<1, 0, 2>(x)), (swapped<float, 100, 100, 3>), out<float, 100, 100, 3>(), in<float, 100, 100, 3>()),
    ROW((auto x), (transpose<1, 0, 2>(x)), (swapped<float, 30, 50, 64>), out<float, 50, 30, 64>(), in<float, 30, 50, 64>()),
    ROW((auto x), (reverse<0>(x)), (reversed<float, 1, 10000>), out<float, 10000>(), in<float, 10000>()),
    ROW((auto x), (reverse<1>(x)), (reversed<float, 10000, 4>), out<float, 10000, 4>(), in<float, 10000, 4>()),
    ROW((auto x), (reverse<1>(x)), (reversed<u8, 10000, 3>), out<u8, 10000, 3>(), in<u8, 10000, 3>()),
    ROW((auto x), (reverse<1>(x)), (reversed<double, 0, 64>), out<double, dyn, 64>({500}), in<double, dyn, 64>({500})),
    ROW((auto x), (reverse<0>(x)), (reversed_rows<float, 10000, 3>), out<float, 10000, 3>(), in<float, 10000, 3>()),
    ROW((auto x), (strided_slice<range_of(0, 3000, 3)>(x)), (every_third_row<float, 3000, 16>), out<float, 1000, 16>(),
        in<float, 3000, 16>()),
    ROW((auto x), (strided_slice<range_of(1, 255), range_of(1, 255)>(x)), (inside<float, 256, 256>), out<float, 254, 254>(),
        in<float, 256, 256>()),
    ROW((auto x), (strided_slice<all, 1>(x)), (component_of<float, 20000, 3, 1>), out<float, 20000>(), in<float, 20000, 3>()),
    ROW((auto x), (strided_slice<all, 2>(x)), (component_of<double, 0, 4, 2>), out<double, dyn>({10000}), in<double, dyn, 4>({10000})),
    ROW((auto x), (strided_slice<all, 0>(x)), (component_of<u8, 50000, 3, 0>), out<u8, 50000>(), in<u8, 50000, 3>()),
    ROW((auto x), (concat<1>(x, ones<float, 10000, 1>())), (with_ones<float, 10000>), out<float, 10000, 4>(), in<float, 10000, 3>()),
    ROW((auto x, auto y), (concat<0>(x, 2 * y)), (joined<float, 1, 10000, 5000>), out<float, 15000>(), in<float, 10000>(),
        in<float, 5000>()),
    ROW((auto x, auto y), (concat<1>(x + 1, 2 * y)), (both_computed<float, 1000, 8, 8>), out<float, 1000, 16>(), in<float, 1000, 8>(),
        in<float, 1000, 8>()),
    ROW((auto x, auto y), (concat<1>(x + 1, 2 * y)), (both_computed<float, 1000, 17, 17>), out<float, 1000, 34>(), in<float, 1000, 17>(),
        in<float, 1000, 17>()),
    ROW((auto x, auto y), (concat<1>(x + 1, 2 * y)), (both_computed<double, 500, 20, 12>), out<double, 500, 32>(), in<double, 500, 20>(),
        in<double, 500, 12>()),
    ROW((auto x, auto y), (concat<1>(x + 1, 2 * y)), (both_computed<float, 0, 100, 28>), out<float, dyn, 128>({500}),
        in<float, dyn, 100>({500}), in<float, dyn, 28>({500})),
    ROW((auto x, auto y), (stack<1>(x + 1, 2 * y)), (both_computed<float, 500, 40, 40>), out<float, 500, 2, 40>(), in<float, 500, 40>(),
        in<float, 500, 40>()),
    ROW((auto x, auto c, auto s), (rotated<32>(x, c, s)), (rotary<128, 32>), out<float, 128, 64>(), in<float, 128, 64>(),
        in<float, 128, 32>(), in<float, 128, 32>()),
    ROW((auto x, auto y), (concat<1>(x, 2 * y)), (joined<double, 5000, 3, 2>), out<double, 5000, 5>(), in<double, 5000, 3>(),
        in<double, 5000, 2>()),
    ROW((auto x, auto y), (stack<1>(x, y)), (paired<double, 10000>), out<double, 10000, 2>(), in<double, 10000>(), in<double, 10000>()),
    ROW((auto x, auto y, auto z), (stack<1>(x, y, z)), (three_piled<float, 10000>), out<float, 10000, 3>(), in<float, 10000>(),
        in<float, 10000>(), in<float, 10000>()),
    ROW((auto x), (pad<1, 1, 1, 1>(x)), (padded<float, 254, 254>), out<float, 256, 256>(), in<float, 254, 254>()),
    ROW((auto x), (pad<1, 1, 1, 1>(x)), (padded<float, 2000, 6>), out<float, 2002, 8>(), in<float, 2000, 6>()),
    ROW((auto x), (tile<8, 1>(x)), (tiled<float, 100, 30, 8>), out<float, 800, 30>(), in<float, 100, 30>()),
    ROW((auto x), (tile<2, 2>(x)), (tiled_both<double, 2000, 14, 2, 2>), out<double, 4000, 28>(), in<double, 2000, 14>()),
    ROW((auto x), (pad<1, 1, 1, 1>(x)), (padded<u8, 3000, 5>), out<u8, 3002, 7>(), in<u8, 3000, 5>()),
    ROW((auto x, auto i), (gather<0>(x, i)), (picked_rows<float, 5000, 3>), out<float, 5000, 3>(), in<float, 1000, 3>(),
        positions<int, 5000>(1000)),
    ROW((auto x, auto i), (gather<0>(x, i)), (picked_rows<float, 1000, 64>), out<float, 1000, 64>(), in<float, 1000, 64>(),
        positions<int, 1000>(1000)),
    ROW((auto x, auto i), (gather<0>(x, i)), (picked_rows<double, 10000, 1>), out<double, 10000>(), in<double, 1000>(),
        positions<int, 10000>(1000)),
    ROW((auto x, auto i), (gather<1>(x, i)), (picked_columns<float, 1000, 30, 10>), out<float, 1000, 10>(), in<float, 1000, 30>(),
        positions<int, 10>(30)),
    ROW((auto x), (one_hot<10>(x)), (classes<5000, 10>), out<float, 5000, 10>(), positions<int, 5000>(10)),
    ROW((auto x), (one_hot<1000>(x)), (classes<64, 1000>), out<float, 64, 1000>(), positions<int, 64>(1000)),
};

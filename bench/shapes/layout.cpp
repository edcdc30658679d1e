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
void column_and_row(long n, const T* __restrict x, const T* __restrict c, const T* __restrict r, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] * c[i] + r[k];
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(layout){
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<float, 8, 8, 4096>), out<float, 8, 4096, 8>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (transpose<0, 2, 1>(x) + 1), (turned_plus_one<float, 4096, 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (reverse<1>(x)), (reversed<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x, auto y), (stack<2>(x, y)), (paired<float, 256 * 256>), out<float, 256, 256, 2>(), in<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x, auto y), (concat<1>(x, 2 * y)), (joined<float, 256, 256, 256>), out<float, 256, 512>(), in<float, 256, 256>(), in<float, 256, 256>()),
    ROW((auto x), (strided_slice<range_of(0, 256, 2), range_of(0, 256, 2)>(x)), (every_second<float, 256, 256>), out<float, 128, 128>(), in<float, 256, 256>()),
    ROW((auto x, auto c, auto r), (x * c + r), (column_and_row<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>(), in<float, 256, 1>(), in<float, 256>()),
};

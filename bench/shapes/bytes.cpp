// SPDX-License-Identifier: MIT
// Bytes, shifts and casts between dtypes of different sizes.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

template <class T, class U, long A>
void converted(long n, const T* __restrict x, U* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<U>(x[i]);
}
// Saturates, as jig does.
template <long A>
void to_bytes(long n, const float* __restrict x, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    const float v = x[i] * 300;
    y[i] = static_cast<u8>(v < 0 ? 0.0f : v > 255 ? 255.0f : v);
  }
}
template <long A>
void blended(long n, const u8* __restrict p, const u8* __restrict q, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<u8>((p[i] * 3 + q[i] * 5) >> 3);
}
template <class T, class U, long A>
void total(long n, const T* __restrict x, U* __restrict y) {
  U s = 0;
  for (long i = 0; i < known<A>(n); ++i) s += static_cast<U>(x[i]);
  *y = s;
}
template <class T, long A>
void shifted(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(x[i] << 3);
}

template <class T, class U, long A>
void scaled(long n, const T* __restrict x, U* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<U>(x[i]) * (U(1) / 255);
}
template <long A>
void threshold(long n, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = x[i] > 127 ? 255 : 0;
}
template <long A>
void averaged(long n, const u8* __restrict p, const u8* __restrict q, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<u8>((p[i] & q[i]) + ((p[i] ^ q[i]) >> 1));
}
template <long A>
void mixed(long n, const u8* __restrict p, const u8* __restrict q, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    const float v = static_cast<float>(p[i]) * 0.25f + static_cast<float>(q[i]) * 0.75f;
    y[i] = static_cast<u8>(v < 0 ? 0.0f : v > 255 ? 255.0f : v);
  }
}
template <class T, long A, long C>
void largest(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = x[i * C];
    for (long k = 1; k < C; ++k) s = x[i * C + k] > s ? x[i * C + k] : s;
    y[i] = s;
  }
}
template <class T, long A>
void shifted_by(long n, const T* __restrict x, const T* __restrict by, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(x[i] << (by[i] & 7));
}
template <class T, long A>
void halves(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(x[i] >> 1);
}
template <long A>
void differences(long n, const u8* __restrict p, const u8* __restrict q, int* __restrict y) {
  int s = 0;
  for (long i = 0; i < known<A>(n); ++i) {
    const int d = p[i] - q[i];
    s += d < 0 ? -d : d;
  }
  *y = s;
}
template <class T, long A>
void above(long n, const T* __restrict x, const T* __restrict y, bool* __restrict z) {
  for (long i = 0; i < known<A>(n); ++i) z[i] = x[i] > y[i];
}

template <long A>
void inverted(long n, const bool* __restrict x, bool* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = !x[i];
}
template <class T, long A>
void chosen(long n, const bool* __restrict m, const T* __restrict x, const T* __restrict y, T* __restrict z) {
  for (long i = 0; i < known<A>(n); ++i) z[i] = m[i] ? x[i] : y[i];
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(bytes){
    ROW((auto x), (cast<float>(x)), (converted<u8, float, 65536>), out<float, 65536>(), in<u8, 65536>()),
    ROW((auto x), (cast<u8>(x * 300)), (to_bytes<65536>), out<u8, 65536>(), in<float, 65536>()),
    ROW((auto x, auto y), (cast<u8>((cast<int>(x) * 3 + cast<int>(y) * 5) >> 3)), (blended<65536>), out<u8, 65536>(), in<u8, 65536>(),
        in<u8, 65536>()),
    ROW((auto x), (reduce_sum(cast<int>(x))), (total<u8, int, 65536>), out<int>(), in<u8, 65536>()),
    ROW((auto x), (x << 3), (shifted<int, 65536>), out<int, 65536>(), in<int, 65536>()),
    ROW((auto x), (x << 3), (shifted<u8, 65536>), out<u8, 65536>(), in<u8, 65536>()),
    ROW((auto x), (cast<float>(x) * (1 / 255.0f)), (scaled<u8, float, 65536>), out<float, 65536>(), in<u8, 65536>()),
    ROW((auto x), (cast<float>(x) * (1 / 255.0f)), (scaled<u8, float, 0>), out<float, dyn>({60000}), in<u8, dyn>({60000})),
    ROW((auto x), (cast<double>(x)), (converted<u8, double, 20000>), out<double, 20000>(), in<u8, 20000>()),
    ROW((auto x), (cast<double>(x)), (converted<float, double, 20000>), out<double, 20000>(), in<float, 20000>()),
    ROW((auto x), (cast<float>(x)), (converted<double, float, 20000>), out<float, 20000>(), in<double, 20000>()),
    ROW((auto x), (cast<float>(x)), (converted<int, float, 20000>), out<float, 20000>(), in<int, 20000>()),
    ROW((auto x), (cast<double>(x)), (converted<int, double, 20000>), out<double, 20000>(), in<int, 20000>()),
    ROW((auto x), (cast<int>(x)), (converted<u8, int, 20000>), out<int, 20000>(), in<u8, 20000>()),
    ROW((auto x), (cast<u8>(x)), (converted<int, u8, 20000>), out<u8, 20000>(), in<int, 20000>()),
    ROW((auto x), (where(x > 127, full_like(x, 255), zeros_like(x))), (threshold<20000>), out<u8, 20000>(), in<u8, 20000>()),
    ROW((auto x, auto y), ((x & y) + ((x ^ y) >> 1)), (averaged<20000>), out<u8, 20000>(), in<u8, 20000>(), in<u8, 20000>()),
    ROW((auto x, auto y), (cast<u8>(cast<float>(x) * 0.25f + cast<float>(y) * 0.75f)), (mixed<20000>), out<u8, 20000>(), in<u8, 20000>(),
        in<u8, 20000>()),
    ROW((auto x), (reduce_max(x)), (largest<u8, 1, 20000>), out<u8>(), in<u8, 20000>()),
    ROW((auto x), (reduce_max<1>(x)), (largest<u8, 10000, 3>), out<u8, 10000>(), in<u8, 10000, 3>()),
    ROW((auto x), (reduce_sum(cast<double>(x))), (total<float, double, 20000>), out<double>(), in<float, 20000>()),
    ROW((auto x, auto y), (reduce_sum(abs(cast<int>(x) - cast<int>(y)))), (differences<20000>), out<int>(), in<u8, 20000>(),
        in<u8, 20000>()),
    ROW((auto x, auto y), (x << (y & 7)), (shifted_by<int, 20000>), out<int, 20000>(), in<int, 20000>(), in<int, 20000>()),
    ROW((auto x), (x >> 1), (halves<u8, 20000>), out<u8, 20000>(), in<u8, 20000>()),
    ROW((auto x), (x >> 1), (halves<int, 0>), out<int, dyn>({20000}), in<int, dyn>({20000})),
    ROW((auto x, auto y), (x > y), (above<float, 20000>), out<bool, 20000>(), in<float, 20000>(), in<float, 20000>()),
    ROW((auto x, auto y), (x > y), (above<u8, 20000>), out<bool, 20000>(), in<u8, 20000>(), in<u8, 20000>()),
    ROW((auto x, auto y), (x > y), (above<double, 20000>), out<bool, 20000>(), in<double, 20000>(), in<double, 20000>()),
    ROW((auto m), (cast<float>(m)), (converted<bool, float, 20000>), out<float, 20000>(), in<bool, 20000>()),
    ROW((auto m), (!m), (inverted<20000>), out<bool, 20000>(), in<bool, 20000>()),
    ROW((auto m, auto x, auto y), (where(m, x, y)), (chosen<float, 20000>), out<float, 20000>(), in<bool, 20000>(), in<float, 20000>(),
        in<float, 20000>()),
};

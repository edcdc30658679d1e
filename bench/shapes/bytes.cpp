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

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(bytes){
    ROW((auto x), (cast<float>(x)), (converted<u8, float, 65536>), out<float, 65536>(), in<u8, 65536>()),
    ROW((auto x), (cast<u8>(x * 300)), (to_bytes<65536>), out<u8, 65536>(), in<float, 65536>()),
    ROW((auto x, auto y), (cast<u8>((cast<int>(x) * 3 + cast<int>(y) * 5) >> 3)), (blended<65536>), out<u8, 65536>(), in<u8, 65536>(), in<u8, 65536>()),
    ROW((auto x), (reduce_sum(cast<int>(x))), (total<u8, int, 65536>), out<int>(), in<u8, 65536>()),
    ROW((auto x), (x << 3), (shifted<int, 65536>), out<int, 65536>(), in<int, 65536>()),
    ROW((auto x), (x << 3), (shifted<u8, 65536>), out<u8, 65536>(), in<u8, 65536>()),
};

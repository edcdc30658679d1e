// SPDX-License-Identifier: MIT
// Numbers of several widths in one loop: truth values that are counted, casts from and to small integers, divisions by powers of two; and
// elements at computed places.

#include "row.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace loops {
namespace {

using bench::known, bench::u8;
using i8 = std::int8_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;

template <class T, long A>
void count_between(long n, const T* __restrict x, std::int64_t* __restrict y) {
  constexpr T low = std::is_integral_v<T> ? T(10) : T(0.125), high = std::is_integral_v<T> ? T(50) : T(0.5);
  int count = 0;
  for (long i = 0; i < known<A>(n); ++i) count += x[i] >= low && x[i] < high;
  *y = count;
}
template <long A, long B>
void all_above(long n, const float* __restrict x, bool* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    bool all = true;
    for (long j = 0; j < B; ++j) all &= x[i * B + j] > -0.9f;
    y[i] = all;
  }
}
template <class T, long A>
void limited(long n, const float* __restrict x, T* __restrict y) {
  constexpr float low = std::is_same_v<T, u8> ? 0 : std::is_same_v<T, i8> ? -128 : -32768;
  constexpr float high = std::is_same_v<T, u8> ? 255 : std::is_same_v<T, i8> ? 127 : 32767;
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(static_cast<int>(std::min(std::max(x[i] * 300, low), high)));
}
template <class T, long A>
void scaled(long n, const T* __restrict x, float* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<float>(x[i]) * 0.01f;
}
template <long A>
void collatz(long n, const int* __restrict x, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = x[i] % 2 == 0 ? x[i] / 2 : 3 * x[i] + 1;
}
template <long A>
void sixteenths(long n, const int* __restrict x, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = x[i] / 16 + x[i] % 16;
}
template <long A>
void xorshift(long n, const u32* __restrict x, u32* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    u32 v = x[i];
    v ^= v << 13;
    v ^= v >> 17;
    y[i] = v ^ (v << 5);
  }
}
template <class T, long A>
void polynomial(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    y[i] = ((((T(0.1) * x[i] + T(0.2)) * x[i] + T(0.3)) * x[i] + T(0.4)) * x[i] + T(0.5)) * x[i] + T(0.6);
}
template <long A>
void elements(long n, const float* __restrict image, const int* __restrict i, const int* __restrict j, float* __restrict y) {
  for (long k = 0; k < known<A>(n); ++k) y[k] = image[i[k] * 64 + j[k]];
}
template <long A>
void samples(long n, const float* __restrict p, const float* __restrict image, float* __restrict y) {
  for (long k = 0; k < known<A>(n); ++k) {
    const float a = std::fabs(p[2 * k] * 62), b = std::fabs(p[2 * k + 1] * 62);
    const int i = static_cast<int>(a), j = static_cast<int>(b);
    const float u = a - static_cast<float>(i), v = b - static_cast<float>(j);
    const float* q = image + i * 64 + j;
    y[k] = (1 - u) * ((1 - v) * q[0] + v * q[1]) + u * ((1 - v) * q[64] + v * q[65]);
  }
}
template <long A>
void totals(long n, const int* __restrict x, const int* __restrict ids, int* __restrict y) {
  for (int k = 0; k < 32; ++k) y[k] = 0;
  for (long i = 0; i < known<A>(n); ++i) y[ids[i]] += x[i];
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto shifted = [](auto x) {
  auto a = x ^ (x << 13u);
  auto b = a ^ (a >> 17u);
  return b ^ (b << 5u);
};
constexpr auto sampled = [](auto p, auto image) {
  auto [a, b] = unstack<1>(abs(p * 62.0f));
  auto i = cast<int>(a), j = cast<int>(b);
  auto u = a - cast<float>(i), v = b - cast<float>(j);
  const auto at = [&](auto row, auto column) { return gather_nd(image, stack<1>(row, column)); };
  return (1 - u) * ((1 - v) * at(i, j) + v * at(i, j + 1)) + u * ((1 - v) * at(i + 1, j) + v * at(i + 1, j + 1));
};
}  // namespace
#endif

ROWS(widths){
    ROW((auto x), (count_nonzero((x >= 0.125f) & (x < 0.5f))), (count_between<float, 4000>), out<std::int64_t>(), in<float, 4000>()),
    ROW((auto x), (count_nonzero((x >= 10) & (x < 50))), (count_between<int, 0>), out<std::int64_t>(), in<int, dyn>({4000})),
    ROW((auto x), (count_nonzero((x >= 10) & (x < 50))), (count_between<i16, 0>), out<std::int64_t>(), in<i16, dyn>({4000})),
    ROW((auto x), (reduce_all<1>(x > -0.9f)), (all_above<1000, 3>), out<bool, 1000>(), in<float, 1000, 3>()),
    ROW((auto x), (reduce_all<1>(x > -0.9f)), (all_above<0, 6>), out<bool, dyn>({1000}), in<float, dyn, 6>({1000})),
    ROW((auto x), (reduce_all<1>(x > -0.9f)), (all_above<0, 20>), out<bool, dyn>({1000}), in<float, dyn, dyn>({1000, 20})),
    ROW((auto x), (cast<u8>(clip(x * 300.0f, 0.0f, 255.0f))), (limited<u8, 4000>), out<u8, 4000>(), in<float, 4000>()),
    ROW((auto x), (cast<i8>(clip(x * 300.0f, -128.0f, 127.0f))), (limited<i8, 0>), out<i8, dyn>({4000}), in<float, dyn>({4000})),
    ROW((auto x), (cast<i16>(clip(x * 300.0f, -32768.0f, 32767.0f))), (limited<i16, 0>), out<i16, dyn>({4000}), in<float, dyn>({4000})),
    ROW((auto x), (cast<float>(x) * 0.01f), (scaled<i8, 0>), out<float, dyn>({4000}), in<i8, dyn>({4000})),
    ROW((auto x), (cast<float>(x) * 0.01f), (scaled<i16, 0>), out<float, dyn>({4000}), in<i16, dyn>({4000})),
    ROW((auto x), (where(x % 2 == 0, x / 2, 3 * x + 1)), (collatz<0>), out<int, dyn>({3000}), in<int, dyn>({3000})),
    ROW((auto x), (x / 16 + x % 16), (sixteenths<3000>), out<int, 3000>(), in<int, 3000>()),
    ROW((auto x), (shifted(x)), (xorshift<0>), out<u32, dyn>({3000}), in<u32, dyn>({3000})),
    ROW((auto x), (polyval(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, x)), (polynomial<double, 0>), out<double, dyn>({3000}), in<double, dyn>({3000})),
    ROW((auto x, auto i, auto j), (gather_nd(x, stack<1>(i, j))), (elements<3000>), out<float, 3000>(), in<float, 64, 64>(),
        positions<int, 3000>(64), positions<int, 3000>(60)),
    ROW((auto p, auto x), (sampled(p, x)), (samples<0>), out<float, dyn>({3000}), in<float, dyn, 2>({3000}), in<float, 64, 64>()),
    ROW((auto x, auto i), (unsorted_segment_sum<32>(x, i)), (totals<3000>), out<int, 32>(), in<int, 3000>(), positions<int, 3000>(32)),
};

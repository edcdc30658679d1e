// SPDX-License-Identifier: MIT
// What lies side by side in rows of a few: channels of colours, parts of complex numbers, planes that are put together and taken apart;
// and quotients of integers.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

template <class T, long A, long C>
void channel(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = x[C * i];
}
template <long A>
void grey(long n, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<u8>((x[3 * i] * 77 + x[3 * i + 1] * 150 + x[3 * i + 2] * 29) >> 8);
}
template <class T, long A, long C>
void interleaved(long n, const T* __restrict x, T* __restrict y) {
  const long length = known<A>(n);
  for (long i = 0; i < length; ++i)
    for (long c = 0; c < C; ++c) y[C * i + c] = x[c * length + i];
}
// Of a length that the compiler does not know, and that is not the first extent of the operand.
template <class T, long N, long C>
void interleaved_planes(long, const T* __restrict x, T* __restrict y) {
  interleaved<T, 0, C>(bench::told<N>(), x, y);
}
template <class T, long A, long C>
void planes(long n, const T* __restrict x, T* __restrict y) {
  const long length = known<A>(n);
  for (long i = 0; i < length; ++i)
    for (long c = 0; c < C; ++c) y[c * length + i] = x[C * i + c];
}
template <class T, long A>
void three(long n, const T* __restrict p, const T* __restrict q, const T* __restrict r, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    y[3 * i] = p[i];
    y[3 * i + 1] = q[i];
    y[3 * i + 2] = r[i];
  }
}
template <long A>
void complex_product(long n, const float* __restrict x, const float* __restrict y, float* __restrict z) {
  for (long i = 0; i < known<A>(n); ++i) {
    z[2 * i] = x[2 * i] * y[2 * i] - x[2 * i + 1] * y[2 * i + 1];
    z[2 * i + 1] = x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i];
  }
}
template <class T, long A, int D>
void divided(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(x[i] / D);
}
template <class T, long A, int D>
void remainders(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<T>(x[i] % D);
}
template <long A>
void blurred(long n, const u8* __restrict x, u8* __restrict y) {
  for (long i = 0; i < known<A>(n) - 2; ++i) y[i] = static_cast<u8>((x[i] + x[i + 1] + x[i + 2]) / 3);
}

template <long A>
void float_planes(long n, const u8* __restrict x, float* __restrict y) {
  const long length = known<A>(n);
  for (long c = 0; c < 3; ++c)
    for (long i = 0; i < length; ++i) y[c * length + i] = x[3 * i + c] / 255.f;
}
template <long A>
void weighed_grey(long n, const u8* __restrict x, const int* __restrict w, u8* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = static_cast<u8>((x[3 * i] * w[0] + x[3 * i + 1] * w[1] + x[3 * i + 2] * w[2]) >> 8);
}
template <class T, long A, long C>
void weighed(long n, const T* __restrict x, const T* __restrict w, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T sum = 1;
    for (long c = 0; c < C; ++c) sum += x[C * i + c] * w[c];
    y[i] = sum;
  }
}
void mixed(long n, const u8* __restrict x, const u8* __restrict y, const int* __restrict w, u8* __restrict z) {
  for (long i = 0; i < n; ++i) z[i] = static_cast<u8>((x[i] * w[0] + y[i] * (256 - w[0])) >> 8);
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto three_planes = [](auto x) { return stack<0>(x(all, 0), x(all, 1), x(all, 2)); };
}  // namespace
#endif

ROWS(channels){
    ROW((auto x), (x(all, 0)), (channel<u8, 0, 3>), out<u8, dyn>({20000}), in<u8, dyn, 3>({20000, 3})),
    ROW((auto x), (x(all, 0)), (channel<float, 0, 3>), out<float, dyn>({20000}), in<float, dyn, 3>({20000, 3})),
    ROW((auto x), (x(all, 0)), (channel<u8, 20000, 4>), out<u8, 20000>(), in<u8, 20000, 4>()),
    ROW((auto x), (cast<u8>((cast<int>(x(all, 0)) * 77 + cast<int>(x(all, 1)) * 150 + cast<int>(x(all, 2)) * 29) >> 8)), (grey<0>),
        out<u8, dyn>({20000}), in<u8, dyn, 3>({20000, 3})),
    ROW((auto x), (transpose(x)), (interleaved_planes<u8, 20000, 3>), out<u8, dyn, 3>({20000, 3}), in<u8, 3, dyn>({20000})),
    ROW((auto x), (transpose(x)), (interleaved_planes<float, 5000, 4>), out<float, dyn, 4>({5000, 4}), in<float, 4, dyn>({5000})),
    ROW((auto x), (transpose(x)), (interleaved<float, 5000, 3>), out<float, 5000, 3>(), in<float, 3, 5000>()),
    ROW((auto x), (transpose(x)), (planes<u8, 0, 3>), out<u8, 3, dyn>({20000}), in<u8, dyn, 3>({20000, 3})),
    ROW((auto x), (transpose(x)), (planes<float, 5000, 3>), out<float, 3, 5000>(), in<float, 5000, 3>()),
    ROW((auto x), (stack<0>(x(all, 0), x(all, 1), x(all, 2), x(all, 3))), (planes<float, 0, 4>), out<float, 4, dyn>({5000}),
        in<float, dyn, 4>({5000, 4})),
    ROW((auto x), (three_planes(cast<float>(x) / 255)), (float_planes<0>), out<float, 3, dyn>({20000}), in<u8, dyn, 3>({20000, 3})),
    ROW((auto x, auto w), (cast<u8>(matmul(cast<int>(x), w) >> 8)), (weighed_grey<0>), out<u8, dyn>({20000}), in<u8, dyn, 3>({20000, 3}),
        in<int, 3>()),
    ROW((auto x, auto w), (matmul(x, w) + 1), (weighed<float, 0, 4>), out<float, dyn>({5000}), in<float, dyn, 4>({5000, 4}),
        in<float, 4>()),
    ROW((auto x, auto y, auto w), (cast<u8>((cast<int>(x) * w + cast<int>(y) * (256 - w)) >> 8)), (mixed), out<u8, dyn>({20000}),
        in<u8, dyn>({20000}), in<u8, dyn>({20000}), in<int>()),
    ROW((auto x, auto y, auto z), (stack<1>(x, y, z)), (three<float, 0>), out<float, dyn, 3>({5000, 3}), in<float, dyn>({5000}),
        in<float, dyn>({5000}), in<float, dyn>({5000})),
    ROW((auto x, auto y, auto z), (stack<1>(x, y, z)), (three<double, 5000>), out<double, 5000, 3>(), in<double, 5000>(),
        in<double, 5000>(), in<double, 5000>()),
    ROW((auto x, auto y), (stack<1>(x(all, 0) * y(all, 0) - x(all, 1) * y(all, 1), x(all, 0) * y(all, 1) + x(all, 1) * y(all, 0))),
        (complex_product<0>), out<float, dyn, 2>({5000, 2}), in<float, dyn, 2>({5000, 2}), in<float, dyn, 2>({5000, 2})),
    ROW((auto x), (x / 9), (divided<int, 0, 9>), out<int, dyn>({20000}), in<int, dyn>({20000})),
    ROW((auto x), (x / 9), (divided<u8, 20000, 9>), out<u8, 20000>(), in<u8, 20000>()),
    ROW((auto x), (x % 7), (remainders<int, 20000, 7>), out<int, 20000>(), in<int, 20000>()),
    ROW((auto x), (x % 7), (remainders<u8, 0, 7>), out<u8, dyn>({20000}), in<u8, dyn>({20000})),
    ROW((auto x),
        (cast<u8>((cast<int>(x(range_of<0, -2>())) + cast<int>(x(range_of<1, -1>())) + cast<int>(x(range_of<2, unbounded>()))) / 3)),
        (blurred<0>), out<u8, dyn>({19998}), in<u8, dyn>({20000})),
};

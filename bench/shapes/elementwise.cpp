// SPDX-License-Identifier: MIT
// Arithmetic with operands that are broadcast along each axis.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

// x * y + x on [A, B, C], where y has the axes that are not left out.
template <class T, long A, long B, long C, bool I, bool J, bool K>
void broadcast(long n, const T* __restrict x, const T* __restrict y, T* __restrict z) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long j = 0; j < B; ++j)
      for (long k = 0; k < C; ++k) {
        const long at = ((I ? i : 0) * (J ? B : 1) + (J ? j : 0)) * (K ? C : 1) + (K ? k : 0);
        const T v = x[(i * B + j) * C + k];
        z[(i * B + j) * C + k] = static_cast<T>(v * y[at] + v);
      }
}
template <class T, long A, long C>
void column_and_row(long n, const T* __restrict x, const T* __restrict c, const T* __restrict r, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = x[i * C + k] * c[i] + r[k];
}
template <class T, long A, long C>
void table(long n, const T* __restrict c, const T* __restrict r, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i)
    for (long k = 0; k < C; ++k) y[i * C + k] = (c[i] - r[k]) * (c[i] - r[k]);
}
template <class T, long A>
void polynomial(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = ((x[i] * 3 + 1) * x[i] - 2) * x[i] + 5;
}
template <class T, long A>
void choice(long n, const T* __restrict x, const T* __restrict y, T* __restrict z) {
  for (long i = 0; i < known<A>(n); ++i) z[i] = x[i] > y[i] ? static_cast<T>(x[i] - y[i]) : static_cast<T>(0);
}
template <class T, long A>
void nearby(long n, const T* __restrict x, T* __restrict z) {
  for (long i = 0; i < known<A>(n) - 2; ++i) z[i] = x[i + 2] - 2 * x[i + 1] + x[i];
}

}  // namespace
}  // namespace loops

using namespace loops;

// Every way to leave out axes of the second operand.
#define BROADCASTS(T, A, B, C)                                                                                                             \
  ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, false, false, false>), out<T, A, B, C>(), in<T, A, B, C>(), in<T>()),          \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, true, false, false>), out<T, A, B, C>(), in<T, A, B, C>(),                 \
          in<T, A, 1, 1>()),                                                                                                               \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, false, true, false>), out<T, A, B, C>(), in<T, A, B, C>(), in<T, B, 1>()), \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, false, false, true>), out<T, A, B, C>(), in<T, A, B, C>(), in<T, C>()),    \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, true, true, false>), out<T, A, B, C>(), in<T, A, B, C>(),                  \
          in<T, A, B, 1>()),                                                                                                               \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, true, false, true>), out<T, A, B, C>(), in<T, A, B, C>(),                  \
          in<T, A, 1, C>()),                                                                                                               \
      ROW((auto x, auto y), (x * y + x), (broadcast<T, A, B, C, false, true, true>), out<T, A, B, C>(), in<T, A, B, C>(), in<T, B, C>())

ROWS(elementwise){
    BROADCASTS(float, 40, 50, 60),
    BROADCASTS(float, 2000, 7, 4),
    ROW((auto x, auto y), (x * y + x), (broadcast<double, 1000, 1, 10, true, true, false>), out<double, 1000, 10>(), in<double, 1000, 10>(),
        in<double, 1000, 1>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<int, 1000, 1, 10, false, false, true>), out<int, 1000, 10>(), in<int, 1000, 10>(),
        in<int, 10>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<u8, 1000, 25, 3, false, false, true>), out<u8, 1000, 25, 3>(), in<u8, 1000, 25, 3>(),
        in<u8, 3>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<float, 0, 1, 3, false, false, true>), out<float, dyn, 3>({20000}),
        in<float, dyn, 3>({20000}), in<float, 3>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<float, 0, 1, 3, true, true, false>), out<float, dyn, 3>({20000}),
        in<float, dyn, 3>({20000}), in<float, dyn, 1>({20000})),
    ROW((auto x, auto y), (x * y + x), (broadcast<float, 0, 5, 8, false, true, false>), out<float, dyn, 5, 8>({2000}),
        in<float, dyn, 5, 8>({2000}), in<float, 5, 1>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<std::int16_t, 1000, 5, 17, true, true, false>), out<std::int16_t, 1000, 5, 17>(),
        in<std::int16_t, 1000, 5, 17>(), in<std::int16_t, 1000, 5, 1>()),
    ROW((auto x, auto y), (x * y + x), (broadcast<u8, 800, 17, 5, false, true, false>), out<u8, 800, 17, 5>(), in<u8, 800, 17, 5>(),
        in<u8, 17, 1>()),
    ROW((auto x, auto c, auto r), (x * c + r), (column_and_row<float, 256, 256>), out<float, 256, 256>(), in<float, 256, 256>(),
        in<float, 256, 1>(), in<float, 256>()),
    ROW((auto x, auto c, auto r), (x * c + r), (column_and_row<double, 5000, 10>), out<double, 5000, 10>(), in<double, 5000, 10>(),
        in<double, 5000, 1>(), in<double, 10>()),
    ROW((auto c, auto r), (square(c - r)), (table<float, 300, 300>), out<float, 300, 300>(), in<float, 300, 1>(), in<float, 300>()),
    ROW((auto c, auto r), (square(c - r)), (table<float, 10000, 4>), out<float, 10000, 4>(), in<float, 10000, 1>(), in<float, 4>()),
    ROW((auto x), (((x * 3 + 1) * x - 2) * x + 5), (polynomial<float, 1000>), out<float, 1000>(), in<float, 1000>()),
    ROW((auto x), (((x * 3 + 1) * x - 2) * x + 5), (polynomial<double, 0>), out<double, dyn>({1000}), in<double, dyn>({1000})),
    ROW((auto x), (((x * 3 + 1) * x - 2) * x + 5), (polynomial<int, 30000>), out<int, 30000>(), in<int, 30000>()),
    ROW((auto x, auto y), (where(x > y, x - y, zeros_like(x))), (choice<float, 10000>), out<float, 10000>(), in<float, 10000>(),
        in<float, 10000>()),
    ROW((auto x, auto y), (where(x > y, x - y, zeros_like(x))), (choice<u8, 10000>), out<u8, 10000>(), in<u8, 10000>(), in<u8, 10000>()),
    ROW((auto x), (strided_slice<range_of(2, 10000)>(x) - 2 * strided_slice<range_of(1, 9999)>(x) + strided_slice<range_of(0, 9998)>(x)),
        (nearby<float, 10000>), out<float, 9998>(), in<float, 10000>()),
};

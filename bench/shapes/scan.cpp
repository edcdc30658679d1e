// SPDX-License-Identifier: MIT
// Scans.

#include "row.hpp"

namespace loops {
namespace {

using bench::known;

template <class T, long A, long C>
void sums_along_last(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) y[i * C + k] = s += x[i * C + k];
  }
}
template <class T, long A, long B, long C>
void sums_along_middle(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    for (long k = 0; k < C; ++k) y[i * B * C + k] = x[i * B * C + k];
    for (long j = 1; j < B; ++j)
      for (long k = 0; k < C; ++k) y[(i * B + j) * C + k] = y[(i * B + j - 1) * C + k] + x[(i * B + j) * C + k];
  }
}
template <class T, long A, long C>
void products_along_last(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 1;
    for (long k = 0; k < C; ++k) y[i * C + k] = s *= x[i * C + k];
  }
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(scan){
    ROW((auto x), (cumsum<1>(x)), (sums_along_last<float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>()),
    ROW((auto x), (cumsum<2>(x)), (sums_along_last<float, 4096 * 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (cumsum<2>(x)), (sums_along_last<float, 64, 4096>), out<float, 8, 8, 4096>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (cumsum<1>(x)), (sums_along_middle<float, 64, 64, 64>), out<float, 64, 64, 64>(), in<float, 64, 64, 64>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_middle<float, 1, 64, 4096>), out<float, 64, 64, 64>(), in<float, 64, 64, 64>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_middle<float, 1, 20000, 3>), out<float, 20000, 3>(), in<float, 20000, 3>()),
    ROW((auto x), (cumsum<1>(x)), (sums_along_middle<double, 2000, 8, 3>), out<double, 2000, 8, 3>(), in<double, 2000, 8, 3>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_last<float, 1, 1000000>), out<float, 1000000>(), in<float, 1000000>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_last<double, 1, 1000>), out<double, 1000>(), in<double, 1000>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_last<int, 1, 10000>), out<int, 10000>(), in<int, 10000>()),
    ROW((auto x), (cumsum<1>(x)), (sums_along_last<float, 0, 10>), out<float, dyn, 10>({5000}), in<float, dyn, 10>({5000})),
    ROW((auto x), (cumprod<1>(x)), (products_along_last<float, 10000, 4>), out<float, 10000, 4>(), in<float, 10000, 4>()),
};

// SPDX-License-Identifier: MIT
// Scans.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

template <class T, long A, long C>
void sums_along_last(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T s = 0;
    for (long k = 0; k < C; ++k) y[i * C + k] = s += x[i * C + k];
  }
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(scan){
    ROW((auto x), (cumsum<1>(x)), (sums_along_last<float, 50000, 3>), out<float, 50000, 3>(), in<float, 50000, 3>()),
    ROW((auto x), (cumsum<2>(x)), (sums_along_last<float, 4096 * 8, 8>), out<float, 4096, 8, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (cumsum<2>(x)), (sums_along_last<float, 64, 4096>), out<float, 8, 8, 4096>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (cumsum<0>(x)), (sums_along_last<float, 1, 1000000>), out<float, 1000000>(), in<float, 1000000>()),
};

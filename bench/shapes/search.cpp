// SPDX-License-Identifier: MIT
// Positions of largest elements, and pooling.

#include "row.hpp"

namespace loops {
namespace {

using bench::known, bench::u8;

// Along the middle of three axes, or along the last one if there is none behind it.
template <class T, long A, long B, long C>
void position_of_largest(long n, const T* __restrict x, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    if constexpr (C == 1) {
      T most = x[i * B];
      int m = 0;
      for (int j = 1; j < B; ++j)
        if (x[i * B + j] > most) most = x[i * B + j], m = j;
      y[i] = m;
    } else {
      T most[C];
      for (long k = 0; k < C; ++k) most[k] = x[i * B * C + k], y[i * C + k] = 0;
      for (int j = 1; j < B; ++j)
        for (long k = 0; k < C; ++k) {
          const T v = x[(i * B + j) * C + k];
          y[i * C + k] = v > most[k] ? j : y[i * C + k];
          most[k] = v > most[k] ? v : most[k];
        }
    }
  }
}
template <class T, long H, long W, long Channels>
void pooled(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<H>(n); ++i)
    for (long j = 0; j < W; ++j)
      for (long c = 0; c < Channels; ++c) {
        const T* p = x + (2 * i * 2 * W + 2 * j) * Channels + c;
        const T a = p[0] > p[Channels] ? p[0] : p[Channels];
        const T* q = p + 2 * W * Channels;
        const T b = q[0] > q[Channels] ? q[0] : q[Channels];
        y[(i * W + j) * Channels + c] = a > b ? a : b;
      }
}
template <class T, long H, long W, long Channels>
void averaged(long n, const T* __restrict x, T* __restrict y) {
  for (long i = 0; i < known<H>(n); ++i)
    for (long j = 0; j < W; ++j)
      for (long c = 0; c < Channels; ++c) {
        const T* p = x + (2 * i * 2 * W + 2 * j) * Channels + c;
        y[(i * W + j) * Channels + c] = (p[0] + p[Channels] + p[2 * W * Channels] + p[(2 * W + 1) * Channels]) / 4;
      }
}

}  // namespace
}  // namespace loops

using namespace loops;

ROWS(search){
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 50000, 3, 1>), out<int, 1, 50000>(), in<float, 1, 50000, 3>()),
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 4096 * 8, 8, 1>), out<int, 4096, 8>(), in<float, 4096, 8, 8>()),
    ROW((auto x), (cast<int>(argmax<2>(x))), (position_of_largest<float, 64, 4096, 1>), out<int, 8, 8>(), in<float, 8, 8, 4096>()),
    ROW((auto x), (cast<int>(argmax<1>(x))), (position_of_largest<float, 64, 64, 64>), out<int, 64, 64>(), in<float, 64, 64, 64>()),
    ROW((auto x), (cast<int>(argmax<0>(x))), (position_of_largest<float, 1, 64, 4096>), out<int, 64, 64>(), in<float, 64, 64, 64>()),
    ROW((auto x), (cast<int>(argmax<1>(x))), (position_of_largest<float, 0, 10, 1>), out<int, dyn>({5000}), in<float, dyn, 10>({5000})),
    ROW((auto x), (cast<int>(argmax<0>(x))), (position_of_largest<double, 1, 10000, 1>), out<int>(), in<double, 10000>()),
    ROW((auto x), (cast<int>(argmax<1>(x))), (position_of_largest<int, 1000, 25, 1>), out<int, 1000>(), in<int, 1000, 25>()),
    ROW((auto x), (cast<int>(argmax<1>(x))), (position_of_largest<u8, 1000, 64, 1>), out<int, 1000>(), in<u8, 1000, 64>()),
    ROW((auto x), (reduce_max<1, 3>(reshape<64, 2, 64, 2>(x))), (pooled<float, 64, 64, 1>), out<float, 64, 64>(), in<float, 128, 128>()),
    ROW((auto x), (reduce_max<1, 3>(reshape<64, 2, 64, 2, 3>(x))), (pooled<float, 64, 64, 3>), out<float, 64, 64, 3>(),
        in<float, 128, 128, 3>()),
    ROW((auto x), (reduce_max<1, 3>(reshape<32, 2, 32, 2, 16>(x))), (pooled<float, 32, 32, 16>), out<float, 32, 32, 16>(),
        in<float, 64, 64, 16>()),
    ROW((auto x), (reduce_max<1, 3>(reshape<128, 2, 128, 2>(x))), (pooled<u8, 128, 128, 1>), out<u8, 128, 128>(), in<u8, 256, 256>()),
    ROW((auto x), (reduce_max<2, 4>(reshape<infer, 14, 2, 14, 2>(x))), (pooled<float, 16 * 14, 14, 1>), out<float, dyn, 14, 14>({16}),
        in<float, dyn, 28, 28>({16})),
    ROW((auto x), (reduce_mean<1, 3>(reshape<64, 2, 64, 2>(x))), (averaged<float, 64, 64, 1>), out<float, 64, 64>(), in<float, 128, 128>()),
    ROW((auto x), (reduce_mean<1, 3>(reshape<32, 2, 32, 2, 8>(x))), (averaged<double, 32, 32, 8>), out<double, 32, 32, 8>(),
        in<double, 64, 64, 8>()),
};

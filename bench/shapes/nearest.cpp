// SPDX-License-Identifier: MIT
// Which of a few candidates is best, of values that are computed for it.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::known, bench::u8;

// The nearest of B places of C numbers.
template <class T, class Position, long A, long B, long C>
void nearest_place(long n, const T* __restrict p, const T* __restrict q, Position* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T least = 0;
    Position at = 0;
    for (long j = 0; j < B; ++j) {
      T s = 0;
      for (long k = 0; k < C; ++k) s += (p[i * C + k] - q[j * C + k]) * (p[i * C + k] - q[j * C + k]);
      if (j == 0 || s < least) least = s, at = static_cast<Position>(j);
    }
    y[i] = at;
  }
}
template <class T, long A>
void products_of_components(long n, const T* __restrict p, T* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) y[i] = p[2 * i] * p[2 * i + 1];
}
template <class T, long A, long B>
void nearest_level(long n, const T* __restrict x, const T* __restrict levels, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T least = std::abs(x[i] - levels[0]);
    int at = 0;
    for (int j = 1; j < B; ++j) {
      const T d = std::abs(x[i] - levels[j]);
      at = d < least ? j : at;
      least = d < least ? d : least;
    }
    y[i] = at;
  }
}
template <class T, class Position, long A, long B>
void largest_of_row(long n, const T* __restrict x, Position* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T most = x[i * B];
    Position at = 0;
    for (long j = 1; j < B; ++j)
      if (x[i * B + j] > most) most = x[i * B + j], at = static_cast<Position>(j);
    y[i] = at;
  }
}
template <class T, long A, long B>
void largest_with_bias(long n, const T* __restrict x, const T* __restrict b, int* __restrict y) {
  for (long i = 0; i < known<A>(n); ++i) {
    T most = x[i * B] + b[0];
    int at = 0;
    for (int j = 1; j < B; ++j)
      if (x[i * B + j] + b[j] > most) most = x[i * B + j] + b[j], at = j;
    y[i] = at;
  }
}
// How many rows have their largest element where the label says.
template <long A, long B>
void hits(long n, const float* __restrict x, const int* __restrict label, int* __restrict y) {
  int count = 0;
  for (long i = 0; i < known<A>(n); ++i) {
    float most = x[i * B];
    int at = 0;
    for (int j = 1; j < B; ++j)
      if (x[i * B + j] > most) most = x[i * B + j], at = j;
    count += at == label[i];
  }
  *y = count;
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
namespace {
constexpr auto distances = [](auto p, auto c) { return reduce_sum<2>(square(expand_dims<1>(p) - c)); };
template <int K>
constexpr auto component = [](auto x) { return strided_slice<all, K>(x); };
using std::int64_t;
}  // namespace
#endif

ROWS(nearest){
    ROW((auto p, auto c), (argmin<1>(distances(p, c))), (nearest_place<float, std::int64_t, 1500, 7, 2>), out<int64_t, 1500>(),
        in<float, 1500, 2>(), in<float, 7, 2>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 1500, 7, 2>), out<int, 1500>(),
        in<float, 1500, 2>(), in<float, 7, 2>()),
    ROW((auto p, auto c), (argmin<1>(distances(p, c))), (nearest_place<float, std::int64_t, 0, 7, 2>), out<int64_t, dyn>({1500}),
        in<float, dyn, 2>({1500}), in<float, 7, 2>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 1500, 7, 3>), out<int, 1500>(),
        in<float, 1500, 3>(), in<float, 7, 3>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 0, 7, 3>), out<int, dyn>({1500}),
        in<float, dyn, 3>({1500}), in<float, 7, 3>()),
    ROW((auto p, auto c), (argmin<1>(distances(p, c))), (nearest_place<double, std::int64_t, 1500, 7, 2>), out<int64_t, 1500>(),
        in<double, 1500, 2>(), in<double, 7, 2>()),
    ROW((auto p, auto c), (argmin<1>(distances(p, c))), (nearest_place<double, std::int64_t, 0, 5, 3>), out<int64_t, dyn>({1500}),
        in<double, dyn, 3>({1500}), in<double, 5, 3>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 1500, 16, 2>), out<int, 1500>(),
        in<float, 1500, 2>(), in<float, 16, 2>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 1500, 32, 3>), out<int, 1500>(),
        in<float, 1500, 3>(), in<float, 32, 3>()),
    ROW((auto p, auto c), (cast<int>(argmin<1>(distances(p, c)))), (nearest_place<float, int, 500, 64, 8>), out<int, 500>(),
        in<float, 500, 8>(), in<float, 64, 8>()),
    SMALL_ROW((auto p, auto c), (argmin<1>(distances(p, c))), (nearest_place<float, std::int64_t, 0, 7, 2>), out<int64_t, dyn>({20}),
              in<float, dyn, 2>({20}), in<float, 7, 2>()),
    SMALL_ROW((auto p), (component<0>(p) * component<1>(p)), (products_of_components<float, 0>), out<float, dyn>({5}),
              in<float, dyn, 2>({5})),
    ROW((auto x, auto c), (cast<int>(argmin<1>(abs(expand_dims<1>(x) - c)))), (nearest_level<float, 2000, 9>), out<int, 2000>(),
        in<float, 2000>(), in<float, 9>()),
    ROW((auto x, auto c), (cast<int>(argmin<1>(abs(expand_dims<1>(x) - c)))), (nearest_level<double, 0, 9>), out<int, dyn>({2000}),
        in<double, dyn>({2000}), in<double, 9>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<float, std::int64_t, 2000, 2>), out<int64_t, 2000>(), in<float, 2000, 2>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<float, std::int64_t, 2000, 7>), out<int64_t, 2000>(), in<float, 2000, 7>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<float, std::int64_t, 2000, 11>), out<int64_t, 2000>(), in<float, 2000, 11>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<float, std::int64_t, 2000, 20>), out<int64_t, 2000>(), in<float, 2000, 20>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<float, std::int64_t, 2000, 32>), out<int64_t, 2000>(), in<float, 2000, 32>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<double, std::int64_t, 2000, 3>), out<int64_t, 2000>(), in<double, 2000, 3>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<double, std::int64_t, 2000, 10>), out<int64_t, 2000>(), in<double, 2000, 10>()),
    ROW((auto x), (argmax<1>(x)), (largest_of_row<double, std::int64_t, 2000, 20>), out<int64_t, 2000>(), in<double, 2000, 20>()),
    ROW((auto x, auto b), (cast<int>(argmax<1>(x + b))), (largest_with_bias<float, 2000, 10>), out<int, 2000>(), in<float, 2000, 10>(),
        in<float, 10>()),
    ROW((auto x, auto b), (cast<int>(argmax<1>(x + b))), (largest_with_bias<float, 0, 3>), out<int, dyn>({2000}), in<float, dyn, 3>({2000}),
        in<float, 3>()),
    ROW((auto x, auto l), (reduce_sum(cast<int>(cast<int>(argmax<1>(x)) == l))), (hits<2000, 10>), out<int>(), in<float, 2000, 10>(),
        positions<int, 2000>(10)),
};

// SPDX-License-Identifier: MIT
// Extents that only the call knows, all of them, where rows are short: loops know no more.

#include "row.hpp"

#include <cmath>

namespace loops {
namespace {

using bench::told, bench::u8;

template <long Columns>
void scaled(long n, const float* __restrict x, const float* __restrict m, const float* __restrict s, float* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < columns; ++c) y[i * columns + c] = (x[i * columns + c] - m[c]) * s[c];
}
template <long Columns>
void by_row(long n, const float* __restrict x, const float* __restrict m, float* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < columns; ++c) y[i * columns + c] = x[i * columns + c] * m[i];
}
template <long Columns>
void sums(long n, const float* __restrict x, float* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i) {
    float s = 0;
    for (long c = 0; c < columns; ++c) s += x[i * columns + c];
    y[i] = s;
  }
}
float length(const float* __restrict x, long columns) {
  float s = 0;
  for (long c = 0; c < columns; ++c) s += x[c] * x[c];
  return std::sqrt(s);
}
template <long Columns>
void lengths(long n, const float* __restrict x, float* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i) y[i] = length(x + i * columns, columns);
}
template <long Columns>
void units(long n, const float* __restrict x, float* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i) {
    const float s = length(x + i * columns, columns);
    for (long c = 0; c < columns; ++c) y[i * columns + c] = x[i * columns + c] / s;
  }
}
template <long Columns>
void column_sums(long n, const float* __restrict x, float* __restrict y) {
  const long columns = told<Columns>();
  for (long c = 0; c < columns; ++c) y[c] = 0;
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < columns; ++c) y[c] += x[i * columns + c];
}
template <long Columns>
void turned(long n, const float* __restrict x, float* __restrict y) {
  const long columns = told<Columns>();
  for (long c = 0; c < columns; ++c)
    for (long i = 0; i < n; ++i) y[c * n + i] = x[i * columns + c] * 2;
}
template <long Columns>
void planes(long n, const u8* __restrict x, const float* __restrict m, float* __restrict y) {
  const long columns = told<Columns>();
  for (long c = 0; c < columns; ++c)
    for (long i = 0; i < n; ++i) y[c * n + i] = static_cast<float>(x[i * columns + c]) / 255 - m[c];
}
template <long Columns>
void largest(long n, const float* __restrict x, std::int64_t* __restrict y) {
  const long columns = told<Columns>();
  for (long i = 0; i < n; ++i) {
    long at = 0;
    for (long c = 1; c < columns; ++c) at = x[i * columns + c] > x[i * columns + at] ? c : at;
    y[i] = at;
  }
}
template <long Others, long Columns>
void squared_distances(long n, const float* __restrict p, const float* __restrict q, float* __restrict y) {
  const long others = told<Others>(), columns = told<Columns>();
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < others; ++j) {
      float s = 0;
      for (long c = 0; c < columns; ++c) s += (p[i * columns + c] - q[j * columns + c]) * (p[i * columns + c] - q[j * columns + c]);
      y[i * others + j] = s;
    }
}

}  // namespace
}  // namespace loops

using namespace loops;

#define COLUMNS(n)                                                                                                                       \
  ROW((auto x, auto m, auto s), ((x - m) * s), (scaled<n>), out<float, dyn, dyn>({5000, n}), in<float, dyn, dyn>({5000, n}),             \
      in<float, dyn>({n}), in<float, dyn>({n})),                                                                                         \
      ROW((auto x, auto m), (x * m), (by_row<n>), out<float, dyn, dyn>({5000, n}), in<float, dyn, dyn>({5000, n}),                       \
          in<float, dyn, 1>({5000})),                                                                                                    \
      ROW((auto x), (reduce_sum<1>(x)), (sums<n>), out<float, dyn>({5000}), in<float, dyn, dyn>({5000, n})),                             \
      ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<n>), out<float, dyn>({5000}), in<float, dyn, dyn>({5000, n})),                \
      ROW((auto x), (x / sqrt(reduce_sum<1>(x * x, keepdims))), (units<n>), out<float, dyn, dyn>({5000, n}),                             \
          in<float, dyn, dyn>({5000, n})),                                                                                               \
      ROW((auto x), (reduce_sum<0>(x)), (column_sums<n>), out<float, dyn>({n}), in<float, dyn, dyn>({5000, n})),                         \
      ROW((auto x), (transpose(x) * 2), (turned<n>), out<float, dyn, dyn>({n, 5000}), in<float, dyn, dyn>({5000, n})),                   \
      ROW((auto x, auto m), (transpose(cast<float>(x)) / 255 - m), (planes<n>), out<float, dyn, dyn>({n, 5000}),                         \
          in<u8, dyn, dyn>({5000, n}), in<float, dyn, 1>({n})),                                                                          \
      ROW((auto p, auto q), (reduce_sum<2>(square(expand_dims<1>(p) - q))), (squared_distances<50, n>), out<float, dyn, dyn>({100, 50}), \
          in<float, dyn, dyn>({100, n}), in<float, dyn, dyn>({50, n})),                                                                  \
      ROW((auto x), (argmax<1>(x)), (largest<n>), out<std::int64_t, dyn>({5000}), in<float, dyn, dyn>({5000, n}))
// Some registers long, and a length that fills none.
#define SUMS(n)                                                                                          \
  ROW((auto x), (reduce_sum<1>(x)), (sums<n>), out<float, dyn>({5000}), in<float, dyn, dyn>({5000, n})), \
      ROW((auto x), (sqrt(reduce_sum<1>(x * x))), (lengths<n>), out<float, dyn>({5000}), in<float, dyn, dyn>({5000, n}))

ROWS(wildcards){
    COLUMNS(1), COLUMNS(2), COLUMNS(3), COLUMNS(10), COLUMNS(17), COLUMNS(64), SUMS(32), SUMS(48),
};

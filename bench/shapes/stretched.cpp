// SPDX-License-Identifier: MIT
// Two tables whose extents only the call knows, one of which it makes a column or a row: matrices of other libraries.

#include "row.hpp"

namespace loops {
namespace {

using bench::told;

template <long Rows, long Columns>
void by_column(long, const float* __restrict x, const float* __restrict c, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] * c[i];
}
template <long Rows, long Columns>
void less_row(long, const float* __restrict x, const float* __restrict r, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] - r[j];
}
template <long Rows, long Columns>
void row_sums(long, const float* __restrict x, const float* __restrict c, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i) {
    float s = 0;
    for (long j = 0; j < columns; ++j) s += x[i * columns + j] * c[i];
    y[i] = s;
  }
}
template <long Rows, long Columns>
void distances(long, const float* __restrict x, const float* __restrict r, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i) {
    float s = 0;
    for (long j = 0; j < columns; ++j) s += (x[i * columns + j] - r[j]) * (x[i * columns + j] - r[j]);
    y[i] = s;
  }
}
template <long Rows, long Columns>
void weighted_sums(long, const float* __restrict x, const float* __restrict c, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long j = 0; j < columns; ++j) y[j] = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[j] += x[i * columns + j] * c[i];
}
template <long Rows, long Columns>
void variances(long, const float* __restrict x, const float* __restrict r, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long j = 0; j < columns; ++j) y[j] = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[j] += (x[i * columns + j] - r[j]) * (x[i * columns + j] - r[j]);
}

}  // namespace
}  // namespace loops

using namespace loops;

#define TABLES(n, m)                                                                                                                    \
  SMALL_ROW((auto x, auto c), (x * c), (by_column<n, m>), out<float, dyn, dyn>({n, m}), in<float, dyn, dyn>({n, m}),                    \
            in<float, dyn, dyn>({n, 1})),                                                                                               \
      SMALL_ROW((auto x, auto r), (x - r), (less_row<n, m>), out<float, dyn, dyn>({n, m}), in<float, dyn, dyn>({n, m}),                 \
                in<float, dyn, dyn>({1, m})),                                                                                           \
      SMALL_ROW((auto x, auto c), (reduce_sum<1>(x * c)), (row_sums<n, m>), out<float, dyn>({n}), in<float, dyn, dyn>({n, m}),          \
                in<float, dyn, dyn>({n, 1})),                                                                                           \
      SMALL_ROW((auto x, auto r), (reduce_sum<1>(square(x - r))), (distances<n, m>), out<float, dyn>({n}), in<float, dyn, dyn>({n, m}), \
                in<float, dyn, dyn>({1, m})),                                                                                           \
      SMALL_ROW((auto x, auto c), (reduce_sum<0>(x * c)), (weighted_sums<n, m>), out<float, dyn>({m}), in<float, dyn, dyn>({n, m}),     \
                in<float, dyn, dyn>({n, 1})),                                                                                           \
      SMALL_ROW((auto x, auto r), (reduce_sum<0>(square(x - r))), (variances<n, m>), out<float, dyn>({m}), in<float, dyn, dyn>({n, m}), \
                in<float, dyn, dyn>({1, m}))

ROWS(stretched){TABLES(40, 3), TABLES(100, 20), TABLES(200, 100), TABLES(600, 600)};

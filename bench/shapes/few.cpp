// SPDX-License-Identifier: MIT
// Few elements, as many as the call tells: neighbours in small images, some points, a batch of one, short signals, small tables.

#include "row.hpp"

#include <cmath>
#include <cstdint>

namespace loops {
namespace {

using bench::told;

template <long Rows, long Columns>
void gradients(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i + 2 < rows; ++i)
    for (long j = 0; j + 2 < columns; ++j) {
      const float across = x[(i + 1) * columns + j + 2] - x[(i + 1) * columns + j];
      const float down = x[(i + 2) * columns + j + 1] - x[i * columns + j + 1];
      y[i * (columns - 2) + j] = across * across + down * down;
    }
}
template <long Rows, long Columns>
void differences(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j + 1 < columns; ++j) y[i * (columns - 1) + j] = x[i * columns + j + 1] - x[i * columns + j];
}
// A step of the heat equation, with zeros around the table.
template <long Rows, long Columns>
void warmed(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  const auto border = [&](long i, long j) {
    const auto at = [&](long k, long l) { return k < 0 || l < 0 || k >= rows || l >= columns ? 0.f : x[k * columns + l]; };
    y[i * columns + j] = at(i, j) + 0.1f * (at(i, j - 1) + at(i, j + 1) + at(i - 1, j) + at(i + 1, j) - 4 * at(i, j));
  };
  for (long j = 0; j < columns; ++j) border(0, j), border(rows - 1, j);
  for (long i = 1; i + 1 < rows; ++i) {
    const float* row = x + i * columns;
    border(i, 0), border(i, columns - 1);
    for (long j = 1; j + 1 < columns; ++j)
      y[i * columns + j] = row[j] + 0.1f * (row[j - 1] + row[j + 1] + row[j - columns] + row[j + columns] - 4 * row[j]);
  }
}
template <long N>
void moved(long, const float* __restrict p, const float* __restrict m, const float* __restrict t, float* __restrict y) {
  const long n = told<N>();
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < 3; ++j) y[3 * i + j] = p[3 * i] * m[j] + p[3 * i + 1] * m[3 + j] + p[3 * i + 2] * m[6 + j] + t[j];
}
template <long N, long Columns>
void scaled(long, const float* __restrict x, const float* __restrict s, const float* __restrict t, float* __restrict y) {
  const long n = told<N>();
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < Columns; ++c) y[i * Columns + c] = x[i * Columns + c] * s[c] + t[c];
}
template <long N, long Columns>
void turned(long, const float* __restrict x, float* __restrict y) {
  const long n = told<N>();
  for (long i = 0; i < n; ++i)
    for (long c = 0; c < Columns; ++c) y[i * Columns + c] = 2 * x[i * Columns + Columns - 1 - c];
}
template <long N, long Columns>
void softmaxes(long, const float* __restrict x, float* __restrict y) {
  const long n = told<N>();
  for (long i = 0; i < n; ++i) {
    float most = x[i * Columns], sum = 0;
    for (long c = 1; c < Columns; ++c) most = x[i * Columns + c] > most ? x[i * Columns + c] : most;
    for (long c = 0; c < Columns; ++c) sum += y[i * Columns + c] = std::exp(x[i * Columns + c] - most);
    for (long c = 0; c < Columns; ++c) y[i * Columns + c] /= sum;
  }
}
template <long Rows, long Columns, class T>
void scanned(long, const T* __restrict x, T* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i) {
    T sum = 0;
    for (long j = 0; j < columns; ++j) y[i * columns + j] = sum = static_cast<T>(sum + x[i * columns + j]);
  }
}
template <long Rows, long Columns>
void column_sums(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long j = 0; j < columns; ++j) y[j] = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[j] += x[i * columns + j];
}
template <long Rows, long Columns>
void column_extremes(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long j = 0; j < columns; ++j) y[j] = x[j];
  for (long i = 1; i < rows; ++i)
    for (long j = 0; j < columns; ++j) y[j] = x[i * columns + j] > y[j] ? x[i * columns + j] : y[j];
}
template <long Rows, long Columns>
void joined_with_twice(long, const float* __restrict x, float* __restrict y) {
  const long rows = told<Rows>(), columns = told<Columns>();
  for (long i = 0; i < rows; ++i) {
    for (long j = 0; j < columns; ++j) y[2 * i * columns + j] = x[i * columns + j];
    for (long j = 0; j < columns; ++j) y[(2 * i + 1) * columns + j] = 2 * x[i * columns + j];
  }
}
template <long N>
void filtered(long, const float* __restrict x, const float* __restrict w, float* __restrict y) {
  const long n = told<N>();
  for (long i = 0; i + 15 < n; ++i) {
    float s = 0;
    for (long k = 0; k < 16; ++k) s += x[i + k] * w[k];
    y[i] = s;
  }
}

}  // namespace
}  // namespace loops

using namespace loops;

#ifndef JIG_BENCH_LOOPS
// The sum of the four neighbours in a padded table, less four times what they surround.
constexpr auto laplacian = [](auto x) {
  return x(range_of<1, -1>(), range_of<0, -2>()) + x(range_of<1, -1>(), range_of<2, unbounded>()) +
         x(range_of<0, -2>(), range_of<1, -1>()) + x(range_of<2, unbounded>(), range_of<1, -1>()) -
         4 * x(range_of<1, -1>(), range_of<1, -1>());
};
#endif

#define IMAGE(rows, columns)                                                                                                          \
  SMALL_ROW((auto x),                                                                                                                 \
            (square(x(range_of<1, -1>(), range_of<2, unbounded>()) - x(range_of<1, -1>(), range_of<0, -2>())) +                       \
             square(x(range_of<2, unbounded>(), range_of<1, -1>()) - x(range_of<0, -2>(), range_of<1, -1>()))),                       \
            (gradients<rows, columns>), out<float, dyn, dyn>({rows - 2, columns - 2}), in<float, dyn, dyn>({rows, columns})),         \
      SMALL_ROW((auto x), (x(all, range_of<1, unbounded>()) - x(all, range_of<0, -1>())), (differences<rows, columns>),               \
                out<float, dyn, dyn>({rows, columns - 1}), in<float, dyn, dyn>({rows, columns})),                                     \
      SMALL_ROW((auto x), (x + 0.1f * laplacian(pad<1, 1, 1, 1>(x))), (warmed<rows, columns>), out<float, dyn, dyn>({rows, columns}), \
                in<float, dyn, dyn>({rows, columns}))
#define POINTS(n)                                                                                                            \
  SMALL_ROW((auto p, auto m, auto t), (matmul(p, m) + t), (moved<n>), out<float, dyn, 3>({n, 3}), in<float, dyn, 3>({n, 3}), \
            in<float, 3, 3>(), in<float, 3>())
#define BATCH(n)                                                                                                               \
  SMALL_ROW((auto x, auto s, auto t), (x * s + t), (scaled<n, 10>), out<float, dyn, 10>({n, 10}), in<float, dyn, 10>({n, 10}), \
            in<float, 10>(), in<float, 10>()),                                                                                 \
      SMALL_ROW((auto x), (reverse<1>(x) * 2), (turned<n, 10>), out<float, dyn, 10>({n, 10}), in<float, dyn, 10>({n, 10})),    \
      SMALL_ROW((auto x), (softmax(x)), (softmaxes<n, 10>), out<float, dyn, 10>({n, 10}), in<float, dyn, 10>({n, 10}))
#define SIGNAL(n)                                                                                                                          \
  SMALL_ROW((auto x, auto w), (reshape<-1>(conv1d(reshape<1, -1, 1>(x), reshape<16, 1, 1>(w)))), (filtered<n>), out<float, dyn>({n - 15}), \
            in<float, dyn>({n}), in<float, 16>())
#define TABLE(rows, columns)                                                                                                    \
  SMALL_ROW((auto x), (cumsum<1>(x)), (scanned<rows, columns, float>), out<float, dyn, dyn>({rows, columns}),                   \
            in<float, dyn, dyn>({rows, columns})),                                                                              \
      SMALL_ROW((auto x), (cumsum<1>(x)), (scanned<rows, columns, std::uint8_t>), out<std::uint8_t, dyn, dyn>({rows, columns}), \
                in<std::uint8_t, dyn, dyn>({rows, columns})),                                                                   \
      SMALL_ROW((auto x), (reduce_sum<0>(x)), (column_sums<rows, columns>), out<float, dyn>({columns}),                         \
                in<float, dyn, dyn>({rows, columns})),                                                                          \
      SMALL_ROW((auto x), (reduce_max<0>(x)), (column_extremes<rows, columns>), out<float, dyn>({columns}),                     \
                in<float, dyn, dyn>({rows, columns})),                                                                          \
      SMALL_ROW((auto x), (concat<1>(x, 2 * x)), (joined_with_twice<rows, columns>), out<float, dyn, dyn>({rows, 2 * columns}), \
                in<float, dyn, dyn>({rows, columns}))

ROWS(few){
    IMAGE(30, 10), IMAGE(10, 30), IMAGE(100, 37), IMAGE(64, 64), POINTS(3),   POINTS(33),  POINTS(1333), BATCH(1),        BATCH(3),
    BATCH(8),      BATCH(33),     SIGNAL(100),    SIGNAL(4000),  TABLE(3, 5), TABLE(8, 8), TABLE(40, 3), TABLE(200, 129),
};

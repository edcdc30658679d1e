// SPDX-License-Identifier: MIT
#pragma once
// Products of a matrix and a vector, in either order.

#include <jig/eval/interleave.hpp>
#include <jig/eval/matmul/tile.hpp>
#include <jig/eval/workspace.hpp>

#include <bit>

namespace jig::detail {

// out[j] = sum over p of x[p] b(p, j), with rows of b that lie next to each other. Several sums for each
// register hide the latency where there are few registers.
template <class B, int Sums, int Registers, bool Partial, class T>
[[gnu::always_inline]] inline void sweep_columns(const T* x, index x_step, const T* b, index b_row, T* out, index k, index count) {
  constexpr index width = static_cast<index>(B::size);
  B sum[array_bound(Sums)][array_bound(Registers)];
  clear(sum);
  auto row = [&](int s, index p) __attribute__((always_inline)) {
    const B y(x[p * x_step]);
#pragma GCC unroll 32
    for (int r = 0; r < Registers; ++r) {
      const T* from = b + p * b_row + r * width;
      const B z = Partial ? simd::load_first<B>(from, count) : B::load_unaligned(from);
      sum[s][r] = simd::multiply_add(y, z, sum[s][r]);
    }
  };
  index p = 0;
  for (; p + Sums <= k; p += Sums)
#pragma GCC unroll 32
    for (int s = 0; s < Sums; ++s) row(s, p + s);
  if constexpr (Sums > 1)
    for (; p < k; ++p) row(0, p);
#pragma GCC unroll 32
  for (int r = 0; r < Registers; ++r) {
#pragma GCC unroll 32
    for (int s = 1; s < Sums; ++s) sum[0][r] += sum[s][r];
    if constexpr (Partial) simd::store_first(out, sum[0][r], count);
    else sum[0][r].store_unaligned(out + r * width);
  }
}

template <class T>
[[gnu::noinline]] void multiply_by_columns(const T* x, index x_step, const T* b, index b_row, T* out, index n, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  if (n < width) return sweep_columns<B, 8, 1, true>(x, x_step, b, b_row, out, k, n);
  index j = 0;
  if constexpr (simd::registers == 32)
    for (; j + 16 * width <= n; j += 16 * width) sweep_columns<B, 1, 16, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j + 8 * width <= n; j += 8 * width) sweep_columns<B, 1, 8, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j + 2 * width <= n; j += 2 * width) sweep_columns<B, 4, 2, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j < n; j += width) {
    if (j + width > n) j = n - width;
    sweep_columns<B, 8, 1, false>(x, x_step, b + j, b_row, out + j, k, width);
  }
}

// The sum of the lanes of each register, of the first `Stored`. All of them together take fewer steps than one after another.
template <int Rows, int Stored = Rows, class B>
[[gnu::always_inline]] inline void store_sums(const B* x, typename B::value_type* out) {
  constexpr int width = static_cast<int>(B::size);
  if constexpr (sizeof(typename B::value_type) >= 4 && Rows > width && Rows % width == 0) {
    [&]<int... Part>(std::integer_sequence<int, Part...>) __attribute__((always_inline)) {
      (store_sums<width>(x + Part * width, out + Part * width), ...);
    }(std::make_integer_sequence<int, Rows / width>());
  } else if constexpr (sizeof(typename B::value_type) >= 4 && Rows > 1 && width % Rows == 0) {
    B sums = simd::sum_groups<Rows>(x);
#pragma GCC unroll 8
    for (int left = width / Rows; left > 1; left /= 2) {
      const B pair[] = {sums, sums};
      sums = simd::sum_groups<2>(pair);
    }
    if constexpr (Stored == width) sums.store_unaligned(out);
    else simd::store_first(out, sums, Stored);
  } else {
#pragma GCC unroll 32
    for (int i = 0; i < Stored; ++i) out[i] = simd::sum(x[i]);
  }
}

// out[i] = sum over p of a(i, p) x[p], with rows of a that lie along p.
template <int Rows, int Sums, class T>
[[gnu::always_inline]] inline void sum_rows(const T* a, index a_row, const T* x, T* out, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  B sum[array_bound(Rows)][array_bound(Sums)];
  clear(sum);
  index p = 0;
  for (; p + Sums * width <= k; p += Sums * width)
#pragma GCC unroll 32
    for (int s = 0; s < Sums; ++s) {
      const B y = B::load_unaligned(x + p + s * width);
#pragma GCC unroll 32
      for (int i = 0; i < Rows; ++i) sum[i][s] = simd::multiply_add(y, B::load_unaligned(a + i * a_row + p + s * width), sum[i][s]);
    }
  for (; p < k; p += width) {
    const index count = k - p < width ? k - p : width;
    const B y = simd::load_first<B>(x + p, count);
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i) sum[i][0] = simd::multiply_add(y, simd::load_first<B>(a + i * a_row + p, count), sum[i][0]);
  }
  B total[array_bound(Rows)];
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i) {
    total[i] = sum[i][0];
#pragma GCC unroll 32
    for (int s = 1; s < Sums; ++s) total[i] += sum[i][s];
  }
  store_sums<Rows>(total, out);
}

// M rows of K, which are a few.
template <index M, index K, class T>
[[gnu::always_inline]] inline void multiply_by_few_rows(const T* a, const T* x, T* out) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>, parts = (K + width - 1) / width;
  constexpr int together = smaller(width, 8);
  B y[array_bound(parts)];
  auto part = [](const T* from, index r) __attribute__((always_inline)) {
    return (r + 1) * width <= K ? B::load_unaligned(from + r * width) : simd::load_first<B>(from + r * width, K - r * width);
  };
#pragma GCC unroll 32
  for (index r = 0; r < parts; ++r) y[r] = part(x, r);
  auto rows = [&]<int Count, int Registers>(const T* from, T* to, std::integer_sequence<int, Count, Registers>)
                  __attribute__((always_inline)) {
                    B total[array_bound(Registers)];
#pragma GCC unroll 32
                    for (int i = 0; i < Registers; ++i) {
                      total[i] = B(T(0));
#pragma GCC unroll 32
                      for (index r = 0; i < Count && r < parts; ++r) total[i] = simd::multiply_add(part(from + i * K, r), y[r], total[i]);
                    }
                    store_sums<Registers, Count>(total, to);
                  };
#pragma GCC unroll 1
  for (index i = 0; i + together <= M; i += together) rows(a + i * K, out + i, std::integer_sequence<int, together, together>());
  constexpr int left = static_cast<int>(M % together);
  if constexpr (left > 0)
    rows(a + (M - left) * K, out + M - left,
         std::integer_sequence<int, left, static_cast<int>(std::bit_ceil(static_cast<unsigned>(left)))>());
}

template <class T>
[[gnu::noinline]] void multiply_by_rows(const T* a, index a_row, const T* x, T* out, index m, index k) {
  constexpr int rows = 8;
  if (m < rows)
    for (index i = 0; i < m; ++i) sum_rows<1, 4>(a + i * a_row, a_row, x, out + i, k);
  else
    for (index i = 0; i < m; i += rows) {
      if (i + rows > m) i = m - rows;
      sum_rows<rows, 1>(a + i * a_row, a_row, x, out + i, k);
    }
}

// A vector times a matrix, where that is possible without packing.
template <class T>
bool multiply_vector(const T* x, index x_step, const T* b, index b_row, index b_col, T* out, index n, index k, memory_source& source) {
  if (b_col == 1) {
    multiply_by_columns(x, x_step, b, b_row, out, n, k);
    return true;
  }
  if (b_row != 1) return false;
  if (x_step == 1) {
    multiply_by_rows(b, b_col, x, out, n, k);
    return true;
  }
  workspace memory(source, static_cast<std::size_t>(k) * sizeof(T));
  T* dense = reinterpret_cast<T*>(memory.data());
  for (index p = 0; p < k; ++p) dense[p] = x[p * x_step];
  multiply_by_rows(b, b_col, static_cast<const T*>(dense), out, n, k);
  return true;
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Products of small static extents and dense operands: tiles of operands in place, and registers that several rows share.

#include <jig/eval/interleave.hpp>
#include <jig/eval/matmul/few_columns.hpp>
#include <jig/eval/matmul/pack.hpp>
#include <jig/eval/matmul/vector.hpp>

namespace jig::detail {

// How a matrix lies, in elements.
struct matrix_strides {
  index row = 0, column = 0;
  constexpr bool operator==(const matrix_strides&) const = default;
};
// The strides of a dense matrix of Rows x Columns, or of one that lies transposed.
template <bool Transposed, index Rows, index Columns>
inline constexpr matrix_strides dense_strides = Transposed ? matrix_strides{1, Rows} : matrix_strides{Columns, 1};

// Small static extents: how the result is cut into tiles. A tile that would reach over the end begins earlier
// instead, and computes some elements again.
template <class T, index M, index N>
struct small_tiles {
  static constexpr index width = [] {
    index w = simd::lanes<T>;
    constexpr index least = 16 / static_cast<index>(sizeof(T));
    while (w > least && (simd::cheap_parts ? w / 2 >= N : w > N)) w /= 2;
    return w;
  }();
  static constexpr index registers_of_row = (N + width - 1) / width;
  static constexpr int most = simd::registers == 32 ? 24 : 12;
  static constexpr int registers = [] {
    if (registers_of_row <= 3) return static_cast<int>(registers_of_row);
    return (registers_of_row + 2) / 3 * 3 < (registers_of_row + 1) / 2 * 2 ? 3 : 2;
  }();
  static constexpr int rows = [] {
    constexpr int limit = most / registers;
    if (M <= limit) return static_cast<int>(M);
    int best = limit;
    for (int r = limit; 2 * r > limit; --r)
      if ((M + r - 1) / r * r < (M + best - 1) / best * best) best = r;
    return best;
  }();
  using batch = simd::sized_batch<T, width>;
};

// Whether one tile is the whole result.
template <class T, index M, index N>
inline constexpr bool is_one_tile = M <= small_tiles<T, M, N>::rows && N <= small_tiles<T, M, N>::registers * small_tiles<T, M, N>::width;

// All strides are constants where this is inlined.
template <index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_small(const T* a, index a_row, index a_col, const T* b, index b_row, T* c, index c_row) {
  using tiles = small_tiles<T, M, N>;
  using B = typename tiles::batch;
  constexpr index columns = tiles::registers * tiles::width;
  constexpr index last_column = N < columns ? (N < tiles::width ? 0 : N - tiles::width) : columns - tiles::width;
  constexpr tail partial = N < tiles::width ? tail::loaded_and_stored : tail::whole;
#pragma GCC unroll 1
  for (index j = 0; j < N; j += columns) {
    const index column = N <= columns ? 0 : j + columns <= N ? j : N - columns;
#pragma GCC unroll 1
    for (index i = 0; i < M; i += tiles::rows) {
      const index row = i + tiles::rows <= M ? i : M - tiles::rows;
      const tile_place<T> at{a + row * a_row, a_row,       a_col,
                             b + column,      b_row,       c + row * c_row + column,
                             c_row,           last_column, N < tiles::width ? N : tiles::width};
      multiply_tile<B, tiles::rows, tiles::registers, partial>(at, K, false);
    }
  }
}

// As many rows of b as stay in registers while all rows of a pass, a few at a time: the first rows of c are done long before
// the last ones, so products that follow one another overlap.
template <class T, index M, index N, index K>
struct held_tiles {
  static constexpr index width = small_tiles<T, M, N>::width;
  static constexpr int registers = static_cast<int>(small_tiles<T, M, N>::registers_of_row);
  // With two sums for each register of a row, which hide the latency of a few rows.
  static constexpr int rows = [] {
    for (int r = 5; r > 1; --r)
      if (M % r == 0 && (static_cast<int>(K) + 2 * r) * registers + 1 <= simd::registers) return r;
    return 0;
  }();
};

// `m` rows of a, `Rows` at a time, times those of b that registers hold.
template <index N, index K, int Rows, class T, class B, std::size_t Held>
[[gnu::always_inline]] inline void multiply_by_registers(index m, const T* a, index a_row, index a_col, const B (&y)[array_bound(K)][Held],
                                                         T* c, index c_row) {
  constexpr int registers = static_cast<int>(Held);
  constexpr index width = static_cast<index>(B::size), last = N < width ? 0 : N - width, count = N < width ? N : width;
  auto column = [](int r) { return r + 1 < registers ? r * width : last; };
#pragma GCC unroll 1
  for (index i = 0; i < m; i += Rows, a += Rows * a_row, c += Rows * c_row) {
    B sum[2][array_bound(Rows)][array_bound(registers)];
#pragma GCC unroll 32
    for (index p = 0; p < K; ++p)
#pragma GCC unroll 32
      for (int q = 0; q < Rows; ++q) {
        const B x(a[q * a_row + p * a_col]);
#pragma GCC unroll 32
        for (int r = 0; r < registers; ++r) {
          B& to = sum[p % 2][q][r];
          to = simd::multiply_add(x, y[p][r], p < 2 ? B(T(0)) : to);
          simd::pin(to);
        }
      }
#pragma GCC unroll 32
    for (int q = 0; q < Rows; ++q)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) {
        const B all = K > 1 ? sum[0][q][r] + sum[1][q][r] : sum[0][q][r];
        if constexpr (count < width) simd::store_first(c + q * c_row, all, count);
        else all.store_unaligned(c + q * c_row + column(r));
      }
  }
}

template <index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_held(const T* a, index a_row, index a_col, const T* b, index b_row, T* c, index c_row) {
  using tiles = held_tiles<T, M, N, K>;
  using B = simd::sized_batch<T, tiles::width>;
  constexpr index width = tiles::width;
  constexpr int registers = tiles::registers;
  constexpr index last = N < width ? 0 : N - width, count = N < width ? N : width;
  B y[array_bound(K)][array_bound(registers)];
#pragma GCC unroll 32
  for (index p = 0; p < K; ++p)
#pragma GCC unroll 32
    for (int r = 0; r < registers; ++r) {
      const T* from = b + p * b_row + (r + 1 < registers ? r * width : last);
      y[p][r] = count < width ? simd::load_first<B>(from, count) : B::load_unaligned(from);
    }
  multiply_by_registers<N, K, tiles::rows>(M, a, a_row, a_col, y, c, c_row);
}

// b lies as N x K: its columns are taken apart in registers, where all of them stay.
template <class T, index M, index N, index K>
inline constexpr bool fits_turned = sizeof(T) >= 4 && K > 1 && K <= 10 && held_tiles<T, M, N, K>::registers <= 2 &&
                                    (static_cast<int>(K) + 2) * held_tiles<T, M, N, K>::registers < simd::registers;

template <index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_turned(const T* a, index a_row, index a_col, const T* b, T* c, index c_row) {
  using tiles = held_tiles<T, M, N, K>;
  using B = simd::sized_batch<T, tiles::width>;
  constexpr index width = tiles::width, last = N < width ? 0 : N - width, count = N < width ? N : width;
  constexpr int registers = tiles::registers, k = static_cast<int>(K);
  B y[array_bound(K)][array_bound(registers)];
#pragma GCC unroll 32
  for (int r = 0; r < registers; ++r) {
    const T* from = b + (r + 1 < registers ? r * width : last) * K;
    B x[array_bound(K)];
#pragma GCC unroll 32
    for (index p = 0; p < K; ++p) {
      const index left = count * K - p * width;
      x[p] = left <= 0 ? B(T(0)) : left < width ? simd::load_first<B>(from + p * width, left) : B::load_unaligned(from + p * width);
    }
    simd::deinterleave<k>(x);
#pragma GCC unroll 32
    for (index p = 0; p < K; ++p) y[p][r] = x[p];
  }
  multiply_by_registers<N, K, (tiles::rows > 1 ? tiles::rows : 1)>(M, a, a_row, a_col, y, c, c_row);
}

// Rows that are shorter than a register share one, where a is square and all of it dense.
template <class T, index M, index N, index K>
inline constexpr index shared_width = [] {
  const index width = M * N < simd::lanes<T> ? M * N : simd::lanes<T>;
  const bool fits = N == K && (N == 2 || N == 4 || N == 8) && width > N && M * N % width == 0 && M * N <= 4 * width;
  return fits && (width & (width - 1)) == 0 && width * static_cast<index>(sizeof(T)) >= 16 ? width : 0;
}();

// What is done with a register of a result: it goes to where it belongs.
struct stored {
  template <class B>
  [[gnu::always_inline]] void operator()(const B& x, typename B::value_type* to) const {
    x.store_unaligned(to);
  }
};

// Whether b may lie transposed: it is one full register or two, from which machines choose lanes in one move.
template <class T, index M, index N, index K>
inline constexpr bool shares_turned = [] {
  constexpr index width = shared_width<T, M, N, K>;
  return simd::cheap_parts && (width == N * N || 2 * width == N * N);
}();

// Row p of a matrix that lies transposed, again and again.
template <index N, int Width, index P>
struct lane_of_column {
  static constexpr index element(int l) { return l % N * N + P; }
  static constexpr int source(int l) { return static_cast<int>(element(l) / Width); }
  static constexpr int lane(int l) { return static_cast<int>(element(l) % Width); }
};

template <index M, index N, bool TransposeB = false, class T, class Then = stored>
[[gnu::always_inline]] inline void multiply_shared(const T* a, const T* b, T* c, const Then& then = {}) {
  constexpr index width = shared_width<T, M, N, N>;
  constexpr int registers = static_cast<int>(M * N / width);
  using B = simd::sized_batch<T, width>;
  B x[array_bound(registers)], sum[2][array_bound(registers)];
#pragma GCC unroll 32
  for (int r = 0; r < registers; ++r) {
    x[r] = B::load_unaligned(a + r * width);
    simd::pin(x[r]);  // or it is loaded again for every use
    sum[0][r] = sum[1][r] = B(T(0));
  }
  constexpr int turned = TransposeB ? static_cast<int>((N * N + width - 1) / width) : 0;
  B columns[array_bound(turned)];
  for (int r = 0; r < turned; ++r) columns[r] = B::load_unaligned(b + r * width);
  const auto row = [&]<index P>(std::integral_constant<index, P>) __attribute__((always_inline)) {
    if constexpr (TransposeB) return simd::merge<lane_of_column<N, static_cast<int>(width), P>, turned>(columns);
    else return simd::repeat<B, N>(b + P * N);
  };
  [&]<index... P>(std::integer_sequence<index, P...>) __attribute__((always_inline)) {
    (
        [&]() __attribute__((always_inline)) {
          const B y = row(std::integral_constant<index, P>());
#pragma GCC unroll 32
          for (int r = 0; r < registers; ++r) sum[P % 2][r] = simd::multiply_add(simd::spread<P, N>(x[r]), y, sum[P % 2][r]);
        }(),
        ...);
  }(std::make_integer_sequence<index, N>());
#pragma GCC unroll 32
  for (int r = 0; r < registers; ++r) then(B(sum[0][r] + sum[1][r]), c + r * width);
}

constexpr bool are_small_extents(index m, index n, index k) {
  return m > 0 && n > 0 && k > 0 && m <= 64 && n <= 64 && k <= (m > 1 ? 64 : 16) && (n > 1 || k <= 16);
}
template <index M, index N, index K>
inline constexpr bool small_extents = are_small_extents(M, N, K);

// All elements of each matrix fit in one register: lanes are moved to where they are multiplied.
template <class T, index M, index N, index K>
inline constexpr bool fits_lanes =
    simd::cheap_parts && sizeof(T) >= 4 && M * N <= simd::lanes<T> && M * K <= simd::lanes<T> && K * N <= simd::lanes<T>;

// The element of a, or of b, that lane i of the result multiplies in step P.
template <bool Transposed, int M, int N, int K, int P>
struct lane_of_a {
  static constexpr int at(int i) {
    const int row = i < M * N ? i / N : 0;
    return Transposed ? P * M + row : row * K + P;
  }
};
template <bool Transposed, int N, int K, int P>
struct lane_of_b {
  static constexpr int at(int i) { return Transposed ? i % N * K + P : P * N + i % N; }
};

template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_lanes(const T* a, const T* b, T* c) {
  using B = simd::batch<T>;
  constexpr int m = static_cast<int>(M), n = static_cast<int>(N), k = static_cast<int>(K);
  const B x = simd::load_first<B>(a, M * K), y = simd::load_first<B>(b, K * N);
  B sum[2] = {B(T(0)), B(T(0))};
  [&]<int... P>(std::integer_sequence<int, P...>) __attribute__((always_inline)) {
    ((sum[P % 2] = simd::multiply_add(simd::permute<lane_of_a<TransposeA, m, n, k, P>>(x), simd::permute<lane_of_b<TransposeB, n, k, P>>(y),
                                      sum[P % 2])),
     ...);
  }(std::make_integer_sequence<int, k>());
  simd::store_first(c, sum[0] + sum[1], M * N);
}

// Whether there are more rows than a tile has, times a few columns.
template <bool TransposeA, class T, index M, index N, index K>
inline constexpr bool has_few_columns = [] {
  if constexpr (!TransposeA && are_few_columns<T, N>(K, 6)) return M >= few_columns<T, N>::rows;
  else return false;
}();

// Small static extents and dense operands. Rows of c follow one another, or are c_row apart.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_rows_inline(const T* a, const T* b, T* c, index c_row) {
  constexpr index a_row = TransposeA ? 1 : K, a_col = TransposeA ? M : 1;
  if constexpr (has_few_columns<TransposeA, T, M, N, K>) {
    multiply_few_columns<N>(product<T>{a, a_row, a_col, b, TransposeB ? 1 : N, TransposeB ? K : 1, c, c_row, M, N, K});
  } else if constexpr (TransposeB && fits_turned<T, M, N, K>) {
    multiply_turned<M, N, K>(a, a_row, a_col, b, c, c_row);
  } else if constexpr (TransposeB && K > 1) {
    constexpr index row = (N + simd::lanes<T> - 1) / simd::lanes<T> * simd::lanes<T>;
    alignas(alignment) T rows[array_bound(K * row)];
    pack_panel(rows, b, 1, K, N, K);
    multiply_small<M, N, K>(a, a_row, a_col, static_cast<const T*>(rows), row, c, c_row);
  } else if constexpr (held_tiles<T, M, N, K>::rows > 0) {
    multiply_held<M, N, K>(a, a_row, a_col, b, N, c, c_row);
  } else {
    multiply_small<M, N, K>(a, a_row, a_col, b, N, c, c_row);
  }
}
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_dense_inline(const T* a, const T* b, T* c) {
  if constexpr (fits_lanes<T, M, N, K> && (TransposeA || TransposeB || shared_width<T, M, N, K> == 0)) {
    multiply_lanes<TransposeA, TransposeB, M, N, K>(a, b, c);
  } else if constexpr (N == 1 && M > 1 && TransposeA) {
    multiply_dense_inline<false, false, 1, M, K>(b, a, c);  // a column is a row
  } else if constexpr (N == 1 && M >= 4 && 2 * K >= simd::lanes<T>) {
    multiply_by_few_rows<M, K>(a, b, c);
  } else if constexpr (!TransposeA && !(TransposeB && K > 1) && shared_width<T, M, N, K> != 0) {
    multiply_shared<M, N>(a, b, c);
  } else if constexpr (!TransposeA && TransposeB && shares_turned<T, M, N, K>) {
    multiply_shared<M, N, true>(a, b, c);
  } else {
    multiply_rows_inline<TransposeA, TransposeB, M, N, K>(a, b, c, N);
  }
}

// The same in the program once.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::noinline]] void multiply_dense(const T* a, const T* b, T* c) {
  multiply_dense_inline<TransposeA, TransposeB, M, N, K>(a, b, c);
}

// Whether the kernels of small extents, which read dense operands in place, are there for these.
constexpr bool are_dense_kernel_extents(bool transpose_b, index m, index n, index k) {
  return are_small_extents(m, n, k) && (!transpose_b || (n <= 32 && k <= 32));
}
template <bool TransposeB, index M, index N, index K>
inline constexpr bool has_dense_kernel = are_dense_kernel_extents(TransposeB, M, N, K);

// Whether multiply_dense has read all of its operands when it begins to write.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
constexpr bool dense_reads_first() {
  if constexpr (!has_dense_kernel<TransposeB, M, N, K>) return false;
  else if constexpr (fits_lanes<T, M, N, K>) return true;
  else if constexpr (N == 1 || has_few_columns<TransposeA, T, M, N, K>) return false;
  else if constexpr (!TransposeA && TransposeB && shares_turned<T, M, N, K>) return true;
  else if constexpr (TransposeB && fits_turned<T, M, N, K>) return false;
  else if constexpr (TransposeB && K > 1) return is_one_tile<T, M, N>;
  else if constexpr (!TransposeA && shared_width<T, M, N, K> != 0) return true;
  else return held_tiles<T, M, N, K>::rows == 0 && is_one_tile<T, M, N>;
}

// So few products that plain loops are best: the compiler sees every element.
template <index M, index N, index K>
inline constexpr bool few_products = M > 0 && N > 0 && K > 0 &&
                                     ((M * N < 16 && M * K < 16 && K * N < 16) || ((M == 1 || N == 1) && M * N * K <= 25));

template <index M, index N, index K, matrix_strides A, matrix_strides B, class T>
[[gnu::always_inline]] inline void multiply_few(const T* a, const T* b, T* c) {
  using sum = typename wrapping_type<T>::type;
  sum to[array_bound(M * N)];
#pragma GCC unroll 16
  for (index i = 0; i < M; ++i)
#pragma GCC unroll 16
    for (index j = 0; j < N; ++j) {
      sum& at = to[i * N + j];
      at = 0;
#pragma GCC unroll 16
      for (index k = 0; k < K; ++k) at += static_cast<sum>(a[i * A.row + k * A.column]) * static_cast<sum>(b[k * B.row + j * B.column]);
    }
#pragma GCC unroll 16
  for (index i = 0; i < M * N; ++i) c[i] = static_cast<T>(to[i]);
}

}  // namespace jig::detail

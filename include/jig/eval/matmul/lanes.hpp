// SPDX-License-Identifier: MIT
#pragma once
// Products with a few small static extents and one long axis, which the lanes of the registers run along: the rows of points times a
// small matrix, or a batch of small matrices whose last axis is the batch.

#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_moves.hpp>
#include <jig/eval/matmul/tile.hpp>

namespace jig::detail {

// How the lanes find an operand or the result. Lane i is item i of the long axis; each item is a matrix of Rows x Columns.

// The elements of an item lie next to each other, behind those of the item before it.
template <class T, int Rows, int Columns>
struct adjacent_batches {
  T* data;
  static constexpr int size = Rows * Columns;
  using B = simd::batch<std::remove_const_t<T>>;
  static constexpr index width = static_cast<index>(B::size);

  struct registers {
    B x[array_bound(size)];
    [[gnu::always_inline]] const B& operator()(int row, int column) const { return x[row * Columns + column]; }
    [[gnu::always_inline]] B& operator()(int row, int column) { return x[row * Columns + column]; }
  };
  template <bool Whole>
  [[gnu::always_inline]] registers read(index first, index count) const {
    registers out;
    const T* from = data + first * size;
#pragma GCC unroll 32
    for (int r = 0; r < size; ++r) {
      const index left = count * size - r * width;
      if constexpr (Whole) out.x[r] = B::load_unaligned(from + r * width);
      else out.x[r] = left <= 0 ? B(T(0)) : simd::load_first<B>(from + r * width, smaller(left, width));
    }
    simd::deinterleave<size>(out.x);
    return out;
  }
  template <bool Whole>
  [[gnu::always_inline]] void write(registers& from, index first, index count) const {
    simd::interleave_groups<size>(from.x);
    T* to = data + first * size;
#pragma GCC unroll 32
    for (int r = 0; r < size; ++r) {
      const index left = count * size - r * width;
      if constexpr (Whole) from.x[r].store_unaligned(to + r * width);
      else if (left > 0) simd::store_first(to + r * width, from.x[r], smaller(left, width));
    }
  }
};

// The same element of all items lies next to each other.
template <class T, int Rows, int Columns>
struct adjacent_elements {
  T* data;
  index row, column;
  using B = simd::batch<std::remove_const_t<T>>;
  static constexpr index width = static_cast<index>(B::size);

  struct registers {
    B x[array_bound(Rows * Columns)];
    [[gnu::always_inline]] const B& operator()(int r, int c) const { return x[r * Columns + c]; }
    [[gnu::always_inline]] B& operator()(int r, int c) { return x[r * Columns + c]; }
  };
  template <bool Whole>
  [[gnu::always_inline]] registers read(index first, index count) const {
    registers out;
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 32
      for (int j = 0; j < Columns; ++j) {
        const T* from = data + i * row + j * column + first;
        if constexpr (Whole) out(i, j) = B::load_unaligned(from);
        else out(i, j) = simd::load_first<B>(from, count);
      }
    return out;
  }
  template <bool Whole>
  [[gnu::always_inline]] void write(const registers& from, index first, index count) const {
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 32
      for (int j = 0; j < Columns; ++j) {
        T* to = data + i * row + j * column + first;
        if constexpr (Whole) from(i, j).store_unaligned(to);
        else simd::store_first(to, from(i, j), count);
      }
  }
};

// One matrix for all items: a copy of it, which the compiler knows that no store changes.
template <class T, int Rows, int Columns>
class one_matrix {
  using value = std::remove_const_t<T>;
  value at_[array_bound(Rows * Columns)];

 public:
  one_matrix(const T* data, index row, index column) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) at_[i * Columns + j] = data[i * row + j * column];
  }
  struct registers {
    const value* at;
    [[gnu::always_inline]] simd::batch<value> operator()(int r, int c) const { return simd::batch<value>(at[r * Columns + c]); }
  };
  template <bool Whole>
  [[gnu::always_inline]] registers read(index, index) const {
    return {at_};
  }
};

template <bool Whole, int M, int N, int K, class A, class B, class C>
[[gnu::always_inline]] inline void multiply_lanes_at(const A& a, const B& b, const C& c, index first, index count) {
  const auto x = a.template read<Whole>(first, count);
  const auto y = b.template read<Whole>(first, count);
  typename C::registers sum;
#pragma GCC unroll 32
  for (int i = 0; i < M; ++i)
#pragma GCC unroll 32
    for (int j = 0; j < N; ++j) {
      using R = typename C::B;
      R total = R(typename R::value_type(0));
#pragma GCC unroll 32
      for (int k = 0; k < K; ++k) total = simd::multiply_add(x(i, k), y(k, j), total);
      sum(i, j) = total;
    }
  c.template write<Whole>(sum, first, count);
}

/// `count` products of M x K and K x N, a register of them at a time.
template <int M, int N, int K, class A, class B, class C>
[[gnu::noinline]] void multiply_along_lanes(const A a, const B b, const C c, index count) {
  index i = 0;
#pragma GCC unroll 2
  for (; i + C::width <= count; i += C::width) multiply_lanes_at<true, M, N, K>(a, b, c, i, C::width);
  if (i < count) multiply_lanes_at<false, M, N, K>(a, b, c, i, count - i);
}

/// Whether rows of K elements times K x N are best computed with lanes along the rows. Longer rows are so where registers hold them and
/// moving their lanes costs less than steps of which each fills N lanes.
template <class T, index N, index K>
inline constexpr bool fits_rows_in_lanes = [] {
  if constexpr (sizeof(T) < 4 || N <= 0 || K <= 0 || N > 8 || K > (simd::registers == 32 ? 16 : 8)) return false;
  else
    return K <= 8 || simd::moves_of_interleaving(static_cast<int>(K)) + simd::moves_of_interleaving(static_cast<int>(N)) + N * K / 2 <
                         K * simd::lanes<T>;
}();

/// Whether those of a product lie in a way that lanes can run along.
template <index N, index K, class T>
bool has_rows_for_lanes(const product<T>& p) {
  if (p.m < simd::lanes<T> || p.c_row != N) return false;
  return p.a_row == 1 || (p.a_row == K && p.a_col == 1);
}

/// Rows of N elements that are computed in one register: each of its lanes moves to where it is multiplied.
template <class T, index N, index K>
inline constexpr index rows_in_group = simd::lanes<T> / (N > K ? N : K);

/// Whether that takes less than to move lanes to registers of one column each, and back.
template <class T, index N, index K>
inline constexpr bool fits_rows_in_groups = [] {
  constexpr index group = rows_in_group<T, N, K>, width = simd::lanes<T>;
  if (group < 2) return false;
  // A move from two registers takes twice as long.
  const int moves = 2 * (simd::moves_of_interleaving(static_cast<int>(N)) + simd::moves_of_interleaving(static_cast<int>(K)));
  return 2 * K * width <= (moves + N * K) * group;
}();

template <int N, int K, int P, int Width>
struct lane_in_group {
  static constexpr int at(int i) { return i < Width / (N > K ? N : K) * N ? i / N * K + P : 0; }
};

/// Rows of K elements that follow one another times K x N, as many at a time as are computed in a register.
template <index N, index K, class T>
[[gnu::noinline]] void multiply_rows_in_groups(const product<T>& p) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>, group = rows_in_group<T, N, K>, lanes = group * N;
  constexpr int together = 4;
  B y[array_bound(K)];
#pragma GCC unroll 8
  for (index k = 0; k < K; ++k) {
    alignas(sizeof(B)) T row[array_bound(width)] = {};
    for (index i = 0; i < lanes; ++i) row[i] = p.b[k * p.b_row + i % N * p.b_col];
    y[k] = B::load_aligned(row);
    simd::pin(y[k]);
  }
  const auto times = [&](const B& x) __attribute__((always_inline)) {
    return [&]<int... P>(std::integer_sequence<int, P...>) __attribute__((always_inline)) {
      B total(T(0));
      ((total = simd::multiply_add(simd::permute<lane_in_group<static_cast<int>(N), static_cast<int>(K), P, static_cast<int>(width)>>(x),
                                   y[P], total)),
       ...);
      return total;
    }(std::make_integer_sequence<int, static_cast<int>(K)>());
  };
  const T* from = p.a;
  T* to = p.c;
  index left = p.m;
  // Whole registers are read and written, of which the rows behind these are the rest.
  constexpr index rest = lanes == width && group * K == width ? 0 : (width + (N < K ? N : K) - 1) / (N < K ? N : K) - group;
  for (; left >= together * group + rest; left -= together * group) {
    B x[together];
#pragma GCC unroll 4
    for (int r = 0; r < together; ++r) x[r] = B::load_unaligned(from + r * group * K);
#pragma GCC unroll 4
    for (int r = 0; r < together; ++r) times(x[r]).store_unaligned(to + r * lanes);
    from += together * group * K;
    to += together * lanes;
  }
  for (; left > 0; left -= group, from += group * K, to += lanes) {
    const index now = smaller(left, group);
    simd::store_first(to, times(simd::load_first<B>(from, now * K)), now * N);
  }
}

/// Many rows of K elements times one small matrix.
template <index N, index K, class T>
void multiply_rows_in_lanes(const product<T>& p) {
  if constexpr (fits_rows_in_groups<T, N, K>)
    if (p.a_row == K && p.a_col == 1) return multiply_rows_in_groups<N, K>(p);
  constexpr int n = static_cast<int>(N), k = static_cast<int>(K);
  const one_matrix<const T, k, n> b(p.b, p.b_row, p.b_col);
  const adjacent_batches<T, 1, n> c{p.c};
  if (p.a_row == 1) multiply_along_lanes<1, n, k>(adjacent_elements<const T, 1, k>{p.a, 0, p.a_col}, b, c, p.m);
  else multiply_along_lanes<1, n, k>(adjacent_batches<const T, 1, k>{p.a}, b, c, p.m);
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// The kernels of matrix products. A tile of the result stays in registers while k passes; the same tile works
// on operands in place where they are small, and on packed blocks of them where they are large.

#include <jig/eval/blocks.hpp>
#include <jig/eval/simd.hpp>
#include <jig/eval/tiles.hpp>
#include <jig/eval/workspace.hpp>
#include <jig/ops/matmul.hpp>

#ifdef JIG_USE_CBLAS
#include <cblas.h>
#endif

namespace jig {

namespace detail {

// Integers are multiplied as unsigned ones, so that they wrap.
template <class T, bool Integer = std::is_integral_v<T>>
struct factor_of : std::type_identity<T> {};
template <class T>
struct factor_of<T, true> : std::make_unsigned<T> {};
template <class T>
using factor = typename factor_of<T>::type;

constexpr index smaller(index x, index y) { return x < y ? x : y; }

// One product, c = a b. Strides are in elements; rows of c are c_row apart, its columns lie next to each
// other.
template <class T>
struct product {
  const T* a;
  index a_row, a_col;
  const T* b;
  index b_row, b_col;
  T* c;
  index c_row;
  index m, n, k;
};

// Where a tile reads and writes. Its last register may begin before the one ahead of it ends, or hold fewer
// elements.
template <class T>
struct tile_place {
  const T* a;
  index a_row, a_col;
  const T* b;
  index b_row;
  T* c;
  index c_row;
  index last_column;
  index last_count;
};

enum class tail : unsigned char { whole, stored, loaded_and_stored };

// Rows x Registers of the result. `Tail` says which accesses the last register of a row may have fewer
// elements in.
template <class B, int Rows, int Registers, tail Tail, class T>
[[gnu::always_inline]] inline void multiply_tile(const tile_place<T>& p, index k, bool add) {
  constexpr index width = static_cast<index>(B::size);
  const bool partial = Tail == tail::loaded_and_stored || (Tail == tail::stored && p.last_count != width);
  B sum[array_bound(Rows)][array_bound(Registers)];
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 32
    for (int r = 0; r < Registers; ++r) sum[i][r] = B(T(0));
  const T* a = p.a;
  const T* b = p.b;
  // The rows of c are too far apart for the machine to see them coming.
  if constexpr (Tail == tail::stored) {
    if (add)
#pragma GCC unroll 32
      for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 32
        for (int r = 0; r < Registers; ++r) __builtin_prefetch(p.c + i * p.c_row + r * width, 1);
  }
  auto step = [&]() __attribute__((always_inline)) {
    B y[array_bound(Registers)];
#pragma GCC unroll 32
    for (int r = 0; r < Registers; ++r) {
      const T* from = b + (r + 1 < Registers ? r * width : p.last_column);
      if constexpr (Tail == tail::loaded_and_stored) {
        if (r + 1 == Registers) {
          y[r] = simd::load_first<B>(from, p.last_count);
          continue;
        }
      }
      y[r] = B::load_unaligned(from);
    }
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i) {
      const B x(a[i * p.a_row]);
#pragma GCC unroll 32
      for (int r = 0; r < Registers; ++r) sum[i][r] = simd::multiply_add(x, y[r], sum[i][r]);
    }
    a += p.a_col;
    b += p.b_row;
  };
  if (__builtin_constant_p(k) && k * Rows * Registers <= 128) {
#pragma GCC unroll 32
    for (index q = 0; q < k; ++q) step();
  } else {
#pragma GCC unroll 1
    for (index q = 0; q < k; ++q) step();
  }
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i) {
    T* to = p.c + i * p.c_row;
#pragma GCC unroll 32
    for (int r = 0; r + 1 < Registers; ++r) {
      if (add) sum[i][r] += B::load_unaligned(to + r * width);
      sum[i][r].store_unaligned(to + r * width);
    }
    B& last = sum[i][Registers - 1];
    to += p.last_column;
    if (partial) {
      if (add) last += simd::load_first<B>(to, p.last_count);
      simd::store_first(to, last, p.last_count);
    } else {
      if (add) last += B::load_unaligned(to);
      last.store_unaligned(to);
    }
  }
}

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
inline constexpr bool is_one_tile =
    M <= small_tiles<T, M, N>::rows && N <= small_tiles<T, M, N>::registers * small_tiles<T, M, N>::width;

// All strides are constants where this is inlined.
template <index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_small(const T* a, index a_row, index a_col, const T* b,
                                                  index b_row, T* c) {
  using tiles = small_tiles<T, M, N>;
  using B = typename tiles::batch;
  constexpr index columns = tiles::registers * tiles::width;
  constexpr index last_column =
      N < columns ? (N < tiles::width ? 0 : N - tiles::width) : columns - tiles::width;
  constexpr tail partial = N < tiles::width ? tail::loaded_and_stored : tail::whole;
#pragma GCC unroll 1
  for (index j = 0; j < N; j += columns) {
    const index column = N <= columns ? 0 : j + columns <= N ? j : N - columns;
#pragma GCC unroll 1
    for (index i = 0; i < M; i += tiles::rows) {
      const index row = i + tiles::rows <= M ? i : M - tiles::rows;
      const tile_place<T> at{a + row * a_row, a_row, a_col, b + column, b_row, c + row * N + column, N,
                             last_column, N < tiles::width ? N : tiles::width};
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

template <index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_held(const T* a, index a_row, index a_col, const T* b, index b_row, T* c) {
  using tiles = held_tiles<T, M, N, K>;
  using B = simd::sized_batch<T, tiles::width>;
  constexpr index width = tiles::width;
  constexpr int registers = tiles::registers, rows = tiles::rows;
  constexpr index last = N < width ? 0 : N - width, count = N < width ? N : width;
  auto column = [](int r) { return r + 1 < registers ? r * width : last; };
  B y[array_bound(K)][array_bound(registers)];
#pragma GCC unroll 32
  for (index p = 0; p < K; ++p)
#pragma GCC unroll 32
    for (int r = 0; r < registers; ++r)
      y[p][r] = count < width ? simd::load_first<B>(b + p * b_row, count) : B::load_unaligned(b + p * b_row + column(r));
#pragma GCC unroll 1
  for (index i = 0; i < M; i += rows, a += rows * a_row, c += rows * N) {
    B sum[2][array_bound(rows)][array_bound(registers)];
#pragma GCC unroll 32
    for (index p = 0; p < K; ++p)
#pragma GCC unroll 32
      for (int q = 0; q < rows; ++q) {
        const B x(a[q * a_row + p * a_col]);
#pragma GCC unroll 32
        for (int r = 0; r < registers; ++r) {
          B& to = sum[p % 2][q][r];
          to = simd::multiply_add(x, y[p][r], p < 2 ? B(T(0)) : to);
          simd::pin(to);
        }
      }
#pragma GCC unroll 32
    for (int q = 0; q < rows; ++q)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) {
        const B all = K > 1 ? sum[0][q][r] + sum[1][q][r] : sum[0][q][r];
        if constexpr (count < width) simd::store_first(c + q * N, all, count);
        else all.store_unaligned(c + q * N + column(r));
      }
  }
}

// Rows that are shorter than a register share one, where a is square and all of it dense.
template <class T, index M, index N, index K>
inline constexpr index shared_width = [] {
  const index width = M * N < simd::lanes<T> ? M * N : simd::lanes<T>;
  const bool fits =
      N == K && (N == 2 || N == 4 || N == 8) && width > N && M * N % width == 0 && M * N <= 4 * width;
  return fits && (width & (width - 1)) == 0 && width * static_cast<index>(sizeof(T)) >= 16 ? width : 0;
}();

// What is done with a register of a result: it goes to where it belongs.
struct stored {
  template <class B>
  [[gnu::always_inline]] void operator()(const B& x, typename B::value_type* to) const {
    x.store_unaligned(to);
  }
};

template <index M, index N, class T, class Then = stored>
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
  [&]<index... P>(std::integer_sequence<index, P...>) __attribute__((always_inline)) {
    (
        [&]() __attribute__((always_inline)) {
          const B y = simd::repeat<B, N>(b + P * N);
#pragma GCC unroll 32
          for (int r = 0; r < registers; ++r)
            sum[P % 2][r] = simd::multiply_add(simd::spread<P, N>(x[r]), y, sum[P % 2][r]);
        }(),
        ...);
  }(std::make_integer_sequence<index, N>());
#pragma GCC unroll 32
  for (int r = 0; r < registers; ++r) then(B(sum[0][r] + sum[1][r]), c + r * width);
}

// Tiles and blocks of large operands.
template <class T>
struct blocks {
  static constexpr index width = simd::lanes<T>;
  // Eight rows divide most extents that occur, and with two registers each are enough sums to hide the
  // latency.
  static constexpr int rows = simd::registers == 32 ? 8 : 6;
  static constexpr int registers = 2;
  static constexpr index columns = registers * width;
  // Units: elements. A panel of b, k x columns, is meant for the first cache, a block of a, m x k, for the
  // second.
  static constexpr index k = 256;
  static constexpr index m = 256 * 1024 / (k * static_cast<index>(sizeof(T)));
  static constexpr index n = 512 * 1024 / (k * static_cast<index>(sizeof(T))) / columns * columns;
};

// A block of c that is as wide as a tile: its rows from `row` to m.
template <int Rows, int Registers, class T>
[[gnu::noinline]] void multiply_rows(const tile_place<T>& all, index row, index m, index k, bool add) {
  const T* a = all.a;
  T* c = all.c;
  for (; row + Rows <= m; row += Rows) {
    const tile_place<T> at{a + row * all.a_row, all.a_row, all.a_col,       all.b,         all.b_row,
                           c + row * all.c_row, all.c_row, all.last_column, all.last_count};
    multiply_tile<simd::batch<T>, Rows, Registers, tail::stored>(at, k, add);
  }
  if constexpr (Rows > 1)
    if (row < m) multiply_rows<(Rows > 4 ? Rows / 2 : Rows - 1), Registers>(all, row, m, k, add);
}

template <int Registers, class T>
void multiply_panel(tile_place<T>& at, index columns, index m, index k, bool add) {
  if constexpr (Registers > 1) {
    if (columns <= (Registers - 1) * simd::lanes<T>)
      return multiply_panel<Registers - 1>(at, columns, m, k, add);
  }
  at.last_column = (Registers - 1) * simd::lanes<T>;
  at.last_count = columns - at.last_column;
  multiply_rows<blocks<T>::rows, Registers>(at, 0, m, k, add);
}

// Copies k x columns of b, whose columns lie along k, a square of registers at a time.
template <class T>
void pack_columns(T* to, index row, const T* b, index b_col, index columns, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  for (index j = 0; j < columns; j += width) {
    for (index p = 0; p < k; p += width) {
      const index count = k - p < width ? k - p : width;
      const T* from = b + j * b_col + p;
      B x[array_bound(width)];
#pragma GCC unroll 32
      for (index i = 0; i < width; ++i) {
        if (i >= columns - j)
          x[i] = B(T(0));
        else
          x[i] = count == width ? B::load_unaligned(from + i * b_col)
                                : simd::load_first<B>(from + i * b_col, count);
      }
      simd::transpose(x);
#pragma GCC unroll 32
      for (index i = 0; i < width; ++i)
        if (i < count) x[i].store_unaligned(to + (p + i) * row + j);
    }
  }
}

// Copies k x columns of b so that each row is as long as whole registers hold.
template <class T>
[[gnu::noinline]] void pack_panel(T* to, const T* b, index b_row, index b_col, index columns, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  const index row = (columns + width - 1) / width * width;
  if (b_col == 1) {
    for (index p = 0; p < k; ++p, to += row, b += b_row) {
      index j = 0;
      for (; j + width <= columns; j += width) B::load_unaligned(b + j).store_unaligned(to + j);
      if (j < columns) simd::load_first<B>(b + j, columns - j).store_unaligned(to + j);
    }
    return;
  }
  if constexpr (sizeof(T) >= 4)
    if (b_row == 1) return pack_columns(to, row, b, b_col, columns, k);
  for (index j = 0; j < row; ++j)
    for (index p = 0; p < k; ++p) to[p * row + j] = j < columns ? b[p * b_row + j * b_col] : T(0);
}

// Copies m x k of a to consecutive memory, along the direction in which it lies already.
template <class T>
void pack_block(T* to, const T* a, index a_row, index a_col, index m, index k, index& row, index& col) {
  const bool by_column = a_row == 1 && a_col != 1;
  const index lines = by_column ? k : m, length = by_column ? m : k;
  const index line = by_column ? a_col : a_row, next = by_column ? a_row : a_col;
  for (index i = 0; i < lines; ++i, to += length, a += line) {
    if (next == 1)
      std::memcpy(to, a, static_cast<std::size_t>(length) * sizeof(T));
    else
      for (index q = 0; q < length; ++q) to[q] = a[q * next];
  }
  row = by_column ? 1 : length;
  col = by_column ? length : 1;
}

struct packing {
  bool a, b;
};

// Copying pays where a block is read again so often, or lies so badly, that the copy is cheaper.
template <class T>
packing choose_packing(const product<T>& p) {
  constexpr index little = 256 * 1024 / static_cast<index>(sizeof(T));
  packing out;
  out.b = p.b_col != 1 || (p.n * p.k > little && p.m >= 8 * blocks<T>::rows);
  out.a = (p.m * p.k > little || p.a_col != 1) && p.n >= 8 * blocks<T>::columns;
  return out;
}

// One product, block by block: columns of b and c outermost, then k, then rows of a and c.
template <class T>
class blocked_product {
  using size = blocks<T>;
  static constexpr index columns = size::columns, width = size::width;
  static constexpr index whole_registers(index n) { return (n + width - 1) / width * width; }

 public:
  explicit blocked_product(const product<T>& p, const tile_loop& then)
      : p_(p),
        then_(then),
        pack_(choose_packing(p)),
        m_(pack_.a ? smaller(p.m, size::m) : p.m),
        n_(pack_.b ? smaller(p.n, size::n) : p.n),
        k_(smaller(p.k, size::k)) {}

  std::size_t b_bytes() const {
    // What does not fill its registers is packed in any case.
    const index n = pack_.b ? whole_registers(n_) : p_.n % width != 0 ? columns : 0;
    return aligned_size(static_cast<std::size_t>(k_ * n) * sizeof(T));
  }
  std::size_t a_bytes() const { return pack_.a ? static_cast<std::size_t>(m_ * k_) * sizeof(T) : 0; }

  void run(char* memory) {
    packed_b_ = reinterpret_cast<T*>(memory);
    packed_a_ = reinterpret_cast<T*>(memory + b_bytes());
    for (index j = 0; j < p_.n; j += n_)
      for (index q = 0; q < p_.k; q += k_) {
        const index n = smaller(n_, p_.n - j), k = smaller(k_, p_.k - q);
        pack_b(j, n, q, k);
        for (index i = 0; i < p_.m; i += m_) multiply_block(i, smaller(m_, p_.m - i), j, n, q, k);
      }
  }

 private:
  void pack_b(index first_column, index n, index first_k, index k) {
    const T* b = p_.b + first_k * p_.b_row + first_column * p_.b_col;
    index j = pack_.b ? 0 : n % width != 0 ? n / columns * columns : n;
    for (T* to = packed_b_; j < n; j += columns, to += columns * k)
      pack_panel(to, b + j * p_.b_col, p_.b_row, p_.b_col, smaller(columns, n - j), k);
  }

  void multiply_block(index i, index m, index first_column, index n, index first_k, index k) {
    tile_place<T> at{};
    at.a = p_.a + i * p_.a_row + first_k * p_.a_col;
    at.a_row = p_.a_row;
    at.a_col = p_.a_col;
    at.c_row = p_.c_row;
    if (pack_.a) {
      pack_block(packed_a_, at.a, p_.a_row, p_.a_col, m, k, at.a_row, at.a_col);
      at.a = packed_a_;
    }
    for (index j = 0; j < n; j += columns) {
      const index here = smaller(columns, n - j);
      const bool packed = pack_.b || here % width != 0;
      at.b = !packed ? p_.b + first_k * p_.b_row + first_column + j : packed_b_ + (pack_.b ? j * k : 0);
      at.b_row = packed ? whole_registers(here) : p_.b_row;
      at.c = p_.c + i * p_.c_row + first_column + j;
      multiply_panel<size::registers>(at, here, m, k, first_k > 0);
      if (first_k + k == p_.k) then_(i, m, first_column + j, here);
    }
  }

  const product<T>& p_;
  const tile_loop& then_;
  packing pack_;
  index m_, n_, k_;
  T* packed_a_ = nullptr;
  T* packed_b_ = nullptr;
};

template <class T>
[[gnu::noinline]] void multiply_blocked(const product<T>& p, const tile_loop& then) {
  blocked_product<T> blocked(p, then);
  const std::size_t bytes = blocked.b_bytes() + blocked.a_bytes();
  alignas(alignment) char few[4096];
  if (bytes <= sizeof(few)) return blocked.run(few);
  workspace memory(bytes);
  blocked.run(memory.data());
}

// out[j] = sum over p of x[p] b(p, j), with rows of b that lie next to each other. Several sums for each
// register hide the latency where there are few registers.
template <class B, int Sums, int Registers, bool Partial, class T>
[[gnu::always_inline]] inline void sweep_columns(const T* x, index x_step, const T* b, index b_row, T* out,
                                                 index k, index count) {
  constexpr index width = static_cast<index>(B::size);
  B sum[array_bound(Sums)][array_bound(Registers)];
#pragma GCC unroll 32
  for (int s = 0; s < Sums; ++s)
#pragma GCC unroll 32
    for (int r = 0; r < Registers; ++r) sum[s][r] = B(T(0));
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
    if constexpr (Partial)
      simd::store_first(out, sum[0][r], count);
    else
      sum[0][r].store_unaligned(out + r * width);
  }
}

template <class T>
[[gnu::noinline]] void multiply_by_columns(const T* x, index x_step, const T* b, index b_row, T* out, index n,
                                           index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  if (n < width) return sweep_columns<B, 8, 1, true>(x, x_step, b, b_row, out, k, n);
  index j = 0;
  if constexpr (simd::registers == 32)
    for (; j + 16 * width <= n; j += 16 * width)
      sweep_columns<B, 1, 16, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j + 8 * width <= n; j += 8 * width)
    sweep_columns<B, 1, 8, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j + 2 * width <= n; j += 2 * width)
    sweep_columns<B, 4, 2, false>(x, x_step, b + j, b_row, out + j, k, width);
  for (; j < n; j += width) {
    if (j + width > n) j = n - width;
    sweep_columns<B, 8, 1, false>(x, x_step, b + j, b_row, out + j, k, width);
  }
}

// out[i] = sum over p of a(i, p) x[p], with rows of a that lie along p.
template <int Rows, int Sums, class T>
[[gnu::always_inline]] inline void sum_rows(const T* a, index a_row, const T* x, T* out, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  B sum[array_bound(Rows)][array_bound(Sums)];
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 32
    for (int s = 0; s < Sums; ++s) sum[i][s] = B(T(0));
  index p = 0;
  for (; p + Sums * width <= k; p += Sums * width)
#pragma GCC unroll 32
    for (int s = 0; s < Sums; ++s) {
      const B y = B::load_unaligned(x + p + s * width);
#pragma GCC unroll 32
      for (int i = 0; i < Rows; ++i)
        sum[i][s] = simd::multiply_add(y, B::load_unaligned(a + i * a_row + p + s * width), sum[i][s]);
    }
  for (; p < k; p += width) {
    const index count = k - p < width ? k - p : width;
    const B y = simd::load_first<B>(x + p, count);
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i)
      sum[i][0] = simd::multiply_add(y, simd::load_first<B>(a + i * a_row + p, count), sum[i][0]);
  }
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 32
    for (int s = 1; s < Sums; ++s) sum[i][0] += sum[i][s];
    out[i] = simd::sum(sum[i][0]);
  }
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
bool multiply_vector(const T* x, index x_step, const T* b, index b_row, index b_col, T* out, index n,
                     index k) {
  if (b_col == 1) {
    multiply_by_columns(x, x_step, b, b_row, out, n, k);
    return true;
  }
  if (b_row != 1) return false;
  if (x_step == 1) {
    multiply_by_rows(b, b_col, x, out, n, k);
    return true;
  }
  workspace memory(static_cast<std::size_t>(k) * sizeof(T));
  T* dense = reinterpret_cast<T*>(memory.data());
  for (index p = 0; p < k; ++p) dense[p] = x[p * x_step];
  multiply_by_rows(b, b_col, static_cast<const T*>(dense), out, n, k);
  return true;
}

// Blocks of rows or columns of the result have so many of them, for threads to share, where a product has enough of them and
// so many multiplications that this pays.
inline constexpr index shared_lines = 128, shared_products = index{1} << 22;

template <class T>
bool is_shared_product(const product<T>& p) {
  return current_block_runner != nullptr && (p.m > p.n ? p.m : p.n) >= 2 * shared_lines && p.m * p.n * p.k >= shared_products;
}

template <class T>
[[gnu::noinline, gnu::cold]] void multiply_in_blocks(const product<T>& p, const tile_loop& then) {
  const bool rows = p.m >= p.n;
  share_blocks(rows ? p.m : p.n, shared_lines, [&, rows](index first, index lines) {
    product<T> part = p;
    (rows ? part.m : part.n) = lines;
    (rows ? part.a : part.b) += first * (rows ? p.a_row : p.b_col);
    part.c += first * (rows ? p.c_row : 1);
    tile_loop then_here = then;
    (rows ? then_here.first_row : then_here.first_column) = first;
    multiply_blocked(part, then_here);
  });
}

// Whether it was one of those products that need no blocks.
template <class T>
bool multiply_at_once(const product<T>& p) {
  if (p.k == 0) {
    for (index i = 0; i < p.m; ++i)
      for (index j = 0; j < p.n; ++j) p.c[i * p.c_row + j] = T(0);
    return true;
  }
  if (p.m == 1 && multiply_vector(p.a, p.a_col, p.b, p.b_row, p.b_col, p.c, p.n, p.k)) return true;
  return p.n == 1 && p.c_row == 1 && multiply_vector(p.b, p.b_row, p.a, p.a_col, p.a_row, p.c, p.m, p.k);
}

#ifdef JIG_USE_CBLAS
// How CBLAS reads a matrix whose rows or columns lie next to each other; no distance if it cannot.
struct cblas_operand {
  CBLAS_TRANSPOSE transpose = CblasNoTrans;
  index distance = 0;
};
inline cblas_operand cblas_operand_of(index rows, index columns, index row, index column) {
  if (column == 1 && row >= columns) return {CblasNoTrans, row};
  if (row == 1 && column >= rows) return {CblasTrans, column};
  return {};
}

// Large products of floating dtypes, by the library that the program is linked with.
template <class T>
bool multiply_with_cblas(const product<T>& p) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    constexpr index most = 0x7fffffff;  // its integers may have 32 bits
    // Below that many multiplications our own kernels are no slower, and need no threads.
    if (p.m * p.n * p.k < index{256} * 256 * 256 || p.m < 16 || p.n < 16) return false;
    const cblas_operand a = cblas_operand_of(p.m, p.k, p.a_row, p.a_col), b = cblas_operand_of(p.k, p.n, p.b_row, p.b_col);
    if (a.distance == 0 || b.distance == 0) return false;
    for (index x : {p.m, p.n, p.k, a.distance, b.distance, p.c_row})
      if (x > most) return false;
    auto call = [&](auto gemm) {
      auto number = [](index x) { return static_cast<int>(x); };
      gemm(CblasRowMajor, a.transpose, b.transpose, number(p.m), number(p.n), number(p.k), T(1), p.a, number(a.distance), p.b,
           number(b.distance), T(0), p.c, number(p.c_row));
    };
    if constexpr (std::is_same_v<T, float>) call(cblas_sgemm);
    else call(cblas_dgemm);
    return true;
  } else {
    return false;
  }
}
#endif

template <class T>
[[gnu::noinline]] void multiply(const product<T>& p, const tile_loop& then) {
  if (p.m == 0 || p.n == 0) return;
#ifdef JIG_USE_CBLAS
  if (multiply_with_cblas(p)) return then(0, p.m, 0, p.n);
#endif
  if (multiply_at_once(p)) then(0, p.m, 0, p.n);
  else if (is_shared_product(p)) [[unlikely]] multiply_in_blocks(p, then);
  else multiply_blocked(p, then);
}

// The last extent but `back` of a list.
template <index... E>
constexpr index extent_from_end(int back) {
  constexpr index list[] = {E...};
  return list[static_cast<int>(sizeof...(E)) - 1 - back];
}

template <index M, index N, index K>
inline constexpr bool small_extents = M > 0 && N > 0 && K > 0 && M <= 64 && N <= 64 && K <= (M > 1 ? 64 : 16) && (N > 1 || K <= 16);

// Small static extents and dense operands.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_dense_inline(const T* a, const T* b, T* c) {
  constexpr index a_row = TransposeA ? 1 : K, a_col = TransposeA ? M : 1;
  if constexpr (TransposeB && K > 1) {
    constexpr index row = (N + simd::lanes<T> - 1) / simd::lanes<T> * simd::lanes<T>;
    alignas(alignment) T rows[array_bound(K * row)];
    pack_panel(rows, b, 1, K, N, K);
    multiply_small<M, N, K>(a, a_row, a_col, static_cast<const T*>(rows), row, c);
  } else if constexpr (!TransposeA && shared_width<T, M, N, K> != 0) {
    multiply_shared<M, N>(a, b, c);
  } else if constexpr (held_tiles<T, M, N, K>::rows > 0) {
    multiply_held<M, N, K>(a, a_row, a_col, b, N, c);
  } else {
    multiply_small<M, N, K>(a, a_row, a_col, b, N, c);
  }
}

// The same in the program once.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::noinline]] void multiply_dense(const T* a, const T* b, T* c) {
  multiply_dense_inline<TransposeA, TransposeB, M, N, K>(a, b, c);
}

// Whether the kernels of small extents are there for these.
template <bool TransposeB, index M, index N, index K>
inline constexpr bool has_dense_kernel = small_extents<M, N, K> && (!TransposeB || (N <= 32 && K <= 32));

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
    ((sum[P % 2] = simd::multiply_add(simd::permute<lane_of_a<TransposeA, m, n, k, P>>(x),
                                      simd::permute<lane_of_b<TransposeB, n, k, P>>(y), sum[P % 2])),
     ...);
  }(std::make_integer_sequence<int, k>());
  simd::store_first(c, sum[0] + sum[1], M * N);
}

// Many matrices times a vector each, as many at a time as have their results in one register.
template <class T, index M, index K>
inline constexpr bool fits_vectors = sizeof(T) >= 4 && M <= simd::lanes<T> && K <= M && (K <= 4 || K == 8);

// The element of the vectors that lane i of register R of the matrices meets.
template <int M, int K, int Width, int R>
struct lane_of_vectors {
  static constexpr int at(int i) {
    const int q = (R * Width + i) / (M * K);
    return q < Width / M ? q * K + (R * Width + i) % K : 0;
  }
};

// `x` tells the part of the vectors that register r of the matrices meets.
template <index M, index K, class T, class LoadA, class PartOfX>
[[gnu::always_inline]] inline simd::batch<T> multiply_some_vectors(LoadA a, PartOfX x) {
  using B = simd::batch<T>;
  B terms[array_bound(K)];
  [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
    ((terms[R] = simd::multiply_add(B(a(R)), B(x(std::integral_constant<int, R>())), B(T(0)))), ...);
  }(std::make_integer_sequence<int, static_cast<int>(K)>());
  return simd::sums_of_groups<static_cast<int>(K)>(terms);
}

template <index M, index K, class T>
[[gnu::always_inline]] inline void multiply_vectors(const T* a, const T* x, T* c, index count) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>, together = width / M;
  constexpr int m = static_cast<int>(M), k = static_cast<int>(K), lanes = static_cast<int>(width);
  index i = 0;
  // Reads whole registers, of which the next matrices fill the rest.
  for (; i * M * K + K * width <= count * M * K && i * K + width <= count * K; i += together) {
    auto matrices = [&](int r) __attribute__((always_inline)) { return B::load_unaligned(a + i * M * K + r * width); };
    auto vectors = [&]<int R>(std::integral_constant<int, R>) __attribute__((always_inline)) {
      // One vector for a register is repeated as it is loaded.
      if constexpr (M * K == width) return simd::repeat<B, K>(x + (i + R) * K);
      else return simd::permute<lane_of_vectors<m, k, lanes, R>>(B::load_unaligned(x + i * K));
    };
    simd::store_first(c + i * M, multiply_some_vectors<M, K, T>(matrices, vectors), together * M);
  }
  auto part = [](const T* from, index n) { return n <= 0 ? B(T(0)) : simd::load_first<B>(from, smaller(n, width)); };
  for (; i < count; i += together) {
    const index now = smaller(together, count - i);
    const B y = part(x + i * K, now * K);
    auto matrices = [&](int r) { return part(a + i * M * K + r * width, now * M * K - r * width); };
    auto vectors = [&]<int R>(std::integral_constant<int, R>) { return simd::permute<lane_of_vectors<m, k, lanes, R>>(y); };
    simd::store_first(c + i * M, multiply_some_vectors<M, K, T>(matrices, vectors), now * M);
  }
}

// `count` products of small static extents, one after another in memory; b may be the same for all, with a step of 0.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::noinline]] void multiply_many(const T* a, index a_step, const T* b, index b_step, T* c, index count) {
  if constexpr (N == 1 && !TransposeA && fits_vectors<T, M, K>)
    if (a_step == M * K && b_step == K) return multiply_vectors<M, K>(a, b, c, count);
  for (; count > 0; --count, a += a_step, b += b_step, c += M * N) {
    if constexpr (fits_lanes<T, M, N, K> && (TransposeA || TransposeB || shared_width<T, M, N, K> == 0))
      multiply_lanes<TransposeA, TransposeB, M, N, K>(a, b, c);
    else
      multiply_dense_inline<TransposeA, TransposeB, M, N, K>(a, b, c);
  }
}

// The same with something else than a store of every register, where whole registers are the result.
template <index M, index N, class T, class Then>
[[gnu::noinline]] void multiply_many_then(const T* a, index a_step, const T* b, index b_step, T* c, index count, Then then) {
  for (; count > 0; --count, a += a_step, b += b_step, c += M * N) multiply_shared<M, N>(a, b, c, then);
}

// Small static extents, if the operands lie in memory as the extents say.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline bool multiply_static(const product<T>& p, index a_step, index b_step, index count) {
  if constexpr (has_dense_kernel<TransposeB, M, N, K>) {
    constexpr index a_row = TransposeA ? 1 : K, a_col = TransposeA ? M : 1;
    constexpr index b_row = TransposeB ? 1 : N, b_col = TransposeB ? K : 1;
    if ((p.a_row != a_row && M > 1) || (p.a_col != a_col && K > 1)) return false;
    if ((p.b_row != b_row && K > 1) || (p.b_col != b_col && N > 1)) return false;
    if (count == 1) multiply_dense<TransposeA, TransposeB, M, N, K>(p.a, p.b, p.c);
    else multiply_many<TransposeA, TransposeB, M, N, K>(p.a, a_step, p.b, b_step, p.c, count);
    return true;
  }
  return false;
}

// Batches: the axes before the last two, of which an operand may have fewer, or ones.
struct batches {
  int rank = 0;
  index extents[max_rank] = {};
  index a[max_rank] = {}, b[max_rank] = {};
};

template <class Out, class A, class B>
batches batches_of(const Out& out, const A& a, const B& b) {
  batches l;
  const int rank = out.rank() - 2, skip_a = out.rank() - a.rank(), skip_b = out.rank() - b.rank();
  for (int axis = 0; axis < rank; ++axis) {
    const index n = out.extent(axis);
    if (n == 1) continue;
    auto stride = [axis](const auto& v, int skip) {
      return axis < skip || v.extent(axis - skip) == 1 ? 0 : v.stride(axis - skip);
    };
    l.extents[l.rank] = n;
    l.a[l.rank] = stride(a, skip_a);
    l.b[l.rank++] = stride(b, skip_b);
  }
  return l;
}

// The product of the first batch.
template <class F, class Out, class A, class B>
[[gnu::always_inline]] inline product<F> product_of(const Out& out, const A& a, const B& b, bool transpose_a, bool transpose_b) {
  const int rank = out.rank();
  const int a_row = a.rank() - (transpose_a ? 1 : 2), a_col = a.rank() - (transpose_a ? 2 : 1);
  const int b_row = b.rank() - (transpose_b ? 1 : 2), b_col = b.rank() - (transpose_b ? 2 : 1);
  product<F> p{};
  p.a = reinterpret_cast<const F*>(a.data());
  p.a_row = a.stride(a_row);
  p.a_col = a.stride(a_col);
  p.b = reinterpret_cast<const F*>(b.data());
  p.b_row = b.stride(b_row);
  p.b_col = b.stride(b_col);
  p.c = reinterpret_cast<F*>(out.data());
  p.m = out.extent(rank - 2);
  p.c_row = p.n = out.extent(rank - 1);
  p.k = a.extent(a_col);
  return p;
}

// Calls f with the products of the batches along the innermost axis: the first one, steps and how many.
template <class T, class F>
[[gnu::always_inline]] inline void for_each_batch(product<T> p, const batches& l, F f) {
  index at[max_rank] = {};
  const int last = l.rank - 1;
  const index inner = l.rank > 0 ? l.extents[last] : 1, step = p.m * p.n;
  const index inner_a = l.rank > 0 ? l.a[last] : 0, inner_b = l.rank > 0 ? l.b[last] : 0;
  while (true) {
    f(p, inner_a, inner_b, inner);
    p.c += inner * step;
    int axis = last - 1;
    for (; axis >= 0; --axis) {
      p.a += l.a[axis];
      p.b += l.b[axis];
      if (++at[axis] < l.extents[axis]) break;
      p.a -= l.a[axis] * l.extents[axis];
      p.b -= l.b[axis] * l.extents[axis];
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

// Batches that share b and continue the rows of a are one product with more rows.
template <class T>
void join_batches(product<T>& p, batches& l) {
  for (; l.rank > 0 && l.b[l.rank - 1] == 0; --l.rank) {
    const index step = l.a[l.rank - 1];
    if (p.m == 1) p.a_row = step;
    if (step != p.m * p.a_row) return;
    p.m *= l.extents[l.rank - 1];
  }
}

// `count` products, the first of which is p.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_each(product<T> p, index a_step, index b_step, index count, const tile_loop& then = {}) {
  if (multiply_static<TransposeA, TransposeB, M, N, K>(p, a_step, b_step, count)) return then(0, p.m, 0, p.n);
  for (; count > 0; --count, p.a += a_step, p.b += b_step, p.c += p.m * p.n) multiply(p, then);
}

template <bool TransposeA, bool TransposeB, class T, index... OE, index... AE, index... BE>
[[gnu::always_inline]] inline void run_matmul(const view<T, OE...>& out, const view<const T, AE...>& a,
                                              const view<const T, BE...>& b, const tile_loop& then = {}) {
  constexpr index m = extent_from_end<OE...>(1), n = extent_from_end<OE...>(0);
  constexpr index k_of_a = extent_from_end<AE...>(TransposeA ? 1 : 0);
  constexpr index k = is_static_extent(k_of_a) ? k_of_a : extent_from_end<BE...>(TransposeB ? 0 : 1);
  using F = factor<T>;
  product<F> p = product_of<F>(out, a, b, TransposeA, TransposeB);
  auto run = [&](const product<F>& q, index a_step, index b_step, index count) __attribute__((always_inline)) {
    multiply_each<TransposeA, TransposeB, m, n, k>(q, a_step, b_step, count, then);
  };
  if constexpr (sizeof...(OE) == 2) {
    run(p, 0, 0, 1);
  } else {
    if (out.size() == 0) return;
    batches l = batches_of(out, a, b);
    if constexpr (!small_extents<m, n, k>) join_batches(p, l);
    for_each_batch(p, l, run);
  }
}

// Whether multiply_dense has read all of its operands when it begins to write.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
constexpr bool dense_reads_first() {
  if constexpr (!has_dense_kernel<TransposeB, M, N, K>) return false;
  else if constexpr (TransposeB && K > 1) return is_one_tile<T, M, N>;
  else if constexpr (!TransposeA && shared_width<T, M, N, K> != 0) return true;
  else return held_tiles<T, M, N, K>::rows == 0 && is_one_tile<T, M, N>;
}

// So few products that plain loops are best: the compiler sees every element.
template <index M, index N, index K>
inline constexpr bool few_products = M > 0 && N > 0 && K > 0 && M * N < 16 && M * K < 16 && K * N < 16;

template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::always_inline]] inline void multiply_few(const T* a, const T* b, T* c) {
  using sum = typename wrapping_type<T>::type;
  sum to[array_bound(M * N)] = {};
  for (index i = 0; i < M; ++i)
    for (index k = 0; k < K; ++k)
      for (index j = 0; j < N; ++j)
        to[i * N + j] += static_cast<sum>(a[TransposeA ? k * M + i : i * K + k]) * static_cast<sum>(b[TransposeB ? j * K + k : k * N + j]);
  for (index i = 0; i < M * N; ++i) c[i] = static_cast<T>(to[i]);
}

}  // namespace detail

/// Matrix product of views with any strides into a dense one; `then` runs on every tile that is complete.
template <>
struct kernel<ops::matmul> {
  template <class Attributes, class T, index... OE, index... AE, index... BE>
  static void run(Attributes, const view<T, OE...>& out, const view<const T, AE...>& a,
                  const view<const T, BE...>& b, const tile_loop& then = {}) {
    detail::run_matmul<by_column<Attributes>("transpose_a"), by_column<Attributes>("transpose_b")>(out, a, b, then);
  }
  // Dense matrices. A call would cost more than the smallest products of static extents: they become part of the function
  // around them.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, M, N>& out, const dense_view<const T, A_rows, A_columns>& a,
                                              const dense_view<const T, B_rows, B_columns>& b, const tile_loop& then = {}) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    constexpr index inner = ta ? A_rows : A_columns;
    const auto p = first_product<ta, tb>(out, a, b);
    if constexpr (detail::few_products<M, N, inner>)
      detail::multiply_few<ta, tb, M, N, inner>(a.data(), b.data(), out.data());
    else if constexpr (detail::has_dense_kernel<tb, M, N, inner> && M * N * inner <= 512)
      detail::multiply_dense_inline<ta, tb, M, N, inner>(p.a, p.b, p.c);
    else if constexpr (detail::has_dense_kernel<tb, M, N, inner>)
      detail::multiply_dense<ta, tb, M, N, inner>(p.a, p.b, p.c);
    else
      return detail::multiply(p, then);
    then(0, out.extent(0), 0, out.extent(1));
  }
  // Whether run_part has read all of its operands when it begins to write: then the result may lie on top of them.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static constexpr bool reads_first(Attributes, std::type_identity<dense_view<T, M, N>>, std::type_identity<dense_view<const T, A_rows, A_columns>>,
                                    std::type_identity<dense_view<const T, B_rows, B_columns>>) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    constexpr index inner = ta ? A_rows : A_columns;
    return detail::few_products<M, N, inner> || detail::dense_reads_first<ta, tb, M, N, inner, detail::factor<T>>();
  }

 protected:
  template <class Attributes>
  static constexpr bool by_column(const char* key) {
    return find_attribute(Attributes::view(), key).values[0] != 0;
  }
  template <bool TransposeA, bool TransposeB, class T, index... OE, index... AE, index... BE>
  [[gnu::always_inline]] static auto first_product(const dense_view<T, OE...>& out, const dense_view<const T, AE...>& a,
                                                   const dense_view<const T, BE...>& b) {
    using F = detail::factor<T>;
    const index a_row = a.extent(1), b_row = b.extent(1);
    return detail::product<F>{reinterpret_cast<const F*>(a.data()), TransposeA ? 1 : a_row, TransposeA ? a_row : 1,
                              reinterpret_cast<const F*>(b.data()), TransposeB ? 1 : b_row, TransposeB ? b_row : 1,
                              reinterpret_cast<F*>(out.data()), out.extent(1), out.extent(0), out.extent(1),
                              a.extent(TransposeA ? 0 : 1)};
  }
};

template <>
struct kernel<ops::batch_matmul> : kernel<ops::matmul> {
  // `count` products of matrices that follow one another; steps in elements, 0 where one serves all.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static void run_items(Attributes, const dense_view<T, M, N>& out, index count, const dense_view<const T, A_rows, A_columns>& a,
                        const dense_view<const T, B_rows, B_columns>& b, index a_step, index b_step) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    detail::multiply_each<ta, tb, M, N, ta ? A_rows : A_columns>(first_product<ta, tb>(out, a, b), a_step, b_step, count);
  }
  // Whether items are computed in whole registers. Then `then` may get each of them, with the place where it belongs.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static constexpr bool gives_registers(Attributes, std::type_identity<dense_view<T, M, N>>, std::type_identity<dense_view<const T, A_rows, A_columns>>,
                                        std::type_identity<dense_view<const T, B_rows, B_columns>>) {
    return !by_column<Attributes>("transpose_a") && !by_column<Attributes>("transpose_b") &&
           detail::shared_width<detail::factor<T>, M, N, A_columns> == simd::lanes<T>;
  }
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns, class Then>
  static void run_items_then(Attributes, const dense_view<T, M, N>& out, index count, const dense_view<const T, A_rows, A_columns>& a,
                             const dense_view<const T, B_rows, B_columns>& b, index a_step, index b_step, const Then& then) {
    const auto p = first_product<false, false>(out, a, b);
    detail::multiply_many_then<M, N>(p.a, a_step, p.b, b_step, p.c, count, then);
  }
};

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// What a product is, and the tile of its result that stays in registers while k passes.

#include <jig/eval/lane_moves.hpp>
#include <jig/eval/partial_registers.hpp>

namespace jig::detail {

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
  const T* packed_b = nullptr;  // b as blocked products read it, where it is packed already
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

// Sums that stay in registers, before anything is added.
template <class B, std::size_t Rows, std::size_t Registers>
[[gnu::always_inline]] inline void clear(B (&sum)[Rows][Registers]) {
#pragma GCC unroll 32
  for (auto& row : sum)
#pragma GCC unroll 32
    for (B& x : row) x = B(typename B::value_type(0));
}

// Rows x Registers of the result. `Tail` says which accesses the last register of a row may have fewer
// elements in.
template <class B, int Rows, int Registers, tail Tail, class T>
[[gnu::always_inline]] inline void multiply_tile(const tile_place<T>& p, index k, bool add) {
  constexpr index width = static_cast<index>(B::size);
  const bool partial = Tail == tail::loaded_and_stored || (Tail == tail::stored && p.last_count != width);
  B sum[array_bound(Rows)][array_bound(Registers)];
  clear(sum);
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

}  // namespace jig::detail

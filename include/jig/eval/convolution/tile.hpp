// SPDX-License-Identifier: MIT
#pragma once
// The tile of a convolution's result that stays in registers while taps and channels pass.

#include <jig/eval/matmul/blocked.hpp>

namespace jig::detail {

/// So many products in a row, beginning so far behind where a row of the tile and the filter begin.
struct tile_segment {
  index a, b;
};

/// What all rows of a tile share. Rows of the filter are `b_row` apart, their last register has `last_count` elements.
template <class T>
struct tile_terms {
  static constexpr int most_segments = 64;
  tile_segment segments[most_segments];
  int count = 0;
  index length = 0;  // of every segment
  index a_step = 1;
  const T* b = nullptr;
  index b_row = 0, last_count = 0;
  bool add = false;  // to what the result holds
};

/// How elements of the operand meet those of the filter: one meets a row of the filter, or as many as a row has meet one each.
enum class meeting : unsigned char { row, lane };

/// Stores a row of a tile, or adds it to what is there; the last register has so many elements.
template <class T, std::size_t Registers>
[[gnu::always_inline]] inline void store_tile_row(T* to, simd::batch<T> (&sum)[Registers], bool add, index last_count) {
  using B = simd::batch<T>;
  constexpr index width = static_cast<index>(B::size);
#pragma GCC unroll 32
  for (std::size_t r = 0; r < Registers; ++r, to += width) {
    if (r + 1 < Registers || last_count == width) {
      if (add) sum[r] += B::load_unaligned(to);
      sum[r].store_unaligned(to);
    } else {
      if (add) sum[r] += simd::load_first<B>(to, last_count);
      simd::store_first(to, sum[r], last_count);
    }
  }
}

/// Rows x Registers of the result, row i from a[i] to c[i]. With `Whole` the last register of what is read may be read as a whole.
template <int Rows, int Registers, bool Whole, meeting Meeting, class T>
[[gnu::always_inline]] inline void convolve_tile(const T* const* a, T* const* c, const tile_terms<T>& with) {
  using B = simd::batch<T>;
  constexpr index width = static_cast<index>(B::size);
  B sum[array_bound(Rows)][array_bound(Registers)];
  clear(sum);
  const index a_step = with.a_step, b_row = with.b_row, length = with.length;
  for (int s = 0; s < with.count; ++s) {
    const T* from[array_bound(Rows)];
#pragma GCC unroll 32
    for (int i = 0; i < Rows; ++i) from[i] = a[i] + with.segments[s].a;
    const T* b = with.b + with.segments[s].b;
    index at = 0;
#pragma GCC unroll 1
    for (index q = 0; q < length; ++q, at += a_step, b += b_row) {
      auto load = [&](const T* p, int r) __attribute__((always_inline)) {
        return Whole || r + 1 < Registers ? B::load_unaligned(p + r * width) : simd::load_first<B>(p + r * width, with.last_count);
      };
      B y[array_bound(Registers)];
#pragma GCC unroll 32
      for (int r = 0; r < Registers; ++r) y[r] = load(b, r);
#pragma GCC unroll 32
      for (int i = 0; i < Rows; ++i) {
        if constexpr (Meeting == meeting::lane) {
#pragma GCC unroll 32
          for (int r = 0; r < Registers; ++r) sum[i][r] = simd::multiply_add(load(from[i] + at, r), y[r], sum[i][r]);
        } else {
          const B x(from[i][at]);
#pragma GCC unroll 32
          for (int r = 0; r < Registers; ++r) sum[i][r] = simd::multiply_add(x, y[r], sum[i][r]);
        }
      }
    }
  }
  // Read once: for all the compiler knows, what is stored lies there.
  const bool add = with.add;
  const index last_count = with.last_count;
#pragma GCC unroll 32
  for (int i = 0; i < Rows; ++i) store_tile_row(c[i], sum[i], add, last_count);
}

/// So many rows of a tile lie at even distances.
template <int Registers>
inline constexpr int even_rows_of_tile = (simd::registers == 32 ? 16 : 12) / Registers;
/// Rows whose operands and results lie at even distances, in elements.
template <class T>
struct even_rows {
  const T* a;
  index a_next;
  T* c;
  index c_next;
  constexpr even_rows from(index row) const { return {a + row * a_next, a_next, c + row * c_next, c_next}; }
};
/// A tile of such rows: they read a + {0, 1, 2, 4, 8} * next of a few pointers, which all have registers.
template <int Registers, bool Whole, class T>
[[gnu::noinline]] void convolve_even_rows(const even_rows<T>& at, const tile_terms<T>& with) {
  using B = simd::batch<T>;
  constexpr index width = static_cast<index>(B::size);
  constexpr int rows = even_rows_of_tile<Registers>;
  constexpr index first_row[] = {0, 3, 5, 10, 15};
  constexpr int pointer_of[] = {0, 0, 0, 1, 0, 2, 2, 2, 0, 2, 3, 3, 3, 2, 3, 4};
  constexpr index rows_behind[] = {0, 1, 2, 0, 4, 0, 1, 2, 8, 4, 0, 1, 2, 8, 4, 0};
  constexpr int pointers = rows > 15 ? 5 : rows > 10 ? 4 : 3;
  const index next = at.a_next, a_step = with.a_step, b_row = with.b_row, length = with.length, last_count = with.last_count;
  B sum[array_bound(rows)][array_bound(Registers)];
  clear(sum);
  for (int s = 0; s < with.count; ++s) {
    const T *from[array_bound(pointers)], *b = with.b + with.segments[s].b;
#pragma GCC unroll 8
    for (int k = 0; k < pointers; ++k) from[k] = at.a + with.segments[s].a + first_row[k] * next;
#pragma GCC unroll 1
    for (index q = 0; q < length; ++q, b += b_row) {
      B y[array_bound(Registers)];
#pragma GCC unroll 2
      for (int r = 0; r < Registers; ++r)
        y[r] = Whole || r + 1 < Registers ? B::load_unaligned(b + r * width) : simd::load_first<B>(b + r * width, last_count);
#pragma GCC unroll 16
      for (int i = 0; i < rows; ++i) {
        const B x(from[pointer_of[i]][rows_behind[i] * next]);
#pragma GCC unroll 2
        for (int r = 0; r < Registers; ++r) sum[i][r] = simd::multiply_add(x, y[r], sum[i][r]);
      }
#pragma GCC unroll 8
      for (int k = 0; k < pointers; ++k) from[k] += a_step;
    }
  }
  T* to = at.c;
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i, to += at.c_next) store_tile_row(to, sum[i], with.add, last_count);
}

/// Rows of the result that are computed alike, wherever they lie: collects some and computes them as a tile.
template <int Registers, bool Whole, meeting Meeting, class T>
class tile_rows {
  static constexpr int rows = blocks<T>::rows;
  const tile_terms<T>& with_;
  int count_ = 0;
  const T* a_[array_bound(rows)];
  T* c_[array_bound(rows)];

  template <int Rows>
  [[gnu::noinline]] static void compute(const T* const* a, T* const* c, const tile_terms<T>& with) {
    convolve_tile<Rows, Registers, Whole, Meeting>(a, c, with);
  }
  template <int Rows>
  void compute_rest(int first) {
    if (count_ - first >= Rows) {
      compute<Rows>(a_ + first, c_ + first, with_);
      first += Rows;
    }
    if constexpr (Rows > 1) compute_rest<Rows / 2>(first);
  }

 public:
  explicit tile_rows(const tile_terms<T>& with) : with_(with) {}
  tile_rows(const tile_rows&) = delete;
  tile_rows& operator=(const tile_rows&) = delete;
  void add(const T* a, T* c) {
    a_[count_] = a;
    c_[count_++] = c;
    if (count_ < rows) return;
    compute<rows>(a_, c_, with_);
    count_ = 0;
  }
  void finish() {
    compute_rest<4>(0);
    count_ = 0;
  }
};

/// Calls f with the registers of a row as std::integral_constant, and whether the last one may be read as a whole.
template <class T, class F>
void with_registers(index columns, bool whole, F f) {
  static_assert(blocks<T>::registers == 2);
  const bool two = columns > simd::lanes<T>;
  if (whole) two ? f(std::integral_constant<int, 2>(), std::true_type()) : f(std::integral_constant<int, 1>(), std::true_type());
  else two ? f(std::integral_constant<int, 2>(), std::false_type()) : f(std::integral_constant<int, 1>(), std::false_type());
}

}  // namespace jig::detail

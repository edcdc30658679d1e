// SPDX-License-Identifier: MIT
#pragma once
// Batches of small products that lie in any way: lane i of every register is item i, and elements that lie apart are put together in
// memory on the stack.

#include <jig/eval/matmul/rows.hpp>

namespace jig::detail {

/// As many elements of operands and result, for a register of items, are put together.
inline constexpr index most_elements_of_item = 160;

// A matrix of some items: its strides, and that from an item to the next.
template <class T>
struct matrices_at {
  T* data;
  index rows, columns, row, column, step;

  using B = simd::batch<std::remove_const_t<T>>;
  static constexpr index width = static_cast<index>(B::size);

  // Of `count` items from number `first` on, element by element.
  void read(std::remove_const_t<T>* to, index first, index count) const {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j, to += width) {
        const T* from = data + i * row + j * column + first * step;
        if (step == 1) (count == width ? B::load_unaligned(from) : simd::load_first<B>(from, count)).store_aligned(to);
        else
          for (index l = 0; l < count; ++l) to[l] = from[l * step];
      }
  }
  void write(const T* from, index first, index count) const {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j, from += width) {
        T* to = data + i * row + j * column + first * step;
        if (step == 1) simd::store_first(to, B::load_aligned(from), count);
        else
          for (index l = 0; l < count; ++l) to[l * step] = from[l];
      }
  }
};

/// Whether `count` products like p are computed so.
template <class T>
bool fits_across_batch(const product<T>& p, index count) {
  return count >= simd::lanes<T> && p.m > 0 && p.n > 0 && p.k > 0 && p.m <= 64 && p.n <= 64 && p.k <= 64 &&
         p.m * p.k + p.k * p.n + p.m * p.n <= most_elements_of_item;
}

/// `count` products, the first of which is p.
template <class T>
[[gnu::noinline]] void multiply_across_batch(const product<T>& p, const batch_steps& steps, index count) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  alignas(alignment) T memory[array_bound(most_elements_of_item * width)] = {};
  T *const a = memory, *const b = a + p.m * p.k * width, *const c = b + p.k * p.n * width;
  const matrices_at<const T> from_a{p.a, p.m, p.k, p.a_row, p.a_col, steps.a}, from_b{p.b, p.k, p.n, p.b_row, p.b_col, steps.b};
  const matrices_at<T> to{p.c, p.m, p.n, p.c_row, 1, steps.c};
  for (index first = 0; first < count; first += width) {
    const index now = smaller(width, count - first);
    if (first == 0 || steps.a != 0) from_a.read(a, first, now);
    if (first == 0 || steps.b != 0) from_b.read(b, first, now);
    for (index i = 0; i < p.m; ++i)
      for (index j = 0; j < p.n; ++j) {
        B sum(T(0));
        for (index k = 0; k < p.k; ++k)
          sum = simd::multiply_add(B::load_aligned(a + (i * p.k + k) * width), B::load_aligned(b + (k * p.n + j) * width), sum);
        sum.store_aligned(c + (i * p.n + j) * width);
      }
    to.write(c, first, now);
  }
}

}  // namespace jig::detail

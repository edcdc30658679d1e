// SPDX-License-Identifier: MIT
#pragma once
// The steps of a region of a chain: products of which each multiplies the result of the one before, in registers if these suffice.

#include <jig/eval/matmul/small.hpp>
#include <jig/eval/program.hpp>

namespace jig::detail {

// How rows of N elements fill registers, and whether two matrices of K of them stay there together.
template <class T, index K, index N>
struct chain_tiles {
  static constexpr index width = small_tiles<T, K, N>::width;
  static constexpr int registers = static_cast<int>(small_tiles<T, K, N>::registers_of_row);
  static constexpr bool fit = 2 * static_cast<int>(K) * registers + 1 <= simd::registers;
  static constexpr index last = N < width ? 0 : N - width, count = N < width ? N : width;
  static constexpr index column(int r) { return r + 1 < registers ? r * width : last; }
};

// c = a[steps - 1] ⋯ a[0] b, of K x K times K x N; with `Same` a[0] serves all steps. c may lie anywhere.
template <index K, index N, bool Same, class T>
[[gnu::noinline]] void multiply_chain(const T* const* a, int steps, const T* b, T* c) {
  using tiles = chain_tiles<T, K, N>;
  if constexpr (tiles::fit) {
    using B = simd::sized_batch<T, tiles::width>;
    constexpr int rows = static_cast<int>(K), registers = tiles::registers;
    B y[array_bound(rows)][array_bound(registers)];
#pragma GCC unroll 32
    for (int p = 0; p < rows; ++p)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) {
        const T* from = b + p * N + tiles::column(r);
        y[p][r] = tiles::count < tiles::width ? simd::load_first<B>(from, tiles::count) : B::load_unaligned(from);
      }
#pragma GCC unroll 1
    for (int s = 0; s < steps; ++s) {
      const T* x = a[Same ? 0 : s];
      B next[array_bound(rows)][array_bound(registers)];
#pragma GCC unroll 32
      for (int i = 0; i < rows; ++i)
#pragma GCC unroll 32
        for (int p = 0; p < rows; ++p) {
          const B factor(x[i * rows + p]);
#pragma GCC unroll 32
          for (int r = 0; r < registers; ++r) next[i][r] = simd::multiply_add(factor, y[p][r], p == 0 ? B(T(0)) : next[i][r]);
        }
#pragma GCC unroll 32
      for (int p = 0; p < rows; ++p)
#pragma GCC unroll 32
        for (int r = 0; r < registers; ++r) {
          y[p][r] = next[p][r];
          simd::pin(y[p][r]);
        }
    }
#pragma GCC unroll 32
    for (int p = 0; p < rows; ++p)
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) {
        T* to = c + p * N + tiles::column(r);
        if constexpr (tiles::count < tiles::width) simd::store_first(to, y[p][r], tiles::count);
        else y[p][r].store_unaligned(to);
      }
  } else {
    alignas(alignment) T between[2][array_bound(K * N)];
    for (int s = 0; s < steps; ++s) {
      T* to = s + 1 == steps ? c : between[s % 2];
      multiply_dense<false, false, K, N, K>(a[Same ? 0 : s], b, to);
      b = to;
    }
  }
}

/// Region Region of a program.
template <class P, int Region>
struct product_chain {
  static constexpr planned_region region = P::region(Region);
  static constexpr int result(int s) { return P::plan.steps.items[region.first + s].space; }
  static constexpr bool same = [] {
    for (int s = 1; s < region.count; ++s)
      if (P::operand(result(s), 0) != P::operand(result(0), 0)) return false;
    return true;
  }();
  using T = factor<element_at<P, result(0)>>;

  template <int Node>
  [[gnu::always_inline]] static const T* at(const frame<P>& fr) {
    return static_cast<const T*>(data_of<P, Node>(fr));
  }
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    constexpr shape e = P::extents(result(0));
    auto* to = static_cast<T*>(const_cast<void*>(data_of<P, result(region.count - 1)>(fr)));
    const T* from = at<P::operand(result(0), 1)>(fr);
    [&]<int... S>(std::integer_sequence<int, S...>) {
      const T* factors[] = {at<P::operand(result(S), 0)>(fr)...};
      multiply_chain<e[0], e[1], same>(factors, region.count, from, to);
    }(std::make_integer_sequence<int, same ? 1 : region.count>());
  }
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Products of batches of matrices.

#include <jig/eval/matmul/across_batch.hpp>
#include <jig/eval/matmul/batches.hpp>
#include <jig/eval/matmul/few_columns.hpp>
#include <jig/eval/matmul/long_sums.hpp>
#include <jig/eval/matmul/product.hpp>
#include <jig/eval/matmul/rows.hpp>

namespace jig::detail {

// The last extent but `back` of a list.
template <index... E>
constexpr index extent_from_end(int back) {
  constexpr index list[] = {E...};
  return list[static_cast<int>(sizeof...(E)) - 1 - back];
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
  return simd::sum_groups<static_cast<int>(K)>(terms);
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

// `count` products of small static extents, the matrices of each dense; what is the same for all has a step of 0.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::noinline]] void multiply_many(const T* a, const T* b, T* c, const batch_steps& steps, index count) {
  if constexpr (N == 1 && !TransposeA && fits_vectors<T, M, K>)
    if (steps.a == M * K && steps.b == K && steps.c == M) return multiply_vectors<M, K>(a, b, c, count);
  for (; count > 0; --count, a += steps.a, b += steps.b, c += steps.c) multiply_dense_inline<TransposeA, TransposeB, M, N, K>(a, b, c);
}
// The same for results whose rows do not follow one another.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
[[gnu::noinline]] void multiply_many_rows(const T* a, const T* b, T* c, index c_row, const batch_steps& steps, index count) {
  for (; count > 0; --count, a += steps.a, b += steps.b, c += steps.c)
    multiply_rows_inline<TransposeA, TransposeB, M, N, K>(a, b, c, c_row);
}

// The same with something else than a store of every register, where whole registers are the result.
template <index M, index N, class T, class Then>
[[gnu::noinline]] void multiply_many_then(const T* a, index a_step, const T* b, index b_step, T* c, index count, Then then) {
  for (; count > 0; --count, a += a_step, b += b_step, c += M * N) multiply_shared<M, N>(a, b, c, then);
}

// Small static extents, if the operands lie in memory as the extents say. Where the result is not dense is known before the call.
template <bool TransposeA, bool TransposeB, index M, index N, index K, bool Dense, class T>
[[gnu::always_inline]] inline bool multiply_static(const product<T>& p, const batch_steps& steps, index count) {
  if constexpr (has_dense_kernel<TransposeB, M, N, K>) {
    constexpr index a_row = TransposeA ? 1 : K, a_col = TransposeA ? M : 1;
    constexpr index b_row = TransposeB ? 1 : N, b_col = TransposeB ? K : 1;
    if ((p.a_row != a_row && M > 1) || (p.a_col != a_col && K > 1)) return false;
    if ((p.b_row != b_row && K > 1) || (p.b_col != b_col && N > 1)) return false;
    if constexpr (!Dense) multiply_many_rows<TransposeA, TransposeB, M, N, K>(p.a, p.b, p.c, p.c_row, steps, count);
    else if (count == 1) multiply_dense<TransposeA, TransposeB, M, N, K>(p.a, p.b, p.c);
    else multiply_many<TransposeA, TransposeB, M, N, K>(p.a, p.b, p.c, steps, count);
    return true;
  }
  return false;
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
  p.c_row = out.stride(rank - 2);
  p.n = out.extent(rank - 1);
  p.k = a.extent(a_col);
  return p;
}

template <class T, index N, index K>
inline constexpr bool fits_points = fits_row_by_row<T, N, K> || fits_rows_in_lanes<T, N, K>;

// Many rows times a small matrix, if there is a kernel for how they lie.
template <index N, index K, class T>
bool multiply_points([[maybe_unused]] const product<T>& p, [[maybe_unused]] const tile_epilogue& then) {
  if constexpr (fits_points<T, N, K>) {
    const auto multiply_rows = kernel_of_rows<N, K>(p);
    if (multiply_rows == nullptr) return false;
    auto rows = [&](index first, index count) {
      product<T> part = p;
      part.a += first * p.a_row;
      part.c += first * p.c_row;
      part.m = count;
      multiply_rows(part);
      then(first, count, 0, p.n);
    };
    // What follows finds its rows in the cache.
    constexpr index together = index{2048} / N;
    auto some = [&](index first, index count) {
      if (then.run == nullptr) return rows(first, count);
      for (index i = 0; i < count; i += together) rows(first + i, smaller(together, count - i));
    };
    if (is_shared_product(p)) [[unlikely]]
      parallel_for(p.m, shared_length / N, some);
    else some(0, p.m);
    return true;
  }
  return false;
}

// `count` products, the first of which is p; with an epilogue it is one.
template <bool TransposeA, bool TransposeB, index M, index N, index K, bool Dense = true, class T>
[[gnu::always_inline]] inline void multiply_each(product<T> p, const batch_steps& steps, index count, memory_source& memory,
                                                 const tile_epilogue& then = {}) {
  if constexpr (simd::small_code) {
    for (; count > 0; --count, p.a += steps.a, p.b += steps.b, p.c += steps.c) {
      multiply_plainly(p);
      then(0, p.m, 0, p.n);
    }
    return;
  }
  if constexpr (!small_extents<M, N, K>) {
    if (count == 1 && multiply_points<N, K>(p, then)) return;
    if constexpr (fits_registers<T, N, K>)
      if (count > 1) return multiply_many_held<N, K>(p, steps, count);
  }
  if (multiply_static<TransposeA, TransposeB, M, N, K, Dense>(p, steps, count)) return then(0, p.m, 0, p.n);
  if (count > 1 && fits_across_batch(p, count)) return multiply_across_batch(p, steps, count);
  for (; count > 0; --count, p.a += steps.a, p.b += steps.b, p.c += steps.c) {
    if constexpr (!small_extents<M, N, K>)
      if (multiply_long<TransposeA, TransposeB, M, N, K>(p) || multiply_if_few_columns<N, K>(p)) {
        then(0, p.m, 0, p.n);
        continue;
      }
    multiply(p, then, memory);
  }
}

// Calls `each(product, count, then)` for all of `count` products, of which p is the first, some at a time if they are small: what follows
// finds them in the cache. `c` is the first element of the whole result, which is dense, so that rows are counted there.
template <class T, class Each>
[[gnu::always_inline]] inline void multiply_some_then(product<T> p, const batch_steps& steps, index count, const T* c,
                                                      const tile_epilogue& then, const Each& each) {
  constexpr index elements = 2048;
  const index size = p.m * p.n, together = size == 0 || size >= elements ? 1 : elements / size;
  const auto rows_to = [&](index elements_to) { return p.n == 0 ? 0 : elements_to / p.n; };
  tile_epilogue here = then;
  here.row_step = p.m == 1 ? 1 : rows_to(p.c_row);
  for (; count > 0; count -= together) {
    const index now = smaller(together, count);
    here.first_row = rows_to(p.c - c);
    each(p, now, now == 1 ? here : tile_epilogue());
    if (now > 1 && steps.c == p.m * p.c_row) here(0, now * p.m, 0, p.n);
    else if (now > 1)
      for (index i = 0; i < now; ++i) {
        here.first_row = rows_to(p.c - c + i * steps.c);
        here(0, p.m, 0, p.n);
      }
    p.a += now * steps.a;
    p.b += now * steps.b;
    p.c += now * steps.c;
  }
}

// Batches whose number and layout the types tell: small matrices one behind the other, or one for all.
template <bool TransposeA, bool TransposeB, class Out, class A, class B>
struct dense_batches {
  static constexpr bool exists = false;
};
template <bool TransposeA, bool TransposeB, class T, index... OE, index... AE, index... BE>
  requires(sizeof...(OE) > 2 && sizeof...(AE) >= 2 && sizeof...(BE) >= 2 && (is_static_extent(OE) && ...) &&
           (is_static_extent(AE) && ...) && (is_static_extent(BE) && ...))
struct dense_batches<TransposeA, TransposeB, dense_view<T, OE...>, dense_view<const T, AE...>, dense_view<const T, BE...>> {
  static constexpr index m = extent_from_end<OE...>(1), n = extent_from_end<OE...>(0), k = extent_from_end<AE...>(TransposeA ? 1 : 0);
  static constexpr index all_of_a = (index{1} * ... * AE), all_of_b = (index{1} * ... * BE), all = (index{1} * ... * OE);
  static constexpr index count = m * n == 0 ? 0 : all / (m * n);
  static constexpr bool exists = count > 0 && has_dense_kernel<TransposeB, m, n, k> && !simd::small_code &&
                                 (all_of_a == m * k || all_of_a == count * m * k) && (all_of_b == k * n || all_of_b == count * k * n);

  [[gnu::always_inline]] static void run(memory_source& memory, T* out, const T* a, const T* b, const tile_epilogue& then) {
    using F = factor<T>;
    constexpr batch_steps steps{all_of_a == m * k ? 0 : m * k, all_of_b == k * n ? 0 : k * n, m * n};
    product<F> p{reinterpret_cast<const F*>(a),
                 TransposeA ? 1 : k,
                 TransposeA ? m : 1,
                 reinterpret_cast<const F*>(b),
                 TransposeB ? 1 : n,
                 TransposeB ? k : 1,
                 reinterpret_cast<F*>(out),
                 n,
                 m,
                 n,
                 k};
    if constexpr (fits_points<F, n, k> && !TransposeA && steps.b == 0 && (steps.a != 0 || count == 1)) {
      product<F> rows = p;
      rows.m = count * m;
      if (multiply_points<n, k>(rows, then)) return;
    }
    const auto run_some = [&, c = static_cast<const F*>(p.c)](const product<F>& first, index number,
                                                              memory_source& own) __attribute__((always_inline)) {
      const auto each = [&](const product<F>& some, index now, const tile_epilogue& behind) __attribute__((always_inline)) {
        multiply_each<TransposeA, TransposeB, m, n, k>(some, steps, now, own, behind);
      };
      if (then.run == nullptr) each(first, number, then);
      else multiply_some_then(first, steps, number, c, then, each);
    };
    if constexpr (count > 1 && count * m * n * k >= shared_products) {
      const batches l{1, {count}, {steps}};
      if (shared_batch(p, l) == 0) [[unlikely]]
        return share_batches(
            p, l, 0, [&](const product<F>& first, const batches& some, memory_source& own) { run_some(first, some.extents[0], own); });
    }
    run_some(p, count, memory);
  }
};

template <bool TransposeA, bool TransposeB, bool Dense = true, class T, index... OE, index... AE, index... BE>
[[gnu::always_inline]] inline void run_matmul(memory_source& memory, const view<T, OE...>& out, const view<const T, AE...>& a,
                                              const view<const T, BE...>& b, const tile_epilogue& then = {}) {
  constexpr index m = extent_from_end<OE...>(1), n = extent_from_end<OE...>(0);
  constexpr index k_of_a = extent_from_end<AE...>(TransposeA ? 1 : 0);
  constexpr index k = is_static_extent(k_of_a) ? k_of_a : extent_from_end<BE...>(TransposeB ? 0 : 1);
  using F = factor<T>;
  product<F> p = product_of<F>(out, a, b, TransposeA, TransposeB);
  if constexpr (sizeof...(OE) == 2) {
    multiply_each<TransposeA, TransposeB, m, n, k, Dense>(p, {}, 1, memory, then);
  } else {
    if (out.size() == 0) return;
    batches l = batches_of(out, a, b);
    if constexpr (!small_extents<m, n, k>) {
      join_batches(p, l);
    } else if constexpr (fits_points<F, n, k>) {
      // Rows of all batches, if they are rows of one product.
      product<F> rows = p;
      batches left = l;
      join_batches(rows, left);
      if (left.rank == 0 && multiply_points<n, k>(rows, then)) return;
    }
    put_long_batch_last(l);
    const auto run_some = [&, c = static_cast<const F*>(p.c)](const product<F>& first, const batches& some, memory_source& own) {
      for_each_batch(first, some, [&](const product<F>& q, const batch_steps& steps, index count) {
        const auto each = [&](const product<F>& few, index now, const tile_epilogue& behind) __attribute__((always_inline)) {
          multiply_each<TransposeA, TransposeB, m, n, k, Dense>(few, steps, now, own, behind);
        };
        if (then.run == nullptr) each(q, count, then);
        else multiply_some_then(q, steps, count, c, then, each);
      });
    };
    if (const int axis = shared_batch(p, l); axis >= 0) [[unlikely]]
      return share_batches(p, l, axis, run_some);
    run_some(p, l, memory);
  }
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Matrix products as kernels of their ops. A tile of the result stays in registers while k passes; the same tile works on
// operands in place where they are small, and on packed blocks of them where they are large.

#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/matmul/batched.hpp>
#include <jig/eval/matmul/row.hpp>
#include <jig/ops/matmul.hpp>

namespace jig {

/// Matrix product of views with any strides into a dense one; `then` runs on every tile that is complete.
template <>
struct kernel<ops::matmul> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class T, index... OE, index... AE, index... BE>
  static void run(const Attributes& attributes, const view<T, OE...>& out, const view<const T, AE...>& a, const view<const T, BE...>& b,
                  const tile_epilogue& then = {}) {
    detail::run_matmul<by_column<Attributes>("transpose_a"), by_column<Attributes>("transpose_b")>(detail::memory_for(attributes), out, a,
                                                                                                   b, then);
  }
  // Dense matrices. A call would cost more than the smallest products of static extents: they become part of the function
  // around them.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  [[gnu::always_inline]] static void run_part(const Attributes& attributes, const dense_view<T, M, N>& out,
                                              const dense_view<const T, A_rows, A_columns>& a,
                                              const dense_view<const T, B_rows, B_columns>& b, const tile_epilogue& then = {}) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    constexpr index inner = ta ? A_rows : A_columns;
    const auto p = first_product<ta, tb>(out, a, b);
    if constexpr (simd::small_code) detail::multiply_plainly(p);
    else if constexpr (detail::few_products<M, N, inner>)
      detail::multiply_few<M, N, inner, detail::dense_strides<ta, M, inner>, detail::dense_strides<tb, inner, N>>(a.data(), b.data(),
                                                                                                                  out.data());
    else if constexpr (detail::is_row_product<detail::factor<T>, tb, M, N, inner> && N * inner <= 512)
      detail::multiply_row_inline<N, inner>(p.a, p.b, p.c);
    else if constexpr (detail::is_row_product<detail::factor<T>, tb, M, N, inner>) detail::multiply_row<N, inner>(p.a, p.b, p.c);
    else if constexpr (detail::has_dense_kernel<tb, M, N, inner> && M * N * inner <= 512)
      detail::multiply_dense_inline<ta, tb, M, N, inner>(p.a, p.b, p.c);
    else if constexpr (detail::has_dense_kernel<tb, M, N, inner>) detail::multiply_dense<ta, tb, M, N, inner>(p.a, p.b, p.c);
    else return detail::multiply_each<ta, tb, M, N, inner>(p, {}, 1, detail::memory_for(attributes), then);
    then(0, out.extent(0), 0, out.extent(1));
  }
  // Whether run_part has read all of its operands when it begins to write: then the result may lie on top of them.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static constexpr bool reads_first(Attributes, std::type_identity<dense_view<T, M, N>>,
                                    std::type_identity<dense_view<const T, A_rows, A_columns>>,
                                    std::type_identity<dense_view<const T, B_rows, B_columns>>) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    constexpr index inner = ta ? A_rows : A_columns;
    if (simd::small_code) return false;
    if (detail::few_products<M, N, inner>) return true;
    if constexpr (detail::is_row_product<detail::factor<T>, tb, M, N, inner>) return detail::is_one_row_tile<detail::factor<T>, N>;
    else return detail::dense_reads_first<ta, tb, M, N, inner, detail::factor<T>>();
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
    return detail::product<F>{reinterpret_cast<const F*>(a.data()),
                              TransposeA ? 1 : a_row,
                              TransposeA ? a_row : 1,
                              reinterpret_cast<const F*>(b.data()),
                              TransposeB ? 1 : b_row,
                              TransposeB ? b_row : 1,
                              reinterpret_cast<F*>(out.data()),
                              out.extent(1),
                              out.extent(0),
                              out.extent(1),
                              a.extent(TransposeA ? 0 : 1)};
  }
};

template <>
struct kernel<ops::batch_matmul> : kernel<ops::matmul> {
  using kernel<ops::matmul>::run_part;
  // Small matrices one behind the other, or one for all: what looks at batches of any kind takes longer than a few products.
  template <class Attributes, class T, index... OE, index... AE, index... BE>
    requires(detail::dense_batches<by_column<Attributes>("transpose_a"), by_column<Attributes>("transpose_b"), dense_view<T, OE...>,
                                   dense_view<const T, AE...>, dense_view<const T, BE...>>::exists)
  [[gnu::always_inline]] static void run_part(const Attributes& attributes, const dense_view<T, OE...>& out,
                                              const dense_view<const T, AE...>& a, const dense_view<const T, BE...>& b,
                                              const tile_epilogue& then = {}) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    using batches = detail::dense_batches<ta, tb, dense_view<T, OE...>, dense_view<const T, AE...>, dense_view<const T, BE...>>;
    batches::run(detail::memory_for(attributes), out.data(), a.data(), b.data(), then);
  }
  // `count` products of matrices that follow one another; steps in elements, 0 where one serves all.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static void run_batch(const Attributes& attributes, const dense_view<T, M, N>& out, index count,
                        const dense_view<const T, A_rows, A_columns>& a, const dense_view<const T, B_rows, B_columns>& b, index a_step,
                        index b_step) {
    constexpr bool ta = by_column<Attributes>("transpose_a"), tb = by_column<Attributes>("transpose_b");
    detail::multiply_each<ta, tb, M, N, ta ? A_rows : A_columns>(first_product<ta, tb>(out, a, b), {a_step, b_step, out.size()}, count,
                                                                 detail::memory_for(attributes));
  }
  // Whether items are computed in whole registers. Then `then` may get each of them, with the place where it belongs.
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns>
  static constexpr bool gives_registers(Attributes, std::type_identity<dense_view<T, M, N>>,
                                        std::type_identity<dense_view<const T, A_rows, A_columns>>,
                                        std::type_identity<dense_view<const T, B_rows, B_columns>>) {
    return !by_column<Attributes>("transpose_a") && !by_column<Attributes>("transpose_b") &&
           detail::shared_width<detail::factor<T>, M, N, A_columns> == simd::lanes<T>;
  }
  template <class Attributes, class T, index M, index N, index A_rows, index A_columns, index B_rows, index B_columns, class Then>
  static void run_batch_then(const Attributes&, const dense_view<T, M, N>& out, index count,
                             const dense_view<const T, A_rows, A_columns>& a, const dense_view<const T, B_rows, B_columns>& b, index a_step,
                             index b_step, const Then& then) {
    const auto p = first_product<false, false>(out, a, b);
    detail::multiply_many_then<M, N>(p.a, a_step, p.b, b_step, p.c, count, then);
  }
};

template <>
struct kernel<ops::arranged_batch_matmul> : kernel<ops::matmul> {
  // Between the rows of one product lie those of others.
  static constexpr bool row_by_row = true;
  template <class Attributes, class T, index... OE, index... AE, index... BE>
  static void run(const Attributes& attributes, const view<T, OE...>& out, const view<const T, AE...>& a, const view<const T, BE...>& b,
                  const tile_epilogue& then = {}) {
    // Axis k of the product is axis place[k] of the result.
    static constexpr auto place = [] {
      shape s{sizeof...(OE), {}};
      for (int axis = 0; axis < s.rank; ++axis)
        s[static_cast<int>(find_attribute(Attributes::view(), "perm").values[static_cast<std::size_t>(axis)])] = axis;
      return s;
    }();
    [&]<int... K>(std::integer_sequence<int, K...>) {
      constexpr index extents[] = {OE...};
      const view<T, extents[place[K]]...> products(out.data(), shape{out.rank(), {out.extent(static_cast<int>(place[K]))...}},
                                                   shape{out.rank(), {out.stride(static_cast<int>(place[K]))...}});
      detail::run_matmul<by_column<Attributes>("transpose_a"), by_column<Attributes>("transpose_b"), false>(detail::memory_for(attributes),
                                                                                                            products, a, b, then);
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(OE))>());
  }
};

}  // namespace jig

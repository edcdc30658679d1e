// SPDX-License-Identifier: MIT
#pragma once
// Running sums and products. Along the last axis the lanes of a register are combined with those 1, 2, 4, … before them, and with
// what came before the register; along other axes lanes run along the axes inside.
//
// Which numbers are combined first follows from the extents and the width of registers alone, so that a result has the same bits
// wherever its operand lies and whoever runs the kernel.

#include <jig/eval/parallel_for.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/positions.hpp>

namespace jig {

namespace detail {

// What a scan does with numbers or registers of them, integers as unsigned ones; `nothing` leaves every number as it is.
struct scan_sum {
  template <class T>
  static constexpr T nothing = std::is_floating_point_v<T> ? -T(0) : T(0);
  template <class X>
  [[gnu::always_inline]] static X combine(const X& x, const X& y) {
    if constexpr (std::is_integral_v<X>) return static_cast<X>(std::uint64_t{x} + y);
    else return x + y;
  }
};
struct scan_product {
  template <class T>
  static constexpr T nothing = T(1);
  template <class X>
  [[gnu::always_inline]] static X combine(const X& x, const X& y) {
    if constexpr (std::is_integral_v<X>) return static_cast<X>(std::uint64_t{x} * y);
    else return x * y;
  }
};

template <class T>
using scanned = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

/// Scans of numbers T in dense memory, which may lie where their results go.
template <class T, class Scan>
class scan_memory {
  static constexpr int lanes = static_cast<int>(simd::lanes<T>);
  using batch = simd::batch<T>;
  using vector = typename simd::native<T, lanes>::type;
  using flags = decltype(vector() < vector());
  using lane_numbers = std::make_integer_sequence<int, lanes>;
  // Bytes and pairs of them seldom move freely between lanes. They are integers, whose order does not matter.
#if defined(__AVX512VBMI__)
  static constexpr bool scans_lanes = true;
#else
  static constexpr bool scans_lanes = sizeof(T) >= 4;
#endif
  // Whether a part of a register can be loaded without a loop.
#if defined(__AVX__)
  static constexpr bool has_parts = simd::cheap_parts || (sizeof(T) >= 4 && sizeof(batch) <= 32);
#else
  static constexpr bool has_parts = false;
#endif

  [[gnu::always_inline]] static vector load(const T* from) {
    vector x;
    std::memcpy(&x, from, sizeof(x));
    return x;
  }
  [[gnu::always_inline]] static void store(T* to, const vector& x) { std::memcpy(static_cast<void*>(to), &x, sizeof(x)); }
  [[gnu::always_inline]] static vector load_first(const T* from, index n) {
    return std::bit_cast<vector>(static_cast<typename batch::register_type>(simd::load_first<batch>(from, n)));
  }
  [[gnu::always_inline]] static void store_first(T* to, const vector& x, index n) {
    simd::store_first(to, batch(std::bit_cast<typename batch::register_type>(x)), n);
  }
  [[gnu::always_inline]] static vector all_lanes(T x) { return x - vector{}; }

  // Every lane gets that By lanes before it.
  template <int By, int... I>
  [[gnu::always_inline]] static vector shifted(const vector& x, std::integer_sequence<int, I...>) {
    const vector nothing = all_lanes(Scan::template nothing<T>);
    return simd::shuffle<(I < By ? lanes + I : I - By)...>(x, nothing);
  }
  template <int... I>
  [[gnu::always_inline]] static vector last_lane(const vector& x, std::integer_sequence<int, I...>) {
    return simd::shuffle<(I * 0 + lanes - 1)...>(x, x);
  }
  // The scan of the first 2^Steps lanes.
  template <int Steps, int Step = 0>
  [[gnu::always_inline]] static vector prefix(const vector& x) {
    if constexpr (Step == Steps) return x;
    else return prefix<Steps, Step + 1>(Scan::combine(shifted<(1 << Step)>(x, lane_numbers()), x));
  }
  static constexpr int all_steps = std::countr_zero(static_cast<unsigned>(lanes));

  // Rows that are longer than a register; what is left behind the last full one needs so many steps.
  template <int TailSteps>
  static void long_rows(T* to, const T* from, index rows, index n) {
    const index full = n / lanes * lanes;
    for (; rows > 0; --rows, to += n, from += n) {
      vector before = all_lanes(Scan::template nothing<T>);
      for (index i = 0; i < full; i += lanes) {
        const vector x = prefix<all_steps>(load(from + i));
        store(to + i, Scan::combine(before, x));
        // Not of what was stored: so one operation is all that has to wait for the register before.
        before = Scan::combine(before, last_lane(x, lane_numbers()));
      }
      if (full < n) store_first(to + full, Scan::combine(before, prefix<TailSteps>(load_first(from + full, n - full))), n - full);
    }
  }

  // Several rows in a register. Lanes of a row that does not end in the register stay as they are. The length of the rows may be a
  // constant, N.
  // The place of every lane in its row, by the length of the rows; -1 where the row does not end in the register.
  struct row_places {
    using place = std::remove_cvref_t<decltype(flags()[0])>;
    alignas(vector) place of[array_bound(lanes + 1)][array_bound(lanes)] = {};
    constexpr row_places() {
      for (int n = 1; n <= lanes; ++n)
        for (int l = 0; l < lanes; ++l) of[n][l] = static_cast<place>(l < lanes / n * n ? l % n : -1);
    }
  };
  static constexpr row_places places{};
  template <index N, int Step, int... I>
  [[gnu::always_inline]] static vector own_shifted(const vector& x, const flags* own, std::integer_sequence<int, I...> all) {
    const vector nothing = all_lanes(Scan::template nothing<T>);
    if constexpr (N > 0) return simd::shuffle<(places.of[N][I] >= (1 << Step) ? I - (1 << Step) : lanes + I)...>(x, nothing);
    else return own[Step] ? shifted<(1 << Step)>(x, all) : nothing;
  }
  template <index N, int Steps, int Step = 0>
  [[gnu::always_inline]] static vector row_prefix(const vector& x, const flags* own) {
    if constexpr (Step == Steps) return x;
    else return row_prefix<N, Steps, Step + 1>(Scan::combine(own_shifted<N, Step>(x, own, lane_numbers()), x), own);
  }
  template <index N, int Steps>
  static void short_rows(T* to, const T* from, index rows, index n) {
    flags own[array_bound(Steps)];
    if constexpr (N == 0) {
      flags place;
      std::memcpy(&place, places.of[n], sizeof(place));
      for (int s = 0; s < Steps; ++s) own[s] = place >= (flags{} + static_cast<typename row_places::place>(1 << s));
    }
    const index used = N > 0 ? lanes / (N > 0 ? N : 1) * N : lanes / n * n;
    index left = rows * n;
    for (; left >= lanes; left -= used, to += used, from += used) store(to, row_prefix<N, Steps>(load(from), own));
    if (left > 0) store_first(to, row_prefix<N, Steps>(load_first(from, left), own), left);
  }

  // Several parts of N rows of Inner numbers in a register. One row comes after the other, as where they are longer.
  template <int N, int Inner>
  struct few_rows {
    static constexpr int part = N * Inner, used = lanes / part * part;
    static constexpr bool is_in_row(int lane, int row) { return lane < used && lane % part / Inner == row; }
    template <int Row, int... I>
    [[gnu::always_inline]] static vector with_row_before(const vector& x, std::integer_sequence<int, I...>) {
      const vector nothing = all_lanes(Scan::template nothing<T>);
      return Scan::combine(simd::shuffle<(is_in_row(I, Row) ? I - Inner : lanes + I)...>(x, nothing), x);
    }
    template <int Row = 1>
    [[gnu::always_inline]] static vector scan(const vector& x) {
      if constexpr (Row == N) return x;
      else return scan<Row + 1>(with_row_before<Row>(x, lane_numbers()));
    }
    static void run(T* to, const T* from, index outer) {
      index left = outer * part;
      for (; left >= lanes; left -= used, to += used, from += used) store(to, scan(load(from)));
      if (left > 0) store_first(to, scan(load_first(from, left)), left);
    }
  };

  // Calls f with the number of steps that a scan of n lanes takes, as a constant.
  template <int Steps = 1, class F>
  [[gnu::always_inline]] static void with_steps(index n, F f) {
    if constexpr (Steps < all_steps)
      if (n > index{1} << Steps) return with_steps<Steps + 1>(n, f);
    f(std::integral_constant<int, Steps>());
  }

  // Registers beside each other, each with what came before in hand.
  template <int Registers>
  [[gnu::always_inline]] static void columns(T* to, const T* from, index n, index inner) {
    vector total[array_bound(Registers)];
    for (int r = 0; r < Registers; ++r) total[r] = all_lanes(Scan::template nothing<T>);
    for (index i = 0; i < n; ++i, to += inner, from += inner) {
#pragma GCC unroll 8
      for (int r = 0; r < Registers; ++r) {
        total[r] = Scan::combine(total[r], load(from + r * lanes));
        store(to + r * lanes, total[r]);
      }
    }
  }
  // Fewer columns than lanes.
  [[gnu::always_inline]] static void some_columns(T* to, const T* from, index n, index inner, index count) {
    if constexpr (has_parts) {
      vector total = all_lanes(Scan::template nothing<T>);
      for (index i = 0; i < n; ++i, to += inner, from += inner) {
        total = Scan::combine(total, load_first(from, count));
        store_first(to, total, count);
      }
    } else {
      T total[array_bound(lanes)];
      for (index k = 0; k < count; ++k) total[k] = Scan::template nothing<T>;
      for (index i = 0; i < n; ++i, to += inner, from += inner)
        for (index k = 0; k < count; ++k) to[k] = total[k] = static_cast<T>(Scan::combine(total[k], from[k]));
    }
  }
  static void few_columns(T* to, const T* from, index n, index inner) {
    index k = 0;
    for (; k + 4 * lanes <= inner; k += 4 * lanes) columns<4>(to + k, from + k, n, inner);
    for (; k + lanes <= inner; k += lanes) columns<1>(to + k, from + k, n, inner);
    if (k < inner) some_columns(to + k, from + k, n, inner, inner - k);
  }
  // Row after row, as memory likes it.
  static void many_columns(T* to, const T* from, index n, index inner) {
    if (to != from) std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(inner) * sizeof(T));
    for (index i = 1; i < n; ++i) {
      const T* before = to;
      to += inner;
      from += inner;
      index k = 0;
      for (; k + lanes <= inner; k += lanes) store(to + k, Scan::combine(load(before + k), load(from + k)));
      for (; k < inner; ++k) to[k] = static_cast<T>(Scan::combine(before[k], from[k]));
    }
  }

 public:
  /// Whether a register has all of n rows of `inner` numbers, and moves them.
  static constexpr bool fits_few_rows(index n, index inner) { return scans_lanes && n > 1 && n <= 8 && inner > 1 && n * inner <= lanes; }
  /// Scans `outer` parts of n rows of `inner` numbers along the rows. Where n is known to be small, it is N too, and so is Inner.
  template <index N = 0, index Inner = 1>
  [[gnu::noinline]] static void run(T* to, const T* from, index outer, index n, index inner) {
    if (outer == 0 || n == 0 || inner == 0) return;
    if constexpr (fits_few_rows(N, Inner)) {
      few_rows<static_cast<int>(N), static_cast<int>(Inner)>::run(to, from, outer);
    } else if (inner > 1) {
      for (; outer > 0; --outer, to += n * inner, from += n * inner) {
        if (inner < 8 * lanes) few_columns(to, from, n, inner);
        else many_columns(to, from, n, inner);
      }
    } else if constexpr (!scans_lanes) {
      for (; outer > 0; --outer) {
        T total = Scan::template nothing<T>;
        for (index i = 0; i < n; ++i) *to++ = total = static_cast<T>(Scan::combine(total, *from++));
      }
    } else if (n == 1) {
      if (to != from) std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(outer) * sizeof(T));
    } else if constexpr (N > 0) {
      short_rows<N, std::bit_width(static_cast<unsigned>(N - 1))>(to, from, outer, n);
    } else if (n > lanes) {
      with_steps(n % lanes, [&](auto steps) { long_rows<steps>(to, from, outer, n); });
    } else {
      with_steps(n, [&](auto steps) { short_rows<0, steps>(to, from, outer, n); });
    }
  }
  /// The same for a few numbers, whose count is a constant, in the same order.
  template <index Outer, index N, index Inner>
  [[gnu::always_inline]] static void run_few(T* to, const T* from) {
    constexpr bool in_lanes = Inner == 1 && scans_lanes;
    T x[array_bound(N)];
#pragma GCC unroll 16
    for (index row = 0; row < Outer * Inner; ++row) {
      const index first = row / Inner * N * Inner + row % Inner;
#pragma GCC unroll 16
      for (index i = 0; i < N; ++i) x[i] = from[first + i * Inner];
#pragma GCC unroll 16
      for (index block = 0; in_lanes && block < N; block += lanes) {
        const index end = block + lanes < N ? block + lanes : N;
#pragma GCC unroll 8
        for (index by = 1; by < lanes; by *= 2)
#pragma GCC unroll 16
          for (index i = end - 1; i >= block + by; --i) x[i] = static_cast<T>(Scan::combine(x[i - by], x[i]));
        if constexpr (N > lanes)
#pragma GCC unroll 16
          for (index i = block; block > 0 && i < end; ++i) x[i] = static_cast<T>(Scan::combine(x[block - 1], x[i]));
      }
#pragma GCC unroll 16
      for (index i = 1; !in_lanes && i < N; ++i) x[i] = static_cast<T>(Scan::combine(x[i - 1], x[i]));
#pragma GCC unroll 16
      for (index i = 0; i < N; ++i) to[first + i * Inner] = x[i];
    }
  }
};

// As many numbers are scanned one by one in the function around them.
inline constexpr index fewest_scanned = 16;

template <class Scan>
struct scan_kernel {
  template <class Attributes, class T, index... E>
    requires(std::is_arithmetic_v<T>)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in) {
    using U = scanned<T>;
    constexpr int axis = axis_attribute<Attributes>(sizeof...(E)), rank = sizeof...(E);
    constexpr shape extents{rank, {E...}};
    auto* to = reinterpret_cast<U*>(out.data());
    const auto* from = reinterpret_cast<const U*>(in.data());
    if constexpr (extents.is_static() && extents.size() <= fewest_scanned) {
      if constexpr (extents.size() > 0)
        scan_memory<U, Scan>::template run_few<some_axes(extents, 0, axis).size(), extents[axis],
                                               some_axes(extents, axis + 1, rank).size()>(to, from);
    } else {
      constexpr index inner = some_axes(extents, axis + 1, rank).size();
      constexpr bool in_register = axis + 1 == rank && extents[axis] > 1 && extents[axis] <= simd::lanes<U>;
      constexpr bool few_rows = scan_memory<U, Scan>::fits_few_rows(extents[axis], inner);
      run_dense<in_register || few_rows ? extents[axis] : 0, few_rows ? inner : 1>(to, from, out, axis);
    }
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    const int axis = axis_of(attributes, in);
    // In place where the operand is not dense.
    const T* from = in.data();
    if (in.strides() != out.strides()) {
      copy_strided(out.data(), out.strides(), in.data(), in.strides(), in.shape());
      from = out.data();
    }
    using U = scanned<T>;
    run_dense<0>(reinterpret_cast<U*>(out.data()), reinterpret_cast<const U*>(from), out, axis);
  }

 private:
  template <index N, index Inner = 1, class U, class View>
  [[gnu::always_inline]] static void run_dense(U* to, const U* from, const View& of, int axis) {
    const index outer = detail::elements_along(of, 0, axis), inner = detail::elements_along(of, axis + 1, of.rank());
    const index n = of.extent(axis);
    share_items(outer, n * inner, [=](index first, index count) {
      scan_memory<U, Scan>::template run<N, Inner>(to + first * n * inner, from + first * n * inner, count, n, inner);
    });
  }
};

}  // namespace detail

template <>
struct kernel<ops::cumsum> : detail::scan_kernel<detail::scan_sum> {};
template <>
struct kernel<ops::cumprod> : detail::scan_kernel<detail::scan_product> {};

}  // namespace jig

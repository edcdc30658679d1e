// SPDX-License-Identifier: MIT
#pragma once
// Rows with a single 1: short ones by comparing the position of each lane in its row with that of the 1, long ones filled with zeros.

#include <jig/eval/simd.hpp>
#include <jig/ops/one_hot.hpp>

#include <bit>

namespace jig {

namespace detail {

template <class T, index... K, class I>
[[gnu::always_inline]] inline void set_one(T* to, I at, std::integer_sequence<index, K...>) {
  ((to[K] = std::cmp_equal(at, K) ? T(1) : T(0)), ...);
}

constexpr bool is_short_row_of_ones(index depth) { return depth > 0 && depth <= 8; }

template <int Depth, int Register, class V, int... I>
[[gnu::always_inline]] inline V places_of_ones(const V& at, std::integer_sequence<int, I...>) {
  constexpr int lanes = sizeof...(I);
  const V own = simd::shuffle<((Register * lanes + I) / Depth)...>(at, at);
  const V column{static_cast<std::remove_cvref_t<decltype(at[0])>>((Register * lanes + I) % Depth)...};
  return own == column;
}
/// As many rows at a time as a register has lanes of the size of T.
template <index Depth, class T, class I>
[[gnu::noinline]] void short_rows_of_ones(T* to, const I* from, index rows) {
  using U =
      std::conditional_t<sizeof(T) == 1, std::int8_t,
                         std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
  constexpr auto lanes = static_cast<int>(sizeof(simd::batch<std::uint8_t>) / sizeof(T));
  using vector = typename simd::native<U, lanes>::type;
  const vector one = std::bit_cast<U>(T(1)) - vector{};
  for (; rows >= lanes; rows -= lanes, from += lanes) {
    U at[array_bound(lanes)];
    for (int l = 0; l < lanes; ++l)
      at[l] = static_cast<std::make_unsigned_t<I>>(from[l]) < static_cast<std::make_unsigned_t<I>>(Depth) ? static_cast<U>(from[l]) : U(-1);
    vector x;
    std::memcpy(&x, at, sizeof(x));
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            const vector row = places_of_ones<static_cast<int>(Depth), R>(x, std::make_integer_sequence<int, lanes>()) & one;
            std::memcpy(static_cast<void*>(to + R * lanes), &row, sizeof(row));
          }(),
          ...);
    }(std::make_integer_sequence<int, static_cast<int>(Depth)>());
    to += Depth * lanes;
  }
  for (; rows > 0; --rows, ++from, to += Depth) set_one(to, *from, std::make_integer_sequence<index, Depth>());
}

}  // namespace detail

template <>
struct kernel<ops::one_hot> {
  // A few numbers.
  template <class Attributes, class T, index... E, class In>
    requires(detail::few_fixed<dense_view<T, E...>> && detail::few_fixed<In> && In::rank() <= 1)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const In& in) {
    constexpr index extents[] = {E...}, depth = extents[In::rank()], stride = In::rank() == 0 ? 0 : detail::fixed_layout<In>::strides[0];
    [&]<index... I>(std::integer_sequence<index, I...>) __attribute__((always_inline)) {
      (detail::set_one(out.data() + I * depth, in.data()[I * stride], std::make_integer_sequence<index, depth>()), ...);
    }(std::make_integer_sequence<index, detail::fixed_layout<In>::extents.size()>());
  }
  // Short rows of a constant length.
  template <class Attributes, class T, index... E, class I, index... At>
    requires(sizeof(T) <= 8 && !detail::few_fixed<dense_view<T, E...>> &&
             detail::is_short_row_of_ones(shape{sizeof...(E), {E...}}[sizeof...(E) - 1]))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const I, At...>& in) {
    detail::short_rows_of_ones<shape{sizeof...(E), {E...}}[sizeof...(E) - 1]>(out.data(), in.data(), in.size());
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    const index depth = out.extent(out.rank() - 1), rows = in.size();
    // Ones come while the zeros around them are in the cache.
    const index block = std::max<index>(1, 4096 / std::max<index>(1, depth));
    auto* to = out.data();
    detail::element_cursor<In> cursor(in);
    for (index done = 0; done < rows; done += block) {
      const index n = (std::min)(block, rows - done);
      std::fill_n(to, n * depth, T(0));
      for (index i = 0; i < n; ++i, to += depth) {
        const auto value = cursor.next();
        if (std::in_range<index>(value) && value >= 0 && static_cast<index>(value) < depth) to[static_cast<index>(value)] = T(1);
      }
    }
  }
};

}  // namespace jig

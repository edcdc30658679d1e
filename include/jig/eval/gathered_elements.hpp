// SPDX-License-Identifier: MIT
#pragma once
// Elements at positions whose numbers lie in tensors of their own: a register of each makes a register of places in memory.

#include <jig/eval/simd.hpp>
#include <jig/passes/gathered_elements.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace jig {

namespace detail {

/// Whole registers of positions until one of them is out of range, and how many elements these are. Places fit into 32 bits.
template <class T, int... A>
[[gnu::always_inline]] inline index gather_registers(T* to, const T* from, index n, const gathered_axes<sizeof...(A)>& axes,
                                                     const std::int32_t* const (&at)[sizeof...(A)], std::integer_sequence<int, A...>) {
  using B = simd::batch<std::uint32_t>;
  constexpr index lanes = simd::lanes<std::uint32_t>;
  const B extent[] = {B(static_cast<std::uint32_t>(axes.extent[A]))...}, stride[] = {B(static_cast<std::uint32_t>(axes.stride[A]))...};
  index k = 0;
  for (; k + lanes <= n; k += lanes) {
    const B i[] = {B::load_unaligned(reinterpret_cast<const std::uint32_t*>(at[A] + k))...};
    if (xsimd::any(((i[A] >= extent[A]) | ...))) [[unlikely]]
      break;
    alignas(sizeof(B)) std::int32_t place[array_bound(lanes)];
    ((i[A] * stride[A]) + ...).store_aligned(reinterpret_cast<std::uint32_t*>(place));
    const auto next = [&]<index... K>(std::integer_sequence<index, K...>)
                          __attribute__((always_inline)) { ((to[k + K] = from[place[K]]), ...); };
    next(std::make_integer_sequence<index, lanes>());
  }
  return k;
}

/// Whether all places of a tensor are numbers of 32 bits.
template <int Axes>
[[gnu::always_inline]] inline bool places_are_short(const gathered_axes<Axes>& axes) {
  constexpr index most = (std::numeric_limits<std::int32_t>::max)();
  index farthest = 0;
  for (int a = 0; a < Axes; ++a) {
    if (axes.extent[a] > most) return false;
    farthest += axes.extent[a] * (axes.stride[a] < 0 ? -axes.stride[a] : axes.stride[a]);
  }
  return farthest <= most;
}

template <class V>
inline constexpr bool is_dense_view = false;
template <class T, index... E>
inline constexpr bool is_dense_view<dense_view<T, E...>> = true;

/// The elements at positions that lie without gaps.
template <class T, class Number, int Axes>
[[gnu::noinline]] void gather_at_numbers(T* to, const T* from, index n, const gathered_axes<Axes>& axes,
                                         const Number* const (&at)[array_bound(Axes)]) {
  constexpr std::make_integer_sequence<int, Axes> numbers{};
  index k = 0;
  if constexpr (std::is_same_v<Number, std::int32_t>)
    if (places_are_short(axes)) k = gather_registers(to, from, n, axes, at, numbers);
  for (; k < n; ++k) to[k] = gathered_element(from, axes, [&](auto a) { return at[a][k]; }, numbers);
}

}  // namespace detail

template <>
struct kernel<detail::elements_at_numbers> {
  template <class Attributes, class T, index... E, index... IE, class... I>
    requires((detail::is_dense_view<I> && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, IE...>& in,
                                              const I&... at) {
    run_dense(out, in, at...);
  }
  template <class Attributes, class Out, class In, class... I>
  static void run(Attributes, const Out& out, const In& in, const I&... at) {
    if ((detail::part_shape(at.shape(), at.strides(), 0).dense && ...)) return run_dense(out, in, at...);
    const auto axes = detail::gathered_axes_of(in, numbers<I...>());
    const auto* const from = in.data();
    auto* to = out.data();
    const auto each = [&](auto... cursor) {
      for (index n = out.size(); n > 0; --n) {
        const index i[] = {static_cast<index>(cursor.next())...};
        *to++ = detail::gathered_element(from, axes, [&](auto a) { return i[a]; }, numbers<I...>());
      }
    };
    each(detail::element_cursor<I>(at)...);
  }

 private:
  template <class... I>
  using numbers = std::make_integer_sequence<int, sizeof...(I)>;
  template <class Out, class In, class... I>
  [[gnu::always_inline]] static void run_dense(const Out& out, const In& in, const I&... at) {
    const std::common_type_t<typename I::value_type...>* const first[] = {at.data()...};
    detail::gather_at_numbers(out.data(), in.data(), out.size(), detail::gathered_axes_of(in, numbers<I...>()), first);
  }
};

}  // namespace jig

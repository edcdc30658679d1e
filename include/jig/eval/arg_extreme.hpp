// SPDX-License-Identifier: MIT
#pragma once
// argmax and argmin. The first of equals wins, and NaN is beyond all numbers.

#include <jig/eval/extreme_search.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/passes/short_positions.hpp>

namespace jig {

namespace detail {

template <class T>
using searched = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <bool Smallest>
struct extreme_kernel {
  template <class Attributes, class To, class T, index... E, index... O>
    requires(std::is_arithmetic_v<T>)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<To, O...>& out, const dense_view<const T, E...>& in) {
    constexpr int axis = axis_attribute<Attributes>(sizeof...(E), "dimension"), rank = sizeof...(E);
    constexpr index extent = shape{rank, {E...}}[axis];
    constexpr bool is_short = axis + 1 == rank && extreme_search<searched<T>, Smallest>::is_short_row(extent);
    run_dense<is_short ? extent : 0, axis + 1 == rank>(out, in, axis);
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes attributes, const Out& out, const In& in) {
    using T = typename In::value_type;
    const int axis = axis_of<"dimension">(attributes, in);
    if constexpr (std::is_arithmetic_v<T>)
      if (in.strides() == row_major_strides(in.shape())) return run_dense<0>(out, in, axis);
    find_along_axis(out, in, axis);
  }

 private:
  static void check_axis(const auto& in, int axis) {
    if (in.extent(axis) > 0) [[likely]]
      return;
    message m;
    m << (Smallest ? "ArgMin" : "ArgMax") << ": axis " << axis << " has no elements";
    throw_invalid_argument(m.view());
  }
  template <index N, bool Last = false, class Out, class In>
  [[gnu::always_inline]] static void run_dense(const Out& out, const In& in, int axis) {
    using T = typename In::value_type;
    using U = searched<T>;
    const index outer = detail::elements_along(in, 0, axis), inner = detail::elements_along(in, axis + 1, in.rank());
    if (outer == 0 || inner == 0) return;
    check_axis(in, axis);
    const index n = in.extent(axis);
    const auto* from = reinterpret_cast<const U*>(in.data());
    share_items(outer, n * inner, [=, to = out.data()](index first, index count) {
      extreme_search<U, Smallest>::template run<N, Last>(to + first * inner, from + first * n * inner, count, n, inner);
    });
  }
  // Elements of any dtype at any strides.
  template <class Out, class In>
  static void find_along_axis(const Out& out, const In& in, int axis) {
    if (out.size() == 0) return;
    check_axis(in, axis);
    const index extent = in.extent(axis), stride = in.stride(axis);
    // The elements of the input whose position along the axis is 0.
    shape extents, strides;
    for (int a = 0; a < in.rank(); ++a) {
      if (a == axis) continue;
      extents.push_back(in.extent(a));
      strides.push_back(in.stride(a));
    }
    for (index o = 0; o < out.size(); ++o) {
      index rest = o, offset = 0;
      for (int a = extents.rank; a-- > 0;) {
        offset += rest % extents[a] * strides[a];
        rest /= extents[a];
      }
      const auto* from = in.data() + offset;
      index found = 0;
      auto best = *from;
      for (index i = 1; i < extent && best == best; ++i) {
        auto x = from[i * stride];
        if (!(Smallest ? x < best : x > best) && x == x) continue;
        found = i;
        best = x;
      }
      out.data()[o] = static_cast<typename Out::value_type>(found);
    }
  }
};

}  // namespace detail

template <>
struct kernel<ops::argmax> : detail::extreme_kernel<false> {};
template <>
struct kernel<ops::argmin> : detail::extreme_kernel<true> {};
template <>
struct kernel<detail::short_argmax> : detail::extreme_kernel<false> {};
template <>
struct kernel<detail::short_argmin> : detail::extreme_kernel<true> {};

}  // namespace jig

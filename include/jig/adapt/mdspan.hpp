// SPDX-License-Identifier: MIT
#pragma once
// std::mdspan, and whatever has its interface: extents that types may tell, a mapping with strides, memory behind a pointer.

#include <jig/adapt/argument.hpp>

namespace jig {

namespace detail {

template <class X>
concept StridedSpan = requires(const X& x) {
  typename X::element_type;
  typename X::extents_type;
  typename X::mapping_type;
  requires Element<std::remove_const_t<typename X::element_type>>;
  // An accessor that computes has other references, or handles of its own.
  requires std::is_same_v<typename X::reference, typename X::element_type&>;
  { x.data_handle() } -> std::convertible_to<typename X::element_type*>;
  requires X::is_always_strided();
  requires static_cast<int>(X::rank()) <= max_rank;
  x.extent(0);
  X::extents_type::static_extent(0);
};

// How the elements lie as far as extents tell, by two samples: in one of them each other order has other strides.
template <class X, std::size_t... Axis>
constexpr memory_layout layout_of_span(std::index_sequence<Axis...>) {
  using extents = typename X::extents_type;
  using mapping = typename X::mapping_type;
  constexpr std::size_t rank = sizeof...(Axis);
  if constexpr (rank == 0) {
    return memory_layout::row_major;
  } else if constexpr (!X::is_always_exhaustive() || !std::is_constructible_v<mapping, extents>) {
    return memory_layout::strided;
  } else {
    bool is_row_major = true, is_column_major = true;
    for (bool growing : {true, false}) {
      using number = typename extents::index_type;
      const mapping sample(extents(std::array<number, rank>{(extents::static_extent(Axis) != static_cast<std::size_t>(-1)
                                                                 ? static_cast<number>(extents::static_extent(Axis))
                                                                 : static_cast<number>(growing ? 2 + Axis : 1 + rank - Axis))...}));
      const auto follows = [&](bool row_major) {
        index step = 1;
        for (std::size_t i = 0; i < rank; ++i) {
          const std::size_t axis = row_major ? rank - 1 - i : i;
          const index extent = static_cast<index>(sample.extents().extent(axis));
          if (extent != 1 && static_cast<index>(sample.stride(axis)) != step) return false;
          step *= extent;
        }
        return true;
      };
      is_row_major = is_row_major && follows(true);
      is_column_major = is_column_major && follows(false);
    }
    return is_row_major ? memory_layout::row_major : is_column_major ? memory_layout::column_major : memory_layout::strided;
  }
}

template <class X, class Axes>
struct strided_span;
template <class X, std::size_t... Axis>
struct strided_span<X, std::index_sequence<Axis...>> {
  static constexpr index extent_at(std::size_t axis) {
    const auto e = X::extents_type::static_extent(axis);
    return e == static_cast<std::size_t>(-1) ? dyn : static_cast<index>(e);
  }
  using spec_type = spec<canonical<std::remove_const_t<typename X::element_type>>, extent_at(Axis)...>;
  static constexpr memory_layout layout = layout_of_span<X>(std::index_sequence<Axis...>());
  static constexpr auto bind(const X& x) {
    typename X::element_type* data = x.data_handle();
    const shape extents{sizeof...(Axis), {static_cast<index>(x.extent(Axis))...}};
    if constexpr (layout == memory_layout::row_major) return view_of<extent_at(Axis)...>(data, extents);
    else if constexpr (layout == memory_layout::column_major) return column_major_view_of<extent_at(Axis)...>(data, extents);
    else return strided_view_of<extent_at(Axis)...>(data, extents, shape{sizeof...(Axis), {static_cast<index>(x.stride(Axis))...}});
  }
};

}  // namespace detail

/// A span shows elements that may be written, whether or not it is constant itself, unless they are constant.
template <detail::StridedSpan X>
struct argument<X> : detail::strided_span<X, std::make_index_sequence<X::rank()>> {};

}  // namespace jig

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

// Whether extents alone say that the elements lie row-major, by two samples: other orders differ in one of them.
template <class X, std::size_t... Axis>
constexpr bool is_row_major(std::index_sequence<Axis...>) {
  using extents = typename X::extents_type;
  using mapping = typename X::mapping_type;
  if constexpr (sizeof...(Axis) == 0) {
    return true;
  } else if constexpr (!X::is_always_exhaustive() || !std::is_constructible_v<mapping, extents>) {
    return false;
  } else {
    for (bool growing : {true, false}) {
      const mapping sample(extents(std::array<typename extents::index_type, sizeof...(Axis)>{
          (extents::static_extent(Axis) != static_cast<std::size_t>(-1)
               ? static_cast<typename extents::index_type>(extents::static_extent(Axis))
               : static_cast<typename extents::index_type>(growing ? 2 + Axis : 1 + sizeof...(Axis) - Axis))...}));
      index step = 1;
      for (std::size_t a = sizeof...(Axis); a-- > 0;) {
        const index extent = static_cast<index>(sample.extents().extent(a));
        if (extent != 1 && static_cast<index>(sample.stride(a)) != step) return false;
        step *= extent;
      }
    }
    return true;
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
  static constexpr bool dense = is_row_major<X>(std::index_sequence<Axis...>());
  static constexpr auto bind(const X& x) {
    typename X::element_type* data = x.data_handle();
    const shape extents{sizeof...(Axis), {static_cast<index>(x.extent(Axis))...}};
    if constexpr (dense) return view_of<extent_at(Axis)...>(data, extents);
    else return strided_view_of<extent_at(Axis)...>(data, extents, shape{sizeof...(Axis), {static_cast<index>(x.stride(Axis))...}});
  }
};

}  // namespace detail

/// A span shows elements that may be written, whether or not it is constant itself, unless they are constant.
template <detail::StridedSpan X>
struct argument<X> : detail::strided_span<X, std::make_index_sequence<X::rank()>> {};

}  // namespace jig

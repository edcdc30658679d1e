// SPDX-License-Identifier: MIT
#pragma once
// xtensor: tensors, fixed tensors, adaptors and strided views of them are arguments; arrays, whose rank only the run tells, are what
// `any_tensor` views or copies.

#include <jig/adapt/argument.hpp>

#include <xtensor/xexpression.hpp>
#include <xtensor/xlayout.hpp>
#include <xtensor/xstorage.hpp>

namespace jig {

namespace detail {

// Extents as far as the type of a shape tells them.
template <class Shape>
struct shape_of_xtensor {
  static constexpr bool ranked = false;
};
template <class I, std::size_t N>
struct shape_of_xtensor<std::array<I, N>> {
  static constexpr bool ranked = static_cast<int>(N) <= max_rank;
  static constexpr std::array<index, N> extents = [] {
    std::array<index, N> out{};
    for (index& e : out) e = dyn;
    return out;
  }();
};
template <std::size_t... E>
struct shape_of_xtensor<xt::fixed_shape<E...>> {
  static constexpr bool ranked = static_cast<int>(sizeof...(E)) <= max_rank;
  static constexpr std::array<index, sizeof...(E)> extents{static_cast<index>(E)...};
};

template <class X>
concept XtensorExpression = requires { typename X::value_type; } && xt::is_xexpression<X>::value;
template <class X>
concept XtensorMemory = XtensorExpression<X> && Element<typename X::value_type> && requires(const X& x) {
  { x.data() + x.data_offset() } -> std::same_as<const typename X::value_type*>;
  x.strides()[0];
  x.shape()[0];
};
template <class X>
concept RankedXtensor = XtensorMemory<X> && shape_of_xtensor<typename X::shape_type>::ranked;

template <class List>
shape shape_from_list(const List& list, std::size_t rank) {
  shape s;
  for (std::size_t a = 0; a < rank; ++a) s.push_back(static_cast<index>(list[a]));
  return s;
}

template <class X, class Axes>
struct ranked_xtensor;
template <class X, std::size_t... Axis>
struct ranked_xtensor<X, std::index_sequence<Axis...>> {
  using extents = shape_of_xtensor<typename X::shape_type>;
  using spec_type = spec<canonical<typename X::value_type>, extents::extents[Axis]...>;
  static auto bind(const X& x) { return seen(x); }
  static auto bind(X& x) { return seen(x); }

 private:
  template <class C>
  static auto seen(C& x) {
    auto* data = x.data() + x.data_offset();
    const shape lengths = shape_from_list(x.shape(), sizeof...(Axis));
    if constexpr (X::static_layout == xt::layout_type::row_major) return view_of<extents::extents[Axis]...>(data, lengths);
    else if constexpr (X::static_layout == xt::layout_type::column_major)
      return column_major_view_of<extents::extents[Axis]...>(data, lengths);
    else return strided_view_of<extents::extents[Axis]...>(data, lengths, shape_from_list(x.strides(), sizeof...(Axis)));
  }
};

}  // namespace detail

template <detail::RankedXtensor X>
struct argument<X> : detail::ranked_xtensor<X, std::make_index_sequence<detail::shape_of_xtensor<typename X::shape_type>::extents.size()>> {
};

/// Errors: more than 8 axes throw invalid_argument.
template <detail::XtensorMemory X>
  requires(!detail::RankedXtensor<X>)
struct run_time_argument<X> {
  static any_view bind(const X& x) {
    const std::size_t rank = x.shape().size();
    if (rank > static_cast<std::size_t>(max_rank)) detail::throw_invalid_argument("xtensor: a tensor has at most 8 axes");
    return {dtype_of<typename X::value_type>, x.data() + x.data_offset(), detail::shape_from_list(x.shape(), rank),
            detail::shape_from_list(x.strides(), rank)};
  }
};

template <detail::XtensorExpression X>
  requires(!detail::XtensorMemory<X> && Element<typename X::value_type>)
struct refused_argument<X> {
  static constexpr text sentence = "an expression of xtensor has no elements in memory: pass what xt::eval makes of it";
};

}  // namespace jig

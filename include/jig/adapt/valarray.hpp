// SPDX-License-Identifier: MIT
#pragma once
// std::valarray, by its interface: its header need not be included, and cannot be declared by others.

#include <jig/adapt/argument.hpp>

namespace jig {

namespace detail {

template <class X>
concept ValueArray = requires(X& x, const X& constant) {
  typename X::value_type;
  requires cell_rank<typename X::value_type> < max_rank;
  constant.cshift(1);
  constant.apply(static_cast<typename X::value_type (*)(typename X::value_type)>(nullptr));
  x.resize(constant.size(), typename X::value_type());
  { x[std::size_t{}] } -> std::same_as<typename X::value_type&>;
  { constant[std::size_t{}] } -> std::same_as<const typename X::value_type&>;
};

}  // namespace detail

template <detail::ValueArray X>
struct argument<X> {
  using elements = detail::cells<typename X::value_type, dyn>;
  using spec_type = typename elements::spec_type;
  static auto bind(const X& x) { return elements::bind(x.size() == 0 ? nullptr : &x[0], x.size()); }
  static auto bind(X& x) { return elements::bind(x.size() == 0 ? nullptr : &x[0], x.size()); }
};

}  // namespace jig

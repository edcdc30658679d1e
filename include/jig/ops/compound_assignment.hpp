// SPDX-License-Identifier: MIT
#pragma once
// Compound assignment: `x += y` is `x = x + y`, with the dtype and the extents of x.

#include <jig/ops/bits.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/part.hpp>
#include <jig/ops/set_shape.hpp>

namespace jig {

namespace detail {

// How `x = x + y` is done for a type of values. Of most, as an assignment.
template <class X>
struct compound_assignment {
  static constexpr bool of_temporaries = true;
  template <class To, class Y>
  static constexpr void assign(To&& x, const Y& y) {
    std::forward<To>(x) = y;
  }
};

// The elements change, so that views of them stay.
template <class T, index... E>
struct compound_assignment<tensor<T, E...>> {
  static constexpr bool of_temporaries = false;
  template <class Y>
  static constexpr void assign(tensor<T, E...>& x, const Y& y) {
    if constexpr (world_of<Y> == world::dual) assign(x, y.value());
    else if constexpr (is_recorded<Y>) refuse_traced_value(x, y);
    else if constexpr (fits_into<spec<T, E...>, Y>()) fill_from(x, y);
  }
};
template <class T, index... E>
struct compound_assignment<view<T, E...>> {
  static constexpr bool of_temporaries = true;
  using value_type = typename view<T, E...>::value_type;
  template <class Y>
  static constexpr void assign(const view<T, E...>& x, const Y& y) {
    if constexpr (world_of<Y> == world::dual) {
      assign(x, y.value());
    } else if constexpr (is_recorded<Y>) {
      refuse_traced_value(x, y);
    } else if constexpr (fits_into<spec<value_type, E...>, Y>()) {
      tensor<value_type, E...> result(uninitialized, x.shape());
      fill_from(result, y);
      put_broadcast(x.data(), x.shape(), x.strides(), result.data(), result.shape(), result.strides());
    }
  }
};
template <class T, index... E>
struct compound_assignment<tensor_part<T, E...>> : compound_assignment<tensor<T, E...>> {
  static constexpr bool of_temporaries = true;
  using compound_assignment<tensor<T, E...>>::assign;
  template <class Y>
  static constexpr void assign(tensor_part<T, E...>&& x, const Y& y) {
    std::move(x) = y;
  }
};

template <class X>
inline constexpr bool may_change = true;
template <class T, index... E>
inline constexpr bool may_change<const tensor<T, E...>> = false;
template <class T, index... E>
inline constexpr bool may_change<const tensor_part<T, E...>> = false;
template <class T, index... E>
inline constexpr bool may_change<view<T, E...>> = !std::is_const_v<typename view<T, E...>::element_type>;
template <class T, index... E>
inline constexpr bool may_change<const view<T, E...>> = may_change<view<T, E...>>;

template <class X, class Y>
constexpr void assign_result(X&& x, const Y& result) {
  if constexpr (!is_refused<Y>) compound_assignment<std::remove_cvref_t<X>>::assign(std::forward<X>(x), result);
}

}  // namespace detail

/// What `x += y` may change: a traced value, a tensor, a view, a variable, or an element or part of one.
template <class X>
concept Assignable =
    is_value<std::remove_cvref_t<X>> && !is_refused<std::remove_cvref_t<X>> && detail::may_change<std::remove_reference_t<X>> &&
    (std::is_lvalue_reference_v<X> || detail::compound_assignment<std::remove_cvref_t<X>>::of_temporaries);

/// Adds y, which is broadcast to x.
/// Errors: as for `+` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator+=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x + y);
  return std::forward<X>(x);
}

/// Subtracts y, which is broadcast to x. Errors: as for `-` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator-=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x - y);
  return std::forward<X>(x);
}

/// Multiplies by y, which is broadcast to x. Errors: as for `*` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator*=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x * y);
  return std::forward<X>(x);
}

/// Divides by y, which is broadcast to x. Errors: as for `/` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator/=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x / y);
  return std::forward<X>(x);
}

/// Takes the remainder of a division by y, which is broadcast to x. Errors: as for `%` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator%=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x % y);
  return std::forward<X>(x);
}

/// Bitwise and, of bool logical and, with y, which is broadcast to x. Errors: as for `&` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator&=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x & y);
  return std::forward<X>(x);
}

/// Bitwise or, of bool logical or, with y, which is broadcast to x. Errors: as for `|` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator|=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x | y);
  return std::forward<X>(x);
}

/// Bitwise exclusive or with y, which is broadcast to x. Errors: as for `^` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator^=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x ^ y);
  return std::forward<X>(x);
}

/// Shifts to the left by y, which is broadcast to x. Errors: as for `<<` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator<<=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x << y);
  return std::forward<X>(x);
}

/// Shifts to the right by y, which is broadcast to x. Errors: as for `>>` and for an assignment to x.
template <Assignable X, Operand Y>
constexpr X&& operator>>=(X&& x, const Y& y) {
  detail::assign_result(std::forward<X>(x), x >> y);
  return std::forward<X>(x);
}

}  // namespace jig

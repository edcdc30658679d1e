// SPDX-License-Identifier: MIT
#pragma once
// Compound assignment of a plain number: `loss += f(x)`, where f(x) has rank 0.

#include <jig/ops/part.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace jig {

namespace detail {

// Whether every number of a dtype is one of R: no dtype becomes a smaller one without a word. Those of storage dtypes are floats.
template <class R, class T>
concept HoldsAllOf = (std::is_floating_point_v<R> || (!std::is_floating_point_v<T> && !is_storage_float<T>)) &&
                     (std::is_signed_v<R> || !std::is_signed_v<T>) &&
                     (is_storage_float<T> || std::numeric_limits<R>::digits >= std::numeric_limits<T>::digits);

template <class Y>
constexpr bool is_scalar_number() {
  if constexpr (is_recorded<Y>) return true;
  else if constexpr (world_of<Y> != world::eager && world_of<Y> != world::dual) return false;
  else if constexpr (operand_spec<Y>::type::value().shape.rank != 0) return false;
  else return std::is_arithmetic_v<typename operand_spec<Y>::element> || is_storage_float<typename operand_spec<Y>::element>;
}

inline constexpr text number_stays_one =
    "a C++ number cannot become a traced value: begin with jig::constant_like(x, 0), where x is a traced value";
inline constexpr text number_holds_less =
    "a number of this type does not hold all that a scalar of this dtype may be: convert the scalar, as by static_cast<float>(y)";

// The number of a variable. Not constexpr: its name is what compilers say where a trace meets it.
template <class R, class Y>
R a_cpp_number_cannot_become_a_traced_value__begin_with_jig_constant_like(const Y& y) {
  return static_cast<R>(*y.value().data());
}

template <class R, class Y>
constexpr R number_of(const Y& y) {
  if constexpr (world_of<Y> == world::dual) return a_cpp_number_cannot_become_a_traced_value__begin_with_jig_constant_like<R>(y);
  else return static_cast<R>(*argument<Y>::bind(y).data());
}

template <class F, class R, class Y>
constexpr R& change_number(F f, R& x, const Y& y) {
  if constexpr (is_recorded<Y>) (void)refuse_with<number_stays_one, R, Y>();
  else if constexpr (!HoldsAllOf<R, typename operand_spec<Y>::element>) (void)refuse_with<number_holds_less, R, Y>();
  else x = static_cast<R>(f(x, number_of<R>(y)));
  return x;
}

}  // namespace detail

/// What `number += y` takes: a scalar.
template <class Y, class R>
concept ScalarBeside = std::is_arithmetic_v<R> && !std::is_const_v<R> && detail::is_scalar_number<Y>();

/// Adds a scalar to a number.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <class R, ScalarBeside<R> Y>
constexpr R& operator+=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a + b; }, x, y);
}

/// Subtracts a scalar from a number.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <class R, ScalarBeside<R> Y>
constexpr R& operator-=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a - b; }, x, y);
}

/// Multiplies a number by a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <class R, ScalarBeside<R> Y>
constexpr R& operator*=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a * b; }, x, y);
}

/// Divides a number by a scalar, as C++ does.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <class R, ScalarBeside<R> Y>
constexpr R& operator/=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a / b; }, x, y);
}

/// Takes the remainder of the division of an integer by a scalar, as C++ does.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator%=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a % b; }, x, y);
}

/// Bitwise and, of bool logical and, of an integer and a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator&=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a & b; }, x, y);
}

/// Bitwise or, of bool logical or, of an integer and a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator|=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a | b; }, x, y);
}

/// Bitwise exclusive or of an integer and a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator^=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a ^ b; }, x, y);
}

/// Shifts an integer to the left by a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator<<=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a << b; }, x, y);
}

/// Shifts an integer to the right by a scalar.
/// Errors: a traced value is refused at compile time, as is a dtype with numbers that the left side's type does not have.
template <std::integral R, ScalarBeside<R> Y>
constexpr R& operator>>=(R& x, const Y& y) {
  return detail::change_number([](R a, R b) { return a >> b; }, x, y);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// Operators of traced values that know the line they are written at: an operator has no parameter for it, but the conversion of an operand
// may have one, with a default argument. Beside plain numbers C++ would sooner make a number of the traced value, which is refused, so that
// the operators of ops/ are taken there. So are `==` and `!=`, which C++ also tries with their operands exchanged.

#include <jig/ops/bits.hpp>
#include <jig/ops/division.hpp>

#include <concepts>

namespace jig::detail {

/// An operand with the line of the operator.
template <class X>
struct operand_at_line {
  const X& value;
  source_line at;
  template <std::same_as<X> Same>
  constexpr operand_at_line(const Same& x, const char* file = __builtin_FILE(), int line = __builtin_LINE()) : value(x), at{file, line} {}
};

/// What traced values of type X derive from.
template <class X>
struct line_operators {
#define JIG_OPERATOR(token, function)                                      \
  template <class Y>                                                       \
    requires(tells_line<X, Y>)                                             \
  friend constexpr auto operator token(operand_at_line<X> x, const Y& y) { \
    const line_scope in(x.at, x.value, y);                                 \
    return function(x.value, y);                                           \
  }                                                                        \
  template <class Y>                                                       \
    requires(tells_line<X, Y> && !tells_line<Y, X>)                        \
  friend constexpr auto operator token(const Y& y, operand_at_line<X> x) { \
    const line_scope in(x.at, y, x.value);                                 \
    return function(y, x.value);                                           \
  }
  JIG_OPERATOR(+, call<ops::add>)
  JIG_OPERATOR(-, call<ops::subtract>)
  JIG_OPERATOR(*, call<ops::multiply>)
  JIG_OPERATOR(/, detail::quotient)
  JIG_OPERATOR(%, call<ops::truncate_mod>)
  JIG_OPERATOR(<, call<ops::less>)
  JIG_OPERATOR(<=, call<ops::less_equal>)
  JIG_OPERATOR(>, call<ops::greater>)
  JIG_OPERATOR(>=, call<ops::greater_equal>)
  JIG_OPERATOR(&&, call<ops::logical_and>)
  JIG_OPERATOR(||, call<ops::logical_or>)
  JIG_OPERATOR(<<, call<ops::left_shift>)
  JIG_OPERATOR(>>, call<ops::right_shift>)
  JIG_OPERATOR(&, (detail::bits_or_logic<ops::bitwise_and, ops::logical_and>))
  JIG_OPERATOR(|, (detail::bits_or_logic<ops::bitwise_or, ops::logical_or>))
  JIG_OPERATOR(^, (detail::bits_or_logic<ops::bitwise_xor, ops::not_equal>))
#undef JIG_OPERATOR
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Powers.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/exponential.hpp>

#include <cstdint>
#include <type_traits>

namespace jig {

namespace detail {

// The logarithm counts only where the base is positive, as in TensorFlow.
constexpr void power_gradient(gradient_context& c) {
  auto x = c.input(0), y = c.input(1);
  if (c.wants(0)) c.give(0, c.adjoint() * (y * c.call(c.node().kind(), {x, y - 1})));
  if (!c.wants(1)) return;
  auto positive = 0 < x;
  c.give(1, c.adjoint() * (c.output() * where(positive, c.call(c.ops().log, {where(positive, x, 1)}), 0)));
}

constexpr void simplify_power(simplification& s) {
  const constant_input c(s);
  if (!c.right || s.has_twins()) return;
  const edge x = c.x;
  // Whatever it is, its power of 0 is 1.
  if (c.is(0)) return s.become_number(1, x);
  if (!(s.spec(x) == s.result)) return;
  if (c.is(1)) return s.become(x);
  if (c.is(2)) return s.become(ops::square, {x});
  if (s.value_changing && !s.is_exact()) {
    if (c.is(-1)) return s.become(ops::reciprocal, {x});
    if (c.bits == rounded_bits(c.type, 0.5).bits) return s.become(ops::sqrt, {x});
    if (c.bits == rounded_bits(c.type, -0.5).bits) return s.become(ops::rsqrt, {x});
  }
  // Products of integers are exact, and `pow` of floating numbers is one for the smallest exponents; storage dtypes round each.
  const int most = s.is_real() ? 16 : is_storage(c.type) ? 2 : maths::most_multiplied;
  for (int exponent = 3; exponent <= most; ++exponent) {
    if (!c.is(exponent)) continue;
    // By squaring, from the second bit of the exponent on.
    edge out = x;
    int bit = 1;
    while (bit * 2 <= exponent) bit *= 2;
    while ((bit /= 2) > 0) {
      out = s.make(ops::square, s.result, {out});
      if ((exponent & bit) != 0) out = s.make(ops::multiply, s.result, {out, x});
    }
    return s.become(out);
  }
}

constexpr known_bits known_power(const known_operands& x) {
  if (x.is_floating() || (x.is_signed() && x.integer(1) < 0)) return {};
  std::uint64_t out = 1;
  for (std::uint64_t base = x[0], n = x[1]; n != 0; n >>= 1, base *= base)
    if (n & 1) out *= base;
  return x.wrapped(out);
}

template <class T>
T integer_power(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    if (y < 0) throw_invalid_argument("Pow: a negative exponent has no integer result");
  // 64 bits hold every dtype, and unsigned arithmetic wraps without promotion to a signed type.
  std::uint64_t result = 1, base = static_cast<std::uint64_t>(x);
  for (auto n = static_cast<std::make_unsigned_t<T>>(y); n != 0; n = static_cast<std::make_unsigned_t<T>>(n >> 1)) {
    if (n & 1) result *= base;
    base *= base;
  }
  return static_cast<T>(result);
}

}  // namespace detail

namespace ops {
inline constexpr op power{.name = "Pow",
                          .label = "Pow",
                          .facts = fact::elementwise | fact::float_lanes | fact::checked | fact::lanes_only,
                          .rule = elementwise_rule<numbers>,
                          .gradient = detail::power_gradient,
                          .makes = made_ops<square, multiply>,
                          .value = detail::known_power,
                          .simplify = detail::simplify_power};
}
namespace maths {
inline constexpr function<ops::power> pow;
}
template <>
struct functor<ops::power> {
  template <class T>
  static auto apply(const T& x, const T& y) {
    if constexpr (std::is_integral_v<T>) return detail::integer_power(x, y);
    else return maths::pow(x, y);
  }
};

/// x to the power of y. Integer overflow wraps.
/// Errors: a negative exponent of an integer throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto pow(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::power>(x, y);
}

}  // namespace jig

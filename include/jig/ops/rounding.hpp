// SPDX-License-Identifier: MIT
#pragma once
// Numbers rounded to integers.

#include <jig/graph/gradient.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/rules.hpp>

#include <cmath>
#include <cstdint>

namespace jig {

namespace detail {

constexpr op rounding(std::string_view name, known_bits (*value)(const known_operands&)) {
  return {.name = name,
          .label = name,
          .facts = fact::elementwise | fact::float_lanes | fact::rounds,
          .rule = elementwise_rule<floats>,
          .gradient = zero_gradient,
          .value = value};
}

enum class direction { down, up, to_zero, to_nearest };

template <direction Towards>
constexpr known_bits rounded_to_integer(const known_operands& x) {
  const double value = x.number(0), size = value < 0 ? -value : value;
  const std::uint64_t sign = x[0] & sign_bit(x.type);
  if (size >= 0x1p52) return x.element(x[0]);
  const auto whole = static_cast<std::int64_t>(size);
  const double rest = size - static_cast<double>(whole);
  const bool away = Towards == direction::to_nearest ? rest > 0.5 || (rest == 0.5 && whole % 2 != 0)
                    : Towards == direction::to_zero  ? false
                                                     : rest > 0 && (Towards == direction::down) == (sign != 0);
  const known_bits out = x.rounded(static_cast<double>(whole + away));
  return {out.known, out.bits | sign};
}

}  // namespace detail

namespace ops {
inline constexpr op floor = detail::rounding("Floor", detail::rounded_to_integer<detail::direction::down>);
}
template <>
struct functor<ops::floor> {
  static auto apply(const auto& x) {
    using std::floor;
    return floor(x);
  }
};

/// The largest integer not above x.
template <Operand X>
constexpr auto floor(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::floor>(x);
}

namespace ops {
inline constexpr op ceil = detail::rounding("Ceil", detail::rounded_to_integer<detail::direction::up>);
}
template <>
struct functor<ops::ceil> {
  static auto apply(const auto& x) {
    using std::ceil;
    return ceil(x);
  }
};

/// The smallest integer not below x.
template <Operand X>
constexpr auto ceil(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::ceil>(x);
}

namespace ops {
inline constexpr op trunc = detail::rounding("Trunc", detail::rounded_to_integer<detail::direction::to_zero>);
}
template <>
struct functor<ops::trunc> {
  static auto apply(const auto& x) {
    using std::trunc;
    return trunc(x);
  }
};

/// x without its fraction.
template <Operand X>
constexpr auto trunc(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::trunc>(x);
}

namespace ops {
inline constexpr op rint = detail::rounding("Rint", detail::rounded_to_integer<detail::direction::to_nearest>);
}
template <>
struct functor<ops::rint> {
  static auto apply(const auto& x) {
    using std::rint;
    return rint(x);
  }
};

/// The nearest integer; halves go to the even one.
template <Operand X>
constexpr auto rint(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::rint>(x);
}

namespace ops {
inline constexpr op round = detail::rounding("Round", detail::rounded_to_integer<detail::direction::to_nearest>);
}
template <>
struct functor<ops::round> {
  static auto apply(const auto& x) {
    using std::rint;
    return rint(x);
  }
};

/// The nearest integer; halves go to the even one, as in TensorFlow.
template <Operand X>
constexpr auto round(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::round>(x);
}

}  // namespace jig

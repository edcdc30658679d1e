// SPDX-License-Identifier: MIT
#pragma once
// The value of an op on elements that are known before a call, bit for bit what kernels compute. What constant evaluation
// refuses (NaN, infinity, overflow of floating numbers), what throws, and what kernels approximate is left to the call.

#include <jig/ops/activation.hpp>
#include <jig/ops/bits.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

// Elements are their bits. A template, so that programs that trace nothing do without.
template <class Bits = std::uint64_t>
struct element_bits {
  static constexpr known_bits unknown() { return {}; }
  static constexpr known_bits truth(bool x) { return {true, x}; }
  /// What the lower bits are as an integer of dtype d: with its sign in all upper ones.
  static constexpr known_bits wrapped(dtype d, Bits x) {
    const unsigned unused = 64 - 8 * static_cast<unsigned>(size_of(d));
    x <<= unused;
    return {true, is_signed(d) ? static_cast<Bits>(static_cast<std::int64_t>(x) >> unused) : x >> unused};
  }
  static constexpr bool is_finite(dtype d, Bits x) {
    const Bits all = d == dtype::float32 ? 0x7f800000 : d == dtype::float64 ? 0x7ff0000000000000 : d == dtype::float16 ? 0x7c00 : 0x7f80;
    return (x & all) != all;
  }
  /// Of a finite number.
  static constexpr double as_double(dtype d, Bits x) {
    if (d == dtype::float64) return std::bit_cast<double>(x);
    if (d == dtype::float32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(x)));
    const auto narrow = static_cast<std::uint16_t>(x);
    if (d == dtype::float16) return static_cast<double>(static_cast<float>(std::bit_cast<half>(narrow)));
    return static_cast<double>(static_cast<float>(std::bit_cast<bfloat16>(narrow)));
  }
  /// The nearest number of dtype d. A double holds sums, products and quotients of floats so well that rounding them once more
  /// makes no difference; storage dtypes are rounded from float, as kernels do.
  static constexpr known_bits rounded(dtype d, double x) {
    if (d == dtype::float64) return {true, std::bit_cast<Bits>(x)};
    const double most = d == dtype::float16 ? 65504 : d == dtype::bfloat16 ? 0x1.fep127 : static_cast<double>((std::numeric_limits<float>::max)());
    if (x > most || x < -most) return {};
    const auto y = static_cast<float>(x);
    if (d == dtype::float32) return {true, std::bit_cast<std::uint32_t>(y)};
    return {true, d == dtype::float16 ? half(y).bits : bfloat16(y).bits};
  }
  /// A small integer as an element.
  static constexpr Bits number(dtype d, int x) {
    return is_floating(d) ? rounded(d, x).bits : d == dtype::boolean ? x != 0 : wrapped(d, static_cast<Bits>(x)).bits;
  }
  static constexpr Bits sign_bit(dtype d) { return Bits(1) << (8 * size_of(d) - 1); }

  /// The value of an elementwise op; `d` is the dtype of the last operand.
  static constexpr known_bits apply(const op& kind, dtype result, dtype d, const Bits* x, std::size_t count) {
    const auto is = [&](const op& o) { return is_op(kind, o); };
    if (is(ops::zeros_like) || is(ops::ones_like)) return {true, number(d, is(ops::ones_like))};
    if (is(ops::identity) || is(ops::stop_gradient)) return {true, x[0]};
    if (is(ops::fill)) return {true, x[1]};
    if (is(ops::select)) return {true, x[0] != 0 ? x[1] : x[2]};
    for (std::size_t k = 0; is_floating(d) && k < count; ++k)
      if (!is_finite(d, x[k])) return {};
    if (is(ops::cast)) return converted(result, d, x[0]);
    if (is(ops::add_n)) {
      known_bits total{true, x[0]};
      for (std::size_t k = 1; k < count && total.known; ++k) total = apply_two(ops::add, d, total.bits, x[k]);
      return total;
    }
    return count == 1 ? apply_one(kind, d, x[0]) : count == 2 ? apply_two(kind, d, x[0], x[1]) : unknown();
  }

 private:
  static constexpr known_bits apply_one(const op& kind, dtype d, Bits x) {
    const auto is = [&](const op& o) { return is_op(kind, o); };
    const bool floating = is_floating(d), negative = (x & sign_bit(d)) != 0;
    const bool above = !negative && x != 0, below = negative && (!floating || x != sign_bit(d));
    if (d == dtype::boolean) return is(ops::logical_not) ? truth(x == 0) : unknown();
    if (is(ops::square)) return apply_two(ops::multiply, d, x, x);
    if (is(ops::neg)) return floating ? known_bits{true, x ^ sign_bit(d)} : wrapped(d, 0 - x);
    if (is(ops::abs) && !is_signed(d)) return {true, x};
    if (is(ops::abs)) return floating ? known_bits{true, x & ~sign_bit(d)} : wrapped(d, below ? 0 - x : x);
    if (is(ops::sign)) return {true, !is_signed(d) ? Bits(x != 0) : above ? number(d, 1) : below ? number(d, -1) : x};
    if (is(ops::relu)) return {true, is_signed(d) && below ? 0 : x};
    if (!floating) return is(ops::invert) ? wrapped(d, ~x) : unknown();
    if (is(ops::is_nan) || is(ops::is_inf)) return truth(false);
    if (is(ops::is_finite)) return truth(true);
    if (is(ops::reciprocal)) return apply_two(ops::divide, d, number(d, 1), x);
    const double value = as_double(d, x), size = value < 0 ? -value : value;
    const bool down = is(ops::floor), up = is(ops::ceil), nearest = is(ops::rint) || is(ops::round);
    if (!down && !up && !nearest && !is(ops::trunc)) return {};
    if (size >= 0x1p52) return {true, x};
    const auto whole = static_cast<std::int64_t>(size);
    const double rest = size - static_cast<double>(whole);
    const bool away = nearest ? rest > 0.5 || (rest == 0.5 && whole % 2 != 0) : rest > 0 && ((down && negative) || (up && !negative));
    const known_bits out = rounded(d, static_cast<double>(whole + away));
    return {out.known, out.bits | (x & sign_bit(d))};
  }

  static constexpr known_bits apply_two(const op& kind, dtype d, Bits x, Bits y) {
    const auto is = [&](const op& o) { return is_op(kind, o); };
    const bool floating = is_floating(d);
    const double a = floating ? as_double(d, x) : 0, b = floating ? as_double(d, y) : 0;
    const bool less = floating      ? a < b
                      : is_signed(d) ? static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y)
                                     : x < y;
    const bool equal = floating ? a == b : x == y;
    if (is(ops::equal)) return truth(equal);
    if (is(ops::not_equal)) return truth(!equal);
    if (is(ops::logical_and)) return truth((x & y) != 0);
    if (is(ops::logical_or)) return truth((x | y) != 0);
    if (d == dtype::boolean) return {};
    if (is(ops::less)) return truth(less);
    if (is(ops::less_equal)) return truth(less || equal);
    if (is(ops::greater)) return truth(!less && !equal);
    if (is(ops::greater_equal)) return truth(!less);
    // Which one of 0 and -0 is the machine's business.
    if ((is(ops::maximum) || is(ops::minimum)) && equal && x != y) return {};
    if (is(ops::maximum)) return {true, less ? y : x};
    if (is(ops::minimum)) return {true, less ? x : y};
    if (is(ops::squared_difference)) {
      const known_bits difference = apply_two(ops::subtract, d, x, y);
      if (!difference.known || (floating && !is_finite(d, difference.bits))) return {};
      return apply_two(ops::multiply, d, difference.bits, difference.bits);
    }
    return floating ? floats(kind, d, a, b) : integers(kind, d, x, y);
  }

  // The power of two below a number, or less for those near 0.
  static constexpr int exponent(double x) { return static_cast<int>(std::bit_cast<Bits>(x) >> 52 & 0x7ff) - 1023; }
  static constexpr known_bits floats(const op& kind, dtype d, double a, double b) {
    const auto is = [&](const op& o) { return is_op(kind, o); };
    const int p = exponent(a), q = exponent(b), most = 1022;
    if (is(ops::add)) return p < most && q < most ? rounded(d, a + b) : unknown();
    if (is(ops::subtract)) return p < most && q < most ? rounded(d, a - b) : unknown();
    if (is(ops::multiply)) return p + q < most ? rounded(d, a * b) : unknown();
    if (is(ops::divide)) return b != 0 && q > -1023 && p - q < most ? rounded(d, a / b) : unknown();
    return {};
  }
  static constexpr known_bits integers(const op& kind, dtype d, Bits x, Bits y) {
    const auto is = [&](const op& o) { return is_op(kind, o); };
    if (is(ops::add)) return wrapped(d, x + y);
    if (is(ops::subtract)) return wrapped(d, x - y);
    if (is(ops::multiply)) return wrapped(d, x * y);
    if (is(ops::bitwise_and)) return {true, x & y};
    if (is(ops::bitwise_or)) return {true, x | y};
    if (is(ops::bitwise_xor)) return {true, x ^ y};
    const auto a = static_cast<std::int64_t>(x), b = static_cast<std::int64_t>(y);
    const bool negative = is_signed(d) && b < 0;
    if (is(ops::left_shift) || is(ops::right_shift)) {
      if (negative || y >= 8 * size_of(d)) return {};
      return is(ops::left_shift) ? wrapped(d, x << y) : is_signed(d) ? known_bits{true, static_cast<Bits>(a >> y)} : known_bits{true, x >> y};
    }
    if (is(ops::power)) {
      if (negative) return {};
      Bits out = 1;
      for (Bits base = x, n = y; n != 0; n >>= 1, base *= base)
        if (n & 1) out *= base;
      return wrapped(d, out);
    }
    const bool floors = is(ops::floor_divide) || is(ops::floor_mod), divides = is(ops::truncate_divide) || is(ops::floor_divide);
    if (y == 0 || (!floors && !divides && !is(ops::truncate_mod))) return {};
    if (!is_signed(d)) return {true, divides ? x / y : x % y};
    // The lowest integer divided by -1 wraps.
    const std::int64_t quotient = b == -1 ? static_cast<std::int64_t>(0 - x) : a / b, rest = b == -1 ? 0 : a % b;
    const bool lower = floors && rest != 0 && (rest < 0) != (b < 0);
    return wrapped(d, static_cast<Bits>(divides ? quotient - lower : lower ? rest + b : rest));
  }

  static constexpr known_bits converted(dtype to, dtype from, Bits x) {
    if (to == from) return {true, x};
    if (to == dtype::boolean) return truth(is_floating(from) ? as_double(from, x) != 0 : x != 0);
    if (!is_floating(from)) {
      if (!is_floating(to)) return wrapped(to, x);
      const auto a = static_cast<std::int64_t>(x);
      const bool with_sign = is_signed(from);
      if (to == dtype::float64) return {true, std::bit_cast<Bits>(with_sign ? static_cast<double>(a) : static_cast<double>(x))};
      if (to == dtype::float32) return {true, std::bit_cast<std::uint32_t>(with_sign ? static_cast<float>(a) : static_cast<float>(x))};
      // Larger numbers would be rounded twice on the way through float.
      const bool fits = with_sign ? a <= 1 << 24 && a >= -(1 << 24) : x <= 1 << 24;
      return fits ? rounded(to, static_cast<double>(a)) : unknown();
    }
    const double value = as_double(from, x);
    if (is_floating(to)) return to == dtype::float16 || to == dtype::bfloat16 ? through_float(to, value) : rounded(to, value);
    // Truncates and saturates.
    const int bits = 8 * static_cast<int>(size_of(to)) - is_signed(to);
    double end = 1;
    for (int i = 0; i < bits; ++i) end *= 2;
    const Bits highest = bits == 64 ? ~Bits(0) : (Bits(1) << bits) - 1;
    if (value >= end) return {true, highest};
    if (is_signed(to)) return value <= -end ? wrapped(to, highest + 1) : wrapped(to, static_cast<Bits>(static_cast<std::int64_t>(value)));
    return {true, value <= 0 ? 0 : static_cast<Bits>(value)};
  }
  static constexpr known_bits through_float(dtype to, double value) {
    return static_cast<double>(static_cast<float>(value < 1e30 && value > -1e30 ? value : 0)) == value ? rounded(to, value) : unknown();
  }
};

/// The element of a node of rank 0, from those of its inputs: `input(edge)` are known bits.
template <class Input>
constexpr known_bits known_scalar(const graph_view& g, int id, Input input) {
  const node_data& n = g.data(id);
  if (n.spec.shape.rank != 0 || n.spec.dtype == dtype::string) return {};
  if (n.kind->is(fact::constant)) return {true, g.node(id).attribute("value").words[0]};
  if (!n.kind->is(fact::elementwise)) return {};
  list<std::uint64_t> x;
  for (const auto& e : g.inputs_of(id)) {
    const known_bits found = input(e);
    if (!found.known) return {};
    x.push_back(found.bits);
  }
  return element_bits<>::apply(*n.kind, n.spec.dtype, g.spec(g.inputs_of(id).back()).dtype, x.data(), x.size());
}

/// What is known of the results of a body when this is known of its arguments.
template <class Graph>
constexpr list<known_bits> known_results(const Graph& body, const list<known_bits>& arguments) {
  list<known_bits> now(body.size()), results;
  for (std::size_t k = 0; k < body.inputs().size(); ++k) now[body.inputs()[k]] = arguments[k];
  const auto known = [&](const edge& e) { return e.port == 0 ? now[e.node] : known_bits(); };
  for (int id = 0; id < body.size(); ++id)
    if (!body.data(id).kind->is(fact::input)) now[id] = known_scalar(body, id, known);
  for (const auto& e : body.outputs()) results.push_back(known(e));
  return results;
}

}  // namespace jig::detail

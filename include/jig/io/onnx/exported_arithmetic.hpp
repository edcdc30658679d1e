// SPDX-License-Identifier: MIT
#pragma once
// Arithmetic of which ONNX has no node that computes as jig does: shifts, quotients and rests, angles.

#include <jig/io/onnx/exported_node.hpp>
#include <jig/passes/constant_positions.hpp>

#include <algorithm>

namespace jig::onnx {

// ONNX shifts unsigned integers. What is below 0 is shifted to the right with all bits turned, and back.
inline std::string shifted(exported_node& x) {
  const dtype d = x.n.dtype();
  const auto direction = written_attribute::of_text("direction", x.is(ops::left_shift) ? "LEFT" : "RIGHT");
  if (!is_signed(d)) return x.make("BitShift", x.in, {direction});
  const dtype bits = d == dtype::int8    ? dtype::uint8
                     : d == dtype::int16 ? dtype::uint16
                     : d == dtype::int32 ? dtype::uint32
                                         : dtype::uint64;
  const auto of_bits = [&](const std::string& value) {
    return x.to.cast(x.make("BitShift", {x.to.cast(value, bits), x.to.cast(x.in[1], bits)}, {direction}), d);
  };
  if (x.is(ops::left_shift)) return of_bits(x.in[0]);
  // -1 below 0 and else 0: x, or all of its bits turned, is (x - sign) * (1 + 2 * sign).
  const auto sign = x.make("Neg", {x.to.cast(x.make("Less", {x.in[0], x.number(0)}), d)});
  const auto turned = [&](const std::string& value) {
    return x.make("Mul", {x.make("Sub", {value, sign}), x.make("Add", {x.make("Add", {sign, sign}), x.number(1)})});
  };
  return turned(of_bits(turned(x.in[0])));
}

// Quotients of signed integers. The smallest one divided by -1 is none that there is, which may end a program: where no wider dtype has it
// and the divisor is no constant without -1, 1 stands for -1 and leaves no rest either.
struct quotient_of_integers {
  exported_node& x;
  dtype own = x.n.dtype(), wide = size_of(own) < 4 ? dtype::int32 : own;
  std::string dividend = widened(x.in[0]), given = widened(x.in[1]);
  bool guarded = own == wide && [this] {
    const auto numbers = detail::constant_numbers(x.g, x.n.inputs()[1]);
    return numbers.empty() || std::find(numbers.begin(), numbers.end(), -1) != numbers.end();
  }();
  std::string is_negation = guarded ? x.make("Equal", {given, x.number(-1)}) : "";
  std::string divisor = guarded ? x.make("Where", {is_negation, x.number(1), given}) : given;

  std::string widened(const std::string& of) { return own == wide ? of : x.to.cast(of, wide); }
  std::string quotient() { return x.make("Div", {dividend, divisor}); }
  /// What a quotient leaves.
  std::string rest(const std::string& of) { return x.make("Sub", {dividend, x.make("Mul", {of, divisor})}); }
  std::string floor_rest() { return x.make("Mod", {dividend, divisor}); }
  /// Gives what is computed of the divisor, as that of the one that was given.
  void give_rest(const std::string& of) { x.give(own == wide ? of : x.to.cast(of, own)); }
  void give_quotient(const std::string& of) {
    give_rest(guarded ? x.make("Where", {is_negation, x.make("Sub", {x.number(0), dividend}), of}) : of);
  }
};

inline void spell_shift(exported_node& x) { x.give(shifted(x)); }
inline void spell_truncate_mod(exported_node& x) {
  if (is_floating(x.n.dtype())) return x.give(x.make("Mod", x.in, {attribute("fmod", 1)}));
  // With `fmod` runtimes compute it in floating numbers, which have not all integers of 64 bits.
  if (x.of_unsigned()) return x.give(x.make("Mod", x.in));
  quotient_of_integers q{x};
  q.give_rest(q.rest(q.quotient()));
}
inline void spell_truncate_divide(exported_node& x) {
  if (is_floating(x.n.dtype()) || x.of_unsigned()) return x.give(x.make("Div", x.in));
  quotient_of_integers q{x};
  q.give_quotient(q.quotient());
}

// atan2, of the ratio of the smaller to the larger one, which is 1 of two infinities and 0 of two zeros. The sign bit of zeros counts.
inline std::string angle(exported_node& x) {
  constexpr double half_turn = 3.14159265358979323846;
  const auto zero = x.number(0), one = x.number(1), ay = x.make("Abs", {x.in[0]}), ax = x.make("Abs", {x.in[1]});
  const auto negative = [&](const std::string& of) {
    return x.make("Or", {x.make("Less", {of, zero}), x.make("Less", {x.make("Reciprocal", {of}), zero})});
  };
  const auto from = [&](double turn, const std::string& of) { return x.make("Sub", {x.number(turn), of}); };
  const auto steep = x.make("Greater", {ay, ax});
  const auto low = x.make("Where", {steep, ax, ay}), high = x.make("Where", {steep, ay, ax});
  const auto of_equals = x.make("Where", {x.make("Equal", {high, zero}), zero, one});
  const auto ratio = x.make("Where", {x.make("Equal", {low, high}), of_equals, x.make("Div", {low, high})});
  const auto flat = x.make("Atan", {ratio}), right = x.make("Where", {steep, from(half_turn / 2, flat), flat});
  const auto upper = x.make("Where", {negative(x.in[1]), from(half_turn, right), right});
  return x.make("Where", {negative(x.in[0]), x.make("Neg", {upper}), upper});
}

inline void spell_atan2(exported_node& x) { x.give(angle(x)); }

// floor_divide and floor_mod, of integers and of floating numbers.
inline void spell_floor_quotient(exported_node& x) {
  const auto& in = x.in;
  const bool wants_rest = x.is(ops::floor_mod);
  const dtype d = x.n.dtype();
  if (is_floating(d)) {
    // As Python: of the exact remainder, since a quotient may be rounded up to the next integer.
    const auto zero = x.number(0), rest = x.make("Mod", in, {attribute("fmod", 1)});
    const auto negative = [&](const std::string& of) { return x.make("Less", {of, zero}); };
    const auto other_side = x.make("Not", {x.make("Equal", {negative(rest), negative(in[1])})});
    const auto lower = x.make("And", {other_side, x.make("Not", {x.make("Equal", {rest, zero})})});
    if (wants_rest) return x.give(x.make("Where", {lower, x.make("Add", {rest, in[1]}), rest}));
    const auto near = x.make("Sub", {x.make("Div", {x.make("Sub", {in[0], rest}), in[1]}), x.to.cast(lower, d)});
    return x.give(x.make("Where", {x.make("Equal", {in[1], zero}), x.make("Div", in), x.make("Round", {near})}));
  }
  if (!is_signed(d)) return x.give(x.make(wants_rest ? "Mod" : "Div", in));
  quotient_of_integers q{x};
  const auto floored = q.floor_rest();
  if (wants_rest) return q.give_rest(floored);
  // One less where the rests differ.
  const auto quotient = q.quotient(), differs = x.make("Not", {x.make("Equal", {q.rest(quotient), floored})});
  q.give_quotient(x.make("Sub", {quotient, x.to.cast(differs, q.wide)}));
}

}  // namespace jig::onnx

// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for jig's elementwise ops.

#include <jig/io/onnx/exported_arithmetic.hpp>

namespace jig::onnx {

// Another node with the same inputs.
template <text Kind>
void spell_same(exported_node& x) {
  x.give(x.make(Kind.view(), x.in));
}
inline void spell_neg(exported_node& x) { x.give(x.of_unsigned() ? x.make("Sub", {x.number(0), x.in[0]}) : x.make("Neg", x.in)); }
inline void spell_relu(exported_node& x) { x.give(x.make(x.of_unsigned() ? "Identity" : "Relu", x.in)); }
inline void spell_relu6(exported_node& x) { x.give(x.make("Clip", {x.in[0], x.number(0), x.number(6)})); }
inline void spell_cast(exported_node& x) { x.give(x.to.cast(x.in[0], x.n.dtype())); }
inline void spell_not_equal(exported_node& x) { x.give(x.make("Not", {x.make("Equal", x.in)})); }
inline void spell_square(exported_node& x) { x.give(x.make("Mul", {x.in[0], x.in[0]})); }
inline void spell_rsqrt(exported_node& x) { x.give(x.make("Reciprocal", {x.make("Sqrt", x.in)})); }
// exp(x) - 1 would have no digits left near 0.
inline void spell_expm1(exported_node& x) {
  const auto half = x.make("Tanh", {x.make("Mul", {x.in[0], x.number(0.5)})});
  x.give(x.make("Mul", {half, x.make("Add", {x.make("Exp", x.in), x.number(1)})}));
}
// Of u = 1 + x, which is rounded: log(u) * x / (u - 1), and x where u is 1.
inline void spell_log1p(exported_node& x) {
  const auto one = x.number(1), u = x.make("Add", {x.in[0], one}), log = x.make("Log", {u});
  const auto exact = x.make("Mul", {log, x.make("Div", {x.in[0], x.make("Sub", {u, one})})});
  x.give(x.make("Where", {x.make("Equal", {u, one}), x.in[0], x.make("Where", {x.make("Equal", {u, x.in[0]}), log, exact})}));
}
inline void spell_trunc(exported_node& x) { x.give(x.make("Mul", {x.make("Sign", x.in), x.make("Floor", {x.make("Abs", x.in)})})); }
// ONNX Runtime makes one node of x * sigmoid(x), which it has not for doubles.
inline void spell_silu(exported_node& x) {
  const bool apart = x.n.dtype() == dtype::float64;
  x.give(apart ? x.make("Div", {x.in[0], x.make("Add", {x.make("Exp", {x.make("Neg", x.in)}), x.number(1)})})
               : x.make("Mul", {x.in[0], x.make("Sigmoid", x.in)}));
}
inline void spell_erfc(exported_node& x) { x.give(x.make("Sub", {x.number(1), x.make("Erf", x.in)})); }
inline void spell_gelu(exported_node& x) {
  const auto half = x.make("Mul", {x.in[0], x.number(0.5)});
  x.give(x.make("Mul", {half, x.make("Add", {x.make("Erf", {x.make("Mul", {x.in[0], x.number(0.70710678118654752440)})}), x.number(1)})}));
}
inline void spell_is_finite(exported_node& x) { x.give(x.make("Not", {x.make("Or", {x.make("IsNaN", x.in), x.make("IsInf", x.in)})})); }
inline void spell_squared_difference(exported_node& x) {
  const auto d = x.make("Sub", x.in);
  x.give(x.make("Mul", {d, d}));
}
inline void spell_fma(exported_node& x) { x.give(x.make("Add", {x.make("Mul", {x.in[0], x.in[1]}), x.in[2]})); }
inline void spell_add_n(exported_node& x) {
  if (is_floating(x.n.dtype())) return x.give(x.make("Sum", x.in));
  std::string sum = x.in[0];
  for (std::size_t k = 1; k < x.in.size(); ++k) sum = x.make("Add", {sum, x.in[k]});
  x.give(x.in.size() == 1 ? x.make("Identity", x.in) : sum);
}
inline void spell_invert(exported_node& x) {
  x.give(x.of_unsigned() ? x.make("Sub", {x.make("Sub", {x.number(0), x.in[0]}), x.number(1)}) : x.make("Sub", {x.number(-1), x.in[0]}));
}
inline void spell_filled(exported_node& x, const std::string& value, const std::string& like) {
  x.give(x.make("Expand", {value, x.make("Shape", {like})}));
}
inline void spell_zeros_like(exported_node& x) { spell_filled(x, x.number(0), x.in[0]); }
inline void spell_ones_like(exported_node& x) { spell_filled(x, x.number(1), x.in[0]); }
inline void spell_fill(exported_node& x) { spell_filled(x, x.in[1], x.in[0]); }
inline void spell_broadcast_like(exported_node& x) { spell_filled(x, x.in[0], x.in[1]); }

// clang-format off
inline constexpr spelled_op spelled_elementwise[] = {
    {&ops::neg, spell_neg}, {&ops::relu, spell_relu}, {&ops::relu6, spell_relu6}, {&ops::cast, spell_cast}, {&ops::round, spell_same<"Round">},
    {&ops::stop_gradient, spell_same<"Identity">}, {&ops::not_equal, spell_not_equal}, {&ops::square, spell_square}, {&ops::rsqrt, spell_rsqrt},
    {&ops::expm1, spell_expm1}, {&ops::log1p, spell_log1p}, {&ops::trunc, spell_trunc}, {&ops::silu, spell_silu}, {&ops::erfc, spell_erfc},
    {&ops::gelu, spell_gelu}, {&ops::is_finite, spell_is_finite}, {&ops::squared_difference, spell_squared_difference}, {&ops::fma, spell_fma},
    {&ops::add_n, spell_add_n}, {&ops::truncate_mod, spell_truncate_mod}, {&ops::truncate_divide, spell_truncate_divide},
    {&ops::floor_mod, spell_floor_quotient}, {&ops::floor_divide, spell_floor_quotient}, {&ops::left_shift, spell_shift},
    {&ops::right_shift, spell_shift}, {&ops::invert, spell_invert}, {&ops::atan2, spell_atan2}, {&ops::zeros_like, spell_zeros_like},
    {&ops::ones_like, spell_ones_like}, {&ops::fill, spell_fill}, {&ops::broadcast_like, spell_broadcast_like},
};
// clang-format on

}  // namespace jig::onnx

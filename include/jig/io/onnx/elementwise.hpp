// SPDX-License-Identifier: MIT
#pragma once
// ONNX's elementwise ops: those that the table of names does not say, or that have attributes.

#include <jig/io/onnx/names.hpp>
#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

/// The second operand with axes behind its own, as opsets before 7 align operands.
inline edge aligned_operand(node_context& c, edge x, edge y) {
  if (c.opset >= 7 || !c.given("axis")) return y;
  const int rank = c.m.rank(x), first = c.axis(c.integer("axis", 0), rank), own = c.m.rank(y);
  list<index> to = list_of(c.m.static_extents(y));
  for (int a = first + own; a < rank; ++a) to.push_back(1);
  return c.m.reshape(y, to);
}

template <const op& Op>
void import_unary(node_context& c) {
  c.out(c.m.unary(Op, c.x(0)));
}
/// A node that is one op with one or two operands, as the table of names says.
inline void import_named(node_context& c, const op_name& known) {
  int operands = 0;
  detail::for_each_word(known.inputs, [&](std::string_view) { ++operands; });
  if (operands == 1) c.out(c.m.unary(*known.kind, c.x(0)));
  else c.out(c.m.binary(*known.kind, c.x(0), aligned_operand(c, c.x(0), c.x(1))));
}
template <const op& Op>
edge combined(node_context& c) {
  edge sum = c.x(0);
  for (std::size_t i = 1; i < c.n.inputs.size(); ++i) sum = c.m.binary(Op, sum, c.x(i));
  return sum;
}
template <const op& Op>
void import_variadic(node_context& c) {
  c.out(combined<Op>(c));
}

inline void import_divide(node_context& c) { c.out(c.m.div(c.x(0), aligned_operand(c, c.x(0), c.x(1)))); }
inline void import_mean(node_context& c) { c.out(c.m.scaled(combined<ops::add>(c), 1.0 / static_cast<double>(c.n.inputs.size()))); }

inline void import_pow(node_context& c) {
  const edge x = c.x(0), y = aligned_operand(c, x, c.x(1));
  const dtype own = c.m.type(x), other = c.m.type(y);
  // Of integers with another exponent, in double.
  const dtype in = is_floating(own) || own == other ? own : dtype::float64;
  c.out(c.m.cast(c.m.binary(ops::power, c.m.cast(x, in), c.m.cast(y, in)), own));
}
inline void import_mod(node_context& c) { c.out(c.m.binary(c.flag("fmod") ? ops::truncate_mod : ops::floor_mod, c.x(0), c.x(1))); }
inline void import_bit_shift(node_context& c) {
  c.out(c.m.binary(c.text("direction") == "LEFT" ? ops::left_shift : ops::right_shift, c.x(0), c.x(1)));
}
inline void import_xor(node_context& c) { c.out(c.m.binary(ops::not_equal, c.x(0), aligned_operand(c, c.x(0), c.x(1)))); }

inline void import_clip(node_context& c) {
  edge x = c.x(0);
  if (c.opset < 11) {
    if (c.given("min")) x = c.m.maximum(x, c.m.number_like(x, c.real("min", 0)));
    if (c.given("max")) x = c.m.minimum(x, c.m.number_like(x, c.real("max", 0)));
  } else {
    if (c.has(1)) x = c.m.maximum(x, c.x(1));
    if (c.has(2)) x = c.m.minimum(x, c.x(2));
  }
  c.out(x);
}

inline std::string text_of_number(double x) {
  // As NumPy prints it: the shortest digits that lead back to the float.
  if (x != x) return "NaN";
  if (x - x != 0) return x > 0 ? "INF" : "-INF";
  char digits[64];
  int n = 0;
  for (int precision = 1; precision <= 9; ++precision) {
    n = std::snprintf(digits, sizeof digits, "%.*g", precision, x);
    if (static_cast<float>(std::strtod(digits, nullptr)) == static_cast<float>(x)) break;
  }
  std::string out(digits, static_cast<std::size_t>(n));
  if (out.find_first_of(".eN") == out.npos) out += ".0";
  return out;
}

/// A conversion. Texts are converted where their elements are known.
inline edge converted(node_context& c, edge x, dtype to) {
  const dtype from = c.m.type(x);
  if (from == to || (from != dtype::string && to != dtype::string)) {
    // As other runtimes do, through float.
    if (is_storage(to) && from == dtype::float64) x = c.m.cast(x, dtype::float32);
    return c.m.cast(x, to);
  }
  const any_tensor known = c.m.known(x);
  any_tensor out = any_tensor::empty(to, known.shape());
  if (from == dtype::string) {
    const auto* texts = static_cast<const std::string*>(known.data());
    std::vector<double> numbers;
    for (index i = 0; i < known.size(); ++i) numbers.push_back(std::strtod(texts[i].c_str(), nullptr));
    detail::with_type_of(to, [&]<class T>(const T&) {
      if constexpr (!std::is_same_v<T, std::string>)
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          if constexpr (is_storage_float<T>) static_cast<T*>(out.mutable_data())[i] = T(static_cast<float>(numbers[i]));
          else static_cast<T*>(out.mutable_data())[i] = functor<ops::cast>::convert<T>(numbers[i]);
        }
    });
  } else {
    auto* texts = static_cast<std::string*>(out.mutable_data());
    const bool real = is_floating(from);
    const std::vector<double> numbers = real ? c.m.known_reals(x) : std::vector<double>();
    const std::vector<index> whole = real ? std::vector<index>() : c.m.known_integers(x);
    for (index i = 0; i < known.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      texts[i] = real ? text_of_number(numbers[k]) : std::to_string(whole[k]);
    }
  }
  return c.m.constant(out);
}
inline void import_cast(node_context& c) {
  // Of the first opsets, the name of the type.
  const std::string_view name = c.text("to");
  constexpr std::pair<std::string_view, element_type> names[] = {{"FLOAT", element_type::float32},   {"DOUBLE", element_type::float64},
                                                                 {"FLOAT16", element_type::float16}, {"INT32", element_type::int32},
                                                                 {"INT64", element_type::int64},     {"BOOL", element_type::boolean},
                                                                 {"UINT8", element_type::uint8},     {"INT8", element_type::int8}};
  auto to = static_cast<element_type>(c.integer("to", 0));
  for (const auto& [text, type] : names)
    if (text == name) to = type;
  c.out(converted(c, c.x(0), require_dtype(to)));
}
inline void import_cast_like(node_context& c) { c.out(converted(c, c.x(0), c.m.type(c.x(1)))); }

// Activations. What grows is bounded first, so that gradients are finite too.
inline edge zero_like(node_context& c, edge x) { return c.m.number_like(x, 0); }
inline edge exponential_part(node_context& c, edge x, double inside, double outside) {
  const edge below = c.m.minimum(x, zero_like(c, x));
  return c.m.scaled(c.m.unary(ops::expm1, c.m.scaled(below, inside)), outside);
}
inline edge elu(node_context& c, edge x, double alpha) {
  return c.m.select(c.m.binary(ops::less, x, zero_like(c, x)), exponential_part(c, x, 1, alpha), x);
}
inline edge hard_sigmoid(node_context& c, edge x, double alpha, double beta) {
  const edge y = c.m.add(c.m.scaled(x, alpha), c.m.number_like(x, beta));
  return c.m.maximum(zero_like(c, x), c.m.minimum(y, c.m.number_like(x, 1)));
}
inline edge thresholded_relu(node_context& c, edge x, double alpha) {
  return c.m.select(c.m.binary(ops::greater, x, c.m.number_like(x, alpha)), x, zero_like(c, x));
}
inline void import_elu(node_context& c) { c.out(elu(c, c.x(0), c.real("alpha", 1))); }
inline void import_selu(node_context& c) {
  const double alpha = c.real("alpha", 1.67326319217681884765625), gamma = c.real("gamma", 1.05070102214813232421875);
  c.out(c.m.scaled(elu(c, c.x(0), alpha), gamma));
}
inline void import_celu(node_context& c) {
  const edge x = c.x(0);
  const double alpha = c.real("alpha", 1);
  c.out(c.m.add(c.m.maximum(x, zero_like(c, x)), exponential_part(c, x, 1 / alpha, alpha)));
}
inline void import_leaky_relu(node_context& c) {
  const edge x = c.x(0);
  c.out(c.m.binary(ops::leaky_relu, x, c.m.number_like(x, c.real("alpha", 0.01))));
}
inline void import_prelu(node_context& c) {
  const edge x = c.x(0);
  edge slope = c.x(1);
  // One slope for each channel.
  if (c.opset < 7 && c.m.rank(slope) == 1 && c.m.rank(x) > 2 && c.m.static_extent(slope, 0) != 1) {
    list<index> to = list_of(c.m.extents(slope));
    for (int a = 2; a < c.m.rank(x); ++a) to.push_back(1);
    slope = c.m.reshape(slope, to);
  }
  c.out(c.m.select(c.m.binary(ops::less, x, zero_like(c, x)), c.m.mul(x, slope), x));
}
inline void import_hard_sigmoid(node_context& c) { c.out(hard_sigmoid(c, c.x(0), c.real("alpha", 0.2), c.real("beta", 0.5))); }
inline void import_hard_swish(node_context& c) { c.out(c.m.mul(c.x(0), hard_sigmoid(c, c.x(0), 1.0 / 6, 0.5))); }
inline void import_thresholded_relu(node_context& c) { c.out(thresholded_relu(c, c.x(0), c.real("alpha", 1))); }
inline void import_shrink(node_context& c) {
  const edge x = c.x(0);
  const double lambda = c.real("lambd", 0.5);
  const edge bias = c.m.number_like(x, c.real("bias", 0));
  const edge above = c.m.select(c.m.binary(ops::greater, x, c.m.number_like(x, lambda)), c.m.sub(x, bias), zero_like(c, x));
  c.out(c.m.select(c.m.binary(ops::less, x, c.m.number_like(x, -lambda)), c.m.add(x, bias), above));
}
inline void import_is_inf(node_context& c) {
  const edge x = c.x(0), zero = zero_like(c, x);
  edge found = c.m.unary(ops::is_inf, x);
  if (!c.flag("detect_negative", true)) found = c.m.binary(ops::logical_and, found, c.m.binary(ops::greater, x, zero));
  if (!c.flag("detect_positive", true)) found = c.m.binary(ops::logical_and, found, c.m.binary(ops::less, x, zero));
  c.out(found);
}
inline void import_where(node_context& c) { c.out(c.m.select(c.x(0), c.x(1), c.x(2))); }

inline constexpr op_entry elementwise_ops[] = {
    {"BitShift", import_bit_shift},
    {"BitwiseNot", import_unary<ops::invert>},
    {"Cast", import_cast},
    {"CastLike", import_cast_like},
    {"Celu", import_celu},
    {"Clip", import_clip},
    {"Div", import_divide},
    {"Elu", import_elu},
    {"HardSigmoid", import_hard_sigmoid},
    {"HardSwish", import_hard_swish},
    {"IsInf", import_is_inf},
    {"LeakyRelu", import_leaky_relu},
    {"Max", import_variadic<ops::maximum>},
    {"Mean", import_mean},
    {"Min", import_variadic<ops::minimum>},
    {"Mod", import_mod},
    {"Neg", import_unary<ops::neg>},
    {"PRelu", import_prelu},
    {"Pow", import_pow},
    {"Relu", import_unary<ops::relu>},
    {"Selu", import_selu},
    {"Shrink", import_shrink},
    {"Sum", import_variadic<ops::add>},
    {"ThresholdedRelu", import_thresholded_relu},
    {"Where", import_where},
    {"Xor", import_xor},
};

}  // namespace jig::onnx

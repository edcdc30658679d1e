// SPDX-License-Identifier: MIT
#pragma once
// Which dtypes nodes of ONNX take, from which opset on, and in which wider ones the others are computed.

#include <jig/core/dtype.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace jig::onnx {

/// A set of dtypes.
using dtype_set = unsigned;
template <class... D>
constexpr dtype_set set_of(D... d) {
  return (dtype_set{0} | ... | (1u << static_cast<unsigned>(d)));
}
constexpr bool holds(dtype_set s, dtype d) { return (s & set_of(d)) != 0; }

/// What a kind of node takes, and what its first result is.
struct node_types {
  enum class result { same, truth, places };
  std::string_view kind;
  dtype_set first;  // in opset 13
  dtype_set later;  // in a newer one
  int opset = 14;   // which that is
  result gives = result::same;
  // Which inputs have the dtype: from this one on, so many.
  std::size_t from = 0, count = 8;
};

namespace type_sets {
inline constexpr dtype_set old_floats = set_of(dtype::float32, dtype::float64, dtype::float16);
inline constexpr dtype_set floats = old_floats | set_of(dtype::bfloat16);
inline constexpr dtype_set wide = set_of(dtype::int32, dtype::int64, dtype::uint32, dtype::uint64);
inline constexpr dtype_set narrow = set_of(dtype::int8, dtype::int16, dtype::uint8, dtype::uint16);
inline constexpr dtype_set with_sign = set_of(dtype::int8, dtype::int16, dtype::int32, dtype::int64);
inline constexpr dtype_set numbers = floats | wide | narrow;
inline constexpr dtype_set any = numbers | set_of(dtype::boolean, dtype::string);
inline constexpr dtype_set but_bfloat16 = ~set_of(dtype::bfloat16);
}  // namespace type_sets

/// Kinds that are not here take what jig writes them with.
inline constexpr auto types_of_nodes = [] {
  using namespace type_sets;
  using enum node_types::result;
  return std::to_array<node_types>({
      {"Acos", old_floats, 0},
      {"Acosh", old_floats, 0},
      {"Add", floats | wide, numbers},
      {"ArgMax", numbers, 0, 14, places, 0, 1},
      {"ArgMin", numbers, 0, 14, places, 0, 1},
      {"Asin", old_floats, 0},
      {"Asinh", old_floats, 0},
      {"Atan", old_floats, 0},
      {"Atanh", old_floats, 0},
      {"AveragePool", old_floats, 0},
      {"BitwiseAnd", 0, wide | narrow, 18},
      {"BitwiseOr", 0, wide | narrow, 18},
      {"BitwiseXor", 0, wide | narrow, 18},
      {"Clip", numbers, 0},
      {"Conv", old_floats, 0},
      {"ConvTranspose", old_floats, 0},
      {"Cos", old_floats, 0},
      {"Cosh", old_floats, 0},
      {"CumSum", set_of(dtype::float32, dtype::float64) | wide, floats | wide, 14, same, 0, 1},
      {"Det", old_floats, 0},
      {"Div", floats | wide, numbers},
      {"Elu", old_floats, 0},
      {"Equal", numbers | set_of(dtype::boolean), 0, 14, truth},
      {"Greater", numbers, 0, 14, truth},
      {"GreaterOrEqual", numbers & but_bfloat16, numbers, 16, truth},
      {"IsInf", set_of(dtype::float32, dtype::float64), 0, 14, truth},
      {"IsNaN", floats, 0, 14, truth},
      {"Less", numbers, 0, 14, truth},
      {"LessOrEqual", numbers & but_bfloat16, numbers, 16, truth},
      {"MatMul", floats | wide, 0},
      {"Max", numbers, 0},
      {"MaxPool", old_floats | set_of(dtype::int8, dtype::uint8), 0},
      {"Min", numbers, 0},
      {"Mul", floats | wide, numbers},
      {"Neg", floats | with_sign, 0},
      {"NonZero", any, 0, 14, places, 0, 1},
      {"PRelu", old_floats | wide, floats | wide, 16},
      {"Pow", old_floats | set_of(dtype::int32, dtype::int64), floats | set_of(dtype::int32, dtype::int64), 15},
      {"ReduceMax", numbers & ~set_of(dtype::int16, dtype::uint16), 0, 14, same, 0, 1},
      {"ReduceMean", floats | wide, 0, 14, same, 0, 1},
      {"ReduceMin", numbers & ~set_of(dtype::int16, dtype::uint16), 0, 14, same, 0, 1},
      {"ReduceProd", floats | wide, 0, 14, same, 0, 1},
      {"ReduceSum", floats | wide, 0, 14, same, 0, 1},
      {"Relu", floats, floats | with_sign},
      {"Round", old_floats, 0},
      {"Selu", old_floats, 0},
      {"Size", any, 0, 14, places, 0, 1},
      {"Shape", any, 0, 14, places, 0, 1},
      {"Sin", old_floats, 0},
      {"Sinh", old_floats, 0},
      {"Softplus", old_floats, 0},
      {"Softsign", old_floats, 0},
      {"Sub", floats | wide, numbers},
      {"Sum", floats, 0},
      {"Tan", old_floats, 0},
      {"TopK", numbers & but_bfloat16, 0, 14, same, 0, 1},
      {"Unique", any & but_bfloat16, 0, 14, same, 0, 1},
      {"Where", any & but_bfloat16, any, 16, same, 1},
  });
}();

inline const node_types* types_of(std::string_view kind) {
  for (const auto& t : types_of_nodes)
    if (t.kind == kind) return &t;
  return nullptr;
}

/// A dtype of a set that has all numbers of another one, or nothing. Sums and products of integers that wrap there are the same
/// when they are cast back.
constexpr std::optional<dtype> wider(dtype d, dtype_set among) {
  if (d == dtype::string) return std::nullopt;
  const bool narrow = d == dtype::boolean || holds(type_sets::narrow, d);
  if (narrow && holds(among, dtype::int32)) return dtype::int32;
  if ((narrow || is_floating(d)) && d != dtype::float32 && d != dtype::float64 && holds(among, dtype::float32)) return dtype::float32;
  if ((d == dtype::int32 || d == dtype::uint32) && holds(among, dtype::int64)) return dtype::int64;
  if ((d == dtype::int32 || d == dtype::uint32) && holds(among, dtype::float64)) return dtype::float64;
  return std::nullopt;
}

}  // namespace jig::onnx

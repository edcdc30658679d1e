// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops of quantised numbers.

#include <jig/io/onnx/linear.hpp>
#include <jig/io/onnx/window.hpp>

namespace jig::onnx {

// Numbers of one axis of x, or one of all.
inline edge beside_axis(node_context& c, edge numbers, int rank, int axis) {
  if (c.m.rank(numbers) != 1 || c.m.static_extent(numbers, 0) == 1) return c.m.reshape(numbers, {});
  list<index> to{jig::infer};
  for (int a = axis + 1; a < rank; ++a) to.push_back(1);
  return c.m.reshape(numbers, to);
}
/// Rounded to even, moved by the zero point and limited to what its dtype holds.
inline edge quantised(node_context& c, edge scaled, edge zero, dtype to) {
  const edge moved = c.m.add(c.m.unary(ops::rint, scaled), c.m.cast(zero, c.m.type(scaled)));
  double low = 0, high = 0;
  detail::with_type_of(to, [&]<class T>(const T&) {
    if constexpr (std::is_integral_v<T>) {
      low = static_cast<double>(std::numeric_limits<T>::lowest());
      high = static_cast<double>((std::numeric_limits<T>::max)());
    }
  });
  return c.m.cast(c.m.minimum(c.m.maximum(moved, c.m.number_like(moved, low)), c.m.number_like(moved, high)), to);
}
inline void import_quantize(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x), axis = rank < 2 ? 0 : c.axis(c.integer("axis", 1), rank);
  const edge zero = c.has(2) ? c.x(2) : c.m.number(dtype::uint8, 0);
  const edge real = c.m.cast(x, c.m.type(c.x(1)));
  c.out(quantised(c, c.m.div(real, beside_axis(c, c.x(1), rank, axis)), beside_axis(c, zero, rank, axis), c.m.type(zero)));
}
inline void import_dequantize(node_context& c) {
  const int rank = c.m.rank(c.x(0)), axis = rank < 2 ? 0 : c.axis(c.integer("axis", 1), rank);
  edge x = c.m.cast(c.x(0), dtype::int32);
  if (c.has(2)) x = c.m.sub(x, c.m.cast(beside_axis(c, c.x(2), rank, axis), dtype::int32));
  c.out(c.m.mul(c.m.cast(x, c.m.type(c.x(1))), beside_axis(c, c.x(1), rank, axis)));
}
inline void import_dynamic_quantize(node_context& c) {
  const edge x = c.x(0), none = c.m.number_like(x, 0);
  list<index> axes;
  for (int a = 0; a < c.m.rank(x); ++a) axes.push_back(a);
  const edge low = c.m.minimum(c.m.reduce(ops::reduce_min, x, axes, false), none);
  const edge high = c.m.maximum(c.m.reduce(ops::reduce_max, x, axes, false), none);
  const edge scale = c.m.div(c.m.sub(high, low), c.m.number_like(x, 255));
  const edge zero = quantised(c, c.m.div(c.m.unary(ops::neg, low), scale), c.m.number(dtype::uint8, 0), dtype::uint8);
  c.out(quantised(c, c.m.div(x, scale), zero, dtype::uint8));
  c.out(scale, 1);
  c.out(zero, 2);
}

// Without its zero point, in a dtype that holds all sums.
inline edge without_zero(node_context& c, edge x, edge zero, dtype in, int axis) {
  return c.m.sub(c.m.cast(x, in), c.m.cast(beside_axis(c, zero, c.m.rank(x), axis), in));
}
inline edge without_zero(node_context& c, std::size_t x, std::size_t zero, dtype in, int axis) {
  return c.has(zero) ? without_zero(c, c.x(x), c.x(zero), in, axis) : c.m.cast(c.x(x), in);
}
inline void import_matmul_integer(node_context& c) {
  const int rank = c.m.rank(c.x(0)), columns = c.m.rank(c.x(1)) - 1;
  const edge x = without_zero(c, 0, 2, dtype::int32, rank < 2 ? 0 : rank - 2);
  c.out(product(c, x, without_zero(c, 1, 3, dtype::int32, columns)));
}
inline void import_conv_integer(node_context& c) {
  // Double holds these sums exactly.
  const edge x = without_zero(c, 0, 2, dtype::float64, 1);
  c.out(c.m.cast(convolution(c, x, without_zero(c, 1, 3, dtype::float64, 0)), dtype::int32));
}
inline edge real_scale(node_context& c, std::size_t input, int rank, int axis) {
  return c.m.cast(beside_axis(c, c.x(input), rank, axis), dtype::float64);
}
inline void import_qlinear_matmul(node_context& c) {
  const int rank = c.m.rank(c.x(0)), columns = c.m.rank(c.x(3)) - 1, rows = rank < 2 ? 0 : rank - 2;
  const edge z = product(c, without_zero(c, 0, 2, dtype::float64, rows), without_zero(c, 3, 5, dtype::float64, columns));
  const edge scale = c.m.mul(real_scale(c, 1, rank, rows), real_scale(c, 4, columns + 1, columns));
  c.out(quantised(c, c.m.div(c.m.mul(z, scale), real_scale(c, 6, rank, rows)), c.x(7), c.m.type(c.x(7))));
}
inline void import_qlinear_conv(node_context& c) {
  const int rank = c.m.rank(c.x(0));
  edge z = convolution(c, without_zero(c, 0, 2, dtype::float64, 1), without_zero(c, 3, 5, dtype::float64, 0));
  if (c.has(8)) z = with_bias(c, z, c.m.cast(c.x(8), dtype::float64));
  const edge scale = c.m.mul(real_scale(c, 1, rank, 1), real_scale(c, 4, rank, 1));
  c.out(quantised(c, c.m.div(c.m.mul(z, scale), real_scale(c, 6, rank, 1)), c.x(7), c.m.type(c.x(7))));
}

inline constexpr op_entry quantised_ops[] = {
    {"ConvInteger", import_conv_integer},     {"DequantizeLinear", import_dequantize}, {"DynamicQuantizeLinear", import_dynamic_quantize},
    {"MatMulInteger", import_matmul_integer}, {"QLinearConv", import_qlinear_conv},    {"QLinearMatMul", import_qlinear_matmul},
    {"QuantizeLinear", import_quantize},
};

}  // namespace jig::onnx

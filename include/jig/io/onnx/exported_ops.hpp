// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for each op of jig.

#include <jig/io/onnx/exported_arithmetic.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace jig::onnx {

// Ops that have a node of their own, with the same inputs.
struct same_node {
  const op* kind;
  std::string_view name;
};
inline constexpr same_node same_nodes[] = {
    {&ops::abs, "Abs"},
    {&ops::acos, "Acos"},
    {&ops::acosh, "Acosh"},
    {&ops::add, "Add"},
    {&ops::asin, "Asin"},
    {&ops::asinh, "Asinh"},
    {&ops::atan, "Atan"},
    {&ops::atanh, "Atanh"},
    {&ops::ceil, "Ceil"},
    {&ops::cos, "Cos"},
    {&ops::cosh, "Cosh"},
    {&ops::divide, "Div"},
    {&ops::elu, "Elu"},
    {&ops::equal, "Equal"},
    {&ops::erf, "Erf"},
    {&ops::exp, "Exp"},
    {&ops::floor, "Floor"},
    {&ops::greater, "Greater"},
    {&ops::greater_equal, "GreaterOrEqual"},
    {&ops::identity, "Identity"},
    {&ops::is_inf, "IsInf"},
    {&ops::is_nan, "IsNaN"},
    {&ops::leaky_relu, "PRelu"},
    {&ops::less, "Less"},
    {&ops::less_equal, "LessOrEqual"},
    {&ops::log, "Log"},
    {&ops::logical_and, "And"},
    {&ops::logical_not, "Not"},
    {&ops::logical_or, "Or"},
    {&ops::maximum, "Max"},
    {&ops::minimum, "Min"},
    {&ops::multiply, "Mul"},
    {&ops::power, "Pow"},
    {&ops::reciprocal, "Reciprocal"},
    {&ops::rint, "Round"},
    {&ops::round, "Round"},
    {&ops::select, "Where"},
    {&ops::selu, "Selu"},
    {&ops::sigmoid, "Sigmoid"},
    {&ops::sign, "Sign"},
    {&ops::sin, "Sin"},
    {&ops::sinh, "Sinh"},
    {&ops::softplus, "Softplus"},
    {&ops::softsign, "Softsign"},
    {&ops::sqrt, "Sqrt"},
    {&ops::stop_gradient, "Identity"},
    {&ops::subtract, "Sub"},
    {&ops::tan, "Tan"},
    {&ops::tanh, "Tanh"},
};

inline bool export_elementwise(exported_node& x) {
  const auto& in = x.in;
  const bool unsigned_integer = is_integer(x.n.dtype()) && !is_signed(x.n.dtype());
  for (const auto& s : same_nodes)
    if (x.is(*s.kind)) return x.give(x.make(s.name, in)), true;
  if (x.is(ops::neg)) x.give(unsigned_integer ? x.make("Sub", {x.number(0), in[0]}) : x.make("Neg", in));
  else if (x.is(ops::relu)) x.give(x.make(unsigned_integer ? "Identity" : "Relu", in));
  else if (x.is(ops::cast)) x.give(x.to.cast(in[0], x.n.dtype()));
  else if (x.is(ops::not_equal)) x.give(x.make("Not", {x.make("Equal", in)}));
  else if (x.is(ops::square)) x.give(x.make("Mul", {in[0], in[0]}));
  else if (x.is(ops::rsqrt)) x.give(x.make("Reciprocal", {x.make("Sqrt", in)}));
  else if (x.is(ops::expm1)) {
    // exp(x) - 1 would have no digits left near 0.
    const auto half = x.make("Tanh", {x.make("Mul", {in[0], x.number(0.5)})});
    x.give(x.make("Mul", {half, x.make("Add", {x.make("Exp", in), x.number(1)})}));
  } else if (x.is(ops::log1p)) {
    // Of u = 1 + x, which is rounded: log(u) * x / (u - 1), and x where u is 1.
    const auto one = x.number(1), u = x.make("Add", {in[0], one}), log = x.make("Log", {u});
    const auto exact = x.make("Mul", {log, x.make("Div", {in[0], x.make("Sub", {u, one})})});
    x.give(x.make("Where", {x.make("Equal", {u, one}), in[0], x.make("Where", {x.make("Equal", {u, in[0]}), log, exact})}));
  } else if (x.is(ops::trunc)) x.give(x.make("Mul", {x.make("Sign", in), x.make("Floor", {x.make("Abs", in)})}));
  else if (x.is(ops::silu)) {
    // ONNX Runtime makes one node of x * sigmoid(x), which it has not for doubles.
    const bool apart = x.n.dtype() == dtype::float64;
    x.give(apart ? x.make("Div", {in[0], x.make("Add", {x.make("Exp", {x.make("Neg", in)}), x.number(1)})})
                 : x.make("Mul", {in[0], x.make("Sigmoid", in)}));
  } else if (x.is(ops::relu6)) x.give(x.make("Clip", {in[0], x.number(0), x.number(6)}));
  else if (x.is(ops::erfc)) x.give(x.make("Sub", {x.number(1), x.make("Erf", in)}));
  else if (x.is(ops::gelu)) {
    const auto half = x.make("Mul", {in[0], x.number(0.5)});
    x.give(x.make("Mul", {half, x.make("Add", {x.make("Erf", {x.make("Mul", {in[0], x.number(0.70710678118654752440)})}), x.number(1)})}));
  } else if (x.is(ops::is_finite)) {
    x.give(x.make("Not", {x.make("Or", {x.make("IsNaN", in), x.make("IsInf", in)})}));
  } else if (x.is(ops::squared_difference)) {
    const auto d = x.make("Sub", in);
    x.give(x.make("Mul", {d, d}));
  } else if (x.is(ops::fma)) {
    x.give(x.make("Add", {x.make("Mul", {in[0], in[1]}), in[2]}));
  } else if (x.is(ops::add_n)) {
    if (is_floating(x.n.dtype())) return x.give(x.make("Sum", in)), true;
    std::string sum = in[0];
    for (std::size_t k = 1; k < in.size(); ++k) sum = x.make("Add", {sum, in[k]});
    x.give(in.size() == 1 ? x.make("Identity", in) : sum);
  } else if (x.is(ops::truncate_mod)) {
    if (is_floating(x.n.dtype())) return x.give(x.make("Mod", in, {attribute("fmod", 1)})), true;
    // With `fmod` runtimes compute it in floating numbers, which have not all integers of 64 bits.
    if (unsigned_integer) return x.give(x.make("Mod", in)), true;
    quotient_of_integers q{x};
    q.give_rest(q.rest(q.quotient()));
  } else if (x.is(ops::truncate_divide)) {
    if (is_floating(x.n.dtype()) || unsigned_integer) return x.give(x.make("Div", in)), true;
    quotient_of_integers q{x};
    q.give_quotient(q.quotient());
  } else if (x.is(ops::floor_mod) || x.is(ops::floor_divide)) {
    floor_quotient(x);
  } else if (x.is(ops::left_shift) || x.is(ops::right_shift)) {
    x.give(shifted(x));
  } else if (x.is(ops::invert)) {
    x.give(unsigned_integer ? x.make("Sub", {x.make("Sub", {x.number(0), in[0]}), x.number(1)}) : x.make("Sub", {x.number(-1), in[0]}));
  } else if (x.is(ops::atan2)) {
    x.give(angle(x));
  } else if (x.is(ops::zeros_like) || x.is(ops::ones_like)) {
    x.give(x.make("Expand", {x.number(x.is(ops::ones_like)), x.make("Shape", {in[0]})}));
  } else if (x.is(ops::fill)) {
    x.give(x.make("Expand", {in[1], x.make("Shape", {in[0]})}));
  } else if (x.is(ops::broadcast_like)) {
    x.give(x.make("Expand", {in[0], x.make("Shape", {in[1]})}));
  } else {
    return false;
  }
  return true;
}

inline bool export_reduction(exported_node& x) {
  const auto& in = x.in;
  const auto axes = x.ints("axes");
  const bool keep = x.integer("keep_dims") != 0;
  const auto with_axes = [&](std::string_view kind, const std::string& of) {
    std::vector<written_attribute> with{attribute("keepdims", keep)};
    if (!axes.empty()) with.push_back(attribute("axes", axes));
    return x.make(kind, {of}, with);
  };
  // ReduceSum takes its axes as an input.
  const auto sum = [&](const std::string& of) {
    exporter::names inputs{of};
    if (!axes.empty()) inputs.push_back(x.to.integers(axes));
    return x.make("ReduceSum", inputs, {attribute("keepdims", keep)});
  };
  if (x.is(ops::reduce_sum)) {
    x.give(sum(in[0]));
  } else if (x.is(ops::reduce_mean)) {
    // The total of narrow integers wraps in jig, the number of elements does not; the mean of none is 0.
    if (is_integer(x.n.dtype()) && size_of(x.n.dtype()) < 4) {
      const auto one = x.to.number(dtype::int64, 1);
      const auto count = x.make("Max", {sum(x.make("Expand", {one, x.make("Shape", in)})), one});
      return x.give(x.to.cast(x.make("Div", {x.to.cast(sum(in[0]), dtype::int64), count}), x.n.dtype())), true;
    }
    x.give(with_axes("ReduceMean", in[0]));
  } else if (x.is(ops::reduce_prod)) {
    x.give(with_axes("ReduceProd", in[0]));
  } else if (x.is(ops::reduce_max)) {
    x.give(with_axes("ReduceMax", in[0]));
  } else if (x.is(ops::reduce_min)) {
    x.give(with_axes("ReduceMin", in[0]));
  } else if (x.is(ops::reduce_any) || x.is(ops::reduce_all)) {
    const auto numbers = x.to.cast(in[0], dtype::int32);
    x.give(x.to.cast(with_axes(x.is(ops::reduce_any) ? "ReduceMax" : "ReduceMin", numbers), dtype::boolean));
  } else if (x.is(ops::argmax) || x.is(ops::argmin)) {
    x.give(x.make(x.is(ops::argmax) ? "ArgMax" : "ArgMin", in, {attribute("axis", x.integer("dimension")), attribute("keepdims", 0)}));
  } else if (x.is(ops::cumsum)) {
    x.give(x.make("CumSum", {in[0], x.to.number(dtype::int64, static_cast<double>(x.integer("axis")))}));
  } else if (x.is(ops::sort) || x.is(ops::argsort) || x.is(ops::top_k)) {
    const shape s = x.known(x.extents(0));
    const index axis = x.is(ops::top_k) ? -1 : x.integer("axis");
    const index k = x.is(ops::top_k) ? x.integer("k") : s[static_cast<int>(axis < 0 ? axis + s.rank : axis)];
    const std::string values = x.to.fresh(), places = x.to.fresh();
    x.to.node("TopK", {in[0], x.to.integers({k})}, {values, places},
              {attribute("axis", axis), attribute("largest", x.is(ops::top_k) || x.integer("descending") != 0)});
    if (!x.is(ops::argsort)) x.give(values);
    if (!x.is(ops::sort)) x.give(x.to.cast(places, dtype::int32));
  } else if (x.is(ops::unique)) {
    const std::string values = x.to.fresh(), inverse = x.to.fresh();
    x.to.node("Unique", in, {values, "", inverse}, {attribute("sorted", 0)});
    x.give(values);
    x.give(x.to.cast(inverse, dtype::int32));
  } else {
    return false;
  }
  return true;
}

inline std::string swapped_last(exported_node& x, const std::string& of, int rank) {
  std::vector<index> order;
  for (int a = 0; a < rank; ++a) order.push_back(a < rank - 2 ? a : 2 * rank - 3 - a);
  return x.make("Transpose", {of}, {attribute("perm", order)});
}
inline bool export_product(exported_node& x) {
  if (!x.is(ops::matmul) && !x.is(ops::batch_matmul) && !x.is(ops::arranged_batch_matmul)) return false;
  auto in = x.in;
  if (x.integer("transpose_a") != 0) in[0] = swapped_last(x, in[0], x.extents(0).rank);
  if (x.integer("transpose_b") != 0) in[1] = swapped_last(x, in[1], x.extents(1).rank);
  auto product = x.make("MatMul", in);
  if (x.is(ops::arranged_batch_matmul)) product = x.make("Transpose", {product}, {attribute("perm", x.ints("perm"))});
  x.give(product);
  return true;
}

// What SAME adds on both sides of the axes; nothing where a stride and an extent that is not known decide. Runtimes have no
// auto_pad with dilations, or with strides beyond the window.
inline std::optional<std::vector<index>> same_pads(exported_node& x, const std::vector<index>& taps) {
  const shape from = x.extents(0), to = x.n.shape();
  const auto strides = x.ints("strides"), dilations = x.ints("dilations");
  const std::size_t axes = taps.size();
  std::vector<index> pads(2 * axes);
  for (std::size_t a = 0; a < axes; ++a) {
    const int axis = static_cast<int>(a) + 1;
    if (!is_static_extent(taps[a])) return std::nullopt;
    index zeros = (taps[a] - 1) * (dilations.empty() ? 1 : dilations[a + 1]);
    if (is_static_extent(from[axis]) && is_static_extent(to[axis])) zeros += (to[axis] - 1) * strides[a + 1] + 1 - from[axis];
    else if (strides[a + 1] != 1) return std::nullopt;
    pads[a] = std::max<index>(zeros, 0) / 2;
    pads[axes + a] = std::max<index>(zeros, 0) - pads[a];
  }
  return pads;
}

// Channels go to the second axis and back.
inline bool export_window(exported_node& x) {
  const bool each_channel = x.is(ops::depthwise_conv2d), conv = x.is(ops::conv2d) || x.is(ops::conv3d) || each_channel,
             largest = x.is(ops::max_pool2d) || x.is(ops::max_pool3d);
  if (!conv && !largest && !x.is(ops::avg_pool2d) && !x.is(ops::avg_pool3d)) return false;
  const int axes = x.extents(0).rank - 2;
  const auto inner = [&](std::string_view key) {
    const auto all = x.ints(key);
    return std::vector<index>(all.begin() + 1, all.end() - 1);
  };
  std::vector<index> front{0, axes + 1}, back{0}, filter{axes + 1, axes};
  for (int a = 1; a <= axes; ++a) front.push_back(a), back.push_back(a + 1), filter.push_back(a - 1);
  back.push_back(1);
  std::vector<written_attribute> with{attribute("strides", inner("strides"))};
  const auto padding = x.n.attribute("padding").text;
  if (padding == "SAME") {
    std::vector<index> taps;
    for (int a = 0; a < axes; ++a) taps.push_back(conv ? x.extents(1)[a] : inner("ksize")[static_cast<std::size_t>(a)]);
    const auto pads = same_pads(x, taps);
    with.push_back(pads ? attribute("pads", *pads) : written_attribute::of_text("auto_pad", "SAME_UPPER"));
  }
  if (padding == "EXPLICIT") {
    const auto given = x.ints("explicit_paddings");
    std::vector<index> pads;
    for (const int side : {0, 1})
      for (int a = 1; a <= axes; ++a) pads.push_back(given[static_cast<std::size_t>(2 * a + side)]);
    with.push_back(attribute("pads", pads));
  }
  exporter::names in{x.make("Transpose", {x.in[0]}, {attribute("perm", front)})};
  if (conv) {
    const index channels = x.extents(0)[axes + 1], each = x.extents(1)[axes];
    if (each_channel) with.push_back(attribute("group", x.known(x.extents(1))[2]));
    else if (is_static_extent(channels) && each > 0) with.push_back(attribute("group", channels / each));
    with.push_back(attribute("dilations", inner("dilations")));
    if (each_channel) {
      // Filters [rows, columns, channels, multiplier] of groups of one channel.
      const shape f = x.known(x.extents(1));
      const auto front_filter = x.make("Transpose", {x.in[1]}, {attribute("perm", {2, 3, 0, 1})});
      in.push_back(x.make("Reshape", {front_filter, x.to.integers({f[2] * f[3], 1, f[0], f[1]})}));
    } else {
      in.push_back(x.make("Transpose", {x.in[1]}, {attribute("perm", filter)}));
    }
  } else {
    with.push_back(attribute("kernel_shape", inner("ksize")));
  }
  const auto made = x.make(conv ? "Conv" : largest ? "MaxPool" : "AveragePool", in, with);
  x.give(x.make("Transpose", {made}, {attribute("perm", back)}));
  return true;
}

}  // namespace jig::onnx

// SPDX-License-Identifier: MIT
#pragma once
// How ops are written of which TensorFlow has no single node, or takes its inputs in another way: a function for each.

#include <jig/io/tensorflow/exporter.hpp>
#include <jig/ops/rules.hpp>

#include <numeric>

namespace jig::detail::tensorflow {

using written = std::vector<written_value>;

/// Extents as attributes of jig list them: numbers, -1, and products of axes of an input.
inline written_value listed_extents(const spelled_node& n, stretch<index> listed, const std::string& name, bool keeps_own) {
  bool fixed = true;
  std::vector<index> numbers(listed.begin(), listed.end());
  const shape& from = n.inputs[0].spec.shape;
  const int added = static_cast<int>(listed.size()) - from.rank;
  for (std::size_t a = 0; a < numbers.size(); ++a) {
    // Of BroadcastTo, -1 keeps an extent, which TensorFlow has to be told.
    if (keeps_own && numbers[a] == dyn && static_cast<int>(a) >= added) {
      const int axis = static_cast<int>(a) - added;
      numbers[a] = is_static_extent(from[axis]) ? from[axis] : product_of_axes(0, axis);
    }
    if (numbers[a] < lowest_name) {
      const axes_product axes = axes_of_product(numbers[a]);
      const shape& s = n.inputs[static_cast<std::size_t>(axes.input)].spec.shape;
      index product = 1;
      for (int k = axes.first; k < axes.first + axes.count && product >= 0; ++k)
        if (!is_static_extent(s[k]) || !multiply_extents(product, s[k], product)) product = -1;
      if (product >= 0) numbers[a] = product;
    }
    fixed = fixed && numbers[a] >= lowest_name;
  }
  if (fixed) return n.in.integers(name, numbers);
  std::vector<written_value> scalars;
  for (const index e : numbers) {
    if (e >= lowest_name) {
      scalars.push_back(n.in.integer(name + "/extent", e));
      continue;
    }
    const axes_product axes = axes_of_product(e);
    const auto& input = n.inputs[static_cast<std::size_t>(axes.input)];
    written_value product = n.in.extent_of(name + "/extent", input, axes.first);
    for (int k = axes.first + 1; k < axes.first + axes.count; ++k) {
      const auto next = n.in.extent_of(name + "/extent", input, k);
      product = n.in.binary("Mul", name + "/product", product, next, {dtype::int32, {}});
    }
    scalars.push_back(product);
  }
  return n.in.pack(name, scalars);
}

inline written spell_reshape(const spelled_node& n) {
  const auto to = listed_extents(n, n.integers("shape"), n.name + "/shape", false);
  return {n.in.add("Reshape", n.name, {n.inputs[0], to}, {type_attr("T", n.spec().dtype), type_attr("Tshape", dtype::int32)}, n.spec())};
}
inline written spell_broadcast_to(const spelled_node& n) {
  const auto to = listed_extents(n, n.integers("shape"), n.name + "/shape", true);
  return {n.in.add("BroadcastTo", n.name, {n.inputs[0], to}, {type_attr("T", n.spec().dtype), type_attr("Tidx", dtype::int32)}, n.spec())};
}
inline written spell_broadcast_like(const spelled_node& n) {
  const auto to = n.in.extents(n.name + "/shape", n.spec().shape, n.inputs[1]);
  return {n.in.add("BroadcastTo", n.name, {n.inputs[0], to}, {type_attr("T", n.spec().dtype), type_attr("Tidx", dtype::int32)}, n.spec())};
}
inline written spell_fill(const spelled_node& n) {
  const auto dims = n.in.extents(n.name + "/dims", n.spec().shape, n.inputs[0]);
  return {n.in.add("Fill", n.name, {dims, n.inputs[1]}, {type_attr("T", n.spec().dtype), type_attr("index_type", dtype::int32)}, n.spec())};
}
inline written_value sum_along(const spelled_node& n, const std::string& name, const written_value& x, const std::vector<index>& axes,
                               bool keep, const tensor_spec& spec) {
  const auto along = n.in.integers(name + "/reduction_indices", axes);
  return n.in.add("Sum", name, {x, along}, {type_attr("T", spec.dtype), type_attr("Tidx", dtype::int32), bool_attr("keep_dims", keep)},
                  spec);
}
// Axes that one operand has more, and those where it is 1. Where neither is known only the run tells.
inline written spell_sum_like(const spelled_node& n) {
  const shape &from = n.inputs[0].spec.shape, &to = n.inputs[1].spec.shape;
  if (from == to && from.is_static()) return {n.in.call("Identity", n.name, {n.inputs[0]}, n.spec())};
  const int added = from.rank - to.rank;
  std::vector<index> gone, kept;
  bool known = true;
  for (int a = 0; a < from.rank; ++a) {
    if (a < added) gone.push_back(a);
    else if (to[a - added] == 1) kept.push_back(a);
    else if (!is_static_extent(to[a - added])) known = known && from[a] == to[a - added] && is_named_extent(from[a]);
  }
  if (known) {
    written_value x = n.inputs[0];
    tensor_spec s = x.spec;
    for (const index a : kept) s.shape[static_cast<int>(a)] = 1;
    if (!kept.empty()) x = sum_along(n, n.name, x, kept, true, s);
    if (!gone.empty()) x = sum_along(n, n.name, x, gone, false, n.spec());
    if (kept.empty() && gone.empty()) x = n.in.call("Identity", n.name, {x}, n.spec());
    return {x};
  }
  const auto wanted = n.in.shape_of(n.name + "/Shape", n.inputs[1]), given = n.in.shape_of(n.name + "/Shape", n.inputs[0]);
  auto axes = n.in.add("BroadcastGradientArgs", n.name + "/axes", {wanted, given}, {type_attr("T", dtype::int32)},
                       {dtype::int32, shape{1, {dyn}}}, "r0");
  const auto sum = n.in.add("Sum", n.name + "/Sum", {n.inputs[0], axes},
                            {type_attr("T", n.spec().dtype), type_attr("Tidx", dtype::int32), bool_attr("keep_dims", false)}, n.spec());
  return {n.in.add("Reshape", n.name, {sum, wanted}, {type_attr("T", n.spec().dtype), type_attr("Tshape", dtype::int32)}, n.spec())};
}
inline written spell_shrinkage(const spelled_node& n) {
  written_value sizes[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto size = n.in.add("Size", n.name + "/Size", {n.inputs[k]},
                               {type_attr("T", n.inputs[k].spec.dtype), type_attr("out_type", dtype::int32)}, {dtype::int32, {}});
    sizes[k] = n.in.add("Cast", n.name + "/Cast", {size},
                        {type_attr("SrcT", dtype::int32), type_attr("DstT", n.spec().dtype), bool_attr("Truncate", false)}, n.spec(), "y");
  }
  return {n.in.binary(is_floating(n.spec().dtype) ? "RealDiv" : "FloorDiv", n.name, sizes[1], sizes[0], n.spec())};
}
inline written spell_set_shape(const spelled_node& n) {
  return {n.in.add("EnsureShape", n.name, {n.inputs[0]}, {type_attr("T", n.spec().dtype), shape_attr("shape", n.spec().shape)}, n.spec())};
}
inline written spell_first(const spelled_node& n) { return {n.in.call("Identity", n.name, {n.inputs[0]}, n.spec())}; }

inline written spell_fma(const spelled_node& n) {
  const auto product = n.in.binary("Mul", n.name + "/Mul", n.inputs[0], n.inputs[1], n.spec());
  return {n.in.binary("AddV2", n.name, product, n.inputs[2], n.spec())};
}
inline written spell_silu(const spelled_node& n) {
  const auto s = n.in.call("Sigmoid", n.name + "/Sigmoid", n.inputs, n.spec(), "y");
  return {n.in.binary("Mul", n.name, n.inputs[0], s, n.spec())};
}
inline written spell_gelu(const spelled_node& n) {
  const dtype d = n.spec().dtype;
  const auto scaled = n.in.binary("Mul", n.name + "/Mul", n.inputs[0], n.in.number(n.name + "/Mul/y", d, 0.70710678118654752440), n.spec());
  const auto erf = n.in.call("Erf", n.name + "/Erf", {scaled}, n.spec(), "y");
  const auto plus = n.in.binary("AddV2", n.name + "/add", erf, n.in.number(n.name + "/add/y", d, 1), n.spec());
  const auto half = n.in.binary("Mul", n.name + "/Mul", n.inputs[0], n.in.number(n.name + "/Mul/y", d, 0.5), n.spec());
  return {n.in.binary("Mul", n.name, half, plus, n.spec())};
}
inline written spell_trunc(const spelled_node& n) {
  const auto zero = n.in.number(n.name + "/zero", n.spec().dtype, 0);
  const tensor_spec truth{dtype::boolean, n.spec().shape};
  const auto below = n.in.binary("Less", n.name + "/Less", n.inputs[0], zero, truth);
  const auto up = n.in.call("Ceil", n.name + "/Ceil", n.inputs, n.spec(), "y"),
             down = n.in.call("Floor", n.name + "/Floor", n.inputs, n.spec(), "y");
  return {n.in.call("SelectV2", n.name, {below, up, down}, n.spec())};
}
// The slope is an attribute of TensorFlow's node.
inline written spell_leaky_relu(const spelled_node& n) {
  const node_view slope = n.graph.node(n.graph.inputs_of(n.id)[1]);
  const dtype d = n.spec().dtype;
  if (slope.kind().is(fact::constant) && slope.shape().rank == 0 && d != dtype::float64) {
    named_attr alpha{"alpha", {}};
    alpha.value.kind = attr_kind::f;
    alpha.value.f = with_type_of(d, [&](auto element) -> float {
      using T = decltype(element);
      if constexpr (std::is_same_v<T, std::string>) return 0;
      else return static_cast<float>(from_word<T>(slope.attribute("value").words[0]));
    });
    return {n.in.add("LeakyRelu", n.name, {n.inputs[0]}, {type_attr("T", d), alpha}, n.spec(), "activations")};
  }
  const auto scaled = n.in.binary("Mul", n.name + "/Mul", n.inputs[0], n.inputs[1], n.spec());
  const auto above = n.in.binary("Greater", n.name + "/Greater", n.inputs[0], n.in.number(n.name + "/zero", d, 0),
                                 {dtype::boolean, n.inputs[0].spec.shape});
  const auto chosen = n.in.add("SelectV2", n.name, {above, n.inputs[0], scaled}, {type_attr("T", d)}, n.spec());
  return {chosen};
}

inline written_value transposed(const spelled_node& n, const std::string& name, const written_value& x, const std::vector<index>& perm) {
  tensor_spec s = x.spec;
  for (std::size_t a = 0; a < perm.size(); ++a) s.shape[static_cast<int>(a)] = x.spec.shape[static_cast<int>(perm[a])];
  const auto order = n.in.integers(name + "/perm", perm);
  return n.in.add("Transpose", name, {x, order}, {type_attr("T", s.dtype), type_attr("Tperm", dtype::int32)}, s, "y");
}
// The diagonal of the last two axes, put where it belongs.
inline written spell_diag_part(const spelled_node& n) {
  const int rank = n.inputs[0].spec.shape.rank;
  const auto axes = n.integers("axes");
  const index a = axes[0] < 0 ? axes[0] + rank : axes[0], b = axes[1] < 0 ? axes[1] + rank : axes[1];
  if (a == rank - 2 && b == rank - 1) return {n.in.call("MatrixDiagPart", n.name, {n.inputs[0]}, n.spec(), "diagonal")};
  std::vector<index> order, back;
  for (index axis = 0; axis < rank; ++axis)
    if (axis != a && axis != b) order.push_back(axis);
  order.push_back(a), order.push_back(b);
  const auto moved = transposed(n, n.name + "/transpose", n.inputs[0], order);
  tensor_spec s = n.spec();
  for (int axis = 0, next = 0; axis < s.shape.rank; ++axis)
    if (axis != a) s.shape[next++] = n.spec().shape[axis];
  s.shape[s.shape.rank - 1] = n.spec().shape[static_cast<int>(a)];
  const auto diagonal = n.in.call("MatrixDiagPart", n.name, {moved}, s, "diagonal");
  for (index axis = 0, next = 0; axis < rank - 1; ++axis) back.push_back(axis == a ? rank - 2 : next++);
  return {transposed(n, n.name + "/back", diagonal, back)};
}
inline written spell_diag_part_add(const spelled_node& n) {
  const shape& s = n.spec().shape;
  const auto axes = n.integers("axes");
  const bool last = (axes[0] == s.rank - 2 || axes[0] == -2) && (axes[1] == s.rank - 1 || axes[1] == -1);
  if (!last || !is_static_extent(s[s.rank - 1]) || s[s.rank - 1] != s[s.rank - 2])
    n.refuse("it is not that of square matrices in the last axes");
  const auto diagonal = n.in.call("MatrixDiag", n.name + "/MatrixDiag", {n.inputs[1]}, n.spec());
  return {n.in.binary("AddV2", n.name, n.inputs[0], diagonal, n.spec())};
}
inline written spell_eye(const spelled_node& n) {
  const shape& s = n.spec().shape;
  if (!s.is_static()) n.refuse("its extents are not known");
  const index rows = s[s.rank - 2], columns = s[s.rank - 1];
  std::vector<std::uint64_t> words(static_cast<std::size_t>(s.size()), 0);
  const std::uint64_t one = word_of(n.spec().dtype, 1);
  for (index k = 0; k < s.size(); ++k)
    if (k / columns % rows == k % columns) words[static_cast<std::size_t>(k)] = one;
  return {n.in.constant(n.name, n.spec(), words)};
}

// Extents of the value that a gradient is of: known, or the batch is that of another value.
inline written_value sizes_of(const spelled_node& n, const std::string& name, const shape& s, const written_value& batch) {
  if (s.is_static()) return n.in.integers(name, stretch<index>(s.extents, static_cast<std::size_t>(s.rank)));
  if (n.inputs.size() > 2) return n.in.shape_of(name, n.inputs[2]);
  std::vector<written_value> scalars;
  for (int a = 0; a < s.rank; ++a) {
    if (a > 0 && !is_static_extent(s[a])) n.refuse("its extents are not known");
    scalars.push_back(is_static_extent(s[a]) ? n.in.integer(name + "/extent", s[a]) : n.in.extent_of(name + "/extent", batch, 0));
  }
  return n.in.pack(name, scalars);
}
inline op_name convolution_name(const spelled_node& n, std::string_view name, bool three) {
  return {&n.node().kind(), spelling::node, name, "a b c", "output", three ? convolved_3d : convolved};
}
// jig: filter, adjoint and maybe what is like the result. TensorFlow: extents of the result, filter, adjoint.
template <bool Three>
written spell_backprop_input(const spelled_node& n) {
  const std::string_view name = is_op(n.node().kind(), ops::depthwise_conv2d_backprop_input) ? "DepthwiseConv2dNativeBackpropInput"
                                : Three                                                      ? "Conv3DBackpropInputV2"
                                                                                             : "Conv2DBackpropInput";
  const auto sizes = sizes_of(n, n.name + "/input_sizes", n.spec().shape, n.inputs[1]);
  spelled_node with = n;
  with.inputs = {sizes, n.inputs[0], n.inputs[1]};
  op_name known = convolution_name(n, name, Three);
  auto out = exporter::write_node(with, known);
  fix_type(n.in, "T", n.spec().dtype);
  if (Three) n.in.last().attr.push_back(type_attr("Tshape", dtype::int32));
  return out;
}
// jig: operand, adjoint and what is like the filter. TensorFlow: operand, extents of the filter, adjoint.
template <bool Three>
written spell_backprop_filter(const spelled_node& n) {
  const std::string_view name = is_op(n.node().kind(), ops::depthwise_conv2d_backprop_filter) ? "DepthwiseConv2dNativeBackpropFilter"
                                : Three                                                       ? "Conv3DBackpropFilterV2"
                                                                                              : "Conv2DBackpropFilter";
  const auto sizes = sizes_of(n, n.name + "/filter_sizes", n.spec().shape, n.inputs[1]);
  spelled_node with = n;
  with.inputs = {n.inputs[0], sizes, n.inputs[1]};
  return exporter::write_node(with, convolution_name(n, name, Three));
}
template <bool Three>
written spell_avg_pool_grad(const spelled_node& n) {
  const auto sizes = n.in.extents(n.name + "/orig_input_shape", n.spec().shape, n.inputs[1]);
  spelled_node with = n;
  with.inputs = {sizes, n.inputs[0]};
  auto out =
      exporter::write_node(with, {&n.node().kind(), spelling::node, Three ? "AvgPool3DGrad" : "AvgPoolGrad", "a b", "output", pooled});
  fix_type(n.in, "T", n.spec().dtype);
  return out;
}
template <bool Bilinear>
written spell_resize(const spelled_node& n) {
  const auto size = listed_extents(n, n.integers("size"), n.name + "/size", false);
  return {n.in.add(Bilinear ? "ResizeBilinear" : "ResizeNearestNeighbor", n.name, {n.inputs[0], size},
                   {type_attr("T", n.inputs[0].spec.dtype), bool_attr("align_corners", false), bool_attr("half_pixel_centers", true)},
                   n.spec(), "resized_images")};
}
inline written spell_resize_bilinear_grad(const spelled_node& n) {
  return {n.in.add("ResizeBilinearGrad", n.name, {n.inputs[0], n.inputs[1]},
                   {type_attr("T", n.spec().dtype), bool_attr("align_corners", false), bool_attr("half_pixel_centers", true)}, n.spec())};
}
inline written spell_resize_nearest_grad(const spelled_node& n) {
  const shape& s = n.spec().shape;
  if (s.rank != 4 || !is_static_extent(s[1]) || !is_static_extent(s[2])) n.refuse("its extents are not known");
  const index size[] = {s[1], s[2]};
  return {n.in.add("ResizeNearestNeighborGrad", n.name, {n.inputs[0], n.in.integers(n.name + "/size", size)},
                   {type_attr("T", n.spec().dtype), bool_attr("align_corners", false), bool_attr("half_pixel_centers", true)}, n.spec())};
}

}  // namespace jig::detail::tensorflow

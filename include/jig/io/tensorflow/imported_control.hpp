// SPDX-License-Identifier: MIT
#pragma once
// Branches, loops and calls, whose bodies are functions of TensorFlow's library; and the list of all nodes that are read by functions.

#include <jig/io/tensorflow/imported_parts.hpp>
#include <jig/io/tensorflow/imported_variables.hpp>

namespace jig::detail::tensorflow {

// A spec of which both are special cases, or an error.
constexpr tensor_spec joined(const imported_node& n, const tensor_spec& a, const tensor_spec& b, const char* what) {
  if (a.dtype != b.dtype || a.shape.rank != b.shape.rank) {
    message m;
    m << what << ": " << a << " and " << b;
    n.fail(std::string(m.view()));
  }
  return most_specific_common_supertype(a, b);
}
constexpr edge as_condition(const imported_node& n) {
  const tensor_spec s = n.spec(0);
  if (s.shape.rank != 0) n.fail("its condition is no scalar");
  if (s.dtype == dtype::boolean) return n.inputs[0];
  if (s.dtype == dtype::string) n.fail("its condition is a string");
  return n.call(ops::not_equal, {n.inputs[0], number(n, s.dtype, 0)});
}
constexpr edges results_of(const edge& made, std::size_t count) {
  edges out;
  for (std::size_t k = 0; k < count; ++k) out.push_back({made.node, static_cast<int>(k)});
  return out;
}

constexpr edges read_if(const imported_node& n) {
  n.require_inputs(1, static_cast<std::size_t>(-1));
  std::vector<tensor_spec> specs;
  std::vector<std::size_t> order;
  edges inputs{as_condition(n)};
  std::vector<char> are_variables;
  for (std::size_t k = 1; k < n.inputs.size(); ++k) {
    inputs.push_back(n.to.value_of(n.inputs[k]));
    are_variables.push_back(n.to.is_variable(n.inputs[k]));
    specs.push_back(n.to.spec(inputs.back()));
    order.push_back(k - 1);
  }
  attribute_list with;
  std::vector<tensor_spec> results;
  bool first = true;
  for (const char* key : {"then_branch", "else_branch"}) {
    const int number = n.to.read_body(n.node, n.to.function(n.node, key), specs, order, are_variables, [&](const edges& returned) {
      if (!first && returned.size() != results.size()) n.fail("its branches have different numbers of results");
      for (std::size_t k = 0; k < returned.size(); ++k) {
        const tensor_spec s = n.to.spec(returned[k]);
        if (first) results.push_back(s);
        else results[k] = joined(n, results[k], s, "its branches have results of different specs");
      }
      return returned;
    });
    with.body(key, number);
    first = false;
  }
  if (results.empty()) with.boolean("effects_only", true);
  const edge made = n.to.out.add(ops::if_op, results.empty() ? tensor_spec{dtype::boolean, {}} : results[0], inputs, with.view());
  for (std::size_t k = 1; k < results.size(); ++k) n.to.out.add_output(results[k]);
  return results_of(made, results.size());
}

// Whether a function returns argument k as it came, as result k.
constexpr bool passes_on(const function_def& f, std::size_t k) {
  const std::string* at = nullptr;
  for (const auto& r : f.ret)
    if (k < f.output_arg.size() && r.key == f.output_arg[k].name) at = &r.value;
  for (int hops = 0; at != nullptr && hops < 8; ++hops) {
    if (*at == f.input_arg[k].name) return true;
    const std::string_view name = std::string_view(*at).substr(0, at->find(':'));
    const std::string* next = nullptr;
    for (const auto& node : f.node)
      if (node.name == name && node.op == "Identity" && node.input.size() == 1) next = &node.input[0];
    at = next;
  }
  return false;
}

constexpr edges read_while(const imported_node& n) {
  n.require_inputs(1, static_cast<std::size_t>(-1));
  const function_def &cond = n.to.function(n.node, "cond"), &body = n.to.function(n.node, "body");
  const std::size_t count = n.inputs.size();
  if (body.input_arg.size() != count || body.output_arg.size() != count || cond.input_arg.size() != count || cond.output_arg.size() != 1)
    n.fail("its functions do not take and return as much as it does");
  // What stays as it is goes behind what is carried.
  std::vector<std::size_t> order, carried, fixed;
  for (std::size_t k = 0; k < count; ++k) (passes_on(body, k) ? fixed : carried).push_back(k);
  if (carried.empty()) {
    carried.push_back(fixed.front());
    fixed.erase(fixed.begin());
  }
  order = carried;
  order.insert(order.end(), fixed.begin(), fixed.end());
  std::vector<tensor_spec> specs;
  std::vector<char> are_variables;
  for (std::size_t k = 0; k < count; ++k) {
    specs.push_back(n.to.spec(n.to.value_of(n.inputs[k])));
    are_variables.push_back(n.to.is_variable(n.inputs[k]));
  }
  // Extents that a trip changes are not known, nor are those that follow from them.
  bool varies = false;
  int number = 0;
  for (int again = 0;; ++again) {
    if (again > 1 + static_cast<int>(count) * max_rank) n.fail("its extents never come to rest");
    bool changed = false;
    number = n.to.read_body(n.node, body, specs, order, are_variables, [&](const edges& returned) {
      edges kept;
      for (const std::size_t k : carried) {
        const tensor_spec s = joined(n, specs[k], n.to.spec(returned[k]), "its body returns another spec than it takes");
        changed = changed || !(s == specs[k]);
        specs[k] = s;
        kept.push_back(returned[k]);
      }
      return kept;
    });
    if (!changed) break;
    varies = true;
  }
  attribute_list with;
  with.body("cond", n.to.read_body(n.node, cond, specs, order, are_variables, [&](const edges& returned) {
    if (!(n.to.spec(returned[0]) == tensor_spec{dtype::boolean, {}})) n.fail("its condition is no scalar of dtype bool");
    return returned;
  }));
  with.body("body", number);
  if (varies) with.boolean("shape_invariants", true);
  edges inputs;
  for (const std::size_t k : order) inputs.push_back(n.to.value_of(n.inputs[k]));
  const edge made = n.to.out.add(ops::while_op, specs[carried[0]], inputs, with.view());
  for (std::size_t k = 1; k < carried.size(); ++k) n.to.out.add_output(specs[carried[k]]);
  edges out(count);
  for (std::size_t k = 0; k < carried.size(); ++k) out[carried[k]] = {made.node, static_cast<int>(k)};
  for (const std::size_t k : fixed) out[k] = n.inputs[k];
  return out;
}
constexpr edges read_call(const imported_node& n) { return n.to.read_function(n.node, n.to.function(n.node, "f"), n.inputs); }

// Lists of tensors are the tensors that they are stacked to.
constexpr edges read_list_reserve(const imported_node& n) {
  n.require_inputs(2);
  const auto element = n.constant(0, "the shape of an element");
  const index count = n.scalar(1, "the number of elements");
  std::vector<index> to{count};
  for (const index e : element) {
    if (e < 0) n.fail("the shape of an element is not known");
    to.push_back(e);
  }
  if (to.size() > static_cast<std::size_t>(max_rank)) n.fail("a tensor has at most 8 axes");
  return {n.call(ops::broadcast_to, {number(n, n.type("element_dtype"), 0)}, attribute_list().integers("shape", std::move(to)))};
}
constexpr edges read_list_set(const imported_node& n) {
  n.require_inputs(3);
  return {n.call(ops::array_write, n.inputs)};
}
constexpr edges read_list_get(const imported_node& n) {
  n.require_inputs(2, 3);
  return {n.call(ops::gather, {n.inputs[0], n.inputs[1]}, attribute_list().integer("axis", 0))};
}
constexpr edges read_first(const imported_node& n) {
  n.require_inputs(1, static_cast<std::size_t>(-1));
  return {n.inputs[0]};
}
constexpr edges read_all(const imported_node& n) { return n.inputs; }
constexpr edges read_nothing(const imported_node&) { return {}; }
template <const op& Kind>
constexpr edges read_binary(const imported_node& n) {
  n.require_inputs(2);
  return {n.call(Kind, n.inputs)};
}
constexpr edges read_select(const imported_node& n) {
  n.require_inputs(3);
  if (n.spec(0).shape.rank == 1 && n.spec(1).shape.rank > 1) n.fail("its condition chooses rows");
  return {n.call(ops::select, n.inputs)};
}

struct imported_op {
  std::string_view name;
  edges (*read)(const imported_node&);
};
// clang-format off
inline constexpr imported_op imported_ops[] = {
    {"Const", read_constant}, {"If", read_if}, {"StatelessIf", read_if}, {"While", read_while}, {"StatelessWhile", read_while},
    {"PartitionedCall", read_call}, {"StatefulPartitionedCall", read_call}, {"IdentityN", read_all}, {"NoOp", read_nothing},
    {"PlaceholderWithDefault", read_first}, {"Snapshot", read_first}, {"PreventGradient", read_first},
    {"Add", read_binary<ops::add>}, {"Div", read_binary<ops::divide>}, {"Select", read_select}, {"BiasAdd", read_bias_add},
    {"Softmax", read_softmax}, {"LogSoftmax", read_softmax}, {"FusedBatchNorm", read_batch_norm}, {"FusedBatchNormV2", read_batch_norm},
    {"FusedBatchNormV3", read_batch_norm}, {"LeakyRelu", read_leaky_relu}, {"MatrixDiagPart", read_diag_part},
    {"MatrixSetDiag", read_set_diag}, {"MatrixSetDiagV2", read_set_diag}, {"MatrixSetDiagV3", read_set_diag},
    {"MatrixBandPart", read_band_part}, {"ClipByValue", read_clip}, {"DivNoNan", read_quotient_or_zero<1>}, {"MulNoNan", read_mul_no_nan},
    {"Xlogy", read_xlogy}, {"Xdivy", read_quotient_or_zero<0>}, {"Roll", read_roll}, {"InvertPermutation", read_composite<invert_permutation>},
    {"TopKV2", read_top_k},
    {"SpaceToDepth", read_blocks<space_to_depth>}, {"DepthToSpace", read_blocks<depth_to_space>},
    {"LowerBound", read_search<ops::lower_bound>}, {"UpperBound", read_search<ops::upper_bound>}, {"Reshape", read_reshape},
    {"BroadcastTo", read_broadcast_to}, {"Fill", read_fill}, {"EnsureShape", read_ensure_shape}, {"Size", read_size}, {"Rank", read_rank},
    {"Range", read_range}, {"Sum", read_sum}, {"BroadcastGradientArgs", read_gradient_args}, {"Pad", read_pad}, {"PadV2", read_pad},
    {"Split", read_split}, {"Unpack", read_unpack}, {"Slice", read_slice}, {"StridedSlice", read_strided_slice},
    {"StridedSliceGrad", read_strided_slice_grad}, {"TensorStridedSliceUpdate", read_strided_slice_update}, {"ScatterNd", read_scatter_nd},
    {"OneHot", read_one_hot}, {"Bincount", read_bincount}, {"DenseBincount", read_bincount}, {"Conv2DBackpropInput", read_backprop_input<ops::conv2d_backprop_input, 4>},
    {"Conv3DBackpropInputV2", read_backprop_input<ops::conv3d_backprop_input, 5>},
    {"DepthwiseConv2dNativeBackpropInput", read_backprop_input<ops::depthwise_conv2d_backprop_input, 4>},
    {"Conv2DBackpropFilter", read_backprop_filter<ops::conv2d_backprop_filter, 4>},
    {"Conv3DBackpropFilterV2", read_backprop_filter<ops::conv3d_backprop_filter, 5>},
    {"DepthwiseConv2dNativeBackpropFilter", read_backprop_filter<ops::depthwise_conv2d_backprop_filter, 4>},
    {"AvgPoolGrad", read_avg_pool_grad<ops::avg_pool2d_grad, 4>}, {"AvgPool3DGrad", read_avg_pool_grad<ops::avg_pool3d_grad, 5>},
    {"ResizeBilinear", read_resize<ops::resize_bilinear>}, {"ResizeNearestNeighbor", read_resize<ops::resize_nearest>},
    {"ResizeBilinearGrad", read_resize_bilinear_grad}, {"StatelessRandomUniform", read_random<ops::random_uniform>},
    {"StatelessRandomNormal", read_random<ops::random_normal>}, {"StatelessRandomUniformFullInt", read_random<ops::random_bits>},
    {"StringFormat", read_string_format}, {"PrintV2", read_print}, {"Assert", read_assert}, {"CheckNumerics", read_check_numerics},
    {"TensorListReserve", read_list_reserve}, {"TensorListSetItem", read_list_set}, {"TensorListGetItem", read_list_get},
    {"TensorListStack", read_first}, {"TensorListFromTensor", read_first},
    {"VarHandleOp", read_variable}, {"VariableV2", read_variable}, {"Variable", read_variable}, {"ReadVariableOp", read_read_variable},
    {"AssignVariableOp", read_assign_variable}, {"AssignAddVariableOp", read_assign_by<ops::add>},
    {"AssignSubVariableOp", read_assign_by<ops::subtract>},
};
// clang-format on

constexpr bool import_special(const imported_node& n, std::vector<edge>& results) {
  for (const auto& i : imported_ops)
    if (i.name == n.node.op) {
      results = i.read(n);
      return true;
    }
  return false;
}

}  // namespace jig::detail::tensorflow

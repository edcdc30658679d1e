// SPDX-License-Identifier: MIT
#pragma once
// The same for parts of tensors, sorting, random numbers and effects, and the list of all that are spelled.

#include <jig/io/tensorflow/spelled.hpp>

namespace jig::detail::tensorflow {

inline written_value split_output(const spelled_node& n, const written_value& x) {
  const index parts = n.integer("num_split"), part = n.integer("part");
  const auto axis = n.in.integer(n.name + "/split_dim", n.integer("axis"));
  auto made = n.in.add("Split", n.name, {axis, x}, {int_attr("num_split", parts), type_attr("T", x.spec.dtype)}, n.spec());
  made.port = made.place = static_cast<int>(part);
  return made;
}
inline written spell_split(const spelled_node& n) { return {split_output(n, n.inputs[0])}; }

// x with zeros around it, and what is there before and behind along one axis.
inline written_value padded_along(const spelled_node& n, const written_value& x, const shape& whole, int axis, index before) {
  std::vector<std::uint64_t> words;
  for (int a = 0; a < whole.rank; ++a) {
    if (a != axis) {
      words.push_back(0), words.push_back(0);
      continue;
    }
    words.push_back(static_cast<std::uint64_t>(before));
    words.push_back(static_cast<std::uint64_t>(whole[a] - before - x.spec.shape[a]));
  }
  const auto paddings = n.in.constant(n.name + "/paddings", {dtype::int32, shape{2, {whole.rank, 2}}}, words);
  const auto zero = n.in.number(n.name + "/zero", x.spec.dtype, 0);
  return n.in.add("PadV2", n.name + "/PadV2", {x, paddings, zero}, {type_attr("T", x.spec.dtype), type_attr("Tpaddings", dtype::int32)},
                  {x.spec.dtype, whole});
}
inline written spell_split_add(const spelled_node& n) {
  const shape& s = n.spec().shape;
  const index axis = n.integer("axis"), along = axis < 0 ? axis + s.rank : axis;
  const index extent = s[static_cast<int>(along)];
  if (!is_static_extent(extent)) n.refuse("the extent of the axis is not known");
  const index length = extent / n.integer("num_split", 1);
  written_value part = n.inputs[1];
  part.spec.shape[static_cast<int>(along)] = length;
  const auto padded = padded_along(n, part, s, static_cast<int>(along), n.integer("part") * length);
  return {n.in.binary("AddV2", n.name, n.inputs[0], padded, n.spec())};
}
inline written spell_concat_part(const spelled_node& n) {
  const shape& s = n.spec().shape;
  const index axis = n.integer("axis"), along = axis < 0 ? axis + s.rank : axis;
  std::vector<index> begin(static_cast<std::size_t>(s.rank), 0), size(static_cast<std::size_t>(s.rank), -1);
  for (std::size_t k = 1; k + 1 < n.inputs.size(); ++k) {
    const index e = n.inputs[k].spec.shape[static_cast<int>(along)];
    if (!is_static_extent(e)) n.refuse("the extents of the parts before are not known");
    begin[static_cast<std::size_t>(along)] += e;
  }
  if (!is_static_extent(s[static_cast<int>(along)])) n.refuse("the extent of the part is not known");
  size[static_cast<std::size_t>(along)] = s[static_cast<int>(along)];
  const auto from = n.in.integers(n.name + "/begin", begin), count = n.in.integers(n.name + "/size", size);
  return {
      n.in.add("Slice", n.name, {n.inputs[0], from, count}, {type_attr("T", n.spec().dtype), type_attr("Index", dtype::int32)}, n.spec())};
}
inline written spell_pad(const spelled_node& n) {
  const auto list = n.integers("paddings");
  std::vector<std::uint64_t> words;
  for (const index p : list) words.push_back(static_cast<std::uint64_t>(p));
  const auto paddings = n.in.constant(n.name + "/paddings", {dtype::int32, shape{2, {static_cast<index>(list.size() / 2), 2}}}, words);
  return {n.in.add("PadV2", n.name, {n.inputs[0], paddings, n.inputs[1]},
                   {type_attr("T", n.spec().dtype), type_attr("Tpaddings", dtype::int32)}, n.spec())};
}
inline written spell_tile_sum(const spelled_node& n) {
  const shape &from = n.inputs[0].spec.shape, &to = n.spec().shape;
  if (!from.is_static() || !to.is_static() || to.rank * 2 > max_rank) n.refuse("its extents are not known");
  std::vector<index> split, along;
  tensor_spec s{n.spec().dtype, {}};
  for (int a = 0; a < to.rank; ++a) {
    along.push_back(static_cast<index>(split.size()));
    split.push_back(to[a] == 0 ? 0 : from[a] / to[a]);
    split.push_back(to[a]);
  }
  for (const index e : split) s.shape.push_back(e);
  const auto apart = n.in.add("Reshape", n.name + "/Reshape", {n.inputs[0], n.in.integers(n.name + "/shape", split)},
                              {type_attr("T", s.dtype), type_attr("Tshape", dtype::int32)}, s);
  return {sum_along(n, n.name, apart, along, false, n.spec())};
}
// A begin with one axis; that of a tensor with one axis may be a scalar.
inline written_value begin_of(const spelled_node& n) {
  const written_value& begin = n.inputs[1];
  if (begin.spec.shape.rank == 1) return begin;
  const index one[] = {1};
  return n.in.add("Reshape", n.name + "/begin", {begin, n.in.integers(n.name + "/shape", one)},
                  {type_attr("T", begin.spec.dtype), type_attr("Tshape", dtype::int32)}, {begin.spec.dtype, shape{1, {1}}});
}
inline written spell_slice(const spelled_node& n) {
  const auto begin = begin_of(n);
  if (size_of(begin.spec.dtype) < 4 || !is_signed(begin.spec.dtype)) n.refuse("positions of its dtype");
  const auto size = n.in.integers(n.name + "/size", n.integers("size"), begin.spec.dtype);
  return {n.in.add("Slice", n.name, {n.inputs[0], begin, size}, {type_attr("T", n.spec().dtype), type_attr("Index", begin.spec.dtype)},
                   n.spec())};
}
// A value put where a slice begins, with a number around it.
inline written_value padded_from(const spelled_node& n, const written_value& x, const written_value& begin, const written_value& around) {
  const int rank = n.spec().shape.rank;
  const auto shape_as = [&](const std::string& name, const written_value& of) {
    return n.in.add("Shape", name, {of}, {type_attr("T", of.spec.dtype), type_attr("out_type", begin.spec.dtype)},
                    {begin.spec.dtype, shape{1, {rank}}});
  };
  const tensor_spec vector{begin.spec.dtype, shape{1, {rank}}};
  const auto left = n.in.binary("Sub", n.name + "/Sub", shape_as(n.name + "/Shape", n.inputs[0]), begin, vector);
  const auto behind = n.in.binary("Sub", n.name + "/Sub", left, shape_as(n.name + "/Shape", x), vector);
  const auto paddings =
      n.in.add("Pack", n.name + "/paddings", {begin, behind}, {int_attr("N", 2), type_attr("T", begin.spec.dtype), int_attr("axis", 1)},
               {begin.spec.dtype, shape{2, {rank, 2}}});
  return n.in.add("PadV2", n.name + "/PadV2", {x, paddings, around},
                  {type_attr("T", x.spec.dtype), type_attr("Tpaddings", begin.spec.dtype)}, {x.spec.dtype, n.spec().shape});
}
inline written spell_slice_update(const spelled_node& n) {
  const auto begin = begin_of(n);
  const auto ones = n.in.call("OnesLike", n.name + "/ones", {n.inputs[2]}, n.inputs[2].spec, "y");
  const auto zero = n.in.number(n.name + "/zero", n.spec().dtype, 0);
  const auto where = padded_from(n, ones, begin, zero), there = padded_from(n, n.inputs[2], begin, zero);
  const auto chosen =
      n.in.add("NotEqual", n.name + "/NotEqual", {where, zero},
               {type_attr("T", n.spec().dtype), bool_attr("incompatible_shape_error", true)}, {dtype::boolean, n.spec().shape}, "z");
  return {n.in.add("SelectV2", n.name, {chosen, there, n.inputs[0]}, {type_attr("T", n.spec().dtype)}, n.spec())};
}
// jig: a tensor, what is added, and where it begins.
inline written spell_slice_add(const spelled_node& n) {
  spelled_node with = n;
  with.inputs = {n.inputs[0], n.inputs[2], n.inputs[1]};
  const auto there = padded_from(with, n.inputs[1], begin_of(with), n.in.number(n.name + "/zero", n.spec().dtype, 0));
  return {n.in.binary("AddV2", n.name, n.inputs[0], there, n.spec())};
}
inline std::vector<named_attr> slice_attrs(const spelled_node& n) {
  return {type_attr("T", n.spec().dtype),
          type_attr("Index", dtype::int32),
          int_attr("begin_mask", n.integer("begin_mask")),
          int_attr("end_mask", n.integer("end_mask")),
          int_attr("shrink_axis_mask", n.integer("shrink_axis_mask")),
          int_attr("ellipsis_mask", 0),
          int_attr("new_axis_mask", 0)};
}
inline written spell_strided_slice_add(const spelled_node& n) {
  const auto sizes = n.in.extents(n.name + "/Shape", n.spec().shape, n.inputs[0]);
  const auto begin = n.in.integers(n.name + "/begin", n.integers("begin")), end = n.in.integers(n.name + "/end", n.integers("end")),
             strides = n.in.integers(n.name + "/strides", n.integers("strides"));
  const auto there = n.in.add("StridedSliceGrad", n.name + "/grad", {sizes, begin, end, strides, n.inputs[1]}, slice_attrs(n), n.spec());
  return {n.in.binary("AddV2", n.name, n.inputs[0], there, n.spec())};
}
inline written spell_strided_slice_update(const spelled_node& n) {
  const auto begin = n.in.integers(n.name + "/begin", n.integers("begin")), end = n.in.integers(n.name + "/end", n.integers("end")),
             strides = n.in.integers(n.name + "/strides", n.integers("strides"));
  return {n.in.add("TensorStridedSliceUpdate", n.name, {n.inputs[0], begin, end, strides, n.inputs[1]}, slice_attrs(n), n.spec())};
}
inline written_value expanded(const spelled_node& n, const written_value& x, index axis) {
  tensor_spec s = x.spec;
  const int at = static_cast<int>(axis < 0 ? s.shape.rank : axis);
  s.shape.push_back(1);
  for (int a = s.shape.rank - 1; a > at; --a) s.shape[a] = s.shape[a - 1];
  s.shape[at] = 1;
  const auto dim = n.in.integer(n.name + "/dim", axis);
  return n.in.add("ExpandDims", n.name + "/ExpandDims", {x, dim}, {type_attr("T", s.dtype), type_attr("Tdim", dtype::int32)}, s);
}
// jig: a tensor, what is added, and where Gather finds it.
inline written spell_gather_add(const spelled_node& n) {
  const index axis = n.integer("axis");
  if (axis != 0 && axis != -n.spec().shape.rank) n.refuse("the axis is not the first");
  const auto places = expanded(n, n.inputs[2], -1);
  const auto sizes = n.in.extents(n.name + "/Shape", n.spec().shape, n.inputs[0]);
  const auto sizes_there =
      places.spec.dtype == dtype::int32
          ? sizes
          : n.in.add("Cast", n.name + "/Cast", {sizes},
                     {type_attr("SrcT", dtype::int32), type_attr("DstT", places.spec.dtype), bool_attr("Truncate", false)},
                     {places.spec.dtype, sizes.spec.shape}, "y");
  const auto there = n.in.add("ScatterNd", n.name + "/ScatterNd", {places, n.inputs[1], sizes_there},
                              {type_attr("Tindices", places.spec.dtype), type_attr("T", n.spec().dtype)}, n.spec());
  return {n.in.binary("AddV2", n.name, n.inputs[0], there, n.spec())};
}
inline written spell_one_hot(const spelled_node& n) {
  const dtype d = static_cast<dtype>(n.integer("T"));
  const auto depth = n.in.integer(n.name + "/depth", n.integer("depth"));
  const auto on = n.in.number(n.name + "/on_value", d, 1), off = n.in.number(n.name + "/off_value", d, 0);
  return {n.in.add("OneHot", n.name, {n.inputs[0], depth, on, off},
                   {type_attr("T", d), type_attr("TI", n.inputs[0].spec.dtype), int_attr("axis", -1)}, n.spec())};
}
// Of a matrix TensorFlow counts each row.
inline written spell_bincount(const spelled_node& n) {
  const dtype d = n.spec().dtype;
  if (d != dtype::int32 && d != dtype::int64 && d != dtype::float32 && d != dtype::float64) n.refuse("counts of its dtype");
  const auto flat = [&](const written_value& x) {
    if (x.spec.shape.rank == 1) return x;
    const index all[] = {-1};
    return n.in.add("Reshape", n.name + "/Reshape", {x, n.in.integers(n.name + "/shape", all)},
                    {type_attr("T", x.spec.dtype), type_attr("Tshape", dtype::int32)}, {x.spec.dtype, shape{1, {x.spec.shape.size()}}});
  };
  written_value x = flat(n.inputs[0]);
  if (x.spec.dtype != dtype::int32 && x.spec.dtype != dtype::int64)
    x = n.in.add("Cast", n.name + "/Cast", {x},
                 {type_attr("SrcT", x.spec.dtype), type_attr("DstT", dtype::int64), bool_attr("Truncate", false)},
                 {dtype::int64, x.spec.shape}, "y");
  const auto size = n.in.number(n.name + "/size", x.spec.dtype, static_cast<double>(n.integer("size")));
  const auto weights = n.inputs.size() > 1 ? flat(n.inputs[1]) : n.in.constant(n.name + "/weights", {d, shape{1, {0}}}, {});
  return {n.in.add("DenseBincount", n.name, {x, size, weights},
                   {type_attr("Tidx", x.spec.dtype), type_attr("T", d), bool_attr("binary_output", false)}, n.spec())};
}
inline written spell_roll(const spelled_node& n) {
  const dtype d = n.inputs[1].spec.dtype;
  written_value shift = n.inputs[1];
  if (d != dtype::int32 && d != dtype::int64)
    shift = n.in.add("Cast", n.name + "/Cast", {shift},
                     {type_attr("SrcT", d), type_attr("DstT", dtype::int64), bool_attr("Truncate", false)}, {dtype::int64, {}}, "y");
  const auto axis = n.in.integer(n.name + "/axis", n.integer("axis"));
  return {n.in.add("Roll", n.name, {n.inputs[0], shift, axis},
                   {type_attr("T", n.spec().dtype), type_attr("Tshift", shift.spec.dtype), type_attr("Taxis", dtype::int32)}, n.spec())};
}
inline written spell_set_diag(const spelled_node& n) {
  const int rank = n.spec().shape.rank;
  const auto axes = n.integers("axes");
  if ((axes[0] != -2 && axes[0] != rank - 2) || (axes[1] != -1 && axes[1] != rank - 1)) n.refuse("the axes are not the last");
  return {n.in.call("MatrixSetDiag", n.name, n.inputs, n.spec())};
}
inline written spell_triangle(const spelled_node& n) {
  const index lower = n.integer("lower") != 0 ? -1 : 0, upper = -1 - lower;
  return {n.in.add("MatrixBandPart", n.name, {n.inputs[0], n.in.integer(n.name + "/lower", lower), n.in.integer(n.name + "/upper", upper)},
                   {type_attr("T", n.spec().dtype), type_attr("Tindex", dtype::int32)}, n.spec())};
}
// Of matrices TensorFlow searches row by row.
inline written spell_search(const spelled_node& n) {
  const auto rows = [&](const written_value& x, const char* name, bool one) {
    const shape& s = x.spec.shape;
    if (s.rank == 2 && !one) return x;
    const index last = one ? -1 : s[s.rank - 1];
    if (!one && !is_static_extent(last)) n.refuse("the last extent of more than two axes is not known");
    const index to[] = {one ? index{1} : index{-1}, last};
    return n.in.add("Reshape", n.name + "/Reshape", {x, n.in.integers(n.name + name, to)},
                    {type_attr("T", x.spec.dtype), type_attr("Tshape", dtype::int32)}, {x.spec.dtype, shape{2, {dyn, dyn}}});
  };
  const bool one = n.inputs[0].spec.shape.rank == 1, flat = n.spec().shape.rank == 2 && !one;
  const auto sorted = rows(n.inputs[0], "/sorted", one), values = rows(n.inputs[1], "/values", one);
  const auto found =
      n.in.add(is_op(n.node().kind(), ops::lower_bound) ? "LowerBound" : "UpperBound", flat ? n.name : n.name + "/found", {sorted, values},
               {type_attr("T", values.spec.dtype), type_attr("out_type", dtype::int32)}, {dtype::int32, values.spec.shape});
  if (flat) return {found};
  return {n.in.add("Reshape", n.name, {found, n.in.extents(n.name + "/shape", n.spec().shape, n.inputs[1])},
                   {type_attr("T", dtype::int32), type_attr("Tshape", dtype::int32)}, n.spec())};
}
// Along the last axis the largest come first; to have the smallest first, the largest of the negative.
template <bool Values>
written spell_sort(const spelled_node& n) {
  const tensor_spec& s = n.inputs[0].spec;
  const index axis = n.integer("axis");
  if ((axis != -1 && axis != s.shape.rank - 1) || s.shape.rank == 0) n.refuse("the axis is not the last");
  const bool down = n.integer("descending") != 0;
  if (!down && !is_floating(s.dtype)) n.refuse("integers are sorted upwards");
  written_value x = n.inputs[0];
  if (!down) x = n.in.call("Neg", n.name + "/Neg", {x}, s, "y");
  const auto k = n.in.extent_of(n.name + "/k", x, s.shape.rank - 1);
  auto made = n.in.add("TopKV2", Values && !down ? n.name + "/TopKV2" : n.name, {x, k},
                       {type_attr("T", s.dtype), bool_attr("sorted", true)}, s, Values ? "values" : "indices");
  if (!Values) made.port = 1;
  if (Values && !down) made = n.in.call("Neg", n.name, {made}, s, "y");
  return {made};
}

inline written spell_constant(const spelled_node& n) {
  return {n.in.constant(n.name, n.spec(), n.node().attribute("value").words, n.node().attribute("text").text)};
}
inline written spell_random(const spelled_node& n) {
  if (n.inputs[1].spec.shape.rank != 1) n.refuse("the seed is no pair");
  if (n.inputs[1].spec.dtype != dtype::int32 && n.inputs[1].spec.dtype != dtype::int64) n.refuse("a seed of its dtype");
  const std::string_view op = is_op(n.node().kind(), ops::random_uniform)  ? "StatelessRandomUniform"
                              : is_op(n.node().kind(), ops::random_normal) ? "StatelessRandomNormal"
                                                                           : "StatelessRandomUniformFullInt";
  const auto sizes = n.in.extents(n.name + "/shape", n.spec().shape, n.inputs[0]);
  return {n.in.add(op, n.name, {sizes, n.inputs[1]},
                   {type_attr("T", dtype::int32), type_attr("Tseed", n.inputs[1].spec.dtype), type_attr("dtype", n.spec().dtype)},
                   n.spec())};
}
// A tensor array is the tensor that its elements are stacked to.
inline written spell_new_array(const spelled_node& n) {
  const shape& s = n.spec().shape;
  std::vector<written_value> scalars;
  const int at = static_cast<int>(n.integer("element_axis"));
  for (int a = 0; a < s.rank; ++a) {
    if (is_static_extent(s[a])) scalars.push_back(n.in.integer(n.name + "/extent", s[a]));
    else if (a == at) scalars.push_back(n.in.extent_of(n.name + "/extent", n.inputs[0], static_cast<int>(n.integer("axis"))));
    else if (n.inputs.size() > 1) scalars.push_back(n.in.extent_of(n.name + "/extent", n.inputs[1], a < at ? a : a - 1));
    else n.refuse("the extents of its elements are not known");
  }
  const auto dims = s.is_static() ? n.in.integers(n.name + "/dims", stretch<index>(s.extents, static_cast<std::size_t>(s.rank)))
                                  : n.in.pack(n.name + "/dims", scalars);
  if (n.spec().dtype == dtype::string) n.refuse("its elements are strings");
  return {n.in.add("Fill", n.name, {dims, n.in.number(n.name + "/value", n.spec().dtype, 0)},
                   {type_attr("T", n.spec().dtype), type_attr("index_type", dtype::int32)}, n.spec())};
}
inline written spell_array_write(const spelled_node& n) {
  if (n.integer("element_axis") != 0) n.refuse("its elements do not lie along the first axis");
  const auto row = expanded(n, expanded(n, n.inputs[1], 0), 0), part = expanded(n, n.inputs[2], 0);
  return {n.in.add("TensorScatterUpdate", n.name, {n.inputs[0], row, part},
                   {type_attr("T", n.spec().dtype), type_attr("Tindices", row.spec.dtype)}, n.spec())};
}

inline std::vector<dtype> dtypes_of(const written& values) {
  std::vector<dtype> out;
  for (const auto& v : values) out.push_back(v.spec.dtype);
  return out;
}
inline written spell_print(const spelled_node& n) {
  const auto line = n.in.add("StringFormat", n.name + "/StringFormat", n.inputs,
                             {types_attr("T", dtypes_of(n.inputs)), text_attr("template", n.node().attribute("template").text),
                              text_attr("placeholder", n.node().attribute("placeholder").text), int_attr("summarize", 3)},
                             {dtype::string, {}});
  const auto made = n.in.add("PrintV2", n.name, {line}, {text_attr("output_stream", "stdout"), text_attr("end", "\n")}, n.spec());
  n.in.mark_effect();
  return {made};
}
inline written spell_assert(const spelled_node& n) {
  const node_view node = n.node();
  const std::string_view message = node.attribute("message").text, text = message.empty() ? node.attribute("template").text : message;
  written inputs = n.inputs;
  inputs.insert(inputs.begin() + 1, n.in.string(n.name + "/message", text));
  const written data(inputs.begin() + 1, inputs.end());
  const auto made = n.in.add("Assert", n.name, inputs, {types_attr("T", dtypes_of(data)), int_attr("summarize", 3)}, n.spec());
  if (message.empty()) n.in.last().attr.push_back(text_attr("_placeholder", node.attribute("placeholder").text));
  n.in.mark_effect();
  return {made};
}
inline written spell_check_numerics(const spelled_node& n) {
  const auto message = n.node().attribute("message").text;
  const auto made =
      n.in.add("CheckNumerics", n.name, {n.inputs[0]}, {type_attr("T", n.spec().dtype), text_attr("message", message)}, n.spec());
  n.in.mark_effect();
  return {made};
}
inline written spell_note(const spelled_node& n) {
  return {n.in.add("NoOp", n.name, {}, {text_attr("_note", n.node().attribute("note").text)}, n.spec())};
}

struct spelled_op {
  const op* kind;
  written (*write)(const spelled_node&);
};
/// All that are spelled.
// clang-format off
inline constexpr spelled_op spelled_ops[] = {
    {&ops::constant, spell_constant}, {&ops::fma, spell_fma}, {&ops::trunc, spell_trunc}, {&ops::silu, spell_silu}, {&ops::gelu, spell_gelu},
    {&ops::leaky_relu, spell_leaky_relu}, {&ops::diag_part, spell_diag_part}, {&ops::diag_part_add, spell_diag_part_add}, {&ops::eye, spell_eye},
    {&ops::conv2d_backprop_input, spell_backprop_input<false>}, {&ops::conv2d_backprop_filter, spell_backprop_filter<false>},
    {&ops::conv3d_backprop_input, spell_backprop_input<true>}, {&ops::conv3d_backprop_filter, spell_backprop_filter<true>},
    {&ops::depthwise_conv2d_backprop_input, spell_backprop_input<false>}, {&ops::depthwise_conv2d_backprop_filter, spell_backprop_filter<false>},
    {&ops::avg_pool2d_grad, spell_avg_pool_grad<false>}, {&ops::avg_pool3d_grad, spell_avg_pool_grad<true>},
    {&ops::resize_bilinear, spell_resize<true>}, {&ops::resize_nearest, spell_resize<false>},
    {&ops::resize_bilinear_grad, spell_resize_bilinear_grad}, {&ops::resize_nearest_grad, spell_resize_nearest_grad},
    {&ops::reshape, spell_reshape}, {&ops::broadcast_to, spell_broadcast_to}, {&ops::split, spell_split}, {&ops::concat_part, spell_concat_part},
    {&ops::split_add, spell_split_add}, {&ops::tile_sum, spell_tile_sum}, {&ops::pad, spell_pad}, {&ops::set_shape, spell_set_shape},
    {&ops::ensure_shape, spell_first}, {&ops::broadcast_like, spell_broadcast_like}, {&ops::sum_like, spell_sum_like},
    {&ops::shrinkage, spell_shrinkage}, {&ops::slice, spell_slice}, {&ops::slice_update, spell_slice_update}, {&ops::slice_add, spell_slice_add},
    {&ops::strided_slice_add, spell_strided_slice_add}, {&ops::strided_slice_update, spell_strided_slice_update},
    {&ops::gather_add, spell_gather_add}, {&ops::one_hot, spell_one_hot}, {&ops::bincount, spell_bincount}, {&ops::roll, spell_roll},
    {&ops::set_diag, spell_set_diag}, {&ops::triangle, spell_triangle}, {&ops::lower_bound, spell_search}, {&ops::upper_bound, spell_search}, {&ops::sort, spell_sort<true>}, {&ops::argsort, spell_sort<false>},
    {&ops::fill, spell_fill}, {&ops::random_uniform, spell_random}, {&ops::random_normal, spell_random}, {&ops::random_bits, spell_random},
    {&ops::new_array, spell_new_array}, {&ops::array_write, spell_array_write}, {&ops::print, spell_print}, {&ops::assert_that, spell_assert},
    {&ops::assert_equal, spell_assert}, {&ops::check_numerics, spell_check_numerics}, {&ops::trace_note, spell_note},
};
// clang-format on

inline std::vector<written_value> spell(const spelled_node& n) {
  for (const auto& s : spelled_ops)
    if (is_op(*s.kind, n.node().kind())) return s.write(n);
  n.refuse("nobody says how it is written");
}

}  // namespace jig::detail::tensorflow

// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for jig's ops on extents and positions, for branches and for loops.

#include <jig/io/onnx/exported_images.hpp>

namespace jig::onnx {

// Extents of the result as a constant, with -1 for the one that a run tells.
inline std::string extents_of_result(exported_node& x) {
  const shape s = x.n.shape();
  std::vector<index> to;
  int unknown = 0;
  for (int a = 0; a < s.rank; ++a) {
    to.push_back(is_static_extent(s[a]) ? s[a] : -1);
    unknown += !is_static_extent(s[a]);
  }
  if (unknown > 1) x.refuse("more than one extent of the result is unknown");
  return x.to.integers(to);
}
// From, to and by how much, axis by axis.
struct written_slice {
  std::vector<index> starts, ends, axes, steps, gone;
};
inline std::string sliced(exported_node& x, const written_slice& s) {
  const auto y = x.make("Slice", {x.in[0], x.to.integers(s.starts), x.to.integers(s.ends), x.to.integers(s.axes), x.to.integers(s.steps)});
  return s.gone.empty() ? y : x.make("Squeeze", {y, x.to.integers(s.gone)});
}

inline std::string zeros_of_result(exported_node& x) {
  const shape s = x.known(x.n.shape());
  return x.make("Expand", {x.number(0), x.to.integers({s.extents, s.extents + s.rank})});
}

// The sum along the axes that the second input has not, or where it is 1; where neither is known the run finds them.
inline std::string summed_like(exported_node& x) {
  const shape from = x.extents(0), to = x.extents(1);
  const int added = from.rank - to.rank;
  const std::string like = x.make("Shape", {x.in[1]});
  std::vector<index> axes;
  bool known = true;
  for (int a = 0; a < from.rank; ++a) {
    if (a < added || to[a - added] == 1) axes.push_back(a);
    else known = known && (is_static_extent(to[a - added]) || (from[a] == to[a - added] && is_named_extent(from[a])));
  }
  std::string along;
  if (known) {
    along = x.to.integers(axes);
  } else {
    const auto ones = x.to.integers(std::vector<index>(static_cast<std::size_t>(added), 1));
    const auto wanted = added == 0 ? like : x.make("Concat", {ones, like}, {attribute("axis", 0)});
    const auto other = x.make("Not", {x.make("Equal", {wanted, x.make("Shape", {x.in[0]})})});
    along = x.make("Reshape", {x.make("NonZero", {other}), x.to.integers({-1})});
  }
  return x.make("Reshape", {x.make("ReduceSum", {x.in[0], along}, {attribute("keepdims", 1), attribute("noop_with_empty_axes", 1)}), like});
}

inline bool export_shape(exported_node& x) {
  const auto& in = x.in;
  constexpr index last = (std::numeric_limits<index>::max)();
  if (x.is(ops::reshape)) {
    x.give(x.make("Reshape", {in[0], extents_of_result(x)}));
  } else if (x.is(ops::transpose)) {
    std::vector<index> order = x.ints("perm");
    for (index& a : order) a += a < 0 ? static_cast<index>(order.size()) : 0;
    x.give(order.empty() ? x.make("Identity", in) : x.make("Transpose", in, {attribute("perm", order)}));
  } else if (x.is(ops::expand_dims)) {
    x.give(x.make("Unsqueeze", {in[0], x.to.integers({x.integer("dim")})}));
  } else if (x.is(ops::squeeze)) {
    const auto axes = x.ints("squeeze_dims");
    x.give(axes.empty() ? x.make("Identity", in) : x.make("Squeeze", {in[0], x.to.integers(axes)}));
  } else if (x.is(ops::broadcast_to)) {
    const shape s = x.n.shape(), from = x.extents(0);
    std::vector<index> to;
    for (int a = 0; a < s.rank; ++a) {
      const int own = a - (s.rank - from.rank);
      if (!is_static_extent(s[a]) && (own < 0 || from[own] == 1)) x.refuse("an extent of the result is unknown");
      to.push_back(is_static_extent(s[a]) ? s[a] : 1);
    }
    x.give(x.make("Expand", {in[0], x.to.integers(to)}));
  } else if (x.is(ops::concat)) {
    x.give(x.make("Concat", in, {attribute("axis", x.integer("axis"))}));
  } else if (x.is(ops::pack)) {
    exporter::names parts;
    const index given = x.integer("axis"), axis = given < 0 ? given + x.n.shape().rank : given;
    for (const auto& i : in) parts.push_back(x.make("Unsqueeze", {i, x.to.integers({axis})}));
    x.give(x.make("Concat", parts, {attribute("axis", axis)}));
  } else if (x.is(ops::split)) {
    const shape s = x.n.shape();
    const index given = x.integer("axis"), axis = given < 0 ? given + s.rank : given, each = s[static_cast<int>(axis)];
    if (!is_static_extent(each)) x.refuse("the extent that it divides must be known");
    x.give(sliced(x, {{x.integer("part") * each}, {(x.integer("part") + 1) * each}, {axis}, {1}, {}}));
  } else if (x.is(ops::strided_slice)) {
    written_slice s;
    const auto begin = x.ints("begin"), end = x.ints("end"), strides = x.ints("strides");
    for (std::size_t a = 0; a < begin.size(); ++a) {
      const auto marked = [&](const char* key) { return (x.integer(key) >> a & 1) != 0; };
      const bool single = marked("shrink_axis_mask"), forward = single || strides[a] > 0;
      s.starts.push_back(!single && marked("begin_mask") ? (forward ? 0 : last) : begin[a]);
      s.ends.push_back(single ? (begin[a] == -1 ? last : begin[a] + 1) : marked("end_mask") ? (forward ? last : -last) : end[a]);
      s.axes.push_back(static_cast<index>(a));
      s.steps.push_back(single ? 1 : strides[a]);
      if (single) s.gone.push_back(static_cast<index>(a));
    }
    x.give(begin.empty() ? x.make("Identity", in) : sliced(x, s));
  } else if (x.is(ops::reverse)) {
    written_slice s;
    for (const index a : x.ints("axis")) s.starts.push_back(last), s.ends.push_back(-last), s.axes.push_back(a), s.steps.push_back(-1);
    x.give(s.axes.empty() ? x.make("Identity", in) : sliced(x, s));
  } else if (x.is(ops::slice)) {
    std::vector<index> size = x.ints("size"), axes;
    for (std::size_t a = 0; a < size.size(); ++a) {
      if (size[a] < 0) size[a] = last / 2;
      axes.push_back(static_cast<index>(a));
    }
    const auto begin = x.make("Reshape", {x.to.cast(in[1], dtype::int64), x.to.integers({static_cast<index>(size.size())})});
    x.give(x.make("Slice", {in[0], begin, x.make("Add", {begin, x.to.integers(size)}), x.to.integers(axes)}));
  } else if (x.is(ops::gather)) {
    if (const index given = x.integer("batch_dims"); given != 0) {
      const index batch = given < 0 ? given + x.extents(1).rank : given, axis = x.integer("axis");
      if ((axis < 0 ? axis + x.extents(0).rank : axis) != batch) x.refuse("the axis is not the first behind the batch axes");
      const auto at = x.make("Unsqueeze", {x.to.cast(in[1], dtype::int64), x.to.integers({-1})});
      return x.give(x.make("GatherND", {in[0], at}, {attribute("batch_dims", batch)})), true;
    }
    const bool fits = x.spec(1).dtype == dtype::int32 || x.spec(1).dtype == dtype::int64;
    x.give(x.make("Gather", {in[0], fits ? in[1] : x.to.cast(in[1], dtype::int64)}, {attribute("axis", x.integer("axis"))}));
  } else if (x.is(ops::one_hot)) {
    // OneHot of ONNX counts negative positions from the end, and has no scalars.
    std::vector<index> places;
    for (index k = 0; k < x.integer("depth"); ++k) places.push_back(k);
    const auto at = x.make("Unsqueeze", {x.to.cast(in[0], dtype::int64), x.to.integers({-1})});
    x.give(x.to.cast(x.make("Equal", {at, x.to.integers(places)}), x.n.dtype()));
  } else if (x.is(ops::tile)) {
    x.give(x.make("Tile", {in[0], x.to.integers(x.ints("multiples"))}));
  } else if (x.is(ops::pad)) {
    std::vector<index> pads;
    const auto given = x.ints("paddings");
    for (const std::size_t side : {0u, 1u})
      for (std::size_t a = 0; 2 * a < given.size(); ++a) pads.push_back(given[2 * a + side]);
    x.give(x.make("Pad", {in[0], x.to.integers(pads), in[1]}));
  } else if (x.is(ops::gather_nd)) {
    x.give(x.make("GatherND", {in[0], x.to.cast(in[1], dtype::int64)}));
  } else if (x.is(ops::tensor_scatter_update)) {
    x.give(x.make("ScatterND", {in[0], x.to.cast(in[1], dtype::int64), in[2]}));
  } else if (x.is(ops::tensor_scatter_add)) {
    x.to.need_opset(16);
    x.give(x.make("ScatterND", {in[0], x.to.cast(in[1], dtype::int64), in[2]}, {written_attribute::of_text("reduction", "add")}));
  } else if (x.is(ops::gather_add)) {
    const index axis = x.integer("axis");
    if (x.integer("batch_dims") != 0 || (axis != 0 && axis + x.extents(0).rank != 0)) x.refuse("the axis is not the first");
    x.to.need_opset(16);
    const auto at = x.make("Unsqueeze", {x.to.cast(in[2], dtype::int64), x.to.integers({-1})});
    x.give(x.make("ScatterND", {in[0], at, in[1]}, {written_attribute::of_text("reduction", "add")}));
  } else if (x.is(ops::scatter_nd)) {
    x.to.need_opset(16);
    x.give(
        x.make("ScatterND", {zeros_of_result(x), x.to.cast(in[0], dtype::int64), in[1]}, {written_attribute::of_text("reduction", "add")}));
  } else if (x.is(ops::split_add)) {
    const shape s = x.extents(0);
    const index given = x.integer("axis"), axis = given < 0 ? given + s.rank : given;
    const index whole = s[static_cast<int>(axis)], each = x.extents(1)[static_cast<int>(axis)], before = x.integer("part") * each;
    if (!is_static_extent(whole) || !is_static_extent(each)) x.refuse("the extent that it divides must be known");
    std::vector<index> pads(static_cast<std::size_t>(2 * s.rank));
    pads[static_cast<std::size_t>(axis)] = before;
    pads[static_cast<std::size_t>(axis + s.rank)] = whole - each - before;
    x.give(x.make("Add", {in[0], x.make("Pad", {in[1], x.to.integers(pads), x.number(0)})}));
  } else if (x.is(ops::where)) {
    x.give(x.make("Transpose", {x.make("NonZero", in)}, {attribute("perm", {1, 0})}));
  } else if (x.is(ops::set_shape) || x.is(ops::ensure_shape)) {
    // What else there is tells extents.
    x.give(x.make("Identity", {in[0]}));
  } else if (x.is(ops::shrinkage)) {
    // As doubles: a half has no such numbers. Of nothing it is 0.
    const auto size = [&](const std::string& of) { return x.to.cast(x.make("Size", {of}), dtype::float64); };
    const auto from = size(in[0]), to = x.make("Mul", {size(in[1]), x.make("Sign", {from})});
    x.give(x.to.cast(x.make("Div", {to, x.make("Max", {from, x.to.number(dtype::float64, 1)})}), x.n.dtype()));
  } else if (x.is(ops::sum_like)) {
    x.give(summed_like(x));
  } else if (x.is(ops::shape_of)) {
    x.give(x.to.cast(x.make("Shape", in), dtype::int32));
  } else if (x.is(ops::new_array)) {
    x.give(zeros_of_result(x));
  } else if (x.is(ops::array_write)) {
    if (x.integer("element_axis") != 0) x.refuse("elements of the array do not lie along its first axis");
    const auto at = x.make("Reshape", {x.to.cast(in[1], dtype::int64), x.to.integers({1, 1})});
    x.give(x.make("ScatterND", {in[0], at, x.make("Unsqueeze", {in[2], x.to.integers({0})})}));
  } else {
    return false;
  }
  return true;
}

// A body's nodes where its arguments have these names; the names of its results.
inline exporter::names inlined(exporter& to, const graph_view& body, const exporter::names& arguments) {
  exporter::values v(static_cast<std::size_t>(body.size()));
  for (std::size_t k = 0; k < body.inputs().size(); ++k) v[exporter::at(body.inputs()[k])] = {arguments[k]};
  to.write_nodes(body, v);
  exporter::names out;
  for (const auto& e : body.outputs()) out.push_back(exporter::name_of(v, e));
  return out;
}
inline bool export_control(exported_node& x) {
  if (!x.n.kind().is(fact::control)) return false;
  if (!x.n.attribute("effects_only").key.empty()) x.refuse("ONNX has no effects");
  const auto results = static_cast<std::size_t>(x.n.outputs());
  std::vector<tensor_spec> specs;
  for (std::size_t k = 0; k < results; ++k) specs.push_back(x.n.spec(static_cast<int>(k)));
  for (std::size_t k = 0; k < results; ++k) {
    x.give(x.to.fresh());
    if (specs[k].dtype == dtype::bfloat16) x.to.need_opset(16);
  }
  if (x.n.attribute("cond").key.empty()) {
    // The branches of ONNX see what is around them.
    const exporter::names passed(x.in.begin() + 1, x.in.end());
    const auto branch = [&](std::string_view key) {
      return x.to.body({}, specs, [&] { return inlined(x.to, x.g.body(x.n, key), passed); });
    };
    x.to.node("If", {x.in[0]}, x.out,
              {written_attribute::of_graph("then_branch", branch("then_branch")),
               written_attribute::of_graph("else_branch", branch("else_branch"))});
    return true;
  }
  const graph_view condition = x.g.body(x.n, "cond"), body = x.g.body(x.n, "body");
  exporter::names inputs{"", inlined(x.to, condition, x.in)[0]}, inside = x.in;
  std::vector<std::pair<std::string, tensor_spec>> parameters{{x.to.fresh(), {dtype::int64, {}}}, {x.to.fresh(), {dtype::boolean, {}}}};
  for (std::size_t k = 0; k < results; ++k) {
    inputs.push_back(x.in[k]);
    inside[k] = x.to.fresh();
    x.to.note(inside[k], specs[k].dtype);
    parameters.emplace_back(inside[k], specs[k]);
  }
  std::vector<tensor_spec> returned{{dtype::boolean, {}}};
  returned.insert(returned.end(), specs.begin(), specs.end());
  const std::string trip = x.to.body(parameters, returned, [&] {
    exporter::names next = inlined(x.to, body, inside), now = inside;
    std::copy(next.begin(), next.end(), now.begin());
    next.insert(next.begin(), inlined(x.to, condition, now)[0]);
    return next;
  });
  x.to.node("Loop", inputs, x.out, {written_attribute::of_graph("body", trip)});
  return true;
}

inline void exporter::write_nodes(const graph_view& g, values& v) {
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (n.kind().is(fact::input)) continue;
    if (n.kind().is(fact::constant)) {
      v[at(id)] = {constant(detail::constant_tensor<>(g, id))};
      continue;
    }
    exported_node x{*this, g, n, {}};
    for (const auto& e : n.inputs()) x.in.push_back(name_of(v, e));
    if (!export_elementwise(x) && !export_reduction(x) && !export_product(x) && !export_window(x) && !export_transposed(x) &&
        !export_resize(x) && !export_shape(x) && !export_control(x))
      refuse(n.op(), "ONNX has no such op, or jig does not know how to say it there");
    for (std::size_t k = 0; k < x.out.size(); ++k) note(x.out[k], n.spec(static_cast<int>(k)).dtype);
    v[at(id)] = std::move(x.out);
  }
}

/// A graph as the bytes of an ONNX model.
/// Errors: what ONNX has no word for throws jig::error, which names the op.
inline std::string model_bytes(const named_graph& g) { return exporter().run(g); }

}  // namespace jig::onnx

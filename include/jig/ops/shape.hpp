// SPDX-License-Identifier: MIT
#pragma once
// The shape of tensors: other extents, other orders of axes, parts and joins. What can be seen in the memory
// of the input is a view and costs nothing; the rest copies.

#include <jig/ops/copy.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/reduce.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace jig {

/// As an extent of reshape: the one that makes the number of elements fit.
inline constexpr index infer = dyn;

/// As a bound of a slice: as far as the axis goes.
inline constexpr index unbounded = (std::numeric_limits<index>::min)();

/// The part of an axis that a slice takes.
struct slice_range {
  index begin = unbounded;
  index end = unbounded;
  index step = 1;
};

/// A whole axis.
inline constexpr slice_range all{};

/// The positions begin, begin + step, … of an axis, without end. Negative bounds count from the end of the
/// axis; each may be `jig::unbounded`.
constexpr slice_range range_of(index begin, index end, index step = 1) { return {begin, end, step}; }

namespace detail {

/// dtype and extents of an operand, known at compile time; a literal has rank 0.
template <class X>
constexpr shape operand_shape() {
  if constexpr (std::is_void_v<typename operand_spec<X>::type>) return {};
  else return operand_spec<X>::type::value().shape;
}

// In a list of extents: the product of some axes of one of the inputs, which only a call may know. These
// numbers lie below every name.
constexpr index product_of_axes(int input, int first, int count = 1) { return lowest_name - 1 - ((input * 16 + first) * 16 + count); }
constexpr index listed_extent(rule_context& c, index e) {
  if (is_static_extent(e)) return e;
  if (e >= lowest_name) {
    c.fail("a named extent must be one of the input");
    return 1;
  }
  index code = lowest_name - 1 - e, count = code % 16, first = code / 16 % 16;
  const shape& s = c.inputs[static_cast<std::size_t>(code / 256)].shape;
  index product = 1;
  for (index a = first; a < first + count; ++a) product = c.product(product, s[static_cast<int>(a)]);
  return product;
}
// A name stands for the axis that bears it.
constexpr index without_name(index e, const shape& s) {
  if (!is_named_extent(e)) return e;
  for (int a = 0; a < s.rank; ++a)
    if (s[a] == e) return product_of_axes(0, a);
  return e;
}
template <class X>
constexpr index without_name(index e) {
  return without_name(e, operand_shape<X>());
}

constexpr index number_of_elements(rule_context& c, const shape& s) {
  index n = 1;
  for (int a = 0; a < s.rank; ++a) n = c.product(n, s[a]);
  return n;
}

// The extent that is left when the others of the result are known.
constexpr index inferred_extent(rule_context& c, const shape& from, index known) {
  if (known == 0) {
    c.fail("no extent can be inferred beside one of 0");
    return 0;
  }
  // A single unknown extent of the input is itself the answer, with its name, where all the others cancel.
  index static_product = 1, unknown = 1;
  int unknowns = 0;
  for (int a = 0; a < from.rank; ++a) {
    if (is_static_extent(from[a])) static_product *= from[a];
    else unknown = from[a], ++unknowns;
  }
  if (unknowns == 1 && static_product == known) return unknown;
  return c.quotient(number_of_elements(c, from), known, "the elements do not divide by these extents");
}

constexpr void reshape_rule(rule_context& c) {
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  const shape& from = c.inputs[0].shape;
  shape to;
  int open = -1;
  index known = 1;
  for (index e : listed) {
    if (e == jig::infer) {
      if (open >= 0) return c.fail("only one extent can be inferred");
      open = to.rank;
    } else {
      e = listed_extent(c, e);
      known = c.product(known, e);
    }
    to.push_back(e);
  }
  if (open >= 0) to[open] = inferred_extent(c, from, known);
  else c.equal(number_of_elements(c, from), known, "the numbers of elements differ");
  c.result = {c.inputs[0].dtype, to};
}

constexpr void expand_dims_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  if (from.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  int at = c.axis(c.integer("dim"), from.rank + 1);
  shape to;
  for (int a = 0; a <= from.rank; ++a) to.push_back(a < at ? from[a] : a == at ? 1 : from[a - 1]);
  c.result = {c.inputs[0].dtype, to};
}

constexpr void squeeze_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  unsigned gone = 0;
  for (index listed : c.integers("squeeze_dims")) {
    int a = c.axis(listed, from.rank);
    if (c.failed) return;
    c.equal(from[a], 1, "a squeezed axis must have extent 1");
    gone |= 1u << a;
  }
  shape to;
  for (int a = 0; a < from.rank; ++a)
    if ((gone >> a & 1) == 0) to.push_back(from[a]);
  c.result = {c.inputs[0].dtype, to};
}

constexpr void transpose_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto order = c.integers("perm");
  if (order.size() != static_cast<std::size_t>(from.rank)) return c.fail("a permutation names every axis once");
  shape to;
  unsigned seen = 0;
  for (index listed : order) {
    int a = c.axis(listed, from.rank);
    seen |= 1u << a;
    to.push_back(from[a]);
  }
  if (seen != (1u << from.rank) - 1) return c.fail("a permutation names every axis once");
  c.result = {c.inputs[0].dtype, to};
}
constexpr void transpose_strides(const restride_context& c, index&, shape& strides) {
  int i = 0;
  for (index a : find_attribute(c.attributes, "perm").values)
    strides[i++] = c.input_strides[static_cast<int>(a < 0 ? a + c.input.rank : a)];
}

constexpr void broadcast_to_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  int added = static_cast<int>(listed.size()) - from.rank;
  if (added < 0) return c.fail("it has more axes than the target");
  shape to;
  for (int a = 0; a < from.rank + added; ++a) {
    index e = listed[static_cast<std::size_t>(a)];
    if (e == dyn) {
      if (a < added) return c.fail("a new axis needs an extent");
      to.push_back(from[a - added]);
      continue;
    }
    e = listed_extent(c, e);
    if (a >= added && from[a - added] != 1) {
      index own = from[a - added];
      if (!is_static_extent(own)) own = c.broadcast(own, e);
      e = c.equal(own, e, "its extents must be 1 or those of the target");
    }
    to.push_back(e);
  }
  c.result = {c.inputs[0].dtype, to};
}
constexpr void broadcast_to_strides(const restride_context& c, index&, shape& strides) {
  int added = c.result.rank - c.input.rank;
  for (int a = 0; a < c.result.rank; ++a) strides[a] = a < added || c.input[a - added] == 1 ? 0 : c.input_strides[a - added];
}

// All inputs have the same extents, except along `except`; the result gets what each knows of them.
constexpr shape common_shape(rule_context& c, int except, const char* reason) {
  shape out = c.inputs[0].shape;
  for (std::size_t i = 1; i < c.inputs.size(); ++i) {
    const shape& s = c.inputs[i].shape;
    if (s.rank != out.rank) {
      c.fail("ranks differ");
      return out;
    }
    for (int a = 0; a < out.rank; ++a)
      if (a != except) out[a] = c.equal(out[a], s[a], reason);
  }
  return out;
}

constexpr void concat_rule(rule_context& c) {
  check_dtypes(c, anything);
  if (c.inputs[0].shape.rank == 0) return c.fail("values of rank 0 have no axis to join, use jig::stack");
  int axis = c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  shape out = common_shape(c, axis, "extents differ beside the joined axis");
  if (c.failed) return;
  for (std::size_t i = 1; i < c.inputs.size(); ++i) out[axis] = c.sum(out[axis], c.inputs[i].shape[axis]);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void pack_rule(rule_context& c) {
  check_dtypes(c, anything);
  shape each = common_shape(c, -1, "shapes differ");
  if (c.failed) return;
  if (each.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  int at = c.axis(c.integer("axis"), each.rank + 1);
  shape out;
  for (int a = 0; a <= each.rank; ++a) out.push_back(a < at ? each[a] : a == at ? static_cast<index>(c.inputs.size()) : each[a - 1]);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void split_rule(rule_context& c) {
  shape out = c.inputs[0].shape;
  int axis = c.axis(c.integer("axis"), out.rank);
  index parts = c.integer("num_split");
  if (parts < 1) return c.fail("there must be at least one part");
  if (c.failed) return;
  out[axis] = c.quotient(out[axis], parts, "the axis does not divide into equal parts");
  c.result = {c.inputs[0].dtype, out};
}
constexpr void split_strides(const restride_context& c, index& offset, shape& strides) {
  rule_context numbers;
  numbers.attributes = c.attributes;
  int axis = numbers.axis(numbers.integer("axis"), c.input.rank);
  strides = c.input_strides;
  offset = numbers.integer("part") * c.result[axis] * strides[axis];
}

constexpr void tile_rule(rule_context& c) {
  shape out = c.inputs[0].shape;
  auto multiples = c.integers("multiples");
  if (multiples.size() != static_cast<std::size_t>(out.rank)) return c.fail("every axis needs a multiple");
  for (int a = 0; a < out.rank; ++a) {
    index m = multiples[static_cast<std::size_t>(a)];
    if (m < 0) return c.fail("a multiple must not be negative");
    out[a] = c.product(out[a], m);
  }
  c.result = {c.inputs[0].dtype, out};
}

constexpr void pad_rule(rule_context& c) {
  check_dtypes(c, anything);
  shape out = c.inputs[0].shape;
  auto paddings = c.integers("paddings");
  if (paddings.size() != 2 * static_cast<std::size_t>(out.rank)) return c.fail("every axis needs a padding before and one after");
  if (c.inputs[1].shape.rank != 0) return c.fail("the padding value must have rank 0");
  for (int a = 0; a < out.rank; ++a) {
    index before = paddings[2 * static_cast<std::size_t>(a)], after = paddings[2 * static_cast<std::size_t>(a) + 1];
    if (before < 0 || after < 0) return c.fail("a padding must not be negative");
    out[a] = c.sum(out[a], c.sum(before, after));
  }
  c.result = {c.inputs[0].dtype, out};
}

constexpr void reverse_rule(rule_context& c) {
  unsigned seen = 0;
  for (index listed : c.integers("axis")) {
    unsigned bit = 1u << c.axis(listed, c.inputs[0].shape.rank);
    if ((seen & bit) != 0) return c.fail("an axis is named twice");
    seen |= bit;
  }
  c.result = c.inputs[0];
}
constexpr void reverse_strides(const restride_context& c, index& offset, shape& strides) {
  strides = c.input_strides;
  for (index listed : find_attribute(c.attributes, "axis").values) {
    int a = static_cast<int>(listed < 0 ? listed + c.input.rank : listed);
    if (c.input[a] > 0) offset += (c.input[a] - 1) * strides[a];
    strides[a] = -strides[a];
  }
}

// A place on an axis, counted from its start or from its end.
struct axis_position {
  bool from_end = false;
  index offset = 0;
};
// No axis reaches as far, so that sums of a few places can be counted.
constexpr index within_reach(index e) { return std::clamp(e, -2 * most_bytes, 2 * most_bytes); }
constexpr axis_position position_on_axis(index bound, index shift) { return {bound < 0, within_reach(bound) + shift}; }

// What a strided slice takes of one axis: every step-th element of low … high, a half-open stretch.
struct axis_slice {
  axis_position low, high;
  index step = 1;
  bool single = false;  // one position, whose axis goes
};

constexpr axis_slice slice_of_axis(stretch<attribute_view> attributes, int a) {
  auto value = [&](const char* key) {
    auto values = find_attribute(attributes, key).values;
    return a < static_cast<int>(values.size()) ? values[static_cast<std::size_t>(a)] : 0;
  };
  auto marked = [&](const char* key) { return (find_attribute(attributes, key).values[0] >> a & 1) != 0; };
  axis_slice s;
  index begin = value("begin"), end = value("end");
  s.single = marked("shrink_axis_mask");
  s.step = s.single ? 1 : within_reach(value("strides"));
  bool forward = s.step > 0;
  // Backwards, the first position is the last of the stretch.
  axis_position first = position_on_axis(begin, forward ? 0 : 1), last = position_on_axis(end, forward ? 0 : 1);
  if (s.single) last = position_on_axis(begin, 1);
  if (s.single) last.from_end = first.from_end;
  if (marked("begin_mask")) first = {!forward, 0};
  if (marked("end_mask")) last = {forward, 0};
  s.low = forward ? first : last;
  s.high = forward ? last : first;
  return s;
}

constexpr index place_on_axis(axis_position p, index extent) { return p.from_end ? extent + p.offset : p.offset; }

// The number of positions from low to high, on an axis whose extent may be unknown.
constexpr index stretch_length(rule_context& c, const axis_slice& s, index extent) {
  const char* beyond = s.single ? "the index is out of range" : "the slice reaches beyond its axis";
  const char* order = "the slice ends before it begins";
  if (is_static_extent(extent)) {
    index low = place_on_axis(s.low, extent), high = place_on_axis(s.high, extent);
    if (low < 0 || low > extent || high < 0 || high > extent) c.fail(beyond);
    else if (low > high) c.fail(order);
    return high - low;
  }
  // A difference is checked at the call not to be negative.
  if (s.low.from_end == s.high.from_end) {
    if (s.low.offset > s.high.offset) c.fail(order);
    c.difference(extent, s.low.from_end ? -s.low.offset : s.high.offset);
    return s.high.offset - s.low.offset;
  }
  if (s.high.from_end) return c.difference(extent, s.low.offset - s.high.offset);
  c.difference(extent, s.high.offset);
  c.difference(extent, -s.low.offset);
  return c.difference(s.high.offset - s.low.offset, extent);
}

constexpr void strided_slice_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto given = static_cast<int>(c.integers("begin").size());
  if (given > from.rank) return c.fail("there are more slices than axes");
  shape out;
  for (int a = 0; a < from.rank; ++a) {
    if (a >= given) {
      out.push_back(from[a]);
      continue;
    }
    axis_slice s = slice_of_axis(c.attributes, a);
    if (s.step == 0) return c.fail("the step of a slice must not be 0");
    index length = stretch_length(c, s, from[a]), stride = s.step < 0 ? -s.step : s.step;
    if (c.failed) return;
    if (s.single) continue;
    if (!is_static_extent(length) && stride != 1) return c.fail("steps other than 1 and -1 need an extent that is known at compile time");
    out.push_back(is_static_extent(length) ? length / stride + (length % stride != 0) : length);
  }
  c.result = {c.inputs[0].dtype, out};
}
constexpr void strided_slice_strides(const restride_context& c, index& offset, shape& strides) {
  auto given = static_cast<int>(find_attribute(c.attributes, "begin").values.size());
  int to = 0;
  for (int a = 0; a < c.input.rank; ++a) {
    axis_slice s;
    s.high.from_end = true;
    if (a < given) s = slice_of_axis(c.attributes, a);
    index low = place_on_axis(s.low, c.input[a]), high = place_on_axis(s.high, c.input[a]);
    if (low < high) offset += (s.step > 0 ? low : high - 1) * c.input_strides[a];
    // A step that leads further than memory goes makes one element, whose stride is never used.
    if (!s.single) (void)multiply_extents(s.step, c.input_strides[a], strides[to++]);
  }
}

constexpr void shape_rule(rule_context& c) { c.result = {dtype::int32, shape{1, {c.inputs[0].shape.rank}}}; }

constexpr index no_flops(const rule_context&) { return 0; }

// Reshape does not look at what further inputs hold.
constexpr void like_second_rule(rule_context& c) { c.result = {c.inputs[0].dtype, c.inputs[1].shape}; }

constexpr op view_op(std::string_view name, void (*rule)(rule_context&), void (*gradient)(gradient_context&)) {
  return {.name = name, .label = name, .facts = fact::view | fact::keeps_order, .rule = rule, .gradient = gradient};
}
constexpr op view_op(std::string_view name, void (*rule)(rule_context&), void (*restride)(const restride_context&, index&, shape&),
                     void (*gradient)(gradient_context&)) {
  return {.name = name, .label = name, .facts = fact::view, .rule = rule, .restride = restride, .gradient = gradient};
}
constexpr op copying_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs = 0,
                        void (*gradient)(gradient_context&) = no_gradient) {
  return {.name = name, .label = name, .rule = rule, .free_inputs = free_inputs, .flops = no_flops, .gradient = gradient};
}

// Adds to a part of the first input.
constexpr void first_rule(rule_context& c) { c.result = c.inputs[0]; }
constexpr op view_update_op(std::string_view name, void (*gradient)(gradient_context&)) {
  return {.name = name, .label = name, .facts = fact::updates, .rule = first_rule, .flops = no_flops, .gradient = gradient};
}

// The gradients of views. Those with another order of elements put the adjoint where the view has its elements.
constexpr void reshape_gradient(gradient_context&);
constexpr void transpose_gradient(gradient_context&);
constexpr void broadcast_to_gradient(gradient_context& c) { c.give_summed(0, c.full_adjoint()); }
constexpr void strided_slice_gradient(gradient_context&);
constexpr void split_gradient(gradient_context&);
constexpr void strided_slice_gradient_again(gradient_context&);
constexpr void split_gradient_again(gradient_context&);
constexpr void view_again_gradient(gradient_context&);
constexpr void concat_gradient(gradient_context&);
constexpr void pack_gradient(gradient_context&);
constexpr void tile_gradient(gradient_context&);
constexpr void pad_gradient(gradient_context&);

}  // namespace detail

namespace detail {

constexpr void simplify_broadcast(simplification& s) { s.become_input(s.inputs[0]); }
constexpr void simplify_transpose(simplification& s) {
  const edge x = s.inputs[0];
  const auto order = s.axes_of("perm");
  const int rank = s.result.shape.rank;
  const auto axis = [&](index a) { return a < 0 ? a + rank : a; };
  bool stays = true;
  for (int a = 0; a < rank; ++a) stays = stays && axis(order[static_cast<std::size_t>(a)]) == a;
  if (stays) return s.become_input(x);
  if (!s.is(x, s.kind)) return;
  const list<index> before = s.integers(x, "perm");
  list<index> both;
  for (index a : order) both.push_back(axis(before[axis(a)]));
  const edge from = s.input(x);
  const attribute_view with[] = {{"perm", attribute_kind::integers, both, {}, {}}};
  s.become(s.make(s.kind, s.result, {from}, with));
}
constexpr void simplify_reverse(simplification& s) {
  const edge x = s.inputs[0];
  const auto axes = [&](stretch<index> listed) {
    unsigned set = 0;
    for (index a : listed) set |= 1u << (a < 0 ? a + s.result.shape.rank : a);
    return set;
  };
  const unsigned own = axes(s.axes_of("axis"));
  if (own == 0) s.become(x);
  else if (s.is(x, s.kind) && axes(s.integers(x, "axis")) == own) s.become(s.input(x));
}

}  // namespace detail

namespace ops {

extern const op strided_slice_add, split_add, concat_part, tile_sum;

/// Attribute `shape`: extents, -1 for one that is inferred; values below every name are products of axes of
/// an input (detail::product_of_axes). Further inputs are looked at for their extents only.
inline constexpr op reshape = detail::view_op("Reshape", detail::reshape_rule, detail::reshape_gradient);
/// Attribute `dim`.
inline constexpr op expand_dims =
    detail::view_op("ExpandDims", detail::expand_dims_rule, detail::reshape_gradient).making(made_ops<reshape>);
/// Attribute `squeeze_dims`.
inline constexpr op squeeze = detail::view_op("Squeeze", detail::squeeze_rule, detail::reshape_gradient).making(made_ops<reshape>);
/// Attribute `perm`.
inline constexpr op transpose = detail::view_op("Transpose", detail::transpose_rule, detail::transpose_strides, detail::transpose_gradient)
                                    .simplified_by(detail::simplify_transpose);
/// Attribute `shape`, as that of Reshape; -1 keeps an extent.
inline constexpr op broadcast_to =
    detail::view_op("BroadcastTo", detail::broadcast_to_rule, detail::broadcast_to_strides, detail::broadcast_to_gradient)
        .simplified_by(detail::simplify_broadcast);
/// Attributes `begin`, `end`, `strides`, one number for each of the first axes, and `begin_mask`, `end_mask`
/// and `shrink_axis_mask`, as TensorFlow's; bounds do not go beyond the axis.
inline constexpr op strided_slice =
    detail::view_op("StridedSlice", detail::strided_slice_rule, detail::strided_slice_strides, detail::strided_slice_gradient)
        .making(made_ops<strided_slice_add>);
/// Attributes `axis`, `num_split` and `part`, the one of the parts that this node is.
inline constexpr op split =
    detail::view_op("Split", detail::split_rule, detail::split_strides, detail::split_gradient).making(made_ops<split_add>);
/// Attribute `axis`: several axes.
inline constexpr op reverse = detail::view_op("ReverseV2", detail::reverse_rule, detail::reverse_strides, detail::view_again_gradient)
                                  .simplified_by(detail::simplify_reverse);
/// Attribute `axis`.
inline constexpr op concat = detail::copying_op("ConcatV2", detail::concat_rule, 0, detail::concat_gradient)
                                 .making(made_ops<strided_slice, concat_part>)
                                 .taking({.moves = true, .is_list = true});
/// Attribute `axis`.
inline constexpr op pack = detail::copying_op("Pack", detail::pack_rule, 0, detail::pack_gradient)
                               .making(made_ops<strided_slice>)
                               .taking({.moves = true, .is_list = true});
/// Attribute `multiples`.
inline constexpr op tile =
    detail::copying_op("Tile", detail::tile_rule, 0, detail::tile_gradient).making(made_ops<tile_sum>).taking({.moves = true});
/// Attribute `paddings`: before and after for each axis. Inputs: a tensor and the value to pad with.
inline constexpr op pad =
    detail::copying_op("PadV2", detail::pad_rule, 0, detail::pad_gradient).making(made_ops<strided_slice>).taking({.moves = true});
inline constexpr op shape_of =
    detail::copying_op("Shape", detail::shape_rule).taking({.elements = 0, .shapes = 1, .results = {result_kind::int32}});

/// These add the second input to what a view of the first one with these attributes shows.
inline constexpr op strided_slice_add = detail::view_update_op("StridedSliceGrad", detail::strided_slice_gradient_again)
                                            .making(made_ops<strided_slice>)
                                            .taking({.elements = numbers});
inline constexpr op split_add =
    detail::view_update_op("SplitGrad", detail::split_gradient_again).making(made_ops<split>).taking({.elements = numbers});
/// The part of the first input, a ConcatV2 of the others and more along attribute `axis`, that is the last of them.
inline constexpr op concat_part = detail::copying_op("ConcatPart", [](rule_context& c) {
                                    c.result = c.inputs.back();
                                  }).taking({.moves = true, .is_list = true, .first_of_list = 1});
/// The sums over all copies of each element in the first input, a Tile of the second.
inline constexpr op tile_sum = detail::copying_op("TileGrad", detail::like_second_rule).taking({.elements = numbers, .shapes = 2});

}  // namespace ops

namespace detail {

constexpr graph_value reshaped_like(gradient_context& c, const graph_value& x, const graph_value& like) {
  shape to = c.spec(like).shape;
  const bool known = to.is_static();
  for (int a = 0; a < to.rank; ++a)
    if (!is_static_extent(to[a])) to[a] = product_of_axes(1, a);
  attribute_view with{"shape", attribute_kind::integers, {to.extents, static_cast<std::size_t>(to.rank)}, {}, {}};
  return known ? c.call(ops::reshape, {x}, {&with, 1}) : c.call(ops::reshape, {x, like}, {&with, 1});
}
inline constexpr index no_axes_kept[] = {0};
constexpr void reshape_gradient(gradient_context& c) { c.give(0, reshaped_like(c, c.full_adjoint(), c.input(0))); }

constexpr void transpose_gradient(gradient_context& c) {
  auto order = c.integers("perm");
  const auto rank = static_cast<index>(order.size());
  index back[max_rank] = {};
  for (index i = 0; i < rank; ++i) {
    const index a = order[static_cast<std::size_t>(i)];
    back[a < 0 ? a + rank : a] = i;
  }
  attribute_view with{"perm", attribute_kind::integers, {back, order.size()}, {}, {}};
  c.give(0, c.call(ops::transpose, {c.full_adjoint()}, {&with, 1}));
}

constexpr void view_gradient(gradient_context& c, const op& add_to_view) {
  c.give_into(0, add_to_view, {c.full_adjoint()}, c.attributes());
}
constexpr void strided_slice_gradient(gradient_context& c) { view_gradient(c, ops::strided_slice_add); }
constexpr void split_gradient(gradient_context& c) { view_gradient(c, ops::split_add); }
constexpr void view_update_gradient(gradient_context& c, const op& view) {
  c.give(0, c.adjoint());
  if (c.wants(1)) c.give(1, c.call_alike(view, {c.full_adjoint()}));
}
constexpr void strided_slice_gradient_again(gradient_context& c) { view_update_gradient(c, ops::strided_slice); }
constexpr void split_gradient_again(gradient_context& c) { view_update_gradient(c, ops::split); }
// Of what is undone by itself.
constexpr void view_again_gradient(gradient_context& c) { c.give(0, c.call_alike(c.node().kind(), {c.full_adjoint()})); }

// Positions first … last - 1 of one axis, which may go.
constexpr graph_value part_of_axis(gradient_context& c, const graph_value& x, int axis, index first, index last, bool to_end, bool single) {
  index begin[max_rank] = {}, end[max_rank] = {}, steps[max_rank] = {};
  const auto n = static_cast<std::size_t>(axis) + 1;
  for (auto& step : steps) step = 1;
  begin[axis] = first;
  end[axis] = last;
  const index before = (index{1} << axis) - 1, to_last = before | (to_end ? index{1} << axis : 0), shrinks = single ? index{1} << axis : 0;
  attribute_view with[] = {
      {"begin", attribute_kind::integers, {begin, n}, {}, {}},      {"end", attribute_kind::integers, {end, n}, {}, {}},
      {"strides", attribute_kind::integers, {steps, n}, {}, {}},    {"begin_mask", attribute_kind::integer, {&before, 1}, {}, {}},
      {"end_mask", attribute_kind::integer, {&to_last, 1}, {}, {}}, {"shrink_axis_mask", attribute_kind::integer, {&shrinks, 1}, {}, {}}};
  return c.call(ops::strided_slice, {x}, with);
}

constexpr void concat_gradient(gradient_context& c) {
  rule_context numbers;
  auto g = c.full_adjoint();
  const int axis = numbers.axis(c.integer("axis"), c.spec(g).shape.rank);
  list<edge> before;
  before.push_back(g.at);
  index first = 0;
  for (std::size_t i = 0; i < c.inputs(); ++i) {
    const index extent = c.spec(c.input(i)).shape[axis];
    before.push_back(c.input(i).at);
    if (first < 0 || !is_static_extent(extent)) {
      first = -1;
      if (!c.wants(i)) continue;
      index a = axis;
      attribute_view with{"axis", attribute_kind::integer, {&a, 1}, {}, {}};
      c.give(i, c.call(ops::concat_part, before, {&with, 1}));
      continue;
    }
    if (c.wants(i)) c.give(i, part_of_axis(c, g, axis, first, first + extent, false, false));
    first += extent;
  }
}
constexpr void pack_gradient(gradient_context& c) {
  rule_context numbers;
  auto g = c.full_adjoint();
  const int axis = numbers.axis(c.integer("axis"), c.spec(g).shape.rank);
  for (std::size_t i = 0; i < c.inputs(); ++i)
    if (c.wants(i)) c.give(i, part_of_axis(c, g, axis, static_cast<index>(i), static_cast<index>(i) + 1, false, true));
}
constexpr void tile_gradient(gradient_context& c) { c.give(0, c.call(ops::tile_sum, {c.full_adjoint(), c.input(0)})); }
constexpr void pad_gradient(gradient_context& c) {
  list<index> paddings;  // those of the node move when the graph grows
  for (index n : c.integers("paddings")) paddings.push_back(n);
  auto inner = c.full_adjoint();
  for (int a = 0; a < c.spec(inner).shape.rank; ++a) {
    const auto at = 2 * static_cast<std::size_t>(a);
    if (paddings[at] != 0 || paddings[at + 1] != 0)
      inner = part_of_axis(c, inner, a, paddings[at], -paddings[at + 1], paddings[at + 1] == 0, false);
  }
  c.give(0, inner);
  if (!c.wants(1)) return;
  attribute_view with[] = {{"axes", attribute_kind::integers, {}, {}, {}}, {"keep_dims", attribute_kind::boolean, no_axes_kept, {}, {}}};
  c.give(1, c.call(ops::reduce_sum, {c.full_adjoint()}, with) - c.call(ops::reduce_sum, {inner}, with));
}

}  // namespace detail

namespace detail {

// The axis that an attribute names, in a result of this rank.
template <class Attributes>
constexpr int axis_attribute(int rank, std::string_view key = "axis") {
  index a = find_attribute(Attributes::view(), key).values[0];
  return static_cast<int>(a < 0 ? a + rank : a);
}

// Kernels get attributes that are a type and views whose rank is part of theirs, or values of both: what they ask of them is a
// constant or found out by each run.
template <class Attributes>
concept static_attributes = requires { typename std::integral_constant<std::size_t, Attributes::view().size()>; };
template <class View>
concept static_rank = requires { typename std::integral_constant<int, View::rank()>; };

template <text Key, class Attributes>
[[gnu::always_inline]] constexpr attribute_view attribute_of(const Attributes& attributes) {
  if constexpr (static_attributes<Attributes>) {
    constexpr attribute_view found = find_attribute(Attributes::view(), Key.view());
    return found;
  } else {
    return find_attribute(attributes.view(), Key.view());
  }
}
template <text Key = "axis", class Attributes, class View>
[[gnu::always_inline]] constexpr int axis_of(const Attributes& attributes, const View& of) {
  if constexpr (static_attributes<Attributes> && static_rank<View>) {
    constexpr int axis = axis_attribute<Attributes>(View::rank(), Key.view());
    return axis;
  } else {
    const index a = attribute_of<Key>(attributes).values[0];
    return static_cast<int>(a < 0 ? a + of.rank() : a);
  }
}

// Calls f with every one of several inputs, or of a list of them.
template <class F, class... In>
[[gnu::always_inline]] inline void for_each_input(F&& f, const In&... in) {
  (f(in), ...);
}
template <class F, class List>
  requires(List::is_list)
void for_each_input(F&& f, const List& in) {
  in.each(f);
}

}  // namespace detail

namespace detail {

// Adds a view to elements at these strides.
template <class T, class In>
void add_strided(T* to, const shape& strides, const In& in) {
  index at[max_rank + 1] = {};
  const T* from = in.data();
  for (index n = in.size(); n > 0; --n) {
    *to = static_cast<T>(*to + *from);
    for (int a = in.rank(); a-- > 0;) {
      from += in.stride(a);
      to += strides[a];
      if (++at[a] < in.extent(a)) break;
      from -= in.stride(a) * in.extent(a);
      to -= strides[a] * in.extent(a);
      at[a] = 0;
    }
  }
}

template <const op& View>
struct view_update_kernel {
  // Extents and strides that are known at compile time.
  template <class Attributes, class T, index... E, index... P>
    requires(shape{sizeof...(E), {E...}}.is_static() && shape{sizeof...(P), {P...}}.is_static())
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const T, P...>& part) {
    if (in.data() != out.data()) std::copy_n(in.data(), in.size(), out.data());
    constexpr place where = place_of(Attributes::view(), shape{sizeof...(E), {E...}}, shape{sizeof...(P), {P...}});
    const T* from = part.data();
    add<where, 0, P...>(out.data() + where.offset, from);
  }
  template <class Attributes, class Out, class In, class Part>
  static void run(Attributes attributes, const Out& out, const In& in, const Part& part) {
    if (in.data() != out.data()) copy_strided(out.data(), out.strides(), in.data(), in.strides(), in.shape());
    const place where = place_of(attributes.view(), out.shape(), part.shape());
    add_strided(out.data() + where.offset, where.strides, part);
  }

 private:
  struct place {
    index offset;
    shape strides;
  };
  static constexpr place place_of(stretch<attribute_view> attributes, const shape& whole, const shape& part) {
    place out{0, part};
    if (part.size() > 0) View.restride({attributes, whole, row_major_strides(whole), part}, out.offset, out.strides);
    return out;
  }
  template <place Where, int Axis, index... P, class T>
  [[gnu::always_inline]] static void add(T* to, const T*& from) {
    constexpr index extents[] = {P..., 1};
    if constexpr (Axis == sizeof...(P)) {
      *to = static_cast<T>(*to + *from++);
    } else {
      for (index i = 0; i < extents[Axis]; ++i) add<Where, Axis + 1, P...>(to + i * Where.strides[Axis], from);
    }
  }
};

}  // namespace detail

template <>
struct kernel<ops::strided_slice_add> : detail::view_update_kernel<ops::strided_slice> {};
template <>
struct kernel<ops::split_add> : detail::view_update_kernel<ops::split> {};
template <>
struct kernel<ops::concat_part> {
  template <class Attributes, class Out, class In, class... Parts>
  static void run(Attributes attributes, const Out& out, const In& in, const Parts&... parts) {
    const int axis = detail::axis_of(attributes, out);
    index end = 0;
    detail::for_each_input([&](const auto& part) { end += part.extent(axis); }, parts...);
    if (out.size() > 0)
      detail::copy_strided(out.data(), out.strides(), in.data() + (end - out.extent(axis)) * in.stride(axis), in.strides(), out.shape());
  }
};
template <>
struct kernel<ops::tile_sum> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like&) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    index at[max_rank + 1] = {};
    const T* from = in.data();
    for (index n = in.size(); n > 0; --n) {
      index to = 0;
      for (int a = 0; a < out.rank(); ++a) to += at[a] % out.extent(a) * out.stride(a);
      out.data()[to] = static_cast<T>(out.data()[to] + *from);
      for (int a = out.rank(); a-- > 0;) {
        from += in.stride(a);
        if (++at[a] < in.extent(a)) break;
        from -= in.stride(a) * in.extent(a);
        at[a] = 0;
      }
    }
  }
};
template <>
struct kernel<ops::shape_of> {
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    for (int a = 0; a < in.rank(); ++a) {
      if (!std::in_range<std::int32_t>(in.extent(a))) detail::throw_invalid_argument("Shape: an extent does not fit an int32");
      out.data()[a] = static_cast<std::int32_t>(in.extent(a));
    }
  }
};

namespace detail {

// Calls f<0>() … f<N - 1>() in this order and returns their results as a tuple.
template <class F, std::size_t... I>
constexpr auto tuple_in_order(F&& f, std::index_sequence<I...>) {
  return std::tuple<decltype(f.template operator()<I>())...> { f.template operator()<I>()... };
}

// The slices as the attributes of a StridedSlice: a slice_range, or an integer that picks one position.
template <class S>
constexpr slice_range as_range(const S& s) {
  if constexpr (std::is_same_v<S, slice_range>) return s;
  else return {static_cast<index>(s), static_cast<index>(s) + 1, 1};
}
template <class... S>
struct slice_masks {
  index begin = 0, end = 0, shrink = 0;
  constexpr explicit slice_masks(const S&... s) {
    index bit = 1;
    (
        [&] {
          slice_range r = as_range(s);
          if (r.begin == unbounded) begin |= bit;
          if constexpr (!std::is_same_v<S, slice_range>) shrink |= bit;
          else if (r.end == unbounded) end |= bit;
          bit *= 2;
        }(),
        ...);
  }
};
constexpr index bound_or_zero(index b) { return b == unbounded ? 0 : b; }

template <auto... S>
struct slice_attributes {
  static constexpr slice_masks<std::remove_const_t<decltype(S)>...> masks{S...};
  using type = attributes<integers<"begin", bound_or_zero(as_range(S).begin)...>, integers<"end", bound_or_zero(as_range(S).end)...>,
                          integers<"strides", as_range(S).step...>, integer<"begin_mask", masks.begin>, integer<"end_mask", masks.end>,
                          integer<"shrink_axis_mask", masks.shrink>>;
};

}  // namespace detail

namespace detail {

// For dynamic symbols: extents as reshape takes them, or those of y.
template <const op& Op, index... E, class X>
auto call_with_extents(const X& x) {
  const shape s = x.shape();
  const index extents[] = {without_name(E, s)..., 0};
  return call_with_integers<Op>("shape", {extents, sizeof...(E)}, x);
}
template <const op& Op, class X, class Y>
auto call_with_extents_of(const X& x, const Y& y) {
  list<index> extents;
  for (int a = 0; a < shape_now(y).rank; ++a) extents.push_back(product_of_axes(1, a));
  return call_with_integers<Op>("shape", extents, x, y);
}

template <class X>
auto dynamic_unstack(const X& x, index axis) {
  const shape s = x.shape();
  if (axis < 0) axis += s.rank;
  if (axis < 0 || axis >= s.rank) throw_invalid_argument("unstack: there is no such axis");
  const index parts = s[static_cast<int>(axis)], last = index{1} << axis, before = last - 1;
  if (!is_static_extent(parts)) throw_invalid_argument("unstack: the extent of the axis must be known in the trace");
  std::vector<decltype(dynamic_call<ops::strided_slice>({}, x))> out;
  out.reserve(static_cast<std::size_t>(parts));
  for (index at = 0; at < parts; ++at) {
    list<index> begin, end, strides;
    for (index a = 0; a <= axis; ++a) {
      begin.push_back(a == axis ? at : 0);
      end.push_back(a == axis ? at + 1 : 0);
      strides.push_back(1);
    }
    const attribute_view with[] = {
        {"begin", attribute_kind::integers, begin, {}, {}},          {"end", attribute_kind::integers, end, {}, {}},
        {"strides", attribute_kind::integers, strides, {}, {}},      {"begin_mask", attribute_kind::integer, {&before, 1}, {}, {}},
        {"end_mask", attribute_kind::integer, {&before, 1}, {}, {}}, {"shrink_axis_mask", attribute_kind::integer, {&last, 1}, {}, {}}};
    out.push_back(dynamic_call<ops::strided_slice>(with, x));
  }
  return out;
}

}  // namespace detail

/// The same elements in row-major order with other extents. One may be `jig::infer`; a name stands for the
/// axis of x that bears it.
/// Shape: (E...)
/// Errors: another number of elements is refused at compile time or throws invalid_argument.
template <index... E, Operand X>
constexpr auto reshape(const X& x) {
  if constexpr (detail::is_dynamic<X>) return detail::call_with_extents<ops::reshape, E...>(x);
  else return call<ops::reshape, attributes<integers<"shape", detail::without_name<X>(E)...>>>(x);
}

/// The elements of x with the extents of y, which may be wildcards.
/// Errors: another number of elements is refused at compile time or throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto reshape_like(const X& x, const Y& y) {
  if constexpr (detail::is_dynamic<X, Y>) return detail::call_with_extents_of<ops::reshape>(x, y);
  else
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      using extents = attributes<integers<"shape", detail::product_of_axes(1, static_cast<int>(A))...>>;
      return call<ops::reshape, extents>(x, y);
    }(std::make_index_sequence<static_cast<std::size_t>(detail::operand_shape<Y>().rank)>());
}

/// All elements along one axis.
/// Shape: (n)
template <Operand X>
constexpr auto flatten(const X& x) {
  return reshape<infer>(x);
}

/// x with one more axis of extent 1, which becomes number Axis.
template <index Axis, Operand X>
constexpr auto expand_dims(const X& x) {
  return call<ops::expand_dims, attributes<integer<"dim", Axis>>>(x);
}

/// x without axes of extent 1: these, or all whose extent is known at compile time to be 1.
/// Errors: another extent is refused at compile time or throws invalid_argument.
template <index... Axes, Operand X>
constexpr auto squeeze(const X& x) {
  if constexpr (sizeof...(Axes) > 0) {
    return call<ops::squeeze, attributes<integers<"squeeze_dims", Axes...>>>(x);
  } else if constexpr (detail::is_dynamic<X>) {
    const shape s = x.shape();
    list<index> axes;
    for (int a = 0; a < s.rank; ++a)
      if (s[a] == 1) axes.push_back(a);
    return detail::call_with_integers<ops::squeeze>("squeeze_dims", axes, x);
  } else {
    constexpr auto found = [] {
      shape axes, s = detail::operand_shape<X>();
      for (int a = 0; a < s.rank; ++a)
        if (s[a] == 1) axes.push_back(a);
      return axes;
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<ops::squeeze, attributes<integers<"squeeze_dims", found.extents[I]...>>>(x);
    }(std::make_index_sequence<static_cast<std::size_t>(found.rank)>());
  }
}

/// The axes in another order: axis i of the result is axis Order[i] of x. Without an order they are reversed.
template <index... Order, Operand X>
constexpr auto transpose(const X& x) {
  if constexpr (sizeof...(Order) > 0) {
    return call<ops::transpose, attributes<integers<"perm", Order...>>>(x);
  } else if constexpr (detail::is_dynamic<X>) {
    list<index> order;
    for (int a = x.rank(); a-- > 0;) order.push_back(a);
    return detail::call_with_integers<ops::transpose>("perm", order, x);
  } else {
    constexpr int rank = detail::operand_shape<X>().rank;
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      return call<ops::transpose, attributes<integers<"perm", rank - 1 - static_cast<index>(A)...>>>(x);
    }(std::make_index_sequence<static_cast<std::size_t>(rank)>());
  }
}

/// x repeated along axes where it has extent 1 or none. `jig::dyn` keeps the extent of x.
/// Shape: (E...)
/// Errors: extents that are neither 1 nor those of the target are refused at compile time or throw
/// invalid_argument.
template <index... E, Operand X>
constexpr auto broadcast_to(const X& x) {
  if constexpr (detail::is_dynamic<X>) return detail::call_with_extents<ops::broadcast_to, E...>(x);
  else return call<ops::broadcast_to, attributes<integers<"shape", detail::without_name<X>(E)...>>>(x);
}

/// x repeated to the extents of y, which may be wildcards.
/// Errors: extents that are neither 1 nor those of y are refused at compile time or throw invalid_argument.
template <Operand X, Operand Y>
constexpr auto broadcast_like(const X& x, const Y& y) {
  if constexpr (detail::is_dynamic<X, Y>) return detail::call_with_extents_of<ops::broadcast_to>(x, y);
  else
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      using extents = attributes<integers<"shape", detail::product_of_axes(1, static_cast<int>(A))...>>;
      return call<ops::broadcast_to, extents>(x, y);
    }(std::make_index_sequence<static_cast<std::size_t>(detail::operand_shape<Y>().rank)>());
}

/// Tensors one behind the other along an axis that they have.
/// Errors: other extents that differ are refused at compile time or throw invalid_argument.
template <index Axis, Operand X, Operand... More>
constexpr auto concat(const X& x, const More&... more) {
  return call<ops::concat, attributes<integer<"axis", Axis>>>(x, more...);
}

/// Tensors of one shape along a new axis.
/// Errors: shapes that differ are refused at compile time or throw invalid_argument.
template <index Axis = 0, Operand X, Operand... More>
constexpr auto stack(const X& x, const More&... more) {
  return call<ops::pack, attributes<integer<"axis", Axis>>>(x, more...);
}

/// The parts of x along an axis that goes, as a std::tuple; of a dynamic symbol as a std::vector.
/// Errors: an axis whose extent is not known at compile time is refused.
template <index Axis = 0, Operand X>
constexpr auto unstack(const X& x) {
  constexpr shape s = detail::operand_shape<X>();
  constexpr index axis = Axis < 0 ? Axis + s.rank : Axis;
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (detail::is_dynamic<X>) {
    return detail::dynamic_unstack(x, Axis);
  } else if constexpr (axis < 0 || axis >= s.rank) {
    return refuse_with<"unstack: there is no such axis", X>();
  } else if constexpr (!is_static_extent(s[static_cast<int>(axis)])) {
    return refuse_with<"unstack: the extent of the axis must be known at compile time", X>();
  } else {
    return detail::tuple_in_order(
        [&]<std::size_t I>() {
          return [&]<std::size_t... A>(std::index_sequence<A...>) {
            constexpr index last = index{1} << axis, before = last - 1;
            constexpr auto at = static_cast<index>(I);
            using with = attributes<integers<"begin", (static_cast<index>(A) == axis ? at : 0)...>,
                                    integers<"end", (static_cast<index>(A) == axis ? at + 1 : 0)...>,
                                    integers<"strides", static_cast<index>(A * 0 + 1)...>, integer<"begin_mask", before>,
                                    integer<"end_mask", before>, integer<"shrink_axis_mask", last>>;
            return call<ops::strided_slice, with>(x);
          }(std::make_index_sequence<static_cast<std::size_t>(axis) + 1>());
        },
        std::make_index_sequence<static_cast<std::size_t>(s[static_cast<int>(axis)])>());
  }
}

/// Equal parts of x along an axis, as a std::tuple.
/// Errors: an extent that does not divide is refused at compile time or throws invalid_argument.
template <index Parts, index Axis = 0, Operand X>
constexpr auto split(const X& x) {
  static_assert(Parts > 0, "jig::split: there must be at least one part");
  return detail::tuple_in_order(
      [&]<std::size_t I>() {
        return call<ops::split, attributes<integer<"axis", Axis>, integer<"num_split", Parts>, integer<"part", static_cast<index>(I)>>>(x);
      },
      std::make_index_sequence<static_cast<std::size_t>(Parts)>());
}

/// Copies of x side by side, this many along each axis.
template <index... Multiples, Operand X>
constexpr auto tile(const X& x) {
  return call<ops::tile, attributes<integers<"multiples", Multiples...>>>(x);
}

/// x with a value around it: `pad<before0, after0, before1, after1, …>(x, value)`.
template <index... Paddings, Operand X, Operand V>
constexpr auto pad(const X& x, const V& value) {
  return call<ops::pad, attributes<integers<"paddings", Paddings...>>>(x, value);
}
/// x with zeros around it.
template <index... Paddings, Operand X>
constexpr auto pad(const X& x) {
  if constexpr (is_refused<X>) return x;
  else if constexpr (detail::is_dynamic<X>) return pad<Paddings...>(x, detail::dynamic_constant(x, x.dtype(), 0));
  else return pad<Paddings...>(x, detail::constant_beside<typename detail::element_of_operand<X>::type>(x, 0));
}

/// x with the order of elements reversed along these axes, or along all.
template <index... Axes, Operand X>
constexpr auto reverse(const X& x) {
  if constexpr (sizeof...(Axes) > 0) {
    return call<ops::reverse, attributes<integers<"axis", Axes...>>>(x);
  } else if constexpr (detail::is_dynamic<X>) {
    list<index> axes;
    for (int a = 0; a < x.rank(); ++a) axes.push_back(a);
    return detail::call_with_integers<ops::reverse>("axis", axes, x);
  } else {
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      return call<ops::reverse, attributes<integers<"axis", static_cast<index>(A)...>>>(x);
    }(std::make_index_sequence<static_cast<std::size_t>(detail::operand_shape<X>().rank)>());
  }
}

/// Part of x that is known at compile time: a `jig::range_of`, `jig::all` or an integer for each of the first
/// axes. An integer picks one position, and its axis goes. Negative numbers count from the end.
/// Errors: bounds beyond the axis are refused at compile time or throw invalid_argument; so are steps other
/// than 1 and -1 along a wildcard extent.
template <auto... Slices, Operand X>
constexpr auto strided_slice(const X& x) {
  return call<ops::strided_slice, typename detail::slice_attributes<Slices...>::type>(x);
}

/// The number of axes, as an int32.
template <Operand X>
constexpr auto rank(const X& x) {
  if constexpr (is_refused<X>) return x;
  else if constexpr (detail::is_dynamic<X>) return detail::constant_beside<std::int32_t>(x, x.rank());
  else return detail::constant_beside<std::int32_t>(x, detail::operand_shape<X>().rank);
}

/// The extents, as an int32 vector: a constant where all are known at compile time. (`jig::shape` is a type.)
/// Shape: (rank)
template <Operand X>
constexpr auto shape_of(const X& x) {
  constexpr shape s = detail::operand_shape<X>();
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (detail::is_dynamic<X>) {
    const shape now = x.shape();
    if (!now.is_static()) return call<ops::shape_of>(x);
    std::vector<std::int32_t> extents;
    for (int a = 0; a < now.rank; ++a) extents.push_back(static_cast<std::int32_t>(now[a]));
    return detail::dynamic_elements(x, extents);
  } else if constexpr (s.is_static()) {
    tensor<std::int32_t, s.rank> extents;
    for (int a = 0; a < s.rank; ++a) extents(a) = static_cast<std::int32_t>(s[a]);
    if constexpr (world_of<X> == world::traced) return detail::beside(x, extents);
    else return extents;
  } else {
    return call<ops::shape_of>(x);
  }
}

namespace detail {
// Defined in trace/symbolic_extent.hpp.
template <index Axis, index Known, class X>
constexpr auto traced_extent(const X& x);
// Defined in runtime/dynamic_symbol.hpp.
template <class X>
auto dynamic_extent_along(const X& x, index axis);
}  // namespace detail

/// The extent along an axis, as an int32: a constant where it is known at compile time.
template <index Axis, Operand X>
constexpr auto extent(const X& x) {
  constexpr shape s = detail::operand_shape<X>();
  constexpr index axis = Axis < 0 ? Axis + s.rank : Axis;
  if constexpr (is_refused<X>) return x;
  else if constexpr (detail::is_dynamic<X>) return detail::dynamic_extent_along(x, Axis);
  else if constexpr (axis < 0 || axis >= s.rank) return refuse_with<"extent: there is no such axis", X>();
  else if constexpr (world_of<X> == world::traced) return detail::traced_extent<axis, s[static_cast<int>(axis)]>(x);
  else if constexpr (is_static_extent(s[static_cast<int>(axis)]))
    return detail::constant_beside<std::int32_t>(x, s[static_cast<int>(axis)]);
  else return strided_slice<axis>(call<ops::shape_of>(x));
}

/// The number of elements, as an int32: a constant where it is known at compile time.
template <Operand X>
constexpr auto size(const X& x) {
  constexpr shape s = detail::operand_shape<X>();
  if constexpr (is_refused<X>) return x;
  else if constexpr (detail::is_dynamic<X>)
    return x.shape().is_static() ? detail::constant_beside<std::int32_t>(x, x.shape().size()) : reduce_prod(shape_of(x));
  else if constexpr (s.is_static()) return detail::constant_beside<std::int32_t>(x, s.size());
  else return reduce_prod(shape_of(x));
}

}  // namespace jig

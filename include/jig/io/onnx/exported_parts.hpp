// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for parts of tensors: slices, diagonals, gathers, and what is put there.

#include <jig/io/onnx/exported_shapes.hpp>

#include <limits>

namespace jig::onnx {

inline constexpr index beyond = (std::numeric_limits<index>::max)();

// From, to and by how much, axis by axis.
struct written_slice {
  std::vector<index> starts, ends, axes, steps, gone;
};
inline std::string sliced(exported_node& x, const written_slice& s) {
  const auto y = x.make("Slice", {x.in[0], x.to.integers(s.starts), x.to.integers(s.ends), x.to.integers(s.axes), x.to.integers(s.steps)});
  return s.gone.empty() ? y : x.make("Squeeze", {y, x.to.integers(s.gone)});
}
inline void spell_strided_slice(exported_node& x) {
  written_slice s;
  const auto begin = x.ints("begin"), end = x.ints("end"), strides = x.ints("strides");
  for (std::size_t a = 0; a < begin.size(); ++a) {
    const auto marked = [&](const char* key) { return (x.integer(key) >> a & 1) != 0; };
    const bool single = marked("shrink_axis_mask"), forward = single || strides[a] > 0;
    s.starts.push_back(!single && marked("begin_mask") ? (forward ? 0 : beyond) : begin[a]);
    s.ends.push_back(single ? (begin[a] == -1 ? beyond : begin[a] + 1) : marked("end_mask") ? (forward ? beyond : -beyond) : end[a]);
    s.axes.push_back(static_cast<index>(a));
    s.steps.push_back(single ? 1 : strides[a]);
    if (single) s.gone.push_back(static_cast<index>(a));
  }
  x.give(begin.empty() ? x.make("Identity", {x.in[0]}) : sliced(x, s));
}
inline void spell_reverse(exported_node& x) {
  written_slice s;
  for (const index a : x.ints("axis")) s.starts.push_back(beyond), s.ends.push_back(-beyond), s.axes.push_back(a), s.steps.push_back(-1);
  x.give(s.axes.empty() ? x.make("Identity", x.in) : sliced(x, s));
}
inline void spell_split(exported_node& x) {
  const shape s = x.n.shape();
  const int axis = axis_of(x, s.rank);
  const index each = s[axis];
  if (!is_static_extent(each)) x.refuse("the extent that it divides must be known");
  x.give(sliced(x, {{x.integer("part") * each}, {(x.integer("part") + 1) * each}, {axis}, {1}, {}}));
}
inline void spell_split_add(exported_node& x) {
  const shape s = x.extents(0);
  const int axis = axis_of(x, s.rank);
  const index whole = s[axis], each = x.extents(1)[axis], before = x.integer("part") * each;
  if (!is_static_extent(whole) || !is_static_extent(each)) x.refuse("the extent that it divides must be known");
  std::vector<index> pads(static_cast<std::size_t>(2 * s.rank));
  pads[static_cast<std::size_t>(axis)] = before;
  pads[static_cast<std::size_t>(axis + s.rank)] = whole - each - before;
  x.give(x.make("Add", {x.in[0], x.make("Pad", {x.in[1], x.to.integers(pads), x.number(0)})}));
}
// Inputs: what was joined, the parts before this one, and this one.
inline void spell_concat_part(exported_node& x) {
  const int axis = axis_of(x, x.n.shape().rank);
  const auto extent = [&](std::size_t k) {
    const index e = x.extents(k)[axis];
    return is_static_extent(e) ? x.to.integers({e})
                               : x.make("Gather", {x.make("Shape", {x.in[k]}), x.to.integers({axis})}, {attribute("axis", 0)});
  };
  std::string from = x.to.integers({0});
  for (std::size_t k = 1; k + 1 < x.in.size(); ++k) from = x.make("Add", {from, extent(k)});
  x.give(x.make("Slice", {x.in[0], from, x.make("Add", {from, extent(x.in.size() - 1)}), x.to.integers({axis})}));
}
// Inputs: a tensor, and where the part begins.
inline void spell_slice(exported_node& x) {
  std::vector<index> size = x.ints("size"), axes;
  for (std::size_t a = 0; a < size.size(); ++a) {
    if (size[a] < 0) size[a] = beyond / 2;
    axes.push_back(static_cast<index>(a));
  }
  const auto begin = x.make("Reshape", {x.to.cast(x.in[1], dtype::int64), x.to.integers({static_cast<index>(size.size())})});
  x.give(x.make("Slice", {x.in[0], begin, x.make("Add", {begin, x.to.integers(size)}), x.to.integers(axes)}));
}
// Attribute `axes`: one that becomes the diagonal, and one that goes. With both of them last, the elements of a diagonal are as far from
// each other as a row and one more.
inline void spell_diag_part(exported_node& x) {
  const shape s = x.extents(0);
  auto axes = x.ints("axes");
  for (index& a : axes) a += a < 0 ? s.rank : 0;
  const index rows = s[static_cast<int>(axes[0])], columns = s[static_cast<int>(axes[1])], length = (std::min)(rows, columns);
  if (!is_static_extent(rows) || !is_static_extent(columns)) x.refuse("the extents of its matrices must be known");
  std::vector<index> order, flat, back;
  for (index a = 0; a < s.rank; ++a)
    if (a != axes[0] && a != axes[1]) order.push_back(a), flat.push_back(0);
  const auto others = static_cast<index>(order.size());
  order.push_back(axes[0]), order.push_back(axes[1]), flat.push_back(rows * columns);
  const auto elements = x.make("Reshape", {transposed(x, x.in[0], order), x.to.integers(flat)});
  const auto diagonal = x.make("Slice", {elements, x.to.integers({0}), x.to.integers({length == 0 ? 0 : (length - 1) * (columns + 1) + 1}),
                                         x.to.integers({others}), x.to.integers({columns + 1})});
  for (index a = 0, next = 0; a < s.rank; ++a)
    if (a != axes[1]) back.push_back(a == axes[0] ? others : next++);
  x.give(transposed(x, diagonal, back));
}
inline void spell_diag(exported_node& x) {
  const auto count = x.make("Gather", {x.make("Shape", {x.in[0]}), x.to.number(dtype::int64, -1)}, {attribute("axis", 0)});
  const auto places = x.make("Range", {x.to.number(dtype::int64, 0), count, x.to.number(dtype::int64, 1)});
  x.to.note(places, dtype::int64);
  const auto same = x.make("Equal", {x.make("Unsqueeze", {places, x.to.integers({1})}), places});
  const bool truth = x.n.dtype() == dtype::boolean;
  const auto rows = x.make("Unsqueeze", {x.in[0], x.to.integers({-1})});
  x.give(truth ? x.make("And", {same, rows}) : x.make("Where", {same, rows, x.number(0)}));
}

inline std::string positions(exported_node& x, std::size_t input) { return x.to.cast(x.in[input], dtype::int64); }
inline std::string positions_of_rows(exported_node& x, std::size_t input) {
  return x.make("Unsqueeze", {positions(x, input), x.to.integers({-1})});
}
inline std::vector<written_attribute> adding(exported_node& x) {
  x.to.need_opset(16);
  return {written_attribute::of_text("reduction", "add")};
}
inline void spell_gather(exported_node& x) {
  if (const index given = x.integer("batch_dims"); given != 0) {
    const index batch = given < 0 ? given + x.extents(1).rank : given;
    if (axis_of(x, x.extents(0).rank) != batch) x.refuse("the axis is not the first behind the batch axes");
    return x.give(x.make("GatherND", {x.in[0], positions_of_rows(x, 1)}, {attribute("batch_dims", batch)}));
  }
  const bool fits = x.spec(1).dtype == dtype::int32 || x.spec(1).dtype == dtype::int64;
  x.give(x.make("Gather", {x.in[0], fits ? x.in[1] : positions(x, 1)}, {attribute("axis", x.integer("axis"))}));
}
inline void spell_gather_nd(exported_node& x) { x.give(x.make("GatherND", {x.in[0], positions(x, 1)})); }
inline void spell_scatter_nd(exported_node& x) { x.give(x.make("ScatterND", {zeros_of_result(x), positions(x, 0), x.in[1]}, adding(x))); }
inline void spell_tensor_scatter_update(exported_node& x) { x.give(x.make("ScatterND", {x.in[0], positions(x, 1), x.in[2]})); }
inline void spell_tensor_scatter_add(exported_node& x) { x.give(x.make("ScatterND", {x.in[0], positions(x, 1), x.in[2]}, adding(x))); }
inline void spell_along_axis_place(exported_node& x) {
  auto with = adding(x);
  with.push_back(attribute("axis", x.integer("axis")));
  const auto zeros = x.make("Expand", {x.number(0), x.make("Shape", {x.in[2]})});
  x.give(x.make("ScatterElements", {zeros, positions(x, 1), x.in[0]}, with));
}
inline void spell_array_write(exported_node& x) {
  if (x.integer("element_axis") != 0) x.refuse("elements of the array do not lie along its first axis");
  const auto at = x.make("Reshape", {positions(x, 1), x.to.integers({1, 1})});
  x.give(x.make("ScatterND", {x.in[0], at, x.make("Unsqueeze", {x.in[2], x.to.integers({0})})}));
}
inline void spell_one_hot(exported_node& x) {
  // OneHot of ONNX counts negative positions from the end, and has no scalars.
  std::vector<index> places;
  for (index k = 0; k < x.integer("depth"); ++k) places.push_back(k);
  x.give(x.to.cast(x.make("Equal", {positions_of_rows(x, 0), x.to.integers(places)}), x.n.dtype()));
}
// Negative positions of ONNX count from the end: rows without a segment change nothing of the first one.
inline void spell_segments(exported_node& x) {
  const bool sums = x.is(ops::unsorted_segment_sum);
  const shape s = x.known(x.n.shape());
  any_tensor none = any_tensor::empty(x.n.dtype(), {});
  detail::with_type_of(none.dtype(), [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>)
      *static_cast<T*>(none.mutable_data()) = sums ? T(0) : detail::lowest_or_highest<T>(x.is(ops::unsorted_segment_min));
  });
  const auto of_none = x.to.constant(none);
  const auto out = x.make("Expand", {of_none, x.to.integers({s.extents, s.extents + s.rank})});
  if (x.integer("num_segments") == 0) return x.give(out);
  const auto ids = positions(x, 1);
  std::string counts = x.make("Less", {x.to.number(dtype::int64, -1), ids});
  std::vector<index> behind;
  for (int a = x.extents(1).rank; a < x.extents(0).rank; ++a) behind.push_back(a);
  if (!behind.empty()) counts = x.make("Unsqueeze", {counts, x.to.integers(behind)});
  const auto rows = x.make("Where", {counts, x.in[0], of_none});
  const auto at = x.make("Unsqueeze", {x.make("Max", {ids, x.to.number(dtype::int64, 0)}), x.to.integers({-1})});
  if (!sums) x.to.need_opset(18);
  const auto with =
      sums ? adding(x) : std::vector{written_attribute::of_text("reduction", x.is(ops::unsorted_segment_max) ? "max" : "min")};
  x.give(x.make("ScatterND", {out, at, rows}, with));
}
inline void spell_bincount(exported_node& x) {
  const index bins = x.integer("size");
  if (bins == 0) return x.give(zeros_of_result(x));
  const auto flat = [&](const std::string& of) { return x.make("Reshape", {of, x.to.integers({-1})}); };
  const auto values = flat(positions(x, 0));
  const auto within = x.make("Clip", {values, x.to.number(dtype::int64, 0), x.to.number(dtype::int64, static_cast<double>(bins - 1))});
  const auto counts = x.make("Equal", {values, within});
  const auto added = x.make("Where", {counts, x.in.size() > 1 ? flat(x.in[1]) : x.number(1), x.number(0)});
  x.give(x.make("ScatterND", {zeros_of_result(x), x.make("Unsqueeze", {within, x.to.integers({-1})}), added}, adding(x)));
}
// The elements that come before a value are counted.
inline void spell_search(exported_node& x) {
  const bool right = x.is(ops::upper_bound);
  const auto value = x.make("Unsqueeze", {x.in[1], x.to.integers({-1})});
  const auto sorted = x.extents(0).rank > 1 ? x.make("Unsqueeze", {x.in[0], x.to.integers({-2})}) : x.in[0];
  auto before = x.make(right ? "LessOrEqual" : "Less", {sorted, value});
  if (right && is_floating(x.spec(1).dtype)) before = x.make("Or", {before, x.make("IsNaN", {value})});
  x.give(x.make("ReduceSum", {x.to.cast(before, dtype::int32), x.to.integers({-1})}, {attribute("keepdims", 0)}));
}
inline void spell_triangle(exported_node& x) {
  x.to.need_opset(14);
  x.give(x.make("Trilu", {x.in[0]}, {attribute("upper", x.integer("lower") != 0 ? 0 : 1)}));
}
inline void spell_roll(exported_node& x) {
  const index axis = axis_of(x, x.extents(0).rank);
  const auto n =
      x.make("Gather", {x.make("Shape", {x.in[0]}), x.to.number(dtype::int64, static_cast<double>(axis))}, {attribute("axis", 0)});
  const auto places = x.make("Range", {x.to.number(dtype::int64, 0), n, x.to.number(dtype::int64, 1)});
  x.give(x.make("Gather", {x.in[0], x.make("Mod", {x.make("Sub", {places, positions(x, 1)}), n})}, {attribute("axis", axis)}));
}
inline void spell_where(exported_node& x) { x.give(transposed(x, x.make("NonZero", x.in), {1, 0})); }

// A part of a tensor, given by an op that shows it, is replaced or added to: where its elements lie is what the op shows of all positions.
// `Value` is the input that is put there, `Where` the one that the op takes to tell the part, if any.
template <void (*Show)(exported_node&), bool Adds, int Value, int Where = -1>
void spell_view_update(exported_node& x) {
  const auto extents = x.make("Shape", {x.in[0]});
  const auto places = x.make("Range", {x.to.number(dtype::int64, 0), x.make("Size", {x.in[0]}), x.to.number(dtype::int64, 1)});
  exported_node view{x.to, x.g, x.n, {x.make("Reshape", {places, extents})}, {{dtype::int64, x.extents(0)}}};
  x.to.note(view.in[0], dtype::int64);
  if constexpr (Where >= 0) {
    view.in.push_back(x.in[Where]);
    view.specs.push_back(x.spec(Where));
  }
  Show(view);
  const auto flat = [&](const std::string& of) { return x.make("Reshape", {of, x.to.integers({-1})}); };
  const auto at = x.make("Reshape", {view.out[0], x.to.integers({-1, 1})});
  const auto changed = x.make("ScatterND", {flat(x.in[0]), at, flat(x.in[Value])}, Adds ? adding(x) : std::vector<written_attribute>());
  x.give(x.make("Reshape", {changed, extents}));
}

// Whole rows of the first axis are added at once, others element by element.
inline void spell_gather_add(exported_node& x) {
  if (x.integer("batch_dims") != 0 || axis_of(x, x.extents(0).rank) != 0) return spell_view_update<spell_gather, true, 1, 2>(x);
  x.give(x.make("ScatterND", {x.in[0], positions_of_rows(x, 2), x.in[1]}, adding(x)));
}

// clang-format off
inline constexpr spelled_op spelled_parts[] = {
    {&ops::strided_slice, spell_strided_slice}, {&ops::reverse, spell_reverse}, {&ops::split, spell_split}, {&ops::split_add, spell_split_add},
    {&ops::concat_part, spell_concat_part}, {&ops::slice, spell_slice}, {&ops::diag_part, spell_diag_part}, {&ops::diag, spell_diag},
    {&ops::strided_slice_update, spell_view_update<spell_strided_slice, false, 1>},
    {&ops::strided_slice_add, spell_view_update<spell_strided_slice, true, 1>},
    {&ops::diag_part_add, spell_view_update<spell_diag_part, true, 1>}, {&ops::set_diag, spell_view_update<spell_diag_part, false, 1>},
    {&ops::slice_update, spell_view_update<spell_slice, false, 2, 1>}, {&ops::slice_add, spell_view_update<spell_slice, true, 1, 2>},
    {&ops::gather, spell_gather}, {&ops::gather_nd, spell_gather_nd}, {&ops::gather_add, spell_gather_add},
    {&ops::scatter_nd, spell_scatter_nd}, {&ops::tensor_scatter_update, spell_tensor_scatter_update},
    {&ops::tensor_scatter_add, spell_tensor_scatter_add}, {&ops::along_axis_place, spell_along_axis_place},
    {&ops::array_write, spell_array_write}, {&ops::one_hot, spell_one_hot}, {&ops::unsorted_segment_sum, spell_segments},
    {&ops::unsorted_segment_max, spell_segments}, {&ops::unsorted_segment_min, spell_segments},
    {&ops::bincount, spell_bincount}, {&ops::where, spell_where}, {&ops::roll, spell_roll},
    {&ops::lower_bound, spell_search}, {&ops::upper_bound, spell_search}, {&ops::triangle, spell_triangle},
};
// clang-format on

}  // namespace jig::onnx

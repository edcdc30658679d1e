// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops that make, cut, join and rearrange tensors.

#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

inline void import_constant(node_context& c) {
  if (c.given("value")) return c.out(c.m.constant(c.tensor("value")));
  if (c.given("value_float")) return c.out(c.m.number(dtype::float32, c.real("value_float", 0)));
  if (c.given("value_int")) return c.out(c.m.number(dtype::int64, c.integer("value_int", 0)));
  if (c.given("value_floats")) {
    const auto x = c.reals("value_floats");
    return c.out(c.m.constants(std::vector<float>(x.begin(), x.end())));
  }
  if (c.given("value_ints")) {
    const auto x = c.integers("value_ints");
    return c.out(c.m.constants(std::vector<index>(x.begin(), x.end())));
  }
  std::vector<std::string> texts;
  if (c.given("value_string")) texts.emplace_back(c.text("value_string"));
  else if (c.given("value_strings"))
    for (std::size_t k = 0; k < c.find("value_strings")->texts.size(); ++k) texts.emplace_back(c.find("value_strings")->texts[k]);
  else c.fail("a constant has no value");
  any_tensor t = any_tensor::empty(dtype::string, c.given("value_string") ? shape{} : shape{1, {static_cast<index>(texts.size())}});
  std::copy(texts.begin(), texts.end(), static_cast<std::string*>(t.mutable_data()));
  c.out(c.m.constant(t));
}

// All elements are this one; nothing is stored for them.
inline edge filled(node_context& c, const list<index>& extents, edge with) {
  (void)shape_of_list(extents);
  for (const index e : extents)
    if (e < 0) c.fail("an extent is negative");
  return c.m.broadcast_to(with, extents);
}
inline void import_constant_of_shape(node_context& c) {
  list<index> to;
  for (const index e : c.m.known_integers(c.x(0))) to.push_back(e);
  edge with = c.m.number(dtype::float32, 0);
  if (c.given("value")) {
    const any_tensor t = c.tensor("value");
    if (t.size() != 1) c.fail("the value has one element");
    with = c.m.reshape(c.m.constant(t), {});
  }
  c.out(filled(c, to, with));
}
inline void import_eye_like(node_context& c) {
  const shape s = c.m.static_extents(c.x(0));
  if (s.rank != 2) c.fail("a matrix is expected");
  const dtype d = c.given("dtype") ? require_dtype(static_cast<element_type>(c.integer("dtype", 0))) : c.m.type(c.x(0));
  c.m.require_size({d, s});
  any_tensor t = any_tensor::empty(dtype::uint8, s);
  auto* to = static_cast<std::uint8_t*>(t.mutable_data());
  const index k = c.integer("k", 0);
  for (index i = 0; i < s.size(); ++i) to[i] = i % s[1] - i / s[1] == k;
  c.out(c.m.cast(c.m.constant(t), d));
}
inline void import_range(node_context& c) {
  const dtype d = c.m.type(c.x(0));
  const bool real = is_floating(d);
  double n = 0;
  std::vector<double> reals;
  std::vector<index> whole;
  if (real) {
    const double start = c.m.known_real(c.x(0)), limit = c.m.known_real(c.x(1)), step = c.m.known_real(c.x(2));
    n = std::ceil((limit - start) / step);
    if (!(n <= static_cast<double>(c.m.limits().elements))) c.fail("a range has more elements than load_limits allow");
    for (double i = 0; i < n; ++i) reals.push_back(start + i * step);
    return c.out(c.m.constants(reals, d));
  }
  const index start = c.m.known_integer(c.x(0)), limit = c.m.known_integer(c.x(1)), step = c.m.known_integer(c.x(2));
  if (step == 0) c.fail("the step of a range is 0");
  n = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(step));
  if (n > static_cast<double>(c.m.limits().elements)) c.fail("a range has more elements than load_limits allow");
  // Between ends of integers a product with the step may be too large for one where the sum is not.
  for (std::uint64_t i = 0; static_cast<double>(i) < n; ++i)
    whole.push_back(static_cast<index>(static_cast<std::uint64_t>(start) + i * static_cast<std::uint64_t>(step)));
  c.out(c.m.constants(whole, d));
}

inline void import_shape(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x);
  const auto bound = [&](const char* key, index otherwise) {
    const index given = c.integer(key, otherwise);
    return static_cast<int>(std::clamp<index>(given < 0 ? given + rank : given, 0, rank));
  };
  const int first = bound("start", 0), last = bound("end", rank);
  const shape s = c.m.extents(x);
  std::vector<index> known;
  for (int a = first; a < last; ++a)
    if (is_static_extent(s[a])) known.push_back(s[a]);
  if (static_cast<int>(known.size()) == (std::max)(last - first, 0)) return c.out(c.m.constants(known));
  c.out(c.m.cast(c.m.part(c.m.unary(ops::shape_of, x), 0, first, last), dtype::int64));
}
inline void import_size(node_context& c) {
  const edge x = c.x(0);
  const index n = c.m.extents(x).size();
  if (n >= 0) return c.out(c.m.number(dtype::int64, n));
  c.out(c.m.reduce(ops::reduce_prod, c.m.cast(c.m.unary(ops::shape_of, x), dtype::int64), {0}, false));
}

// An extent of x as an entry of a list of extents: a number, or a reference to it.
inline index listed_extent_of(const shape& s, int axis) { return is_static_extent(s[axis]) ? s[axis] : detail::product_of_axes(0, axis); }

inline void import_reshape(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.extents(x);
  list<index> to = c.opset < 5 ? c.integers("shape") : list<index>();
  if (c.opset >= 5)
    for (const index e : c.m.known_integers(c.x(1))) to.push_back(e);
  const bool zeros = c.flag("allowzero");
  for (int a = 0; a < static_cast<int>(to.size()); ++a) {
    if (to[a] < -1) c.fail("an extent is negative");
    if (to[a] != 0 || zeros) continue;
    if (a >= s.rank) c.fail("there is no extent to keep");
    to[a] = listed_extent_of(s, a);
  }
  c.out(c.m.reshape(x, to));
}
inline void import_flatten(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.extents(x);
  // The rank itself is an axis too, behind the last one.
  const index given = c.integer("axis", 1);
  const int axis = given == s.rank ? s.rank : c.axis(given, s.rank);
  if (s.is_static()) {
    index rows = 1, columns = 1;
    for (int a = 0; a < s.rank; ++a) (a < axis ? rows : columns) *= s[a];
    return c.out(c.m.reshape(x, {rows, columns}));
  }
  c.out(c.m.reshape(x, {detail::listed_product(s, 0, 0, axis), detail::listed_product(s, 0, axis, s.rank - axis)}));
}
inline void import_squeeze(node_context& c) {
  const edge x = c.x(0);
  list<index> axes = c.steering("axes", 1);
  if (axes.empty() && !c.has(1))
    for (int a = 0; a < c.m.rank(x); ++a)
      if (c.m.extents(x)[a] == 1) axes.push_back(a);
  c.out(c.m.squeeze(x, axes));
}
inline void import_unsqueeze(node_context& c) {
  edge x = c.x(0);
  list<index> axes = c.steering("axes", 1);
  const int rank = c.m.rank(x) + static_cast<int>(axes.size());
  for (index& a : axes) a = c.axis(a, rank);
  std::sort(axes.begin(), axes.end());
  for (const index a : axes) x = c.m.expand_dims(x, a);
  c.out(x);
}
inline void import_transpose(node_context& c) {
  list<index> order = c.integers("perm");
  if (!c.given("perm"))
    for (int a = c.m.rank(c.x(0)); a-- > 0;) order.push_back(a);
  c.out(c.m.transpose(c.x(0), order));
}
inline void import_expand(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.extents(x);
  const auto given = c.m.known_integers(c.x(1));
  const int rank = (std::max)(s.rank, static_cast<int>(given.size()));
  if (rank > max_rank) c.fail("a tensor has at most 8 axes");
  list<index> to;
  for (int a = 0; a < rank; ++a) {
    const int own = a - (rank - s.rank), other = a - (rank - static_cast<int>(given.size()));
    const index e = other < 0 ? 1 : given[static_cast<std::size_t>(other)];
    if (e < 0) c.fail("an extent is negative");
    to.push_back(e == 1 && own >= 0 ? listed_extent_of(s, own) : e);
  }
  c.out(c.m.broadcast_to(x, to));
}
inline void import_tile(node_context& c) {
  const edge x = c.x(0);
  list<index> times;
  if (c.opset < 6) {
    for (int a = 0; a < c.m.rank(x); ++a) times.push_back(1);
    times[c.axis(c.m.known_integer(c.x(2)), c.m.rank(x))] = c.m.known_integer(c.x(1));
  } else {
    for (const index n : c.m.known_integers(c.x(1))) times.push_back(n);
  }
  c.out(c.m.call(ops::tile, {x}, {attr::ints("multiples", times)}));
}
inline void import_concat(node_context& c) {
  list<edge> parts;
  for (std::size_t i = 0; i < c.n.inputs.size(); ++i) parts.push_back(c.x(i));
  if (parts.empty()) c.fail("there is nothing to join");
  c.out(c.m.concat(parts, c.axis(c.integer("axis", 1), c.m.rank(parts[0]))));
}
inline void import_split(node_context& c) {
  const edge x = c.x(0);
  const int axis = c.axis(c.integer("axis", 0), c.m.rank(x));
  const index extent = c.m.static_extent(x, axis);
  list<index> sizes = c.steering("split", 1);
  const auto parts = static_cast<index>(c.n.outputs.size());
  if (parts == 0) c.fail("there is no part");
  if (sizes.empty()) {
    const index each = (extent + parts - 1) / parts;
    for (index k = 0; k < parts; ++k) sizes.push_back(std::clamp<index>(extent - k * each, 0, each));
  }
  if (static_cast<index>(sizes.size()) != parts) c.fail("there is another number of sizes than of parts");
  index at = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < 0 || sizes[k] > extent - at) c.fail("the parts are longer than the axis");
    c.out(c.m.part(x, axis, at, at + sizes[k]), k);
    at += sizes[k];
  }
}
inline void import_slice(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x);
  list<index> starts = c.steering("starts", 1), ends = c.steering("ends", 2), axes = c.steering("axes", 3), steps;
  if (c.has(4)) steps = c.steering("", 4);
  if (starts.size() != ends.size()) c.fail("there are other numbers of starts and ends");
  list<index> begin(rank), end(rank), stride(rank);
  index begin_mask = 0, end_mask = 0;
  for (int a = 0; a < rank; ++a) stride[a] = 1, begin_mask |= index{1} << a, end_mask |= index{1} << a;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if ((!axes.empty() && k >= axes.size()) || (!steps.empty() && k >= steps.size())) c.fail("every start needs an axis and a step");
    const int a = c.axis(axes.empty() ? static_cast<index>(k) : axes[k], rank);
    const index step = steps.empty() ? 1 : steps[k], extent = c.m.extents(x)[a];
    index from = starts[k], to = ends[k];
    if (step == 0) c.fail("the step of a slice is 0");
    begin_mask &= ~(index{1} << a);
    end_mask &= ~(index{1} << a);
    // What counts from the end and goes beyond the start is the start.
    if (is_static_extent(extent)) {
      const auto bounded = [&](index i) {
        return std::clamp<index>(i < 0 ? (i < -extent ? -1 : i + extent) : i, step < 0 ? -1 : 0, extent);
      };
      from = (std::min)(bounded(from), step < 0 ? extent - 1 : extent);
      to = bounded(to);
      if (from < 0) from = 0, to = step < 0 ? 0 : to;
      if (step < 0 && to < 0) end_mask |= index{1} << a, to = 0;
    }
    begin[a] = from, end[a] = to, stride[a] = step;
  }
  c.out(c.m.call(ops::strided_slice, {x},
                 {attr::ints("begin", begin), attr::ints("end", end), attr::ints("strides", stride), attr::number("begin_mask", begin_mask),
                  attr::number("end_mask", end_mask), attr::number("shrink_axis_mask", 0)}));
}
inline void import_pad(node_context& c) {
  edge x = c.x(0);
  const int rank = c.m.rank(x);
  list<index> pads = c.opset < 2 ? c.integers("paddings") : c.steering("pads", 1);
  if (pads.size() != 2 * static_cast<std::size_t>(rank)) c.fail("every axis needs a padding before and one behind");
  const auto mode = c.text("mode", "constant");
  edge with = c.m.number_like(x, c.opset < 11 ? c.real("value", 0) : 0);
  if (c.opset >= 11 && c.has(2)) with = c.m.reshape(c.x(2), {});
  list<index> added;
  for (int a = 0; a < rank; ++a) {
    const index before = pads[a], behind = pads[a + rank];
    if (before < 0 || behind < 0) {
      const index extent = c.m.static_extent(x, a);
      if (before < -extent || behind < -extent) c.fail("a negative padding takes more than there is");
      const index from = (std::max)(-before, index{0}), to = extent - (std::max)(-behind, index{0});
      if (from > to) c.fail("a negative padding takes more than there is");
      x = c.m.part(x, a, from, to);
    }
    added.push_back((std::max)(before, index{0}));
    added.push_back((std::max)(behind, index{0}));
  }
  if (mode == "constant") return c.out(c.m.pad(x, added, with));
  if (mode != "reflect" && mode != "edge") c.fail("paddings are constant, reflect or edge");
  for (int a = 0; a < rank; ++a) {
    const index before = added[2 * a], behind = added[2 * a + 1];
    if (before == 0 && behind == 0) continue;
    const index extent = c.m.static_extent(x, a);
    if (extent == 0 || before > c.m.limits().elements || behind > c.m.limits().elements) c.fail("there is nothing to pad with");
    std::vector<index> from;
    for (index i = -before; i < extent + behind; ++i) {
      const index period = extent > 1 ? 2 * extent - 2 : 1, k = (i % period + period) % period;
      from.push_back(mode == "edge" ? std::clamp<index>(i, 0, extent - 1) : k < extent ? k : period - k);
    }
    x = c.m.gather(x, c.m.constants(from), a);
  }
  c.out(x);
}
inline void import_trilu(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.extents(x);
  if (s.rank < 2) c.fail("a matrix is expected");
  const index k = c.has(1) ? c.m.known_integer(c.x(1)) : 0, rows = s[s.rank - 2], columns = s[s.rank - 1];
  const bool upper = c.flag("upper", true);
  if (!is_static_extent(rows) || !is_static_extent(columns)) {
    const auto positions = [&](int axis) { return c.m.call(detail::positions_along, {x}, {attr::number("axis", axis)}); };
    const edge apart = c.m.cast(c.m.sub(positions(s.rank - 1), c.m.expand_dims(positions(s.rank - 2), 1)), dtype::int64);
    const edge kept = c.m.binary(upper ? ops::greater_equal : ops::less_equal, apart, c.m.number(dtype::int64, k));
    return c.out(c.m.select(kept, x, c.m.number_like(x, 0)));
  }
  any_tensor mask = any_tensor::empty(dtype::boolean, shape{2, {rows, columns}});
  auto* to = static_cast<bool*>(mask.mutable_data());
  for (index i = 0; i < rows * columns; ++i) to[i] = upper ? i % columns - i / columns >= k : i % columns - i / columns <= k;
  c.out(c.m.select(c.m.constant(mask), x, c.m.number_like(x, 0)));
}
inline constexpr index most_block = 1 << 15;
// Of images, of which only their number may be unknown: it is inferred then.
inline shape extents_of_images(node_context& c, edge x) {
  shape s = c.m.extents(x);
  if (s.rank != 4) c.fail("images have four axes");
  for (int a = 1; a < 4; ++a) (void)c.m.static_extent(x, a);
  if (!is_static_extent(s[0])) s[0] = jig::infer;
  return s;
}
inline void import_depth_to_space(node_context& c) {
  const edge x = c.x(0);
  const shape s = extents_of_images(c, x);
  const index b = c.integer("blocksize", 0);
  if (b < 1 || b > most_block || s[1] % (b * b) != 0) c.fail("channels do not divide into blocks");
  const index channels = s[1] / (b * b);
  const bool columns_first = c.text("mode", "DCR") == "CRD";
  const list<index> apart = columns_first ? list<index>{s[0], channels, b, b, s[2], s[3]} : list<index>{s[0], b, b, channels, s[2], s[3]};
  const edge moved = c.m.transpose(c.m.reshape(x, apart), columns_first ? list<index>{0, 1, 4, 2, 5, 3} : list<index>{0, 3, 4, 1, 5, 2});
  c.out(c.m.reshape(moved, {s[0], channels, s[2] * b, s[3] * b}));
}
inline void import_space_to_depth(node_context& c) {
  const edge x = c.x(0);
  const shape s = extents_of_images(c, x);
  const index b = c.integer("blocksize", 0);
  if (b < 1 || b > most_block || s[2] % b != 0 || s[3] % b != 0) c.fail("rows and columns do not divide into blocks");
  const edge moved = c.m.transpose(c.m.reshape(x, {s[0], s[1], s[2] / b, b, s[3] / b, b}), {0, 3, 5, 1, 2, 4});
  c.out(c.m.reshape(moved, {s[0], s[1] * b * b, s[2] / b, s[3] / b}));
}

inline constexpr op_entry shape_ops[] = {
    {"Concat", import_concat},
    {"Constant", import_constant},
    {"ConstantOfShape", import_constant_of_shape},
    {"DepthToSpace", import_depth_to_space},
    {"Expand", import_expand},
    {"EyeLike", import_eye_like},
    {"Flatten", import_flatten},
    {"Pad", import_pad},
    {"Range", import_range},
    {"Reshape", import_reshape},
    {"Shape", import_shape},
    {"Size", import_size},
    {"Slice", import_slice},
    {"SpaceToDepth", import_space_to_depth},
    {"Split", import_split},
    {"Squeeze", import_squeeze},
    {"Tile", import_tile},
    {"Transpose", import_transpose},
    {"Trilu", import_trilu},
    {"Unsqueeze", import_unsqueeze},
};

}  // namespace jig::onnx

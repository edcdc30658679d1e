// SPDX-License-Identifier: MIT
#pragma once
// Elements and rows by their positions, which are values of the computation, and what is found or summed
// along an axis. Positions count from 0, and each one that is out of range throws.

#include <jig/ops/shape.hpp>

#include <cstdint>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_index(std::string_view op, index i, index axis, index extent) {
  message m;
  m << op << ": index " << i << " is out of range for axis " << axis << " with " << extent << " elements";
  throw_invalid_argument(m.view());
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_slice(index begin, index size, index axis, index extent) {
  message m;
  m << "Slice: begin " << begin << " with size " << size << " is out of range for axis " << axis << " with " << extent << " elements";
  throw_invalid_argument(m.view());
}

constexpr const char* indices_are_integers = "the indices must be integers";

constexpr void gather_rule(rule_context& c) {
  if (!is_integer(c.inputs[1].dtype)) return c.fail(indices_are_integers);
  const shape& from = c.inputs[0].shape;
  const shape& at = c.inputs[1].shape;
  int axis = c.axis(c.integer("axis"), from.rank);
  if (c.failed) return;
  if (from.rank - 1 + at.rank > max_rank) return c.fail("a tensor has at most 8 axes");
  shape out;
  for (int a = 0; a < axis; ++a) out.push_back(from[a]);
  for (int a = 0; a < at.rank; ++a) out.push_back(at[a]);
  for (int a = axis + 1; a < from.rank; ++a) out.push_back(from[a]);
  c.result = {c.inputs[0].dtype, out};
}

// Of positions [..., k] into a tensor: what they pick has the shape [...] and the axes behind the first k.
constexpr shape picked_shape(rule_context& c, const tensor_spec& positions, const shape& from) {
  shape out = positions.shape;
  if (!is_integer(positions.dtype)) c.fail(indices_are_integers);
  if (out.rank == 0) c.fail("the indices need at least one axis");
  if (c.failed) return out;
  index k = out[--out.rank];
  if (!is_static_extent(k)) c.fail("the last extent of the indices must be known at compile time");
  else if (k > from.rank) c.fail("there are more indices than axes");
  else if (out.rank + from.rank - k > max_rank) c.fail("a tensor has at most 8 axes");
  if (c.failed) return out;
  for (auto a = static_cast<int>(k); a < from.rank; ++a) out.push_back(from[a]);
  return out;
}

constexpr void gather_nd_rule(rule_context& c) { c.result = {c.inputs[0].dtype, picked_shape(c, c.inputs[1], c.inputs[0].shape)}; }

constexpr void check_updates(rule_context& c, const tensor_spec& positions, const shape& updates, const shape& into) {
  shape expected = picked_shape(c, positions, into);
  if (c.failed) return;
  if (updates.rank != expected.rank) return c.fail("the updates do not have the shape that the indices pick");
  for (int a = 0; a < expected.rank; ++a) c.equal(expected[a], updates[a], "the updates do not have the shape that the indices pick");
}

constexpr void scatter_nd_rule(rule_context& c) {
  shape out;
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  for (index e : listed) {
    if (!is_static_extent(e)) return c.fail("the extents of the result must be known at compile time");
    out.push_back(e);
  }
  check_dtypes(c, numbers, 1);
  check_updates(c, c.inputs[0], c.inputs[1].shape, out);
  c.result = {c.inputs[1].dtype, out};
}

template <unsigned Kinds>
constexpr void tensor_scatter_rule(rule_context& c) {
  if (c.inputs[0].dtype != c.inputs[2].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  check_dtypes(c, Kinds, 2);
  check_updates(c, c.inputs[1], c.inputs[2].shape, c.inputs[0].shape);
  c.result = c.inputs[0];
}

constexpr void slice_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  const tensor_spec& begin = c.inputs[1];
  auto sizes = c.integers("size");
  if (!is_integer(begin.dtype)) return c.fail("the begin of a slice must be integers");
  if (sizes.size() != static_cast<std::size_t>(from.rank)) return c.fail("a slice needs a size for every axis");
  if (begin.shape.rank > 1 || (begin.shape.rank == 0 && from.rank != 1)) return c.fail("the begin of a slice has one axis");
  if (begin.shape.rank == 1) c.equal(begin.shape[0], from.rank, "a slice needs a begin for every axis");
  shape out;
  for (int a = 0; a < from.rank; ++a) {
    index size = sizes[static_cast<std::size_t>(a)];
    if (size == dyn) {
      out.push_back(from[a]);
      continue;
    }
    if (size < 0) return c.fail("the size of a slice must not be negative");
    if (c.difference(from[a], size) < 0 && is_static_extent(from[a])) return c.fail("the slice is longer than its axis");
    out.push_back(size);
  }
  c.result = {c.inputs[0].dtype, out};
}

constexpr void slice_update_rule(rule_context& c) {
  slice_rule(c);
  const shape part = c.result.shape, &update = c.inputs[2].shape;
  c.result = c.inputs[0];
  if (c.failed) return;
  if (c.inputs[0].dtype != c.inputs[2].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  if (update.rank != part.rank) return c.fail("the update does not have the shape of the slice");
  for (int a = 0; a < part.rank; ++a) c.equal(part[a], update[a], "the update does not have the shape of the slice");
}

constexpr void one_hot_rule(rule_context& c) {
  if (!is_integer(c.inputs[0].dtype)) return c.fail(indices_are_integers);
  auto to = static_cast<dtype>(c.integer("T"));
  if (to == dtype::string) return c.fail("the dtype must be a number or bool");
  if (c.integer("depth") < 0) return c.fail("the depth must not be negative");
  shape out = c.inputs[0].shape;
  if (out.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  out.push_back(c.integer("depth"));
  c.result = {to, out};
}

constexpr void find_rule(rule_context& c) {
  check_dtypes(c, numbers | booleans);
  const shape& from = c.inputs[0].shape;
  int axis = c.axis(c.integer("dimension"), from.rank);
  if (c.failed) return;
  if (from[axis] == 0) return c.fail("an axis without elements has no largest or smallest one");
  shape out;
  for (int a = 0; a < from.rank; ++a)
    if (a != axis) out.push_back(from[a]);
  c.result = {dtype::int64, out};
}

constexpr void cumulative_rule(rule_context& c) {
  check_dtypes(c, numbers);
  c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  c.result = c.inputs[0];
}

constexpr void gather_gradient(gradient_context&);
constexpr void gather_nd_gradient(gradient_context&);
constexpr void scatter_nd_gradient(gradient_context&);
constexpr void scatter_update_gradient(gradient_context&);
constexpr void scatter_add_gradient(gradient_context&);
constexpr void slice_gradient(gradient_context&);
constexpr void slice_update_gradient(gradient_context&);
constexpr void cumsum_gradient(gradient_context&);
constexpr void cumprod_gradient(gradient_context&);

constexpr op indexing_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs,
                         void (*gradient)(gradient_context&) = no_gradient) {
  op o = copying_op(name, rule, free_inputs, gradient);
  o.facts = fact::checked;
  return o;
}
constexpr op picking_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs, void (*gradient)(gradient_context&)) {
  op o = indexing_op(name, rule, free_inputs, gradient);
  o.facts = o.facts | fact::dynamic_slice;
  return o;
}
constexpr op updating_op(std::string_view name, void (*rule)(rule_context&), void (*gradient)(gradient_context&)) {
  op o = indexing_op(name, rule, 2, gradient);
  o.facts = o.facts | fact::updates;
  return o;
}
constexpr op adding_op(std::string_view name, void (*gradient)(gradient_context&)) {
  op o = view_update_op(name, gradient);
  o.facts = o.facts | fact::checked;
  o.free_inputs = 4;
  return o;
}
constexpr op axis_op(std::string_view name, void (*rule)(rule_context&), fact facts = fact::none,
                     void (*gradient)(gradient_context&) = no_gradient) {
  op o = copying_op(name, rule, 0, gradient);
  o.facts = facts;
  o.flops = elements_of_first_input;
  return o;
}

}  // namespace detail

namespace ops {

extern const op gather_add, tensor_scatter_add, slice_add;

/// Attribute `axis`. Inputs: a tensor and positions along that axis.
inline constexpr op gather = detail::picking_op("GatherV2", detail::gather_rule, 2, detail::gather_gradient)
                                 .making(made_ops<gather_add>)
                                 .taking({.moves = true, .positions = 2});
/// Inputs: a tensor and positions, whose last axis holds one number for each of the first axes.
inline constexpr op gather_nd = detail::indexing_op("GatherNd", detail::gather_nd_rule, 2, detail::gather_nd_gradient)
                                    .making(made_ops<tensor_scatter_add>)
                                    .taking({.moves = true, .positions = 2});
/// Attribute `shape`. Inputs: positions as for GatherNd, and what is added there.
inline constexpr op scatter_nd = detail::indexing_op("ScatterNd", detail::scatter_nd_rule, 1, detail::scatter_nd_gradient)
                                     .making(made_ops<gather_nd>)
                                     .taking({.elements = numbers, .positions = 1});
/// Inputs: a tensor, positions as for GatherNd, and what is put there.
inline constexpr op tensor_scatter_update =
    detail::updating_op("TensorScatterUpdate", detail::tensor_scatter_rule<anything>, detail::scatter_update_gradient)
        .making(made_ops<gather_nd>)
        .taking({.moves = true, .positions = 2});
/// Inputs: a tensor, positions as for GatherNd, and what is added there.
inline constexpr op tensor_scatter_add =
    detail::updating_op("TensorScatterAdd", detail::tensor_scatter_rule<numbers>, detail::scatter_add_gradient)
        .making(made_ops<gather_nd>)
        .taking({.elements = numbers, .positions = 2});
/// Attribute `size`: extents, -1 for a whole axis. Inputs: a tensor and the first position along each axis.
inline constexpr op slice = detail::indexing_op("Slice", detail::slice_rule, 2, detail::slice_gradient)
                                .making(made_ops<slice_add>)
                                .taking({.moves = true, .positions = 2});
/// Attribute `size`, as that of Slice. Inputs: a tensor, the first position along each axis, and what is put there.
inline constexpr op slice_update = detail::updating_op("SliceUpdate", detail::slice_update_rule, detail::slice_update_gradient)
                                       .making(made_ops<slice>)
                                       .taking({.moves = true, .positions = 2});
/// Attributes `depth` and `T`.
inline constexpr op one_hot = detail::copying_op("OneHot", detail::one_hot_rule).taking({.elements = numbers | booleans, .positions = 1});
/// Attribute `dimension`.
inline constexpr op argmax =
    detail::axis_op("ArgMax", detail::find_rule, fact::checked).taking({.elements = numbers | booleans, .results = {result_kind::int64}});
inline constexpr op argmin =
    detail::axis_op("ArgMin", detail::find_rule, fact::checked).taking({.elements = numbers | booleans, .results = {result_kind::int64}});
/// Attribute `axis`.
inline constexpr op cumsum = detail::axis_op("Cumsum", detail::cumulative_rule, fact::computes, detail::cumsum_gradient)
                                 .making(made_ops<reverse>)
                                 .taking({.elements = numbers});
inline constexpr op cumprod = detail::axis_op("Cumprod", detail::cumulative_rule, fact::computes, detail::cumprod_gradient)
                                  .making(made_ops<cumsum, reverse>)
                                  .taking({.elements = numbers});

/// Adds the second input where GatherV2 with the third one and attribute `axis` finds the elements of the first.
inline constexpr op gather_add = detail::adding_op("GatherGrad",
                                                   [](gradient_context& c) {
                                                     c.give(0, c.adjoint());
                                                     if (c.wants(1)) c.give(1, c.call_alike(gather, {c.full_adjoint(), c.input(2)}));
                                                   })
                                     .making(made_ops<gather>)
                                     .taking({.elements = numbers, .positions = 4});
/// The same for Slice and its begin.
inline constexpr op slice_add = detail::adding_op("SliceGrad",
                                                  [](gradient_context& c) {
                                                    c.give(0, c.adjoint());
                                                    if (c.wants(1)) c.give(1, c.call_alike(slice, {c.full_adjoint(), c.input(2)}));
                                                  })
                                    .making(made_ops<slice>)
                                    .taking({.elements = numbers, .positions = 4});

}  // namespace ops

namespace detail {

constexpr void position_gradient(gradient_context& c, const op& kind) {
  c.give_into(0, kind, {c.full_adjoint(), c.input(1)}, c.attributes());
}
constexpr void gather_gradient(gradient_context& c) { position_gradient(c, ops::gather_add); }
constexpr void gather_nd_gradient(gradient_context& c) { c.give_into(0, ops::tensor_scatter_add, {c.input(1), c.full_adjoint()}, {}); }
constexpr void scatter_nd_gradient(gradient_context& c) { c.give(1, c.call(ops::gather_nd, {c.full_adjoint(), c.input(0)})); }
constexpr void scatter_update_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto parts = c.call(ops::gather_nd, {g, c.input(1)});
  if (c.wants(2)) c.give(2, parts);
  if (c.wants(0)) c.give(0, c.call(ops::tensor_scatter_update, {g, c.input(1), c.zeros_like(parts)}));
}
constexpr void scatter_add_gradient(gradient_context& c) {
  c.give(0, c.adjoint());
  if (c.wants(2)) c.give(2, c.call(ops::gather_nd, {c.full_adjoint(), c.input(1)}));
}
constexpr void slice_gradient(gradient_context& c) { position_gradient(c, ops::slice_add); }
constexpr void slice_update_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto part = c.call_alike(ops::slice, {g, c.input(1)});
  if (c.wants(2)) c.give(2, part);
  if (c.wants(0)) c.give(0, c.call_alike(ops::slice_update, {g, c.input(1), c.zeros_like(part)}));
}

// Sums from every position to the end of the axis.
constexpr graph_value sum_to_end(gradient_context& c, const graph_value& x) {
  const index axis = c.integer("axis");
  attribute_view along{"axis", attribute_kind::integer, {&axis, 1}, {}, {}}, turned{"axis", attribute_kind::integers, {&axis, 1}, {}, {}};
  return c.call(ops::reverse, {c.call(ops::cumsum, {c.call(ops::reverse, {x}, {&turned, 1})}, {&along, 1})}, {&turned, 1});
}
constexpr void cumsum_gradient(gradient_context& c) { c.give(0, sum_to_end(c, c.full_adjoint())); }
// Where an element is 0 its gradient is NaN, as in TensorFlow.
constexpr void cumprod_gradient(gradient_context& c) { c.give(0, sum_to_end(c, c.full_adjoint() * c.output()) / c.input(0)); }

}  // namespace detail

namespace detail {

// Walks through the elements of a view in row-major order.
template <class V>
class element_cursor {
 public:
  explicit element_cursor(const V& v) : view_(v), at_(v.data()) {}
  // The next element, of which there must be one.
  const typename V::value_type& next() {
    const auto& current = *at_;
    for (int a = view_.rank() - 1; a >= 0; --a) {
      at_ += view_.stride(a);
      if (++position_[a] < view_.extent(a)) break;
      at_ -= view_.stride(a) * view_.extent(a);
      position_[a] = 0;
    }
    return current;
  }

 private:
  const V& view_;
  const typename V::value_type* at_;
  index position_[max_rank] = {};
};

// Calls f(element) for every element of a view, in row-major order.
template <class V, class F>
void for_each_element(const V& v, F&& f) {
  element_cursor<V> cursor(v);
  for (index n = v.size(); n > 0; --n) f(cursor.next());
}

// Axes first … last - 1 of a shape or of strides.
constexpr shape some_axes(const shape& s, int first, int last) {
  shape out;
  for (int a = first; a < last; ++a) out.push_back(s[a]);
  return out;
}

// A part of a tensor, such as a row, that is copied as a whole.
struct part_shape {
  shape extents, strides;
  index size;
  bool dense;
  part_shape(const shape& of, const shape& with, int first)
      : extents(some_axes(of, first, of.rank)), strides(some_axes(with, first, with.rank)), size(extents.size()) {
    shape expected = row_major_strides(extents);
    dense = true;
    for (int a = 0; a < extents.rank; ++a) dense = dense && (extents[a] <= 1 || strides[a] == expected[a]);
  }
  // To contiguous memory.
  template <class T>
  void copy(T* to, const T* from) const {
    if (dense) std::copy_n(from, size, to);
    else copy_strided(to, row_major_strides(extents), from, strides, extents);
  }
};

template <class T>
T wrapping_add(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  else return static_cast<T>(x + y);
}
template <class T>
T wrapping_multiply(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  else return static_cast<T>(x * y);
}

// Calls f(offset) for every position in the last axis of the indices: where it lies in memory with these
// strides.
template <class Indices, class F>
void for_each_position(std::string_view op, const Indices& indices, const shape& extents, const shape& strides, F&& f) {
  const int last = indices.rank() - 1;
  const auto k = static_cast<int>(indices.extent(last));
  index offset = 0;
  int axis = 0;
  auto one = [&](auto value) {
    auto i = static_cast<index>(value);
    if (i < 0 || i >= extents[axis]) throw_bad_index(op, i, axis, extents[axis]);
    offset += i * strides[axis];
    if (++axis < k) return;
    f(offset);
    offset = 0;
    axis = 0;
  };
  if (k > 0) return for_each_element(indices, one);
  // No number at all is the position of the whole tensor.
  for (index n = some_axes(indices.shape(), 0, last).size(); n > 0; --n) f(index{0});
}

template <class T>
T take_update(const T&, const T& x) {
  return x;
}

// A tensor that is to be updated may lie in the memory of the result already.
template <class Out, class In>
void copy_unless_there(const Out& out, const In& in) {
  if (in.data() != out.data()) copy_strided(out.data(), out.strides(), in.data(), in.strides(), in.shape());
}

// One part along the first axis.
template <class Out, class In, class Index, class Updates, class Combine>
[[gnu::always_inline]] inline void update_part(std::string_view op, const Out& out, const In& in, const Index& which,
                                               const Updates& updates, Combine combine) {
  const auto i = static_cast<index>(*which.data());
  if (i < 0 || i >= out.extent(0)) [[unlikely]]
    throw_bad_index(op, i, 0, out.extent(0));
  if (in.data() != out.data()) std::copy_n(in.data(), out.size(), out.data());
  const index size = updates.size();
  for (index k = 0; k < size; ++k) {
    auto& to = out.data()[i * size + k];
    to = combine(to, updates.data()[k]);
  }
}

// Where one element lies, by its position along each axis.
template <class View, class Begin>
[[gnu::always_inline]] inline index offset_of_element(const View& x, const Begin& begin) {
  index at = 0;
  for (int a = 0; a < x.rank(); ++a) {
    const auto i = static_cast<index>(begin.data()[a]);
    if (i < 0 || i >= x.extent(a)) [[unlikely]]
      throw_bad_slice(i, 1, a, x.extent(a));
    at = at * x.extent(a) + i;
  }
  return at;
}

// Combines the updates with the elements of a dense tensor at these positions, one update after the other.
template <class Out, class Indices, class Updates, class Combine>
void scatter(std::string_view op, const Out& out, const Indices& indices, const Updates& updates, Combine&& combine) {
  const auto k = static_cast<int>(indices.extent(indices.rank() - 1));
  const index size = some_axes(out.shape(), k, out.rank()).size();
  element_cursor<Updates> update(updates);
  for_each_position(op, indices, out.shape(), out.strides(), [&](index offset) {
    for (index i = 0; i < size; ++i) {
      auto& to = out.data()[offset + i];
      to = combine(to, update.next());
    }
  });
}

// The part at one position, whose size may be a constant.
template <index Known, int Axis, class T, class I>
[[gnu::always_inline]] inline void gather_part(T* to, const T* from, index size, index extent, I at) {
  const auto i = static_cast<index>(at);
  if (i < 0 || i >= extent) [[unlikely]]
    throw_bad_index("GatherV2", i, Axis, extent);
  if constexpr (Known >= 0) copy_run<Known>(to, from + i * Known);
  else copy_run(to, from + i * size, size);
}
// The parts at the same positions of several rows: the positions are looked at once. Count is how many there are, or -1.
template <index Known, int Axis, index Count, class T, class I>
[[gnu::noinline]] void gather_of_rows(T* to, const T* from, index size, index extent, index outer, const I* at, index positions) {
  const index count = Count >= 0 ? Count : positions, part = Known >= 0 ? Known : size;
  // A few are held in registers.
  index offset[array_bound(Count)];
  for (index k = 0; k < count; ++k) {
    const auto i = static_cast<index>(at[k]);
    if (i < 0 || i >= extent) [[unlikely]]
      throw_bad_index("GatherV2", i, Axis, extent);
    if constexpr (Count > 0) offset[k] = i * part;
  }
  for (; outer > 0; --outer, from += extent * part, to += count * part) {
#pragma GCC unroll 16
    for (index k = 0; k < count; ++k) {
      const index i = Count > 0 ? offset[k] : static_cast<index>(at[k]) * part;
      if constexpr (Known >= 0) copy_run<Known>(to + k * Known, from + i);
      else copy_run(to + k * part, from + i, part);
    }
  }
}
// The parts at many positions of dense memory.
template <index Known, int Axis, class T, class I>
[[gnu::noinline]] void gather_parts(T* to, const T* from, index size, index extent, const I* at, index count) {
  constexpr index block = 8;
  index k = 0;
  if constexpr (Known >= 0 && Known <= 16)
    // One question for several positions.
    for (; k + block <= count; k += block, to += block * Known) {
      bool out_of_range = false;
#pragma GCC unroll 8
      for (index b = 0; b < block; ++b)
        out_of_range = out_of_range || static_cast<std::uint64_t>(at[k + b]) >= static_cast<std::uint64_t>(extent);
      if (out_of_range) [[unlikely]]
        break;
#pragma GCC unroll 8
      for (index b = 0; b < block; ++b) copy_run<Known>(to + b * Known, from + static_cast<index>(at[k + b]) * Known);
    }
  for (; k < count; ++k, to += size) gather_part<Known, Axis>(to, from, size, extent, at[k]);
}

}  // namespace detail

template <>
struct kernel<ops::gather> {
  template <class Attributes, class T, index... OE, index... IE, class I, index... At>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, OE...>& out, const dense_view<const T, IE...>& in,
                                              const dense_view<const I, At...>& which) {
    constexpr int axis = detail::axis_attribute<Attributes>(sizeof...(IE));
    constexpr index known = detail::some_axes({sizeof...(IE), {IE...}}, axis + 1, sizeof...(IE)).size();
    constexpr index outer = detail::some_axes({sizeof...(IE), {IE...}}, 0, axis).size(), count = shape{sizeof...(At), {At...}}.size();
    index part = known;
    if constexpr (known < 0) {
      part = 1;
      for (int a = axis + 1; a < in.rank(); ++a) part *= in.extent(a);
    }
    if constexpr (outer == 1 && count == 1) {
      detail::gather_part<known, axis>(out.data(), in.data(), part, in.extent(axis), *which.data());
    } else if constexpr (outer == 1 && count >= 0 && count * (known < 0 ? detail::most_moves : known) <= detail::most_moves) {
      [&]<index... K>(std::integer_sequence<index, K...>) __attribute__((always_inline)) {
        (detail::gather_part<known, axis>(out.data() + K * part, in.data(), part, in.extent(axis), which.data()[K]), ...);
      }(std::make_integer_sequence<index, count>());
    } else {
      index n = 1;
      for (int a = 0; a < axis; ++a) n *= in.extent(a);
      if constexpr (outer != 1) {
        constexpr index few = count >= 0 && count <= 16 ? count : -1;
        if (n > 1)
          return detail::gather_of_rows<known, axis, few>(out.data(), in.data(), part, in.extent(axis), n, which.data(), which.size());
      }
      if (n > 0) detail::gather_parts<known, axis>(out.data(), in.data(), part, in.extent(axis), which.data(), which.size());
    }
  }
  template <class Attributes, class Out, class In, class Indices>
  static void run(Attributes attributes, const Out& out, const In& in, const Indices& indices) {
    const int axis = detail::axis_of(attributes, in);
    const detail::part_shape part(in.shape(), in.strides(), axis + 1);
    const index extent = in.extent(axis), stride = in.stride(axis);
    auto* to = out.data();
    auto all_of = [&](const auto* from) {
      detail::for_each_element(indices, [&](auto value) {
        auto i = static_cast<index>(value);
        if (i < 0 || i >= extent) detail::throw_bad_index("GatherV2", i, axis, extent);
        part.copy(to, from + i * stride);
        to += part.size;
      });
    };
    index outer = 1;
    for (int a = 0; a < axis; ++a) outer *= in.extent(a);
    for (index o = 0; o < outer; ++o) {
      index rest = o, offset = 0;
      for (int a = axis; a-- > 0;) {
        offset += rest % in.extent(a) * in.stride(a);
        rest /= in.extent(a);
      }
      all_of(in.data() + offset);
    }
  }
};
template <>
struct kernel<ops::gather_nd> {
  template <class Attributes, class Out, class In, class Indices>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices) {
    const auto k = static_cast<int>(indices.extent(indices.rank() - 1));
    const detail::part_shape part(in.shape(), in.strides(), k);
    auto* to = out.data();
    detail::for_each_position("GatherNd", indices, in.shape(), in.strides(), [&](index offset) {
      part.copy(to, in.data() + offset);
      to += part.size;
    });
  }
};
template <>
struct kernel<ops::scatter_nd> {
  template <class Attributes, class Out, class Indices, class Updates>
  static void run(Attributes, const Out& out, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    detail::scatter("ScatterNd", out, indices, updates, detail::wrapping_add<T>);
  }
};
template <>
struct kernel<ops::tensor_scatter_update> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterUpdate", out, in, which, updates, detail::take_update<T>);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterUpdate", out, indices, updates, detail::take_update<T>);
  }
};
template <>
struct kernel<ops::tensor_scatter_add> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterAdd", out, in, which, updates, detail::wrapping_add<T>);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterAdd", out, indices, updates, detail::wrapping_add<T>);
  }
};
template <>
struct kernel<ops::slice> {
  // A single element.
  template <class Attributes, class T, index... O, index... E, class I>
    requires(sizeof...(O) == sizeof...(E) && ((O == 1) && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, O...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, static_cast<index>(sizeof...(E))>& begin) {
    *out.data() = in.data()[detail::offset_of_element(in, begin)];
  }
  template <class Attributes, class Out, class In, class Begin>
  static void run(Attributes, const Out& out, const In& in, const Begin& begin) {
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      auto i = static_cast<index>(value);
      index size = out.extent(axis), extent = in.extent(axis);
      if (i < 0 || i > extent - size) detail::throw_bad_slice(i, size, axis, extent);
      offset += i * in.stride(axis);
      ++axis;
    });
    if (out.size() > 0) detail::copy_strided(out.data(), out.strides(), in.data() + offset, in.strides(), out.shape());
  }
};
template <>
struct kernel<ops::gather_add> {
  // One part along the first axis.
  template <class Attributes, class T, index... E, index... P, class I>
    requires(detail::axis_attribute<Attributes>(sizeof...(E)) == 0)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const T, P...>& part, const dense_view<const I>& which) {
    detail::update_part("GatherGrad", out, in, which, part, detail::wrapping_add<T>);
  }
  template <class Attributes, class Out, class In, class Part, class Indices>
  static void run(Attributes attributes, const Out& out, const In& in, const Part& part, const Indices& indices) {
    using T = typename Out::value_type;
    const int axis = detail::axis_of(attributes, out);
    detail::copy_unless_there(out, in);
    index outer = 1, inner = 1;
    for (int a = 0; a < axis; ++a) outer *= out.extent(a);
    for (int a = axis + 1; a < out.rank(); ++a) inner *= out.extent(a);
    detail::element_cursor<Part> from(part);
    for (index o = 0; o < outer; ++o)
      detail::for_each_element(indices, [&](auto value) {
        const auto i = static_cast<index>(value);
        if (i < 0 || i >= out.extent(axis)) detail::throw_bad_index("GatherGrad", i, axis, out.extent(axis));
        T* to = out.data() + (o * out.extent(axis) + i) * inner;
        for (index k = 0; k < inner; ++k) to[k] = detail::wrapping_add<T>(to[k], from.next());
      });
  }
};
template <>
struct kernel<ops::slice_add> {
  template <class Attributes, class Out, class In, class Part, class Begin>
  static void run(Attributes, const Out& out, const In& in, const Part& part, const Begin& begin) {
    detail::copy_unless_there(out, in);
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      const auto i = static_cast<index>(value);
      if (i < 0 || i > out.extent(axis) - part.extent(axis)) detail::throw_bad_slice(i, part.extent(axis), axis, out.extent(axis));
      offset += i * out.stride(axis++);
    });
    detail::add_strided(out.data() + offset, out.strides(), part);
  }
};
template <>
struct kernel<ops::slice_update> {
  // A single element.
  template <class Attributes, class T, index... E, class I, index... U>
    requires(sizeof...(E) == sizeof...(U) && ((U == 1) && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, static_cast<index>(sizeof...(E))>& begin,
                                              const dense_view<const T, U...>& update) {
    const index at = detail::offset_of_element(out, begin);
    if (in.data() != out.data()) std::copy_n(in.data(), out.size(), out.data());
    out.data()[at] = *update.data();
  }
  template <class Attributes, class Out, class In, class Begin, class Update>
  static void run(Attributes, const Out& out, const In& in, const Begin& begin, const Update& update) {
    detail::copy_unless_there(out, in);
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      const auto i = static_cast<index>(value);
      if (i < 0 || i > out.extent(axis) - update.extent(axis)) detail::throw_bad_slice(i, update.extent(axis), axis, out.extent(axis));
      offset += i * out.stride(axis++);
    });
    if (update.size() > 0) detail::copy_strided(out.data() + offset, out.strides(), update.data(), update.strides(), update.shape());
  }
};
/// The parts of x at these positions along an axis: integers of any shape, or one number, whose axis goes.
/// Shape: that of x with the axis replaced by the shape of the indices
/// Errors: an index out of range, also a negative one, throws invalid_argument with the index.
template <index Axis = 0, Operand X, Operand I>
constexpr auto gather(const X& x, const I& indices) {
  return call<ops::gather, attributes<integer<"axis", Axis>>>(x, indices);
}

/// Part i of x along its first axis: what `x[i]` gives.
/// Errors: an index out of range, also a negative one, throws invalid_argument; a compile-time constant
/// (`jig::lit`) may count from the end, and is refused at compile time where the extent is known.
template <Operand X, Operand I>
constexpr auto element(const X& x, const I& i) {
  if constexpr (Constant<I>) return strided_slice<static_cast<index>(I::value)>(x);
  else return gather(x, i);
}

/// Elements or rows of x at positions that the last axis of the indices holds, one number for each of the
/// first axes of x.
/// Shape: x, indices [..., k] -> [...] and the axes of x behind the first k
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I>
constexpr auto gather_nd(const X& x, const I& indices) {
  return call<ops::gather_nd>(x, indices);
}

/// Zeros to which updates are added at these positions; updates of one position add up.
/// Shape: (E...)
/// Errors: an index out of range throws invalid_argument with the index.
template <index... E, Operand I, Operand U>
constexpr auto scatter_nd(const I& indices, const U& updates) {
  return call<ops::scatter_nd, attributes<integers<"shape", E...>>>(indices, updates);
}

/// x with updates in place of what lies at these positions; the last update of one position stays.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_update(const X& x, const I& indices, const U& updates) {
  return call<ops::tensor_scatter_update>(x, indices, updates);
}

/// x with updates added at these positions; updates of one position add up.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_add(const X& x, const I& indices, const U& updates) {
  return call<ops::tensor_scatter_add>(x, indices, updates);
}

namespace detail {

// One index as the positions of a scatter, one number as a row; literals stay constants.
template <class I>
constexpr auto as_positions(const I& i) {
  if constexpr (world_of<I> == world::literal)
    return tensor<typename literal_element<I>::type, 1, 1>{{static_cast<typename literal_element<I>::type>(number_in(i))}};
  else return reshape<1, 1>(i);
}
template <class T, class R>
constexpr auto as_rows(const R& row) {
  if constexpr (world_of<R> != world::literal) return expand_dims<0>(row);
  else if constexpr (literal_joins<typename literal_element<R>::type, T>()) return tensor<T, 1>{static_cast<T>(number_in(row))};
  else return row;  // to be refused
}

// The same in a dynamic trace.
template <class Traced, class R>
auto dynamic_rows(const Traced& traced, dtype d, const R& row) {
  if constexpr (world_of<R> != world::literal) return expand_dims<0>(row);
  else if (literal_joins(dtype_of<typename literal_element<R>::type>, d)) return dynamic_constant(traced, d, number_in(row), 1);
  else throw_invalid_argument(literal_refusal(ops::tensor_scatter_update, d).view());
}

}  // namespace detail

/// x with another part at position i of its first axis.
/// Errors: an index out of range, also a negative one, throws invalid_argument with the index.
template <Operand X, Operand I, Operand R>
constexpr auto set_row(const X& x, const I& i, const R& row) {
  using T = typename detail::element_of_operand<X>::type;
  const auto& traced = detail::traced_one_of(x, i, row);
  if constexpr (detail::is_dynamic<X, I, R>) {
    // Constants are made by the call, in the order of its operands, but for a row, whose dtype the call cannot know.
    const auto positions = [&] {
      auto at = detail::as_positions(detail::beside(traced, i));
      if constexpr (world_of<R> == world::literal) return detail::as_dynamic(traced, at);
      else return at;
    }();
    return tensor_scatter_update(x, positions,
                                 detail::dynamic_rows(traced, detail::dtype_of_first(x, row, traced), detail::beside(traced, row)));
  } else return tensor_scatter_update(x, detail::as_positions(detail::beside(traced, i)), detail::as_rows<T>(detail::beside(traced, row)));
}

/// The part of x that begins at a position for each axis and has these extents; `jig::dyn` stands for a whole
/// axis.
/// Shape: (Sizes...)
/// Errors: a slice that does not lie within x is refused at compile time or throws invalid_argument.
template <index... Sizes, Operand X, Operand B>
constexpr auto slice(const X& x, const B& begin) {
  return call<ops::slice, attributes<integers<"size", Sizes...>>>(x, begin);
}

/// x with another part in place of the one that `slice<Sizes...>(x, begin)` gives.
/// Shape: that of x
/// Errors: a slice that does not lie within x, or an update of another shape than it, is refused at compile time or throws
/// invalid_argument.
template <index... Sizes, Operand X, Operand B, Operand U>
constexpr auto slice_update(const X& x, const B& begin, const U& update) {
  return call<ops::slice_update, attributes<integers<"size", Sizes...>>>(x, begin, update);
}

/// For every index a row with 1 at that position and 0 elsewhere; indices out of range give only zeros.
/// Shape: [...] -> [..., Depth]
template <index Depth, Element T = float, Operand I>
constexpr auto one_hot(const I& indices) {
  return call<ops::one_hot, attributes<integer<"depth", Depth>, type_attribute<"T", dtype_of<T>>>>(indices);
}

/// The position of the largest element along an axis, as an int64: the first one of equals; NaN counts as
/// largest.
/// Errors: an axis without elements is refused at compile time or throws invalid_argument.
template <index Axis = 0, Operand X>
constexpr auto argmax(const X& x) {
  return call<ops::argmax, attributes<integer<"dimension", Axis>>>(x);
}

/// The position of the smallest element along an axis, as an int64: the first one of equals; NaN counts as
/// smallest.
/// Errors: an axis without elements is refused at compile time or throws invalid_argument.
template <index Axis = 0, Operand X>
constexpr auto argmin(const X& x) {
  return call<ops::argmin, attributes<integer<"dimension", Axis>>>(x);
}

/// Running sums along an axis. Integer overflow wraps. Which numbers of the last axis are combined first follows from its extent
/// and the width of registers, as in other reductions.
/// Shape: that of x
template <index Axis = 0, Operand X>
constexpr auto cumsum(const X& x) {
  return call<ops::cumsum, attributes<integer<"axis", Axis>>>(x);
}

/// Running products along an axis. Integer overflow wraps. Which numbers of the last axis are combined first follows from its extent
/// and the width of registers, as in other reductions.
/// Shape: that of x
template <index Axis = 0, Operand X>
constexpr auto cumprod(const X& x) {
  return call<ops::cumprod, attributes<integer<"axis", Axis>>>(x);
}

}  // namespace jig

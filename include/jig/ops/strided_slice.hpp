// SPDX-License-Identifier: MIT
#pragma once
// Parts of a tensor whose bounds are known in the trace: views of its memory.

#include <jig/ops/view.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace jig {

/// As a bound of a slice: as far as the axis goes.
inline constexpr index unbounded = (std::numeric_limits<index>::min)();

/// The part of an axis that a slice takes.
struct slice_range {
  index begin = unbounded;
  index end = unbounded;
  index step = 1;
};

/// A slice_range as a type, so that types tell how many elements it takes.
template <index Begin, index End, index Step = 1>
struct fixed_range : slice_range {
  constexpr fixed_range() : slice_range{Begin, End, Step} {}
};

/// A whole axis.
inline constexpr fixed_range<unbounded, unbounded> all{};

/// The positions begin, begin + step, … of an axis, without end. Negative bounds count from the end of the
/// axis; each may be `jig::unbounded`. As in NumPy, what lies beyond the axis is left out.
constexpr slice_range range_of(index begin, index end, index step = 1) { return {begin, end, step}; }
/// The same as a type: in `x(i, j)` the extent of such a part of a static axis is static.
template <index Begin, index End, index Step = 1>
constexpr fixed_range<Begin, End, Step> range_of() {
  return {};
}

namespace ops {

extern const op strided_slice, strided_slice_add, strided_slice_update;

}  // namespace ops

namespace detail {

constexpr axis_slice slice_of_range(const slice_range& r) {
  const bool forward = r.step > 0;
  // Backwards, the first position is the last of the stretch.
  const int shift = forward ? 0 : 1;
  const axis_position first = r.begin == unbounded ? axis_position{!forward, 0} : position_on_axis(r.begin, shift);
  const axis_position last = r.end == unbounded ? axis_position{forward, 0} : position_on_axis(r.end, shift);
  return {forward ? first : last, forward ? last : first, within_reach(r.step)};
}

constexpr axis_slice slice_of_axis(stretch<attribute_view> attributes, int a) {
  auto value = [&](const char* key) {
    auto values = find_attribute(attributes, key).values;
    return a < static_cast<int>(values.size()) ? values[static_cast<std::size_t>(a)] : 0;
  };
  auto marked = [&](const char* key) { return (find_attribute(attributes, key).values[0] >> a & 1) != 0; };
  axis_slice s;
  const index begin = value("begin");
  s.single = marked("shrink_axis_mask");
  if (!s.single)
    return slice_of_range({marked("begin_mask") ? unbounded : begin, marked("end_mask") ? unbounded : value("end"), value("strides")});
  s.low = position_on_axis(begin, 0);
  s.high = position_on_axis(begin, 1);
  s.high.from_end = s.low.from_end;
  return s;
}

/// The elements that a range takes of an axis: its first position, and how many.
struct taken_positions {
  index first = 0, count = 0;
};
constexpr taken_positions positions_of(const slice_range& r, index extent) {
  const axis_slice s = slice_of_range(r);
  const index count = places_of_slice(s, extent);
  return {count > 0 ? first_place(s, extent) : 0, count};
}

constexpr void check_position(rule_context& c, const axis_slice& s, index extent) {
  const index needed = s.low.from_end ? -s.low.offset : s.high.offset;
  if (is_static_extent(extent) && needed > extent) return c.fail("the index is out of range");
  // A difference is checked at the call not to be negative.
  (void)c.difference(extent, needed);
}

// The number of positions from low to high on the axis, whose extent may be unknown.
constexpr index stretch_length(rule_context& c, const axis_slice& s, index extent) {
  if (is_static_extent(extent)) return c.excess(place_on_axis(s, s.high, extent), place_on_axis(s, s.low, extent));
  // From one end to the other one difference says all, and says it in one way only.
  if (!s.low.from_end && s.high.from_end) return c.excess(extent, s.low.offset - s.high.offset);
  if (s.low.from_end == s.high.from_end && s.low.offset >= s.high.offset) return 0;
  const auto place = [&](axis_position p) { return p.from_end ? c.excess(extent, -p.offset) : c.least(p.offset, extent); };
  if (s.low.from_end && s.high.from_end && s.high.offset == 0) return c.least(-s.low.offset, extent);
  if (!s.low.from_end) return c.excess(place(s.high), s.low.offset);
  return c.excess(place(s.high), place(s.low));
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
    if (s.single) check_position(c, s, from[a]);
    else out.push_back(c.steps(stretch_length(c, s, from[a]), s.step < 0 ? -s.step : s.step));
    if (c.failed) return;
  }
  c.result = {c.inputs[0].dtype, out};
}
constexpr void strided_slice_add_rule(rule_context& c) {
  const shape &part = c.inputs[1].shape, &shown = c.result.shape;
  strided_slice_rule(c);
  if (c.failed) return;
  if (shown.rank != part.rank) return c.fail("the part does not have the shape of the slice");
  for (int a = 0; a < part.rank; ++a) c.equal(shown[a], part[a], "the part does not have the shape of the slice");
  c.result = c.inputs[0];
}
constexpr void strided_slice_update_rule(rule_context& c) {
  if (c.inputs[0].dtype != c.inputs[1].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  strided_slice_add_rule(c);
}
constexpr taken_axis strided_slice_takes(stretch<attribute_view> attributes, int a, int) {
  const auto given = static_cast<int>(find_attribute(attributes, "begin").values.size());
  const index gone = find_attribute(attributes, "shrink_axis_mask").values[0];
  if (a >= given) return {whole_axis, a - std::popcount(static_cast<std::uint64_t>(gone))};
  const axis_slice s = slice_of_axis(attributes, a);
  const index before = gone & ((index{1} << a) - 1);
  return {s, s.single ? -1 : a - std::popcount(static_cast<std::uint64_t>(before))};
}

// A slice of all of every axis is its input.
constexpr void simplify_strided_slice(simplification& s) {
  const edge x = s.inputs[0];
  const shape& from = s.spec(x).shape;
  for (int a = 0; a < static_cast<int>(s.axes_of("begin").size()); ++a) {
    const axis_slice taken = slice_of_axis(s.attributes, a);
    const auto place = [&](const axis_position& p) { return p.from_end ? p.offset : is_static_extent(from[a]) ? p.offset - from[a] : -1; };
    const bool from_first = taken.low.from_end ? is_static_extent(from[a]) && from[a] + taken.low.offset <= 0 : taken.low.offset <= 0;
    if (taken.single || taken.step != 1 || !from_first || place(taken.high) < 0) return;
  }
  s.become_input(x);
}

constexpr void strided_slice_gradient(gradient_context& c) { view_gradient(c, ops::strided_slice_add); }
constexpr void strided_slice_gradient_again(gradient_context& c) { view_update_gradient(c, ops::strided_slice); }
constexpr void strided_slice_update_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto part = c.call_alike(ops::strided_slice, {g});
  if (c.wants(1)) c.give(1, part);
  if (c.wants(0)) c.give(0, c.call_alike(ops::strided_slice_update, {g, c.zeros_like(part)}));
}

}  // namespace detail

namespace ops {

/// Attributes `begin`, `end`, `strides`, one number for each of the first axes, and `begin_mask`, `end_mask`
/// and `shrink_axis_mask`, as TensorFlow's.
inline constexpr op strided_slice =
    detail::view_op<detail::strided_slice_takes>("StridedSlice", detail::strided_slice_rule, detail::strided_slice_gradient)
        .making(made_ops<strided_slice_add>)
        .simplified_by(detail::simplify_strided_slice);

/// Adds the second input to what a StridedSlice of the first one with these attributes shows.
inline constexpr op strided_slice_add =
    detail::view_update_op("StridedSliceGrad", detail::strided_slice_gradient_again, detail::strided_slice_add_rule)
        .making(made_ops<strided_slice>)
        .taking({.elements = numbers});

/// Puts the second input in the place of what a StridedSlice of the first one with these attributes shows.
inline constexpr op strided_slice_update =
    detail::view_update_op("TensorStridedSliceUpdate", detail::strided_slice_update_gradient, detail::strided_slice_update_rule)
        .making(made_ops<strided_slice>)
        .taking({.moves = true});

}  // namespace ops

namespace detail {

/// Whether an op adds to a slice of its first input, or puts another in its place.
constexpr bool changes_slice(const op& kind) { return is_op(kind, ops::strided_slice_add) || is_op(kind, ops::strided_slice_update); }

}  // namespace detail

template <>
struct kernel<ops::strided_slice_add> : detail::view_update_kernel<ops::strided_slice> {};
template <>
struct kernel<ops::strided_slice_update> : detail::view_update_kernel<ops::strided_slice, false> {};

namespace detail {

// Positions first … last - 1 of one axis, which may go.
constexpr graph_value part_of_axis(gradient_context& c, const graph_value& x, int axis, index first, index last, bool to_end, bool single) {
  index begin[max_rank] = {}, end[max_rank] = {}, steps[max_rank] = {};
  const auto n = static_cast<std::size_t>(axis) + 1;
  for (auto& step : steps) step = 1;
  begin[axis] = first;
  end[axis] = last;
  const index before = (index{1} << axis) - 1, to_last = before | (to_end ? index{1} << axis : 0), shrinks = single ? index{1} << axis : 0;
  attribute_view with[] = {
      {"begin", attribute_kind::integers, {begin, n}},      {"end", attribute_kind::integers, {end, n}},
      {"strides", attribute_kind::integers, {steps, n}},    {"begin_mask", attribute_kind::integer, {&before, 1}},
      {"end_mask", attribute_kind::integer, {&to_last, 1}}, {"shrink_axis_mask", attribute_kind::integer, {&shrinks, 1}}};
  return c.call(ops::strided_slice, {x}, with);
}

// The slices as the attributes of a StridedSlice: a slice_range, or an integer that picks one position.
template <class S>
constexpr slice_range as_range(const S& s) {
  if constexpr (std::derived_from<S, slice_range>) return s;
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
          if constexpr (!std::derived_from<S, slice_range>) shrink |= bit;
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

/// Part of x that is known at compile time: a `jig::range_of`, `jig::all` or an integer for each of the first
/// axes. An integer picks one position, and its axis goes. Negative numbers count from the end. Ranges keep to the axis, as in NumPy.
/// Errors: a position that is not on the axis is refused at compile time or throws invalid_argument.
template <auto... Slices, Operand X>
constexpr auto strided_slice(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::strided_slice, typename detail::slice_attributes<Slices...>::type>(x);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// Elements moved along an axis, with those that leave it at one end coming in at the other.

#include <jig/ops/composite.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/positions.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/slice_positions.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/unary.hpp>

#include <cstdint>

namespace jig {

namespace detail {

constexpr index rolled_position(index shift, index n) {
  const index rest = shift % n;
  return rest < 0 ? rest + n : rest;
}

constexpr void roll_rule(rule_context& c) {
  c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  const tensor_spec& shift = c.inputs[1];
  if (!is_integer(shift.dtype) || !is_signed(shift.dtype) || shift.shape.rank != 0) return c.fail("the shift must be one signed integer");
  c.result = c.inputs[0];
}
constexpr void roll_gradient(gradient_context& c);

}  // namespace detail

namespace ops {

/// Attribute `axis`. Inputs: a tensor, and how far its parts move.
inline constexpr op roll = detail::copying_op("Roll", detail::roll_rule, 2, detail::roll_gradient)
                               .making(made_ops<neg, cast>)
                               .taking({.moves = true, .positions = 2});

}  // namespace ops

namespace detail {

constexpr void roll_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  // The lowest number of an int32 has no negative there.
  const index type = static_cast<index>(dtype::int64);
  const attribute_view to[] = {{"DstT", attribute_kind::type, {&type, 1}}};
  c.give(0, c.call_alike(ops::roll, {c.full_adjoint(), -c.call(ops::cast, {c.input(1)}, to)}));
}

// By a known number of known parts: two slices.
constexpr void expand_roll(expansion& c) {
  const edge x = c.input(0);
  const shape s = c.extents(x);
  const index given = c.attribute("axis").values[0], axis = given < 0 ? given + s.rank : given;
  if (axis < 0 || axis >= s.rank) return c.fail("Roll: there is no such axis");
  const index n = s[static_cast<int>(axis)], first = n == 0 ? 0 : n - rolled_position(c.attribute("shift").values[0], n);
  if (first == n) return c.give(c.call(ops::identity, {x}));
  const auto part = [&](index from, index to) {
    slice_positions taken;
    for (int a = 0; a < axis; ++a) taken.add_whole(s[a]);
    taken.add(from, 1, to - from);
    return detail::with_attributes(taken, [&](stretch<attribute_view> with) { return c.call(ops::strided_slice, {x}, with); });
  };
  const edge last_part = part(first, n), first_part = part(0, first);
  const attribute_view along{"axis", attribute_kind::integer, {&axis, 1}};
  c.give(c.call(ops::concat, {last_part, first_part}, {&along, 1}));
}
inline constexpr op roll_known{.name = "Roll",
                               .label = "roll",
                               .facts = fact::composite,
                               .makes = made_ops<ops::identity, ops::strided_slice, ops::concat>,
                               .expand = expand_roll};

constexpr bool has_known_extent(const shape& s, index axis) {
  const index a = axis < 0 ? axis + s.rank : axis;
  return a < 0 || a >= s.rank || is_static_extent(s[static_cast<int>(a)]);
}

}  // namespace detail

template <>
struct kernel<ops::roll> {
  template <class Attributes, class Out, class In, class Shift>
  static void run(Attributes attributes, const Out& out, const In& in, const Shift& shift) {
    if (out.size() == 0) return;
    const int axis = detail::axis_of(attributes, out);
    const index n = out.extent(axis), front = detail::rolled_position(static_cast<index>(*shift.data()), n);
    if (detail::part_shape(in.shape(), in.strides(), 0).dense) {
      const index inner = detail::elements_along(out, axis + 1, out.rank()), row = n * inner, wrapped = front * inner;
      auto* to = out.data();
      const auto* from = in.data();
      for (index left = out.size(); left > 0; left -= row, to += row, from += row) {
        detail::copy_run(to, from + (row - wrapped), wrapped);
        detail::copy_run(to + wrapped, from, row - wrapped);
      }
      return;
    }
    shape part = out.shape();
    part[axis] = n - front;
    detail::copy_strided(out.data() + front * out.stride(axis), out.strides(), in.data(), in.strides(), part);
    part[axis] = front;
    if (front > 0) detail::copy_strided(out.data(), out.strides(), in.data() + (n - front) * in.stride(axis), in.strides(), part);
  }
};

/// x with its parts along an axis moved by a number of places towards its end, those of its end to its beginning: element i of x is
/// element (i + shift) modulo n of the result. A negative shift goes the other way.
/// Shape: that of x
/// Dtype: any; the shift is a signed integer
/// Cost: a copy
template <index Axis, Operand X, Operand S>
constexpr auto roll(const X& x, const S& shift, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, shift);
  return call<ops::roll, attributes<integer<"axis", Axis>>>(x, shift);
}
namespace detail {

template <index Shift, index Axis, class X>
constexpr auto rolled_by(const X& x) {
  using known = attributes<integer<"axis", Axis>, integer<"shift", Shift>>;
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (is_dynamic<X>) {
    if (detail::has_known_extent(x.shape(), Axis)) return call<roll_known, known>(x);
    return jig::roll<Axis>(x, static_cast<std::int64_t>(Shift));
  } else if constexpr (detail::has_known_extent(operand_shape<X>(), Axis)) {
    return call<roll_known, known>(x);
  } else {
    return jig::roll<Axis>(x, static_cast<std::int64_t>(Shift));
  }
}

}  // namespace detail

/// The same by a number of places that is known: along an axis of known extent two slices, which loops read in place.
template <index Shift, index Axis = 0, Operand... X>
  requires(sizeof...(X) == 1)
constexpr auto roll(const X&... x) {
  // A pack: programs have functions of this name, which are the better match for traced values then.
  return detail::rolled_by<Shift, Axis>(x...);
}

}  // namespace jig

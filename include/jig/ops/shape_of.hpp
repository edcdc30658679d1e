// SPDX-License-Identifier: MIT
#pragma once
// The shape of a tensor as a value of the computation.

#include <jig/ops/create.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/reduce_prod.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace jig {

namespace detail {

constexpr void shape_rule(rule_context& c) { c.result = {dtype::int32, shape{1, {c.inputs[0].shape.rank}}}; }

}  // namespace detail

namespace ops {

inline constexpr op shape_of =
    detail::copying_op("Shape", detail::shape_rule).taking({.elements = 0, .shapes = 1, .results = {result_kind::int32}});

}  // namespace ops

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

/// The number of axes, as an int32.
template <Operand X>
constexpr auto rank(const X& x) {
  if constexpr (is_refused<X>) return x;
  else return detail::constant_beside<std::int32_t>(x, detail::known_shape(x).rank);
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
// Defined in runtime/dynamic_call.hpp.
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

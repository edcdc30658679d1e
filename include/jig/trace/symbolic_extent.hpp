// SPDX-License-Identifier: MIT
#pragma once
// Extents as traced values that remember where they are from, so that an array can have as many elements.

#include <jig/ops/shape_of.hpp>
#include <jig/trace/symbol.hpp>

namespace jig {

/// The extent of a traced value along an axis: an int32 scalar.
template <index Axis, class Of>
class symbolic_extent : public symbol<std::int32_t> {
 public:
  constexpr symbolic_extent(const Of& of, edge e) : symbol<std::int32_t>(of.builder(), e), of_(of) {}
  /// The value that has this extent.
  constexpr const Of& of() const { return of_; }

 private:
  Of of_;
};

namespace detail {

template <class X>
inline constexpr bool is_symbolic_extent = false;
template <index Axis, class Of>
inline constexpr bool is_symbolic_extent<symbolic_extent<Axis, Of>> = true;

}  // namespace detail

template <index Axis, class Of>
inline constexpr bool is_symbol<symbolic_extent<Axis, Of>> = true;
template <index Axis, class Of>
inline constexpr world world_of<symbolic_extent<Axis, Of>> = world::traced;
template <index Axis, class Of>
inline constexpr bool is_value<symbolic_extent<Axis, Of>> = true;

namespace detail {

template <index Axis, class Of>
struct operand_spec<symbolic_extent<Axis, Of>> : operand_spec<symbol<std::int32_t>> {};

template <index Axis, index Known, class X>
constexpr auto traced_extent(const X& x) {
  if constexpr (is_static_extent(Known)) {
    return symbolic_extent<Axis, X>(x, x.builder()->template literal<std::int32_t>(Known));
  } else {
    return symbolic_extent<Axis, X>(x, strided_slice<Axis>(call<ops::shape_of>(x)).place());
  }
}

}  // namespace detail

}  // namespace jig

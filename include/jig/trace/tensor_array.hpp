// SPDX-License-Identifier: MIT
#pragma once
// Tensor arrays: elements of one shape that a loop writes one after another.

#include <jig/ops/tensor_array.hpp>
#include <jig/trace/control.hpp>
#include <jig/trace/range.hpp>
#include <jig/trace/symbolic_extent.hpp>

namespace jig {

/// An array of elements of one shape. Writing returns the changed array; a loop that carries it writes in place.
template <class Values>
class tensor_array_of {
 public:
  constexpr explicit tensor_array_of(const Values& values) : values_(values) {}
  /// The array with x at position i.
  /// Errors: a position out of range throws invalid_argument with the index.
  template <Operand I, Operand X>
  constexpr auto write(const I& i, const X& x) const {
    auto written = call<ops::array_write>(values_, i, x);
    if constexpr (is_refused<decltype(written)>) return written;
    else return tensor_array_of<Values>(written);
  }
  /// The element at position i.
  /// Errors: a position out of range throws invalid_argument with the index.
  template <Operand I>
  constexpr auto read(const I& i) const {
    return element(values_, i);
  }
  /// All elements along a new first axis.
  constexpr Values stack() const { return values_; }
  /// How many elements it has.
  constexpr auto size() const { return extent<0>(values_); }

 private:
  Values values_;
};

namespace detail {

template <index Axis, class Of, class X>
constexpr auto array_along(const symbolic_extent<Axis, Of>& n, const X& x) {
  auto values = call<ops::new_array, attributes<integer<"axis", Axis>>>(n.of(), x);
  if constexpr (is_refused<decltype(values)>) return values;
  else return tensor_array_of<decltype(values)>(values);
}

// An array for elements of a static spec, as long as the first axis of xs.
template <class Of, class T, index... E>
constexpr auto array_for_rows(const Of& xs, spec<T, E...>) {
  auto values = call<ops::new_array, attributes<integer<"axis", 0>, type_attribute<"T", dtype_of<T>>, integers<"shape", E...>>>(xs);
  return tensor_array_of<decltype(values)>(values);
}

template <class X>
auto empty_array(index n, const X& x) {
  auto values = call<ops::new_array, attributes<integer<"axis", 0>>>(tensor<bool, dyn>(uninitialized, shape{1, {n}}), x);
  return tensor_array_of<decltype(values)>(values);
}

inline constexpr text array_refusal = "tensor_array: in a trace the number of elements must be an extent, jig::extent<0>(x), or a literal";

// The same in a dynamic trace.
template <class Of, class X>
auto dynamic_array_along(index axis, const Of& of, const X& x) {
  const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}};
  auto values = dynamic_call<ops::new_array>(with, of, x);
  return tensor_array_of<decltype(values)>(values);
}
template <class N, class X>
auto dynamic_array(const N& n, const X& x) {
  if constexpr (requires { n.of(); }) {
    return dynamic_array_along(n.axis(), n.of(), x);
  } else if constexpr (world_of<N> != world::literal) {
    throw_invalid_argument(array_refusal.view());
    return dynamic_array_along(0, n, x);
  } else {
    const index elements = static_cast<index>(number_in(n));
    if (elements < 0) throw_invalid_argument(array_refusal.view());
    return dynamic_array_along(0, zeros<bool, dyn>(elements), x);
  }
}
template <class Of>
auto dynamic_array_for_rows(const Of& xs, const tensor_spec& s) {
  const index axis = 0, type = static_cast<index>(s.dtype);
  const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}},
                                 {"T", attribute_kind::type, {&type, 1}},
                                 {"shape", attribute_kind::integers, {s.shape.extents, static_cast<std::size_t>(s.shape.rank)}}};
  auto values = dynamic_call<ops::new_array>(with, xs);
  return tensor_array_of<decltype(values)>(values);
}

}  // namespace detail

/// An array of as many zeros as n says, each like x. In a trace n is an extent, `jig::extent<0>(x)`, or a literal.
/// Errors: another traced n is refused at compile time; a negative one throws invalid_argument.
template <class N, Operand X>
constexpr auto tensor_array(const N& n, const X& x) {
  if constexpr (is_refused<N> || is_refused<X>) {
    return detail::first_refused(n, x);
  } else if constexpr (detail::is_dynamic<N, X>) {
    return detail::dynamic_array(n, x);
  } else if constexpr (detail::is_symbolic_extent<N>) {
    return detail::array_along(n, x);
  } else if constexpr (world_of<N> == world::traced) {
    return refuse_with<detail::array_refusal, N, X>();
  } else if constexpr (world_of<X> == world::traced) {
    static_assert(Constant<N>, "jig: tensor_array: in a trace the number of elements must be an extent or a literal, jig::lit<n>");
    auto source = tensor<bool, static_cast<index>(N::value)>();
    auto values = call<ops::new_array, attributes<integer<"axis", 0>>>(source, x);
    return tensor_array_of<decltype(values)>(values);
  } else {
    return detail::empty_array(static_cast<index>(detail::number_of(n)), x);
  }
}

}  // namespace jig

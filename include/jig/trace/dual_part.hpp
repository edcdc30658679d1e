// SPDX-License-Identifier: MIT
#pragma once
// Parts of variables and of their values, `x[i]` and `x(i, j)`: read, and changed by assignment, in both worlds.

#include <jig/ops/effect_arguments.hpp>
#include <jig/trace/eager_value.hpp>

namespace jig::detail {

// The value of a part, and what its assignments change.
template <class Spec, bool IsEager>
struct dual_of_spec;
template <class T, index... E>
struct dual_of_spec<spec<T, E...>, false> : std::type_identity<variable_value<T, E...>> {};
template <class T, index... E>
struct dual_of_spec<spec<T, E...>, true> : std::type_identity<eager_value<T, E...>> {};
template <class X, class... I>
using dual_part = typename dual_of_spec<typename spec_of_part<typename X::spec_type, I...>::type, is_eager_value<X>>::type;

template <class Part, class T, class... I>
Part computed_part(T* data, const shape& extents, const shape& strides, const I&... i) {
  const place_of_part at = find_part(extents, strides, i...);
  return Part(data + at.offset, at.extents, at.strides);
}
template <class X, class... I>
constexpr auto as_traced_value_of_part(const X& x, const I&... i) {
  return value_of_part(typename symbol_of_spec<typename X::spec_type>::type(x.builder(), x.place()), i...);
}

// Defined in runtime/dynamic_struct.hpp: parts at positions that a trace at run time computes.
template <bool Element, class X, class... I>
auto dynamic_part_of_dual(const X& x, int serial, bool lost, const I&... i);
template <bool Element, class X, class... I>
auto dynamic_part_of_dual_part(const X& x, int part, const I&... i);

template <bool Element, class X, class... I>
constexpr auto part_of_dual(X& x, const I&... i) {
  if constexpr ((is_refused<I> || ...)) {
    return first_refused(i...);
  } else if constexpr (Element && !is_position_in_brackets<I...>) {
    return element(x, i...);
  } else if constexpr (!are_positions<Element, typename X::spec_type, I...>()) {
    return refused<>();
  } else if constexpr (is_dynamic<I...>) {
    return dynamic_part_of_dual<Element>(x, dual_access::serial(x), dual_access::lost(x), i...);
  } else if constexpr ((is_recorded<I> || ...)) {
    return reference_to(as_traced_value_of_part(x, i...), dual_access::serial(x), dual_access::lost(x), {position_of(i)...});
  } else {
    using part = dual_part<X, I...>;
    if constexpr (may_be_in_trace<X>)
      if (in_trace(x)) {
        const auto value = as_traced_value_of_part(x, i...);
        builder* b = x.builder();
        b->parts.push_back({dual_access::serial(x), dual_access::lost(x), {position_of(i)...}});
        return part(b, value.place(), static_cast<int>(b->parts.size()) - 1);
      }
    auto& memory = dual_access::tensor_of(x);
    return computed_part<part>(memory.data(), memory.shape(), memory.strides(), i...);
  }
}

template <class Part, class X, class T, class... I>
Part computed_part_of_part(const X& x, T* memory, const I&... i) {
  if (memory != nullptr) return computed_part<Part>(memory, x.shape(), dual_access::strides(x), i...);
  const place_of_part at = find_part(x.shape(), x.strides(), i...);
  return Part(typename Part::tensor_type(
      typename value_type_of_part<typename Part::spec_type>::view_type(x.data() + at.offset, at.extents, at.strides)));
}

// A part of a value, of which is told which part of a variable that is, if any, and the memory of it.
template <bool Element, class X, class T, class... I>
constexpr auto part_of_dual_value(const X& x, int part_of, [[maybe_unused]] T* memory, const I&... i) {
  if constexpr ((is_refused<I> || ...)) {
    return first_refused(i...);
  } else if constexpr (Element && !is_position_in_brackets<I...>) {
    return element(x, i...);
  } else if constexpr (!are_positions<Element, typename X::spec_type, I...>()) {
    return refused<>();
  } else if constexpr (is_dynamic<I...>) {
    return dynamic_part_of_dual_part<Element>(x, part_of, i...);
  } else if constexpr ((is_recorded<I> || ...)) {
    return part_of_part<Element>(typename symbol_of_spec<typename X::spec_type>::type(x.builder(), x.place()), part_of, i...);
  } else {
    using part = dual_part<X, I...>;
    if constexpr (may_be_in_trace<X>)
      if (in_trace(x)) {
        const auto value =
            part_of_part<Element>(typename symbol_of_spec<typename X::spec_type>::type(x.builder(), x.place()), part_of, i...);
        return part(value.builder(), value.place(), value.part());
      }
    return computed_part_of_part<part>(x, memory, i...);
  }
}
template <bool Element, class X, class... I>
constexpr auto part_of_dual_part(const X& x, const I&... i) {
  int part_of = -1;
  auto* memory = decltype(dual_access::memory(x))();
  if (in_trace(x)) part_of = dual_access::part(x);
  else memory = dual_access::memory(x);
  return part_of_dual_value<Element>(x, part_of, memory, i...);
}
// A part that is read: assignments to it change nothing.
template <bool Element, class X, class... I>
constexpr auto value_of_dual_part(const X& x, const I&... i) {
  typename X::value_type* nowhere = nullptr;
  return part_of_dual_value<Element>(x, -1, nowhere, i...);
}

}  // namespace jig::detail

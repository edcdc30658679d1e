// SPDX-License-Identifier: MIT
#pragma once
// Elements of datasets: one component or a std::tuple of them, which are numbers, tensors, views or anything else that can be copied.

#include <jig/adapt/argument.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>

namespace jig::data {

/// What `cardinality` says of datasets that never end, and of those that do not know how many elements they have.
inline constexpr index infinite_cardinality = -1, unknown_cardinality = -2;

namespace detail {

template <class E>
inline constexpr bool is_tuple = false;
template <class... C>
inline constexpr bool is_tuple<std::tuple<C...>> = true;

// What an element is kept as when its source goes on: views become tensors.
template <class C>
struct owned_as {
  using type = C;
};
template <class T, index... E>
struct owned_as<view<T, E...>> {
  using type = tensor<typename view<T, E...>::value_type, E...>;
};
template <class... C>
struct owned_as<std::tuple<C...>> {
  using type = std::tuple<typename owned_as<C>::type...>;
};
template <class E>
using owned = typename owned_as<E>::type;

// Copies elements at strides to where they lie without gaps; returns what is behind them.
template <class T>
T* copy_elements(const T* from, const shape& extents, const shape& strides, T* to, int axis = 0) {
  if (axis == extents.rank) {
    *to = *from;
    return to + 1;
  }
  for (index i = 0; i < extents[axis]; ++i) to = detail::copy_elements(from + i * strides[axis], extents, strides, to, axis + 1);
  return to;
}
template <class View>
void copy_view(const View& from, typename View::value_type* to) {
  if constexpr (jig::detail::layout_of_view<View> == memory_layout::row_major) {
    std::copy_n(from.data(), from.size(), to);
  } else {
    const shape extents = from.shape(), strides = from.strides();
    if (strides == jig::detail::row_major_strides(extents)) std::copy_n(from.data(), from.size(), to);
    else detail::copy_elements<typename View::value_type>(from.data(), extents, strides, to);
  }
}

template <class E>
owned<E> own(const E& element) {
  if constexpr (is_tuple<E>) {
    return std::apply([](const auto&... c) { return owned<E>(detail::own(c)...); }, element);
  } else if constexpr (is_view<E>) {
    owned<E> out(uninitialized, element.shape());
    detail::copy_view(element, out.data());
    return out;
  } else {
    return element;
  }
}

/// The element a cursor stands on, to keep it while the cursor goes on.
template <class Cursor>
auto take_owned(Cursor& from) {
  if constexpr (requires { from.take(); }) return detail::own(from.take());
  else return detail::own(from.element());
}
/// The same, but views stay views.
template <class Cursor>
auto take_element(Cursor& from) {
  if constexpr (requires { from.take(); }) return from.take();
  else return from.element();
}

// Whether a function has an argument for each component of an element.
template <class F, class E>
inline constexpr bool is_callable_with = std::is_invocable_v<const F&, const E&>;
template <class F, class... C>
inline constexpr bool is_callable_with<F, std::tuple<C...>> = std::is_invocable_v<const F&, const C&...>;
/// A function's result for an element.
template <class F, class E>
constexpr decltype(auto) call_with(F& f, const E& element) {
  if constexpr (is_tuple<E>) return std::apply(f, element);
  else return f(element);
}

[[noreturn, gnu::cold]] inline void throw_too_few(const char* what, index least, index given) {
  jig::detail::throw_invalid_argument(std::string(what) + " must be at least " + std::to_string(least) + ", given " +
                                      std::to_string(given));
}

}  // namespace detail

}  // namespace jig::data

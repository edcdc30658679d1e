// SPDX-License-Identifier: MIT
#pragma once
// Arguments: how a C++ object is seen as a tensor without a copy. Tensors, views and the standard containers are known;
// another container needs one specialisation of `argument`.

#include <jig/core/tensor.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace jig {

/// How an object of type X is seen as a tensor. A specialisation has
/// - `using spec_type = spec<T, E…>`, the signature of such an argument;
/// - `static constexpr auto bind(X&)`, and with `const X&`: a `view` of its memory, of const elements if it may not be written. Its type
///   tells how the elements always lie: a `view` of `row_major` or `column_major` elements, any other one at strides that a call
///   looks at.
template <class X>
struct argument;

template <class X>
concept Argument = requires { typename argument<std::remove_cvref_t<X>>::spec_type; };

/// How the elements of an argument lie, as far as its type tells.
template <Argument X>
inline constexpr memory_layout argument_layout =
    detail::layout_of_view<decltype(argument<std::remove_cvref_t<X>>::bind(std::declval<const std::remove_cvref_t<X>&>()))>;

namespace detail {

// Types with one dtype share one signature (long, long long); their memory is seen as the canonical type.
template <class T>
using canonical_element =
    std::conditional_t<std::is_const_v<T>, const canonical<std::remove_const_t<T>>, canonical<std::remove_const_t<T>>>;

template <class X>
struct element_of_argument {
  using type = void;
};
template <class X>
  requires requires { typename X::value_type; }
struct element_of_argument<X> {
  using type = typename X::value_type;
};
template <class X>
  requires(std::is_arithmetic_v<std::remove_all_extents_t<X>>)
struct element_of_argument<X> {
  using type = std::remove_all_extents_t<X>;
};

/// Whether an argument's memory is seen as another type of the same dtype: `long long` as `long`.
template <class X>
inline constexpr bool is_renamed = [] {
  using T = std::remove_cv_t<typename element_of_argument<X>::type>;
  if constexpr (Element<T>) return !std::is_same_v<T, canonical<T>>;
  else return false;
}();

// Accesses as one type before this and as the other behind it stay in order; without it the compiler may take them for
// accesses to different memory.
constexpr void memory_changes_type() {
  if (!std::is_constant_evaluated()) asm volatile("" ::: "memory");
}

template <class C, class T>
constexpr C* renamed(T* data) {
  if constexpr (std::is_same_v<C, T>) {
    return data;
  } else {
    memory_changes_type();
    return reinterpret_cast<C*>(data);
  }
}

template <index... E, class T>
[[gnu::always_inline]] constexpr auto view_of(T* data, const shape& extents) {
  using C = canonical_element<T>;
  return dense_view<C, E...>(renamed<C>(data), extents);
}

}  // namespace detail

template <Element T>
  requires(std::is_arithmetic_v<T> || is_storage_float<T>)
struct argument<T> {
  using spec_type = spec<canonical<T>>;
  static constexpr auto bind(const T& x) { return detail::view_of<>(&x, shape{}); }
  static constexpr auto bind(T& x) { return detail::view_of<>(&x, shape{}); }
};

template <>
struct argument<std::string> {
  using spec_type = spec<std::string>;
  static auto bind(const std::string& x) { return view<const std::string>(&x, shape{}); }
  static auto bind(std::string& x) { return view<std::string>(&x, shape{}); }
};

template <class T, index... E>
struct argument<tensor<T, E...>> {
  using spec_type = spec<canonical<T>, E...>;
  static constexpr auto bind(const tensor<T, E...>& x) { return detail::view_of<E...>(x.data(), x.shape()); }
  static constexpr auto bind(tensor<T, E...>& x) { return detail::view_of<E...>(x.data(), x.shape()); }
};

template <class T, index... E>
struct argument<view<T, E...>> {
  using spec_type = spec<canonical<std::remove_const_t<T>>, E...>;
  static constexpr auto bind(const view<T, E...>& x) {
    using C = detail::canonical_element<T>;
    if constexpr (std::is_same_v<C, T>) return x;
    else return view<C, E...>(detail::renamed<C>(x.data()), x.shape(), x.strides());
  }
};

template <class T, index... E>
struct argument<dense_view<T, E...>> {
  using spec_type = spec<canonical<std::remove_const_t<T>>, E...>;
  [[gnu::always_inline]] static constexpr auto bind(const dense_view<T, E...>& x) { return detail::view_of<E...>(x.data(), x.shape()); }
};
template <class T, index... E>
struct argument<view<row_major<T>, E...>> {
  using spec_type = spec<canonical<std::remove_const_t<T>>, E...>;
  [[gnu::always_inline]] static constexpr auto bind(const view<row_major<T>, E...>& x) {
    return detail::view_of<E...>(x.data(), x.shape());
  }
};
template <class T, index... E>
struct argument<view<column_major<T>, E...>> {
  using spec_type = spec<canonical<std::remove_const_t<T>>, E...>;
  [[gnu::always_inline]] static constexpr auto bind(const view<column_major<T>, E...>& x) {
    using C = detail::canonical_element<T>;
    if constexpr (sizeof...(E) < 2) return detail::view_of<E...>(x.data(), x.shape());
    else if constexpr (std::is_same_v<C, T>) return x;
    else return view<column_major<C>, E...>(detail::renamed<C>(x.data()), x.shape());
  }
};

template <Element T, class A>
struct argument<std::vector<T, A>> {
  using spec_type = spec<canonical<T>, dyn>;
  static constexpr auto bind(const std::vector<T, A>& x) {
    return detail::view_of<dyn>(x.data(), shape{1, {static_cast<index>(x.size())}});
  }
  static constexpr auto bind(std::vector<T, A>& x) { return detail::view_of<dyn>(x.data(), shape{1, {static_cast<index>(x.size())}}); }
};

template <class A>
struct argument<std::vector<bool, A>> {
  using spec_type = spec<bool, dyn>;
  template <class X>
  static constexpr auto bind(X&) {
    static_assert(std::is_void_v<X>, "jig: std::vector<bool> has no addressable elements: use jig::tensor<bool, jig::dyn>");
    return detail::view_of<dyn>(static_cast<bool*>(nullptr), shape{1, {0}});
  }
};

template <Element T, std::size_t N>
struct argument<std::array<T, N>> {
  static constexpr index extent = static_cast<index>(N);
  using spec_type = spec<canonical<T>, extent>;
  static constexpr auto bind(const std::array<T, N>& x) { return detail::view_of<extent>(x.data(), shape{1, {extent}}); }
  static constexpr auto bind(std::array<T, N>& x) { return detail::view_of<extent>(x.data(), shape{1, {extent}}); }
};

template <class T, std::size_t N>
  requires Element<std::remove_const_t<T>>
struct argument<std::span<T, N>> {
  static constexpr index extent = N == std::dynamic_extent ? dyn : static_cast<index>(N);
  using spec_type = spec<canonical<std::remove_const_t<T>>, extent>;
  static constexpr auto bind(const std::span<T, N>& x) {
    return detail::view_of<extent>(x.data(), shape{1, {static_cast<index>(x.size())}});
  }
};

template <Element T, std::size_t N>
  requires(!std::is_same_v<T, char>)
struct argument<T[N]> {
  static constexpr index extent = static_cast<index>(N);
  using spec_type = spec<canonical<T>, extent>;
  static constexpr auto bind(const T (&x)[N]) { return detail::view_of<extent>(&x[0], shape{1, {extent}}); }
  static constexpr auto bind(T (&x)[N]) { return detail::view_of<extent>(&x[0], shape{1, {extent}}); }
};

template <Element T, std::size_t N, std::size_t M>
struct argument<T[N][M]> {
  static constexpr index rows = static_cast<index>(N), columns = static_cast<index>(M);
  using spec_type = spec<canonical<T>, rows, columns>;
  static constexpr auto bind(const T (&x)[N][M]) { return detail::view_of<rows, columns>(&x[0][0], shape{2, {rows, columns}}); }
  static constexpr auto bind(T (&x)[N][M]) { return detail::view_of<rows, columns>(&x[0][0], shape{2, {rows, columns}}); }
};

}  // namespace jig

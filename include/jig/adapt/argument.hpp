// SPDX-License-Identifier: MIT
#pragma once
// Arguments: how a C++ object is seen as a tensor without a copy. Tensors, views and the standard containers are known;
// another container needs one specialisation of `argument`.

#include <jig/adapt/cell.hpp>
#include <jig/core/any_view.hpp>
#include <jig/core/literal.hpp>
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
///   looks at;
/// - where these are looked at, perhaps `static constexpr memory_layout usual_layout`: the one order without gaps to look for.
template <class X>
struct argument;

template <class X>
concept Argument = requires { typename argument<std::remove_cvref_t<X>>::spec_type; };

/// How the elements of an argument lie, as far as its type tells.
template <Argument X>
inline constexpr memory_layout argument_layout =
    detail::layout_of_view<decltype(argument<std::remove_cvref_t<X>>::bind(std::declval<const std::remove_cvref_t<X>&>()))>;

namespace detail {
template <class X>
inline constexpr memory_layout usual_layout = [] {
  using kind = argument<std::remove_cvref_t<X>>;
  if constexpr (requires { kind::usual_layout; }) return kind::usual_layout;
  else return memory_layout::strided;
}();
}  // namespace detail

/// How an object of type X is seen whose dtype or rank is known at run time only. A specialisation has
/// `static any_view bind(const X&)`. `any_tensor` is made of such objects, and views them.
template <class X>
struct run_time_argument;

template <class X>
concept RunTimeArgument = requires { run_time_argument<std::remove_cvref_t<X>>::bind; };

/// Why objects of type X are no arguments, though they look as if they were. A specialisation has `static constexpr auto sentence`,
/// a text.
template <class X>
struct refused_argument;

namespace detail {

// Types with one dtype share one signature (long, long long); their memory is seen as the canonical type.
template <class T>
using canonical_element =
    std::conditional_t<std::is_const_v<T>, const canonical<std::remove_const_t<T>>, canonical<std::remove_const_t<T>>>;

template <class X>
constexpr auto element_of_argument() {
  if constexpr (is_cell<X>) return std::type_identity<typename cell<X>::number>();
  else if constexpr (requires { typename X::value_type; }) return std::type_identity<typename cell<typename X::value_type>::number>();
  else if constexpr (requires { typename X::elem_type; }) return std::type_identity<typename X::elem_type>();
  else if constexpr (requires { typename X::ElementType; }) return std::type_identity<typename X::ElementType>();
  else return std::type_identity<void>();
}

/// Whether an argument's memory is seen as another type of the same dtype: `long long` as `long`.
template <class X>
inline constexpr bool is_renamed = [] {
  using T = typename decltype(element_of_argument<X>())::type;
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

// Memory in column-major order, which of one axis is the same as row-major order.
template <index... E, class T>
[[gnu::always_inline]] constexpr auto column_major_view_of(T* data, const shape& extents) {
  using C = canonical_element<T>;
  if constexpr (sizeof...(E) < 2) return view_of<E...>(data, extents);
  else return view<column_major<C>, E...>(unchecked(), renamed<C>(data), extents);
}

// Memory at strides that only the call knows.
template <index... E, class T>
[[gnu::always_inline]] constexpr auto strided_view_of(T* data, const shape& extents, const shape& strides) {
  using C = canonical_element<T>;
  return view<C, E...>(renamed<C>(data), extents, strides);
}

/// Contiguous cells of type X, of which there are so many along the axes in front.
template <class X, index... Front>
struct cells {
  using number = typename cell<X>::number;
  static constexpr shape inner = cell<X>::extents;

  template <class C>
  [[gnu::always_inline]] static constexpr auto numbers(C* first) {
    using N = std::conditional_t<std::is_const_v<C>, const number, number>;
    if constexpr (Element<X>) return static_cast<N*>(first);
    else return reinterpret_cast<N*>(first);
  }
  template <std::size_t... I>
  static spec<canonical<number>, Front..., inner[I]...> spec_with(std::index_sequence<I...>);
  template <class C, std::size_t... I>
  [[gnu::always_inline]] static constexpr auto view_with(C* first, const shape& extents, std::index_sequence<I...>) {
    return view_of<Front..., inner[I]...>(numbers(first), extents);
  }
  template <class C, std::size_t... I>
  [[gnu::always_inline]] static constexpr auto strided_with(C* first, const shape& extents, const shape& strides,
                                                            std::index_sequence<I...>) {
    return strided_view_of<Front..., inner[I]...>(numbers(first), extents, strides);
  }
  using axes = std::make_index_sequence<static_cast<std::size_t>(inner.rank)>;
  using spec_type = decltype(spec_with(axes()));

  /// The view of them, with the extents in front.
  template <class C, class... N>
  [[gnu::always_inline]] static constexpr auto bind(C* first, N... front) {
    shape extents{sizeof...(N), {static_cast<index>(front)...}};
    for (int a = 0; a < inner.rank; ++a) extents.push_back(inner[a]);
    return view_with(first, extents, axes());
  }
  /// The same at strides, in numbers, of the axes in front.
  template <class C>
  [[gnu::always_inline]] static constexpr auto bind_strided(C* first, shape extents, shape strides) {
    const shape steps = row_major_strides(inner);
    for (int a = 0; a < inner.rank; ++a) {
      extents.push_back(inner[a]);
      strides.push_back(steps[a]);
    }
    return strided_with(first, extents, strides, axes());
  }
};

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
    return detail::column_major_view_of<E...>(x.data(), x.shape());
  }
};

template <class T, class A>
  requires(detail::cell_rank<T> < max_rank && !std::is_same_v<T, bool>)
struct argument<std::vector<T, A>> {
  using spec_type = typename detail::cells<T, dyn>::spec_type;
  static constexpr auto bind(const std::vector<T, A>& x) { return detail::cells<T, dyn>::bind(x.data(), x.size()); }
  static constexpr auto bind(std::vector<T, A>& x) { return detail::cells<T, dyn>::bind(x.data(), x.size()); }
};

template <class T, std::size_t N>
  requires detail::is_cell<std::array<T, N>>
struct argument<std::array<T, N>> {
  static constexpr index extent = static_cast<index>(N);
  using spec_type = typename detail::cells<T, extent>::spec_type;
  static constexpr auto bind(const std::array<T, N>& x) { return detail::cells<T, extent>::bind(x.data(), N); }
  static constexpr auto bind(std::array<T, N>& x) { return detail::cells<T, extent>::bind(x.data(), N); }
};

namespace detail {

template <class X>
inline constexpr bool is_made_of_arrays = Element<X>;
template <class X, std::size_t N>
inline constexpr bool is_made_of_arrays<std::array<X, N>> = is_made_of_arrays<X>;
template <class X, std::size_t N>
inline constexpr bool is_made_of_arrays<X[N]> = is_made_of_arrays<X>;

template <class T, class X>
constexpr T* copy_elements(const X& from, T* to) {
  if constexpr (Element<X>) *to++ = static_cast<T>(from);
  else
    for (const auto& part : from) to = copy_elements(part, to);
  return to;
}
template <class T, index... E, class X>
constexpr auto copied_elements(spec<T, E...>, const X& from) {
  tensor<T, E...> out;
  copy_elements(from, out.data());
  return out;
}
/// The elements of an argument for a constant: a view, or a tensor where constant evaluation could not see the memory as one array of
/// the dtype's type.
template <class X>
constexpr auto elements_of_constant(const X& x) {
  if constexpr (is_made_of_arrays<X> && is_cell<X> && (cell_rank<X> > 1 || is_renamed<X>))
    return copied_elements(typename argument<X>::spec_type(), x);
  else return argument<X>::bind(x);
}

}  // namespace detail

template <auto... V>
  requires(sizeof...(V) > 0)
struct argument<literal_list<V...>> {
  using T = canonical<typename literal_list<V...>::value_type>;
  using spec_type = spec<T, static_cast<index>(sizeof...(V))>;
  static constexpr T elements[sizeof...(V)] = {static_cast<T>(V)...};
  static constexpr auto bind(const literal_list<V...>&) {
    return detail::cells<T, static_cast<index>(sizeof...(V))>::bind(elements, sizeof...(V));
  }
};

template <class T, std::size_t N>
  requires(detail::cell_rank<std::remove_const_t<T>> < max_rank)
struct argument<std::span<T, N>> {
  static constexpr index extent = N == std::dynamic_extent ? dyn : static_cast<index>(N);
  using seen = detail::cells<std::remove_const_t<T>, extent>;
  using spec_type = typename seen::spec_type;
  static constexpr auto bind(const std::span<T, N>& x) { return seen::bind(x.data(), x.size()); }
};

template <class T, std::size_t N>
  requires detail::is_cell<T[N]>
struct argument<T[N]> {
  static constexpr index extent = static_cast<index>(N);
  using spec_type = typename detail::cells<T, extent>::spec_type;
  static constexpr auto bind(const T (&x)[N]) { return detail::cells<T, extent>::bind(&x[0], N); }
  static constexpr auto bind(T (&x)[N]) { return detail::cells<T, extent>::bind(&x[0], N); }
};

// One object of a class that is a short axis.
template <class X>
  requires(std::is_class_v<X> && !Element<X> && detail::is_cell<X>)
struct argument<X> {
  using spec_type = typename detail::cells<X>::spec_type;
  static constexpr auto bind(const X& x) { return detail::cells<X>::bind(&x); }
  static constexpr auto bind(X& x) { return detail::cells<X>::bind(&x); }
};

namespace detail {

// std::complex by its members, without its header.
template <class X>
inline constexpr bool is_complex = false;
template <template <class> class X, class T>
  requires std::is_floating_point_v<T>
inline constexpr bool is_complex<X<T>> = requires(X<T> x, T t) {
  requires std::is_same_v<typename X<T>::value_type, T> && sizeof(X<T>) == 2 * sizeof(T);
  { x.real() } -> std::same_as<T>;
  { x.imag() } -> std::same_as<T>;
  x.imag(t);
};
template <class X>
inline constexpr bool holds_complex = is_complex<X>;
template <class X>
  requires(!is_complex<X> && requires { typename X::value_type; } && !std::is_same_v<typename X::value_type, X>)
inline constexpr bool holds_complex<X> = holds_complex<typename X::value_type>;
template <class X, std::size_t N>
inline constexpr bool holds_complex<X[N]> = holds_complex<X>;

// What is said to be numbers of one type, and is not.
template <class X>
inline constexpr bool holds_uneven = components<X> > 0 && !is_cell<X>;
template <class X>
  requires(components<X> == 0 && requires { typename X::value_type; } && !std::is_same_v<typename X::value_type, X>)
inline constexpr bool holds_uneven<X> = holds_uneven<typename X::value_type>;
template <class X, std::size_t N>
inline constexpr bool holds_uneven<X[N]> = holds_uneven<X>;

}  // namespace detail

template <class A>
struct refused_argument<std::vector<bool, A>> {
  static constexpr text sentence = "std::vector<bool> has no addressable elements: use jig::tensor<bool, jig::dyn>";
};

template <class X>
  requires(detail::holds_uneven<X>)
struct refused_argument<X> {
  static constexpr text sentence = "a class with jig::components is made of just so many numbers of one type: this one is not";
};

template <class X>
  requires(detail::holds_complex<X> && !Argument<X>)
struct refused_argument<X> {
  static constexpr text sentence =
      "jig has no complex numbers: with jig::components of std::complex set to 2 they are pairs of real and imaginary parts";
};

}  // namespace jig

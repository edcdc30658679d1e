// SPDX-License-Identifier: MIT
#pragma once
// Structures: std and Hana tuples, pairs, arrays of tensors, Hana maps and Hana-adapted structs, nested as deep as one
// likes. Functions take and return them; everything else in the library sees only their leaves.

#include <jig/adapt/argument.hpp>
#include <jig/core/literal.hpp>

// Declarations only: a program that has such objects includes what defines them, others do not pay for it.
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/fwd/accessors.hpp>
#include <boost/hana/fwd/at.hpp>
#include <boost/hana/fwd/at_key.hpp>
#include <boost/hana/fwd/keys.hpp>
#include <boost/hana/fwd/map.hpp>
#include <boost/hana/fwd/pair.hpp>
#include <boost/hana/fwd/string.hpp>
#include <boost/hana/fwd/tuple.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace jig {

/// How an object of type X falls into parts. A specialisation has `size`, `get<I>(x)`, `name<I>()` and
/// `make(parts…)`, which builds the same kind of structure from other parts.
template <class X>
struct structure {
  static constexpr bool nested = false;
};

namespace detail {

/// The number of a part as its name.
template <std::size_t I>
inline constexpr message position = [] {
  message m;
  m << static_cast<index>(I);
  return m;
}();

}  // namespace detail

template <class... T>
struct structure<std::tuple<T...>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return std::get<I>(x);
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return detail::position<I>.view();
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return std::tuple<std::remove_cvref_t<P>...>(std::forward<P>(parts)...);
  }
};

template <class A, class B>
struct structure<std::pair<A, B>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = 2;
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return std::get<I>(x);
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return detail::position<I>.view();
  }
  template <class P, class Q>
  static constexpr auto make(P&& p, Q&& q) {
    return std::pair<std::remove_cvref_t<P>, std::remove_cvref_t<Q>>(std::forward<P>(p), std::forward<Q>(q));
  }
};

// An array whose elements are tensors; an array of numbers, or of arrays or structs of them, is a tensor itself.
template <class T, std::size_t N>
  requires(!detail::is_cell<std::array<T, N>>)
struct structure<std::array<T, N>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = N;
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return x[I];
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return detail::position<I>.view();
  }
  template <class P, class... More>
  static constexpr auto make(P&& part, More&&... more) {
    return std::array<std::remove_cvref_t<P>, N>{{std::forward<P>(part), std::forward<More>(more)...}};
  }
};

// A list of literals stays one.
template <auto... V>
struct structure<literal_list<V...>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = sizeof...(V);
  template <std::size_t I, class X>
  static constexpr auto& get(X&) {
    return std::get<I>(all);
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return detail::position<I>.view();
  }
  template <class... P>
  static constexpr auto make(P&&...) {
    return literal_list<V...>();
  }

 private:
  static constexpr std::tuple<literal<V>...> all{};
};

template <class... T>
struct structure<boost::hana::tuple<T...>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return boost::hana::at_c<I>(x);
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return detail::position<I>.view();
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return boost::hana::tuple<std::remove_cvref_t<P>...>(std::forward<P>(parts)...);
  }
};

namespace detail {

template <class Key>
constexpr std::string_view key_name() {
  if constexpr (std::is_same_v<boost::hana::tag_of_t<Key>, boost::hana::string_tag>) return Key::c_str();
  else return {};
}

// Maps and adapted structs: keys are compile-time values. A struct reaches the lambda as a Hana map with the same keys,
// since its members have types that cannot hold traced values.
template <class Keys>
struct keyed_structure;
template <class... Key>
struct keyed_structure<boost::hana::tuple<Key...>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = sizeof...(Key);
  using key_tuple = boost::hana::tuple<Key...>;
  template <std::size_t I>
  using key = std::tuple_element_t<I, std::tuple<Key...>>;
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return boost::hana::at_key(x, key<I>());
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return key_name<key<I>>();
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return boost::hana::make_map(boost::hana::pair<Key, std::remove_cvref_t<P>>(Key(), std::forward<P>(parts))...);
  }
};

// A struct whose members are found without looking for their keys, which compilers take much longer for.
template <class Accessors>
struct accessed_structure;
template <class... Key, class... Accessor>
  requires(std::is_empty_v<Accessor> && ...) && (std::is_default_constructible_v<Accessor> && ...)
struct accessed_structure<boost::hana::tuple<boost::hana::pair<Key, Accessor>...>> : keyed_structure<boost::hana::tuple<Key...>> {
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    return std::tuple_element_t<I, std::tuple<Accessor...>>()(x);
  }
};

// Whether Hana is included, of which this header has the declarations.
template <class... Pairs>
inline constexpr bool has_hana_map = requires { typename boost::hana::map<Pairs...>; };

template <class Accessors, class X>
constexpr auto members_of() {
  if constexpr (requires { accessed_structure<Accessors>::size; }) return accessed_structure<Accessors>();
  else return keyed_structure<decltype(boost::hana::to_tuple(boost::hana::keys(std::declval<const X&>())))>();
}

template <class X, class... Nothing>
constexpr auto keyed_structure_of() {
  static_assert(has_hana_map<Nothing...>, "jig: Hana maps and Hana-adapted structs need #include <boost/hana.hpp>");
  if constexpr (!has_hana_map<Nothing...>) return keyed_structure<boost::hana::tuple<>>();
  else if constexpr (boost::hana::Struct<X>::value) return members_of<decltype(boost::hana::accessors<X>()), X>();
  else return keyed_structure<decltype(boost::hana::to_tuple(boost::hana::keys(std::declval<const X&>())))>();
}

}  // namespace detail

template <class X>
  requires(components<X> == 0 && (boost::hana::Struct<X>::value || std::is_same_v<boost::hana::tag_of_t<X>, boost::hana::map_tag>))
struct structure<X> : decltype(detail::keyed_structure_of<X>()) {};

/// Whether X falls into parts.
template <class X>
inline constexpr bool is_structure = structure<std::remove_cvref_t<X>>::nested;

namespace detail {

template <class S, std::size_t I>
using part = std::remove_cvref_t<decltype(structure<S>::template get<I>(std::declval<S&>()))>;

// The types of all leaves of a structure, left to right.
template <class... Leaf>
struct leaf_list {
  static constexpr std::size_t size = sizeof...(Leaf);
  template <class... More>
  constexpr leaf_list<Leaf..., More...> operator+(leaf_list<More...>) const {
    return {};
  }
};
template <class X>
constexpr auto leaf_list_of() {
  if constexpr (structure<X>::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (leaf_list<>() + ... + leaf_list_of<part<X, I>>());
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return leaf_list<X>();
  }
}
template <class X>
using leaves_of = decltype(leaf_list_of<X>());

template <class X, class F, std::size_t... I>
constexpr auto map_parts(X& x, F& f, std::index_sequence<I...>);

}  // namespace detail

/// The same structure with every leaf x replaced by f(x), left to right.
template <class X, class F>
constexpr auto map_leaves(X& x, F&& f) {
  using S = structure<std::remove_const_t<X>>;
  if constexpr (S::nested) return detail::map_parts(x, f, std::make_index_sequence<S::size>());
  else return f(x);
}

/// Calls f with every leaf, left to right.
template <class X, class F>
constexpr void for_each_leaf(X& x, F&& f) {
  using S = structure<std::remove_const_t<X>>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf(S::template get<I>(x), f), ...);
    }(std::make_index_sequence<S::size>());
  } else {
    f(x);
  }
}

namespace detail {

template <class X, class F, std::size_t... I>
constexpr auto map_parts(X& x, F& f, std::index_sequence<I...>) {
  using S = structure<std::remove_const_t<X>>;
  // Braces fix the order of the calls.
  std::tuple<decltype(map_leaves(S::template get<I>(x), f))...> parts{map_leaves(S::template get<I>(x), f)...};
  return S::make(std::move(std::get<I>(parts))...);
}

}  // namespace detail

}  // namespace jig

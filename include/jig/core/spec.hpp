// SPDX-License-Identifier: MIT
#pragma once
// Specs as types: `spec<float, dyn, 3>` is the signature of one argument.

#include <jig/core/shape.hpp>

#include <cstddef>
#include <utility>

namespace jig {

/// dtype and extents of an argument or result. Extents are numbers, `jig::dyn` or `jig::dim<"name">`.
template <class T, index... E>
struct spec {
  static_assert(Element<T>, "jig::spec: the element type must be a floating or integer type, bool or std::string");
  static_assert(sizeof...(E) <= max_rank, "jig::spec: a tensor has at most 8 axes");
  static_assert((true && ... && is_extent(E)), "jig::spec: an extent is a number from 0, jig::dyn or a jig::dim");
  static_assert(detail::are_possible<dtype_of<T>, E...>(), "jig::spec: a tensor has at most 2^56 bytes");
  using value_type = T;
  static constexpr int rank() { return sizeof...(E); }
  static constexpr tensor_spec value() {
    if constexpr (sizeof...(E) == 0) return {dtype_of<T>, {}};
    else return {dtype_of<T>, shape{sizeof...(E), {E...}}};
  }
};

template <class T>
inline constexpr bool is_spec = false;
template <class T, index... E>
inline constexpr bool is_spec<spec<T, E...>> = true;

namespace detail {

// Holder::value is a static constexpr tensor_spec; Template is symbol, spec, tensor …
template <template <class, index...> class Template, class Holder, class Axes>
struct typed_by_axes;
template <template <class, index...> class Template, class Holder, std::size_t... A>
struct typed_by_axes<Template, Holder, std::index_sequence<A...>> {
  using type = Template<type_of<Holder::value.dtype>, Holder::value.shape.extents[A]...>;
};

}  // namespace detail

/// The type `Template<T, E...>` for the tensor_spec `Holder::value`.
template <template <class, index...> class Template, class Holder>
using typed =
    typename detail::typed_by_axes<Template, Holder, std::make_index_sequence<static_cast<std::size_t>(Holder::value.shape.rank)>>::type;

}  // namespace jig

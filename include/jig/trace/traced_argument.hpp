// SPDX-License-Identifier: MIT
#pragma once
// What a lambda gets for its arguments while it is traced: symbols, variables and structures of these, which become inputs of the graph.

#include <jig/trace/record.hpp>
#include <jig/trace/signature.hpp>
#include <jig/trace/weak_symbol.hpp>

namespace jig::detail {

template <class X>
struct variable_for;
template <class T, index... E>
struct variable_for<variable_spec<T, E...>> : std::type_identity<variable<T, E...>> {};

template <class V>
constexpr void bind_variable(builder& b, V& v, const message& name) {
  const int serial = b.track(b.input(V::spec_type::value(), name.view()));
  b.variables.push_back(serial);
  variable_access::bind(v, &b, serial);
}

// All variables of a struct that has nothing else become inputs.
template <class X>
constexpr void bind_variables(builder& b, X& x, const message& name) {
  using S = structure<X>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (
          [&] {
            message m = name;
            m << '_' << S::template name<I>();
            bind_variables(b, S::template get<I>(x), m);
          }(),
          ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<X>) {
    bind_variable(b, x, name);
  }
}

// One argument of the lambda: its specs become symbols and variables, structs of variables such structs; literals stay.
template <class Key>
constexpr auto traced_argument(builder& b, const Key& key, const message& name) {
  using S = structure<Key>;
  if constexpr (is_struct_key<Key>) {
    typename Key::type out;
    bind_variables(b, out, name);
    return out;
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto part_name = [&](std::string_view part) {
        message m = name;
        m << '_' << part;
        return m;
      };
      using parts_t = std::tuple<decltype(traced_argument(b, S::template get<I>(key), name))...>;
      parts_t parts{traced_argument(b, S::template get<I>(key), part_name(S::template name<I>()))...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable_spec<Key>) {
    typename variable_for<Key>::type out;
    bind_variable(b, out, name);
    return out;
  } else if constexpr (is_weak_spec<Key>) {
    return weak_symbol<typename Key::value_type>(&b, b.input(Key::value(), name.view()));
  } else if constexpr (is_spec<Key>) {
    return typename symbol_of_spec<Key>::type(&b, b.input(Key::value(), name.view()));
  } else {
    return key;
  }
}

/// What the lambda gets for an argument with this key.
template <class Key>
using argument_for = decltype(detail::traced_argument(std::declval<builder&>(), Key(), message()));

}  // namespace jig::detail

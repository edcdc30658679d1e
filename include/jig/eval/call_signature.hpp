// SPDX-License-Identifier: MIT
#pragma once
// The signature that a call runs as options say it: of the arguments, with wildcards in place of extents, or the declared one that
// takes them.

#include <jig/eval/call_arguments.hpp>
#include <jig/trace/options.hpp>
#include <jig/trace/traceable.hpp>

namespace jig::detail {

struct relaxed_spec {
  template <class X>
  constexpr auto operator()(const X& x) const {
    if constexpr (is_spec<X> && !is_variable_spec<X> && !is_weak_spec<X>) return relaxed(x);
    else return x;
  }
  template <class T, index... E>
  static constexpr auto relaxed(spec<T, E...>) {
    return spec<T, (static_cast<void>(E), dyn)...>();
  }
};
template <class Key>
constexpr auto relaxed_key(const Key& key) {
  if constexpr (is_struct_key<Key>) return key;
  else return map_leaves(key, relaxed_spec());
}

// Whether everything with one key has another one too: same structure, same literals, specs that are subtypes.
template <class Given, class Expected>
constexpr bool key_is_subtype() {
  if constexpr (structure<Given>::nested && structure<Expected>::nested) {
    if constexpr (structure<Given>::size != structure<Expected>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (key_is_subtype<part<Given, I>, part<Expected, I>>() && ...);
      }(std::make_index_sequence<structure<Given>::size>());
  } else if constexpr (is_spec<Given> && is_spec<Expected>) {
    return is_variable_spec<Given> == is_variable_spec<Expected> && is_subtype(Given::value(), Expected::value());
  } else {
    return std::is_same_v<Given, Expected>;
  }
}
template <class Given, class Expected>
inline constexpr bool signature_is_subtype = false;
template <class... G, class... E>
  requires(sizeof...(G) == sizeof...(E))
inline constexpr bool signature_is_subtype<types<G...>, types<E...>> = (key_is_subtype<G, E>() && ...);
template <class Given, class Expected>
inline constexpr bool signature_may_fit = false;
template <class... G, class... E>
  requires(sizeof...(G) == sizeof...(E))
inline constexpr bool signature_may_fit<types<G...>, types<E...>> = (key_may_fit<G, E>() && ...);

/// The number of the signature that takes arguments of these types, the most specific one, of incomparable ones the first; -1.
template <class Given, class... Signature>
constexpr int signature_for() {
  constexpr int count = sizeof...(Signature);
  constexpr bool fits[] = {signature_is_subtype<Given, Signature>..., false}, may[] = {signature_may_fit<Given, Signature>..., false};
  constexpr auto below = [] {
    std::array<std::array<bool, sizeof...(Signature)>, sizeof...(Signature)> out{};
    int i = 0;
    ([&]<class A>(std::type_identity<A>) { out[static_cast<std::size_t>(i++)] = {signature_is_subtype<A, Signature>...}; }(
         std::type_identity<Signature>()),
     ...);
    return out;
  }();
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (fits[i] && (best < 0 || below[static_cast<std::size_t>(i)][static_cast<std::size_t>(best)])) best = i;
  for (int i = 0; i < count && best < 0; ++i)
    if (may[i]) best = i;
  return best;
}

template <text Name, class Given, class... Signature>
struct no_signature_reason;
template <text Name, class... Given, class... Signature>
struct no_signature_reason<Name, types<Given...>, Signature...> {
  template <class... Key>
  static constexpr void describe_keys(message& m, types<Key...>) {
    bool first = true;
    ((m << (std::exchange(first, false) ? "" : ", "), describe_key<Key>(m)), ...);
  }
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": inputs incompatible with input_signature: given ";
    describe_keys(m, types<Given...>());
    m << "; input_signature ";
    bool first = true;
    ((m << (std::exchange(first, false) ? "" : " or "), describe_keys(m, Signature())), ...);
    return m;
  }();
};

template <class First, class... Rest>
constexpr First first_of(types<First, Rest...>) {
  return {};
}

/// The keys of the signature that arguments with given keys run, as detail::types, or a refused object.
template <text Name, class O, class Given, class Signatures>
struct signature_with_options;
template <text Name, class O, class... Given, class... Signature>
struct signature_with_options<Name, O, types<Given...>, types<Signature...>> {
  static constexpr auto find() {
    if constexpr (!(all_leaves<not_refused, Given>() && ...)) {
      return refused<>();
    } else if constexpr (sizeof...(Signature) > 0) {
      constexpr int number = signature_for<types<Given...>, Signature...>();
      if constexpr (number < 0) return refuse<no_signature_reason<Name, types<Given...>, Signature...>>();
      else return std::tuple_element_t<static_cast<std::size_t>(number), std::tuple<Signature...>>();
    } else if constexpr (O::values.relaxed_shapes) {
      return types<decltype(relaxed_key(Given()))...>();
    } else {
      return types<Given...>();
    }
  }
};

}  // namespace jig::detail

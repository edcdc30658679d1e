// SPDX-License-Identifier: MIT
#pragma once
// A lambda run as it stands, op by op: its arguments are tensors and the caller's own variables.

#include <jig/trace/trace.hpp>
#include <jig/trace/weak_value.hpp>

namespace jig::detail {

template <class Spec>
struct tensor_of_spec;
template <class T, index... E>
struct tensor_of_spec<spec<T, E...>> : std::type_identity<tensor<T, E...>> {};

struct to_tensor {
  template <class X>
  auto operator()(const X& x) const {
    if constexpr (Constant<X>) return x;
    else return stored_as<typename tensor_of_spec<decltype(plain_spec(detail::leaf_key(x)))>::type>(x);
  }
  template <class T, index... E>
  static spec<T, E...> plain_spec(spec<T, E...>);
};

// Values that know what they are part of, as traced ones do: `x[i] = v` changes x, and `x[i]` has the type of other values.
template <argument_dtypes All>
struct to_eager_value {
  template <class X>
  auto operator()(const X& x) const {
    using key = decltype(key_for<X, All>());
    if constexpr (Constant<X>) return x;
    else if constexpr (is_weak_spec<key>) return weak_value<typename key::value_type>(to_tensor()(x));
    else return as_value(to_tensor()(x));
  }
  template <class T, index... E>
  static eager_value<T, E...> as_value(tensor<T, E...> x) {
    return eager_value<T, E...>(std::move(x));
  }
};

// The argument that the lambda is called with: what has variables as it is, the rest as tensors.
template <argument_dtypes All, class X>
decltype(auto) eager_argument(X& x) {
  if constexpr (holds_variables<std::remove_const_t<X>>) return (x);
  else return map_leaves(x, to_eager_value<All>());
}

/// What the lambda returns for these arguments.
template <class F, class... X>
auto eager_run(X&... x) {
  // All of them have names here, as in a trace.
  return [](auto&&... named) { return F{}(named...); }(eager_argument<dtypes_of_arguments<std::remove_const_t<X>...>()>(x)...);
}

// All leaves of a structure, as a tuple of references.
template <class X>
constexpr auto all_leaves_of(X& x) {
  if constexpr (structure<X>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(all_leaves_of(structure<X>::template get<I>(x))...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return std::tuple<X&>(x);
  }
}

}  // namespace jig::detail

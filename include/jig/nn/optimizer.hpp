// SPDX-License-Identifier: MIT
#pragma once
// What optimisers share: they walk through the variables of a model, its gradients and their own slots, which have the same
// structure.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

/// The dtype of the first variable of a model.
template <class X>
struct first_element {
  using type = typename X::value_type;
};
template <class X>
  requires is_structure<X>
struct first_element<X> : first_element<std::remove_cvref_t<decltype(structure<X>::template get<0>(std::declval<X&>()))>> {};

/// Calls f with each variable of a model and what stands at the same place in the others.
template <class F, class Model, class... More>
constexpr void for_each_variable(const F& f, Model& model, More&... more) {
  using S = structure<std::remove_const_t<Model>>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto part = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        for_each_variable(f, S::template get<K>(model), structure<std::remove_const_t<More>>::template get<K>(more)...);
      };
      (part(std::integral_constant<std::size_t, I>()), ...);
    }(std::make_index_sequence<S::size>());
  } else {
    f(model, more...);
  }
}

}  // namespace jig::nn

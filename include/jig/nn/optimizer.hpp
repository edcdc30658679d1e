// SPDX-License-Identifier: MIT
#pragma once
// What optimisers share: they walk through the variables of a model, its gradients and their own slots, which have the same
// structure.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

namespace detail {

template <class... Leaf>
constexpr auto first_floating(jig::detail::leaf_list<Leaf...>) {
  tensor_spec specs[] = {jig::detail::operand_spec<Leaf>::type::value()..., {}};
  for (const tensor_spec& s : specs)
    if (is_floating(s.dtype)) return s.dtype;
  return dtype::float32;
}

}  // namespace detail

/// The dtype of the first floating variable of a model.
template <class X>
struct first_element {
  using type = type_of<detail::first_floating(jig::detail::leaves_of<X>())>;
};

/// Calls f with each trainable variable of a model and what stands at the same place in the others.
template <class F, class Model, class... More>
constexpr void for_each_variable(const F& f, Model& model, More&... more) {
  using S = structure<std::remove_const_t<Model>>;
  if constexpr (!is_trainable<std::remove_const_t<Model>>) {
    return;
  } else if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] auto part = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        for_each_variable(f, S::template get<K>(model), structure<std::remove_const_t<More>>::template get<K>(more)...);
      };
      (part(std::integral_constant<std::size_t, I>()), ...);
    }(std::make_index_sequence<S::size>());
  } else {
    f(model, more...);
  }
}

}  // namespace jig::nn

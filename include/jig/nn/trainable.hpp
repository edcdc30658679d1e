// SPDX-License-Identifier: MIT
#pragma once
// Which variables of a model are weights: those that optimisers change and gradients are taken with respect to.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

namespace detail {

// Weights are variables of floating dtypes outside of what jig::is_trainable leaves out.
template <class X>
inline constexpr bool is_weight = false;
template <class T, index... E>
inline constexpr bool is_weight<variable<T, E...>> = is_floating(dtype_of<T>);

// References to the leaves of a structure, or to the weights among them.
template <bool Weights, class X>
constexpr auto tied_leaves(X& x) {
  using Plain = std::remove_const_t<X>;
  using S = structure<Plain>;
  if constexpr (Weights && !is_trainable<Plain>) {
    return std::tuple<>();
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(tied_leaves<Weights>(S::template get<I>(x))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (Weights && !is_weight<Plain>) {
    return std::tuple<>();
  } else {
    return std::tuple<X&>(x);
  }
}

// One variable of its own for each weight.
template <class Weights>
struct variables_like;
template <class... Weight>
struct variables_like<std::tuple<Weight&...>> {
  using type = std::tuple<Weight...>;
};

template <class T>
struct first_value {
  static_assert(!std::is_same_v<T, T>,
                "jig: this model has no weights: name the members of its struct with BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT");
  using type = float;
};
template <class Weight, class... More>
struct first_value<std::tuple<Weight&, More&...>> {
  using type = typename Weight::value_type;
};

}  // namespace detail

/// References to the weights of a model, in their order, as a tuple: `jig::gradient(loss, nn::trainable_variables(model))`.
template <class Model>
constexpr auto trainable_variables(Model& model) {
  return detail::tied_leaves<true>(model);
}

/// A tuple of variables like the weights of a model, which start at zero.
template <class Model>
using slots_like = typename detail::variables_like<decltype(trainable_variables(std::declval<Model&>()))>::type;

/// The dtype of the first weight of a model.
template <class Model>
using weight_type = typename detail::first_value<decltype(trainable_variables(std::declval<Model&>()))>::type;

}  // namespace jig::nn

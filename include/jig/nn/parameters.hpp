// SPDX-License-Identifier: MIT
#pragma once
// How many parameters a model has.

#include <jig/nn/state.hpp>

namespace jig::nn {

/// The parameters of a model and their bytes.
struct parameter_count {
  index trainable = 0, non_trainable = 0;
  /// Units: bytes
  index trainable_bytes = 0, non_trainable_bytes = 0;
  constexpr index total() const { return trainable + non_trainable; }
};

/// The parameters of a model of this type: elements of its variables, those that are trained and the others.
template <class Model, bool Trainable = true>
constexpr parameter_count parameters_of() {
  if constexpr (std::is_same_v<Model, seed_generator>) {
    return {};
  } else if constexpr (is_structure<Model>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      parameter_count all;
      for (const parameter_count& part :
           {parameter_count(), parameters_of<jig::detail::part<Model, I>, Trainable && is_trainable<Model>>()...}) {
        all.trainable += part.trainable;
        all.non_trainable += part.non_trainable;
        all.trainable_bytes += part.trainable_bytes;
        all.non_trainable_bytes += part.non_trainable_bytes;
      }
      return all;
    }(std::make_index_sequence<structure<Model>::size>());
  } else if constexpr (is_variable<Model>) {
    constexpr tensor_spec s = Model::spec_type::value();
    static_assert(s.shape.is_static(), "jig: count_params: a variable has a wildcard extent");
    constexpr index n = s.shape.size(), bytes = n * static_cast<index>(size_of(s.dtype));
    if constexpr (Trainable) return {n, 0, bytes, 0};
    else return {0, n, 0, bytes};
  } else {
    return {};
  }
}

/// The number of parameters of a model, trained or not: `static_assert(count_params(model) == 650)`.
template <class Model>
constexpr index count_params(const Model&) {
  return parameters_of<Model>().total();
}

}  // namespace jig::nn

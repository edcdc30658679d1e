// SPDX-License-Identifier: MIT
#pragma once
// A trainer as a structure: what jig::variables lists and jig::save_variables writes.

#include <jig/adapt/structure.hpp>

namespace jig::nn {
template <class Model, class Optimizer, class Loss, class... Metrics>
class trainer;
}

/// A trainer falls into its model and its optimizer: `jig::save_variables(trainer, path)` writes both.
template <class Model, class Optimizer, class Loss, class... Metrics>
struct jig::structure<jig::nn::trainer<Model, Optimizer, Loss, Metrics...>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = 2;
  template <std::size_t I, class X>
  static constexpr auto& get(X& x) {
    if constexpr (I == 0) return x.model();
    else return x.optimizer;
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return I == 0 ? "model" : "optimizer";
  }
  template <class... P>
  static constexpr auto make(P&&... parts) {
    return std::tuple<std::remove_cvref_t<P>...>(std::forward<P>(parts)...);
  }
};

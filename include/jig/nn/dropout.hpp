// SPDX-License-Identifier: MIT
#pragma once
// Dropout.

#include <jig/nn/layer.hpp>
#include <jig/nn/state.hpp>

namespace jig::nn {

/// Sets elements to zero with the probability Rate while a network is trained, and divides the others by 1 - Rate: others in every call.
template <real Rate>
struct dropout {
  static constexpr std::string_view type = "Dropout";
  BOOST_HANA_DEFINE_STRUCT(dropout, (seed_generator, seeds));

  /// In use: x itself.
  constexpr auto operator()(const auto& x) const { return x; }
  /// Which elements go in training follows from the counter of the layer's seeds.
  template <class X, Constant Training>
  constexpr auto operator()(const X& x, const Training&) {
    if constexpr (Training::value) return jig::dropout<Rate>(x, seeds.next());
    else return x;
  }

  void initialize(std::int64_t seed) { seeds.counter.assign(seed); }
};

namespace layers {
using nn::dropout;
}  // namespace layers

}  // namespace jig::nn

// SPDX-License-Identifier: MIT
#pragma once
// What losses and metrics share: labels and predictions brought to one dtype and one rank.

#include <jig/nn/cross_entropy.hpp>

namespace jig::nn::detail {

template <class X>
using spec_of = typename jig::detail::operand_spec<X>::type;
template <class X>
using element_of = typename jig::detail::operand_spec<X>::element;
template <class X>
inline constexpr int rank_of = spec_of<X>::value().shape.rank;
/// The last extent, of a number 1.
template <class X>
inline constexpr index extent_of_last = rank_of<X> == 0 ? 1 : spec_of<X>::value().shape[rank_of<X> == 0 ? 0 : rank_of<X> - 1];

/// Labels in the dtype of predictions, with a last axis of 1 where the predictions have one and the labels do not.
template <class Labels, class Predictions>
constexpr auto labels_like(const Labels& labels, const Predictions&) {
  auto numbers = cast<element_of<Predictions>>(labels);
  if constexpr (rank_of<Labels> + 1 == rank_of<Predictions> && extent_of_last<Predictions> == 1) return expand_dims<-1>(numbers);
  else return numbers;
}
/// Predictions with a last axis of 1 where the labels have one and the predictions do not.
template <class Labels, class Predictions>
constexpr auto predictions_like(const Predictions& predictions, const Labels&) {
  if constexpr (rank_of<Predictions> + 1 == rank_of<Labels> && extent_of_last<Labels> == 1) return expand_dims<-1>(predictions);
  else return predictions;
}

/// Labels that are numbers of classes, without a last axis of 1.
template <class Labels, class Predictions>
constexpr auto class_numbers(const Labels& labels, const Predictions&) {
  if constexpr (rank_of<Labels> == rank_of<Predictions> && extent_of_last<Labels> == 1) return squeeze<-1>(labels);
  else return labels;
}

/// Probabilities within the bounds that Keras gives them before it takes their logarithm.
template <class X>
constexpr auto bounded_probabilities(const X& x) {
  using T = element_of<X>;
  return clip(x, static_cast<T>(1e-7), static_cast<T>(1 - 1e-7));
}

}  // namespace jig::nn::detail

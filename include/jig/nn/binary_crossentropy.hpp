// SPDX-License-Identifier: MIT
#pragma once
// The loss of yes and no.

#include <jig/nn/labels.hpp>

namespace jig::nn {

namespace detail {

template <bool FromLogits>
struct binary_crossentropy_loss {
  static constexpr std::string_view name = "binary_crossentropy";
  /// The same of logits, from which it is computed without overflow.
  constexpr binary_crossentropy_loss<true> from_logits() const { return {}; }

  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    auto y = labels_like(y_true, y_pred);
    auto x = predictions_like(y_pred, y_true);
    if constexpr (FromLogits) {
      return reduce_mean<-1>(relu(x) - x * y + log1p(exp(-abs(x))));
    } else {
      auto p = bounded_probabilities(x);
      return -reduce_mean<-1>(y * log(p) + (1 - y) * log1p(-p));
    }
  }
};

}  // namespace detail

/// The mean cross-entropy, along the last axis, between labels from 0 to 1 and probabilities, which count as from 1e-7 to 1 - 1e-7.
/// `binary_crossentropy.from_logits()` takes logits.
/// Shape: [..., n], [..., n] -> [...]
inline constexpr detail::binary_crossentropy_loss<false> binary_crossentropy;

}  // namespace jig::nn

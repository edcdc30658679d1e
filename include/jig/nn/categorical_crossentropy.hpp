// SPDX-License-Identifier: MIT
#pragma once
// The losses of classification, from probabilities or logits.

#include <jig/nn/labels.hpp>

namespace jig::nn {

namespace detail {

// The logarithms of probabilities that are made to add up to 1.
constexpr auto log_probabilities(const auto& x) { return log(bounded_probabilities(x / reduce_sum<-1>(x, keepdims))); }

template <bool FromLogits>
struct categorical_crossentropy_loss {
  static constexpr std::string_view name = "categorical_crossentropy";
  /// The same of logits, from which it is computed without overflow.
  constexpr categorical_crossentropy_loss<true> from_logits() const { return {}; }

  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    auto y = cast<element_of<Predictions>>(y_true);
    if constexpr (FromLogits) return softmax_cross_entropy_with_logits(y, y_pred);
    else return -reduce_sum<-1>(y * log_probabilities(y_pred));
  }
};

template <bool FromLogits>
struct sparse_categorical_crossentropy_loss {
  static constexpr std::string_view name = "sparse_categorical_crossentropy";
  /// The same of logits, from which it is computed without overflow.
  constexpr sparse_categorical_crossentropy_loss<true> from_logits() const { return {}; }

  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    auto classes = class_numbers(y_true, y_pred);
    if constexpr (!is_integer(dtype_of<element_of<Labels>>))
      return refuse_with<
          "sparse_categorical_crossentropy: labels are numbers of classes, of an integer dtype: cast them, or take "
          "categorical_crossentropy for probabilities",
          Labels>();
    else if constexpr (FromLogits) return sparse_softmax_cross_entropy_with_logits(classes, y_pred);
    else return -reduce_sum<-1>(call<one_hot_labels>(classes, y_pred) * log_probabilities(y_pred));
  }
};

}  // namespace detail

/// The cross-entropy between labels, which are probabilities, and predicted probabilities, which are divided by their sum and count as
/// from 1e-7 to 1 - 1e-7. `categorical_crossentropy.from_logits()` takes logits.
/// Shape: [..., classes], [..., classes] -> [...]
inline constexpr detail::categorical_crossentropy_loss<false> categorical_crossentropy;

/// The same for labels that are numbers of classes. A label that is no class counts as one without probability.
/// Shape: [...] or [..., 1] of integers, [..., classes] -> [...]
inline constexpr detail::sparse_categorical_crossentropy_loss<false> sparse_categorical_crossentropy;

}  // namespace jig::nn

// SPDX-License-Identifier: MIT
#pragma once
// Metrics of classification: of each sample, how right it is, from 0 to 1.

#include <jig/nn/labels.hpp>

namespace jig::nn {

namespace detail {

template <real Threshold>
struct binary_accuracy_metric {
  static constexpr std::string_view name = "binary_accuracy";
  /// The same with another bound between no and yes; for logits 0.
  template <real Other>
  constexpr binary_accuracy_metric<Other> threshold() const {
    return {};
  }

  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    using T = element_of<Predictions>;
    auto yes = cast<T>(predictions_like(y_pred, y_true) > static_cast<T>(Threshold.value()));
    return reduce_mean<-1>(cast<T>(yes == labels_like(y_true, y_pred)));
  }
};

struct categorical_accuracy_metric {
  static constexpr std::string_view name = "categorical_accuracy";
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    return cast<element_of<Predictions>>(argmax<-1>(y_true) == argmax<-1>(y_pred));
  }
};

struct sparse_categorical_accuracy_metric {
  static constexpr std::string_view name = "sparse_categorical_accuracy";
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    return cast<element_of<Predictions>>(cast<std::int64_t>(class_numbers(y_true, y_pred)) == cast<std::int64_t>(argmax<-1>(y_pred)));
  }
};

// Whether a class is among the first k: fewer than k others have a larger prediction.
template <index K>
constexpr auto is_among_first(const auto& chosen, const auto& y_pred) {
  using T = element_of<std::remove_cvref_t<decltype(y_pred)>>;
  auto of_class = reduce_sum<-1>(where(chosen, y_pred, zeros_like(y_pred)), keepdims);
  auto larger = reduce_sum<-1>(cast<std::int64_t>(y_pred > of_class));
  return cast<T>(larger < K && is_finite(squeeze<-1>(of_class)) && reduce_any<-1>(chosen));
}

template <index K>
struct top_k_categorical_accuracy_metric {
  static constexpr std::string_view name = "top_k_categorical_accuracy";
  /// The same with another number of first classes.
  template <index Other>
  constexpr top_k_categorical_accuracy_metric<Other> k() const {
    return {};
  }
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    auto wanted = call<one_hot_labels>(argmax<-1>(y_true), y_pred);
    return is_among_first<K>(wanted > 0, y_pred);
  }
};

template <index K>
struct sparse_top_k_categorical_accuracy_metric {
  static constexpr std::string_view name = "sparse_top_k_categorical_accuracy";
  /// The same with another number of first classes.
  template <index Other>
  constexpr sparse_top_k_categorical_accuracy_metric<Other> k() const {
    return {};
  }
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    auto wanted = call<one_hot_labels>(class_numbers(y_true, y_pred), y_pred);
    return is_among_first<K>(wanted > 0, y_pred);
  }
};

struct accuracy_metric {
  static constexpr std::string_view name = "accuracy";
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    if constexpr (extent_of_last<Predictions> == 1 || rank_of<Predictions> < 2) return binary_accuracy_metric<0.5>()(y_true, y_pred);
    else if constexpr (rank_of<Labels> < rank_of<Predictions> || extent_of_last<Labels> == 1)
      return sparse_categorical_accuracy_metric()(y_true, y_pred);
    else return categorical_accuracy_metric()(y_true, y_pred);
  }
};

}  // namespace detail

/// The part of labels, 0 and 1, that predictions above and up to 0.5 have right, along the last axis.
/// `binary_accuracy.threshold<0.0>()` is for logits.
/// Shape: [..., n], [..., n] -> [...]
inline constexpr detail::binary_accuracy_metric<0.5> binary_accuracy;

/// 1 where the largest prediction is that of the largest label, else 0.
/// Shape: [..., classes], [..., classes] -> [...]
inline constexpr detail::categorical_accuracy_metric categorical_accuracy;

/// 1 where the largest prediction is that of the class, else 0.
/// Shape: [...] or [..., 1] of integers, [..., classes] -> [...]
inline constexpr detail::sparse_categorical_accuracy_metric sparse_categorical_accuracy;

/// 1 where fewer than 5 predictions are larger than that of the largest label, else 0. `top_k_categorical_accuracy.k<3>()` has another
/// number.
/// Shape: [..., classes], [..., classes] -> [...]
inline constexpr detail::top_k_categorical_accuracy_metric<5> top_k_categorical_accuracy;

/// The same for labels that are numbers of classes.
/// Shape: [...] or [..., 1] of integers, [..., classes] -> [...]
inline constexpr detail::sparse_top_k_categorical_accuracy_metric<5> sparse_top_k_categorical_accuracy;

/// That of the three that fits the shapes, as Keras chooses: binary for predictions of one number, sparse for labels without an axis of
/// classes, else categorical.
inline constexpr detail::accuracy_metric accuracy;

}  // namespace jig::nn

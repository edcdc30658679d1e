// SPDX-License-Identifier: MIT
#pragma once
// The losses of numbers.

#include <jig/nn/labels.hpp>

namespace jig::nn {

namespace detail {

constexpr auto errors(const auto& y_true, const auto& y_pred) { return predictions_like(y_pred, y_true) - labels_like(y_true, y_pred); }

struct mean_squared_error_loss {
  static constexpr std::string_view name = "mean_squared_error";
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    return reduce_mean<-1>(square(errors(y_true, y_pred)));
  }
};

struct mean_absolute_error_loss {
  static constexpr std::string_view name = "mean_absolute_error";
  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    return reduce_mean<-1>(abs(errors(y_true, y_pred)));
  }
};

template <real Delta>
struct huber_loss {
  static constexpr std::string_view name = "huber";
  /// The same with another error up to which it is quadratic.
  template <real Other>
  constexpr huber_loss<Other> delta() const {
    return {};
  }

  template <Operand Labels, Operand Predictions>
  constexpr auto operator()(const Labels& y_true, const Predictions& y_pred) const {
    constexpr double d = Delta.value();
    using T = element_of<Predictions>;
    auto error = abs(errors(y_true, y_pred));
    return reduce_mean<-1>(
        where(error <= static_cast<T>(d), square(error) * static_cast<T>(0.5), error * static_cast<T>(d) - static_cast<T>(0.5 * d * d)));
  }
};

}  // namespace detail

/// The mean of squared errors along the last axis.
/// Shape: [..., n], [..., n] -> [...]
inline constexpr detail::mean_squared_error_loss mean_squared_error, mse;

/// The mean of absolute errors along the last axis.
/// Shape: [..., n], [..., n] -> [...]
inline constexpr detail::mean_absolute_error_loss mean_absolute_error, mae;

/// Half the squares of errors up to 1, and of larger ones what continues them as a straight line; the mean along the last axis.
/// `huber.delta<0.5>()` has another place where that begins.
/// Shape: [..., n], [..., n] -> [...]
inline constexpr detail::huber_loss<1.0> huber;

}  // namespace jig::nn

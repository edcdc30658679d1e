// SPDX-License-Identifier: MIT
#pragma once
// A mean over batches.

#include <boost/hana.hpp>
#include <jig.hpp>

namespace jig::nn {

/// The mean of all values since the last reset, such as those of a loss or a metric in a loop of one's own:
/// `m.update_state(nn::accuracy(y, model(x)))`. In functions it is state like any struct of variables.
struct mean {
  BOOST_HANA_DEFINE_STRUCT(mean, (variable<double>, total), (variable<double>, count));

  constexpr void update_state(const auto& values) {
    auto numbers = cast<double>(values);
    total.assign_add(reduce_sum(numbers));
    count.assign_add(reduce_sum(ones_like(numbers)));
  }
  /// Of no values 0, as in Keras.
  constexpr auto result() const { return where(count == 0, total.read(), total / maximum(count, 1.0)); }
  constexpr void reset_state() {
    total.assign(0);
    count.assign(0);
  }
};

}  // namespace jig::nn

// SPDX-License-Identifier: MIT
#pragma once
// Layers of long short-term memory.

#include <jig/nn/dense.hpp>
#include <jig/nn/orthogonal.hpp>
#include <jig/nn/recurrent.hpp>

namespace jig::nn {

/// An LSTM with the types of jig::lstm's options, such as `return_sequences_t`. It starts at zero until it is initialised.
template <class T, index In, index Units, class... Option>
struct lstm {
  static constexpr std::string_view type = "LSTM";
  /// The same layer from the last step in time to the first.
  using backwards = lstm<T, In, Units, Option..., go_backwards_t>;
  BOOST_HANA_DEFINE_STRUCT(lstm, (variable<T, In, 4 * Units>, kernel), (variable<T, Units, 4 * Units>, recurrent_kernel),
                           (variable<T, 4 * Units>, bias));

  /// Shape: [batch, time, In] -> [batch, Units], or [batch, time, Units] with return_sequences_t
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return jig::lstm(x, kernel, recurrent_kernel, bias, Option()...);
  }
  /// One step: the next output and the next cell state.
  /// Shape: x [batch, In], h and c [batch, Units] -> twice [batch, Units]
  constexpr auto step(const auto& x, const auto& h, const auto& c) const {
    return jig::lstm_cell(x, h, c, kernel, recurrent_kernel, bias, Option()...);
  }

  /// Keras' defaults: glorot_uniform, an orthogonal recurrent kernel, and a bias of ones for the forget gate, otherwise zeros.
  void initialize(std::int64_t seed, bool unit_forget_bias = true) {
    kernel.assign(glorot_uniform<T, In, 4 * Units>(seed_of_part(seed, 0)));
    recurrent_kernel.assign(orthogonal<T, Units, 4 * Units>(seed_of_part(seed, 1)));
    tensor<T, 4 * Units> start;
    if (unit_forget_bias) std::fill_n(start.data() + Units, Units, T(1));
    bias.assign(start);
  }
};

namespace layers {

/// An LSTM layer of so many units with options of jig::lstm: `lstm<64>(jig::return_sequences)`.
template <index Units, class... Option>
constexpr nn::detail::recurrent_description<nn::lstm, Units, Option...> lstm(const Option&...) {
  return {};
}

}  // namespace layers

}  // namespace jig::nn

// SPDX-License-Identifier: MIT
#pragma once
// Layers of gated recurrent units.

#include <jig/nn/dense.hpp>
#include <jig/nn/orthogonal.hpp>
#include <jig/nn/recurrent.hpp>

namespace jig::nn {

namespace detail {

// Two biases, of the step and of the state, or one where the reset gate comes before the product.
template <class T, index Width, bool ResetBefore>
struct gru_bias {
  using type = variable<T, 2, Width>;
};
template <class T, index Width>
struct gru_bias<T, Width, true> {
  using type = variable<T, Width>;
};

}  // namespace detail

/// A GRU with the types of jig::gru's options, such as `return_sequences_t`. It starts at zero until it is initialised.
template <class T, index In, index Units, class... Option>
struct gru {
  static constexpr std::string_view type = "GRU";
  /// The same layer from the last step in time to the first.
  using backwards = gru<T, In, Units, Option..., go_backwards_t>;
  using bias_type = typename detail::gru_bias<T, 3 * Units, (std::is_same_v<Option, reset_before_t> || ...)>::type;
  BOOST_HANA_DEFINE_STRUCT(gru, (variable<T, In, 3 * Units>, kernel), (variable<T, Units, 3 * Units>, recurrent_kernel), (bias_type, bias));

  /// Shape: [batch, time, In] -> [batch, Units], or [batch, time, Units] with return_sequences_t
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return jig::gru(x, kernel, recurrent_kernel, bias, Option()...);
  }
  /// One step: the next state, which is the output.
  /// Shape: x [batch, In], h [batch, Units] -> [batch, Units]
  constexpr auto step(const auto& x, const auto& h) const { return jig::gru_cell(x, h, kernel, recurrent_kernel, bias, Option()...); }

  /// Keras' defaults: glorot_uniform, an orthogonal recurrent kernel and biases of zeros.
  void initialize(std::int64_t seed) {
    kernel.assign(glorot_uniform<T, In, 3 * Units>(seed_of_part(seed, 0)));
    recurrent_kernel.assign(orthogonal<T, Units, 3 * Units>(seed_of_part(seed, 1)));
    bias.assign(zeros_like(bias.value()));
  }
};

namespace layers {

/// A GRU layer of so many units with options of jig::gru: `gru<64>(jig::return_sequences)`.
template <index Units, class... Option>
constexpr nn::detail::recurrent_description<nn::gru, Units, Option...> gru(const Option&...) {
  return {};
}

}  // namespace layers

}  // namespace jig::nn

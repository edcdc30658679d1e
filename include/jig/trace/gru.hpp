// SPDX-License-Identifier: MIT
#pragma once
// Gated recurrent units, with Keras' order of gates: update, reset, candidate.

#include <jig/trace/recurrent.hpp>

namespace jig {

namespace detail {

// The next state from what the gates take of the step, a tuple.
template <class Options, class Parts, class H, class Recurrent, class Bias>
constexpr auto gru_state(const Parts& parts, const H& h, const Recurrent& recurrent_kernel, const Bias& bias) {
  const auto& [update, reset, candidate] = parts;
  auto next = [&](const auto& z, const auto& proposed) { return z * h + (1 - z) * Options::act(proposed); };
  if constexpr (Options::template has<reset_before_t>) {
    auto [w_update, w_reset, w_candidate] = split<3, 1>(recurrent_kernel);
    auto z = Options::gate(update + matmul(h, w_update)), r = Options::gate(reset + matmul(h, w_reset));
    return next(z, candidate + matmul(r * h, w_candidate));
  } else {
    auto [h_update, h_reset, h_candidate] = sums_of_parts(split<3, 1>(matmul(h, recurrent_kernel)), split<3>(bias));
    auto z = Options::gate(update + h_update), r = Options::gate(reset + h_reset);
    return next(z, candidate + r * h_candidate);
  }
}

template <class Options>
inline constexpr recurrent_kind kind_of_gru =
    Options::template has<reset_before_t> ? recurrent_kind::gru_reset_before : recurrent_kind::gru;

// The biases of the step and of the state.
template <class Options, class Bias>
constexpr auto gru_biases(const Bias& bias) {
  if constexpr (Options::template has<reset_before_t>) return std::tuple(bias, bias);
  else return std::tuple(element(bias, lit<0>), element(bias, lit<1>));
}

}  // namespace detail

/// One step of a GRU: the next state, which is its output. Options are `jig::reset_before`, `jig::activation(f)` and
/// `jig::recurrent_activation(f)`.
/// Shape: x [batch, in], h [batch, units], kernel [in, 3 units], recurrent_kernel [units, 3 units], bias [2, 3 units], or [3 units] with
/// `jig::reset_before` -> [batch, units]
/// Dtype: floating
/// Errors: shapes that do not fit are refused at compile time or throw invalid_argument.
/// Source: Cho and others, Learning Phrase Representations using RNN Encoder-Decoder, 2014; gates and `reset_after` as Keras has them.
template <Operand X, Operand H, Operand Kernel, Operand Recurrent, Operand Bias, class... Options>
constexpr auto gru_cell(const X& x, const H& h, const Kernel& kernel, const Recurrent& recurrent_kernel, const Bias& bias, Options...) {
  using options = detail::recurrent_options<Options...>;
  if constexpr (detail::refuses_recurrent<detail::kind_of_gru<options>, 2, options, X, Kernel, Recurrent, Bias>()) {
    return detail::refuse_recurrent<detail::kind_of_gru<options>, 2, options>(x, kernel, recurrent_kernel, bias);
  } else {
    detail::check_recurrent<detail::kind_of_gru<options>, 2>(x, kernel, recurrent_kernel, bias);
    const auto biases = detail::gru_biases<options>(bias);
    const auto of_input = detail::sums_of_parts(split<3, 1>(matmul(x, kernel)), split<3>(std::get<0>(biases)));
    return detail::gru_state<options>(of_input, h, recurrent_kernel, std::get<1>(biases));
  }
}

/// A GRU over time, from zeros on: its last output. Options, in any order: `jig::return_sequences` (all outputs),
/// `jig::return_state` (a tuple of outputs and state), `jig::go_backwards`, `jig::initial_state(h)`, `jig::reset_before` (Keras'
/// `reset_after=False`), `jig::activation(f)` and `jig::recurrent_activation(f)`.
/// Shape: x [batch, time, in], kernel [in, 3 units], recurrent_kernel [units, 3 units], bias [2, 3 units], or [3 units] with
/// `jig::reset_before` -> [batch, units], or [batch, time, units] with `jig::return_sequences`
/// Dtype: floating
/// Errors: shapes that do not fit are refused at compile time or throw invalid_argument.
/// Cost: one product of all steps with kernel, and one with recurrent_kernel in each.
/// Source: as gru_cell.
template <Operand X, Operand Kernel, Operand Recurrent, Operand Bias, class... Options>
constexpr auto gru(const X& x, const Kernel& kernel, const Recurrent& recurrent_kernel, const Bias& bias, const Options&... given) {
  using options = detail::recurrent_options<Options...>;
  if constexpr (detail::refuses_recurrent<detail::kind_of_gru<options>, 3, options, X, Kernel, Recurrent, Bias>()) {
    return detail::refuse_recurrent<detail::kind_of_gru<options>, 3, options>(x, kernel, recurrent_kernel, bias);
  } else {
    detail::check_recurrent<detail::kind_of_gru<options>, 3>(x, kernel, recurrent_kernel, bias);
    const auto biases = detail::gru_biases<options>(bias);
    const auto parts = matmul(detail::steps_of<options>(x), kernel);
    auto step = [&](const auto& part, const auto& h) {
      return std::tuple(detail::gru_state<options>(split<3, 1>(part + std::get<0>(biases)), h, recurrent_kernel, std::get<1>(biases)));
    };
    return detail::with_initial_state<1>([&](const auto&... state) { return detail::recur<options>(step, parts, state...); },
                                         [&] { return detail::no_state(x, std::get<0>(split<3>(std::get<0>(biases)))); }, given...);
  }
}

}  // namespace jig

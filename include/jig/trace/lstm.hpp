// SPDX-License-Identifier: MIT
#pragma once
// Long short-term memory, with Keras' order of gates: input, forget, candidate, output.

#include <jig/trace/recurrent.hpp>

namespace jig {

namespace detail {

// The next states from what the gates take, a tuple.
template <class Options, class Gates, class C>
constexpr auto lstm_states(const Gates& gates, const C& c) {
  const auto& [in, forget, candidate, out] = gates;
  auto cell = Options::gate(forget) * c + Options::gate(in) * Options::act(candidate);
  auto state = Options::gate(out) * Options::act(cell);
  return std::tuple(state, cell);
}

}  // namespace detail

/// One step of an LSTM: the next output and the next cell state. Options are `jig::activation(f)` and `jig::recurrent_activation(f)`.
/// Shape: x [batch, in], h and c [batch, units], kernel [in, 4 units], recurrent_kernel [units, 4 units], bias [4 units] -> twice
/// [batch, units]
/// Dtype: floating
/// Errors: shapes that do not fit are refused at compile time or throw invalid_argument.
/// Source: Hochreiter and Schmidhuber, Long Short-Term Memory, 1997; gates as Keras has them.
template <Operand X, Operand H, Operand C, Operand Kernel, Operand Recurrent, Operand Bias, class... Options>
constexpr auto lstm_cell(const X& x, const H& h, const C& c, const Kernel& kernel, const Recurrent& recurrent_kernel, const Bias& bias,
                         Options...) {
  using options = detail::recurrent_options<Options...>;
  if constexpr (detail::refuses_recurrent<detail::recurrent_kind::lstm, 2, options, X, Kernel, Recurrent, Bias>()) {
    return detail::refuse_recurrent<detail::recurrent_kind::lstm, 2, options>(x, kernel, recurrent_kernel, bias);
  } else {
    detail::check_recurrent<detail::recurrent_kind::lstm, 2>(x, kernel, recurrent_kernel, bias);
    const auto of_input = detail::sums_of_parts(split<4, 1>(matmul(x, kernel)), split<4>(bias));
    return detail::lstm_states<options>(detail::sums_of_parts(split<4, 1>(matmul(h, recurrent_kernel)), of_input), c);
  }
}

/// An LSTM over time, from zeros on: its last output. Options, in any order: `jig::return_sequences` (all outputs),
/// `jig::return_state` (a tuple of outputs and both states), `jig::go_backwards`, `jig::initial_state(h, c)`, `jig::activation(f)`
/// and `jig::recurrent_activation(f)`.
/// Shape: x [batch, time, in], kernel [in, 4 units], recurrent_kernel [units, 4 units], bias [4 units] -> [batch, units], or
/// [batch, time, units] with `jig::return_sequences`
/// Dtype: floating
/// Errors: shapes that do not fit are refused at compile time or throw invalid_argument.
/// Cost: one product of all steps with kernel, and one with recurrent_kernel in each.
/// Source: as lstm_cell.
template <Operand X, Operand Kernel, Operand Recurrent, Operand Bias, class... Options>
constexpr auto lstm(const X& x, const Kernel& kernel, const Recurrent& recurrent_kernel, const Bias& bias, const Options&... given) {
  using options = detail::recurrent_options<Options...>;
  if constexpr (detail::refuses_recurrent<detail::recurrent_kind::lstm, 3, options, X, Kernel, Recurrent, Bias>()) {
    return detail::refuse_recurrent<detail::recurrent_kind::lstm, 3, options>(x, kernel, recurrent_kernel, bias);
  } else {
    detail::check_recurrent<detail::recurrent_kind::lstm, 3>(x, kernel, recurrent_kernel, bias);
    const auto parts = matmul(detail::steps_of<options>(x), kernel);
    auto step = [&](const auto& part, const auto& h, const auto& c) {
      return detail::lstm_states<options>(split<4, 1>(matmul(h, recurrent_kernel) + (part + bias)), c);
    };
    return detail::with_initial_state<2>([&](const auto&... state) { return detail::recur<options>(step, parts, state...); },
                                         [&] { return detail::no_state(x, std::get<0>(split<4>(bias))); }, given...);
  }
}

}  // namespace jig

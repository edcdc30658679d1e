// SPDX-License-Identifier: MIT
#pragma once
// What recurrent layers have in common: their options, their check of shapes, and the loop over time.

#include <jig/ops/activation.hpp>
#include <jig/ops/diag_part.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/trace/scan.hpp>

namespace jig {

/// Asks lstm and gru for the outputs of all steps, in place of the last one.
struct return_sequences_t {};
inline constexpr return_sequences_t return_sequences{};
/// Asks lstm and gru for the state behind the last step too.
struct return_state_t {};
inline constexpr return_state_t return_state{};
/// Lets lstm and gru begin with the last step in time. Outputs stand in the order of the steps.
struct go_backwards_t {};
inline constexpr go_backwards_t go_backwards{};
/// Lets gru apply the reset gate before the recurrent product, not to its result.
struct reset_before_t {};
inline constexpr reset_before_t reset_before{};
/// What lstm and gru apply in place of tanh: a function of one value that does not capture.
template <class F>
struct activation_t {};
template <class F>
constexpr activation_t<F> activation(const F&) {
  return {};
}
/// What lstm and gru apply to gates in place of sigmoid.
template <class F>
struct recurrent_activation_t {};
template <class F>
constexpr recurrent_activation_t<F> recurrent_activation(const F&) {
  return {};
}
/// What lstm and gru begin with, in place of zeros: `initial_state(h, c)` and `initial_state(h)`.
template <class... S>
struct initial_state_t {
  std::tuple<S...> values;
};
template <Operand... S>
constexpr initial_state_t<S...> initial_state(const S&... values) {
  return {{values...}};
}

namespace detail {

// The one of these types that Is is true for, or the default.
template <class Default, template <class> class Is, class... Option>
struct option_among : std::type_identity<Default> {};
template <class Default, template <class> class Is, class First, class... Rest>
struct option_among<Default, Is, First, Rest...>
    : std::conditional_t<Is<First>::value, std::type_identity<First>, option_among<Default, Is, Rest...>> {};

template <class>
struct is_activation : std::false_type {};
template <class F>
struct is_activation<activation_t<F>> : std::true_type {};
template <class>
struct is_recurrent_activation : std::false_type {};
template <class F>
struct is_recurrent_activation<recurrent_activation_t<F>> : std::true_type {};
template <class>
struct is_initial_state : std::false_type {};
template <class... S>
struct is_initial_state<initial_state_t<S...>> : std::true_type {};

template <class F, class X>
constexpr auto apply_activation(activation_t<F>, const X& x) {
  return F()(x);
}
template <class F, class X>
constexpr auto apply_activation(recurrent_activation_t<F>, const X& x) {
  return F()(x);
}

/// The options of a recurrent layer.
template <class... Option>
struct recurrent_options {
  static constexpr auto tanh_of = [](const auto& x) { return jig::tanh(x); };
  static constexpr auto sigmoid_of = [](const auto& x) { return jig::sigmoid(x); };

  template <class X>
  static constexpr auto act(const X& x) {
    return apply_activation(typename option_among<activation_t<decltype(tanh_of)>, is_activation, Option...>::type(), x);
  }
  template <class X>
  static constexpr auto gate(const X& x) {
    return apply_activation(typename option_among<recurrent_activation_t<decltype(sigmoid_of)>, is_recurrent_activation, Option...>::type(),
                            x);
  }
  template <class Flag>
  static constexpr bool has = (std::is_same_v<Flag, Option> || ...);
  static constexpr bool has_initial_state = (is_initial_state<Option>::value || ...);
  static constexpr bool fit = ((is_activation<Option>::value || is_recurrent_activation<Option>::value || is_initial_state<Option>::value ||
                                std::is_same_v<Option, return_sequences_t> || std::is_same_v<Option, return_state_t> ||
                                std::is_same_v<Option, go_backwards_t> || std::is_same_v<Option, reset_before_t>) &&
                               ...);
};

/// What is wrong with the shapes of a recurrent layer with so many gates, or nothing. `Axes` are those of x.
constexpr message recurrent_misfit(std::string_view name, int axes, index gates, int bias_axes, const shape& x, const shape& kernel,
                                   const shape& recurrent, const shape& bias) {
  auto differ = [](index a, index b) { return is_static_extent(a) && is_static_extent(b) && a != b; };
  auto several = [&](index n, index units) { return is_static_extent(units) ? gates * units : n; };
  message m;
  if (x.rank == axes && kernel.rank == 2 && recurrent.rank == 2 && bias.rank == bias_axes) {
    const index units = recurrent[0], all = recurrent[1];
    if (!differ(x[axes - 1], kernel[0]) && !differ(several(all, units), all) && !differ(all, kernel[1]) &&
        !differ(all, bias[bias_axes - 1]) && !differ(kernel[1], bias[bias_axes - 1]) && (bias_axes == 1 || !differ(bias[0], 2)) &&
        (!is_static_extent(all) || all % gates == 0))
      return m;
  }
  m << name << ": expected " << (axes == 3 ? "[batch, time, in]" : "[batch, in]") << ", a kernel [in, " << gates
    << " units], a recurrent kernel [units, " << gates << " units] and a bias " << (bias_axes == 1 ? "[" : "[2, ") << gates
    << " units], given " << x << ", " << kernel << ", " << recurrent << " and " << bias;
  return m;
}

enum class recurrent_kind : unsigned char { lstm, gru, gru_reset_before };
template <recurrent_kind Kind, int Axes>
constexpr message misfit_of_recurrent(const shape& x, const shape& kernel, const shape& recurrent, const shape& bias) {
  constexpr bool is_lstm = Kind == recurrent_kind::lstm;
  return recurrent_misfit(is_lstm ? (Axes == 3 ? "lstm" : "lstm_cell") : (Axes == 3 ? "gru" : "gru_cell"), Axes, is_lstm ? 4 : 3,
                          Kind == recurrent_kind::gru ? 2 : 1, x, kernel, recurrent, bias);
}
template <recurrent_kind Kind, int Axes, class... X>
struct recurrent_reason {
  static constexpr message sentence = misfit_of_recurrent<Kind, Axes>(operand_shape<X>()...);
};
template <class Options>
struct recurrent_option_reason {
  static constexpr message sentence = [] {
    message m;
    return m << "lstm, gru: options are jig::return_sequences, jig::return_state, jig::go_backwards, jig::initial_state(...), "
             << "jig::activation(f), jig::recurrent_activation(f) and, of gru, jig::reset_before";
  }();
};

/// Whether types tell that these are no operands of a recurrent layer.
template <recurrent_kind Kind, int Axes, class Options, class... X>
constexpr bool refuses_recurrent() {
  if constexpr ((is_refused<X> || ...) || !Options::fit) return true;
  else if constexpr (is_dynamic<X...>) return false;
  else return recurrent_reason<Kind, Axes, X...>::sentence.length > 0;
}
template <recurrent_kind Kind, int Axes, class Options, class... X>
constexpr auto refuse_recurrent(const X&... x) {
  if constexpr ((is_refused<X> || ...)) return first_refused(x...);
  else if constexpr (!Options::fit) return refuse<recurrent_option_reason<Options>>();
  else return refuse<recurrent_reason<Kind, Axes, X...>>();
}
/// Refuses dynamic operands that do not fit.
template <recurrent_kind Kind, int Axes, class... X>
constexpr void check_recurrent(const X&... x) {
  if constexpr (is_dynamic<X...>) {
    const message m = misfit_of_recurrent<Kind, Axes>(dynamic_shape(x)...);
    if (m.length > 0) throw_invalid_argument(m.view());
  }
}

/// The sums of two tuples, part by part: a sum of the whole would be stored, and read again by what takes its parts.
template <class... X, class... Y>
constexpr auto sums_of_parts(const std::tuple<X...>& x, const std::tuple<Y...>& y) {
  return tuple_in_order([&]<std::size_t I>() { return std::get<I>(x) + std::get<I>(y); }, std::index_sequence_for<X...>());
}

/// An array of values like `value`, as many as x has parts along its first axis. Its type tells their number where that of x does, also
/// outside of a trace.
template <class X, class Value>
constexpr auto array_beside(const X& x, const Value& value) {
  auto values = call<ops::new_array, attributes<integer<"axis", 0>>>(x, value);
  return tensor_array_of<decltype(values)>(values);
}

/// A state with the batch that others tell, axis `Axis` of the next and the first one of the rest: a type may leave open what another
/// one says.
template <int Axis, class State>
constexpr auto with_batch_of(const State& state) {
  return state;
}
template <int Axis, class State, class Other, class... Others>
constexpr auto with_batch_of(const State& state, const Other& other, const Others&... others) {
  if constexpr (!is_dynamic<State, Other> && operand_shape<State>().rank > 0 && operand_shape<Other>().rank > Axis) {
    constexpr index mine = operand_shape<State>()[0], its = operand_shape<Other>()[Axis];
    if constexpr (mine != its && !is_static_extent(mine))
      return with_batch_of<0>(call<ops::ensure_shape, attributes<integers<"axes", 0, Axis>>>(state, other), others...);
    else return with_batch_of<0>(state, others...);
  } else {
    return with_batch_of<0>(state, others...);
  }
}

/// The outputs of a recurrent layer. Parts are what the steps take, along their first axis; step(part, states...) gives a tuple of the
/// next states, of which the first one is the output.
template <class Options, class Step, class Parts, class... State>
constexpr auto recur(Step step, const Parts& parts, const State&... initial) {
  auto states = std::make_tuple(with_batch_of<1>(initial, parts, initial...)...);
  auto result = [&](const auto& output) {
    if constexpr (!Options::template has<return_state_t>) return output;
    else return std::apply([&](const auto&... each) { return std::tuple(output, each...); }, states);
  };
  if constexpr (Options::template has<return_sequences_t>) {
    auto outputs = array_beside(parts, std::get<0>(states));
    for (auto t : range(extent<0>(parts))) {
      std::apply([&](auto&... each) { std::tie(each...) = step(element(parts, t), each...); }, states);
      outputs = outputs.write(t, std::get<0>(states));
    }
    return result(transpose<1, 0, 2>(outputs.stack()));
  } else {
    for (auto t : range(extent<0>(parts))) std::apply([&](auto&... each) { std::tie(each...) = step(element(parts, t), each...); }, states);
    return result(std::get<0>(states));
  }
}

/// Steps first, in the order in which a layer takes them.
template <class Options, class X>
constexpr auto steps_of(const X& x) {
  auto steps = transpose<1, 0, 2>(x);
  if constexpr (Options::template has<go_backwards_t>) return reverse<0>(steps);
  else return steps;
}

/// Zeros for every sample of x and every element of `unit`.
template <class X, class Unit>
constexpr auto no_state(const X& x, const Unit& unit) {
  return array_beside(x, unit).stack();
}

/// f(states...), of those that the options give or of N times zeros.
template <std::size_t N, class F, class Zeros>
constexpr auto with_initial_state(F f, Zeros zeros) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto zero = zeros();
    auto same = [&](std::size_t) { return zero; };
    return f(same(I)...);
  }(std::make_index_sequence<N>());
}
template <std::size_t N, class F, class Zeros, class First, class... Rest>
constexpr auto with_initial_state(F f, Zeros zeros, const First& first, const Rest&... rest) {
  if constexpr (is_initial_state<First>::value) return std::apply(f, first.values);
  else return with_initial_state<N>(f, zeros, rest...);
}

}  // namespace detail

}  // namespace jig

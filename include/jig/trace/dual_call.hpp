// SPDX-License-Identifier: MIT
#pragma once
// Calls of ops on what is dual: in a trace they append nodes, elsewhere they compute.

#include <jig/ops/effect_arguments.hpp>
#include <jig/trace/eager_value.hpp>

namespace jig::detail {

template <class Spec, class X>
constexpr decltype(auto) tensor_if_dual(const X& x) {
  if constexpr (is_weak<X> && !std::is_same_v<Spec, typename operand_spec<X>::type>)
    return tensor<typename Spec::value_type>(number_as<typename Spec::value_type>(x));
  else if constexpr (world_of<X> == world::dual) return x.value();
  else return (x);
}

template <const op& Op, class A, class Inferred, class... Spec, class... X>
auto eager_call_of_duals(types<Spec...> specs, const X&... x) {
  return eager_call<Op, A, Inferred, decltype(specs)>(tensor_if_dual<Spec>(x)...);
}

// Not constexpr, and with a return type that is written down: constant evaluation never looks inside.
template <class Result, const op& Op, class A, class Inferred, class Specs, class... X>
Result computed_dual(const X&... x) {
  return Result(eager_call_of_duals<Op, A, Inferred>(Specs(), x...));
}

template <const op& Op, class Inferred, class... X>
constexpr auto dual_results() {
  if constexpr (gives_weak<Op, Inferred, X...>()) return std::type_identity<weak_value<type_of<Inferred::value.dtype>>>();
  else if constexpr ((is_eager_value<X> || ...)) return std::type_identity<results_of<eager_value, Op, Inferred>>();
  else return std::type_identity<results_of<variable_value, Op, Inferred>>();
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto dual_call(const X&... x) {
  if constexpr ((may_be_constant<X> && ...)) {
    using result = typename decltype(dual_results<Op, Inferred, X...>())::type;
    if constexpr (may_be_in_trace<X...>)
      if (std::is_constant_evaluated() || in_trace(x...)) return append<result, Op, A, Inferred>(Specs(), x...);
    return computed_dual<result, Op, A, Inferred, Specs>(x...);
  } else {
    return eager_call_of_duals<Op, A, Inferred>(Specs(), x...);
  }
}

template <class Value>
Value dual_number(typename Value::value_type value) {
  return Value(typename Value::tensor_type(value));
}
template <class T, class X, class V>
constexpr auto dual_constant(const X& x, V value) {
  if constexpr (is_eager_value<X>) {
    return dual_number<eager_value<T>>(fitting<T>(value));
  } else {
    using result = std::conditional_t<is_weak<X>, weak_value<T>, variable_value<T>>;
    if (in_trace(x)) return result(x.builder(), x.builder()->template literal<T>(value));
    return dual_number<result>(fitting<T>(value));
  }
}

}  // namespace jig::detail

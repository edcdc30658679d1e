// SPDX-License-Identifier: MIT
#pragma once
// Eager ops: an op on tensors is the one-op function of their specs, so every kernel exists once.

#include <jig/function.hpp>

namespace jig::detail {

template <const op& Op, class A>
struct one_op {
  constexpr auto operator()(const auto&... x) const { return call<Op, A>(x...); }
};

// A literal takes the dtype it has among these operands.
template <class Spec, class X>
constexpr decltype(auto) as_operand_of(const X& x) {
  if constexpr (Constant<X>) return as_operand_of<Spec, typename X::value_type>(X::value);
  else if constexpr (std::is_arithmetic_v<X>) {
    using T = typename Spec::value_type;
    if (!literal_fits<T>(x)) throw_invalid_argument("a literal does not fit the dtype of the tensor");
    return static_cast<T>(x);
  } else return (x);
}

template <const op& Op, class A, class... Spec>
struct one_op_trace : trace<one_op<Op, A>, "", Spec...> {
  using passes = as_traced;
};

template <const op& Op, class A, class... Spec, class... X>
auto run_one_op(types<Spec...>, const X&... x) {
  return call_traced<one_op_trace<Op, A, Spec...>, "", Spec...>(as_operand_of<Spec>(x)...);
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
auto eager_call(const X&... x) {
  return run_one_op<Op, A>(Specs(), x...);
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// An op on elements in registers: a register full of each operand, or a single one.

#include <jig/eval/convert.hpp>
#include <jig/eval/integer_division.hpp>
#include <jig/eval/integers.hpp>
#include <jig/eval/maths/error_function.hpp>
#include <jig/eval/maths/hyperbolic.hpp>
#include <jig/eval/maths/power.hpp>
#include <jig/eval/maths/trigonometric.hpp>
#include <jig/eval/registers.hpp>

namespace jig::detail {

template <const op& Op, class To>
concept converts = requires { functor<Op>::template convert<To>(To()); };

// One element of each operand in, one out.
template <const op& Op, class Out, class... In>
[[gnu::always_inline]] inline Out apply_single(const In&... x) {
  using First = std::tuple_element_t<0, std::tuple<In..., void>>;
  if constexpr (converts<Op, Out>) {
    return functor<Op>::template convert<Out>(x...);
  } else if constexpr (is_op(Op, ops::sqrt) && std::is_same_v<Out, double>) {
    // The shortest register rounds as all others do.
    return xsimd::sqrt(simd::sized_batch<double, 2>(x...)).get(0);
  } else if constexpr (Op.is(fact::lanes_only) && (std::is_floating_point_v<In> && ...)) {
    return functor<Op>::apply(simd::batch<In>(x)...).get(0);
  } else if constexpr (Op.is(fact::wraps) && std::is_integral_v<First> && !std::is_same_v<First, bool>) {
    using wide = typename wrapping_type<First>::type;
    return static_cast<Out>(functor<Op>::apply(static_cast<wide>(x)...));
  } else {
    return static_cast<Out>(functor<Op>::apply(x...));
  }
}

// Element by element, for ops that have no functor on batches.
template <const op& Op, class Out, class Lead, class... In>
[[gnu::noinline]] auto apply_lanes(const typename register_type<In, Lead, true>::type&... x) {
  std::tuple<spilled<In, Lead>...> in;
  std::apply([&](auto&... s) { (spill<In, Lead>(s.at, x), ...); }, in);
  spilled<Out, Lead> out;
  std::apply(
      [&](const auto&... s) {
        for (index k = 0; k < simd::lanes<Lead>; ++k) out.at[k] = apply_single<Op, Out, In...>(s.at[k]...);
      },
      in);
  return fill<Out, Lead>(out.at);
}

// Whether a register full of From becomes one of To at once. What is stored with 16 bits is rounded once: only what a float holds
// exactly goes by way of it.
template <class To, class From>
inline constexpr bool converts_as_batch = [] {
  using from = type_of<in_registers(dtype_of<From>)>;
  if (std::is_same_v<To, bool> || std::is_same_v<From, bool>) return true;
  if (is_storage_float<To>)
    return std::is_same_v<from, float> || (std::is_integral_v<from> && sizeof(from) <= 2 && simd::has_conversion<float, from>);
  return simd::has_conversion<To, from>;
}();

template <class To, class From, class Lead>
[[gnu::always_inline]] inline auto convert_batch(const typename register_type<From, Lead, true>::type& x) {
  constexpr index lanes = simd::lanes<Lead>;
  using from = typename register_type<From, Lead, true>::type;
  using to = typename register_type<To, Lead, true>::type;
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return simd::as_mask<simd::batch<Lead>, lanes>(~(x == from(typename from::value_type(0))));
  else if constexpr (std::is_same_v<From, bool>) {
    return simd::flags_of<to>(simd::as_mask<to, lanes>(x));
  } else if constexpr (is_storage_float<To>) return simd::round_to<To, lanes>(simd::convert<float, lanes>(x));
  else return simd::convert<To, lanes>(x);
}

// A mask in the width of the batches it goes together with.
template <class T, class Lead, class Partner, class R>
[[gnu::always_inline]] inline auto as_operand(const R& x) {
  if constexpr (std::is_same_v<T, bool> && !std::is_same_v<Partner, bool>)
    return simd::as_mask<typename register_type<Partner, Lead, true>::type, simd::lanes<Lead>>(x);
  else return x;
}

// Whether an op has no functor on registers whose dtype is First.
template <const op& Op, class First>
inline constexpr bool goes_by_lanes = !(std::is_integral_v<First> && simd::on_integers<Op>::exists) &&
                                      (Op.is(fact::scalar_only) || (Op.is(fact::float_lanes) && !std::is_floating_point_v<First>));

// A register full of each operand in, one out.
template <const op& Op, class Out, class Lead, class... In>
[[gnu::always_inline]] inline auto apply_batch(const typename register_type<In, Lead, true>::type&... x) {
  using First = std::tuple_element_t<0, std::tuple<In..., void>>;
  // The dtype of the batches among the operands and the result; bool if there is none.
  using last_operand = std::tuple_element_t<sizeof...(In) - 1, std::tuple<In...>>;
  if constexpr (converts<Op, Out>) {
    if constexpr (converts_as_batch<Out, First>) return convert_batch<Out, First, Lead>(x...);
    else return apply_lanes<Op, Out, Lead, In...>(x...);
  } else if constexpr (goes_by_lanes<Op, First>) {
    return apply_lanes<Op, Out, Lead, In...>(x...);
  } else if constexpr (std::is_integral_v<First> && simd::on_integers<Op>::exists) {
    const auto y = simd::on_integers<Op>::template apply<simd::lanes<Lead>>(x...);
    if constexpr (std::is_same_v<Out, bool>) return simd::as_mask<simd::batch<Lead>, simd::lanes<Lead>>(y);
    else return y;
  } else if constexpr (Op.is(fact::wraps) && std::is_integral_v<First>) {
    using B = typename register_type<canonical<std::make_unsigned_t<First>>, Lead, true>::type;
    constexpr index lanes = simd::lanes<Lead>;
    return simd::resize<Out, lanes>(
        static_cast<B>(functor<Op>::apply(simd::wrapping<B>(simd::resize<typename B::value_type, lanes>(x))...)));
  } else {
    auto y = functor<Op>::apply(as_operand<In, Lead, last_operand>(x)...);
    if constexpr (std::is_same_v<Out, bool>) {
      return simd::as_mask<simd::batch<Lead>, simd::lanes<Lead>>(y);
    } else {
      return y;
    }
  }
}

template <class Step, bool Vector, const op& Op, class Out, class... In, class... R>
[[gnu::always_inline]] inline auto apply(types<In...>, const R&... x) {
  if constexpr (Vector) return apply_batch<Op, Out, typename Step::lead_type, In...>(x...);
  else return apply_single<Op, Out, In...>(x...);
}

}  // namespace jig::detail

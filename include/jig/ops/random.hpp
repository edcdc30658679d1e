// SPDX-License-Identifier: MIT
#pragma once
// Random numbers without state: an element depends on the seed and on its row-major position, on nothing else. The same
// seed gives the same numbers in every call, so what should differ needs seeds that differ. The kernels are in
// eval/random.hpp.

#include <jig/ops/bits.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/select.hpp>

#include <limits>

namespace jig {

namespace detail {

template <unsigned Kinds>
constexpr void random_rule(rule_context& c) {
  const tensor_spec& seed = c.inputs[1];
  if (is_storage(c.inputs[0].dtype)) return c.fail("there are no random numbers of this dtype, use jig::cast");
  if (!is_of(c.inputs[0].dtype, Kinds)) return c.fail(wrong_kind(Kinds));
  if (!is_integer(seed.dtype)) return c.fail("the seed must be an integer");
  if (seed.shape.rank > 1) return c.fail("the seed must have the shape () or (2,)");
  if (seed.shape.rank == 1) c.equal(seed.shape[0], 2, "the seed must have the shape () or (2,)");
  c.result = c.inputs[0];
}

// The dtype of the seed is its own.
template <unsigned Kinds>
constexpr op random_op(std::string_view name) {
  return {.name = name, .label = name, .rule = random_rule<Kinds>, .free_inputs = 2};
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bounds_of_random(std::int64_t low, std::int64_t high) {
  message m;
  m << "random_uniform_like: there is no number of this dtype from " << low << " on and less than " << high;
  throw_invalid_argument(m.view());
}

}  // namespace detail

namespace ops {

/// Inputs: a tensor, of which only the shape counts, and the seed.
inline constexpr op random_uniform =
    detail::random_op<floats>("StatelessRandomUniformV2").taking({.elements = floats, .stores = false, .positions = 2, .shapes = 1});
inline constexpr op random_bits =
    detail::random_op<integers_only>("StatelessRandomUniformFullIntV2").taking({.elements = integers_only, .positions = 2, .shapes = 1});
inline constexpr op random_normal =
    detail::random_op<floats>("StatelessRandomNormalV2").taking({.elements = floats, .stores = false, .positions = 2, .shapes = 1});

}  // namespace ops

/// Random numbers that are equally likely everywhere in [0, 1); of an integer dtype, everywhere in its whole range. The seed is an
/// integer of any dtype or two of them; one is the same as that one and 0. A pair of seeds gives the numbers of
/// TensorFlow's stateless_uniform on a CPU.
/// Shape: that of x, whose elements do not count.
/// Errors: another dtype or a seed of another shape is refused at compile time or throws invalid_argument.
template <Operand X, Operand S>
constexpr auto random_uniform_like(const X& x, const S& seed, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, seed);
  constexpr auto of_integers = [](stretch<tensor_spec> s) { return is_integer(s[0].dtype); };
  return detail::call_one_of<ops::random_bits, ops::random_uniform>(of_integers, x, seed);
}

/// Random integers from low on and less than high, all of them equally likely: each is made of 64 random bits, so that what one is likelier
/// than another is less than a part in 2^32. Seeds as for random_uniform_like: `jig::random_uniform_like<int>(x, seed, 1, 7)` throws dice.
/// Shape: that of x, whose elements do not count.
/// Dtype: T, an integer of up to 32 bits.
/// Errors: bounds that T does not have, or with nothing between them, throw invalid_argument; in constant evaluation, and so in a trace,
/// they do not compile.
template <class T, Operand X, Operand S>
constexpr auto random_uniform_like(const X& x, const S& seed, std::int64_t low, std::int64_t high,
                                   const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, seed);
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 4,
                "jig: random_uniform_like: numbers with bounds are integers of up to 32 bits");
  if constexpr (is_refused<X>) {
    return x;
  } else {
    if (high <= low || low < (std::numeric_limits<T>::min)() || high - 1 > (std::numeric_limits<T>::max)())
      detail::throw_bounds_of_random(low, high);
    const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    auto bits = random_uniform_like(cast<std::uint64_t>(x), seed);
    // The upper 64 bits of the product of bits and range: bits is a fraction of it.
    auto offset = ((bits >> 32) * range + (((bits & 0xffffffffu) * range) >> 32)) >> 32;
    return cast<T>(cast<std::int64_t>(offset) + low);
  }
}

/// Random numbers of the normal distribution with mean 0 and variance 1, by the Box-Muller transform. Seeds as for
/// random_uniform_like; a pair gives the numbers of TensorFlow's stateless_normal on a CPU, up to rounding.
/// Shape: that of x, whose elements do not count.
/// Errors: a dtype that is not floating is refused at compile time.
template <Operand X, Operand S>
constexpr auto random_normal_like(const X& x, const S& seed, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, seed);
  return call<ops::random_normal>(x, seed);
}

/// x with elements set to zero with the probability Rate, and the others divided by 1 - Rate. Seeds as for
/// random_uniform_like; a pair drops what TensorFlow's stateless_dropout drops.
/// Shape: that of x.
/// Errors: a rate outside of [0, 1) and dtypes that are not floating are refused at compile time.
template <real Rate, Operand X, Operand S>
constexpr auto dropout(const X& x, const S& seed, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, seed);
  constexpr double rate = Rate.value();
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (!(rate >= 0 && rate < 1)) {
    return refuse_with<"dropout: the rate must be at least 0 and less than 1", X>();
  } else {
    auto kept = call<ops::random_uniform>(x, seed) >= rate;
    return where(kept, x, 0) * (1 / (1 - rate));
  }
}

}  // namespace jig

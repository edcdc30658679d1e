// SPDX-License-Identifier: MIT
#pragma once
// Functions of numbers that meanings are written with. They take single numbers and batches; how they compute is the
// evaluator's business.

#include <jig/graph/op.hpp>

#include <type_traits>

namespace jig::maths {

/// The function that an op applies to its elements, as an object: `using jig::maths::exp; return exp(x);`. A single
/// number is computed as one of a batch, so that results do not depend on the position.
template <const op& Op>
struct function {
  // Argument-dependent lookup finds what the evaluator declares behind this header.
  template <class X>
  [[gnu::always_inline]] static inline X apply(const X& x, const auto&... y) {
    if constexpr (std::is_arithmetic_v<X>) return compute_single(function(), x, y...);
    else return compute(function(), x, y...);
  }
  template <class X>
  [[gnu::always_inline]] inline X operator()(const X& x, const auto&... y) const {
    return apply(x, y...);
  }
};

/// `pow` with an exponent of 1 to this is a product, as a simplified graph writes it.
inline constexpr int most_multiplied = 4;

}  // namespace jig::maths

/// Functions of numbers mean what the evaluator computes, unless they say something else.
template <const jig::op& Op>
  requires(Op.is(jig::fact::lanes_only))
struct jig::functor<Op> : jig::maths::function<Op> {};

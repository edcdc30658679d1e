// SPDX-License-Identifier: MIT
#pragma once
// Keras' starts of weights. Those of zeros and ones are jig::zeros and jig::ones.

#include <jig.hpp>

#include <cmath>

namespace jig::nn {

/// Numbers that are equally likely between -limit and limit.
template <class T, index... E>
tensor<T, E...> uniform_within(double limit, std::int64_t seed) {
  const tensor<T, E...> uniform = random_uniform_like(zeros<T, E...>(), seed);
  return (2 * uniform - 1) * static_cast<T>(limit);
}

/// Keras' start of a kernel: numbers that are equally likely between -limit and limit, the square root of 6 / (in + out). The last two
/// extents count the channels in and out; those before them, of the taps of a convolution, multiply both.
template <class T, index... E>
tensor<T, E...> glorot_uniform(std::int64_t seed) {
  constexpr index extents[] = {E...};
  double in_and_out = static_cast<double>(extents[sizeof...(E) - 2] + extents[sizeof...(E) - 1]);
  for (std::size_t a = 0; a + 2 < sizeof...(E); ++a) in_and_out *= static_cast<double>(extents[a]);
  return uniform_within<T, E...>(std::sqrt(6.0 / in_and_out), seed);
}

}  // namespace jig::nn

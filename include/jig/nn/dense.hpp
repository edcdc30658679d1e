// SPDX-License-Identifier: MIT
#pragma once
// Fully connected layers.

#include <boost/hana.hpp>
#include <jig.hpp>

#include <cmath>

namespace jig::nn {

/// Keras' start of a kernel: numbers that are equally likely between -limit and limit, the square root of 6 / (In + Units).
template <class T, index In, index Units>
tensor<T, In, Units> glorot_uniform(std::int64_t seed) {
  const tensor<T, In, Units> uniform = random_uniform_like(zeros<T, In, Units>(), seed);
  const auto limit = static_cast<T>(std::sqrt(6.0 / static_cast<double>(In + Units)));
  return (2 * uniform - 1) * limit;
}

/// A layer with a weight for every pair of an input and an output. It starts at zero until it is initialised.
template <class T, index In, index Units>
struct dense {
  BOOST_HANA_DEFINE_STRUCT(dense, (variable<T, In, Units>, kernel), (variable<T, Units>, bias));

  /// x kernel + bias.
  /// Shape: [..., In] -> [..., Units]
  constexpr auto operator()(const auto& x) const { return matmul(x, kernel) + bias; }

  /// Keras' defaults: glorot_uniform and a bias of zeros.
  void initialize(std::int64_t seed) {
    kernel.assign(glorot_uniform<T, In, Units>(seed));
    bias.assign(zeros<T, Units>());
  }
};

}  // namespace jig::nn

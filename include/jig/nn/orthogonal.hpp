// SPDX-License-Identifier: MIT
#pragma once
// The start of recurrent kernels.

#include <jig.hpp>

#include <cmath>
#include <vector>

namespace jig::nn {

/// Keras' start of a recurrent kernel: a matrix of normal numbers of which the shorter side is made orthonormal.
/// Errors: none of these numbers is so close to the others that this fails, but with a probability that floats do not tell from 0.
/// Cost: In Units min(In, Units) operations, four times.
/// Source: Saxe, McClelland and Ganguli, Exact solutions to the nonlinear dynamics of learning in deep linear neural networks, 2014.
template <class T, index In, index Units>
tensor<T, In, Units> orthogonal(std::int64_t seed) {
  constexpr index count = In < Units ? In : Units, length = In < Units ? Units : In;
  const tensor<double, count, length> normal = random_normal_like(zeros<double, count, length>(), seed);
  std::vector<double> rows(normal.begin(), normal.end());
  auto product = [&](const double* x, const double* y) {
    double sum = 0;
    for (index k = 0; k < length; ++k) sum += x[k] * y[k];
    return sum;
  };
  for (index i = 0; i < count; ++i) {
    double* row = rows.data() + i * length;
    // Twice is enough (Giraud and others, 2005): once leaves what rounding added.
    for (int again = 0; again < 2; ++again)
      for (index j = 0; j < i; ++j) {
        const double* other = rows.data() + j * length;
        const double part = product(row, other);
        for (index k = 0; k < length; ++k) row[k] -= part * other[k];
      }
    const double scale = 1 / std::sqrt(product(row, row));
    for (index k = 0; k < length; ++k) row[k] *= scale;
  }
  tensor<T, In, Units> out;
  for (index i = 0; i < In; ++i)
    for (index j = 0; j < Units; ++j)
      out(i, j) = static_cast<T>(rows[static_cast<std::size_t>(In < Units ? i * length + j : j * length + i)]);
  return out;
}

}  // namespace jig::nn

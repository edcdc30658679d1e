// SPDX-License-Identifier: MIT
#include <jig/nn/orthogonal.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

// How far the products of rows are from those of an orthonormal matrix at most.
template <class Matrix>
double skewness(const Matrix& w, bool columns) {
  const jig::index count = w.extent(columns ? 1 : 0), length = w.extent(columns ? 0 : 1);
  auto at = [&](jig::index i, jig::index k) { return static_cast<double>(columns ? w(k, i) : w(i, k)); };
  double most = 0;
  for (jig::index i = 0; i < count; ++i)
    for (jig::index j = 0; j <= i; ++j) {
      double sum = 0;
      for (jig::index k = 0; k < length; ++k) sum += at(i, k) * at(j, k);
      most = std::fmax(most, std::abs(sum - (i == j)));
    }
  return most;
}

TEST_CASE("orthogonal: the shorter side is orthonormal") {
  CHECK(skewness(jig::nn::orthogonal<double, 16, 64>(1), false) < 1e-14);
  CHECK(skewness(jig::nn::orthogonal<double, 16, 16>(1), true) < 1e-14);
  CHECK(skewness(jig::nn::orthogonal<float, 30, 7>(2), true) < 1e-6);
  CHECK(jig::nn::orthogonal<double, 16, 64>(1)(3, 5) != jig::nn::orthogonal<double, 16, 64>(2)(3, 5));
}

}  // namespace

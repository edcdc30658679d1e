// SPDX-License-Identifier: MIT
// One function of each family, for compile_cost.sh: elementwise work, a reduction with what surrounds it, a product, and gradients.
#include <jig.hpp>

namespace {

template <class T>
using matrix = jig::view<T, jig::dyn, jig::dyn>;

constexpr auto squashed = jig::function([](auto a, auto b, auto c) { return jig::tanh(a * b + c); });
constexpr auto softmax = jig::function([](auto x) { return jig::softmax<-1>(x); });
constexpr auto product = jig::function([](auto a, auto b) { return jig::matmul(a, b); });
constexpr auto gradient = jig::grad<1, 2>(jig::function([](auto x, auto w, auto b) {
  for (int k = 0; k < 4; ++k) x = x + jig::relu(jig::matmul(x, w) + b);
  return jig::reduce_mean(x);
}));

}  // namespace

void run(matrix<float> y, matrix<const float> a, matrix<const float> b) {
  squashed.into(y, a, b, a);
  softmax.into(y, a);
  product.into(y, a, b);
}
auto run(const jig::tensor<float, 32, 64>& x, const jig::tensor<float, 64, 64>& w, const jig::tensor<float, 64>& b) {
  return gradient(x, w, b);
}

// SPDX-License-Identifier: MIT
// Forty signatures of sixteen functions, as a numeric program has them: elementwise work, reductions, products and gradients, on spans,
// views and tensors. It is compiled, not run: bench/compile and tests/build/compile_cost.sh measure what that takes.
#include <jig.hpp>

#include <span>

namespace {

using in = std::span<const float>;
using out = std::span<float>;
template <class T>
using matrix = jig::view<T, jig::dyn, jig::dyn>;

constexpr auto scaled = jig::function([](auto a, auto b, auto c) { return a * b + c; });
constexpr auto squashed = jig::function([](auto a, auto b, auto c, auto d) { return jig::tanh(a * b + c) * d; });
constexpr auto gelu = jig::function([](auto a) { return 0.5f * a * (1.f + jig::tanh(0.7978845608f * (a + 0.044715f * a * a * a))); });
constexpr auto sigmoid = jig::function([](auto a) { return jig::sigmoid(a); });
constexpr auto bells = jig::function([](auto a, auto b, auto c) { return jig::exp(-a * a) + jig::exp(-b * b) * jig::exp(c); });
constexpr auto norm = jig::function([](auto a, auto b, auto c) { return jig::sqrt(a * a + b * b) / (1.f + jig::abs(c)); });
constexpr auto sum = jig::function([](auto x) { return jig::reduce_sum(x); });
constexpr auto error = jig::function([](auto x, auto y) { return jig::reduce_mean(jig::squared_difference(x, y)); });
constexpr auto softmax = jig::function([](auto x) { return jig::softmax<-1>(x); });
constexpr auto layer_norm = jig::function([](auto x, auto g, auto b) {
  auto m = jig::reduce_mean<1>(x, jig::keepdims);
  auto v = jig::reduce_mean<1>(jig::square(x - m), jig::keepdims);
  return (x - m) * jig::rsqrt(v + 1e-5f) * g + b;
});
constexpr auto product = jig::function([](auto a, auto b) { return jig::matmul(a, b); });
constexpr auto dense = jig::function([](auto x, auto w, auto b) { return jig::tanh(jig::matmul(x, w) + b); });
constexpr auto chain = jig::function([](auto a, auto b, auto c, auto v) { return jig::matmul(jig::matmul(a, b) + c, v); });
constexpr auto loss = jig::function([](auto x, auto w1, auto b1, auto w2, auto b2, auto y) {
  auto h = jig::tanh(jig::matmul(x, w1) + b1);
  auto z = jig::matmul(h, w2) + b2;
  return -jig::reduce_mean(jig::reduce_sum<1>(y * jig::log_softmax<-1>(z)));
});
constexpr auto gradient = jig::grad<1, 2, 3, 4>(loss);
constexpr auto slopes = jig::grad<0>(jig::function([](auto x) {
  auto a = jig::slice<9>(x, 0), b = jig::slice<9>(x, 1);
  return jig::reduce_sum(100. * jig::square(b - a * a) + jig::square(1. - a));
}));

template <class T, jig::index N>
void square_product(jig::tensor<T, N, N>& y, const jig::tensor<T, N, N>& a, const jig::tensor<T, N, N>& b) {
  product.into(y, a, b);
}
template <class T, jig::index N>
void products_of(jig::view<T, jig::dyn, N, 1> y, jig::view<const T, jig::dyn, N, N> a, jig::view<const T, jig::dyn, N, 1> v) {
  chain.into(y, a, a, a, v);
}

}  // namespace

void elementwise(out y, in a, in b, in c, in d) {
  scaled.into(y, a, b, c);
  squashed.into(y, a, b, c, d);
  gelu.into(y, a);
  sigmoid.into(y, a);
  bells.into(y, a, b, c);
  norm.into(y, a, b, c);
}
void elementwise(jig::tensor<float, 1000>& y, const jig::tensor<float, 1000>& a, jig::tensor<double, 1000>& z,
                 const jig::tensor<double, 1000>& b) {
  scaled.into(y, a, a, a);
  squashed.into(y, a, a, a, a);
  gelu.into(y, a);
  sigmoid.into(y, a);
  bells.into(y, a, a, a);
  norm.into(y, a, a, a);
  scaled.into(z, b, b, b);
  squashed.into(z, b, b, b, b);
  sigmoid.into(z, b);
  bells.into(z, b, b, b);
}
void reductions(float& s, matrix<float> y, matrix<const float> x, in a, in b) {
  sum.into(s, a);
  error.into(s, a, b);
  sum.into(s, x);
  softmax.into(y, x);
  layer_norm.into(y, x, a, b);
}
void reductions(double& s, jig::tensor<double, 64, 100>& y, const jig::tensor<double, 64, 100>& x, const jig::tensor<double, 100>& g) {
  sum.into(s, x);
  error.into(s, x, x);
  softmax.into(y, x);
  layer_norm.into(y, x, g, g);
}
void products(matrix<float> y, matrix<const float> a, matrix<const float> b, in bias, matrix<double> z, matrix<const double> c) {
  product.into(y, a, b);
  dense.into(y, a, b, bias);
  product.into(z, c, c);
}
void products(jig::tensor<float, 4, 4>& a, jig::tensor<float, 10, 10>& b, jig::tensor<float, 32, 32>& c, jig::tensor<double, 4, 4>& d,
              jig::tensor<double, 16, 16>& e) {
  square_product(a, a, a);
  square_product(b, b, b);
  square_product(c, c, c);
  square_product(d, d, d);
  square_product(e, e, e);
}
void products(jig::view<float, jig::dyn, 3, 1> y, jig::view<const float, jig::dyn, 3, 3> a, jig::view<const float, jig::dyn, 3, 1> v,
              jig::view<double, jig::dyn, 4, 1> z, jig::view<const double, jig::dyn, 4, 4> b, jig::view<const double, jig::dyn, 4, 1> w) {
  products_of(y, a, v);
  products_of(z, b, w);
}
auto gradients(const jig::tensor<float, 32, 784>& x, const jig::tensor<float, 784, 128>& w1, const jig::tensor<float, 128>& b1,
               const jig::tensor<float, 128, 10>& w2, const jig::tensor<float, 10>& b2, const jig::tensor<float, 32, 10>& y) {
  return gradient(x, w1, b1, w2, b2, y);
}
auto gradients(const jig::tensor<double, 10>& x, const jig::tensor<double, 10>& y, in a) {
  return std::tuple(slopes(x), sigmoid(y), scaled(x, y, y), sum(y), error(x, y), sum(a));
}

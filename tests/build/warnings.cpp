// SPDX-License-Identifier: MIT
// What programs write, for warnings.sh: not a line of it, nor of the headers for it, is worth a warning.

#include <jig.hpp>
#include <jig/nn.hpp>

#include <iostream>

namespace {

// Of the alignments that vector registers have, as parameters.
constexpr auto scaled = jig::function<"scaled(x)">([](auto x) { return jig::tanh(x) * 2 + 1; });
template <class X>
X twice(X x) {
  return x + x;
}
template <jig::index N>
void pass() {
  jig::tensor<double, N> x{};
  std::cout << scaled(x) << scaled.eager(x) << twice(x);
  // One op at a time.
  std::cout << jig::reduce_sum(x) << jig::reduce_sum(jig::square(x)) << jig::reduce_max(x) << jig::reduce_mean(x * x) << -x;
}

// Loops that do not look at what they count.
constexpr auto power = jig::function<"power(x, n)">([](auto x, auto n) {
  auto y = x;
#ifdef __clang__
  // Clang warns of such a loop in any template, whatever it goes over.
  for ([[maybe_unused]] auto i : jig::range(n)) y = y * x;
  for ([[maybe_unused]] auto row : jig::rows(x)) y = y + 1;
#else
  for (auto i : jig::range(n)) y = y * x;
  for (auto row : jig::rows(x)) y = y + 1;
#endif
  if (jig::reduce_sum(y) > 3) return y;
  JIG_WHILE(jig::reduce_sum(y) < 3) { y = y + 1; }
  return y;
});
int loops(const jig::tensor<int>& n, const jig::tensor<float, 2, 3>& x) {
  int count = 0;
  for (auto i : jig::range(n)) ++count;
  for (auto row : jig::rows(x)) ++count;
  return count;
}

constexpr auto layer = jig::function<"layer(x, w, b)">([](auto x, auto w, auto b) { return jig::softmax<1>(jig::matmul(x, w) + b); });
constexpr auto loss = jig::function<"loss(w, b, x)">([](auto w, auto b, auto x) { return jig::reduce_mean(jig::square(layer(x, w, b))); });
constexpr auto step = jig::function<"step(model, optimizer, x)">([](auto& model, auto& optimizer, auto x) {
  auto l = jig::reduce_mean(jig::square(model(x)));
  optimizer.apply_gradients(model, jig::gradient(l, model));
  return l;
});
constexpr auto others = jig::function<"others(x, i)">([](auto x, auto i) {
  return std::tuple(jig::cumsum<0>(jig::gather<0>(x, i)), jig::argmax<0>(x), jig::sort<0>(x), jig::cast<jig::half>(x),
                    jig::einsum<"i,j->ij">(x, x), jig::where(x > 0, x, 0.0f), jig::concat<0>(x, x), jig::random_uniform_like(x, i[0]),
                    jig::reduce_max(x));
});
constexpr auto turned = jig::function<"turned(x)">([](auto x) {
  for ([[maybe_unused]] auto i : jig::range(0, 10, jig::beside(x))) x = jig::roll<0>(x, 1) + jig::roll<1>(x, 1);
  return x;
});
constexpr auto at_run_time = jig::function<"at_run_time(x)">([](auto x) { return jig::reduce_sum(jig::exp(x) + 1); });

}  // namespace

int main() {
  pass<2>();
  pass<4>();
  pass<8>();
  const jig::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  const jig::tensor<float, 3, 4> w{};
  const jig::tensor<float, 4> b{};
  std::cout << power(x, 2) << loops(jig::tensor<int>(2), x) << layer(x, w, b);
  auto [value, gradients] = jig::value_and_grad<0, 1>(loss)(w, b, x);
  const float number = value;
  std::cout << number << std::get<1>(gradients);
  using network = jig::nn::dense<float, 3, 2>;
  network model{};
  jig::nn::sgd<network> optimizer{};
  std::cout << step(model, optimizer, x);
  std::cout << turned(jig::tensor<std::uint8_t, 16, 16>{});
  const jig::tensor<float, jig::dyn> v{1, 2, 3};
  std::cout << std::get<0>(others(v, jig::tensor<int, 2>{0, 1})) << at_run_time(jig::any_tensor(v));
}

// SPDX-License-Identifier: MIT
#include "onnx_case.hpp"

#include "../../../examples/digits.hpp"
#include "../models.hpp"

#include <jig/io/variables.hpp>

namespace {

using jig::any_tensor, jig::dtype, jig::dyn, jig::spec;

template <class T = float>
any_tensor some(const jig::shape& s, double salt = 0) {
  any_tensor out = any_tensor::empty(jig::dtype_of<T>, s);
  for (jig::index i = 0; i < out.size(); ++i)
    static_cast<T*>(out.mutable_data())[i] = static_cast<T>(3 * std::sin(0.7 * static_cast<double>(i) + salt));
  return out;
}
template <jig::index... E>
jig::tensor<float, E...> weights(double salt) {
  jig::tensor<float, E...> out;
  for (jig::index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<float>(0.3 * std::sin(1.3 * static_cast<double>(i) + salt));
  return out;
}
any_tensor labels(jig::index n) {
  any_tensor out = any_tensor::empty(dtype::int32, {1, {n}});
  for (jig::index i = 0; i < n; ++i) static_cast<int*>(out.mutable_data())[i] = static_cast<int>(i * 7 % 10);
  return out;
}

}  // namespace

std::vector<onnx_case> onnx_networks() {
  using jig::shape;
  std::vector<onnx_case> out;
  const auto add = [&](jig::named_graph g, std::vector<std::vector<any_tensor>> calls) {
    std::string name = g.name;
    out.push_back({std::move(name), std::move(g), std::move(calls)});
  };
  for (auto& m : models()) {
    std::vector<std::vector<any_tensor>> calls{m.arguments};
    if (m.graph.name == "dense") calls.push_back({some({2, {1, 3}})}), calls.push_back({some({2, {4, 3}}, 1)});
    if (m.graph.name == "relu") calls.push_back({any_tensor(-3)});
    add(std::move(m.graph), std::move(calls));
  }
  add(traced_model(
          "shrink(x)",
          [](auto x) {
            auto trips = jig::constant_like(jig::cast<int>(jig::reduce_sum(x)), 0);
            JIG_WHILE(jig::reduce_sum(x) > 1) {
              x = jig::tanh(x);
              trips = trips + 1;
            }
            return std::make_tuple(x, trips);
          },
          spec<float, 5>()),
      {{any_tensor(jig::tensor<float, 5>{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f})}});
  add(traced_model(
          "dynamic_rnn(input, state)",
          [](auto input, auto state) {
            auto steps = jig::transpose<1, 0, 2>(input);
            auto states = jig::tensor_array(jig::extent<0>(steps), state);
            for (auto i : jig::range(jig::extent<0>(steps))) {
              state = jig::tanh(jig::gather(steps, i) + state);
              states = states.write(i, state);
            }
            return jig::transpose<1, 0, 2>(states.stack());
          },
          spec<float, 2, 3, 4>(), spec<float, 2, 4>()),
      {{some({3, {2, 3, 4}}), some({2, {2, 4}}, 2)}});
  add(traced_model(
          "factorial(n)",
          [](auto n) {
            auto result = jig::ones_like(n);
            for (auto i : jig::range(n)) result = result * (i + 1);
            return result;
          },
          spec<std::int64_t>()),
      {{any_tensor(std::int64_t{0})}, {any_tensor(std::int64_t{1})}, {any_tensor(std::int64_t{20})}});
  add(traced_model(
          "branches(x, y)",
          [](auto x, auto y) {
            return jig::cond(
                jig::reduce_sum(x) > 0, [&] { return jig::matmul(x, y); },
                [&] { return jig::exp(-jig::abs(jig::transpose(y) - 1)) + jig::reduce_max<1>(x, jig::keepdims); });
          },
          spec<float, 3, 3>(), spec<float, 3, 3>()),
      {{some({2, {3, 3}}), some({2, {3, 3}}, 1)}, {some({2, {3, 3}}, 3.14), some({2, {3, 3}}, 1)}});
  add(traced_model(
          "nested(n)",
          [](auto n) {
            auto steps = jig::zeros_like(n);
            JIG_WHILE(n != 1) {
              n = jig::cond(n % 2 == 0, [&] { return n / 2; }, [&] { return 3 * n + 1; });
              steps = steps + 1;
            }
            return steps;
          },
          spec<int>()),
      {{any_tensor(27)}, {any_tensor(1)}});
  add(traced_model(
          "named(x, y)",
          [](auto x, auto y) { return std::make_tuple(jig::matmul(x, y), jig::reduce_mean<0>(x), jig::concat<0>(x, x) * 2); },
          spec<float, jig::dim<"batch">, 3>(), spec<float, 3, jig::dim<"units">>()),
      {{some({2, {1, 3}}), some({2, {3, 2}})}, {some({2, {5, 3}}), some({2, {3, 1}})}, {some({2, {64, 3}}), some({2, {3, 33}})}});
  add(traced_model(
          "dtypes(big, small, on, exact)",
          [](auto big, auto small, auto on, auto exact) {
            return std::make_tuple(big * 3 - jig::cast<std::int64_t>(small), jig::where(on, small, small / 2), jig::cast<float>(on) + 0.5f,
                                   exact * jig::cast<double>(big), (big > 2) & on, jig::reduce_any(on), jig::reduce_sum(big),
                                   jig::cast<std::uint8_t>(on) + small);
          },
          spec<std::int64_t, 6>(), spec<std::uint8_t, 6>(), spec<bool, 6>(), spec<double, 6>()),
      {{some<std::int64_t>({1, {6}}), any_tensor(jig::tensor<std::uint8_t, 6>{0, 1, 7, 200, 254, 255}),
        any_tensor(jig::tensor<bool, 6>{true, false, true, true, false, true}), some<double>({1, {6}})}});
  add(traced_model(
          "attention(x)",
          [](auto x) {
            auto scores = jig::softmax(jig::einsum<"bqd,bkd->bqk">(x, x) * 0.5f);
            auto seen = jig::einsum<"bqk,bkd->bqd">(scores, x);
            return std::make_tuple(jig::layer_norm(x + seen), jig::log_softmax(seen), jig::gelu(seen), jig::cumsum<1>(x),
                                   jig::argmax<-1>(x), jig::reduce_variance<1>(x), jig::norm<-1>(x), jig::clip(x, -1, 1),
                                   jig::where(x > 0, x, jig::expm1(x)));
          },
          spec<float, dyn, 5, 4>()),
      {{some({3, {1, 5, 4}})}, {some({3, {3, 5, 4}})}});
  network model;
  model.hidden.initialize(1);
  model.scores.initialize(2);
  {
    const auto f = jig::traced_function(
        "digits(model, x)",
        [](auto& net, auto x) {
          auto scores = net(x);
          return std::make_tuple(jig::argmax<1>(scores), jig::softmax(scores));
        },
        model, spec<float, dyn, pixels>());
    const auto whole = jig::detail::model_of({{"serving_default", jig::with_variables(f, model)}});
    add(jig::detail::with_constant_variables(whole, whole.functions[0]), {{some({2, {1, pixels}})}, {some({2, {4, pixels}})}});
  }
  add(traced_model(
          "learn(w, b, v, x, labels)",
          [](auto w, auto b, auto v, auto x, auto numbers) {
            auto scores = jig::matmul(jig::relu(jig::matmul(x, w) + b), v);
            auto loss = jig::reduce_mean(jig::nn::sparse_softmax_cross_entropy_with_logits(numbers, scores));
            auto [dw, db, dv] = jig::gradient(loss, w, b, v);
            return std::make_tuple(loss, w - 0.1f * dw, b - 0.1f * db, v - 0.1f * dv);
          },
          spec<float, pixels, 16>(), spec<float, 16>(), spec<float, 16, 10>(), spec<float, dyn, pixels>(), spec<int, dyn>()),
      {{any_tensor(weights<pixels, 16>(0)), any_tensor(weights<16>(1)), any_tensor(weights<16, 10>(2)), some({2, {8, pixels}}),
        labels(8)}});
  add(traced_model(
          "convolution(x)",
          [first = weights<3, 3, 1, 8>(0), second = weights<3, 3, 8, 4>(1), last = weights<16, 10>(2)](auto x) {
            auto y = jig::max_pool2d<2>(jig::relu(jig::conv2d(x, first, jig::same_padding)));
            auto z = jig::avg_pool2d<2>(jig::relu(jig::conv2d(y, second, jig::same_padding)));
            return jig::softmax(jig::matmul(jig::reshape<dyn, 16>(z), last));
          },
          spec<float, dyn, 8, 8, 1>()),
      {{some({4, {1, 8, 8, 1}})}, {some({4, {4, 8, 8, 1}})}});
  add(traced_model(
          "learn_convolution(v, w, u, x, labels)",
          [](auto v, auto w, auto u, auto x, auto numbers) {
            auto y = jig::max_pool2d<2>(jig::relu(jig::conv2d(x, v, jig::same_padding)));
            auto z = jig::avg_pool2d<2>(jig::relu(jig::depthwise_conv2d(y, w, jig::same_padding)));
            auto scores = jig::matmul(jig::reshape<dyn, 32>(z), u);
            auto loss = jig::reduce_mean(jig::nn::sparse_softmax_cross_entropy_with_logits(numbers, scores));
            auto [dv, dw, du] = jig::gradient(loss, v, w, u);
            return std::make_tuple(loss, v - 0.1f * dv, w - 0.1f * dw, u - 0.1f * du);
          },
          spec<float, 3, 3, 1, 8>(), spec<float, 3, 3, 8, 1>(), spec<float, 32, 10>(), spec<float, dyn, 8, 8, 1>(), spec<int, dyn>()),
      {{any_tensor(weights<3, 3, 1, 8>(0)), any_tensor(weights<3, 3, 8, 1>(1)), any_tensor(weights<32, 10>(2)), some({4, {1, 8, 8, 1}}),
        labels(1)},
       {any_tensor(weights<3, 3, 1, 8>(3)), any_tensor(weights<3, 3, 8, 1>(1)), any_tensor(weights<32, 10>(2)), some({4, {4, 8, 8, 1}}, 1),
        labels(4)}});
  return out;
}

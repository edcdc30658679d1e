// SPDX-License-Identifier: MIT
#pragma once
// Graphs to write and read, with arguments: what networks are made of, control flow, parts, gradients, state and effects.

#include <jig.hpp>

#include <jig/io/traced_function.hpp>

#include "../counting.hpp"

#include <string>
#include <vector>

struct model {
  jig::named_graph graph;
  std::vector<jig::any_tensor> arguments;
};

template <class F, class... Key>
jig::named_graph traced_model(const char* declaration, F f, const Key&... key) {
  return jig::traced_function(declaration, f, key...).model();
}

inline std::vector<model> models() {
  using jig::any_tensor, jig::spec, jig::dyn;
  const auto rows = [](jig::index n) {
    jig::tensor<float, dyn, 3> x(n);
    for (jig::index i = 0; i < 3 * n; ++i) x.data()[i] = 0.25f * static_cast<float>(i % 7) - 0.6f;
    return any_tensor(x);
  };
  const jig::tensor<float, 3, 2> w{{0.5f, -1}, {0.25f, 2}, {-0.75f, 0.125f}};
  const jig::tensor<float, 2> b{0.1f, -0.2f};
  std::vector<model> out;

  out.push_back({traced_model("dense(x)", [&](auto x) { return jig::tanh(jig::matmul(x, w) + b); }, spec<float, dyn, 3>()), {rows(4)}});
  out.push_back({traced_model(
                     "relu(x)",
                     [](auto x) {
                       if (x > 0) return x;
                       return x * 0;
                     },
                     spec<int>()),
                 {any_tensor(7)}});
  out.push_back({traced_model(
                     "trips(x)",
                     [](auto x) {
                       auto n = jig::constant_like(jig::cast<int>(jig::reduce_sum(x)), 0);
                       JIG_WHILE(jig::reduce_sum(x) > 1) {
                         x = jig::tanh(x);
                         n = n + 1;
                       }
                       return std::make_tuple(x, n);
                     },
                     spec<float, 5>()),
                 {counting(5)}});
  out.push_back({traced_model(
                     "picture(x)",
                     [](auto x) {
                       auto filter = jig::ones<float, 3, 3, 1, 2>();
                       auto y = jig::relu(jig::conv2d(x, filter, jig::same_padding));
                       auto z = jig::max_pool2d<2>(y);
                       return jig::softmax<-1>(jig::reshape_like(z, z));
                     },
                     spec<float, dyn, 4, 4, 1>()),
                 {any_tensor(jig::ones<float, 2, 4, 4, 1>())}});
  out.push_back({traced_model(
                     "parts(x)",
                     [](auto x) {
                       auto [a, c, d] = jig::split<3, 1>(x);
                       auto y = jig::concat<0>(a, jig::transpose(jig::transpose(c)), jig::expand_dims<1>(jig::squeeze<1>(d)));
                       auto picked = jig::gather<0>(y, jig::tensor<int, 3>{2, 0, 1});
                       auto middle = jig::strided_slice<jig::range_of(0, 2)>(picked);
                       return std::make_tuple(
                           middle, jig::pad<1, 0, 0, 2>(middle), jig::flatten(x), jig::argmax<1>(x), jig::reduce_mean<0>(x, jig::keepdims),
                           jig::one_hot<4>(jig::argmax<1>(x)),
                           jig::gather<1, 1>(jig::gather(x, jig::tensor<int, 2>{4, 1}), jig::tensor<int, 2, 1>{{2}, {0}}));
                     },
                     spec<float, dyn, 3>()),
                 {rows(5)}});
  out.push_back({traced_model(
                     "step(w, x)",
                     [](auto weights, auto x) {
                       auto loss = jig::reduce_mean(jig::square(jig::matmul(x, weights) - 1));
                       return std::make_tuple(weights - 0.1f * jig::gradient(loss, weights), loss);
                     },
                     spec<float, 3, 2>(), spec<float, dyn, 3>()),
                 {any_tensor(w), rows(4)}});
  out.push_back({traced_model(
                     "recurrence(x)",
                     [](auto x) {
                       auto state = jig::reduce_sum<0>(x) * 0;
                       for (auto row : jig::rows(x)) state = jig::tanh(state * 0.5f + row);
                       return state;
                     },
                     spec<float, dyn, 3>()),
                 {rows(6)}});
  out.push_back({traced_model(
                     "integers(n)",
                     [](auto n) {
                       auto m = jig::cast<std::int64_t>(n);
                       // The first op that not all formats have, whatever order arguments are evaluated in.
                       auto shifted = (n & 5) << 1;
                       return std::make_tuple(jig::floordiv(n, 3), n % 4, shifted, jig::reduce_max(m), m == 3);
                     },
                     spec<int, dyn>()),
                 {any_tensor(jig::tensor<int, 4>{-7, 3, 0, 12})}});
  return out;
}

inline std::vector<jig::any_tensor> results_of(const jig::loaded_function& f, const std::vector<jig::any_tensor>& x) {
  return (x.size() == 1 ? f(x[0]) : f(x[0], x[1])).values();
}
// How many elements differ by more than this, or -1 when specs do.
inline jig::index differing(const jig::any_tensor& a, const jig::any_tensor& b, double most = 0) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return -1;
  jig::index wrong = 0;
  jig::detail::with_type_of(a.dtype(), [&]<class T>(const T&) {
    const T *const x = static_cast<const T*>(a.data()), *const y = static_cast<const T*>(b.data());
    for (jig::index i = 0; i < a.size(); ++i) {
      if constexpr (std::is_arithmetic_v<T>) wrong += !(std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])) <= most);
      else wrong += !(x[i] == y[i]);
    }
  });
  return wrong;
}

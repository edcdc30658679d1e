// SPDX-License-Identifier: MIT
#pragma once
// Gradients beside central differences.

#include "interpreted.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <tuple>
#include <vector>

/// Numbers without a pattern between two bounds.
template <class T>
T numbers(double low, double high, int seed = 1) {
  T out;
  for (jig::index k = 0; k < out.size(); ++k) {
    const double at = static_cast<double>((k + 1) * 7919 * seed % 1009) / 1009;
    out.data()[k] = low + (high - low) * at;
  }
  return out;
}

/// A number that depends on every element of what f returns, a result or a tuple of them, each in another way, and its gradients.
template <class F>
struct loss_and_gradients {
  static constexpr auto loss(const auto& y) { return jig::reduce_sum(jig::square(y + 0.5)); }
  template <class... Y>
  static constexpr auto loss(const std::tuple<Y...>& y) {
    return std::apply([](const auto&... each) { return (loss(each) + ...); }, y);
  }
  constexpr auto operator()(const auto&... x) const {
    auto y = loss(F{}(x...));
    return std::tuple(y, jig::gradient(y, x...));
  }
};

/// Checks a graph that gives a loss and its gradients with respect to all arguments, doubles, at these values. Returns the elements of
/// the gradients.
inline std::vector<std::vector<double>> check_gradient_graph(const jig::graph_view& traced, std::initializer_list<jig::any_view> values) {
  const auto both = interpreted(traced);
  std::vector<jig::any_tensor> at(values.begin(), values.end());
  auto loss = [&] { return *static_cast<const double*>(both(at)[0].data()); };
  const auto result = both(at);
  REQUIRE(result.size() == 1 + at.size());
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < at.size(); ++i) {
    REQUIRE(result[1 + i].shape() == at[i].shape());
    const auto size = at[i].size();
    auto* elements = static_cast<double*>(at[i].mutable_data());
    const auto* given = static_cast<const double*>(result[1 + i].data());
    for (jig::index k = 0; k < size; ++k) {
      const double kept = elements[k], step = 1e-5;
      elements[k] = kept + step;
      const double up = loss();
      elements[k] = kept - step;
      const double down = loss();
      elements[k] = kept;
      CAPTURE(i);
      CAPTURE(k);
      CHECK(given[k] == doctest::Approx((up - down) / (2 * step)).epsilon(1e-6).scale(1));
    }
    out.emplace_back(given, given + size);
  }
  return out;
}

/// Checks the gradients of f with respect to all arguments. The graph is traced at compile time, and interpreted.
template <class F, class... T>
auto check_gradients(F, const T&... x) {
  return check_gradient_graph(jig::graph_of(loss_and_gradients<F>(), typename T::spec_type()...), {jig::untyped(x.view())...});
}

/// The same, and the compiled program gives these gradients too.
template <class F, class... T>
void check_compiled_gradients(F f, const T&... x) {
  const auto expected = check_gradients(f, x...);
  auto next = expected.begin();
  auto check = [&](const auto& compiled) {
    const auto& elements = *next++;
    REQUIRE(compiled.size() == static_cast<jig::index>(elements.size()));
    for (std::size_t k = 0; k < elements.size(); ++k) CHECK(compiled.data()[k] == doctest::Approx(elements[k]));
  };
  const auto both = jig::function(loss_and_gradients<F>())(x...);
  if constexpr (sizeof...(T) == 1) check(std::get<1>(both));
  else std::apply([&](const auto&... each) { (check(each), ...); }, std::get<1>(both));
}

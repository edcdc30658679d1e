// SPDX-License-Identifier: MIT
#pragma once
// Gradients beside central differences.

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <jig.hpp>

#include <cmath>

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

/// A number that depends on every element of what f returns, each in another way.
template <class F>
struct loss_of {
  constexpr auto operator()(const auto&... x) const { return jig::reduce_sum(jig::square(F{}(x...) + 0.5)); }
};

/// Checks the gradients of f with respect to all arguments, tensors of doubles, at these values.
template <class F, class... T>
void check_gradients(F, const T&... x) {
  namespace hana = boost::hana;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static constexpr auto both = jig::value_and_grad<I...>(jig::function<"loss">(loss_of<F>()));
    const auto result = both(x...);
    std::tuple<T...> at(x...);
    auto check = [&](auto& argument, const auto& gradient) {
      REQUIRE(gradient.shape() == argument.shape());
      for (jig::index k = 0; k < argument.size(); ++k) {
        double& element = argument.data()[k];
        const double kept = element, step = 1e-5;
        element = kept + step;
        const double up = std::apply([](const auto&... a) { return hana::at_c<0>(both(a...))(); }, at);
        element = kept - step;
        const double down = std::apply([](const auto&... a) { return hana::at_c<0>(both(a...))(); }, at);
        element = kept;
        const double expected = (up - down) / (2 * step), given = gradient.data()[k];
        CAPTURE(k);
        CHECK(given == doctest::Approx(expected).epsilon(1e-6).scale(1));
      }
    };
    if constexpr (sizeof...(T) == 1) check(std::get<0>(at), hana::at_c<1>(result));
    else (check(std::get<I>(at), hana::at_c<I>(hana::at_c<1>(result))), ...);
  }(std::index_sequence_for<T...>());
}

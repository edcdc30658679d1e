// SPDX-License-Identifier: MIT
#pragma once
// What is done with gradients of random loop nests: along random directions the sum of the squares of all floating results changes as the
// gradients say, found by running the loops of nests_reference.hpp a little to both sides.

#include <random/run_nests.hpp>

namespace random_programs {

template <class F, layout Layout, class... Argument>
struct nest_gradient_check {
  // No two of them are equal, so that no decision is near.
  template <class A>
  static typename A::tensor make(std::uint64_t seed) {
    auto out = A::make(seed);
    if constexpr (std::is_same_v<typename A::element, double>) {
      std::uint64_t i = 0;
      for (double& x : out) x += fraction(seed * 7919 + i++) / 16;
    }
    return out;
  }
  static double fraction(std::uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9;
    return static_cast<double>((i ^ (i >> 27)) >> 11) / 9007199254740992.0;
  }
  static double loss(loops by_loops, const std::vector<nests::value>& given) {
    long double out = 0;
    for (const nests::value& r : by_loops(given))
      if (nests::floating(r.type))
        for (double x : r.data) out += static_cast<long double>(x) * x;
    return static_cast<double>(out);
  }

  static bool agrees(std::ostream& out, const char* how, loops by_loops, const std::vector<nests::value>& given, int argument,
                     const nests::value& slopes) {
    const nests::value& x = given[static_cast<std::size_t>(argument)];
    if (slopes.shape != x.shape) {
      out << how << ": the gradient of argument " << argument << " has another shape";
      return false;
    }
    long double slope = 0;
    for (std::size_t i = 0; i < x.data.size(); ++i) slope += slopes.data[i] * (fraction(i + 77) - 0.5L);
    const double here = loss(by_loops, given);
    double difference = 0;
    // A decision may lie between the two.
    for (double step : {1e-5, 1e-6, 1e-7, 1e-4}) {
      const auto beside = [&](double by) {
        auto moved = given;
        auto& numbers = moved[static_cast<std::size_t>(argument)].data;
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += by * (fraction(i + 77) - 0.5);
        return loss(by_loops, moved);
      };
      difference = (beside(step) - beside(-step)) / (2 * step);
      if (std::abs(difference - static_cast<double>(slope)) <= 1e-6 * (here + std::abs(difference)) + 1e-9) return true;
    }
    out << how << ": along a direction of argument " << argument << " the loss " << here << " changes by " << difference << ", not by "
        << static_cast<double>(slope);
    return false;
  }

  static bool run(std::ostream& out, loops by_loops, const std::vector<int>& sources) {
    auto given = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(make<Argument>(I)...);
    }(std::index_sequence_for<Argument...>());
    const auto plain = std::apply([](const auto&... x) { return std::vector<nests::value>{value_of(x)...}; }, given);
    const auto all_agree = [&](const char* how, const auto& gradients) {
      return std::apply(
          [&](const auto&... g) {
            auto source = sources.begin();
            return (agrees(out, how, by_loops, plain, *source++, value_of(g)) && ...);
          },
          gradients);
    };
#ifdef RANDOM_TRACED
    static const auto traced = jig::dynamic_function(F{});
    if (!all_agree("traced", std::apply([](const auto&... x) { return traced(jig::any_tensor(x)...); }, given))) return false;
#else
    static constexpr auto function = jig::function(F{});
    if constexpr (Layout == layout::strided_arguments) {
      auto spaced = std::apply([](const auto&... x) { return std::tuple(spaced_out<typename Argument::tensor>(x)...); }, given);
      if (!std::apply([&](auto&... x) { return all_agree("strided arguments", function(x.view()...)); }, spaced)) return false;
    } else {
      if (!std::apply([&](const auto&... x) { return all_agree("dense", function(x...)); }, given)) return false;
    }
#endif
    return true;
  }
};

}  // namespace random_programs

// SPDX-License-Identifier: MIT
#pragma once
// What is done with random programs that give a number: their gradients with respect to x, of first and second order, compiled and traced
// at run time, are those that dual numbers give.

#include <random/tensor_arguments.hpp>

namespace random_programs {

template <class F, int Extents, index N, index M, index K>
struct gradient_check {
  using arguments = tensor_arguments<Extents, N, M, K>;
  using first_dual = reference::dual<double>;
  using second_dual = reference::dual<first_dual>;

  struct first_order {
    constexpr auto operator()(auto x, auto a, auto b, auto s, auto count) const { return jig::gradient(F{}(x, a, b, s, count), x); }
  };
  // Of the gradient along w.
  struct second_order {
    constexpr auto operator()(auto x, auto a, auto b, auto s, auto count, auto w) const {
      const auto g = jig::gradient(F{}(x, a, b, s, count), x);
      return jig::gradient(jig::reduce_sum(g * w), x);
    }
  };

  static bool run(std::ostream& out) {
    bool good = true;
    for (int trips : {0, 2}) {
      const arguments given(static_cast<unsigned>(trips)), other(17);
      reference::largest = 0;
      std::vector<double> first, second;
      const plain direction = other.template plain_x<double>();
      for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) {
        auto x = given.template plain_x<second_dual>();
        for (std::size_t k = 0; k < x.data.size(); ++k)
          x.data[k] = {first_dual(x.data[k].value.value, direction.data[k]), first_dual(k == i ? 1.0 : 0.0)};
        const auto y = F{}(x, given.template plain_a<second_dual>(), given.template plain_b<second_dual>(),
                           given.template plain_s<second_dual>(), reference::count{trips});
        first.push_back(y.data[0].slope.value);
        second.push_back(y.data[0].slope.slope);
      }
      if (!(reference::largest < 1e6)) continue;
      const plain expected({N}, first), again({N}, second);
#ifdef RANDOM_COMPILED
      static constexpr auto compiled = jig::function(first_order());
      static constexpr auto compiled_twice = jig::function(second_order());
      good = checked(out, "compiled",
                     [&](const char* world) {
                       return agrees(out, world, trips, 0,
                                     compiled(given.strided_x(), given.a(), given.strided_b(), given.s(), std::int32_t(trips)), expected) &&
                              agrees(out, world, trips, 1,
                                     compiled_twice(given.x(), given.a(), given.b(), given.s(), std::int32_t(trips), other.x()), again);
                     }) &&
             good;
#endif
#ifdef RANDOM_TRACED
      static const auto traced = jig::dynamic_function(first_order());
      static const auto traced_twice = jig::dynamic_function(second_order());
      const jig::any_tensor x(given.x()), a(given.a()), b(given.b()), s(given.s()), count(std::int32_t{trips}), w(other.x());
      good = checked(out, "traced",
                     [&](const char* world) {
                       return agrees(out, world, trips, 0, traced(x, a, b, s, count), expected) &&
                              agrees(out, world, trips, 1, traced_twice(x, a, b, s, count, w), again);
                     }) &&
             good;
#endif
      if (!good) return false;
    }
    return good;
  }
};

}  // namespace random_programs

#undef RANDOM_PROGRAM
#define RANDOM_PROGRAM(name, ...) \
  static const ::random_programs::program entered_##name(#name, &::random_programs::gradient_check<decltype(name), __VA_ARGS__>::run);

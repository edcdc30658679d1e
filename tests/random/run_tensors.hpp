// SPDX-License-Identifier: MIT
#pragma once
// What is done with random programs of tensors: compiled for static, wildcard or named extents, on dense and on strided memory, and
// traced at run time they give what loops of reference.hpp give.

#include <random/tensor_arguments.hpp>

namespace random_programs {

template <class F, int Extents, index N, index M, index K>
struct tensor_check {
  using arguments = tensor_arguments<Extents, N, M, K>;

  template <class Results>
  static bool same(std::ostream& out, const char* world, int trips, const Results& found, const std::tuple<plain, plain, plain>& expected) {
    bool good = true;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((good = good && agrees(out, world, trips, static_cast<int>(I), std::get<I>(found), std::get<I>(expected))), ...);
    }(std::make_index_sequence<3>());
    return good;
  }

  static bool run(std::ostream& out) {
    bool good = true;
    int compared = 0;
    for (int trips : {0, 1, 3}) {
      const arguments given(static_cast<unsigned>(trips));
      reference::largest = 0;
      const auto expected = F{}(given.template plain_x<double>(), given.template plain_a<double>(), given.template plain_b<double>(),
                                given.template plain_s<double>(), reference::count{trips});
      // Rounding may decide what comes out.
      if (!(reference::largest < 1e6)) continue;
      ++compared;
#ifdef RANDOM_COMPILED
      static constexpr auto compiled = jig::function(F{});
      good = checked(out, "compiled",
                     [&](const char* world) {
                       return same(out, world, trips, compiled(given.x(), given.a(), given.b(), given.s(), std::int32_t(trips)), expected);
                     }) &&
             checked(out, "compiled, strided", [&](const char* world) {
               return same(out, world, trips,
                           compiled(given.strided_x(), given.strided_a(), given.strided_b(), given.s(), std::int32_t(trips)), expected);
             });
#endif
#ifdef RANDOM_TRACED
      static const auto traced = jig::dynamic_function(F{});
      good = checked(out, "traced",
                     [&](const char* world) {
                       return same(out, world, trips,
                                   traced(jig::any_tensor(given.x()), jig::any_tensor(given.a()), jig::any_tensor(given.b()),
                                          jig::any_tensor(given.s()), jig::any_tensor(std::int32_t(trips))),
                                   expected);
                     }) &&
             good;
#endif
      if (!good) return false;
    }
    if (compared == 0) out << "(too large) ";
    return good;
  }
};

}  // namespace random_programs

#undef RANDOM_PROGRAM
#define RANDOM_PROGRAM(name, ...) \
  static const ::random_programs::program entered_##name(#name, &::random_programs::tensor_check<decltype(name), __VA_ARGS__>::run);

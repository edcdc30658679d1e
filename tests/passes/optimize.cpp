// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

TEST_CASE("what runs has no dead nodes, and no transpose that an array can do without") {
  static constexpr auto f = jig::function([](auto x) {
    (void)jig::exp(x);
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) a = a.write(i, jig::element(x, i) + 1);
    return jig::transpose<1, 0>(a.stack());
  });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, 2, 3>());
  static_assert(traced.graph().count("Exp") == 1 && traced.graph().count("Transpose") == 1);
  static_assert(traced.optimized_graph().count("Exp") == 0 && traced.optimized_graph().count("Transpose") == 0);
  auto y = traced(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index k = 0; k < 3; ++k) CHECK(y(k, i) == static_cast<float>(3 * i + k + 2));
}

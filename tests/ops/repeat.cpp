// SPDX-License-Identifier: MIT
#include <jig/ops/repeat.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

TEST_CASE("each part several times") {
  constexpr auto rows = [](const auto& x) { return jig::repeat<2>(x); };
  constexpr auto columns = [](const auto& x) { return jig::repeat<3, -1>(x); };
  constexpr auto none = [](const auto& x) { return jig::repeat<0, 1>(x); };
  const auto x = counted<int, 2, 2>();
  const auto y = both(rows, x);
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 4, 2>>);
  CHECK(elements(y) == ints{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(elements(both(columns, x)) == ints{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
  CHECK(both(none, x).shape() == jig::shape{2, {2, 0}});
  CHECK(elements(both(rows, jig::transpose(x))) == ints{0, 2, 0, 2, 1, 3, 1, 3});
  CHECK(elements(both(columns, jig::tensor<std::string, 2>{"a", "b"})) == std::vector<std::string>{"a", "a", "a", "b", "b", "b"});
  CHECK(elements(both(columns, counted<int, dyn, dyn>(2, 3))) == ints{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5});
  CHECK(both(rows, jig::zeros<float, dyn>(0)).size() == 0);
  static_assert(gives<spec<float, dyn, 9>>(columns, spec<float, dyn, 3>()));
  static_assert(gives<spec<float, 8, dyn>>(rows, spec<float, 4, dyn>()));
  for (const jig::index n : {1, 7, 8, 9, 67}) {
    const auto long_row = columns(counted<int, dyn>(n));
    jig::index wrong = 0;
    for (jig::index i = 0; i < 3 * n; ++i) wrong += long_row(i) != i / 3;
    CHECK(wrong == 0);
  }
  constexpr auto g = jig::function<"g(x)">([](auto v) { return jig::gradient(jig::reduce_sum(jig::square(jig::repeat<3, -1>(v))), v); });
  CHECK(elements(g(counted<float, 2, 2>())) == std::vector<float>{0, 6, 12, 18});
}

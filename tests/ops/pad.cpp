// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <type_traits>

using jig::dyn;

TEST_CASE("tile and pad") {
  auto x = counted<int, 2, 2>();
  auto y = both([](const auto& v) { return jig::tile<2, 3>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 4, 6>>);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) CHECK(y(i, j) == x(i % 2, j % 2));
  CHECK(jig::tile<2, 0>(x).size() == 0);
  CHECK(elements(jig::tile<2>(jig::tensor<int, dyn>{1, 2})) == ints{1, 2, 1, 2});
  CHECK(jig::tile<3>(jig::tensor<int, dyn>{}).size() == 0);

  auto p = both([](const auto& v) { return jig::pad<1, 0, 0, 2>(v, 9); }, x);
  static_assert(std::is_same_v<decltype(p), jig::tensor<int, 3, 4>>);
  CHECK(elements(p) == ints{9, 9, 9, 9, 0, 1, 9, 9, 2, 3, 9, 9});
  CHECK(elements(both([](const auto& v) { return jig::pad<0, 1, 0, 0>(v); }, x)) == ints{0, 1, 2, 3, 0, 0});
  CHECK(elements(jig::pad<1, 1>(jig::tensor<int, dyn>{})) == ints{0, 0});
  CHECK(jig::pad<1, 0>(jig::tensor<bool, 1>{true})(0) == false);
  CHECK(jig::pad<0, 1>(jig::tensor<std::string, 1>{"a"}, std::string("b"))(1) == "b");
  constexpr auto f = [](auto v) { return jig::pad<1, 2, 0, 0>(v, jig::reduce_max(v)); };
  static_assert(gives<jig::spec<float, 5, dyn>>(f, jig::spec<float, 2, dyn>()));
  CHECK(elements(jig::function<"f(x)">(f)(jig::transpose(x))) == ints{3, 3, 0, 2, 1, 3, 3, 3, 3, 3});
}

// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("transpose") {
  auto x = counted<int, 2, 3>();
  auto y = both([](const auto& v) { return jig::transpose(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 3, 2>>);
  CHECK(elements(y) == ints{0, 3, 1, 4, 2, 5});
  auto cube = counted<double, 2, 3, 4>();
  auto z = both([](const auto& v) { return jig::transpose<1, 0, 2>(v); }, cube);
  static_assert(std::is_same_v<decltype(z), jig::tensor<double, 3, 2, 4>>);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 4; ++k) CHECK(z(i, j, k) == cube(j, i, k));
  auto w = both([](const auto& v) { return jig::transpose<-1, 0, -2>(v) * 2; }, cube);
  CHECK(w(3, 1, 2) == 2 * cube(1, 2, 3));
  CHECK(jig::transpose(jig::tensor<float>{3.0f})() == 3.0f);
  // a transposed view, transposed back and reshaped
  float memory[6] = {0, 1, 2, 3, 4, 5};
  jig::view<const float, dyn, dyn> columns(memory, {3, 2}, {1, 3});
  auto rows = jig::transpose(columns);
  CHECK(rows(1, 2) == 5);
  CHECK(elements(jig::flatten(columns)) == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(elements(jig::function<"f(x)">([](auto v) { return jig::flatten(jig::transpose(jig::transpose(v))); })(columns)) ==
        std::vector<float>{0, 3, 1, 4, 2, 5});
  constexpr auto f = [](auto v) { return jig::transpose(v); };
  static_assert(gives<jig::spec<float, dyn, jig::dim<"n">>>(f, jig::spec<float, jig::dim<"n">, dyn>()));
}

TEST_CASE("reverse") {
  auto x = counted<int, 2, 3>();
  CHECK(elements(both([](const auto& v) { return jig::reverse<1>(v); }, x)) == ints{2, 1, 0, 5, 4, 3});
  CHECK(elements(both([](const auto& v) { return jig::reverse(v); }, x)) == ints{5, 4, 3, 2, 1, 0});
  CHECK(elements(both([](const auto& v) { return jig::reverse<-2>(v) + v; }, x)) == ints{3, 5, 7, 3, 5, 7});
  CHECK(jig::reverse(jig::zeros<int, dyn, 2>(0)).size() == 0);
  CHECK(jig::reverse(jig::tensor<std::string, 2>{"a", "b"})(0) == "b");
}

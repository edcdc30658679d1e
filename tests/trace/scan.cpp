// SPDX-License-Identifier: MIT
#include <jig/trace/scan.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

TEST_CASE("scan and map") {
  static constexpr auto running =
      jig::function([](auto x) { return jig::scan([](auto s, auto row) { return s + row; }, x, jig::zeros_like(x[0])); });
  static constexpr auto squares = jig::function([](auto x) { return jig::map([](auto row) { return row * row; }, x); });
  for (jig::index n : {1, 2, 7}) {
    auto x = jig::zeros<float, jig::dyn, 3>(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
    auto sums = running(x);
    auto y = squares(x);
    REQUIRE(sums.shape() == jig::shape{2, {n, 3}});
    for (jig::index j = 0; j < 3; ++j) {
      float s = 0;
      for (jig::index i = 0; i < n; ++i) {
        s += x(i, j);
        CHECK(sums(i, j) == s);
        CHECK(y(i, j) == x(i, j) * x(i, j));
      }
    }
  }
  CHECK(squares(jig::zeros<float, jig::dyn, 3>(0)).extent(0) == 0);
  static_assert(decltype(running(jig::tensor<float, 4, 2>()))::rank() == 2);
  auto fixed = running(jig::ones<float, 4, 2>());
  static_assert(std::is_same_v<decltype(fixed), jig::tensor<float, 4, 2>>);
  CHECK(fixed(3, 1) == 4.0f);
}

// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

TEST_CASE("running sums and products") {
  auto x = counted<int, 2, 3>();
  CHECK(elements(traced([](const auto& v) { return jig::cumsum<1>(v); }, x)) == ints{0, 1, 3, 3, 7, 12});
  auto [down, products] = jig::function<"f(x)">([](auto v) { return std::tuple(jig::cumsum(v), jig::cumprod<-1>(v + 1)); })(x);
  CHECK(elements(down) == ints{0, 1, 2, 3, 5, 7});
  CHECK(elements(products) == ints{1, 2, 6, 4, 20, 120});
  auto backwards = jig::function<"f(x)">([](auto v) { return jig::reverse(jig::cumsum(jig::reverse(v))); });
  CHECK(elements(backwards(std::vector<double>{1, 2, 3})) == std::vector<double>{6, 5, 3});
  CHECK(backwards(std::vector<double>()).size() == 0);
  CHECK(elements(jig::cumsum(std::array<std::int8_t, 3>{100, 100, 1})) == std::vector<std::int8_t>{100, -56, -55});
  CHECK(jig::cumprod(std::array<std::int32_t, 2>{1 << 30, 4})(1) == 0);
  auto cube = counted<double, 2, 3, 2>();
  auto sums = jig::cumsum<1>(cube);
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 2; ++c) {
      double total = 0;
      for (int b = 0; b < 3; ++b) CHECK(sums(a, b, c) == (total += cube(a, b, c)));
    }
}

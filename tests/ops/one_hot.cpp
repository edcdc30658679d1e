// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("one_hot") {
  auto y = traced([](const auto& i) { return jig::one_hot<3>(i); }, std::array<int, 4>{0, 2, 3, -1});
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 4, 3>>);
  CHECK(elements(y) == std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  auto flags = jig::one_hot<2, bool>(std::uint64_t{1});
  static_assert(std::is_same_v<decltype(flags), jig::tensor<bool, 2>>);
  CHECK(flags(1));
  static_assert(gives<jig::spec<int, dyn, 2, 5>>([](auto i) { return jig::one_hot<5, int>(i); }, jig::spec<std::int64_t, dyn, 2>()));
}

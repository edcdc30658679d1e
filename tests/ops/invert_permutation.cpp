// SPDX-License-Identifier: MIT
#include <jig/ops/invert_permutation.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

TEST_CASE("the inverse of a permutation") {
  constexpr auto inverse = [](const auto& x) { return jig::invert_permutation(x); };
  const auto y = both(inverse, jig::tensor<std::uint8_t, 4>{2, 0, 3, 1});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<std::uint8_t, 4>>);
  CHECK(elements(y) == std::vector<std::uint8_t>{1, 3, 0, 2});
  CHECK(inverse(jig::zeros<int, dyn>(0)).size() == 0);
  jig::tensor<std::int64_t, dyn> x(jig::uninitialized, {1, {1000}});
  for (jig::index i = 0; i < 1000; ++i) x(i) = i * 77 % 1000;
  const auto back = both(inverse, x);
  jig::index wrong = 0;
  for (jig::index i = 0; i < 1000; ++i) wrong += back(x(i)) != i;
  CHECK(wrong == 0);
  static_assert(gives<spec<int, dyn>>(inverse, spec<int, dyn>()));
  CHECK(message_of([&] { (void)inverse(jig::tensor<int, 2>{0, 2}); }) ==
        "TensorScatterUpdate: index 2 is out of range for axis 0 with 2 elements");
  const auto at_run_time = jig::dynamic_function([](auto v) { return jig::invert_permutation(v); });
  CHECK(
      message_of([&] { (void)at_run_time(jig::any_tensor(1)); }).starts_with("invert_permutation: a permutation is a vector of integers"));
}

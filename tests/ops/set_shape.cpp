// SPDX-License-Identifier: MIT
#include <jig/ops/set_shape.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

TEST_CASE("what is a number on both sides must be equal") {
  using to_three = jig::attributes<jig::integers<"shape", 3>>;
  constexpr jig::tensor_spec three{jig::dtype::int32, {1, {3}}}, four{jig::dtype::int32, {1, {4}}}, any{jig::dtype::int32, {1, {jig::dyn}}};
  static_assert(!jig::detail::infer(jig::ops::set_shape, {&three, 1}, to_three::view()).failed);
  static_assert(jig::detail::infer(jig::ops::set_shape, {&any, 1}, to_three::view()).result == three);
  static_assert(jig::detail::infer(jig::ops::set_shape, {&four, 1}, to_three::view()).failed);
  static_assert(jig::detail::infer(jig::ops::set_shape, {&three, 1}, jig::attributes<jig::integers<"shape", jig::dyn>>::view()).result ==
                any);
}

TEST_CASE("extents are checked when they are known") {
  jig::tensor<int, jig::dyn> x{1, 2, 3};
  auto same = jig::call<jig::ops::set_shape, jig::attributes<jig::integers<"shape", 3>>>(x);
  static_assert(std::is_same_v<decltype(same), jig::tensor<int, 3>>);
  CHECK(same(2) == 3);
  CHECK_THROWS_AS((jig::call<jig::ops::set_shape, jig::attributes<jig::integers<"shape", 4>>>(x)), jig::invalid_argument);
}

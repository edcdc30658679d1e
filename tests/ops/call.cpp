// SPDX-License-Identifier: MIT
#include <jig/ops/call.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using tensor_f = jig::tensor<float, 2>;
using tensor_i = jig::tensor<int, 2>;

}  // namespace

TEST_CASE("an op appends one node, or computes at once") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::call<jig::ops::add>(x, 1); });
  constexpr auto& g = f.get_concrete_function(jig::spec<int, 2>{}).graph();
  static_assert(g.count("AddV2") == 1 && g.count("Const") == 1 && g.size() == 3);
  auto now = jig::call<jig::ops::add>(tensor_i{1, 2}, 1);
  static_assert(std::is_same_v<decltype(now), tensor_i>);
  CHECK(now(1) == 3);
}

TEST_CASE("what was refused stays refused") {
  using jig::refused;
  static_assert(std::is_same_v<decltype(jig::call<jig::ops::add>(refused<>(), 1)), refused<>>);
  static_assert(std::is_same_v<decltype(1 + refused<>()), refused<>> && std::is_same_v<decltype(-refused<>()), refused<>>);
  static_assert(std::is_same_v<decltype(jig::where(tensor_f(), refused<>(), tensor_f())), refused<>>);
  static_assert(std::is_same_v<decltype(jig::reduce_sum<5>(refused<>())), refused<>>);
  static_assert(std::is_same_v<decltype(refused<>()(1, 2)), refused<>>);
  static_assert(jig::is_refused<refused<>> && !jig::is_refused<tensor_f>);
  CHECK(jig::is_value<refused<>>);
}

TEST_CASE("the result's spec follows from the operands' types") {
  constexpr jig::index n = jig::dim<"n">;
  static_assert(std::is_same_v<decltype(jig::tensor<float, 2, 1>() + jig::tensor<float, 3>()), jig::tensor<float, 2, 3>>);
  static_assert(std::is_same_v<decltype(jig::tensor<float, jig::dyn>() + jig::tensor<float, 3>()), jig::tensor<float, 3>>);
  static_assert(std::is_same_v<decltype(jig::tensor<float, n>() + jig::tensor<float, n>()), jig::tensor<float, n>>);
  static_assert(std::is_same_v<decltype(jig::tensor<float, n>() == jig::tensor<float>()), jig::tensor<bool, n>>);
  CHECK((jig::tensor<float, jig::dyn>() + 1).size() == 0);
}

// SPDX-License-Identifier: MIT
#include <jig/ops/call.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <map>
#include <vector>

namespace {

using jig::Operand;
using jig::OperatorArguments;
using jig::world;
using jig::world_of;

template <class... X>
using element = typename jig::detail::operands<jig::ops::add, X...>::element;
template <class... X>
using specs = typename jig::detail::operands<jig::ops::add, X...>::specs;
template <class... X>
constexpr bool literals_join = jig::detail::operands<jig::ops::add, X...>::literals_join;

using tensor_f = jig::tensor<float, 2>;
using tensor_i = jig::tensor<int, 2>;

}  // namespace

TEST_CASE("the world of an operand") {
  static_assert(world_of<jig::symbol<float>> == world::traced);
  static_assert(world_of<tensor_f> == world::eager && world_of<std::vector<float>> == world::eager);
  static_assert(world_of<std::string> == world::eager && world_of<jig::view<const int>> == world::eager);
  static_assert(world_of<float> == world::literal && world_of<bool> == world::literal && world_of<char> == world::literal);
  static_assert(world_of<jig::literal<3>> == world::literal && world_of<std::integral_constant<int, 3>> == world::literal);
  static_assert(world_of<std::map<int, int>> == world::foreign && world_of<float*> == world::foreign);
  static_assert(world_of<long double> == world::foreign && world_of<wchar_t> == world::foreign);
  static_assert(world_of<jig::refused<>> == world::refused);
  static_assert(Operand<tensor_f&> && Operand<const float&> && !Operand<void*>);
  CHECK(Operand<jig::refused<>>);
}

TEST_CASE("operators belong to the library where one operand does") {
  static_assert(OperatorArguments<tensor_f, float> && OperatorArguments<float, jig::symbol<float>>);
  static_assert(OperatorArguments<tensor_f, std::vector<float>> && OperatorArguments<jig::view<int>, jig::literal<1>>);
  static_assert(!OperatorArguments<std::vector<float>, float> && !OperatorArguments<int, int>);
  static_assert(!OperatorArguments<tensor_f, std::map<int, int>>);
  CHECK(OperatorArguments<jig::refused<>, float>);
}

TEST_CASE("a literal takes the dtype of the operands it stands beside") {
  static_assert(std::is_same_v<element<tensor_f, int>, float>);
  static_assert(std::is_same_v<element<double, tensor_f>, float>);
  static_assert(std::is_same_v<element<int, jig::tensor<std::uint8_t>>, std::uint8_t>);
  static_assert(std::is_same_v<element<jig::literal<2>, jig::symbol<double, 3>>, double>);
  // without tensors the literals' common type
  static_assert(std::is_same_v<element<int, double>, double>);
  static_assert(std::is_same_v<specs<tensor_f, int>, jig::detail::types<jig::spec<float, 2>, jig::spec<float>>>);
  static_assert(
      std::is_same_v<specs<std::vector<long long>, int>, jig::detail::types<jig::spec<std::int64_t, jig::dyn>, jig::spec<std::int64_t>>>);
  // inputs that are not tied to the others keep theirs
  using choice = jig::detail::operands<jig::ops::select, bool, tensor_f, int>;
  static_assert(std::is_same_v<choice::specs, jig::detail::types<jig::spec<bool>, jig::spec<float, 2>, jig::spec<float>>>);
  static_assert(choice::literals_join);
  CHECK(choice::leader == 1);
}

TEST_CASE("which kinds of literals join") {
  static_assert(literals_join<tensor_f, int> && literals_join<tensor_f, double> && literals_join<tensor_i, char>);
  static_assert(!literals_join<tensor_i, float> && !literals_join<tensor_i, bool> && !literals_join<tensor_f, bool>);
  static_assert(!literals_join<jig::tensor<bool>, int> && literals_join<jig::tensor<bool>, bool>);
  static_assert(!literals_join<jig::tensor<std::string>, int>);
  CHECK(literals_join<tensor_i, jig::literal<1>>);
}

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

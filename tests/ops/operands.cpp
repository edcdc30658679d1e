// SPDX-License-Identifier: MIT
#include <jig/ops/operands.hpp>

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

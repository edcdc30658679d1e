// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

using jig::dyn;

TEST_CASE("shapes as values") {
  auto x = jig::zeros<float, 2, dyn, 4>(3);
  auto s = jig::shape_of(x);
  static_assert(std::is_same_v<decltype(s), jig::tensor<std::int32_t, 3>>);
  CHECK(elements(s) == ints{2, 3, 4});
  CHECK(jig::extent<1>(x)() == 3);
  CHECK(jig::extent<-1>(x)() == 4);
  CHECK(jig::size(x)() == 24);
  CHECK(jig::rank(x)() == 3);
  CHECK(jig::size(5)() == 1);
  CHECK(jig::shape_of(5).size() == 0);

  constexpr auto f =
      jig::function<"f(x)">([](auto v) { return std::tuple(jig::shape_of(v), jig::extent<0>(v), jig::size(v), jig::rank(v)); });
  constexpr auto fixed = f.get_concrete_function(jig::spec<float, 5, 7>());
  static_assert(fixed.graph().count("Shape") == 0);
  auto [shape, extent, size, rank] = f(jig::zeros<float, 5, 7>());
  CHECK(elements(shape) == ints{5, 7});
  CHECK(extent() == 5);
  CHECK(size() == 35);
  CHECK(rank() == 2);
  constexpr auto wild = f.get_concrete_function(jig::spec<float, dyn, 7>());
  static_assert(wild.graph().count("Shape") > 0);
  auto [wild_shape, wild_extent, wild_size, wild_rank] = wild(jig::zeros<float, dyn, 7>(0));
  CHECK(elements(wild_shape) == ints{0, 7});
  CHECK(wild_extent() == 0);
  CHECK(wild_size() == 0);
  CHECK(wild_rank() == 2);
}

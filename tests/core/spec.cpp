// SPDX-License-Identifier: MIT
#include <jig/core/spec.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace {

template <jig::dtype D, int Rank, jig::index... E>
struct holder {
  static constexpr jig::tensor_spec value{D, {Rank, {E...}}};
};

struct from_a_spec {
  static constexpr auto value = jig::spec<bool, 1, 2, 3>::value();
};

template <class T, jig::index... E>
struct other {};

}  // namespace

TEST_CASE("a spec is a type with a value") {
  using matrix = jig::spec<float, jig::dyn, 3>;
  static_assert(std::is_same_v<matrix::value_type, float>);
  static_assert(matrix::rank() == 2);
  static_assert(matrix::value() == jig::tensor_spec{jig::dtype::float32, {2, {jig::dyn, 3}}});
  static_assert(std::is_empty_v<matrix>);
  CHECK(jig::spec<int>::value() == jig::tensor_spec{jig::dtype::int32, {}});
  CHECK(jig::spec<std::string, 0>::value().shape.size() == 0);
  CHECK(jig::spec<bool, 1, 2, 3, 4, 5, 6, 7, 8>::value().shape[7] == 8);
}

TEST_CASE("equal dtypes and extents are equal types") {
  static_assert(std::is_same_v<jig::spec<int, jig::dim<"n">>, jig::spec<int, jig::dim<"n">>>);
  static_assert(!std::is_same_v<jig::spec<int, jig::dim<"n">>, jig::spec<int, jig::dim<"m">>>);
  static_assert(!std::is_same_v<jig::spec<int, jig::dim<"n">>, jig::spec<int, jig::dyn>>);
  static_assert(!std::is_same_v<jig::spec<int>, jig::spec<int, 1>>);
  // long and long long stay different types with equal values.
  static_assert(jig::spec<long, 2>::value() == jig::spec<long long, 2>::value());
}

TEST_CASE("specs are recognised") {
  static_assert(jig::is_spec<jig::spec<int>>);
  static_assert(jig::is_spec<jig::spec<float, 1, jig::dyn>>);
  static_assert(!jig::is_spec<int>);
  static_assert(!jig::is_spec<jig::spec<int>&>);
  static_assert(!jig::is_spec<other<int>>);
}

TEST_CASE("a tensor_spec becomes a type") {
  using jig::dtype;
  static_assert(std::is_same_v<jig::typed<jig::spec, holder<dtype::float64, 0>>, jig::spec<double>>);
  static_assert(std::is_same_v<jig::typed<other, holder<dtype::int64, 2, 4, jig::dyn>>, other<std::int64_t, 4, jig::dyn>>);
  static_assert(std::is_same_v<jig::typed<jig::spec, holder<dtype::string, 1, jig::dim<"n">>>, jig::spec<std::string, jig::dim<"n">>>);
  static_assert(std::is_same_v<jig::typed<jig::spec, from_a_spec>, jig::spec<bool, 1, 2, 3>>);
}

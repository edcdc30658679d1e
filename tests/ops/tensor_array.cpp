// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

using jig::dyn, jig::spec;

template <class... S>
constexpr jig::tensor_spec result_of_write(S...) {
  return jig::graph_of([](auto a, auto i, auto x) { return jig::call<jig::ops::array_write>(a, i, x); }, S()...).node(3).spec();
}

}  // namespace

TEST_CASE("an array with one more element is of the same spec") {
  static_assert(result_of_write(spec<float, 4, 2>(), spec<int>(), spec<float, 2>()) == spec<float, 4, 2>::value());
  static_assert(result_of_write(spec<float, dyn, 2>(), spec<long>(), spec<float, dyn>()) == spec<float, dyn, 2>::value());
  static_assert(result_of_write(spec<int, 4>(), spec<unsigned>(), spec<int>()) == spec<int, 4>::value());
}

TEST_CASE("writing leaves the array that was written to") {
  static constexpr auto f = jig::function([](auto a, auto i, auto x) {
    auto b = jig::call<jig::ops::array_write>(a, i, x);
    return a + b;
  });
  auto y = f(jig::tensor<int, 3>{1, 2, 3}, 1, 10);
  CHECK(y(0) == 2);
  CHECK(y(1) == 12);
  CHECK(y(2) == 6);
}

TEST_CASE("elements that are strided are written in order") {
  static constexpr auto f = jig::function([](auto a, auto x) { return jig::call<jig::ops::array_write>(a, jig::lit<1>, x); });
  float memory[] = {1, 2, 3, 4, 5, 6};
  jig::view<float, 3> column(memory, {3}, {2});
  auto y = f(jig::zeros<float, 2, 3>(), column);
  CHECK(y(1, 0) == 1.0f);
  CHECK(y(1, 1) == 3.0f);
  CHECK(y(1, 2) == 5.0f);
  CHECK(y(0, 2) == 0.0f);
}

TEST_CASE("elements of a wildcard extent have to fit at the call") {
  static constexpr auto f = jig::function([](auto a, auto x) { return jig::call<jig::ops::array_write>(a, jig::lit<0>, x); });
  auto a = jig::zeros<float, dyn, dyn>(2, 3);
  CHECK(f(a, jig::ones<float, dyn>(3))(0, 2) == 1.0f);
  CHECK_THROWS_WITH_AS(f(a, jig::ones<float, dyn>(4)), doctest::Contains("TensorListSetItem"), jig::invalid_argument);
}

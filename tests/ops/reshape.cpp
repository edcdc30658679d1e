// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <string>
#include <type_traits>

using jig::dyn;

TEST_CASE("reshape") {
  auto x = counted<int, 2, 3, 2>();
  auto y = both([](const auto& v) { return jig::reshape<3, 4>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 3, 4>>);
  CHECK(elements(y) == elements(x));
  static_assert(std::is_same_v<decltype(jig::reshape<jig::infer, 6>(x)), jig::tensor<int, 2, 6>>);
  static_assert(std::is_same_v<decltype(jig::flatten(x)), jig::tensor<int, 12>>);
  CHECK(jig::reshape<>(jig::tensor<int, 1, 1>{{7}})() == 7);
  static_assert(std::is_same_v<decltype(jig::flatten(2.5f)), jig::tensor<float, 1>>);
  CHECK(jig::flatten(2.5f)(0) == 2.5f);
  CHECK(elements(jig::reshape<2, 2>(std::array<int, 4>{1, 2, 3, 4})) == ints{1, 2, 3, 4});
  CHECK(jig::reshape<2>(jig::tensor<std::string, 1, 2>{{"a", "bc"}})(1) == "bc");
  CHECK(jig::reshape<0, 5>(jig::zeros<float, 3, 0>()).extent(1) == 5);
}

TEST_CASE("reshape with wildcard and named extents") {
  using jig::spec;
  constexpr auto rows = [](auto x) { return jig::reshape<jig::infer, 2>(x); };
  static_assert(gives<spec<float, dyn, 2>>(rows, spec<float, dyn, dyn>()));
  static_assert(gives<spec<float, jig::dim<"n">, 2>>(rows, spec<float, jig::dim<"n">, 2>()));
  constexpr auto fixed = [](auto x) { return jig::reshape<2, 3>(x); };
  static_assert(gives<spec<float, 2, 3>>(fixed, spec<float, dyn>()));
  constexpr auto named = [](auto x) { return jig::reshape<jig::dim<"n">, 2, 2>(x); };
  static_assert(gives<spec<float, jig::dim<"n">, 2, 2>>(named, spec<float, jig::dim<"n">, 4>()));
  constexpr auto flat = [](auto x) { return jig::flatten(x); };
  static_assert(gives<spec<float, dyn>>(flat, spec<float, dyn, dyn>()));
  static_assert(gives<spec<float, jig::dim<"n">>>(flat, spec<float, 1, jig::dim<"n">>()));

  auto x = counted<float, dyn, dyn>(4, 3);
  auto y = jig::reshape<jig::infer, 2>(x);
  CHECK(y.extent(0) == 6);
  CHECK(y(5, 1) == 11);
  CHECK(jig::flatten(x).size() == 12);
  auto batch = jig::function<"f(x)">(named).get_concrete_function(spec<float, jig::dim<"n">, 4>())(counted<float, dyn, 4>(3));
  CHECK(batch(2, 1, 0) == 10);
  CHECK(jig::reshape<2, 3>(counted<float, dyn>(6))(1, 2) == 5);

  CHECK(message_of([&] { (void)jig::reshape<2, 3>(jig::zeros<float, dyn>(5)); }) ==
        "Reshape: the numbers of elements differ: float32 (5,)");
  CHECK(message_of([&] { (void)jig::reshape<jig::infer, 5>(x); }) ==
        "Reshape: the elements do not divide by these extents: float32 (4, 3)");
  auto none = jig::reshape<jig::infer, 2>(jig::zeros<float, dyn, dyn>(0, 3));
  CHECK(none.extent(0) == 0);
}

TEST_CASE("extents of another tensor") {
  auto x = counted<float, dyn>(6);
  auto like = counted<double, dyn, dyn>(2, 3);
  auto y = both([](const auto& a, const auto& b) { return jig::reshape_like(a, b); }, x, like);
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, dyn, dyn>>);
  CHECK(y(1, 0) == 3);
  CHECK(message_of([&] { (void)jig::reshape_like(jig::zeros<float, dyn>(5), like); }).starts_with("Reshape: the numbers"));
  auto z = both([](const auto& a, const auto& b) { return jig::broadcast_like(a, b); }, jig::tensor<int, dyn>{1, 2, 3}, like);
  static_assert(std::is_same_v<decltype(z), jig::tensor<int, dyn, dyn>>);
  CHECK(elements(z) == ints{1, 2, 3, 1, 2, 3});
  auto column = jig::broadcast_like(jig::tensor<int, dyn, 1>{{5}, {6}}, like);
  CHECK(elements(column) == ints{5, 5, 5, 6, 6, 6});
  // Where the extents of both are wildcards only the call tells that they differ.
  for (jig::index rows : {1, 2})
    for (jig::index columns : {1, 3}) {
      auto whole =
          both([](const auto& a, const auto& b) { return jig::broadcast_like(a, b); }, jig::ones<int, dyn, dyn>(rows, columns), like);
      CHECK(elements(whole) == ints(6, 1));
    }
  CHECK_THROWS_AS(jig::broadcast_like(jig::tensor<int, dyn>{1, 2}, like), jig::invalid_argument);
  // Also where the type of x is that of the result.
  constexpr auto wide = jig::function<"wide(x, y)">([](auto a, auto b) { return jig::broadcast_like(a, b); });
  CHECK(wide(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(2))(1) == 2);
  CHECK_THROWS_AS(wide(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(3)), jig::invalid_argument);
  constexpr auto flat = jig::function<"flat(x, y)">([](auto a, auto b) { return jig::reshape_like(a, b); });
  CHECK(flat(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(2))(1) == 2);
  CHECK_THROWS_AS(flat(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(3)), jig::invalid_argument);
  // Broadcasting is one way: the target does not grow.
  CHECK_THROWS_AS(jig::broadcast_like(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(1)), jig::invalid_argument);
  // Only the extents of the other one count, which need not be computed.
  auto f = jig::function<"f(x, y)">([](auto a, auto b) { return jig::reshape_like(a, jig::exp(b)) + 1; });
  CHECK(f(x, like)(1, 2) == 6);
}

TEST_CASE("axes of extent 1") {
  auto x = counted<int, 2, 1, 3, 1>();
  static_assert(std::is_same_v<decltype(jig::squeeze(x)), jig::tensor<int, 2, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze<-1>(x)), jig::tensor<int, 2, 1, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze<1, 3>(x)), jig::tensor<int, 2, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze(jig::zeros<int, dyn, 1>(1))), jig::tensor<int, dyn>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<0>(x)), jig::tensor<int, 1, 2, 1, 3, 1>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<-1>(x)), jig::tensor<int, 2, 1, 3, 1, 1>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<2>(jig::zeros<int, dyn, 5>(4))), jig::tensor<int, dyn, 5, 1>>);
  CHECK(elements(both([](const auto& v) { return jig::squeeze<1>(jig::expand_dims<1>(v)); }, x)) == elements(x));
  CHECK(jig::squeeze<0>(jig::full<int, dyn, 2>(3, 1))(1) == 3);
  CHECK(message_of([] { (void)jig::squeeze<0>(jig::zeros<int, dyn, 2>(3)); }) ==
        "Squeeze: a squeezed axis must have extent 1: int32 (3, 2)");
}

TEST_CASE("broadcast_to") {
  auto x = jig::tensor<int, 2, 1>{{1}, {2}};
  auto y = both([](const auto& v) { return jig::broadcast_to<2, 2, 3>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2, 3>>);
  CHECK(elements(y) == ints{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  auto z = jig::broadcast_to<2, dyn>(jig::tensor<int, dyn>{4, 5});
  static_assert(std::is_same_v<decltype(z), jig::tensor<int, 2, dyn>>);
  CHECK(elements(z) == ints{4, 5, 4, 5});
  CHECK(elements(jig::broadcast_to<3>(7)) == ints{7, 7, 7});
  CHECK(elements(jig::broadcast_to<3>(jig::tensor<int, dyn>{7})) == ints{7, 7, 7});
  CHECK(message_of([] { (void)jig::broadcast_to<3>(jig::zeros<int, dyn>(2)); }) ==
        "BroadcastTo: its extents must be 1 or those of the target: int32 (2,)");
  CHECK(jig::broadcast_to<0>(jig::tensor<int, 1>{7}).size() == 0);
  // sums read it without the copy
  auto f = jig::function<"f(x)">([](auto v) { return jig::reduce_sum<0>(jig::broadcast_to<4, 2, 3>(v)); });
  CHECK(elements(f(x)) == ints{4, 4, 4, 8, 8, 8});
}

TEST_CASE("views chain without copies until something needs one") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = jig::transpose<0, 2, 1>(jig::reshape<2, jig::infer, 4>(x));
    return jig::reduce_sum<2>(jig::reverse<1>(y) * 2) + jig::strided_slice<1, jig::all, 0>(y);
  });
  auto x = counted<float, 4, 6>();
  auto y = f(x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 2, 4>>);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 4; ++i) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) sum += 2 * static_cast<float>(b * 12 + k * 4 + (3 - i));
      CHECK(y(b, i) == sum + static_cast<float>(12 + i));
    }
}

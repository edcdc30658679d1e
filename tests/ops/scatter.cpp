// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

// Shared by the tests of what is in range and of what is not, so that it is compiled once.
constexpr auto rows_set = jig::function<"f(x, i, r)">([](auto v, auto i, auto r) {
  return std::tuple(jig::set_row(v, i, r * 2), jig::set_row(v, 1, jig::tensor<int, 2>{7, 7}),
                    jig::set_row(v, 0, jig::reverse(jig::element(v, 1))));
});

}  // namespace

TEST_CASE("scatter_nd adds") {
  auto y = traced([](const auto& i, const auto& u) { return jig::scatter_nd<4, 2>(i, u); }, jig::tensor<int, 3, 1>{{1}, {3}, {1}},
                  counted<float, 3, 2>());
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 4, 2>>);
  CHECK(elements(y) == std::vector<float>{0, 0, 4, 6, 0, 0, 2, 3});
  auto wrapped = jig::scatter_nd<1>(jig::tensor<int, 2, 1>{{0}, {0}}, std::array<std::int8_t, 2>{100, 100});
  CHECK(wrapped(0) == -56);
  CHECK(elements(jig::scatter_nd<3>(jig::zeros<int, dyn, 1>(0), jig::zeros<int, dyn>(0))) == ints{0, 0, 0});
  CHECK(message_of([] {
          (void)jig::scatter_nd<3>(jig::zeros<int, dyn, 1>(2), jig::zeros<int, dyn>(1));
        }).starts_with("ScatterNd: the updates do not have the shape that the indices pick"));
  // the gradient of a gather
  auto x = counted<double, 3, 2>();
  auto f = jig::function<"f(x, i, g)">(
      [](auto v, auto i, auto g) { return jig::tensor_scatter_add(jig::zeros_like(v), jig::expand_dims<-1>(i), g); });
  CHECK(elements(f(x, std::array<int, 3>{2, 2, 0}, counted<double, 3, 2>())) == std::vector<double>{4, 5, 0, 0, 2, 4});
}

TEST_CASE("an update out of range throws") {
  auto x = counted<int, 3, 2>();
  CHECK(message_of([&] { (void)jig::scatter_nd<1>(jig::tensor<int, 2, 1>{{0}, {2}}, std::array<std::int8_t, 2>{1, 1}); }) ==
        "ScatterNd: index 2 is out of range for axis 0 with 1 elements");
  CHECK(message_of([&] { (void)rows_set(x, 3, std::array<int, 2>{1, 1}); }) ==
        "TensorScatterUpdate: index 3 is out of range for axis 0 with 3 elements");
}

TEST_CASE("updates in place of elements") {
  auto x = counted<int, 3, 2>();
  auto y = traced(
      [](const auto& v) { return jig::tensor_scatter_update(v, jig::tensor<int, 2, 2>{{0, 1}, {2, 0}}, std::array<int, 2>{8, 9}); }, x);
  CHECK(elements(y) == ints{0, 8, 2, 3, 9, 5});
  // the last one: a strided row
  auto [first, second, turned] = rows_set(x, 0, std::array<int, 2>{1, 2});
  CHECK(elements(first) == ints{2, 4, 2, 3, 4, 5});
  CHECK(elements(second) == ints{0, 1, 7, 7, 4, 5});
  CHECK(elements(turned) == ints{3, 2, 2, 3, 4, 5});
  CHECK(elements(traced([](const auto& v) { return jig::set_row(v, 2, 5); }, counted<float, dyn>(4))) == std::vector<float>{0, 1, 5, 3});
  CHECK(jig::set_row(jig::tensor<std::string, 2>{"a", "b"}, 0, std::string("c"))(0) == "c");
  CHECK(jig::set_row(jig::zeros<bool, 2>(), 1, true)(1));
}

TEST_CASE("positions and updates at any strides") {
  // Updates [n, 2, 3] at positions [n, 1]: each axis as its stride says, of which some walk as one.
  constexpr auto add = jig::function<"f(x, i, u)">([](auto x, auto i, auto u) { return jig::tensor_scatter_add(x, i, u); });
  std::vector<float> memory(400);
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<float>(k * 37 % 101);
  std::vector<int> numbers(40);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(k * 5 % 4);
  const auto x = counted<float, 4, 2, 3>();
  for (jig::index n : {0, 1, 2, 7})
    for (const jig::shape& strides :
         {jig::shape{3, {6, 3, 1}}, {3, {12, 6, 2}}, {3, {1, 40, 20}}, {3, {0, 3, 1}}, {3, {20, 0, 1}}, {3, {-7, 3, 1}}})
      for (jig::index step : {1, 3, -2, 0}) {
        const float* from = memory.data() + 100;
        const int* at = numbers.data() + 14;
        const jig::view<const float, dyn, 2, 3> updates(from, {3, {n, 2, 3}}, strides);
        const jig::view<const int, dyn, 1> positions(at, {2, {n, 1}}, {2, {step, 1}});
        auto expected = x;
        for (jig::index k = 0; k < n; ++k)
          for (jig::index i = 0; i < 2; ++i)
            for (jig::index j = 0; j < 3; ++j) expected(at[k * step], i, j) += from[k * strides[0] + i * strides[1] + j * strides[2]];
        CHECK(elements(add(x, positions, updates)) == elements(expected));
        CHECK(elements(jig::tensor_scatter_add(x, positions, updates)) == elements(expected));
      }
}

// SPDX-License-Identifier: MIT
#include <jig/nn/reshaping.hpp>
#include <jig/nn/sequential.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;
namespace layers = nn::layers;

constexpr auto both = jig::function<"both(x)">([](auto x) { return std::tuple(nn::flatten<6>()(x), nn::reshape<3, 2>()(x)); });

TEST_CASE("flatten and reshape: the elements of each sample") {
  jig::tensor<int, jig::dyn, 2, 3> x(4);
  for (int i = 0; i < 24; ++i) x.data()[i] = i;
  const auto [flat, other] = both(x);
  CHECK((flat.extent(0) == 4 && other.extent(0) == 4));
  int wrong = 0;
  for (jig::index i = 0; i < 24; ++i) wrong += flat(i / 6, i % 6) != i || other(i / 6, i % 6 / 2, i % 2) != i;
  CHECK(wrong == 0);
  CHECK(std::get<1>(both(jig::tensor<int, jig::dyn, 2, 3>(0))).extent(0) == 0);
}

TEST_CASE("flatten and reshape: descriptions") {
  static_assert(std::is_same_v<layers::flatten::layer<jig::spec<float, 2, 3>>, nn::flatten<6>>);
  static_assert(std::is_same_v<layers::flatten::layer<jig::spec<float>>, nn::flatten<1>>);
  static_assert(layers::reshape<3, 2>::refusal({1, {6}}).length == 0);
  CHECK(layers::reshape<3, 2>::refusal({1, {7}}).view() == "6 elements of each sample");
}

TEST_CASE("a model without variables is an argument too") {
  constexpr auto predict = jig::function<"predict(model, x)">([](auto& model, auto x) { return model(x); });
  auto model = nn::sequential(nn::input<int, 2, 3>(), layers::flatten(), layers::reshape<3, 2>());
  CHECK(predict(model, jig::tensor<int, 1, 2, 3>{{{0, 1, 2}, {3, 4, 5}}})(0, 2, 1) == 5);
  CHECK(jig::variables(model).empty());
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/nn/pooling.hpp>

#include <doctest/doctest.h>

namespace {

namespace layers = jig::nn::layers;

constexpr auto planes = jig::function<"planes(x)">([](auto x) {
  return std::tuple(layers::max_pooling2d<2>()(x), layers::average_pooling2d<2, 1>(jig::same_padding)(x), layers::global_max_pooling2d()(x),
                    layers::global_average_pooling2d()(x));
});
constexpr auto lines = jig::function<"lines(x)">([](auto x) {
  return std::tuple(layers::max_pooling1d<2>(jig::strides<1>)(x), layers::average_pooling1d<2>()(x), layers::global_max_pooling1d()(x),
                    layers::global_average_pooling1d()(x));
});

TEST_CASE("pooling: planes") {
  jig::tensor<float, 1, 3, 2, 1> x{{{{1}, {5}}, {{2}, {3}}, {{-4}, {6}}}};
  const auto [largest, mean, all_max, all_mean] = planes(x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(largest)>, jig::tensor<float, 1, 1, 1, 1>>);
  CHECK(largest(0, 0, 0, 0) == 5);
  CHECK((mean(0, 0, 0, 0) == 1.5f && mean(0, 0, 1, 0) == 4 && mean(0, 1, 0, 0) == -4 && mean(0, 1, 1, 0) == 6));
  CHECK(all_max(0, 0) == 6);
  CHECK(all_mean(0, 0) == doctest::Approx(13.0 / 6));
}

TEST_CASE("pooling: lines") {
  jig::tensor<float, 1, 3, 2> x{{{1, 5}, {2, 3}, {-4, 6}}};
  const auto [largest, mean, all_max, all_mean] = lines(x);
  CHECK((largest(0, 0, 0) == 2 && largest(0, 0, 1) == 5 && largest(0, 1, 0) == 2 && largest(0, 1, 1) == 6));
  CHECK((mean.extent(1) == 1 && mean(0, 0, 0) == 1.5f && mean(0, 0, 1) == 4));
  CHECK((all_max(0, 0) == 2 && all_max(0, 1) == 6));
  CHECK((all_mean(0, 0) == doctest::Approx(-1 / 3.0) && all_mean(0, 1) == doctest::Approx(14 / 3.0)));
}

TEST_CASE("pooling: descriptions") {
  CHECK(decltype(layers::max_pooling2d<2>())::type == "MaxPooling2D");
  CHECK(decltype(layers::average_pooling1d<2>())::type == "AveragePooling1D");
  CHECK(layers::global_average_pooling1d::type == "GlobalAveragePooling1D");
  CHECK(layers::global_max_pooling2d::refusal({2, {4, 4}}).view() == "(batch, rows, columns, channels)");
  CHECK(decltype(layers::max_pooling1d<2>())::refusal({2, {4, 4}}).length == 0);
}

}  // namespace

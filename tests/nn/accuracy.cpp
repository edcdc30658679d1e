// SPDX-License-Identifier: MIT
#include <jig/nn/accuracy.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {

constexpr auto binary = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::binary_accuracy(y, p), jig::nn::binary_accuracy.threshold<0.0>()(y, p), jig::nn::accuracy(y, p));
});
constexpr auto sparse = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::sparse_categorical_accuracy(y, p), jig::nn::accuracy(y, p),
                    jig::nn::sparse_top_k_categorical_accuracy.k<2>()(y, p), jig::nn::sparse_top_k_categorical_accuracy(y, p));
});
constexpr auto dense = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::categorical_accuracy(y, p), jig::nn::accuracy(y, p), jig::nn::top_k_categorical_accuracy.k<2>()(y, p));
});

template <class X>
bool holds(const X& x, std::initializer_list<float> expected) {
  if (x.size() != static_cast<jig::index>(expected.size())) return false;
  for (jig::index i = 0; i < x.size(); ++i)
    if (x.data()[i] != expected.begin()[i]) return false;
  return true;
}

TEST_CASE("binary_accuracy: a bound between no and yes") {
  const auto [half, zero, chosen] =
      binary(jig::tensor<int, jig::dyn>{0, 1, 1, 0}, jig::tensor<float, jig::dyn, 1>{{0.5f}, {0.75f}, {0.25f}, {-2}});
  CHECK(holds(half, {1, 1, 0, 1}));
  CHECK(holds(zero, {0, 1, 1, 1}));
  CHECK(holds(chosen, {1, 1, 0, 1}));
}

TEST_CASE("categorical accuracies: the largest, and the first k") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const jig::tensor<float, jig::dyn, 3> p{{0.2f, 0.5f, 0.3f}, {3, 2, 1}, {1, 1, 1}, {0, 1, 2}, {nan, 1, 2}};
  const auto [right, chosen, first, five] = sparse(jig::tensor<int, jig::dyn>{1, 2, 2, 1, 2}, p);
  CHECK(holds(right, {1, 0, 0, 0, 0}));
  CHECK(holds(chosen, {1, 0, 0, 0, 0}));
  CHECK(holds(first, {1, 0, 1, 1, 1}));
  CHECK(holds(five, {1, 1, 1, 1, 1}));
  CHECK(holds(std::get<2>(sparse(jig::tensor<int, jig::dyn, 1>{{0}, {-1}, {3}, {2}, {0}}, p)), {0, 0, 0, 1, 0}));
  const auto [largest, by_shape, two] = dense(jig::tensor<int, jig::dyn, 3>{{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}}, p);
  CHECK(holds(by_shape, {1, 0, 0, 0, largest(4)}));
  CHECK(holds(two, {1, 0, 1, 1, 1}));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/data/map.hpp>

#include <jig.hpp>
#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace {

namespace data = jig::data;

constexpr auto scaled = jig::function([](auto x, auto y) { return jig::reduce_sum(x) * y; });
constexpr auto is_large = jig::function([](auto x) { return jig::reduce_max(x) > 4.0f; });

TEST_CASE("Functions of jig are mapped over components") {
  const jig::tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  const std::vector<float> y{1, 10, 100};
  std::vector<float> seen;
  for (const auto& z : data::from_tensor_slices(x, y).map(scaled)) seen.push_back(static_cast<float>(z));
  CHECK(seen == std::vector<float>{3, 70, 1100});
  int large = 0;
  for (const auto& row : data::from_tensor_slices(x).filter(is_large)) {
    CHECK(row(1) == 6);
    ++large;
  }
  CHECK(large == 1);
}

TEST_CASE("A map changes how many components there are") {
  const auto pairs = data::range(3).map([](auto i) { return std::tuple(i, i * i); });
  std::int64_t sum = 0;
  for (const auto& [i, square] : pairs) sum += i * 100 + square;
  CHECK(sum == 305);
  CHECK(pairs.map([](auto i, auto square) { return i + square; }).reduce(std::int64_t{0}, [](auto a, auto b) { return a + b; }) == 8);
}

TEST_CASE("Nothing runs before the loop asks, and what is thrown arrives there") {
  int calls = 0;
  const auto counted = data::range(100).map([&](auto i) {
    if (i == 2) throw std::domain_error("two");
    return ++calls;
  });
  CHECK(calls == 0);
  CHECK_THROWS_AS(
      [&] {
        for (const int i : counted) CHECK(i == calls);
      }(),
      std::domain_error);
  CHECK(calls == 2);
}

TEST_CASE("A filter knows how many elements it has only where there are none, or no end") {
  const auto none = [](auto) { return false; };
  CHECK(data::range(0).filter(none).cardinality() == 0);
  CHECK(data::range(5).filter(none).cardinality() == data::unknown_cardinality);
  CHECK(data::range(5).repeat().filter(none).cardinality() == data::infinite_cardinality);
  for (const auto i : data::range(5).filter(none)) FAIL(i);
}

}  // namespace

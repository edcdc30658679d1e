// SPDX-License-Identifier: MIT
#include <jig/data/cache.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("Elements are made once, when a loop has come to the end") {
  int made = 0;
  const auto cached = data::range(4).map([&](auto i) { return ++made, 2 * i; }).cache();
  for (const auto x : cached)
    if (x == 4) break;
  CHECK(made == 3);
  for (int times = 0; times < 3; ++times) {
    std::vector<std::int64_t> seen;
    for (const auto x : cached) seen.push_back(x);
    CHECK(seen == std::vector<std::int64_t>{0, 2, 4, 6});
    CHECK(made == 7);
  }
}

TEST_CASE("Copies share what is kept, and views become tensors") {
  const auto cached = data::from_tensor_slices(jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}).cache();
  static_assert(std::is_same_v<decltype(cached)::element_type, jig::tensor<float, 2>>);
  float sum = 0;
  for (const auto& row : cached.repeat(2)) sum += row(0) * row(1);
  CHECK(sum == 28);
  CHECK(cached.cardinality() == 2);
}

TEST_CASE("Two loops at a time") {
  const auto cached = data::range(3).map([](auto i) { return i; }).cache();
  int pairs = 0;
  for (const auto x : cached)
    for (const auto y : cached) pairs += x <= y;
  CHECK(pairs == 6);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/data/generator.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <list>
#include <ranges>
#include <stdexcept>
#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("A function that returns optionals") {
  const auto counted = data::from_generator([] { return [i = 0]() mutable { return i < 3 ? std::optional(i++) : std::nullopt; }; });
  static_assert(std::is_same_v<decltype(counted)::element_type, int>);
  for (int times = 0; times < 2; ++times) {
    std::vector<int> seen;
    for (const int i : counted) seen.push_back(i);
    CHECK(seen == std::vector<int>{0, 1, 2});
  }
  CHECK(counted.cardinality() == data::unknown_cardinality);
}

TEST_CASE("A range, also one whose iterators point into it") {
  const auto listed = data::from_generator([] { return std::list<double>{1, 2, 4}; });
  CHECK(listed.reduce(0.0, [](double a, double b) { return a + b; }) == 7);
  const auto squares = data::from_generator([] { return std::views::iota(0, 4) | std::views::transform([](int i) { return i * i; }); });
  CHECK(squares.batch(4).reduce(0, [](int a, const auto& b) { return a + b(3); }) == 9);
  for (const int i : data::from_generator([] { return std::vector<int>(); })) FAIL(i);
}

TEST_CASE("It is not called again behind its end, and what it throws arrives") {
  int calls = 0;
  const auto once = data::from_generator([&] { return [&] { return ++calls <= 2 ? std::optional(calls) : std::nullopt; }; });
  int elements = 0;
  for (const auto& batch : once.batch(5)) elements += static_cast<int>(batch.extent(0));
  CHECK(elements == 2);
  CHECK(calls == 3);
  const auto throws = data::from_generator([] {
    return [i = 0]() mutable -> std::optional<int> {
      if (++i == 3) throw std::out_of_range("third");
      return i;
    };
  });
  int seen = 0;
  CHECK_THROWS_WITH_AS(
      [&] {
        for (const int i : throws) seen = i;
      }(),
      "third", std::out_of_range);
  CHECK(seen == 2);
}

}  // namespace

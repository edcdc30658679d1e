// SPDX-License-Identifier: MIT
#include <jig/data/slices.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("Slices of one object are numbers or views of it") {
  const std::vector<float> numbers{3, 1, 2};
  std::vector<float> seen;
  for (const float x : data::from_tensor_slices(numbers)) seen.push_back(x);
  CHECK(seen == numbers);

  const jig::tensor<int, 3, 2> rows{{1, 2}, {3, 4}, {5, 6}};
  int i = 0;
  for (const auto& row : data::from_tensor_slices(rows)) {
    static_assert(std::is_same_v<decltype(row), const jig::view<jig::row_major<const int>, 2>&>);
    CHECK(row.data() == rows.data() + 2 * i++);
  }
  CHECK(i == 3);
}

TEST_CASE("Slices of several objects are tuples") {
  const std::vector<int> labels{7, 8};
  std::array<std::array<double, 2>, 2> points{{{1, 2}, {3, 4}}};
  jig::index count = 0;
  for (const auto& [label, point] : data::from_tensor_slices(labels, points)) {
    CHECK(label == labels[static_cast<std::size_t>(count)]);
    CHECK(point(1) == 2 * (count + 1));
    ++count;
  }
  CHECK(count == 2);
}

TEST_CASE("Memory with gaps, in another order and backwards") {
  const double numbers[] = {1, 2, 3, 4, 5, 6};
  const jig::view<jig::column_major<const double>, jig::dyn, jig::dyn> columns(numbers, 3, 2);
  double sum = 0;
  for (const auto& row : data::from_tensor_slices(columns)) sum = 10 * sum + row(0) - row(1);
  CHECK(sum == -333);
  const jig::view<const double, jig::dyn> backwards(numbers + 5, {3}, {-2});
  std::vector<double> seen;
  for (const double x : data::from_tensor_slices(backwards)) seen.push_back(x);
  CHECK(seen == std::vector<double>{6, 4, 2});
}

TEST_CASE("Objects without a name are kept, named ones are seen as they are when a loop asks") {
  const auto kept = data::from_tensor_slices(std::vector<int>{1, 2, 3});
  int sum = 0;
  for (const int x : kept) sum += x;
  CHECK(sum == 6);

  std::vector<int> named{1, 2, 3};
  const auto seen = data::from_tensor_slices(named);
  named[1] = 20;
  sum = 0;
  for (const int x : seen) sum += x;
  CHECK(sum == 24);

  const auto of_view = data::from_tensor_slices(jig::view(named.data(), 2));
  CHECK(of_view.cardinality() == 2);
}

TEST_CASE("Nothing, and objects that do not fit") {
  const std::vector<int> nothing, some{1, 2};
  CHECK(data::from_tensor_slices(nothing).cardinality() == 0);
  for (const int x : data::from_tensor_slices(nothing)) FAIL(x);
  CHECK_THROWS_WITH_AS(data::from_tensor_slices(some, nothing), "from_tensor_slices: argument 1 has 0 slices, argument 0 has 2",
                       jig::invalid_argument);
}

}  // namespace

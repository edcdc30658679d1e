// SPDX-License-Identifier: MIT
#include <jig/data/shuffle.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

namespace data = jig::data;
using numbers = std::vector<std::int64_t>;

template <class Dataset>
numbers all(const Dataset& d) {
  numbers out;
  for (const auto x : d) out.push_back(x);
  return out;
}
const auto stream = data::range(100).map([](auto i) { return i; });

TEST_CASE("Every element once, in another order, which the seed decides") {
  const auto a = all(data::range(100).shuffle(100, 5)), b = all(data::range(100).shuffle(100, 6));
  CHECK(a != b);
  CHECK(a == all(data::range(100).shuffle(100, 5)));
  // Numbers of elements are drawn as elements are.
  CHECK(a == all(stream.shuffle(100, 5)));
  numbers sorted = a;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == all(data::range(100)));
}

TEST_CASE("Loops have orders of their own, unless that is switched off") {
  const auto each = stream.shuffle(100, 5), same = stream.shuffle(100, 5, false);
  const auto first = all(each);
  CHECK(all(each) != first);
  CHECK(all(same) == first);
  CHECK(all(same) == first);
}

TEST_CASE("An element is no further ahead than the buffer") {
  for (const jig::index room : {1, 2, 7, 99, 1000}) {
    const auto order = all(stream.shuffle(room, 3));
    REQUIRE(order.size() == 100);
    for (std::size_t at = 0; at < order.size(); ++at) CHECK(order[at] < static_cast<jig::index>(at) + room);
  }
  CHECK(all(stream.shuffle(1)) == all(stream));
  CHECK_THROWS_WITH_AS(stream.shuffle(0), "shuffle: its buffer_size must be at least 1, given 0", jig::invalid_argument);
}

TEST_CASE("All orders are equally likely") {
  int times[6] = {};
  const auto three = data::range(3).shuffle(3, 1);
  for (int i = 0; i < 6000; ++i) {
    const auto order = all(three);
    ++times[2 * order[0] + (order[1] > order[2])];
  }
  // Five standard deviations.
  for (const int t : times) CHECK((t > 856 && t < 1144));
}

TEST_CASE("Slices stay views, and rows stay with their labels") {
  std::vector<std::array<float, 2>> x;
  std::vector<int> y;
  for (int i = 0; i < 50; ++i) {
    x.push_back({static_cast<float>(i), static_cast<float>(-i)});
    y.push_back(i);
  }
  int count = 0;
  for (const auto& [row, label] : data::from_tensor_slices(x, y).shuffle(50)) {
    CHECK(row.data() == x[static_cast<std::size_t>(label)].data());
    ++count;
  }
  CHECK(count == 50);
  for (const auto& [rows, labels] : data::from_tensor_slices(x, y).shuffle(50).batch(8))
    for (jig::index i = 0; i < labels.extent(0); ++i) CHECK(rows(i, 1) == static_cast<float>(-labels(i)));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/runtime/shared_list.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

// Counts the objects that are there.
struct counted {
  static inline int alive = 0;
  int value;
  explicit counted(int v) : value(v) { ++alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
};

template <class List>
counted* add(List& to, int value, std::unique_ptr<counted>& item) {
  item = std::make_unique<counted>(value);
  return to.add(item, [&](const counted& other) { return other.value == value; });
}

}  // namespace

TEST_CASE("a shared list keeps one of what is the same, in the order of adding, up to its room") {
  {
    jig::detail::shared_list<counted, 3> list;
    CHECK(list.size() == 0);
    std::unique_ptr<counted> item;
    counted* const first = add(list, 7, item);
    REQUIRE(first != nullptr);
    CHECK(first->value == 7);
    CHECK(item == nullptr);  // the list has it now
    add(list, 8, item);
    CHECK(list.size() == 2);
    // What is there already stays with who asked.
    CHECK(add(list, 7, item) == first);
    CHECK(item != nullptr);
    CHECK(list.size() == 2);
    add(list, 9, item);
    CHECK(list.size() == 3);
    CHECK(add(list, 10, item) == nullptr);
    CHECK(item->value == 10);
    CHECK(add(list, 8, item) == &list[1]);
    item.reset();
    CHECK(&list[0] == first);
    CHECK((list[0].value == 7 && list[1].value == 8 && list[2].value == 9));
    CHECK(counted::alive == 3);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("threads add to a list while others read it") {
  constexpr int values = 40, threads = 4;
  jig::detail::shared_list<int, values> list;
  int wrong[threads] = {};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (int k = 0; k < values; ++k) {
        const int value = (k + t * 7) % values;
        auto item = std::make_unique<int>(value);
        const int* found = list.add(item, [&](int other) { return other == value; });
        wrong[t] += found == nullptr || *found != value;
        // All that is counted is there.
        for (int i = list.size(); i-- > 0;) wrong[t] += list[i] < 0 || list[i] >= values;
      }
    });
  for (auto& t : all) t.join();
  for (int w : wrong) CHECK(w == 0);
  REQUIRE(list.size() == values);
  std::vector<int> seen(values);
  for (int i = 0; i < values; ++i) ++seen[static_cast<std::size_t>(list[i])];
  for (int n : seen) CHECK(n == 1);
}

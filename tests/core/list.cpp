// SPDX-License-Identifier: MIT
#include <jig/core/list.hpp>

#include <doctest/doctest.h>

#include <span>
#include <type_traits>
#include <vector>

namespace {

jig::list<int> first(int n) {
  jig::list<int> l;
  for (int i = 0; i < n; ++i) l.push_back(i);
  return l;
}

std::vector<int> items(const jig::list<int>& l) { return {l.begin(), l.end()}; }

std::vector<int> numbers(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i);
  return v;
}

}  // namespace

TEST_CASE("a list works in constant evaluation") {
  constexpr auto sum_of_squares = [](int n) {
    jig::list<int> l;
    for (int i = 0; i < n; ++i) l.push_back(i * i);
    auto copy = l;
    copy[0] = 100;
    auto moved = std::move(l);
    l = copy;
    int sum = 0;
    for (int x : moved) sum += x;
    return l[0] + sum;
  };
  static_assert(sum_of_squares(1) == 100);
  static_assert(sum_of_squares(100) == 100 + 328350);
  static_assert(jig::list<int>().empty());
  static_assert(jig::list<int>(3)[2] == 0);
}

TEST_CASE("many items at once") {
  constexpr auto sum = [](int n) {
    jig::list<int> l;
    l.push_back(1);
    const int some[] = {2, 3, 4};
    for (int i = 0; i < n; ++i) l.append(some, 3);
    int out = 0;
    for (int x : l) out += x;
    return out;
  };
  static_assert(sum(0) == 1);
  static_assert(sum(40) == 1 + 40 * 9);
  for (int n : {0, 1, 7, 8, 9, 100})
    for (int more : {0, 1, 7, 8, 9, 100}) {
      auto l = first(n), behind = first(more);
      l.append(behind.data(), behind.size());
      l.push_back(-1);
      auto expected = numbers(n);
      for (int i = 0; i < more; ++i) expected.push_back(i);
      expected.push_back(-1);
      CHECK(items(l) == expected);
    }
}

TEST_CASE("lists grow") {
  for (int n : {0, 1, 7, 8, 9, 16, 17, 1000}) {
    CAPTURE(n);
    auto l = first(n);
    CHECK(l.size() == static_cast<std::size_t>(n));
    CHECK(l.empty() == (n == 0));
    CHECK(items(l) == numbers(n));
  }
  jig::list<double> zeros(5);
  CHECK(zeros.size() == 5);
  for (double x : zeros) CHECK(x == 0);
  zeros.push_back(1);
  CHECK(zeros[5] == 1);
  CHECK(zeros[4] == 0);
  jig::list<int> none(0);
  none.push_back(3);
  CHECK(none.back() == 3);
}

TEST_CASE("an element of the list itself is appended") {
  auto l = first(1);
  l[0] = 42;
  for (int i = 0; i < 100; ++i) l.push_back(l[0]);
  CHECK(items(l) == std::vector<int>(101, 42));
}

TEST_CASE("the last element") {
  auto l = first(3);
  l.back() = 9;
  CHECK(l[2] == 9);
  l.pop_back();
  CHECK(items(l) == numbers(2));
  l.push_back(5);
  CHECK(l.back() == 5);
}

TEST_CASE("reserving keeps the elements") {
  auto l = first(3);
  l.reserve(100);
  CHECK(items(l) == numbers(3));
  const int* memory = l.data();
  for (int i = 3; i < 100; ++i) l.push_back(i);
  CHECK(l.data() == memory);
  l.reserve(1);
  CHECK(l.data() == memory);
  CHECK(items(l) == numbers(100));
}

TEST_CASE("copies are independent") {
  auto l = first(10);
  auto copy = l;
  copy[0] = -1;
  copy.push_back(10);
  CHECK(items(l) == numbers(10));
  CHECK(copy.size() == 11);
  l = copy;
  CHECK(l[0] == -1);
  auto& same = l;
  l = same;
  CHECK(l.size() == 11);
  CHECK(l[10] == 10);
  CHECK(items(jig::list<int>(jig::list<int>())).empty());
}

TEST_CASE("moved lists are empty and can be used again") {
  auto l = first(10);
  const int* memory = l.data();
  auto moved = std::move(l);
  CHECK(moved.data() == memory);
  CHECK(l.empty());
  l.push_back(7);
  CHECK(items(l) == std::vector<int>{7});
  moved = std::move(l);
  CHECK(items(moved) == std::vector<int>{7});
  auto& same = moved;
  moved = std::move(same);
  CHECK(items(moved) == std::vector<int>{7});
  static_assert(std::is_nothrow_move_constructible_v<jig::list<int>>);
}

TEST_CASE("a list is a span") {
  auto l = first(3);
  std::span<int> writable = l;
  writable[1] = 10;
  const auto& fixed = l;
  std::span<const int> readable = fixed;
  CHECK(readable.size() == 3);
  CHECK(readable[1] == 10);
  CHECK(fixed[2] == 2);
  CHECK(fixed.data() == l.data());
  CHECK(std::span<const int>(jig::list<int>()).empty());
}

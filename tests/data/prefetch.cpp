// SPDX-License-Identifier: MIT
#include <jig/data/prefetch.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("The same elements, from another thread") {
  const auto ids = data::range(200).map([](auto i) { return std::tuple(i, std::this_thread::get_id()); });
  for (const jig::index room : {1, 2, 1000}) {
    std::int64_t next = 0;
    for (const auto& [i, id] : ids.prefetch(room)) {
      CHECK(i == next++);
      CHECK(id != std::this_thread::get_id());
    }
    CHECK(next == 200);
  }
  for (const auto i : data::range(0).prefetch(3)) FAIL(i);
  CHECK_THROWS_WITH_AS(ids.prefetch(0), "prefetch: its buffer_size must be at least 1, given 0", jig::invalid_argument);
}

TEST_CASE("It is ahead by no more than the buffer and the element in hand") {
  std::atomic<int> made{0};
  const auto counted = data::range(100).map([&](auto i) { return ++made, i; }).prefetch(3);
  for (const auto i : counted) CHECK(made <= i + 1 + 3 + 1);
  CHECK(made == 100);
}

TEST_CASE("A loop that stops early leaves no thread behind") {
  std::atomic<int> running{0};
  struct scope {
    std::atomic<int>* n;
    explicit scope(std::atomic<int>& of) : n(&of) { ++*n; }
    scope(scope&& other) : n(std::exchange(other.n, nullptr)) {}
    ~scope() {
      if (n != nullptr) --*n;
    }
  };
  const auto endless = data::from_generator([&] { return [alive = scope(running), i = 0]() mutable { return std::optional(i++); }; });
  for (const int i : endless.prefetch(4)) {
    CHECK(running == 1);
    if (i == 10) break;
  }
  CHECK(running == 0);
}

TEST_CASE("What the other thread throws arrives behind the elements before it, with the element's number") {
  const auto throws = data::range(9)
                          .map([](auto i) {
                            if (i == 5) throw std::domain_error("no fives");
                            return i;
                          })
                          .prefetch(3);
  std::int64_t last = -1;
  try {
    for (const auto i : throws) last = i;
    FAIL("it did not throw");
  } catch (const jig::error& e) {
    CHECK(std::string(e.what()) == "prefetch: element 5: no fives");
    CHECK_THROWS_AS(std::rethrow_if_nested(e), std::domain_error);
  }
  CHECK(last == 4);
}

TEST_CASE("Several loops at a time, and one inside the other") {
  const auto numbers = data::range(20).batch(3).prefetch(2);
  std::atomic<std::int64_t> sum{0};
  const auto loop = [&] {
    for (const auto& batch : numbers)
      for (const auto x : batch) sum += x;
  };
  std::thread a(loop), b(loop);
  a.join();
  b.join();
  CHECK(sum == 2 * 190);
  std::int64_t count = 0;
  for (const auto& batch : numbers.prefetch(1)) count += batch.extent(0);
  CHECK(count == 20);
}

}  // namespace

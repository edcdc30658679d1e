// SPDX-License-Identifier: MIT
#include <jig/eval/tape.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <string>

namespace {

using jig::detail::call_tape;

struct attributes {
  jig::stretch<jig::attribute_view> all;
  jig::stretch<jig::attribute_view> view() const { return all; }
};

}  // namespace

TEST_CASE("values of all trips stay while the tapes grow") {
  call_tape h;
  for (jig::index n : {1, 3, 64}) {
    const auto number = static_cast<std::size_t>(n);
    for (jig::index trip = 0; trip < 100; ++trip) {
      auto* to = h.at<double>(number, trip, n);
      for (jig::index k = 0; k < n; ++k) to[k] = static_cast<double>(1000 * trip + k + n);
    }
  }
  int wrong = 0;
  for (jig::index n : {1, 3, 64})
    for (jig::index trip = 100; trip-- > 0;) {
      const auto* from = h.at<double>(static_cast<std::size_t>(n), trip, n);
      for (jig::index k = 0; k < n; ++k) wrong += from[k] != static_cast<double>(1000 * trip + k + n);
    }
  CHECK(wrong == 0);
}

TEST_CASE("strings are objects, beside numbers in the same tape") {
  call_tape h;
  for (jig::index trip = 0; trip < 20; ++trip) {
    *h.at<std::string>(0, trip, 1) = std::string(static_cast<std::size_t>(trip), 'x');
    *h.at<std::int8_t>(0, trip, 1) = static_cast<std::int8_t>(trip);
  }
  for (jig::index trip = 0; trip < 20; ++trip) {
    CHECK(h.at<std::string>(0, trip, 1)->size() == static_cast<std::size_t>(trip));
    CHECK(*h.at<std::int8_t>(0, trip, 1) == trip);
  }
}

TEST_CASE("the thread keeps the memory for its next call, a call within a call has its own") {
  const void* first = nullptr;
  {
    call_tape h;
    first = h.at<double>(0, 50, 100);
  }
  call_tape outer;
  CHECK(outer.at<double>(0, 50, 100) == first);
  *outer.at<double>(0, 0, 1) = 7;
  {
    call_tape inner;
    *inner.at<double>(0, 0, 1) = 8;
  }
  CHECK(*outer.at<double>(0, 0, 1) == 7);
}

TEST_CASE("values of nothing take no memory") {
  call_tape h;
  CHECK_NOTHROW(h.at<float>(3, 0, 0));
  CHECK_NOTHROW(h.at<float>(3, 1000, 0));
}

TEST_CASE("the kernels count trips, and keep what lies with strides") {
  call_tape h;
  const jig::index words[] = {2};
  jig::attribute_view attribute{};
  attribute.key = "tape";
  attribute.values = {words, 1};
  const jig::attribute_view all[] = {attribute};
  const attributes with{{all, 1}};
  float memory[6] = {1, 2, 3, 4, 5, 6};
  const jig::view<const float, 3> every_other(memory, jig::shape{1, {3}}, jig::shape{1, {2}}),
      from_the_end(memory + 5, jig::shape{1, {3}}, jig::shape{1, {-1}});
  int count = 0;
  const jig::view<int> counter(&count, jig::shape{});
  jig::kernel<jig::ops::tape_write>::run(h, with, counter, counter, every_other);
  CHECK(count == 1);
  jig::kernel<jig::ops::tape_write>::run(h, with, counter, counter, from_the_end);
  CHECK(count == 2);
  float out[3];
  const jig::view<float, 3> result(out, jig::shape{1, {3}}, jig::shape{1, {1}});
  int position = 0;
  jig::kernel<jig::ops::tape_read>::run(h, with, result, counter, jig::view<const int>(&position, jig::shape{}), result);
  CHECK((out[0] == 1 && out[1] == 3 && out[2] == 5));
  position = 1;
  jig::kernel<jig::ops::tape_read>::run(h, with, result, counter, jig::view<const int>(&position, jig::shape{}), result);
  CHECK((out[0] == 6 && out[1] == 5 && out[2] == 4));
}

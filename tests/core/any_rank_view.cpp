// SPDX-License-Identifier: MIT
#include <jig/core/any_rank_view.hpp>

#include "../printed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr int six[] = {0, 1, 2, 3, 4, 5};

template <class T>
std::vector<std::remove_const_t<T>> elements(const jig::any_rank_view<T>& v) {
  return {v.begin(), v.end()};
}

}  // namespace

TEST_CASE("rank and extents are values, in constant evaluation too") {
  constexpr jig::any_rank_view<const int> v(six, {2, {2, 3}});
  static_assert(v.rank() == 2 && v.size() == 6 && v.extent(1) == 3 && v.stride(0) == 3);
  static_assert(v.shape() == jig::shape{2, {2, 3}} && v.strides() == jig::shape{2, {3, 1}});
  static_assert(v(0, 0) == 0 && v(1, 2) == 5 && v.data() == six);
  static_assert(*v.begin() == 0 && *++v.begin() == 1);
  static_assert(std::is_same_v<decltype(v)::value_type, int>);
  static_assert(std::forward_iterator<decltype(v)::iterator>);
}

TEST_CASE("rank 0 is one element") {
  int x = 1;
  jig::any_rank_view<int> v(&x, {});
  v() = 2;
  CHECK(x == 2);
  CHECK(elements(v) == std::vector{2});
  CHECK(complaint([&] { v(0); }) == "1 index for a tensor of rank 0");
}

TEST_CASE("strides may be negative or zero") {
  const jig::any_rank_view<const int> transposed(six, {2, {3, 2}}, {2, {1, 3}});
  CHECK(transposed(2, 1) == 5);
  CHECK(elements(transposed) == std::vector{0, 3, 1, 4, 2, 5});
  CHECK(elements(jig::any_rank_view<const int>(six + 5, {2, {2, 3}}, {2, {-3, -1}})) == std::vector{5, 4, 3, 2, 1, 0});
  CHECK(elements(jig::any_rank_view<const int>(six + 1, {2, {2, 2}}, {2, {0, 2}})) == std::vector{1, 3, 1, 3});
}

TEST_CASE("eight axes") {
  const jig::any_rank_view<const int> v(six, {8, {1, 2, 1, 1, 3, 1, 1, 1}});
  CHECK(v(0, 1, 0, 0, 2, 0, 0, 0) == 5);
  CHECK(elements(v) == std::vector{0, 1, 2, 3, 4, 5});
}

TEST_CASE("without elements there is nothing to go through") {
  for (jig::shape s : {jig::shape{1, {0}}, jig::shape{2, {0, 3}}, jig::shape{2, {3, 0}}}) {
    const jig::any_rank_view<const int> v(nullptr, s);
    CHECK(v.size() == 0);
    CHECK((v.begin() == v.end()));
  }
}

TEST_CASE("elements that are not constant are written through it") {
  int data[4] = {};
  const jig::any_rank_view<int> v(data, {2, {2, 2}}, {2, {1, 2}});
  v(0, 1) = 7;
  int next = 10;
  for (int& x : v) x += next++;
  CHECK(std::equal(std::begin(data), std::end(data), std::begin({10, 12, 18, 13})));
  auto at = v.begin();
  CHECK(*at++ == 10);
  CHECK(*at == 18);
}

TEST_CASE("strings have members") {
  const std::string words[] = {"a", "bcd"};
  const jig::any_rank_view<const std::string> v(words, {1, {2}});
  CHECK((++v.begin())->size() == 3);
}

TEST_CASE("a wrong number of indices and indices out of range") {
  const jig::any_rank_view<const int> v(six, {2, {2, 3}});
  CHECK(complaint([&] { v(1); }) == "1 index for a tensor of rank 2");
  CHECK(complaint([&] { v(); }) == "0 indices for a tensor of rank 2");
  CHECK(complaint([&] { v(0, 0, 0); }) == "3 indices for a tensor of rank 2");
  CHECK(complaint([&] { v(0, 3); }) == "index 3 is out of range for axis 1 with 3 elements");
  CHECK(complaint([&] { v(-1, 0); }) == "index -1 is out of range for axis 0 with 2 elements");
}

TEST_CASE("it becomes a view with extents in its type") {
  const jig::any_rank_view<const int> v(six, {2, {3, 2}}, {2, {1, 3}});
  const jig::view<const int, 3, jig::dyn> w(v);
  CHECK(w(2, 1) == 5);
  CHECK(complaint([&] { static_cast<void>(jig::view<const int, 2, 3>(v)); }) == "a shape of (2, 3) cannot hold extents (3, 2)");
  int x = 0;
  CHECK(jig::view<const int>(jig::any_rank_view<int>(&x, {})).data() == &x);
  static_assert(!std::is_constructible_v<jig::view<int, 3, 2>, jig::any_rank_view<const int>>);
}

TEST_CASE("a view may refer to extents and strides that somebody else keeps") {
  float numbers[] = {0, 1, 2, 3, 4, 5};
  const jig::any_view columns{jig::dtype::float32, numbers, {2, {3, 2}}, {2, {1, 3}}};
  const jig::any_rank_view<const float, const jig::shape&> v(columns);
  CHECK(&v.shape() == &columns.extents);
  CHECK(&v.strides() == &columns.strides);
  CHECK(std::vector<float>(v.begin(), v.end()) == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(v(2, 1) == 5);
  // Without a reference it keeps its own.
  const jig::any_rank_view<const float> own(columns);
  CHECK(&own.shape() != &columns.extents);
  CHECK(own(2, 1) == 5);
  static_assert(!std::is_constructible_v<jig::any_rank_view<float, const jig::shape&>, float*, jig::shape>);
}

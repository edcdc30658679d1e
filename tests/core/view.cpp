// SPDX-License-Identifier: MIT
#include <jig/core/view.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr int six[] = {0, 1, 2, 3, 4, 5};

template <class V>
std::vector<typename V::value_type> matrix_elements(const V& v) {
  std::vector<typename V::value_type> out;
  for (jig::index i = 0; i < v.extent(0); ++i)
    for (jig::index j = 0; j < v.extent(1); ++j) out.push_back(v(i, j));
  return out;
}

template <class V, class... I>
concept takes = requires(const V& v, I... i) { v(i...); };

}  // namespace

TEST_CASE("row-major views, in constant evaluation too") {
  constexpr jig::view<const int, 2, 3> v(six);
  static_assert(v.rank() == 2 && v.size() == 6);
  static_assert(v.shape() == jig::shape{2, {2, 3}});
  static_assert(v.strides() == jig::shape{2, {3, 1}});
  static_assert(v(0, 0) == 0 && v(0, 2) == 2 && v(1, 0) == 3 && v(1, 2) == 5);
  static_assert(v.data() == six);
  static_assert(std::is_same_v<decltype(v)::value_type, int>);
  CHECK(matrix_elements(v) == std::vector{0, 1, 2, 3, 4, 5});
  jig::view<const int, 3, 1, 2> deep(six);
  CHECK(deep.strides() == jig::shape{3, {2, 2, 1}});
  CHECK(deep(2, 0, 1) == 5);
}

TEST_CASE("rank 0 is one element") {
  constexpr jig::view<const int> one(&six[3]);
  static_assert(one.rank() == 0 && one.size() == 1 && one.shape() == jig::shape());
  static_assert(one() == 3);
  int x = 1;
  jig::view<int> v(&x, jig::shape());
  v() = 2;
  CHECK(x == 2);
}

TEST_CASE("wildcard and named extents are given at run time, in order") {
  jig::view<const int, jig::dyn, 3> v(six, 2);
  CHECK(v.shape() == jig::shape{2, {2, 3}});
  CHECK(v.extent(0) == 2);
  CHECK(v(1, 1) == 4);
  jig::view<const int, 1, jig::dim<"n">, 2, jig::dyn> w(six, 3, 1);
  CHECK(w.shape() == jig::shape{4, {1, 3, 2, 1}});
  CHECK(w.strides() == jig::shape{4, {6, 2, 1, 1}});
  CHECK(w(0, 2, 1, 0) == 5);
  jig::view<const int, jig::dim<"abcdefghij">> named(six, jig::shape{1, {6}});
  CHECK(named(5) == 5);
}

TEST_CASE("extents that contradict the type throw") {
  CHECK_THROWS_WITH_AS((jig::view<const int, jig::dyn, 3>(six, jig::shape{2, {3, 2}})), "a shape of (None, 3) cannot hold extents (3, 2)",
                       jig::invalid_argument);
  CHECK_THROWS_WITH_AS((jig::view<const int, jig::dim<"n">>(six, jig::shape{2, {3, 2}})), "a shape of (n,) cannot hold extents (3, 2)",
                       jig::invalid_argument);
  CHECK_THROWS_WITH_AS((jig::view<const int>(six, jig::shape{1, {1}})), "a shape of () cannot hold extents (1,)", jig::invalid_argument);
  CHECK_THROWS_AS((jig::view<const int, jig::dyn>(six, -2)), jig::invalid_argument);
  CHECK_THROWS_AS((jig::view<const int, 2, 3>(six, {3, 2}, {2, 1})), jig::invalid_argument);
}

TEST_CASE("views of nothing") {
  jig::view<const int, 0> none(nullptr);
  CHECK(none.size() == 0);
  jig::view<float, jig::dyn, 3> rows(nullptr, 0);
  CHECK(rows.size() == 0);
  CHECK(rows.shape() == jig::shape{2, {0, 3}});
  CHECK_THROWS_WITH_AS((void)rows(0, 0), "index 0 is out of range for axis 0 with 0 elements", jig::invalid_argument);
}

TEST_CASE("strides may be anything") {
  SUBCASE("backwards") {
    constexpr jig::view<const int, 6> v(&six[5], {6}, {-1});
    static_assert(v(0) == 5 && v(5) == 0);
    jig::view<const int, jig::dyn, jig::dyn> both(&six[5], {2, 3}, {-3, -1});
    CHECK(matrix_elements(both) == std::vector{5, 4, 3, 2, 1, 0});
  }
  SUBCASE("one element again and again") {
    constexpr jig::view<const int, 1000> v(&six[2], {1000}, {0});
    static_assert(v(0) == 2 && v(999) == 2 && v.size() == 1000);
    jig::view<const int, 2, 3> rows(six, {2, 3}, {0, 1});
    CHECK(matrix_elements(rows) == std::vector{0, 1, 2, 0, 1, 2});
  }
  SUBCASE("transposed") {
    jig::view<const int, 3, 2> v(six, {3, 2}, {1, 3});
    CHECK(matrix_elements(v) == std::vector{0, 3, 1, 4, 2, 5});
    CHECK(v.stride(0) == 1);
    CHECK(v.stride(1) == 3);
  }
  SUBCASE("every other, as shapes") {
    jig::view<const int, jig::dyn> v(six, jig::shape{1, {3}}, jig::shape{1, {2}});
    CHECK(v(0) == 0);
    CHECK(v(2) == 4);
  }
}

TEST_CASE("an index out of range throws and is named") {
  jig::view<const int, 2, jig::dyn> v(six, 3);
  CHECK_THROWS_WITH_AS((void)v(2, 0), "index 2 is out of range for axis 0 with 2 elements", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((void)v(0, 3), "index 3 is out of range for axis 1 with 3 elements", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((void)v(-1, 0), "index -1 is out of range for axis 0 with 2 elements", jig::invalid_argument);
  jig::view<const int, 6> backwards(&six[5], {6}, {-1});
  CHECK_THROWS_AS((void)backwards(6), jig::invalid_argument);
  static_assert(takes<decltype(v), int, long>);
  static_assert(!takes<decltype(v), int>);
  static_assert(!takes<decltype(v), int, int, int>);
  static_assert(!takes<decltype(v), int, const char*>);
}

TEST_CASE("a view writes the memory it shows") {
  std::vector<float> memory{1, 2, 3, 4};
  const jig::view<float, jig::dyn> v(memory.data(), {2}, {2});
  v(1) = 30;
  CHECK(memory == std::vector<float>{1, 2, 30, 4});
  auto copy = v;
  copy(0) = 10;
  CHECK(memory[0] == 10);
}

TEST_CASE("a view of mutable elements becomes one of constant elements") {
  std::vector<double> memory{1, 2, 3, 4, 5, 6};
  auto last = [](jig::view<const double, jig::dyn, 2> v) { return v(v.extent(0) - 1, 1); };
  jig::view<double, jig::dyn, 2> v(memory.data(), 3);
  CHECK(last(v) == 6);
  jig::view<double, jig::dyn, 2> columns(memory.data(), {2, 2}, {1, 2});
  jig::view<const double, jig::dyn, 2> constant = columns;
  CHECK(constant.shape() == columns.shape());
  CHECK(constant.strides() == columns.strides());
  CHECK(constant.data() == memory.data());
  CHECK(last(columns) == 4);
  double x = 3;
  jig::view<const double> scalar = jig::view<double>(&x);
  CHECK(scalar() == 3);
  jig::view<const double, 6> whole = jig::view<double, 6>(memory.data());
  CHECK(whole(5) == 6);
  static_assert(!std::is_convertible_v<jig::view<const double, 2>, jig::view<double, 2>>);
  static_assert(!std::is_constructible_v<jig::view<double, 2>, const double*>);
}

TEST_CASE("static extents take no memory beside the strides") {
  static_assert(sizeof(jig::view<float, 2, 3>) == sizeof(jig::view<float, jig::dyn, 3>));
  static_assert(sizeof(jig::view<float, jig::dyn, jig::dyn>) == sizeof(jig::view<float, 2, 3>) + sizeof(jig::index));
  static_assert(std::is_trivially_copyable_v<jig::view<std::string, jig::dyn>>);
}

TEST_CASE("views of strings and truth values") {
  std::string words[] = {"one", "two"};
  jig::view<std::string, 2> v(words);
  v(0) += '!';
  CHECK(words[0] == "one!");
  bool truths[] = {true, false};
  jig::view<const bool, 2> b(truths);
  CHECK(b(0));
  CHECK(!b(1));
}

TEST_CASE("views whose type tells their layout") {
  using jig::view, jig::row_major, jig::column_major, jig::dyn;
  constexpr view<row_major<const int>, 2, 3> rows(six);
  static_assert(rows.shape() == jig::shape{2, {2, 3}} && rows.strides() == jig::shape{2, {3, 1}} && rows.stride(0) == 3);
  static_assert(rows(1, 0) == 3 && rows.size() == 6 && rows.rank() == 2 && rows.data() == six);
  constexpr view<column_major<const int>, 2, 3> columns(six);
  static_assert(columns.shape() == jig::shape{2, {2, 3}} && columns.strides() == jig::shape{2, {1, 2}} && columns.stride(1) == 2);
  static_assert(columns(1, 0) == 1 && columns(0, 2) == 4);
  static_assert(std::is_same_v<decltype(rows)::value_type, int> && std::is_same_v<decltype(rows)::element_type, const int>);
  CHECK(matrix_elements(rows) == std::vector{0, 1, 2, 3, 4, 5});
  CHECK(matrix_elements(columns) == std::vector{0, 2, 4, 1, 3, 5});
  constexpr view<column_major<const int>, 1, 2, 3> deep(six);
  static_assert(deep.strides() == jig::shape{3, {1, 1, 2}} && deep(0, 1, 2) == 5);

  int data[6] = {0, 1, 2, 3, 4, 5};
  const view<row_major<int>, dyn, 3> open(data, 2), braced(data, {2, 3}), listed(data, jig::shape{2, {2, 3}});
  CHECK(open.shape() == jig::shape{2, {2, 3}});
  CHECK(braced.shape() == open.shape());
  CHECK(listed.shape() == open.shape());
  const view<column_major<int>, dyn, 3> turned(data, 2), turned_braced(data, {2, 3});
  turned(1, 0) = 7;
  CHECK(data[1] == 7);
  CHECK(turned_braced.strides() == jig::shape{2, {1, 2}});
  CHECK_THROWS_AS((view<row_major<int>, dyn, 3>(data, {2, 4})), jig::invalid_argument);
  CHECK_THROWS_AS((view<column_major<int>, 3, dyn>(data, {2, 2})), jig::invalid_argument);
  CHECK_THROWS_AS(turned(2, 0), jig::invalid_argument);

  const view<int, dyn, 3> strided = turned;
  CHECK(strided.strides() == turned.strides());
  const view<row_major<const int>, dyn, 3> constant = open;
  const view<column_major<const int>, dyn, 3> constant_columns = turned;
  CHECK(constant.data() == data);
  CHECK(constant_columns(1, 0) == 7);
}

TEST_CASE("views deduce their type from a pointer and extents") {
  using jig::view, jig::row_major, jig::column_major, jig::dyn;
  int data[6] = {0, 1, 2, 3, 4, 5};
  const int* constant = data;
  view rows(data, 2, 3);
  view same(row_major{data}, 2, 3);
  view columns(column_major{data}, 2, 3);
  view line(constant, 6);
  view single(data);
  static_assert(std::is_same_v<decltype(rows), view<row_major<int>, dyn, dyn>>);
  static_assert(std::is_same_v<decltype(same), decltype(rows)>);
  static_assert(std::is_same_v<decltype(columns), view<column_major<int>, dyn, dyn>>);
  static_assert(std::is_same_v<decltype(line), view<row_major<const int>, dyn>>);
  static_assert(decltype(single)::rank() == 0);
  CHECK(rows(1, 0) == 3);
  CHECK(columns(1, 0) == 1);
  CHECK(line.size() == 6);
  view copy = columns;
  static_assert(std::is_same_v<decltype(copy), decltype(columns)>);
}

TEST_CASE("the product of some extents of a view") {
  int numbers[24] = {};
  const jig::view<int, jig::dyn, 3, jig::dyn> v(numbers, {2, 3, 4}, {12, 4, 1});
  CHECK(jig::detail::elements_along(v, 0, 3) == 24);
  CHECK(jig::detail::elements_along(v, 1, 2) == 3);
  CHECK(jig::detail::elements_along(v, 2, 2) == 1);
}

// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/argument.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <tuple>

namespace {

template <class T, jig::index... E>
jig::view<T, E...> as_view(const jig::dense_view<T, E...>& v) {
  return v;
}
template <class T, jig::index... E>
jig::view<T, E...> as_view(const jig::view<T, E...>& v) {
  return v;
}

template <class X>
using view_of = decltype(as_view(jig::argument<X>::bind(std::declval<X&>())));
template <class X>
using const_view_of = decltype(as_view(jig::argument<X>::bind(std::declval<const X&>())));

// Signature, and what the elements are seen as.
template <class X, class Spec, class View, class ConstView>
constexpr bool is_seen_as =
    std::is_same_v<spec_of<X>, Spec> && std::is_same_v<view_of<X>, View> && std::is_same_v<const_view_of<X>, ConstView>;

constexpr auto sum = jig::function<"sum(x, y)">([](auto x, auto y) { return x + y; });

}  // namespace

TEST_CASE("scalars have rank 0") {
  using jig::spec, jig::view;
  static_assert(is_seen_as<float, spec<float>, view<float>, view<const float>>);
  static_assert(is_seen_as<bool, spec<bool>, view<bool>, view<const bool>>);
  static_assert(is_seen_as<std::string, spec<std::string>, view<std::string>, view<const std::string>>);
  static constexpr double half = 0.5;
  static_assert(jig::argument<double>::bind(half).data()[0] == 0.5);
  float x = 1;
  jig::argument<float>::bind(x).data()[0] = 2;
  CHECK(x == 2);
  std::string s = "a";
  jig::argument<std::string>::bind(s)() += "b";
  CHECK(s == "ab");
}

TEST_CASE("long and long long are both int64") {
  using jig::spec, jig::view, jig::dyn;
  using i64 = std::int64_t;
  static_assert(is_seen_as<long, spec<i64>, view<i64>, view<const i64>>);
  static_assert(is_seen_as<long long, spec<i64>, view<i64>, view<const i64>>);
  static_assert(is_seen_as<unsigned long long, spec<std::uint64_t>, view<std::uint64_t>, view<const std::uint64_t>>);
  static_assert(std::is_same_v<spec_of<std::vector<long>>, spec_of<std::vector<long long>>>);
  static_assert(std::is_same_v<spec_of<std::array<long, 3>>, spec_of<std::array<long long, 3>>>);
  static_assert(std::is_same_v<spec_of<std::span<const long, 3>>, spec_of<long long[3]>>);
  static_assert(is_seen_as<jig::tensor<long long, 2>, spec<i64, 2>, view<i64, 2>, view<const i64, 2>>);
  static_assert(is_seen_as<view<const long long, dyn>, spec<i64, dyn>, view<const i64, dyn>, view<const i64, dyn>>);
}

TEST_CASE("tensors and views keep their declared extents") {
  using jig::spec, jig::view, jig::dyn, jig::dim, jig::tensor;
  static_assert(is_seen_as<tensor<float, dyn, 3>, spec<float, dyn, 3>, view<float, dyn, 3>, view<const float, dyn, 3>>);
  static_assert(is_seen_as<tensor<bool, dim<"n">>, spec<bool, dim<"n">>, view<bool, dim<"n">>, view<const bool, dim<"n">>>);
  // A view shows elements that may be written whether or not it is constant itself.
  static_assert(is_seen_as<view<int, 3>, spec<int, 3>, view<int, 3>, view<int, 3>>);
  static_assert(is_seen_as<view<const int, 3>, spec<int, 3>, view<const int, 3>, view<const int, 3>>);
  using jig::argument_layout, jig::memory_layout;
  static_assert(argument_layout<tensor<float, 2>> == memory_layout::row_major);
  static_assert(argument_layout<const std::string&> == memory_layout::row_major);
  static_assert(argument_layout<view<float, 2>> == memory_layout::strided);
  static_assert(argument_layout<view<float>> == memory_layout::row_major);
  static_assert(argument_layout<view<jig::row_major<float>, 2>> == memory_layout::row_major);
  static_assert(argument_layout<jig::dense_view<const float, 2, dyn>> == memory_layout::row_major);
  static_assert(argument_layout<view<jig::column_major<float>, 2, dyn>> == memory_layout::column_major);
  static_assert(argument_layout<view<jig::column_major<float>, dyn>> == memory_layout::row_major);
  static_assert(std::is_same_v<spec_of<view<jig::column_major<const long long>, 2, dyn>>, spec<std::int64_t, 2, dyn>>);
  int memory[] = {0, 1, 2, 3};
  view<int, 2> odd(memory + 3, {2}, {-2});
  auto seen = jig::argument<view<int, 2>>::bind(odd);
  CHECK(seen.stride(0) == -2);
  CHECK(seen(1) == 1);
  long long wide[] = {0, 1, 2, 3};
  auto cast = jig::argument<view<long long, dyn>>::bind(view<long long, dyn>(wide + 3, {2}, {-2}));
  CHECK(cast.shape() == jig::shape{1, {2}});
  CHECK(cast.stride(0) == -2);
}

TEST_CASE("standard containers") {
  using jig::spec, jig::view, jig::dyn;
  static_assert(is_seen_as<std::vector<float>, spec<float, dyn>, view<float, dyn>, view<const float, dyn>>);
  static_assert(is_seen_as<std::array<int, 3>, spec<int, 3>, view<int, 3>, view<const int, 3>>);
  static_assert(is_seen_as<std::array<std::string, 0>, spec<std::string, 0>, view<std::string, 0>, view<const std::string, 0>>);
  static_assert(is_seen_as<std::span<int>, spec<int, dyn>, view<int, dyn>, view<int, dyn>>);
  static_assert(is_seen_as<std::span<const int>, spec<int, dyn>, view<const int, dyn>, view<const int, dyn>>);
  static_assert(is_seen_as<std::span<double, 4>, spec<double, 4>, view<double, 4>, view<double, 4>>);
  static_assert(is_seen_as<std::span<const double, 4>, spec<double, 4>, view<const double, 4>, view<const double, 4>>);
  static_assert(is_seen_as<int[3], spec<int, 3>, view<int, 3>, view<const int, 3>>);
  static_assert(is_seen_as<float[2][3], spec<float, 2, 3>, view<float, 2, 3>, view<const float, 2, 3>>);
  static_assert(is_seen_as<std::string[2], spec<std::string, 2>, view<std::string, 2>, view<const std::string, 2>>);

  std::vector<int> v{1, 2, 3};
  auto seen = jig::argument<std::vector<int>>::bind(v);
  CHECK(seen.data() == v.data());
  CHECK(seen.extent(0) == 3);
  CHECK(jig::argument<std::vector<float>>::bind(std::vector<float>()).size() == 0);
  std::array<int, 2> a{4, 5};
  CHECK(jig::argument<std::array<int, 2>>::bind(a).data()[1] == 5);
  CHECK(jig::argument<std::span<int>>::bind(std::span(v).subspan(1)).data()[0] == 2);
  int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  CHECK(jig::argument<int[2][3]>::bind(rows).data()[3] == 4);
  static constexpr std::array<int, 2> constant{6, 7};
  static_assert(jig::argument<std::array<int, 2>>::bind(constant).data()[1] == 7);
}

TEST_CASE("what is an argument") {
  static_assert(jig::Argument<const std::vector<float>&>);
  static_assert(jig::Argument<const int(&)[3]>);
  static_assert(jig::Argument<volatile float>);
  static_assert(!jig::Argument<char[6]>);
  static_assert(!jig::Argument<const char*>);
  static_assert(!jig::Argument<float*>);
  static_assert(!jig::Argument<long double>);
  static_assert(!jig::Argument<std::vector<std::vector<float>>>);
  static_assert(!jig::Argument<std::tuple<float>>);
  static_assert(!jig::Argument<std::set<float>>);
  static_assert(!jig::Argument<std::vector<std::vector<float>>> && !jig::Argument<std::array<std::vector<float>, 2>>);
}

TEST_CASE("containers are arguments of functions, without a copy") {
  std::vector<float> v{1, 2, 3};
  std::array<float, 3> a{10, 20, 30};
  float c[] = {100, 200, 300};
  const std::span<float> s(v);
  auto check = [](const auto& r, std::initializer_list<float> expected) {
    REQUIRE(r.size() == 3);
    CHECK(std::vector<float>(r.begin(), r.end()) == std::vector<float>(expected));
  };
  check(sum(v, a), {11, 22, 33});
  check(sum(a, c), {110, 220, 330});
  check(sum(c, s), {101, 202, 303});
  check(sum(std::span<const float>(v), std::span<float, 3>(a)), {11, 22, 33});
  check(sum(std::as_const(v), std::as_const(c)), {101, 202, 303});
  check(sum(v, 1.0f), {2, 3, 4});
  check(sum(jig::view<const float, 3>(c + 2, {3}, {-1}), jig::view<float, 3>(c, {3}, {0})), {400, 300, 200});
  CHECK(twice(2.5)() == 5);
  CHECK(twice(std::vector<float>()).size() == 0);
  static_assert(std::is_same_v<decltype(sum(a, c)), jig::tensor<float, 3>>);
  static_assert(std::is_same_v<decltype(sum(v, s)), jig::tensor<float, jig::dyn>>);
  static_assert(std::is_same_v<decltype(sum(v, a)), jig::tensor<float, 3>>);
}

TEST_CASE("matrices as C arrays") {
  const int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  auto r = twice(m);
  static_assert(std::is_same_v<decltype(r), jig::tensor<int, 2, 3>>);
  CHECK(r(0, 2) == 6);
  CHECK(r(1, 0) == 8);
  int out[2][3] = {};
  twice.into(out, m);
  CHECK(out[1][2] == 12);
}

TEST_CASE("integers of 64 bits, whatever they are called") {
  std::vector<long long> x{1, -2, 3};
  long y[] = {10, 20, 30};
  auto r = sum(x, y);
  static_assert(std::is_same_v<decltype(r), jig::tensor<std::int64_t, 3>>);
  CHECK(r(1) == 18);
  std::array<long long, 3> out{};
  sum.into(out, y, x);
  CHECK(out == std::array<long long, 3>{11, 18, 33});
  CHECK(sum(1LL, 2L)() == 3);
  static_assert(std::is_same_v<decltype(twice.get_concrete_function(jig::spec<long long, 3>())),
                               decltype(twice.get_concrete_function(jig::spec<long, 3>()))> == std::is_same_v<long, long long>);
}

TEST_CASE("results are written where the caller says") {
  const std::vector<float> x{1, 2};
  std::vector<float> v(2);
  std::array<float, 2> a{};
  float c[2] = {};
  jig::tensor<float, jig::dyn> t{0, 0};
  twice.into(v, x);
  twice.into(a, x);
  twice.into(c, x);
  twice.into(t, x);
  CHECK(v == std::vector<float>{2, 4});
  CHECK(a == std::array<float, 2>{2, 4});
  CHECK(c[1] == 4);
  CHECK(t(0) == 2);
  std::span<float> whole(v);
  twice.into(whole, v);
  CHECK(v == std::vector<float>{4, 8});
  double one = 0;
  twice.into(one, 1.5);
  CHECK(one == 3);
}

TEST_CASE("strings") {
  std::vector<std::string> words{"a", "b"};
  const std::string hello = "hello";
  auto r = sum(words, hello);
  CHECK(r(0) == "ahello");
  CHECK(r(1) == "bhello");
  CHECK(sum(hello, "!")() == "hello!");
  CHECK(twice(std::string(50, 'x'))() == std::string(100, 'x'));
  CHECK(sum(std::array<std::string, 1>{"c"}, words)(1) == "cb");
  std::string out;
  twice.into(out, hello);
  CHECK(out == "hellohello");
}

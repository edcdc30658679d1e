// SPDX-License-Identifier: MIT
#include <jig/core/tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using jig::dyn;
using jig::tensor;

template <class T>
bool aligned(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % jig::alignment == 0;
}

template <class T, jig::index... E>
bool lives_inside(const tensor<T, E...>& x) {
  auto* object = reinterpret_cast<const char*>(&x);
  auto* data = reinterpret_cast<const char*>(x.data());
  return data >= object && data < object + sizeof x;
}

template <class T>
std::vector<typename T::value_type> elements(const T& x) {
  return {x.begin(), x.end()};
}

template <class T, class... I>
concept takes = requires(const T& x, I... i) { x(i...); };

const std::string long_text(100, 'x');

// What a tensor of any kind does in constant evaluation.
template <jig::index... E>
constexpr bool works_in_constant_evaluation() {
  tensor<int, E...> x{{1, 2, 3}, {4, 5, 6}};
  auto copy = x;
  copy(1, 2) = 60;
  int sum = 0;
  for (int v : x) sum += v;
  auto moved = std::move(copy);
  x = moved;
  tensor<int, jig::dyn, jig::dyn> other(x);
  return sum == 21 && x(1, 2) == 60 && other(1, 0) == 4 && other.extent(1) == 3 && moved.size() == 6 &&
         x.shape() == jig::shape{2, {2, 3}} && x.strides() == jig::shape{2, {3, 1}};
}

}  // namespace

TEST_CASE("tensors work in constant evaluation, on the heap too") {
  static_assert(works_in_constant_evaluation<2, 3>());
  static_assert(works_in_constant_evaluation<jig::dyn, 3>());
  static_assert(works_in_constant_evaluation<jig::dim<"rows">, jig::dim<"columns">>());
  CHECK(works_in_constant_evaluation<2, jig::dyn>());
  static constexpr tensor<float, 3> constant{1, 2, 3};
  static_assert(constant(2) == 3);
  static_assert(constant.view()(1) == 2);
  constexpr tensor<double> number = 2.5;
  static_assert(number() == 2.5);
  static_assert(static_cast<double>(number) == 2.5);
  static_assert(tensor<int, 4>()(3) == 0);
}

TEST_CASE("new tensors are zero") {
  CHECK(elements(tensor<int, 2, 2>()) == std::vector{0, 0, 0, 0});
  CHECK(tensor<float>()() == 0);
  CHECK(tensor<std::string, 2>()(1).empty());
  const tensor<double, 100, 100> large;
  CHECK(std::all_of(large.begin(), large.end(), [](double x) { return x == 0; }));
}

TEST_CASE("wildcard extents begin as 0") {
  tensor<float, jig::dyn> x;
  CHECK(x.size() == 0);
  CHECK(x.begin() == x.end());
  tensor<float, jig::dim<"n">, 3> y{};
  CHECK(y.shape() == jig::shape{2, {0, 3}});
  tensor<float, 2, jig::dyn> z;
  CHECK(z.shape() == jig::shape{2, {2, 0}});
  CHECK(z.size() == 0);
}

TEST_CASE("one extent for each wildcard makes zeros") {
  tensor<float, jig::dyn, jig::dyn> t(3, 4);
  CHECK(t.shape() == jig::shape{2, {3, 4}});
  CHECK(std::count(t.begin(), t.end(), 0.0f) == 12);
  const tensor<int, jig::dyn, 5> rows(std::size_t{2});
  CHECK(rows.shape() == jig::shape{2, {2, 5}});
  CHECK(tensor<std::string, jig::dyn>(2)(1).empty());
  CHECK(tensor<int, jig::dyn>(0).size() == 0);
  // In braces they are elements, as in std::vector.
  CHECK(tensor<int, jig::dyn>{3}.size() == 1);
  CHECK_THROWS_AS((tensor<float, jig::dyn>(-1)), jig::invalid_argument);
  static_assert(!std::is_constructible_v<tensor<float, jig::dyn>, double> && !std::is_constructible_v<tensor<float, 3>, int>);
  static_assert(!std::is_constructible_v<tensor<float, jig::dyn>, int, int> && !std::is_convertible_v<int, tensor<float, jig::dyn>>);
}

TEST_CASE("no elements, one element") {
  tensor<int, 0> none;
  CHECK(none.size() == 0);
  CHECK(none.begin() == none.end());
  CHECK_THROWS_WITH_AS(none(0), "index 0 is out of range for axis 0 with 0 elements", jig::invalid_argument);
  tensor<int, 2, 0, 3> nothing;
  CHECK(nothing.size() == 0);
  CHECK(nothing.strides() == jig::shape{3, {0, 3, 1}});
  tensor<int, 1> one{7};
  CHECK(one(0) == 7);
  tensor<int> scalar(8);
  CHECK(scalar.rank() == 0);
  CHECK(scalar.size() == 1);
  CHECK(scalar() == 8);
  CHECK(int(scalar) == 8);
  scalar() = 9;
  CHECK(*scalar.begin() == 9);
  scalar = 10;
  CHECK(scalar() == 10);
}

TEST_CASE("nested lists") {
  tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x(0, 0) == 1);
  CHECK(x(0, 2) == 3);
  CHECK(x(1, 0) == 4);
  CHECK(elements(x) == std::vector{1, 2, 3, 4, 5, 6});
  tensor<int, jig::dyn, jig::dim<"n">, 2> y{{{1, 2}}, {{3, 4}}, {{5, 6}}};
  CHECK(y.shape() == jig::shape{3, {3, 1, 2}});
  CHECK(y(2, 0, 1) == 6);
  tensor<int, 1, 1, 1, 1, 1, 1, 1, 2> deep{{{{{{{{1, 2}}}}}}}};
  CHECK(deep(0, 0, 0, 0, 0, 0, 0, 1) == 2);
  tensor<int, jig::dyn, jig::dyn> empty_rows{{}, {}};
  CHECK(empty_rows.shape() == jig::shape{2, {2, 0}});
}

TEST_CASE("behind an empty list, static extents are what they are and wildcards are 0") {
  tensor<int, jig::dyn, 0, 3> x{{}, {}};
  CHECK(x.shape() == jig::shape{3, {2, 0, 3}});
  tensor<int, 1, jig::dyn, jig::dyn, 4> y{{}};
  CHECK(y.shape() == jig::shape{4, {1, 0, 0, 4}});
}

TEST_CASE("lists that do not fit throw") {
  using square = tensor<int, 2, 2>;
  using any = tensor<int, jig::dyn, jig::dyn>;
  using cube = tensor<int, jig::dyn, jig::dyn, jig::dyn>;
  const char* ragged = "a nested initialiser list must have rows of equal length";
  CHECK_THROWS_WITH_AS((tensor<int, 2>{1, 2, 3}), "a shape of (2,) cannot hold extents (3,)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((tensor<int, 2>{1}), "a shape of (2,) cannot hold extents (1,)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((square{{1, 2}, {3, 4}, {5, 6}}), "a shape of (2, 2) cannot hold extents (3, 2)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((tensor<int, jig::dyn, 2>{{1, 2, 3}}), "a shape of (None, 2) cannot hold extents (1, 3)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((square{{1, 2}, {3}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((square{{1, 2}, {3, 4, 5}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((any{{1}, {2}, {3, 4}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((any{{}, {1}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((any{{1}, {}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((cube{{{1, 2}}, {{1, 2}, {3, 4}}}), ragged, jig::invalid_argument);
  CHECK_THROWS_WITH_AS((cube{{{1, 2}, {3}}}), ragged, jig::invalid_argument);
  // What was built before the exception is given back.
  CHECK_THROWS_AS((tensor<std::string, jig::dyn, jig::dyn>{{long_text, long_text}, {long_text}}), jig::invalid_argument);
}

TEST_CASE("an index out of range throws and is named") {
  tensor<int, 2, jig::dyn> x{{1, 2, 3}, {4, 5, 6}};
  const auto& constant = x;
  CHECK_THROWS_WITH_AS(x(2, 0), "index 2 is out of range for axis 0 with 2 elements", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(x(0, 3), "index 3 is out of range for axis 1 with 3 elements", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((void)constant(0, -1), "index -1 is out of range for axis 1 with 3 elements", jig::invalid_argument);
  CHECK_THROWS_AS(x(-1, 0), jig::invalid_argument);
  // In range as a whole, but not axis by axis.
  CHECK_THROWS_AS(x(0, 4), jig::invalid_argument);
  static_assert(takes<tensor<int, 2, 2>, int, std::int64_t>);
  static_assert(!takes<tensor<int, 2, 2>, int>);
  static_assert(!takes<tensor<int, 2, 2>, int, int, int>);
  static_assert(!takes<tensor<int>, int>);
  tensor<int> scalar(3);
  CHECK(scalar() == 3);
}

TEST_CASE("small static tensors live inside the object, others on the heap, aligned") {
  static_assert(sizeof(tensor<float, 1000, 1000>) <= 64);
  static_assert(sizeof(tensor<float, jig::dyn, jig::dyn>) <= 64);
  static_assert(sizeof(tensor<float, 2, 3>) >= 24 && sizeof(tensor<float, 2, 3>) <= 64);
  static_assert(sizeof(tensor<float>) <= 16);
  tensor<float> scalar;
  tensor<float, 16> line;
  tensor<float, 256> largest;
  tensor<float, 257> larger;
  tensor<float, jig::dyn> wildcard{1};
  tensor<float, 1000, 1000> million;
  CHECK(lives_inside(scalar));
  CHECK(lives_inside(line));
  CHECK(lives_inside(largest));
  CHECK(!lives_inside(larger));
  CHECK(!lives_inside(wildcard));
  CHECK(!lives_inside(million));
  CHECK(aligned(line.data()));
  CHECK(aligned(largest.data()));
  CHECK(aligned(larger.data()));
  CHECK(aligned(wildcard.data()));
  CHECK(aligned(million.data()));
  million(999, 999) = 1;
  CHECK(*(million.end() - 1) == 1);
  std::vector<tensor<float, 16>> many(3);
  for (auto& x : many) CHECK(aligned(x.data()));
}

TEST_CASE_TEMPLATE("copies are independent, moves keep the elements", T, tensor<int, 3>, tensor<int, jig::dyn>,
                   tensor<int, jig::dim<"abcdefghij">>) {
  T x{1, 2, 3};
  T copy = x;
  copy(0) = 10;
  CHECK(elements(x) == std::vector{1, 2, 3});
  CHECK(elements(copy) == std::vector{10, 2, 3});
  T moved = std::move(copy);
  CHECK(elements(moved) == std::vector{10, 2, 3});
  copy = x;
  CHECK(elements(copy) == std::vector{1, 2, 3});
  copy = std::move(moved);
  CHECK(elements(copy) == std::vector{10, 2, 3});
  moved = T{4, 5, 6};
  CHECK(elements(moved) == std::vector{4, 5, 6});
  auto& same = moved;
  moved = same;
  CHECK(elements(moved) == std::vector{4, 5, 6});
  moved = std::move(same);
  CHECK(elements(moved) == std::vector{4, 5, 6});
  std::swap(moved, x);
  CHECK(elements(moved) == std::vector{1, 2, 3});
  CHECK(elements(x) == std::vector{4, 5, 6});
}

TEST_CASE("large tensors are copied and moved") {
  using large = tensor<double, 40, 50>;
  large x;
  std::iota(x.begin(), x.end(), 0.0);
  large copy = x;
  const double* memory = x.data();
  CHECK(copy.data() != memory);
  large moved = std::move(x);
  CHECK(moved.data() == memory);
  x = copy;
  x(39, 49) = -1;
  CHECK(copy(39, 49) == 1999);
  CHECK(moved(39, 49) == 1999);
  CHECK(x(39, 48) == 1998);
}

TEST_CASE("assignment changes wildcard extents") {
  tensor<int, jig::dyn, jig::dyn> x{{1, 2, 3}};
  x = {{1}, {2}, {3}, {4}};
  CHECK(x.shape() == jig::shape{2, {4, 1}});
  CHECK(x(3, 0) == 4);
  x = tensor<int, jig::dyn, jig::dyn>();
  CHECK(x.size() == 0);
}

TEST_CASE("elements that are not set yet") {
  tensor<int, jig::dyn, 2> x(jig::uninitialized, jig::shape{2, {3, 2}});
  std::iota(x.begin(), x.end(), 1);
  CHECK(x(2, 1) == 6);
  tensor<std::string, jig::dyn> words(jig::uninitialized, jig::shape{1, {2}});
  CHECK(words(1).empty());
  CHECK_THROWS_WITH_AS((tensor<int, jig::dyn, 2>(jig::uninitialized, jig::shape{2, {3, 3}})),
                       "a shape of (None, 2) cannot hold extents (3, 3)", jig::invalid_argument);
  CHECK_THROWS_AS((tensor<int, jig::dyn>(jig::uninitialized, jig::shape{1, {-1}})), jig::invalid_argument);
  CHECK_THROWS_AS((tensor<int, jig::dyn>(jig::uninitialized, jig::shape{})), jig::invalid_argument);
  CHECK_THROWS_WITH_AS((tensor<int, jig::dyn>(jig::uninitialized, jig::shape{1, {-3}})), "a shape of (None,) cannot hold extents (-3,)",
                       jig::invalid_argument);
  // More elements than memory can have, or than an index can count: 2^57, 2^63, 2^65.
  constexpr jig::index many = jig::index{1} << 32;
  using cube = tensor<std::int8_t, jig::dyn, jig::dyn, 2>;
  CHECK_THROWS_WITH_AS(cube(jig::uninitialized, jig::shape{3, {many / 256, many, 2}}),
                       "a tensor has at most 2^56 bytes, given int8 (16777216, 4294967296, 2)", jig::invalid_argument);
  CHECK_THROWS_AS(cube(jig::uninitialized, jig::shape{3, {many / 4, many, 2}}), jig::invalid_argument);
  CHECK_THROWS_AS(cube(jig::uninitialized, jig::shape{3, {many, many, 2}}), jig::invalid_argument);
  CHECK_THROWS_AS(cube(jig::uninitialized, jig::shape{3, {0, jig::index{1} << 56, 2}}), jig::invalid_argument);
  CHECK(cube(jig::uninitialized, jig::shape{3, {0, many, 2}}).size() == 0);
}

TEST_CASE("views of tensors share their memory") {
  tensor<int, 2, jig::dyn> x{{1, 2, 3}, {4, 5, 6}};
  auto v = x.view();
  static_assert(std::is_same_v<decltype(v), jig::view<int, 2, jig::dyn>>);
  v(1, 1) = 50;
  CHECK(x(1, 1) == 50);
  const auto& constant = x;
  static_assert(std::is_same_v<decltype(constant.view()), jig::view<const int, 2, jig::dyn>>);
  CHECK(constant.view().data() == x.data());
  auto last = [](jig::view<const int, 2, jig::dyn> w) { return w(1, w.extent(1) - 1); };
  CHECK(last(x) == 6);
  CHECK(last(constant) == 6);
  jig::view<int, 2, jig::dyn> writable = x;
  writable(0, 0) = 10;
  CHECK(x(0, 0) == 10);
  static_assert(!std::is_convertible_v<const tensor<int, 2>&, jig::view<int, 2>>);
  tensor<double> scalar(1);
  scalar.view()() = 2;
  CHECK(scalar() == 2);
}

TEST_CASE("tensors copy the elements that a view shows") {
  int memory[] = {0, 1, 2, 3, 4, 5};
  CHECK(elements(tensor<int, 2, 3>(jig::view<const int, 2, 3>(memory, {2, 3}, {1, 2}))) == std::vector{0, 2, 4, 1, 3, 5});
  CHECK(elements(tensor<int, 3>(jig::view<int, 3>(memory + 5, {3}, {-2}))) == std::vector{5, 3, 1});
  CHECK(elements(tensor<int, jig::dyn>(jig::view<int, 4>(memory + 2, {4}, {0}))) == std::vector{2, 2, 2, 2});
  CHECK(elements(tensor<int, jig::dyn, jig::dyn>(jig::view<const int, jig::dyn, 3>(memory, {2, 3}, {0, 1}))) ==
        std::vector{0, 1, 2, 0, 1, 2});
  CHECK(tensor<int>(jig::view<const int>(memory + 4))() == 4);
  CHECK(tensor<int, jig::dyn, 3>(jig::view<int, 0, 3>(nullptr)).shape() == jig::shape{2, {0, 3}});
  tensor<int, 6> copy(jig::view<int, 6>{memory});
  copy(0) = 100;
  CHECK(memory[0] == 0);
}

TEST_CASE("tensors with other declared extents") {
  tensor<int, jig::dyn, 2> x{{1, 2}, {3, 4}, {5, 6}};
  tensor<int, 3, 2> fixed(x);
  CHECK(fixed(2, 1) == 6);
  tensor<int, jig::dim<"n">, jig::dyn> named(fixed);
  CHECK(named.shape() == jig::shape{2, {3, 2}});
  CHECK(elements(named) == elements(x));
  CHECK_THROWS_WITH_AS((tensor<int, 2, 2>(x)), "a shape of (2, 2) cannot hold extents (3, 2)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((tensor<int, jig::dyn, 3>(x)), "a shape of (None, 3) cannot hold extents (3, 2)", jig::invalid_argument);
  static_assert(!std::is_convertible_v<tensor<int, jig::dyn>, tensor<int, 3>>);
  static_assert(!std::is_constructible_v<tensor<int, 3>, tensor<int, 3, 1>>);
  static_assert(!std::is_constructible_v<tensor<int, 3>, tensor<float, 3>>);
}

TEST_CASE_TEMPLATE("strings are elements", T, tensor<std::string, 3>, tensor<std::string, jig::dyn>,
                   tensor<std::string, jig::dim<"words">>) {
  T x{"short", long_text, ""};
  T copy = x;
  copy(1) += "y";
  CHECK(x(1) == long_text);
  CHECK(copy(1) == long_text + "y");
  T moved = std::move(copy);
  CHECK(moved(1).size() == 101);
  copy = x;
  copy = std::move(moved);
  CHECK(copy(0) == "short");
  moved = T{long_text, long_text, long_text};
  CHECK(moved(2) == long_text);
  tensor<std::string, jig::dyn> other(jig::view<const std::string, 3>(moved.data()));
  CHECK(other(0) == long_text);
  auto& same = other;
  other = std::move(same);
  CHECK(other(2) == long_text);
}

TEST_CASE("strings in matrices and alone") {
  tensor<std::string, 2, 2> x{{"a", "b"}, {"c", "d"}};
  CHECK(x(1, 0) == "c");
  tensor<std::string> alone("word");
  CHECK(alone() == "word");
  // 1024 bytes hold 32 strings.
  tensor<std::string, 50> many;
  CHECK(!lives_inside(many));
  many(49) = long_text;
  auto copy = many;
  CHECK(copy(49) == long_text);
}

TEST_CASE("truth values are elements with addresses") {
  tensor<bool, 3> x{true, false, true};
  bool* second = &x(1);
  *second = true;
  CHECK(std::count(x.begin(), x.end(), true) == 3);
  tensor<bool, jig::dyn> y{true, false};
  CHECK(y(0));
  CHECK(!y(1));
  CHECK(!tensor<bool>()());
}

TEST_CASE("a tensor of rank 0 is its element where just that type is wanted, and any number when asked for one") {
  const tensor<float> x(2.5f);
  const float y = x;
  CHECK(y == 2.5f);
  CHECK(std::sqrt(tensor<float>(6.25f)) == 2.5f);
  static_assert(std::is_same_v<decltype(std::sqrt(x)), float>);
  CHECK(static_cast<double>(x) == 2.5);
  CHECK(static_cast<int>(x) == 2);
  const std::string word = tensor<std::string>("word");
  CHECK(word == "word");
  CHECK((tensor<bool>(true) ? 1 : 0) == 1);
  constexpr int n = tensor<int>(7);
  static_assert(n == 7);
  // Nothing else, and nothing without a word: dtypes do not mix, numbers are no truth values, axes do not go.
  static_assert(!std::is_convertible_v<tensor<float>, double> && !std::is_convertible_v<tensor<float>, int>);
  static_assert(!std::is_constructible_v<bool, tensor<float>> && !std::is_constructible_v<bool, tensor<int>>);
  static_assert(!std::is_constructible_v<int, tensor<std::string>> && !std::is_constructible_v<std::string, tensor<int>>);
  static_assert(!std::is_constructible_v<float, tensor<float, 1>> && !std::is_convertible_v<tensor<float, jig::dyn>, float>);
}

// As arguments of functions; what is aligned to a register would be passed in a way that GCC warns of.
TEST_CASE("tensors are trivial up to 16 bytes") {
  static_assert(std::is_trivially_copyable_v<tensor<float, 4>> && std::is_trivially_copyable_v<tensor<double>>);
  static_assert(!std::is_trivially_copyable_v<tensor<float, 5>> && !std::is_trivially_copyable_v<tensor<double, 16>>);
  tensor<std::string, 3> words{long_text, long_text, long_text};
  const char* place = words.data()[2].data();
  const tensor<std::string, 3> moved = std::move(words);
  CHECK(moved.data()[2].data() == place);
}

TEST_CASE("what a tensor says about its type") {
  using x = tensor<long long, jig::dyn, 3>;
  static_assert(std::is_same_v<x::value_type, long long>);
  static_assert(std::is_same_v<x::spec_type, jig::spec<long long, jig::dyn, 3>>);
  static_assert(x::rank() == 2);
  static_assert(jig::is_tensor<x> && !jig::is_tensor<jig::view<int>> && !jig::is_tensor<int>);
  static_assert(jig::is_view<jig::view<const int, 3>> && !jig::is_view<x>);
  static_assert(std::is_nothrow_move_constructible_v<x> && std::is_nothrow_move_assignable_v<x>);
  static_assert(std::is_nothrow_move_constructible_v<tensor<int, 3>>);
}

TEST_CASE_TEMPLATE("copy-assignment between tensors of one size keeps the memory, so that views stay valid", T, tensor<float, 2, 3>,
                   tensor<float, 20, 30>, tensor<float, dyn, dyn>, tensor<double, dyn, 3>) {
  const jig::shape extents = [] {
    const jig::shape s = T::spec_type::value().shape;
    return s.is_static() ? s : jig::shape{2, {2, 3}};
  }();
  T x(jig::uninitialized, extents), y(jig::uninitialized, extents);
  for (auto& e : x) e = 1;
  for (auto& e : y) e = 2;
  const auto seen = x.view();
  const auto* memory = x.data();
  x = y;
  CHECK(x.data() == memory);
  CHECK(seen(1, 2) == 2);
  const auto& itself = x;
  x = itself;
  CHECK(seen(1, 2) == 2);
  y(0, 0) = 3;
  CHECK(x(0, 0) == 2);
}

TEST_CASE("copy-assignment changes the extents") {
  tensor<float, dyn, dyn> x(jig::uninitialized, {2, {2, 3}}), turned(jig::uninitialized, {2, {3, 2}}),
      larger{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  for (auto& e : turned) e = 4;
  x = turned;
  CHECK(x.shape() == jig::shape{2, {3, 2}});
  CHECK(x(2, 1) == 4);
  x = larger;
  CHECK(x.shape() == jig::shape{2, {4, 2}});
  CHECK(x(3, 1) == 8);
  CHECK(larger(3, 1) == 8);
}

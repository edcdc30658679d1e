// SPDX-License-Identifier: MIT
#include <jig/trace/builder.hpp>

#include <jig/graph/verify.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

template <class T>
constexpr std::uint64_t word_of_literal(T x) {
  jig::builder b;
  auto e = b.literal<T>(x);
  return b.graph.node(e).attribute("value").words[0];
}

// Whether an element comes back from the bits in a graph unchanged, its sign and payload too.
template <class T>
constexpr bool comes_back(T x) {
  T y = jig::detail::from_word<T>(jig::detail::to_word(x));
  return jig::detail::to_word(y) == jig::detail::to_word(x);
}

}  // namespace

TEST_CASE("constants keep the bits of their elements") {
  static_assert(word_of_literal(1.0f) == 0x3f800000u);
  static_assert(word_of_literal(-0.0f) == 0x80000000u);
  static_assert(word_of_literal(1.0) == 0x3ff0000000000000u);
  static_assert(word_of_literal(true) == 1);
  static_assert(word_of_literal(std::uint8_t{255}) == 255);
  static_assert(static_cast<std::int8_t>(word_of_literal(std::int8_t{-1})) == -1);
  static_assert(word_of_literal(std::int64_t{-1}) == ~std::uint64_t{0});
  static_assert(comes_back(std::numeric_limits<float>::quiet_NaN()) && comes_back(-std::numeric_limits<double>::infinity()));
  static_assert(comes_back(std::numeric_limits<double>::denorm_min()) && comes_back(-0.0));
  static_assert(comes_back(std::numeric_limits<std::int64_t>::lowest()) && comes_back(std::numeric_limits<std::uint64_t>::max()));
  static_assert(comes_back(std::int16_t{-32768}) && comes_back(false));
  CHECK(std::isnan(jig::detail::from_word<float>(jig::detail::to_word(std::nanf("")))));
}

TEST_CASE("a literal becomes an element of the dtype it joins") {
  constexpr auto spec = [] {
    jig::builder b;
    return b.graph.node(b.literal<double>(3)).spec();
  }();
  static_assert(spec == jig::tensor_spec{jig::dtype::float64, {}});
  constexpr auto word = [] {
    jig::builder b;
    return b.graph.node(b.literal<float>(0.1)).attribute("value").words[0];
  }();
  static_assert(jig::detail::from_word<float>(word) == 0.1f);
}

TEST_CASE("which literals an integer dtype holds") {
  using jig::detail::literal_fits;
  static_assert(literal_fits<std::uint8_t>(255) && !literal_fits<std::uint8_t>(256) && !literal_fits<std::uint8_t>(-1));
  static_assert(literal_fits<std::int8_t>(-128) && !literal_fits<std::int8_t>(128));
  static_assert(literal_fits<std::uint64_t>(~std::uint64_t{0}) && !literal_fits<std::int64_t>(~std::uint64_t{0}));
  static_assert(literal_fits<int>('a') && literal_fits<std::uint8_t>(std::int8_t{5}) && !literal_fits<std::uint8_t>(std::int8_t{-5}));
  static_assert(literal_fits<float>(1e300) && literal_fits<bool>(true));
  jig::builder b;
  CHECK_THROWS_WITH_AS(b.literal<std::uint8_t>(300), "a literal does not fit the dtype of the tensor", jig::invalid_argument);
  CHECK_THROWS_AS(b.literal<std::uint32_t>(-1), jig::invalid_argument);
}

TEST_CASE("constants of several elements and of strings") {
  jig::builder b;
  const int numbers[] = {1, -2, 3};
  auto n = b.graph.node(b.constant(jig::shape{1, {3}}, numbers));
  CHECK(n.op() == "Const");
  CHECK(n.spec() == jig::tensor_spec{jig::dtype::int32, {1, {3}}});
  REQUIRE(n.attribute("value").words.size() == 3);
  CHECK(jig::detail::from_word<int>(n.attribute("value").words[1]) == -2);
  const std::string words[] = {"ab", "", "cde"};
  auto s = b.graph.node(b.constant(jig::shape{1, {3}}, words));
  CHECK(s.attribute("text").text == "abcde");
  REQUIRE(s.attribute("value").words.size() == 3);
  CHECK(s.attribute("value").words[0] == 2);
  CHECK(s.attribute("value").words[1] == 0);
  CHECK(s.attribute("value").words[2] == 3);
  auto none = b.graph.node(b.constant(jig::shape{1, {0}}, numbers));
  CHECK(none.attribute("value").words.empty());
}

TEST_CASE("inputs are placeholders in order") {
  jig::builder b;
  auto x = b.input({jig::dtype::float32, {1, {jig::dyn}}}, "x");
  b.literal<float>(1);
  auto y = b.input({jig::dtype::int32, {}}, "y");
  REQUIRE(b.graph.inputs().size() == 2);
  CHECK(b.graph.inputs()[0] == x.node);
  CHECK(b.graph.inputs()[1] == y.node);
  CHECK(b.graph.node(x).attribute("name").text == "x");
  CHECK(b.graph.node(y).op() == "Placeholder");
  CHECK(b.graph.node(x).spec().shape[0] == jig::dyn);
}

TEST_CASE("the table says what every object stands for, and whether it lives") {
  jig::builder b;
  int first = b.track({3, 0}), second = b.track({4, 1});
  CHECK(first == 0);
  CHECK(second == 1);
  CHECK(b.value[second] == jig::edge{4, 1});
  CHECK(b.alive[first] == 1);
}

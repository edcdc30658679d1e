// SPDX-License-Identifier: MIT
#include <jig/graph/simplification.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace {

using jig::dtype, jig::edge, jig::index, jig::tensor_spec;
namespace ops = jig::ops;

template <class T>
edge filled(jig::builder& b, index n, T value, T last) {
  std::vector<T> elements(static_cast<std::size_t>(n), value);
  if (n > 0) elements.back() = last;
  return b.constant({1, {n}}, static_cast<const T*>(elements.data()));
}

TEST_CASE("what all elements of a constant are, of one with few elements") {
  jig::builder b;
  const jig::graph_values values(b.graph);
  const auto bits = [&](const edge& e) { return values.uniform(e); };
  CHECK(bits(filled(b, 64, 2.5f, 2.5f)).known);
  CHECK(bits(filled(b, 64, 2.5f, 2.5f)).bits == jig::detail::to_word(2.5f));
  CHECK_FALSE(bits(filled(b, 65, 2.5f, 2.5f)).known);
  CHECK_FALSE(bits(filled(b, 64, 2.5f, 2.0f)).known);
  CHECK_FALSE(bits(filled(b, 2, 0.0f, -0.0f)).known);
  CHECK_FALSE(bits(filled(b, 0, 1, 1)).known);
  CHECK_FALSE(bits(b.input({dtype::float32, {}}, "x")).known);
  const std::string text = "a";
  CHECK_FALSE(bits(b.constant({}, &text)).known);
}

TEST_CASE("what is harmless to leave out: known extents, no checks, and few enough to look at") {
  jig::builder b;
  const jig::graph_values values(b.graph);
  const tensor_spec pair{dtype::float32, {1, {2}}};
  const edge x = b.input(pair, "x"), any = b.input({dtype::float32, {1, {jig::dyn}}}, "any");
  CHECK(values.is_harmless(x));
  CHECK_FALSE(values.is_harmless(any));
  const edge checked = b.graph.add(ops::check_numerics, pair, {&x, 1});
  CHECK_FALSE(values.is_harmless(checked));
  CHECK_FALSE(values.is_harmless(b.graph.add(ops::neg, pair, {&checked, 1})));
  // The node itself counts.
  edge chain = x;
  for (int k = 1; k < 32; ++k) chain = b.graph.add(ops::neg, pair, {&chain, 1});
  CHECK(values.is_harmless(chain));
  CHECK_FALSE(values.is_harmless(b.graph.add(ops::neg, pair, {&chain, 1})));
}

TEST_CASE("a rule names another value: one that is there, a new one, or a number") {
  jig::builder b;
  const tensor_spec pair{dtype::float32, {1, {2}}}, other{dtype::float32, {1, {3}}};
  const edge x = b.input(pair, "x"), y = b.input(other, "y"), any = b.input({dtype::float32, {1, {jig::dyn}}}, "any");
  const edge inputs[] = {x, y};
  const auto fresh = [&] { return jig::simplification(b.graph, ops::add, pair, inputs, {}, false); };
  {
    auto s = fresh();
    CHECK(s.found() == edge{});
    s.become_input(y);
    CHECK(s.found() == edge{});
    s.become_input(x);
    CHECK(s.found() == x);
  }
  {
    auto s = fresh();
    const index numbers[] = {4, 5};
    const jig::attribute_view with[] = {{"axes", jig::attribute_kind::integers, numbers}};
    const edge first = s.make(ops::neg, other, {y}, with), second = s.make_constant(pair, jig::list<std::uint64_t>{1, 2});
    CHECK(first.node == -2);
    CHECK(second.node == -3);
    s.become(ops::multiply, {first, second});
    CHECK(s.found().node == -4);
    REQUIRE(s.wanted().size() == 3);
    CHECK(s.wanted()[0].kind == &ops::neg);
    CHECK(s.wanted()[0].values.size() == 2);
    CHECK(s.wanted()[1].is_constant);
    CHECK(s.wanted()[2].spec == pair);
    CHECK(s.wanted()[2].inputs[0] == first);
  }
  {
    auto s = fresh();
    s.become_number(7, any);
    CHECK_FALSE(s.has_number());
    s.become_number(7, x);
    CHECK(s.has_number());
    CHECK(s.number() == 7);
  }
}

TEST_CASE("the input that has the same bits everywhere, and what adding it changes") {
  jig::builder b;
  const tensor_spec one{dtype::float32, {}}, whole{dtype::int32, {}};
  const edge x = b.input(one, "x"), n = b.input(whole, "n");
  const auto constant = [&](const tensor_spec& spec, std::initializer_list<edge> in) {
    const std::vector<edge> inputs(in);
    return jig::constant_input(jig::simplification(b.graph, ops::add, spec, {inputs.data(), inputs.size()}, {}, false));
  };
  const edge zero = b.literal<float>(0.0f), minus_zero = b.literal<float>(-0.0f), three = b.literal<float>(3.0f),
             none = b.literal<std::int32_t>(0);
  CHECK_FALSE(constant(one, {x, x}).known);
  CHECK_FALSE(constant(one, {three}).known);
  const auto right = constant(one, {x, three}), left = constant(one, {three, x}), both = constant(one, {three, zero});
  CHECK((right.known && right.right && right.c == three && right.x == x));
  CHECK((left.known && !left.right && left.c == three && left.x == x));
  CHECK((both.right && both.c == zero));
  CHECK(right.is(3));
  CHECK_FALSE(right.is(2));
  // 0 + -0 is 0, so only -0 changes nothing, unless numbers are real ones or integers.
  CHECK_FALSE(constant(one, {x, zero}).adds_nothing(false));
  CHECK(constant(one, {x, zero}).adds_nothing(true));
  CHECK(constant(one, {x, minus_zero}).adds_nothing(false));
  CHECK(constant(whole, {n, none}).adds_nothing(true));
  CHECK_FALSE(constant(whole, {n, none}).is_minus_zero());
}

TEST_CASE("rules of real numbers hold for integers, and for others where values may change") {
  jig::builder b;
  const edge x = b.input({dtype::float32, {}}, "x"), n = b.input({dtype::int32, {}}, "n");
  const auto real = [&](const edge& e, bool changing) {
    const edge twice[] = {e, e};
    const jig::simplification s(b.graph, ops::add, b.graph.view().spec(e), twice, {}, changing);
    CHECK(s.has_twins());
    return s.is_real();
  };
  CHECK(real(n, false));
  CHECK_FALSE(real(x, false));
  CHECK(real(x, true));
}

}  // namespace

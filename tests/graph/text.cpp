// SPDX-License-Identifier: MIT
#include <jig/graph/text.hpp>

#include <doctest/doctest.h>

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/trace/trace.hpp>

#include "../control_nodes.hpp"

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dtype;
using jig::edge;

constexpr jig::op split{.name = "Split", .label = "split"};

template <jig::text Name, class F, class... Spec>
std::string text_of(F, Spec...) {
  return jig::to_text(jig::trace<F, Name, Spec...>::graph);
}

// The text of a constant and of nothing else.
template <class T>
std::string constant_text(const jig::shape& extents, const std::vector<T>& elements) {
  jig::builder b;
  b.constant<T>(extents, elements.data());
  return jig::to_text(b.graph);
}

// What follows a node without inputs that has one attribute.
std::string braces(const jig::attribute_view& a) {
  jig::graph g;
  g.add(split, {}, {}, std::vector{a});
  std::string line = jig::to_text(g);
  line.erase(0, std::string("split = Split()").size());
  return line.substr(0, line.find(" : "));
}

}  // namespace

TEST_CASE("a dense layer") {
  CHECK(text_of<"dense(x, w, b)">([](auto x, auto w, auto b) { return jig::tanh(jig::matmul(x, w) + b); }, jig::spec<float, jig::dyn, 3>(),
                                  jig::spec<float, 3, 2>(), jig::spec<float, 2>()) ==
        "x = Placeholder() : float32 (None, 3)\n"
        "w = Placeholder() : float32 (3, 2)\n"
        "b = Placeholder() : float32 (2,)\n"
        "MatMul = MatMul(x, w) : float32 (None, 2)\n"
        "add = AddV2(MatMul, b) : float32 (None, 2)\n"
        "Tanh = Tanh(add) : float32 (None, 2)\n"
        "return Tanh\n");
}

TEST_CASE("attributes, literals, named extents") {
  CHECK(text_of<"f(x)">([](auto x) { return jig::reduce_sum<1>(x * 2, jig::keepdims); }, jig::spec<float, jig::dim<"batch">, 3>()) ==
        "x = Placeholder() : float32 (batch, 3)\n"
        "mul/y = Const() {value: 2.0} : float32 ()\n"
        "mul = Mul(x, mul/y) : float32 (batch, 3)\n"
        "Sum = Sum(mul) {axes: [1], keep_dims: true} : float32 (batch, 1)\n"
        "return Sum\n");
  CHECK(text_of<"f(x)">([](auto x) { return jig::cast<int>(jig::reduce_mean(x)); }, jig::spec<double, 4>()) ==
        "x = Placeholder() : float64 (4,)\n"
        "Mean = Mean(x) {axes: []} : float64 ()\n"
        "Cast = Cast(Mean) {DstT: int32} : int32 ()\n"
        "return Cast\n");
  // Extents that only a call tells are those of an input.
  CHECK(text_of<"f(x)">([](auto x) { return jig::reshape<jig::dim<"n">, 2>(x); }, jig::spec<float, jig::dim<"n">, 1, 2>()) ==
        "x = Placeholder() : float32 (n, 1, 2)\n"
        "Reshape = Reshape(x) {shape: [axis 0, 2]} : float32 (n, 2)\n"
        "return Reshape\n");
  CHECK(jig::detail::integer_text(jig::detail::product_of_axes(0, 1, 3)) == "axes 1 to 3");
  CHECK(jig::detail::integer_text(jig::detail::product_of_axes(2, 1)) == "axis 1 of input 2");
  for (const jig::index e : {jig::index{-1}, jig::index{7}, jig::dim<"n">, std::numeric_limits<jig::index>::min()})
    CHECK(jig::detail::integer_text(e) == std::to_string(e));
}

TEST_CASE("several results, one, or none") {
  CHECK(text_of<"f(x)">([](auto x) { return std::tuple(x + x, x, x + x); }, jig::spec<int>()) ==
        "x = Placeholder() : int32 ()\n"
        "add = AddV2(x, x) : int32 ()\n"
        "add_1 = AddV2(x, x) : int32 ()\n"
        "return add, x, add_1\n");
  CHECK(text_of<"f(x)">([](auto) {}, jig::spec<int>()) == "x = Placeholder() : int32 ()\nreturn\n");
  CHECK(jig::to_text(jig::graph()) == "return\n");
}

TEST_CASE("outputs that are not the first are numbered") {
  jig::builder b;
  edge x = b.input({dtype::float32, {1, {5}}}, "x");
  edge parts = b.graph.add(split, {dtype::float32, {1, {2}}}, std::vector{x});
  b.graph.add_output({dtype::int32, {1, {3}}});
  edge sum = b.graph.add(jig::ops::add, {}, std::vector{parts, edge{parts.node, 1}});
  b.graph.output_edges = {sum, {parts.node, 1}};
  CHECK(jig::to_text(b.graph) ==
        "x = Placeholder() : float32 (5,)\n"
        "split = Split(x) : float32 (2,), int32 (3,)\n"
        "add = AddV2(split, split:1) : float32 ()\n"
        "return add, split:1\n");
}

TEST_CASE("constants") {
  CHECK(constant_text<int>({}, {2}) == "Const = Const() {value: 2} : int32 ()\nreturn\n");
  CHECK(constant_text<float>({1, {2}}, {0.1f, -2}) == "Const = Const() {value: [0.1, -2.0]} : float32 (2,)\nreturn\n");
  CHECK(constant_text<int>({2, {2, 2}}, {1, 2, 3, 4}) == "Const = Const() {value: [1, 2, 3, 4]} : int32 (2, 2)\nreturn\n");
  CHECK(constant_text<int>({1, {0}}, {}) == "Const = Const() {value: []} : int32 (0,)\nreturn\n");
  CHECK(constant_text<std::int8_t>({1, {8}}, {-1, 2, 3, 4, 5, 6, 7, 8}) ==
        "Const = Const() {value: [-1, 2, 3, 4, 5, 6, 7, 8]} : int8 (8,)\nreturn\n");
  CHECK(constant_text<std::int8_t>({1, {9}}, {-1, 2, 3, 4, 5, 6, 7, 8, 9}) ==
        "Const = Const() {value: [-1, 2, 3, 4, 5, 6, 7, 8, ...]} : int8 (9,)\nreturn\n");
  CHECK(constant_text<double>({}, {1e-300}) == "Const = Const() {value: 1e-300} : float64 ()\nreturn\n");
  CHECK(constant_text<float>({}, {-std::numeric_limits<float>::infinity()}) == "Const = Const() {value: -inf} : float32 ()\nreturn\n");
  CHECK(constant_text<std::int64_t>({}, {std::numeric_limits<std::int64_t>::min()}) ==
        "Const = Const() {value: -9223372036854775808} : int64 ()\nreturn\n");
  CHECK(constant_text<std::uint64_t>({}, {std::numeric_limits<std::uint64_t>::max()}) ==
        "Const = Const() {value: 18446744073709551615} : uint64 ()\nreturn\n");
  CHECK(constant_text<std::string>({}, {"it's"}) == "Const = Const() {value: b\"it's\"} : string ()\nreturn\n");
  CHECK(constant_text<std::string>({1, {3}}, {"ab", "", "c"}) == "Const = Const() {value: [b'ab', b'', b'c']} : string (3,)\nreturn\n");
  const bool truths[] = {true, false};
  jig::builder b;
  b.constant<bool>({1, {2}}, truths);
  CHECK(jig::to_text(b.graph) == "Const = Const() {value: [True, False]} : bool (2,)\nreturn\n");
}

TEST_CASE("every kind of attribute") {
  using kind = jig::attribute_kind;
  const jig::index numbers[] = {-1, 20};
  const jig::index zero[] = {0};
  const jig::index real[] = {std::bit_cast<jig::index>(0.5)};
  CHECK(braces({"k", kind::integer, {numbers, 1}, {}, {}}) == " {k: -1}");
  CHECK(braces({"k", kind::integers, numbers, {}, {}}) == " {k: [-1, 20]}");
  CHECK(braces({"k", kind::boolean, {numbers, 1}, {}, {}}) == " {k: true}");
  CHECK(braces({"k", kind::boolean, {zero, 1}, {}, {}}) == "");
  CHECK(braces({"k", kind::real, real, {}, {}}) == " {k: 0.5}");
  CHECK(braces(jig::type_attribute<"k", dtype::uint8>::view()) == " {k: uint8}");
  CHECK(braces({"k", kind::text, {}, "ij,jk->ik", {}}) == " {k: \"ij,jk->ik\"}");
  CHECK(braces({"k", kind::text, {}, "a\"b\\c\nd", {}}) == " {k: \"a\\\"b\\\\c\\nd\"}");
  // Only an argument's name and a string constant's characters are said elsewhere on the line.
  CHECK(braces({"name", kind::text, {}, "x", {}}) == " {name: \"x\"}");
  CHECK(braces({"text", kind::text, {}, "x", {}}) == " {text: \"x\"}");
}

TEST_CASE("graphs are written to streams") {
  constexpr auto f = [](auto a) { return a + a; };
  constexpr auto& g = jig::trace<decltype(f), "double(a)", jig::spec<int>>::graph;
  std::ostringstream out;
  out << g << jig::graph();
  CHECK(out.str() == jig::to_text(g) + "return\n");
}

TEST_CASE("bodies stand below their node, with the names of what they take") {
  constexpr auto f = [](auto n, auto x) {
    auto more = [](auto i, auto, auto) { return i != 1; };
    auto trip = [](auto i, auto v, auto w) {
      auto next =
          control_nodes::if_node<jig::spec<float>>(i < 7, [](auto a, auto b) { return a + b; }, [](auto a, auto) { return a; }, v, w);
      return std::tuple(i / 2, next);
    };
    auto out = control_nodes::while_node(std::tuple(n, x), more, trip, x * x);
    return std::tuple(std::get<1>(out),
                      control_nodes::if_node<jig::spec<float>>(
                          std::get<0>(out) == 1, [](auto v) { return v; }, [](auto v) { return v + v; }, std::get<1>(out)));
  };
  CHECK(jig::to_text(jig::trace<decltype(f), "f(n, x)", jig::spec<int>, jig::spec<float>>::graph) ==
        "n = Placeholder() : int32 ()\n"
        "x = Placeholder() : float32 ()\n"
        "mul = Mul(x, x) : float32 ()\n"
        "while = While(n, x, mul) : int32 (), float32 ()\n"
        "  cond(n, x, mul):\n"
        "    NotEqual/y = Const() {value: 1} : int32 ()\n"
        "    NotEqual = NotEqual(n, NotEqual/y) : bool ()\n"
        "    return NotEqual\n"
        "  body(n, x, mul):\n"
        "    Less/y = Const() {value: 7} : int32 ()\n"
        "    Less = Less(n, Less/y) : bool ()\n"
        "    cond = If(Less, x, mul) : float32 ()\n"
        "      then_branch(x, mul):\n"
        "        add = AddV2(x, mul) : float32 ()\n"
        "        return add\n"
        "      else_branch(x, mul):\n"
        "        return x\n"
        "    TruncateDiv/y = Const() {value: 2} : int32 ()\n"
        "    TruncateDiv = TruncateDiv(n, TruncateDiv/y) : int32 ()\n"
        "    return TruncateDiv, cond\n"
        "Equal/y = Const() {value: 1} : int32 ()\n"
        "Equal = Equal(while, Equal/y) : bool ()\n"
        "cond = If(Equal, while:1) : float32 ()\n"
        "  then_branch(while_1):\n"
        "    return while_1\n"
        "  else_branch(while_1):\n"
        "    add = AddV2(while_1, while_1) : float32 ()\n"
        "    return add\n"
        "return while:1, cond\n");
}

// SPDX-License-Identifier: MIT
// Which line of a program nodes have that functions of ops write.
#include <doctest/doctest.h>

#include <jig.hpp>
#include <jig/nn.hpp>

#include <string>

namespace {

constexpr int first = __LINE__;
constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
  auto e = jig::exp(x);                              // 2
  auto p = jig::matmul(e, y);                        // 3
  auto s = jig::softmax<1>(p);                       // 4: of several ops
  auto r = jig::reduce_sum<0>(s, jig::keepdims);     // 5
  auto j = jig::concat<0>(r, s);                     // 6
  return jig::reshape<9>(jig::einsum<"ij->ji">(j));  // 7
});
using square_spec = jig::spec<float, 2, 4>;
constexpr auto concrete = f.get_concrete_function(square_spec(), jig::spec<float, 4, 3>());

// The lines of all nodes of an op, counted from `first`, in order.
template <class Graph>
std::string lines_of(const Graph& g, std::string_view op) {
  std::string out;
  for (int id = 0; id < g.size(); ++id)
    if (g.node(id).op() == op) out += (out.empty() ? "" : " ") + std::to_string(g.node(id).line().line - first);
  return out;
}
// The op that a graph has once.
template <class Graph>
int line_of(const Graph& g, std::string_view op) {
  for (int id = 0; id < g.size(); ++id)
    if (g.node(id).op() == op) return g.node(id).line().line - first;
  return -1;
}

}  // namespace

TEST_CASE("line_scope: nodes know the line of the function that wrote them") {
  const auto g = concrete.graph();
  CHECK(lines_of(g, "Exp") == "2 4");
  CHECK(line_of(g, "MatMul") == 3);
  CHECK(lines_of(g, "Sum") == "4 5");
  CHECK(line_of(g, "ConcatV2") == 6);
  CHECK(line_of(g, "Transpose") == 7);
  CHECK(line_of(g, "Reshape") == 7);
  // All that softmax is made of: a function of the library keeps the line of its caller.
  for (const auto* op : {"Max", "Sub", "Reciprocal"}) CHECK(line_of(g, op) == 4);
  // Arguments are written nowhere.
  CHECK_FALSE(g.node(0).line().is_known());
}

TEST_CASE("line_scope: passes hand lines on") {
  const auto g = concrete.optimized_graph();
  CHECK(lines_of(g, "Exp") == "2 4");
  CHECK(line_of(g, "MatMul") == 3);
  CHECK(line_of(g, "ConcatV2") == 6);
}

namespace {

constexpr int first_of_slope = __LINE__;
constexpr auto slope = jig::function<"slope(x)">([](auto x) {
  auto y = jig::reduce_sum(  //
      jig::tanh(x));         // 3
  return jig::gradient(y, x);
});

struct own_layer {
  static constexpr int line = __LINE__ + 1;
  constexpr auto operator()(const auto& x) const { return jig::square(x); }
};
using model =
    decltype(jig::nn::sequential(jig::nn::input<float, 4>(), jig::nn::layers::dense<3>(), own_layer(), jig::nn::layers::dense<2>()));

}  // namespace

TEST_CASE("line_scope: what a gradient makes of a node is written where the node is") {
  const auto g = slope.get_concrete_function(jig::spec<float, 3>()).graph();
  int written = 0;
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (n.kind().is(jig::fact::input) || n.kind().is(jig::fact::constant)) continue;
    ++written;
    CHECK(n.line().line - first_of_slope == 3);
  }
  CHECK(written > 2);
}

TEST_CASE("line_scope: layers are written where the model is called, ops of a program's own layer in it") {
  constexpr int here = __LINE__;
  constexpr auto run = jig::function<"run(model, x)">([](auto& m, auto x) {
    return m(x);  // 2
  });
  const auto g = run.get_concrete_function(model(), jig::spec<float, 5, 4>()).graph();
  int products = 0, squares = 0;
  for (int id = 0; id < g.size(); ++id) {
    const jig::source_line at = g.node(id).line();
    if (g.node(id).op() == "MatMul") CHECK(++products * 0 + at.line == here + 2);
    if (g.node(id).op() == "Square") CHECK(++squares * 0 + at.line == own_layer::line);
  }
  CHECK(products == 2);
  CHECK(squares == 1);
}

TEST_CASE("line_scope: traces at run time have the same lines") {
  constexpr int here = __LINE__;
  const auto traced = jig::dynamic_function([](auto x, auto y) {
    auto e = jig::exp(x);          // 2
    return jig::matmul(e, y) - 1;  // 3
  });
  const jig::any_tensor x(jig::tensor<float, 2, 3>{}), wrong(jig::tensor<float, 2, 3>{});
  CHECK_THROWS_WITH_AS(traced(x, wrong), doctest::Contains((" (at line_scope.cpp:" + std::to_string(here + 3) + ")").c_str()),
                       jig::invalid_argument);
}

TEST_CASE("line_scope: outside of a trace there is nothing to tell") {
  const jig::tensor<float, 2> x{1, 2};
  CHECK(jig::square(x)(1) == 4);
  CHECK(jig::detail::graph_written_by(x, 2) == nullptr);
}

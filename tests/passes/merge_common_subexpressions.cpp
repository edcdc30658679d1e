// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "printed.hpp"
#include "without_passes.hpp"

#include <algorithm>

namespace {

constexpr auto repeated = [](auto x, auto y) {
  return std::tuple(jig::sin(x * y) + jig::sin(y * x), x - y, y - x, jig::reduce_sum<0>(x) + jig::reduce_sum<-1>(x), (x + 2) * (2 + x));
};
constexpr auto& before = jig::graph_of(repeated, jig::spec<float, 3>(), jig::spec<float, 3>());

template <class F, class... S>
constexpr int merged(F f, const char* op, S... spec) {
  return jig::merge_common_subexpressions(jig::graph_of(f, spec...)).count(op);
}

}  // namespace

TEST_CASE("equal nodes become one, operands that commute in either order") {
  CHECK(jig::to_text(jig::merge_common_subexpressions(before)) == R"(args_0 = Placeholder() : float32 (3,)
args_1 = Placeholder() : float32 (3,)
mul = Mul(args_0, args_1) : float32 (3,)
Sin = Sin(mul) : float32 (3,)
add = AddV2(Sin, Sin) : float32 (3,)
sub = Sub(args_0, args_1) : float32 (3,)
sub_1 = Sub(args_1, args_0) : float32 (3,)
Sum = Sum(args_0) {axes: [0]} : float32 ()
Sum_1 = Sum(args_0) {axes: [-1]} : float32 ()
add_1 = AddV2(Sum, Sum_1) : float32 ()
add_2/y = Const() {value: 2.0} : float32 ()
add_2 = AddV2(args_0, add_2/y) : float32 (3,)
mul_1 = Mul(add_2, add_2) : float32 (3,)
return add, sub, sub_1, add_1, mul_1
)");
  static_assert(jig::verify(jig::merge_common_subexpressions(before)) == nullptr);
}

TEST_CASE("attributes, dtypes and shapes tell nodes apart") {
  using jig::spec;
  static_assert(
      merged([](auto x) { return std::tuple(jig::cast<int>(x), jig::cast<double>(x), jig::cast<int>(x)); }, "Cast", spec<float>()) == 2);
  static_assert(merged([](auto x, auto n) { return std::tuple(x + 1, n + 1, n * 1); }, "Const", spec<float>(), spec<int>()) == 2);
  static_assert(merged([](auto x) { return std::tuple(x + 0.0, x + -0.0); }, "AddV2", spec<float>()) == 2);
  static_assert(merged([](auto x) { return std::tuple(jig::reshape<2, 3>(x), jig::reshape<3, 2>(x), jig::reshape<2, 3>(x)); }, "Reshape",
                       spec<float, 6>()) == 2);
  // Of 0 and -0 the second is the result.
  static_assert(merged([](auto x, auto y) { return std::tuple(jig::maximum(x, y), jig::maximum(y, x)); }, "Maximum", spec<float>(),
                       spec<float>()) == 2);
  // Strings are joined in their order.
  static_assert(merged([](auto a, auto b) { return std::tuple(a + b, b + a, a + b); }, "AddV2", spec<std::string>(), spec<std::string>()) ==
                2);
}

TEST_CASE("nodes with several results, and random numbers of one seed") {
  static_assert(merged(
                    [](auto x) {
                      auto [a, i] = jig::top_k<2>(x);
                      auto [b, k] = jig::top_k<2>(x);
                      return std::tuple(a + b, i + k);
                    },
                    "TopKV2", jig::spec<float, 5>()) == 1);
  static_assert(merged([](auto x, auto s) { return jig::random_uniform_like(x, s) - jig::random_uniform_like(x, s); },
                       "StatelessRandomUniformV2", jig::spec<float, 5>(), jig::spec<int>()) == 1);
}

TEST_CASE("bodies are merged each by itself, effects stay as many as they are and in their order") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = x;
    jig::print("first", jig::exp(x));
    JIG_WHILE(y < 100) {
      y = y + jig::exp(y) + jig::exp(y);
      jig::print("trip", y);
      jig::print("trip", y);
    }
    jig::print("first", jig::exp(x));
    return y;
  });
  constexpr auto& traced = f.get_concrete_function(jig::spec<float>()).graph();
  constexpr auto& runs = f.get_concrete_function(jig::spec<float>()).optimized_graph();
  static_assert(traced.count("Exp") == 4 && runs.count("Exp") == 2 && runs.count("PrintV2") == 4 && jig::verify(runs) == nullptr);
  const std::string with = printed([] { (void)f(2.0f); }), without = printed([] { (void)f.without_passes()(2.0f); });
  CHECK(with == without);
  CHECK(std::count(with.begin(), with.end(), '\n') == 6);
}

TEST_CASE("arrays begin in memory of their own") {
  static constexpr auto f = jig::function([](auto x) {
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0)), b = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) {
      a = a.write(i, jig::element(x, i));
      b = b.write(i, -jig::element(x, i));
    }
    return std::tuple(a.stack(), b.stack());
  });
  static_assert(f.get_concrete_function(jig::spec<float, 4>()).optimized_graph().count("TensorListReserve") == 2);
  same_without_passes(f, jig::tensor<float, 4>{1, -2, 3, 4});
}

TEST_CASE("a graph that was made at run time is merged by the same code") {
  jig::graph g;
  const jig::tensor_spec s{jig::dtype::float32, {}};
  const jig::edge x = g.add(jig::ops::placeholder, s, {});
  g.input_nodes.push_back(x.node);
  jig::edge last = x;
  for (int i = 0; i < 1000; ++i) {
    const jig::edge in[] = {x, last};
    (void)g.add(jig::ops::add, s, in);
    last = g.add(jig::ops::add, s, in);
  }
  g.output_edges.push_back(last);
  CHECK(jig::merge_common_subexpressions(g).size() == 1001);
}

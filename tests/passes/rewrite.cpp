// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

using jig::detail::new_node;
using jig::detail::rewriter;
using jig::detail::rewriting_rule;

// Cosines become the sines of sums, so that another rule can see what this one makes.
struct no_cosines : rewriting_rule {
  static constexpr jig::edge apply(auto& r, const new_node& n) {
    if (!jig::detail::is_op(n.kind, jig::ops::cos)) return {};
    const jig::edge inputs[] = {n.inputs[0], r.scalar(n.spec.dtype, jig::detail::to_word(1.5f))};
    const jig::edge sum = r.make(jig::ops::add, n.spec, inputs);
    return r.make(jig::ops::sin, n.spec, {&sum, 1});
  }
};
struct no_sums : rewriting_rule {
  static constexpr jig::edge apply(auto& r, const new_node& n) {
    return jig::detail::is_op(n.kind, jig::ops::add) ? r.make(jig::ops::subtract, n.spec, n.inputs) : jig::edge{};
  }
};

constexpr auto nested = [](auto x, auto n) {
  for (auto i : jig::range(n)) {
    JIG_IF(i > 1) x = jig::cos(x);
  }
  return jig::cos(x);
};
constexpr auto& traced = jig::graph_of(nested, jig::spec<float>(), jig::spec<int>());

}  // namespace

TEST_CASE("without rules a graph is what it was") {
  CHECK(jig::to_text(rewriter<jig::graph_view>().run(traced)) == jig::to_text(jig::prune(traced)));
  constexpr auto& several = jig::graph_of([](auto x) { return jig::top_k<2>(jig::exp(x)); }, jig::spec<float, 4>());
  CHECK(jig::to_text(rewriter<jig::graph_view>().run(several)) == jig::to_text(several));
}

TEST_CASE("rules see what others make, in bodies of bodies too") {
  constexpr auto made = [](const jig::graph& g, const char* op) { return g.count(op); };
  static_assert(made(rewriter<jig::graph_view, no_cosines>().run(traced), "Sin") == 2);
  static_assert(made(rewriter<jig::graph_view, no_cosines, no_sums>().run(traced), "Sub") == 3);
  static_assert(made(rewriter<jig::graph_view, no_sums, no_cosines>().run(traced), "AddV2") == 0);
  static_assert(jig::verify(rewriter<jig::graph_view, no_cosines, no_sums>().run(traced)) == nullptr);
}

TEST_CASE("constants of the graph around a body are constants in it") {
  constexpr auto f = [](auto x) {
    auto two = jig::constant_like(x, 1) + 1;
    JIG_IF(x > 0) x = x * two;
    return x;
  };
  constexpr auto& g = jig::graph_of(f, jig::spec<float>());
  CHECK(jig::to_text(jig::fold_constants(g)) == R"(args_0 = Placeholder() : float32 ()
Greater/y = Const() {value: 0.0} : float32 ()
Greater = Greater(args_0, Greater/y) : bool ()
cond = If(Greater, args_0) : float32 ()
  then_branch(args_0):
    mul/y = Const() {value: 2.0} : float32 ()
    mul = Mul(args_0, mul/y) : float32 ()
    return mul
  else_branch(args_0):
    return args_0
return cond
)");
}

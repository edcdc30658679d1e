// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "printed.hpp"
#include "without_passes.hpp"

namespace {

constexpr auto redundant = jig::function<"redundant(x)">([](auto x) {
  auto dead = jig::exp(x);
  return jig::sin(x) * 1 + jig::sin(x) + 0 * dead;
});

// Sines of the same angles, in place of cosines.
struct no_cosines {
  constexpr jig::graph operator()(const jig::graph_view& g) const {
    jig::graph out;
    for (int id = 0; id < g.size(); ++id) {
      const auto n = g.node(id);
      if (n.op() == "Cos") (void)out.add(jig::ops::sin, n.spec(), n.inputs());
      else (void)jig::copy_node(out, g, id, [](const jig::edge& e) { return e; });
    }
    for (int id : g.inputs()) out.input_nodes.push_back(id);
    for (const auto& e : g.outputs()) out.output_edges.push_back(e);
    return out;
  }
};

}  // namespace

TEST_CASE("what runs has no dead nodes, and no transpose that an array can do without") {
  static constexpr auto f = jig::function([](auto x) {
    (void)jig::exp(x);
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) a = a.write(i, jig::element(x, i) + 1);
    return jig::transpose<1, 0>(a.stack());
  });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, 2, 3>());
  static_assert(traced.graph().count("Exp") == 1 && traced.graph().count("Transpose") == 1);
  static_assert(traced.optimized_graph().count("Exp") == 0 && traced.optimized_graph().count("Transpose") == 0);
  auto y = traced(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index k = 0; k < 3; ++k) CHECK(y(k, i) == static_cast<float>(3 * i + k + 2));
}

TEST_CASE("all passes together, and none") {
  constexpr auto traced = redundant.get_concrete_function(jig::spec<float, 8>());
  static_assert(traced.graph().count("Sin") == 2 && traced.optimized_graph().count("Sin") == 1);
  static_assert(traced.optimized_graph().count("Mul") == 1);  // 0 * NaN is NaN
  constexpr auto plain = redundant.without_passes().get_concrete_function(jig::spec<float, 8>());
  static_assert(plain.optimized_graph().count("Sin") == 2 && plain.optimized_graph().size() == plain.graph().size());
  CHECK(jig::to_text(plain.graph()) == jig::to_text(traced.graph()));
  same_without_passes(redundant, std::get<0>(telling_pairs<float>()));
}

TEST_CASE("results that become arguments, constants or one another") {
  static constexpr auto f = jig::function([](auto x, auto y) {
    return std::tuple(x * 1, y - 0, x * 1, jig::ones_like(x) * 2, jig::exp(x), jig::exp(x), jig::transpose(jig::transpose(x)));
  });
  const jig::tensor<float, 2, 2> x{{1, 2}, {3, 4}}, y{{5, 6}, {7, 8}};
  same_without_passes(f, x, y);
  // Into memory of an argument.
  static constexpr auto exchanged = jig::function([](auto a, auto b) { return std::tuple(b * 1, a - 0); });
  jig::tensor<float, 2, 2> a = x, b = y;
  auto results = std::tie(a, b);
  exchanged.into(results, a, b);
  CHECK(same_bits(a, y));
  CHECK(same_bits(b, x));
}

TEST_CASE("variables") {
  static constexpr auto step = jig::function([](auto& v, auto x) {
    v.assign(v.read() * 1 + x * 1);
    v.assign_sub(0);
    return v.read() + x * 0;
  });
  jig::variable<int> v{3}, w{3};
  CHECK(step(v, 4)() == 7);
  CHECK(step.without_passes()(w, 4)() == 7);
  CHECK(v.read()() == w.read()());
}

TEST_CASE("effects happen in the order of the program") {
  static constexpr auto f = jig::function([](auto x) {
    jig::print("a", x * 1);
    jig::assert_that(x * 1 > -5, "too small");
    jig::print("b", -(-x));
    JIG_WHILE(x < 3) {
      jig::print("c", x);
      x = x + 1;
    }
    return x * 1;
  });
  static_assert(f.get_concrete_function(jig::spec<int>()).optimized_graph().count("PrintV2") == 3);
  CHECK(printed([] { (void)f(1); }) == "a 1\nb 1\nc 1\nc 2\n");
  CHECK(printed([] { (void)f(1); }) == printed([] { (void)f.without_passes()(1); }));
  CHECK(printed([] { CHECK_THROWS_AS(f(-7), jig::invalid_argument); }) == "a -7\n");
}

TEST_CASE("a pass of one's own runs behind the others") {
  static constexpr auto f = jig::function([](auto x) { return jig::cos(x) * 1 + jig::cos(x); });
  constexpr auto changed = f.with_pass(no_cosines());
  constexpr auto traced = changed.get_concrete_function(jig::spec<float>());
  static_assert(traced.graph().count("Cos") == 2 && traced.optimized_graph().count("Cos") == 0 &&
                traced.optimized_graph().count("Sin") == 1);
  CHECK(changed(2.0f)() == doctest::Approx(2 * std::sin(2.0f)));
  CHECK(f(2.0f)() == doctest::Approx(2 * std::cos(2.0f)));

  // Several, in their order; lambdas are passes too. What they leave without a use is dropped.
  constexpr auto first_argument = f.with_pass(no_cosines()).with_pass([](const jig::graph_view& g) {
    jig::graph out = jig::prune(g);
    out.output_edges[0] = {out.input_nodes[0], 0};
    return out;
  });
  static_assert(first_argument.get_concrete_function(jig::spec<float>()).optimized_graph().size() == 1);
  CHECK(first_argument(2.0f)() == 2);
  // From none back to the standard ones and this one.
  static_assert(f.without_passes().with_pass(no_cosines()).get_concrete_function(jig::spec<float>()).optimized_graph().count("Sin") == 1);
  CHECK(changed.without_passes()(2.0f)() == f(2.0f)());
}

TEST_CASE("inside another trace a function is part of it, whatever its passes") {
  static constexpr auto inner = redundant.without_passes();
  static constexpr auto outer = jig::function([](auto x) { return inner(x) + inner(x); });
  static_assert(outer.get_concrete_function(jig::spec<float>()).optimized_graph().count("Sin") == 1);
}

TEST_CASE("peak workspace is that of the graph that runs") {
  static constexpr auto f = jig::function([](auto x) { return jig::matmul(jig::matmul(x, x) * 1, x) + jig::matmul(jig::matmul(x, x), x); });
  using matrix = jig::spec<float, 16, 16>;
  constexpr auto with = f.get_concrete_function(matrix());
  constexpr auto without = f.without_passes().get_concrete_function(matrix());
  static_assert(with.peak_workspace() > 0 && with.peak_workspace() < without.peak_workspace());
  static_assert(jig::peak_workspace(with.graph()) == with.peak_workspace());
}

TEST_CASE("the same functions work on graphs that are made at run time") {
  const jig::graph g = jig::optimize(redundant.get_concrete_function(jig::spec<float, 8>()).graph());
  CHECK(jig::to_text(g) == jig::to_text(redundant.get_concrete_function(jig::spec<float, 8>()).optimized_graph()));
}

TEST_CASE("gradients written out by hand, layers and losses keep every bit") {
  static constexpr auto f = jig::function([](auto x, auto w, auto b) {
    auto h = jig::tanh(jig::matmul(x, w) + b);
    auto y = jig::softmax(jig::matmul(h, jig::transpose(w)));
    return std::tuple(y, jig::reduce_mean(jig::square(y - x)), jig::matmul(jig::transpose(x), (1 - h * h) * 1));
  });
  jig::tensor<float, 6, 5> x;
  jig::tensor<float, 5, 4> w;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 1 / (static_cast<float>(i) - 11.3f);
  for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = 1 / (static_cast<float>(i) - 7.7f);
  same_without_passes(f, x, w, jig::tensor<float, 4>{0.1f, -0.2f, 0.3f, 0});
}

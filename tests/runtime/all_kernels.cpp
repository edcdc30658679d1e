// SPDX-License-Identifier: MIT
// The kernels themselves are made in build/prebuilt_kernels.cpp.
#include <jig/runtime/all_kernels.hpp>

#include "../differentiable_ops.hpp"

#include <doctest/doctest.h>

#include <set>

namespace detail = jig::detail;
namespace ops = jig::ops;
using jig::fact;

TEST_CASE("every op that is computed has a kernel") {
  for (const jig::op* kind : detail::all_ops) {
    CAPTURE(kind->name);
    const detail::runtime_kernel* found = detail::find_runtime_kernel(*kind);
    constexpr fact none = fact::view | fact::control | fact::input | fact::constant | fact::output;
    bool made_of_others = false;
    for (const jig::op* other : {&ops::gradient, &ops::custom_gradient, &ops::adjoint_of, &ops::trace_note})
      made_of_others = made_of_others || kind == other;
    if (kind->is(none) || made_of_others) {
      CHECK(found == nullptr);
      continue;
    }
    REQUIRE(found != nullptr);
    CHECK((found->block != nullptr) == kind->is(fact::elementwise));
    CHECK((found->run != nullptr) != kind->is(fact::elementwise));
  }
}

// build/own_kernels.cpp does the same in a program that has no kernels but those of its own ops.
TEST_CASE("gradients of every op, of both orders") {
  for (const auto& c : differentiable::cases) {
    CAPTURE(c.kind->name);
    CHECK(differentiable::wrong_gradients(c) == "");
  }
}

TEST_CASE("every op with a gradient is among those whose gradients are tested") {
  std::set<const jig::op*> seen;
  const jig::spec<double, 2, 3> matrix;
  for (const auto& c : differentiable::cases) {
    CAPTURE(c.kind->name);
    const auto look_at = [&](const jig::graph& g) {
      bool found = false;
      for (const auto& n : g.nodes) {
        seen.insert(n.kind);
        found = found || n.kind == c.kind;
      }
      return found;
    };
    CHECK(look_at(detail::dynamic_trace("", differentiable::loss{c.kind}, matrix).graph));
    look_at(detail::dynamic_trace("", differentiable::first_gradient{c.kind}, matrix).graph);
  }
  // Ops of which nothing depends on numbers in a way that can be differentiated.
  for (const jig::op* constant : {&ops::eye, &ops::fill, &ops::new_array, &ops::shrinkage, &ops::truncate_divide, &ops::set_shape})
    seen.insert(constant);
  for (const jig::op* kind : detail::all_ops) {
    CAPTURE(kind->name);
    CHECK((kind->gradient == detail::no_gradient || seen.count(kind) == 1));
  }
}

TEST_CASE("a gradient makes only what its op declares, so that programs have the kernels") {
  using jig::gradient_context;
  static constexpr jig::op twice{.name = "Twice",
                                 .label = "Twice",
                                 .facts = fact::elementwise,
                                 .rule = jig::elementwise_rule<jig::floats>,
                                 .gradient = [](gradient_context& c) { c.give(0, c.call(ops::tanh, {c.adjoint()})); }};
  static constexpr jig::op declared = twice.making(jig::made_ops<ops::tanh>);
  const auto gradient_of = [](const jig::op& kind) {
    jig::graph g;
    const jig::tensor_spec scalar{jig::dtype::float32, {}};
    const jig::edge x = g.add(ops::placeholder, scalar, {});
    g.input_nodes.push_back(x.node);
    const jig::edge inputs[] = {g.add(kind, scalar, {&x, 1}), x};
    g.output_edges.push_back(g.add(ops::gradient, scalar, inputs));
    jig::message why;
    detail::differentiate(g.view(), &why);
  };
  CHECK_NOTHROW(gradient_of(declared));
  CHECK_THROWS_WITH(gradient_of(twice),
                    "Twice: its gradient or a simplification makes Tanh, which is not among the ops that it declares to make");
}

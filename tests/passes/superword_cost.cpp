// SPDX-License-Identifier: MIT
#include <jig/passes/superword_cost.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

jig::index cost_of(auto lambda, auto key) {
  const jig::graph traced = jig::optimize(jig::graph_of(lambda, key));
  const jig::graph g = jig::detail::lower_elements<jig::graph_view>(traced).run();
  return jig::detail::superword_cost::of(g.view());
}

}  // namespace

TEST_CASE("operations cost one a register, divisions more, functions by the element") {
  using four = jig::spec<double, 4>;
  CHECK(cost_of([](auto x) { return x * x + 1.0; }, four()) == 2);
  CHECK(cost_of([](auto x) { return x * x + 1.0; }, jig::spec<double, 5>()) == 4);
  CHECK(cost_of([](auto x) { return x * x + 1.0; }, jig::spec<float, 5>()) == 2);
  CHECK(cost_of([](auto x) { return x[0] * x[1] + 1.0; }, four()) == 2);
  CHECK(cost_of([](auto x) { return x / 3.0; }, four()) == jig::detail::superword_cost::of_division);
  CHECK(cost_of([](auto x) { return jig::sin(x); }, four()) == 4 * jig::detail::superword_cost::of_function);
  // More elements than scalars ever become are somebody else's, as are other ops.
  CHECK(cost_of([](auto x) { return x * 2.0; }, jig::spec<double, 65>()) == 0);
  CHECK(cost_of([](auto x) { return jig::reduce_sum(x); }, four()) == 0);
}

TEST_CASE("stacks cost their elements, and scalars that vectors read an exchange") {
  CHECK(cost_of([](auto x) { return jig::stack<0>(x[1], x[0], x[3]); }, jig::spec<double, 4>()) == 3);
  CHECK(cost_of([](auto x) { return x * (x[0] + x[1]); }, jig::spec<double, 4>()) == 2 + jig::detail::superword_cost::of_exchange);
  // What is read as it is, is an operand.
  CHECK(cost_of([](auto x) { return x * x[0]; }, jig::spec<double, 4>()) == 1);
}

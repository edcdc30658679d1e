// SPDX-License-Identifier: MIT
#include <jig/eval/watch.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig;

template <class F, class... Key>
using program_of = dense_program_of<trace<F, "", Key...>>;
template <class F, class... Key>
using watched_program_of = dense_program_of<detail::watched_trace<trace<F, "", Key...>>>;

constexpr auto few_then_many = [](auto x, auto y) { return std::tuple(exp(x) + 1, reduce_sum(y), relu(reduce_sum(x))); };
using few = decltype(few_then_many);

TEST_CASE("ordinary programs are not watched") {
  CHECK(!detail::is_watched<program_of<few, spec<float, 4>, spec<float, 1000>>>);
  CHECK(detail::is_watched<watched_program_of<few, spec<float, 4>, spec<float, 1000>>>);
}

TEST_CASE("the clock is read behind regions that take longer than that") {
  using small = detail::laps<watched_program_of<few, spec<float, 4>, spec<float, 8>>>;
  CHECK(small::count == 4);
  CHECK(!small::table.any_large);
  for (int r = 0; r < 4; ++r) CHECK(small::table.ends[r] == (r == 3));

  using mixed = detail::laps<watched_program_of<few, spec<float, 4>, spec<float, 1000>>>;
  CHECK(mixed::table.any_large);
  int large = 0;
  for (int r = 0; r < mixed::count; ++r) large += mixed::table.large[r];
  CHECK(large == 1);
  for (int r = 0; r < mixed::count; ++r)
    CHECK(mixed::table.ends[r] == (r + 1 == mixed::count || mixed::table.large[r] || mixed::table.large[r + 1]));

  // Only the call tells how long these take.
  using open = detail::laps<watched_program_of<few, spec<float, dyn>, spec<float, 8>>>;
  CHECK(open::table.any_large);
}

TEST_CASE("work of a step: what it reads, computes and writes") {
  using P = program_of<decltype([](auto a, auto b) { return relu(matmul(a, b)); }), spec<float, 2, 3>, spec<float, 3, 5>>;
  const plan_view p = P::plan.view(P::graph);
  const auto extents = [](int v) { return P::extents(v); };
  CHECK(p.steps.size() == 2);
  CHECK(detail::work_of_step(p, 0, extents) == 6 + 15 + 10 + 2 * 2 * 3 * 5);
  CHECK(detail::work_of_step(p, 1, extents) == 10 + 10 + 10);
  const int product = p.steps[0].space;
  CHECK(detail::flops_of_node(p.graph, product, extents) == 60);
  CHECK(detail::flops_of_node(p.graph, 0, extents) == 0);
  CHECK(detail::flops_of_node(p.graph, product,
                              [](int v) { return P::graph.data(v).kind->is(fact::input) ? shape{2, {dyn, dyn}} : P::extents(v); }) == -1);
}

}  // namespace

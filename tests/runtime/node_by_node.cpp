// SPDX-License-Identifier: MIT
#include <jig/runtime/node_by_node.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;
using jig::any_view;
using jig::dtype;
using jig::index;
namespace detail = jig::detail;

template <class F, class... X>
std::vector<any_tensor> run(F f, const X&... x) {
  const auto traced = detail::dynamic_trace("", f, jig::tensor_spec{any_tensor(x).dtype(), any_tensor(x).shape()}...);
  const std::vector<any_tensor> arguments{any_tensor(x)...};
  detail::call_tape tape;
  return detail::run_nodes<any_tensor>(traced.graph.view(), {arguments.data(), arguments.size()}, &tape);
}
any_tensor computed(const jig::op& kind, std::vector<any_view> inputs) { return detail::op_run<>(kind, {}, std::move(inputs))(1)[0]; }

TEST_CASE("one op: operands are broadcast, lie with strides, are single elements") {
  const jig::tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  const jig::tensor<int, 3> row{10, 20, 30};
  const jig::tensor<int, 1, 1> single{{7}};
  const any_view turned{dtype::int32, x.data(), {2, {3, 2}}, {2, {1, 3}}};
  const any_tensor sum = computed(jig::ops::add, {jig::untyped(x.view()), jig::untyped(row.view())});
  const any_tensor more = computed(jig::ops::multiply, {turned, jig::untyped(single.view())});
  REQUIRE((sum.shape() == jig::shape{2, {2, 3}} && more.shape() == jig::shape{2, {3, 2}}));
  for (index i = 0; i < 2; ++i)
    for (index k = 0; k < 3; ++k) {
      CHECK(sum.as<int>()(i, k) == x(i, k) + row(k));
      CHECK(more.as<int>()(k, i) == 7 * x(i, k));
    }
  const jig::tensor<float, jig::dyn> none(jig::uninitialized, {1, {0}});
  CHECK(computed(jig::ops::exp, {jig::untyped(none.view())}).shape() == jig::shape{1, {0}});
}

TEST_CASE("one op refuses what its rule refuses, with all specs") {
  const jig::tensor<float, 2> x{1, 2};
  const jig::tensor<float, 3> y{1, 2, 3};
  const jig::tensor<int, 2> n{1, 2};
  std::string why;
  try {
    computed(jig::ops::add, {jig::untyped(x.view()), jig::untyped(y.view())});
  } catch (const jig::invalid_argument& e) {
    why = e.what();
  }
  CHECK(why.find("(2,)") != std::string::npos);
  CHECK(why.find("(3,)") != std::string::npos);
  CHECK_THROWS_AS(computed(jig::ops::add, {jig::untyped(x.view()), jig::untyped(n.view())}), jig::invalid_argument);
}

TEST_CASE("a graph: values go on to those that use them, extents are those that the run finds") {
  const auto out = run(
      [](auto x) {
        auto [values, places] = jig::unique(x);
        auto many = jig::boolean_mask(values, values > 1);
        return std::tuple(many * many, jig::reduce_sum(many), places);
      },
      jig::tensor<int, 6>{3, 1, 3, 2, 1, 5});
  REQUIRE(out.size() == 3);
  REQUIRE(out[0].shape() == jig::shape{1, {3}});
  CHECK((out[0].as<int>()(0) == 9 && out[0].as<int>()(1) == 4 && out[0].as<int>()(2) == 25));
  CHECK(out[1].as<int>()() == 10);
  const int places[] = {0, 1, 0, 2, 1, 3};
  for (index i = 0; i < 6; ++i) CHECK(out[2].as<int>()(i) == places[i]);
}

TEST_CASE("branches run one side only, loops as often as their condition says") {
  const auto collatz = [](auto n) {
    auto steps = jig::constant_like(n, 0);
    JIG_WHILE(n != 1) {
      JIG_IF(n % 2 == 0) n = n / 2;
      JIG_ELSE n = 3 * n + 1;
      steps = steps + 1;
    }
    return steps;
  };
  for (int n : {1, 2, 7, 27}) {
    int expected = 0;
    for (int k = n; k != 1; ++expected) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
    CHECK(run(collatz, n)[0].template as<int>()() == expected);
  }
  // The side that is not taken would throw.
  const auto guarded = [](auto x, auto y) { return jig::cond(y == 0, [&] { return x; }, [&] { return x / y; }); };
  CHECK(run(guarded, 8, 0)[0].template as<int>()() == 8);
  CHECK(run(guarded, 8, 2)[0].template as<int>()() == 4);
}

TEST_CASE("a loop whose value grows") {
  const auto grown = [](auto x) {
    return jig::while_loop([](auto y) { return jig::extent<0>(y) < 9; }, [](auto y) { return jig::concat<0>(y, y); }, x,
                           jig::shape_invariants<jig::spec<float, jig::dyn>>());
  };
  const auto out = run(grown, jig::tensor<float, 3>{1, 2, 3});
  REQUIRE(out[0].shape() == jig::shape{1, {12}});
  for (index i = 0; i < 12; ++i) CHECK(out[0].as<float>()(i) == static_cast<float>(i % 3 + 1));
}

}  // namespace

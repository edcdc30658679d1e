// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/graph/lifted.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <string>
#include <type_traits>

namespace hana = boost::hana;

namespace {

using jig::dim, jig::dyn, jig::node, jig::spec, jig::type_graph;
namespace ops = jig::ops;

constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return jig::tanh(x + y) * 2; });

constexpr auto concrete = f.get_concrete_function(spec<float, dyn, 3>(), spec<float, 3>());

struct nothing {
  static constexpr jig::graph_view graph{};
};

template <class F, class... Spec>
using lifted_trace = jig::lifted<jig::trace<F, "f(x, y)", Spec...>>;

template <class T>
using node_in = typename T::type;

}  // namespace

TEST_CASE("a graph is a type: exactly this one") {
  using expected = type_graph<node<ops::placeholder, spec<float, dyn, 3>>, node<ops::placeholder, spec<float, 3>>,
                              node<ops::add, spec<float, dyn, 3>, 0, 1>, node<ops::tanh, spec<float, dyn, 3>, 2>,
                              node<ops::constant, spec<float>>, node<ops::multiply, spec<float, dyn, 3>, 3, 4>>;
  static_assert(std::is_same_v<decltype(concrete)::graph_type, expected>);
  static_assert(expected::size == 6);
}

TEST_CASE("equal graphs of other lambdas are equal types") {
  constexpr auto g = [](auto a, auto b) {
    auto s = a + b;
    return s * s;
  };
  constexpr auto h = [](auto a, auto b) { return jig::square(a) * 0 + b; };
  constexpr auto again = [](auto p, auto q) {
    auto s = p + q;
    return s * s;
  };
  using n = spec<int, dim<"n">>;
  static_assert(std::is_same_v<lifted_trace<decltype(g), n, n>, lifted_trace<decltype(again), n, n>>);
  static_assert(!std::is_same_v<lifted_trace<decltype(g), n, n>, lifted_trace<decltype(h), n, n>>);
  static_assert(!std::is_same_v<lifted_trace<decltype(g), n, n>, lifted_trace<decltype(g), spec<int, 3>, spec<int, 3>>>);
  static_assert(std::is_same_v<lifted_trace<decltype(g), n, n>, type_graph<node<ops::placeholder, n>, node<ops::placeholder, n>,
                                                                           node<ops::add, n, 0, 1>, node<ops::multiply, n, 2, 2>>>);
}

TEST_CASE("a node type knows op, spec and name") {
  using sum = node_in<std::remove_cvref_t<decltype(concrete.nodes[hana::size_c<2>])>>;
  static_assert(std::is_same_v<sum, node<ops::add, spec<float, dyn, 3>, 0, 1>>);
  static_assert(&sum::kind == &ops::add);
  static_assert(sum::name() == "AddV2");
  static_assert(std::is_same_v<sum::spec_type, spec<float, dyn, 3>>);
  static_assert(std::is_empty_v<sum>);
}

TEST_CASE("arguments only, no arguments, nothing") {
  constexpr auto identity = [](auto x) { return x; };
  static_assert(std::is_same_v<lifted_trace<decltype(identity), spec<bool>>, type_graph<node<ops::placeholder, spec<bool>>>>);
  constexpr auto five = [] { return 5; };
  static_assert(std::is_same_v<lifted_trace<decltype(five)>, type_graph<node<ops::constant, spec<int>>>>);
  static_assert(std::is_same_v<jig::lifted<nothing>, type_graph<>>);
  static_assert(jig::lifted<nothing>::size == 0);
  static_assert(hana::is_empty(jig::lifted<nothing>::nodes()));
}

TEST_CASE("Hana algorithms work on the nodes") {
  constexpr auto is_elementwise = [](auto n) { return hana::bool_c<decltype(n)::type::kind.is(jig::fact::elementwise)>; };
  constexpr auto named = [](auto n, std::string_view name) { return decltype(n)::type::name() == name; };

  static_assert(decltype(hana::size(concrete.nodes))::value == 6);
  static_assert(decltype(hana::count_if(concrete.nodes, is_elementwise))::value == 3);
  constexpr auto chosen = hana::filter(concrete.nodes, is_elementwise);
  static_assert(decltype(hana::front(chosen) == hana::type_c<node<ops::add, spec<float, dyn, 3>, 0, 1>>)::value);
  static_assert(decltype(hana::contains(concrete.nodes, hana::type_c<node<ops::constant, spec<float>>>))::value);
  static_assert(!decltype(hana::contains(concrete.nodes, hana::type_c<node<ops::constant, spec<double>>>))::value);
  static_assert(decltype(hana::find_if(concrete.nodes, [](auto n) { return hana::bool_c < decltype(n)::type::name() == "Tanh" > ; }) ==
                         hana::just(hana::type_c<node<ops::tanh, spec<float, dyn, 3>, 2>>))::value);
  static_assert(hana::fold_left(concrete.nodes, 0, [](int n, auto t) { return n + decltype(t)::type::spec_type::rank(); }) ==
                2 + 1 + 2 + 2 + 0 + 2);

  std::string names;
  hana::for_each(concrete.nodes, [&](auto n) { names += std::string(decltype(n)::type::name()) + ' '; });
  CHECK(names == "Placeholder Placeholder AddV2 Tanh Const Mul ");
  int additions = 0;
  hana::for_each(concrete.nodes, [&](auto n) { additions += named(n, "AddV2"); });
  CHECK(additions == 1);
  CHECK(concrete.graph().size() == 6);
}

TEST_CASE("a chain of 200 nodes is lifted") {
  constexpr auto chain = [](auto x) {
    for (int i = 0; i < 199; ++i) x = x + x;
    return x;
  };
  using g = lifted_trace<decltype(chain), spec<float>>;
  static_assert(g::size == 200);
  static_assert(decltype(hana::back(g::nodes()) == hana::type_c<node<ops::add, spec<float>, 198, 198>>)::value);
}

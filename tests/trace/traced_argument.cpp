// SPDX-License-Identifier: MIT
#include <jig/trace/traced_argument.hpp>

#include <doctest/doctest.h>

TEST_CASE("specs become inputs of the graph in order, literals stay what they are") {
  jig::builder b;
  const auto key = std::tuple(jig::spec<float, 2>(), jig::lit<3>, jig::spec<int>());
  auto parts = jig::detail::traced_argument(b, key, jig::message() << "x");
  static_assert(std::tuple_size_v<decltype(parts)> == 3);
  static_assert(std::is_same_v<std::tuple_element_t<1, decltype(parts)>, std::remove_const_t<decltype(jig::lit<3>)>>);
  const jig::graph_view g = b.graph.view();
  REQUIRE(g.inputs().size() == 2);
  CHECK(g.node(g.inputs()[0]).attribute("name").text == "x_0");
  CHECK(g.node(g.inputs()[1]).attribute("name").text == "x_2");
}

TEST_CASE("a variable among the arguments is an input that the trace follows") {
  constexpr auto followed = [] {
    jig::builder b;
    auto v = jig::detail::traced_argument(b, jig::variable_spec<float, 2>(), jig::message() << "v");
    static_assert(std::is_same_v<decltype(v), jig::variable<float, 2>>);
    return static_cast<int>(b.variables.size());
  }();
  static_assert(followed == 1);
}

// SPDX-License-Identifier: MIT
#include <jig/trace/trace.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

namespace {

namespace hana = boost::hana;

// Nothing but a lambda and keys: what a function is made of.
template <jig::text Name, class F, class... Key>
constexpr const jig::graph_view& traced(F, Key...) {
  return jig::trace<F, Name, Key...>::graph;
}

std::string names_of(const jig::graph_view& g) {
  std::string out;
  for (int id : g.inputs()) out += std::string(g.node(id).attribute("name").text) + ' ';
  return out;
}

}  // namespace

TEST_CASE("parameters become placeholders with their names") {
  constexpr auto f = [](auto x, auto y) { return x + y; };
  constexpr auto& g = traced<"f(x, y)">(f, jig::spec<float, 2>{}, jig::spec<float>{});
  static_assert(g.size() == 3 && g.inputs().size() == 2 && g.outputs().size() == 1);
  static_assert(g.node(0).spec() == jig::tensor_spec{jig::dtype::float32, {1, {2}}});
  CHECK(names_of(g) == "x y ");
  CHECK(names_of(traced<"f(x)">(f, jig::spec<float>{}, jig::spec<float>{})) == "x args_1 ");
  CHECK(names_of(traced<"">(f, jig::spec<float>{}, jig::spec<float>{})) == "args_0 args_1 ");
}

TEST_CASE("parts of structures are named after the parameter and their place in it") {
  constexpr auto f = [](auto p, auto m) { return std::tuple(p, m[BOOST_HANA_STRING("w")]); };
  auto p = std::tuple(jig::spec<float>{}, std::pair(jig::spec<int>{}, jig::lit<3>));
  auto m = hana::make_map(hana::make_pair(BOOST_HANA_STRING("w"), jig::spec<float, 2>{}),
                          hana::make_pair(BOOST_HANA_STRING("b"), jig::spec<float>{}));
  const auto& g = traced<"f(p, m)">(f, p, m);
  CHECK(names_of(g) == "p_0 p_1_0 m_w m_b ");
  CHECK(g.outputs().size() == 4);  // the literal is a result too
  CHECK(g.count("Const") == 1);
}

TEST_CASE("literals reach the lambda as compile-time values") {
  constexpr auto f = [](auto x, auto n) {
    static_assert(jig::Constant<decltype(n)>);
    std::array<int, static_cast<std::size_t>(decltype(n)::value)> unused{};
    for (std::size_t i = 0; i < unused.size(); ++i) x = x * x;
    return x;
  };
  static_assert(traced<"">(f, jig::spec<float>{}, jig::lit<3>).count("Mul") == 3);
  static_assert(traced<"">(f, jig::spec<float>{}, hana::int_c<0>).count("Mul") == 0);
  static_assert(traced<"">(f, jig::spec<float>{}, jig::lit<3>).inputs().size() == 1);
  CHECK(traced<"">(f, jig::spec<float>{}, jig::lit<2>).size() == 3);
}

TEST_CASE("what a lambda returns becomes the results") {
  constexpr auto nothing = [](auto) {};
  static_assert(traced<"">(nothing, jig::spec<float>{}).outputs().empty());
  constexpr auto constants = [](auto x) { return std::tuple(x, 2, 1.5, true, jig::lit<7>, jig::tensor<int, 2>{1, 2}); };
  constexpr auto& g = traced<"">(constants, jig::spec<float>{});
  static_assert(g.outputs().size() == 6 && g.count("Const") == 5);
  static_assert(g.spec(g.outputs()[1]).dtype == jig::dtype::int32);
  static_assert(g.spec(g.outputs()[2]).dtype == jig::dtype::float64);
  static_assert(g.spec(g.outputs()[3]).dtype == jig::dtype::boolean);
  static_assert(g.spec(g.outputs()[5]).shape == jig::shape{1, {2}});
  constexpr auto twice = [](auto x) { return std::tuple(x, x); };
  constexpr auto& same = traced<"">(twice, jig::spec<float>{});
  CHECK(same.outputs()[0] == same.outputs()[1]);
}

TEST_CASE("a trace may be long") {
  constexpr auto f = [](auto x) {
    for (int i = 0; i < 500; ++i) x = x * 0.5f + 1;
    return x;
  };
  static_assert(traced<"">(f, jig::spec<float>{}).size() == 2001);
}

TEST_CASE("which lambdas can be traced") {
  auto plain = [](auto x) { return x; };
  float scale = 2;
  auto capturing = [scale](auto x) { return x * scale; };
  static_assert(jig::is_traceable<decltype(plain)>);
  static_assert(!jig::is_traceable<decltype(capturing)>);
  static_assert(!jig::is_traceable<float (*)(float)>);
  CHECK(capturing(jig::tensor<float>{3})() == 6);  // at once, it is a lambda as any other
}

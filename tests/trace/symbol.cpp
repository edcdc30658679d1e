// SPDX-License-Identifier: MIT
#include <jig/trace/symbol.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using scalar = jig::symbol<float>;

}  // namespace

TEST_CASE("a symbol carries its spec in its type") {
  using row = jig::symbol<double, jig::dyn, 3>;
  static_assert(std::is_same_v<row::spec_type, jig::spec<double, jig::dyn, 3>>);
  static_assert(std::is_same_v<row::value_type, double> && row::rank() == 2 && scalar::rank() == 0);
  static_assert(jig::is_symbol<row> && !jig::is_symbol<jig::tensor<float>>);
  static_assert(jig::world_of<row> == jig::world::traced && jig::is_value<row>);
}

TEST_CASE("assignment changes what an object stands for, copies are objects of their own") {
  constexpr bool holds = [] {
    jig::builder b;
    scalar x(&b, b.input({jig::dtype::float32, {}}, "x")), y(&b, b.input({jig::dtype::float32, {}}, "y"));
    scalar copy = x;
    bool ok = copy.place() == x.place() && b.value.size() == 3;
    x = y;
    ok = ok && x.place() == y.place() && copy.place() == jig::edge{0, 0};
    x = copy;
    ok = ok && x.place() == copy.place() && y.place() == jig::edge{1, 0};
    x = x + y;
    return ok && x.place() == jig::edge{2, 0} && copy.place() == jig::edge{0, 0} && b.graph.size() == 3;
  }();
  static_assert(holds);
}

TEST_CASE("objects that are gone are dead in the table") {
  constexpr bool holds = [] {
    jig::builder b;
    scalar x(&b, b.input({jig::dtype::float32, {}}, "x"));
    {
      scalar gone = x;
    }
    auto sum = x + x;
    return b.alive[0] == 1 && b.alive[1] == 0 && b.alive[2] == 1 && sum.place() == jig::edge{1, 0};
  }();
  static_assert(holds);
}

TEST_CASE("a loop over a symbol unrolls, and its sharing is kept") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    for (int i = 0; i < 20; ++i) x = x + x;
    return x;
  });
  static_assert(f.get_concrete_function(jig::spec<std::int64_t>{}).graph().size() == 21);
  CHECK(f(std::int64_t{1})() == 1 << 20);
}

TEST_CASE("a lambda that changes its parameters leaves the arguments alone") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    auto keep = x;
    x = y;
    y = keep;
    return std::tuple(x, y);
  });
  auto [a, b] = f(1, 2);
  CHECK(a() == 2);
  CHECK(b() == 1);
}

TEST_CASE("literals and tensors beside symbols become constants") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return (x + jig::tensor<float, 2>{10, 20}) * 2 + 0.5 - jig::lit<1>; });
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, 2>{});
  static_assert(concrete.graph().count("Const") == 4);
  static_assert(concrete.graph().node(1).spec() == jig::tensor_spec{jig::dtype::float32, {1, {2}}});
  CHECK(f(jig::tensor<float, 2>{1, 2})(1) == 43.5f);
  constexpr auto array = jig::function<"f(x)">([](auto x) { return x * std::array<int, 3>{1, 2, 3}; });
  CHECK(array(std::vector<int>{5})(2) == 15);
}

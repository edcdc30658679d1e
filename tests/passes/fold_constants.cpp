// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "without_passes.hpp"

namespace {

template <class F, class... S>
constexpr jig::graph folded(F f, S... spec) {
  return jig::fold_constants(jig::graph_of(f, spec...));
}
// A constant of the same world as x.
template <class X, class V>
constexpr auto c(const X& x, V value) {
  return jig::constant_like(x, value);
}

}  // namespace

TEST_CASE("what follows from constants is one") {
  constexpr auto f = [](auto x) { return x + c(x, 2) * 3; };
  CHECK(jig::to_text(jig::graph_of(f, jig::spec<float>())) == R"(args_0 = Placeholder() : float32 ()
mul/x = Const() {value: 2.0} : float32 ()
mul/y = Const() {value: 3.0} : float32 ()
mul = Mul(mul/x, mul/y) : float32 ()
add = AddV2(args_0, mul) : float32 ()
return add
)");
  CHECK(jig::to_text(folded(f, jig::spec<float>())) == R"(args_0 = Placeholder() : float32 ()
add/y = Const() {value: 6.0} : float32 ()
add = AddV2(args_0, add/y) : float32 ()
return add
)");
}

TEST_CASE("through conversions, comparisons, choices and views") {
  constexpr auto f = [](auto x) {
    auto ones = jig::ones_like(jig::reshape<2, 4>(x));
    auto steps = jig::concat<0>(ones * 3, ones - 0.5);
    auto chosen = jig::where(steps > 1, jig::cast<int>(steps), 7);
    return std::tuple(jig::transpose(jig::reverse<0>(chosen)), jig::stack<1>(chosen, chosen),
                      jig::strided_slice<1, jig::range_of(0, 4, 2)>(chosen), jig::reduce_sum<1>(chosen), jig::reduce_max(chosen),
                      jig::reduce_all<0>(chosen == 3), jig::broadcast_to<3, 4>(jig::strided_slice<0>(chosen)));
  };
  constexpr auto count = [](const jig::graph& g) { return g.size(); };
  // Nothing but the argument and one constant for each result.
  static_assert(count(folded(f, jig::spec<float, 8>())) == 1 + 7 && jig::verify(folded(f, jig::spec<float, 8>())) == nullptr);
  same_without_passes(jig::function(f), jig::zeros<float, 8>());
}

TEST_CASE("shapes that are known") {
  constexpr auto f = [](auto x) {
    return std::tuple(jig::zeros_like(x), jig::full_like(x, 3), jig::reduce_prod(jig::shape_of(x)) * jig::extent<1>(x),
                      x + jig::ones_like(x));
  };
  constexpr auto counts = [](const jig::graph& g) {
    return g.count("ZerosLike") + g.count("OnesLike") + g.count("Fill") + g.count("Prod");
  };
  static_assert(counts(folded(f, jig::spec<int, 2, 3>())) == 0 && counts(folded(f, jig::spec<int, 2, jig::dyn>())) == 4);
  // Large constants cost more than computing them.
  static_assert(counts(folded(f, jig::spec<int, 20, 30>())) == 3);
  same_without_passes(jig::function(f), jig::tensor<int, 2, 3>{{1, 2, 3}, {4, 5, 6}});
}

TEST_CASE("what constant evaluation cannot do, or kernels approximate, stays") {
  using jig::spec;
  static_assert(folded([](auto x) { return jig::sin(c(x, 2)); }, spec<float>()).count("Sin") == 1);
  static_assert(folded([](auto x) { return jig::pow(c(x, 2), 3); }, spec<float>()).count("Pow") == 1);
  static_assert(folded([](auto x) { return c(x, 1) / 0; }, spec<float>()).count("RealDiv") == 1);
  static_assert(folded([](auto x) { return c(x, 3e38f) * 10; }, spec<float>()).count("Mul") == 1);
  static_assert(folded([](auto x) { return jig::reduce_sum(jig::ones_like(x)); }, spec<float, 3>()).count("Sum") == 1);
}

TEST_CASE("an integer division by zero throws when it runs, and only then") {
  static constexpr auto used = jig::function([](auto n) { return n + c(n, 1) / 0 * 0; });
  static constexpr auto modulo = jig::function([](auto n) { return n + c(n, 7) / 2 % 2; });
  CHECK_THROWS_AS(used(1), jig::invalid_argument);
  CHECK_THROWS_AS(used.without_passes()(1), jig::invalid_argument);
  static_assert(modulo.get_concrete_function(jig::spec<int>()).optimized_graph().count("TruncateMod") == 0);
  CHECK(modulo(1)() == 2);
  // Only the shape of a value that throws is read: it still throws.
  static constexpr auto shape_only = jig::function([](auto n) { return jig::zeros_like(n / 0); });
  CHECK_THROWS_AS(shape_only(1), jig::invalid_argument);
}

TEST_CASE("in bodies, with constants from outside") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    auto half = c(x, 4) / 8;
    for (auto i : jig::range(n)) x = x * (half + 1) + jig::cast<float>(i);
    return x;
  });
  constexpr auto& g = f.get_concrete_function(jig::spec<float>(), jig::spec<int>()).optimized_graph();
  static_assert(g.count("RealDiv") == 0 && g.count("AddV2") == 2 && jig::verify(g) == nullptr);
  same_without_passes(f, 1.5f, 5);
}

TEST_CASE("many elements are left to the call") {
  static constexpr auto f = [](auto x) {
    auto sum = x;
    for (int i = 0; i < 40; ++i) sum = sum + jig::cast<float>(jig::cast<int>(jig::ones_like(x)) + i);
    return sum;
  };
  static_assert(folded(f, jig::spec<float, 200>()).size() > 0);
  same_without_passes(jig::function(f), jig::zeros<float, 200>());
}

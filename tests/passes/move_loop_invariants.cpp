// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

#include "printed.hpp"
#include "without_passes.hpp"

namespace {

// How many nodes with this name are outside of all bodies.
constexpr int outside(const jig::graph_view& g, std::string_view op) {
  int n = 0;
  for (int id = 0; id < g.size(); ++id) n += g.node(id).op() == op;
  return n;
}
template <class F, class... S>
constexpr int moved(F f, const char* op, S... spec) {
  return outside(jig::move_loop_invariants(jig::graph_of(f, spec...)), op);
}
using matrix = jig::spec<float, 2, 2>;

}  // namespace

TEST_CASE("what is the same in every trip is computed before the loop") {
  constexpr auto f = [](auto x, auto w, auto n) {
    for (auto i : jig::range(n)) x = x + jig::matmul(jig::exp(w), w) * jig::cast<float>(i);
    return x;
  };
  CHECK(jig::to_text(jig::move_loop_invariants(jig::graph_of(f, matrix(), matrix(), jig::spec<int>()))) ==
        R"(args_0 = Placeholder() : float32 (2, 2)
args_1 = Placeholder() : float32 (2, 2)
args_2 = Placeholder() : int32 ()
while/x = Const() {value: 0} : int32 ()
Exp = Exp(args_1) : float32 (2, 2)
MatMul = MatMul(Exp, args_1) : float32 (2, 2)
while = While(while/x, args_0, args_2, MatMul) : int32 (), float32 (2, 2)
  cond(while/x, args_0, args_2, MatMul):
    Less = Less(while/x, args_2) : bool ()
    return Less
  body(while/x, args_0, args_2, MatMul):
    add/y = Const() {value: 1} : int32 ()
    add = AddV2(while/x, add/y) : int32 ()
    Cast = Cast(while/x) {DstT: float32} : float32 ()
    mul = Mul(MatMul, Cast) : float32 (2, 2)
    add_1 = AddV2(args_0, mul) : float32 (2, 2)
    return add, add_1
return while:1
)");
  same_without_passes(jig::function(f), jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, jig::tensor<float, 2, 2>{{-1, 0.5}, {2, 0}}, 3);
  same_without_passes(jig::function(f), jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, jig::tensor<float, 2, 2>{{-1, 0.5}, {2, 0}}, 0);
}

TEST_CASE("out of conditions and out of all loops around") {
  static constexpr auto f = jig::function([](auto x, auto w, auto n) {
    for (auto i : jig::range(n)) {
      JIG_WHILE(jig::reduce_sum(x) < jig::reduce_sum(jig::exp(w))) x = x + jig::exp(w) + jig::cast<float>(i);
      x = x - jig::sin(w);
    }
    return x;
  });
  constexpr auto& g = f.get_concrete_function(matrix(), matrix(), jig::spec<int>()).optimized_graph();
  static_assert(outside(g, "Exp") == 1 && outside(g, "Sum") == 1 && outside(g, "Sin") == 1 && g.count("Exp") == 1 &&
                jig::verify(g) == nullptr);
  same_without_passes(f, jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, jig::tensor<float, 2, 2>{{1, 2}, {3, 1}}, 4);
}

TEST_CASE("single numbers move, single operations on many elements do not") {
  constexpr auto f = [](auto x, auto w, auto n) {
    for (auto i : jig::range(n * 2)) x = x + w * 2 + jig::cast<float>(n - 1) + jig::cast<float>(i);
    return x;
  };
  static_assert(moved(f, "Mul", matrix(), matrix(), jig::spec<int>()) == 1 && moved(f, "Cast", matrix(), matrix(), jig::spec<int>()) == 1);
  same_without_passes(jig::function(f), jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, jig::tensor<float, 2, 2>{{1, 2}, {3, 1}}, 4);
}

TEST_CASE("what may throw stays, since the loop may make no trip") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    for (auto i : jig::range(n)) x = x + 12 / n + i;
    return x;
  });
  static_assert(outside(f.get_concrete_function(jig::spec<int>(), jig::spec<int>()).optimized_graph(), "TruncateDiv") == 0);
  CHECK(f(5, 0)() == 5);
  same_without_passes(f, 5, 3);
  static constexpr auto divides = jig::function([](auto x, auto n, auto d) {
    for (auto i : jig::range(n)) x = x + 12 / d + i;
    return x;
  });
  CHECK(divides(5, 0, 0)() == 5);
  CHECK_THROWS_AS(divides(5, 1, 0), jig::invalid_argument);
  // Extents that may not fit.
  static constexpr auto extents = jig::function([](auto x, auto y, auto n) {
    auto sum = jig::reduce_sum(x);
    for (auto i : jig::range(n)) sum = sum + jig::reduce_sum(jig::exp(x * y)) + jig::cast<float>(i);
    return sum;
  });
  using vector = jig::spec<float, jig::dyn>;
  static_assert(outside(extents.get_concrete_function(vector(), vector(), jig::spec<int>()).optimized_graph(), "Exp") == 0);
}

TEST_CASE("extents of what a loop does not change") {
  static constexpr auto sum = jig::function([](auto x) {
    auto i = jig::constant_like(jig::extent<0>(x), 0);
    auto out = jig::constant_like(x, 0.0f);
    JIG_WHILE(i < jig::extent<0>(x)) {
      out = out + x(i) * jig::cast<float>(jig::extent<0>(x));
      i = i + 1;
    }
    return out;
  });
  constexpr auto& g = sum.get_concrete_function(jig::spec<float, jig::dyn>()).optimized_graph();
  static_assert(outside(g, "Shape") > 0 && g.count("Shape") == outside(g, "Shape"));
  CHECK(sum(std::vector<float>{1, 2, 4})() == 21);
  CHECK(sum(std::vector<float>{})() == 0);
  // Of what it changes, in every trip.
  static constexpr auto last = jig::function([](auto x) {
    auto i = jig::constant_like(jig::extent<0>(x), 0);
    JIG_WHILE(i < jig::extent<0>(x)) {
      x = x + 1;
      i = i + 1;
    }
    return x;
  });
  CHECK(last(std::vector<float>{1, 2, 4})(2) == 7);
}

TEST_CASE("effects stay in every trip, branches keep what only they compute") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    for (auto i : jig::range(n)) {
      jig::print("n", n * 2, i);
      JIG_IF(i > 1) x = x + jig::exp(jig::cast<float>(n));
    }
    return x;
  });
  CHECK(printed([] { (void)f(1.0f, 3); }) == printed([] { (void)f.without_passes()(1.0f, 3); }));
  same_without_passes(f, 1.0f, 3);
}

TEST_CASE("loops with effects only") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    for (auto i : jig::range(n)) jig::print("", jig::exp(x) + jig::cast<float>(i));
  });
  constexpr auto& g = f.get_concrete_function(jig::spec<float>(), jig::spec<int>()).optimized_graph();
  static_assert(outside(g, "Exp") == 1 && jig::verify(g) == nullptr);
  CHECK(printed([] { f(1.0f, 3); }) == printed([] { f.without_passes()(1.0f, 3); }));
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "printed.hpp"
#include "without_passes.hpp"

namespace {

// What the graph that runs holds.
template <class F, class... S>
constexpr int runs(F f, const char* op, S... spec) {
  return jig::optimize(jig::graph_of(f, spec...)).count(op);
}
template <class X, class V>
constexpr auto c(const X& x, V value) {
  return jig::constant_like(x, value);
}

}  // namespace

TEST_CASE("the branch that is taken stands in place of an If") {
  constexpr auto f = [](auto x) {
    auto y = x;
    if (c(x, 2) < 3) y = jig::exp(x);
    else y = jig::log(x);
    JIG_IF(c(x, 2) > 3) y = y * 7;
    JIG_ELSE y = y - 1;
    return y;
  };
  constexpr auto& g = jig::graph_of(f, jig::spec<float>());
  static_assert(g.count("If") == 2 && jig::fold_branches(g).count("If") == 2);  // the conditions are no constants yet
  CHECK(jig::to_text(jig::fold_branches(jig::fold_constants(g))) == R"(args_0 = Placeholder() : float32 ()
Exp = Exp(args_0) : float32 ()
sub/y = Const() {value: 1.0} : float32 ()
sub = Sub(Exp, sub/y) : float32 ()
return sub
)");
  static_assert(runs(f, "If", jig::spec<float>()) == 0 && runs(f, "Log", jig::spec<float>()) == 0);
  same_without_passes(jig::function(f), 0.75f);
}

TEST_CASE("branches in branches, with effects in their order") {
  static constexpr auto f = jig::function([](auto x) {
    jig::print("before", x);
    if (c(x, 1) == 1) {
      jig::print("taken", x);
      if (x > 0) jig::print("positive", x);
      if (c(x, 1) != 1) jig::print("never", x);
    } else {
      jig::print("else", x);
    }
    jig::print("behind", x);
    return x + 1;
  });
  constexpr auto& g = f.get_concrete_function(jig::spec<int>()).optimized_graph();
  static_assert(g.count("If") == 1 && g.count("PrintV2") == 4 && jig::verify(g) == nullptr);
  for (int x : {-1, 4}) CHECK(printed([&] { (void)f(x); }) == printed([&] { (void)f.without_passes()(x); }));
}

TEST_CASE("loops that never run") {
  static constexpr auto f = jig::function([](auto x) {
    auto y = x;
    for (auto i : jig::range(c(jig::cast<int>(x), 0))) y = y + jig::cast<float>(i) * jig::exp(x);
    JIG_WHILE(c(x, 1) > 2) y = y * 2;
    return y;
  });
  constexpr auto& g = f.get_concrete_function(jig::spec<float>()).optimized_graph();
  static_assert(g.count("While") == 0 && g.size() == 1);
  same_without_passes(f, -0.0f);
}

TEST_CASE("loops that compute with known scalars are constants") {
  static constexpr auto f = jig::function([](auto x) {
    auto fibonacci = c(jig::cast<int>(x), 1), last = fibonacci;
    for (auto i : jig::range(c(fibonacci, 10))) {
      auto next = fibonacci + last;
      last = fibonacci;
      fibonacci = next + 0 * i;
    }
    return x + jig::cast<float>(fibonacci);
  });
  static_assert(f.get_concrete_function(jig::spec<float>()).optimized_graph().count("While") == 0);
  CHECK(f(0.0f)() == 144);
  same_without_passes(f, 1.0f);
  // Too many trips for constant evaluation.
  static_assert(runs(
                    [](auto x) {
                      auto sum = c(jig::cast<int>(x), 0);
                      for (auto i : jig::range(c(sum, 100000))) sum = sum + i;
                      return sum;
                    },
                    "While", jig::spec<float>()) == 1);
}

TEST_CASE("a condition with an effect happens once, a loop with effects runs") {
  static constexpr auto f = jig::function([](auto x) {
    auto n = c(jig::cast<int>(x), 0);
    JIG_WHILE(n < 3) {
      jig::print("trip", n);
      n = n + 1;
    }
    return x;
  });
  CHECK(printed([] { (void)f(1.0f); }) == printed([] { (void)f.without_passes()(1.0f); }));
}

TEST_CASE("an integer division by zero in a branch that is not taken does not run") {
  static constexpr auto f = jig::function([](auto n) {
    auto y = n;
    if (c(n, 1) == 2) y = n / 0;
    return y;
  });
  CHECK(f(3)() == 3);
  static constexpr auto taken = jig::function([](auto n) {
    auto y = n;
    if (c(n, 1) == 1) y = n / 0;
    return y;
  });
  CHECK_THROWS_AS(taken(3), jig::invalid_argument);
}

TEST_CASE("a loop of one trip from constants to what only a call knows stays") {
  constexpr auto f = [](auto x) {
    auto [i, y] = jig::while_loop([](auto k, auto) { return k < 1; }, [&](auto k, auto) { return std::tuple(k + 1, x); },
                                  std::tuple(jig::constant_like(jig::cast<int>(x), 0), c(x, 1)));
    return y;
  };
  CHECK(jig::function(f)(3.0f)() == 3.0f);
  same_without_passes(jig::function(f), 0.75f);
}

// SPDX-License-Identifier: MIT
#include <jig/trace/lower.hpp>

#include "../interpreted.hpp"
#include "../recorded.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <tuple>
#include <vector>

namespace {

using number = jig::spec<int>;

// What the graph of f gives for all pairs of some numbers is what f gives for them as C++.
template <class F>
jig::graph same_as_cpp(F f) {
  const auto made = recorded<number, number>(f);
  REQUIRE(made.failure == jig::trace_failure::none);
  REQUIRE(jig::verify(made.graph.view()) == nullptr);
  const auto run = interpreted(made.graph.view());
  for (int x : {-3, -1, 0, 1, 2, 5, 9, 17})
    for (int y : {-2, 0, 1, 4, 7}) {
      CAPTURE(x);
      CAPTURE(y);
      CHECK(run({jig::any_tensor(x), jig::any_tensor(y)})[0].template as<int>()() == f(x, y));
    }
  return made.graph;
}

}  // namespace

TEST_CASE("a fork becomes an If, what follows both sides stands behind it once") {
  const jig::graph g = same_as_cpp([](auto x, auto y) {
    auto z = x;
    if (x > y) z = x - y;
    else z = y * 3;
    return z * z + 1;
  });
  CHECK(g.view().count("If") == 1);
  CHECK(g.view().count("Mul") == 2);  // one in a side, one behind it
}

TEST_CASE("early returns") {
  same_as_cpp([](auto x, auto y) {
    if (x > 4) return x * y;
    if (y > 3) {
      if (x == y) return x + 100;
      return y - x;
    }
    return x + y;
  });
}

TEST_CASE("a loop becomes a While, which carries what changes and captures what does not") {
  const jig::graph g = same_as_cpp([](auto x, auto y) {
    auto n = x * 0;
    JIG_WHILE(x < 12) {
      x = x + y * y + 1;
      n = n + 1;
    }
    return n * 1000 + x;
  });
  const jig::graph_view view = g.view();
  REQUIRE(view.count("While") == 1);
  for (int id = 0; id < view.size(); ++id)
    if (view.node(id).op() == "While") CHECK(view.node(id).inputs().size() == 3);  // x, n and y
}

TEST_CASE("break, continue and return out of loops, in loops") {
  same_as_cpp([](auto x, auto y) {
    auto sum = x * 0;
    for (auto i : jig::range(y)) {
      if (i == 5) break;
      if (i % 2 == 1) continue;
      for (auto k : jig::range(x)) {
        if (k * i == 12) return sum - 1000;
        sum = sum + k;
      }
      sum = sum + i;
    }
    return sum;
  });
}

TEST_CASE("values that change places") {
  same_as_cpp([](auto x, auto y) {
    auto a = x, b = y;
    for ([[maybe_unused]] auto i : jig::range(y)) {
      auto t = a + b;
      a = b;
      b = t;
    }
    return a * 7 - b;
  });
}

TEST_CASE("blocks in sequence and within each other") {
  const jig::graph g = same_as_cpp([](auto x, auto y) {
    auto z = x;
    JIG_IF(x > y) {
      z = z - y;
      JIG_IF(z > 3) z = z * 2;
      JIG_ELSE z = z + 50;
    }
    JIG_IF(z % 2 == 0) z = z + 7;
    return z;
  });
  CHECK(g.view().count("If") == 3);
}

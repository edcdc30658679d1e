// SPDX-License-Identifier: MIT
#include "../same_as_compiled.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

using jig::range;

TEST_CASE("loops over ranges") {
  constexpr auto factorial = [](auto n) {
    auto result = n * 0 + 1;
    for (auto i : range(n)) result = result * (i + 1);
    return result;
  };
  static_assert(graph_of_one(factorial).count("While") == 1);
  same_as_compiled(factorial, -3, 12);
  same_as_compiled([](auto n) {
    auto s = n * 0;
    for (auto i : range(3, n)) s = s + i;
    return s;
  });
  same_as_compiled(
      [](auto n) {
        auto s = n * 0;
        for (auto i : range(n, -5, -3)) s = s * 2 + i;
        return s;
      },
      -10, 20);
  same_as_compiled_2([](auto n, auto step) {
    auto s = n * 0;
    if (step == 0) return s;
    for (auto i : range(n, n * 3, step)) {
      s = s + i;
      if (s > 1000) break;
      if (s < -1000) break;
    }
    return s;
  });
  // Nothing changes in the loop, or only what nobody needs.
  same_as_compiled([](auto n) {
    auto unused = n;
    for (auto i : range(n)) unused = unused + i;
    return n;
  });
  // Values change places.
  same_as_compiled([](auto n) {
    auto a = n * 0, b = n * 0 + 1;
    for (auto i : range(n)) {
      auto t = a + b + i * 0;
      a = b;
      b = t;
    }
    return a;
  });
}

TEST_CASE("a loop over numbers runs while the trace is made") {
  constexpr auto power = [](auto x) {
    auto y = x;
    for (auto i : range(3)) y = y * (x + i);
    return y;
  };
  static_assert(graph_of_one(power).count("While") == 0 && graph_of_one(power).count("Mul") == 3);
  same_as_compiled(power, -5, 5);
}

TEST_CASE("a range of step 0 is refused at run time") { CHECK_THROWS_AS(range(0, 5, 0), jig::invalid_argument); }

TEST_CASE("rows of a tensor") {
  constexpr auto sum = jig::function([](auto x, auto start) {
    auto s = start;
    for (auto row : jig::rows(x)) s = s + row;
    return s;
  });
  jig::tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  auto s = sum(x, jig::zeros<float, 2>());
  CHECK(s(0) == 9.0f);
  CHECK(s(1) == 12.0f);
  // Rows of a wildcard extent, none among them.
  for (jig::index n : {0, 1, 5}) {
    auto y = jig::ones<float, jig::dyn, 2>(n);
    CHECK(sum(y, jig::zeros<float, 2>())(1) == static_cast<float>(n));
  }
}

TEST_CASE("a loop of numbers that belongs to a trace is one node") {
  constexpr auto collatz_like = [](auto x) {
    for (auto i : range(0, 1000, jig::beside(x))) {
      JIG_IF(x > i) {
        x = x - 1;
      } JIG_ELSE {
        x = x * 2;
      }
    }
    return x;
  };
  static_assert(graph_of_one(collatz_like).count("While") == 1 && graph_of_one(collatz_like).size() < 10);
  same_as_compiled(collatz_like, 0, 6);

  constexpr auto from_zero = [](auto x) {
    for (auto i : range(3, jig::beside(x))) x = x * 2 + i;
    return x;
  };
  static_assert(graph_of_one(from_zero).count("While") == 1);
  same_as_compiled(from_zero, 0, 6);

  constexpr auto downwards = [](auto x) {
    auto sum = x * 0;
    for (auto i : range(10, 0, -3, jig::beside(x))) sum = sum * 2 + i;
    return sum + x;
  };
  static_assert(graph_of_one(downwards).count("While") == 1);
  same_as_compiled(downwards, -2, 2);
  constexpr auto f = jig::function(downwards);
  CHECK(f.eager(3)() == downwards(3));
}

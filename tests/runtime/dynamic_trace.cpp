// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <array>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using jig::dyn;
using jig::range;
using jig::spec;

constexpr spec<float> scalar{};
constexpr spec<float, 3> vector{};
constexpr spec<int> number{};

}  // namespace

TEST_CASE("branches of the program") {
  same_graph(
      [](auto x) {
        if (x < 0) return -x;
        return x;
      },
      scalar);
  same_graph(
      [](auto x) {
        auto s = x * 0;
        if (x > 0) s = s + 1;
        else if (x < 0) s = s - 1;
        else s = s + 0;
        return s;
      },
      scalar);
  same_graph([](auto x) { return x > 5 ? x * 2 : x + 100; }, scalar);
  same_graph(
      [](auto a, auto b) {
        if (a > b) {
          auto t = a;
          a = b;
          b = t;
        }
        return a * 100 + b;
      },
      scalar, scalar);
}

TEST_CASE("loops of the program") {
  same_graph(
      [](auto x, auto n) {
        auto best = x[0];
        for (auto i : range(1, n)) {
          if (x[i] < 0) continue;
          if (x[i] > 100) break;
          if (x[i] > best) best = x[i];
        }
        return best;
      },
      spec<float, dyn>(), number);
  same_graph(
      [](auto n) {
        for (auto i : range(2, n))
          if (n % i == 0) return i;
        return n;
      },
      number);
  same_graph(
      [](auto n, auto step) {
        auto sum = n * 0;
        for (auto i : range(n, 0, step)) sum = sum + i;
        return sum;
      },
      number, number);
  same_graph(
      [](auto n) {
        auto sum = n * 0;
        for (int k = 0; k < 3; ++k) sum = sum + n * k;
        return sum;
      },
      number);
  same_graph(
      [](auto& a, auto& b) {
        JIG_WHILE(b != 0) {
          auto t = b;
          b = a % b;
          a = t;
        }
        return a;
      },
      number, number);
}

TEST_CASE("JIG_IF") {
  same_graph(
      [](auto x) {
        auto y = x;
        JIG_IF(x > 0) {
          y = x * 2;
        } JIG_ELSE {
          y = x - 1;
        }
        JIG_IF(y > 10) y = y / 2;
        return y;
      },
      scalar);
}

TEST_CASE("structures, literals and nothing") {
  auto f = [](auto p, auto n) { return std::tuple(std::get<0>(p) + std::get<1>(p), std::tuple(std::get<1>(p) * n, 2.5f)); };
  same_graph(f, std::tuple(vector, vector), jig::lit<3>);
  auto made = traced_dynamically(f, std::tuple(vector, vector), jig::lit<3>);
  static_assert(made.results == 3);
  int next = 0;
  auto count = [&] { return next++; };
  CHECK(jig::detail::structure_of_leaves<decltype(made)::result_structure>(count) == std::tuple(0, std::tuple(1, 2)));
  static_assert(decltype(traced_dynamically([](auto) {}, vector))::results == 0);

  const auto named = jig::detail::dynamic_trace(
      "f(x, (a, b))", [](auto x, auto y) { return x + std::get<0>(y); }, jig::tensor_spec{jig::dtype::float32, {1, {3}}},
      std::tuple(vector, jig::lit<1>));
  CHECK(jig::to_text(named.graph).starts_with("x = Placeholder() : float32 (3,)\n"));
}

TEST_CASE("a lambda may capture what is no part of the trace") {
  int factor = 3;
  const auto made = jig::detail::dynamic_trace("", [&](auto x) { return x * factor; }, vector);
  CHECK(jig::to_text(made.graph) == jig::to_text(jig::graph_of([](auto x) { return x * 3; }, vector)));
}

TEST_CASE("what a lambda captures must not change while it is traced") {
  int runs = 0;
  CHECK(refused_dynamically(
            [&](auto x) {
              x = x * ++runs;
              if (x > 0) return x;
              return -x;
            },
            scalar) == "function: the lambda runs once for every way through it, and what it captures must not change");
  runs = 0;
  CHECK(refused_dynamically(
            [&](auto x) {
              if (++runs == 1 && x > 0) return x;
              return -x;
            },
            scalar) == "function: the lambda runs once for every way through it, and what it captures must not change");
}

TEST_CASE("what makes no graph") {
  CHECK(refused_dynamically(
            [](auto x) {
              for (int k = 0; k < 7; ++k)
                if (x > k) return x * k;
              for (int k = 0; k < 40; ++k) x = x > k ? x + 1 : x * (k + 2);
              return x;
            },
            scalar)
            .starts_with("function: more than 64 ways through the ifs of the lambda"));
  CHECK(refused_dynamically(
            [](auto x) {
              while (x > 0) x = x - 1;
              return x;
            },
            scalar)
            .starts_with("function: more than 64 ways through the ifs of the lambda"));
  CHECK(refused_dynamically(
            [](auto x) {
              JIG_IF(x > 0) return x;
              return -x;
            },
            scalar) == "function: JIG_IF cannot be left by return, break or continue: use a plain if");
  CHECK(refused_dynamically(
            [](auto c, auto x, auto y) {
              if (c) return x;
              return y;
            },
            spec<bool>(), vector,
            scalar) == "function: the ways through the lambda return values of different specs: float32 (3,) and float32 ()");
  same_graph(
      [](auto& c, auto& x, auto& y) {
        auto a = x + 1;
        auto b = y + 1;
        if (c) return jig::reduce_sum(a);
        return jig::reduce_sum(b);
      },
      spec<bool>(), vector, spec<float, 4>());
}

TEST_CASE("a lambda that throws leaves nothing behind") {
  struct stop {};
  CHECK_THROWS_AS((void)traced_dynamically(
                      [](auto x, auto n) {
                        for (auto i : range(n)) {
                          JIG_IF(i > 2) {
                            if (i.rank() == 0) throw stop();
                          }
                        }
                        return x;
                      },
                      vector, number),
                  stop);
}

TEST_CASE("a value that is kept beyond its trace is refused") {
  std::vector<jig::dynamic_symbol> kept;
  CHECK(refused_dynamically(
            [&](auto x) {
              kept.push_back(x);
              return x;
            },
            vector) == "a traced value has been kept by the lambda: what it computes must be returned");
  CHECK(kept[0].rank() == 1);
}

TEST_CASE("traces on several threads") {
  auto f = [](auto x, auto n) {
    for (auto i : range(n))
      if (jig::reduce_sum(x) > 3) x = x * jig::cast<float>(i);
    return x;
  };
  const std::string expected = jig::to_text(jig::graph_of(f, vector, number));
  std::array<std::string, 4> found;
  {
    std::vector<std::thread> threads;
    for (auto& text : found)
      threads.emplace_back([&] {
        for (int k = 0; k < 20; ++k) text = jig::to_text(traced_dynamically(f, vector, number).graph);
      });
    for (auto& t : threads) t.join();
  }
  for (const auto& text : found) CHECK(text == expected);
}

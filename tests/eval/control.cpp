// SPDX-License-Identifier: MIT
#include <jig/eval/control.hpp>

#include <jig.hpp>

#include "../control_nodes.hpp"
#include "../without_line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using control_nodes::constant, control_nodes::if_node, control_nodes::while_node;
using integer = jig::spec<std::int64_t>;

// Keeps what it sees, and returns how much that is.
std::vector<std::int64_t> noted;
constexpr void note_rule(jig::rule_context& c) { c.result = c.inputs[0]; }
constexpr jig::op note{.name = "Note", .label = "note", .facts = jig::fact::stateful, .rule = note_rule};

}  // namespace

template <>
struct jig::kernel<note> {
  static void run(auto, const auto& out, const auto& x) {
    noted.push_back(x());
    out() = static_cast<std::int64_t>(noted.size());
  }
};

namespace {

constexpr auto collatz = jig::function<"collatz(n)">([](auto n) {
  auto step = [](auto x, auto steps) {
    auto even = [](auto v) { return v / 2; };
    auto odd = [](auto v) { return v * 3 + 1; };
    return std::tuple(if_node<integer>(x % 2 == 0, even, odd, x), steps + 1);
  };
  return std::get<1>(while_node(std::tuple(n, constant<std::int64_t>(n, 0)), [](auto x, auto) { return x != 1; }, step));
});

std::int64_t plain_collatz(std::int64_t n) {
  std::int64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

// x after n trips of f.
template <class F>
constexpr auto repeat(F) {
  return [](auto x, auto n) {
    auto trip = [](auto v, auto i, auto) { return std::tuple(F{}(v), i + 1); };
    return std::get<0>(while_node(std::tuple(x, constant<std::int64_t>(x, 0)), [](auto, auto i, auto last) { return i < last; }, trip, n));
  };
}

template <class T, jig::index N>
jig::tensor<T, N> ramp() {
  jig::tensor<T, N> x;
  for (jig::index i = 0; i < N; ++i) x(i) = static_cast<T>(i) / 8 - 1;
  return x;
}

template <class F>
std::string sentence(F f) {
  try {
    f();
    return "";
  } catch (const jig::error& e) {
    return without_line(e.what());
  }
}

}  // namespace

TEST_CASE("a branch in a loop over scalars") {
  for (std::int64_t n : {1, 2, 3, 6, 7, 27, 97, 871}) CHECK(collatz(n)() == plain_collatz(n));
}

TEST_CASE("values that change places, with zero trips too") {
  static constexpr auto gcd = jig::function<"gcd(a, b)">([](auto a, auto b) {
    return std::get<0>(
        while_node(std::tuple(a, b), [](auto, auto y) { return y != 0; }, [](auto x, auto y) { return std::tuple(y, x % y); }));
  });
  auto plain = [](std::int64_t a, std::int64_t b) {
    while (b != 0) a = std::exchange(b, a % b);
    return a;
  };
  for (std::int64_t a : {0, 1, 12, 18, 1071, 46368})
    for (std::int64_t b : {0, 1, 18, 462, 28657}) CHECK(gcd(a, b)() == plain(a, b));
}

TEST_CASE("small vectors stay locals") {
  static constexpr auto f = jig::function<"f(x, n)">(repeat([](auto v) { return jig::tanh(v * 1.5f); }));
  jig::tensor<float, 5> x{-2, -0.5f, 0, 0.25f, 3};
  for (std::int64_t n : {0, 1, 2, 9}) {
    auto r = f(x, n);
    for (jig::index i = 0; i < 5; ++i) {
      float expected = x(i);
      for (std::int64_t k = 0; k < n; ++k) expected = std::tanh(expected * 1.5f);
      CHECK(r(i) == doctest::Approx(expected).epsilon(1e-5));
    }
  }
}

TEST_CASE("a matrix that every trip reads as a whole") {
  static constexpr auto power = jig::function<"power(a, n)">([](auto a, auto n) {
    auto trip = [](auto product, auto i, auto factor, auto) { return std::tuple(jig::matmul(product, factor), i + 1); };
    auto more = [](auto, auto i, auto, auto last) { return i < last; };
    return std::get<0>(while_node(std::tuple(a, constant<std::int64_t>(n, 1)), more, trip, a, n));
  });
  jig::tensor<double, 10, 10> a;
  for (jig::index i = 0; i < 10; ++i)
    for (jig::index j = 0; j < 10; ++j) a(i, j) = static_cast<double>((i * 7 + j * 3) % 5 - 2) / 4;
  for (std::int64_t n : {1, 2, 3, 6}) {
    auto expected = a;
    for (std::int64_t k = 1; k < n; ++k) expected = jig::matmul(expected, a);
    auto r = power(a, n);
    for (jig::index i = 0; i < 100; ++i) CHECK(r.data()[i] == doctest::Approx(expected.data()[i]));
  }
}

TEST_CASE("large vectors, written in place or not, of static and of unknown length") {
  constexpr jig::index size = 100000;
  static constexpr auto along = jig::function<"along(x, n)">(repeat([](auto v) { return v * 0.5f + 1.0f; }));
  static constexpr auto across = jig::function<"across(x, n)">(repeat([](auto v) { return jig::reverse<0>(v) * 0.5f + v; }));
  auto x = ramp<float, size>();
  std::vector<float> unknown(x.data(), x.data() + size);
  for (std::int64_t n : {0, 1, 2, 3, 5}) {
    CAPTURE(n);
    std::vector<float> a = unknown, b = unknown;
    for (std::int64_t k = 0; k < n; ++k) {
      for (auto& v : a) v = v * 0.5f + 1.0f;
      auto c = b;
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = c[b.size() - 1 - i] * 0.5f + c[i];
    }
    auto check = [](const auto& r, const std::vector<float>& expected) {
      bool same = r.size() == static_cast<jig::index>(expected.size());
      for (std::size_t i = 0; same && i < expected.size(); ++i) same = std::abs(r.data()[i] - expected[i]) < 1e-4f;
      CHECK(same);
    };
    check(along(x, n), a);
    check(across(x, n), b);
    check(across(unknown, n), b);
    // Results in the caller's memory, on top of the argument too.
    auto y = x;
    along.into(y, y, n);
    check(y, a);
    y = x;
    across.into(y, y, n);
    check(y, b);
  }
}

TEST_CASE("carried values that are strided before the loop") {
  static constexpr auto f =
      jig::function<"f(x, n)">([](auto x, auto n) { return repeat([](auto v) { return v * v; })(jig::reverse<0>(x), n); });
  jig::tensor<double, 3> x{1, 2, 3};
  for (std::int64_t n : {0, 1, 2}) {
    auto r = f(x, n);
    for (jig::index i = 0; i < 3; ++i) CHECK(r(i) == std::pow(x(2 - i), std::pow(2.0, static_cast<double>(n))));
  }
  auto y = ramp<double, 100>();
  for (std::int64_t n : {0, 1, 2}) {
    auto r = f(y, n);
    for (jig::index i = 0; i < 100; ++i) CHECK(r(i) == doctest::Approx(std::pow(y(99 - i), std::pow(2.0, static_cast<double>(n)))));
  }
}

TEST_CASE("a loop in a loop in a branch") {
  // The sum of i * j for 0 <= j < i < n, or -1 if n is negative.
  static constexpr auto f = jig::function<"f(n)">([](auto n) {
    auto sums = [](auto last) {
      auto zero = constant<std::int64_t>(last, 0);
      auto outer = [](auto i, auto sum, auto) {
        auto inner = [](auto j, auto s, auto at) { return std::tuple(j + 1, s + at * j); };
        auto r = while_node(std::tuple(constant<std::int64_t>(i, 0), sum), [](auto j, auto, auto at) { return j < at; }, inner, i);
        return std::tuple(i + 1, std::get<1>(r));
      };
      return std::get<1>(while_node(std::tuple(zero, zero), [](auto i, auto, auto m) { return i < m; }, outer, last));
    };
    return if_node<integer>(n < 0, [](auto last) { return constant<std::int64_t>(last, -1); }, sums, n);
  });
  for (std::int64_t n : {-3, 0, 1, 2, 7, 20}) {
    std::int64_t expected = n < 0 ? -1 : 0;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < i; ++j) expected += i * j;
    CHECK(f(n)() == expected);
  }
}

TEST_CASE("conditions wherever they lie") {
  static constexpr auto yes = [](auto x, auto y) { return std::tuple(x + y, x); };
  static constexpr auto no = [](auto x, auto y) { return std::tuple(y, x * y); };
  using row = jig::spec<float, 3>;
  static constexpr auto given = jig::function<"given(c, x, y)">([](auto c, auto x, auto y) { return if_node<row, row>(c, yes, no, x, y); });
  static constexpr auto reversed = jig::function<"reversed(c, x, y)">(
      [](auto c, auto x, auto y) { return if_node<row, row>(jig::element(jig::reverse<0>(c), 0), yes, no, x, y); });
  static constexpr auto fixed =
      jig::function<"fixed(x, y)">([](auto x, auto y) { return if_node<row, row>(constant(x, true), yes, no, x, y); });
  jig::tensor<float, 3> x{1, 2, 3}, y{4, 5, 6};
  auto check = [&](const auto& r, bool which) {
    for (jig::index i = 0; i < 3; ++i) {
      CHECK(std::get<0>(r)(i) == (which ? x(i) + y(i) : y(i)));
      CHECK(std::get<1>(r)(i) == (which ? x(i) : x(i) * y(i)));
    }
  };
  check(given(true, x, y), true);
  check(given(false, x, y), false);
  check(reversed(jig::tensor<bool, 2>{false, true}, x, y), true);
  check(reversed(jig::tensor<bool, 2>{true, false}, x, y), false);
  check(fixed(x, y), true);
}

TEST_CASE("what a branch captures may be strided, and computed before") {
  static constexpr auto f = jig::function<"f(c, x)">([](auto c, auto x) {
    auto t = jig::transpose(x);
    return if_node<jig::spec<float, 3, 2>>(c, [](auto a, auto b) { return a + b; }, [](auto a, auto) { return a; }, t, t * 2);
  });
  jig::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  auto yes = f(true, x), no = f(false, x);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index j = 0; j < 2; ++j) {
      CHECK(yes(i, j) == 3 * x(j, i));
      CHECK(no(i, j) == x(j, i));
    }
}

TEST_CASE("results of control nodes are values like others") {
  static constexpr auto f = jig::function<"f(c, x)">([](auto c, auto x) {
    using row = jig::spec<float, 4>;
    auto [a, b] = if_node<row, row>(c, [](auto v) { return std::tuple(v, v + 1); }, [](auto v) { return std::tuple(v + 2, v); }, x);
    return std::tuple(a, a, jig::reshape<2, 2>(b), jig::reduce_sum(a * b), b);
  });
  jig::tensor<float, 4> x{1, 2, 3, 4};
  for (bool c : {true, false}) {
    auto [a, again, matrix, sum, b] = f(c, x);
    float expected = 0;
    for (jig::index i = 0; i < 4; ++i) {
      CHECK(a(i) == x(i) + (c ? 0 : 2));
      CHECK(again(i) == a(i));
      CHECK(b(i) == x(i) + (c ? 1 : 0));
      CHECK(matrix.data()[i] == b(i));
      expected += a(i) * b(i);
    }
    CHECK(sum() == expected);
  }
}

TEST_CASE("strings are carried, and chosen") {
  static constexpr auto g = jig::function<"g(c, s, t)">([](auto c, auto s, auto t) {
    return if_node<jig::spec<std::string, 2>>(c, [](auto a, auto b) { return a + b; }, [](auto a, auto) { return a; }, s, t) + t;
  });
  jig::tensor<std::string, 2> s{"a string that is too long to be stored in place", "b"}, t{"c", "d"};
  CHECK(g(true, s, t)(1) == "bdd");
  CHECK(g(false, s, t)(0) == s(0) + "c");
  // Every trip reads both strings, so that it needs other memory for the next ones.
  static constexpr auto h = jig::function<"h(s, n)">(repeat([](auto v) { return jig::reverse<0>(v) + v; }));
  CHECK(h(jig::tensor<std::string, 2>{"x", "y"}, std::int64_t{0})(0) == "x");
  CHECK(h(jig::tensor<std::string, 2>{"x", "y"}, std::int64_t{2})(0) == "xyyx");
}

TEST_CASE("exceptions leave a loop, and the next call works") {
  static constexpr auto f = jig::function<"f(x, n)">(repeat([](auto v) { return jig::reverse<0>(v) / (v - 3); }));
  jig::tensor<std::int32_t, 100> x;
  for (jig::index i = 0; i < 100; ++i) x(i) = 7;
  CHECK(sentence([&] { f(x, std::int64_t{2}); }) == "");
  x(50) = 3;
  for (int k = 0; k < 3; ++k) CHECK(sentence([&] { f(x, std::int64_t{2}); }) == "TruncateDiv: integer division by zero");
  CHECK(f(x, std::int64_t{0})(50) == 3);
}

TEST_CASE("effects run in program order, as often as their body does") {
  static constexpr auto f = jig::function<"f(n)">([](auto n) {
    jig::call<note>(n);
    auto trip = [](auto i, auto) {
      if_node<>(i % 2 == 0, [](auto v) { jig::call<note>(v * 10); }, [](auto v) { (void)(v + v); }, i);
      return i + 1;
    };
    auto last = while_node(std::tuple(constant<std::int64_t>(n, 0)), [](auto i, auto m) { return i < m; }, trip, n);
    jig::call<note>(n + 100);
    jig::call<note>(last);
    return n;
  });
  noted.clear();
  CHECK(f(std::int64_t{5})() == 5);
  CHECK(noted == std::vector<std::int64_t>{5, 0, 20, 40, 105, 5});
}

TEST_CASE("a loop may carry nothing") {
  static constexpr auto f = jig::function<"f(n)">([](auto n) {
    while_node<>(std::tuple<>(), [](auto m) { return jig::call<note>(m) < 4; }, [](auto m) { jig::call<note>(m * 2); }, n);
    return n;
  });
  noted.clear();
  CHECK(f(std::int64_t{7})() == 7);
  CHECK(noted == std::vector<std::int64_t>{7, 14, 7, 14, 7});
}

TEST_CASE("bodies know which extents are equal around them") {
  using any = jig::spec<float, jig::dyn>;
  // Equal wildcards: no check is left for the bodies.
  static constexpr auto f = jig::function<"f(c, x, n)">([](auto c, auto x, auto n) {
    auto y = if_node<any>(c, [](auto a, auto b) { return a + b; }, [](auto a, auto) { return a * a; }, x, x * 2);
    return std::tuple(y + x, repeat([](auto v) { return v + v; })(y, n));
  });
  for (std::size_t size : {0u, 1u, 5u, 1000u}) {
    std::vector<float> x(size, 1.5f);
    for (bool c : {true, false}) {
      auto [sum, doubled] = f(c, x, std::int64_t{2});
      REQUIRE(sum.size() == static_cast<jig::index>(size));
      REQUIRE(doubled.size() == static_cast<jig::index>(size));
      for (jig::index i = 0; i < sum.size(); ++i) {
        CHECK(sum(i) == (c ? 6.0f : 3.75f));
        CHECK(doubled(i) == (c ? 18.0f : 9.0f));
      }
    }
  }
}

TEST_CASE("branches whose extents only the call knows") {
  using any = jig::spec<float, jig::dyn>;
  static constexpr auto f = jig::function<"f(c, x, y)">([](auto c, auto x, auto y) {
    return if_node<any>(c, [](auto a, auto b) { return jig::concat<0>(a, b); }, [](auto a, auto b) { return jig::concat<0>(b, a); }, x, y);
  });
  static constexpr auto g = jig::function<"g(c, x, y)">(
      [](auto c, auto x, auto y) { return if_node<any>(c, [](auto a, auto b) { return a * b; }, [](auto a, auto) { return a; }, x, y); });
  std::vector<float> x{1, 2}, y{3, 4, 5};
  CHECK(f(true, x, y).size() == 5);
  CHECK(f(true, x, y)(0) == 1);
  CHECK(f(false, x, y)(0) == 3);
  CHECK(g(true, x, x)(1) == 4);
  CHECK(g(false, x, x)(1) == 2);
  // The product fails only where it is computed.
  CHECK(g(false, x, std::vector<float>{2})(1) == 2);
  CHECK(g(true, x, std::vector<float>{2})(1) == 4);
  CHECK(sentence([&] { g(true, x, y); }) == "Mul: shapes do not broadcast: float32 (2,) and float32 (3,)");
  CHECK(sentence([&] { g(true, std::vector<float>{2}, y); }) == "If: the branches give different extents: 3 and 1");
}

TEST_CASE("a carried value keeps its extents") {
  static constexpr auto f = jig::function<"f(x, y, n)">([](auto x, auto y, auto n) {
    auto trip = [](auto v, auto i, auto w, auto) { return std::tuple(v + w, i + 1); };
    return std::get<0>(
        while_node(std::tuple(x, constant<std::int64_t>(n, 0)), [](auto, auto i, auto, auto last) { return i < last; }, trip, y, n));
  });
  std::vector<float> x{1, 2}, one{1}, three{1, 2, 3};
  CHECK(f(x, x, std::int64_t{3})(1) == 8);
  CHECK(f(x, one, std::int64_t{3})(1) == 5);
  CHECK(f(one, three, std::int64_t{0}).size() == 1);
  CHECK(sentence([&] { f(one, three, std::int64_t{1}); }) ==
        "While: the extents of a carried value changed: (1,) and (3,); jig::while_loop can change those that jig::shape_invariants leave "
        "open");
  CHECK(sentence([&] { f(x, three, std::int64_t{1}); }) == "AddV2: shapes do not broadcast: float32 (2,) and float32 (3,)");
  CHECK(f(x, three, std::int64_t{0}).size() == 2);
}

TEST_CASE("peak_workspace counts what bodies need") {
  using vector = jig::spec<float, 1000>;
  constexpr auto peak = [](auto f, auto... spec) { return jig::peak_workspace(jig::graph_of(f, spec...)); };
  // Written in place: the counter is a local, the vector lies in the result.
  static_assert(peak(repeat([](auto v) { return v * 2; }), vector(), integer()) < 4000);
  // Every trip reads the whole vector: two places by turns.
  constexpr jig::index turns = peak(repeat([](auto v) { return jig::reverse<0>(v) + v; }), vector(), integer());
  static_assert(turns > 4000 && turns < 8000);
  // The body itself stores a vector, and has read the old one when it writes the new one.
  constexpr jig::index stored = peak(repeat([](auto v) { return jig::cumsum<0>(v * 2); }), vector(), integer());
  static_assert(stored > 4000 && stored < 8000);
  static_assert(peak(repeat([](auto v) { return v * 2; }), jig::spec<float, jig::dyn>(), integer()) < 1000);
  static_assert(peak(repeat([](auto v) { return jig::reverse<0>(v) + v; }), jig::spec<float, jig::dyn>(), integer()) == -1);
  // Of two branches one runs.
  constexpr auto either = [](auto c, auto x) {
    auto one = [](auto v) { return jig::cumsum<0>(v * 2); };
    return if_node<vector>(c, one, [](auto v) { return v + jig::cumsum<0>(v); }, x);
  };
  constexpr jig::index branches = peak(either, jig::spec<bool>(), vector());
  static_assert(branches >= 4000 && branches < 8000);
}

TEST_CASE("only one value of a trip is written in place where both read each other's") {
  // The first is read again after it was written: it needs a place of its own.
  static constexpr auto f = jig::function<"f(x, y, n)">([](auto x, auto y, auto n) {
    auto trip = [](auto a, auto b, auto i, auto) { return std::tuple(a * 2 + 1, jig::reduce_max<0>(a) + b, i + 1); };
    auto more = [](auto, auto, auto i, auto last) { return i < last; };
    auto out = while_node(std::tuple(x, y, constant<std::int64_t>(n, 0)), more, trip, n);
    return std::tuple(std::get<0>(out), std::get<1>(out));
  });
  jig::tensor<double, 100> x = ramp<double, 100>(), y = ramp<double, 100>();
  for (std::int64_t n : {0, 1, 2, 3}) {
    auto a = x, b = y;
    for (std::int64_t k = 0; k < n; ++k) {
      double most = a(99);
      for (jig::index i = 0; i < 100; ++i) {
        b(i) += most;
        a(i) = a(i) * 2 + 1;
      }
    }
    auto [r, s] = f(x, y, n);
    bool same = true;
    for (jig::index i = 0; i < 100; ++i) same = same && r(i) == a(i) && s(i) == b(i);
    CHECK(same);
    // On top of the arguments too, in either order.
    auto p = x, q = y;
    f.into(std::tie(p, q), p, q, n);
    same = true;
    for (jig::index i = 0; i < 100; ++i) same = same && p(i) == a(i) && q(i) == b(i);
    CHECK(same);
    p = x, q = y;
    f.into(std::tie(q, p), p, q, n);
    same = true;
    for (jig::index i = 0; i < 100; ++i) same = same && q(i) == a(i) && p(i) == b(i);
    CHECK(same);
  }
}

TEST_CASE("large values that change places") {
  static constexpr auto f = jig::function<"f(x, y, n)">([](auto x, auto y, auto n) {
    auto trip = [](auto a, auto b, auto i, auto) { return std::tuple(b, a + 1, i + 1); };
    auto more = [](auto, auto, auto i, auto last) { return i < last; };
    auto out = while_node(std::tuple(x, y, constant<std::int64_t>(n, 0)), more, trip, n);
    return std::tuple(std::get<0>(out), std::get<1>(out));
  });
  auto x = ramp<float, 300>();
  auto y = x;
  for (auto& v : y) v += 100;
  for (std::int64_t n : {0, 1, 2, 5}) {
    auto a = x, b = y;
    for (std::int64_t k = 0; k < n; ++k) {
      std::swap(a, b);
      for (auto& v : b) v += 1;
    }
    auto [r, s] = f(x, y, n);
    bool same = true;
    for (jig::index i = 0; i < 300; ++i) same = same && r(i) == a(i) && s(i) == b(i);
    CHECK(same);
  }
}

TEST_CASE("elements are read and replaced in a loop, without a copy of all") {
  // The sieve of Eratosthenes: marks multiples of every number that is not marked.
  static constexpr auto sieve = jig::function<"sieve(marks)">([](auto marks) {
    using mark = jig::spec<std::int32_t, 1000>;
    auto outer = [](auto m, auto i) {
      auto strike = [](auto w, auto n) {
        auto trip = [](auto v, auto j, auto by) { return std::tuple(jig::set_row(v, j, constant<std::int32_t>(v, 1)), j + by); };
        return std::get<0>(while_node(std::tuple(w, n * n), [](auto, auto j, auto) { return j < 1000; }, trip, n));
      };
      return std::tuple(if_node<mark>(jig::element(m, i) == 0, strike, [](auto w, auto) { return w; }, m, i), i + 1);
    };
    return std::get<0>(while_node(std::tuple(marks, constant<std::int64_t>(marks, 2)), [](auto, auto i) { return i * i < 1000; }, outer));
  });
  jig::tensor<std::int32_t, 1000> marks;
  for (auto& m : marks) m = 0;
  auto r = sieve(marks);
  for (std::int64_t n = 2; n < 1000; ++n) {
    std::int32_t composite = 0;
    for (std::int64_t d = 2; d * d <= n; ++d) composite |= n % d == 0;
    CHECK(r(n) == composite);
  }
  // Rows, and a row that is read after it was replaced.
  static constexpr auto rows = jig::function<"rows(x)">([](auto x) {
    auto trip = [](auto v, auto i) { return std::tuple(jig::set_row(v, i + 1, jig::element(v, i) * 2 + 1), i + 1); };
    return std::get<0>(while_node(std::tuple(x, constant<std::int64_t>(x, 0)), [](auto, auto i) { return i < 9; }, trip));
  });
  jig::tensor<double, 10, 20> x;
  for (auto& v : x) v = 0;
  auto y = rows(x);
  for (jig::index i = 0; i < 10; ++i) CHECK(y(i, 19) == std::pow(2.0, static_cast<double>(i)) - 1);
  CHECK(x(9, 19) == 0);
  static constexpr auto also = jig::function<"also(x, i)">([](auto a, auto i) { return jig::set_row(a, i, jig::element(a, 0)); });
  CHECK(sentence([&] { also(x, std::int64_t{-1}); }) == "TensorScatterUpdate: index -1 is out of range for axis 0 with 10 elements");
  // Only the first input may lie where the result goes.
  constexpr auto itself = [](auto v) { return jig::set_row(v, constant<std::int64_t>(v, 0), jig::reshape<300>(v)); };
  constexpr auto other = [](auto v) { return jig::set_row(v, constant<std::int64_t>(v, 0), jig::reshape<300>(v) * 2); };
  constexpr auto peak = [](auto f) { return jig::peak_workspace(jig::graph_of(repeat(f), jig::spec<float, 1, 300>(), integer())); };
  static_assert(peak(itself) >= 1200);
  static_assert(peak(other) >= 1200 && peak(other) < 2400);
}

TEST_CASE("a branch that cannot run for the extents around it fails only if it does") {
  using any = jig::spec<float, jig::dyn>;
  // That the vectors have 2 and 3 elements is known around the branch, not in it.
  static constexpr auto f = jig::function<"f(c, x, y)">([](auto c, auto x, auto y) {
    jig::builder* b = x.builder();
    auto product = [](auto a, auto w) { return a * w; };
    auto first = [](auto a, auto) { return a + a; };
    jig::index yes = control_nodes::body<any, any>(b, product), no = control_nodes::body<any, any>(b, first);
    int node = control_nodes::add_node(b, jig::ops::if_op, {c.place(), x.place(), y.place()}, {any::value()}, "then_branch", yes,
                                       "else_branch", no);
    return jig::symbol<float, jig::dyn>(b, {node, 0});
  });
  jig::tensor<float, 2> x{1, 2};
  jig::tensor<float, 3> y{3, 4, 5};
  CHECK(f(false, x, y)(1) == 4);
  CHECK(f(false, x, y).size() == 2);
  CHECK(sentence([&] { f(true, x, y); }) == "Mul: shapes do not broadcast: float32 (2,) and float32 (3,)");
}

TEST_CASE("a part of a tensor at a position of the call is read where it lies") {
  static constexpr auto pick = jig::function([](auto x, auto i) { return jig::element(x, i) * 2 + 1; });
  constexpr auto f = pick.get_concrete_function(jig::spec<float, 5, 40>(), jig::spec<int>());
  static_assert(f.peak_workspace() == 0);
  jig::tensor<float, 5, 40> x;
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k);
  for (int i = 0; i < 5; ++i)
    for (jig::index k = 0; k < 40; ++k) CHECK(pick(x, i)(k) == static_cast<float>(i * 40 + k) * 2 + 1);
  CHECK_THROWS_WITH_AS(pick(x, 5), doctest::Contains("GatherV2: index 5 is out of range for axis 0 with 5 elements"),
                       jig::invalid_argument);
  CHECK_THROWS_AS(pick(x, -1), jig::invalid_argument);
  // Of a transposed tensor, along another axis, of a part of a part, at a position that is picked itself.
  static constexpr auto columns = jig::function([](auto m, auto i) {
    auto t = jig::transpose<1, 0>(m);
    return std::tuple(jig::element(t, i) + 0, jig::gather<1>(m, i) + 0, jig::element(jig::element(t, i), i) + 0);
  });
  auto [row, column, corner] = columns(x, 3);
  for (jig::index k = 0; k < 5; ++k) CHECK(row(k) == x(k, 3));
  for (jig::index k = 0; k < 5; ++k) CHECK(column(k) == x(k, 3));
  CHECK(static_cast<float>(corner) == x(3, 3));
  static constexpr auto chase = jig::function([](auto next, auto i, auto n) {
    auto sum = jig::zeros_like(i);
    for (auto k : jig::range(n)) {
      sum = sum * 10 + jig::element(next, jig::element(next, i)) + 0 * k;
      i = jig::element(next, i);
    }
    return sum;
  });
  CHECK(static_cast<int>(chase(jig::tensor<int, 4>{2, 0, 3, 1}, 0, 4)) == 3102);
}

TEST_CASE("what is read from an array that a loop changes is read before it changes") {
  static constexpr auto exchange = jig::function([](auto a, auto n) {
    for (auto i : jig::range(n)) {
      auto x = jig::element(a, i), y = jig::element(a, i + 1);
      a = jig::set_row(jig::set_row(a, i, y), i + 1, x);
    }
    return a;
  });
  auto y = exchange(jig::tensor<int, 4>{1, 2, 3, 4}, 3);
  for (int i = 0; i < 4; ++i) CHECK(y(i) == (i < 3 ? i + 2 : 1));
  // The counter is the position and changes first.
  static constexpr auto rows = jig::function([](auto x, auto n) {
    auto sum = jig::element(x, 0) * 0;
    auto i = jig::zeros_like(n);
    JIG_WHILE(i < n) {
      auto at = i;
      i = i + 1;
      sum = sum * 10 + jig::element(x, at);
    }
    return sum;
  });
  auto s = rows(jig::tensor<int, 3, 2>{{1, 4}, {2, 5}, {3, 6}}, 3);
  CHECK(s(0) == 123);
  CHECK(s(1) == 456);
}

namespace {

// Two arrays that a loop writes, of which one is read back at positions of the call, and the state behind each write.
constexpr auto two_arrays = jig::function<"two_arrays(x, state, n, back)">([](auto x, auto state, auto n, auto back) {
  auto sums = jig::tensor_array(jig::extent<0>(x), state);
  auto squares = jig::tensor_array(jig::extent<0>(x), state);
  for (auto i : jig::range(n)) {
    state = jig::element(x, i) + state;
    sums = sums.write(i, state);
    squares = squares.write(jig::cast<std::int32_t>(i) + 0, state * state);
    state = state + squares.read(back);
  }
  return std::tuple(sums.stack(), squares.stack(), state);
});

template <class X, class State>
void check_two_arrays(X x, State state, int n, int back) {
  const jig::index size = state.size();
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 3);
  for (jig::index k = 0; k < size; ++k) state.data()[k] = static_cast<float>(k % 2);
  auto [sums, squares, last] = two_arrays(x, state, n, back);
  auto at = [&](jig::index i, jig::index k) { return static_cast<std::size_t>(i * size + k); };
  std::vector<float> s(static_cast<std::size_t>(x.size())), q(s.size());
  for (int i = 0; i < n; ++i)
    for (jig::index k = 0; k < size; ++k) {
      float& v = state.data()[k];
      v += x.data()[at(i, k)];
      s[at(i, k)] = v;
      q[at(i, k)] = v * v;
      v += q[at(back, k)];
    }
  for (std::size_t k = 0; k < s.size(); ++k) {
    CHECK(sums.data()[k] == s[k]);
    CHECK(squares.data()[k] == q[k]);
  }
  for (jig::index k = 0; k < size; ++k) CHECK(last.data()[k] == state.data()[k]);
}

}  // namespace

TEST_CASE("arrays that a loop writes what it computes") {
  for (int n : {0, 1, 4})
    for (int back : {0, 3}) {
      check_two_arrays(jig::tensor<float, 4, 3, 40>(), jig::tensor<float, 3, 40>(), n, back);
      check_two_arrays(jig::zeros<float, jig::dyn, jig::dyn>(4, 19), jig::zeros<float, jig::dyn>(19), n, back);
      check_two_arrays(jig::zeros<float, jig::dyn, jig::dyn>(4, 0), jig::zeros<float, jig::dyn>(0), n, back);
    }
  // No memory but that of the state: the arrays are the results, and elements are put there by the loop that computes them.
  static constexpr auto running = [](auto x, auto state) {
    auto sums = jig::tensor_array(jig::extent<0>(x), state);
    for (auto i : jig::range(jig::extent<0>(x))) {
      state = jig::element(x, i) + state;
      sums = sums.write(i, state);
    }
    return sums.stack();
  };
  static_assert(jig::peak_workspace(jig::graph_of(running, jig::spec<float, 8, 300>(), jig::spec<float, 300>())) <= 1300);
  // The result lies where an argument does.
  static constexpr auto in_place = jig::function(running);
  jig::tensor<float, 5, 30> x;
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 7);
  auto apart = in_place(x, jig::full<float, 30>(1.0f));
  in_place.into(x, x, jig::full<float, 30>(1.0f));
  for (jig::index k = 0; k < x.size(); ++k) CHECK(x.data()[k] == apart.data()[k]);
}

TEST_CASE("a position changes in the loop that puts an element there, and loops within loops write arrays") {
  static constexpr auto counts = jig::function<"counts(n)">([](auto n) {
    auto a = jig::tensor_array(jig::lit<5>, n);
    auto i = jig::zeros_like(n);
    JIG_WHILE(i < n) {
      a = a.write(i, i * 10);
      i = i + 1;
    }
    return std::tuple(a.stack(), i);
  });
  for (int n : {0, 1, 5}) {
    auto [a, i] = counts(n);
    for (int k = 0; k < 5; ++k) CHECK(a(k) == (k < n ? 10 * k : 0));
    CHECK(i() == n);
  }
  CHECK_THROWS_AS(counts(6), jig::invalid_argument);
  static constexpr auto table = jig::function<"table(x)">([](auto x) {
    auto rows = jig::tensor_array(jig::lit<3>, jig::broadcast_to<4, 2>(x));
    for (auto i : jig::range(3)) {
      auto row = jig::tensor_array(jig::lit<4>, x);
      for (auto j : jig::range(4)) row = row.write(j, x * (i * 10 + j));
      rows = rows.write(i, row.stack() + 1);
    }
    return rows.stack();
  });
  auto t = table(jig::tensor<int, 2>{1, 2});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 2; ++k) CHECK(t(i, j, k) == (k + 1) * (10 * i + j) + 1);
}

TEST_CASE("static spaces whose leaves have strides run row by row") {
  static constexpr auto f =
      jig::function([](auto x, auto row, auto column) { return jig::transpose<1, 0, 2>(x) * 2 + row - jig::expand_dims<1>(column); });
  jig::tensor<float, 3, 2, 35> x;
  jig::tensor<float, 35> row;
  jig::tensor<float, 3> column{10, 20, 30};
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k % 31);
  for (jig::index k = 0; k < 35; ++k) row.data()[k] = static_cast<float>(k) / 4;
  auto y = f(x, row, column);
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index j = 0; j < 3; ++j)
      for (jig::index k = 0; k < 35; ++k) CHECK(y(i, j, k) == x(j, i, k) * 2 + row(k) - column(j));
}

TEST_CASE("loops in sequence begin where the loop before them ended") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    auto y = x + 1;
    for (auto i : jig::range(n)) y = y * 2 + jig::cast<float>(i);
    auto z = y;
    for (auto i : jig::range(n)) z = jig::reverse<0>(z) + jig::cast<float>(i);
    return std::tuple(z, y);
  });
  static constexpr auto g = jig::function([](auto x, auto n) {
    auto y = x + 1;
    for (auto i : jig::range(n)) y = y * 2 + jig::cast<float>(i);
    for (auto i : jig::range(n)) y = jig::reverse<0>(y) + jig::cast<float>(i);
    return y;
  });
  for (int n : {0, 1, 2, 3}) {
    jig::tensor<float, 40> x;
    std::vector<float> y(40), z(40);
    for (jig::index k = 0; k < 40; ++k) y[static_cast<std::size_t>(k)] = (x.data()[k] = static_cast<float>(k)) + 1;
    for (int i = 0; i < n; ++i)
      for (auto& e : y) e = e * 2 + static_cast<float>(i);
    z = y;
    for (int i = 0; i < n; ++i) {
      std::vector<float> turned(z.rbegin(), z.rend());
      for (std::size_t k = 0; k < 40; ++k) z[k] = turned[k] + static_cast<float>(i);
    }
    auto [second, first] = f(x, n);
    auto only = g(x, n);
    for (jig::index k = 0; k < 40; ++k) {
      CHECK(first(k) == y[static_cast<std::size_t>(k)]);
      CHECK(second(k) == z[static_cast<std::size_t>(k)]);
      CHECK(only(k) == z[static_cast<std::size_t>(k)]);
    }
  }
}

TEST_CASE("what a loop has left stays until the last loop that begins with it, though nobody wants what that leaves") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    auto y = x + 1;
    for (auto i : jig::range(n)) y = y * 2 + jig::cast<float>(i);
    for (auto i : jig::range(n)) y = jig::reverse<0>(y) + jig::cast<float>(i);
    auto sum = jig::cumsum<0>(x);
    auto other = jig::cumsum<0>(sum * 2);
    for (auto i : jig::range(n)) {
      sum = sum + y * jig::cast<float>(i + 1);
      y = jig::reverse<0>(y) * 0.5f;
    }
    return sum * other;
  });
  for (int n : {0, 1, 3}) {
    jig::tensor<float, 40> x;
    std::vector<float> y(40), sum(40), other(40);
    for (jig::index k = 0; k < 40; ++k) x.data()[k] = static_cast<float>(k % 7);
    float first = 0, second = 0;
    for (std::size_t k = 0; k < 40; ++k) {
      y[k] = x.data()[k] + 1;
      sum[k] = first += x.data()[k];
      other[k] = second += first * 2;
    }
    for (int i = 0; i < n; ++i)
      for (auto& e : y) e = e * 2 + static_cast<float>(i);
    for (int i = 0; i < n; ++i) {
      std::reverse(y.begin(), y.end());
      for (auto& e : y) e += static_cast<float>(i);
    }
    for (int i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 40; ++k) sum[k] += y[k] * static_cast<float>(i + 1);
      std::reverse(y.begin(), y.end());
      for (auto& e : y) e *= 0.5f;
    }
    const auto result = f(x, n);
    for (jig::index k = 0; k < 40; ++k) CHECK(result(k) == sum[static_cast<std::size_t>(k)] * other[static_cast<std::size_t>(k)]);
  }
}

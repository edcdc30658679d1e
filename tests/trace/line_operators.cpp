// SPDX-License-Identifier: MIT
// Operators of traced values, with the line they are written at.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

namespace {

constexpr int first = __LINE__;
constexpr auto floats = jig::function<"f(x, y)">([](auto x, auto y) {
  auto sum = x + y;                             // 2
  auto difference = sum - x;                    // 3
  auto product = difference * jig::exp(y);      // 4
  auto half = product * 0.5f;                   // a plain number: not known
  auto quotient = half / y;                     // 6
  auto less = quotient < x, equal = x == y;     // 7
  auto both = less && equal;                    // 8
  return jig::where(both || less, -sum, half);  // 9
});
constexpr auto integers = jig::function<"g(x, y)">([](auto x, auto y) {
  auto rest = x % y;                 // 12
  auto bits = x & y;                 // 13
  auto more = x | y;                 // 14
  auto other = x ^ y;                // 15
  auto left = x << y;                // 16
  auto right = x >> y;               // 17
  return rest + bits + more + other  // 19
         + left + right / x;
});

template <class F, class... Spec>
std::string lines(const F& f, Spec... spec) {
  const auto g = f.get_concrete_function(spec...).graph();
  std::string out;
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (n.kind().is(jig::fact::input) || n.kind().is(jig::fact::constant)) continue;
    out += std::string(n.op()) + (n.line().is_known() ? ' ' + std::to_string(n.line().line - first) : "") + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("line_operators: operators between values know their line, those beside plain numbers and signs do not") {
  CHECK(lines(floats, jig::spec<float, 3>(), jig::spec<float, 3>()) ==
        "AddV2 2\nSub 3\nExp 4\nMul 4\nMul\nRealDiv 6\nLess 7\nEqual\nLogicalAnd 8\nLogicalOr 9\nNeg\nSelectV2 9\n");
}

TEST_CASE("line_operators: integers") {
  const std::string all = lines(integers, jig::spec<int, 3>(), jig::spec<int, 3>());
  CHECK(all.find("TruncateMod 12\nBitwiseAnd 13\nBitwiseOr 14\nBitwiseXor 15\nLeftShift 16\nRightShift 17\n") == 0);
  CHECK(all.find("TruncateDiv 19\n") != std::string::npos);
}

TEST_CASE("line_operators: values are what they were, beside all that an operand may be") {
  const jig::tensor<float, 3> x{1, 2, 3};
  jig::variable<float, 3> v(jig::tensor<float, 3>{3, 2, 1});
  const auto run = jig::function<"h(x, v, n)">([](auto s, auto& w, auto n) {
    return std::tuple(s - w, w - s, s * n, n - s, s + jig::lit<2>, 2 - s, jig::constant(1.0f) - s, s[0] * s, s * s[1]);
  });
  const auto [a, b, c, d, e, g, h, i, j] = run(x, v, 2.0f);
  for (int k = 0; k < 3; ++k) {
    const float at = x(k), of = v.value()(k);
    CHECK(a(k) == at - of);
    CHECK(b(k) == of - at);
    CHECK(c(k) == at * 2);
    CHECK(d(k) == 2 - at);
    CHECK(e(k) == at + 2);
    CHECK(g(k) == 2 - at);
    CHECK(h(k) == 1 - at);
    CHECK(i(k) == x(0) * at);
    CHECK(j(k) == at * x(1));
  }
}

TEST_CASE("line_operators: in traces at run time plain numbers do not hide the line") {
  constexpr int here = __LINE__;
  const auto traced = jig::dynamic_function([](auto x) {
    return x % 0;  // 3
  });
  const jig::any_tensor x(jig::tensor<int, 2>{1, 2});
  std::string what;
  try {
    (void)traced(x);
  } catch (const jig::invalid_argument& e) {
    what = e.what();
  }
  // Compilers differ in what the line of an operator is: that of its token or that of its left operand.
  const std::string begins = "TruncateMod: integer division by zero (at line_operators.cpp:" + std::to_string(here + 2) + ")";
  CHECK(what == begins);
}

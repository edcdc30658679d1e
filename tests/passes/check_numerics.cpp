// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "../printed.hpp"

#include <limits>

using jig::spec;
using jig::tensor;

namespace {

constexpr auto quotient = jig::function<"quotient(x, y)">([](auto x, auto y) {
  auto unused = jig::log(x);
  (void)unused;
  return jig::exp(x / y + 1) * jig::cast<float>(jig::cast<int>(y));
});
constexpr auto plain = quotient.get_concrete_function(spec<float, 2>(), spec<float, 2>());
constexpr auto checked = plain.check_numerics();

}  // namespace

TEST_CASE("every floating value that is needed is checked") {
  constexpr auto& g = checked.graph();
  static_assert(jig::verify(g) == nullptr);
  // x, y, truediv, add, Exp, Cast back and mul; not the constant, the integers and the logarithm nobody needs.
  static_assert(g.count("CheckNumerics") == 7);
  static_assert(g.count("Log") == 0);
  static_assert(plain.graph().count("CheckNumerics") == 0);
}

TEST_CASE("results are those of the function") {
  const tensor<float, 2> x{1, 2}, y{2, 4};
  const auto a = plain(x, y), b = checked(x, y);
  CHECK(a(0) == b(0));
  CHECK(a(1) == b(1));
}

TEST_CASE("the first node that makes NaN or infinity is named, with its inputs") {
  CHECK(complaint([] { checked(tensor<float, 2>{1, 0}, tensor<float, 2>{1, 0}); }) ==
        "check_numerics: truediv = RealDiv(x, y) made NaN at (1,)");
  CHECK(complaint([] { checked(tensor<float, 2>{1, 1}, tensor<float, 2>{0, 1}); }) ==
        "check_numerics: truediv = RealDiv(x, y) made infinity at (0,)");
  CHECK(complaint([] { checked(tensor<float, 2>{100, 1}, tensor<float, 2>{1, 1}); }) ==
        "check_numerics: Exp = Exp(add) made infinity at (0,)");
  CHECK(complaint([] { checked(tensor<float, 2>{1, std::numeric_limits<float>::infinity()}, tensor<float, 2>{1, 1}); }) ==
        "check_numerics: argument x holds infinity at (1,)");
}

namespace {

constexpr auto branching = jig::function<"branching(x, y)">([](auto x, auto y) {
  JIG_IF(x > 0) {
    x = x / y;
  }
  for (auto i : jig::range(jig::cast<int>(x))) {
    jig::print("trip", i);
    y = jig::log(y - 1);
  }
  return jig::sqrt(y);
});
constexpr auto checked_bodies = branching.get_concrete_function(spec<float>(), spec<float>()).check_numerics();

}  // namespace

TEST_CASE("bodies are checked too") {
  constexpr auto& g = checked_bodies.graph();
  static_assert(jig::verify(g) == nullptr);
  // x, y, the quotient, the difference and its logarithm, the root.
  static_assert(g.count("CheckNumerics") == 6);
  CHECK(printed([] { CHECK(checked_bodies(4.0f, 4.0f)() == branching(4.0f, 4.0f)()); }) == "trip 0\ntrip 0\n");
}

TEST_CASE("in bodies arguments are called like what they stand for") {
  CHECK(complaint([] { checked_bodies(1.0f, 0.0f); }) == "check_numerics: truediv = RealDiv(x, y) made infinity");
  CHECK(printed([] { CHECK(complaint([] { checked_bodies(4.0f, 2.0f); }) == "check_numerics: Log = Log(sub) made NaN"); }) ==
        "trip 0\ntrip 1\n");
  CHECK(complaint([] { checked_bodies(0.0f, -1.0f); }) == "check_numerics: Sqrt = Sqrt(while:1) made NaN");
}

TEST_CASE("arrays that a loop fills have no garbage to check") {
  static constexpr auto f = jig::function([](auto x) {
    auto a = jig::tensor_array(jig::extent<0>(x), jig::element(x, 0));
    for (auto i : jig::range(jig::extent<0>(x))) a = a.write(i, jig::element(x, i) + 1);
    return jig::transpose<1, 0>(a.stack());
  });
  constexpr auto checked_rows = f.get_concrete_function(jig::spec<float, 2, 3>()).check_numerics();
  constexpr auto has_garbage = [](const jig::graph_view& g) {
    for (int id = 0; id < g.size(); ++id)
      if (!g.node(id).attribute("uninitialized").key.empty()) return true;
    return false;
  };
  static_assert(!has_garbage(checked_rows.graph()));
  CHECK(checked_rows(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}})(2, 1) == 7);
}

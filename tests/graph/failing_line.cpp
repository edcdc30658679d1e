// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/graph/failing_line.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/source.hpp>

namespace {

constexpr jig::tensor_spec scalar{jig::dtype::int32, {}};

// x % x at the line `first`, then % x again at the line `second`, then + x.
constexpr jig::graph remainders(int first, int second) {
  jig::graph g;
  const jig::edge x = g.add(jig::ops::placeholder, scalar, {});
  const auto at = [](int line) { return line == 0 ? jig::source_line() : jig::source_line{"model.cpp", line}; };
  g.here = at(first);
  const jig::edge once[] = {x, x};
  const jig::edge y = g.add(jig::ops::truncate_mod, scalar, once);
  g.here = at(second);
  const jig::edge twice[] = {y, x};
  const jig::edge z = g.add(jig::ops::truncate_mod, scalar, twice);
  g.here = at(9);
  const jig::edge sum[] = {z, x};
  g.output_edges.push_back(g.add(jig::ops::add, scalar, sum));
  return g;
}

std::string told(std::string_view what, const jig::graph& g) {
  std::string out;
  try {
    jig::detail::run_at_lines([&] { return jig::detail::op_lines(g.view()); }, [&] { jig::detail::throw_invalid_argument(what); });
  } catch (const jig::invalid_argument& e) {
    out = e.what();
  }
  return out;
}

}  // namespace

TEST_CASE("failing_line: an error tells the lines of the ops that it begins with") {
  const std::string what = "TruncateMod: integer division by zero";
  CHECK(told(what, remainders(3, 3)) == what + " (at model.cpp:3)");
  CHECK(told(what, remainders(3, 5)) == what + " (at model.cpp:3 or model.cpp:5)");
  CHECK(told(what, remainders(0, 5)) == what + " (at model.cpp:5)");
}

TEST_CASE("failing_line: other errors stay as they are") {
  CHECK(told("TruncateMod: integer division by zero", remainders(0, 0)) == "TruncateMod: integer division by zero");
  CHECK(told("GatherV2: index 4", remainders(3, 5)) == "GatherV2: index 4");
  CHECK(told("Truncate", remainders(3, 5)) == "Truncate");
  CHECK(told("", remainders(3, 5)).empty());
  // A call inside has told its own line.
  CHECK(told("TruncateMod: by zero (at inner.cpp:1)", remainders(3, 5)) == "TruncateMod: by zero (at inner.cpp:1)");
  const auto none = [] { return jig::list<jig::detail::op_line>(); };
  CHECK_THROWS_AS(jig::detail::run_at_lines(none, [] { throw 7; }), int);
  bool ran = false;
  jig::detail::run_at_lines(none, [&] { ran = true; });
  CHECK(ran);
}

TEST_CASE("failing_line: only ops that may throw because of their values need their lines") {
  // Two remainders and the sum at line 9.
  static_assert(jig::detail::op_lines(remainders(3, 5).view()).size() == 3);
  static_assert(jig::detail::checked_lines(remainders(3, 5).view()).size() == 2);
  static_assert(jig::detail::checked_lines(remainders(3, 0).view()).size() == 1);
  static_assert(jig::detail::checked_lines(remainders(3, 0).view())[0].at.line == 3);
  static_assert(jig::detail::checked_lines(remainders(0, 0).view()).size() == 0);
}

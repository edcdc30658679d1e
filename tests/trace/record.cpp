// SPDX-License-Identifier: MIT
#include <jig/trace/record.hpp>

#include "../recorded.hpp"

#include <doctest/doctest.h>

#include <array>

namespace {

using jig::trace_failure;
using number = jig::spec<int>;
using real = jig::spec<double>;

// As many ifs in sequence, each with something of its own on both sides: two to the power of that are the ways.
template <int Ifs>
auto native_ifs(auto x) {
  auto y = x;
  for (int k = 0; k < Ifs; ++k) {
    if (x > k) y = y * (k + 2);
    else y = y - k;
  }
  return y;
}

}  // namespace

TEST_CASE("a lambda without decisions has one way, which is its graph") {
  const auto one = recorded<number>([](auto x) { return x * x + 1; });
  CHECK(one.failure == trace_failure::none);
  CHECK(one.joined);
  CHECK_FALSE(one.has_blocks);
  CHECK_FALSE(one.differentiates);
  CHECK((one.graph.view().count("Mul") == 1 && one.graph.view().inputs().size() == 1 && one.graph.view().outputs().size() == 1));
}

TEST_CASE("every way is followed, up to the most there may be") {
  const auto few = recorded<number>([](auto x) { return native_ifs<2>(x); });
  CHECK(few.failure == trace_failure::none);
  CHECK_FALSE(few.joined);
  CHECK(few.graph.view().count("If") == 2);
  static_assert(jig::detail::most_paths == 1 << 6);
  CHECK(recorded<number>([](auto x) { return native_ifs<6>(x); }).failure == trace_failure::none);
  CHECK(recorded<number>([](auto x) { return native_ifs<7>(x); }).failure == trace_failure::too_many_paths);
}

TEST_CASE("loops and blocks are noted, since they are recorded once") {
  CHECK(recorded<number>([](auto x) {
          JIG_WHILE(x < 100) x = x * 2;
          return x;
        }).has_blocks);
  CHECK(recorded<number>([](auto x) {
          JIG_IF(x < 100) x = x * 2;
          return x;
        }).has_blocks);
  CHECK_FALSE(recorded<number>([](auto x) { return native_ifs<1>(x); }).has_blocks);
}

// Outside constant evaluation there is nothing that a gradient could be of.
TEST_CASE("gradients are made when all ways are one graph") {
  static constexpr bool good = [] {
    const auto slope = recorded<real>([](auto x) {
      auto y = x * x;
      if (x > 1) y = y * x;
      return jig::gradient(y, x);
    });
    return slope.failure == trace_failure::none && slope.differentiates && slope.graph.view().count("SymbolicGradient") == 0 &&
           jig::verify(slope.graph.view()) == nullptr;
  }();
  CHECK(good);
}

TEST_CASE("what has no gradient says so") {
  static constexpr bool good = [] {
    jig::message why;
    const auto none = jig::detail::record_all(
        [](jig::builder& b) {
          const jig::symbol<double> x(&b, b.input({jig::dtype::float64, {}}, "x"));
          const auto slope = jig::gradient(jig::digamma(x), x);
          b.graph.output_edges.push_back(slope.place());
        },
        &why);
    return none.failure == trace_failure::no_gradient && why.view().find("Digamma") != std::string_view::npos;
  }();
  CHECK(good);
}

TEST_CASE("all ways are run again with blocks left out and repeated, in one go or in several") {
  for (const bool changes : {false, true}) {
    CAPTURE(changes);
    const auto record = [&](jig::builder& b) {
      jig::symbol<int> x(&b, b.input({jig::dtype::int32, {}}, "x"));
      int trips = 0;
      JIG_WHILE(x < 100) {
        x = x * 2;
        if (changes) ++trips;
      }
      b.graph.output_edges.push_back((x + trips).place());
    };
    jig::detail::recordings runs;
    jig::detail::recorded_graph out;
    jig::detail::record_ways(runs, out, record);
    REQUIRE(out.failure == trace_failure::none);
    CHECK(jig::detail::run_again(runs, record, 0, 2000).failure == (changes ? trace_failure::native_change : trace_failure::none));
    // Room for one rerun at a time: the next one begins where this one ended.
    trace_failure failure = trace_failure::none;
    int first = 0, goes = 0;
    while (first >= 0 && failure == trace_failure::none && ++goes < 10) {
      const auto progress = jig::detail::run_again(runs, record, first, 1);
      CHECK((progress.next < 0 || progress.next > first));
      first = progress.next;
      failure = progress.failure;
    }
    CHECK(goes < 10);
    CHECK((failure == trace_failure::native_change) == changes);
  }
}

// SPDX-License-Identifier: MIT
#include <jig/trace/trace_with_options.hpp>

#include "../printed.hpp"

#include <doctest/doctest.h>

// The graphs that options give; what runs of them: tests/trace/options.cpp.

namespace {

using jig::spec;

constexpr auto f = jig::function<"f(x)">([](auto x) {
  for (auto i : jig::range(0, 3, jig::beside(x))) x = jig::log(x) * 1 + jig::cast<float>(i);
  return x;
});
constexpr auto concrete = f.get_concrete_function(spec<float>());

// Logarithms of absolute values.
struct of_absolute_values {
  constexpr jig::graph operator()(const jig::graph_view& g) const {
    jig::graph out;
    jig::list<jig::edge> now;
    for (int id = 0; id < g.size(); ++id) {
      const auto n = g.node(id);
      const auto renamed = [&](const jig::edge& e) { return now[static_cast<std::size_t>(e.node)]; };
      if (n.op() == "Log") {
        const jig::edge x = renamed(n.inputs()[0]);
        const jig::edge absolute = out.add(jig::ops::abs, n.spec(), {&x, 1});
        now.push_back(out.add(jig::ops::log, n.spec(), {&absolute, 1}));
      } else {
        now.push_back({jig::copy_node(out, g, id, renamed), 0});
        if (n.kind().is(jig::fact::input)) out.input_nodes.push_back(now.back().node);
      }
    }
    for (const auto& e : g.outputs()) out.output_edges.push_back(now[static_cast<std::size_t>(e.node)]);
    return out;
  }
};

}  // namespace

TEST_CASE("unrolled, then checked: every copy of the body is") {
  constexpr auto& g = concrete.check_numerics().unrolled().graph();
  static_assert(jig::verify(g) == nullptr);
  // The argument; the logarithm, the product, the number and the sum of each trip.
  static_assert(g.count("While") == 0 && g.count("CheckNumerics") == 1 + 3 * 4);
  static_assert(concrete.check_numerics().graph().count("While") == 1);
}

TEST_CASE("unrolled, then through the standard passes, if any, and those of the user") {
  static_assert(concrete.unrolled().graph().count("Mul") == 3 && concrete.unrolled().optimized_graph().count("Mul") == 0);
  static_assert(concrete.unrolled().without_passes().optimized_graph().count("Mul") == 3);
  constexpr auto own = concrete.unrolled().with_pass(of_absolute_values());
  static_assert(own.graph().count("Abs") == 0 && own.optimized_graph().count("Abs") == 3 && own.optimized_graph().count("Mul") == 0);
  constexpr auto only_own = own.without_passes();
  static_assert(only_own.optimized_graph().count("Abs") == 3 && only_own.optimized_graph().count("Mul") == 3);
  CHECK(own(-1.0f)() == only_own(-1.0f)());
}

TEST_CASE("checks are of what the user's passes leave") {
  constexpr auto checked = concrete.check_numerics().unrolled().with_pass(of_absolute_values());
  static_assert(checked.graph().count("Abs") == 3 && checked.graph().count("CheckNumerics") == 1 + 3 * 5);
  CHECK(checked(-2.0f)() == concrete.unrolled().with_pass(of_absolute_values())(-2.0f)());
  CHECK(complaint([] { concrete.check_numerics().unrolled()(-2.0f); }) == "check_numerics: Log = Log(x) made NaN");
}

TEST_CASE("loops with as many trips as may be copied, and with more, of run-time tensors") {
  const jig::any_tensor x = 3.0f;
  CHECK(f.unrolled<3>()(x).as<float>()() == f(x).as<float>()());
  CHECK(complaint([&] { f.unrolled<2>()(x); }) == "f: unrolled: the loops make more than 2 trips in all: allow more with unrolled<N>()");
}

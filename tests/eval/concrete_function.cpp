// SPDX-License-Identifier: MIT
#include <jig/eval/concrete_function.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <string>

// What a signature tells about itself: tests/function.cpp. Options: tests/passes/options.cpp.

namespace {

using jig::spec;

constexpr auto f = jig::function<"f(x)">([](auto x) {
  jig::trace_note("traced", jig::beside(x));
  for (auto i : jig::range(0, 2, jig::beside(x))) x = jig::exp(x) + jig::cast<float>(i);
  return x;
});
constexpr auto concrete = f.get_concrete_function(spec<float, 4>());

}  // namespace

TEST_CASE("options of graphs are methods of a signature, in any order, and give the type that the function's give") {
  static_assert(std::is_same_v<decltype(concrete.unrolled().check_numerics()), decltype(concrete.check_numerics().unrolled())>);
  static_assert(std::is_same_v<decltype(concrete.unrolled().check_numerics()),
                               decltype(f.check_numerics().unrolled().get_concrete_function(spec<float, 4>()))>);
  // Options that say nothing of graphs make no other signature.
  static_assert(std::is_same_v<decltype(f.max_traces<3>().run_eagerly().get_concrete_function(spec<float, 4>())),
                               std::remove_const_t<decltype(concrete)>>);
  static_assert(concrete.unrolled().check_numerics().graph().count("While") == 0);
  static_assert(std::is_empty_v<decltype(concrete)>);
  jig::tensor<float, 4> x{0, -1, 0.5f, -2}, out;
  concrete.unrolled().check_numerics().without_passes().into(out, x);
  const auto expected = concrete(x);
  for (int i = 0; i < 4; ++i) CHECK(out(i) == expected(i));
}

TEST_CASE("each signature of options has its plan, and the notes of the trace") {
  CHECK(jig::to_text(concrete.plan()) != jig::to_text(concrete.unrolled().plan()));
  CHECK(concrete.unrolled().loop_nests().find("(4*)") == std::string::npos);
  static_assert(concrete.unrolled().notes().size() == 1 && concrete.notes()[0] == "traced");
  static_assert(concrete.unrolled().lowered_graph().count("While") == 0);
}

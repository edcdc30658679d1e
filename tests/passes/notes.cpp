// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

constexpr auto noted = jig::function<"noted(x, n)">([](auto x, auto n) {
  jig::trace_note("begin", jig::beside(x));
  if (jig::reduce_sum(x) > 0) {
    jig::trace_note("positive", jig::beside(x));
    x = x * 2;
  } else {
    jig::trace_note("negative", jig::beside(x));
  }
  for (auto i : jig::range(n)) {
    jig::trace_note("a trip", jig::beside(i));
    x = x + 1;
  }
  for (int layer = 0; layer < 2; ++layer) jig::trace_note(layer == 0 ? "layer 0" : "layer 1", jig::beside(x));
  return x;
});

}  // namespace

TEST_CASE("notes are in the trace, in order, once for each time it comes by") {
  constexpr auto f = noted.get_concrete_function(jig::spec<float, 2>(), jig::spec<int>());
  constexpr auto notes = f.notes();
  static_assert(notes.size() == 6);
  const char* expected[] = {"begin", "positive", "negative", "a trip", "layer 0", "layer 1"};
  for (std::size_t k = 0; k < notes.size(); ++k) CHECK(notes[k] == expected[k]);
  CHECK(jig::to_text(f.graph()).find("NoOp = NoOp() {note: \"begin\"} : bool ()\n") != std::string::npos);
  static_assert(jig::verify(f.graph()) == nullptr);
}

TEST_CASE("notes do nothing when the function runs") {
  constexpr auto f = noted.get_concrete_function(jig::spec<float, 2>(), jig::spec<int>());
  static_assert(f.optimized_graph().count("NoOp") == 0);
  const jig::tensor<float, 2> x{1, 2};
  CHECK(f(x, 3)(1) == 7);
  CHECK(noted.eager(x, 3)(1) == 7);
  static constexpr auto plain = jig::function([](auto y) {
    jig::trace_note("only this", jig::beside(y));
    return y + 1;
  });
  constexpr auto g = plain.get_concrete_function(jig::spec<float, 4>());
  static_assert(g.notes().size() == 1 && g.graph().flops() == 4 && g.peak_workspace() == 0);
  CHECK(plain(jig::tensor<float, 4>{1, 2, 3, 4})(3) == 5);
}

TEST_CASE("a function of variables only has notes too") {
  static constexpr auto count = jig::function([](auto& n) {
    jig::trace_note("counting", jig::beside(n.read()));
    n.assign_add(1);
  });
  jig::variable<int> n{0};
  count(n);
  CHECK(n.value()() == 1);
  static_assert(count.get_concrete_function(jig::variable_spec<int>()).notes()[0] == "counting");
}

// SPDX-License-Identifier: MIT
#include <jig/profile/text.hpp>

#include "../profile/report_by_hand.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace {

TEST_CASE("a profile as a table") {
  const std::string expected =
      "f(x, w): 12.5 us a call, on average of 10\n"
      "    time   share  runs  flops  bytes  flop/s  byte/s  step\n"
      " 8.00 us  64.0 %     1           188          23.5 M  epilogue:\n"
      "~6.00 us  48.0 %     1    120    188  20.0 M  31.3 M    kernel (4, 5): MatMul  # model.cpp:3\n"
      "~2.00 us  16.0 %     1   20.0    160  10.0 M  80.0 M    loop (4, 5): Relu\n"
      " 4.00 us  32.0 %     1                                control (4, 5): while  [memory bounds it]  # model.cpp:5\n"
      "       -             -                                  body, too small to look into:\n"
      "       -             -   20.0    160                      loop (4, 5): a\"<b\n"
      "  500 ns   4.0 %                                      outside of steps\n"
      "Of that, reading the clock is about 60.0 ns.\n"
      "~: a share of what was measured of several steps together.\n";
  CHECK(jig::to_text(report_by_hand()) == expected);
  std::ostringstream out;
  out << report_by_hand();
  CHECK(out.str() == expected);
}

TEST_CASE("a step that computes several nodes has each of their lines once") {
  jig::profile_report r = report_by_hand();
  for (auto& n : r.graph.nodes) n.line = n.op == "Relu" ? "model.cpp:4" : "model.cpp:3";
  r.graph.steps[1].nodes = {2, 3, 2};
  CHECK(jig::to_text(r).find("loop (4, 5): MatMul, Relu, MatMul  # model.cpp:3, model.cpp:4\n") != std::string::npos);
}

TEST_CASE("of what ran op by op there is no step") {
  jig::profile_report r;
  r.name = "f";
  r.seconds = r.outside = 3;
  CHECK(jig::to_text(r) ==
        "f: 3.00 s a call\n"
        "  time    share  runs  flops  bytes  flop/s  byte/s  step\n"
        "3.00 s  100.0 %                                      outside of steps\n"
        "Nothing was measured: it ran op by op, or without a step.\n");
}

TEST_CASE("numbers have three digits and a unit") {
  using jig::detail::amount_text, jig::detail::time_text;
  CHECK(time_text(0) == "0.00 ns");
  CHECK(time_text(9.994e-9) == "9.99 ns");
  CHECK(time_text(99.96e-9) == "100 ns");
  CHECK(time_text(999.4e-9) == "999 ns");
  CHECK(time_text(999.6e-9) == "1.00 us");
  CHECK(time_text(0.0123) == "12.3 ms");
  CHECK(time_text(12345) == "12345 s");
  CHECK(amount_text(1e15, "") == "1000 T");
  CHECK(amount_text(1536, "B") == "1.54 kB");
}

}  // namespace

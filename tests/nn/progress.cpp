// SPDX-License-Identifier: MIT
#include <jig/nn/progress.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace {

using namespace jig::nn::detail;

TEST_CASE("progress: what a bar and a line say") {
  jig::nn::logs l;
  l.set("loss", 0.125);
  l.set("accuracy", 1e-5);
  progress p(1, 40, true);
  CHECK(p.bar_text(10, l, 0.5) == "10/40 [=====...............] 2s 50ms/step - loss: 0.1250 - accuracy: 1.0000e-05");
  CHECK(p.bar_text(40, l, 0.5) == "40/40 [====================] 500ms 12ms/step - loss: 0.1250 - accuracy: 1.0000e-05");
  CHECK(p.bar_text(0, {}, 0) == "0/40 [....................] 0us 0us/step");
  CHECK(p.line_text({}, 0.002) == "40/40 - 2ms - 50us/step");
  progress unknown(0, -1, true);
  CHECK(unknown.bar_text(3, {}, 0.5) == "3/Unknown [....................] 500ms 167ms/step");
  unknown.step(7, {});
  unknown.end({});
  CHECK(unknown.line_text({}, 0.007) == "7/7 - 7ms - 1ms/step");
  CHECK(number_text(0) == "0.0000");
  CHECK(number_text(-2) == "-2.0000");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()).find("nan") != std::string::npos);
}

}  // namespace

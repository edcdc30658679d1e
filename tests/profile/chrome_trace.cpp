// SPDX-License-Identifier: MIT
#include <jig/profile/chrome_trace.hpp>

#include "../profile/report_by_hand.hpp"

#include <doctest/doctest.h>

namespace {

TEST_CASE("a profile as a timeline") {
  const auto trace = nlohmann::json::parse(jig::to_chrome_trace(report_by_hand()));
  const auto& events = trace.at("traceEvents");
  REQUIRE(events.size() == 3);
  for (const auto& e : events) {
    CHECK(e.at("ph") == "X");
    CHECK(e.at("pid") == 1);
    CHECK(e.at("tid") == 1);
  }
  CHECK(events[0].at("name") == "f(x, w)");
  CHECK(events[0].at("ts") == 0);
  // As long as what is in it, though the other calls took less.
  CHECK(events[0].at("dur").get<double>() == doctest::Approx(13));
  CHECK(events[1].at("name") == "MatMul, Relu");
  CHECK(events[1].at("ts").get<double>() == doctest::Approx(1));
  CHECK(events[1].at("dur").get<double>() == doctest::Approx(8));
  CHECK(events[2].at("name") == "while");
  CHECK(trace.at("otherData").at("events left out") == 7);
}

TEST_CASE("names that are not UTF-8 do not break it") {
  auto r = report_by_hand();
  r.name = "f(\xff\"\n)";
  const auto trace = nlohmann::json::parse(jig::to_chrome_trace(r));
  CHECK(trace.at("traceEvents")[0].at("name") == "f(\xef\xbf\xbd\"\n)");
}

}  // namespace

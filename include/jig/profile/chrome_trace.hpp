// SPDX-License-Identifier: MIT
#pragma once
// A profile as a timeline that Perfetto (ui.perfetto.dev) and chrome://tracing show. The JSON is nlohmann's: <nlohmann/json.hpp> has to be
// there, of Debian's nlohmann-json3-dev for example.

#include <jig/profile/report.hpp>

#include <nlohmann/json.hpp>

namespace jig {

/// The last call of a profile in Chrome's trace event format: the call, and what ran in it one after another, with what is in loops and
/// branches below them. At most 16384 events are kept; how many more there were is told in `otherData`.
/// Units: microseconds.
inline std::string to_chrome_trace(const profile_report& r) {
  using nlohmann::json;
  json events = json::array();
  const auto add = [&](const std::string& name, double begin, double seconds) {
    events.push_back({{"name", name}, {"ph", "X"}, {"ts", begin * 1e6}, {"dur", seconds * 1e6}, {"pid", 1}, {"tid", 1}});
  };
  double whole = r.seconds;
  for (const auto& e : r.events) whole = (std::max)(whole, e.begin + e.seconds);
  add(r.name, 0, whole);
  for (const auto& e : r.events) add(r.labels[static_cast<std::size_t>(e.label)], e.begin, e.seconds);
  const json out = {
      {"traceEvents", events}, {"displayTimeUnit", "ns"}, {"otherData", {{"calls", r.calls}, {"events left out", r.events_left_out}}}};
  // What is not UTF-8 in a name becomes a replacement character.
  return out.dump(1, ' ', false, json::error_handler_t::replace);
}

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// A profile as a table.

#include <jig/profile/report.hpp>

#include <cmath>
#include <cstdio>
#include <iosfwd>

namespace jig {

namespace detail {

/// Three digits and a unit: `1.25 us`.
inline std::string short_number(double x, const char* unit, std::initializer_list<const char*> prefixes, double first) {
  double scale = first;
  const char* prefix = *prefixes.begin();
  for (const char* p : prefixes) {
    prefix = p;
    if (std::abs(x) < 999.5 * scale) break;
    if (p != *(prefixes.end() - 1)) scale *= 1000;
  }
  char text[40];
  const double shown = x / scale;
  std::snprintf(text, sizeof text, shown < 9.995 ? "%.2f %s%s" : shown < 99.95 ? "%.1f %s%s" : "%.0f %s%s", shown, prefix, unit);
  std::string out = text;
  if (out.back() == ' ') out.pop_back();
  return out;
}
inline std::string time_text(double seconds) { return short_number(seconds, "s", {"n", "u", "m", ""}, 1e-9); }
inline std::string amount_text(double n, const char* unit) { return short_number(n, unit, {"", "k", "M", "G", "T"}, 1); }

class profile_table {
 public:
  std::string run(const profile_report& r) {
    out_ = r.name + ": " + time_text(r.seconds) + " a call" + (r.calls > 1 ? ", on average of " + std::to_string(r.calls) : "") + '\n';
    whole_ = r.seconds;
    add({"time", "share", "runs", "flops", "bytes", "flop/s", "byte/s", "step"});
    add_graph(r.graph, "");
    add({time_text(r.outside), share_text(r.outside), "", "", "", "", "", "outside of steps"});
    write();
    if (r.reading > 0) out_ += "Of that, reading the clock is about " + time_text(r.reading) + ".\n";
    if (estimated_) out_ += "~: a share of what was measured of several steps together.\n";
    if (r.graph.steps.empty() && r.graph.nodes.empty()) out_ += "Nothing was measured: it ran op by op, or without a step.\n";
    return std::move(out_);
  }

 private:
  using row = std::vector<std::string>;
  void add(row r) { rows_.push_back(std::move(r)); }
  std::string share_text(double seconds) const {
    char text[24];
    std::snprintf(text, sizeof text, "%.1f %%", whole_ > 0 ? 100 * seconds / whole_ : 0);
    return text;
  }
  static std::string runs_text(double runs) {
    return runs == std::floor(runs) ? amount_count(runs) : short_number(runs, "", {"", "k", "M", "G"}, 1);
  }
  static std::string amount_count(double n) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", n);
    return text;
  }
  void add_graph(const profiled_graph& g, const std::string& indent) {
    int region = -1;
    for (std::size_t s = 0; s < g.steps.size(); ++s) {
      const profiled_step& step = g.steps[s];
      const profiled_region& around = g.regions[static_cast<std::size_t>(step.region)];
      const bool together = around.kind != "single";
      if (together && step.region != region)
        add({time_of(g, around.seconds), g.watched ? share_text(around.seconds) : "", runs_of(g), "",
             amount_text(static_cast<double>(around.bytes), ""), "", rate_text(static_cast<double>(around.bytes) * g.runs, around.seconds),
             indent + around.kind + ':' + note_of(around)});
      region = step.region;
      add_step(g, step, indent + (together ? "  " : ""), together ? "" : note_of(around));
      for (const auto& b : g.bodies)
        if (std::find(step.nodes.begin(), step.nodes.end(), b.node) != step.nodes.end()) {
          add({time_of(b.graph, b.graph.seconds), b.graph.watched ? share_text(b.graph.seconds) : "", runs_of(b.graph), "", "", "", "",
               indent + "  " + b.key + (b.graph.watched ? ":" : ", too small to look into:")});
          add_graph(b.graph, indent + "    ");
        }
    }
  }
  static std::string time_of(const profiled_graph& g, double seconds) { return g.watched ? time_text(seconds) : "-"; }
  static std::string note_of(const profiled_region& r) { return r.memory_bound ? "  [memory bounds it]" : ""; }
  static std::string rate_text(double amount, double seconds) { return seconds > 0 ? amount_text(amount / seconds, "") : ""; }
  // `  # model.cpp:3, model.cpp:5`: where the nodes of a step are written.
  static std::string lines_of(const profiled_graph& g, const profiled_step& s) {
    std::vector<std::string> lines;
    for (int v : s.nodes) {
      const std::string& line = g.nodes[static_cast<std::size_t>(v)].line;
      if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    std::string out;
    for (const auto& line : lines) out += (out.empty() ? "  # " : ", ") + line;
    return out;
  }
  static std::string runs_of(const profiled_graph& g) { return g.watched ? runs_text(g.runs) : "-"; }
  void add_step(const profiled_graph& g, const profiled_step& s, const std::string& indent, const std::string& note) {
    std::string nodes;
    for (int v : s.nodes) nodes += (nodes.empty() ? "" : ", ") + g.nodes[static_cast<std::size_t>(v)].name;
    const bool timed = g.watched && s.seconds > 0, counted = s.kind != "control";
    estimated_ = estimated_ || (timed && s.estimated);
    add({g.watched ? (s.estimated ? "~" : "") + time_text(s.seconds) : "-", g.watched ? share_text(s.seconds) : "", runs_of(g),
         counted ? amount_text(static_cast<double>(s.flops), "") : "", counted ? amount_text(static_cast<double>(s.bytes), "") : "",
         counted ? rate_text(static_cast<double>(s.flops) * g.runs, s.seconds) : "",
         counted ? rate_text(static_cast<double>(s.bytes) * g.runs, s.seconds) : "",
         indent + s.kind + ' ' + s.extents + ": " + nodes + note + lines_of(g, s)});
  }
  void write() {
    std::vector<std::size_t> width(rows_[0].size());
    for (const auto& r : rows_)
      for (std::size_t k = 0; k < r.size(); ++k) width[k] = (std::max)(width[k], r[k].size());
    for (const auto& r : rows_) {
      for (std::size_t k = 0; k + 1 < r.size(); ++k) out_ += std::string(width[k] - r[k].size(), ' ') + r[k] + "  ";
      out_ += r.back() + '\n';
    }
  }

  std::vector<row> rows_;
  std::string out_;
  double whole_ = 0;
  bool estimated_ = false;
};

}  // namespace detail

/// The profile as a table: a line for each step, below a line of their region those that run together, below a loop or branch what is in
/// its bodies; then what a call takes outside of them. Times are of one call, all runs of the step together; flops and bytes are of one
/// run.
inline std::string to_text(const profile_report& r) { return detail::profile_table().run(r); }

/// Writes to_text(r). A template, so that this header does without <ostream>.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const profile_report& r) {
  return out << to_text(r);
}

}  // namespace jig

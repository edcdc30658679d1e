// SPDX-License-Identifier: MIT
#pragma once
// What a profile tells: plain data, made from a plan and what was measured while it ran.

#include <jig/eval/plan_text.hpp>
#include <jig/eval/watch.hpp>
#include <jig/profile/copy_rate.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace jig {

/// A node of a graph that ran.
struct profiled_node {
  std::string name, op, spec;  // extents are those of the call
  std::vector<edge> inputs;
  std::vector<int> steps;  // that compute it; none: an argument, a constant, or a value that lies in the memory of another one
  double seconds = 0;      // in one call: its share of its steps by what it computes
  index flops = 0;         // in one run
  std::string line;        // of the program that wrote it; empty where it is not known
};

/// A step of a plan that ran: a loop over memory, or a kernel.
struct profiled_step {
  std::string kind, name, extents;  // of what it goes through; the name is that of what it stores
  int region = 0;
  std::vector<int> nodes;  // that it computes
  double seconds = 0;      // in one call, all runs of it together; of a loop or branch with what is inside
  index flops = 0;         // in one run
  index bytes = 0;         // that it reads and writes in one run, as far as they are in memory
  bool estimated = false;  // the time is a share of what was measured of several steps together
};

/// Steps that run together, part by part, or a single one.
struct profiled_region {
  std::string kind;           // single, rows, batch, epilogue, chain
  double seconds = 0;         // in one call
  index bytes = 0;            // that its steps read and write in one run, each value once
  bool memory_bound = false;  // it moves them about as fast as a copy does
};

struct profiled_body;

/// A graph that ran, or a body of one of its nodes.
struct profiled_graph {
  std::vector<profiled_node> nodes;
  std::vector<edge> results;
  std::vector<profiled_step> steps;
  std::vector<profiled_region> regions;
  std::vector<profiled_body> bodies;
  double runs = 0;       // in one call
  double seconds = 0;    // in one call: the sum over its steps
  bool watched = false;  // bodies of a few numbers are not: their trips cost less than reading a clock
};

struct profiled_body {
  int node = 0;
  std::string key;  // then_branch, else_branch, cond, body
  profiled_graph graph;
};

/// When something ran.
/// Units: seconds from the beginning of the last call.
struct profiled_event {
  int label = 0;
  double begin = 0, seconds = 0;
};

/// What jig::profile measured. to_text, to_dot, to_html and to_chrome_trace show it.
struct profile_report {
  std::string name;
  int calls = 0;
  double seconds = 0;  // of one call, on average
  double outside = 0;  // of that, outside of all steps: arguments are looked at, results are allocated
  double reading = 0;  // of that, about so much is reading the clock
  profiled_graph graph;
  std::vector<std::string> labels;  // of events
  std::vector<profiled_event> events;
  std::size_t events_left_out = 0;
};

namespace detail {

/// What was measured of a plan.
/// Units: ticks of the clock, in all calls.
struct measured_plan {
  std::string key;  // of a body
  int node = -1;
  double ticks = 1;  // of a body: what a tick in it, and in bodies inside, counts for
  plan_view plan;
  std::vector<std::uint64_t> laps;  // by region: until behind it, from the one before
  std::vector<char> ends_lap;       // whether it was looked at the clock behind a region
  std::vector<double> shares;       // of steps in their regions, as far as that was measured
  struct tiles {
    std::uint64_t ticks = 0, watched = 0, all = 0;  // watched and all: elements
  };
  std::vector<tiles> epilogues;  // by region
  std::vector<index> extents;    // by symbol
  std::uint64_t runs = 0;
  bool watched = false;
  const void* id = nullptr;  // of what is watched: region r has the address r characters behind it
  std::vector<measured_plan> bodies;
};

/// Makes the report of one plan. A template, as what writes plans: who does not ask does not pay.
template <class Plan = plan_view>
class plan_report {
 public:
  /// `scale`: seconds of one call for a tick in all calls.
  plan_report(const measured_plan& m, double scale, double calls, const std::vector<std::string>& names)
      : m_(m), p_(m.plan), scale_(scale), calls_(calls), names_(names) {}

  profiled_graph run(profile_report& to, std::vector<const void*>& ids) {
    out_.watched = m_.watched;
    out_.runs = static_cast<double>(m_.runs) / calls_;
    add_nodes();
    for (const auto& r : p_.regions) add_region(r);
    if (m_.watched) share_laps();
    for (auto& s : out_.steps) out_.seconds += s.seconds;
    add_labels(to, ids);
    for (const auto& b : m_.bodies) {
      const node_view n = p_.graph.node(b.node);
      const auto names = body_names(b.plan.graph, n, names_);
      out_.bodies.push_back({b.node, b.key, plan_report(b, scale_ * b.ticks, calls_, names).run(to, ids)});
    }
    return std::move(out_);
  }

 private:
  shape extents(int v) const {
    shape s = p_.shapes[at(p_.values[at(v)].shape)];
    for (int a = 0; a < s.rank; ++a)
      if (s[a] < 0) {
        const auto k = static_cast<std::size_t>(symbol_number(s[a]));
        s[a] = k < m_.extents.size() ? m_.extents[k] : dyn;
      }
    return s;
  }
  auto all_extents() const {
    return [this](int v) { return extents(v); };
  }
  static std::string text_of(const auto& s) {
    message m;
    m << s;
    return std::string(m.view());
  }

  void add_nodes() {
    for (int v = 0; v < p_.graph.size(); ++v) {
      const node_view n = p_.graph.node(v);
      profiled_node node{names_[at(v)], std::string(n.op()), text_of(tensor_spec{n.dtype(), extents(v)}), {}, {}, 0, 0, to_text(n.line())};
      for (const auto& e : n.inputs()) node.inputs.push_back(e);
      node.flops = (std::max)(flops_of_node(p_.graph, v, all_extents()), index{0});
      out_.nodes.push_back(std::move(node));
    }
    for (const auto& e : p_.graph.outputs()) out_.results.push_back(e);
  }
  void add_region(const planned_region& r) {
    constexpr const char* kinds[] = {"single", "rows", "batch", "epilogue", "chain"};
    const int number = static_cast<int>(out_.regions.size());
    out_.regions.push_back({kinds[static_cast<int>(r.kind)], 0, 0, false});
    std::vector<int> moved;
    for (int s = r.first; s < r.first + r.count; ++s) {
      const planned_step& step = p_.steps[at(s)];
      add_step(step, number);
      for (int i = 0; i < step.leaves.count && !step.done; ++i) moved.push_back(p_.leaves[at(step.leaves.first + i)]);
      for (int i = 0; i < step.roots.count && !step.done; ++i) moved.push_back(p_.roots[at(step.roots.first + i)]);
    }
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    for (int v : moved) out_.regions.back().bytes += bytes_in_memory(v);
  }
  void add_step(const planned_step& s, int region) {
    constexpr const char* kinds[] = {"loop", "reduction", "kernel", "control"};
    profiled_step out;
    out.kind = kinds[static_cast<int>(s.kind)];
    out.extents = text_of(extents(s.space));
    out.region = region;
    const int number = static_cast<int>(out_.steps.size());
    const auto compute = [&](int v) {
      if (std::find(out.nodes.begin(), out.nodes.end(), v) != out.nodes.end()) return;
      out.nodes.push_back(v);
      out_.nodes[at(v)].steps.push_back(number);
      out.flops += out_.nodes[at(v)].flops;
    };
    for (int i = 0; i < s.body.count; ++i) compute(p_.body[at(s.body.first + i)]);
    for (int i = 0; i < s.roots.count; ++i) {
      const int v = p_.roots[at(s.roots.first + i)];
      compute(v);
      out.name += (i == 0 ? "" : ", ") + names_[at(v)];
      out.bytes += bytes_in_memory(v);
    }
    for (int i = 0; i < s.leaves.count; ++i) out.bytes += bytes_in_memory(p_.leaves[at(s.leaves.first + i)]);
    if (s.done) out.bytes = out.flops = 0;
    out_.steps.push_back(std::move(out));
  }
  index bytes_in_memory(int v) const {
    const planned_value& base = p_.values[at(base_of(p_.values, v))];
    if (base.place == place::chunk || base.place == place::immediate || p_.graph.data(v).spec.dtype == dtype::string) return 0;
    return (std::max)(extents(v).size(), index{0}) * static_cast<index>(size_of(p_.graph.data(v).spec.dtype));
  }

  double work(int step) const { return 1 + static_cast<double>((std::max)(work_of_step(p_, step, all_extents()), index{0})); }
  double work_of_region(const planned_region& r) const {
    double total = 0;
    for (int s = r.first; s < r.first + r.count; ++s) total += work(s);
    return total;
  }
  // What was measured up to behind a region belongs to all those from the last look at the clock on.
  void share_laps() {
    std::size_t first = 0;
    for (std::size_t r = 0; r < p_.regions.size(); ++r) {
      if (!m_.ends_lap[r]) continue;
      double total = 0;
      for (std::size_t i = first; i <= r; ++i) total += work_of_region(p_.regions[i]);
      for (std::size_t i = first; i <= r; ++i)
        share_region(i, static_cast<double>(m_.laps[r]) * scale_ * work_of_region(p_.regions[i]) / total, r > first);
      first = r + 1;
    }
  }
  void share_region(std::size_t region, double seconds, bool estimated) {
    const planned_region& r = p_.regions[region];
    std::vector<double> share(at(r.count), 1);
    double measured = 0;
    for (int k = 0; k < r.count; ++k) measured += m_.shares[at(r.first + k)];
    if (const auto& t = m_.epilogues[region]; t.watched > 0) {
      const double behind = static_cast<double>(t.ticks) * static_cast<double>(t.all) / static_cast<double>(t.watched) * scale_;
      share = {(std::max)(seconds - behind, 0.0), (std::min)(behind, seconds)};
    } else {
      for (int k = 0; k < r.count; ++k) share[at(k)] = measured > 0 ? m_.shares[at(r.first + k)] : work(r.first + k);
    }
    double total = 0;
    for (double x : share) total += x;
    profiled_region& out = out_.regions[region];
    out.seconds = seconds;
    out.memory_bound = out_.runs > 0 && out_.steps[at(r.first)].kind != "control" && is_memory_bound(out.bytes, seconds / out_.runs);
    for (int k = 0; k < r.count; ++k)
      set_time(out_.steps[at(r.first + k)], total > 0 ? seconds * share[at(k)] / total : 0, estimated || r.count > 1);
  }
  void set_time(profiled_step& s, double seconds, bool estimated) {
    s.seconds = seconds;
    s.estimated = estimated;
    double total = 0;
    for (int v : s.nodes) total += 1 + static_cast<double>(out_.nodes[at(v)].flops);
    for (int v : s.nodes) out_.nodes[at(v)].seconds += seconds * (1 + static_cast<double>(out_.nodes[at(v)].flops)) / total;
  }
  void add_labels(profile_report& to, std::vector<const void*>& ids) const {
    for (std::size_t r = 0, first = 0; m_.watched && r < p_.regions.size(); ++r) {
      if (!m_.ends_lap[r]) continue;
      std::string label;
      const int end = p_.regions[r].first + p_.regions[r].count;
      for (int s = p_.regions[first].first; s < end; ++s) label += (label.empty() ? "" : ", ") + out_.steps[at(s)].name;
      to.labels.push_back(label.empty() ? "effects" : label);
      ids.push_back(static_cast<const char*>(m_.id) + r);
      first = r + 1;
    }
  }

  const measured_plan& m_;
  const Plan& p_;
  double scale_, calls_;
  const std::vector<std::string>& names_;
  profiled_graph out_;
};

}  // namespace detail

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// A plan as text: what runs together, in which order, and where every value lies. Made for reading and for comparing with expected
// text in tests.

#include <jig/eval/plan.hpp>
#include <jig/graph/text.hpp>

#include <concepts>
#include <iosfwd>

namespace jig {

namespace detail {

// A template, so that who does not ask for texts does not pay for them.
template <class Plan>
class plan_writer {
 public:
  explicit plan_writer(const Plan& p) : p_(p), names_(node_names<graph_view>(p.graph)) {}

  std::string run() {
    for (const auto& e : p_.sources)
      line(extent(e.symbol) + " = extent " + number(e.axis) + " of " + names_[at(p_.graph.inputs()[at(e.input)])]);
    for (const auto& e : p_.expressions) write(e);
    for (const auto& r : p_.regions) write(r);
    for (std::size_t k = 0; k < p_.buffers.size(); ++k) write_slot(static_cast<int>(k));
    return std::move(out_);
  }

 private:
  static std::string number(auto n) { return std::to_string(n); }
  static std::string extent(index e) { return e >= 0 ? number(e) : "n" + number(symbol_number(e)); }
  static std::string tuple(const shape& s, int axes) {
    std::string out = "(";
    for (int a = 0; a < axes; ++a) out += (a > 0 ? ", " : "") + extent(s[a]);
    return out + (axes == 1 ? ",)" : ")");
  }
  const shape& extents(int v) const { return p_.shapes[at(p_.values[at(v)].shape)]; }
  void line(const std::string& text) { out_ += text + '\n'; }
  static void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

  void write(const extent_expression& e) {
    using relation = extent_algebra::relation;
    const std::string a = extent(e.a), b = extent(e.b), result = e.symbol == dyn ? "" : extent(e.symbol) + " = ";
    const auto between = [&](const char* sign) { return result + a + sign + b; };
    std::string text;
    switch (e.relation) {
      case relation::broadcast: text = result + "broadcast(" + a + ", " + b + ')'; break;
      case relation::sum: text = between(" + "); break;
      case relation::difference: text = between(" - "); break;
      case relation::excess: text = result + "max(" + a + " - " + b + ", 0)"; break;
      case relation::steps: text = result + "ceil(" + a + " / " + b + ')'; break;
      case relation::product: text = between(" * "); break;
      case relation::quotient: text = between(" / "); break;
      case relation::equal: text = e.checked ? a + " == " + b : result + a; break;
      case relation::at_most: text = extent(e.symbol) + " <= " + a + ", which " + names_[at(e.node)] + " tells"; break;
    }
    line(text + (e.after < 0 || e.relation == relation::at_most ? "" : ", known after step " + number(e.after)));
  }

  // Where a value lies.
  std::string place_text(int v) const {
    const planned_value& value = p_.values[at(v)];
    const std::string n = number(value.number);
    switch (value.place) {
      case place::registers: return "registers";
      case place::argument: return "argument " + n + (value.dense ? "" : ", strided");
      case place::constant: return "constant";
      case place::immediate: return words_text(p_.graph.node(v), p_.graph.node(v).attribute("value").words);
      case place::result: return "result " + n;
      case place::workspace: return "slot " + n;
      case place::chunk: return "local";
      case place::joined: return "run of " + value_text(value.number);
      case place::alias:
        return (value.dense ? value.offset == 0 ? "as " : "from " + number(value.offset) + " of " : "view of ") + value_text(value.number);
      case place::part: return "part of " + value_text(value.number) + " at " + names_[at(p_.graph.inputs_of(v)[1].node)];
      case place::padded_read: return "padded read from " + number(-value.offset) + " of " + value_text(value.number);
    }
    return {};
  }
  std::string value_text(int v) const { return names_[at(v)] + " [" + place_text(v) + ']'; }
  std::string values_text(stretch<int> list, range_of_pool range, bool with_places) const {
    std::string out;
    for (int i = 0; i < range.count; ++i) {
      const int v = list[at(range.first + i)];
      append(out, with_places ? value_text(v) : names_[at(v)]);
    }
    return out;
  }

  void write(const planned_region& r) {
    const planned_step& first = p_.steps[at(r.first)];
    std::string indent;
    if (r.kind != region_kind::single) {
      constexpr const char* kinds[] = {"", "rows", "batch", "epilogue", "chain"};
      std::string text = std::string(kinds[static_cast<int>(r.kind)]) + " of " + tuple(extents(first.space), r.axes);
      if (r.chunk > 1) text += ", " + number(r.chunk) + " at a time";
      if (r.least > 1) text += ", at least " + number(r.least);
      for (int i = 0; i < r.locals.count; ++i) {
        const planned_local& local = p_.locals[at(r.locals.first + i)];
        text += (i == 0 ? ", " + number(r.bytes) + " bytes for " : ", ") + names_[at(local.node)] + " at " + number(local.offset);
      }
      for (int i = 0; i < r.guards.count; ++i) {
        const planned_guard& guard = p_.guards[at(r.guards.first + i)];
        text += (i == 0 ? ", if " : " and ") + extent(guard.a) + " == " + extent(guard.b);
      }
      line(text + ':');
      indent = "  ";
    }
    for (int s = r.first; s < r.first + r.count; ++s) line(indent + step_text(p_.steps[at(s)]));
  }
  std::string step_text(const planned_step& s) const {
    constexpr const char* kinds[] = {"loop", "reduction", "kernel", "control"};
    std::string text = std::string(kinds[static_cast<int>(s.kind)]) + ' ' + tuple(extents(s.space), extents(s.space).rank);
    if (s.kind == step_kind::reduction) {
      const auto axes = p_.graph.node(p_.roots[at(s.roots.first)]).attribute("axes").values;
      if (!axes.empty()) text += " over " + list_text(axes.size(), axes.size(), false, [&](std::size_t i) { return number(axes[i]); });
    }
    text += ": ";
    const std::string leaves = values_text(p_.leaves, {s.leaves.first, s.leaves.count - s.beside}, true);
    std::string computed;
    for (int i = 0; i < s.body.count; ++i)
      if (!is_root(s, p_.body[at(s.body.first + i)])) append(computed, names_[at(p_.body[at(s.body.first + i)])]);
    if (!leaves.empty()) text += leaves + " -> ";
    if (!computed.empty()) text += computed + " -> ";
    text += values_text(p_.roots, s.roots, true);
    if (s.done) text += ", which is there";
    if (s.beside > 0) text += " beside " + values_text(p_.leaves, {s.leaves.first + s.leaves.count - s.beside, s.beside}, true);
    return text;
  }
  bool is_root(const planned_step& s, int v) const {
    for (int i = 0; i < s.roots.count; ++i)
      if (p_.roots[at(s.roots.first + i)] == v) return true;
    return false;
  }

  void write_slot(int k) {
    std::string held;
    for (std::size_t v = 0; v < p_.values.size(); ++v)
      if (p_.values[v].place == place::workspace && p_.values[v].number == k) append(held, names_[v]);
    const planned_slot& slot = p_.buffers[at(k)];
    line("slot " + number(k) + ": " + (slot.bytes >= 0 ? number(slot.bytes) + " bytes" : "as large as " + names_[at(slot.like)]) + " for " +
         held);
  }

  const Plan& p_;
  std::vector<std::string> names_;
  std::string out_;
};

}  // namespace detail

/// The plan as text: first how extents that a call tells follow from each other; then the regions in the order in which they run;
/// then the slots of the workspace and what they hold one after another. A line `loop (20, 100): reads -> computes -> stores` for
/// each step names the extents that it goes through and its nodes; in brackets stands where a value lies. What is computed stays in
/// registers. A copy of what lies there already does not run: `which is there`. Steps that run together are below a line that tells which
/// axes they walk through in chunks, the bytes of a chunk and what lies there, and under which conditions; where these do not hold they run
/// one after another. Bodies of loops and branches have plans of their own.
template <std::same_as<plan_view> Plan>
std::string to_text(const Plan& p) {
  return detail::plan_writer<Plan>(p).run();
}

/// Writes to_text(p). A template, so that this header does without <ostream>.
template <class Traits, std::same_as<plan_view> Plan>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Plan& p) {
  return out << to_text(p);
}

}  // namespace jig

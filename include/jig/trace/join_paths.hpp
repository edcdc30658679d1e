// SPDX-License-Identifier: MIT
#pragma once
// Where ways through a lambda have joined again: what follows is the same in all runs that come there, and is kept once.

#include <jig/trace/paths.hpp>

namespace jig::detail {

// Whether what follows the ends of the open region is the same in two sets of runs, on every way.
template <class Recordings>
constexpr bool structure_of_runs<Recordings>::same_rests(const list<int>& a, const list<int>& b) const {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!same_rest(a[k], b[k])) return false;
  return true;
}

// The same of two runs.
template <class Recordings>
constexpr bool structure_of_runs<Recordings>::same_rest(int a, int b) const {
  const builder &x = runs_[a], &y = runs_[b];
  const int i = end_event_[a], j = end_event_[b];
  const int from_x = x.events[i].until, from_y = y.events[j].until;
  const int nodes = x.graph.size() - from_x;
  if (nodes != y.graph.size() - from_y || x.events.size() - at(i) != y.events.size() - at(j)) return false;
  auto same = [&](const edge& p, const edge& q) {
    bool late = p.node >= from_x, late_too = q.node >= from_y;
    if (late != late_too) return false;
    return late ? p.port == q.port && p.node - from_x == q.node - from_y : named(a, p) == named(b, q);
  };
  auto all_same = [&](auto&& p, auto&& q) {
    if (p.size() != q.size()) return false;
    for (std::size_t k = 0; k < p.size(); ++k)
      if (!same(p[k], q[k])) return false;
    return true;
  };
  for (int k = 0; k < nodes; ++k)
    if (!same_node(a, from_x + k, b, from_y + k) || !all_same(runs_.graph(a).inputs_of(from_x + k), runs_.graph(b).inputs_of(from_y + k)))
      return false;
  auto part = [](const builder& r, const range_of_pool& p) {
    return stretch<edge>(r.pool.data() + p.first, static_cast<std::size_t>(p.count));
  };
  for (int k = 1; at(i + k) < x.events.size(); ++k) {
    const trace_event &p = x.events[i + k], &q = y.events[j + k];
    if (p.kind != q.kind || p.outcome != q.outcome || p.at - from_x != q.at - from_y) return false;
    const edge of_p[] = {p.condition, p.first, p.last, p.step}, of_q[] = {q.condition, q.first, q.last, q.step};
    if (p.kind != event_kind::leave && !all_same(stretch<edge>(of_p), stretch<edge>(of_q))) return false;
    if (!all_same(part(x, p.before), part(y, q.before)) || !all_same(part(x, p.values), part(y, q.values))) return false;
  }
  return all_same(x.graph.output_edges, y.graph.output_edges);
}

template <class Recordings>
constexpr std::size_t structure_of_runs<Recordings>::at(int i) {
  return static_cast<std::size_t>(i);
}

// Calls of C++ functions share their op and are never taken for the same.
template <class Recordings>
constexpr bool structure_of_runs<Recordings>::same_node(int run, int id, int other_run, int other) const {
  return !runs_[run].graph.nodes[id].kind->is(fact::host) && same_op(runs_.graph(run), id, runs_.graph(other_run), other);
}
template <class Recordings>
constexpr bool structure_of_runs<Recordings>::alike(int a, int b, likeness& found) {
  const statement &s = all[a], &t = all[b];
  if (s.kind != t.kind || s.operands.count != t.operands.count || s.joined.count != t.joined.count || s.exit_code != t.exit_code ||
      s.joins != t.joins || s.escaped.count != t.escaped.count || (s.exit.node == -1) != (t.exit.node == -1) ||
      !same_specs(s.operands, t.operands) || (s.kind == statement_kind::fork && !same_specs(s.joined, t.joined, 3)))
    return false;
  auto define = [&](const edge& x, const edge& y) {
    found.defined.push_back(x);
    found.defined_too.push_back(y);
  };
  if (s.kind == statement_kind::node) {
    const definition &d = definitions[s.number], &other = definitions[t.number];
    if (!same_node(d.run, d.node, other.run, other.node)) return false;
    define({s.number, 0}, {t.number, 0});
  } else if (s.kind == statement_kind::end) {
    const trace_event &e = event(s), &f = event(t);
    if (e.kind != f.kind) return false;
    if (e.kind == event_kind::leave && s.exit_code == 0 && !same_rest_of_ends(a, b)) return false;
    found.ends.push_back(a);
    found.ends_too.push_back(b);
  } else if (s.kind == statement_kind::loop || s.kind == statement_kind::branch) {
    const trace_event &e = event(s), &f = event(t);
    if (e.kind != f.kind || e.step_sign != f.step_sign) return false;
    for (int k = e.at; k < e.until; ++k) define(named(s.run, {k, 0}), named(t.run, {k - e.at + f.at, 0}));
    if (s.exit.node != -1) define(s.exit, t.exit);
    for (int k = 0; k < s.joined.count; ++k) define(pool[s.joined.first + k], pool[t.joined.first + k]);
  } else if (s.kind == statement_kind::fork) {
    for (int k = 0; k < s.joined.count; k += 3) define(pool[s.joined.first + k], pool[t.joined.first + k]);
    for (int k = 0; k < s.joined.count; ++k)
      if (k % 3 != 0) use(found, s.joined.first + k, t.joined.first + k);
  }
  for (int k = 0; k < s.operands.count; ++k) use(found, s.operands.first + k, t.operands.first + k);
  return blocks_alike(s.yes, t.yes, found) && blocks_alike(s.no, t.no, found);
}

// What is used at the same place can be a result of one If only with one spec. Of a fork's joined values, those behind it tell.
template <class Recordings>
constexpr bool structure_of_runs<Recordings>::same_specs(const range_of_pool& a, const range_of_pool& b, int step) const {
  for (int k = 0; k < a.count; k += step) {
    const edge &p = pool[a.first + k], &q = pool[b.first + k];
    if ((p.node == -1) != (q.node == -1)) return false;
    if (p.node != -1 && !(spec(p) == spec(q))) return false;
  }
  return true;
}

template <class Recordings>
constexpr void structure_of_runs<Recordings>::use(likeness& found, int a, int b) {
  found.used.push_back(a);
  found.used_too.push_back(b);
}

template <class Recordings>
constexpr bool structure_of_runs<Recordings>::blocks_alike(int a, int b, likeness& found) {
  for (; a >= 0 && b >= 0; a = all[a].next, b = all[b].next)
    if (!alike(a, b, found)) return false;
  return a < 0 && b < 0;
}

template <class Recordings>
constexpr bool structure_of_runs<Recordings>::same_rest_of_ends(int a, int b) const {
  list<int> x, y;
  for (int run = 0; run < runs_.size(); ++run) {
    if (dropped_[run]) continue;
    if (end_of_[run] == a) x.push_back(run);
    if (end_of_[run] == b) y.push_back(run);
  }
  return !x.empty() && all[a].escaped.count == 0 && same_rests(x, y);
}

template <class Recordings>
constexpr list<int> structure_of_runs<Recordings>::statements_of(int block) const {
  list<int> out;
  for (int i = block; i >= 0; i = all[i].next) out.push_back(i);
  return out;
}

// Gives a fork its blocks, and moves what both end with behind it.
template <class Recordings>
constexpr void structure_of_runs<Recordings>::fill_fork(int fork, int yes, int no) {
  all[fork].yes = yes;
  all[fork].no = no;
  if (failure != trace_failure::none) return;
  list<int> y = statements_of(yes), n = statements_of(no);
  list<edge> defined, defined_too;
  list<int> used, used_too;  // of values that the common end does not define
  int common = 0;
  const int most = static_cast<int>(y.size() < n.size() ? y.size() : n.size());
  auto partner_of = [](const list<edge>& of, const list<edge>& in, const edge& e) {
    for (std::size_t k = of.size(); k-- > 0;)
      if (of[k].node == e.node) return in[k].node;
    return -1;
  };
  for (; common < most; ++common) {
    likeness found;
    if (!alike(y[static_cast<int>(y.size()) - 1 - common], n[static_cast<int>(n.size()) - 1 - common], found)) break;
    list<int> open, open_too;
    bool fits = true;
    auto consider = [&](int a, int b) {
      const edge &p = pool[a], &q = pool[b];
      int partner = partner_of(found.defined, found.defined_too, p), other = partner_of(found.defined_too, found.defined, q);
      if (partner == -1 && other == -1) {
        open.push_back(a);
        open_too.push_back(b);
      } else {
        fits = fits && partner == q.node && other == p.node && p.port == q.port;
      }
    };
    for (std::size_t k = 0; fits && k < found.used.size(); ++k) consider(found.used[k], found.used_too[k]);
    for (std::size_t k = 0; fits && k < used.size(); ++k) consider(used[k], used_too[k]);
    if (!fits) break;
    used = std::move(open);
    used_too = std::move(open_too);
    for (std::size_t k = 0; k < found.defined.size(); ++k)
      if (found.defined[k].node != found.defined_too[k].node) definitions[found.defined_too[k].node].instead = found.defined[k].node;
    merged_ = true;
    for (std::size_t k = 0; k < found.ends.size(); ++k)
      for (int run = 0; run < runs_.size(); ++run)
        if (end_of_[run] == found.ends_too[k]) end_of_[run] = found.ends[k];
  }
  if (common == 0) return;
  join_values(fork, used, used_too);
  const int first_common = y[static_cast<int>(y.size()) - common];
  cut(fork, true, y, common);
  cut(fork, false, n, common);
  all[fork].next = first_common;
}

template <class Recordings>
constexpr void structure_of_runs<Recordings>::cut(int fork, bool side, const list<int>& block, int common) {
  const int kept = static_cast<int>(block.size()) - common;
  if (kept > 0) all[block[kept - 1]].next = -1;
  else (side ? all[fork].yes : all[fork].no) = -1;
}

template <class Recordings>
constexpr void structure_of_runs<Recordings>::join_values(int fork, const list<int>& used, const list<int>& used_too) {
  list<edge> joined;  // three each
  for (std::size_t k = 0; k < used.size(); ++k) {
    const edge p = pool[used[k]], q = pool[used_too[k]];
    if (p == q) continue;
    edge out{};
    for (std::size_t i = 0; i < joined.size(); i += 3)
      if (joined[i + 1] == p && joined[i + 2] == q) out = joined[i];
    if (out.node == -1) {
      out = new_value(spec(p));
      joined.push_back(out);
      joined.push_back(p);
      joined.push_back(q);
    }
    pool[used[k]] = out;
  }
  all[fork].joined = stored(joined);
  all[fork].joins = true;
}

}  // namespace jig::detail

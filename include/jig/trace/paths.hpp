// SPDX-License-Identifier: MIT
#pragma once
// From paths to structure. A lambda with branches is run once for every way through it; each run leaves a list of nodes and
// events. Here the runs become one tree of statements: they are the same up to a decision, and what follows where their
// ways have joined again is recognised and kept once.

#include <jig/trace/same_recording.hpp>

namespace jig::detail {

/// The recordings of all ways through a lambda. Earlier ones took the first side of the decision where they part.
class recordings {
 public:
  constexpr recordings() = default;
  recordings(const recordings&) = delete;
  recordings& operator=(const recordings&) = delete;
  constexpr ~recordings() {
    for (builder* b : runs_) delete b;
  }
  constexpr builder& add() {
    runs_.push_back(new builder);
    return *runs_.back();
  }
  constexpr int size() const { return static_cast<int>(runs_.size()); }
  constexpr const builder& operator[](int run) const { return *runs_[run]; }
  constexpr graph_view graph(int run) const { return runs_[run]->graph.view(); }

 private:
  list<builder*> runs_;
};

// Ends constant evaluation, or throws.
inline void a_value_is_used_where_it_does_not_exist() { throw error("a value is used where it does not exist"); }

enum class statement_kind : unsigned char {
  node,    // an op
  fork,    // one of two blocks, by a decision
  branch,  // the same, written as one
  loop,
  condition,  // of a loop: what comes before belongs to it
  end,        // of a trip or of one of the blocks of a branch
  result      // of the function
};

/// A value of the program. Every run numbers its nodes anew, so that one number may mean different values in two of them, and two
/// numbers the same; a definition is the same value in all of them.
struct definition {
  int run = -1;      // who recorded it; -1 of a value that only the structure knows
  int node = -1;     // its number there; of such a value that of its spec
  int instead = -1;  // the definition that stands for this one, since both were recorded for one statement
};

/// Edges are outputs of definitions, given by their numbers.
struct statement {
  statement_kind kind = statement_kind::node;
  int run = 0;               // whose recording tells more
  int number = -1;           // of a node its definition, else of the event there
  range_of_pool operands{};  // of a loop: first, last, step, then what the objects stood for before
  int yes = -1, no = -1;     // the first statements of the blocks; of a loop `yes` is the body
  int next = -1;
  bool joins = false;       // fork: its blocks end where it ends, not where what is around them does
  range_of_pool joined{};   // fork: three values each, of behind it and of its blocks; loop: values of early exits
  range_of_pool escaped{};  // end: what the program used behind the loop, as the run knew it; the last of its operands
  edge exit{};              // loop: how it ended; 0 when nobody left it
  int exit_code = 0;        // end: how the loop ends; fork: taken for this one
  int first_joined = 0;     // end: where its escaped values are among those of the loop
  range_of_pool changed{};  // loop, branch: which objects have another value behind it than before
};

/// The tree of all runs.
template <class Recordings>
class structure_of_runs {
 public:
  list<statement> all;
  list<edge> pool;
  list<definition> definitions;
  list<tensor_spec> structural_specs;
  trace_failure failure = trace_failure::none;
  int first = -1;

  constexpr explicit structure_of_runs(const Recordings& runs)
      : runs_(runs), end_of_(runs.size()), end_event_(runs.size()), dropped_(runs.size()) {
    list<int> everyone;
    int names = 0;
    for (int r = 0; r < runs.size(); ++r) {
      everyone.push_back(r);
      first_name_.push_back(names);
      names += runs[r].graph.size();
    }
    names_ = list<int>(names);
    first = build(everyone, 0, 0);
  }

  constexpr const trace_event& event(const statement& s) const { return runs_[s.run].events[s.number]; }
  constexpr const tensor_spec& spec(const edge& e) const {
    const definition& d = definitions[e.node];
    return d.run < 0 ? structural_specs[d.node] : runs_.graph(d.run).spec({d.node, e.port});
  }
  /// The value that a run recorded.
  constexpr edge named(int run, const edge& e) const {
    if (e.node < 0) return e;
    int d = names_[first_name_[run] + e.node] - 1;
    if (d < 0) a_value_is_used_where_it_does_not_exist();
    while (merged_ && definitions[d].instead >= 0) d = definitions[d].instead;
    return {d, e.port};
  }
  struct edge_range {
    edge *first, *last;
    constexpr edge* begin() const { return first; }
    constexpr edge* end() const { return last; }
  };
  constexpr edge_range values(const range_of_pool& r) { return {pool.data() + r.first, pool.data() + r.first + r.count}; }

 private:
  struct chain {
    int first = -1, last = -1;
  };
  constexpr int append(chain& c, const statement& s) {
    all.push_back(s);
    int id = static_cast<int>(all.size()) - 1;
    if (c.last < 0) c.first = id;
    else all[c.last].next = id;
    c.last = id;
    return id;
  }
  constexpr range_of_pool stored(stretch<edge> edges) {
    range_of_pool r{static_cast<int>(pool.size()), static_cast<int>(edges.size())};
    for (const auto& e : edges) pool.push_back(e);
    return r;
  }
  constexpr range_of_pool stored_names(int run, stretch<edge> edges) {
    range_of_pool r{static_cast<int>(pool.size()), static_cast<int>(edges.size())};
    for (const auto& e : edges) pool.push_back(named(run, e));
    return r;
  }
  constexpr edge new_value(const tensor_spec& spec) {
    structural_specs.push_back(spec);
    definitions.push_back({.node = static_cast<int>(structural_specs.size()) - 1});
    return {static_cast<int>(definitions.size()) - 1, 0};
  }
  // Runs that did the same so far recorded this node alike.
  constexpr int define(const list<int>& set, int node) {
    definitions.push_back({.run = set[0], .node = node});
    const int d = static_cast<int>(definitions.size()) - 1;
    for (int run : set) names_[first_name_[run] + node] = d + 1;
    return d;
  }

  // The statements of runs that are the same so far, from a node and an event on, to the end of the block they are in.
  constexpr int build(list<int> set, int node, int event_number) {
    chain c;
    while (failure == trace_failure::none) {
      const int r = set[0];
      const builder& b = runs_[r];
      const bool more = static_cast<std::size_t>(event_number) < b.events.size();
      const int stop = more ? b.events[event_number].at : b.graph.size();
      for (; node < stop; ++node) {
        const int d = define(set, node);
        if (b.graph.nodes[node].kind->is(fact::input)) continue;
        append(c, {.kind = statement_kind::node, .run = r, .number = d, .operands = stored_names(r, runs_.graph(r).inputs_of(node))});
      }
      if (!more) {
        append(c, {.kind = statement_kind::result, .run = r, .operands = stored_names(r, b.graph.output_edges)});
        return c.first;
      }
      const trace_event& e = b.events[event_number];
      for (int id = e.at; id < e.until; ++id) define(set, id);
      statement s{.run = r, .number = event_number};
      switch (e.kind) {
        case event_kind::decision: {
          s.kind = statement_kind::fork;
          s.operands = stored_names(r, {&e.condition, 1});
          int id = append(c, s);
          list<int> yes, no;
          for (int run : set) (runs_[run].events[event_number].outcome ? yes : no).push_back(run);
          const int first_block = build(yes, e.until, event_number + 1), second_block = build(no, e.until, event_number + 1);
          fill_fork(id, first_block, second_block);
          return c.first;
        }
        case event_kind::condition:
          s.kind = statement_kind::condition;
          s.operands = stored_names(r, {&e.condition, 1});
          append(c, s);
          node = e.until;
          ++event_number;
          break;
        case event_kind::loop:
        case event_kind::while_loop:
        case event_kind::branch: {
          int id = append(c, region(s, e));
          int rest = e.kind == event_kind::branch ? build_branch(id, set) : build_loop(id, set);
          all[id].next = rest;
          return c.first;
        }
        default: {
          s.kind = statement_kind::end;
          find_escapes(s, e, r);
          int id = append(c, s);
          for (int run : set) {
            end_of_[run] = id;
            end_event_[run] = event_number;
          }
          return c.first;
        }
      }
    }
    return c.first;
  }

  constexpr statement region(statement s, const trace_event& e) {
    s.kind = e.kind == event_kind::branch ? statement_kind::branch : statement_kind::loop;
    edge head[] = {e.first, e.last, e.step};
    if (e.kind == event_kind::branch) head[0] = e.condition;
    s.operands = stored_names(s.run, {head, e.kind == event_kind::loop     ? std::size_t{3}
                                            : e.kind == event_kind::branch ? std::size_t{1}
                                                                           : std::size_t{0}});
    const builder& b = runs_[s.run];
    for (int i = 0; i < e.before.count; ++i) pool.push_back(named(s.run, b.pool[e.before.first + i]));
    s.operands.count += e.before.count;
    return s;
  }

  // The runs that reached the end of the open region as the first of them did; others that ended the same way leave the set.
  constexpr list<int> lineage(const list<int>& set, int begin_event, int first_run) {
    list<int> same;
    const int end = end_event_[first_run];
    for (int run : set) {
      if (dropped_[run]) continue;
      if (same_way(first_run, run, begin_event, end)) same.push_back(run);
      else if (end_of_[run] == end_of_[first_run]) dropped_[run] = 1;
    }
    return same;
  }
  constexpr bool same_way(int a, int b, int from, int to) const {
    const auto &x = runs_[a].events, &y = runs_[b].events;
    if (static_cast<std::size_t>(to) >= y.size()) return false;
    for (int i = from; i <= to; ++i)
      if (x[i].kind != y[i].kind || x[i].outcome != y[i].outcome) return false;
    return true;
  }

  constexpr int build_branch(int id, const list<int>& set) {
    const int begin = all[id].number;
    int body = build(set, event(all[id]).until, begin + 1);
    all[id].yes = body;
    list<int> now = next_lineage(set, begin);
    if (now.empty()) return -1;
    int at = end_event_[now[0]];
    body = build(now, runs_[now[0]].events[at].until, at + 1);
    all[id].no = body;
    now = next_lineage(now, at);
    if (now.empty()) return -1;
    at = end_event_[now[0]];
    return build(now, runs_[now[0]].events[at].until, at + 1);
  }
  constexpr list<int> next_lineage(const list<int>& set, int begin) {
    for (int run : set)
      if (!dropped_[run]) return lineage(set, begin, run);
    return {};
  }

  constexpr int build_loop(int id, const list<int>& set) {
    const int begin = all[id].number;
    int body = build(set, event(all[id]).until, begin + 1);
    all[id].yes = body;
    if (failure != trace_failure::none) return -1;
    int whole = -1;
    for (int run : set)
      if (whole < 0 && !dropped_[run] && end_kind(run) == event_kind::next_trip) whole = run;
    if (whole < 0) {
      failure = trace_failure::endless_loop;
      return -1;
    }
    list<int> after = lineage(set, begin, whole);
    // Runs that left the loop early either go on as those that did not, or have their own way from there.
    list<int> ends, leaders;
    int escapes = 0;
    for (int run : set) {
      if (dropped_[run] || end_kind(run) != event_kind::leave) continue;
      bool known = false;
      for (int end : ends) known = known || end == end_of_[run];
      if (known) continue;
      ends.push_back(end_of_[run]);
      leaders.push_back(run);
    }
    if (!ends.empty()) all[id].exit = new_value({dtype::int32, {}});
    list<edge> outer;
    int codes = 1;
    list<int> own_way;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const int end = ends[k];
      list<int> runs = lineage(set, begin, leaders[k]);
      if (all[end].escaped.count == 0 && same_rests(after, runs)) {
        all[end].exit_code = 1;
        for (int run : runs) dropped_[run] = 1;
        continue;
      }
      all[end].exit_code = ++codes;
      all[end].first_joined = escapes;
      escapes += all[end].escaped.count;
      for (const auto& e : values(all[end].escaped)) outer.push_back(new_value(spec(e)));
      own_way.push_back(leaders[k]);
    }
    all[id].joined = stored(outer);
    return build_rest(id, set, own_way, 0, after);
  }
  constexpr event_kind end_kind(int run) const { return runs_[run].events[end_event_[run]].kind; }

  // What follows a loop: first the ways of those that left it for good, then the common one.
  constexpr int build_rest(int loop, const list<int>& set, const list<int>& own_way, std::size_t k, const list<int>& after) {
    const int begin = all[loop].number;
    if (k == own_way.size()) {
      const int at = end_event_[after[0]];
      return build(after, runs_[after[0]].events[at].until, at + 1);
    }
    const int run = own_way[k], end = end_of_[run], at = end_event_[run];
    chain c;
    edge exit = all[loop].exit;
    int id = append(c, {.kind = statement_kind::fork, .run = run, .operands = stored({&exit, 1}), .exit_code = all[end].exit_code});
    list<int> runs = lineage(set, begin, run);
    // Before their way is built: it may overwrite where these runs ended.
    int no = build_rest(loop, set, own_way, k + 1, after);
    int yes = build(runs, runs_[run].events[at].until, at + 1);
    list<edge> from, to;
    for (int i = 0; i < all[end].escaped.count; ++i) {
      from.push_back(pool[all[end].escaped.first + i]);
      to.push_back(pool[all[loop].joined.first + all[end].first_joined + i]);
    }
    rename(yes, from, to);
    fill_fork(id, yes, no);
    return c.first;
  }

 public:
  /// Replaces values in all statements of a block.
  constexpr void rename(int block, const list<edge>& from, const list<edge>& to) {
    if (from.empty()) return;
    for (int i = block; i >= 0; i = all[i].next) {
      rename_in(all[i].operands, from, to);
      if (all[i].kind == statement_kind::fork) rename_in(all[i].joined, from, to);
      rename(all[i].yes, from, to);
      rename(all[i].no, from, to);
    }
  }
  /// Replaces values among those that one side of a fork (1 or 2) hands on.
  constexpr void rename_joined(const statement& fork, int side, const list<edge>& from, const list<edge>& to) {
    for (int k = side; k < fork.joined.count; k += 3) rename_one(pool[fork.joined.first + k], from, to);
  }

 private:
  constexpr void rename_in(const range_of_pool& r, const list<edge>& from, const list<edge>& to) {
    for (auto& e : values(r)) rename_one(e, from, to);
  }
  static constexpr void rename_one(edge& e, const list<edge>& from, const list<edge>& to) {
    for (std::size_t k = 0; k < from.size(); ++k)
      if (e == from[k]) {
        e = to[k];
        return;
      }
  }

  // The values of an end; where a loop was left, also those from inside it that the run used later.
  constexpr void find_escapes(statement& s, const trace_event& e, int run) {
    const builder& b = runs_[run];
    list<edge> escaped;
    if (e.kind == event_kind::leave) {
      const trace_event& begin = b.events[e.condition.node];
      auto look = [&](const edge& x) {
        if (!inside(begin, e, x)) return;
        for (const auto& known : escaped)
          if (known == x) return;
        escaped.push_back(x);
      };
      for (int id = e.until; id < b.graph.size(); ++id)
        for (const auto& x : runs_.graph(run).inputs_of(id)) look(x);
      for (const auto& x : b.graph.output_edges) look(x);
      for (int k = s.number + 1; k < static_cast<int>(b.events.size()); ++k) {
        const trace_event& later = b.events[k];
        if (later.kind == event_kind::decision || later.kind == event_kind::condition || later.kind == event_kind::branch)
          look(later.condition);
        if (later.kind == event_kind::loop)
          for (const auto& x : {later.first, later.last, later.step}) look(x);
        for (const auto& r : {later.before, later.values})
          for (int i = 0; i < r.count; ++i) look(b.pool[r.first + i]);
      }
    }
    s.operands = {static_cast<int>(pool.size()), e.values.count + static_cast<int>(escaped.size())};
    for (int i = 0; i < e.values.count; ++i) pool.push_back(named(run, b.pool[e.values.first + i]));
    for (const auto& x : escaped) pool.push_back(named(run, x));
    s.escaped = stored_names(run, escaped);
  }
  // Whether a value belongs to the inside of a loop: the names of its results stand between its parameters and its body.
  static constexpr bool inside(const trace_event& begin, const trace_event& end, const edge& x) {
    return (x.node >= begin.at && x.node < begin.until - begin.after.count) || (x.node >= begin.until && x.node < end.at);
  }

  // Whether what follows the ends of the open region is the same in two sets of runs, on every way.
  constexpr bool same_rests(const list<int>& a, const list<int>& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (!same_rest(a[k], b[k])) return false;
    return true;
  }
  // The same of two runs.
  constexpr bool same_rest(int a, int b) const {
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
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Calls of C++ functions share their op and are never taken for the same.
  constexpr bool same_node(int run, int id, int other_run, int other) const {
    return !runs_[run].graph.nodes[id].kind->is(fact::host) && same_op(runs_.graph(run), id, runs_.graph(other_run), other);
  }

  // How two blocks are alike: which values of one are those of the other, and where they are used.
  struct likeness {
    list<edge> defined, defined_too;
    list<int> used, used_too;  // numbers in the pool
    list<int> ends, ends_too;
  };

  constexpr bool alike(int a, int b, likeness& found) {
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
  constexpr bool same_specs(const range_of_pool& a, const range_of_pool& b, int step = 1) const {
    for (int k = 0; k < a.count; k += step) {
      const edge &p = pool[a.first + k], &q = pool[b.first + k];
      if ((p.node == -1) != (q.node == -1)) return false;
      if (p.node != -1 && !(spec(p) == spec(q))) return false;
    }
    return true;
  }
  static constexpr void use(likeness& found, int a, int b) {
    found.used.push_back(a);
    found.used_too.push_back(b);
  }
  constexpr bool blocks_alike(int a, int b, likeness& found) {
    for (; a >= 0 && b >= 0; a = all[a].next, b = all[b].next)
      if (!alike(a, b, found)) return false;
    return a < 0 && b < 0;
  }
  constexpr bool same_rest_of_ends(int a, int b) const {
    list<int> x, y;
    for (int run = 0; run < runs_.size(); ++run) {
      if (dropped_[run]) continue;
      if (end_of_[run] == a) x.push_back(run);
      if (end_of_[run] == b) y.push_back(run);
    }
    return !x.empty() && all[a].escaped.count == 0 && same_rests(x, y);
  }

  constexpr list<int> statements_of(int block) const {
    list<int> out;
    for (int i = block; i >= 0; i = all[i].next) out.push_back(i);
    return out;
  }

  // Gives a fork its blocks, and moves what both end with behind it.
  constexpr void fill_fork(int fork, int yes, int no) {
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
  constexpr void cut(int fork, bool side, const list<int>& block, int common) {
    const int kept = static_cast<int>(block.size()) - common;
    if (kept > 0) all[block[kept - 1]].next = -1;
    else (side ? all[fork].yes : all[fork].no) = -1;
  }
  constexpr void join_values(int fork, const list<int>& used, const list<int>& used_too) {
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

  const Recordings& runs_;
  list<int> first_name_, names_;  // by run and node: 1 + its definition
  bool merged_ = false;           // whether some definition stands for another one
  list<int> end_of_, end_event_;  // by run, of the region that was built last
  list<char> dropped_;            // by run: another run goes the same way from here
};

}  // namespace jig::detail

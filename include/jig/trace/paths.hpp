// SPDX-License-Identifier: MIT
#pragma once
// From paths to structure. A lambda with branches is run once for every way through it; each run leaves a list of nodes and
// events. Here the runs become one tree of statements: they are the same up to a decision, and what follows where their
// ways have joined again is recognised and kept once.

#include <jig/trace/recordings.hpp>
#include <jig/trace/same_recording.hpp>
#include <jig/trace/statement.hpp>

namespace jig::detail {

// Ends constant evaluation, or throws.
inline void a_value_is_used_where_it_does_not_exist() { raise<error>("a value is used where it does not exist"); }

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
  constexpr bool is_constant(const edge& e) const {
    if (e.node < 0) return false;
    const definition& d = definitions[e.node];
    return d.run >= 0 && runs_[d.run].graph.nodes[d.node].kind->is(fact::constant);
  }
  constexpr const node_data& node_of(const statement& s) const {
    const definition& d = definitions[s.number];
    return runs_[d.run].graph.nodes[d.node];
  }
  constexpr int outputs_of(const statement& s) const { return 1 + node_of(s).more_specs.count; }
  /// What a run kept about the values of the objects at an event.
  constexpr edge pooled(const statement& s, const range_of_pool& r, int k) const { return named(s.run, runs_[s.run].pool[r.first + k]); }
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

  // In trace/join_paths.hpp.
  constexpr bool same_rests(const list<int>& a, const list<int>& b) const;
  constexpr bool same_rest(int a, int b) const;
  static constexpr std::size_t at(int i);
  constexpr bool same_node(int run, int id, int other_run, int other) const;

  // How two blocks are alike: which values of one are those of the other, and where they are used.
  struct likeness {
    list<edge> defined, defined_too;
    list<int> used, used_too;  // numbers in the pool
    list<int> ends, ends_too;
  };

  constexpr bool alike(int a, int b, likeness& found);
  constexpr bool same_specs(const range_of_pool& a, const range_of_pool& b, int step = 1) const;
  static constexpr void use(likeness& found, int a, int b);
  constexpr bool blocks_alike(int a, int b, likeness& found);
  constexpr bool same_rest_of_ends(int a, int b) const;
  constexpr list<int> statements_of(int block) const;
  constexpr void fill_fork(int fork, int yes, int no);
  constexpr void cut(int fork, bool side, const list<int>& block, int common);
  constexpr void join_values(int fork, const list<int>& used, const list<int>& used_too);

  const Recordings& runs_;
  list<int> first_name_, names_;  // by run and node: 1 + its definition
  bool merged_ = false;           // whether some definition stands for another one
  list<int> end_of_, end_event_;  // by run, of the region that was built last
  list<char> dropped_;            // by run: another run goes the same way from here
};

}  // namespace jig::detail

#include <jig/trace/join_paths.hpp>

// SPDX-License-Identifier: MIT
#pragma once
// From structure to a graph: forks and branches become If nodes, loops become While nodes, whose bodies take as inputs what
// they use from outside.

#include <jig/graph/walk.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/control.hpp>
#include <jig/trace/free_values.hpp>
#include <jig/trace/loop_trips.hpp>
#include <jig/trace/resolve.hpp>

namespace jig::detail {

template <class Recordings>
class lowering {
 public:
  constexpr lowering(const Recordings& runs, structure_of_runs<Recordings>& structure)
      : runs_(runs), s_(structure), values_(runs, structure.definitions.size()), free_(runs, structure) {}

  constexpr graph run() {
    for (int id : runs_[0].graph.input_nodes) {
      int to = copy_node(out_, runs_.graph(0), id, [](const edge& e) { return e; });
      out_.input_nodes.push_back(to);
      define(s_.named(0, {id, 0}), {to, 0});
    }
    changed_ = std::move(resolution<Recordings>(runs_, s_).changed);
    for (const auto& e : lower(s_.first, nullptr)) out_.output_edges.push_back(e);
    return std::move(out_);
  }

  trace_failure failure = trace_failure::none;

 private:
  // What is known about a value of the program.
  struct entry {
    edge in_graph{};  // in the graph or body that is being built
    int scope = -1;   // of in_graph
  };
  struct hidden_entry {
    edge value;
    edge in_graph;
    int scope;
  };
  // What the end of a trip or block hands on besides the objects' values: how the loop ends, what escapes from it.
  struct ending {
    bool exits = false;
    range_of_pool escapes{};  // the structural values of all early exits
  };

  constexpr edge scalar(dtype d, std::uint64_t word) { return add_constant(out_, d, word); }
  constexpr edge binary(const op& kind, dtype result, const edge& a, const edge& b) {
    edge inputs[] = {a, b};
    return out_.add(kind, {result, {}}, inputs);
  }

  // What a body defines hides what is outside, until the body ends.
  struct scope_mark {
    int scope;
    std::size_t hidden;
  };
  constexpr scope_mark enter_scope() {
    scope_mark mark{scope_, hidden_.size()};
    scope_ = ++last_scope_;
    return mark;
  }
  constexpr void leave_scope(const scope_mark& mark) {
    while (hidden_.size() > mark.hidden) {
      const hidden_entry& h = hidden_.back();
      values_[h.value].in_graph = h.in_graph;
      values_[h.value].scope = h.scope;
      hidden_.pop_back();
    }
    scope_ = mark.scope;
  }
  constexpr void define(const edge& e, const edge& as) {
    entry& x = values_[e];
    if (scope_ != 0) hidden_.push_back({e, x.in_graph, x.scope});
    x.in_graph = as;
    x.scope = scope_;
  }
  constexpr edge look_up(const edge& e) {
    if (values_[e].scope != scope_) {
      // Constants are repeated in every body that uses them.
      if (!s_.is_constant(e)) a_value_is_used_where_it_does_not_exist();
      const definition& d = s_.definitions[e.node];
      define(e, {copy_node(out_, runs_.graph(d.run), d.node, [](const edge& x) { return x; }), 0});
    }
    return values_[e].in_graph;
  }
  struct open_body {
    graph::surroundings around;
    scope_mark scope;
  };
  constexpr open_body begin_body() { return {out_.begin_body(), enter_scope()}; }
  constexpr void take(const free_values& outside) {
    for (std::size_t k = 0; k < outside.used.size(); ++k) define(outside.used[k], input(s_.spec(outside.used[k])));
  }
  constexpr edge input(const tensor_spec& spec) {
    edge e = out_.add(ops::placeholder, spec, {});
    out_.input_nodes.push_back(e.node);
    return e;
  }
  constexpr int end_body(open_body body, const list<edge>& results) {
    for (const auto& e : results) out_.output_edges.push_back(e);
    leave_scope(body.scope);
    return out_.end_body(std::move(body.around));
  }

  // The statements of a block, and what its last one hands on.
  constexpr list<edge> lower(int block, const ending* end) {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      const statement s = s_.all[i];
      switch (s.kind) {
        case statement_kind::node: {
          if (s_.node_of(s).kind->is(fact::constant)) break;
          const definition d = s_.definitions[s.number];
          int next = s.operands.first;
          int to = copy_node(out_, runs_.graph(d.run), d.node, [&](const edge&) { return look_up(s_.pool[next++]); });
          for (int port = 0; port < s_.outputs_of(s); ++port) define({s.number, port}, {to, port});
          break;
        }
        case statement_kind::fork: {
          auto results = lower_fork(s, end);
          if (!s.joins) return results;
          break;
        }
        case statement_kind::branch: lower_branch(s); break;
        case statement_kind::loop: lower_loop(s); break;
        case statement_kind::condition: break;
        case statement_kind::end: return end_values(s, *end);
        case statement_kind::result: {
          list<edge> results;
          for (int k = 0; k < s.operands.count; ++k) results.push_back(look_up(s_.pool[s.operands.first + k]));
          return results;
        }
      }
    }
    return {};
  }

  constexpr list<edge> end_values(const statement& s, const ending& end) {
    list<edge> results;
    for (int k = 0; k < s.operands.count - s.escaped.count; ++k) results.push_back(look_up(s_.pool[s.operands.first + k]));
    if (end.exits) results.push_back(scalar(dtype::int32, static_cast<std::uint64_t>(s.exit_code)));
    const int own = s.operands.first + s.operands.count - s.escaped.count;
    for (int k = 0; k < end.escapes.count; ++k) {
      int mine = k - s.first_joined;
      bool told = s.exit_code > 1 && mine >= 0 && mine < s.escaped.count;
      results.push_back(told ? look_up(s_.pool[own + mine]) : look_up(s_.pool[end.escapes.first + k]));
    }
    return results;
  }

  constexpr edge add_if(const edge& condition, const list<edge>& outside, int yes, int no, const list<tensor_spec>& results) {
    list<edge> inputs;
    inputs.push_back(condition);
    for (const auto& e : outside) inputs.push_back(e);
    index bodies[] = {yes, no};
    return add_control(ops::if_op, inputs, {"then_branch", "else_branch"}, bodies, results);
  }
  struct keys {
    std::string_view first, second;
  };
  constexpr edge add_control(const op& kind, const list<edge>& inputs, keys k, const index (&bodies)[2], const list<tensor_spec>& results,
                             bool varies = false) {
    index yes = 1;
    list<attribute_view> with;
    with.push_back({k.first, attribute_kind::body, {&bodies[0], 1}});
    with.push_back({k.second, attribute_kind::body, {&bodies[1], 1}});
    const bool nothing = results.empty();
    if (nothing) with.push_back({"effects_only", attribute_kind::boolean, {&yes, 1}});
    if (varies) with.push_back({"shape_invariants", attribute_kind::boolean, {&yes, 1}});
    edge e = out_.add(kind, nothing ? tensor_spec{dtype::boolean, {}} : results[0], inputs, with);
    for (std::size_t p = 1; p < results.size(); ++p) out_.add_output(results[p]);
    return e;
  }

  constexpr list<edge> look_up_all(const free_values& f) {
    list<edge> out;
    for (std::size_t k = 0; k < f.used.size(); ++k) out.push_back(look_up(f.used[k]));
    return out;
  }
  constexpr list<tensor_spec> specs_of(const list<edge>& edges) const {
    list<tensor_spec> out;
    for (const auto& e : edges) out.push_back(out_.view().spec(e));
    return out;
  }

  // A fork whose blocks end for themselves hands on what they do; otherwise it defines the values that are joined behind it.
  constexpr list<edge> lower_fork(const statement& s, const ending* end) {
    edge condition = look_up(s_.pool[s.operands.first]);
    if (s.exit_code > 0)
      condition = binary(ops::equal, dtype::boolean, condition, scalar(dtype::int32, static_cast<std::uint64_t>(s.exit_code)));
    free_values f = free_.none();
    free_.find(f, s.yes);
    free_.use_joined(f, s, 1);
    free_.find(f, s.no);
    free_.use_joined(f, s, 2);
    if (!s.joins && end != nullptr)
      for (int k = 0; k < end->escapes.count; ++k) free_.use(f, s_.pool[end->escapes.first + k]);
    list<edge> outside = look_up_all(f);
    index bodies[2] = {};
    list<tensor_spec> specs;
    for (int side = 1; side <= 2; ++side) {
      open_body body = begin_body();
      take(f);
      const int block = side == 1 ? s.yes : s.no;
      list<edge> results = lower(block, end);
      if (s.joins) {
        results.clear();
        for (int k = side; k < s.joined.count; k += 3) results.push_back(look_up(s_.pool[s.joined.first + k]));
      }
      if (side == 1) specs = specs_of(results);
      bodies[side - 1] = end_body(std::move(body), results);
    }
    edge node = add_if(condition, outside, static_cast<int>(bodies[0]), static_cast<int>(bodies[1]), specs);
    list<edge> results;
    for (int k = 0; k < static_cast<int>(specs.size()); ++k) {
      results.push_back({node.node, k});
      if (s.joins) define(s_.pool[s.joined.first + 3 * k], {node.node, k});
    }
    return results;
  }

  constexpr void lower_branch(const statement& s) {
    const trace_event& e = s_.event(s);
    const ending end;
    edge condition = look_up(s_.pool[s.operands.first]);
    free_values f = free_.none();
    free_.find(f, s.yes);
    free_.find(f, s.no);
    list<edge> outside = look_up_all(f);
    index bodies[2] = {};
    list<tensor_spec> specs;
    for (int side = 0; side < 2; ++side) {
      open_body body = begin_body();
      take(f);
      list<edge> results = lower(side == 0 ? s.yes : s.no, &end);
      if (side == 0) specs = specs_of(results);
      bodies[side] = end_body(std::move(body), results);
    }
    edge node = add_if(condition, outside, static_cast<int>(bodies[0]), static_cast<int>(bodies[1]), specs);
    for (int k = 0; k < s.changed.count; ++k) define(s_.pooled(s, e.after, changed_[s.changed.first + k]), {node.node, k});
  }

  constexpr edge counter_of(const statement& s) const { return s_.named(s.run, s_.event(s).counter); }
  constexpr edge first_of(const statement& s) const { return s_.pool[s.operands.first]; }
  constexpr edge last_of(const statement& s) const { return s_.pool[s.operands.first + 1]; }
  constexpr edge step_of(const statement& s) const { return s_.pool[s.operands.first + 2]; }
  constexpr bool counts_trips(const edge& step) const {
    if (!s_.is_constant(step)) return is_integer(s_.spec(step).dtype);
    const definition& d = s_.definitions[step.node];
    return loop_trips::are_counted(runs_.graph(d.run).node(d.node));
  }

  constexpr void lower_loop(const statement& s) {
    const trace_event& e = s_.event(s);
    const bool counts = e.kind == event_kind::loop;
    const bool by_trips = counts && counts_trips(step_of(s));
    loop_trips trips(out_);
    const edge all = by_trips ? trips.count(look_up(first_of(s)), look_up(last_of(s)), look_up(step_of(s)), e.step_sign) : edge{};
    const ending end{s.exit.node != -1, s.joined};

    // The carried values: inside, before, behind.
    list<edge> inside, before, behind;
    auto carry = [&](const edge& within, const edge& start, const edge& after) {
      inside.push_back(within);
      before.push_back(start);
      behind.push_back(after);
    };
    const edge nowhere{};
    if (counts) carry(counter_of(s), by_trips ? scalar(dtype::int64, 0) : look_up(first_of(s)), nowhere);
    for (int i = 0; i < s.changed.count; ++i) {
      const int k = changed_[s.changed.first + i];
      const edge start = s_.pool[s.operands.first + s.operands.count - s.changed.count + i];
      carry(s_.pooled(s, e.parameters, k), look_up(start), s_.pooled(s, e.after, k));
    }
    if (end.exits) carry(s.exit, scalar(dtype::int32, 0), s.exit);
    for (int k = 0; k < s.joined.count; ++k) {
      const edge value = s_.pool[s.joined.first + k];
      carry(value, placeholder_of(s, s_.spec(value)), value);
    }

    free_values f = free_.none();
    for (const auto& x : inside) free_.note(f, x);
    free_.find(f, s.yes);
    if (counts) {
      free_.use(f, by_trips ? first_of(s) : last_of(s));
      free_.use(f, step_of(s));
    }
    list<edge> outside = look_up_all(f);
    if (by_trips) outside.push_back(all);
    list<tensor_spec> specs = specs_of(before);

    index bodies[2] = {};
    for (int part = 0; part < 2; ++part) {
      open_body body = begin_body();
      for (std::size_t k = 0; k < inside.size(); ++k) define(inside[k], input(specs[k]));
      take(f);
      list<edge> results;
      const edge limit = by_trips ? input({dtype::int64, {}}) : edge{}, counter = counts ? look_up(counter_of(s)) : edge{};
      if (part == 0) {
        results.push_back(loop_condition(s, e, end, limit));
      } else {
        if (counts) results.push_back(binary(ops::add, specs[0].dtype, counter, by_trips ? scalar(dtype::int64, 1) : look_up(step_of(s))));
        if (by_trips) define(counter_of(s), trips.counter(look_up(first_of(s)), look_up(step_of(s)), counter));
        int block = s.yes;
        if (!counts) block = behind_condition(s.yes);
        for (const auto& x : lower(block, &end)) results.push_back(x);
      }
      bodies[part] = end_body(std::move(body), results);
    }

    list<edge> inputs = before;
    for (const auto& x : outside) inputs.push_back(x);
    edge node = add_control(ops::while_op, inputs, {"cond", "body"}, bodies, specs, e.varies);
    for (std::size_t k = 0; k < behind.size(); ++k)
      if (behind[k].node != -1) define(behind[k], {node.node, static_cast<int>(k)});
  }

  // What an early exit's value is as long as there is none: anything of its spec.
  constexpr edge placeholder_of(const statement& s, const tensor_spec& spec) {
    for (int k = 0; k < s.operands.count; ++k) {
      const edge e = s_.pool[s.operands.first + k];
      if (e.node != -1 && spec.shape.is_static() && s_.spec(e) == spec && spec.dtype != dtype::string) return look_up(e);
    }
    if (!spec.shape.is_static() || spec.dtype == dtype::string) {
      failure = trace_failure::unknown_exit_shape;
      return scalar(dtype::int32, 0);
    }
    list<std::uint64_t> zeros(static_cast<int>(spec.shape.size()));
    attribute_view with[] = {{"value", attribute_kind::words, {}, {}, zeros}};
    return out_.add(ops::constant, spec, {}, with);
  }

  constexpr edge loop_condition(const statement& s, const trace_event& e, const ending& end, const edge& limit) {
    edge go_on = e.kind == event_kind::loop ? counts_on(s, e, limit) : written_condition(s.yes);
    if (!end.exits) return go_on;
    edge stays = binary(ops::equal, dtype::boolean, look_up(s.exit), scalar(dtype::int32, 0));
    return binary(ops::logical_and, dtype::boolean, stays, go_on);
  }
  // `limit`: of a loop that counts trips.
  constexpr edge counts_on(const statement& s, const trace_event& e, const edge& limit) {
    const edge i = look_up(counter_of(s));
    if (limit.node != -1) return binary(ops::less, dtype::boolean, i, limit);
    return loop_trips(out_).goes_on(i, look_up(last_of(s)), e.step_sign == 0 ? look_up(step_of(s)) : edge{}, e.step_sign);
  }

  constexpr int condition_of(int block) const {
    for (int i = block; i >= 0; i = s_.all[i].next)
      if (s_.all[i].kind == statement_kind::condition) return i;
    the_condition_of_a_loop_is_not_on_all_ways();
    return -1;
  }
  constexpr edge written_condition(int block) {
    const int at = condition_of(block);
    if (block != at) lower_until(block, at);
    return look_up(s_.pool[s_.all[at].operands.first]);
  }
  constexpr void lower_until(int block, int stop) {
    int last = block;
    while (s_.all[last].next != stop) last = s_.all[last].next;
    s_.all[last].next = -1;
    lower(block, nullptr);
    s_.all[last].next = stop;
  }
  // The block behind the condition, or the whole of it where that uses what the condition computed.
  constexpr int behind_condition(int block) {
    const int at = condition_of(block);
    free_values f = free_.none();
    free_.find(f, s_.all[at].next);
    free_values computed = free_.none();
    for (int i = block; i != at; i = s_.all[i].next)
      if (s_.all[i].kind == statement_kind::node) free_.note_node(computed, s_.all[i]);
    for (const auto& e : f.used)
      if (free_.is_noted(computed, e)) return block;
    return s_.all[at].next;
  }

  static void the_condition_of_a_loop_is_not_on_all_ways() { raise<error>("the condition of a loop is not on all ways"); }

  const Recordings& runs_;
  structure_of_runs<Recordings>& s_;
  graph out_;
  table_of_values<entry> values_;
  free_value_search<Recordings> free_;
  list<hidden_entry> hidden_;  // by the scopes that are open
  list<int> changed_;          // of all loops and branches
  int scope_ = 0, last_scope_ = 0;
};

}  // namespace jig::detail

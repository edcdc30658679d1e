// SPDX-License-Identifier: MIT
#pragma once
// From structure to a graph: forks and branches become If nodes, loops become While nodes, whose bodies take as inputs what
// they use from outside.

#include <jig/graph/walk.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/control.hpp>
#include <jig/trace/paths.hpp>

namespace jig::detail {

class lowering {
 public:
  constexpr lowering(const recordings& runs, structure_of_runs& structure) : runs_(runs), s_(structure) {
    for (int r = 0; r < runs.size(); ++r)
      if (runs[r].graph.size() > most_nodes_) most_nodes_ = runs[r].graph.size();
  }

  constexpr graph run() {
    scope top(most_nodes_, structural_count());
    for (int id : runs_[0].graph.input_nodes) {
      int to = copy_node(out_, runs_.graph(0), id, [](const edge& e) { return e; });
      out_.input_nodes.push_back(to);
      top.recorded[id] = {to, 0};
    }
    resolve(s_.first);
    used_ = list<char>(structural_count());
    drop_unused(s_.first);
    for (const auto& e : lower(top, s_.first, nullptr)) out_.output_edges.push_back(e);
    return std::move(out_);
  }

  trace_failure failure = trace_failure::none;

 private:
  // What the values of the program are in the graph or body that is being built.
  struct scope {
    list<edge> recorded, structural;
    constexpr scope(int nodes, int others) : recorded(nodes), structural(others) {}
  };
  // What the end of a trip or block hands on besides the objects' values: how the loop ends, what escapes from it.
  struct ending {
    bool exits = false;
    range_of_pool escapes{};  // the structural values of all early exits
  };

  constexpr int structural_count() const { return static_cast<int>(s_.structural_specs.size()); }
  constexpr const builder& recording(const statement& s) const { return runs_[s.run]; }
  constexpr bool is_constant(const edge& e, int run) const {
    return e.node >= 0 && runs_[run].graph.nodes[e.node].kind->is(fact::constant);
  }
  constexpr edge scalar(dtype d, std::uint64_t word) {
    attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&word, 1}}};
    return out_.add(ops::constant, {d, {}}, {}, with);
  }
  constexpr edge binary(const op& kind, dtype result, const edge& a, const edge& b) {
    edge inputs[] = {a, b};
    return out_.add(kind, {result, {}}, inputs);
  }

  constexpr edge look_up(scope& in, const edge& e, int run) {
    if (is_structural(e)) return in.structural[structural_number(e)];
    edge& known = in.recorded[e.node];
    if (known.node < 0) {
      // Constants are repeated in every body that uses them.
      if (!is_constant(e, run)) a_value_is_used_where_it_does_not_exist();
      known = {copy_node(out_, runs_.graph(run), e.node, [](const edge& x) { return x; }), 0};
    }
    return {known.node, known.port + e.port};
  }
  static constexpr void define(scope& in, const edge& e, const edge& as) {
    if (is_structural(e)) in.structural[structural_number(e)] = as;
    else in.recorded[e.node] = as;
  }

  // What blocks use and do not define themselves.
  struct free_values {
    list<char> defined, defined_too;
    list<edge> used;
    list<int> run;
  };
  constexpr free_values no_free_values() const {
    free_values f;
    f.defined = list<char>(most_nodes_);
    f.defined_too = list<char>(structural_count());
    return f;
  }
  constexpr void use(free_values& f, const edge& e, int run) const {
    if (is_structural(e) ? f.defined_too[structural_number(e)] : f.defined[e.node]) return;
    if (is_constant(e, run)) return;
    for (const auto& known : f.used)
      if (known == e) return;
    f.used.push_back(e);
    f.run.push_back(run);
  }
  static constexpr void note(free_values& f, const edge& e) {
    if (is_structural(e)) f.defined_too[structural_number(e)] = 1;
    else f.defined[e.node] = 1;
  }
  constexpr void find_free(free_values& f, int block) const {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      const statement& s = s_.all[i];
      for (int k = 0; k < s.operands.count; ++k) use(f, s_.pool[s.operands.first + k], s.run);
      if (s.kind == statement_kind::node) note(f, {s.number, 0});
      if (s.kind == statement_kind::loop || s.kind == statement_kind::branch) {
        const trace_event& e = s_.event(s);
        for (int id = e.at; id < e.until; ++id) note(f, {id, 0});
        if (s.exit.node != -1) note(f, s.exit);
        for (int k = 0; k < s.joined.count; ++k) note(f, s_.pool[s.joined.first + k]);
      }
      find_free(f, s.yes);
      if (s.kind == statement_kind::fork) use_joined(f, s, 1);
      find_free(f, s.no);
      if (s.kind == statement_kind::fork) {
        use_joined(f, s, 2);
        for (int k = 0; k < s.joined.count; k += 3) note(f, s_.pool[s.joined.first + k]);
      }
    }
  }
  constexpr void use_joined(free_values& f, const statement& s, int side) const {
    const int block = side == 1 ? s.yes : s.no;
    const int run = block >= 0 ? s_.all[block].run : s.run;
    for (int k = side; k < s.joined.count; k += 3) use(f, s_.pool[s.joined.first + k], run);
  }

  // A body whose first inputs are its own and whose others are values from outside.
  constexpr graph::surroundings begin_body(scope& inner, const free_values& outside) {
    auto around = out_.begin_body();
    for (std::size_t k = 0; k < outside.used.size(); ++k)
      define(inner, outside.used[k], input(s_.spec(outside.used[k], outside.run[k])));
    return around;
  }
  constexpr edge input(const tensor_spec& spec) {
    edge e = out_.add(ops::placeholder, spec, {});
    out_.input_nodes.push_back(e.node);
    return e;
  }
  constexpr int end_body(graph::surroundings around, const list<edge>& results) {
    for (const auto& e : results) out_.output_edges.push_back(e);
    return out_.end_body(std::move(around));
  }

  // The statements of a block, and what its last one hands on.
  constexpr list<edge> lower(scope& in, int block, const ending* end) {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      const statement s = s_.all[i];
      switch (s.kind) {
        case statement_kind::node: {
          if (recording(s).graph.nodes[s.number].kind->is(fact::constant)) break;
          int next = s.operands.first;
          int to = copy_node(out_, runs_.graph(s.run), s.number, [&](const edge&) { return look_up(in, s_.pool[next++], s.run); });
          define(in, {s.number, 0}, {to, 0});
          break;
        }
        case statement_kind::fork: {
          auto results = lower_fork(in, s, end);
          if (!s.joins) return results;
          break;
        }
        case statement_kind::branch: lower_branch(in, s); break;
        case statement_kind::loop: lower_loop(in, s); break;
        case statement_kind::condition: break;
        case statement_kind::end: return end_values(in, s, *end);
        case statement_kind::result: {
          list<edge> results;
          for (int k = 0; k < s.operands.count; ++k) results.push_back(look_up(in, s_.pool[s.operands.first + k], s.run));
          return results;
        }
      }
    }
    return {};
  }

  constexpr list<edge> end_values(scope& in, const statement& s, const ending& end) {
    list<edge> results;
    for (int k = 0; k < s.operands.count - s.escaped.count; ++k)
      results.push_back(look_up(in, s_.pool[s.operands.first + k], s.run));
    if (end.exits) results.push_back(scalar(dtype::int32, static_cast<std::uint64_t>(s.exit_code)));
    const int own = s.operands.first + s.operands.count - s.escaped.count;
    for (int k = 0; k < end.escapes.count; ++k) {
      int mine = k - s.first_joined;
      bool told = s.exit_code > 1 && mine >= 0 && mine < s.escaped.count;
      results.push_back(told ? look_up(in, s_.pool[own + mine], s.run) : look_up(in, s_.pool[end.escapes.first + k], s.run));
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
  constexpr edge add_control(const op& kind, const list<edge>& inputs, keys k, const index (&bodies)[2], const list<tensor_spec>& results) {
    index yes = 1;
    attribute_view with[] = {{k.first, attribute_kind::body, {&bodies[0], 1}, {}, {}},
                             {k.second, attribute_kind::body, {&bodies[1], 1}, {}, {}},
                             {"effects_only", attribute_kind::boolean, {&yes, 1}, {}, {}}};
    const bool nothing = results.empty();
    edge e = out_.add(kind, nothing ? tensor_spec{dtype::boolean, {}} : results[0], inputs,
                      std::span<const attribute_view>(with, nothing ? 3 : 2));
    for (std::size_t p = 1; p < results.size(); ++p) out_.add_output(results[p]);
    return e;
  }

  constexpr list<edge> look_up_all(scope& in, const free_values& f) {
    list<edge> out;
    for (std::size_t k = 0; k < f.used.size(); ++k) out.push_back(look_up(in, f.used[k], f.run[k]));
    return out;
  }
  constexpr list<tensor_spec> specs_of(const list<edge>& edges) const {
    list<tensor_spec> out;
    for (const auto& e : edges) out.push_back(out_.view().spec(e));
    return out;
  }

  // A fork whose blocks end for themselves hands on what they do; otherwise it defines the values that are joined behind it.
  constexpr list<edge> lower_fork(scope& in, const statement& s, const ending* end) {
    edge condition = look_up(in, s_.pool[s.operands.first], s.run);
    if (s.exit_code > 0)
      condition = binary(ops::equal, dtype::boolean, condition, scalar(dtype::int32, static_cast<std::uint64_t>(s.exit_code)));
    free_values f = no_free_values();
    find_free(f, s.yes);
    use_joined(f, s, 1);
    find_free(f, s.no);
    use_joined(f, s, 2);
    if (!s.joins && end != nullptr)
      for (int k = 0; k < end->escapes.count; ++k) use(f, s_.pool[end->escapes.first + k], s.run);
    list<edge> outside = look_up_all(in, f);
    index bodies[2] = {};
    list<tensor_spec> specs;
    for (int side = 1; side <= 2; ++side) {
      scope inner(most_nodes_, structural_count());
      auto around = begin_body(inner, f);
      const int block = side == 1 ? s.yes : s.no;
      list<edge> results = lower(inner, block, end);
      if (s.joins) {
        results.clear();
        const int run = block >= 0 ? s_.all[block].run : s.run;
        for (int k = side; k < s.joined.count; k += 3) results.push_back(look_up(inner, s_.pool[s.joined.first + k], run));
      }
      if (side == 1) specs = specs_of(results);
      bodies[side - 1] = end_body(std::move(around), results);
    }
    edge node = add_if(condition, outside, static_cast<int>(bodies[0]), static_cast<int>(bodies[1]), specs);
    list<edge> results;
    for (int k = 0; k < static_cast<int>(specs.size()); ++k) {
      results.push_back({node.node, k});
      if (s.joins) define(in, s_.pool[s.joined.first + 3 * k], {node.node, k});
    }
    return results;
  }

  // All ends of the blocks that belong to a loop or branch, those of loops inside left out.
  constexpr void find_ends(int block, list<int>& ends) const {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      const statement& s = s_.all[i];
      if (s.kind == statement_kind::end) ends.push_back(i);
      if (s.kind != statement_kind::fork) continue;
      find_ends(s.yes, ends);
      find_ends(s.no, ends);
    }
  }

  constexpr edge pooled(const statement& s, const range_of_pool& r, int k) const { return recording(s).pool[r.first + k]; }

  // Finds for all loops and branches, the inner ones first, which objects have another value at some end; the others keep
  // the one from before, inside and behind. So do values that are the same on both sides of a fork. `fork` is the one that
  // the block is a side of, if any.
  constexpr void resolve(int block, int fork = -1, int side = 0) {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      const bool forks = s_.all[i].kind == statement_kind::fork;
      resolve(s_.all[i].yes, forks ? i : -1, 1);
      resolve(s_.all[i].no, forks ? i : -1, 2);
      list<edge> from, to;
      if (forks) find_equal(s_.all[i], from, to);
      if (s_.all[i].kind == statement_kind::loop || s_.all[i].kind == statement_kind::branch) find_changes(s_.all[i], from, to);
      s_.rename(s_.all[i].next, from, to);
      if (fork >= 0) s_.rename_joined(s_.all[fork], side, from, to);
    }
  }
  constexpr void find_equal(const statement& s, list<edge>& from, list<edge>& to) const {
    for (int k = 0; k < s.joined.count; k += 3) {
      const edge* triple = s_.pool.data() + s.joined.first + k;
      if (!(triple[1] == triple[2]) || !(is_structural(triple[1]) || triple[1].node < s.outer)) continue;
      from.push_back(triple[0]);
      to.push_back(triple[1]);
    }
  }
  constexpr void find_changes(statement& s, list<edge>& from, list<edge>& to) {
    const trace_event& e = s_.event(s);
    const bool loop = s.kind == statement_kind::loop;
    list<int> ends;
    find_ends(s.yes, ends);
    find_ends(s.no, ends);
    s.changed.first = static_cast<int>(changed_.size());
    for (int k = 0; k < e.before.count; ++k) {
      const edge before = s_.pool[first_before(s) + k];
      const edge inside = loop ? pooled(s, e.parameters, k) : before;
      bool changed = false;
      for (int end : ends) {
        const edge now = s_.pool[s_.all[end].operands.first + k];
        changed = changed || !(now == inside || now == before);
      }
      if (changed) {
        changed_.push_back(k);
        continue;
      }
      if (loop) {
        from.push_back(inside);
        to.push_back(before);
      }
      from.push_back(pooled(s, e.after, k));
      to.push_back(before);
    }
    s.changed.count = static_cast<int>(changed_.size()) - s.changed.first;
    s_.rename(s.yes, from, to);
    s_.rename(s.no, from, to);
    for (int end : ends) keep_changed(s_.all[end], s.changed);
    // A branch has no use for what was before it, a loop only for what it changes.
    const range_of_pool whole = s.operands;
    const int head = whole.count - e.before.count;
    s.operands.first = static_cast<int>(s_.pool.size());
    for (int k = 0; k < head; ++k) s_.pool.push_back(s_.pool[whole.first + k]);
    for (int k = 0; loop && k < s.changed.count; ++k) s_.pool.push_back(s_.pool[whole.first + head + changed_[s.changed.first + k]]);
    s.operands.count = static_cast<int>(s_.pool.size()) - s.operands.first;
  }
  constexpr int first_before(const statement& s) const { return s.operands.first + s.operands.count - s_.event(s).before.count; }

  // Leaves out the values behind forks that nothing needs, from the end of a block to its begin.
  constexpr void drop_unused(int block) {
    if (block < 0) return;
    list<int> order;
    for (int i = block; i >= 0; i = s_.all[i].next) order.push_back(i);
    for (std::size_t at = order.size(); at-- > 0;) {
      statement& s = s_.all[order[at]];
      if (s.kind == statement_kind::fork) {
        int kept = 0;
        for (int k = 0; k < s.joined.count; k += 3) {
          edge* triple = s_.pool.data() + s.joined.first + k;
          if (!used_[structural_number(triple[0])]) continue;
          mark(triple[1]);
          mark(triple[2]);
          for (int i = 0; i < 3; ++i) s_.pool[s.joined.first + kept + i] = triple[i];
          kept += 3;
        }
        s.joined.count = kept;
      }
      for (int k = 0; k < s.operands.count; ++k) mark(s_.pool[s.operands.first + k]);
      drop_unused(s.no);
      drop_unused(s.yes);
    }
  }
  constexpr void mark(const edge& e) {
    if (is_structural(e)) used_[structural_number(e)] = 1;
  }
  // Of the values at an end only those matter that changed, and those that escape.
  constexpr void keep_changed(statement& end, const range_of_pool& changed) {
    const range_of_pool whole = end.operands;
    end.operands.first = static_cast<int>(s_.pool.size());
    for (int k = 0; k < changed.count; ++k) s_.pool.push_back(s_.pool[whole.first + changed_[changed.first + k]]);
    for (int k = whole.count - end.escaped.count; k < whole.count; ++k) s_.pool.push_back(s_.pool[whole.first + k]);
    end.operands.count = static_cast<int>(s_.pool.size()) - end.operands.first;
  }

  constexpr void lower_branch(scope& in, const statement& s) {
    const trace_event& e = s_.event(s);
    const ending end;
    edge condition = look_up(in, s_.pool[s.operands.first], s.run);
    free_values f = no_free_values();
    find_free(f, s.yes);
    find_free(f, s.no);
    list<edge> outside = look_up_all(in, f);
    index bodies[2] = {};
    list<tensor_spec> specs;
    for (int side = 0; side < 2; ++side) {
      scope inner(most_nodes_, structural_count());
      auto around = begin_body(inner, f);
      list<edge> results = lower(inner, side == 0 ? s.yes : s.no, &end);
      if (side == 0) specs = specs_of(results);
      bodies[side] = end_body(std::move(around), results);
    }
    edge node = add_if(condition, outside, static_cast<int>(bodies[0]), static_cast<int>(bodies[1]), specs);
    for (int k = 0; k < s.changed.count; ++k) define(in, pooled(s, e.after, changed_[s.changed.first + k]), {node.node, k});
  }

  constexpr void lower_loop(scope& in, const statement& s) {
    const trace_event& e = s_.event(s);
    const bool counts = e.kind == event_kind::loop;
    const ending end{s.exit.node != -1, s.joined};

    // The carried values: inside, before, behind.
    list<edge> inside, before, behind;
    auto carry = [&](const edge& within, const edge& start, const edge& after) {
      inside.push_back(within);
      before.push_back(start);
      behind.push_back(after);
    };
    const edge nowhere{};
    if (counts) carry(e.counter, look_up(in, s_.pool[s.operands.first], s.run), nowhere);
    for (int i = 0; i < s.changed.count; ++i) {
      const int k = changed_[s.changed.first + i];
      const edge start = s_.pool[s.operands.first + s.operands.count - s.changed.count + i];
      carry(pooled(s, e.parameters, k), look_up(in, start, s.run), pooled(s, e.after, k));
    }
    if (end.exits) carry(s.exit, scalar(dtype::int32, 0), s.exit);
    for (int k = 0; k < s.joined.count; ++k) {
      const edge value = s_.pool[s.joined.first + k];
      carry(value, placeholder_of(in, s, s_.spec(value, s.run)), value);
    }

    free_values f = no_free_values();
    for (const auto& x : inside) note(f, x);
    find_free(f, s.yes);
    if (counts) {
      use(f, s_.pool[s.operands.first + 1], s.run);
      use(f, s_.pool[s.operands.first + 2], s.run);
    }
    list<edge> outside = look_up_all(in, f);
    list<tensor_spec> specs = specs_of(before);

    index bodies[2] = {};
    for (int part = 0; part < 2; ++part) {
      scope inner(most_nodes_, structural_count());
      auto around = out_.begin_body();
      for (std::size_t k = 0; k < inside.size(); ++k) define(inner, inside[k], input(specs[k]));
      for (std::size_t k = 0; k < f.used.size(); ++k) define(inner, f.used[k], input(s_.spec(f.used[k], f.run[k])));
      list<edge> results;
      if (part == 0) {
        results.push_back(loop_condition(inner, s, e, end));
      } else {
        if (counts)
          results.push_back(binary(ops::add, specs[0].dtype, look_up(inner, e.counter, s.run), look_up(inner, s_.pool[s.operands.first + 2], s.run)));
        int block = s.yes;
        if (!counts) block = behind_condition(inner, s.yes);
        for (const auto& x : lower(inner, block, &end)) results.push_back(x);
      }
      bodies[part] = end_body(std::move(around), results);
    }

    list<edge> inputs = before;
    for (const auto& x : outside) inputs.push_back(x);
    edge node = add_control(ops::while_op, inputs, {"cond", "body"}, bodies, specs);
    for (std::size_t k = 0; k < behind.size(); ++k)
      if (behind[k].node != -1) define(in, behind[k], {node.node, static_cast<int>(k)});
  }

  // What an early exit's value is as long as there is none: anything of its spec.
  constexpr edge placeholder_of(scope& in, const statement& s, const tensor_spec& spec) {
    for (int k = 0; k < s.operands.count; ++k) {
      const edge e = s_.pool[s.operands.first + k];
      if (e.node != -1 && spec.shape.is_static() && s_.spec(e, s.run) == spec && spec.dtype != dtype::string) return look_up(in, e, s.run);
    }
    if (!spec.shape.is_static() || spec.dtype == dtype::string) {
      failure = trace_failure::unknown_exit_shape;
      return scalar(dtype::int32, 0);
    }
    list<std::uint64_t> zeros(static_cast<int>(spec.shape.size()));
    attribute_view with[] = {{"value", attribute_kind::words, {}, {}, zeros}};
    return out_.add(ops::constant, spec, {}, with);
  }

  constexpr edge loop_condition(scope& inner, const statement& s, const trace_event& e, const ending& end) {
    edge go_on = e.kind == event_kind::loop ? counts_on(inner, s, e) : written_condition(inner, s.yes);
    if (!end.exits) return go_on;
    edge stays = binary(ops::equal, dtype::boolean, look_up(inner, s.exit, s.run), scalar(dtype::int32, 0));
    return binary(ops::logical_and, dtype::boolean, stays, go_on);
  }
  constexpr edge counts_on(scope& inner, const statement& s, const trace_event& e) {
    edge i = look_up(inner, e.counter, s.run), last = look_up(inner, s_.pool[s.operands.first + 1], s.run);
    edge up = e.step_sign >= 0 ? binary(ops::less, dtype::boolean, i, last) : edge{};
    edge down = e.step_sign <= 0 ? binary(ops::greater, dtype::boolean, i, last) : edge{};
    if (e.step_sign != 0) return e.step_sign > 0 ? up : down;
    edge step = look_up(inner, s_.pool[s.operands.first + 2], s.run);
    edge zero = scalar(out_.view().spec(step).dtype, 0);
    edge rises = binary(ops::logical_and, dtype::boolean, binary(ops::greater, dtype::boolean, step, zero), up);
    edge falls = binary(ops::logical_and, dtype::boolean, binary(ops::less, dtype::boolean, step, zero), down);
    return binary(ops::logical_or, dtype::boolean, rises, falls);
  }

  constexpr int condition_of(int block) const {
    for (int i = block; i >= 0; i = s_.all[i].next)
      if (s_.all[i].kind == statement_kind::condition) return i;
    the_condition_of_a_loop_is_not_on_all_ways();
    return -1;
  }
  constexpr edge written_condition(scope& inner, int block) {
    const int at = condition_of(block);
    if (block != at) lower_until(inner, block, at);
    return look_up(inner, s_.pool[s_.all[at].operands.first], s_.all[at].run);
  }
  constexpr void lower_until(scope& inner, int block, int stop) {
    int last = block;
    while (s_.all[last].next != stop) last = s_.all[last].next;
    s_.all[last].next = -1;
    lower(inner, block, nullptr);
    s_.all[last].next = stop;
  }
  // The block behind the condition, or the whole of it where that uses what the condition computed.
  constexpr int behind_condition(scope&, int block) {
    const int at = condition_of(block);
    free_values f = no_free_values();
    find_free(f, s_.all[at].next);
    list<char> computed(most_nodes_);
    for (int i = block; i != at; i = s_.all[i].next)
      if (s_.all[i].kind == statement_kind::node) computed[s_.all[i].number] = 1;
    for (const auto& e : f.used)
      if (!is_structural(e) && computed[e.node]) return block;
    return s_.all[at].next;
  }

  static void a_value_is_used_where_it_does_not_exist() { throw error("a value is used where it does not exist"); }
  static void the_condition_of_a_loop_is_not_on_all_ways() { throw error("the condition of a loop is not on all ways"); }

  const recordings& runs_;
  structure_of_runs& s_;
  graph out_;
  list<int> changed_;  // of all loops and branches
  list<char> used_;    // by structural value
  int most_nodes_ = 0;
};

}  // namespace jig::detail

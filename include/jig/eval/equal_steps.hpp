// SPDX-License-Identifier: MIT
#pragma once
// Steps of a program that compute the same from operands of the same form, such as the layers of a network: one of them is compiled, as a
// program of its own, and all call it.

#include <jig/eval/locate.hpp>

namespace jig::detail {

// Says which steps of a plan are equal. Evaluated once for a program.
class step_comparison {
 public:
  constexpr step_comparison(const plan_view& p)
      : g_(p.graph),
        p_(p),
        entry_of_(g_.size()),
        first_of_hash_(buckets),
        first(static_cast<int>(p.steps.size())),
        times(static_cast<int>(p.steps.size())) {
    list<int> before(static_cast<int>(p.steps.size()));  // of the same hash, plus one
    for (int s = 0; s < static_cast<int>(p.steps.size()); ++s) {
      first[s] = s;
      begin_.push_back({static_cast<int>(words_.size()), static_cast<int>(kinds_.size())});
      if (describe(s)) {
        int& bucket = first_of_hash_[hash_of(s)];
        for (int other = bucket; other > 0; other = before[other - 1])
          if (is_same(other - 1, s)) first[s] = other - 1;
        if (first[s] == s) {
          before[s] = bucket;
          bucket = s + 1;
        }
      }
      if (first[s] != s) {  // nobody needs its description
        words_.cut(begin_.back().word);
        kinds_.cut(begin_.back().kind);
      }
      ++times[first[s]];
    }
  }

  /// The leaves, then the computed nodes, then the reductions that the step stores.
  static constexpr list<int> entries_of(const plan_view& p, const planned_step& step) {
    list<int> out;
    out.reserve(step.leaves.count + step.body.count + step.roots.count);
    for (int i = 0; i < step.leaves.count; ++i) out.push_back(p.leaves[at(step.leaves.first + i)]);
    for (int i = 0; i < step.body.count; ++i) out.push_back(p.body[at(step.body.first + i)]);
    for (int i = 0; step.kind == step_kind::reduction && i < step.roots.count; ++i) {
      const int v = p.roots[at(step.roots.first + i)];
      if (p.graph.data(v).kind->is(fact::reduction)) out.push_back(v);
    }
    return out;
  }
  /// How a value lies, where that follows from the plan alone.
  static constexpr known_layout layout_of(const plan_view& p, int v) {
    const planned_value& value = p.values[at(v)];
    const shape& extents = p.shapes[at(value.shape)];
    if (!extents.is_static()) return {};
    if (value.dense) return {true, 0, row_major_strides(extents)};
    if (value.place != place::alias) return {};
    const known_layout from = layout_of(p, value.number);
    if (!from.known) return {};
    known_layout out{true, 0, {}};
    out.strides.rank = extents.rank;
    const list<attribute_view> with = p.graph.node(v).attributes();
    p.graph.data(v).kind->restride({with, p.shapes[at(p.values[at(value.number)].shape)], from.strides, extents}, out.offset, out.strides);
    return out;
  }
  // Whether all that a step stores are results of the call that no step reads.
  static constexpr bool stores_results_only(const plan_view& p, const planned_step& step) {
    for (int i = 0; i < step.roots.count; ++i)
      if (p.values[at(p.roots[at(step.roots.first + i)])].place != place::result) return false;
    for (int i = 0; i < step.roots.count; ++i) {
      const int v = p.roots[at(step.roots.first + i)];
      for (int read : p.leaves)
        if (base_of(p.values, read) == v) return false;
    }
    return true;
  }

 private:
  static constexpr int buckets = 64;
  struct beginning {
    int word = 0, kind = 0;
  };
  const graph_view& g_;
  const plan_view& p_;
  list<int> entry_of_, first_of_hash_;
  list<index> words_;
  list<const op*> kinds_;
  list<beginning> begin_;

 public:
  /// By step: the first one that is equal; how many there are of it.
  list<int> first, times;

 private:
  constexpr void add_attributes(int v) {
    const node_view node = g_.node(v);
    for (int i = 0; i < node.attribute_count(); ++i) {
      const attribute_view a = node.attribute(i);
      words_.push_back(static_cast<index>(a.key.size() + a.values.size() + a.text.size() + a.words.size()));
      for (char c : a.key) words_.push_back(c);
      for (index x : a.values) words_.push_back(x);
      for (char c : a.text) words_.push_back(c);
      for (std::uint64_t w : a.words) words_.push_back(static_cast<index>(w));
    }
  }
  // Writes down all that decides what a step computes; false where it stays what it is.
  constexpr bool describe(int s) {
    const planned_step& step = p_.steps[at(s)];
    if ((step.kind != step_kind::loop && step.kind != step_kind::reduction) || step.beside != 0) return false;
    const list<int> entries = entries_of(p_, step);
    const auto count = static_cast<int>(entries.size());
    for (int e = 0; e < count; ++e) entry_of_[entries[e]] = e;
    for (index x : {static_cast<int>(step.kind), p_.values[at(step.space)].shape, step.leaves.count, step.body.count, step.roots.count})
      words_.push_back(x);
    bool has_space = false;
    for (int e = 0; e < count; ++e) {
      const int v = entries[e];
      const planned_value& value = p_.values[at(v)];
      const node_data& node = g_.data(v);
      if (node.spec.dtype == dtype::string) return false;
      has_space = has_space || p_.values[at(step.space)].shape == value.shape;
      words_.push_back(static_cast<index>(node.spec.dtype) + 64 * index{value.shape});
      if (e < step.leaves.count) {
        const bool immediate = value.place == place::immediate;
        if (value.place == place::padded_read) return false;
        words_.push_back(immediate + 2 * index{value.dense});
        if (immediate) add_attributes(v);
        if (immediate || value.dense) continue;
        const known_layout layout = layout_of(p_, v);
        if (!layout.known) return false;
        for (int a = 0; a < layout.strides.rank; ++a) words_.push_back(layout.strides[a]);
      } else {
        kinds_.push_back(node.kind);
        for (const auto& from : g_.inputs_of(v)) words_.push_back(entry_of_[from.node]);
        if (node.attributes.count > 0) add_attributes(v);
      }
    }
    for (int i = 0; i < step.roots.count; ++i) {
      const int v = p_.roots[at(step.roots.first + i)], e = entry_of_[v];
      if (e >= count || entries[e] != v || !p_.values[at(v)].dense) return false;
      words_.push_back(e);
    }
    words_.push_back(stores_results_only(p_, step));
    return has_space;
  }
  constexpr int hash_of(int s) const {
    unsigned h = 0;
    for (int i = begin_[s].word; i < static_cast<int>(words_.size()); ++i) h = h * 31 + static_cast<unsigned>(words_[i]);
    return static_cast<int>(h % buckets);
  }
  // Whether the last step, b, is equal to another one.
  constexpr bool is_same(int a, int b) const {
    const beginning &x = begin_[a], &y = begin_[b], &behind = begin_[a + 1];
    const int words = behind.word - x.word, kinds = behind.kind - x.kind;
    if (words != static_cast<int>(words_.size()) - y.word || kinds != static_cast<int>(kinds_.size()) - y.kind) return false;
    for (int i = 0; i < words; ++i)
      if (words_[x.word + i] != words_[y.word + i]) return false;
    for (int i = 0; i < kinds; ++i)
      if (kinds_[x.kind + i] != kinds_[y.kind + i]) return false;
    return true;
  }
};

/// By step of a program: the first one that is equal, and how many there are of it.
template <class P>
struct equal_steps {
  static constexpr int count = P::plan.size.steps;
  struct tables {
    int first[array_bound(count)] = {}, times[array_bound(count)] = {};
  };
  static constexpr tables table = [] {
    tables t;
    const plan_view view = P::plan.view(P::graph);
    const step_comparison found(view);
    for (int s = 0; s < count; ++s) {
      t.first[s] = found.first[s];
      t.times[s] = found.times[s];
    }
    return t;
  }();
};

/// So many elements all equal steps together have that a call for each of them costs less than code for each.
inline constexpr index least_in_common = 2048;

/// Whether step S of a program is compiled once for all that are equal to it.
template <class P, int S>
inline constexpr bool is_compiled_once = [] {
  constexpr planned_step step = P::plan.steps.items[S];
  if constexpr (P::plan.size.steps < 2 || P::plan.any_late || (step.kind != step_kind::loop && step.kind != step_kind::reduction)) {
    return false;
  } else {
    constexpr int times = equal_steps<P>::table.times[equal_steps<P>::table.first[S]];
    const index size = P::extents(step.space).size();
    return times > 1 && size != 1 && (size < 0 || size * times >= least_in_common);
  }
}();

/// Step S of program Q as a program: what it reads are arguments, what it stores are results.
template <class Q, int S>
struct step_program {
  using trace = step_program;
  static constexpr planned_step whole = Q::plan.steps.items[S];
  static constexpr bool remembers = false, has_strided_arguments = false;
  static constexpr int arguments = whole.leaves.count, results = whole.roots.count;

 private:
  static constexpr list<int> entries() { return step_comparison::entries_of(Q::plan.view(Q::graph), whole); }
  static constexpr jig::graph make_graph() {
    const graph_view& from = Q::graph;
    jig::graph out;
    list<int> entry_of(from.size());
    const list<int> all = entries();
    for (int e = 0; e < static_cast<int>(all.size()); ++e) {
      const int v = all[e];
      entry_of[v] = e;
      list<attribute_view> with;
      list<edge> inputs;
      const bool leaf = e < whole.leaves.count, given = leaf && Q::value(v).place != place::immediate;
      if (!leaf)
        for (const auto& in : from.inputs_of(v)) inputs.push_back({entry_of[in.node], 0});
      for (int i = 0; !given && i < from.node(v).attribute_count(); ++i) with.push_back(from.node(v).attribute(i));
      out.add(given ? ops::placeholder : *from.data(v).kind, from.data(v).spec, inputs, with);
    }
    return out;
  }
  static constexpr jig::plan make_plan() {
    const list<int> all = entries();
    list<int> entry_of(Q::graph.size());
    jig::plan out;
    planned_step step = whole;
    for (int i = 0; i < Q::plan.size.shapes; ++i) out.shapes.push_back(Q::plan.shapes.items[i]);
    for (int e = 0; e < static_cast<int>(all.size()); ++e) {
      entry_of[all[e]] = e;
      planned_value value = Q::value(all[e]);
      if (value.shape == Q::value(whole.space).shape) step.space = e;
      value.offset = 0;
      value.step = -1;
      if (e < whole.leaves.count) {
        out.leaves.push_back(e);
        if (value.place != place::immediate) {
          value.place = place::argument;
          value.number = e;
        }
      } else if (e < whole.leaves.count + whole.body.count) {
        out.body.push_back(e);
      }
      out.values.push_back(value);
    }
    for (int r = 0; r < whole.roots.count; ++r) {
      const int e = entry_of[Q::plan.roots.items[whole.roots.first + r]];
      out.roots.push_back(e);
      out.values[e].place = place::result;
      out.values[e].number = r;
      out.values[e].step = 0;
    }
    step.body.first = step.leaves.first = step.roots.first = step.region = 0;
    out.steps.push_back(step);
    out.extents.symbols = Q::plan.symbols;
    return out;
  }
  // Clang 16 does not end what lives inside of a template argument.
  static constexpr graph_sizes size_of_graph = sizes_of(make_graph().view());
  static constexpr static_graph<size_of_graph> storage{make_graph().view()};

 public:
  static constexpr graph_view graph = storage.view();
  static constexpr auto size_of_plan = sizes_of(make_plan());
  static constexpr static_plan<size_of_plan> plan{make_plan()};
  // What a body stores is read again: so it does not go past the caches.
  static constexpr bool is_body = Q::is_body || !step_comparison::stores_results_only(Q::plan.view(Q::graph), whole);

  static constexpr const planned_value& value(int node) { return plan.values.items[node]; }
  static constexpr int base(int node) { return node; }
  static constexpr const op& kind(int node) { return *graph.data(node).kind; }
  static constexpr dtype dtype_at(int node) { return graph.data(node).spec.dtype; }
  static constexpr const shape& extents(int node) { return plan.shapes.items[value(node).shape]; }
  static constexpr int operand(int node, int i) { return graph.inputs_of(node)[static_cast<std::size_t>(i)].node; }
  static constexpr int operand_count(int node) { return static_cast<int>(graph.inputs_of(node).size()); }
  /// Of an argument that is not dense.
  template <int K>
  static constexpr known_layout input_layout() {
    known_layout out = step_comparison::layout_of(Q::plan.view(Q::graph), Q::plan.leaves.items[whole.leaves.first + K]);
    out.offset = 0;
    return out;
  }
};

// The frame of a step on its own.
template <class Q, int S, class Unit>
[[gnu::always_inline]] inline frame<Unit> frame_of_step(const frame<Q>& fr) {
  constexpr planned_step step = Q::plan.steps.items[S];
  frame<Unit> out;
  out.memory = fr.memory;
  [&]<int... L>(std::integer_sequence<int, L...>) {
    (
        [&] {
          constexpr int v = Q::plan.leaves.items[step.leaves.first + L];
          if constexpr (Q::value(v).place == place::immediate) out.arguments[L] = nullptr;
          else out.arguments[L] = first_element<Q, v>(fr);
        }(),
        ...);
  }(std::make_integer_sequence<int, step.leaves.count>());
  [&]<int... R>(std::integer_sequence<int, R...>) {
    ((out.results[R] = const_cast<void*>(data_of<Q, Q::plan.roots.items[step.roots.first + R]>(fr))), ...);
  }(std::make_integer_sequence<int, step.roots.count>());
  for (int k = 0; k < Q::plan.symbols; ++k) out.extents[k] = fr.extents[k];
  return out;
}

}  // namespace jig::detail

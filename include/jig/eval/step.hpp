// SPDX-License-Identifier: MIT
#pragma once
// The body of a step as tables: what it reads, computes and stores, in which order and in which dtypes.

#include <jig/eval/lanes.hpp>
#include <jig/eval/locate.hpp>
#include <jig/eval/masks.hpp>

namespace jig {

/// What numbers of a dtype are in registers.
constexpr dtype in_registers(dtype d) { return is_storage(d) ? dtype::float32 : d; }

namespace detail {

// The widest of some dtypes in registers, the first one of those; uint8 if none is a number.
template <std::size_t N>
constexpr dtype widest_in_registers(const dtype (&types)[N]) {
  dtype widest = dtype::boolean;
  for (dtype d : types)
    if (is_number(d) && (!is_number(widest) || size_of(in_registers(d)) > size_of(widest))) widest = in_registers(d);
  return is_number(widest) ? widest : dtype::uint8;
}

/// Whether scalars of a function share a register: those that go through one anyway. Square roots have an instruction of their own.
constexpr bool shares_lanes(const op& kind, dtype d) {
  return kind.is(fact::lanes_only) && (d == dtype::float32 || (d == dtype::float64 && !is_op(kind, ops::sqrt)));
}

}  // namespace detail

/// The body of step S of program P, as tables. Its entries are the leaves, then the computed nodes. The step runs over its
/// whole space, or over one row of it: all axes but the first `Outer` ones.
template <class P, int S, int Outer = 0>
struct step {
  using program = P;
  static constexpr int number = S;
  static constexpr planned_step plan = P::plan.steps.items[S];
  static constexpr int leaves = plan.leaves.count - plan.beside;
  static constexpr int roots = plan.roots.count;
  static constexpr int entries = leaves + plan.body.count;

  static constexpr int node(int entry) {
    return entry < leaves ? P::plan.leaves.items[plan.leaves.first + entry] : P::plan.body.items[plan.body.first + entry - leaves];
  }
  /// No part of the tables: these are in the program, and with an op its gradient would be.
  static constexpr const op& kind(int entry) { return P::kind(node(entry)); }
  /// Of an entry that is a padded read: what it shows.
  static constexpr detail::padded_read padded_read_at(int entry) {
    const planned_value& v = P::value(node(entry));
    if (entry >= leaves || v.place != place::padded_read) return {};
    return detail::padded_read_of(P::graph, node(entry), P::extents(node(entry)));
  }
  static constexpr bool has_padded_reads = [] {
    bool any = false;
    for (int e = 0; e < leaves; ++e) any = any || padded_read_at(e).exists;
    return any;
  }();
  // The most operands of one of the nodes.
  static constexpr int max_operands = [] {
    int most = 1;
    for (int e = leaves; e < entries; ++e)
      if (P::operand_count(node(e)) > most) most = P::operand_count(node(e));
    return most;
  }();

  static constexpr int root(int r) { return P::plan.roots.items[plan.roots.first + r]; }
  /// How many of the roots are reduced, not stored place by place. They are the first ones.
  static constexpr int reduced = [] {
    int n = 0;
    while (plan.kind == step_kind::reduction && n < roots && P::kind(root(n)).is(fact::reduction)) ++n;
    return n;
  }();

  static constexpr int capacity = entries == 0 ? 1 : entries;
  static constexpr std::size_t room = detail::array_bound(capacity);
  struct tables {
    int entry_of[P::graph.size()] = {};  // by node
    bool invariant[room] = {};           // the same at every place
    dtype type[room] = {};
    int number[room] = {};  // among the entries of its dtype
    int operand_count[room] = {};
    int operand[room][detail::array_bound(max_operands)] = {};  // entries
    int count[dtype_count] = {};                                // of entries by dtype
    int order[2][room] = {};                                    // varying entries, invariant entries
    int ordered[2] = {};
    int varying = 0;  // computed nodes that differ from place to place
  };
  // The number of elements that a row has of a value whose axes end with those of the space; negative: the call knows.
  static constexpr index size_in_row(const shape& s) {
    shape row;
    for (int a = 0; a < s.rank; ++a)
      if (a + P::extents(plan.space).rank - s.rank >= Outer) row.push_back(s[a]);
    return row.size();
  }
  static constexpr index known_size = size_in_row(P::extents(plan.space));
  /// The places where all padded reads show memory.
  static constexpr detail::padded_read inside_padded_reads = [] {
    detail::padded_read inside{has_padded_reads, 0, 0};
    for (int e = 0; e < leaves; ++e) {
      const detail::padded_read w = padded_read_at(e);
      if (w.before > inside.before) inside.before = w.before;
      if (w.behind > inside.behind) inside.behind = w.behind;
    }
    return inside;
  }();
  static constexpr tables table = [] {
    tables t;
    bool one_place = known_size == 1;
    for (int e = 0; e < entries; ++e) {
      int v = node(e);
      const auto& data = P::graph.data(v);
      t.entry_of[v] = e;
      t.type[e] = data.spec.dtype;
      bool fixed = true;
      if (e < leaves) {
        fixed = P::value(v).place == place::immediate || (!one_place && size_in_row(P::extents(v)) == 1);
      } else {
        for (const auto& in : P::graph.inputs_of(v)) {
          int from = t.entry_of[in.node];
          t.operand[e][t.operand_count[e]++] = from;
          fixed = fixed && t.invariant[from];
        }
      }
      t.invariant[e] = fixed;
      t.varying += e >= leaves && !fixed;
      t.number[e] = t.count[static_cast<int>(t.type[e])]++;
      t.order[fixed][t.ordered[fixed]++] = e;
    }
    return t;
  }();

  /// How the scalars of a step with one place are computed.
  static constexpr bool is_scalar = plan.kind == step_kind::loop && known_size == 1;
  static constexpr detail::scalar_lanes<is_scalar ? room : 1> lanes = [] {
    if constexpr (!is_scalar) {
      return detail::scalar_lanes<1>();
    } else {
      const auto shares = [](int e) {
        bool can = e >= leaves && detail::shares_lanes(kind(e), table.type[e]);
        for (int k = 0; can && k < table.operand_count[e]; ++k) can = table.type[table.operand[e][k]] == table.type[e];
        return can;
      };
      return detail::find_lanes<room>(
          table.order[0], table.ordered[0], [](int e, int k) { return k < table.operand_count[e] ? table.operand[e][k] : -1; }, shares,
          [](int e) -> const op& { return kind(e); },
          [](int e) { return static_cast<int>(table.type[e] == dtype::float32 ? simd::lanes<float> : simd::lanes<double>); });
    }
  }();

  /// Whether root r of a loop is an array into which the loop puts an element.
  static constexpr bool is_put(int r) { return plan.kind == step_kind::loop && P::kind(root(r)).is(fact::dynamic_update); }
  /// Whether root r has a group of elements for each place of the step, its operands side by side.
  static constexpr bool is_stack(int r) {
    return plan.kind == step_kind::loop && (detail::is_op(P::kind(root(r)), ops::pack) || detail::packs_scalars(P::graph, root(r)));
  }
  static constexpr int elements_at_place(int r) { return is_stack(r) ? P::operand_count(root(r)) : 1; }
  static constexpr bool has_stacks = [] {
    bool any = false;
    for (int r = 0; r < roots; ++r) any = any || is_stack(r);
    return any;
  }();
  /// The entry that root r stores: itself, or an operand of a reduction or of what puts an element into an array.
  static constexpr int stored_entry(int r) {
    int v = root(r);
    return table.entry_of[is_put(r) ? P::operand(v, 2) : r < reduced || is_stack(r) ? P::operand(v, 0) : v];
  }
  /// Of a stack, the entry of its element k.
  static constexpr int stored_entry(int r, int k) { return table.entry_of[P::operand(root(r), k)]; }

  /// The widest dtype, the first one of those: its registers say how many lanes all others have.
  static constexpr dtype lead = [] {
    dtype types[room] = {};
    for (std::size_t e = 0; e < room; ++e) types[e] = static_cast<int>(e) < entries ? table.type[e] : dtype::boolean;
    return detail::widest_in_registers(types);
  }();
  /// Whether a register full at a time can be computed.
  static constexpr bool vectorizable = [] {
    for (int e = 0; e < entries; ++e)
      if (table.type[e] == dtype::string) return false;
    return true;
  }();
  using lead_type = type_of<lead>;
  /// Whether some node would throw or be slow at zeros that are no elements.
  static constexpr bool minds_zeros = [] {
    for (int e = leaves; e < entries; ++e)
      if (kind(e).is(fact::lanes_only | fact::checked | fact::scalar_only)) return true;
    return false;
  }();
  /// Whether a part of a register can be read and stored at once: all that is in memory are numbers as they are in registers.
  static constexpr bool has_parts = [] {
    bool can = vectorizable;
    for (int e = 0; e < leaves; ++e)
      can = can && (table.invariant[e] || padded_read_at(e).exists || (is_number(table.type[e]) && !is_storage(table.type[e])));
    for (int r = 0; r < roots; ++r) can = can && is_number(table.type[stored_entry(r)]) && !is_storage(table.type[stored_entry(r)]);
    return can;
  }();
};

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// What blocks of a program use and do not define themselves: what the body of an If or While node takes as inputs.

#include <jig/trace/paths.hpp>

namespace jig::detail {

/// Values in the order in which they are used first, and the search that finds them.
struct free_values {
  int search;
  list<edge> used;
};

template <class Recordings>
class free_value_search {
 public:
  constexpr free_value_search(const Recordings& runs, const structure_of_runs<Recordings>& structure)
      : structure_(structure), defined_(runs, structure.definitions.size()) {}

  constexpr free_values none() { return {++last_search_, {}}; }
  constexpr void use(free_values& f, const edge& e) {
    if (defined_[e] == f.search || structure_.is_constant(e)) return;
    for (const auto& known : f.used)
      if (known == e) return;
    f.used.push_back(e);
  }
  /// Says that a value is defined.
  constexpr void note(const free_values& f, const edge& e) { defined_[e] = f.search; }
  constexpr bool is_noted(const free_values& f, const edge& e) { return defined_[e] == f.search; }
  constexpr void note_node(const free_values& f, const statement& s) {
    for (int port = 0; port < structure_.outputs_of(s); ++port) note(f, {s.number, port});
  }
  /// Adds what a block uses.
  constexpr void find(free_values& f, int block) {
    for (int i = block; i >= 0; i = structure_.all[i].next) {
      const statement& s = structure_.all[i];
      for (int k = 0; k < s.operands.count; ++k) use(f, structure_.pool[s.operands.first + k]);
      if (s.kind == statement_kind::node) note_node(f, s);
      if (s.kind == statement_kind::loop || s.kind == statement_kind::branch) {
        const trace_event& e = structure_.event(s);
        // Parameters of one event have consecutive definitions.
        const int first = e.at < e.until ? structure_.named(s.run, {e.at, 0}).node : 0;
        for (int k = 0; k < e.until - e.at; ++k) note(f, {first + k, 0});
        if (s.exit.node != -1) note(f, s.exit);
        for (int k = 0; k < s.joined.count; ++k) note(f, structure_.pool[s.joined.first + k]);
      }
      find(f, s.yes);
      if (s.kind == statement_kind::fork) use_joined(f, s, 1);
      find(f, s.no);
      if (s.kind == statement_kind::fork) {
        use_joined(f, s, 2);
        for (int k = 0; k < s.joined.count; k += 3) note(f, structure_.pool[s.joined.first + k]);
      }
    }
  }
  constexpr void use_joined(free_values& f, const statement& s, int side) {
    for (int k = side; k < s.joined.count; k += 3) use(f, structure_.pool[s.joined.first + k]);
  }

 private:
  const structure_of_runs<Recordings>& structure_;
  table_of_values<int> defined_;  // by value: the last search that saw its definition
  int last_search_ = 0;
};

}  // namespace jig::detail

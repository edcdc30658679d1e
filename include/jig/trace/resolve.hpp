// SPDX-License-Identifier: MIT
#pragma once
// Which values of a program are others, and which nobody needs: loops and branches carry only objects whose value they change.

#include <jig/trace/paths.hpp>

namespace jig::detail {

template <class Recordings>
class resolution {
 public:
  /// Of all loops and branches: the numbers of the objects that have another value behind them.
  list<int> changed;

  constexpr resolution(const Recordings& runs, structure_of_runs<Recordings>& structure)
      : s_(structure), values_(runs, structure.definitions.size()) {
    resolve(s_.first);
    drop_unused(s_.first);
  }

 private:
  struct entry {
    edge same_as{};  // another value that it always equals
    bool used = false;
  };

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

  // Finds for all loops and branches, the inner ones first, which objects have another value at some end. The others keep
  // the one from before, inside and behind; so do values that are the same on both sides of a fork.
  constexpr void resolve(int block) {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      replace_equal(s_.all[i].operands);
      if (s_.all[i].kind == statement_kind::fork) {
        resolve_side(i, 1);
        resolve_side(i, 2);
        find_equal(s_.all[i]);
      } else {
        resolve(s_.all[i].yes);
        resolve(s_.all[i].no);
        if (s_.all[i].kind == statement_kind::loop || s_.all[i].kind == statement_kind::branch) find_changes(s_.all[i]);
      }
    }
  }
  constexpr void resolve_side(int fork, int side) {
    resolve(side == 1 ? s_.all[fork].yes : s_.all[fork].no);
    const range_of_pool joined = s_.all[fork].joined;
    for (int k = side; k < joined.count; k += 3) replace_equal({joined.first + k, 1});
  }
  constexpr void replace_equal(const range_of_pool& r) {
    for (auto& e : s_.values(r))
      if (e.node != -1 && values_[e].same_as.node != -1) e = values_[e].same_as;
  }
  constexpr void replace_equal_in(int block) {
    for (int i = block; i >= 0; i = s_.all[i].next) {
      replace_equal(s_.all[i].operands);
      if (s_.all[i].kind == statement_kind::fork) replace_equal(s_.all[i].joined);
      replace_equal_in(s_.all[i].yes);
      replace_equal_in(s_.all[i].no);
    }
  }
  constexpr void set_equal(const edge& e, const edge& to) { values_[e].same_as = to; }
  constexpr void find_equal(const statement& s) {
    for (int k = 0; k < s.joined.count; k += 3) {
      const edge out = s_.pool[s.joined.first + k], yes = s_.pool[s.joined.first + k + 1], no = s_.pool[s.joined.first + k + 2];
      if (yes == no) set_equal(out, yes);
    }
  }
  constexpr void find_changes(statement& s) {
    const trace_event& e = s_.event(s);
    const bool loop = s.kind == statement_kind::loop;
    list<int> ends;
    find_ends(s.yes, ends);
    find_ends(s.no, ends);
    s.changed.first = static_cast<int>(changed.size());
    for (int k = 0; k < e.before.count; ++k) {
      const edge before = s_.pool[first_before(s) + k];
      const edge inside = loop ? s_.pooled(s, e.parameters, k) : before;
      bool differs = false;
      for (int end : ends) {
        const edge now = s_.pool[s_.all[end].operands.first + k];
        differs = differs || !(now == inside || now == before);
      }
      if (differs) {
        changed.push_back(k);
        continue;
      }
      if (loop) set_equal(inside, before);
      set_equal(s_.pooled(s, e.after, k), before);
    }
    s.changed.count = static_cast<int>(changed.size()) - s.changed.first;
    for (int end : ends) keep_changed(s_.all[end], s.changed);
    if (loop) replace_equal_in(s.yes);
    // A branch has no use for what was before it, a loop only for what it changes.
    const range_of_pool whole = s.operands;
    const int head = whole.count - e.before.count;
    s.operands.first = static_cast<int>(s_.pool.size());
    for (int k = 0; k < head; ++k) s_.pool.push_back(s_.pool[whole.first + k]);
    for (int k = 0; loop && k < s.changed.count; ++k) s_.pool.push_back(s_.pool[whole.first + head + changed[s.changed.first + k]]);
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
          if (!values_[triple[0]].used) continue;
          values_[triple[1]].used = values_[triple[2]].used = true;
          for (int i = 0; i < 3; ++i) s_.pool[s.joined.first + kept + i] = triple[i];
          kept += 3;
        }
        s.joined.count = kept;
      }
      for (const auto& e : s_.values(s.operands))
        if (e.node != -1) values_[e].used = true;
      drop_unused(s.no);
      drop_unused(s.yes);
    }
  }
  // Of the values at an end only those matter that changed, and those that escape.
  constexpr void keep_changed(statement& end, const range_of_pool& kept) {
    const range_of_pool whole = end.operands;
    end.operands.first = static_cast<int>(s_.pool.size());
    for (int k = 0; k < kept.count; ++k) s_.pool.push_back(s_.pool[whole.first + changed[kept.first + k]]);
    for (int k = whole.count - end.escaped.count; k < whole.count; ++k) s_.pool.push_back(s_.pool[whole.first + k]);
    end.operands.count = static_cast<int>(s_.pool.size()) - end.operands.first;
  }

  structure_of_runs<Recordings>& s_;
  table_of_values<entry> values_;
};

}  // namespace jig::detail

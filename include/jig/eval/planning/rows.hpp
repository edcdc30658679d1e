// SPDX-License-Identifier: MIT
#pragma once
// Steps that run row by row together: a reduction of rows and what goes on with its results.

#include <jig/eval/planning/steps.hpp>

namespace jig::detail {

class row_planner : public step_planner {
 public:
  using step_planner::step_planner;

 protected:
  // Of a reduction over all axes from some axis on: that axis. Else 0.
  constexpr int rows_of(const planned_step& s) const {
    if (s.kind != step_kind::reduction) return 0;
    const auto axes = g_.node(out_.roots[at(s.roots.first)]).attribute("axes").values;
    const shape& from = extents(s.space);
    unsigned set = 0;
    for (index a : axes) set |= 1u << (a < 0 ? a + from.rank : a);
    const int outer = from.rank - static_cast<int>(axes.size());
    if (axes.empty() || set != ((1u << from.rank) - 1) >> outer << outer) return 0;
    index n = 1;
    for (int a = outer; a < from.rank; ++a) n *= from[a] < 0 ? shortest_row : from[a];
    if (reads_strings(s) || n < 2) return 0;
    return n < shortest_row && evaluator_ == planned_for::compiler && !has_short_rows(s, outer) ? 0 : outer;
  }
  // Whether a step can go through many short rows at once: all that it reads runs along with the rows or is the same for all of them,
  // and so little is computed that a body may be in the program for each element of a row.
  constexpr bool has_short_rows(const planned_step& s, int outer) const {
    const index n = size_behind(s.space, outer);
    const shape& space = extents(s.space);
    index rows = 1;
    for (int a = 0; a < outer; ++a) rows = !is_static_extent(space[a]) ? most_short_rows : rows > most_short_rows ? rows : rows * space[a];
    if (outer == 0 || n < 1 || n > longest_short_row || rows < most_short_rows || s.beside > 0 || reads_strings(s)) return false;
    index work = 0;
    for (int i = 0; i < s.body.count; ++i) work += is(out_.body[at(s.body.first + i)], fact::lanes_only) ? 8 : 1;
    for (int i = 0; i < s.roots.count; ++i)
      if (puts(out_.roots[at(s.roots.first + i)])) return false;
    for (int i = 0; i < s.leaves.count; ++i) {
      const int v = out_.leaves[at(s.leaves.first + i)];
      if (!runs_along_rows(v, s.space, outer)) return false;
    }
    // Longer ones are in the program for each register.
    return work * (n < shortest_row ? n : (n + 7) / 8) <= most_work_of_row;
  }
  constexpr bool runs_along_rows(int v, int space, int outer) const {
    const shape& own = extents(v);
    const int missing = extents(space).rank - own.rank;
    bool same = missing == 0, one = true;
    for (int a = 0; a < outer; ++a) {
      same = same && own[a] == extents(space)[a];
      one = one && (a < missing || own[a - missing] == 1);
    }
    return out_.values[at(v)].dense && out_.values[at(v)].place != place::padded_read && !has_parts(v) && (same || one);
  }
  constexpr bool reads_strings(const planned_step& s) const {
    for (int i = 0; i < s.leaves.count; ++i)
      if (g_.data(out_.leaves[at(s.leaves.first + i)]).spec.dtype == dtype::string) return true;
    return false;
  }
  constexpr bool same_rows(int v, int w, int outer) const {
    const shape &a = extents(v), &b = extents(w);
    bool same = a.rank >= outer && b.rank >= outer;
    for (int axis = 0; same && axis < outer; ++axis) same = a[axis] == b[axis];
    return same;
  }
  // Whether v and the positions of parts on the way to it are stored before a step.
  constexpr bool stored_before(int v, int step) const {
    for (; view(v); v = operands(v)[0].node)
      if (part(v) && !stored_before(operands(v)[1].node, step)) return false;
    return out_.values[at(v)].step < step;
  }
  constexpr bool has_parts(int v) const {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) return true;
    return false;
  }
  // Whether a step can run row by row behind those that are joined already: what it reads of theirs is in the same row, and
  // nothing else that it reads is stored behind the first of them.
  constexpr bool joins_rows(const planned_step& s, int first, int space, int outer, const list<int>& joined) const {
    if (s.kind != step_kind::loop && rows_of(s) != outer) return false;
    if (!same_rows(s.space, space, outer) || reads_strings(s)) return false;
    for (int i = 0; i < s.roots.count; ++i) {
      const int root = out_.roots[at(s.roots.first + i)];
      if (puts(root) && element_axis(g_, root) > outer) return false;
    }
    bool reads = false;
    for (int i = 0; i < s.leaves.count; ++i) {
      const int v = out_.leaves[at(s.leaves.first + i)];
      if (out_.values[at(v)].place == place::padded_read) return false;
      if (stored_before(v, first)) continue;
      if (has_parts(v) || joined[at(out_.values[at(base(v))].step)] != first) return false;
      reads = true;
      if (!out_.values[at(v)].dense || extents(v).rank != extents(s.space).rank || !same_rows(v, space, outer)) return false;
    }
    return reads;
  }
  // A reduction of rows and the steps that go on with its results run row by row, so that rows are still in the caches when they
  // are read again.
  constexpr void join_rows() {
    bool any = false;
    for (std::size_t s = 0; s + 1 < out_.steps.size(); ++s) any = any || rows_of(out_.steps[s]) > 0;
    if (!any) return one_region_each();
    find_rows();
    if (evaluator_ == planned_for::compiler) merge_rows();
    for (auto& r : out_.regions)
      if (r.count == 1) r = {.first = r.first};
  }
  constexpr void one_region_each() {
    for (int s = 0; s < static_cast<int>(out_.steps.size()); ++s) {
      out_.regions.push_back({.first = s});
      out_.steps[at(s)].region = s;
    }
  }
  constexpr void find_rows() {
    const int steps = static_cast<int>(out_.steps.size());
    list<int> joined, position;  // by step: the first of those that it runs together with, its place in the new order
    for (int s = 0; s < steps; ++s) {
      joined.push_back(nobody);
      position.push_back(0);
    }
    list<planned_step> ordered;
    for (int s = 0; s < steps; ++s) {
      if (joined[at(s)] != nobody) continue;
      joined[at(s)] = s;
      planned_region together{.first = static_cast<int>(ordered.size())};
      const auto add = [&](int step) {
        position[at(step)] = static_cast<int>(ordered.size());
        ordered.push_back(out_.steps[at(step)]);
        ordered.back().region = static_cast<int>(out_.regions.size());
      };
      add(s);
      const int outer = rows_of(out_.steps[at(s)]);
      const index n = outer > 0 ? size_behind(out_.steps[at(s)].space, outer) : 0;
      const bool all_short = evaluator_ == planned_for::compiler && n > 0 && n < shortest_row;
      bool many = evaluator_ == planned_for::compiler && n > 0 && has_short_rows(out_.steps[at(s)], outer);
      for (int next = s + 1; outer > 0 && next < steps; ++next) {
        const bool is_short = has_short_rows(out_.steps[at(next)], outer);
        if (all_short && !is_short) continue;
        if (joined[at(next)] != nobody || !joins_rows(out_.steps[at(next)], s, out_.steps[at(s)].space, outer, joined)) continue;
        joined[at(next)] = s;
        add(next);
        many = many && is_short;
        ++together.count;
      }
      if (together.count > 1) {
        together.kind = region_kind::rows;
        together.axes = outer;
        together.chunk = together.least =
            many ? rows_together(n * static_cast<index>(size_of(g_.data(out_.steps[at(s)].space).spec.dtype))) : 1;
        if (many) together.chunk *= (std::max)(elements_together / (together.least * n), index{1});
      }
      if (together.count > 1 && evaluator_ == planned_for::interpreter) {
        add_long_chunks(together, out_.steps[at(s)].space);
        continue;
      }
      out_.regions.push_back(together);
    }
    out_.steps = std::move(ordered);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[at(v.step)];
  }

  // Kernels that are called for every chunk want long ones along the first axis. What is one such chunk has no need of a region.
  constexpr void add_long_chunks(planned_region together, int space) {
    together.axes = 1;
    together.chunk = (std::max)(elements_in_cache / (std::max)(size_behind(space, 1), index{1}), index{1});
    if (extents(space)[0] > together.chunk) return out_.regions.push_back(together);
    for (int k = 0; k < together.count; ++k) out_.regions.push_back({.first = together.first + k});
  }

  // The elements of a step's space in one row; 0 where only a call knows.
  constexpr index row_size(int s) const {
    const auto& step = out_.steps[at(s)];
    return size_behind(step.space, out_.regions[at(step.region)].axes);
  }
  // Whether a step reads what another one stores, and how: only those values themselves, or by way of views.
  struct reading {
    bool any = false, direct = true;
  };
  constexpr reading reads_of(const planned_step& reader, const planned_step& writer) const {
    reading out;
    for (int i = 0; i < reader.leaves.count; ++i)
      for (int k = 0; k < writer.roots.count; ++k) {
        const int leaf_node = out_.leaves[at(reader.leaves.first + i)];
        if (base(leaf_node) != out_.roots[at(writer.roots.first + k)]) continue;
        out.any = true;
        out.direct = out.direct && !view(leaf_node);
      }
    return out;
  }
  constexpr bool only_read_by(int s, int reader) const {
    const auto& writer = out_.steps[at(s)];
    for (int k = 0; k < writer.roots.count; ++k)
      if (is_output_[out_.roots[at(writer.roots.first + k)]]) return false;
    for (int t = 0; t < static_cast<int>(out_.steps.size()); ++t)
      if (t != reader && reads_of(out_.steps[at(t)], writer).any) return false;
    return true;
  }
  // Whether loop s can be part of a step behind it. One over whole rows can if that reduces them: then the step stores on its
  // way. One over a single element of each row can if nobody else needs that.
  enum class merge : unsigned char { none, stores, registers };
  constexpr merge merge_of(int s, int into) const {
    const planned_step &loop = out_.steps[at(s)], &step = out_.steps[at(into)];
    if (loop.kind != step_kind::loop) return merge::none;
    const reading reads = reads_of(step, loop);
    if (!reads.any || !reads.direct) return merge::none;
    if (row_size(s) == 1) return row_size(into) != 1 && only_read_by(s, into) ? merge::registers : merge::none;
    return into == s + 1 && step.kind == step_kind::reduction && same_shape(loop.space, step.space) ? merge::stores : merge::none;
  }
  // Appends two ranges of a list to it as one, each entry once.
  constexpr range_of_pool join(list<int>& pool, range_of_pool first, range_of_pool second) const {
    const range_of_pool both{static_cast<int>(pool.size()), 0};
    int count = 0;
    for (const range_of_pool& part : {first, second})
      for (int i = 0; i < part.count; ++i) {
        const int v = pool[at(part.first + i)];
        bool there = false;
        for (int k = 0; !there && k < count; ++k) there = pool[at(both.first + k)] == v;
        if (there) continue;
        pool.push_back(v);
        ++count;
      }
    return {both.first, count};
  }
  constexpr void add_to(const planned_step& loop, planned_step& step, bool stores) {
    list<int> others;
    for (int i = 0; i < step.leaves.count; ++i) {
      const int v = out_.leaves[at(step.leaves.first + i)];
      bool stored = false;
      for (int k = 0; k < loop.roots.count; ++k) stored = stored || out_.roots[at(loop.roots.first + k)] == v;
      if (!stored) others.push_back(v);
    }
    step.leaves = {static_cast<int>(out_.leaves.size()), static_cast<int>(others.size())};
    for (int v : others) out_.leaves.push_back(v);
    step.leaves = join(out_.leaves, loop.leaves, step.leaves);
    step.body = join(out_.body, loop.body, step.body);
    if (stores) step.roots = join(out_.roots, step.roots, loop.roots);
  }
  // A list without what merged steps left behind.
  constexpr void tidy(list<int>& pool, range_of_pool planned_step::* part) {
    list<int> kept;
    for (auto& s : out_.steps) {
      range_of_pool& range = s.*part;
      const int first = static_cast<int>(kept.size());
      for (int i = 0; i < range.count; ++i) kept.push_back(pool[at(range.first + i)]);
      range.first = first;
    }
    pool = std::move(kept);
  }
  constexpr void merge_rows() {
    const int steps = static_cast<int>(out_.steps.size());
    list<int> position(steps);
    list<planned_step> left;
    for (auto& r : out_.regions) {
      if (r.chunk > 1) continue;
      const int first = r.first, end = first + r.count;
      for (int s = first + 1; s < end; ++s) {
        int into = s + 1;
        while (into < end && merge_of(s, into) == merge::none) ++into;
        if (into >= end) continue;
        const bool stores = merge_of(s, into) == merge::stores;
        add_to(out_.steps[at(s)], out_.steps[at(into)], stores);
        for (auto& v : out_.values)
          if (v.step == s) v.step = stores ? into : -1;
        position[s] = nobody;
        --r.count;
      }
    }
    for (int s = 0; s < steps; ++s) {
      if (position[s] == nobody) continue;
      position[s] = static_cast<int>(left.size());
      left.push_back(out_.steps[at(s)]);
    }
    if (static_cast<int>(left.size()) == steps) return;
    for (auto& r : out_.regions) r.first = position[r.first];
    out_.steps = std::move(left);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[v.step];
    tidy(out_.body, &planned_step::body);
    tidy(out_.leaves, &planned_step::leaves);
    tidy(out_.roots, &planned_step::roots);
  }

  // So many that all of them stay in the first cache. Units: bytes of one.
  static constexpr index rows_together(index bytes) {
    index rows = most_short_rows;
    while (rows * bytes > 16 * 1024) rows /= 2;
    return rows;
  }
  // Rows that are known to be short run many at once. Those below shortest_row do so, or each step by itself.
  static constexpr index shortest_row = 32, longest_short_row = 128, most_short_rows = 64, most_work_of_row = 96, elements_together = 768;
  static constexpr index elements_in_cache = 8192;
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Memory: results, and slots of the workspace that values share which are not needed at the same time.

#include <jig/eval/planning/concurrency.hpp>
#include <jig/passes/joined_rows.hpp>

namespace jig::detail {

class slot_planner : public concurrency_planner {
 public:
  using concurrency_planner::concurrency_planner;

 protected:
  constexpr const planned_region& region_of(int s) const { return out_.regions[at(out_.steps[at(s)].region)]; }

  constexpr void place_results() {
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) {
      in_result_.push_back(0);
      set_place(g_.outputs()[k].node, place::result, static_cast<int>(k));
    }
  }

  constexpr void set_place(int v, place to, int number) {
    auto& value = out_.values[at(v)];
    if (value.place == place::result) --in_result_[value.number];
    if (to == place::result) ++in_result_[number];
    value.place = to;
    value.number = number;
  }

  constexpr bool same_size(int v, int w) const {
    return size_of(g_.data(v).spec.dtype) == size_of(g_.data(w).spec.dtype) && same_shape(v, w) &&
           (g_.data(v).spec.dtype == dtype::string) == (g_.data(w).spec.dtype == dtype::string);
  }

  constexpr void note_use(list<int>& last_use, int v, int s) {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) note_use(last_use, operands(v)[1].node, s);
    last_use[at(v)] = s;
  }

  // What loops compute to be joined is computed in its place there: along the first axis as one run, along others row by row.
  constexpr void place_joined() {
    if (evaluator_ != planned_for::compiler || any_late_) return;
    // What a loop reads of its own results it reads in registers.
    list<int> uses(size_);
    for (int w = 0; w < size_; ++w)
      for (const auto& e : operands(w)) {
        const int step = out_.values[at(w)].step;
        uses[e.node] += elementwise(w) && step >= 0 && step == out_.values[at(e.node)].step ? 0 : 1;
      }
    for (int v = 0; v < size_; ++v) {
      if (stacks(v) || !is_join(kind(v)) || g_.data(v).spec.dtype == dtype::string || out_.values[at(v)].step < 0) continue;
      for (const auto& e : operands(v)) {
        planned_value& part = out_.values[at(e.node)];
        if (!elementwise(e.node) || uses[e.node] != 1 || is_output_[e.node] || part.step < 0 || part.place != place::registers) continue;
        const planned_step& loop = out_.steps[at(part.step)];
        if (loop.kind != step_kind::loop || region_of(part.step).kind != region_kind::single) continue;
        if (const index n = extents(e.node).size(); n >= 0 && n < fewest_joined) continue;
        const bool in_one_run = joining_axis(g_, v) == 0;
        if (!in_one_run && !(has_rows(loop, v, e.node) && has_only_roots_of(v, loop, uses))) continue;
        part.place = place::joined;
        part.number = v;
        part.dense = in_one_run;
      }
    }
  }
  // Whether all that a loop stores is only read by this join.
  constexpr bool has_only_roots_of(int join, const planned_step& loop, const list<int>& uses) const {
    for (int i = 0; i < loop.roots.count; ++i) {
      const int root = out_.roots[at(loop.roots.first + i)];
      bool reads = false;
      for (const auto& e : operands(join)) reads = reads || e.node == root;
      if (!reads || uses[root] != 1 || is_output_[root] || !elementwise(root)) return false;
    }
    return true;
  }
  // Whether a loop should compute parts of a join in their place: rows, along which its leaves run too.
  constexpr bool has_rows(const planned_step& loop, int join, int part) const {
    int work = 0;
    for (int i = 0; i < loop.body.count; ++i) work += work_of_elementwise(kind(out_.body[at(loop.body.first + i)]));
    if (!pays_in_rows(g_, join, g_.data(part).spec, work, loop.roots.count)) return false;
    for (int i = 0; i < loop.leaves.count; ++i) {
      const int v = out_.leaves[at(loop.leaves.first + i)];
      if (!single(v) && !last_axis_is_dense(v)) return false;
    }
    return true;
  }
  // Whether the elements of a leaf along its last axis lie side by side, or are one that is broadcast.
  constexpr bool last_axis_is_dense(int v) const {
    const shape& own = extents(v);
    if (out_.values[at(v)].dense || own[own.rank - 1] == 1) return true;
    if (out_.values[at(v)].place != place::alias || is(v, fact::keeps_order)) return false;
    return out_.values[at(operands(v)[0].node)].dense && shows_rows(g_, v);
  }

  constexpr void assign_slots() {
    find_loop_results();
    place_joined();
    auto steps = static_cast<int>(out_.steps.size());
    find_users();
    list<int> last_use, free_after;
    for (int v = 0; v < size_; ++v) last_use.push_back(-1);
    for (int s = 0; s < steps; ++s) {
      const auto& step = out_.steps[at(s)];
      for (int i = 0; i < step.leaves.count; ++i) note_use(last_use, out_.leaves[at(step.leaves.first + i)], s);
    }
    for (int s = 0; s < steps; ++s) {
      const auto& step = out_.steps[at(s)];
      for (int i = 0; i < step.roots.count; ++i) {
        int v = out_.roots[at(step.roots.first + i)];
        // The first one of those that are joined needs the memory of all.
        if (out_.values[at(v)].place == place::joined) {
          v = out_.values[at(v)].number;
          if (last_use[at(v)] < out_.values[at(v)].step) last_use[at(v)] = out_.values[at(v)].step;
        }
        auto& value = out_.values[at(v)];
        const bool local = value.place == place::chunk;
        if ((!local && value.place != place::registers) || (control(v) && results_of_bodies(g_, v) == 0)) continue;
        if (last_use[at(v)] < s) last_use[at(v)] = s;  // stored, though nobody reads it
        // What a loop or an update begins with lies where it will put its result, which another one may begin with.
        int heir = v, last = last_use[at(v)];
        while (loop_result_[heir] >= 0) {
          heir = loop_result_[heir];
          for (int used : {out_.values[at(heir)].step, last_use[at(heir)]})
            if (used > last) last = used;
        }
        const auto& end = out_.values[at(heir)];
        int result = end.place == place::result                        ? end.number
                     : local && region_of(s).kind != region_kind::rows ? -1
                                                                       : result_to_borrow(v, heir, last);
        if (local && result < 0) continue;
        // What a step has used of a chunk, those that run together with it still need in the chunks to come.
        const int over = result < 0 && !local ? slot_to_overwrite(v, s, last_use, free_after) : -1;
        const int number = result >= 0 ? result : over >= 0 ? over : free_slot(v, region_of(s).first, free_after);
        if (result < 0) {
          free_after[at(number)] = region_of(last).first + region_of(last).count - 1;
          take(number, v);
        }
        for (int next = v; next >= 0; next = loop_result_[next]) set_place(next, result >= 0 ? place::result : place::workspace, number);
      }
    }
  }

  // Whether all that a node joins has been computed in its place among the others.
  constexpr bool is_joined_already(int v) const {
    bool all = operands(v).size() > 0;
    for (const auto& e : operands(v)) all = all && out_.values[at(e.node)].place == place::joined && out_.values[at(e.node)].number == v;
    return all;
  }
  // Copies of values that lie where they are copied to, such as a reshape of what a kernel has stored in a result.
  constexpr void leave_out_copies() {
    for (planned_step& s : out_.steps) {
      if (s.kind == step_kind::kernel && s.roots.count == 1 && out_.regions[at(s.region)].count == 1) {
        s.done = is_joined_already(out_.roots[at(s.roots.first)]);
        continue;
      }
      if (s.kind != step_kind::loop || s.roots.count != 1 || s.leaves.count != 1 || out_.regions[at(s.region)].count != 1) continue;
      const int to = out_.roots[at(s.roots.first)], from = out_.leaves[at(s.leaves.first)];
      if (!is_op(kind(to), ops::identity) || operands(to)[0].node != from) continue;
      const planned_value &x = out_.values[at(base(from))], &y = out_.values[at(to)];
      s.done = x.place == place::result && y.place == place::result && x.number == y.number;
    }
  }

  // Which loop results, and which results of updates, begin with a value that nobody else reads.
  constexpr void find_loop_results() {
    list<int> uses(size_);
    for (int v = 0; v < size_; ++v) {
      loop_result_[v] = nobody;
      uses[v] = is_output_[v];
    }
    for (int w = 0; w < size_; ++w)
      for (const auto& e : operands(w)) uses[e.node] += !further_output(w);
    for (int w = 0; w < size_; ++w) {
      if (is_updating_kernel(w)) {
        const edge e = operands(w)[0];
        const planned_value& begin = out_.values[at(e.node)];
        const bool alone = uses[e.node] == 1 && e.port == 0 && begin.step >= 0 && begin.place == place::registers && !control(e.node);
        if (alone && same_size(e.node, w)) loop_result_[e.node] = w;
      }
      if (!control(w) || g_.node(w).attribute("cond").key.empty()) continue;
      for (int k = 0; k < results_of_bodies(g_, w); ++k) {
        const int v = operands(w)[at(k)].node;
        if (uses[v] == 1 && out_.values[at(v)].step >= 0 && same_size(v, w + k)) loop_result_[v] = w + k;
      }
    }
  }

  constexpr bool is_updating_kernel(int w) const {
    const planned_value& value = out_.values[at(w)];
    return is(w, fact::updates) && value.step >= 0 && value.place != place::chunk && out_.steps[at(value.step)].kind == step_kind::kernel;
  }

  // Whether v is w, perhaps with other extents, element behind element.
  constexpr bool has_same_order(int v, int w) const {
    while (v != w && !any_late_ && is(v, fact::keeps_order) && !part(v)) v = operands(v)[0].node;
    return v == w;
  }
  // A value whose last reader is a loop that overwrites it place by place with a result can live in that result, with those that lie
  // where it lies, of which `first` is the first one.
  constexpr int result_to_borrow(int first, int v, int last) const {
    if (last < 0 || !all_before(first, out_.steps[at(last)].region)) return -1;
    const auto& step = out_.steps[at(last)];
    if (step.kind != step_kind::loop) return -1;
    // Steps that run together with the last one read chunks that it has not overwritten yet.
    for (int s = region_of(last).first; s < last; ++s)
      for (int i = 0; i < out_.steps[at(s)].leaves.count; ++i)
        if (!reads_chunk(out_.steps[at(s)], out_.leaves[at(out_.steps[at(s)].leaves.first + i)], v)) return -1;
    int readers = 0, read = v;
    for (int i = 0; i < step.leaves.count; ++i) {
      int leaf_node = out_.leaves[at(step.leaves.first + i)];
      if (base(leaf_node) != v) continue;
      ++readers;
      if (!has_same_order(leaf_node, v)) return -1;
      read = leaf_node;
    }
    if (readers != 1) return -1;
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) {
      int w = g_.outputs()[k].node;
      if (out_.values[at(w)].step != last || !same_size(read, w)) continue;
      if (puts(w) && operands(w)[0].node != v) continue;
      const auto& own = out_.values[at(w)];
      const bool is_there = own.place == place::result && own.number == static_cast<int>(k);
      if (in_result_[k] == (is_there ? 1 : 0)) return static_cast<int>(k);
    }
    return -1;
  }

  // The slot of a value that loop s, its last reader, overwrites place by place with v. Rows whose length only the call knows end in parts
  // of registers, which would have to wait for what lies where they read.
  constexpr int slot_to_overwrite(int v, int s, const list<int>& last_use, const list<int>& free_after) const {
    const planned_step& step = out_.steps[at(s)];
    const planned_region& region = region_of(s);
    const bool one_loop = region.kind == region_kind::single || region.kind == region_kind::epilogue;
    if (step.kind != step_kind::loop || !one_loop || concurrent_ || any_late_ || stacks(v) || puts(v)) return -1;
    const shape& own = extents(v);
    if (own.rank > 0 && !is_static_extent(own[own.rank - 1])) return -1;
    for (int i = 0; i < step.leaves.count; ++i) {
      const int read = out_.leaves[at(step.leaves.first + i)], w = base(read);
      const planned_value& value = out_.values[at(w)];
      if (value.place != place::workspace || last_use[at(w)] != s || !same_size(read, v) || !has_same_order(read, w)) continue;
      if (free_after[at(value.number)] != region.first + region.count - 1 || readers_in(step, w) != 1) continue;
      // The kernel before an epilogue reads on when that has begun.
      if (s > region.first && readers_in(out_.steps[at(region.first)], w) > 0) continue;
      bool taken = false;
      for (int k = 0; k < step.roots.count; ++k) {
        const planned_value& other = out_.values[at(out_.roots[at(step.roots.first + k)])];
        taken = taken || (other.place == place::workspace && other.number == value.number);
      }
      if (!taken) return value.number;
    }
    return -1;
  }
  constexpr int readers_in(const planned_step& step, int v) const {
    int readers = 0;
    for (int i = 0; i < step.leaves.count; ++i) readers += base(out_.leaves[at(step.leaves.first + i)]) == v;
    return readers;
  }

  // Whether a step of a region reads no more of v, if anything, than the chunk that it computes with.
  constexpr bool reads_chunk(const planned_step& step, int leaf_node, int v) const {
    if (base(leaf_node) != v) return true;
    if (leaf_node != v) return false;
    switch (out_.regions[at(step.region)].kind) {
      case region_kind::rows: return same_shape(v, step.space);
      case region_kind::batch: return goes_along(step, extents(v));
      default: return false;
    }
  }

  constexpr int free_slot(int v, int s, list<int>& free_after) {
    index n = extents(v).size();
    bool text = g_.data(v).spec.dtype == dtype::string;
    index bytes = n < 0 || text ? -1 : n * static_cast<index>(size_of(g_.data(v).spec.dtype));
    int best = -1;
    for (std::size_t i = 0; i < out_.buffers.size(); ++i) {
      auto& slot = out_.buffers[i];
      if (free_after[i] >= s || !is_left(static_cast<int>(i), v)) continue;
      bool fits = bytes >= 0 && slot.bytes >= bytes;
      if (!fits && !same_size(slot.like, v)) continue;
      if (best < 0 || slot.bytes < out_.buffers[at(best)].bytes) best = static_cast<int>(i);
    }
    if (best >= 0) return best;
    out_.buffers.push_back({v, bytes});
    free_after.push_back(-1);
    return static_cast<int>(out_.buffers.size()) - 1;
  }

 private:
  list<int> in_result_;  // how many values are in each result
};

}  // namespace jig::detail

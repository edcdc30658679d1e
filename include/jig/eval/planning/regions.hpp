// SPDX-License-Identifier: MIT
#pragma once
// Which steps run together beyond rows: steps that treat the items along the leading axes apart, such as products of batches of
// small matrices and loops over them, some items at a time, so that what only they need stays in the cache; and a loop behind a
// kernel that computes its result tile by tile, such as a bias and an activation behind a matrix product, on every tile while that
// is in the cache. Then which values exist only chunk by chunk. All of this is known before memory is assigned.

#include <jig/eval/planning/chains.hpp>

namespace jig::detail {

class region_planner : public chain_planner {
 public:
  using chain_planner::chain_planner;

 protected:
  constexpr void find_regions() {
    list<planned_region> all;
    for (std::size_t r = 0; r < out_.regions.size();) {
      planned_region region = out_.regions[r];
      if (region.kind == region_kind::single && !any_late_) {
        const bool compiled = evaluator_ == planned_for::compiler;
        if (compiled) join_batch(region, r);
        if (region.count == 1) join_epilogue(region, r);
        if (compiled && region.count == 1) join_chain(region, r);
      }
      for (int s = region.first; s < region.first + region.count; ++s) out_.steps[at(s)].region = static_cast<int>(all.size());
      r += region.kind == region_kind::rows ? 1 : at(region.count);
      all.push_back(region);
    }
    out_.regions = std::move(all);
    if (out_.regions.size() == out_.steps.size()) return;
    const list<int> reader = find_only_readers();
    for (std::size_t r = 0; r < out_.regions.size(); ++r)
      if (out_.regions[r].kind != region_kind::single) find_locals(static_cast<int>(r), reader);
  }

 private:
  // Units: bytes of what the items of a chunk may have in the cache.
  static constexpr index most_bytes = 12288, most_bytes_of_item = 16384;
  static constexpr index most_of_batch = 128, batches_together = 16;  // kernels take several at a time
  // Units: bytes of the values that exist only row by row; the chunks of the interpreter are longer.
  constexpr index most_bytes_of_row() const { return evaluator_ == planned_for::compiler ? 16384 : 262144; }
  // A tile of a few elements is in the cache anyway.
  static constexpr index fewest_for_epilogue = 4096;

  constexpr int root(const planned_step& s, int i) const { return out_.roots[at(s.roots.first + i)]; }
  constexpr int leaf_at(const planned_step& s, int i) const { return out_.leaves[at(s.leaves.first + i)]; }
  constexpr dtype dtype_of(int v) const { return g_.data(v).spec.dtype; }
  constexpr index bytes_behind(int v, int axis) const { return size_behind(v, axis) * static_cast<index>(size_of(dtype_of(v))); }
  static constexpr bool may_be_equal(index a, index b) { return a == b || (!is_static_extent(a) && !is_static_extent(b)); }
  // Whether a step is a loop that may follow others.
  constexpr bool is_plain_loop(const planned_step& s) const { return s.kind == step_kind::loop && s.beside == 0 && !stores_groups(s); }

  constexpr bool has_batch(const planned_step& s) const {
    return s.kind == step_kind::kernel && kind(s.space).is(fact::batched) && extents(s.space).rank > 2;
  }
  constexpr int leading(const planned_step& s) const { return extents(s.space).rank - 2; }
  // Whether the leading axes of v are those of w, or may be in a call.
  constexpr bool may_lead(int v, int w, int axes) const {
    if (extents(v).rank < axes || !out_.values[at(v)].dense) return false;
    for (int a = 0; a < axes; ++a)
      if (!may_be_equal(extents(v)[a], extents(w)[a])) return false;
    return size_behind(v, axes) > 0;
  }
  // Where a part lies, only the call knows; what is around a padded read lies nowhere.
  constexpr bool is_in_place(int v) const {
    for (int u = v; out_.values[at(u)].is_view(); u = out_.values[at(u)].number)
      if (out_.values[at(u)].place != place::alias) return false;
    return dtype_of(v) != dtype::string;
  }
  // Whether a step of a region that begins with step `first` can take what it reads item by item, or the same for every item. What
  // the region writes is there one item at a time.
  constexpr bool reads_batch(const planned_step& s, int v, int first) const {
    const planned_step& begin = out_.steps[at(first)];
    const shape& e = extents(v);
    const int axes = leading(begin), written = base(v);
    if (!is_in_place(v)) return false;
    const bool along = goes_along(s, e);
    if (out_.values[at(written)].step >= first && (!along || size_behind(v, axes) != size_behind(written, axes))) return false;
    if (!along) return s.kind == step_kind::loop || (e.rank == 2 && e.is_static() && out_.values[at(v)].dense);
    if (!may_lead(v, begin.space, axes)) return false;
    if (s.kind != step_kind::loop) return e.rank == axes + 2;
    bool same = e.rank == extents(s.space).rank;
    for (int a = axes; same && a < e.rank; ++a) same = e[a] == extents(s.space)[a];
    return same;
  }
  constexpr bool has_batch_of(const planned_step& s, int first) const {
    const planned_step& begin = out_.steps[at(first)];
    if (!is_plain_loop(s) && !(has_batch(s) && leading(s) == leading(begin))) return false;
    if (single(s.space)) return false;
    for (int i = 0; i < s.roots.count; ++i)
      if (!may_lead(root(s, i), begin.space, leading(begin)) || !is_in_place(root(s, i))) return false;
    for (int i = 0; i < s.leaves.count; ++i)
      if (!reads_batch(s, leaf_at(s, i), first)) return false;
    return true;
  }
  constexpr void join_batch(planned_region& region, std::size_t r) {
    const planned_step& first = out_.steps[at(region.first)];
    if (!has_batch(first) || !has_batch_of(first, region.first)) return;
    const int axes = leading(first);
    index bytes = 0;
    while (r + at(region.count) < out_.regions.size() && out_.regions[r + at(region.count)].kind == region_kind::single) {
      const planned_step& last = out_.steps[at(region.first + region.count - 1)];
      for (int i = 0; i < last.roots.count; ++i) bytes += bytes_behind(root(last, i), axes);
      if (bytes > most_bytes_of_item || !has_batch_of(out_.steps[at(region.first + region.count)], region.first)) break;
      ++region.count;
    }
    if (region.count == 1) return;
    region.kind = region_kind::batch;
    region.axes = axes;
    region.guards.first = static_cast<int>(out_.guards.size());
    for (int s = region.first; s < region.first + region.count; ++s) {
      const planned_step& step = out_.steps[at(s)];
      guard_axes(region, step.space, first.space, axes);
      for (int i = 0; i < step.leaves.count; ++i)
        if (goes_along(step, extents(leaf_at(step, i)))) guard_axes(region, leaf_at(step, i), first.space, axes);
    }
  }

  constexpr void guard(planned_region& region, index a, index b) {
    if (a == b) return;
    for (int i = 0; i < region.guards.count; ++i) {
      const planned_guard& known = out_.guards[at(region.guards.first + i)];
      if (known.a == a && known.b == b) return;
    }
    out_.guards.push_back({a, b});
    ++region.guards.count;
  }
  constexpr void guard_axes(planned_region& region, int v, int w, int axes) {
    for (int a = 0; a < axes; ++a) guard(region, extents(v)[a], extents(w)[a]);
  }

  // Whether tiles of a value can be given to a loop that reads v: v is one element, or along each axis as long as the value, or the same.
  // The interpreter wants a row for every row of the value, or one for all.
  constexpr bool is_epilogue_operand(int v, const shape& whole) const {
    const shape& e = extents(v);
    if (single(v)) return true;
    if (!out_.values[at(v)].dense || e.rank > whole.rank) return false;
    bool along = e.rank == whole.rank, same = true;
    for (int a = 0; a < e.rank; ++a) {
      const index there = whole[a + whole.rank - e.rank];
      if (e[a] != 1 && !may_be_equal(e[a], there)) return false;
      if (a + 1 == e.rank) continue;
      along = along && e[a] == there;
      same = same && e[a] == 1;
    }
    return evaluator_ == planned_for::compiler || along || same;
  }
  // Whether the interpreter's kernels complete several rows of a value at a time: not where others lie between them, nor where it is
  // computed as floats first.
  constexpr bool completes_rows(int v) const { return !is_storage(dtype_of(v)) && g_.node(v).attribute("perm").key.empty(); }
  constexpr void join_epilogue(planned_region& region, std::size_t r) {
    const planned_step& producer = out_.steps[at(region.first)];
    const int product = producer.space;
    const shape& whole = extents(product);
    if (producer.kind != step_kind::kernel || !kind(product).is(fact::epilogue) || whole.rank < 2) return;
    if (evaluator_ == planned_for::interpreter && !completes_rows(product)) return;
    if (whole.size() >= 0 && whole.size() <= fewest_for_epilogue) return;
    if (r + 1 >= out_.regions.size() || out_.regions[r + 1].kind != region_kind::single) return;
    const planned_step& loop = out_.steps[at(region.first + 1)];
    const shape& space = extents(loop.space);
    if (!is_plain_loop(loop) || space.rank != whole.rank || single(loop.space)) return;
    for (int a = 0; a < whole.rank; ++a)
      if (!may_be_equal(space[a], whole[a])) return;
    bool reads = false;
    for (int i = 0; i < loop.leaves.count; ++i) {
      const int v = leaf_at(loop, i);
      if (v != product && base(v) == product) return;  // tiles behind this one, perhaps
      if (!is_epilogue_operand(v, whole) || dtype_of(v) == dtype::string) return;
      reads = reads || v == product;
    }
    for (int i = 0; i < loop.roots.count; ++i)
      if (dtype_of(root(loop, i)) == dtype::string) return;
    if (!reads) return;
    region.kind = region_kind::epilogue;
    region.count = 2;
    region.axes = whole.rank;
    region.guards.first = static_cast<int>(out_.guards.size());
    guard_axes(region, loop.space, product, whole.rank);
    for (int i = 0; i < loop.leaves.count; ++i) {
      const shape& e = extents(leaf_at(loop, i));
      for (int a = 0; a < e.rank; ++a)
        if (e[a] != 1) guard(region, e[a], whole[a + whole.rank - e.rank]);
    }
  }

  // By value: the region whose steps read it, if nobody else does and these read no more of it than a chunk at a time.
  constexpr list<int> find_only_readers() const {
    list<int> reader;
    for (int v = 0; v < size_; ++v) reader.push_back(nobody);
    for (const planned_step& step : out_.steps) {
      const planned_region& region = out_.regions[at(step.region)];
      for (int i = 0; i < step.leaves.count; ++i) {
        const int w = leaf_at(step, i), v = base(w);
        const bool same_chunk = w == v || (region.kind == region_kind::rows && size_behind(w, region.axes) == size_behind(v, region.axes));
        const bool beside = i >= step.leaves.count - step.beside;
        if (!same_chunk || beside || (reader[v] != nobody && reader[v] != step.region)) reader[v] = several;
        else reader[v] = step.region;
      }
    }
    return reader;
  }
  constexpr bool stays_within(int v, int r, const list<int>& reader) const {
    return reader[v] == r && !is_output_[v] && !puts(v) && size_behind(v, out_.regions[at(r)].axes) > 0;
  }
  constexpr void find_locals(int r, const list<int>& reader) {
    planned_region& region = out_.regions[at(r)];
    if (region.kind == region_kind::epilogue) return;
    if (region.kind == region_kind::chain) return place_chain(r);
    list<int> found;
    index bytes = 0;
    for (int s = region.first; s < region.first + region.count; ++s)
      for (int i = 0; i < out_.steps[at(s)].roots.count; ++i) {
        const int v = root(out_.steps[at(s)], i);
        if (!stays_within(v, r, reader)) continue;
        const index more = bytes_behind(v, region.axes) * (region.kind == region_kind::rows ? most_in_chunk(region) : 1);
        if (region.kind == region_kind::rows && aligned_bytes(bytes) + more > most_bytes_of_row()) continue;
        bytes = (region.kind == region_kind::rows ? aligned_bytes(bytes) : bytes) + more;
        found.push_back(v);
      }
    if (region.kind == region_kind::batch) {
      const index fit = most_bytes / (1 + bytes);
      region.chunk = fit < 1 ? 1 : fit > most_of_batch ? most_of_batch : fit;
      if (region.chunk > batches_together) region.chunk -= region.chunk % batches_together;
    }
    region.locals = {static_cast<int>(out_.locals.size()), static_cast<int>(found.size())};
    for (int v : found) {
      out_.locals.push_back({v, 0});
      if (region.guards.count > 0) continue;
      out_.values[at(v)].place = place::chunk;
      out_.values[at(v)].number = r;
    }
  }

 protected:
  // Of the locals those that have found no other memory, one behind the other.
  constexpr void lay_out_locals() {
    list<planned_local> kept;
    for (auto& region : out_.regions) {
      const range_of_pool found = region.locals;
      region.locals.first = static_cast<int>(kept.size());
      for (int i = 0; i < found.count; ++i) {
        const int v = out_.locals[at(found.first + i)].node;
        if (region.guards.count == 0 && out_.values[at(v)].place != place::chunk) continue;
        kept.push_back({v, region.bytes});
        region.bytes += aligned_bytes(bytes_behind(v, region.axes) * most_in_chunk(region));
      }
      region.locals.count = static_cast<int>(kept.size()) - region.locals.first;
    }
    out_.locals = std::move(kept);
  }
};

}  // namespace jig::detail

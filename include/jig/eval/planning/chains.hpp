// SPDX-License-Identifier: MIT
#pragma once
// Chains of small matrix products, each of which multiplies the result of the one before from the left by a square matrix: that
// result stays in registers.

#include <jig/eval/planning/rows.hpp>
#include <jig/ops/matmul.hpp>

namespace jig::detail {

class chain_planner : public row_planner {
 public:
  using row_planner::row_planner;

 protected:
  // Appends to a region of one step those behind it that go on with its result.
  constexpr void join_chain(planned_region& region, std::size_t r) {
    if (!may_begin_chain(out_.steps[at(region.first)])) return;
    if (readers_.empty()) count_readers();
    while (r + at(region.count) < out_.regions.size() && out_.regions[r + at(region.count)].kind == region_kind::single) {
      const int last = out_.steps[at(region.first + region.count - 1)].space;
      const planned_step& next = out_.steps[at(region.first + region.count)];
      if (is_output_[last] || readers_[last] != 1 || !goes_on(next, last)) break;
      ++region.count;
    }
    if (region.count == 1) return;
    region.kind = region_kind::chain;
    region.axes = 2;
    const int result = out_.steps[at(region.first)].space;
    // Two of them, where registers are too few.
    region.bytes = 2 * aligned_bytes(extents(result).size() * static_cast<index>(size_of(g_.data(result).spec.dtype)));
  }
  // What is between the steps of a chain has no memory of its own.
  constexpr void place_chain(int r) {
    const planned_region& region = out_.regions[at(r)];
    for (int s = region.first; s + 1 < region.first + region.count; ++s) {
      out_.values[at(out_.steps[at(s)].space)].place = place::chunk;
      out_.values[at(out_.steps[at(s)].space)].number = r;
    }
  }

 private:
  // Smaller products share registers in another way, larger ones do not stay in them.
  static constexpr index fewest_rows = 5, most_rows = 16, most_columns = 32;

  constexpr bool may_begin_chain(const planned_step& s) const {
    if (evaluator_ != planned_for::compiler || s.kind != step_kind::kernel || !is_op(kind(s.space), ops::matmul)) return false;
    const shape& e = extents(s.space);
    const tensor_spec& spec = g_.data(s.space).spec;
    if (!e.is_static() || e.rank != 2 || e[0] < fewest_rows || e[0] > most_rows || e[0] == 8 || e[1] < 2 || e[1] > most_columns)
      return false;
    const int a = operands(s.space)[0].node, b = operands(s.space)[1].node;
    if (!is_number(spec.dtype) || is_storage(spec.dtype) || a == b) return false;
    for (const char* key : {"transpose_a", "transpose_b"})
      if (g_.node(s.space).attribute(key).values[0] != 0) return false;
    return extents(a)[1] == e[0] && out_.values[at(a)].dense && out_.values[at(b)].dense && is_stored(a) && is_stored(b);
  }
  constexpr bool is_stored(int v) const {
    for (; out_.values[at(v)].is_view(); v = out_.values[at(v)].number)
      if (out_.values[at(v)].place != place::alias) return false;
    return true;
  }
  constexpr bool goes_on(const planned_step& s, int from) const {
    return may_begin_chain(s) && operands(s.space)[1].node == from && same_shape(s.space, from) && base(operands(s.space)[0].node) != from;
  }
  constexpr void count_readers() {
    for (int v = 0; v < size_; ++v) readers_.push_back(0);
    for (const planned_step& s : out_.steps)
      for (int i = 0; i < s.leaves.count; ++i) ++readers_[base(out_.leaves[at(s.leaves.first + i)])];
  }
  list<int> readers_;  // by value: how many steps read it, or views of it
};

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// Loops over many short rows, whose length only the call knows, with other rows that are the same for each: a bias, means of columns.

#include <jig/eval/nest_loop.hpp>
#include <jig/eval/strided.hpp>

#include <algorithm>

namespace jig::detail {

/// Whether the rows of a nest, whose length only a call knows, read nothing but what runs along with all of them and other rows, which are
/// the same for each.
template <class Step>
inline constexpr bool repeats_rows = [] {
  using P = typename Step::program;
  constexpr auto& axes = nest<Step, 0>::axes;
  const shape& space = P::extents(Step::plan.space);
  const int inner = axes.rank - 1;
  if (!has_dense_roots<Step> || inner < 1 || axes.extent[inner] != known_at_call || flat_nest<Step>::block.axis != inner) return false;
  bool any = false;
  for (int l = 0; l < Step::leaves; ++l) {
    if (Step::table.invariant[l]) continue;
    const shape& own = P::extents(Step::node(l));
    bool is_row = axes.stride[l][inner] == 1, is_all = P::value(Step::node(l)).dense && own.rank == space.rank;
    for (int a = 0; a < own.rank; ++a) {
      const int along = a + space.rank - own.rank;
      is_row = is_row && (own[a] == 1 || along > axes.last[inner] - axes.count[inner]);
      is_all = is_all && (own[a] != 1 || space[along] == 1);
    }
    if (!is_row && !is_all) return false;
    any = any || is_row;
  }
  return any;
}();
/// Whether blocks of elements anywhere are better for them in this call: the rows that are the same are written once beside a block, which
/// takes less than rows that do not fill registers, if there are many. Of rows shorter than a register fewer are many.
template <class Step>
[[gnu::always_inline]] inline bool blocks_suit_rows(const frame<typename Step::program>& fr) {
  constexpr int inner = nest<Step, 0>::axes.rank - 1;
  constexpr index lanes = step_lanes<Step>, longest = (std::min)(4 * lanes, index{64}), many_short = parts_are_whole<Step> ? 128 : 32;
  index n = 1;
  for (int a = nest<Step, 0>::axes.last[inner] - nest<Step, 0>::axes.count[inner] + 1; a <= nest<Step, 0>::axes.last[inner]; ++a)
    n *= fr(Step::program::extents(Step::plan.space)[a]);
  const index least = n < lanes ? many_short * n : 256 * lanes;
  return n < longest && n % lanes != 0 && fr.template size_of<Step::plan.space>() >= least;
}

}  // namespace jig::detail

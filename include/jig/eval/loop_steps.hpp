// SPDX-License-Identifier: MIT
#pragma once
// Loops: over all elements as one run of memory, over rows, or over elements that lie anywhere.

#include <jig/eval/nest_tile.hpp>
#include <jig/eval/operands.hpp>
#include <jig/eval/repeated_rows.hpp>

namespace jig::detail {

template <class Step>
[[gnu::noinline]] void run_scattered(const frame<typename Step::program>& fr) {
  scattered_operands<Step> operands(fr, 0);
  // One type for all steps: what walks through spaces is compiled once.
  const run_function run = [](const void* const* leaf, void* const* root, index n) { run_contiguous<Step>(leaf, root, n); };
  run_over(operands.space, run);
}

// Whether a loop over a static space may run row by row, with rows that fill registers.
template <class Step>
inline constexpr bool has_long_rows = [] {
  constexpr const shape& space = Step::program::extents(Step::plan.space);
  return Step::vectorizable && Step::table.varying <= small_body && space.rank > 1 && space.size() > 0 &&
         space[space.rank - 1] >= step_lanes<Step>;
}();

// A static space row by row, where all leaves have contiguous rows: their strides between rows are the call's.
template <class Step, class Leaves = std::make_integer_sequence<int, Step::leaves>, class Roots = root_numbers<Step>>
class loop_over_rows;
template <class Step, int... L, int... R>
class loop_over_rows<Step, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  using P = typename Step::program;
  static constexpr shape space = P::extents(Step::plan.space);
  static constexpr shape dense = row_major_strides(space);
  static constexpr int inner = space.rank - 1;
  shape strides_[Step::capacity];    // in elements, of leaves that do not tell them before the call
  shape root_strides_[Step::roots];  // and of roots that are not dense
  dense_pointers<Step> from_;

  // The strides of a leaf along the axes of the space.
  template <int Leaf>
  static constexpr shape spread(const shape& given) {
    const shape& extents = P::extents(Step::node(Leaf));
    const int missing = space.rank - extents.rank;
    shape out = space;
    for (int a = 0; a < space.rank; ++a) out[a] = a < missing || extents[a - missing] == 1 ? 0 : given[a - missing];
    return out;
  }
  template <int Leaf>
  static constexpr known_layout known = [] {
    known_layout layout = layout_of<P, Step::node(Leaf)>();
    if (layout.known) layout.strides = spread<Leaf>(layout.strides);
    return layout;
  }();
  template <int Leaf>
  [[gnu::always_inline]] void set_strides(const frame<P>& fr) {
    if constexpr (!known<Leaf>.known) strides_[Leaf] = spread<Leaf>(locate<P, Step::node(Leaf)>(fr).strides);
  }
  template <int Leaf, int Axis>
  [[gnu::always_inline]] index stride() const {
    if constexpr (known<Leaf>.known) return std::integral_constant<index, known<Leaf>.strides[Axis]>::value;
    else return strides_[Leaf][Axis];
  }
  template <int Root>
  [[gnu::always_inline]] void set_root_strides(const frame<P>& fr) {
    using at = stored_root<Step, Root>;
    if constexpr (!at::dense)
      for (int a = 0; a < inner; ++a) root_strides_[Root][a] = at::stride(fr, a);
  }
  template <int Root, int Axis>
  [[gnu::always_inline]] index root_stride() const {
    if constexpr (stored_root<Step, Root>::dense) return dense[Axis];
    else return root_strides_[Root][Axis];
  }
  template <int Axis>
  [[gnu::always_inline]] void run_axis(const void* const* leaf, void* const* root) const {
    if constexpr (Axis == inner) {
      run_loop<Step, space[inner]>(leaf, root, space[inner]);
    } else {
      for (index i = 0; i < space[Axis]; ++i) {
        const void* leaves[] = {static_cast<const element_at<P, Step::node(L)>*>(leaf[L]) + i * stride<L, Axis>()..., nullptr};
        void* roots[] = {static_cast<root_type<Step, R>*>(root[R]) + i * root_stride<R, Axis>()..., nullptr};
        run_axis<Axis + 1>(leaves, roots);
      }
    }
  }

 public:
  [[gnu::always_inline]] explicit loop_over_rows(const frame<P>& fr) : from_(fr) {
    (set_strides<L>(fr), ...);
    (set_root_strides<R>(fr), ...);
  }
  /// Whether it is known before the call that this is possible.
  static constexpr bool always = ((Step::table.invariant[L] || (known<L>.known && known<L>.strides[inner] == 1)) && ...);
  [[gnu::always_inline]] bool possible() const { return ((Step::table.invariant[L] || stride<L, inner>() == 1) && ...); }
  [[gnu::always_inline]] void run() const { run_axis<0>(from_.leaf, from_.root); }
};

/// How a loop goes through its space. Where a call broadcasts what may broadcast, or an axis is too short, or there are many short rows
/// that read the same ones, elements are gathered instead.
enum class loop_walk : unsigned char {
  one_run,  // one run of memory
  squares,  // squares of registers, read across along axis `axis` of the nest
  block,    // blocks of `rows` along axis `axis` of the nest in `registers` registers
  rows,     // rows of memory along the last axis of the space
  gathered  // elements anywhere
};
/// What the nest of a loop has chosen. The loop runs by it, and text is made from it.
struct loop_choice {
  loop_walk walk = loop_walk::gathered;
  bool always = false;  // no call can make it gather
  int axis = -1;
  int rows = 1, registers = 0;
};
template <class Step>
inline constexpr loop_choice choice_of_loop = []() -> loop_choice {
  if constexpr (!alignment_in<Step>::never && has_dense_roots<Step>) {
    return {loop_walk::one_run, alignment_in<Step>::always};
  } else if constexpr (tiled_nest<Step>::axis >= 0) {
    return {loop_walk::squares, always_walks_as_planned<Step> && squares_are_always_long<Step>, tiled_nest<Step>::axis};
  } else if constexpr (constexpr flat_block block = flat_nest<Step>::block; block.registers > 0) {
    const bool is_long = block.axis < 0 || nest<Step, 0>::axes.extent[block.axis < 0 ? 0 : block.axis] != known_at_call;
    const bool any_length = is_long || (loop_of_nest<Step>::loop::fewest == 1 && !repeats_rows<Step>);
    return {loop_walk::block, any_length && always_walks_as_planned<Step>, block.axis, block.rows, block.registers};
  } else if constexpr (has_long_rows<Step>) {
    return {loop_walk::rows, loop_over_rows<Step>::always};
  } else {
    return {};
  }
}();

template <class Step>
[[gnu::always_inline]] inline void run_loop_body(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  constexpr loop_choice chosen = choice_of_loop<Step>;
  static_assert(!Step::has_padded_reads || (chosen.walk == loop_walk::one_run && chosen.always),
                "jig: a padded_read in a loop over scattered elements");
  if constexpr (chosen.walk == loop_walk::one_run) {
    if constexpr (!chosen.always)
      if (!alignment_in<Step>::now(fr)) [[unlikely]]
        return call_in_parts<P, &run_scattered<Step>>(fr);
    dense_pointers<Step> p(fr);
    return run_loop<Step, chosen.always ? Step::known_size : -1>(p.leaf, p.root, fr.template size_of<Step::plan.space>());
  } else if constexpr (chosen.walk == loop_walk::squares) {
    if constexpr (chosen.always) return loop_of_squares<Step>::run(fr);
    if (walks_as_planned<Step>(fr) && squares_are_long<Step>(fr)) [[likely]]
      return loop_of_squares<Step>::run(fr);
  } else if constexpr (chosen.walk == loop_walk::block) {
    if constexpr (chosen.always) return loop_of_nest<Step>::run(fr);
    bool by_nest = runs_by_nest<Step>(fr);
    if constexpr (repeats_rows<Step>) by_nest = by_nest && !blocks_suit_rows<Step>(fr);
    if (by_nest) [[likely]]
      return loop_of_nest<Step>::run(fr);
  } else if constexpr (chosen.walk == loop_walk::rows) {
    const loop_over_rows<Step> rows(fr);
    if constexpr (chosen.always) return rows.run();
    if (rows.possible()) [[likely]]
      return rows.run();
  }
  if constexpr (!chosen.always) call_in_parts<P, &run_scattered<Step>>(fr);
}
template <class Step>
[[gnu::always_inline]] inline void run_loop_step(const frame<typename Step::program>& fr) {
  run_loop_body<body_of_loop<Step>>(fr);
}

}  // namespace jig::detail

// SPDX-License-Identifier: MIT
#pragma once
// The steps of a region of short rows: many rows at a time, each step by its nest over them.

#include <jig/eval/joined_steps.hpp>
#include <jig/eval/nest_reduce.hpp>

namespace jig::detail {

/// Step K of a region.
template <class P, int Region, int K>
struct member_of_chunks {
  static constexpr planned_region region = P::region(Region);
  using own = step<P, region.first + K>;
  static constexpr bool is_loop = own::plan.kind == step_kind::loop;
  using nested = typename std::conditional_t<is_loop, std::type_identity<loop_of_nest<own>>, std::type_identity<nest_reduction<own>>>::type;
  using rows = typename nested::rows;
  using Axes = typename nested::Axes;
  static constexpr auto& axes = Axes::axes;

  // Places along the first axis of the nest in one row.
  static constexpr index places = [] {
    index n = 1;
    for (int a = region.axes; axes.rank > 0 && a <= axes.last[0]; ++a) n *= P::extents(own::plan.space)[a];
    return n;
  }();
  // Whether all axes of the rows are the first axis of the nest, with or without axes inside of them.
  static constexpr bool possible = [] {
    if (axes.rank == 0 || axes.reduced[0] || axes.stride[0][0] == known_at_call) return false;
    for (int a = 0; a < axes.last[0] - axes.count[0] + 1; ++a)
      if (P::extents(own::plan.space)[a] != 1) return false;
    for (int a = axes.last[0] + 1; a < region.axes; ++a)
      if (P::extents(own::plan.space)[a] != 1) return false;
    for (int o = 0; o < own::leaves + own::roots; ++o)
      for (int a = 0; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) return false;
    if constexpr (is_loop) return flat_nest<own>::block.registers > 0 && flat_nest<own>::block.axis >= 0 && flat_nest<own>::block.rows <= region.chunk / 2;
    else return nested::chosen.lanes != reduction_lanes::none && (nested::chosen.axis > 0 || nested::chosen.rows <= region.chunk / 2 * places);
  }();

  template <int Node>
  static constexpr bool is_local = P::value(P::base(Node)).place == place::chunk;
  template <int Node>
  static char* local(char* memory) {
    return memory + P::local_offset(Region, P::base(Node));
  }

  Axes extents;
  nest_pointers<rows> at;
  index count;  // that a root of a reduction combines

  [[gnu::always_inline]] member_of_chunks(const frame<P>& fr, index first) : extents(fr), count(1) {
    [&]<int... L>(std::integer_sequence<int, L...>) { (set_leaf<L>(fr, first * places), ...); }(std::make_integer_sequence<int, own::leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) { (set_root<R>(fr, first * places), ...); }(root_numbers<own>());
    if constexpr (!is_loop) count = nested::reduced_count(extents);
  }
  [[gnu::always_inline]] void run(char* memory, index n) {
    set_locals(memory);
    if constexpr (is_loop) nested::run_part(extents, at, n * places);
    else nested::run_part(extents, at, n * places, count);
    nest_walk<rows, Axes>::template move<0>(extents, at, n * places);
  }

 private:
  template <int L>
  [[gnu::always_inline]] void set_leaf(const frame<P>& fr, index from) {
    constexpr int v = own::node(L);
    if constexpr (is_local<v>) at.leaf[L] = nullptr;
    else at.leaf[L] = static_cast<const element_at<P, v>*>(dense_pointers<own>::template leaf_at<v>(fr)) + from * extents.template stride<L, 0>();
  }
  template <int R>
  [[gnu::always_inline]] void set_root(const frame<P>& fr, index from) {
    if constexpr (is_local<own::root(R)>) at.root[R] = nullptr;
    else at.root[R] = stored_root<own, R>::begin(fr) + from * extents.template stride<own::leaves + R, 0>();
  }
  [[gnu::always_inline]] void set_locals(char* memory) {
    [&]<int... L>(std::integer_sequence<int, L...>) {
      (
          [&] {
            if constexpr (is_local<own::node(L)>) at.leaf[L] = local<own::node(L)>(memory);
          }(),
          ...);
    }(std::make_integer_sequence<int, own::leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (
          [&] {
            if constexpr (is_local<own::root(R)>) at.root[R] = local<own::root(R)>(memory);
          }(),
          ...);
    }(root_numbers<own>());
  }
};

template <class P, int Region, class Members>
struct row_chunks;
template <class P, int Region, int... K>
struct row_chunks<P, Region, std::integer_sequence<int, K...>> {
  static constexpr planned_region region = P::region(Region);
  static constexpr index least = region.chunk / 2;
  static constexpr bool possible = region.chunk > 1 && (member_of_chunks<P, Region, K>::possible && ...);

  static index rows(const frame<P>& fr) {
    index n = 1;
    for (int a = 0; a < region.axes; ++a) n *= fr(P::extents(P::plan.steps.items[region.first].space)[a]);
    return n;
  }
  static void run_part(const frame<P>& fr, index first, index n) {
    workspace memory(static_cast<std::size_t>(region.bytes));
    std::tuple<member_of_chunks<P, Region, K>...> members{member_of_chunks<P, Region, K>(fr, first)...};
    while (n > 0) {
      const index now = n < 2 * least ? n : least;
      (std::get<K>(members).run(memory.data(), now), ...);
      n -= now;
    }
  }
  /// At least half as many rows as a chunk may have.
  static void run(const frame<P>& fr) {
    const index n = rows(fr), each = fr.template size_of<P::plan.steps.items[region.first].space>() / n;
    if (!is_shared(n * each)) [[likely]] return run_part(fr, 0, n);
    share_blocks(n, (shared_length / each + least - 1) / least * least, [&](index first, index length) { run_part(fr, first, length); });
  }
};

/// Runs a region of rows.
template <class P, int Region>
[[gnu::noinline]] void run_rows(frame<P> fr) {
  using members = std::make_integer_sequence<int, P::region(Region).count>;
  using chunks = row_chunks<P, Region, members>;
  if constexpr (P::region(Region).chunk > 1)
    if constexpr (chunks::possible)
      if (chunks::rows(fr) >= chunks::least) [[likely]] return chunks::run(fr);
  joined_steps<P, Region, members>(fr).run();
}

}  // namespace jig::detail

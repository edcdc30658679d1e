// SPDX-License-Identifier: MIT
#pragma once
// A loop that follows a kernel which computes its result tile by tile, such as a bias and an activation behind a matrix
// product, runs on every tile while that is in the cache.

#include <jig/eval/loop.hpp>

namespace jig {

/// What a kernel with tiles calls with every rectangle of its result, each element once, when it is complete.
struct tile_loop {
  void (*run)(const void* context, index row, index rows, index column, index columns) = nullptr;
  const void* context = nullptr;
  /// Where the part of the result begins in which the kernel counts.
  index first_row = 0, first_column = 0;
  void operator()(index row, index rows, index column, index columns) const {
    if (run != nullptr) run(context, first_row + row, rows, first_column + column, columns);
  }
};

namespace detail {

/// Step S of a program, a kernel, with the loop behind it.
template <class P, int S>
class tiled_step {
  static constexpr const planned_step& kernel_step = P::plan.steps.items[S];
  static constexpr int product = kernel_step.space;
  static constexpr int next = S + 1 < P::plan.size.steps ? S + 1 : S;
  enum class leaf_kind : unsigned char { single, matrix, row, other };

  // Whether two extents are equal, or may be in a call.
  static constexpr bool may_equal(index a, index b) { return a == b || (!is_static_extent(a) && !is_static_extent(b)); }
  static constexpr leaf_kind kind_of(int v) {
    const shape &e = P::extents(v), &whole = P::extents(product);
    if (e.size() == 1) return leaf_kind::single;
    if (!P::value(v).dense || e.rank == 0 || e.rank > 2 || !may_equal(e[e.rank - 1], whole[1])) return leaf_kind::other;
    if (e.rank == 1 || e[0] == 1) return leaf_kind::row;
    return may_equal(e[0], whole[0]) ? leaf_kind::matrix : leaf_kind::other;
  }
  static constexpr bool shared(int v, int w) {
    const auto &x = P::value(P::base(v)), &y = P::value(w);
    return x.place == y.place && x.number == y.number && (x.place == place::workspace || x.place == place::result);
  }

 public:
  /// Whether there is such a loop.
  static constexpr bool exists = [] {
    // A few elements are in the cache anyway.
    if (P::extents(product).size() >= 0 && P::extents(product).size() <= 4096) return false;
    if (next == S || P::plan.any_late || kernel_step.kind != step_kind::kernel) return false;
    if (!P::kind(product).is(fact::tiles) || P::extents(product).rank != 2) return false;
    const planned_step& loop = P::plan.steps.items[next];
    if (loop.kind != step_kind::loop || loop.together != 1 || loop.beside > 0) return false;
    if (P::extents(loop.space).rank != 2 || P::extents(loop.space).size() == 1) return false;
    if (!may_equal(P::extents(loop.space)[0], P::extents(product)[0]) || !may_equal(P::extents(loop.space)[1], P::extents(product)[1]))
      return false;
    bool reads = false;
    for (int i = 0; i < loop.leaves.count; ++i) {
      const int v = P::plan.leaves.items[loop.leaves.first + i];
      if (v != product && P::base(v) == product) return false;  // tiles behind this one, perhaps
      if (kind_of(v) == leaf_kind::other || P::dtype_at(v) == dtype::string) return false;
      reads = reads || v == product;
    }
    for (int i = 0; i < loop.roots.count; ++i) {
      const int v = P::plan.roots.items[loop.roots.first + i];
      if (P::dtype_at(v) == dtype::string) return false;
      for (int j = 0; j < kernel_step.leaves.count; ++j)
        if (shared(P::plan.leaves.items[kernel_step.leaves.first + j], v)) return false;
    }
    return reads;
  }();

 private:
  using loop = step<P, next>;

  template <int V>
  [[gnu::always_inline]] static bool agrees_at(const frame<P>& fr) {
    constexpr shape e = P::extents(V), whole = P::extents(product);
    if constexpr (e.size() == 1) return true;
    else if constexpr (kind_of(V) == leaf_kind::row) return fr(e[e.rank - 1]) == fr(whole[1]);
    else return fr(e[0]) == fr(whole[0]) && fr(e[1]) == fr(whole[1]);
  }
  template <int L>
  [[gnu::always_inline]] static const char* leaf_at(const frame<P>& fr, index row, index column) {
    constexpr int v = loop::node(L);
    if constexpr (P::value(v).place == place::immediate) {
      return nullptr;
    } else {
      index offset = 0;
      if constexpr (kind_of(v) == leaf_kind::row) offset = column;
      if constexpr (kind_of(v) == leaf_kind::matrix) offset = row * fr(P::extents(product)[1]) + column;
      if constexpr (P::value(v).dense) return reinterpret_cast<const char*>(static_cast<const element_at<P, v>*>(data_of<P, v>(fr)) + offset);
      else return static_cast<const char*>(single_element<P, v>(fr));
    }
  }
  template <int... L, int... R>
  [[gnu::always_inline]] static void run_rows(const frame<P>& fr, index row, index rows, index column, index columns,
                                              std::integer_sequence<int, L...>, std::integer_sequence<int, R...>) {
    for (; rows > 0; --rows, ++row) {
      const void* leaf[] = {leaf_at<L>(fr, row, column)..., nullptr};
      void* root[] = {static_cast<element_at<P, loop::root(R)>*>(const_cast<void*>(data_of<P, loop::root(R)>(fr))) +
                      row * fr(P::extents(product)[1]) + column...};
      run_any_length<loop>(leaf, root, columns);
    }
  }
  static void run_tile(const void* context, index row, index rows, index column, index columns) {
    run_rows(*static_cast<const frame<P>*>(context), row, rows, column, columns, std::make_integer_sequence<int, loop::leaves>(),
             root_numbers<loop>());
  }

 public:
  /// Whether the loop has a place in every tile in this call.
  [[gnu::always_inline]] static bool agrees(const frame<P>& fr) {
    return agrees_at<loop::plan.space>(fr) && [&]<int... L>(std::integer_sequence<int, L...>) {
      return (agrees_at<loop::node(L)>(fr) && ...);
    }(std::make_integer_sequence<int, loop::leaves>());
  }
  static tile_loop loop_of(const frame<P>& fr) { return {.run = &run_tile, .context = &fr}; }
};

}  // namespace detail

}  // namespace jig

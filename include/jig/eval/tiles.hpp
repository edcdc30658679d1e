// SPDX-License-Identifier: MIT
#pragma once
// The steps of a region of tiles: the loop behind a kernel runs on every tile of the result.

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

/// Region Region of a program.
template <class P, int Region>
class tiled_step {
  static constexpr int number = P::region(Region).first;
  static constexpr int product = P::plan.steps.items[number].space;
  using loop = step<P, number + 1>;
  enum class leaf_kind : unsigned char { single, matrix, row };
  static constexpr leaf_kind kind_of(int v) {
    const shape& e = P::extents(v);
    return e.size() == 1 ? leaf_kind::single : e.rank == 1 || e[0] == 1 ? leaf_kind::row : leaf_kind::matrix;
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
  static tile_loop loop_of(const frame<P>& fr) { return {.run = &run_tile, .context = &fr}; }
};

}  // namespace detail

}  // namespace jig

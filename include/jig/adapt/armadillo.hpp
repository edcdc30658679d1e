// SPDX-License-Identifier: MIT
#pragma once
// Armadillo: matrices, vectors, cubes, those of fixed size, and parts of them are arguments and results, read and written where they
// lie. Columns and rows have one axis, matrices two, cubes three: rows, columns and slices.

#include <jig/adapt/argument.hpp>

#include <armadillo>

namespace jig {

namespace detail {

template <class T, class D>
void is_armadillo_matrix(const arma::Base<T, D>&);
template <class T, class D>
void is_armadillo_cube(const arma::BaseCube<T, D>&);
template <class T, class D>
void is_sparse_armadillo(const arma::SpBase<T, D>&);

template <class X>
concept ArmadilloCube = requires(const X& x) { is_armadillo_cube(x); };
template <class X>
concept SparseArmadillo = requires(const X& x) { is_sparse_armadillo(x); };
template <class X>
concept ArmadilloObject = requires(const X& x) { is_armadillo_matrix(x); } || ArmadilloCube<X> || SparseArmadillo<X>;

// Elements of its own, without gaps.
template <class X>
concept ArmadilloOwner = ArmadilloObject<X> && !SparseArmadillo<X> && requires(const X& x) {
  { x.memptr() } -> std::same_as<const typename X::elem_type*>;
};
// Part of a matrix or cube.
template <class X>
concept ArmadilloPart = ArmadilloObject<X> && !SparseArmadillo<X> && (ArmadilloOwner<std::remove_cvref_t<decltype(X::m)>>) &&
                        (requires(const X& x) { x.aux_row1; } || requires(const X& x) { x.row_offset; });
template <class X>
concept ArmadilloMemory = ArmadilloOwner<X> || ArmadilloPart<X>;

// An extent where its type tells it, which has a static member then; cubes have none.
template <class X>
constexpr index armadillo_extent(int axis) {
  if constexpr (requires { requires std::is_pointer_v<decltype(&X::n_rows)>; }) {
    if (axis == 0) return static_cast<index>(X::n_rows);
  }
  if constexpr (requires { requires std::is_pointer_v<decltype(&X::n_cols)>; }) {
    if (axis == 1) return static_cast<index>(X::n_cols);
  }
  return dyn;
}

// A column, a row, a matrix or a cube.
template <class X>
struct armadillo_kind {
  static constexpr bool column = false, row = false;
};
template <class X>
  requires(!ArmadilloCube<X>)
struct armadillo_kind<X> {
  // A fixed matrix of one column or row is still a matrix.
  static constexpr bool vector = !std::is_base_of_v<arma::Mat<typename X::elem_type>, X> ||
                                 std::is_base_of_v<arma::Col<typename X::elem_type>, X> ||
                                 std::is_base_of_v<arma::Row<typename X::elem_type>, X>;
  static constexpr bool column = vector && X::is_col, row = vector && X::is_row;
};

}  // namespace detail

template <detail::ArmadilloMemory X>
  requires(Element<typename X::elem_type>)
struct argument<X> {
 private:
  using kind = detail::armadillo_kind<X>;
  static constexpr bool is_owner = detail::ArmadilloOwner<X>, is_cube = detail::ArmadilloCube<X>;
  static constexpr bool is_vector = kind::column || kind::row;
  static constexpr index rows = detail::armadillo_extent<X>(0), columns = detail::armadillo_extent<X>(1),
                         length = kind::column ? rows : columns;
  using element = typename X::elem_type;
  using T = canonical<element>;

  static auto seen(auto* data, const X& x) {
    if constexpr (is_vector) {
      const shape extents{1, {static_cast<index>(x.n_elem)}};
      if constexpr (is_owner || std::is_base_of_v<arma::subview_col<element>, X>) return detail::view_of<length>(data, extents);
      else return detail::strided_view_of<length>(data, extents, shape{1, {step(x)}});
    } else if constexpr (is_cube) {
      const shape extents{3, {static_cast<index>(x.n_rows), static_cast<index>(x.n_cols), static_cast<index>(x.n_slices)}};
      if constexpr (is_owner) return detail::column_major_view_of<dyn, dyn, dyn>(data, extents);
      else
        return detail::strided_view_of<dyn, dyn, dyn>(data, extents,
                                                      shape{3, {1, static_cast<index>(x.m.n_rows), static_cast<index>(x.m.n_elem_slice)}});
    } else {
      const shape extents{2, {static_cast<index>(x.n_rows), static_cast<index>(x.n_cols)}};
      if constexpr (is_owner || std::is_base_of_v<arma::subview_cols<element>, X>)
        return detail::column_major_view_of<rows, columns>(data, extents);
      else return detail::strided_view_of<dyn, dyn>(data, extents, shape{2, {1, static_cast<index>(x.m.n_rows)}});
    }
  }
  // From one element of a part with one axis to the next.
  static index step(const X& x) {
    const index column = static_cast<index>(x.m.n_rows);
    if constexpr (requires { x.row_offset; }) return column + 1;
    else return kind::row ? column : 1;
  }
  static const element* first(const X& x) {
    if constexpr (is_owner) {
      return x.memptr();
    } else {
      // Parts of nothing begin nowhere.
      if (x.n_elem == 0) return x.m.memptr();
      if constexpr (requires { x.row_offset; }) return x.m.memptr() + x.row_offset + x.col_offset * x.m.n_rows;
      else if constexpr (is_cube) return x.m.memptr() + x.aux_row1 + x.aux_col1 * x.m.n_rows + x.aux_slice1 * x.m.n_elem_slice;
      else return x.m.memptr() + x.aux_row1 + x.aux_col1 * x.m.n_rows;
    }
  }

 public:
  static constexpr memory_layout usual_layout = memory_layout::column_major;
  using spec_type =
      std::conditional_t<is_vector, spec<T, length>, std::conditional_t<is_cube, spec<T, dyn, dyn, dyn>, spec<T, rows, columns>>>;
  static auto bind(const X& x) { return seen(first(x), x); }
  // Parts of constant matrices are constant objects.
  static auto bind(X& x) { return seen(const_cast<element*>(first(x)), x); }
};

template <detail::ArmadilloObject X>
  requires(!(detail::ArmadilloMemory<X> && Element<typename X::elem_type>) && !detail::holds_complex<X>)
struct refused_argument<X> {
  static constexpr auto sentence = [] {
    if constexpr (detail::SparseArmadillo<X>)
      return text("a sparse matrix of Armadillo has no dense memory: pass arma::fmat(x), or the one of its dtype");
    else if constexpr (detail::ArmadilloMemory<X>) return text("a matrix of Armadillo whose elements have no dtype: convert them");
    else return text("an expression of Armadillo has no elements in memory: pass what its eval() gives");
  }();
};

}  // namespace jig

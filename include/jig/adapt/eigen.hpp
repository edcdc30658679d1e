// SPDX-License-Identifier: MIT
#pragma once
// Eigen: matrices and arrays, fixed and dynamic, maps, references, blocks, rows, columns and transposes are arguments and results, read
// and written where they lie. Vectors have one axis, all else has two.

#include <jig/adapt/argument.hpp>

#include <Eigen/Core>

namespace jig {

namespace detail {

template <class X>
concept EigenObject = requires(const X& x) { []<class D>(const Eigen::EigenBase<D>&) {}(x); };
template <class X>
concept DenseEigenObject = EigenObject<X> && requires(const X& x) { []<class D>(const Eigen::DenseBase<D>&) {}(x); };
// What has elements in memory; expressions have none.
template <class X>
concept EigenMemory =
    DenseEigenObject<X> && (static_cast<int>(Eigen::internal::traits<X>::Flags) & static_cast<int>(Eigen::DirectAccessBit)) != 0;

// Whether all elements lie without gaps, as far as the type tells.
template <class X>
inline constexpr bool eigen_has_no_gaps = [] {
  constexpr int outer = Eigen::internal::outer_stride_at_compile_time<X>::ret;
  constexpr int across = X::IsRowMajor ? X::ColsAtCompileTime : X::RowsAtCompileTime;
  if constexpr (Eigen::internal::inner_stride_at_compile_time<X>::ret != 1) return X::SizeAtCompileTime == 1;
  else return X::IsVectorAtCompileTime || (outer != Eigen::Dynamic && outer == across);
}();
template <class D>
  requires requires(const D& x) { []<class P>(const Eigen::PlainObjectBase<P>&) {}(x); }
inline constexpr bool eigen_has_no_gaps<D> = true;
template <class P, int Options>
inline constexpr bool eigen_has_no_gaps<Eigen::Map<P, Options, Eigen::Stride<0, 0>>> = true;
template <class X>
inline constexpr bool eigen_has_no_gaps<Eigen::Transpose<X>> = eigen_has_no_gaps<std::remove_const_t<X>>;
// Some whole columns, or rows where these come first.
template <class X, int Rows, int Columns>
  requires(Rows != 1 && Columns != 1)
inline constexpr bool eigen_has_no_gaps<Eigen::Block<X, Rows, Columns, true>> = eigen_has_no_gaps<std::remove_const_t<X>>;

constexpr index eigen_extent(int e) { return e == Eigen::Dynamic ? dyn : e; }

}  // namespace detail

template <detail::EigenMemory X>
  requires(Element<typename X::Scalar>)
struct argument<X> {
  static constexpr bool is_vector = X::IsVectorAtCompileTime;
  static constexpr index rows = detail::eigen_extent(X::RowsAtCompileTime), columns = detail::eigen_extent(X::ColsAtCompileTime),
                         size = detail::eigen_extent(X::SizeAtCompileTime);
  using T = canonical<typename X::Scalar>;
  using spec_type = std::conditional_t<is_vector, spec<T, size>, spec<T, rows, columns>>;
  [[gnu::always_inline]] static constexpr auto bind(const X& x) { return seen(x); }
  [[gnu::always_inline]] static constexpr auto bind(X& x) { return seen(x); }

 private:
  template <class Y>
  [[gnu::always_inline]] static constexpr auto seen(Y& x) {
    if constexpr (is_vector) {
      const shape extents{1, {x.size()}};
      if constexpr (detail::eigen_has_no_gaps<X>) return detail::view_of<size>(x.data(), extents);
      else return detail::strided_view_of<size>(x.data(), extents, shape{1, {x.innerStride()}});
    } else {
      const shape extents{2, {x.rows(), x.cols()}};
      if constexpr (!detail::eigen_has_no_gaps<X>)
        return detail::strided_view_of<rows, columns>(x.data(), extents, shape{2, {x.rowStride(), x.colStride()}});
      else if constexpr (X::IsRowMajor) return detail::view_of<rows, columns>(x.data(), extents);
      else return detail::column_major_view_of<rows, columns>(x.data(), extents);
    }
  }
};

template <detail::EigenObject X>
  requires((!detail::EigenMemory<X> || !Element<typename X::Scalar>) && !detail::holds_complex<X>)
struct refused_argument<X> {
  static constexpr auto sentence = [] {
    if constexpr (std::is_base_of_v<Eigen::SparseMatrixBase<X>, X>)
      return text("a sparse matrix of Eigen has no dense memory: pass Eigen::MatrixXf(x), or the one of its dtype");
    else if constexpr (detail::EigenMemory<X>) return text("a matrix of Eigen whose elements have no dtype: cast them");
    else return text("an expression of Eigen has no elements in memory: pass what its eval() gives");
  }();
};

}  // namespace jig

// SPDX-License-Identifier: MIT
#pragma once
// OpenCV: typed matrices, short vectors and points are arguments whose channels are the last axis; a cv::Mat, whose type only the
// run tells, is what `any_tensor` views or copies. Rows with gaps behind them are strides.

#include <jig/adapt/argument.hpp>

#include <opencv2/core.hpp>

namespace jig {

template <class T, int N>
inline constexpr int components<cv::Vec<T, N>> = N;
template <class T>
inline constexpr int components<cv::Scalar_<T>> = 4;
template <class T>
inline constexpr int components<cv::Point_<T>> = 2;
template <class T>
inline constexpr int components<cv::Point3_<T>> = 3;

namespace detail {

template <Element T, int M, int N>
struct cell<cv::Matx<T, M, N>> {
  using number = T;
  static constexpr shape extents{2, {M, N}};
};

inline dtype dtype_of_depth(int depth) {
  switch (depth) {
    case CV_8U: return dtype::uint8;
    case CV_8S: return dtype::int8;
    case CV_16U: return dtype::uint16;
    case CV_16S: return dtype::int16;
    case CV_32S: return dtype::int32;
    case CV_32F: return dtype::float32;
    case CV_64F: return dtype::float64;
    case CV_16F: return dtype::float16;
    default: throw_invalid_argument("cv::Mat: its depth is none that jig has a dtype for");
  }
}

inline void check_step(index bytes, index size) {
  if (bytes % size != 0) throw_invalid_argument("cv::Mat: its rows are not a whole number of elements apart");
}

// The matrix with its channels, if there is more than one, as the last axis.
inline any_view seen_matrix(const cv::Mat& x) {
  any_view v{dtype_of_depth(x.depth()), x.data, {}, {}};
  const index size = static_cast<index>(x.elemSize1());
  if (x.dims + (x.channels() > 1) > max_rank) throw_invalid_argument("cv::Mat: a tensor has at most 8 axes, channels included");
  // A matrix of nothing has no axes.
  if (x.dims == 0) v.extents = v.strides = {2, {0, 0}};
  for (int a = 0; a < x.dims; ++a) {
    const index bytes = static_cast<index>(x.step[a]);
    if (x.size[a] > 1) check_step(bytes, size);
    v.extents.push_back(x.size[a]);
    v.strides.push_back(bytes / size);
  }
  if (x.channels() > 1) {
    v.extents.push_back(x.channels());
    v.strides.push_back(1);
  }
  return v;
}

}  // namespace detail

/// Rows, columns and, of elements that are vectors, channels; more axes only the run tells: any_tensor::viewing((cv::Mat&)x).
/// Errors: a matrix with other than two axes throws invalid_argument.
template <class T>
  requires(detail::cell_rank<T> < max_rank - 1)
struct argument<cv::Mat_<T>> {
  using elements = detail::cells<T, dyn, dyn>;
  using spec_type = typename elements::spec_type;
  static auto bind(const cv::Mat_<T>& x) { return seen(reinterpret_cast<const T*>(x.data), x); }
  static auto bind(cv::Mat_<T>& x) { return seen(reinterpret_cast<T*>(x.data), x); }

 private:
  template <class C>
  static auto seen(C* first, const cv::Mat_<T>& x) {
    const index step = x.dims == 0 ? 0 : static_cast<index>(x.step[0]), size = static_cast<index>(sizeof(typename elements::number));
    if (x.dims > 2) detail::throw_invalid_argument("cv::Mat_: a typed matrix has two axes: pass jig::any_tensor::viewing((cv::Mat&)x)");
    if (x.rows > 1) detail::check_step(step, size);
    return elements::bind_strided(first, {2, {x.rows, x.cols}}, {2, {step / size, static_cast<index>(sizeof(T)) / size}});
  }
};

template <>
struct run_time_argument<cv::Mat> {
  static any_view bind(const cv::Mat& x) { return detail::seen_matrix(x); }
};

}  // namespace jig

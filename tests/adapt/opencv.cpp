// SPDX-License-Identifier: MIT
// First, to see that it needs nothing before it.
#include <jig/adapt/opencv.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

constexpr auto sums = jig::function<"sums(x)">([](auto x) { return jig::reduce_sum<1>(x); });

cv::Mat_<float> counted(int rows, int columns) {
  cv::Mat_<float> x(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) x(i, j) = static_cast<float>(i * columns + j);
  return x;
}

}  // namespace

TEST_CASE("typed matrices") {
  using jig::spec, jig::dyn;
  static_assert(std::is_same_v<spec_of<cv::Mat_<float>>, spec<float, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<cv::Mat_<cv::Vec3b>>, spec<std::uint8_t, dyn, dyn, 3>>);
  static_assert(std::is_same_v<spec_of<cv::Mat_<cv::Vec<double, 1>>>, spec<double, dyn, dyn, 1>>);
  static_assert(std::is_same_v<spec_of<cv::Mat_<cv::Point2f>>, spec<float, dyn, dyn, 2>>);
  static_assert(std::is_same_v<spec_of<cv::Mat_<cv::Matx23d>>, spec<double, dyn, dyn, 2, 3>>);
  static_assert(!jig::Argument<cv::Mat> && jig::RunTimeArgument<cv::Mat>);

  cv::Mat_<float> x = counted(3, 5);
  const auto r = twice(x);
  CHECK(r.shape() == jig::shape{2, {3, 5}});
  for (int i = 0; i < 15; ++i) CHECK(r(i / 5, i % 5) == static_cast<float>(2 * i));
  cv::Mat_<float> out(3, 5, -1.0f);
  const float* memory = out[0];
  twice.into(out, std::as_const(x));
  CHECK(out[0] == memory);
  CHECK(out(2, 4) == 28);
  cv::Mat_<float> smaller(2, 5);
  CHECK_THROWS_AS(twice.into(smaller, x), jig::invalid_argument);
  CHECK(smaller.rows == 2);
}

TEST_CASE("channels are the last axis") {
  cv::Mat_<cv::Vec3b> x(4, 6);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      for (int c = 0; c < 3; ++c) x(i, j)[c] = static_cast<unsigned char>(20 * i + 3 * j + c);
  const auto r = twice(x);
  CHECK(r.extent(2) == 3);
  int wrong = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      for (int c = 0; c < 3; ++c) wrong += r(i, j, c) != 2 * x(i, j)[c];
  CHECK(wrong == 0);
  twice.into(x, x);
  CHECK(x(3, 5)[2] == 154);
}

TEST_CASE("parts of matrices have gaps") {
  cv::Mat_<cv::Vec2s> whole(5, 7, cv::Vec2s(1, 2));
  cv::Mat_<cv::Vec2s> part = whole(cv::Rect(2, 1, 3, 4));
  CHECK(!part.isContinuous());
  CHECK(twice(part).shape() == jig::shape{3, {4, 3, 2}});
  twice.into(part, part);
  int wrong = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) {
      const short factor = i >= 1 && j >= 2 && j < 5 ? 2 : 1;
      wrong += whole(i, j) != cv::Vec2s(factor, static_cast<short>(2 * factor));
    }
  CHECK(wrong == 0);
  cv::Mat_<float> x = counted(3, 5), column = x.col(2);
  const auto r = twice(column);
  CHECK(r.shape() == jig::shape{2, {3, 1}});
  CHECK(r(2, 0) == 24);
  // A row alone, and nothing.
  CHECK(twice(cv::Mat_<float>(x.row(1)))(0, 4) == 18);
  CHECK(twice(cv::Mat_<float>()).shape() == jig::shape{2, {0, 0}});
  CHECK(twice(cv::Mat_<float>(0, 4)).size() == 0);
}

TEST_CASE("short vectors and points") {
  using jig::spec, jig::dyn;
  static_assert(std::is_same_v<spec_of<cv::Vec3f>, spec<float, 3>>);
  static_assert(std::is_same_v<spec_of<cv::Matx34f>, spec<float, 3, 4>>);
  static_assert(std::is_same_v<spec_of<cv::Scalar>, spec<double, 4>>);
  static_assert(std::is_same_v<spec_of<std::vector<cv::Point>>, spec<int, dyn, 2>>);
  static_assert(std::is_same_v<spec_of<std::array<cv::Point3d, 4>>, spec<double, 4, 3>>);
  std::vector<cv::Point2f> points{{1, 2}, {3, 4}};
  CHECK(sums(points)(1) == 7);
  twice.into(points, points);
  CHECK(points[1] == cv::Point2f(6, 8));
  cv::Matx22d m(1, 2, 3, 4);
  twice.into(m, m);
  CHECK(m(1, 0) == 6);
  CHECK(twice(cv::Vec3i(1, 2, 3))(2) == 6);
}

TEST_CASE("a cv::Mat is a run-time tensor") {
  cv::Mat_<cv::Vec3b> typed(4, 6, cv::Vec3b(1, 2, 3));
  cv::Mat& x = typed;
  auto seen = jig::any_tensor::viewing(x);
  CHECK(seen.dtype() == jig::dtype::uint8);
  CHECK(seen.shape() == jig::shape{3, {4, 6, 3}});
  CHECK(seen.data() == x.data);
  CHECK(twice(seen).as<unsigned char>()(3, 5, 2) == 6);
  static_cast<unsigned char*>(seen.mutable_data())[1] = 9;
  CHECK(typed(0, 0)[1] == 9);
  // A constant one is copied where it would be written.
  auto constant = jig::any_tensor::viewing(std::as_const(x));
  CHECK(constant.mutable_data() != x.data);
  const jig::any_tensor copy(x);
  CHECK(copy.data() != x.data);
  CHECK(copy.shape() == seen.shape());
  cv::Mat target(4, 6, CV_8UC3);
  copy.copy_to(target);
  CHECK(target.at<cv::Vec3b>(0, 0)[1] == 9);
  twice.into(target, seen);
  CHECK(target.at<cv::Vec3b>(3, 5)[2] == 6);
  cv::Mat other(4, 5, CV_8UC3);
  CHECK_THROWS_AS(twice.into(other, seen), jig::invalid_argument);
  CHECK_THROWS_AS(copy.copy_to(other), jig::invalid_argument);
}

TEST_CASE("depths, axes and gaps of cv::Mat") {
  const std::pair<int, jig::dtype> depths[] = {{CV_8U, jig::dtype::uint8},    {CV_8S, jig::dtype::int8},    {CV_16U, jig::dtype::uint16},
                                               {CV_16S, jig::dtype::int16},   {CV_32S, jig::dtype::int32},  {CV_32F, jig::dtype::float32},
                                               {CV_64F, jig::dtype::float64}, {CV_16F, jig::dtype::float16}};
  for (const auto& [depth, dtype] : depths) {
    cv::Mat x(2, 3, CV_MAKETYPE(depth, 1));
    CHECK(jig::any_tensor::viewing(x).dtype() == dtype);
    CHECK(jig::any_tensor::viewing(x).shape() == jig::shape{2, {2, 3}});
  }
  const int sizes[] = {2, 3, 4, 5, 2, 2, 2, 2};
  cv::Mat deep(8, sizes, CV_32FC1, cv::Scalar(1)), deeper(8, sizes, CV_32FC2, cv::Scalar(1));
  CHECK(jig::any_tensor::viewing(deep).shape() == jig::shape{8, {2, 3, 4, 5, 2, 2, 2, 2}});
  CHECK_THROWS_AS(jig::any_tensor::viewing(deeper), jig::invalid_argument);
  cv::Mat_<float> typed(3, sizes);
  CHECK_THROWS_AS(twice(typed), jig::invalid_argument);
  cv::Mat none;
  CHECK(jig::any_tensor::viewing(none).shape() == jig::shape{2, {0, 0}});

  cv::Mat_<float> whole = counted(4, 6);
  cv::Mat part = whole(cv::Rect(1, 1, 3, 2));
  const auto seen = jig::any_tensor::viewing(part);
  CHECK(seen.strides() == jig::shape{2, {6, 1}});
  CHECK(twice(seen).as<float>()(1, 2) == 30);
  // Rows that are no whole number of elements apart.
  alignas(4) unsigned char bytes[32] = {};
  cv::Mat_<float> odd(2, 1, reinterpret_cast<float*>(bytes), 8);
  odd.step.p[0] = 6;
  CHECK_THROWS_AS(jig::any_tensor::viewing(static_cast<cv::Mat&>(odd)), jig::invalid_argument);
  CHECK_THROWS_AS(twice(odd), jig::invalid_argument);
}

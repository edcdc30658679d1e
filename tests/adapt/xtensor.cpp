// SPDX-License-Identifier: MIT
// First, to see that it needs nothing before it.
#include <jig/adapt/xtensor.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace {

constexpr auto row_major = jig::memory_layout::row_major, column_major = jig::memory_layout::column_major;

xt::xtensor<float, 2> counted(std::size_t rows, std::size_t columns) {
  xt::xtensor<float, 2> x({rows, columns});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
  return x;
}

}  // namespace

TEST_CASE("tensors of xtensor") {
  using jig::spec, jig::dyn;
  static_assert(std::is_same_v<spec_of<xt::xtensor<float, 2>>, spec<float, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<xt::xtensor<long long, 1>>, spec<std::int64_t, dyn>>);
  static_assert(std::is_same_v<spec_of<xt::xtensor<bool, 3>>, spec<bool, dyn, dyn, dyn>>);
  static_assert(layout_of<xt::xtensor<float, 2>> == row_major);
  static_assert(!jig::Argument<xt::xtensor<std::complex<float>, 2>>);
  xt::xtensor<float, 2> x = counted(3, 5), y({3, 5}, 0.0f);
  const auto r = twice(std::as_const(x));
  for (int i = 0; i < 15; ++i) CHECK(r(i / 5, i % 5) == static_cast<float>(2 * i));
  const float* memory = y.data();
  twice.into(y, x);
  CHECK(y.data() == memory);
  CHECK(y(2, 4) == 28);
  xt::xtensor<float, 2> other({2, 5});
  CHECK_THROWS_AS(twice.into(other, x), jig::invalid_argument);
  CHECK(other.shape()[0] == 2);
  CHECK(twice(xt::xtensor<float, 2>({0, 5})).size() == 0);
  // Its strides along axes of one element are 0.
  CHECK(twice(counted(1, 4))(0, 3) == 6);
  CHECK(twice(counted(4, 1))(3, 0) == 6);
  CHECK(twice(xt::xtensor<double, 0>(2.5))() == 5);
}

TEST_CASE("column-major tensors, and layouts that only the run tells") {
  xt::xtensor<float, 2, xt::layout_type::column_major> x({2, 3}), out({2, 3});
  static_assert(std::is_same_v<spec_of<decltype(x)>, jig::spec<float, jig::dyn, jig::dyn>> && layout_of<decltype(x)> == column_major);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) x(i, j) = static_cast<float>(10 * i + j);
  const auto r = twice(x);
  CHECK(r(1, 2) == 24);
  CHECK(r(0, 1) == 2);
  twice.into(out, x);
  CHECK(out(1, 0) == 20);
  CHECK(out.data()[1] == 20);
  xt::xtensor<float, 2, xt::layout_type::dynamic> either({2, 3}, xt::layout_type::column_major);
  either = x;
  CHECK(twice(either)(1, 2) == 24);
}

TEST_CASE("fixed tensors have static extents") {
  xt::xtensor_fixed<float, xt::xshape<2, 3>> x{{1, 2, 3}, {4, 5, 6}}, out;
  static_assert(std::is_same_v<spec_of<decltype(x)>, jig::spec<float, 2, 3>>);
  static_assert(layout_of<decltype(x)> == row_major);
  CHECK(twice(x)(1, 0) == 8);
  twice.into(out, x);
  CHECK(out(1, 2) == 12);
}

TEST_CASE("adaptors and strided views") {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  const std::array<std::size_t, 2> shape{2, 3};
  auto adapted = xt::adapt(memory, shape);
  CHECK(twice(adapted)(1, 0) == 8);
  twice.into(adapted, adapted);
  CHECK(memory[5] == 12);

  xt::xtensor<float, 2> x = counted(4, 6), before = x;
  auto part = xt::view(x, xt::range(1, 3), xt::range(0, 6, 2));
  static_assert(spec_of<decltype(part)>::rank() == 2 && layout_of<decltype(part)> != row_major);
  const auto r = twice(part);
  CHECK(r.shape() == jig::shape{2, {2, 3}});
  for (int i = 0; i < 6; ++i) CHECK(r(i / 3, i % 3) == static_cast<float>(2 * ((1 + i / 3) * 6 + i % 3 * 2)));
  twice.into(part, part);
  int wrong = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 6; ++j) wrong += x(i, j) != before(i, j) * (i >= 1 && i < 3 && j % 2 == 0 ? 2.0f : 1.0f);
  CHECK(wrong == 0);
  auto row = xt::row(x, 3);
  static_assert(spec_of<decltype(row)>::rank() == 1);
  CHECK(twice(row)(5) == 46);
  auto column = xt::view(std::as_const(x), xt::all(), 1);
  CHECK(twice(column)(3) == 38);
}

// Those of xtensor before 0.25 are ambiguous to Clang from 19 on.
#if !defined(__clang__) || __clang_major__ < 19 || XTENSOR_VERSION_MAJOR > 0 || XTENSOR_VERSION_MINOR > 24
TEST_CASE("arrays of xtensor are run-time tensors") {
  static_assert(!jig::Argument<xt::xarray<float>> && jig::RunTimeArgument<xt::xarray<float>>);
  xt::xarray<double> x{{1, 2, 3}, {4, 5, 6}};
  auto seen = jig::any_tensor::viewing(x);
  CHECK(seen.shape() == jig::shape{2, {2, 3}});
  CHECK(seen.data() == x.data());
  CHECK(twice(seen).as<double>()(1, 2) == 12);
  static_cast<double*>(seen.mutable_data())[0] = 7;
  CHECK(x(0, 0) == 7);
  CHECK(jig::any_tensor::viewing(std::as_const(x)).mutable_data() != x.data());
  auto part = xt::strided_view(x, {xt::all(), xt::range(1, 3)});
  CHECK(twice(jig::any_tensor::viewing(part)).as<double>()(1, 0) == 10);
  xt::xarray<double> out = xt::zeros<double>({2, 3});
  twice.into(out, seen);
  CHECK(out(0, 0) == 14);
  jig::any_tensor(x).copy_to(out);
  CHECK(out(0, 0) == 7);
  xt::xarray<double> deep = xt::xarray<double>::from_shape({1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK_THROWS_AS(jig::any_tensor::viewing(deep), jig::invalid_argument);
}
#endif

// SPDX-License-Identifier: MIT
// First, to see that it needs nothing before it.
#include <jig/adapt/eigen.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>

namespace {

using jig::argument_layout, jig::memory_layout, jig::spec, jig::dyn;

constexpr auto affine = jig::function<"affine(x, w, b)">([](auto x, auto w, auto b) { return jig::matmul(x, w) + b; });
constexpr auto centred = jig::function<"centred(x)">([](auto x) { return x - jig::reduce_sum<0>(x); });

using rows_f = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Whether an object of Eigen has the same elements as a tensor of two axes, or of one.
bool same(const auto& x, const auto& t) {
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      if constexpr (std::remove_cvref_t<decltype(t)>::rank() == 2) {
        if (x(i, j) != t(i, j)) return false;
      } else if (x(i, j) != t(i + j)) {
        return false;
      }
    }
  return x.size() == t.size();
}
template <class M>
M counted(Eigen::Index rows, Eigen::Index columns) {
  M x(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j) x(i, j) = static_cast<typename M::Scalar>(10 * i + j);
  return x;
}

// Reads an object and writes over it.
template <class X>
void check(X&& x) {
  const auto before = x.eval();
  CHECK(same((before + before).eval(), twice(x)));
  CHECK(same((before + before).eval(), twice(std::as_const(x))));
  auto* memory = x.data();
  twice.into(x, before);
  CHECK(x.data() == memory);
  CHECK(x == before + before);
  twice.into(std::forward<X>(x), x);
  CHECK(x == 4 * before);
}

}  // namespace

TEST_CASE("signatures and layouts of Eigen's types") {
  using Eigen::Map, Eigen::Ref, Eigen::MatrixXf, Eigen::Block, Eigen::Transpose;
  static_assert(std::is_same_v<spec_of<MatrixXf>, spec<float, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<Eigen::Matrix<float, 3, Eigen::Dynamic>>, spec<float, 3, dyn>>);
  static_assert(std::is_same_v<spec_of<Eigen::Array<long long, 2, 4>>, spec<std::int64_t, 2, 4>>);
  static_assert(std::is_same_v<spec_of<Eigen::VectorXd>, spec<double, dyn>>);
  static_assert(std::is_same_v<spec_of<Eigen::RowVector3i>, spec<int, 3>>);
  static_assert(argument_layout<MatrixXf> == memory_layout::column_major);
  static_assert(argument_layout<Eigen::Matrix4d> == memory_layout::column_major);
  static_assert(argument_layout<rows_f> == memory_layout::row_major);
  static_assert(argument_layout<Eigen::VectorXf> == memory_layout::row_major);
  static_assert(argument_layout<Eigen::RowVectorXf> == memory_layout::row_major);
  static_assert(argument_layout<Map<const MatrixXf>> == memory_layout::column_major);
  static_assert(argument_layout<Map<MatrixXf, 0, Eigen::OuterStride<>>> == memory_layout::strided);
  static_assert(argument_layout<Map<MatrixXf, 0, Eigen::InnerStride<2>>> == memory_layout::strided);
  static_assert(argument_layout<Map<Eigen::VectorXf, 0, Eigen::InnerStride<2>>> == memory_layout::strided);
  static_assert(argument_layout<Ref<MatrixXf>> == memory_layout::strided);
  static_assert(argument_layout<Ref<Eigen::VectorXf>> == memory_layout::row_major);
  static_assert(argument_layout<Transpose<MatrixXf>> == memory_layout::row_major);
  static_assert(argument_layout<Transpose<const rows_f>> == memory_layout::column_major);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().leftCols(2))> == memory_layout::column_major);
  static_assert(argument_layout<decltype(std::declval<rows_f&>().topRows(2))> == memory_layout::row_major);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().topRows(2))> == memory_layout::strided);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().block(0, 0, 1, 1))> == memory_layout::strided);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().col(1))> == memory_layout::row_major);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().row(1))> == memory_layout::strided);
  static_assert(argument_layout<decltype(std::declval<MatrixXf&>().diagonal())> == memory_layout::strided);
}

TEST_CASE("matrices and arrays, fixed and dynamic, in either order") {
  check(counted<Eigen::MatrixXf>(5, 7));
  check(counted<Eigen::Matrix3d>(3, 3));
  check(counted<rows_f>(4, 3));
  check(counted<Eigen::Matrix<int, 2, Eigen::Dynamic, Eigen::RowMajor>>(2, 6));
  check(Eigen::VectorXd(Eigen::VectorXd::LinSpaced(11, 0, 10)));
  check(Eigen::RowVector3f(1, 2, 3));
  Eigen::ArrayXXf a = counted<Eigen::MatrixXf>(3, 4).array();
  CHECK(same((a + a).eval(), twice(a)));
  Eigen::ArrayXd v = Eigen::ArrayXd::LinSpaced(5, 1, 5);
  twice.into(v, v);
  CHECK(v(4) == 10);
  Eigen::Matrix<long long, 2, 2> wide = counted<Eigen::Matrix<long long, 2, 2>>(2, 2);
  CHECK(twice(wide)(1, 0) == 20);
  Eigen::MatrixXf none(0, 3);
  CHECK(twice(none).shape() == jig::shape{2, {0, 3}});
  CHECK(twice(Eigen::MatrixXf(3, 0)).size() == 0);
}

TEST_CASE("maps, references, blocks and transposes") {
  float memory[40];
  for (int i = 0; i < 40; ++i) memory[i] = static_cast<float>(i);
  using Eigen::Map;
  check(Map<Eigen::MatrixXf>(memory, 4, 5));
  check(Map<Eigen::Matrix<float, 4, 5, Eigen::RowMajor>>(memory));
  check(Map<Eigen::MatrixXf, 0, Eigen::OuterStride<>>(memory, 3, 5, Eigen::OuterStride<>(4)));
  check(Map<Eigen::MatrixXf, 0, Eigen::OuterStride<>>(memory, 3, 5, Eigen::OuterStride<>(3)));
  check(Map<rows_f, 0, Eigen::Stride<Eigen::Dynamic, 2>>(memory, 3, 5, Eigen::Stride<Eigen::Dynamic, 2>(11, 2)));
  check(Map<Eigen::VectorXf, 0, Eigen::InnerStride<>>(memory, 7, Eigen::InnerStride<>(3)));
  CHECK(twice(Map<const Eigen::Matrix2f>(memory))(1, 0) == 2 * memory[1]);

  Eigen::MatrixXf x = counted<Eigen::MatrixXf>(6, 5);
  rows_f r = counted<rows_f>(6, 5);
  check(x.block(1, 1, 3, 2));
  check(x.block<2, 2>(1, 1));
  check(x.topRows(2));
  check(x.middleCols(1, 3));
  check(r.bottomRows(3));
  check(r.rightCols<2>());
  check(x.col(3));
  check(x.row(3));
  check(r.col(2));
  check(x.transpose());
  check(r.transpose());
  check(x.block(0, 0, 4, 3).transpose());
  Eigen::Ref<Eigen::MatrixXf> whole(x), part(x.topLeftCorner(3, 3));
  check(Eigen::Ref<Eigen::MatrixXf>(whole));
  check(Eigen::Ref<Eigen::MatrixXf>(part));
  const Eigen::Ref<const Eigen::MatrixXf> constant(x);
  CHECK(same((x + x).eval(), twice(constant)));
  CHECK(same((2 * x.diagonal()).eval(), twice(x.diagonal())));
  const Eigen::MatrixXf& unwritten = x;
  CHECK(same((2 * unwritten.leftCols(2)).eval(), twice(unwritten.leftCols(2))));
}

TEST_CASE("products and reductions, beside Eigen's") {
  const auto compare = [](const auto& x, const auto& w, const auto& b, auto& y) {
    affine.into(y, x, w, b);
    const auto expected = ((x * w).rowwise() + b).eval();
    CHECK(y == expected);
    CHECK(same(expected, affine(x, w, b)));
    centred.into(y, y);
    CHECK(y == (expected.rowwise() - expected.colwise().sum()).eval());
  };
  for (auto [m, k, n] : {std::array{1, 1, 1}, {5, 3, 2}, {33, 20, 17}}) {
    const auto x = counted<Eigen::MatrixXf>(m, k);
    const auto w = counted<rows_f>(k, n);
    const Eigen::RowVectorXf b = counted<rows_f>(1, n).row(0);
    Eigen::MatrixXf y(m, n);
    rows_f z(m, n);
    compare(x, w, b, y);
    compare(rows_f(x), Eigen::MatrixXf(w), b, y);
    compare(x, Eigen::MatrixXf(w), b, z);
  }
  Eigen::Matrix4f x = counted<Eigen::Matrix4f>(4, 4), y;
  Eigen::RowVector4f b(1, 2, 3, 4);
  compare(x, x, b, y);

  Eigen::MatrixXf large(8, 6);
  large.setConstant(-1);
  const Eigen::MatrixXf from = counted<Eigen::MatrixXf>(5, 3);
  const rows_f w = counted<rows_f>(3, 2);
  const Eigen::RowVector2f c(1, 2);
  affine.into(large.block(1, 1, 2, 2), from.topRows(2), w, c);
  CHECK(large.block(1, 1, 2, 2) == ((from.topRows(2) * w).rowwise() + c));
  CHECK(large.sum() == large.block(1, 1, 2, 2).sum() - 44);
}

TEST_CASE("results are not resized") {
  Eigen::MatrixXf y;
  const auto x = counted<Eigen::MatrixXf>(2, 3);
  CHECK_THROWS_WITH_AS(twice.into(y, x), "twice: result: expected float32 shape=(2, 3), given float32 shape=(0, 0); into resizes nothing",
                       jig::invalid_argument);
  CHECK(y.size() == 0);
}

TEST_CASE("operators take matrices beside tensors") {
  const auto x = counted<Eigen::MatrixXf>(2, 3);
  const jig::tensor<float, 2, 3> t{{1, 2, 3}, {4, 5, 6}};
  CHECK((t + x)(1, 2) == 18);
  CHECK(jig::transpose<1, 0>(x)(2, 1) == 12);
  CHECK(jig::any_tensor(x).as<float>()(1, 2) == 12);
}

TEST_CASE("what has no dense memory is refused by a sentence") {
  using Eigen::MatrixXf;
  static_assert(!jig::Argument<Eigen::SparseMatrix<float>> && !jig::Argument<Eigen::MatrixXcf>);
  static_assert(refusal<Eigen::SparseMatrix<float>>().find("sparse") != std::string_view::npos);
  static_assert(refusal<Eigen::MatrixXcf>().find("complex numbers") != std::string_view::npos);
  using sum = decltype(std::declval<MatrixXf>() + std::declval<MatrixXf>());
  static_assert(!jig::Argument<sum> && refusal<sum>().find("eval()") != std::string_view::npos);
  using product = decltype(std::declval<MatrixXf>() * std::declval<MatrixXf>());
  static_assert(!jig::Argument<product> && refusal<product>().find("eval()") != std::string_view::npos);
  static_assert(refusal<Eigen::Matrix<Eigen::half, 2, 2>>().find("dtype") != std::string_view::npos);
}

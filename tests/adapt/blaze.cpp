// SPDX-License-Identifier: MIT
// The same tests with classes that have Blaze's members, and with the library's where it is there.
#include <jig/adapt/blaze.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <limits>
#include <vector>

#if __has_include(<blaze/Math.h>)
#include <blaze/Math.h>
#endif

namespace look_alike {

inline constexpr bool rowMajor = false, columnMajor = true, columnVector = false, rowVector = true;

// Rows, or columns, begin at multiples of four elements.
template <class T, bool SO = rowMajor>
class DynamicMatrix {
 public:
  using ElementType = T;
  static constexpr bool storageOrder = SO;
  DynamicMatrix(std::size_t rows, std::size_t columns, T all = T())
      : rows_(rows), columns_(columns), spacing_(((SO ? rows : columns) + 3) / 4 * 4), elements_(spacing_ * (SO ? columns : rows), T(-99)) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) (*this)(i, j) = all;
  }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t spacing() const { return spacing_; }
  T* data() { return elements_.data(); }
  const T* data() const { return elements_.data(); }
  T& operator()(std::size_t i, std::size_t j) { return elements_[SO ? j * spacing_ + i : i * spacing_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return elements_[SO ? j * spacing_ + i : i * spacing_ + j]; }
  std::size_t nonZeros() const { return elements_.size(); }

 private:
  std::size_t rows_, columns_, spacing_;
  std::vector<T> elements_;
};

template <class T, std::size_t M, std::size_t N, bool SO = rowMajor, std::size_t Padded = ((SO ? M : N) + 3) / 4 * 4>
class StaticMatrix {
 public:
  using ElementType = T;
  static constexpr bool storageOrder = SO;
  static constexpr std::size_t rows() { return M; }
  static constexpr std::size_t columns() { return N; }
  static constexpr std::size_t spacing() { return Padded; }
  T* data() { return elements_; }
  const T* data() const { return elements_; }
  T& operator()(std::size_t i, std::size_t j) { return elements_[SO ? j * Padded + i : i * Padded + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return elements_[SO ? j * Padded + i : i * Padded + j]; }

 private:
  T elements_[Padded * (SO ? N : M)] = {};
};

template <class M>
class Submatrix {
 public:
  using ElementType = typename M::ElementType;
  static constexpr bool storageOrder = M::storageOrder;
  Submatrix(M& m, std::size_t row, std::size_t column, std::size_t rows, std::size_t columns)
      : m_(m), first_(&m(row, column)), rows_(rows), columns_(columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t spacing() const { return m_.spacing(); }
  auto* data() { return first_; }
  const ElementType* data() const { return first_; }
  auto& operator()(std::size_t i, std::size_t j) { return first_[storageOrder ? j * spacing() + i : i * spacing() + j]; }

 private:
  M& m_;
  decltype(std::declval<M&>().data()) first_;
  std::size_t rows_, columns_;
};

template <class T, bool TF = columnVector>
class DynamicVector {
 public:
  using ElementType = T;
  static constexpr bool transposeFlag = TF;
  explicit DynamicVector(std::size_t n, T all = T()) : elements_(n, all) {}
  std::size_t size() const { return elements_.size(); }
  std::size_t spacing() const { return (size() + 3) / 4 * 4; }
  T* data() { return elements_.data(); }
  const T* data() const { return elements_.data(); }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  std::vector<T> elements_;
};

template <class T, std::size_t N, bool TF = columnVector>
class StaticVector {
 public:
  using ElementType = T;
  static constexpr bool transposeFlag = TF;
  static constexpr std::size_t size() { return N; }
  T* data() { return elements_; }
  const T* data() const { return elements_; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  T elements_[(N + 3) / 4 * 4] = {};
};

template <class T, bool SO = rowMajor>
struct CompressedMatrix {
  using ElementType = T;
  static constexpr bool storageOrder = SO;
  std::size_t rows() const { return 1; }
  std::size_t columns() const { return 1; }
  std::size_t nonZeros() const { return 0; }
  void reserve(std::size_t) {}
};
template <class T>
struct CompressedVector {
  using ElementType = T;
  static constexpr bool transposeFlag = columnVector;
  std::size_t size() const { return 1; }
  std::size_t nonZeros() const { return 0; }
  void reserve(std::size_t) {}
};
// A row of a column-major matrix.
template <class M>
class Row {
 public:
  using ElementType = typename M::ElementType;
  static constexpr bool transposeFlag = rowVector;
  Row(M& m, std::size_t row) : m_(m), row_(row) {}
  std::size_t size() const { return m_.columns(); }
  auto* data() { return m_.columns() == 0 ? m_.data() : m_.data() + row_; }
  const ElementType* data() const { return m_.columns() == 0 ? m_.data() : m_.data() + row_; }
  auto& operator[](std::size_t j) { return m_(row_, j); }
  const auto& operator[](std::size_t j) const { return m_(row_, j); }
  struct iterator {};
  iterator begin() const { return {}; }
  M& operand() const { return m_; }

 private:
  M& m_;
  std::size_t row_;
};
// Rows in any order, and a part of them.
struct Rows : DynamicMatrix<float> {
  std::vector<std::size_t> idces() const { return {}; }
};
struct PartOfRows : DynamicMatrix<float> {
  const Rows& operand() const;
};
// A sum of matrices.
struct Sum {
  using ElementType = float;
  static constexpr bool storageOrder = rowMajor;
  std::size_t rows() const { return 1; }
  std::size_t columns() const { return 1; }
};
struct SumOfVectors {
  using ElementType = float;
  static constexpr bool transposeFlag = rowVector;
  std::size_t size() const { return 1; }
  float operator[](std::size_t) const { return 0; }
};

}  // namespace look_alike

namespace {

using jig::spec, jig::dyn, jig::memory_layout;

constexpr auto affine = jig::function<"affine(x, w, b)">([](auto x, auto w, auto b) { return jig::matmul(x, w) + b; });
constexpr auto columns_less_mean = jig::function<"columns_less_mean(x)">([](auto x) { return x - jig::reduce_sum<0>(x); });

template <class M>
void count(M& x) {
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.columns(); ++j) x(i, j) = static_cast<typename M::ElementType>(10 * i + j);
}

// Reads a matrix, writes one, and writes over it. `factor` tells what its elements are now.
template <class X>
bool holds(X& x, typename X::ElementType factor) {
  bool all = true;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.columns(); ++j) all = all && x(i, j) == factor * static_cast<typename X::ElementType>(10 * i + j);
  return all;
}
template <class X>
void check(X& x) {
  count(x);
  const auto y = twice(x);
  CHECK(y.shape() == jig::shape{2, {static_cast<jig::index>(x.rows()), static_cast<jig::index>(x.columns())}});
  bool same = true;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.columns(); ++j) same = same && y(static_cast<jig::index>(i), static_cast<jig::index>(j)) == 2 * x(i, j);
  CHECK(same);
  const auto z = twice(std::as_const(x));
  CHECK(std::equal(z.data(), z.data() + z.size(), y.data()));
  twice.into(x, y);
  CHECK(holds(x, 4));
  twice.into(x, x);
  CHECK(holds(x, 8));
}

template <template <class, bool> class Matrix, template <class, bool> class Vector>
void check_dynamic() {
  for (std::size_t rows : {1u, 3u, 4u, 8u, 17u})
    for (std::size_t columns : {1u, 4u, 5u, 16u, 19u}) {
      Matrix<float, false> x(rows, columns, 0.f);
      Matrix<float, true> y(rows, columns, 0.f);
      check(x);
      check(y);
    }
  Matrix<float, false> none(0, 3, 0.f);
  CHECK(twice(none).shape() == jig::shape{2, {0, 3}});

  // Both orders, and a vector along the rows, in one function.
  Matrix<double, false> x(5, 7, 0.0);
  Matrix<double, true> w(7, 3, 0.0), out(5, 3, 0.0);
  Vector<double, true> b(3, 0.5);
  count(x);
  count(w);
  affine.into(out, x, w, b);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double expected = 0.5;
      for (std::size_t k = 0; k < 7; ++k) expected += x(i, k) * w(k, j);
      CHECK(out(i, j) == expected);
    }
  CHECK_THROWS_WITH_AS((affine.into(x, x, w, b)),
                       "affine: result: expected float64 shape=(5, 3), given float64 shape=(5, 7); into resizes nothing",
                       jig::invalid_argument);

  Vector<int, false> v(9, 3);
  Vector<int, true> twice_v(9, 0);
  twice.into(twice_v, std::as_const(v));
  for (std::size_t i = 0; i < 9; ++i) CHECK(twice_v[i] == 6);
  // Another type of the same dtype.
  Vector<long long, false> large(2, std::numeric_limits<long long>::max() / 2);
  CHECK(twice(large)(1) == std::numeric_limits<long long>::max() - 1);
}

template <template <class> class Submatrix, class Matrix>
void check_part(Submatrix<Matrix> part, Matrix& whole) {
  count(whole);
  columns_less_mean.into(part, part);
  for (std::size_t i = 0; i < whole.rows(); ++i)
    for (std::size_t j = 0; j < whole.columns(); ++j) {
      const bool inside = i >= 1 && i < 3 && j >= 2 && j < 7;
      const double expected = static_cast<double>(10 * i + j);
      CHECK(whole(i, j) == (inside ? expected - (10 * 3.0 + 2.0 * static_cast<double>(j)) : expected));
    }
}

}  // namespace

TEST_CASE("signatures and layouts of what has Blaze's interface") {
  using namespace look_alike;
  static_assert(std::is_same_v<spec_of<DynamicMatrix<float>>, spec<float, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<StaticMatrix<double, 2, 3>>, spec<double, 2, 3>>);
  static_assert(std::is_same_v<spec_of<DynamicVector<int, rowVector>>, spec<int, dyn>>);
  static_assert(std::is_same_v<spec_of<StaticVector<float, 5>>, spec<float, 5>>);
  static_assert(std::is_same_v<spec_of<DynamicVector<long long>>, spec<std::int64_t, dyn>>);
  static_assert(std::is_same_v<spec_of<Submatrix<const DynamicMatrix<float>>>, spec<float, dyn, dyn>>);
  static_assert(layout_of<StaticMatrix<float, 3, 4>> == memory_layout::row_major);
  static_assert(layout_of<StaticMatrix<float, 4, 3, columnMajor>> == memory_layout::column_major);
  static_assert(layout_of<StaticMatrix<float, 4, 3>> == memory_layout::strided);
  static_assert(layout_of<StaticMatrix<float, 3, 4, columnMajor>> == memory_layout::strided);
  static_assert(layout_of<DynamicMatrix<float>> == memory_layout::strided);
  static_assert(layout_of<DynamicVector<float>> == memory_layout::row_major);
  // Those of the standard library, and tensors, are none of it.
  static_assert(!jig::detail::BlazeMatrix<jig::tensor<float, 2, 2>> && !jig::detail::BlazeVector<std::vector<float>>);
}

TEST_CASE("padded matrices and vectors are read and written where they lie") {
  check_dynamic<look_alike::DynamicMatrix, look_alike::DynamicVector>();
}

TEST_CASE("padding is left alone") {
  look_alike::DynamicMatrix<float> x(3, 5);
  look_alike::DynamicMatrix<float, true> y(5, 3);
  for (int k = 0; k < 2; ++k) {
    twice.into(x, x);
    twice.into(y, std::as_const(y));
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 5; j < 8; ++j) CHECK((x(i, j) == -99 && y(j, i) == -99));
}

TEST_CASE("matrices of fixed size, padded or not") {
  using namespace look_alike;
  StaticMatrix<float, 3, 4> a;
  StaticMatrix<float, 3, 5> b;
  StaticMatrix<float, 4, 3, columnMajor> c;
  StaticMatrix<double, 5, 3, columnMajor> d;
  StaticMatrix<float, 3, 3, rowMajor, 3> e;
  check(a);
  check(b);
  check(c);
  check(d);
  check(e);
  StaticVector<float, 5> v;
  v[4] = 2;
  CHECK(twice(v)(4) == 4);
}

TEST_CASE("parts of matrices") {
  using namespace look_alike;
  DynamicMatrix<double> rows(4, 9);
  check_part(Submatrix(rows, 1, 2, 2, 5), rows);
  DynamicMatrix<double, columnMajor> columns(4, 9);
  check_part(Submatrix(columns, 1, 2, 2, 5), columns);
  const auto& seen = rows;
  CHECK(twice(Submatrix(seen, 3, 4, 1, 1))(0, 0) == 68);
}

TEST_CASE("rows across the order of a matrix") {
  using namespace look_alike;
  DynamicMatrix<float, columnMajor> m(5, 6);
  count(m);
  Row line(m, 3);
  CHECK(twice(std::as_const(line))(5) == 70);
  twice.into(line, line);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 6; ++j) CHECK(m(i, j) == static_cast<float>(10 * i + j) * (i == 3 ? 2.f : 1.f));
  DynamicMatrix<float, columnMajor> one(3, 1, 4.f), none(3, 0);
  CHECK(twice(Row(one, 2))(0) == 8);
  CHECK(twice(Row(none, 2)).size() == 0);
}

TEST_CASE("what has no dense memory of numbers is refused") {
  using namespace look_alike;
  static_assert(!jig::Argument<CompressedMatrix<float>> && !jig::Argument<Sum> && !jig::Argument<SumOfVectors> && !jig::Argument<Rows> &&
                !jig::Argument<PartOfRows>);
  CHECK(refusal<CompressedMatrix<float>>() ==
        "a sparse object of Blaze has no dense memory: pass a blaze::DynamicMatrix or DynamicVector of it");
  CHECK(refusal<CompressedVector<float>>() == refusal<CompressedMatrix<float>>());
  CHECK(refusal<Sum>() ==
        "an expression or selection of Blaze whose elements do not lie evenly in memory: pass what blaze::evaluate makes of it");
  CHECK(refusal<SumOfVectors>() == refusal<Sum>());
  CHECK(refusal<Rows>() == refusal<Sum>());
  CHECK(refusal<PartOfRows>() == refusal<Sum>());
  CHECK(refusal<DynamicVector<void*>>() == "an object of Blaze whose elements have no dtype: convert them");
  CHECK(refusal<DynamicVector<std::complex<float>>>().starts_with("jig has no complex numbers"));
}

#if __has_include(<blaze/Math.h>)
template <class T, bool SO>
using library_matrix = blaze::DynamicMatrix<T, SO>;
template <class T, bool TF>
using library_vector = blaze::DynamicVector<T, TF>;

TEST_CASE("matrices and vectors of Blaze") {
  check_dynamic<library_matrix, library_vector>();
  blaze::StaticMatrix<float, 3, 5> fixed;
  blaze::StaticMatrix<float, 3, 5, blaze::columnMajor> fixed_columns;
  check(fixed);
  check(fixed_columns);
  static_assert(std::is_same_v<spec_of<blaze::StaticMatrix<float, 3, 5>>, spec<float, 3, 5>>);
  static_assert(std::is_same_v<spec_of<blaze::StaticVector<double, 3>>, spec<double, 3>>);
  static_assert(std::is_same_v<spec_of<blaze::HybridMatrix<double, 3, 4>>, spec<double, dyn, dyn>>);

  blaze::DynamicMatrix<double> x(6, 9);
  count(x);
  const blaze::DynamicMatrix<double> before = x;
  auto part = blaze::submatrix(x, 1, 2, 3, 5);
  twice.into(part, part);
  CHECK(blaze::submatrix(x, 1, 2, 3, 5) == 2.0 * blaze::submatrix(before, 1, 2, 3, 5));
  CHECK((x(0, 0) == 0 && x(4, 2) == 42 && x(1, 7) == 17));
  auto line = blaze::row(x, 5);
  twice.into(line, line);
  CHECK(x(5, 8) == 116);
  auto piece = blaze::subvector(line, 1, 2);
  CHECK(twice(piece)(1) == 208);
  blaze::DynamicMatrix<double> own(2, 3, 4.0);
  blaze::CustomMatrix<double, blaze::unaligned, blaze::unpadded> custom(own.data(), 2, 3, own.spacing());
  CHECK(twice(custom)(1, 2) == 8);

  auto across = blaze::column(x, 1);
  twice.into(across, across);
  CHECK((x(3, 1) == 62 && x(3, 0) == 30));
  auto diagonal = blaze::subvector(blaze::band(x, 1L), 1, 2);
  CHECK(twice(diagonal)(1) == 2 * x(2, 3));
  blaze::SymmetricMatrix<blaze::DynamicMatrix<double>> symmetric(3);
  symmetric(0, 2) = 5;
  CHECK(twice(symmetric)(2, 0) == 10);

  const auto chosen = blaze::rows(x, {2UL, 0UL});
  const auto part_of_chosen = blaze::submatrix(chosen, 0, 0, 2, 2);
  const auto elements = blaze::elements(line, {2UL, 0UL, 1UL});
  const auto part_of_elements = blaze::subvector(elements, 0, 2);
  static_assert(!jig::Argument<decltype(x + x)> && !jig::Argument<decltype(chosen)> && !jig::Argument<decltype(part_of_chosen)>);
  static_assert(!jig::Argument<decltype(elements)> && !jig::Argument<decltype(part_of_elements)>);
  CHECK(refusal<decltype(x + x)>().starts_with("an expression or selection of Blaze"));
  CHECK(refusal<decltype(blaze::rows(x, {2UL, 0UL}))>().starts_with("an expression or selection of Blaze"));
  CHECK(refusal<blaze::CompressedMatrix<float>>().starts_with("a sparse object of Blaze"));
  CHECK(refusal<blaze::DynamicMatrix<std::complex<float>>>().starts_with("jig has no complex numbers"));
}
#endif

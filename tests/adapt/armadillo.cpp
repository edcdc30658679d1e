// SPDX-License-Identifier: MIT
// First, to see that it needs nothing before it.
#include <jig/adapt/armadillo.hpp>

#include <jig.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

namespace {

using jig::argument_layout, jig::memory_layout, jig::spec, jig::dyn;

constexpr auto affine = jig::function<"affine(x, w, b)">([](auto x, auto w, auto b) { return jig::matmul(x, w) + b; });
constexpr auto centred = jig::function<"centred(x)">([](auto x) { return x - jig::reduce_sum<1>(x, jig::keepdims); });

template <class M>
M counted(arma::uword rows, arma::uword columns) {
  M x(rows, columns);
  for (arma::uword i = 0; i < rows; ++i)
    for (arma::uword j = 0; j < columns; ++j) x(i, j) = static_cast<typename M::elem_type>(10 * i + j);
  return x;
}
bool same(const auto& x, const auto& t) {
  for (arma::uword i = 0; i < x.n_rows; ++i)
    for (arma::uword j = 0; j < x.n_cols; ++j) {
      if constexpr (std::remove_cvref_t<decltype(t)>::rank() == 2) {
        if (x(i, j) != t(i, j)) return false;
      } else if (x(i + j) != t(i + j)) {
        return false;
      }
    }
  return static_cast<jig::index>(x.n_elem) == t.size();
}
// Reads an object and writes over it.
template <class Plain, class X>
void check(X&& x) {
  const Plain before(x), two = 2 * before, four = 4 * before;
  CHECK(same(two, twice(x)));
  CHECK(same(two, twice(std::as_const(x))));
  twice.into(x, before);
  CHECK(arma::approx_equal(Plain(x), two, "absdiff", 0.0));
  twice.into(std::forward<X>(x), x);
  CHECK(arma::approx_equal(Plain(x), four, "absdiff", 0.0));
}

}  // namespace

TEST_CASE("signatures and layouts of Armadillo's types") {
  static_assert(std::is_same_v<spec_of<arma::fmat>, spec<float, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<arma::vec>, spec<double, dyn>> && std::is_same_v<spec_of<arma::frowvec>, spec<float, dyn>>);
  static_assert(std::is_same_v<spec_of<arma::umat>, spec<std::uint64_t, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<arma::cube>, spec<double, dyn, dyn, dyn>>);
  static_assert(std::is_same_v<spec_of<arma::fmat::fixed<2, 3>>, spec<float, 2, 3>>);
  static_assert(std::is_same_v<spec_of<arma::fmat::fixed<2, 1>>, spec<float, 2, 1>>);
  static_assert(std::is_same_v<spec_of<arma::vec::fixed<4>>, spec<double, 4>>);
  static_assert(std::is_same_v<spec_of<arma::rowvec::fixed<4>>, spec<double, 4>>);
  static_assert(std::is_same_v<spec_of<arma::cube::fixed<2, 3, 4>>, spec<double, dyn, dyn, dyn>>);
  static_assert(argument_layout<arma::fmat> == memory_layout::column_major);
  static_assert(argument_layout<arma::fcube> == memory_layout::column_major);
  static_assert(argument_layout<arma::mat::fixed<3, 3>> == memory_layout::column_major);
  static_assert(argument_layout<arma::vec> == memory_layout::row_major && argument_layout<arma::rowvec> == memory_layout::row_major);
  static_assert(argument_layout<arma::subview<float>> == memory_layout::strided);
  static_assert(argument_layout<arma::subview_cols<float>> == memory_layout::column_major);
  static_assert(argument_layout<arma::subview_col<float>> == memory_layout::row_major);
  static_assert(argument_layout<arma::subview_row<float>> == memory_layout::strided);
  static_assert(argument_layout<arma::diagview<float>> == memory_layout::strided);
}

TEST_CASE("matrices and vectors") {
  check<arma::fmat>(counted<arma::fmat>(5, 7));
  check<arma::mat>(arma::mat::fixed<3, 4>(counted<arma::mat>(3, 4)));
  check<arma::vec>(arma::vec(arma::linspace(0, 8, 9)));
  check<arma::frowvec>(arma::frowvec::fixed<3>{1, 2, 3});
  arma::umat u = counted<arma::umat>(2, 3);
  twice.into(u, u);
  CHECK(u(1, 2) == 24);
  arma::imat s = counted<arma::imat>(2, 3);
  CHECK(twice(s)(1, 2) == 24);
  CHECK(twice(arma::fmat(0, 3)).shape() == jig::shape{2, {0, 3}});
}

TEST_CASE("parts of matrices") {
  arma::fmat x = counted<arma::fmat>(6, 5);
  check<arma::fmat>(x.submat(1, 1, 3, 4));
  check<arma::fmat>(x.rows(2, 3));
  check<arma::fmat>(x.cols(1, 3));
  check<arma::fvec>(x.col(2));
  check<arma::frowvec>(x.row(2));
  check<arma::fvec>(x.diag());
  check<arma::fvec>(x.diag(1));
  const arma::fmat& constant = x;
  CHECK(same(arma::fmat(2 * x.rows(1, 2)), twice(constant.rows(1, 2))));
  arma::fvec v = arma::regspace<arma::fvec>(0, 9);
  check<arma::fvec>(v.subvec(2, 5));
  arma::frowvec r = arma::regspace<arma::frowvec>(0, 9);
  check<arma::frowvec>(r.subvec(2, 5));
}

TEST_CASE("cubes") {
  arma::cube x(3, 4, 5), y(3, 4, 5, arma::fill::zeros);
  for (arma::uword i = 0; i < x.n_elem; ++i) x(i) = static_cast<double>(i * i % 11);
  const auto expected = [&](auto& from, arma::uword i, arma::uword j, arma::uword k) {
    double sum = 0;
    for (arma::uword c = 0; c < from.n_cols; ++c) sum += from(i, c, k);
    return from(i, j, k) - sum;
  };
  const auto t = centred(x);
  centred.into(y, x);
  for (arma::uword i = 0; i < 3; ++i)
    for (arma::uword j = 0; j < 4; ++j)
      for (arma::uword k = 0; k < 5; ++k) {
        CHECK(t(i, j, k) == expected(x, i, j, k));
        CHECK(y(i, j, k) == expected(x, i, j, k));
      }
  y.zeros();
  const arma::cube part = x.subcube(1, 1, 1, 2, 3, 2);
  centred.into(y.subcube(1, 1, 1, 2, 3, 2), x.subcube(1, 1, 1, 2, 3, 2));
  CHECK(y(2, 3, 2) == expected(part, 1, 2, 1));
  CHECK(y(0, 0, 0) == 0);
  check<arma::mat>(x.slice(2));
}

TEST_CASE("products, beside Armadillo's sums") {
  const auto x = counted<arma::fmat>(9, 3), w = counted<arma::fmat>(3, 4);
  const arma::frowvec b = counted<arma::fmat>(1, 4).row(0);
  arma::fmat y(9, 4);
  affine.into(y, x, w, b);
  const auto t = affine(x, w, b);
  for (arma::uword i = 0; i < 9; ++i)
    for (arma::uword j = 0; j < 4; ++j) {
      float sum = b(j);
      for (arma::uword k = 0; k < 3; ++k) sum += x(i, k) * w(k, j);
      CHECK(y(i, j) == sum);
      CHECK(t(i, j) == sum);
    }
  arma::fmat small(2, 2);
  CHECK_THROWS_AS(affine.into(small, x, w, b), jig::invalid_argument);
}

TEST_CASE("what has no dense memory is refused by a sentence") {
  static_assert(!jig::Argument<arma::sp_fmat> && refusal<arma::sp_fmat>().find("sparse") != std::string_view::npos);
  static_assert(!jig::Argument<arma::cx_fmat> && refusal<arma::cx_fmat>().find("complex numbers") != std::string_view::npos);
  using sum = decltype(std::declval<arma::fmat&>() + std::declval<arma::fmat&>());
  static_assert(!jig::Argument<sum> && refusal<sum>().find("eval()") != std::string_view::npos);
  using turned = decltype(std::declval<arma::fmat&>().t());
  static_assert(!jig::Argument<turned> && refusal<turned>().find("eval()") != std::string_view::npos);
}

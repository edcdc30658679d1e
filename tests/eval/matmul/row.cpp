// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/row.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

// Elements that may not be written stand around the result.
template <class T, jig::index N, jig::index K>
void check_row() {
  constexpr auto n = static_cast<std::size_t>(N), k = static_cast<std::size_t>(K);
  std::vector<T> x(k), b(k * n), c(n + 2, T(77));
  for (std::size_t p = 0; p < k; ++p) x[p] = static_cast<T>(p % 7) - T(3);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(i * 5 % 23) - T(11);
  jig::detail::multiply_row<N, K>(x.data(), b.data(), c.data() + 1);
  int wrong = c[0] != T(77) || c[n + 1] != T(77);
  for (std::size_t j = 0; j < n; ++j) {
    T sum(0);  // small integers: every order gives it
    for (std::size_t p = 0; p < k; ++p) sum = static_cast<T>(sum + x[p] * b[p * n + j]);
    wrong += c[1 + j] != sum;
  }
  CAPTURE(N);
  CAPTURE(K);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("one row times a matrix, beside a plain loop: sums for each register, registers that overlap, groups of them") {
  check_row<float, 16, 1>();
  check_row<float, 16, 3>();
  check_row<float, 17, 8>();
  check_row<float, 32, 8>();
  check_row<float, 48, 5>();
  check_row<float, 64, 16>();
  check_row<float, 96, 33>();
  check_row<float, 128, 32>();
  check_row<float, 250, 9>();
  check_row<float, 263, 7>();
  check_row<float, 512, 3>();
  check_row<double, 8, 4>();
  check_row<double, 13, 70>();
  check_row<double, 130, 6>();
  check_row<std::uint32_t, 33, 11>();
}

TEST_CASE("which products these are, and that products beside them agree") {
  using jig::detail::is_row_product;
  static_assert(is_row_product<float, false, 1, 64, 16> && is_row_product<float, true, 1, 64, 1>);
  static_assert(!is_row_product<float, false, 2, 64, 16> && !is_row_product<float, true, 1, 64, 16>);
  static_assert(!is_row_product<float, false, 1, 7, 16> && !is_row_product<float, false, 1, 513, 16>);
  static_assert(!is_row_product<float, false, 1, 64, 513> && !is_row_product<std::uint8_t, false, 1, 64, 16>);
  constexpr auto product = jig::function<"product(x, w)">([](auto x, auto w) { return jig::matmul(x, w); });
  jig::tensor<float, 20, 40> w;
  for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i % 13) - 6;
  jig::tensor<float, 1, 20> x;
  for (jig::index p = 0; p < 20; ++p) x(0, p) = static_cast<float>(p % 5) - 2;
  const auto rows = product(jig::tensor<float, jig::dyn, 20>(x), w);  // the call knows that it is one
  const auto row = product(x, w);
  for (jig::index j = 0; j < 40; ++j) CHECK(row(0, j) == rows(0, j));
}

TEST_CASE("a row that is infinite, or not a number") {
  jig::tensor<float, 1, 3> x{{1, std::numeric_limits<float>::infinity(), 2}};
  jig::tensor<float, 3, 32> w;
  for (jig::index j = 0; j < 32; ++j) w(1, j) = j % 2 == 0 ? 0.0f : 1.0f;
  const auto y = jig::matmul(x, w);
  for (jig::index j = 0; j < 32; ++j) CHECK((j % 2 == 0 ? std::isnan(y(0, j)) : std::isinf(y(0, j))));
}

TEST_CASE("the result over the row: it is read before one group of registers is written, not before several are") {
  static constexpr auto times = jig::function<"times(x, w)">([](auto x, auto w) { return jig::matmul(x, w); });
  const auto over = []<jig::index N>(std::integral_constant<jig::index, N>) {
    jig::tensor<float, 1, N> x;
    jig::tensor<float, N, N> w;
    for (jig::index i = 0; i < N; ++i) x(0, i) = static_cast<float>(i % 4), w(i, (i + 1) % N) = 2;
    const auto expected = x;
    times.into(x, x, w);
    int wrong = 0;
    for (jig::index i = 0; i < N; ++i) wrong += x(0, (i + 1) % N) != 2 * expected(0, i);
    CHECK(wrong == 0);
  };
  over(std::integral_constant<jig::index, 24>());
  over(std::integral_constant<jig::index, 300>());
}

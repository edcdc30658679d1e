// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

template <class T>
T element(jig::index i) {
  return static_cast<T>(i * 7 % 101 - 50);
}
template <class X>
void fill(X& x) {
  using T = std::remove_cvref_t<decltype(*x.data())>;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = element<T>(i);
}

// transpose(x) * 2 + y and x over a matrix of Rows x Columns, with static extents and with those of a call.
template <class T, jig::index Rows, jig::index Columns>
void check() {
  static constexpr auto f = jig::function([](auto x, auto y) { return jig::transpose(x) * 2 + y; });
  jig::tensor<T, Rows, Columns> x;
  jig::tensor<T, Columns, Rows> y;
  fill(x);
  fill(y);
  const auto expected = [&](jig::index i, jig::index j) { return static_cast<T>(x.data()[j * Columns + i] * 2 + y.data()[i * Rows + j]); };
  const auto agrees = [&](const T* z) {
    bool same = true;
    for (jig::index i = 0; i < Columns; ++i)
      for (jig::index j = 0; j < Rows; ++j) same = same && z[i * Rows + j] == expected(i, j);
    return same;
  };
  const auto z = f(x, y);
  CHECK(agrees(z.data()));

  jig::tensor<T, jig::dyn, jig::dyn> a(jig::uninitialized, jig::shape{2, {Rows, Columns}}),
      b(jig::uninitialized, jig::shape{2, {Columns, Rows}});
  fill(a);
  fill(b);
  const auto c = f(a, b);
  CHECK(agrees(c.data()));

  // On top of the operand that it reads at the same places.
  jig::tensor<T, Columns, Rows> in_place = y;
  f.into(in_place, x, in_place);
  CHECK(agrees(in_place.data()));
}

template <class T>
void check_extents() {
  check<T, 16, 16>();
  check<T, 32, 16>();
  check<T, 17, 33>();
  check<T, 15, 47>();
  check<T, 64, 9>();
  check<T, 7, 64>();
  check<T, 100, 1>();
}

}  // namespace

TEST_CASE("matrices that are read across are transposed in squares of registers") {
  check_extents<float>();
  check_extents<double>();
  check_extents<std::int32_t>();
  check<std::int64_t, 20, 20>();
  check<std::uint8_t, 70, 70>();
  check<std::int16_t, 40, 33>();
}

TEST_CASE("all orders of three axes") {
  jig::tensor<float, 18, 20, 35> x;
  fill(x);
  const auto at = [&](jig::index i, jig::index j, jig::index k) { return x.data()[(i * 20 + j) * 35 + k]; };
  const auto turned = jig::function([](auto v) { return jig::transpose(v) + 1; })(x);
  const auto last = jig::function([](auto v) { return jig::transpose<0, 2, 1>(v) + 1; })(x);
  const auto first = jig::function([](auto v) { return jig::transpose<2, 0, 1>(v) * jig::transpose<2, 0, 1>(v); })(x);
  bool same = true;
  for (jig::index i = 0; i < 18; ++i)
    for (jig::index j = 0; j < 20; ++j)
      for (jig::index k = 0; k < 35; ++k) {
        same = same && turned.data()[(k * 20 + j) * 18 + i] == at(i, j, k) + 1;
        same = same && last.data()[(i * 35 + k) * 20 + j] == at(i, j, k) + 1;
        same = same && first.data()[(k * 18 + i) * 20 + j] == at(i, j, k) * at(i, j, k);
      }
  CHECK(same);
}

namespace {

// Runs blocks from the last one to the first one.
jig::index blocks_run = 0;
void run_backwards(jig::index blocks, jig::detail::parallel_work run, void* work) {
  for (jig::index b = blocks; b-- > 0; ++blocks_run) run(work, b);
}
constexpr jig::detail::parallel_runner backwards{&run_backwards};
// How many blocks a transpose runs in where blocks are shared.
template <jig::index... E, class F>
jig::index blocks_of(F f, jig::index rows) {
  jig::tensor<float, E...> x(jig::uninitialized, {sizeof...(E), {rows, 301}});
  fill(x);
  const auto expected = f(x);
  blocks_run = 0;
  jig::detail::current_parallel_runner = &backwards;
  const auto y = f(x);
  jig::detail::current_parallel_runner = nullptr;
  bool same = true;
  for (jig::index i = 0; i < x.size(); ++i) same = same && y.data()[i] == expected.data()[i];
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index k = 0; k < 301; ++k) same = same && y.data()[k * rows + i] == x.data()[i * 301 + k] * 2;
  CHECK(same);
  return blocks_run;
}

}  // namespace

TEST_CASE("large ones are shared in blocks of whole squares, small ones are not") {
  constexpr auto turned = jig::function([](auto x) { return jig::transpose(x) * 2; });
  // The first axis has 301 places, of which a block takes 149 or 40, and as many more as make whole squares.
  CHECK(blocks_of<220, 301>(turned, 220) ==
        301 / ((149 + jig::simd::lanes<float> - 1) / jig::simd::lanes<float> * jig::simd::lanes<float>));
  CHECK(blocks_of<jig::dyn, 301>(turned, 820) ==
        301 / ((40 + jig::simd::lanes<float> - 1) / jig::simd::lanes<float> * jig::simd::lanes<float>));
  CHECK(blocks_of<200, 301>(turned, 200) == 0);
  CHECK(blocks_of<jig::dyn, 301>(turned, 7) == 0);
}

TEST_CASE("short rows of powers of two come by turns, others do not") {
  const auto check_rows = []<jig::index N>(std::integral_constant<jig::index, N>) {
    jig::tensor<float, 3, N, 70> x;
    fill(x);
    const auto y = jig::function([](auto v) { return jig::transpose<0, 2, 1>(v) - 1; })(x);
    bool same = true;
    for (jig::index i = 0; i < 3; ++i)
      for (jig::index k = 0; k < 70; ++k)
        for (jig::index n = 0; n < N; ++n) same = same && y.data()[(i * 70 + k) * N + n] == x.data()[(i * N + n) * 70 + k] - 1;
    CHECK(same);
  };
  check_rows(std::integral_constant<jig::index, 2>());
  check_rows(std::integral_constant<jig::index, 3>());
  check_rows(std::integral_constant<jig::index, 4>());
  check_rows(std::integral_constant<jig::index, 8>());
  check_rows(std::integral_constant<jig::index, 9>());
  check_rows(std::integral_constant<jig::index, 16>());
}

TEST_CASE("squares at the edges keep what is special") {
  jig::tensor<double, 13, 21> x;
  fill(x);
  x.data()[0] = std::numeric_limits<double>::quiet_NaN();
  x.data()[12 * 21 + 20] = std::numeric_limits<double>::infinity();
  x.data()[12 * 21] = -0.0;
  const auto y = jig::function([](auto v) { return -jig::transpose(v); })(x);
  CHECK(std::isnan(y.data()[0]));
  CHECK(y.data()[20 * 13 + 12] == -std::numeric_limits<double>::infinity());
  CHECK(!std::signbit(y.data()[12]));
}

TEST_CASE("squares are for axes that are long in this call") {
  constexpr auto f = jig::function([](auto x) { return jig::transpose<0, 2, 1>(x) * 2 + 1; });
  const auto check = [&]<class T>(T) {
    int wrong = 0;
    for (jig::index rows : {1, 2, 3, 4, 7, 8, 9, 16, 17, 40})
      for (jig::index columns : {1, 3, 4, 5, 8, 15, 16, 33, 70}) {
        jig::tensor<T, jig::dyn, jig::dyn, jig::dyn> x(jig::uninitialized, jig::shape{3, {2, rows, columns}});
        for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 101);
        const auto y = f(x);
        for (jig::index b = 0; b < 2; ++b)
          for (jig::index i = 0; i < rows; ++i)
            for (jig::index j = 0; j < columns; ++j) wrong += y(b, j, i) == static_cast<T>(x(b, i, j) * 2 + 1) ? 0 : 1;
      }
    CHECK(wrong == 0);
  };
  check(float());
  check(double());
  check(std::uint8_t());
}

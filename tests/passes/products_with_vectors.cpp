// SPDX-License-Identifier: MIT
#include <jig/passes/products_with_vectors.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

using jig::dyn, jig::spec;

namespace {

// Whether a product of two operands is a sum in the graph that runs.
template <class F, class... S>
constexpr bool is_sum(F f, S... specs) {
  const auto c = jig::function(f).get_concrete_function(specs...);
  return c.lowered_graph().count("MatMul") + c.lowered_graph().count("BatchMatMulV2") == 0 && c.lowered_graph().count("Sum") == 1;
}
constexpr auto product = [](auto a, auto b) { return jig::matmul(a, b); };
constexpr auto transposed = [](auto a, auto b) { return jig::matmul(a, b, jig::transpose_a); };
constexpr auto of_rows = [](auto a, auto b) { return jig::matmul(a, b, jig::transpose_b); };

static_assert(is_sum(product, spec<float, 100, 8>(), spec<float, 8>()));
static_assert(is_sum(product, spec<float, dyn, 8>(), spec<float, 8>()));
static_assert(is_sum(product, spec<std::int32_t, 100, 8>(), spec<std::int32_t, 8, 1>()));
// Rows of 2 to 32 numbers.
static_assert(!is_sum(product, spec<float, 100, 1>(), spec<float, 1>()));
static_assert(is_sum(product, spec<float, 100, 2>(), spec<float, 2>()));
static_assert(is_sum(product, spec<float, 100, 32>(), spec<float, 32>()));
static_assert(!is_sum(product, spec<float, 100, 33>(), spec<float, 33>()));
// Matrices of 32 numbers and more.
static_assert(is_sum(product, spec<float, 8, 4>(), spec<float, 4>()));
static_assert(!is_sum(product, spec<float, 7, 4>(), spec<float, 4>()));
// A product checks lengths that only the call knows.
static_assert(!is_sum(product, spec<float, 100, dyn>(), spec<float, 8>()));
static_assert(!is_sum(product, spec<float, 100, dyn>(), spec<float, dyn>()));
// A row of results has its lanes along the matrix that lies so; other rows are sums.
static_assert(!is_sum(product, spec<float, 8>(), spec<float, 8, 100>()));
static_assert(is_sum(of_rows, spec<float, 1, 8>(), spec<float, 100, 8>()));
static_assert(is_sum(transposed, spec<float, 8, 100>(), spec<float, 8, 1>()));
static_assert(!is_sum(product, spec<float, 100, 8>(), spec<float, 8, 2>()));
static_assert(!is_sum(product, spec<jig::half, 100, 8>(), spec<jig::half, 8>()));
static_assert(is_sum(product, spec<float, dyn, 10, 8>(), spec<float, dyn, 8, 1>()));
static_assert(is_sum(product, spec<float, 3, dyn, 8>(), spec<float, 8, 1>()));

template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = seed;
  for (auto& e : x) e = static_cast<T>((i += 7) % 19 - 9);
  return x;
}
// Products of M rows of K numbers with a vector, in every spelling; whole numbers, so that sums are exact in any order.
template <class T, jig::index M, jig::index K, class... N>
void check(jig::index m, N... n) {
  const auto a = numbers<T, M, K>(1, n...);
  const auto v = numbers<T, K>(2);
  const auto column = jig::function([](auto x) { return jig::expand_dims<1>(x); })(v);
  const auto across = jig::function([](auto x) { return jig::transpose(x) + 0; })(a);
  const auto by_vector = jig::function(product)(a, v);
  const auto by_column = jig::function(product)(a, column);
  const auto from_columns = jig::function(transposed)(across, column);
  const auto row = jig::function([](auto x, auto y) { return jig::matmul(y, jig::transpose(x)); })(a, v);
  const auto more = jig::function([](auto x, auto y) { return jig::relu(jig::matmul(jig::abs(x), y) + 1); })(a, v);
  int wrong = 0;
  for (jig::index i = 0; i < m; ++i) {
    T sum = 0, of_abs = 1;
    for (jig::index k = 0; k < K; ++k) {
      sum += a(i, k) * v(k);
      of_abs += static_cast<T>(std::abs(a(i, k))) * v(k);
    }
    wrong += by_vector(i) != sum;
    wrong += by_column(i, 0) != sum;
    wrong += from_columns(i, 0) != sum;
    wrong += row(i) != sum;
    wrong += more(i) != (of_abs > 0 ? of_abs : T());
  }
  CHECK(wrong == 0);
}
template <class T, jig::index K>
void check_rows() {
  check<T, 37, K>(37);
  for (jig::index m : {0, 1, 2, 3, 15, 16, 17, 40, 130}) check<T, dyn, K>(m, m);
}

}  // namespace

TEST_CASE("matrices by vectors, beside loops") {
  check_rows<float, 2>();
  check_rows<float, 3>();
  check_rows<float, 8>();
  check_rows<float, 17>();
  check_rows<float, 32>();
  check_rows<float, 33>();
  check_rows<double, 5>();
  check_rows<double, 8>();
  check_rows<std::int32_t, 3>();
  check_rows<std::int32_t, 16>();
  // Few rows: 32 numbers and more, and fewer.
  check<float, 4, 8>(4);
  check<float, 3, 8>(3);
}
TEST_CASE("batches of matrices by vectors") {
  const auto a = numbers<float, dyn, 5, 6>(1, 7);
  const auto v = numbers<float, dyn, 6, 1>(2, 7), one = numbers<float, dyn, 6, 1>(3, 1);
  const auto w = numbers<float, dyn, 1, 6>(4, 7);
  const auto many = jig::function(product)(a, v), shared = jig::function(product)(a, one);
  const auto rows = jig::function(of_rows)(w, a);
  int wrong = 0;
  for (jig::index b = 0; b < 7; ++b)
    for (jig::index i = 0; i < 5; ++i) {
      float x = 0, y = 0, z = 0;
      for (jig::index k = 0; k < 6; ++k) {
        x += a(b, i, k) * v(b, k, 0);
        y += a(b, i, k) * one(0, k, 0);
        z += a(b, i, k) * w(b, 0, k);
      }
      wrong += many(b, i, 0) != x;
      wrong += shared(b, i, 0) != y;
      wrong += rows(b, 0, i) != z;
    }
  CHECK(wrong == 0);
}

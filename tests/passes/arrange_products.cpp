// SPDX-License-Identifier: MIT
#include <jig/passes/arrange_products.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <random>

using jig::dyn, jig::matmul, jig::transpose;

namespace {

// Whole numbers, whose sums are exact in every order.
template <class T, jig::index... E, class... N>
auto whole(unsigned seed, N... n) {
  auto x = jig::zeros<T, E...>(static_cast<jig::index>(n)...);
  std::mt19937 random(seed);
  for (auto& e : x) e = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return x;
}

// A copy with the last two axes exchanged.
template <class T, jig::index B, jig::index M, jig::index N>
auto exchanged(const jig::tensor<T, B, M, N>& x) {
  auto y = jig::zeros<T, dyn, dyn, dyn>(x.extent(0), x.extent(2), x.extent(1));
  for (jig::index b = 0; b < x.extent(0); ++b)
    for (jig::index i = 0; i < x.extent(1); ++i)
      for (jig::index j = 0; j < x.extent(2); ++j) y(b, j, i) = x(b, i, j);
  return y;
}

// An element of the product of two matrices of a batch.
template <class X, class Y>
double dot(const X& x, const Y& y, jig::index b, jig::index i, jig::index j, jig::index k) {
  double sum = 0;
  for (jig::index p = 0; p < k; ++p) sum += static_cast<double>(x(b, i, p)) * static_cast<double>(y(b, p, j));
  return sum;
}

template <class F, class... S>
constexpr auto lowered(F, S...) {
  constexpr auto f = jig::function(F());
  return f.get_concrete_function(S()...).lowered_graph();
}
constexpr bool is_op_last(const jig::graph_view& g, std::string_view name) { return g.node(g.outputs()[0].node).op() == name; }

}  // namespace

TEST_CASE("a product reads transposed what was transposed for it") {
  constexpr auto right = [](auto a, auto b) { return matmul(a, transpose(b)); };
  constexpr auto left = [](auto a, auto b) { return matmul(transpose<1, 0>(a), b); };
  constexpr auto both = [](auto a, auto b) { return matmul(transpose(a), transpose(b), jig::transpose_b); };
  using s = jig::spec<double, 3, 3>;
  static_assert(lowered(right, s(), s()).count("Transpose") == 0 && lowered(left, s(), s()).count("Transpose") == 0);
  static_assert(lowered(both, s(), s()).count("Transpose") == 0);
  static_assert(
      lowered([](auto a, auto b) { return matmul(a, transpose<0, 2, 1>(b)); }, jig::spec<float, dyn, 4, 4>(), jig::spec<float, dyn, 4, 4>())
          .count("Transpose") == 0);
  // Other axes change places, or somebody else reads the transpose.
  static_assert(
      lowered([](auto a, auto b) { return matmul(a, transpose<1, 0, 2>(b)); }, jig::spec<float, 4, 4, 4>(), jig::spec<float, 4, 4, 4>())
          .count("Transpose") == 1);
  static_assert(lowered(
                    [](auto a, auto b) {
                      auto t = transpose(b);
                      return std::tuple(matmul(a, t), t);
                    },
                    s(), s())
                    .count("Transpose") == 1);
}

TEST_CASE("a product writes what was the transpose of its result") {
  using s = jig::spec<float, 5, 6, 7>;
  using t = jig::spec<float, 5, 7, 8>;
  // Batches go where they belong, which plain products do not.
  constexpr auto rows = lowered([](auto a, auto b) { return transpose<1, 0, 2>(matmul(a, b)); }, s(), t());
  static_assert(rows.count("Transpose") == 0 && rows.count("Identity") == 0 && is_op_last(rows, "BatchMatMulArranged"));
  // Columns come last when the operands change places.
  constexpr auto columns = lowered([](auto a, auto b) { return transpose<0, 2, 1>(matmul(a, b)); }, s(), t());
  static_assert(columns.count("Transpose") == 0 && columns.count("Identity") == 0 && is_op_last(columns, "BatchMatMulV2"));
  constexpr auto matrix =
      lowered([](auto a, auto b) { return transpose(matmul(a, b)); }, jig::spec<float, 2, 3>(), jig::spec<float, 3, 4>());
  static_assert(matrix.count("Transpose") == 0 && matrix.count("Identity") == 0 && is_op_last(matrix, "MatMul"));
  // Rows would not lie in memory one element beside another.
  static_assert(lowered([](auto a, auto b) { return transpose<1, 2, 0>(matmul(a, b)); }, s(), t()).count("Transpose") == 1);
  // The product itself is read too.
  static_assert(lowered(
                    [](auto a, auto b) {
                      auto p = matmul(a, b);
                      return std::tuple(p, transpose<1, 0, 2>(p));
                    },
                    s(), t())
                    .count("Transpose") == 1);
}

template <class T, jig::index B, jig::index M, jig::index N, jig::index K>
void check_arranged() {
  constexpr bool dynamic = B == dyn;
  for (jig::index count : {1, 2, 9}) {
    if (!dynamic && count != B) continue;
    for (jig::index more : {0, 1, 60}) {
      if (M != dyn && more != 0) continue;
      const jig::index m = M == dyn ? 5 + more : M;
      const auto a = whole<T, dyn, dyn, K>(1, count, m);
      const auto b = whole<T, dyn, K, N>(2, count);
      const auto at = exchanged(a);
      const auto bt = exchanged(b);
      const jig::view<jig::row_major<const T>, B, M, K> va(a.data(), a.shape());
      const jig::view<jig::row_major<const T>, B, K, M> vat(at.data(), at.shape());
      const jig::view<jig::row_major<const T>, B, K, N> vb(b.data(), b.shape());
      const jig::view<jig::row_major<const T>, B, N, K> vbt(bt.data(), bt.shape());
      static constexpr auto rows = jig::function([](auto x, auto y) { return transpose<1, 0, 2>(matmul(x, y)); });
      static constexpr auto turned =
          jig::function([](auto x, auto y) { return transpose<1, 0, 2>(matmul(x, y, jig::transpose_a, jig::transpose_b)); });
      static constexpr auto columns = jig::function([](auto x, auto y) { return transpose<2, 0, 1>(matmul(x, transpose<0, 2, 1>(y))); });
      static constexpr auto plain = jig::function([](auto x, auto y) { return transpose<0, 2, 1>(matmul(x, y)); });
      const auto y0 = rows(va, vb);
      const auto y1 = turned(vat, vbt);
      const auto y2 = columns(va, vbt);
      const auto y3 = plain(va, vb);
      int wrong = 0;
      for (jig::index c = 0; c < count; ++c)
        for (jig::index i = 0; i < m; ++i)
          for (jig::index j = 0; j < N; ++j) {
            const T exact = static_cast<T>(dot(a, b, c, i, j, K));
            wrong += y0(i, c, j) != exact || y1(i, c, j) != exact || y2(j, c, i) != exact || y3(c, j, i) != exact;
          }
      CHECK(wrong == 0);
    }
  }
}

// The order of the axes is part of the op.
TEST_CASE("a permutation has to name every axis once") {
  const jig::index both[] = {0, 0}, more[] = {0, 1, 2}, exchanged_axes[] = {1, 0};
  const auto result_of = [](jig::stretch<jig::index> order) {
    const jig::index no = 0;
    const jig::attribute_view with[] = {{"transpose_a", jig::attribute_kind::boolean, {&no, 1}, {}, {}},
                                        {"transpose_b", jig::attribute_kind::boolean, {&no, 1}, {}, {}},
                                        {"perm", jig::attribute_kind::integers, order, {}, {}}};
    const jig::tensor_spec in[] = {{jig::dtype::float32, {2, {2, 3}}}, {jig::dtype::float32, {2, {3, 4}}}};
    jig::rule_context c{.inputs = in, .attributes = with};
    jig::ops::arranged_batch_matmul.rule(c);
    return c;
  };
  CHECK(result_of(both).failed);
  CHECK(result_of(more).failed);
  const auto right = result_of(exchanged_axes);
  CHECK(!right.failed);
  CHECK(right.result.shape == jig::shape{2, {4, 2}});
}

TEST_CASE("values of products whose results are arranged") {
  check_arranged<double, 2, 3, 3, 3>();
  check_arranged<double, dyn, 4, 4, 4>();
  check_arranged<float, 9, 4, 4, 4>();
  check_arranged<float, dyn, 17, 5, 9>();
  check_arranged<double, dyn, dyn, 10, 10>();
  check_arranged<float, dyn, dyn, 16, 28>();  // more than registers hold beside their sums
  check_arranged<std::int32_t, dyn, dyn, 3, 4>();
  check_arranged<std::uint8_t, 2, 5, 7, 3>();
  check_arranged<double, dyn, 40, 70, 3>();
}

TEST_CASE("rows of many products lie between each other") {
  // More rows than stay in the cache at a time.
  static constexpr auto f = jig::function([](auto a, auto x) { return jig::einsum<"kij,nkj->nki">(a, x); });
  const auto a = whole<double, 3, 10, 10>(3);
  for (jig::index n : {1, 7, 31, 600, 1700}) {
    const auto x = whole<double, dyn, 3, 10>(4, n);
    const auto y = f(a, x);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < 3; ++k)
        for (jig::index j = 0; j < 10; ++j) {
          double sum = 0;
          for (jig::index p = 0; p < 10; ++p) sum += a(k, j, p) * x(i, k, p);
          wrong += y(i, k, j) != sum;
        }
    CHECK(wrong == 0);
  }
}

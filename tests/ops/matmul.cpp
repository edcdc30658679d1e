// SPDX-License-Identifier: MIT
#include <jig/ops/matmul.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn, jig::dyn> matrix(jig::index rows, jig::index columns, int seed) {
  jig::tensor<T, jig::dyn, jig::dyn> m(jig::uninitialized, {2, {rows, columns}});
  for (jig::index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<T>((i * 7 + seed) % 13 - 6);
  return m;
}

// Small integers: every order of summation gives the same.
template <class T>
void check(const auto& a, const auto& b, const auto& c) {
  REQUIRE(c.shape() == jig::shape{2, {a.extent(0), b.extent(1)}});
  // Unsigned: integers wrap.
  using wide = std::conditional_t<std::is_floating_point_v<T>, T, std::uint64_t>;
  bool same = true;
  for (jig::index i = 0; i < a.extent(0); ++i)
    for (jig::index j = 0; j < b.extent(1); ++j) {
      T sum = 0;
      for (jig::index k = 0; k < a.extent(1); ++k)
        sum = static_cast<T>(static_cast<wide>(sum) + static_cast<wide>(a(i, k)) * static_cast<wide>(b(k, j)));
      same = same && c(i, j) == sum;
    }
  CHECK(same);
}

}  // namespace

TEST_CASE_TEMPLATE("products of every small size, at once and in a trace", T, float, double, std::int32_t, std::int8_t) {
  constexpr auto f = jig::function<"f(a, b)">([](auto a, auto b) { return jig::matmul(a, b); });
  for (jig::index m : {0, 1, 5, 67})
    for (jig::index k : {0, 1, 5, 67})
      for (jig::index n : {0, 1, 5, 67}) {
        CAPTURE(m);
        CAPTURE(k);
        CAPTURE(n);
        auto a = matrix<T>(m, k, 1), b = matrix<T>(k, n, 2);
        check<T>(a, b, f(a, b));
        // The kernels are the same.
        if constexpr (std::is_same_v<T, float>) check<T>(a, b, jig::matmul(a, b));
      }
}

TEST_CASE("transposed operands are read in place") {
  constexpr auto f = jig::function<"f(a, at, b, bt)">([](auto a, auto at, auto b, auto bt) {
    return std::tuple(jig::matmul(at, b, jig::transpose_a), jig::matmul(a, bt, jig::transpose_b),
                      jig::matmul(at, bt, jig::transpose_a, jig::transpose_b));
  });
  for (auto [m, k, n] : {std::tuple(1, 1, 1), std::tuple(3, 4, 5), std::tuple(17, 33, 9)}) {
    auto a = matrix<float>(m, k, 1), b = matrix<float>(k, n, 2);
    auto at = matrix<float>(k, m, 0), bt = matrix<float>(n, k, 0);
    for (jig::index i = 0; i < m; ++i)
      for (jig::index j = 0; j < k; ++j) at(j, i) = a(i, j);
    for (jig::index i = 0; i < k; ++i)
      for (jig::index j = 0; j < n; ++j) bt(j, i) = b(i, j);
    auto [first, second, both] = f(a, at, b, bt);
    check<float>(a, b, first);
    check<float>(a, b, second);
    check<float>(a, b, both);
    jig::view<const float, jig::dyn, jig::dyn> turned(at.data(), {m, k}, {1, m});
    check<float>(a, b, jig::matmul(turned, b));
  }
}

TEST_CASE("static shapes, and which node it is") {
  using jig::spec;
  constexpr auto turned =
      jig::function<"f(a)">([](auto a) { return std::tuple(jig::matmul(a, a, jig::transpose_b), jig::matmul(a, a, jig::transpose_a)); });
  static_assert(std::is_same_v<decltype(turned.get_concrete_function(spec<float, 2, 3>{}))::output_spec,
                               std::tuple<spec<float, 2, 2>, spec<float, 3, 3>>>);
  constexpr auto f = jig::function<"f(a, b)">([](auto a, auto b) { return jig::matmul(a, b); });
  constexpr auto plain = f.get_concrete_function(spec<float, 2, 3>{}, spec<float, 3, jig::dyn>{});
  static_assert(std::is_same_v<decltype(plain)::output_spec, spec<float, 2, jig::dyn>>);
  static_assert(plain.graph().count("MatMul") == 1 && plain.graph().count("BatchMatMulV2") == 0);
  constexpr auto batched = f.get_concrete_function(spec<float, 5, 2, 3>{}, spec<float, 3, 4>{});
  static_assert(std::is_same_v<decltype(batched)::output_spec, spec<float, 5, 2, 4>>);
  static_assert(batched.graph().count("BatchMatMulV2") == 1 && batched.graph().flops() == 2 * 5 * 2 * 4 * 3);
  jig::tensor<int, 2, 2> x{{1, 1}, {1, 0}};
  CHECK(jig::matmul(jig::matmul(x, x), x)(0, 0) == 3);
}

TEST_CASE("batches broadcast") {
  jig::tensor<double, 2, 1, 3, 4> a;
  jig::tensor<double, 5, 4, 2> b;
  for (int i = 0; i < 24; ++i) a.data()[i] = i % 7 - 3;
  for (int i = 0; i < 40; ++i) b.data()[i] = i % 5 - 2;
  auto c = jig::matmul(a, b);
  static_assert(std::is_same_v<decltype(c), jig::tensor<double, 2, 5, 3, 2>>);
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 5; ++q)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j) {
          double sum = 0;
          for (int k = 0; k < 4; ++k) sum += a(p, 0, i, k) * b(q, k, j);
          CHECK(c(p, q, i, j) == sum);
        }
}

TEST_CASE("integers wrap; NaN and infinity are products as any") {
  jig::tensor<std::int8_t, 1, 2> x{{100, 100}};
  CHECK(jig::matmul(x, x, jig::transpose_b)(0, 0) == static_cast<std::int8_t>(20000));
  const float inf = std::numeric_limits<float>::infinity();
  jig::tensor<float, 1, 2> row{{inf, 0}};
  CHECK(jig::matmul(row, jig::tensor<float, 2, 1>{{2}, {1}})(0, 0) == inf);
  CHECK(std::isnan(jig::matmul(row, jig::tensor<float, 2, 1>{{0}, {1}})(0, 0)));
  CHECK(std::isnan(jig::matmul(row, jig::tensor<float, 2, 1>{{1}, {inf}})(0, 0)));
}

TEST_CASE("extents that only the call knows are checked there") {
  auto a = matrix<float>(2, 3, 1), b = matrix<float>(4, 5, 1);
  CHECK_THROWS_WITH_AS((void)jig::matmul(a, b), "MatMul: inner extents differ: float32 (2, 3) and float32 (4, 5)", jig::invalid_argument);
}

TEST_CASE("a product feeds what follows, and follows what feeds it") {
  constexpr auto f = jig::function<"f(x, w, b)">([](auto x, auto w, auto b) { return jig::maximum(jig::matmul(x * 2, w) + b, 0); });
  auto x = matrix<float>(4, 3, 1), w = matrix<float>(3, 5, 2);
  std::vector<float> b{1, 2, 3, 4, 5};
  auto r = f(x, w, b);
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 5; ++j) {
      float sum = b[static_cast<std::size_t>(j)];
      for (jig::index k = 0; k < 3; ++k) sum += 2 * x(i, k) * w(k, j);
      CHECK(r(i, j) == (sum > 0 ? sum : 0));
    }
}

TEST_CASE("a gradient does not sum along an axis whose extent is known on one side only") {
  constexpr auto f = jig::function([](auto x, auto a) {
    auto y = jig::matmul(x, a);
    return jig::gradient(jig::reduce_sum(y * y), x);
  });
  jig::tensor<float, jig::dyn, 9> x(jig::uninitialized, {2, {5, 9}});
  jig::tensor<float, jig::dyn, 3> a(jig::uninitialized, {2, {9, 3}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7 % 9 - 4);
  for (jig::index i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 5 % 7 - 3);
  const auto g = f(x, a);
  for (jig::index i = 0; i < 5; ++i)
    for (jig::index k = 0; k < 9; ++k) {
      float expected = 0;
      for (jig::index j = 0; j < 3; ++j)
        for (jig::index p = 0; p < 9; ++p) expected += 2 * x(i, p) * a(p, j) * a(k, j);
      CHECK(g(i, k) == expected);
    }
}

TEST_CASE("vectors are rows in first place and columns in second place") {
  const auto product = jig::function<"product(x, y)">([](auto x, auto y) { return jig::matmul(x, y); });
  for (jig::index m : {0, 1, 3, 17})
    for (jig::index k : {0, 1, 5, 33}) {
      const auto a = matrix<double>(m, k, 1), b = matrix<double>(k, m, 2);
      jig::tensor<double, jig::dyn> v(k);
      for (jig::index i = 0; i < k; ++i) v(i) = static_cast<double>(i % 5 - 2);
      const auto av = product(a, v), vb = product(v, b);
      static_assert(decltype(av)::rank() == 1 && decltype(vb)::rank() == 1);
      REQUIRE(av.size() == m);
      REQUIRE(vb.size() == m);
      int wrong = 0;
      double all = 0;
      for (jig::index i = 0; i < m; ++i) {
        double row = 0, column = 0;
        for (jig::index j = 0; j < k; ++j) {
          row += a(i, j) * v(j);
          column += v(j) * b(j, i);
        }
        wrong += av(i) != row || vb(i) != column;
      }
      for (double e : v) all += e * e;
      CHECK(wrong == 0);
      CHECK(product(v, v)() == all);
    }
  using jig::spec;
  const auto shape_of = [&]<class A, class B>(A a, B b) {
    return decltype(product.get_concrete_function(a, b))::output_spec::value().shape;
  };
  CHECK(shape_of(spec<float, 4, 2, 3>(), spec<float, 3>()) == jig::shape{2, {4, 2}});
  CHECK(shape_of(spec<float, 3>(), spec<float, 4, 3, 5>()) == jig::shape{2, {4, 5}});
  CHECK(shape_of(spec<float, 3>(), spec<float, 3>()) == jig::shape{});
  // One that is read transposed by request is a matrix still.
  const auto turned = jig::function([](auto x, auto y) { return jig::matmul(x, y, jig::transpose_a); });
  const jig::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  const jig::tensor<float, 2> v{1, 10};
  CHECK(turned(a, v)(2) == 63);
  const auto loss = jig::function([](auto x, auto y) { return jig::reduce_sum(jig::matmul(x, y)); });
  const auto slope = jig::grad<1>(loss)(a, jig::tensor<float, 3>{1, 1, 1});
  CHECK(slope(0) == 5);
  CHECK(slope(2) == 9);
}

TEST_CASE("vectors of the run") {
  const auto product = jig::function<"product(x, y)">([](auto x, auto y) { return jig::matmul(x, y); });
  const jig::any_tensor a = jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}, v = jig::tensor<float, 3>{1, 10, 100},
                        w = jig::tensor<float, 2>{1, 10};
  CHECK(product(a, v).shape() == jig::shape{1, {2}});
  CHECK(product(a, v).as<float>()(1) == 654);
  CHECK(product(w, a).as<float>()(2) == 63);
  CHECK(product(v, v).as<float>()() == 10101);
  CHECK_THROWS_AS(product(a, w), jig::invalid_argument);
  CHECK_THROWS_AS(product(a, 2.0f), jig::invalid_argument);
}

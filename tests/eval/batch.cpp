// SPDX-License-Identifier: MIT
#include <jig/eval/batch.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

namespace {

using jig::dyn;

template <class T, jig::index... E>
jig::tensor<T, dyn, E...> numbers(jig::index n, int seed) {
  jig::tensor<T, dyn, E...> x(jig::uninitialized, {1 + sizeof...(E), {n, E...}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + seed) % 5 - 2);
  return x;
}

// The lengths of batches: none, one, around what kernels take at a time and what runs together.
constexpr jig::index lengths[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 48, 63, 64, 65, 128, 129, 300};

// The elements of (a b + c) v for each item.
template <class T, int M, int N, int K>
T chained(const T* a, const T* b, const T* c, const T* v, int row) {
  T out = 0;
  for (int j = 0; j < N; ++j) {
    T sum = c[row * N + j];
    for (int k = 0; k < K; ++k) sum = static_cast<T>(sum + a[row * K + k] * b[k * N + j]);
    out = static_cast<T>(out + sum * v[j]);
  }
  return out;
}

constexpr auto chain = jig::function([](auto a, auto b, auto c, auto v) { return jig::matmul(jig::matmul(a, b) + c, v); });

template <class T, int M, int N, int K>
void check_chain() {
  for (jig::index n : lengths) {
    CAPTURE(n);
    auto a = numbers<T, M, K>(n, 1);
    auto b = numbers<T, K, N>(n, 2);
    auto c = numbers<T, M, N>(n, 3);
    auto v = numbers<T, N, 1>(n, 4);
    auto out = chain(a, b, c, v);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i)
      for (int row = 0; row < M; ++row)
        wrong += out.data()[i * M + row] !=
                 chained<T, M, N, K>(a.data() + i * M * K, b.data() + i * K * N, c.data() + i * M * N, v.data() + i * N, row);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("chains of products of small matrices") {
  check_chain<float, 3, 3, 3>();
  check_chain<float, 4, 4, 4>();
  check_chain<float, 5, 5, 5>();
  check_chain<std::int8_t, 5, 3, 4>();
  check_chain<float, 20, 70, 3>();
}

TEST_CASE("they run together where the batches are as long as each other") {
  using f = decltype([](auto a, auto b, auto c, auto v) { return jig::matmul(jig::matmul(a, b) + c, v); });
  using n = jig::spec<float, jig::dim<"n">, 5, 5>;
  using together = jig::program<jig::trace<f, "f", n, n, n, jig::spec<float, jig::dim<"n">, 5, 1>>, 1, 1, 1, 1>;
  static_assert(together::plan.size.steps == 3 && together::plan.size.regions == 1 && together::region(0).kind == jig::region_kind::batch);
  // With one name for all batches nothing is left to the call, and what is between the steps has no memory but a chunk's.
  static_assert(together::region(0).guards.count == 0 && together::region(0).locals.count == 2 && together::plan.size.buffers == 0);
  using apart = jig::program<
      jig::trace<f, "f", jig::spec<float, 7, 5, 5>, jig::spec<float, 7, 5, 5>, jig::spec<float, 5, 5>, jig::spec<float, 7, 5, 1>>, 1, 1, 1,
      1>;
  static_assert(apart::plan.size.regions == apart::plan.size.steps);

  // Only the call knows that they are not.
  auto a = numbers<float, 5, 5>(7, 1);
  auto b = numbers<float, 5, 5>(1, 2);
  auto c = numbers<float, 5, 5>(7, 3);
  auto v = numbers<float, 5, 1>(7, 4);
  auto out = chain(a, b, c, v);
  for (jig::index i = 0; i < 7; ++i)
    for (int row = 0; row < 5; ++row)
      CHECK(out(i, row, 0) == chained<float, 5, 5, 5>(a.data() + i * 25, b.data(), c.data() + i * 25, v.data() + i * 5, row));
}

TEST_CASE("one matrix for all, transposed ones, two batch axes, intermediates that are results") {
  constexpr auto f = jig::function([](auto a, auto w) {
    auto p = jig::matmul(a, w, jig::transpose_a);
    auto q = jig::matmul(jig::abs(p), p, jig::transpose_b);
    return std::tuple(p, q + 1);
  });
  jig::tensor<int, 2, 9, 3, 2> a;
  jig::tensor<int, 3, 4> w;
  for (int i = 0; i < a.size(); ++i) a.data()[i] = i * 5 % 11 - 5;
  for (int i = 0; i < w.size(); ++i) w.data()[i] = i * 3 % 7 - 3;
  auto [p, q] = f(a, w);
  int wrong = 0;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 9; ++y) {
      int exact[2][4];
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
          exact[i][j] = 0;
          for (int k = 0; k < 3; ++k) exact[i][j] += a(x, y, k, i) * w(k, j);
          wrong += p(x, y, i, j) != exact[i][j];
        }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          int sum = 1;
          for (int k = 0; k < 4; ++k) sum += std::abs(exact[i][k]) * exact[j][k];
          wrong += q(x, y, i, j) != sum;
        }
    }
  CHECK(wrong == 0);
}

TEST_CASE("items of other sizes do not share the memory that is reused") {
  constexpr auto f = jig::function([](auto a, auto b) {
    auto r = jig::matmul(a, b);
    auto s = jig::matmul(r, b, jig::transpose_b);
    auto t = jig::matmul(s + a, b);
    return t * t;
  });
  auto a = numbers<double, 2, 3>(300, 1);
  auto b = numbers<double, 3, 5>(300, 2);
  auto out = f(a, b);
  int wrong = 0;
  for (jig::index n = 0; n < 300; ++n)
    for (int i = 0; i < 2; ++i) {
      double r[5], s[3];
      for (int j = 0; j < 5; ++j) {
        r[j] = 0;
        for (int k = 0; k < 3; ++k) r[j] += a(n, i, k) * b(n, k, j);
      }
      for (int k = 0; k < 3; ++k) {
        s[k] = a(n, i, k);
        for (int j = 0; j < 5; ++j) s[k] += r[j] * b(n, k, j);
      }
      for (int j = 0; j < 5; ++j) {
        double t = 0;
        for (int k = 0; k < 3; ++k) t += s[k] * b(n, k, j);
        wrong += out(n, i, j) != t * t;
      }
    }
  CHECK(wrong == 0);
}

TEST_CASE("a result that lies where an operand does") {
  auto a = numbers<float, 3, 3>(100, 1), b = numbers<float, 3, 3>(100, 2), c = numbers<float, 3, 3>(100, 3);
  constexpr auto f = jig::function([](auto x, auto y, auto z) { return jig::matmul(jig::matmul(x, y) + z, y); });
  auto expected = f(a, b, c);
  for (int which = 0; which < 3; ++which) {
    auto x = a, y = b, z = c;
    auto& out = which == 0 ? x : which == 1 ? y : z;
    f.into(out, x, y, z);
    int wrong = 0;
    for (jig::index i = 0; i < out.size(); ++i) wrong += out.data()[i] != expected.data()[i];
    CHECK(wrong == 0);
  }
}

// A loop behind products whose registers it can take, if they fill them; the second factor may be one for all items.
template <class T, jig::index N, bool One = false>
void check_loop_behind_products(jig::index count) {
  using matrices = jig::tensor<T, jig::dyn, N, N>;
  static constexpr auto f = jig::function([](auto a, auto b, auto c, auto one, auto v) {
    auto y = jig::matmul(a, b);
    auto z = y * one + c;
    return std::tuple(jig::matmul(z, v), z - one);
  });
  const jig::shape extents{3, {count, N, N}};
  matrices a(jig::uninitialized, extents), b(jig::uninitialized, extents), c(jig::uninitialized, extents);
  jig::tensor<T, N, N> same;
  jig::tensor<T, jig::dyn, N, 1> v(jig::uninitialized, {3, {count, N, 1}});
  for (jig::index i = 0; i < a.size(); ++i) {
    a.data()[i] = static_cast<T>(i % 5 - 2);
    b.data()[i] = static_cast<T>(i % 7 - 3);
    c.data()[i] = static_cast<T>(i % 3);
  }
  for (jig::index i = 0; i < v.size(); ++i) v.data()[i] = static_cast<T>(i % 4 - 1);
  for (jig::index i = 0; i < N * N; ++i) same.data()[i] = static_cast<T>(i % 7 - 3);
  auto [w, z] = [&] {
    if constexpr (One) return f(a, same, c, T(2), v);
    else return f(a, b, c, T(2), v);
  }();
  bool equal = true;
  for (jig::index k = 0; k < count; ++k)
    for (jig::index i = 0; i < N; ++i) {
      T expected = 0;
      for (jig::index j = 0; j < N; ++j) {
        T p = 0;
        for (jig::index q = 0; q < N; ++q) p += a(k, i, q) * (One ? same(q, j) : b(k, q, j));
        equal = equal && z(k, i, j) == p * 2 + c(k, i, j) - 2;
        expected += (p * 2 + c(k, i, j)) * v(k, j, 0);
      }
      equal = equal && w(k, i, 0) == expected;
    }
  CAPTURE(count);
  CAPTURE(One);
  CHECK(equal);
}

TEST_CASE("a loop takes the products it follows in registers") {
  for (jig::index count : {0, 1, 2, 15, 16, 79, 80, 81, 200}) {
    check_loop_behind_products<float, 3>(count);
    check_loop_behind_products<float, 4>(count);
    check_loop_behind_products<float, 4, true>(count);
    check_loop_behind_products<std::int32_t, 8>(count);
  }
}

TEST_CASE("a loop does not take the registers of a product that is a result") {
  static constexpr auto f = jig::function([](auto a, auto b, auto c) {
    auto y = jig::matmul(a, b);
    return std::tuple(y + c, y);
  });
  for (jig::index count : {0, 1, 16, 81}) {
    auto a = numbers<float, 4, 4>(count, 1), b = numbers<float, 4, 4>(count, 2), c = numbers<float, 4, 4>(count, 3);
    auto [sum, y] = f(a, b, c);
    int wrong = 0;
    for (jig::index k = 0; k < count; ++k)
      for (jig::index i = 0; i < 4; ++i)
        for (jig::index j = 0; j < 4; ++j) {
          float p = 0;
          for (jig::index q = 0; q < 4; ++q) p += a(k, i, q) * b(k, q, j);
          wrong += y(k, i, j) != p || sum(k, i, j) != p + c(k, i, j);
        }
    CAPTURE(count);
    CHECK(wrong == 0);
  }
}

// Products of n matrices and vectors, whose results are read with one axis less: as rows, as elements, and as items again.
template <class T>
void check_products_with_an_axis_less(jig::index n) {
  constexpr auto rows = jig::function([](auto a, auto b) { return jig::einsum<"nij,nj->ni">(a, b); });
  constexpr auto more = jig::function([](auto a, auto b, auto c) {
    auto y = jig::squeeze<2>(jig::matmul(a, jig::expand_dims<2>(b)));
    auto z = jig::abs(y) + c;
    return std::tuple(z, jig::matmul(a, jig::expand_dims<2>(z)),
                      jig::squeeze<1, 2>(jig::matmul(jig::expand_dims<1>(b), jig::expand_dims<2>(z))) + 1);
  });
  constexpr auto gradients = jig::function([](auto a, auto b) {
    auto y = jig::squeeze<2>(jig::matmul(a, jig::expand_dims<2>(b)));
    return jig::gradient(jig::reduce_sum(y * y), a, b);
  });
  auto a = numbers<T, 3, 3>(n, 1);
  auto b = numbers<T, 3>(n, 2), c = numbers<T, 3>(n, 3);
  auto y = rows(a, b);
  auto [z, w, d] = more(a, b, c);
  auto [in_a, in_b] = gradients(a, b);
  int wrong = 0;
  for (jig::index k = 0; k < n; ++k) {
    T p[3], q[3], dot = 1;
    for (int i = 0; i < 3; ++i) {
      p[i] = 0;
      for (int j = 0; j < 3; ++j) p[i] += a(k, i, j) * b(k, j);
      q[i] = std::abs(p[i]) + c(k, i);
      dot += b(k, i) * q[i];
      wrong += y(k, i) != p[i] || z(k, i) != q[i];
    }
    wrong += d(k) != dot;
    for (int i = 0; i < 3; ++i) {
      T r = 0, from_rows = 0;
      for (int j = 0; j < 3; ++j) {
        r += a(k, i, j) * q[j];
        from_rows += 2 * p[j] * a(k, j, i);
        wrong += in_a(k, i, j) != 2 * p[i] * b(k, j);
      }
      wrong += w(k, i, 0) != r || in_b(k, i) != from_rows;
    }
  }
  CAPTURE(n);
  CHECK(wrong == 0);
}

TEST_CASE("products that are read with an axis less") {
  for (jig::index n : {0, 1, 2, 16, 127, 128, 129, 255, 256, 257, 1000}) {
    check_products_with_an_axis_less<float>(n);
    check_products_with_an_axis_less<double>(n);
  }
}

TEST_CASE("products of static extents that are read with an axis less, with and without passes") {
  static constexpr auto f =
      jig::function([](auto a) { return std::tuple(jig::reshape<300, 4>(jig::matmul(a, a)), jig::flatten(jig::matmul(a, a) + a)); });
  static jig::tensor<float, 300, 2, 2> a;
  for (int i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7 % 5 - 2);
  auto check = [](const auto& results) {
    const auto& [y, z] = results;
    int wrong = 0;
    for (int k = 0; k < 300; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const float p = a(k, i, 0) * a(k, 0, j) + a(k, i, 1) * a(k, 1, j);
          wrong += y(k, 2 * i + j) != p || z(4 * k + 2 * i + j) != p + a(k, i, j);
        }
    CHECK(wrong == 0);
  };
  check(f(a));
  check(f.without_passes()(a));
}

TEST_CASE("one value is rows for a loop and one matrix for products") {
  // The loop goes through the rows of w and adds them to those of the first product.
  static constexpr auto f = jig::function([](auto a, auto w) {
    auto y = jig::matmul(jig::matmul(a, w), jig::transpose<1, 0>(w) * 1);
    return std::tuple(jig::squeeze<1>(jig::matmul(a, w)) + w, y);
  });
  static jig::tensor<float, 200, 1, 200> a;
  static jig::tensor<float, 200, 3> w;
  for (int i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7 % 5 - 2);
  for (int i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i * 3 % 7 - 3);
  auto [rows, y] = f(a, w);
  int wrong = 0;
  for (int k = 0; k < 200; ++k) {
    float p[3] = {};
    for (int j = 0; j < 3; ++j)
      for (int q = 0; q < 200; ++q) p[j] += a(k, 0, q) * w(q, j);
    for (int j = 0; j < 3; ++j) wrong += rows(k, j) != p[j] + w(k, j);
    for (int i = 0; i < 200; ++i) wrong += y(k, 0, i) != p[0] * w(i, 0) + p[1] * w(i, 1) + p[2] * w(i, 2);
  }
  CHECK(wrong == 0);
}

TEST_CASE("what a run writes row by row is no matrix yet for products in it") {
  static constexpr auto f = jig::function([](auto a, auto b, auto c) {
    auto rows = jig::squeeze<1>(jig::matmul(a, b)) + 1;
    return jig::matmul(c, rows);
  });
  static jig::tensor<float, 200, 1, 2> a;
  static jig::tensor<float, 200, 2, 3> b;
  static jig::tensor<float, 200, 2, 200> c;
  for (int i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7 % 5 - 2);
  for (int i = 0; i < b.size(); ++i) b.data()[i] = static_cast<float>(i * 3 % 7 - 3);
  for (int i = 0; i < c.size(); ++i) c.data()[i] = static_cast<float>(i * 5 % 3 - 1);
  static const jig::tensor<float, 200, 2, 3> out = f(a, b, c);
  int wrong = 0;
  for (int k = 0; k < 200; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        float sum = 0;
        for (int q = 0; q < 200; ++q) sum += c(k, i, q) * (a(q, 0, 0) * b(q, 0, j) + a(q, 0, 1) * b(q, 1, j) + 1);
        wrong += out(k, i, j) != sum;
      }
  CHECK(wrong == 0);
}

TEST_CASE("a matrix for all items is not overwritten by the items of what follows") {
  // The memory of w is free behind the product with it, and the product behind that one fits there, an item in the place of a row.
  static constexpr auto f = jig::function([](auto a, auto v, auto u) {
    auto w = jig::matmul(v, v);
    return jig::cumsum<0>(jig::matmul(jig::matmul(a, w), u));
  });
  static jig::tensor<double, 20, 20, 20> a;
  static jig::tensor<double, 20, 20> v, w;
  static jig::tensor<double, 20, 20, 1> u;
  for (int i = 0; i < a.size(); ++i) a.data()[i] = i * 7 % 3 - 1;
  for (int i = 0; i < v.size(); ++i) v.data()[i] = i * 5 % 3 - 1;
  for (int i = 0; i < u.size(); ++i) u.data()[i] = i * 3 % 5 - 2;
  const auto out = f(a, v, u);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) {
      w(i, j) = 0;
      for (int q = 0; q < 20; ++q) w(i, j) += v(i, q) * v(q, j);
    }
  int wrong = 0;
  double sum[20] = {};
  for (int k = 0; k < 20; ++k)
    for (int i = 0; i < 20; ++i) {
      for (int p = 0; p < 20; ++p)
        for (int q = 0; q < 20; ++q) sum[i] += a(k, i, p) * w(p, q) * u(k, q, 0);
      wrong += out(k, i, 0) != sum[i];
    }
  CHECK(wrong == 0);
}

TEST_CASE("a single element for all items lies where its view says") {
  constexpr auto f = jig::function([](auto a, auto b, auto x) { return jig::matmul(a, b) * jig::strided_slice<jig::range_of(2, 3)>(x); });
  auto a = numbers<float, 3, 3>(200, 1), b = numbers<float, 3, 3>(200, 2);
  jig::tensor<float, dyn> x(jig::uninitialized, {1, {5}});
  for (int i = 0; i < 5; ++i) x(i) = static_cast<float>(i + 1);
  auto out = f(a, b, x);
  int wrong = 0;
  for (int k = 0; k < 200; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        wrong += out(k, i, j) != 3 * (a(k, i, 0) * b(k, 0, j) + a(k, i, 1) * b(k, 1, j) + a(k, i, 2) * b(k, 2, j));
  CHECK(wrong == 0);
}

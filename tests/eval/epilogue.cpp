// SPDX-License-Identifier: MIT
#include <jig/eval/epilogue.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

namespace {

using jig::dyn;
template <class T>
using matrix = jig::tensor<T, dyn, dyn>;
template <class T>
using vector = jig::tensor<T, dyn>;

// Small integers: every order of summation gives the same.
template <class T>
void fill(T* to, jig::index n, int seed) {
  for (jig::index i = 0; i < n; ++i) to[i] = static_cast<T>((i * 7 + seed) % 5 - 2);
}
template <class T>
matrix<T> numbers(jig::index rows, jig::index columns, int seed) {
  matrix<T> m(jig::uninitialized, {2, {rows, columns}});
  fill(m.data(), m.size(), seed);
  return m;
}
template <class T>
vector<T> numbers(jig::index n, int seed) {
  vector<T> v(jig::uninitialized, {1, {n}});
  fill(v.data(), n, seed);
  return v;
}

template <class T>
matrix<T> plain_product(const auto& a, const auto& b) {
  matrix<T> c(jig::uninitialized, {2, {a.extent(0), b.extent(1)}});
  for (jig::index i = 0; i < c.extent(0); ++i)
    for (jig::index j = 0; j < c.extent(1); ++j) {
      T sum = 0;
      for (jig::index k = 0; k < a.extent(1); ++k) sum = static_cast<T>(sum + a(i, k) * b(k, j));
      c(i, j) = sum;
    }
  return c;
}

template <class T>
bool equal(const auto& c, auto expected) {
  bool same = true;
  for (jig::index i = 0; i < c.extent(0); ++i)
    for (jig::index j = 0; j < c.extent(1); ++j) same = same && c(i, j) == static_cast<T>(expected(i, j));
  return same;
}

template <class T>
T squared(T x) {
  return static_cast<T>(x * x);
}

constexpr auto layer = jig::function([](auto x, auto w, auto b) { return jig::square(jig::matmul(x, w) + b); });

}  // namespace

TEST_CASE_TEMPLATE("a bias and a square follow every tile", T, float, std::int32_t) {
  // How a loop follows the tiles does not depend on the dtype.
  constexpr bool everywhere = std::is_same_v<T, float>;
  for (auto [m, n, k] :
       {std::tuple(1, 1, 1), std::tuple(0, 3, 2), std::tuple(3, 0, 2), std::tuple(3, 2, 0), std::tuple(1, 33, 7), std::tuple(33, 1, 7),
        std::tuple(5, 3, 4), std::tuple(17, 31, 9), std::tuple(70, 65, 300), std::tuple(9, 530, 257), std::tuple(300, 40, 520)}) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    auto x = numbers<T>(m, k, 1), w = numbers<T>(k, n, 2);
    auto p = plain_product<T>(x, w);
    auto b = numbers<T>(n, 3);
    CHECK(equal<T>(layer(x, w, b), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + b(j))); }));
    if constexpr (everywhere) {
      auto rows = numbers<T>(m, 1, 4);  // one for each row
      CHECK(equal<T>(layer(x, w, rows), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + rows(i, 0))); }));
      auto all = numbers<T>(m, n, 5);
      CHECK(equal<T>(layer(x, w, all), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + all(i, j))); }));
      CHECK(equal<T>(layer(x, w, T(2)), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + 2)); }));
      jig::view<const T, dyn, dyn> turned(all.data(), {m, n}, {1, m});
      CHECK(equal<T>(layer(x, w, turned), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + turned(i, j))); }));
      jig::view<const T, dyn> backwards(b.data() + (n > 0 ? n - 1 : 0), {n}, {-1});
      CHECK(equal<T>(layer(x, w, backwards), [&](jig::index i, jig::index j) { return squared(static_cast<T>(p(i, j) + backwards(j))); }));
    }
  }
}

TEST_CASE("extents that turn out to broadcast") {
  auto x = numbers<float>(20, 30, 1), w = numbers<float>(30, 40, 2);
  auto p = plain_product<float>(x, w);
  vector<float> one = numbers<float>(1, 3);
  CHECK(equal<float>(layer(x, w, one), [&](jig::index i, jig::index j) { return squared(p(i, j) + one(0)); }));
  auto wide = numbers<float>(1, 40, 3);
  CHECK(equal<float>(layer(x, w, wide), [&](jig::index i, jig::index j) { return squared(p(i, j) + wide(0, j)); }));
  // The product is the smaller one.
  auto row = numbers<float>(1, 30, 4), column = numbers<float>(30, 1, 5);
  auto few = plain_product<float>(row, column);
  auto all = numbers<float>(20, 40, 6);
  auto out = layer(row, column, all);
  REQUIRE(out.shape() == jig::shape{2, {20, 40}});
  CHECK(equal<float>(out, [&](jig::index i, jig::index j) { return squared(few(0, 0) + all(i, j)); }));
  auto flat = plain_product<float>(row, w);
  auto taller = numbers<float>(20, 40, 7);
  CHECK(equal<float>(layer(row, w, taller), [&](jig::index i, jig::index j) { return squared(flat(0, j) + taller(i, j)); }));
}

TEST_CASE("static extents, several results, and products behind products") {
  constexpr auto both = jig::function([](auto x, auto w, auto b) {
    auto p = jig::matmul(x, w);
    return std::tuple(p, p * 2 + b, p > 0);
  });
  jig::tensor<float, 70, 90> x;
  jig::tensor<float, 90, 35> w;
  jig::tensor<float, 35> b;
  fill(x.data(), x.size(), 1);
  fill(w.data(), w.size(), 2);
  fill(b.data(), b.size(), 3);
  auto p = plain_product<float>(x, w);
  auto [first, second, third] = both(x, w, b);
  CHECK(equal<float>(first, [&](jig::index i, jig::index j) { return p(i, j); }));
  CHECK(equal<float>(second, [&](jig::index i, jig::index j) { return p(i, j) * 2 + b(j); }));
  CHECK(equal<bool>(third, [&](jig::index i, jig::index j) { return p(i, j) > 0; }));

  // Slots are used again: what a loop writes must not lie where the product still reads.
  constexpr auto deep = jig::function([](auto r, auto u) {
    for (int i = 0; i < 3; ++i) r = jig::minimum(jig::matmul(r, u), 3) - r;
    return r;
  });
  auto r = numbers<double>(66, 66, 1), u = numbers<double>(66, 66, 2);
  auto given = deep(r, u);
  for (int step = 0; step < 3; ++step) {
    auto q = plain_product<double>(r, u);
    for (jig::index i = 0; i < q.size(); ++i) r.data()[i] = (q.data()[i] < 3 ? q.data()[i] : 3) - r.data()[i];
  }
  CHECK(equal<double>(given, [&](jig::index i, jig::index j) { return r(i, j); }));
}

TEST_CASE("results that lie where an operand does") {
  for (jig::index n : {5, 40, 300}) {
    auto x = numbers<float>(n, n, 1), w = numbers<float>(n, n, 2), b = numbers<float>(n, n, 3);
    auto expected = layer(x, w, b);
    for (int which = 0; which < 3; ++which) {
      auto x1 = x, w1 = w, b1 = b;
      auto& out = which == 0 ? x1 : which == 1 ? w1 : b1;
      layer.into(out, x1, w1, b1);
      CHECK(equal<float>(out, [&](jig::index i, jig::index j) { return expected(i, j); }));
    }
  }
}

TEST_CASE("what a loop carries is not overwritten tile by tile while the product still reads it") {
  constexpr auto f = jig::function([](auto sum, auto x, auto w, auto n) {
    for ([[maybe_unused]] auto i : jig::range(n)) {
      auto p = jig::matmul(x, w);
      sum = sum + p;
      x = jig::minimum(p, 2);
    }
    return std::tuple(sum, x);
  });
  jig::tensor<float, 83, 603> sum, carried;
  jig::tensor<float, 603, 603> w;
  fill(sum.data(), sum.size(), 1);
  fill(carried.data(), carried.size(), 2);
  fill(w.data(), w.size(), 3);
  auto [all, last] = f(sum, carried, w, 2);
  auto x = numbers<float>(83, 603, 2);
  for (int step = 0; step < 2; ++step) {
    x = plain_product<float>(x, w);
    for (jig::index i = 0; i < x.size(); ++i) {
      sum.data()[i] += x.data()[i];
      x.data()[i] = x.data()[i] < 2 ? x.data()[i] : 2;
    }
  }
  CHECK(equal<float>(all, [&](jig::index i, jig::index j) { return sum(i, j); }));
  CHECK(equal<float>(last, [&](jig::index i, jig::index j) { return x(i, j); }));
}

TEST_CASE("the loop is part of the product") {
  using f = decltype([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });
  using large = jig::program<jig::trace<f, "f", jig::spec<float, dyn, 100>, jig::spec<float, 100, 50>, jig::spec<float, 50>>, 1, 1, 1>;
  static_assert(large::plan.size.steps == 2 && large::plan.size.regions == 1 && large::region(0).kind == jig::region_kind::epilogue);
  using column = jig::program<jig::trace<f, "f", jig::spec<float, 7, 100>, jig::spec<float, 100, 50>, jig::spec<float, 7, 1>>, 1, 1, 1>;
  static_assert(column::region(0).kind == jig::region_kind::single);
}

TEST_CASE("a loop that needs another row of the product waits for all of it") {
  constexpr auto f = jig::function([](auto a, auto b, auto i) {
    auto c = jig::matmul(a, b);
    return c - c[i];
  });
  auto a = numbers<float>(70, 40, 1), b = numbers<float>(40, 90, 2);
  auto c = plain_product<float>(a, b);
  for (int i : {0, 33, 69})
    CHECK(equal<float>(f(a, b, i), [&](jig::index row, jig::index column) { return c(row, column) - c(i, column); }));
  CHECK_THROWS_AS(f(a, b, 70), jig::invalid_argument);
}

TEST_CASE("rectangles are counted in the whole result") {
  struct seen {
    jig::index row, rows, column, columns;
    bool operator==(const seen&) const = default;
  };
  std::vector<seen> all;
  const jig::tile_epilogue then{
      .run = [](const void* to, jig::index row, jig::index rows, jig::index column,
                jig::index columns) { (*static_cast<std::vector<seen>* const*>(to))->push_back({row, rows, column, columns}); },
      .context = nullptr};
  auto* to = &all;
  jig::tile_epilogue part = then;
  part.context = &to;
  part(1, 2, 3, 4);
  part.from(10, 20)(1, 2, 3, 4);
  part.row_step = 5;
  part.from(2, 20)(1, 2, 3, 4);  // rows that lie apart come one by one
  CHECK(all == std::vector<seen>{{1, 2, 3, 4}, {11, 2, 23, 4}, {15, 1, 23, 4}, {20, 1, 23, 4}});
  jig::tile_epilogue()(1, 2, 3, 4);  // nothing
}

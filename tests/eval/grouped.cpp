// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <vector>

using jig::dyn;

namespace {

template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  int i = seed;
  for (auto& e : x) e = T(static_cast<float>((i += 7) % 41));
  return x;
}

// Numbers of places on both sides of the lanes of every dtype and width of register, and of several registers.
constexpr jig::index some_places[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 300};

// Element k of a group is x * (k + 1) + y * k, or x itself where k is 1.
template <int K, class X, class Y>
constexpr auto part(X x, Y y) {
  if constexpr (K == 1) return x;
  else return x * jig::lit<K + 1> + y * jig::lit<K>;
}
template <class T>
T part_of(int k, T x, T y) {
  return k == 1 ? x
                : static_cast<T>(static_cast<T>(x * static_cast<T>(static_cast<float>(k + 1))) +
                                 static_cast<T>(y * static_cast<T>(static_cast<float>(k))));
}

template <class T, int N>
void groups() {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    return []<int... K>(auto p, auto q, std::integer_sequence<int, K...>) { return jig::stack<-1>(part<K>(p, q)...); }(
               x, y, std::make_integer_sequence<int, N>());
  });
  for (jig::index n : some_places) {
    CAPTURE(n);
    const auto x = numbers<T, dyn>(1, n), y = numbers<T, dyn>(5, n);
    // What is behind the result stays.
    std::vector<T> memory(static_cast<std::size_t>(n * N + 64), T(99.f));
    f.into(jig::view<jig::row_major<T>, dyn, N>(memory.data(), {2, {n, N}}), x, y);
    bool same = true;
    for (jig::index i = 0; i < n; ++i)
      for (int k = 0; k < N; ++k) same = same && memory[static_cast<std::size_t>(i * N + k)] == part_of<T>(k, x.data()[i], y.data()[i]);
    CHECK(same);
    for (auto i = static_cast<std::size_t>(n * N); i < memory.size(); ++i) same = same && memory[i] == T(99.f);
    CHECK(same);
  }
}

// Components of points, as views of memory that holds all of them.
template <class T, jig::index N>
void crossed() {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    const auto at = []<int K>(std::integral_constant<int, K>, auto p) { return jig::strided_slice<jig::all, K>(p); };
    constexpr std::integral_constant<int, 0> a;
    constexpr std::integral_constant<int, 1> b;
    constexpr std::integral_constant<int, 2> c;
    return jig::stack<1>(at(b, x) * at(c, y) - at(c, x) * at(b, y), at(c, x) * at(a, y) - at(a, x) * at(c, y),
                         at(a, x) * at(b, y) - at(b, x) * at(a, y));
  });
  for (jig::index n : some_places) {
    if (N != dyn && n != N) continue;
    CAPTURE(n);
    // In memory of its own, behind which there is nothing: tools that watch memory see what is read there.
    std::vector<T> p(static_cast<std::size_t>(3 * n)), q(p), z(p);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<T>((i * 7 + 1) % 23), q[i] = static_cast<T>((i * 5 + 2) % 19);
    const jig::view<jig::row_major<const T>, N, 3> x(p.data(), {2, {n, 3}}), y(q.data(), {2, {n, 3}});
    f.into(jig::view<jig::row_major<T>, N, 3>(z.data(), {2, {n, 3}}), x, y);
    const auto check = [&](const std::vector<T>& given) {
      bool same = true;
      for (std::size_t i = 0; i < p.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t l = i + (k + 1) % 3, m = i + (k + 2) % 3;
          same = same && given[i + k] == static_cast<T>(p[l] * q[m] - p[m] * q[l]);
        }
      CHECK(same);
    };
    check(z);
    // On top of an argument.
    std::vector<T> both = p;
    f.into(jig::view<jig::row_major<T>, N, 3>(both.data(), {2, {n, 3}}), jig::view<jig::row_major<const T>, N, 3>(both.data(), {2, {n, 3}}),
           y);
    check(both);
    both = q;
    f.into(jig::view<jig::row_major<T>, N, 3>(both.data(), {2, {n, 3}}), x,
           jig::view<jig::row_major<const T>, N, 3>(both.data(), {2, {n, 3}}));
    check(both);
  }
}

}  // namespace

TEST_CASE("computed parts of a stack are stored side by side") {
  groups<float, 2>();
  groups<double, 3>();
  groups<std::uint8_t, 3>();
  groups<std::int64_t, 4>();
  groups<std::int16_t, 5>();
  groups<float, 8>();
  groups<float, 9>();  // more are joined in memory
  groups<jig::bfloat16, 3>();
  groups<jig::half, 2>();
}
TEST_CASE("groups of components") {
  crossed<float, dyn>();
  crossed<double, dyn>();
  crossed<std::uint8_t, dyn>();
  crossed<float, 4>();
  crossed<float, 5>();
  crossed<std::int32_t, 16>();
  crossed<double, 17>();
}

TEST_CASE("groups of narrow elements beside wide ones") {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    return std::tuple(jig::stack<1>(x > y, y > 3, x > 5),
                      jig::stack<1>(jig::cast<std::uint8_t>(x), jig::cast<std::uint8_t>(y), jig::cast<std::uint8_t>(x + y)), x + y);
  });
  for (jig::index n : some_places) {
    CAPTURE(n);
    const auto x = numbers<double, dyn>(1, n), y = numbers<double, dyn>(8, n);
    const auto [truths, bytes, sum] = f(x, y);
    bool same = true;
    for (jig::index i = 0; i < n; ++i) {
      const double a = x(i), b = y(i);
      same = same && truths(i, 0) == (a > b) && truths(i, 1) == (b > 3) && truths(i, 2) == (a > 5) && sum(i) == a + b;
      same = same && bytes(i, 0) == static_cast<std::uint8_t>(a) && bytes(i, 1) == static_cast<std::uint8_t>(b) &&
             bytes(i, 2) == static_cast<std::uint8_t>(a + b);
    }
    CHECK(same);
  }
}

TEST_CASE("groups of what is broadcast, stored elsewhere too, or reduced again") {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    const auto z = x * y;
    const auto both = jig::stack<2>(z, x + 1);
    return std::tuple(both, z, jig::reduce_sum<2>(both), jig::stack<-1>(x - jig::reduce_sum<1>(x, jig::keepdims), y + jig::zeros_like(x)));
  });
  for (jig::index n : {0, 1, 3, 16, 17, 40})
    for (jig::index m : {1, 2, 5, 16, 33}) {
      CAPTURE(n);
      CAPTURE(m);
      const auto x = numbers<float, dyn, dyn>(1, n, m);
      const auto y = numbers<float, dyn>(3, m);
      const auto [both, z, sum, apart] = f(x, y);
      bool same = true;
      for (jig::index i = 0; i < n; ++i) {
        float row = 0;
        for (jig::index j = 0; j < m; ++j) row += x(i, j);
        for (jig::index j = 0; j < m; ++j) {
          const float a = x(i, j), b = y(j);
          same = same && both(i, j, 0) == a * b && both(i, j, 1) == a + 1 && z(i, j) == a * b && sum(i, j) == a * b + a + 1;
          same = same && apart(i, j, 0) == a - row && apart(i, j, 1) == b;
        }
      }
      CHECK(same);
    }
}

namespace {

template <class T, jig::index N, jig::index M>
void transposed() {
  static constexpr auto f =
      jig::function<"f(x, y)">([](auto x, auto y) { return jig::stack<2>(jig::transpose(x) * 2, y, jig::transpose(x) + y); });
  const auto x = numbers<T, M, N>(1);
  const auto y = numbers<T, N, M>(9);
  const auto given = f(x, y);
  bool same = true;
  for (jig::index i = 0; i < N; ++i)
    for (jig::index j = 0; j < M; ++j)
      same = same && given(i, j, 0) == x(j, i) * 2 && given(i, j, 1) == y(i, j) && given(i, j, 2) == x(j, i) + y(i, j);
  CHECK(same);
}

}  // namespace

TEST_CASE("groups of what is read across") {
  transposed<float, 64, 64>();
  transposed<float, 33, 70>();
  transposed<double, 17, 40>();
}

TEST_CASE("groups of what is read through a padded_read, beside views that are not dense") {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    const auto padded = jig::pad<1, 1>(x) * 2 + 1;
    return std::tuple(jig::stack<1>(padded, jig::strided_slice<jig::range_of(0, 80, 2)>(y)),
                      jig::stack<1>(padded, jig::strided_slice<jig::range_of(0, 40)>(y)));
  });
  const auto x = numbers<float, 38>(1);
  const auto y = numbers<float, 80>(9);
  const auto [apart, beside] = f(x, y);
  bool same = true;
  for (jig::index i = 0; i < 40; ++i) {
    const float padded = (i == 0 || i == 39 ? 0 : x(i - 1)) * 2 + 1;
    same = same && apart(i, 0) == padded && apart(i, 1) == y(2 * i) && beside(i, 0) == padded && beside(i, 1) == y(i);
  }
  CHECK(same);
  static constexpr auto g = jig::function<"g(x, y)">([](auto p, auto q) { return jig::stack<1>(jig::pad<1, 1>(p) * 2 + 1, q); });
  const auto z = numbers<float, 40>(5);
  const auto dense = g(x, z);
  for (jig::index i = 0; i < 40; ++i) same = same && dense(i, 0) == (i == 0 || i == 39 ? 0 : x(i - 1)) * 2 + 1 && dense(i, 1) == z(i);
  CHECK(same);
}

TEST_CASE("a loop that stores groups over what it began with") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) {
    for (auto i : jig::range(3)) {
      (void)i;
      const auto a = jig::strided_slice<jig::all, 0>(x), b = jig::strided_slice<jig::all, 1>(x);
      x = jig::stack<1>(a - b, a + b);
    }
    return x;
  });
  for (jig::index n : some_places) {
    CAPTURE(n);
    const auto x = numbers<float, dyn, 2>(1, n);
    const auto given = f(x);
    bool same = true;
    for (jig::index i = 0; i < n; ++i) {
      float a = x(i, 0), b = x(i, 1);
      for (int k = 0; k < 3; ++k) {
        const float c = a - b;
        b = a + b;
        a = c;
      }
      same = same && given(i, 0) == a && given(i, 1) == b;
    }
    CHECK(same);
  }
}

// SPDX-License-Identifier: MIT
#include <jig/eval/nest_reduce.hpp>

#include <jig.hpp>
#include <jig/parallel.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using jig::dyn;
using jig::detail::reduction_lanes;

// What a reduction of single elements gives, element by element of the result.
template <class T>
struct expected {
  std::vector<T> most, least;
  std::vector<long double> sum, size, product;  // of floats; size is the sum of absolute values
  std::vector<std::uint64_t> wrapped, wrapped_product;
  std::vector<char> any, all;
  jig::index count = 0;
};

template <class T>
expected<T> reduce_plainly(const T* x, const jig::shape& extents, unsigned reduced) {
  jig::index kept = 1, all = 1;
  for (int a = 0; a < extents.rank; ++a) {
    all *= extents[a];
    if ((reduced >> a & 1) == 0) kept *= extents[a];
  }
  using limits = std::numeric_limits<T>;
  const auto n = static_cast<std::size_t>(kept);
  expected<T> e{std::vector<T>(n, limits::has_infinity ? -limits::infinity() : limits::lowest()),
                std::vector<T>(n, limits::has_infinity ? limits::infinity() : limits::max()),
                std::vector<long double>(n),
                std::vector<long double>(n),
                std::vector<long double>(n, 1),
                std::vector<std::uint64_t>(n),
                std::vector<std::uint64_t>(n, 1),
                std::vector<char>(n),
                std::vector<char>(n, 1),
                kept == 0 ? 0 : all / kept};
  for (jig::index i = 0; i < all; ++i) {
    jig::index left = i, place = 0, stride = 1;
    for (int a = extents.rank; a-- > 0;) {
      if ((reduced >> a & 1) == 0) {
        place += left % extents[a] * stride;
        stride *= extents[a];
      }
      left /= extents[a];
    }
    const auto to = static_cast<std::size_t>(place);
    const T v = x[i];
    if (v != v || v > e.most[to]) e.most[to] = e.most[to] != e.most[to] ? e.most[to] : v;
    if (v != v || v < e.least[to]) e.least[to] = e.least[to] != e.least[to] ? e.least[to] : v;
    e.any[to] = e.any[to] || v != T();
    e.all[to] = e.all[to] && v != T();
    if constexpr (std::is_floating_point_v<T>) {
      e.sum[to] += static_cast<long double>(v);
      e.size[to] += std::abs(static_cast<long double>(v));
      e.product[to] *= static_cast<long double>(v);
    } else {
      e.wrapped[to] += static_cast<std::uint64_t>(v);
      e.wrapped_product[to] *= static_cast<std::uint64_t>(v);
    }
  }
  return e;
}

bool near(long double found, long double value, long double size, long double bound) {
  if (std::isnan(value)) return std::isnan(found);
  if (std::isinf(value)) return found == value;
  return std::abs(found - value) <= bound * size;
}
template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}
template <class T>
constexpr long double rounding = std::is_same_v<T, float> ? 1e-6L : 1e-14L;

template <class T>
bool is_sum(T found, const expected<T>& e, std::size_t k) {
  if constexpr (std::is_floating_point_v<T>) return near(static_cast<long double>(found), e.sum[k], e.size[k], rounding<T>);
  else return found == static_cast<T>(e.wrapped[k]);
}
template <class T>
bool is_mean(T found, const expected<T>& e, std::size_t k) {
  const auto n = static_cast<long double>(e.count);
  if constexpr (std::is_floating_point_v<T>)
    return e.count == 0 ? std::isnan(found) : near(static_cast<long double>(found), e.sum[k] / n, e.size[k] / n, rounding<T>);
  else
    return found == (e.count == 0
                         ? T()
                         : static_cast<T>(static_cast<T>(e.wrapped[k]) /
                                          static_cast<std::conditional_t<std::is_signed_v<T>, jig::index, std::uint64_t>>(e.count)));
}
template <class T>
bool is_product(T found, const expected<T>& e, std::size_t k) {
  if constexpr (std::is_floating_point_v<T>)
    return near(static_cast<long double>(found), e.product[k], std::abs(e.product[k]), static_cast<long double>(e.count) * rounding<T>);
  else return found == static_cast<T>(e.wrapped_product[k]);
}

// Signed and of all sizes; products of floats neither overflow nor vanish.
template <class T>
void fill(T* x, jig::index n) {
  std::uint32_t state = 7;
  for (jig::index i = 0; i < n; ++i) {
    state = state * 1664525 + 1013904223;
    const auto number = state >> 8;
    if constexpr (std::is_same_v<T, bool>) x[i] = number % 3 == 0;
    else if constexpr (std::is_floating_point_v<T>)
      x[i] = static_cast<T>(number % 2 == 0 ? -1 : 1) * (T(0.995) + static_cast<T>(number) * T(0x1p-24) * T(0.01));
    else x[i] = static_cast<T>(number * 2654435761u);
  }
}

template <class T, jig::index... E>
jig::tensor<T, E...> filled(auto... extents) {
  jig::tensor<T, E...> x(jig::uninitialized, {sizeof...(E), {static_cast<jig::index>(extents)...}});
  fill(x.data(), x.size());
  return x;
}

template <jig::index... Axes>
constexpr unsigned set_of = ((1u << Axes) | ... | 0u);

// One root alone, and several in one step.
template <jig::index... Axes>
struct sum {
  constexpr auto operator()(auto x) const { return jig::reduce_sum<Axes...>(x); }
};
template <jig::index... Axes>
struct largest {
  constexpr auto operator()(auto x) const { return jig::reduce_max<Axes...>(x); }
};
template <jig::index... Axes>
struct all_kinds {
  constexpr auto operator()(auto x) const {
    return std::tuple(jig::reduce_sum<Axes...>(x), jig::reduce_max<Axes...>(x), jig::reduce_min<Axes...>(x), jig::reduce_mean<Axes...>(x),
                      jig::reduce_prod<Axes...>(x));
  }
};

template <class F, class... E>
using first_step = jig::step<jig::program<jig::trace<F, "f(x)", E...>, 1>, 0>;
template <class F, class... E>
constexpr reduction_lanes lanes_of = jig::detail::nest_of_reduction<first_step<F, E...>>::chosen.lanes;

template <jig::index... Axes>
struct along {
  template <class X>
  static void check_single(const X& x) {
    using T = typename X::value_type;
    const auto e = reduce_plainly(x.data(), x.shape(), set_of<Axes...>);
    const auto sums = jig::function(sum<Axes...>())(x);
    int wrong = 0;
    for (std::size_t k = 0; k < e.most.size(); ++k) wrong += !is_sum<T>(sums.data()[k], e, k);
    CHECK(wrong == 0);
  }
  template <class X>
  static void check_largest(const X& x) {
    using T = typename X::value_type;
    const auto e = reduce_plainly(x.data(), x.shape(), set_of<Axes...>);
    const auto most = jig::function(largest<Axes...>())(x);
    int wrong = 0;
    for (std::size_t k = 0; k < e.most.size(); ++k) wrong += !same<T>(most.data()[k], e.most[k]);
    CHECK(wrong == 0);
  }
  template <class X>
  static void check_several(const X& x) {
    using T = typename X::value_type;
    const auto e = reduce_plainly(x.data(), x.shape(), set_of<Axes...>);
    const auto [sums, most, least, means, products] = jig::function(all_kinds<Axes...>())(x);
    int wrong = 0;
    for (std::size_t k = 0; k < e.most.size(); ++k)
      wrong += !is_sum<T>(sums.data()[k], e, k) + !same<T>(most.data()[k], e.most[k]) + !same<T>(least.data()[k], e.least[k]) +
               !is_mean<T>(means.data()[k], e, k) + !is_product<T>(products.data()[k], e, k);
    CHECK(wrong == 0);
  }
  template <class X>
  static void check_truth(const X& x) {
    const auto e = reduce_plainly(x.data(), x.shape(), set_of<Axes...>);
    const auto any = jig::function([](auto y) { return jig::reduce_any<Axes...>(jig::cast<bool>(y)); })(x);
    const auto [some, all] = jig::function(
        [](auto y) { return std::tuple(jig::reduce_any<Axes...>(jig::cast<bool>(y)), jig::reduce_all<Axes...>(jig::cast<bool>(y))); })(x);
    int wrong = 0;
    for (std::size_t k = 0; k < e.any.size(); ++k)
      wrong += (any.data()[k] != (e.any[k] != 0)) + (some.data()[k] != (e.any[k] != 0)) + (all.data()[k] != (e.all[k] != 0));
    CHECK(wrong == 0);
  }
};

template <class T>
constexpr jig::index lanes = jig::simd::lanes<T>;

// Counts on both sides of every block of lanes.
template <class T>
std::vector<jig::index> counts() {
  constexpr jig::index n = lanes<T>;
  return {0, 1, 2, n - 1, n, n + 1, 2 * n - 1, 4 * n, 4 * n + 1, 9 * n + 3};
}

}  // namespace

TEST_CASE("columns of any number") {
  static_assert(lanes_of<sum<0>, jig::spec<float, dyn, dyn>> == reduction_lanes::kept);
  for (jig::index rows : {0, 1, 3, 100})
    for (jig::index columns : counts<float>()) {
      CAPTURE(rows);
      CAPTURE(columns);
      along<0>::check_single(filled<float, dyn, dyn>(rows, columns));
      along<0>::check_several(filled<float, dyn, dyn>(rows, columns));
      along<0>::check_several(filled<std::int8_t, dyn, dyn>(rows, columns));
    }
}

TEST_CASE("short rows of any number") {
  static_assert(lanes_of<sum<1>, jig::spec<double, dyn, 3>> == reduction_lanes::block &&
                lanes_of<sum<1>, jig::spec<double, dyn, 8>> == reduction_lanes::block);
  for (jig::index rows : counts<float>()) {
    CAPTURE(rows);
    along<1>::check_single(filled<double, dyn, 3>(rows, 3));
    along<1>::check_several(filled<double, dyn, 3>(rows, 3));
    along<1>::check_single(filled<double, dyn, 16>(rows, 16));
    along<1>::check_single(filled<double, dyn, 17>(rows, 17));
    along<1>::check_single(filled<std::int32_t, dyn, 3>(rows, 3));
  }
  for (jig::index rows : counts<std::uint8_t>()) {
    CAPTURE(rows);
    along<1>::check_single(filled<std::uint8_t, dyn, 4>(rows, 4));
    along<1>::check_several(filled<std::uint8_t, dyn, 5>(rows, 5));
    along<1>::check_several(filled<std::int16_t, dyn, 5>(rows, 5));
    along<1>::check_several(filled<std::int64_t, dyn, 5>(rows, 5));
  }
}

TEST_CASE("few static places") {
  along<1>::check_single(filled<float, 1, 3>(1, 3));
  along<1>::check_single(filled<float, 3, 3>(3, 3));
  along<1>::check_single(filled<float, 17, 4>(17, 4));
  along<0>::check_several(filled<double, 7, 3>(7, 3));
  along<0>::check_single(filled<std::int8_t, 2, 5>(2, 5));
}

TEST_CASE("axes around the kept one") {
  static_assert(lanes_of<sum<0, 2>, jig::spec<float, dyn, dyn, 3>> == reduction_lanes::block);
  for (jig::index rows : {0, 1, 40})
    for (jig::index places : counts<float>()) {
      CAPTURE(rows);
      CAPTURE(places);
      along<0, 2>::check_single(filled<float, dyn, dyn, 3>(rows, places, 3));
      along<0, 2>::check_several(filled<float, dyn, dyn, 3>(rows, places, 3));
    }
}

TEST_CASE("a long reduced axis around few kept places") {
  static_assert(lanes_of<sum<0>, jig::spec<float, dyn, 3>> == reduction_lanes::block);
  static_assert(lanes_of<sum<0>, jig::spec<double, 1000, 3>> == reduction_lanes::block);
  static_assert(lanes_of<sum<0, 2>, jig::spec<float, dyn, 3, 2>> == reduction_lanes::block);
  for (jig::index rows : {0, 1, 2, 15, 16, 17, 31, 33, 64, 1000, 5001}) {
    CAPTURE(rows);
    along<0>::check_single(filled<float, dyn, 3>(rows, 3));
    along<0>::check_several(filled<float, dyn, 3>(rows, 3));
    along<0>::check_single(filled<std::int16_t, dyn, 5>(rows, 5));
    along<0, 2>::check_single(filled<float, dyn, 3, 2>(rows, 3, 2));
    along<1>::check_single(filled<float, dyn, dyn, 3>(2, rows, 3));
  }
}

TEST_CASE("reduced axes around a kept one, the last of them long") {
  static_assert(lanes_of<sum<0, 2>, jig::spec<float, dyn, 5, 20>> == reduction_lanes::block);
  static_assert(lanes_of<sum<0, 2>, jig::spec<float, dyn, 5, dyn>> == reduction_lanes::row);
  static_assert(lanes_of<sum<0, 2>, jig::spec<std::int32_t, 5, dyn, 20>> == reduction_lanes::block);
  for (jig::index count : {0, 1, 2, 15, 16, 40, 700}) {
    CAPTURE(count);
    along<0, 2>::check_single(filled<float, dyn, 5, 20>(count, 5, 20));
    along<0, 2>::check_single(filled<std::int32_t, 5, dyn, 20>(5, count, 20));
    for (jig::index inner : {0, 1, 19, 300}) along<0, 2>::check_several(filled<float, dyn, 5, dyn>(count, 5, inner));
  }
}

TEST_CASE("rows one by one and in bundles") {
  static_assert(lanes_of<sum<1>, jig::spec<float, dyn, 300>> == reduction_lanes::row &&
                lanes_of<sum<1>, jig::spec<float, dyn, dyn>> == reduction_lanes::row);
  for (jig::index rows : counts<float>()) {
    CAPTURE(rows);
    along<1>::check_single(filled<float, dyn, 20>(rows, 20));
    along<1>::check_several(filled<float, dyn, 33>(rows, 33));
    along<1>::check_single(filled<float, dyn, 200>(rows, 200));
    along<1>::check_several(filled<float, dyn, dyn>(rows, 35));
    along<2>::check_single(filled<float, dyn, 3, 20>(rows, 3, 20));
    along<1>::check_several(filled<std::int64_t, dyn, 33>(rows, 33));
  }
}

TEST_CASE_TEMPLATE("a long row gives the same bits whatever rows come with it, and nothing behind the last one is written", T, float,
                   double, std::int32_t) {
  constexpr jig::index lanes = jig::simd::lanes<T>, most = 2 * lanes + 3;
  constexpr auto f = jig::function([](auto x) { return std::tuple(jig::reduce_sum<1>(x), jig::reduce_max<1>(x), jig::reduce_mean<1>(x)); });
  const auto check = [&]<jig::index N>(std::integral_constant<jig::index, N>) {
    jig::tensor<T, dyn, N> all(most);
    for (jig::index i = 0; i < all.size(); ++i) all.data()[i] = static_cast<T>(std::sin(static_cast<double>(i)) * 1000);
    if constexpr (std::is_floating_point_v<T>) all(2, N / 2) = std::numeric_limits<T>::quiet_NaN();
    const auto [sums, maxima, means] = f(all);
    for (jig::index i = 0; i < most; ++i) {
      long double sum = 0;
      for (jig::index k = 0; k < N; ++k) sum += static_cast<long double>(all(i, k));
      if (sum == sum) CHECK(std::abs(static_cast<double>(sum - static_cast<long double>(sums(i)))) <= 1e-2);
    }
    int wrong = 0;
    for (jig::index first = 0; first < 3; ++first)
      for (jig::index rows = 1; first + rows <= most; ++rows) {
        const jig::view<jig::row_major<const T>, dyn, N> some(all.data() + first * N, rows);
        std::vector<T> to(static_cast<std::size_t>(3 * (most + 1)), T(77));
        const auto begin = [&](int k) { return to.data() + k * (most + 1); };
        const auto result = [&](int k) { return jig::view<jig::row_major<T>, dyn>(begin(k), rows); };
        auto a = result(0), b = result(1), c = result(2);
        f.into(std::tie(a, b, c), some);
        const auto bytes = static_cast<std::size_t>(rows) * sizeof(T);
        wrong += std::memcmp(begin(0), sums.data() + first, bytes) != 0;
        wrong += std::memcmp(begin(1), maxima.data() + first, bytes) != 0;
        wrong += std::memcmp(begin(2), means.data() + first, bytes) != 0;
        for (int k = 0; k < 3; ++k) wrong += begin(k)[rows] != T(77);
      }
    CHECK(wrong == 0);
  };
  check(std::integral_constant<jig::index, 37>());
  check(std::integral_constant<jig::index, 100>());
}

TEST_CASE("blocks of few kept places with what is reduced around them and inside") {
  static_assert(lanes_of<sum<1>, jig::spec<std::uint8_t, 30, 30, 4>> == reduction_lanes::block &&
                lanes_of<largest<1, 3>, jig::spec<float, 6, 2, 7, 2, 3>> == reduction_lanes::block);
  static_assert(lanes_of<sum<0>, jig::spec<float, 4, 1000>> == reduction_lanes::kept);
  along<1>::check_several(filled<std::uint8_t, 30, 30, 4>(30, 30, 4));
  along<1>::check_single(filled<std::uint8_t, dyn, 7, 4>(65, 7, 4));
  along<1, 3>::check_largest(filled<float, 6, 2, 7, 2, 3>(6, 2, 7, 2, 3));
  for (jig::index n : {0, 1, 15, 16, 17, 100}) along<1, 3>::check_several(filled<float, 3, 2, dyn, 2, 3>(3, 2, n, 2, 3));
  along<0>::check_several(filled<float, 4, 4>(4, 4));
  along<1>::check_several(filled<double, 5, 7>(5, 7));
  along<0>::check_single(filled<float, 37, 5>(37, 5));
}

TEST_CASE("truths") {
  for (jig::index rows : {0, 1, 3, 15, 16, 17, 63, 64, 65, 200}) {
    CAPTURE(rows);
    along<1>::check_truth(filled<bool, dyn, 3>(rows, 3));
    along<0>::check_truth(filled<bool, dyn, 3>(rows, 3));
    along<1>::check_truth(filled<bool, dyn, 20>(rows, 20));
    auto some = filled<float, dyn, 8>(rows, 8);
    for (jig::index i = 0; i < some.size(); ++i) some.data()[i] = i % 13 < 9 ? 0.f : some.data()[i];
    along<1>::check_truth(some);
  }
  along<0>::check_truth(filled<std::uint8_t, 2, 100>(2, 100));
  along<1>::check_truth(filled<std::uint8_t, dyn, 7>(30, 7));
}

TEST_CASE("unusual numbers reach the element of the result that they belong to") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (jig::index rows : {1, 3, 17, 40})
    for (float v : {inf, -inf, nan, -0.f, std::numeric_limits<float>::max()}) {
      CAPTURE(rows);
      CAPTURE(v);
      for (jig::index at = 0; at < rows * 3; ++at) {
        auto x = filled<float, dyn, 3>(rows, 3);
        x.data()[at] = v;
        if (at % 7 == 0) x.data()[(at + 3) % (rows * 3)] = -v;
        along<1>::check_largest(x);
        along<0>::check_largest(x);
        along<0>::check_single(x);
      }
      for (jig::index at = 0; at < rows * 20; at += 7) {
        auto x = filled<float, dyn, 20>(rows, 20);
        x.data()[at] = v;
        along<1>::check_single(x);
        along<1>::check_largest(x);
      }
    }
  for (jig::index at = 0; at < 3 * 5 * 20; ++at) {
    auto x = filled<float, dyn, 5, 20>(3, 5, 20);
    x.data()[at] = nan;
    along<0, 2>::check_single(x);
    along<0, 2>::check_largest(x);
  }
}

TEST_CASE("sums of many floats are right to 1e-6") {
  constexpr jig::index n = 3'000'000;
  const auto check = [](auto x, auto axes) {
    for (bool equal : {false, true}) {
      for (jig::index i = 0; i < n; ++i)
        x.data()[i] = equal ? 0.1f : static_cast<float>(static_cast<std::uint32_t>(i) * 2654435761u >> 8) * 0x1p-24f;
      axes.check_single(x);
    }
  };
  check(filled<float, dyn, dyn>(n / 20, 20), along<0>());
  check(filled<float, dyn, 3>(n / 3, 3), along<0>());
  check(filled<float, dyn, 3, 2>(n / 6, 3, 2), along<0, 2>());
  check(filled<float, dyn, 5, 20>(n / 100, 5, 20), along<0, 2>());
  check(filled<float, dyn, dyn, 3>(n / 60, 20, 3), along<0, 2>());
}

TEST_CASE("operands that broadcast, lie apart or are computed") {
  constexpr auto f = jig::function([](auto x, auto w, auto b) {
    return std::tuple(jig::reduce_sum<1>(x * w), jig::reduce_max<0>(x + b), jig::reduce_mean<1>(jig::cast<double>(x) - 1));
  });
  for (jig::index rows : {0, 1, 7, 8, 9, 33, 100})
    for (bool turned : {false, true}) {
      CAPTURE(rows);
      const auto numbers = filled<float, dyn>(3 * rows);
      const jig::view<const float, dyn, 3> x(numbers.data(), {2, {rows, 3}}, turned ? jig::shape{2, {1, rows}} : jig::shape{2, {3, 1}});
      const auto w = filled<float, 3>(3);
      const auto b = filled<float, dyn, 1>(rows, 1);
      const auto [sums, most, means] = f(x, w, b);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i) {
        double s = 0, m = 0;
        for (jig::index j = 0; j < 3; ++j) {
          s += static_cast<double>(x(i, j) * w(j));
          m += static_cast<double>(x(i, j)) - 1;
        }
        wrong += std::abs(static_cast<double>(sums(i)) - s) > 1e-5;
        wrong += std::abs(means(i) - m / 3) > 1e-12;
      }
      for (jig::index j = 0; j < 3; ++j) {
        float v = -std::numeric_limits<float>::infinity();
        for (jig::index i = 0; i < rows; ++i) v = std::max(v, x(i, j) + b(i, 0));
        wrong += most(j) != v;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("threads share what is kept") {
  const auto check = [](const auto& x, auto f, unsigned reduced) {
    using T = typename std::remove_cvref_t<decltype(x)>::value_type;
    const auto e = reduce_plainly(x.data(), x.shape(), reduced);
    const auto found = jig::parallel(jig::function(f))(x);
    int wrong = 0;
    for (std::size_t k = 0; k < e.most.size(); ++k) wrong += !is_sum<T>(found.data()[k], e, k);
    CHECK(wrong == 0);
  };
  for (jig::index rows : {21'845, 21'846, 50'001}) check(filled<double, dyn, 3>(rows, 3), sum<1>(), 2);
  check(filled<std::int32_t, 5, dyn, 20>(5, 5000, 20), sum<0, 2>(), 5);
  // Parts of a kept axis that is one block of registers, several, or lanes and a rest.
  check(filled<float, 2000, 64>(2000, 64), sum<0>(), 1);
  check(filled<float, 2000, 128>(2000, 128), sum<0>(), 1);
  check(filled<float, 2000, 256>(2000, 256), sum<0>(), 1);
  check(filled<float, 400, 300>(400, 300), sum<0>(), 1);
  check(filled<double, 2000, 100>(2000, 100), sum<0>(), 1);
  check(filled<std::uint8_t, 2000, 256>(2000, 256), sum<0>(), 1);
  check(filled<std::uint8_t, 2000, 1000>(2000, 1000), sum<0>(), 1);
  check(filled<std::int32_t, 20, 200, 30>(20, 200, 30), sum<0, 2>(), 5);
  check(filled<std::int32_t, 20, 4000, 2>(20, 4000, 2), sum<0, 2>(), 5);
  check(filled<float, dyn, 200>(2000, 200), sum<0>(), 1);
  check(filled<float, 300, dyn>(300, 257), sum<0>(), 1);
}

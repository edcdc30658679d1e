// SPDX-License-Identifier: MIT
#include <jig/ops/reduce.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

template <class T>
constexpr T inf = std::numeric_limits<T>::infinity();

constexpr auto numbers = [](const auto& x) {
  return std::tuple(jig::reduce_sum(x), jig::reduce_mean(x), jig::reduce_prod(x), jig::reduce_max(x), jig::reduce_min(x));
};
constexpr auto traced_numbers = jig::function<"f(x)">(numbers);

}  // namespace

TEST_CASE_TEMPLATE("all axes at every length, at once and in a trace", T, float, double, std::int8_t, std::int32_t, std::uint64_t) {
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    CAPTURE(n);
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<T>(1 + i % 3) * (i % 2 == 0 ? T(1) : static_cast<T>(-T(1))));
    T sum = 0, product = 1;
    T most = std::numeric_limits<T>::has_infinity ? -inf<T> : std::numeric_limits<T>::lowest();
    T least = std::numeric_limits<T>::has_infinity ? inf<T> : std::numeric_limits<T>::max();
    for (T x : v) {
      if constexpr (std::is_integral_v<T>) {
        sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(x));
        product = static_cast<T>(static_cast<std::uint64_t>(product) * static_cast<std::uint64_t>(x));
      } else {
        sum += x;
        product *= x;
      }
      most = std::max(most, x);
      least = std::min(least, x);
    }
    auto check = [&](const auto& results) {
      auto& [s, m, p, hi, lo] = results;
      CHECK(s() == sum);  // small numbers, so exact
      if constexpr (std::is_floating_point_v<T>) CHECK(p() == doctest::Approx(product).epsilon(1e-6));
      else CHECK(p() == product);
      CHECK(hi() == most);
      CHECK(lo() == least);
      if constexpr (std::is_floating_point_v<T>) {
        if (n == 0) CHECK(std::isnan(m()));
        else CHECK(m() == doctest::Approx(sum / static_cast<T>(n)));
      } else if constexpr (std::is_signed_v<T>) {
        CHECK(m() == (n == 0 ? T(0) : static_cast<T>(static_cast<std::int64_t>(sum) / static_cast<std::int64_t>(n))));
      } else {
        CHECK(m() == (n == 0 ? T(0) : static_cast<T>(sum / n)));
      }
    };
    check(traced_numbers(v));
    // The kernels are the same.
    if constexpr (std::is_same_v<T, std::int32_t>) check(numbers(tensor_of(v)));
  }
}

TEST_CASE("the mean of integers truncates towards zero, as TensorFlow's get_MSE shows") {
  constexpr auto get_mse =
      jig::function<"get_MSE(y_true, y_pred)">([](auto y_true, auto y_pred) { return jig::reduce_mean(jig::square(y_true - y_pred)); });
  CHECK(get_mse(std::vector<int>{1, 0, 4, 4, 7}, std::vector<int>{3, 6, 3, 0, 6})() == 11);
  CHECK(get_mse(std::vector<int>{4, 7, 4, 9, 0}, std::vector<int>{7, 4, 1, 6, 3})() == 9);
  CHECK(jig::reduce_mean(jig::tensor<int, 2>{-3, 0})() == -1);
}

TEST_CASE("results have specs that follow from the axes") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    return std::tuple(jig::reduce_sum(x), jig::reduce_sum<0>(x), jig::reduce_sum<-1>(x), jig::reduce_sum<2, 0>(x),
                      jig::reduce_max<-3, 1, 2>(x), jig::reduce_sum(x, jig::keepdims), jig::reduce_min<1>(x, jig::keepdims),
                      jig::reduce_variance<1>(x, jig::keepdims), jig::reduce_std<1>(x, jig::keepdims), jig::norm(x, jig::keepdims),
                      jig::reduce_logsumexp<0>(x));
  });
  using jig::spec;
  using jig::tensor;
  static_assert(std::is_same_v<
                decltype(f.get_concrete_function(spec<float, 2, 3, 4>()))::output_spec,
                std::tuple<spec<float>, spec<float, 3, 4>, spec<float, 2, 3>, spec<float, 3>, spec<float>, spec<float, 1, 1, 1>,
                           spec<float, 2, 1, 4>, spec<float, 2, 1, 4>, spec<float, 2, 1, 4>, spec<float, 1, 1, 1>, spec<float, 3, 4>>>);
  static_assert(std::is_same_v<decltype(jig::reduce_any<1>(tensor<bool, 2, jig::dyn>())), tensor<bool, 2>>);
  constexpr jig::index n = jig::dim<"n">;
  static_assert(std::is_same_v<decltype(jig::reduce_sum<1>(tensor<int, n, 3>())), tensor<int, n>>);
  CHECK(jig::reduce_sum(tensor<float>{5})() == 5);  // nothing to reduce
}

TEST_CASE("every choice of axes of a cube equals plain loops") {
  using T = float;
  jig::tensor<T, 3, 4, 5> x;
  for (int i = 0; i < 60; ++i) x.data()[i] = static_cast<T>((i * 37) % 11 - 5);
  auto check = [&]<bool A, bool B, bool C>(auto sum, auto most) {
    for (int i = 0; i < (A ? 1 : 3); ++i)
      for (int j = 0; j < (B ? 1 : 4); ++j)
        for (int k = 0; k < (C ? 1 : 5); ++k) {
          T s = 0, m = std::numeric_limits<T>::lowest();
          for (int a = A ? 0 : i; a < (A ? 3 : i + 1); ++a)
            for (int b = B ? 0 : j; b < (B ? 4 : j + 1); ++b)
              for (int c = C ? 0 : k; c < (C ? 5 : k + 1); ++c) {
                s += x(a, b, c);
                m = std::max(m, x(a, b, c));
              }
          CHECK(sum(i, j, k) == s);
          CHECK(most(i, j, k) == m);
        }
  };
  constexpr auto f = jig::function<"f(x)">([](auto v) {
    auto along = [&](auto... axes) {
      return std::tuple(jig::reduce_sum<decltype(axes)::value...>(v, jig::keepdims),
                        jig::reduce_max<decltype(axes)::value...>(v, jig::keepdims));
    };
    using jig::lit;
    return std::tuple(along(lit<0>), along(lit<1>), along(lit<-1>), along(lit<1>, lit<0>), along(lit<0>, lit<2>), along(lit<-1>, lit<-2>),
                      along(lit<0>, lit<1>, lit<2>), jig::reduce_sum<1>(v));
  });
  auto [first, second, third, not_third, not_second, not_first, everything, dropped] = f(x);
  std::apply([&](const auto&... r) { check.template operator()<true, false, false>(r...); }, first);
  std::apply([&](const auto&... r) { check.template operator()<false, true, false>(r...); }, second);
  std::apply([&](const auto&... r) { check.template operator()<false, false, true>(r...); }, third);
  std::apply([&](const auto&... r) { check.template operator()<true, true, false>(r...); }, not_third);
  std::apply([&](const auto&... r) { check.template operator()<true, false, true>(r...); }, not_second);
  std::apply([&](const auto&... r) { check.template operator()<false, true, true>(r...); }, not_first);
  std::apply([&](const auto&... r) { check.template operator()<true, true, true>(r...); }, everything);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 5; ++k) CHECK(dropped(i, k) == std::get<0>(second)(i, 0, k));
}

TEST_CASE("any and all") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::reduce_any(x), jig::reduce_all(x)); });
  for (jig::index n : {0, 1, 5, 67})
    for (jig::index at : {jig::index{-1}, jig::index{0}, n - 1}) {
      if (at >= n) continue;
      jig::tensor<bool, jig::dyn> none(jig::uninitialized, {1, {n}}), full(jig::uninitialized, {1, {n}});
      for (bool& v : none) v = false;
      for (bool& v : full) v = true;
      if (at >= 0) {
        none(at) = true;
        full(at) = false;
      }
      CHECK(std::get<0>(f(none))() == (at >= 0));
      CHECK(std::get<1>(f(full))() == (at < 0));
    }
  jig::tensor<bool, 2, 2> t{{true, false}, {true, true}};
  CHECK(jig::reduce_any(t)());
  CHECK(!jig::reduce_all<1>(t)(0));
  CHECK(jig::reduce_all<0>(t)(0));
}

TEST_CASE("NaN passes through, wherever it is") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    return std::tuple(jig::reduce_max(x), jig::reduce_min(x), jig::reduce_sum(x), jig::reduce_mean(x), jig::reduce_prod(x),
                      jig::reduce_variance(x), jig::reduce_logsumexp(x), jig::norm(x));
  });
  for (std::size_t at : {0u, 1u, 31u, 66u}) {
    std::vector<float> v(67, 1);
    v[at] = std::nanf("");
    for (float r : std::apply([](const auto&... results) { return std::vector{results()...}; }, f(v))) CHECK(std::isnan(r));
  }
}

TEST_CASE_TEMPLATE("variance, deviation and norm", T, float, double) {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(jig::reduce_variance(x), jig::reduce_std(x), jig::norm(x)); });
  for (std::size_t n : {1u, 5u, 64u + 3u}) {
    std::vector<T> v(n);
    double mean = 0, squares = 0, variance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = static_cast<T>(1000 + static_cast<double>(i % 13));
      mean += static_cast<double>(v[i]) / static_cast<double>(n);
      squares += static_cast<double>(v[i]) * static_cast<double>(v[i]);
    }
    for (T x : v) variance += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / static_cast<double>(n);
    auto [a, b, c] = f(v);
    CHECK(a() == doctest::Approx(variance).epsilon(1e-5));
    CHECK(b() == doctest::Approx(std::sqrt(variance)).epsilon(1e-5));
    CHECK(c() == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
  }
  auto nothing = f(std::vector<T>());
  CHECK(std::isnan(std::get<0>(nothing)()));
  CHECK(std::get<2>(nothing)() == 0);
  CHECK(std::get<2>(f(std::vector<T>{1, -inf<T>}))() == inf<T>);
}

TEST_CASE("variance, deviation and norm of rows and columns") {
  constexpr auto along =
      jig::function<"f(x)">([](auto x) { return std::tuple(jig::norm<1>(x), jig::reduce_variance<0>(x), jig::reduce_std<0>(x)); });
  auto [norms, variances, deviations] = along(jig::tensor<float, 2, 2>{{3, 4}, {6, 8}});
  CHECK(norms(1) == 10);
  CHECK(variances(0) == 2.25f);
  CHECK(deviations(1) == 2);
}

TEST_CASE_TEMPLATE("logsumexp neither overflows nor trips over infinities", T, float, double) {
  constexpr auto traced = jig::function<"f(x)">([](auto x) { return jig::reduce_logsumexp(x); });
  auto f = [&](const std::vector<T>& v) { return traced(v)(); };
  CHECK(f({0, 0}) == doctest::Approx(std::log(2.0)));
  CHECK(f({1000, 1000}) == doctest::Approx(1000 + std::log(2.0)));
  CHECK(f({-1000, -1000}) == doctest::Approx(-1000 + std::log(2.0)));
  CHECK(f({5}) == 5);
  CHECK(f({-inf<T>, 3}) == 3);
  CHECK(f({-inf<T>, -inf<T>}) == -inf<T>);
  CHECK(f({inf<T>, 3}) == inf<T>);
  CHECK(f({inf<T>, -inf<T>}) == inf<T>);
  CHECK(f({}) == -inf<T>);
}

TEST_CASE("logsumexp of rows and columns") {
  constexpr auto f =
      jig::function<"f(x)">([](auto x) { return std::tuple(jig::reduce_logsumexp<1>(x), jig::reduce_logsumexp<0>(x, jig::keepdims)); });
  auto [rows, columns] = f(jig::tensor<float, 2, 2>{{-inf<float>, -inf<float>}, {1, 2}});
  CHECK(rows(0) == -inf<float>);
  CHECK(rows(1) == doctest::Approx(2 + std::log1p(std::exp(-1.0))));
  CHECK(columns(0, 1) == 2);
}

TEST_CASE("what is composed of other ops runs at once, too") { CHECK(jig::norm(std::vector<float>{3, 4})() == 5); }

TEST_CASE("sums of integers wrap") {
  CHECK(jig::reduce_sum(std::vector<std::int8_t>(67, 100))() == static_cast<std::int8_t>(6700));
  CHECK(jig::reduce_prod(std::vector<int>(67, 3))() == static_cast<int>([] {
          unsigned p = 1;
          for (int i = 0; i < 67; ++i) p *= 3;
          return p;
        }()));
  std::vector<std::int64_t> big(5, std::numeric_limits<std::int64_t>::max());
  CHECK(jig::reduce_sum(big)() == std::numeric_limits<std::int64_t>::max() - 4);
}

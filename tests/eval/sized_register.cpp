// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <tuple>

namespace {

using jig::dyn;

constexpr jig::index lengths[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 1000};

template <class T>
auto numbers(jig::index n, int by) {
  auto x = jig::zeros<T, dyn>(n);
  for (jig::index i = 0; i < n; ++i) x(i) = static_cast<T>((i * by + 5) % 113);
  return x;
}

}  // namespace

TEST_CASE("a register has as many lanes as it is asked for, or more where it is the narrowest") {
  static_assert(std::is_same_v<jig::simd::sized<float, jig::simd::lanes<float>>, jig::simd::batch<float>>);
  constexpr jig::index n = jig::simd::lanes<double>;
  static_assert(jig::simd::sized<std::uint8_t, n>::size == 16 && jig::simd::sized<float, n>::size == (n < 4 ? 4 : n));
  std::uint8_t in[n + 1], out[n + 1] = {};
  for (jig::index k = 0; k <= n; ++k) in[k] = static_cast<std::uint8_t>(200 + k);
  jig::simd::store_lanes<std::uint8_t, n>(out, jig::simd::load_lanes<std::uint8_t, n>(in));
  for (jig::index k = 0; k < n; ++k) CHECK(out[k] == in[k]);
  CHECK(out[n] == 0);
}

TEST_CASE("dtypes of all sizes in one loop") {
  constexpr auto f = jig::function<"f(b, w, i, d)">([](auto b, auto w, auto i, auto d) {
    auto wide = jig::cast<double>(b) * d + jig::cast<double>(i);
    auto near = jig::cast<double>(w) < d;
    return std::make_tuple(jig::cast<float>(wide), jig::where(near, b, jig::cast<std::uint8_t>(i)), jig::where(b < 50, d, wide),
                           near & (b < jig::cast<std::uint8_t>(w)), b * b + b, jig::maximum(w, jig::cast<std::int16_t>(b)));
  });
  for (jig::index n : lengths) {
    auto b = numbers<std::uint8_t>(n, 7);
    auto w = numbers<std::int16_t>(n, 11);
    auto i = numbers<int>(n, 3);
    auto d = numbers<double>(n, 13);
    auto [floats, bytes, doubles, truths, squares, words] = f(b, w, i, d);
    int wrong = 0;
    for (jig::index k = 0; k < n; ++k) {
      const double wide = b(k) * d(k) + i(k);
      const bool near = w(k) < d(k);
      wrong += floats(k) != static_cast<float>(wide) || bytes(k) != (near ? b(k) : static_cast<std::uint8_t>(i(k))) ||
               doubles(k) != (b(k) < 50 ? d(k) : wide) || truths(k) != (near && b(k) < static_cast<std::uint8_t>(w(k))) ||
               squares(k) != static_cast<std::uint8_t>(b(k) * b(k) + b(k)) || words(k) != std::max<std::int16_t>(w(k), b(k));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("reductions of narrow dtypes beside wide ones") {
  constexpr auto f = jig::function<"f(b, x, d)">([](auto b, auto x, auto d) {
    return std::make_tuple(jig::reduce_sum(jig::cast<int>(b)), jig::reduce_sum(b), jig::reduce_max(b),
                           jig::reduce_mean(jig::cast<float>(b)), jig::reduce_sum(jig::cast<double>(x) * d),
                           jig::reduce_max(x + jig::cast<float>(d)), jig::reduce_all(jig::cast<float>(d) >= x),
                           jig::reduce_min(jig::cast<std::int8_t>(b)));
  });
  for (jig::index n : lengths) {
    if (n == 0) continue;
    auto b = numbers<std::uint8_t>(n, 7);
    auto x = numbers<float>(n, 11);
    auto d = numbers<double>(n, 13);
    auto [sum, wrapped, most, mean, product, largest, all, least] = f(b, x, d);
    int total = 0, highest = 0, lowest = 127;
    double dot = 0;
    float top = 0;
    bool every = true;
    for (jig::index k = 0; k < n; ++k) {
      total += b(k);
      highest = std::max<int>(highest, b(k));
      lowest = std::min<int>(lowest, static_cast<std::int8_t>(b(k)));
      dot += static_cast<double>(x(k)) * d(k);
      top = std::max(top, x(k) + static_cast<float>(d(k)));
      every = every && static_cast<float>(d(k)) >= x(k);
    }
    CHECK(sum() == total);
    CHECK(wrapped() == static_cast<std::uint8_t>(total));
    CHECK(most() == highest);
    CHECK(mean() == doctest::Approx(static_cast<double>(total) / static_cast<double>(n)));
    CHECK(product() == doctest::Approx(dot));
    CHECK(largest() == top);
    CHECK(all() == every);
    CHECK(least() == lowest);
  }
}

TEST_CASE("lanes that are no elements change no result") {
  // 0 / 0 in them would be NaN.
  constexpr auto f = jig::function<"f(x, d)">([](auto x, auto d) { return std::make_tuple(jig::reduce_max(x / x), jig::reduce_sum(d)); });
  auto x = jig::ones<float, 100>();
  auto d = jig::ones<double, 100>();
  constexpr auto both = jig::function<"both(x, d)">(
      [](auto y, auto e) { return std::make_tuple(jig::reduce_max(y / y), jig::reduce_sum(e + jig::cast<double>(y / y))); });
  CHECK(std::get<0>(f(x, d))() == 1);
  CHECK(std::get<0>(both(x, d))() == 1);
  CHECK(std::get<1>(both(x, d))() == 200);
}

TEST_CASE("rows of bytes are added up as integers, and broadcast to floats") {
  constexpr auto f = jig::function<"f(b, s)">([](auto b, auto s) {
    return std::make_tuple(jig::reduce_sum<0>(jig::cast<int>(b)), jig::reduce_sum<1>(jig::cast<int>(b)), (jig::cast<float>(b) - s) * 0.5);
  });
  auto b = jig::zeros<std::uint8_t, dyn, dyn>(9, 37);
  auto s = jig::zeros<float, dyn>(37);
  for (jig::index i = 0; i < 9; ++i)
    for (jig::index k = 0; k < 37; ++k) b(i, k) = static_cast<std::uint8_t>(i * 31 + k * 7);
  for (jig::index k = 0; k < 37; ++k) s(k) = static_cast<float>(k);
  auto [columns, rows, moved] = f(b, s);
  for (jig::index k = 0; k < 37; ++k) {
    int total = 0;
    for (jig::index i = 0; i < 9; ++i) {
      total += b(i, k);
      CHECK(moved(i, k) == (static_cast<float>(b(i, k)) - s(k)) * 0.5f);
    }
    CHECK(columns(k) == total);
  }
  for (jig::index i = 0; i < 9; ++i) {
    int total = 0;
    for (jig::index k = 0; k < 37; ++k) total += b(i, k);
    CHECK(rows(i) == total);
  }
}

namespace {

// Short arrays whose length is known are read and stored as parts of registers where the machine can.
template <jig::index N>
int wrong_of_static() {
  constexpr auto f = jig::function<"f(b, x)">([](auto b, auto x) {
    auto wide = jig::cast<float>(b) * x;
    return std::make_tuple(wide, jig::cast<std::uint8_t>(wide), jig::cast<double>(b) + 0.5, jig::cast<std::int16_t>(b) << 7,
                           jig::reduce_sum(jig::cast<int>(b)), b + b);
  });
  jig::tensor<std::uint8_t, N> b;
  jig::tensor<float, N> x;
  for (jig::index i = 0; i < N; ++i) {
    b(i) = static_cast<std::uint8_t>(i * 53 + 9);
    x(i) = static_cast<float>(i % 5) - 1;
  }
  auto [wide, bytes, doubles, words, sum, twice] = f(b, x);
  int wrong = 0, total = 0;
  for (jig::index i = 0; i < N; ++i) {
    const float product = static_cast<float>(b(i)) * x(i);
    total += b(i);
    wrong += wide(i) != product || bytes(i) != std::clamp(product, 0.f, 255.f) || doubles(i) != b(i) + 0.5 ||
             words(i) != static_cast<std::int16_t>(b(i) << 7) || twice(i) != static_cast<std::uint8_t>(2 * b(i));
  }
  return wrong + (sum() != total);
}

}  // namespace

TEST_CASE("short arrays of known length of several sizes") {
  CHECK(wrong_of_static<1>() == 0);
  CHECK(wrong_of_static<3>() == 0);
  CHECK(wrong_of_static<7>() == 0);
  CHECK(wrong_of_static<8>() == 0);
  CHECK(wrong_of_static<13>() == 0);
  CHECK(wrong_of_static<20>() == 0);
}

TEST_CASE("results go on top of an argument of their size") {
  constexpr auto f = jig::function<"f(b, d)">([](auto b, auto d) { return jig::cast<std::uint8_t>(jig::cast<double>(b) * d); });
  for (jig::index n : lengths) {
    auto b = numbers<std::uint8_t>(n, 7);
    auto d = numbers<double>(n, 3);
    const auto before = b;
    f.into(b, b, d);
    int wrong = 0;
    for (jig::index k = 0; k < n; ++k) wrong += b(k) != static_cast<std::uint8_t>(std::min(before(k) * d(k), 255.));
    CHECK(wrong == 0);
  }
}

TEST_CASE("large results of several sizes") {
  // So large that floats are stored past the caches.
  constexpr auto f = jig::function<"f(b)">([](auto b) { return jig::cast<float>(b) * 0.5; });
  constexpr auto g = jig::function<"g(x)">([](auto x) { return std::make_tuple(jig::cast<std::uint8_t>(x), x + 1.); });
  constexpr auto h = jig::function<"h(x)">([](auto x) { return jig::cast<std::uint8_t>(x); });
  const jig::index n = (jig::index{17} << 20) + 5;
  auto b = numbers<std::uint8_t>(n, 7);
  auto x = f(b);
  auto [bytes, more] = g(x);
  auto alone = h(x);
  int wrong = 0;
  for (jig::index k = 0; k < n; ++k) wrong += x(k) != b(k) * 0.5f || bytes(k) != b(k) / 2 || more(k) != x(k) + 1 || alone(k) != b(k) / 2;
  CHECK(wrong == 0);
}

// SPDX-License-Identifier: MIT
#include "../lowered_text.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using u8 = std::uint8_t;
using jig::dyn;
using jig::range_of;
using jig::strided_slice;
using jig::unbounded;

namespace {

// Whether slices are of arguments only, so that nothing is computed whole.
template <class... Spec>
bool reads_parts(auto f) {
  const std::string text = lowered_text(f, Spec()...);
  const std::string op = "= StridedSlice(";
  bool any = false;
  for (auto at = text.find(op); at != std::string::npos; at = text.find(op, at + 1)) {
    any = true;
    if (text.compare(at + op.size(), 5, "args_") != 0) return false;
  }
  return any;
}
constexpr auto planes = [](auto x) {
  const auto f = jig::cast<float>(x) / 255;
  return jig::stack<0>(f(jig::all, 0), f(jig::all, 1), f(jig::all, 2));
};
// Two parts of an axis of six elements.
template <auto First, auto Second>
constexpr auto parts = [](auto x) {
  const auto f = jig::exp(x);
  return strided_slice<jig::all, First>(f) * strided_slice<jig::all, Second>(f);
};
template <jig::index Begin, jig::index End, jig::index Step = 1>
constexpr auto range = jig::fixed_range<Begin, End, Step>();
using six = jig::spec<float, dyn, 6>;

}  // namespace

TEST_CASE("parts that have nothing in common are computed of parts") {
  CHECK(reads_parts<jig::spec<u8, dyn, 3>>(planes));
  CHECK(reads_parts<six>(parts<range<0, 3>, range<3, 6>>));
  CHECK(reads_parts<six>(parts<range<0, 6, 2>, range<1, 6, 2>>));
  CHECK(reads_parts<six>(parts<range<0, 6, 3>, range<unbounded, unbounded, -3>>));
  CHECK(reads_parts<six>(parts<range<-3, unbounded>, range<0, -3>>));
  CHECK(reads_parts<six>([](auto x) { return jig::exp(x)(jig::all, 1); }));
  // The same part twice; parts along two axes.
  CHECK(reads_parts<six>([](auto x) {
    const auto f = jig::exp(x);
    return std::tuple(f(jig::all, 1) * 2, f(jig::all, 1) + 1);
  }));
  CHECK(reads_parts<jig::spec<float, 40, 6>>([](auto x) {
    const auto f = jig::exp(x);
    return strided_slice<range<0, 20>, range<0, 3>>(f) + strided_slice<range<20, 40>, range<0, 3>>(f) +
           strided_slice<range<0, 20>, range<3, 6>>(f);
  }));
  // What is broadcast is read as it is, or in part.
  CHECK(reads_parts<six, jig::spec<float, 6>, jig::spec<float, dyn, 1>, jig::spec<float>>([](auto x, auto row, auto column, auto number) {
    const auto f = (x - row) * column + number;
    return f(jig::all, 0) * f(jig::all, 5);
  }));
}
TEST_CASE("otherwise a value is computed whole") {
  CHECK_FALSE(reads_parts<six>(parts<range<0, 4>, range<2, 6>>));
  CHECK_FALSE(reads_parts<six>(parts<range<0, 4, 2>, range<1, 7, 3>>));
  // Somebody reads all of it, or it is a result.
  CHECK_FALSE(reads_parts<six>([](auto x) {
    const auto f = jig::exp(x);
    return f(jig::all, 0) * jig::reduce_sum<1>(f);
  }));
  CHECK_FALSE(reads_parts<six>([](auto x) {
    const auto f = jig::exp(x);
    return std::tuple(f, f(jig::all, 0) * 2);
  }));
  // Only the call knows how much there is of it, or of what is broadcast.
  CHECK_FALSE(reads_parts<jig::spec<float, dyn>>([](auto x) {
    const auto f = jig::exp(x);
    return f[range_of(0, unbounded, 2)] * f[range_of(1, unbounded, 2)];
  }));
  CHECK_FALSE(reads_parts<six, jig::spec<float, dyn, dyn>>([](auto x, auto y) {
    const auto f = x * y;
    return f(jig::all, 0) - f(jig::all, 1);
  }));
  // A slice of all of it, along an axis of one element.
  CHECK_FALSE(
      reads_parts<jig::spec<float, dyn, 1>>([](auto x) { return strided_slice<jig::all, range<unbounded, unbounded, -2>>(jig::exp(x)); }));
  // Few numbers; views of longer rows.
  CHECK_FALSE(reads_parts<jig::spec<float, 15, 3>>([](auto x) {
    const auto f = jig::exp(x);
    return f(jig::all, 0) * f(jig::all, 1);
  }));
  CHECK(reads_parts<jig::spec<float, 16, 3>>([](auto x) {
    const auto f = jig::exp(x);
    return f(jig::all, 0) * f(jig::all, 1);
  }));
  CHECK(lowered_text(
            [](auto x) {
              const auto f = x(jig::all, 1, jig::all) - x(jig::all, 0, jig::all);
              return f(jig::all, 0) * f(jig::all, 1);
            },
            jig::spec<float, dyn, 3, 3>())
            .find("= StridedSlice(sub)") != std::string::npos);
  // What follows a product runs on its tiles.
  CHECK(lowered_text(
            [](auto x, auto w) {
              const auto f = jig::relu(jig::matmul(x, w));
              return strided_slice<jig::all, range<0, 32>>(f) * strided_slice<jig::all, range<32, 64>>(f);
            },
            jig::spec<float, dyn, 64>(), jig::spec<float, 64, 64>())
            .find("= StridedSlice(Relu)") != std::string::npos);
}

TEST_CASE("parts have the values of plain loops") {
  static constexpr auto f = jig::function<"f(x, row, column)">([](auto x, auto row, auto column) {
    const auto y = (jig::cast<int>(x) - row) * column;
    const auto z = jig::square(y);
    return std::tuple(z(jig::all, 0) + z(jig::all, 3), strided_slice<jig::all, range<1, 3>>(z),
                      jig::stack<0>(z(jig::all, 4), -z(jig::all, 5)));
  });
  for (const jig::index n : {0, 1, 2, 15, 16, 17, 33, 100}) {
    auto x = jig::zeros<u8, dyn, 6>(n);
    auto column = jig::zeros<int, dyn, 1>(n);
    jig::tensor<int, 6> row{1, -2, 30, 40, 5, 600};
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<u8>(i * 77);
    for (jig::index i = 0; i < n; ++i) column(i, 0) = static_cast<int>(i % 7) - 3;
    const auto [sum, middle, stacked] = f(x, row, column);
    int wrong = 0;
    const auto at = [&](jig::index i, jig::index k) {
      const int y = (x(i, k) - row(k)) * column(i, 0);
      return y * y;
    };
    for (jig::index i = 0; i < n; ++i) {
      wrong += sum(i) != at(i, 0) + at(i, 3) || middle(i, 0) != at(i, 1) || middle(i, 1) != at(i, 2);
      wrong += stacked(0, i) != at(i, 4) || stacked(1, i) != -at(i, 5);
    }
    CHECK(wrong == 0);
    CHECK(sum.size() == n);
  }
}
TEST_CASE("what a value refuses, its parts refuse") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    const auto z = x + y;
    return z(jig::all, 0) * z(jig::all, 2);
  });
  const jig::tensor<float, dyn, 3> x(20), y(21), one(1);
  CHECK_THROWS_WITH_AS(f(x, y), doctest::Contains("AddV2: shapes do not broadcast"), jig::invalid_argument);
  CHECK(f(x, one).size() == 20);
  CHECK(f(one, x).size() == 20);
}

namespace {

// So many windows of what is cast.
template <class T, int N>
constexpr auto windows = [](auto x) {
  const auto c = jig::cast<T>(x);
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return ((strided_slice<range_of(K, K - N == -1 ? unbounded : K - N + 1)>(c)) + ...);
  }(std::make_integer_sequence<int, N>());
};
using bytes = jig::spec<u8, dyn, dyn>;

}  // namespace

TEST_CASE("windows of what is cast from narrower memory are cast each") {
  CHECK(reads_parts<bytes>(windows<float, 2>));
  CHECK(reads_parts<bytes>(windows<float, 8>));
  CHECK_FALSE(reads_parts<bytes>(windows<float, 9>));
  CHECK(reads_parts<bytes>(windows<int, 16>));
  CHECK_FALSE(reads_parts<bytes>(windows<int, 17>));
  CHECK(reads_parts<jig::spec<float, 40, 3>>(windows<double, 3>));
  // As wide as they are; of what a loop computes; somebody reads the whole.
  CHECK_FALSE(reads_parts<jig::spec<float, dyn, dyn>>(windows<int, 3>));
  CHECK_FALSE(reads_parts<bytes>([](auto x) { return windows<int, 4>(x + u8(1)); }));
  CHECK_FALSE(reads_parts<bytes>([](auto x) {
    const auto c = jig::cast<float>(x);
    return strided_slice<range_of(1, unbounded)>(c) + jig::reduce_max<0>(c);
  }));
  constexpr auto sums = jig::function<"sums(x)">(windows<float, 3>);
  constexpr auto longs = jig::function<"longs(x)">(windows<int, 12>);
  for (const jig::index n : {12, 13, 40})
    for (const jig::index m : {0, 1, 15, 16, 17, 65}) {
      jig::tensor<u8, dyn, dyn> x(n, m);
      for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<u8>(i * 41);
      const auto a = sums(x);
      const auto b = longs(x);
      int wrong = 0;
      for (jig::index i = 0; i + 3 <= n; ++i)
        for (jig::index k = 0; k < m; ++k) wrong += a(i, k) != static_cast<float>(x(i, k) + x(i + 1, k) + x(i + 2, k));
      for (jig::index i = 0; i + 12 <= n; ++i)
        for (jig::index k = 0; k < m; ++k) {
          int sum = 0;
          for (jig::index j = 0; j < 12; ++j) sum += x(i + j, k);
          wrong += b(i, k) != sum;
        }
      CHECK(wrong == 0);
    }
}

namespace {

// N quick ops on x.
template <int N>
constexpr auto quick(auto x) {
  if constexpr (N == 0) return x;
  else return quick<N - 1>(x) * 3;
}
template <int Ops, int Windows>
constexpr auto sum_of_windows = [](auto x) {
  const auto y = quick<Ops>(x);
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return ((strided_slice<range_of(K, K - Windows == -1 ? unbounded : K - Windows + 1)>(y)) + ...);
  }(std::make_integer_sequence<int, Windows>());
};
constexpr auto differences(auto x) { return strided_slice<range_of(1, unbounded)>(x) - strided_slice<range_of(0, -1)>(x); }
constexpr auto twice = [](auto x) { return differences(differences(x)); };
using vector = jig::spec<double, dyn>;
using known_vector = jig::spec<double, 100>;

}  // namespace

TEST_CASE("a few windows of what little arithmetic makes are computed each") {
  CHECK(reads_parts<vector>(sum_of_windows<8, 2>));
  CHECK_FALSE(reads_parts<vector>(sum_of_windows<9, 2>));
  CHECK(reads_parts<known_vector>(sum_of_windows<4, 3>));
  CHECK_FALSE(reads_parts<known_vector>(sum_of_windows<5, 3>));
  CHECK(reads_parts<vector>(sum_of_windows<1, 9>));
  CHECK_FALSE(reads_parts<vector>(sum_of_windows<1, 10>));
  CHECK(reads_parts<vector>(twice));
  CHECK(reads_parts<known_vector>(twice));
  // Windows of windows of windows: the second ones are stored.
  CHECK_FALSE(reads_parts<vector>([](auto x) { return differences(twice(x)); }));
  // Casts to wider dtypes are two ops, others slow ones.
  CHECK(reads_parts<bytes>([](auto x) { return windows<int, 3>(x + u8(1)); }));
  CHECK_FALSE(reads_parts<vector>([](auto x) { return differences(jig::cast<float>(x)); }));
  // Slow ops; what a reduction reads whole; every second place; of lengths that only the call compares.
  CHECK_FALSE(reads_parts<vector>([](auto x) { return differences(jig::exp(x)); }));
  CHECK_FALSE(reads_parts<vector>([](auto x) { return differences(1 / x); }));
  CHECK_FALSE(reads_parts<vector>([](auto x) { return differences(jig::sqrt(x)); }));
  CHECK_FALSE(reads_parts<vector>([](auto x) {
    const auto y = 2 * x;
    return differences(y) + jig::reduce_max(y);
  }));
  CHECK_FALSE(reads_parts<vector>([](auto x) {
    const auto y = 2 * x;
    return strided_slice<range_of(0, -1, 2)>(y) * strided_slice<range_of(1, unbounded, 2)>(y);
  }));
  CHECK_FALSE(reads_parts<vector, vector>([](auto x, auto y) { return differences(x * y); }));
  CHECK(reads_parts<known_vector, known_vector>([](auto x, auto y) { return differences(x * y); }));
  using named = jig::spec<double, jig::dim<"n">>;
  CHECK(reads_parts<named, named>([](auto x, auto y) { return differences(x * y); }));
  // What is broadcast along the axis, and what is not.
  CHECK(reads_parts<jig::spec<double, dyn, 5>, jig::spec<double, 5>>([](auto x, auto y) { return differences(x * y); }));
  CHECK(reads_parts<jig::spec<double, dyn, 5>, jig::spec<double, 1, 5>>([](auto x, auto y) { return differences(x * y); }));
  CHECK_FALSE(reads_parts<jig::spec<double, dyn, 5>, jig::spec<double, dyn, 1>>([](auto x, auto y) { return differences(x * y); }));
}
TEST_CASE("windows of arithmetic have the values of plain loops") {
  constexpr auto change = jig::function<"change(x, y)">([](auto x, auto y) {
    const auto flux = 0.5 * x * x + y;
    return std::tuple(strided_slice<range_of(1, unbounded)>(x) - 2 * differences(flux), twice(x), differences(twice(x)));
  });
  const auto of = [](jig::index i) { return static_cast<double>(i * i % 17) - 4; };
  for (jig::index n = 0; n < 70; ++n)
    for (const jig::index m : {n, jig::index{1}, jig::index{2}}) {
      CAPTURE(n);
      CAPTURE(m);
      std::vector<double> x, y;
      for (jig::index i = 0; i < n; ++i) x.push_back(of(i));
      for (jig::index i = 0; i < m; ++i) y.push_back(of(i + 3));
      if (n != m && n != 1 && m != 1) {
        CHECK_THROWS_WITH(change(x, y), doctest::Contains("shapes do not broadcast"));
        continue;
      }
      // Of one x and several y there are several fluxes, and nothing to take them from.
      const jig::index fluxes = n == 1 ? m : n, changes = std::max(fluxes - 1, jig::index{0}), cut = std::max(n - 1, jig::index{0});
      if (cut != changes && cut != 1 && changes != 1) {
        CHECK_THROWS_WITH(change(x, y), doctest::Contains("shapes do not broadcast"));
        continue;
      }
      if (cut != changes) continue;
      const auto [a, b, c] = change(x, y);
      REQUIRE(a.extent(0) == cut);
      REQUIRE(b.extent(0) == std::max(n - 2, jig::index{0}));
      REQUIRE(c.extent(0) == std::max(n - 3, jig::index{0}));
      const auto flux = [&](jig::index i) { return 0.5 * of(i) * of(i) + of((m == 1 ? 0 : i) + 3); };
      for (jig::index i = 0; i < cut; ++i) REQUIRE(a(i) == of(i + 1) - 2 * (flux(i + 1) - flux(i)));
      for (jig::index i = 0; i + 2 < n; ++i) REQUIRE(b(i) == of(i + 2) - 2 * of(i + 1) + of(i));
      for (jig::index i = 0; i + 3 < n; ++i) REQUIRE(c(i) == of(i + 3) - 3 * of(i + 2) + 3 * of(i + 1) - of(i));
    }
}

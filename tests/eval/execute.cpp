// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace {

template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed = 1) {
  std::mt19937 g(seed);
  std::uniform_real_distribution<double> d(-4, 4);
  std::vector<T> v(n);
  // By way of a signed integer: a float below zero has no unsigned value.
  using number = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
  for (auto& x : v) x = static_cast<T>(static_cast<number>(d(g)));
  return v;
}

// Lengths around the width of every register.
const std::vector<std::size_t> lengths = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000, 1037};

constexpr auto axpy = jig::function<"axpy(a, x, y)">([](auto a, auto x, auto y) { return a * x + y; });

}  // namespace

TEST_CASE_TEMPLATE("fused loops equal plain loops at every length", T, float, double, std::int8_t, std::uint16_t, std::int32_t,
                   std::int64_t) {
  for (auto n : lengths) {
    CAPTURE(n);
    auto x = numbers<T>(n), y = numbers<T>(n, 2);
    auto r = axpy(static_cast<T>(3), x, y);
    REQUIRE(r.size() == static_cast<jig::index>(n));
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      T expected = static_cast<T>(static_cast<T>(static_cast<T>(3) * x[i]) + y[i]);
      same = same && (std::is_floating_point_v<T> ? std::abs(static_cast<double>(r(static_cast<jig::index>(i)) - expected)) < 1e-5
                                                  : r(static_cast<jig::index>(i)) == expected);
    }
    CHECK(same);
  }
}

TEST_CASE("a long body equals a plain loop at every length, in place too") {
  static constexpr auto chain = jig::function<"chain(x, y)">([](auto x, auto y) {
    auto r = x;
    for (int i = 0; i < 40; ++i) r = r * 0.5 + y;
    return r;
  });
  for (auto n : lengths) {
    CAPTURE(n);
    auto x = numbers<double>(n), y = numbers<double>(n, 2);
    auto expected = x;
    for (std::size_t i = 0; i < n; ++i)
      for (int k = 0; k < 40; ++k) expected[i] = expected[i] * 0.5 + y[i];
    auto r = chain(x, y);
    chain.into(x, x, y);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(r(static_cast<jig::index>(i)) == doctest::Approx(expected[i]));
      CHECK(x[i] == doctest::Approx(expected[i]));
    }
  }
}

TEST_CASE("static shapes of nothing, of one, around a register, and of many") {
  auto check = []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    auto one = []<jig::index Size>(jig::tensor<float, Size> x) {
      for (jig::index i = 0; i < Size; ++i) x(i) = static_cast<float>(i) - 3;
      auto r = axpy(2.0f, x, x);
      for (jig::index i = 0; i < Size; ++i) CHECK(r(i) == 3 * x(i));
    };
    (one(jig::tensor<float, N>()), ...);
  };
  constexpr jig::index lanes = jig::simd::lanes<float>;
  check(std::integer_sequence<jig::index, 0, 1, lanes - 1, lanes, lanes + 1, 5000>());
}

TEST_CASE("the result may be an argument, overlap one, or be strided") {
  auto x = numbers<double>(200), y = numbers<double>(200, 2);
  for (std::size_t shift : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{8}, std::size_t{100}}) {
    CAPTURE(shift);
    auto memory = x;
    std::span<double> in(memory.data(), 100), out(memory.data() + shift, 100);
    std::span<const double> other(y.data(), 100);
    axpy.into(out, 2.0, in, other);
    for (std::size_t i = 0; i < 100; ++i) CHECK(memory[shift + i] == 2.0 * x[i] + y[i]);
  }
  SUBCASE("backwards") {
    auto memory = x;
    jig::view<const double, jig::dyn> reversed(memory.data() + 99, {100}, {-1});
    std::span<double> out(memory.data(), 100);
    axpy.into(out, 2.0, reversed, std::span<const double>(y.data(), 100));
    for (std::size_t i = 0; i < 100; ++i) CHECK(memory[i] == 2.0 * x[99 - i] + y[i]);
  }
  SUBCASE("strided") {
    std::vector<double> memory(300, -1);
    jig::view<double, jig::dyn> every_third(memory.data(), {100}, {3});
    axpy.into(every_third, 2.0, std::span<const double>(x.data(), 100), std::span<const double>(y.data(), 100));
    for (std::size_t i = 0; i < 300; ++i) CHECK(memory[i] == (i % 3 == 0 ? 2.0 * x[i / 3] + y[i / 3] : -1.0));
  }
}

TEST_CASE("a scalar argument inside the result's memory is read before it is overwritten") {
  auto x = numbers<double>(100), y = numbers<double>(100, 2);
  auto memory = x;
  axpy.into(memory, memory[7], x, y);
  for (std::size_t i = 0; i < 100; ++i) CHECK(memory[i] == doctest::Approx(x[7] * x[i] + y[i]));
}

TEST_CASE("operands broadcast inside the loop") {
  static constexpr auto f = jig::function<"f(x, row, column)">([](auto x, auto row, auto column) { return (x + row) * column; });
  for (jig::index rows : {0, 1, 2, 5, 40})
    for (jig::index columns : {1, 2, 3, 10, 64, 65, 700}) {
      CAPTURE(rows);
      CAPTURE(columns);
      auto data = numbers<float>(static_cast<std::size_t>(rows * columns));
      auto row = numbers<float>(static_cast<std::size_t>(columns), 2), column = numbers<float>(static_cast<std::size_t>(rows), 3);
      jig::view x(jig::row_major<const float>{data.data()}, rows, columns);
      jig::view<jig::row_major<const float>, jig::dyn, 1> c(column.data(), rows);
      auto r = f(x, row, c);
      REQUIRE(r.shape() == jig::shape{2, {rows, columns}});
      bool same = true;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < columns; ++j)
          same = same && r(i, j) == doctest::Approx((x(i, j) + row[static_cast<std::size_t>(j)]) * column[static_cast<std::size_t>(i)]);
      CHECK(same);
    }
}

TEST_CASE("wildcard extents of one broadcast at the call") {
  std::vector<float> one{10}, many{1, 2, 3};
  static constexpr auto sum = jig::function<"sum(x, y)">([](auto x, auto y) { return x + y; });
  CHECK(sum(one, many)(2) == 13);
  CHECK(sum(many, one)(0) == 11);
  CHECK(sum(one, one).size() == 1);
  CHECK_THROWS_WITH_AS(sum(many, std::vector<float>{1, 2}),
                       doctest::Contains("AddV2: shapes do not broadcast: float32 (3,) and float32 (2,)"), jig::invalid_argument);
  CHECK(sum(one, std::vector<float>{}).size() == 0);
}

// Else loops would go over what is left of the number of elements when it has wrapped around.
TEST_CASE("results that memory could not have are refused at the call, others not") {
  constexpr jig::index most = std::numeric_limits<jig::index>::max();
  jig::tensor<float, jig::dyn> three{1, 2, 3}, many(jig::uninitialized, {1, {100000}});
  constexpr auto four_axes = jig::function<"f">([](auto x) {
    auto y = jig::expand_dims<1>(x);
    return jig::reduce_sum(jig::expand_dims<2>(jig::expand_dims<2>(y)) + jig::expand_dims<2>(y) + y + x);
  });
  CHECK(four_axes(three)() == 4 * 27 * 6.0f);
  CHECK_THROWS_WITH_AS(
      four_axes(many),
      doctest::Contains("AddV2: the result would have more than 2^56 bytes: float32 (100000, 100000, 100000, 1) and float32 (100000,)"),
      jig::invalid_argument);
  constexpr auto tiled = jig::function<"f">([](auto x) { return jig::reduce_sum(jig::tile<most / 2>(x)); });
  CHECK_THROWS_WITH_AS(tiled(three), doctest::Contains("Tile: the result would have more than 2^56 bytes: float32 (3,)"),
                       jig::invalid_argument);
  constexpr auto padded = jig::function<"f">([](auto x) { return jig::reduce_sum(jig::pad<most - 2, 0>(x)); });
  CHECK_THROWS_WITH_AS(padded(three), doctest::Contains("PadV2: the result would have more than 2^56 bytes: float32 (3,) and float32 ()"),
                       jig::invalid_argument);
  // In a branch that is taken, and in one that is not.
  constexpr auto sometimes = jig::function<"f">([](auto x, auto grow) {
    return jig::cond(grow, [&] { return jig::reduce_sum(jig::tile<most / 2>(x)); }, [&] { return jig::reduce_sum(x); });
  });
  CHECK(sometimes(three, false)() == 6);
  CHECK_THROWS_AS(sometimes(three, true), jig::invalid_argument);
}

TEST_CASE("strided and transposed operands") {
  auto data = numbers<double>(60);
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return x - 2 * y; });
  jig::view<const double, jig::dyn, jig::dyn> plain(data.data(), 6, 10);
  jig::view<const double, jig::dyn, jig::dyn> transposed(data.data(), {6, 10}, {1, 6});
  auto r = f(plain, transposed);
  for (jig::index i = 0; i < 6; ++i)
    for (jig::index j = 0; j < 10; ++j) CHECK(r(i, j) == plain(i, j) - 2 * transposed(i, j));
}

namespace {

// x + y, and an array with it as element i along an axis.
template <jig::index Axis>
constexpr auto sum_into_array = jig::function([](auto array, auto i, auto x, auto y) {
  auto sum = x + y;
  return std::tuple(sum, jig::call<jig::ops::array_write, jig::attributes<jig::integer<"element_axis", Axis>>>(array, i, sum));
});

// Extents of the element, where the array has `count` of them.
template <jig::index Axis, class Array, class Element>
void check_sum_into_array(Array array, Element x, jig::index i) {
  using T = typename Element::value_type;
  for (jig::index k = 0; k < array.size(); ++k) array.data()[k] = static_cast<T>(k % 5);
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<T>(k % 7 + 10);
  Element y = x;
  auto [sum, written] = sum_into_array<Axis>(array, i, x, y);
  jig::index inner = 1;
  for (int a = Axis + 1; a < array.rank(); ++a) inner *= array.extent(a);
  const jig::index count = array.extent(Axis);
  jig::index at = 0;
  for (jig::index k = 0; k < array.size(); ++k) {
    const bool is_new = k / inner % count == i;
    CHECK(written.data()[k] == (is_new ? static_cast<T>(2 * x.data()[at]) : array.data()[k]));
    at += is_new;
  }
  CHECK(at == x.size());
  for (jig::index k = 0; k < x.size(); ++k) CHECK(sum.data()[k] == static_cast<T>(2 * x.data()[k]));
}

}  // namespace

TEST_CASE("a loop puts what it computes into an array too") {
  using jig::dyn, jig::tensor;
  for (jig::index i : {0, 1, 2}) {
    check_sum_into_array<0>(tensor<float, 3>(), tensor<float>(), i);
    check_sum_into_array<0>(tensor<float, 3, 5, 7>(), tensor<float, 5, 7>(), i);
    check_sum_into_array<1>(tensor<float, 4, 3, 67>(), tensor<float, 4, 67>(), i);
    check_sum_into_array<1>(tensor<float, 4, 3, 1>(), tensor<float, 4, 1>(), i);
    check_sum_into_array<2>(tensor<float, 2, 4, 3, 7>(), tensor<float, 2, 4, 7>(), i);
    check_sum_into_array<2>(tensor<float, 4, 67, 3>(), tensor<float, 4, 67>(), i);
    for (jig::index n : {0, 1, 2, 70})
      for (jig::index m : {0, 1, 3, 70}) {
        tensor<float, dyn, dyn> element(jig::uninitialized, {2, {m, n}});
        check_sum_into_array<0>(tensor<float, dyn, dyn, dyn>(jig::uninitialized, {3, {3, m, n}}), element, i);
        check_sum_into_array<1>(tensor<float, dyn, dyn, dyn>(jig::uninitialized, {3, {m, 3, n}}), element, i);
      }
    // The array's own extent may be the one that only the call knows; lanes of another width.
    check_sum_into_array<1>(tensor<std::int8_t, 4, dyn, 67>(jig::uninitialized, {3, {4, 3, 67}}), tensor<std::int8_t, 4, 67>(), i);
  }
}

TEST_CASE("positions out of range are refused before a loop puts anything there") {
  jig::tensor<float, 3, 20> a{}, out{};
  jig::tensor<float, 20> x{}, sum{};
  for (auto& v : x) v = 1;
  for (jig::index i : {-1, 3}) {
    CAPTURE(i);
    CHECK_THROWS_WITH_AS(sum_into_array<0>.into(std::tie(sum, out), a, i, x, x),
                         doctest::Contains(("TensorListSetItem: index " + std::to_string(i)).c_str()), jig::invalid_argument);
  }
  for (float v : out) CHECK(v == 0);
}

TEST_CASE("arrays that get an element may be strided, broadcast elements, or lie where the result goes") {
  static constexpr auto f = jig::function([](auto a, auto i, auto x) { return jig::call<jig::ops::array_write>(a, i, x + 1); });
  jig::tensor<int, 3, 4> memory;
  auto reset = [&] {
    for (int k = 0; k < 12; ++k) memory.data()[k] = 10 * k;
  };
  reset();
  jig::tensor<int, 4> x{1, 2, 3, 4};
  jig::view<const int, 4, 3> turned(memory.data(), {2, {4, 3}}, {2, {1, 4}});
  auto y = f(turned, 2, jig::tensor<int, 3>{1, 2, 3});
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j) CHECK(y(k, j) == (k == 2 ? j + 2 : memory(j, k)));
  // Over the array itself, and over its first row, which is the element.
  f.into(memory, memory, 1, x);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 4; ++j) CHECK(memory(k, j) == (k == 1 ? j + 2 : 40 * k + 10 * j));
  reset();
  jig::tensor<int, 3, 4> zeros{};
  f.into(memory, zeros, 2, jig::view<const int, 4>(memory.data(), {1, {4}}, {1, {1}}));
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 4; ++j) CHECK(memory(k, j) == (k == 2 ? 10 * j + 1 : 0));
  reset();
  f.into(memory, zeros, 2, std::span<const int, 4>(memory.data(), 4));
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 4; ++j) CHECK(memory(k, j) == (k == 2 ? 10 * j + 1 : 0));
  // Two arrays that change places.
  static constexpr auto two = jig::function([](auto a, auto b, auto s) {
    auto x2 = a * 2, y2 = b * 2;
    return std::tuple(jig::call<jig::ops::array_write>(y2, jig::lit<1>, s + 2), jig::call<jig::ops::array_write>(x2, jig::lit<0>, s + 1));
  });
  reset();
  auto [p, q] = two(memory, zeros, x);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 4; ++j) {
      CHECK(p(k, j) == (k == 1 ? j + 3 : 0));
      CHECK(q(k, j) == (k == 0 ? j + 2 : 80 * k + 20 * j));
    }
}

TEST_CASE("steps that run row by row put their rows into arrays") {
  static constexpr auto f = jig::function([](auto a, auto i, auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    auto y = e / jig::reduce_sum<1>(e, jig::keepdims);
    auto turned = jig::transpose<1, 0, 2>(a);
    return std::tuple(y, jig::call<jig::ops::array_write>(a, i, y),
                      jig::call<jig::ops::array_write, jig::attributes<jig::integer<"element_axis", 1>>>(turned, i, y));
  });
  jig::tensor<float, 3, 4, 50> a;
  jig::tensor<float, 4, 50> x;
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k * 7 % 11);
  for (jig::index k = 0; k < a.size(); ++k) a.data()[k] = static_cast<float>(k);
  auto [y, b, c] = f(a, 1, x);
  for (jig::index t = 0; t < 3; ++t)
    for (jig::index r = 0; r < 4; ++r)
      for (jig::index k = 0; k < 50; ++k) {
        CHECK(b(t, r, k) == (t == 1 ? y(r, k) : a(t, r, k)));
        CHECK(c(r, t, k) == b(t, r, k));
      }
  CHECK(y(0, 0) > 0.0f);
}

TEST_CASE_TEMPLATE("reductions over any axes equal plain loops", T, float, double, std::int64_t, std::uint8_t) {
  static constexpr auto all = [](auto x) { return jig::reduce_sum(x * x); };
  static constexpr auto rows = [](auto x) { return jig::reduce_sum<1>(x * x); };
  static constexpr auto columns = [](auto x) { return jig::reduce_sum<0>(x * x, jig::keepdims); };
  static constexpr auto largest = [](auto x) { return jig::reduce_max<-1>(x); };
  static constexpr auto together = jig::function([](auto x) { return std::tuple(all(x), rows(x), columns(x), largest(x)); });
  auto found = [](auto x) {
    // Which of them share a loop does not depend on the dtype, nor does who tells the layout: the type, or the call.
    if constexpr (std::is_same_v<T, float>)
      return std::tuple(jig::function(all)(x), jig::function(rows)(x), jig::function(columns)(x), jig::function(largest)(x));
    else if (x.stride(0) == x.extent(1) && x.stride(1) == 1)
      return together(jig::view<jig::row_major<const T>, jig::dyn, jig::dyn>(x.data(), x.shape()));
    else return together(jig::view<jig::column_major<const T>, jig::dyn, jig::dyn>(x.data(), x.shape()));
  };
  for (jig::index n : {0, 1, 3, 17})
    for (jig::index m : {0, 1, 5, 8, 16, 33, 200}) {
      CAPTURE(n);
      CAPTURE(m);
      auto data = numbers<T>(static_cast<std::size_t>(n * m));
      for (bool turned : {false, true}) {
        jig::view<const T, jig::dyn, jig::dyn> x(data.data(), jig::shape{2, {n, m}},
                                                 turned ? jig::shape{2, {1, n}} : jig::shape{2, {m, 1}});
        auto [sum, by_row, by_column, top] = found(x);
        double total = 0;
        std::vector<double> row(static_cast<std::size_t>(n)), column(static_cast<std::size_t>(m));
        for (jig::index i = 0; i < n; ++i) {
          T most = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
          for (jig::index j = 0; j < m; ++j) {
            double square = static_cast<double>(x(i, j)) * static_cast<double>(x(i, j));
            if (std::is_same_v<T, std::uint8_t>) square = static_cast<double>(static_cast<T>(x(i, j) * x(i, j)));
            total += square;
            row[static_cast<std::size_t>(i)] += square;
            column[static_cast<std::size_t>(j)] += square;
            most = std::max(most, x(i, j));
          }
          CHECK(top(i) == most);
        }
        auto close = [](T got, double expected) {
          if constexpr (std::is_floating_point_v<T>) return got == doctest::Approx(expected).epsilon(1e-5);
          else return got == static_cast<T>(static_cast<std::int64_t>(expected));
        };
        CHECK(close(sum(), total));
        for (jig::index i = 0; i < n; ++i) CHECK(close(by_row(i), row[static_cast<std::size_t>(i)]));
        for (jig::index j = 0; j < m; ++j) CHECK(close(by_column(0, j), column[static_cast<std::size_t>(j)]));
      }
    }
}

TEST_CASE("a reduction over the middle axis") {
  auto data = numbers<float>(3 * 4 * 5);
  jig::view<const float, 3, 4, 5> x(data.data());
  auto r = jig::reduce_mean<1>(x);
  static_assert(std::is_same_v<decltype(r), jig::tensor<float, 3, 5>>);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index k = 0; k < 5; ++k) CHECK(r(i, k) == doctest::Approx((x(i, 0, k) + x(i, 1, k) + x(i, 2, k) + x(i, 3, k)) / 4));
}

namespace {

constexpr auto reduced = jig::function([](auto x) {
  return std::tuple(jig::reduce_sum(x), jig::reduce_prod(x), jig::reduce_max(x), jig::reduce_min(x), jig::reduce_mean(x));
});

}  // namespace

TEST_CASE("reductions of nothing give the neutral element") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  auto [sum, product, most, least, mean] = reduced(std::vector<float>());
  CHECK(sum() == 0);
  CHECK(product() == 1);
  CHECK(most() == -inf);
  CHECK(least() == inf);
  CHECK(std::isnan(mean()));
  static constexpr auto others = jig::function([](auto truth, auto numbers) {
    return std::tuple(jig::reduce_all(truth), jig::reduce_any(truth), jig::reduce_sum<0>(numbers), jig::reduce_max(numbers));
  });
  auto [all, any, columns, lowest] = others(jig::tensor<bool, 0>(), jig::tensor<int, 0, 3>());
  CHECK(all());
  CHECK(!any());
  CHECK(columns.size() == 3);
  CHECK(columns(2) == 0);
  CHECK(lowest() == std::numeric_limits<int>::lowest());
}

TEST_CASE("NaN and infinity pass through") {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  std::vector<float> x(37, 1.0f);
  x[20] = nan;
  auto of_nan = reduced(x);
  CHECK(std::isnan(std::get<2>(of_nan)()));
  CHECK(std::isnan(std::get<3>(of_nan)()));
  CHECK(std::isnan(std::get<0>(of_nan)()));
  x[20] = inf;
  auto of_infinity = reduced(x);
  CHECK(std::get<0>(of_infinity)() == inf);
  CHECK(std::get<2>(of_infinity)() == inf);
  auto r = jig::maximum(std::vector<float>{nan, 1, nan}, std::vector<float>{1, nan, nan});
  for (float v : r) CHECK(std::isnan(v));
}

TEST_CASE("dtypes of other sizes, bool and strings in one graph") {
  static constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    auto wide = jig::cast<double>(x) * jig::cast<double>(n);
    return std::tuple(jig::where(wide > 1.0, wide, -wide), jig::cast<bool>(n) & (x > 0));
  });
  std::vector<float> x{0.5f, -2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<std::int8_t> n{1, 2, 0, -1, 5, 6, 7, 8, 9};
  auto [wide, both] = f(x, n);
  for (jig::index i = 0; i < 9; ++i) {
    double w = static_cast<double>(x[static_cast<std::size_t>(i)]) * n[static_cast<std::size_t>(i)];
    CHECK(wide(i) == (w > 1 ? w : -w));
    CHECK(both(i) == (n[static_cast<std::size_t>(i)] != 0 && x[static_cast<std::size_t>(i)] > 0));
  }
  jig::tensor<std::string, 3> words{"a", "b", "c"};
  static constexpr auto g = jig::function([](auto a, auto b) { return std::tuple(a + a, a == b); });
  auto [twice, same] = g(words, jig::tensor<std::string, 3>{"a", "x", "c"});
  CHECK(twice(1) == "bb");
  CHECK(same(2));
  CHECK(!same(1));
}

TEST_CASE("masks of many lanes") {
  auto a = numbers<float>(101), b = numbers<float>(101, 2);
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    auto less = x < y;
    auto i = jig::cast<int>(x);
    return std::tuple(less, jig::where(less, i, -i), (!less) | (x != x));
  });
  auto [less, chosen, more] = f(a, b);
  for (jig::index i = 0; i < 101; ++i) {
    auto x = a[static_cast<std::size_t>(i)], y = b[static_cast<std::size_t>(i)];
    CHECK(less(i) == (x < y));
    CHECK(chosen(i) == (x < y ? static_cast<int>(x) : -static_cast<int>(x)));
    CHECK(more(i) == !(x < y));
  }
}

TEST_CASE("several steps: values that are used after a reduction") {
  static constexpr auto standardize = jig::function<"standardize(x)">([](auto x) {
    auto centred = x - jig::reduce_mean<-1>(x, jig::keepdims);
    return centred / jig::sqrt(jig::reduce_mean<-1>(jig::square(centred), jig::keepdims));
  });
  for (jig::index n : {1, 4})
    for (jig::index m : {2, 10, 100}) {
      auto data = numbers<double>(static_cast<std::size_t>(n * m));
      jig::view<jig::row_major<const double>, jig::dyn, jig::dyn> x(data.data(), n, m);
      auto r = standardize(x);
      for (jig::index i = 0; i < n; ++i) {
        double mean = 0, variance = 0;
        for (jig::index j = 0; j < m; ++j) mean += x(i, j) / static_cast<double>(m);
        for (jig::index j = 0; j < m; ++j) variance += (x(i, j) - mean) * (x(i, j) - mean) / static_cast<double>(m);
        for (jig::index j = 0; j < m; ++j) CHECK(r(i, j) == doctest::Approx((x(i, j) - mean) / std::sqrt(variance)));
      }
    }
}

TEST_CASE("results that are arguments, constants or the same value twice") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = x + 1;
    return std::tuple(x, y, y, jig::tensor<float, 2>{7, 8}, 5);
  });
  std::vector<float> x{1, 2, 3};
  auto [same, y, z, constant, number] = f(x);
  CHECK(same(2) == 3);
  CHECK(y(2) == 4);
  CHECK(z(2) == 4);
  CHECK(constant(1) == 8);
  CHECK(number() == 5);
  std::vector<float> out[3] = {std::vector<float>(3), std::vector<float>(3), std::vector<float>(3)};
  std::array<float, 2> pair{};
  int five = 0;
  auto results = std::tie(out[0], out[1], out[2], pair, five);
  f.into(results, x);
  CHECK(out[0][2] == 3);
  CHECK(out[2][2] == 4);
  CHECK(pair[0] == 7);
  CHECK(five == 5);
}

TEST_CASE("bad input is refused before anything is written") {
  std::vector<double> x(3, 1), y(4, 1), out(3, 7);
  CHECK_THROWS_AS(axpy.into(out, 1.0, x, y), jig::invalid_argument);
  CHECK(out == std::vector<double>(3, 7));
  std::vector<double> shorter(2, 7);
  CHECK_THROWS_WITH_AS(axpy.into(shorter, 1.0, x, x),
                       "axpy: result: expected float64 shape=(3,), given float64 shape=(2,); into resizes nothing", jig::invalid_argument);
  CHECK(shorter == std::vector<double>(2, 7));
  constexpr auto fixed = axpy.get_concrete_function(jig::spec<double>{}, jig::spec<double, 3>{}, jig::spec<double, 3>{});
  CHECK_THROWS_WITH_AS(fixed(1.0, x, y), "axpy: argument y: expected float64 shape=(3,), given float64 shape=(4,)", jig::invalid_argument);
  constexpr auto named =
      axpy.get_concrete_function(jig::spec<double>{}, jig::spec<double, jig::dim<"n">>{}, jig::spec<double, jig::dim<"n">>{});
  CHECK_THROWS_WITH_AS(named(1.0, x, y), "axpy: argument y: expected float64 shape=(n,), given float64 shape=(4,) with n = 3",
                       jig::invalid_argument);
  std::vector<int> i{1, 2}, zero{1, 0};
  jig::view<const int, jig::dyn> iv(i.data(), 2), zv(zero.data(), 2);
  CHECK_THROWS_AS((void)(iv / zv), jig::invalid_argument);
  CHECK_THROWS_AS((void)(iv % zv), jig::invalid_argument);
}

TEST_CASE("integers wrap") {
  constexpr int most = std::numeric_limits<int>::max(), lowest = std::numeric_limits<int>::lowest();
  static constexpr auto f = jig::function([](auto x, auto y) { return std::tuple(x + 1, -x, x * x, x / y, jig::abs(x)); });
  auto [sum, negative, square, quotient, absolute] = f(jig::tensor<int, 2>{most, lowest}, jig::tensor<int, 2>{-1, -1});
  CHECK(sum(0) == lowest);
  CHECK(negative(1) == lowest);
  CHECK(square(0) == 1);
  CHECK(quotient(1) == lowest);
  CHECK(absolute(1) == lowest);
  jig::tensor<std::int64_t, 20> y;
  for (auto& v : y) v = std::numeric_limits<std::int64_t>::max();
  CHECK((y * y)(19) == 1);
}

TEST_CASE("peak workspace is known at compile time") {
  static constexpr auto softmax = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
    return e / jig::reduce_sum<1>(e, jig::keepdims);
  };
  constexpr auto f = jig::function<"softmax(x)">(softmax).get_concrete_function(jig::spec<float, 64, 100>{});
  // The exponentials live in the result; the maximum and the sum of one row have a cache line each.
  static_assert(f.peak_workspace() == 2 * 64);
  static_assert(axpy.get_concrete_function(jig::spec<float>{}, jig::spec<float, 9>{}, jig::spec<float, 9>{}).peak_workspace() == 0);
}

TEST_CASE("a training step with wildcard rows equals plain loops") {
  // Loops over shapes that may or may not be equal read each other's results: their order matters.
  static constexpr auto step = jig::function<"step(x, targets, w)">([](auto x, auto targets, auto w) {
    auto scores = jig::matmul(x, w);
    auto centred = scores - jig::reduce_max<1>(scores, jig::keepdims);
    auto log_p = centred - jig::log(jig::reduce_sum<1>(jig::exp(centred), jig::keepdims));
    auto error = jig::exp(log_p) - targets;
    return std::tuple(jig::reduce_sum<1>(targets * log_p), error, jig::matmul(x, error, jig::transpose_a));
  });
  constexpr jig::index features = 6, classes = 5;
  for (jig::index n : {1, 2, 29}) {
    auto xs = numbers<double>(static_cast<std::size_t>(n * features)), ts = numbers<double>(static_cast<std::size_t>(n * classes), 2);
    jig::view<jig::row_major<const double>, jig::dyn, features> x(xs.data(), n);
    jig::view<jig::row_major<const double>, jig::dyn, classes> targets(ts.data(), n);
    jig::tensor<double, features, classes> w;
    for (auto& v : w) v = 0.1 * static_cast<double>(&v - w.data()) - 1;
    auto [sums, error, gradient] = step(x, targets, w);
    jig::tensor<double, features, classes> expected;
    for (jig::index i = 0; i < n; ++i) {
      double score[classes] = {}, total = 0, sum = 0;
      for (jig::index k = 0; k < classes; ++k) {
        for (jig::index p = 0; p < features; ++p) score[k] += x(i, p) * w(p, k);
        total += std::exp(score[k]);
      }
      for (jig::index k = 0; k < classes; ++k) {
        double log_p = score[k] - std::log(total), e = std::exp(log_p) - targets(i, k);
        sum += targets(i, k) * log_p;
        CHECK(error(i, k) == doctest::Approx(e));
        for (jig::index p = 0; p < features; ++p) expected(p, k) += x(i, p) * e;
      }
      CHECK(sums(i) == doctest::Approx(sum));
    }
    for (jig::index p = 0; p < features; ++p)
      for (jig::index k = 0; k < classes; ++k) CHECK(gradient(p, k) == doctest::Approx(expected(p, k)));
  }
}

TEST_CASE("blocks of memory are read where they lie, also while it is overwritten") {
  constexpr auto differences = jig::function<"f">(
      [](auto x) { return jig::strided_slice<jig::range_of(1, jig::unbounded)>(x) - jig::strided_slice<jig::range_of(0, -1)>(x); });
  jig::tensor<float, 40> x;
  for (jig::index i = 0; i < 40; ++i) x(i) = static_cast<float>(i * i);
  const auto y = differences(x);
  for (jig::index i = 0; i < 39; ++i) CHECK(y(i) == static_cast<float>(2 * i + 1));
  // The result lies in the argument, shifted or not.
  for (jig::index shift : {0, 1}) {
    jig::tensor<float, 40> z = x;
    jig::view<float, 39> out(z.data() + shift);
    differences.into(out, z);
    for (jig::index i = 0; i < 39; ++i) CHECK(z(i + shift) == static_cast<float>(2 * i + 1));
  }
  // What is computed, sliced and put into a variable of the same extents.
  constexpr auto rotate = jig::function<"f">([](auto& v) {
    auto doubled = v.read() * 2;
    v.assign(
        jig::concat<0>(jig::strided_slice<jig::range_of(1, jig::unbounded)>(doubled), jig::strided_slice<jig::range_of(0, 1)>(v.read())));
  });
  jig::variable<int, 5> v{1, 2, 3, 4, 5};
  rotate(v);
  CHECK(std::vector<int>(v.value().begin(), v.value().end()) == std::vector<int>{4, 6, 8, 10, 1});
  // Rows of a constant, and rows of rows.
  constexpr auto rows = jig::function<"f">([](auto a) {
    auto middle = jig::strided_slice<jig::range_of(1, 4)>(jig::tensor<int, 4, 2>{{1, 2}, {3, 4}, {5, 6}, {7, 8}} + a * 0);
    return jig::strided_slice<jig::range_of(1, 3)>(middle) +
           jig::strided_slice<jig::range_of(0, 2)>(jig::tensor<int, 3, 2>{{10, 20}, {30, 40}, {50, 60}} +
                                                   0 * jig::squeeze<0>(jig::expand_dims<0>(a)));
  });
  CHECK(rows(0)(1, 1) == 48);
  CHECK(rows(0)(0, 0) == 15);
}

// A value with other extents as a result: computed where the result is, without a copy.
TEST_CASE("a reshape of what a kernel computes needs no memory of its own") {
  constexpr auto f = jig::function([](auto x, auto w) { return jig::reshape<4, 5>(jig::matmul(x, w)); });
  constexpr auto g = jig::function([](auto x, auto w) { return 2 * jig::reshape<4, 5>(jig::matmul(x, w)) + 1; });
  // Here another one reads the product, in its own extents.
  constexpr auto h = jig::function([](auto x, auto w) {
    auto y = jig::matmul(x, w);
    return std::tuple(jig::reshape<4, 5>(y), jig::reduce_sum<1>(y));
  });
  jig::tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  jig::tensor<int, 3, 10> w;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 10; ++j) w(i, j) = i * 10 - j;
  auto expected = [&](int flat) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) sum += x(flat / 10, k) * w(k, flat % 10);
    return sum;
  };
  const auto a = f(x, w), b = g(x, w);
  const auto [c, sums] = h(x, w);
  for (int i = 0; i < 20; ++i) {
    CHECK(a(i / 5, i % 5) == expected(i));
    CHECK(b(i / 5, i % 5) == 2 * expected(i) + 1);
    CHECK(c(i / 5, i % 5) == expected(i));
  }
  int total = 0;
  for (int i = 0; i < 10; ++i) total += expected(10 + i);
  CHECK(sums(1) == total);
  using spec_of_x = jig::spec<int, 2, 3>;
  using spec_of_w = jig::spec<int, 3, 10>;
  CHECK(f.get_concrete_function(spec_of_x(), spec_of_w()).peak_workspace() == 0);
  CHECK(g.get_concrete_function(spec_of_x(), spec_of_w()).peak_workspace() == 0);
  // The result lies on top of what the product reads.
  jig::tensor<int, 4, 4> q, kept;
  for (int i = 0; i < 16; ++i) kept.data()[i] = q.data()[i] = i * i % 7;
  constexpr auto square = jig::function([](auto m) { return jig::reshape<2, 8>(jig::matmul(m, m)); });
  square.into(jig::view<jig::row_major<int>, 2, 8>(q.data(), jig::shape{2, {2, 8}}), q);
  for (int i = 0; i < 16; ++i) {
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += kept(i / 4, k) * kept(k, i % 4);
    CHECK(q.data()[i] == sum);
  }
}

namespace {

// Rounds of what is a reduction and a loop with broadcasting, by turns along each axis.
template <int Rounds>
struct rounds {
  constexpr auto operator()(const auto& x) const {
    auto r = x + 0;
    for (int k = 0; k < Rounds; ++k) {
      if (k % 2 == 0) r = r * 0.5 - jig::reduce_sum<0>(r);
      else r = r - jig::expand_dims<1>(jig::reduce_max<1>(r));
    }
    return r;
  }
};

template <int Rounds, jig::index N, jig::index M>
void check_rounds(bool wildcard) {
  static constexpr auto f = jig::function<"rounds(x)">(rounds<Rounds>());
  const auto given = numbers<double>(static_cast<std::size_t>(N * M));
  auto expected = given;
  const auto at = [&](jig::index i, jig::index j) -> double& { return expected[static_cast<std::size_t>(i * M + j)]; };
  for (int k = 0; k < Rounds; ++k)
    if (k % 2 == 0) {
      for (jig::index j = 0; j < M; ++j) {
        double sum = 0;
        for (jig::index i = 0; i < N; ++i) sum += at(i, j);
        for (jig::index i = 0; i < N; ++i) at(i, j) = at(i, j) * 0.5 - sum;
      }
    } else {
      for (jig::index i = 0; i < N; ++i) {
        double most = at(i, 0);
        for (jig::index j = 0; j < M; ++j) most = std::max(most, at(i, j));
        for (jig::index j = 0; j < M; ++j) at(i, j) -= most;
      }
    }
  const auto agrees = [&](const double* r) {
    for (std::size_t k = 0; k < expected.size(); ++k)
      if (std::abs(r[k] - expected[k]) > 1e-9 * (1 + std::abs(expected[k]))) return false;
    return true;
  };
  if (wildcard) {
    const auto r = f(jig::view<jig::row_major<const double>, jig::dyn, M>(given.data(), N));
    CHECK(agrees(r.data()));
  } else {
    auto x = given, beside = given;
    jig::view<jig::row_major<double>, N, M> out(x.data());
    f.into(jig::view<jig::row_major<double>, N, M>(beside.data()), out);
    CHECK(agrees(beside.data()));
    f.into(out, out);
    CHECK(agrees(x.data()));
  }
}

}  // namespace

TEST_CASE("programs of few steps, and of many that are functions of their own") {
  for (const bool wildcard : {false, true}) {
    CAPTURE(wildcard);
    check_rounds<1, 5, 12>(wildcard);
    check_rounds<2, 5, 12>(wildcard);
    check_rounds<3, 1, 17>(wildcard);
    check_rounds<6, 5, 12>(wildcard);
    check_rounds<7, 33, 3>(wildcard);
    check_rounds<24, 4, 16>(wildcard);
  }
}

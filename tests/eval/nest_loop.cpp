// SPDX-License-Identifier: MIT
#include <jig/eval/nest_loop.hpp>

#include <jig.hpp>
#include <jig/parallel.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using jig::dyn;

template <class T, jig::index... E>
jig::tensor<T, E...> filled(int by, auto... extents) {
  jig::tensor<T, E...> x(jig::uninitialized, {sizeof...(E), {static_cast<jig::index>(extents)...}});
  for (jig::index i = 0; i < x.size(); ++i) {
    const auto number = (i * by + 5) % 113;
    if constexpr (std::is_same_v<T, bool>) x.data()[i] = number % 3 == 0;
    else if constexpr (std::is_integral_v<T>) x.data()[i] = static_cast<T>(number * 7);
    else x.data()[i] = static_cast<T>(static_cast<float>(number - 50) * 0.25f);
  }
  return x;
}

template <class T, class U>
bool same(T a, U value) {
  const auto b = static_cast<T>(value);
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

template <class F, class... E>
using first_step = jig::step<jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>, 0>;
template <class F, class... E>
constexpr bool has_block = jig::detail::flat_nest<first_step<F, E...>>::block.registers > 0;

struct affine {
  constexpr auto operator()(auto x, auto scale, auto shift) const { return x * scale + shift; }
};
struct flipped_difference {
  constexpr auto operator()(auto x, auto y) const { return jig::transpose(x) - y; }
};
struct difference {
  constexpr auto operator()(auto x, auto w) const { return x - w; }
};

// A matrix, a row and a column, with any number of rows, and on top of the matrix.
template <class T, jig::index N>
void check_affine() {
  constexpr auto f = jig::function(affine());
  for (jig::index rows = 0; rows < 70; rows += rows < 20 ? 1 : 7) {
    CAPTURE(rows);
    auto x = filled<T, dyn, N>(7, rows, N);
    const auto scale = filled<T, N>(11, N);
    const auto shift = filled<T, dyn, 1>(13, rows, 1);
    const auto y = f(x, scale, shift);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < N; ++j)
        wrong += std::abs(static_cast<double>(y(i, j)) - static_cast<double>(static_cast<T>(x(i, j) * scale(j) + shift(i, 0)))) > 1e-4;
    f.into(x, x, scale, shift);
    for (jig::index i = 0; i < x.size(); ++i) wrong += !same(x.data()[i], y.data()[i]);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("rows and columns over a matrix with short rows") {
  static_assert(has_block<affine, jig::spec<float, dyn, 3>, jig::spec<float, 3>, jig::spec<float, dyn, 1>>);
  check_affine<float, 1>();
  check_affine<float, 3>();
  check_affine<float, 16>();
  check_affine<float, 17>();
  check_affine<double, 7>();
  constexpr jig::index lanes = jig::simd::lanes<float>;
  check_affine<float, lanes + 4>();
  check_affine<float, lanes - 1>();
  check_affine<double, lanes + 2>();
  check_affine<std::uint8_t, 3>();
  check_affine<std::int64_t, 5>();
}

TEST_CASE("bits of what is broadcast are kept") {
  constexpr auto f = jig::function([](auto x, auto w) { return std::tuple(x - w, jig::broadcast_to<16, 5>(x)); });
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const jig::tensor<float, 16, 1> x{{-0.f}, {0.f}, {nan}, {inf}, {-inf}, {1}, {-0.f}, {2},
                                    {-0.f}, {0.f}, {nan}, {inf}, {-inf}, {1}, {-0.f}, {2}};
  const jig::tensor<float, 5> w{0.f, -0.f, inf, nan, 1};
  const auto [y, spread] = f(x, w);
  for (jig::index i = 0; i < 16; ++i)
    for (jig::index j = 0; j < 5; ++j) {
      CHECK(same(y(i, j), x(i, 0) - w(j)));
      CHECK(same(spread(i, j), x(i, 0)));
    }
}

TEST_CASE("several results and dtypes of different sizes") {
  constexpr auto f = jig::function([](auto b, auto x, auto d, auto m) {
    auto wide = jig::cast<float>(b) * x;
    return std::tuple(wide, wide > 0, jig::where(m, b, jig::cast<std::uint8_t>(3)), jig::cast<double>(wide) + d, m & (x > 0));
  });
  for (jig::index rows : {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 65, 200}) {
    CAPTURE(rows);
    const auto b = filled<std::uint8_t, dyn, 3>(7, rows, 3);
    const auto x = filled<float, 3>(5, 3);
    const auto d = filled<double, dyn, 1>(3, rows, 1);
    const auto m = filled<bool, dyn, 1>(1, rows, 1);
    const auto [wide, positive, chosen, sum, both] = f(b, x, d, m);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < 3; ++j) {
        const float v = static_cast<float>(b(i, j)) * x(j);
        wrong += !same(wide(i, j), v) + (positive(i, j) != (v > 0)) + (chosen(i, j) != (m(i, 0) ? b(i, j) : 3)) +
                 !same(sum(i, j), static_cast<double>(v) + d(i, 0)) + (both(i, j) != (m(i, 0) && x(j) > 0));
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("halves, and functions") {
  constexpr auto f = jig::function(difference());
  constexpr auto g = jig::function([](auto x, auto w) { return jig::exp(x * 0.1 - w); });
  for (jig::index rows : {0, 1, 3, 8, 15, 16, 17, 40}) {
    CAPTURE(rows);
    const auto x = filled<jig::half, dyn, 5>(7, rows, 5);
    const auto w = filled<jig::half, 5>(3, 5);
    const auto y = f(x, w);
    const auto a = filled<float, dyn, 5>(7, rows, 5);
    const auto b = filled<float, dyn, 1>(3, rows, 1);
    const auto e = g(a, b);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < 5; ++j) {
        wrong += y(i, j).bits != static_cast<jig::half>(static_cast<float>(x(i, j)) - static_cast<float>(w(j))).bits;
        const double exact = std::exp(static_cast<double>(a(i, j)) * 0.1 - static_cast<double>(b(i, 0)));
        wrong += std::abs(static_cast<double>(e(i, j)) - exact) > 1e-5 * exact;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("reversed, strided and transposed") {
  constexpr auto f =
      jig::function([](auto x, auto y) { return std::tuple(jig::reverse<-1>(x) - y, jig::transpose(x) * 2 + jig::transpose(y)); });
  const auto check = [&](const auto& x, const auto& y) {
    const auto [back, turned] = f(x, y);
    int wrong = 0;
    for (jig::index i = 0; i < x.extent(0); ++i)
      for (jig::index j = 0; j < x.extent(1); ++j)
        wrong += !same(back(i, j), x(i, x.extent(1) - 1 - j) - y(i, j)) + !same(turned(j, i), x(i, j) * 2 + y(i, j));
    CHECK(wrong == 0);
  };
  check(filled<float, 5, 7>(7, 5, 7), filled<float, 5, 7>(3, 5, 7));
  check(filled<float, 16, 3>(7, 16, 3), filled<float, 16, 3>(3, 16, 3));
  check(filled<std::uint8_t, 4, 33>(7, 4, 33), filled<std::uint8_t, 4, 33>(3, 4, 33));
  for (jig::index rows : {0, 1, 4, 9, 17, 40}) check(filled<double, dyn, 3>(7, rows, 3), filled<double, dyn, 3>(3, rows, 3));
  constexpr auto every_second = jig::function([](auto x, auto w) { return jig::strided_slice<jig::all, jig::range_of(1, 6, 2)>(x) + w; });
  for (jig::index rows : {0, 1, 4, 5, 6, 17, 40}) {
    const auto x = filled<float, dyn, 6>(7, rows, 6);
    const auto w = filled<float, 3>(3, 3);
    const auto y = every_second(x, w);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < 3; ++j) wrong += !same(y(i, j), x(i, 1 + 2 * j) + w(j));
    CHECK(wrong == 0);
  }
}

TEST_CASE("extents that only the call knows, which may be one") {
  constexpr auto f = jig::function(difference());
  for (jig::index rows : {0, 1, 2, 17, 40})
    for (bool one : {false, true}) {
      const auto x = filled<float, dyn, 3>(7, rows, 3);
      const auto w = filled<float, dyn, 3>(3, one ? 1 : rows, 3);
      const auto any = f(jig::view<const float, dyn, dyn>(x.data(), {2, {rows, 3}}, {2, {3, 1}}), filled<float, dyn>(3, 3));
      const auto y = f(x, w);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < 3; ++j) wrong += !same(y(i, j), x(i, j) - w(one ? 0 : i, j)) + !same(any(i, j), x(i, j) - w(0, j));
      CHECK(wrong == 0);
    }
}

TEST_CASE("a short axis between two long ones") {
  constexpr auto f = jig::function(affine());
  for (jig::index rows : {0, 1, 5})
    for (jig::index columns : {0, 1, 7, 8, 33}) {
      const auto x = filled<float, dyn, 3, dyn>(7, rows, 3, columns);
      const auto scale = filled<float, 3, 1>(3, 3, 1);
      const auto shift = filled<float, dyn, 1, dyn>(5, rows, 1, columns);
      const auto y = f(x, scale, shift);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < 3; ++j)
          for (jig::index k = 0; k < columns; ++k) wrong += std::abs(y(i, j, k) - (x(i, j, k) * scale(j, 0) + shift(i, 0, k))) > 1e-4f;
      CHECK(wrong == 0);
    }
}

namespace {

// Neighbours that lie side by side come from all parts of the axis around them, whether it is cut into parts or not.
template <class T, jig::index Neighbours>
void check_planes() {
  constexpr auto f = jig::function([](auto x, auto shift) { return jig::transpose(x) + shift; });
  for (jig::index places : {1, 15, 16, 17, 500, 1343, 1344, 1365, 2687, 2688, 2689, 2730, 2731, 4096, 5000, 8191, 8300}) {
    CAPTURE(places);
    const auto x = filled<T, dyn, Neighbours>(7, places, Neighbours);
    const auto shift = filled<T, Neighbours, 1>(11, Neighbours, 1);
    const auto y = f(x, shift);
    bool good = true;
    for (jig::index c = 0; c < Neighbours; ++c)
      for (jig::index i = 0; i < places; ++i) good = good && same(y.data()[c * places + i], x.data()[i * Neighbours + c] + shift.data()[c]);
    CHECK(good);
  }
}

}  // namespace

TEST_CASE("neighbours become planes") {
  check_planes<float, 3>();
  check_planes<double, 2>();
  check_planes<std::uint8_t, 3>();
  check_planes<std::int32_t, 8>();
}

TEST_CASE("threads share the rows, also on top of an argument") {
  constexpr auto f = jig::function(difference());
  for (jig::index rows : {21'845, 21'846, 50'001}) {
    auto x = filled<float, dyn, 3>(7, rows, 3);
    const auto w = filled<float, 3>(3, 3);
    const auto y = jig::parallel(f)(x, w);
    int wrong = 0;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < 3; ++j) wrong += !same(y(i, j), x(i, j) - w(j));
    jig::parallel(f).into(x, x, w);
    for (jig::index i = 0; i < x.size(); ++i) wrong += !same(x.data()[i], y.data()[i]);
    CHECK(wrong == 0);
  }
}

namespace {

struct neighbours {
  constexpr auto operator()(auto x) const {
    const auto above = jig::range_of<0, -2>();
    const auto here = jig::range_of<1, -1>();
    const auto below = jig::range_of<2, jig::unbounded>();
    return x(above, here) + x(below, here) * 2 - x(here, above) + x(here, below) * x(here, here);
  }
};
template <class T>
void check_neighbours() {
  constexpr auto f = jig::function(neighbours());
  constexpr auto lanes = static_cast<int>(jig::simd::lanes<T>);
  for (const int rows : {0, 1, 2, 3, 4, 9, 30})
    for (const int columns : {0, 1, 2, 3, 4, 5, 9, lanes, lanes + 1, lanes + 2, lanes + 3, 2 * lanes + 1, 2 * lanes + 2, 2 * lanes + 3}) {
      CAPTURE(rows);
      CAPTURE(columns);
      const auto x = filled<T, dyn, dyn>(7, rows, columns);
      if (rows < 2 || columns < 2) {
        CHECK(f(x).size() == 0);
        continue;
      }
      const jig::tensor<T, dyn, dyn> y = f(x);
      CHECK(y.extent(0) == rows - 2);
      CHECK(y.extent(1) == columns - 2);
      int wrong = 0;
      for (jig::index i = 0; i + 2 < rows; ++i)
        for (jig::index j = 0; j + 2 < columns; ++j) {
          const T up = x(i, j + 1), down = x(i + 2, j + 1), left = x(i + 1, j), right = x(i + 1, j + 2), centre = x(i + 1, j + 1);
          if constexpr (std::is_integral_v<T>) wrong += y(i, j) != static_cast<T>(up + down * 2 - left + right * centre);
          else wrong += !(std::abs(y(i, j) - (up + down * 2 - left + right * centre)) <= T(1e-3));
        }
      CHECK(wrong == 0);
    }
}

// What NumPy's slice of an axis takes: positions, in order.
std::vector<jig::index> taken(jig::slice_range r, jig::index n) {
  std::vector<jig::index> out;
  const auto bound = [&](jig::index b, jig::index least, jig::index most) {
    if (b < 0) b = b < -n ? least : b + n;
    return b < least ? least : b > most ? most : b;
  };
  if (r.step > 0) {
    const jig::index end = r.end == jig::unbounded ? n : bound(r.end, 0, n);
    for (jig::index i = r.begin == jig::unbounded ? 0 : bound(r.begin, 0, n); i < end; i += r.step) out.push_back(i);
  } else {
    const jig::index end = r.end == jig::unbounded ? -1 : bound(r.end, -1, n - 1);
    for (jig::index i = r.begin == jig::unbounded ? n - 1 : bound(r.begin, -1, n - 1); i > end; i += r.step) out.push_back(i);
  }
  return out;
}
// A slice of both axes beside one of a slice, of any number of rows and columns.
template <jig::slice_range Rows, jig::slice_range Columns>
void check_slices() {
  constexpr auto f = jig::function([](auto x) {
    const auto part = jig::strided_slice<Rows, Columns>(x);
    return std::tuple(part * 2 + 1, jig::strided_slice<jig::all, jig::range_of(1, jig::unbounded)>(part) - 3, jig::cumsum<0>(part));
  });
  for (jig::index n = 0; n < 9; ++n)
    for (const jig::index m : {0, 1, 2, 3, 5, 6, 18}) {
      CAPTURE(n);
      CAPTURE(m);
      const auto rows = taken(Rows, n), columns = taken(Columns, m);
      const auto x = filled<float, dyn, dyn>(7, n, m);
      const auto [all, rest, sums] = f(x);
      REQUIRE(all.size() == static_cast<jig::index>(rows.size() * columns.size()));
      int wrong = 0;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        float sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto r = static_cast<jig::index>(i), c = static_cast<jig::index>(j);
          const float value = x(rows[i], columns[j]);
          sum += value;
          wrong += all(r, c) != value * 2 + 1;
          wrong += sums(r, c) != sum;
          if (j > 0) wrong += rest(r, c - 1) != value - 3;
        }
      }
      CHECK(wrong == 0);
    }
}

// Rows beside, below and above a register, in few and in many rows: beside a row and a column, divided, and on top of an operand.
template <class T>
void check_short_rows() {
  using jig::range_of;
  constexpr auto f = jig::function([](auto x, auto row, auto column) {
    const auto part = x(jig::all, range_of<1, jig::unbounded>());
    return std::tuple(part * column + row, part / row);
  });
  constexpr auto g = jig::function([](auto x, auto column) { return x * column - x; });
  constexpr jig::index lanes = jig::simd::lanes<T>;
  for (const jig::index n : {jig::index{0}, jig::index{1}, jig::index{2}, jig::index{3}, jig::index{4}, jig::index{5}, lanes / 2 + 1,
                             lanes - 1, lanes, lanes + 1, 2 * lanes + 3})
    for (const jig::index rows : {0, 1, 2, 3, 31, 32, 33, 130}) {
      CAPTURE(n);
      CAPTURE(rows);
      const auto x = filled<T, dyn, dyn>(7, rows, n + 1);
      auto row = filled<T, dyn>(11, n);
      for (T& e : row) e = e == T(0) ? T(3) : e;
      const auto column = filled<T, dyn, 1>(5, rows, 1);
      const auto [scaled, divided] = f(x, row, column);
      auto y = filled<T, dyn, dyn>(3, rows, n);
      const auto before = y;
      g.into(y, y, column);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < n; ++j) {
          const T value = x(i, j + 1), by = column(i, 0), own = before(i, j);
          if constexpr (std::is_integral_v<T>) {
            wrong += scaled(i, j) != static_cast<T>(value * by + row(j));
            wrong += divided(i, j) != static_cast<T>(value / row(j));
            wrong += y(i, j) != static_cast<T>(own * by - own);
          } else {
            wrong += !(std::abs(scaled(i, j) - (value * by + row(j))) <= T(1e-3));
            wrong += !(std::abs(divided(i, j) - value / row(j)) <= T(1e-3) * (1 + std::abs(divided(i, j))));
            wrong += !(std::abs(y(i, j) - (own * by - own)) <= T(1e-3));
          }
        }
      CHECK(wrong == 0);
      if constexpr (std::is_integral_v<T>) {
        if (n == 0 || rows == 0) continue;
        row(n - 1) = 0;
        CHECK_THROWS_AS(f(x, row, column), jig::invalid_argument);
      }
    }
}

}  // namespace

TEST_CASE("rows of any length, which divide and lie on top of an operand") {
  check_short_rows<float>();
  check_short_rows<double>();
  check_short_rows<std::int8_t>();
  check_short_rows<std::uint8_t>();
  check_short_rows<std::int16_t>();
  check_short_rows<std::int32_t>();
  check_short_rows<std::uint64_t>();
}

TEST_CASE("short rows of numbers of several sizes, and of what is none") {
  using jig::range_of;
  constexpr auto f = jig::function([](auto x, auto b) {
    const auto part = x(jig::all, range_of<1, jig::unbounded>());
    const auto byte = b(jig::all, range_of<0, -1>());
    return std::tuple(jig::maximum(part, jig::cast<float>(byte)), jig::cast<std::int16_t>(byte) - std::int16_t{300});
  });
  for (jig::index n = 0; n < 40; ++n)
    for (const jig::index rows : {1, 3, 50}) {
      CAPTURE(n);
      CAPTURE(rows);
      auto x = filled<float, dyn, dyn>(7, rows, n + 1);
      for (jig::index i = 0; i < rows; ++i) x(i, n) = std::numeric_limits<float>::quiet_NaN();
      const auto b = filled<std::uint8_t, dyn, dyn>(3, rows, n + 1);
      const auto [most, less] = f(x, b);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < n; ++j) {
          const auto number = static_cast<float>(b(i, j));
          wrong += !same(most(i, j), j == n - 1 ? x(i, n) : x(i, j + 1) > number ? x(i, j + 1) : number);
          wrong += less(i, j) != b(i, j) - 300;
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("neighbours in rows that do and do not fill registers") {
  check_neighbours<float>();
  check_neighbours<double>();
  check_neighbours<std::uint8_t>();
  check_neighbours<std::int16_t>();
  check_neighbours<std::int64_t>();
}

TEST_CASE("slices of two axes that only a call measures") {
  constexpr jig::slice_range all = jig::all;
  using jig::range_of;
  using jig::unbounded;
  check_slices<all, range_of(2, unbounded)>();
  check_slices<range_of(1, -1), all>();
  check_slices<range_of(-3, unbounded), range_of(-5, -2)>();
  check_slices<range_of(unbounded, unbounded, -1), range_of(0, 4)>();
  check_slices<range_of(4, unbounded, -2), range_of(unbounded, unbounded, 2)>();
  check_slices<range_of(1, unbounded, 3), range_of(-2, 0, -1)>();
  check_slices<range_of(3, 1), range_of(2, unbounded)>();
  check_slices<range_of(jig::index{1} << 62, unbounded), range_of(1, jig::index{1} << 62)>();
  check_slices<range_of(1, unbounded, jig::index{1} << 61), range_of(unbounded, unbounded, -(jig::index{1} << 61))>();
}

TEST_CASE("few points, fewer than a block has") {
  constexpr auto f = jig::function([](auto p, auto m, auto t) { return jig::matmul(p, m) + t; });
  constexpr auto g = jig::function([](auto p, auto s) { return jig::where(p > 0, p * s, jig::reverse<1>(p)); });
  const auto check = [&]<class T, jig::index N>(jig::spec<T, N>) {
    const auto m = filled<T, N, N>(3, N, N);
    const auto t = filled<T, N>(5, N);
    for (jig::index rows = 0; rows < 40; ++rows) {
      CAPTURE(rows);
      const auto p = filled<T, dyn, N>(7, rows, N);
      const auto s = filled<T, dyn, 1>(11, rows, 1);
      const auto y = f(p, m, t);
      const auto z = g(p, s);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < N; ++j) {
          T sum = 0;
          for (jig::index k = 0; k < N; ++k) sum += p(i, k) * m(k, j);
          wrong += !(std::abs(y(i, j) - (sum + t(j))) <= T(1e-2));
          wrong += z(i, j) != (p(i, j) > 0 ? p(i, j) * s(i, 0) : p(i, N - 1 - j));
        }
      CHECK(wrong == 0);
    }
  };
  check(jig::spec<float, 2>());
  check(jig::spec<float, 3>());
  check(jig::spec<double, 3>());
  check(jig::spec<float, 10>());
}

TEST_CASE("few places of columns that lie apart, and as many as a block has") {
  static constexpr auto column = [](auto x, auto k) { return jig::strided_slice<jig::all, decltype(k)::value>(x); };
  constexpr auto f = jig::function([](auto p, auto y) {
    const auto a = column(p, jig::lit<0>), b = column(p, jig::lit<2>);
    // Zeros divide nothing, and what is not there is no element: it raises nothing.
    return std::tuple(a * b - y, (a + y) / b, jig::sqrt(b * b), 2 * a);
  });
  constexpr auto g = jig::function([](auto p, auto y) { return column(p, jig::lit<1>) + y; });
  constexpr auto backwards = jig::function([](auto y) { return 2 * jig::reverse<0>(y); });
  const auto check = [&]<class T>(T) {
    for (jig::index n = 0; n < 70; ++n) {
      CAPTURE(n);
      auto p = filled<T, dyn, 3>(7, n, 3);
      for (auto& e : p)
        if (e == T(0)) e = T(1);
      const auto y = filled<T, dyn>(5, n);
      const auto rows = filled<T, 3, dyn>(11, 3, n);
      const auto [product, quotient, root, twice] = f(p, y);
      const auto sums = g(p, rows);
      const auto turned = backwards(y);
      int wrong = 0;
      for (jig::index i = 0; i < n; ++i) {
        const T a = p(i, 0), b = p(i, 2);
        wrong += !(std::abs(product(i) - (a * b - y(i))) <= T(1e-3));
        wrong += !(std::abs(quotient(i) - (a + y(i)) / b) <= T(1e-3) * std::abs(quotient(i)));
        wrong += !(std::abs(root(i) - std::abs(b)) <= T(1e-3));
        wrong += twice(i) != 2 * a;
        wrong += turned(i) != 2 * y(n - 1 - i);
        for (jig::index k = 0; k < 3; ++k) wrong += sums(k, i) != p(i, 1) + rows(k, i);
      }
      CHECK(wrong == 0);
    }
  };
  check(float());
  check(double());
  constexpr auto bytes = jig::function([](auto p) { return column(p, jig::lit<0>) + 3 * column(p, jig::lit<1>); });
  for (jig::index n = 0; n < 70; ++n) {
    const auto p = filled<std::uint8_t, dyn, 2>(7, n, 2);
    const auto sum = bytes(p);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) wrong += sum(i) != static_cast<std::uint8_t>(p(i, 0) + 3 * p(i, 1));
    CHECK(wrong == 0);
  }
}

TEST_CASE("few places of rows of any length, of which registers are read in part") {
  const auto check = []<class T, jig::index Columns>(T, jig::spec<T, Columns>) {
    static constexpr auto f =
        jig::function([](auto p) { return p(jig::all, Columns - 1) * jig::cast<T>(3) + p(jig::all, Columns / 2) - p(jig::all, 0); });
    for (jig::index n = 0; n < 36; ++n) {
      const auto p = filled<T, dyn, Columns>(11, n, Columns);
      const auto y = f(p);
      int wrong = y.size() != n;
      for (jig::index i = 0; i < n; ++i)
        wrong += y(i) != static_cast<T>(static_cast<T>(p(i, Columns - 1) * T(3)) + p(i, Columns / 2) - p(i, 0));
      CHECK(wrong == 0);
    }
  };
  const auto check_lengths = [&]<class T, jig::index... N>(T type, std::integer_sequence<jig::index, N...>) {
    (check(type, jig::spec<T, N>()), ...);
  };
  check_lengths(float(), std::integer_sequence<jig::index, 2, 4, 5, 8, 12, 13, 40>());
  check_lengths(double(), std::integer_sequence<jig::index, 4, 13>());
  check_lengths(std::uint8_t(), std::integer_sequence<jig::index, 2, 5, 8, 40>());
  check_lengths(std::int16_t(), std::integer_sequence<jig::index, 4, 12>());
}

TEST_CASE("transposes of few rows, and of as many as a block has") {
  const auto check = []<class T, jig::index Columns>(T, jig::spec<T, Columns>) {
    static constexpr auto f = jig::function([](auto p) { return jig::transpose(p); });
    static constexpr auto g = jig::function([](auto p) { return jig::transpose<0, 2, 1>(p) + jig::cast<T>(1); });
    for (jig::index n = 0; n < 70; ++n) {
      const auto p = filled<T, dyn, Columns>(13, n, Columns);
      const auto y = f(p);
      const auto q = filled<T, dyn, dyn, Columns>(13, 2, n, Columns);
      const auto z = g(q);
      int wrong = y.size() != p.size() || z.size() != q.size();
      for (jig::index i = 0; i < n; ++i)
        for (jig::index k = 0; k < Columns; ++k) {
          wrong += y(k, i) != p(i, k);
          for (jig::index b = 0; b < 2; ++b) wrong += z(b, k, i) != static_cast<T>(q(b, i, k) + T(1));
        }
      CHECK(wrong == 0);
    }
  };
  const auto check_columns = [&]<class T, jig::index... N>(T type, std::integer_sequence<jig::index, N...>) {
    (check(type, jig::spec<T, N>()), ...);
  };
  check_columns(float(), std::integer_sequence<jig::index, 2, 3, 4, 8, 33>());
  check_columns(double(), std::integer_sequence<jig::index, 3, 8>());
  check_columns(std::uint8_t(), std::integer_sequence<jig::index, 2, 3, 33>());
}

TEST_CASE("nests of few elements stand where they are called, others are called") {
  static constexpr auto f = jig::function(flipped_difference());
  const auto check = []<jig::index Rows, jig::index Columns>(jig::spec<float, Rows, Columns>) {
    using step = first_step<flipped_difference, jig::spec<float, Rows, Columns>, jig::spec<float, Columns, 1>>;
    CHECK(jig::detail::nest_runs_in_place<jig::detail::nest_extents<step, 0>> == (Rows * Columns <= 4096));
    const auto x = filled<float, Rows, Columns>(7, Rows, Columns);
    const auto y = filled<float, Columns, 1>(11, Columns, 1);
    const auto z = f(x, y);
    int wrong = 0;
    for (jig::index i = 0; i < Columns; ++i)
      for (jig::index k = 0; k < Rows; ++k) wrong += z(i, k) != x(k, i) - y(i, 0);
    CHECK(wrong == 0);
  };
  check(jig::spec<float, 64, 64>());
  check(jig::spec<float, 17, 241>());
}

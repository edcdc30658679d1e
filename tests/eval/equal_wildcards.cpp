// SPDX-License-Identifier: MIT
// Calls whose wildcard extents are equal, and calls where they are not, beside plain loops. Whole numbers: sums are exact in every order.
#include <jig.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace {

using jig::dyn;
using vector = std::vector<double>;

constexpr auto squares = jig::function<"squares(x, y)">([](auto x, auto y) {
  auto d = x - 2 * y;
  return jig::gradient(jig::reduce_sum(d * d), x, y);
});
constexpr auto moments = jig::function<"moments(x, y)">([](auto x, auto y) {
  auto a = x - jig::reduce_sum(x), b = y - jig::reduce_sum(y);
  return std::tuple(jig::reduce_sum(a * b), jig::reduce_sum(a * a), jig::reduce_sum(b * b));
});
constexpr auto differences = jig::function<"differences(x, y)">([](auto x, auto y) {
  auto a = jig::strided_slice<jig::range_of(1, jig::unbounded)>(x) - jig::strided_slice<jig::range_of(0, -1)>(x);
  auto b = jig::strided_slice<jig::range_of(1, jig::unbounded)>(y) - jig::strided_slice<jig::range_of(0, -1)>(y);
  return jig::gradient(jig::reduce_sum(a * a * b), x, y);
});

constexpr bool pays(const jig::plan_view& plan) { return jig::detail::equated_extents(plan, 64).pay(); }
constexpr jig::spec<double, dyn> any_length;
constexpr jig::spec<double, jig::dim<"n">> length_n;

vector random_vector(std::mt19937& random, std::size_t n) {
  vector out(n);
  for (auto& x : out) x = static_cast<double>(random() % 9) - 4;
  return out;
}
double at(const vector& x, std::size_t i) { return x[x.size() == 1 ? 0 : i]; }
std::size_t broadcast(std::size_t n, std::size_t m) { return n == 1 ? m : n; }

struct lengths {
  std::size_t n, m;
};
constexpr lengths fitting[] = {{0, 0},       {1, 1}, {2, 2}, {3, 3}, {7, 7}, {8, 8}, {9, 9}, {16, 16},  {17, 17},
                               {1000, 1000}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {1, 9}, {9, 1}, {1, 1000}, {1000, 1}};

struct pair_of_gradients {
  vector x, y;
};
pair_of_gradients gradients_of_squares(const vector& x, const vector& y) {
  pair_of_gradients out{vector(x.size()), vector(y.size())};
  for (std::size_t i = 0; i < broadcast(x.size(), y.size()); ++i) {
    const double d = at(x, i) - 2 * at(y, i);
    out.x[x.size() == 1 ? 0 : i] += 2 * d;
    out.y[y.size() == 1 ? 0 : i] -= 4 * d;
  }
  return out;
}

template <class A, class B>
void check_equal(const A& a, const B& b) {
  REQUIRE(static_cast<std::size_t>(a.size()) == b.size());
  for (std::size_t i = 0; i < b.size(); ++i) REQUIRE(a.data()[i] == b[i]);
}

}  // namespace

TEST_CASE("there is a program for equal wildcards where it has less to do") {
  // Loops over x, y and both become one; sums to the shape of x and y are none.
  static_assert(pays(squares.get_concrete_function(any_length, any_length).plan()));
  static_assert(pays(moments.get_concrete_function(any_length, any_length).plan()));
  static_assert(pays(differences.get_concrete_function(any_length, any_length).plan()));
  static_assert(pays(squares.get_concrete_function(any_length, length_n).plan()));
  static_assert(pays(squares.get_concrete_function(any_length, jig::spec<double, 9>()).plan()));
  static_assert(pays(jig::function([](auto a, auto b, auto c) { return jig::exp(jig::matmul(a, b) + c); })
                         .get_concrete_function(jig::spec<double, dyn, 3>(), jig::spec<double, 3, dyn>(), any_length)
                         .plan()));
  // One loop is one loop; names are equal already, extents of one argument too; nothing compares these.
  constexpr auto sum = jig::function([](auto x, auto y) { return 2 * x + 3 * y; });
  constexpr auto total = jig::function([](auto x, auto y) { return jig::reduce_sum((x - y) * (x - y)); });
  constexpr auto apart = jig::function([](auto x, auto y) { return std::tuple(jig::reduce_sum(x), 2 * y); });
  static_assert(!pays(sum.get_concrete_function(any_length, any_length).plan()));
  static_assert(!pays(total.get_concrete_function(any_length, any_length).plan()));
  static_assert(!pays(squares.get_concrete_function(length_n, length_n).plan()));
  static_assert(!pays(apart.get_concrete_function(any_length, any_length).plan()));
}

namespace {

constexpr auto reflected =
    jig::function<"reflected(x, y)">([](auto x, auto y) { return x - 2 * jig::reduce_sum<1>(x * y, jig::keepdims) * y; });

}  // namespace

TEST_CASE("short rows that are not broadcast go through all steps some at a time") {
  using three = jig::spec<double, dyn, 3>;
  static_assert(pays(reflected.get_concrete_function(three(), three()).plan()));
  static_assert(pays(jig::function([](auto x, auto y) { return jig::softmax(x * y); }).get_concrete_function(three(), three()).plan()));
  // Long rows do so one by one; rows of one argument, and of one length, anyway; a reduction alone has nobody to go on with it.
  using many = jig::spec<double, dyn, 300>;
  static_assert(!pays(reflected.get_concrete_function(many(), many()).plan()));
  using named = jig::spec<double, jig::dim<"n">, 3>;
  static_assert(!pays(reflected.get_concrete_function(named(), named()).plan()));
  static_assert(!pays(jig::function([](auto x) { return jig::softmax(2 * x); }).get_concrete_function(three()).plan()));
  static_assert(
      !pays(jig::function([](auto x, auto y) { return jig::reduce_sum<1>(x * y); }).get_concrete_function(three(), three()).plan()));
  std::mt19937 random(11);
  for (const auto [n, m] : fitting) {
    CAPTURE(n);
    CAPTURE(m);
    jig::tensor<double, dyn, 3> x(static_cast<jig::index>(n)), y(static_cast<jig::index>(m));
    for (double& e : x) e = static_cast<double>(random() % 9) - 4;
    for (double& e : y) e = static_cast<double>(random() % 9) - 4;
    const auto z = reflected(x, y);
    REQUIRE(z.extent(0) == static_cast<jig::index>(broadcast(n, m)));
    int wrong = 0;
    for (jig::index i = 0; i < z.extent(0); ++i) {
      const jig::index a = n == 1 ? 0 : i, b = m == 1 ? 0 : i;
      const double dot = x(a, 0) * y(b, 0) + x(a, 1) * y(b, 1) + x(a, 2) * y(b, 2);
      for (jig::index k = 0; k < 3; ++k) wrong += z(i, k) != x(a, k) - 2 * dot * y(b, k);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("gradients of two vectors of any lengths that fit") {
  std::mt19937 random(1);
  for (const auto [n, m] : fitting) {
    CAPTURE(n);
    CAPTURE(m);
    const vector x = random_vector(random, n), y = random_vector(random, m);
    const auto expected = gradients_of_squares(x, y);
    const auto [dx, dy] = squares(x, y);
    check_equal(dx, expected.x);
    check_equal(dy, expected.y);
    vector to_x(n, -99), to_y(m, -99);
    auto results = std::tie(to_x, to_y);
    squares.into(results, x, y);
    check_equal(to_x, expected.x);
    check_equal(to_y, expected.y);
    // On top of the arguments.
    to_x = x, to_y = y;
    squares.into(results, to_x, to_y);
    check_equal(to_x, expected.x);
    check_equal(to_y, expected.y);
    const auto [px, py] = squares.without_passes()(x, y);
    check_equal(px, expected.x);
    check_equal(py, expected.y);
  }
}

TEST_CASE("sums of products of two vectors that may be one number") {
  std::mt19937 random(2);
  for (const auto [n, m] : fitting) {
    CAPTURE(n);
    CAPTURE(m);
    const vector x = random_vector(random, n), y = random_vector(random, m);
    double all_x = 0, all_y = 0, xy = 0, xx = 0, yy = 0;
    for (double v : x) all_x += v;
    for (double v : y) all_y += v;
    for (double v : x) xx += (v - all_x) * (v - all_x);
    for (double v : y) yy += (v - all_y) * (v - all_y);
    for (std::size_t i = 0; i < broadcast(n, m); ++i) xy += (at(x, i) - all_x) * (at(y, i) - all_y);
    const auto [a, b, c] = moments(x, y);
    CHECK(a() == xy);
    CHECK(b() == xx);
    CHECK(c() == yy);
  }
}

TEST_CASE("lengths that do not fit are told as ever") {
  const vector x(8), y(9);
  CHECK_THROWS_WITH_AS(squares(x, y), doctest::Contains("Sub: shapes do not broadcast: float64 (8,) and float64 (9,)"),
                       jig::invalid_argument);
  vector to_x(8, 7), to_y(8, 7);
  auto results = std::tie(to_x, to_y);
  CHECK_THROWS_WITH_AS(squares.into(results, x, y), doctest::Contains("Sub: shapes do not broadcast: float64 (8,) and float64 (9,)"),
                       jig::invalid_argument);
  CHECK_THROWS_AS(squares.into(results, y, y), jig::invalid_argument);  // results of another length
  CHECK(to_x[0] == 7);
}

TEST_CASE("wildcards beside names and numbers") {
  std::mt19937 random(3);
  for (const std::size_t m : {std::size_t{1}, std::size_t{9}}) {
    const vector x = random_vector(random, 9), y = random_vector(random, m);
    const jig::view<jig::row_major<const double>, jig::dim<"n">> named(x.data(), 9);
    const jig::tensor<double, 9> fixed(jig::view<const double, 9>(x.data()));
    const auto expected = gradients_of_squares(x, y);
    const auto [ax, ay] = squares(named, y);
    check_equal(ax, expected.x);
    check_equal(ay, expected.y);
    const auto [bx, by] = squares(fixed, y);
    check_equal(bx, expected.x);
    check_equal(by, expected.y);
    const auto reverse = gradients_of_squares(y, x);
    const auto [cx, cy] = squares(y, fixed);
    check_equal(cx, reverse.x);
    check_equal(cy, reverse.y);
  }
  CHECK_THROWS_AS(squares(jig::tensor<double, 9>(), vector(8)), jig::invalid_argument);
}

TEST_CASE("extents that are computed the same way are equal with their arguments") {
  std::mt19937 random(4);
  for (const auto [n, m] : fitting) {
    if (n < 2 || m < 2) continue;
    const vector x = random_vector(random, n), y = random_vector(random, m);
    vector to_x(n), to_y(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double a = x[i + 1] - x[i], b = y[i + 1] - y[i];
      to_x[i + 1] += 2 * a * b;
      to_x[i] -= 2 * a * b;
      to_y[i + 1] += a * a;
      to_y[i] -= a * a;
    }
    const auto [dx, dy] = differences(x, y);
    check_equal(dx, to_x);
    check_equal(dy, to_y);
  }
  // One difference, broadcast to many.
  const vector x{1, 4}, y{0, 1, 3, 6};
  const auto [dx, dy] = differences(x, y);
  check_equal(dx, vector{-36, 36});
  check_equal(dy, vector{-9, 0, 0, 9});
}

TEST_CASE("matrices in rows and in columns, rows of them and products") {
  constexpr auto f = jig::function<"f(a, b)">([](auto a, auto b) {
    auto d = a * b;
    return jig::gradient(jig::reduce_sum(d * d), a, b);
  });
  std::mt19937 random(5);
  const lengths shapes[] = {{3, 4}, {1, 4}, {3, 1}, {1, 1}, {8, 17}, {16, 8}};
  for (const auto of_a : shapes)
    for (const auto of_b : shapes) {
      const bool fits = (of_a.n == of_b.n || of_a.n == 1 || of_b.n == 1) && (of_a.m == of_b.m || of_a.m == 1 || of_b.m == 1);
      if (!fits) continue;
      const vector a = random_vector(random, of_a.n * of_a.m), b = random_vector(random, of_b.n * of_b.m);
      vector da(a.size()), db(b.size());
      vector ca(a.size()), cb(b.size()), dca(a.size()), dcb(b.size());
      const std::size_t rows = broadcast(of_a.n, of_b.n), columns = broadcast(of_a.m, of_b.m);
      const auto place = [](const lengths& s, std::size_t i, std::size_t j) { return (s.n == 1 ? 0 : i) * s.m + (s.m == 1 ? 0 : j); };
      const auto turned = [](const lengths& s, std::size_t i, std::size_t j) { return (s.m == 1 ? 0 : j) * s.n + (s.n == 1 ? 0 : i); };
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
          const std::size_t p = place(of_a, i, j), q = place(of_b, i, j);
          da[p] += 2 * a[p] * b[q] * b[q];
          db[q] += 2 * a[p] * a[p] * b[q];
          ca[turned(of_a, i, j)] = a[p];
          cb[turned(of_b, i, j)] = b[q];
        }
      for (std::size_t i = 0; i < of_a.n; ++i)
        for (std::size_t j = 0; j < of_a.m; ++j) dca[turned(of_a, i, j)] = da[place(of_a, i, j)];
      for (std::size_t i = 0; i < of_b.n; ++i)
        for (std::size_t j = 0; j < of_b.m; ++j) dcb[turned(of_b, i, j)] = db[place(of_b, i, j)];
      const auto extent = [](std::size_t n) { return static_cast<jig::index>(n); };
      const jig::view ra(a.data(), extent(of_a.n), extent(of_a.m)), rb(b.data(), extent(of_b.n), extent(of_b.m));
      const auto [ga, gb] = f(ra, rb);
      check_equal(ga, da);
      check_equal(gb, db);
      vector ta(a.size()), tb(b.size());
      jig::view va(jig::column_major{ta.data()}, extent(of_a.n), extent(of_a.m)),
          vb(jig::column_major{tb.data()}, extent(of_b.n), extent(of_b.m));
      auto results = std::tie(va, vb);
      f.into(results, jig::view(jig::column_major{ca.data()}, extent(of_a.n), extent(of_a.m)),
             jig::view(jig::column_major{cb.data()}, extent(of_b.n), extent(of_b.m)));
      check_equal(ta, dca);
      check_equal(tb, dcb);
      // One in rows, one in columns; one with gaps.
      const auto [ha, hb] = f(ra, jig::view(jig::column_major{cb.data()}, extent(of_b.n), extent(of_b.m)));
      check_equal(ha, da);
      check_equal(hb, db);
      const jig::view<const double, dyn, dyn> strided(cb.data(), {extent(of_b.n), extent(of_b.m)}, {1, extent(of_b.n)});
      const auto [ia, ib] = f(ra, strided);
      check_equal(ia, da);
      check_equal(ib, db);
    }

  constexpr auto layer = jig::function([](auto x, auto w, auto b) { return jig::maximum(jig::matmul(x, w) + b, 0); });
  for (const std::size_t m : {std::size_t{1}, std::size_t{5}})
    for (const std::size_t columns : {m, std::size_t{1}, std::size_t{5}}) {
      const vector x = random_vector(random, 4 * 3), w = random_vector(random, 3 * m), b = random_vector(random, columns);
      if (columns != m && columns != 1 && m != 1) continue;
      const std::size_t to = broadcast(m, columns);
      vector expected(4 * to);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < to; ++j) {
          double sum = at(b, j);
          for (std::size_t k = 0; k < 3; ++k) sum += x[3 * i + k] * w[m * k + (m == 1 ? 0 : j)];
          expected[i * to + j] = sum > 0 ? sum : 0;
        }
      check_equal(layer(jig::view(x.data(), 4, 3), jig::view(w.data(), 3, static_cast<jig::index>(m)), b), expected);
    }
}

TEST_CASE("variables, loops and branches with equal wildcards") {
  constexpr auto step = jig::function<"step(x, y, rate)">([](auto& x, auto y, auto rate) {
    auto d = x - y;
    auto g = jig::gradient(jig::reduce_sum(d * d), x);
    JIG_IF(rate > 0) {
      x.assign_sub(rate * g);
    }
    for (auto i : jig::range(jig::extent<0>(y))) x.assign_add(y(i));
  });
  for (const std::size_t m : {std::size_t{1}, std::size_t{6}}) {
    jig::variable<double, dyn> x(jig::tensor<double, dyn>{1, 2, 3, 4, 5, 6});
    std::mt19937 random(6);
    const vector y = random_vector(random, m);
    vector expected{1, 2, 3, 4, 5, 6};
    for (auto& e : expected) e -= 0.5 * 2 * (e - at(y, static_cast<std::size_t>(&e - expected.data())));
    for (auto& e : expected)
      for (double v : y) e += v;
    step(x, y, 0.5);
    check_equal(x.value(), expected);
  }
}

TEST_CASE("a padded table from which slices are taken has the extents of the table: one loop, whatever it is combined with") {
  constexpr auto step = jig::function([](auto x) {
    constexpr auto inner = jig::range_of(1, -1), before = jig::range_of(0, -2), behind = jig::range_of(2, jig::unbounded);
    auto y = jig::pad<1, 1, 1, 1>(x);
    return x + jig::strided_slice<inner, before>(y) + 2 * jig::strided_slice<inner, behind>(y) + 3 * jig::strided_slice<before, inner>(y) +
           4 * jig::strided_slice<behind, inner>(y);
  });
  constexpr auto plan = step.get_concrete_function(jig::spec<double, dyn, dyn>()).plan();
  static_assert(plan.steps.size() == 2 && !pays(plan));
  std::mt19937 random(6);
  for (jig::index rows : {0, 1, 2, 3, 17})
    for (jig::index columns : {0, 1, 2, 7, 8, 9, 33}) {
      jig::tensor<double, dyn, dyn> x(rows, columns);
      for (double& e : x) e = static_cast<double>(random() % 9) - 4;
      const auto y = step(x);
      REQUIRE(y.shape() == x.shape());
      const auto padded = [&](jig::index i, jig::index j) { return i < 0 || j < 0 || i >= rows || j >= columns ? 0. : x(i, j); };
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < columns; ++j)
          REQUIRE(y(i, j) == x(i, j) + padded(i, j - 1) + 2 * padded(i, j + 1) + 3 * padded(i - 1, j) + 4 * padded(i + 1, j));
    }
}

namespace {

// Lengths around whole registers, and all short ones.
std::vector<std::size_t> some_lengths() {
  std::vector<std::size_t> out{62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 511, 512, 516, 1000};
  for (std::size_t n = 0; n < 40; ++n) out.push_back(n);
  return out;
}

constexpr auto averages = jig::function<"averages(x)">([](auto x) {
  using jig::range_of, jig::strided_slice, jig::unbounded;
  const auto even = strided_slice<range_of(0, unbounded, 2)>(x), odd = strided_slice<range_of(1, unbounded, 2)>(x);
  const auto half = (odd - even) * 0.5;
  return std::tuple(even + half, half);
});
constexpr auto weighted = jig::function<"weighted(x)">([](auto x) {
  using jig::range_of, jig::strided_slice, jig::unbounded;
  return 2 * strided_slice<range_of(0, unbounded, 4)>(x) + 3 * strided_slice<range_of(1, unbounded, 4)>(x) +
         5 * strided_slice<range_of(2, unbounded, 4)>(x) + 7 * strided_slice<range_of(3, unbounded, 4)>(x);
});
constexpr auto smaller = jig::function<"smaller(pixels)">([](auto pixels) {
  constexpr auto even = jig::range_of(0, jig::unbounded, 2), odd = jig::range_of(1, jig::unbounded, 2);
  const auto x = jig::cast<int>(pixels);
  const auto sum = jig::strided_slice<even, even>(x) + jig::strided_slice<even, odd>(x) + jig::strided_slice<odd, even>(x) +
                   jig::strided_slice<odd, odd>(x);
  return jig::cast<std::uint8_t>((sum + 2) >> 2);
});
constexpr auto echo = jig::function<"echo(x)">([](auto x) { return x + 2 * jig::pad<3, 0>(jig::strided_slice<jig::range_of(0, -3)>(x)); });
constexpr auto changes = jig::function<"changes(x)">([](auto x) {
  using jig::range_of, jig::strided_slice, jig::unbounded;
  return x * jig::concat<0>(strided_slice<range_of(0, 1)>(x), strided_slice<range_of(1, unbounded)>(x) - strided_slice<range_of(0, -1)>(x));
});
constexpr auto beside_others = jig::function<"beside_others(x, y)">([](auto x, auto y) {
  using jig::range_of, jig::strided_slice, jig::unbounded;
  return (strided_slice<range_of(0, unbounded, 3)>(x) - strided_slice<range_of(2, unbounded, 3)>(y)) *
         strided_slice<range_of(1, unbounded, 3)>(x);
});

// What a loop says of even and odd places, -1 where they do not fit.
std::ptrdiff_t fitting_length(std::initializer_list<std::size_t> parts) {
  std::size_t out = 1;
  for (const std::size_t n : parts) {
    if (n != 1 && out != 1 && n != out) return -1;
    out = n == 1 ? out : n;
  }
  return static_cast<std::ptrdiff_t>(out);
}
std::size_t places(std::size_t n, std::size_t first, std::size_t step) { return n > first ? (n - first + step - 1) / step : 0; }

}  // namespace

TEST_CASE("every second, third and fourth place of as many as that divides") {
  static_assert(pays(averages.get_concrete_function(any_length).plan()));
  static_assert(pays(weighted.get_concrete_function(any_length).plan()));
  static_assert(pays(beside_others.get_concrete_function(any_length, any_length).plan()));
  std::mt19937 random(5);
  for (const std::size_t n : some_lengths()) {
    CAPTURE(n);
    const vector x = random_vector(random, n), y = random_vector(random, n);
    const auto part = [&](const vector& of, std::size_t first, std::size_t step, std::size_t i) {
      return of[first + (places(of.size(), first, step) == 1 ? 0 : i) * step];
    };
    const auto two = fitting_length({places(n, 0, 2), places(n, 1, 2)});
    if (two < 0) {
      CHECK_THROWS_WITH(averages(x), doctest::Contains("shapes do not broadcast"));
    } else {
      const auto [mean, half] = averages(x);
      REQUIRE(mean.extent(0) == two);
      for (std::ptrdiff_t i = 0; i < two; ++i) {
        const double a = part(x, 0, 2, static_cast<std::size_t>(i)), b = part(x, 1, 2, static_cast<std::size_t>(i));
        REQUIRE(mean(i) == (a + b) / 2);
        REQUIRE(half(i) == (b - a) / 2);
      }
    }
    const auto four = fitting_length({places(n, 0, 4), places(n, 1, 4), places(n, 2, 4), places(n, 3, 4)});
    if (four < 0) {
      CHECK_THROWS_WITH(weighted(x), doctest::Contains("shapes do not broadcast"));
    } else {
      const auto sum = weighted(x);
      REQUIRE(sum.extent(0) == four);
      for (std::ptrdiff_t i = 0; i < four; ++i) {
        const auto k = static_cast<std::size_t>(i);
        REQUIRE(sum(i) == 2 * part(x, 0, 4, k) + 3 * part(x, 1, 4, k) + 5 * part(x, 2, 4, k) + 7 * part(x, 3, 4, k));
      }
    }
    const auto three = fitting_length({places(n, 0, 3), places(n, 2, 3), places(n, 1, 3)});
    if (three < 0) {
      CHECK_THROWS_WITH(beside_others(x, y), doctest::Contains("shapes do not broadcast"));
    } else {
      const auto out = beside_others(x, y);
      REQUIRE(out.extent(0) == three);
      for (std::ptrdiff_t i = 0; i < three; ++i) {
        const auto k = static_cast<std::size_t>(i);
        REQUIRE(out(i) == (part(x, 0, 3, k) - part(y, 2, 3, k)) * part(x, 1, 3, k));
      }
    }
  }
  // Two lengths that give as many places, though they are not equal.
  const vector x = random_vector(random, 30), y = random_vector(random, 32);
  const auto out = beside_others(x, y);
  REQUIRE(out.extent(0) == 10);
  for (std::size_t i = 0; i < 10; ++i) REQUIRE(out(static_cast<jig::index>(i)) == (x[3 * i] - y[3 * i + 2]) * x[3 * i + 1]);
}

TEST_CASE("averages of two by two pixels, whatever the extents") {
  using pixels = jig::spec<std::uint8_t, dyn, dyn>;
  static_assert(pays(smaller.get_concrete_function(pixels()).plan()));
  std::mt19937 random(6);
  for (const std::size_t h : {0u, 1u, 2u, 3u, 4u, 6u, 10u})
    for (const std::size_t w : some_lengths()) {
      CAPTURE(h);
      CAPTURE(w);
      std::vector<std::uint8_t> memory(h * w);
      for (auto& e : memory) e = static_cast<std::uint8_t>(random());
      const jig::view<const std::uint8_t, dyn, dyn> x(memory.data(), {2, {static_cast<jig::index>(h), static_cast<jig::index>(w)}});
      const auto rows = fitting_length({places(h, 0, 2), places(h, 1, 2)}), columns = fitting_length({places(w, 0, 2), places(w, 1, 2)});
      if (rows < 0 || columns < 0) {
        CHECK_THROWS_WITH(smaller(x), doctest::Contains("shapes do not broadcast"));
        continue;
      }
      const auto out = smaller(x);
      REQUIRE(out.extent(0) == rows);
      REQUIRE(out.extent(1) == columns);
      int wrong = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) {
          const auto of = [&](std::size_t r, std::size_t c) { return static_cast<int>(memory[r * w + c]); };
          const std::size_t below = h == 3 ? 1 : 2 * i + 1, right = w == 3 ? 1 : 2 * k + 1;
          const int sum = of(2 * i, 2 * k) + of(2 * i, right) + of(below, 2 * k) + of(below, right);
          wrong += out(static_cast<jig::index>(i), static_cast<jig::index>(k)) != static_cast<std::uint8_t>((sum + 2) / 4);
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("what is shifted along an axis and padded has the extent of the axis, if that is long enough") {
  static_assert(pays(echo.get_concrete_function(any_length).plan()));
  static_assert(pays(changes.get_concrete_function(any_length).plan()));
  std::mt19937 random(7);
  for (const std::size_t n : some_lengths()) {
    CAPTURE(n);
    const vector x = random_vector(random, n);
    // Of fewer than three elements three zeros are left.
    if (n == 0 || n == 2) {
      CHECK_THROWS_WITH(echo(x), doctest::Contains("shapes do not broadcast"));
    } else {
      const auto out = echo(x);
      REQUIRE(out.extent(0) == static_cast<jig::index>(n == 1 ? 3 : n));
      for (std::size_t i = 0; i < (n == 1 ? 3 : n); ++i) REQUIRE(out(static_cast<jig::index>(i)) == at(x, i) + (i >= 3 ? 2 * x[i - 3] : 0));
    }
    const auto out = changes(x);
    REQUIRE(out.extent(0) == static_cast<jig::index>(n));
    for (std::size_t i = 0; i < n; ++i) REQUIRE(out(static_cast<jig::index>(i)) == x[i] * (x[i] - (i > 0 ? x[i - 1] : 0)));
  }
}

TEST_CASE("channels of pixels of three wildcard axes, beside each other in memory") {
  constexpr auto grey = jig::function([](auto x) {
    using jig::all, jig::range_of, jig::strided_slice;
    return strided_slice<all, all, range_of(0, 1)>(x) + 2 * strided_slice<all, all, range_of(2, 3)>(x) -
           strided_slice<all, all, range_of(3, 4)>(x);
  });
  std::mt19937 random(8);
  for (const std::size_t h : {0u, 1u, 3u})
    for (const std::size_t w : some_lengths()) {
      const vector memory = random_vector(random, h * w * 4);
      const jig::view<const double, dyn, dyn, 4> x(memory.data(), {3, {static_cast<jig::index>(h), static_cast<jig::index>(w), 4}});
      const auto out = grey(x);
      REQUIRE(static_cast<std::size_t>(out.size()) == h * w);
      int wrong = 0;
      for (std::size_t i = 0; i < h * w; ++i) wrong += out.data()[i] != memory[4 * i] + 2 * memory[4 * i + 2] - memory[4 * i + 3];
      CHECK(wrong == 0);
    }
}

// SPDX-License-Identifier: MIT
#include <jig/passes/padded_reads.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

template <class... Key>
constexpr jig::plan plan_of(auto lambda, Key... key) {
  const auto& traced = jig::graph_of(lambda, key...);
  return jig::make_plan(jig::lower(jig::optimize(traced)), jig::detail::all_dense(traced));
}
constexpr std::size_t steps_of(const jig::plan& p) { return p.steps.size(); }

constexpr auto without_last = [](const auto& x) { return jig::strided_slice<jig::range_of(0, -1)>(x); };
constexpr auto without_first = [](const auto& x) { return jig::strided_slice<jig::range_of(1, jig::unbounded)>(x); };
constexpr auto middle = [](const auto& x) { return jig::strided_slice<jig::range_of(2, -3)>(x); };

constexpr auto rosenbrock = jig::function<"rosenbrock(x)">([](const auto& x) {
  auto a = without_last(x), b = without_first(x);
  return jig::reduce_sum(100 * jig::square(b - a * a) + jig::square(1 - a));
});
constexpr auto gradient_of_rosenbrock = jig::grad(rosenbrock);

template <class T>
T number(jig::index i) {
  return static_cast<T>((i * 37 + 11) % 23 - 9) / T(8);
}
template <class T, jig::index... E>
jig::tensor<T, E...> numbers(jig::index from = 0) {
  jig::tensor<T, E...> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = number<T>(from + i);
  return x;
}

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T, jig::index N>
void check_rosenbrock() {
  auto x = numbers<T, N>();
  std::vector<T> g(static_cast<std::size_t>(N));
  for (std::size_t i = 0; i + 1 < g.size(); ++i) {
    const T a = x.data()[i], t = x.data()[i + 1] - a * a;
    g[i] += -400 * a * t - 2 * (1 - a);
    g[i + 1] += 200 * t;
  }
  auto right = [&](const auto& y) {
    bool all = true;
    for (std::size_t i = 0; i < g.size(); ++i) all = all && std::abs(y.data()[i] - g[i]) <= T(1e-4) * (1 + std::abs(g[i]));
    return all;
  };
  CHECK(right(gradient_of_rosenbrock(x)));
  gradient_of_rosenbrock.into(x, x);
  CHECK(right(x));
}

// Every result has one rounding.
constexpr auto paddings = jig::function([](const auto& x) {
  auto a = without_last(x), b = without_first(x);
  return std::tuple(jig::pad<1, 0>(a - b), jig::pad<0, 1>(a * b, -1), jig::pad<2, 3>(middle(x) / middle(x)), jig::pad<3, 1>(x, 7) * 2);
});

template <class T, jig::index N>
void check_paddings() {
  auto x = numbers<T, N>();
  x(0) = std::numeric_limits<T>::quiet_NaN();
  if (N > 5) x(N - 1) = std::numeric_limits<T>::infinity();
  const auto [difference, product, quotient, doubled] = paddings(x);
  bool right = true;
  for (jig::index i = 0; i < N; ++i) {
    right = right && same(difference(i), i == 0 ? T(0) : x(i - 1) - x(i));
    right = right && same(product(i), i == N - 1 ? T(-1) : x(i) * x(i + 1));
    right = right && same(quotient(i), i < 2 || i >= N - 3 ? T(0) : x(i) / x(i));
  }
  for (jig::index i = 0; i < N + 4; ++i) right = right && same(doubled(i), i < 3 || i >= N + 3 ? T(14) : x(i - 3) * 2);
  CHECK(right);
}

template <class T>
void check_sizes() {
  constexpr jig::index lanes = jig::simd::lanes<T>;
  [&]<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (check_rosenbrock<T, N>(), ...);
    (check_paddings<T, N + 4>(), ...);
  }(std::integer_sequence<jig::index, 1, 2, 3, lanes - 1, lanes, lanes + 1, 9, 10, 2 * lanes, 17, 100>());
}

using ten = jig::spec<double, 10>;

}  // namespace

TEST_CASE("the gradient of a function of slices is one loop, of any size that is known") {
  static_assert(steps_of(plan_of([](auto x) { return gradient_of_rosenbrock(x); }, ten())) == 1);
  static_assert(steps_of(plan_of([](auto x) { return gradient_of_rosenbrock(x); }, jig::spec<float, 1000>())) == 1);
}

TEST_CASE("padded reads: gradients of slices equal plain loops") {
  check_sizes<float>();
  check_sizes<double>();
  const jig::tensor<float, 1> one{3};
  CHECK(gradient_of_rosenbrock(one)(0) == 0);
}

TEST_CASE("padded reads: along the first axis of matrices, with what is read in other ways too") {
  static constexpr auto f = jig::function([](const auto& x, const auto& y) {
    auto d = without_first(x) - without_last(x);
    auto p = jig::pad<1, 0, 0, 0>(d);
    return std::tuple(p + y, d, jig::reduce_sum(p * y), jig::reduce_max(d));
  });
  static_assert(steps_of(plan_of([](auto x, auto y) { return f(x, y); }, jig::spec<float, 5, 3>(), jig::spec<float, 5, 3>())) <= 4);
  const auto x = numbers<float, 5, 3>(), y = numbers<float, 5, 3>(40);
  const auto [sum, d, product, most] = f(x, y);
  float expected = 0, largest = -100;
  bool right = true;
  for (jig::index i = 0; i < 5; ++i)
    for (jig::index j = 0; j < 3; ++j) {
      const float inside = i == 0 ? 0 : x(i, j) - x(i - 1, j);
      right = right && sum(i, j) == inside + y(i, j) && (i == 0 || d(i - 1, j) == inside);
      expected += inside * y(i, j);
      largest = i == 0 ? largest : std::max(largest, inside);
    }
  CHECK(right);
  CHECK(product() == doctest::Approx(expected));
  CHECK(most() == largest);
}

TEST_CASE("padded reads: loops over scattered elements copy what is padded") {
  constexpr auto f = jig::function([](const auto& x, const auto& row) {
    auto d = without_first(x) * without_last(x);
    return std::tuple(jig::pad<0, 1, 0, 0>(d) + row, jig::reduce_sum<1>(jig::pad<1, 0, 0, 0>(d) + x));
  });
  const auto x = numbers<double, 6, 4>();
  const auto row = numbers<double, 4>(7);
  const auto [sum, rows] = f(x, row);
  bool right = true;
  for (jig::index i = 0; i < 6; ++i) {
    double total = 0;
    for (jig::index j = 0; j < 4; ++j) {
      right = right && sum(i, j) == (i == 5 ? 0 : x(i + 1, j) * x(i, j)) + row(j);
      total += (i == 0 ? 0 : x(i, j) * x(i - 1, j)) + x(i, j);
    }
    right = right && std::abs(total - rows(i)) < 1e-12;
  }
  CHECK(right);
  // An argument whose elements lie apart.
  const auto wide = numbers<double, 10, 2>();
  const jig::view<const double, 10> column(wide.data(), jig::shape{1, {10}}, jig::shape{1, {2}});
  jig::tensor<double, 10> dense;
  for (jig::index i = 0; i < 10; ++i) dense(i) = wide(i, 0);
  const auto a = gradient_of_rosenbrock(column), b = gradient_of_rosenbrock(dense);
  for (jig::index i = 0; i < 10; ++i) CHECK(a(i) == doctest::Approx(b(i)));
}

TEST_CASE("padded reads: a zero is added where nothing is, as gradients of slices do") {
  constexpr auto g = jig::function([](const auto& x, const auto& y) {
    auto z = jig::reduce_sum(without_first(x) * without_first(y)) + jig::reduce_sum(without_last(x) * without_last(y)) +
             jig::reduce_sum(x * jig::square(y));
    return jig::gradient(z, x);
  });
  auto y = numbers<float, 10>();
  y(0) = y(3) = y(4) = y(9) = -0.f;
  const auto d = g(numbers<float, 10>(3), y);
  for (jig::index i = 0; i < 10; ++i) {
    const float expected = y(i) * y(i) + (i == 0 ? 0 : y(i)) + (i == 9 ? 0 : y(i));
    CHECK(d(i) == expected);
    CHECK(std::signbit(d(i)) == std::signbit(expected));
  }
}

TEST_CASE("padded reads: what may throw is computed for the elements that there are") {
  constexpr auto f = jig::function([](const auto& x, const auto& y) {
    return std::tuple(jig::pad<2, 1>(x / y), jig::pad<1, 2>(x + y) * 3, jig::pad<1, 0>(jig::where(x > y, x, y)) - 1);
  });
  const jig::tensor<int, 9> x{9, 8, 7, 6, 5, 4, 3, 2, 1}, y{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto [quotient, sum, most] = f(x, y);
  for (jig::index i = 0; i < 12; ++i) {
    CHECK(quotient(i) == (i < 2 || i > 10 ? 0 : x(i - 2) / y(i - 2)));
    CHECK(sum(i) == (i < 1 || i > 9 ? 0 : 30));
  }
  for (jig::index i = 0; i < 10; ++i) CHECK(most(i) == (i == 0 ? -1 : std::max(x(i - 1), y(i - 1)) - 1));
}

TEST_CASE("padded reads: single elements among few others, functions that are not computed twice, many readers") {
  constexpr auto f = jig::function([](const auto& x) {
    auto e = jig::exp(without_first(x) - without_last(x));
    auto z = jig::reduce_sum(e) + x[0] * x[0] + x[7] * x[2];
    auto g = jig::gradient(z, x);
    return std::tuple(g, g + x, jig::pad<0, 1>(e) + jig::pad<1, 0>(e));
  });
  const auto x = numbers<double, 10>();
  const auto [g, moved, both] = f(x);
  double expected[10] = {};
  for (jig::index i = 0; i < 9; ++i) {
    const double e = std::exp(x(i + 1) - x(i));
    expected[i + 1] += e;
    expected[i] -= e;
  }
  expected[0] += 2 * x(0);
  expected[7] += x(2);
  expected[2] += x(7);
  for (jig::index i = 0; i < 10; ++i) {
    CHECK(g(i) == doctest::Approx(expected[i]));
    CHECK(moved(i) == doctest::Approx(expected[i] + x(i)));
    const double left = i < 9 ? std::exp(x(i + 1) - x(i)) : 0, right = i > 0 ? std::exp(x(i) - x(i - 1)) : 0;
    CHECK(both(i) == doctest::Approx(left + right));
  }
}

TEST_CASE("padded reads: in loops, whose values they read before these are overwritten") {
  constexpr auto smooth = jig::function([](const auto& x) {
    auto y = x;
    for (auto i : jig::range(5)) {
      (void)i;
      y = (jig::pad<1, 0>(without_last(y) * 0.25) + jig::pad<0, 1>(without_first(y) * 0.25)) + y * 0.5;
    }
    return y;
  });
  auto x = numbers<double, 33>();
  double now[33], next[33];
  std::copy_n(x.data(), 33, now);
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < 33; ++i) next[i] = ((i > 0 ? now[i - 1] * 0.25 : 0) + (i < 32 ? now[i + 1] * 0.25 : 0)) + now[i] * 0.5;
    std::copy_n(next, 33, now);
  }
  smooth.into(x, x);
  for (jig::index i = 0; i < 33; ++i) CHECK(x(i) == doctest::Approx(now[i]));
}

// SPDX-License-Identifier: MIT
// Padded reads along extents that only a call knows, against plain loops over lists of positions.
#include <jig/passes/padded_reads.hpp>

#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

template <class... Key>
constexpr std::size_t steps_of(auto lambda, Key... key) {
  const auto& traced = jig::graph_of(lambda, key...);
  return jig::make_plan(jig::lower(jig::optimize(traced)), jig::detail::all_dense(traced)).steps.size();
}
template <class... Key>
constexpr int padded_in(auto lambda, Key... key) {
  const auto& traced = jig::graph_of(lambda, key...);
  return jig::lower(jig::optimize(traced)).view().count("PadLike");
}

// What a slice takes, counted element by element: some at both ends are left out, then it may be reversed, or be every second one.
struct taken {
  int before, behind, step;
};
std::vector<std::size_t> positions(const taken& t, std::size_t n) {
  std::vector<std::size_t> all, out;
  for (std::size_t i = 0; i < n; ++i)
    if (i >= static_cast<std::size_t>(t.before) && i + static_cast<std::size_t>(t.behind) < n) all.push_back(i);
  if (t.step < 0) std::reverse(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); i += t.step == 2 ? 2 : 1) out.push_back(all[i]);
  return out;
}
template <taken T>
constexpr auto part_of(const auto& x) {
  constexpr jig::index end = T.behind == 0 ? jig::unbounded : -T.behind;
  auto inner = jig::strided_slice<jig::range_of(T.before, end)>(x);
  if constexpr (T.step == 1) return inner;
  else return jig::strided_slice<jig::range_of(jig::unbounded, jig::unbounded, T.step)>(inner);
}

// Terms of a sum, each of two slices of one length, and what they add to the gradient.
template <int Kind, class T>
constexpr auto value_of(const T& a, const T& b) {
  if constexpr (Kind == 0) return a * b;
  else if constexpr (Kind == 1) return jig::square(a - b) * 3;
  else if constexpr (Kind == 2) return a * a - b;
  else if constexpr (Kind == 3) return jig::maximum(a, b) * a;
  else return a / (b * b + 2);
}
template <int Kind>
void add_gradient(double a, double b, double& to_a, double& to_b) {
  if constexpr (Kind == 0) to_a += b, to_b += a;
  else if constexpr (Kind == 1) to_a += 6 * (a - b), to_b -= 6 * (a - b);
  else if constexpr (Kind == 2) to_a += 2 * a, to_b -= 1;
  else if constexpr (Kind == 3) to_a += a > b ? 2 * a : b, to_b += a > b ? 0 : a;
  else to_a += 1 / (b * b + 2), to_b -= a * 2 * b / ((b * b + 2) * (b * b + 2));
}

// Numbers that look random, one seed a function.
constexpr int pick(int seed, int k, int below) {
  std::uint64_t x = static_cast<std::uint64_t>(seed * 1000 + k) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 32;
  return static_cast<int>(x % static_cast<std::uint64_t>(below));
}
template <int Seed, int Term>
struct random_term {
  static constexpr int kind = pick(Seed, 10 * Term, 5), around = pick(Seed, 10 * Term + 1, 5);
  static constexpr int before_a = pick(Seed, 10 * Term + 2, around + 1), before_b = pick(Seed, 10 * Term + 3, around + 1);
  static constexpr int every = pick(Seed, 10 * Term + 4, 6);
  static constexpr int step_a = every == 0 ? 2 : every == 1 ? -1 : 1;
  static constexpr int step_b = every == 0 ? 2 : every == 2 ? -1 : 1;
  static constexpr taken a{before_a, around - before_a, step_a}, b{before_b, around - before_b, step_b};
};
template <int Seed>
constexpr auto random_sum = jig::function([](const auto& x) {
  const auto term = [&]<int K>(std::integral_constant<int, K>) {
    using t = random_term<Seed, K>;
    return jig::reduce_sum(value_of<t::kind>(part_of<t::a>(x), part_of<t::b>(x)));
  };
  return term(std::integral_constant<int, 0>()) + term(std::integral_constant<int, 1>()) * 2 + term(std::integral_constant<int, 2>());
});
template <int Seed>
constexpr auto gradient_of_random_sum = jig::grad(random_sum<Seed>);

template <int Seed, int Term>
void add_gradient_of_term(const std::vector<double>& x, std::size_t row, std::vector<double>& g) {
  using t = random_term<Seed, Term>;
  const auto a = positions(t::a, x.size() / row), b = positions(t::b, x.size() / row);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < row; ++j) {
      double to_a = 0, to_b = 0;
      add_gradient<t::kind>(x[a[i] * row + j], x[b[i] * row + j], to_a, to_b);
      g[a[i] * row + j] += to_a * (Term == 1 ? 2 : 1);
      g[b[i] * row + j] += to_b * (Term == 1 ? 2 : 1);
    }
}

template <class T>
T number(std::size_t i) {
  return static_cast<T>(static_cast<int>(i * 37 + 11) % 23 - 9) / T(8);
}
template <class T>
bool close(const T* found, const std::vector<double>& expected) {
  bool all = true;
  for (std::size_t i = 0; i < expected.size(); ++i)
    all = all && std::abs(static_cast<double>(found[i]) - expected[i]) <= 1e-4 * (1 + std::abs(expected[i]));
  return all;
}

template <int Seed, class T>
void check_random_sum() {
  constexpr auto lanes = static_cast<std::size_t>(jig::simd::lanes<T>);
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{5}, lanes - 1, lanes,
                        lanes + 1, 2 * lanes, 2 * lanes + 3, 5 * lanes + 1, std::size_t{100}}) {
    CAPTURE(Seed);
    CAPTURE(n);
    std::vector<T> x;
    std::vector<double> wide, g(n);
    for (std::size_t i = 0; i < n; ++i) x.push_back(number<T>(i)), wide.push_back(static_cast<double>(x[i]));
    add_gradient_of_term<Seed, 0>(wide, 1, g);
    add_gradient_of_term<Seed, 1>(wide, 1, g);
    add_gradient_of_term<Seed, 2>(wide, 1, g);
    CHECK(close(gradient_of_random_sum<Seed>(x).data(), g));
    gradient_of_random_sum<Seed>.into(x, x);
    CHECK(close(x.data(), g));
  }
}
template <int Seed, class T, jig::index... E>
void check_random_sum_of_rows() {
  for (jig::index n : {0, 1, 2, 3, 5, 8, 17, 40}) {
    CAPTURE(Seed);
    CAPTURE(n);
    jig::tensor<T, E...> x(jig::uninitialized, jig::shape{2, {n, 3}});
    std::vector<double> wide, g(static_cast<std::size_t>(x.size()));
    for (std::size_t i = 0; i < g.size(); ++i) x.data()[i] = number<T>(i), wide.push_back(static_cast<double>(x.data()[i]));
    add_gradient_of_term<Seed, 0>(wide, 3, g);
    add_gradient_of_term<Seed, 1>(wide, 3, g);
    add_gradient_of_term<Seed, 2>(wide, 3, g);
    CHECK(close(gradient_of_random_sum<Seed>(x).data(), g));
  }
}

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

constexpr auto rosenbrock = jig::function<"rosenbrock(x)">([](const auto& x) {
  auto a = x(jig::range_of(0, -1)), b = x(jig::range_of(1, jig::unbounded));
  return jig::reduce_sum(100 * jig::square(b - a * a) + jig::square(1 - a));
});
constexpr auto gradient_of_rosenbrock = jig::grad(rosenbrock);

}  // namespace

TEST_CASE("the gradient of a function of slices is one loop along a wildcard, a name, and slices without static extents") {
  constexpr auto g = [](auto x) { return gradient_of_rosenbrock(x); };
  static_assert(steps_of(g, jig::spec<double, jig::dyn>()) == 1);
  static_assert(steps_of(g, jig::spec<float, jig::dim<"n">>()) == 1);
  static_assert(steps_of(g, jig::spec<float, 1000>()) == 1);
  static_assert(steps_of([](auto x) { return gradient_of_random_sum<3>(x); }, jig::spec<float, jig::dyn, 3>()) >= 1);
}

TEST_CASE("where padded reads are not worth it, or not possible") {
  constexpr auto around = []<jig::index N>(std::integral_constant<jig::index, N>) {
    return [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(x(jig::range_of<N, jig::unbounded>()))), x); };
  };
  static_assert(padded_in(around(std::integral_constant<jig::index, 64>()), jig::spec<float, jig::dyn>()) > 0);
  static_assert(padded_in(around(std::integral_constant<jig::index, 65>()), jig::spec<float, jig::dyn>()) == 0);
  // From the end, and up to a number: few of many.
  static_assert(padded_in(around(std::integral_constant<jig::index, -3>()), jig::spec<float, jig::dyn>()) == 0);
  constexpr auto first = [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(x(jig::range_of(0, 3)))), x); };
  static_assert(padded_in(first, jig::spec<float, jig::dyn>()) == 0);
  constexpr auto backwards = [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(x(jig::range_of(jig::unbounded, 0, -1)))), x); };
  static_assert(padded_in(backwards, jig::spec<float, jig::dyn>()) == 0);
}

TEST_CASE("padded reads along wildcards: gradients of slices at any offsets, reversed and strided ones among them") {
  [&]<int... Seed>(std::integer_sequence<int, Seed...>) {
    (check_random_sum<Seed, double>(), ...);
    (check_random_sum<Seed + 6, float>(), ...);
  }(std::make_integer_sequence<int, 6>());
}

TEST_CASE("padded reads along wildcards: of matrices along the first axis, whose rows are known or not") {
  [&]<int... Seed>(std::integer_sequence<int, Seed...>) {
    (check_random_sum_of_rows<Seed, float, jig::dyn, 3>(), ...);
    (check_random_sum_of_rows<Seed, double, jig::dyn, jig::dyn>(), ...);
  }(std::integer_sequence<int, 3, 21>());
}

TEST_CASE("padded reads along wildcards: stencils along both axes") {
  constexpr auto energy = jig::function([](const auto& u) {
    auto down = u(jig::range_of(1, jig::unbounded), jig::all) - u(jig::range_of(0, -1), jig::all);
    auto right = u(jig::all, jig::range_of(1, jig::unbounded)) - u(jig::all, jig::range_of(0, -1));
    return jig::reduce_sum(down * down) + jig::reduce_sum(jig::square(right)) / 2;
  });
  constexpr auto g = jig::grad(energy);
  const auto check = [&](const auto& u, std::size_t rows, std::size_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    std::vector<double> expected(rows * columns);
    const auto at = [&](std::size_t i, std::size_t j) { return static_cast<double>(u.data()[i * columns + j]); };
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        double& to = expected[i * columns + j];
        if (i > 0) to += 2 * (at(i, j) - at(i - 1, j));
        if (i + 1 < rows) to -= 2 * (at(i + 1, j) - at(i, j));
        if (j > 0) to += at(i, j) - at(i, j - 1);
        if (j + 1 < columns) to -= at(i, j + 1) - at(i, j);
      }
    CHECK(close(g(u).data(), expected));
  };
  for (jig::index rows : {0, 1, 2, 3, 9, 33})
    for (jig::index columns : {0, 1, 2, 17}) {
      jig::tensor<float, jig::dyn, jig::dyn> u(rows, columns);
      for (std::size_t i = 0; i < static_cast<std::size_t>(u.size()); ++i) u.data()[i] = number<float>(i);
      check(u, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    }
  for (jig::index rows : {0, 1, 2, 9, 33}) {
    jig::tensor<double, jig::dyn, 5> u(rows);
    for (std::size_t i = 0; i < static_cast<std::size_t>(u.size()); ++i) u.data()[i] = number<double>(i);
    check(u, static_cast<std::size_t>(rows), 5);
  }
}

TEST_CASE("padded reads along wildcards: paddings and assignments, each with one rounding") {
  constexpr auto f = jig::function([](const auto& x, const auto& y) {
    auto a = x(jig::range_of(0, -1)), b = x(jig::range_of(1, jig::unbounded));
    auto assigned = x * 2, added = y + 1;
    assigned(jig::range_of(1, -2)) = x(jig::range_of(2, -1)) + y(jig::range_of(0, -3));
    added(jig::range_of(2, jig::unbounded)) += 3;
    return std::tuple(jig::pad<1, 0>(a - b), jig::pad<0, 1>(a * b, -1), jig::pad<3, 1>(x, 7) * 2, assigned, added,
                      jig::reduce_sum(jig::pad<1, 0>(a + b) * 2), jig::reduce_max(jig::pad<0, 2>(a + b) - 20));
  });
  constexpr auto lanes = jig::simd::lanes<float>;
  for (jig::index n : {jig::index{3}, jig::index{4}, jig::index{5}, lanes - 1, lanes, lanes + 1, 2 * lanes, 5 * lanes + 3}) {
    CAPTURE(n);
    const auto size = static_cast<std::size_t>(n);
    std::vector<float> x(size), y(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = number<float>(i), y[i] = number<float>(i + 5);
    float sum = 0, most = -20;
    for (std::size_t i = 0; i + 1 < size; ++i) sum += 2 * (x[i] + x[i + 1]), most = std::max(most, x[i] + x[i + 1] - 20);
    {
      const auto [difference, product, doubled, assigned, added, total, largest] = f(x, y);
      CHECK(total() == doctest::Approx(sum));
      CHECK(largest() == most);
    }
    x[0] = std::numeric_limits<float>::quiet_NaN();
    if (n > 5) x[size - 1] = std::numeric_limits<float>::infinity();
    const auto [difference, product, doubled, assigned, added, total, largest] = f(x, y);
    bool right = true;
    for (std::size_t i = 0; i < size; ++i) {
      right = right && same(difference.data()[i], i == 0 ? 0.f : x[i - 1] - x[i]);
      right = right && same(product.data()[i], i + 1 == size ? -1.f : x[i] * x[i + 1]);
      right = right && same(assigned.data()[i], i >= 1 && i + 2 < size ? x[i + 1] + y[i - 1] : x[i] * 2);
      right = right && same(added.data()[i], i >= 2 ? y[i] + 1 + 3 : y[i] + 1);
    }
    for (std::size_t i = 0; i < size + 4; ++i) right = right && same(doubled.data()[i], i < 3 || i >= size + 3 ? 14.f : x[i - 3] * 2);
    CHECK(right);
  }
}

TEST_CASE("padded reads along wildcards: integers that may not be divided where nothing is") {
  constexpr auto f = jig::function([](const auto& x, const auto& y) {
    auto q = y;
    q(jig::range_of(1, jig::unbounded)) = x(jig::range_of(1, jig::unbounded)) / y(jig::range_of(0, -1));
    return q;
  });
  for (const std::size_t n : {0u, 1u, 2u, 3u, 16u, 17u, 50u}) {
    std::vector<int> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i * i) - 7, y[i] = static_cast<int>(i) + 1;
    const auto q = f(x, y);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right = right && q.data()[i] == (i == 0 ? y[0] : x[i] / y[i - 1]);
    CHECK(right);
  }
}

TEST_CASE("padded reads along wildcards: parts of other lengths throw, whatever is read in place") {
  constexpr auto f = jig::function<"f(x, y)">([](const auto& x, const auto& y) {
    auto z = x * 2;
    z(jig::range_of(1, jig::unbounded)) = y * 3;
    return z;
  });
  const std::vector<float> x{1, 2, 3, 4}, three{5, 6, 7}, two{8, 9};
  const auto z = f(x, three);
  for (std::size_t i = 0; i < 4; ++i) CHECK(z.data()[i] == (i == 0 ? 2 : three[i - 1] * 3));
  CHECK_THROWS_AS(f(x, two), jig::invalid_argument);
}

TEST_CASE("padded reads along wildcards: loops that threads share") {
  for (const jig::index n : {2 * jig::detail::shared_length - 1, 2 * jig::detail::shared_length, 3 * jig::detail::shared_length + 5}) {
    std::vector<double> x(static_cast<std::size_t>(n)), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = number<double>(i);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double t = x[i + 1] - x[i] * x[i];
      expected[i] += -400 * x[i] * t - 2 * (1 - x[i]);
      expected[i + 1] += 200 * t;
    }
    // The last block first, as threads might.
    static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
      while (blocks-- > 0) run(work, blocks);
    }};
    jig::detail::current_parallel_runner = &runner;
    const auto g = gradient_of_rosenbrock(x);
    gradient_of_rosenbrock.into(x, x);
    jig::detail::current_parallel_runner = nullptr;
    CHECK(close(g.data(), expected));
    CHECK(close(x.data(), expected));
  }
}

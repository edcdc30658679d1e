// SPDX-License-Identifier: MIT
#include <jig/passes/elements.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

namespace {

// What is planned of a lambda.
struct planned {
  jig::graph graph;
  jig::plan plan;
};
template <class... Key>
constexpr planned plan_of(auto lambda, Key... key) {
  const auto& traced = jig::graph_of(lambda, key...);
  jig::list<char> dense;
  for (std::size_t i = 0; i < traced.inputs().size(); ++i) dense.push_back(1);
  planned out{jig::detail::lowered(jig::optimize(traced), dense), {}};
  out.plan = jig::make_plan(out.graph, dense);
  return out;
}
template <class... Key>
constexpr bool is_one_step(auto lambda, Key... key) {
  const planned p = plan_of(lambda, key...);
  return p.plan.steps.size() == 1 && p.plan.buffers.size() == 0 && p.plan.steps[0].kind == jig::step_kind::loop;
}

constexpr auto valley = [](const auto& x) {
  auto sum = jig::constant_like(x[0], 0.0);
  for (int i = 0; i < 5; ++i) {
    auto t = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    sum = sum + (100.0 * (t * t) + b * b);
  }
  return sum;
};
constexpr auto gradient_of_valley = [](const auto& x) { return jig::gradient(valley(x), x); };
constexpr auto rotation = [](const auto& q) {
  auto w = q[0], x = q[1], y = q[2], z = q[3];
  auto row = [](const auto& a, const auto& b, const auto& c) { return jig::stack<0>(a, b, c); };
  return jig::stack<0>(row(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                       row(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                       row(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)));
};
constexpr auto two_losses = [](const auto& x) {
  auto u = jig::sin(x[0]) * x[1] / x[2], v = jig::exp(x[3] - x[0]) + jig::sqrt(x[2]);
  return jig::stack<0>(jig::gradient(u, x), jig::gradient(v, x));
};
// Elements that are moved about and computed with while they are scalars.
constexpr auto moved = [](const auto& x) {
  auto m = jig::reshape<2, 2>(jig::stack<0>(x[0] + 1, x[1] + 1, x[2] + 1, x[3] + 1));
  auto n = jig::transpose(m) * m - x[0];
  return jig::concat<0>(jig::flatten(jig::reverse<1>(n)), jig::strided_slice<jig::range_of(0, 4, 2)>(jig::flatten(n)),
                        jig::gather<0>(jig::flatten(m), jig::lit<2>) * jig::ones_like(jig::flatten(m)));
};

// Elements that are assigned one by one, and read again.
constexpr auto assigned_row = [](const auto& x) {
  auto r = jig::zeros_like(x);
  r[0] = x[1] * x[2];
  r[2] = r[0] + 1;
  r[1] += r[2] * 3;
  r[2] = x[0];
  return r;
};
constexpr auto assigned_matrix = [](const auto& x) {
  auto m = jig::stack<0>(jig::zeros_like(x), jig::zeros_like(x));
  m(0, 1) = x[2] - x[0];
  m(1, 2) = m(0, 1) * 2;
  m(1, 0) = x[1];
  return m;
};

static_assert(is_one_step(assigned_row, jig::spec<double, 3>()));
static_assert(is_one_step(assigned_matrix, jig::spec<double, 3>()));
static_assert(is_one_step(valley, jig::spec<double, 6>()));
static_assert(is_one_step(gradient_of_valley, jig::spec<double, 6>()));
static_assert(is_one_step(gradient_of_valley, jig::spec<double, 64>()));
static_assert(is_one_step(rotation, jig::spec<float, 4>()));
static_assert(is_one_step(two_losses, jig::spec<float, 4>()));
static_assert(is_one_step(moved, jig::spec<float, 4>()));
// A larger tensor is added to in memory.
static_assert(!is_one_step(gradient_of_valley, jig::spec<double, 65>()));

template <class T, jig::index N>
jig::tensor<T, N> numbers() {
  jig::tensor<T, N> x;
  for (jig::index i = 0; i < N; ++i) x.data()[i] = static_cast<T>((i * 37 + 11) % 23 + 1) / T(8);
  return x;
}
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

template <jig::index N>
void check_valley() {
  constexpr auto f = jig::function<"valley(x)">(valley);
  constexpr auto g = jig::function<"gradient(x)">(gradient_of_valley);
  auto x = numbers<double, N>();
  double sum = 0;
  std::vector<double> expected(static_cast<std::size_t>(N));
  for (std::size_t i = 0; i < 5; ++i) {
    const double a = x.data()[i], t = x.data()[i + 1] - a * a;
    sum += 100 * t * t + (1 - a) * (1 - a);
    expected[i] += -400 * a * t - 2 * (1 - a);
    expected[i + 1] += 200 * t;
  }
  const auto right = [&](const auto& y) {
    bool all = true;
    for (std::size_t i = 0; i < expected.size(); ++i)
      all = all && std::abs(y.data()[i] - expected[i]) <= 1e-12 * (1 + std::abs(expected[i]));
    return all;
  };
  CHECK(static_cast<double>(f(x)) == doctest::Approx(sum));
  CHECK(right(g(x)));
  // Into a view with gaps, of an argument with gaps.
  std::vector<double> wide(static_cast<std::size_t>(2 * N)), apart(static_cast<std::size_t>(3 * N), 7);
  for (std::size_t i = 0; i < expected.size(); ++i) wide[2 * i] = x.data()[i];
  const jig::shape extents{1, {N}};
  jig::view<double, N> out(apart.data(), extents, jig::shape{1, {3}});
  g.into(out, jig::view<const double, N>(wide.data(), extents, jig::shape{1, {2}}));
  bool all = true;
  for (std::size_t i = 0; i < expected.size(); ++i)
    all = all && std::abs(apart[3 * i] - expected[i]) <= 1e-12 * (1 + std::abs(expected[i]));
  CHECK(all);
  CHECK(apart[1] == 7);
  // On top of the argument.
  g.into(x, x);
  CHECK(right(x));
}

}  // namespace

TEST_CASE("gradients of elements are scalars, up to 64 of them") {
  check_valley<6>();
  check_valley<7>();
  check_valley<63>();
  check_valley<64>();
  check_valley<65>();
}

TEST_CASE("tensors of tensors of scalars are written element by element") {
  constexpr auto f = jig::function<"rotation(q)">(rotation);
  const jig::tensor<float, 4> q{0.5f, -0.5f, 0.5f, 0.5f};
  const auto r = f(q);
  const float expected[] = {0, -1, 0, 0, 0, 1, -1, 0, 0};
  for (int i = 0; i < 9; ++i) CHECK(r.data()[i] == expected[i]);

  constexpr auto j = jig::function<"jacobian(x)">(two_losses);
  const jig::tensor<double, 4> x{0.3, 1.7, 0.9, -0.4};
  const auto jacobian = j(x);
  const double e = std::exp(-0.7), row[2][4] = {{std::cos(0.3) * 1.7 / 0.9, std::sin(0.3) / 0.9, -std::sin(0.3) * 1.7 / 0.81, 0},
                                                {-e, 0, 0.5 / std::sqrt(0.9), e}};
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index k = 0; k < 4; ++k) CHECK(jacobian(i, k) == doctest::Approx(row[i][k]).epsilon(1e-13));
}

TEST_CASE("elements keep their places and bits through views and arithmetic") {
  constexpr auto f = jig::function<"moved(x)">(moved);
  for (float first : {0.1f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -0.0f}) {
    const jig::tensor<float, 4> x{first, 1.7f, 0.9f, -0.4f};
    const auto y = f(x), z = f.without_passes()(x);
    const float m[2][2] = {{x(0) + 1, x(1) + 1}, {x(2) + 1, x(3) + 1}};
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) {
        const float n = m[1 - k][i] * m[i][1 - k] - x(0), o = m[k][i] * m[i][k] - x(0);
        CHECK((same(y(2 * i + k), n) || y(2 * i + k) == doctest::Approx(n)));
        if (k == 0) CHECK((same(y(4 + i), o) || y(4 + i) == doctest::Approx(o)));
        CHECK(y(6 + 2 * i + k) == m[1][0]);
      }
    for (int i = 0; i < 10; ++i) CHECK(same(y(i), z(i)));
  }
}

TEST_CASE("what is added to nothing is 0 and never -0") {
  constexpr auto g = jig::function<"g(x)">([](const auto& x) { return jig::gradient(x[1] * x[2] * -1.0f, x); });
  const auto y = g(jig::tensor<float, 3>{1, 0, 0});
  for (int i = 0; i < 3; ++i) CHECK(same(y(i), 0.0f));
}

TEST_CASE("integers, truth values and other dtypes are elements too") {
  constexpr auto f = jig::function<"f(x)">([](const auto& x) {
    return std::tuple(jig::stack<0>(x[2] / x[0], x[1] + x[1]), jig::stack<0>(x[0] < x[1], x[1] < x[0]),
                      jig::stack<0>(jig::cast<double>(x[0]), jig::cast<double>(x[1]) / 2));
  });
  const auto [a, b, c] = f(jig::tensor<int, 3>{2, std::numeric_limits<int>::max(), 7});
  CHECK((a(0) == 3 && a(1) == -2));
  CHECK((b(0) && !b(1)));
  CHECK((c(0) == 2 && c(1) == 1073741823.5));
  CHECK_THROWS_AS(f(jig::tensor<int, 3>{0, 1, 2}), jig::invalid_argument);
  constexpr auto text = jig::function<"text(x)">([](const auto& x) { return jig::stack<0>(x[1], x[0]); });
  const auto t = text(jig::tensor<std::string, 2>{"a", "b"});
  CHECK((t(0) == "b" && t(1) == "a"));
  constexpr auto halves = jig::function<"halves(x)">([](const auto& x) { return jig::stack<0>(x[1] * x[1], x[0] + x[1]); });
  const auto h = halves(jig::tensor<jig::half, 2>{jig::half(1.5), jig::half(2)});
  CHECK((static_cast<float>(h(0)) == 4 && static_cast<float>(h(1)) == 3.5f));
}

TEST_CASE("scalars of one step are written where vectors of another read them") {
  constexpr auto f = jig::function<"f(x, y)">([](const auto& x, const auto& y) {
    auto scale = jig::stack<0>(x[0] * x[1], x[1] * x[2], x[2] * x[0]);
    auto z = y * scale + jig::exp(scale);
    return std::tuple(jig::reduce_sum<1>(z), scale, jig::stack<0>(jig::reduce_sum(z), x[0]));
  });
  const jig::tensor<double, 3> x{0.5, -0.25, 2};
  const auto y = jig::reshape<4, 3>(numbers<double, 12>());
  const auto [a, b, c] = f(x, y);
  const double s[] = {-0.125, -0.5, 1};
  double all = 0;
  for (jig::index i = 0; i < 4; ++i) {
    double sum = 0;
    for (jig::index k = 0; k < 3; ++k) sum += y(i, k) * s[k] + std::exp(s[k]);
    CHECK(a(i) == doctest::Approx(sum));
    all += sum;
  }
  for (jig::index k = 0; k < 3; ++k) CHECK(b(k) == s[k]);
  CHECK((c(0) == doctest::Approx(all) && c(1) == 0.5));
}

TEST_CASE("elements that are assigned are scalars too") {
  constexpr auto row = jig::function<"row(x)">(assigned_row);
  constexpr auto matrix = jig::function<"matrix(x)">(assigned_matrix);
  const jig::tensor<double, 3> x{0.5, -0.25, 2};
  const auto r = row(x);
  CHECK((r(0) == -0.5 && r(1) == 1.5 && r(2) == 0.5));
  const auto m = matrix(x);
  const double expected[] = {0, 1.5, 0, -0.25, 0, 3};
  for (int i = 0; i < 6; ++i) CHECK(m.data()[i] == expected[i]);
  const auto g = jig::grad<0>(jig::function<"sum(x)">([](const auto& v) { return jig::reduce_sum(assigned_row(v) * v); }))(x);
  // x1 x2 x0 + 3 (x1 x2 + 1) x1 + x0 x2
  CHECK(g(0) == doctest::Approx(x(1) * x(2) + x(2)));
  CHECK(g(1) == doctest::Approx(x(2) * x(0) + 6 * x(1) * x(2) + 3));
  CHECK(g(2) == doctest::Approx(x(1) * x(0) + 3 * x(1) * x(1) + x(0)));
}

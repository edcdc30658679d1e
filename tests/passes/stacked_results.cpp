// SPDX-License-Identifier: MIT
#include "../lowered_text.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using jig::dyn;
using jig::range_of;
using jig::stack;
using jig::strided_slice;
using jig::unstack;

namespace {

// How many nodes read what is stacked.
template <class... Spec>
int readers_of_stacks(auto f) {
  const jig::graph optimized = jig::optimize(jig::graph_of(f, Spec()...));
  const jig::graph lowered = jig::lower(optimized.view());
  const jig::graph_view g = lowered.view();
  int readers = 0;
  for (int v = 0; v < g.size(); ++v)
    for (const auto& e : g.inputs_of(v)) readers += jig::detail::is_join(*g.data(e.node).kind);
  return readers;
}
using points = jig::spec<float, dyn, 3>;
using pairs = jig::spec<float, dyn, 2>;

template <int Axis>
constexpr auto cross(auto a, auto b) {
  auto [s, t, u] = unstack<Axis>(a);
  auto [x, y, z] = unstack<Axis>(b);
  return stack<Axis>(t * z - u * y, u * x - s * z, s * y - t * x);
}
template <int Axis>
constexpr auto rotated = [](auto q, auto v) {
  if constexpr (Axis == 1) {
    auto axis = strided_slice<jig::all, range_of(1, 4)>(q);
    auto w = strided_slice<jig::all, range_of(0, 1)>(q);
    auto t = 2 * cross<Axis>(axis, v);
    return v + w * t + cross<Axis>(axis, t);
  } else {
    auto axis = strided_slice<range_of(1, 4)>(q);
    auto w = strided_slice<range_of(0, 1)>(q);
    auto t = 2 * cross<Axis>(axis, v);
    return v + w * t + cross<Axis>(axis, t);
  }
};
constexpr auto normals = [](auto a, auto b) {
  auto c = cross<1>(a, b);
  return c / jig::sqrt(jig::reduce_sum<1>(c * c, jig::keepdims) + 1);
};
constexpr auto scaled = [](auto x) {
  auto [a, b] = unstack<1>(x);
  return 2 * stack<1>(a + b, a - b);
};
constexpr auto projected = [](auto x) {
  auto [a, b, c, w] = unstack<1>(x);
  auto h = stack<1>(2 * a + b, b - c, c + a, w * w + 3);
  return strided_slice<jig::all, range_of(0, 3)>(h) / strided_slice<jig::all, range_of(3, 4)>(h);
};
// So many steps of z * z + c.
template <int Steps>
constexpr auto iterated = [](auto z, auto c) {
  for (int k = 0; k < Steps; ++k) {
    auto [x, y] = unstack<1>(z);
    z = stack<1>(x * x - y * y, 2 * x * y) + c;
  }
  return z;
};

template <class T, jig::index... E>
void fill(jig::tensor<T, E...>& x, unsigned seed) {
  std::mt19937 generator(seed);
  for (T& e : x) e = static_cast<T>(static_cast<int>(generator() % 33) - 16) / 4;
}
bool is_near(double a, double b) { return (a != a && b != b) || a == b || std::abs(a - b) <= 1e-5 * (1 + std::abs(b)); }
void turn(const double* q, const double* v, double* y) {
  const double s = 2 * (q[2] * v[2] - q[3] * v[1]), t = 2 * (q[3] * v[0] - q[1] * v[2]), u = 2 * (q[1] * v[1] - q[2] * v[0]);
  y[0] = v[0] + q[0] * s + (q[2] * u - q[3] * t);
  y[1] = v[1] + q[0] * t + (q[3] * s - q[1] * u);
  y[2] = v[2] + q[0] * u + (q[1] * t - q[2] * s);
}

}  // namespace

TEST_CASE("what is computed of stacked tensors is stacked last") {
  CHECK(readers_of_stacks<pairs>(scaled) == 0);
  CHECK(readers_of_stacks<jig::spec<float, dyn, 4>, points>(rotated<1>) == 0);
  CHECK(readers_of_stacks<jig::spec<float, 4, dyn>, jig::spec<float, 3, dyn>>(rotated<0>) == 0);
  CHECK(readers_of_stacks<jig::spec<float, 4, 50>, jig::spec<float, 3, 50>>(rotated<0>) == 0);
  CHECK(readers_of_stacks<points, points>(normals) == 0);
  CHECK(readers_of_stacks<jig::spec<float, dyn, 4>>(projected) == 0);
  CHECK(readers_of_stacks<pairs, pairs>(iterated<4>) == 0);
  // Columns side by side; a middle axis; other dtypes; beside what is computed of memory.
  CHECK(readers_of_stacks<pairs>([](auto x) {
          auto a = strided_slice<jig::all, range_of(0, 1)>(x), b = strided_slice<jig::all, range_of(1, 2)>(x);
          return jig::exp(jig::concat<1>(b + 1, a * 2, a)) + 1;
        }) == 0);
  CHECK(readers_of_stacks<jig::spec<int, dyn, 20>, jig::spec<int, dyn, 20>>([](auto x, auto y) { return stack<1>(x + y, x * y) * 3; }) ==
        0);
  CHECK(readers_of_stacks<jig::spec<double, dyn>, jig::spec<double, dyn>>(
            [](auto x, auto y) { return jig::cast<int>(stack<1>(x + y, x * y)) & 3; }) == 0);
  CHECK(readers_of_stacks<points, points>([](auto x, auto y) {
          auto [a, b, c] = unstack<1>(x);
          return stack<1>(c, b, a) * jig::tanh(y);
        }) == 0);
}
TEST_CASE("what stays stacked first") {
  using rows = jig::spec<float, jig::dim<"n">>;
  constexpr auto of = [](auto... x) { return jig::exp(stack<-1>((x + 1)...)); };
  CHECK((readers_of_stacks<rows, rows, rows, rows>(of)) == 0);
  CHECK((readers_of_stacks<rows, rows, rows, rows, rows>(of)) == 1);
  CHECK((readers_of_stacks<jig::spec<float, 8>, jig::spec<float, 8>>(of)) == 0);
  CHECK((readers_of_stacks<jig::spec<float, 7>, jig::spec<float, 7>>(of)) >= 1);
  CHECK((readers_of_stacks<jig::spec<jig::half, dyn>, jig::spec<jig::half, dyn>>(of)) >= 1);
  // Parts that only the call compares, and those of which the types tell different things.
  CHECK((readers_of_stacks<jig::spec<float, dyn>, jig::spec<float, dyn>>(of)) == 1);
  CHECK((readers_of_stacks<rows, jig::spec<float, 40>>(of)) == 1);
  CHECK((readers_of_stacks<jig::spec<float, 40>, jig::spec<float, 40>>(of)) == 0);
  // Beside what a kernel makes, and a function that is read again.
  CHECK(readers_of_stacks<pairs, pairs>([](auto x, auto y) {
          auto [a, b] = unstack<1>(x);
          return stack<1>(b + 1, a) + jig::cumsum<0>(y);
        }) == 1);
  CHECK(readers_of_stacks<pairs, pairs>([](auto x, auto y) {
          auto [a, b] = unstack<1>(x);
          auto t = jig::sin(y);
          return std::tuple(stack<1>(b + 1, a) + t, jig::reduce_sum(t));
        }) == 1);
  // Too many ops for one loop: 48 of two components are together.
  CHECK(readers_of_stacks<pairs, pairs>(iterated<24>) == 0);
  CHECK(readers_of_stacks<pairs, pairs>([](auto z, auto c) {
          auto [x, y] = unstack<1>(z);
          z = stack<1>(x + 1, y);
          for (int k = 0; k < 49; ++k) z = z * c;
          return z;
        }) == 1);
}

namespace {

template <class... Spec>
bool multiplies(auto f) {
  const jig::graph optimized = jig::optimize(jig::graph_of(f, Spec()...));
  return jig::lower(optimized.view()).view().count("MatMul") > 0;
}
constexpr auto seen = [](auto p, auto m) {
  auto h = jig::matmul(p, m);
  return strided_slice<jig::all, range_of(0, 2)>(h) / (1 + jig::square(strided_slice<jig::all, range_of(2, 3)>(h)));
};
constexpr auto forms = [](auto p, auto m) { return jig::reduce_sum<1>(jig::matmul(p, m) * p); };
constexpr auto forms_around = [](auto p, auto m) {
  auto d = p - jig::reduce_mean<0>(p);
  return jig::reduce_sum<1>(jig::matmul(d, m, jig::transpose_b) * d, jig::keepdims);
};

}  // namespace

TEST_CASE("products with small matrices that are taken apart") {
  using matrix = jig::spec<float, 3, 3>;
  CHECK_FALSE((multiplies<points, matrix>(seen)));
  CHECK_FALSE((multiplies<points, matrix>(forms)));
  CHECK_FALSE((multiplies<points, matrix>(forms_around)));
  CHECK_FALSE((multiplies<pairs, jig::spec<float, 2, 2>>([](auto p, auto m) {
    auto [x, y] = unstack<1>(p);
    return jig::matmul(stack<1>(x * x, y), m);
  })));
  CHECK_FALSE((multiplies<points, jig::spec<float, 3, 4>>([](auto p, auto m) { return jig::reduce_max<1>(jig::matmul(p, m)); })));
  // More columns or rows, a matrix that is computed, nobody who takes it apart, functions behind it.
  CHECK((multiplies<points, jig::spec<float, 3, 5>>([](auto p, auto m) { return jig::reduce_max<1>(jig::matmul(p, m)); })));
  CHECK((multiplies<jig::spec<float, dyn, 5>, jig::spec<float, 5, 3>>(seen)));
  CHECK((multiplies<points, matrix>([](auto p, auto m) { return jig::reduce_max<1>(jig::matmul(p, jig::matmul(m, m))); })));
  CHECK((multiplies<points, matrix>([](auto p, auto m) { return jig::matmul(p, m); })));
  const auto sums = [](auto f) { return jig::lower(jig::graph_of(f, points(), matrix())).view().count("Sum"); };
  CHECK(sums([](auto p, auto m) { return jig::reduce_sum<1>(jig::abs(jig::matmul(p, m))); }) == 0);
  CHECK(sums([](auto p, auto m) { return jig::reduce_sum<1>(jig::exp(jig::matmul(p, m))); }) == 1);
  CHECK((multiplies<jig::spec<float, 5, 3>, matrix>(forms)));
}
TEST_CASE("what is taken apart of products beside loops") {
  constexpr auto see = jig::function<"see(p, m)">(seen);
  constexpr auto form = jig::function<"form(p, m)">(forms);
  constexpr auto form_around = jig::function<"form_around(p, m)">(forms_around);
  for (const jig::index n : {0, 1, 3, 6, 15, 16, 17, 33, 200}) {
    jig::tensor<double, dyn, 3> p(n);
    jig::tensor<double, 3, 3> m;
    fill(p, 7), fill(m, 8);
    const auto y = see(p, m);
    const auto f = form(p, m);
    const auto g = form_around(p, m);
    double mean[3] = {};
    for (jig::index k = 0; k < 3; ++k)
      for (jig::index i = 0; i < n; ++i) mean[k] += p(i, k) / static_cast<double>(n);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      double h[3] = {}, of = 0, around = 0;
      for (jig::index j = 0; j < 3; ++j)
        for (jig::index k = 0; k < 3; ++k) {
          h[j] += p(i, k) * m(k, j);
          of += p(i, k) * m(k, j) * p(i, j);
          around += (p(i, k) - mean[k]) * m(j, k) * (p(i, j) - mean[j]);
        }
      wrong += !is_near(y(i, 0), h[0] / (1 + h[2] * h[2])) || !is_near(y(i, 1), h[1] / (1 + h[2] * h[2]));
      wrong += !is_near(f(i), of) || !is_near(g(i, 0), around);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("values beside loops, whatever the number of points") {
  constexpr auto rotate = jig::function<"rotate(q, v)">(rotated<1>);
  constexpr auto rotate_planes = jig::function<"rotate_planes(q, v)">(rotated<0>);
  constexpr auto normal = jig::function<"normal(a, b)">(normals);
  constexpr auto project = jig::function<"project(x)">(projected);
  for (const jig::index n : {0, 1, 2, 3, 5, 15, 16, 17, 31, 33, 64, 129, 1000}) {
    jig::tensor<float, dyn, 4> q(n);
    jig::tensor<float, dyn, 3> v(n);
    jig::tensor<double, 4, dyn> planes(n);
    jig::tensor<double, 3, dyn> vectors(n);
    fill(q, 1), fill(v, 2);
    for (jig::index i = 0; i < n; ++i) {
      for (jig::index k = 0; k < 4; ++k) planes(k, i) = static_cast<double>(q(i, k));
      for (jig::index k = 0; k < 3; ++k) vectors(k, i) = static_cast<double>(v(i, k));
    }
    const auto y = rotate(q, v);
    const auto z = rotate_planes(planes, vectors);
    const jig::tensor<float, dyn, 3> axis(strided_slice<jig::all, range_of(1, 4)>(q));
    const auto c = normal(axis, v);
    const auto p = project(q);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      double of[4], at[3], to[3];
      for (jig::index k = 0; k < 4; ++k) of[k] = static_cast<double>(q(i, k));
      for (jig::index k = 0; k < 3; ++k) at[k] = static_cast<double>(v(i, k));
      turn(of, at, to);
      for (jig::index k = 0; k < 3; ++k) wrong += !is_near(static_cast<double>(y(i, k)), to[k]) || !is_near(z(k, i), to[k]);
      const double n0 = of[2] * at[2] - of[3] * at[1], n1 = of[3] * at[0] - of[1] * at[2], n2 = of[1] * at[1] - of[2] * at[0];
      const double length = std::sqrt(n0 * n0 + n1 * n1 + n2 * n2 + 1), w = of[3] * of[3] + 3;
      wrong += !is_near(static_cast<double>(c(i, 0)), n0 / length) || !is_near(static_cast<double>(c(i, 1)), n1 / length) ||
               !is_near(static_cast<double>(c(i, 2)), n2 / length);
      wrong += !is_near(static_cast<double>(p(i, 0)), (2 * of[0] + of[1]) / w) ||
               !is_near(static_cast<double>(p(i, 1)), (of[1] - of[2]) / w) || !is_near(static_cast<double>(p(i, 2)), (of[2] + of[0]) / w);
    }
    CHECK(wrong == 0);
    // In the place of an argument.
    rotate.into(v, q, v);
    wrong = 0;
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < 3; ++k) wrong += v(i, k) != y(i, k);
    CHECK(wrong == 0);
  }
}
TEST_CASE("one point for all, columns of other memory, NaN") {
  constexpr auto rotate = jig::function<"rotate(q, v)">(rotated<1>);
  for (const jig::index n : {1, 7, 20}) {
    jig::tensor<float, dyn, 4> one(1);
    jig::tensor<float, dyn, 4> q(n);
    // Every second row, and columns of rows of five.
    std::vector<float> memory(static_cast<std::size_t>(10 * n));
    jig::tensor<float, dyn, 3> dense(n);
    fill(one, 3), fill(dense, 4);
    dense(n / 2, 1) = std::numeric_limits<float>::quiet_NaN();
    for (jig::index i = 0; i < n; ++i) {
      for (jig::index k = 0; k < 4; ++k) q(i, k) = one(0, k);
      for (jig::index k = 0; k < 3; ++k) memory[static_cast<std::size_t>(10 * i + k + 1)] = dense(i, k);
    }
    const jig::view<const float, dyn, 3> rows(memory.data() + 1, {2, {n, 3}}, {2, {10, 1}});
    const auto y = rotate(q, dense), z = rotate(one, dense), strided = rotate(q, rows);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      double of[4], at[3], to[3];
      for (jig::index k = 0; k < 4; ++k) of[k] = static_cast<double>(q(i, k));
      for (jig::index k = 0; k < 3; ++k) at[k] = static_cast<double>(dense(i, k));
      turn(of, at, to);
      for (jig::index k = 0; k < 3; ++k)
        wrong += !is_near(static_cast<double>(y(i, k)), to[k]) || !is_near(static_cast<double>(z(i, k)), to[k]) ||
                 !is_near(static_cast<double>(strided(i, k)), to[k]);
    }
    CHECK(wrong == 0);
  }
}
TEST_CASE("parts that are not as long as each other are refused") {
  constexpr auto known = jig::function<"known(x, y)">([](auto x, auto y) { return 2 * stack<1>(x, y) + 1; });
  jig::tensor<float, dyn> x(40), few(39);
  jig::tensor<float, 40> y;
  CHECK(known(x, y).extent(0) == 40);
  CHECK(known(x, x).extent(0) == 40);
  CHECK_THROWS_AS(known(few, y), jig::invalid_argument);
  CHECK_THROWS_AS(known(few, x), jig::invalid_argument);
  // One place is no other number of places, whoever reads the parts.
  constexpr auto scaled_by = jig::function<"scaled_by(x, y, z)">([](auto a, auto b, auto c) { return stack<1>(a, b) * c; });
  constexpr auto first = jig::function<"first(x, y)">([](auto a, auto b) { return strided_slice<jig::all, 0>(2 * stack<1>(a, b)) + 1; });
  const jig::tensor<float, dyn> one(1);
  const jig::tensor<float, dyn, 2> pairs_of(40);
  CHECK(scaled_by(x, x, pairs_of).extent(0) == 40);
  CHECK(first(x, x).extent(0) == 40);
  CHECK_THROWS_AS(scaled_by(x, one, pairs_of), jig::invalid_argument);
  CHECK_THROWS_AS(scaled_by(one, x, pairs_of), jig::invalid_argument);
  CHECK_THROWS_AS(first(x, one), jig::invalid_argument);
}
TEST_CASE("gradients of what is computed of components") {
  constexpr auto loss = jig::function<"loss(q, v)">([](auto q, auto v) {
    auto y = rotated<1>(q, v);
    return jig::reduce_sum(y * y * y);
  });
  jig::tensor<double, dyn, 4> q(18);
  jig::tensor<double, dyn, 3> v(18);
  fill(q, 5), fill(v, 6);
  const auto [of_q, of_v] = jig::grad<0, 1>(loss)(q, v);
  const auto sum = [&](jig::index i) {
    double of[4], at[3], y[3];
    for (jig::index k = 0; k < 4; ++k) of[k] = q(i, k);
    for (jig::index k = 0; k < 3; ++k) at[k] = v(i, k);
    turn(of, at, y);
    return y[0] * y[0] * y[0] + y[1] * y[1] * y[1] + y[2] * y[2] * y[2];
  };
  const auto slope = [&](double& x, jig::index i) {
    const double h = 1e-5, before = x;
    x = before + h;
    const double above = sum(i);
    x = before - h;
    const double below = sum(i);
    x = before;
    return (above - below) / (2 * h);
  };
  for (jig::index i = 0; i < 18; ++i) {
    for (jig::index k = 0; k < 4; ++k) CHECK(of_q(i, k) == doctest::Approx(slope(q(i, k), i)).epsilon(1e-5));
    for (jig::index k = 0; k < 3; ++k) CHECK(of_v(i, k) == doctest::Approx(slope(v(i, k), i)).epsilon(1e-5));
  }
}

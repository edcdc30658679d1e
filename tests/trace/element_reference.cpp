// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using jig::dyn;
using jig::tensor;

template <class X>
auto elements(const X& x) {
  return std::vector<typename X::value_type>(x.begin(), x.end());
}
using floats = std::vector<float>;

constexpr auto on_vectors = [](auto x, auto i) {
  x[0] = 5;
  x[i] = x[1] * 2;
  x[i] += 0.5f;
  auto part = x[i];
  part = 100;
  x[jig::lit<-1>] = part - x[i];
  return x;
};
floats plain_on_vectors(floats x, std::size_t i) {
  x[0] = 5;
  x[i] = x[1] * 2;
  x[i] += 0.5f;
  x.back() = 100 - x[i];
  return x;
}

constexpr auto on_matrices = [](auto a, auto i, auto j) {
  a(i, j) = 100;
  a(jig::all, j) += 1;
  a[0][i] *= 2;
  a(jig::lit<1>, jig::all) = a(jig::all, 0)[1] - 4;
  a(jig::all, jig::lit<-1>)[i] = 7;
  a[j] -= a[0];
  a(0, jig::lit<-1>) = a(i, i);
  return a;
};
using matrix = std::vector<floats>;
floats plain_on_matrices(matrix a, std::size_t i, std::size_t j) {
  const std::size_t n = a.size(), m = a[0].size();
  a[i][j] = 100;
  for (auto& row : a) row[j] += 1;
  a[0][i] *= 2;
  const float left = a[1][0] - 4;
  for (auto& x : a[1]) x = left;
  a[i][m - 1] = 7;
  const floats first = a[0];
  for (std::size_t k = 0; k < m; ++k) a[j][k] -= first[k];
  a[0][m - 1] = a[i][i];
  floats out;
  for (std::size_t k = 0; k < n; ++k) out.insert(out.end(), a[k].begin(), a[k].end());
  return out;
}

constexpr auto running_product = [](auto x) {
  for (auto i : jig::range(1, jig::extent<0>(x))) x[i] = x[i] * x[i - 1];
  return x;
};
constexpr auto doubled_diagonal = [](auto a) {
  for (auto i : jig::range(jig::extent<0>(a))) a(i, i) *= 2;
  return a;
};

// The two ways out have one type in every world.
constexpr auto element_or = [](auto x, auto otherwise) {
  auto largest = x[0];
  for (auto e : jig::rows(x)) largest = jig::maximum(largest, e);
  if (largest > 3) return x[1];
  if (largest > 2) return largest;
  return otherwise;
};

constexpr auto loss = [](auto x, auto i) {
  auto y = x * x;
  y[0] = y[1] * x[2];
  y[i] *= x[0];
  y[i] = y[i] + y[0];
  y[0] = x[3];
  y[jig::lit<-1>] = 3;
  return jig::reduce_sum(y * y * x);
};
constexpr auto loss_of_matrix = [](auto a, auto i, auto j) {
  auto b = a * 2;
  b(i, j) = a(0, 0) * a(1, 1);
  b(jig::all, j) *= a(jig::all, i);
  b[i] += b(jig::all, 0);
  return jig::reduce_sum(b * b);
};
constexpr auto loss_of_loop = [](auto x) {
  for (auto i : jig::range(1, jig::extent<0>(x))) x[i] = x[i] * x[i - 1];
  return jig::reduce_sum(x);
};

// The gradient is that of central differences.
template <class F, class G, class X>
void check_gradient(F f, G gradient, X x) {
  const auto found = gradient(x);
  for (jig::index k = 0; k < x.size(); ++k) {
    const double step = 1e-5, at = x.data()[k];
    x.data()[k] = at + step;
    const double above = static_cast<double>(f(x)());
    x.data()[k] = at - step;
    const double below = static_cast<double>(f(x)());
    x.data()[k] = at;
    CHECK(found.data()[k] == doctest::Approx((above - below) / (2 * step)).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("assignments to elements are updates of the value") {
  constexpr auto f = jig::function(on_vectors);
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i);
    const floats expected = plain_on_vectors({1, 2, 3, 4, 6}, static_cast<std::size_t>(i));
    const tensor<float, 5> x{1, 2, 3, 4, 6};
    const tensor<float, dyn> any_extent(x.view());
    CHECK(elements(f(x, i)) == expected);
    CHECK(elements(f(any_extent, i)) == expected);
    CHECK(elements(f(any_extent, std::int64_t{i})) == expected);
    CHECK(elements(f.without_passes()(any_extent, i)) == expected);
    CHECK(elements(f.eager(any_extent, i)) == expected);
    CHECK(elements(on_vectors(x, i)) == expected);
    CHECK(elements(x) == floats{1, 2, 3, 4, 6});
  }
}

TEST_CASE("parts of matrices") {
  constexpr auto f = jig::function(on_matrices);
  const tensor<float, 3, 3> a{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  const tensor<float, jig::dim<"n">, dyn> any_extent(a.view());
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const floats expected =
          plain_on_matrices({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      CHECK(elements(f(a, i, j)) == expected);
      CHECK(elements(f(any_extent, i, std::int64_t{j})) == expected);
      CHECK(elements(f.eager(any_extent, i, j)) == expected);
    }
}

TEST_CASE("a value in a part is broadcast, and keeps the dtype") {
  constexpr auto f = jig::function([](auto a, auto row, auto one) {
    a[0] = row;
    a(jig::all, 1) = one;
    a[2] = tensor<float, 1>{7};
    a(jig::all, jig::all) = a * 2;
    return a;
  });
  CHECK(elements(f(tensor<float, 3, 2>(), tensor<float, dyn>{1, 2}, tensor<float, 1>{3})) == floats{2, 6, 0, 6, 14, 14});
  CHECK_THROWS_AS(f(tensor<float, 3, 2>(), tensor<float, dyn>{1, 2, 3}, tensor<float, 1>{3}), jig::invalid_argument);
}

TEST_CASE("the type of an element is that of other values") {
  constexpr auto f = jig::function(element_or);
  CHECK(f(tensor<float, 3>{1, 5, 2}, 9.0f)() == 5);
  CHECK(f(tensor<float, 3>{1, 2, 2.5f}, 9.0f)() == 2.5f);
  CHECK(f(tensor<float, dyn>{1, 2, 2}, 9.0f)() == 9);
  CHECK(f.eager(tensor<float, dyn>{1, 5, 2}, 9.0f)() == 5);
  CHECK(f.eager(tensor<float, dyn>{1, 2, 2}, 9.0f)() == 9);
  static_assert(std::is_same_v<decltype(f.eager(tensor<float, 3>(), 9.0f)), tensor<float>>);
}

TEST_CASE("positions out of range throw when the graph runs") {
  constexpr auto f = jig::function([](auto a, auto i, auto j) {
    a(i, j) = 1;
    return a;
  });
  constexpr auto g = jig::function([](auto a, auto i) {
    a[i] = 1;
    return a;
  });
  const tensor<float, dyn, 2> a{{1, 2}, {3, 4}, {5, 6}};
  CHECK(elements(f(a, 2, 1)) == floats{1, 2, 3, 4, 5, 1});
  for (int wrong : {-1, 3}) {
    CHECK_THROWS_AS(f(a, wrong, 0), jig::invalid_argument);
    CHECK_THROWS_AS(f(a, 0, wrong), jig::invalid_argument);
    CHECK_THROWS_AS(g(a, wrong), jig::invalid_argument);
    CHECK_THROWS_AS(g.eager(a, wrong), jig::invalid_argument);
  }
}

TEST_CASE("loops carry what they update, in place") {
  constexpr auto product = jig::function(running_product);
  constexpr auto diagonal = jig::function(doubled_diagonal);
  CHECK(elements(product(tensor<float, dyn>{1, 2, 3, 4})) == floats{1, 2, 6, 24});
  CHECK(elements(product.eager(tensor<float, dyn>{1, 2, 3, 4})) == floats{1, 2, 6, 24});
  CHECK(elements(product(tensor<float, 1>{3})) == floats{3});
  CHECK(elements(diagonal(tensor<float, dyn, 2>{{1, 2}, {3, 4}})) == floats{2, 2, 3, 8});
  // No second copy of the elements.
  static_assert(product.get_concrete_function(jig::spec<float, 1000>{}).graph().count("While") == 1);
  static_assert(product.get_concrete_function(jig::spec<float, 1000>{}).peak_workspace() < 1000);
  static_assert(diagonal.get_concrete_function(jig::spec<float, 30, 30>{}).peak_workspace() < 1000);
}

TEST_CASE("branches join what one of them updates") {
  constexpr auto f = jig::function([](auto x, auto i) {
    JIG_IF(i > 0) {
      x[i] = 0;
    } JIG_ELSE {
      x[0] += 10;
    }
    if (i > 1) x[0] = x[i] - 1;
    return x;
  });
  const tensor<float, 3> x{1, 2, 3};
  CHECK(elements(f(x, 0)) == floats{11, 2, 3});
  CHECK(elements(f(x, 1)) == floats{1, 0, 3});
  CHECK(elements(f(x, 2)) == floats{-1, 2, 0});
  CHECK(elements(f.eager(x, 2)) == floats{-1, 2, 0});
}

TEST_CASE("gradients go through updates") {
  constexpr auto f = jig::function(loss);
  constexpr auto h = jig::function(loss_of_loop);
  constexpr auto df = jig::grad<0>(f);
  constexpr auto dh = jig::grad<0>(h);
  const tensor<double, 5> x{1.1, 0.7, 1.3, 0.9, 0.4};
  const tensor<double, dyn> any_extent(x.view());
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i);
    check_gradient([&](const auto& v) { return f(v, i); }, [&](const auto& v) { return df(v, i); }, x);
  }
  check_gradient([&](const auto& v) { return f(v, 2); }, [&](const auto& v) { return df(v, 2); }, any_extent);
  check_gradient([&](const auto& v) { return h(v); }, [&](const auto& v) { return dh(v); }, any_extent);
}

TEST_CASE("gradients go through updates of parts of matrices") {
  constexpr auto f = jig::function(loss_of_matrix);
  constexpr auto df = jig::grad<0>(f);
  const tensor<double, dyn, 3> a{{1.1, .2, .3}, {.4, .5, .6}, {.7, .8, .9}};
  for (int i = 0; i < 3; ++i)
    check_gradient([&](const auto& v) { return f(v, i, 2 - i); }, [&](const auto& v) { return df(v, i, 2 - i); }, a);
}

TEST_CASE("elements of variables") {
  constexpr auto f = jig::function([](auto& w, auto i) {
    w[0] = 5;
    w[i] += w[1];
    auto now = w.read();
    now[1] = 100;
    w(2) = now[1] + now[0];
    return now;
  });
  for (int i = 0; i < 3; ++i) {
    jig::variable<float, 3> w{1, 2, 3}, eager = w;
    floats expected{5, 2, 3};
    expected[static_cast<std::size_t>(i)] += expected[1];
    floats now = expected;
    now[1] = 100;
    expected[2] = now[1] + now[0];
    CHECK(elements(f(w, i)) == now);
    CHECK(elements(w.value()) == expected);
    CHECK(elements(f.eager(eager, i)) == now);
    CHECK(elements(eager.value()) == expected);
  }
  jig::variable<float, 2, 2> m{{1, 2}, {3, 4}};
  m(jig::all, 1) = 7;
  m[0][0] -= 1;
  CHECK(elements(m.value()) == floats{0, 7, 3, 7});
  constexpr auto on_matrix = jig::function([](auto& w) {
    for (auto i : jig::range(jig::extent<0>(w))) w(i, i) = w(0, jig::all)[1] + w(i, jig::lit<0>);
  });
  on_matrix(m);
  CHECK(elements(m.value()) == floats{7, 7, 3, 10});
}

// SPDX-License-Identifier: MIT
#include <jig/jacobian.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

// What runs with run-time tensors needs the kernels of the library.

namespace {

using jig::any_tensor, jig::tensor;

template <class X>
std::vector<double> elements(const X& x) {
  std::vector<double> out;
  for (const auto& e : x) out.push_back(static_cast<double>(e));
  return out;
}
std::vector<double> elements(const any_tensor& x) {
  const auto* data = static_cast<const double*>(x.data());
  return {data, data + x.shape().size()};
}

// From polar coordinates, with what the derivatives are on paper.
constexpr auto cartesian = [](auto p) { return jig::stack<0>(p[0] * jig::cos(p[1]), p[0] * jig::sin(p[1])); };
constexpr auto of_cartesian = jig::function<"of_cartesian(p)">([](auto p) { return jig::jacobian(cartesian(p), p); });

struct camera {
  BOOST_HANA_DEFINE_STRUCT(camera, (jig::variable<double, 2>, center), (jig::variable<double>, zoom));
};

}  // namespace

TEST_CASE("the Jacobian of polar coordinates") {
  const double r = 2, t = 0.75;
  const auto j = of_cartesian(tensor<double, 2>{r, t});
  static_assert(std::is_same_v<decltype(j), const tensor<double, 2, 2>>);
  const std::vector<double> expected{std::cos(t), -r * std::sin(t), std::sin(t), r * std::cos(t)};
  for (std::size_t k = 0; k < 4; ++k) CHECK(elements(j)[k] == doctest::Approx(expected[k]).epsilon(1e-14));
}

TEST_CASE("the shape is that of the target and behind it that of the source; every element is a finite difference") {
  static constexpr auto f = [](const auto& x, const auto& w) { return jig::tanh(jig::matmul(x, w)) * jig::reduce_sum(x); };
  static constexpr auto value = jig::function<"value(x, w)">([](auto x, auto w) { return f(x, w); });
  static constexpr auto both = jig::function<"both(x, w)">([](auto x, auto w) { return jig::jacobian(f(x, w), x, w); });
  tensor<double, 2, 3> x{{0.1, -0.4, 0.3}, {0.7, 0.2, -0.6}};
  tensor<double, 3, 4> w;
  for (jig::index i = 0; i < 12; ++i) w.data()[i] = 0.1 * static_cast<double>(i % 5) - 0.2;
  const auto [of_x, of_w] = both(x, w);
  static_assert(std::is_same_v<std::remove_const_t<decltype(of_x)>, tensor<double, 2, 4, 2, 3>>);
  static_assert(std::is_same_v<std::remove_const_t<decltype(of_w)>, tensor<double, 2, 4, 3, 4>>);
  const auto compare = [&](auto& source, const auto& jacobian) {
    const double step = 1e-6;
    for (jig::index k = 0; k < source.size(); ++k) {
      const double before = source.data()[k];
      source.data()[k] = before + step;
      const auto above = elements(value(x, w));
      source.data()[k] = before - step;
      const auto below = elements(value(x, w));
      source.data()[k] = before;
      for (jig::index i = 0; i < 8; ++i)
        CHECK(jacobian.data()[i * source.size() + k] ==
              doctest::Approx((above[static_cast<std::size_t>(i)] - below[static_cast<std::size_t>(i)]) / (2 * step)).epsilon(1e-7));
    }
  };
  compare(x, of_x);
  compare(w, of_w);
}

TEST_CASE("a number has a gradient, a gradient a Hessian") {
  static constexpr auto hessian = jig::function<"hessian(x)">([](auto x) {
    auto y = x[0] * x[0] * x[1] + jig::exp(x[1]);
    return std::tuple(jig::jacobian(y, x), jig::jacobian(jig::gradient(y, x), x));
  });
  const auto [first, second] = hessian(tensor<double, 2>{3, 0.5});
  CHECK(elements(first) == std::vector<double>{3, 9 + std::exp(0.5)});
  CHECK(elements(second) == std::vector<double>{1, 6, 6, std::exp(0.5)});
}

TEST_CASE("sources: variables of a struct, and of extents that only the call knows") {
  static constexpr auto project =
      jig::function<"project(c, p)">([](const auto& c, auto p) { return jig::jacobian((p - c.center) * c.zoom, c); });
  camera c;
  c.center.assign(tensor<double, 2>{1, 2});
  c.zoom.assign(3.0);
  const auto j = project(c, tensor<double, 2>{5, 7});
  using boost::hana::at_key;
  CHECK(elements(j[BOOST_HANA_STRING("center")]) == std::vector<double>{-3, 0, 0, -3});
  CHECK(elements(j[BOOST_HANA_STRING("zoom")]) == std::vector<double>{4, 5});

  static constexpr auto moments =
      jig::function<"moments(x)">([](auto x) { return jig::jacobian(jig::stack<0>(jig::reduce_sum(x), jig::reduce_sum(x * x)), x); });
  for (const int n : {0, 1, 5}) {
    tensor<double, jig::dyn> x(jig::uninitialized, {1, {n}});
    std::vector<double> expected(static_cast<std::size_t>(n), 1.0);
    for (int i = 0; i < n; ++i) x.data()[i] = i - 1.5;
    for (int i = 0; i < n; ++i) expected.push_back(2 * (i - 1.5));
    const auto made = moments(x);
    CHECK(made.shape() == jig::shape{2, {2, n}});
    CHECK(elements(made) == expected);
  }
}

TEST_CASE("run-time tensors: the same values, and what only a call can refuse") {
  const any_tensor p(tensor<double, 2>{2, 0.75});
  const any_tensor j = of_cartesian(p);
  CHECK(j.shape() == jig::shape{2, {2, 2}});
  const auto expected = elements(of_cartesian(tensor<double, 2>{2, 0.75}));
  for (std::size_t k = 0; k < 4; ++k) CHECK(elements(j)[k] == doctest::Approx(expected[k]).epsilon(1e-14));

  static constexpr auto both = jig::function<"both(x, y)">([](auto x, auto y) { return jig::jacobian(x * y, x, y); });
  const auto [of_x, of_y] = both(any_tensor(tensor<double, 2, 1>{{2}, {3}}), any_tensor(5.0));
  CHECK(of_x.shape() == jig::shape{4, {2, 1, 2, 1}});
  CHECK(elements(of_x) == std::vector<double>{5, 0, 0, 5});
  CHECK(of_y.shape() == jig::shape{2, {2, 1}});
  CHECK(elements(of_y) == std::vector<double>{2, 3});
}

TEST_CASE("a value that is stacked and taken apart again is the value") {
  constexpr auto parts = [](auto p) { return std::tuple(p[0] * p[1] * p[2], p[1] / p[2]); };
  constexpr auto by_hand = jig::function([](auto p) {
    auto [a, b] = decltype(parts){}(p);
    return jig::stack<0>(jig::gradient(a, p), jig::gradient(b, p));
  });
  constexpr auto stacked = [](auto p) {
    auto [a, b] = decltype(parts){}(p);
    return jig::stack<0>(a, b);
  };
  constexpr auto whole = jig::function([](auto p) { return jig::jacobian(decltype(stacked){}(p), p); });
  constexpr auto by_element = jig::function([](auto p) {
    auto y = decltype(stacked){}(p);
    return jig::stack<0>(jig::gradient(y[0], p), jig::gradient(jig::element(y, 1), p));
  });
  constexpr auto size = [](auto f) {
    constexpr auto c = decltype(f)().get_concrete_function(jig::spec<double, 3>());
    return c.optimized_graph().size();
  };
  static_assert(size(whole) == size(by_hand));
  static_assert(size(by_element) == size(by_hand));
  const tensor<double, 3> p{2, 3, -4};
  CHECK(elements(whole(p)) == std::vector<double>{-12, -8, 6, 0, -0.25, -0.1875});
  CHECK(elements(by_element(p)) == elements(whole(p)));
  CHECK(elements(by_hand(p)) == elements(whole(p)));
}

TEST_CASE("rows that depend on some of the sources, or on none, are zeros there; the target may be a source") {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    auto v = jig::stack<0>(x * y, 2.0 * x, jig::floor(y) * 0.5, jig::constant_like(x, 7.0));
    return std::tuple(jig::jacobian(v, x, y), jig::jacobian(v, v), jig::gradient(v[1], y));
  });
  const auto [j, identity, nothing] = f(3.0, 5.5);
  CHECK(elements(std::get<0>(j)) == std::vector<double>{5.5, 2, 0, 0});
  CHECK(elements(std::get<1>(j)) == std::vector<double>{3, 0, 0, 0});
  CHECK(elements(identity) == std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  CHECK(nothing() == 0);
  // What is beside a part does not reach its gradient.
  static constexpr auto beside = jig::function<"beside(x)">([](auto x) {
    auto v = jig::stack<0>(2.0 * x, jig::sqrt(x));
    return jig::gradient(v[0], x);
  });
  CHECK(beside(-1.0)() == 2);
  static constexpr auto apart =
      jig::function<"apart(x, z)">([](auto x, auto z) { return jig::jacobian(jig::stack<0>(2.0 * x, jig::log(z), jig::sqrt(z)), z); });
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(elements(apart(1.0, 0.0)) == std::vector<double>{0, infinity, infinity});
}

TEST_CASE("a batch: in every place the Jacobian of that place, for any number of them") {
  // Of [a, b]: [a b, sin a, b], and their sum.
  constexpr auto f = [](const auto& x) {
    auto parts = jig::unstack<1>(x);
    auto [a, b] = parts;
    return jig::stack<1>(a * b, jig::sin(a), b);
  };
  static constexpr auto all = jig::function<"all(x)">([](auto x) {
    auto y = decltype(f){}(x);
    return std::tuple(jig::batch_jacobian(y, x), jig::batch_jacobian(jig::reduce_sum<1>(y), x));
  });
  const auto check = [](const auto& x, const auto& j, const auto& sums) {
    const auto n = x.extent(0);
    CHECK(j.shape() == jig::shape{3, {n, 3, 2}});
    CHECK(sums.shape() == jig::shape{2, {n, 2}});
    const auto made = elements(j), summed = elements(sums);
    for (jig::index i = 0; i < n; ++i) {
      const double a = x(i, 0), b = x(i, 1), expected[] = {b, a, std::cos(a), 0, 0, 1};
      for (int k = 0; k < 6; ++k) CHECK(made[static_cast<std::size_t>(i * 6 + k)] == doctest::Approx(expected[k]).epsilon(1e-14));
      CHECK(summed[static_cast<std::size_t>(2 * i)] == doctest::Approx(b + std::cos(a)).epsilon(1e-14));
      CHECK(summed[static_cast<std::size_t>(2 * i + 1)] == doctest::Approx(a + 1).epsilon(1e-14));
    }
  };
  const auto batch = [](int n) {
    tensor<double, jig::dyn, 2> x(jig::uninitialized, {2, {n, 2}});
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.25 * static_cast<double>(i) - 1;
    return x;
  };
  for (const int n : {0, 1, 7, 33}) {
    const auto [j, sums] = all(batch(n));
    check(batch(n), j, sums);
  }
  const tensor<double, 3, 2> x{{1, 2}, {-0.5, 0.25}, {3, -1}};
  const auto [j, sums] = all(x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(j)>, tensor<double, 3, 3, 2>>);
  check(x, j, sums);
  const std::tuple<any_tensor, any_tensor> at_run_time = jig::function<"at_run_time(x)">([](auto p) {
    auto y = p * jig::reduce_sum<1>(p, jig::keepdims);
    return std::tuple(jig::batch_jacobian(y, p), jig::jacobian(y, p));
  })(any_tensor(x));
  // The blocks on the diagonal of the whole Jacobian, whose other blocks are zero.
  CHECK(std::get<0>(at_run_time).shape() == jig::shape{3, {3, 2, 2}});
  const auto blocks = elements(std::get<0>(at_run_time)), whole = elements(std::get<1>(at_run_time));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t b = 0; b < 2; ++b) {
          const double row = x.data()[2 * i] + x.data()[2 * i + 1], expected = x.data()[2 * i + a] + (a == b ? row : 0);
          CHECK(whole[((i * 2 + a) * 3 + k) * 2 + b] == doctest::Approx(i == k ? expected : 0));
          if (i == k) CHECK(blocks[(i * 2 + a) * 2 + b] == doctest::Approx(expected));
        }
}

TEST_CASE("as many elements as there may be, and one more") {
  static constexpr auto squares = jig::function<"squares(x)">([](auto x) { return jig::jacobian(x * x, x); });
  const auto diagonal = [](const any_tensor& j, int n) {
    const auto made = elements(j);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        if (made[static_cast<std::size_t>(i * n + k)] != (i == k ? 2.0 * i : 0.0)) return false;
    return true;
  };
  const auto counted = [](int n) {
    tensor<double, jig::dyn> x(jig::uninitialized, {1, {n}});
    for (int i = 0; i < n; ++i) x.data()[i] = i;
    return any_tensor(x);
  };
  CHECK(diagonal(squares(counted(32)), 32));
  CHECK(diagonal(squares(counted(1)), 1));
  for (const int n : {0, 33}) {
    std::string said;
    try {
      squares(counted(n));
    } catch (const jig::invalid_argument& e) {
      said = e.what();
    }
    CHECK(said == "jacobian: the target needs from 1 to 32 elements, of known extents: take gradients of what is summed of it");
  }
  static constexpr auto each = jig::function<"each(x)">([](auto x) { return jig::batch_jacobian(x * x, x); });
  static constexpr auto other =
      jig::function<"other(x, y)">([](auto x, auto y) { return jig::batch_jacobian(jig::reduce_sum<1>(x) * jig::reduce_sum(y), y); });
  const auto complaint = [](auto call) {
    try {
      call();
    } catch (const jig::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const any_tensor at_most(jig::ones<double, 2, 32>()), too_many(jig::ones<double, 2, 33>()), number(1.0);
  CHECK(each(at_most).shape() == jig::shape{3, {2, 32, 32}});
  const char* const rows = "batch_jacobian: the target needs from 1 to 32 elements, of known extents, in every place of its first axis";
  CHECK(complaint([&] { each(too_many); }) == rows);
  const char* const batches = "batch_jacobian: the first axes of the target and of its sources must be one batch";
  CHECK(complaint([&] { each(number); }) == batches);
  CHECK(complaint([&] { other(at_most, any_tensor(tensor<double, 3>{1, 2, 3})); }) == batches);
}

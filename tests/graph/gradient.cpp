// SPDX-License-Identifier: MIT
#include <jig/graph/gradient.hpp>

#include "check_gradients.hpp"

namespace {

using vector = jig::tensor<double, 6>;
using matrix = jig::tensor<double, 4, 6>;
using any_matrix = jig::tensor<double, jig::dyn, jig::dyn>;

TEST_CASE("gradients of shapes") {
  const auto a = numbers<matrix>(-1, 1), b = numbers<matrix>(0, 1, 3);
  check_gradients(
      [](auto x) {
        auto [left, middle, right] = jig::split<3, 1>(x);
        return std::tuple(jig::reshape<3, 8>(x) * jig::square(jig::reshape<8, 3>(x))[0][1], jig::transpose<1, 0>(x) * jig::reshape<6, 4>(x),
                          jig::expand_dims<1>(x) * jig::squeeze<0>(jig::expand_dims<0>(x)), jig::reverse<0, 1>(x) * x,
                          left * middle + jig::square(right));
      },
      a);
  check_gradients([](auto x) { return jig::broadcast_to<4, 6>(x) * jig::broadcast_to<3, 1, 6>(x); }, numbers<vector>(-1, 1));
  check_gradients(
      [](auto x, auto y) {
        return std::tuple(jig::concat<0>(x, y, x * y) * 2, jig::stack<1>(x, jig::square(y)), jig::tile<2, 3>(x) * 0.5);
      },
      a, b);
  check_gradients([](auto x, auto y) { return std::tuple(jig::pad<1, 2, 0, 3>(x), jig::pad<1, 2, 0, 3>(x * x, y)); }, a,
                  jig::tensor<double>(0.4));
  check_gradients(
      [](auto x) {
        return std::tuple(jig::strided_slice<jig::range_of(3, 0, -1), jig::range_of(1, 6, 2)>(x),
                          jig::strided_slice<jig::all, jig::range_of(-3, jig::unbounded)>(x) * x[2][1]);
      },
      a);
}

TEST_CASE("gradients of shapes with wildcard extents") {
  const any_matrix a(numbers<matrix>(-1, 1)), b(numbers<jig::tensor<double, 4, 2>>(0, 1, 3));
  check_gradients(
      [](auto x) {
        return std::tuple(jig::reshape<jig::infer, 3>(x) * jig::reduce_sum(jig::reshape<jig::infer>(x)),
                          jig::transpose<1, 0>(x) + jig::reduce_sum<0>(jig::expand_dims<2>(x)), jig::tile<2, 3>(jig::reverse<1>(x)));
      },
      a);
  check_gradients([](auto x, auto y) { return jig::concat<1>(x, y, x); }, a, b);
  check_gradients(
      [](auto x) {
        return std::tuple(jig::pad<1, 2, 0, 3>(x), jig::strided_slice<jig::range_of(1, -1), jig::range_of(2, jig::unbounded)>(x) * x[0][0],
                          jig::stack<0>(x, x * x));
      },
      a);
}

TEST_CASE("gradients of what is picked, put and sorted") {
  const auto a = numbers<matrix>(-1, 1);
  const auto v = numbers<vector>(0.2, 1.4);
  check_gradients(
      [](auto x) {
        return std::tuple(jig::gather<1>(x, jig::tensor<int, 4>{5, 0, 5, 2}) * 2, jig::gather(x, jig::tensor<int, 2, 2>{{1, 3}, {1, 0}}),
                          jig::gather_nd(x, jig::tensor<int, 3, 2>{{1, 3}, {1, 0}, {1, 3}}),
                          jig::slice<2, 3>(x, jig::tensor<int, 2>{1, 2}));
      },
      a);
  check_gradients([](auto x) { return jig::scatter_nd<6>(jig::tensor<int, 4, 1>{{1}, {3}, {1}, {5}}, x[0] * 1); },
                  numbers<jig::tensor<double, 1, 4>>(-1, 1));
  check_gradients(
      [](auto x, auto y) {
        return std::tuple(jig::tensor_scatter_update(x, jig::tensor<int, 2, 1>{{1}, {4}}, y) * x,
                          jig::tensor_scatter_add(x, jig::tensor<int, 2, 1>{{1}, {1}}, y), jig::cumprod(x));
      },
      v, jig::tensor<double, 2>{0.5, 0.25});
  check_gradients(
      [](auto x) {
        return std::tuple(jig::cumsum<1>(x) * jig::cumsum<0>(x), jig::sort<1>(x) * jig::cumsum<1>(x), jig::sort<0>(x, jig::descending) * x,
                          std::get<0>(jig::top_k<3>(x)) * 2);
      },
      a);
  check_gradients([](auto x) { return std::tuple(jig::gather(x, jig::tensor<int, 2>{1, 0}), jig::cumsum<0>(x) + jig::sort<1>(x)); },
                  any_matrix(a));
}

TEST_CASE("a gradient that is compiled") {
  check_compiled_gradients(
      [](auto x) { return std::tuple(jig::concat<0>(x, jig::square(x)), jig::gather<1>(x, jig::tensor<int, 4>{5, 0, 5, 2}) * x[2][1]); },
      numbers<matrix>(-1, 1));
}

TEST_CASE("second derivatives") {
  check_gradients(
      [](auto x) {
        auto picked = jig::gather(jig::strided_slice<jig::range_of(1, 5)>(x), jig::tensor<int, 2>{0, 2});
        return std::tuple(jig::gradient(jig::reduce_sum(jig::exp(x) * jig::sin(x)), x),
                          jig::gradient(jig::reduce_sum(jig::square(jig::softmax(x))), x),
                          jig::gradient(jig::reduce_sum(jig::square(picked)), x));
      },
      numbers<vector>(-1, 1));
  check_gradients([](auto x) { return jig::gradient(jig::reduce_sum(jig::square(jig::matmul(x, x, jig::transpose_b))), x); },
                  numbers<jig::tensor<double, 2, 3>>(-1, 1));
}

TEST_CASE("a value that only tells extents has a share of nothing in what is repeated to them") {
  constexpr auto f = jig::function([](const auto& x, const auto& row) {
    auto y = x * 2;
    y(jig::range_of(1, jig::unbounded), jig::all) = row;
    return std::tuple(jig::gradient(jig::reduce_sum(y * y), x), jig::gradient(jig::reduce_sum(x * jig::broadcast_like(row, x)), x));
  });
  const auto a = numbers<matrix>(-1, 1);
  const auto row = numbers<vector>(0, 1, 3);
  const auto [of_rest, of_product] = f(a, row);
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 6; ++j) {
      CHECK(of_rest(i, j) == doctest::Approx(i == 0 ? 8 * a(i, j) : 0));
      CHECK(of_product(i, j) == row(j));
    }
}

}  // namespace

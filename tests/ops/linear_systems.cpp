// SPDX-License-Identifier: MIT
#include <jig/ops/linear_systems.hpp>

#include "../check_gradients.hpp"
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace own {

// Functions that programs have.
constexpr auto det(const auto& a) { return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0); }
constexpr auto inv(const auto& x) { return 1 / x; }
constexpr auto solve(const auto& a, const auto& b) { return b - a; }
constexpr auto cholesky(const auto& x) { return jig::sqrt(x); }

constexpr auto f = jig::function<"f(a)">([](auto a) { return det(a) + jig::reduce_sum(inv(a) + solve(a, a) + cholesky(a)); });

}  // namespace own

TEST_CASE("extents of systems") {
  constexpr auto solve = [](const auto& a, const auto& b) { return jig::solve(a, b); };
  constexpr auto inv = [](const auto& a) { return jig::inv(a); };
  constexpr auto det = [](const auto& a) { return jig::det(a); };
  constexpr auto cholesky = [](const auto& a) { return jig::cholesky(a); };
  constexpr auto triangular = [](const auto& a, const auto& b) { return jig::triangular_solve(a, b, jig::upper); };
  static_assert(gives<spec<float, 3, 2>>(solve, spec<float, 3, 3>(), spec<float, 3, 2>()));
  static_assert(gives<spec<float, 3>>(solve, spec<float, 3, 3>(), spec<float, 3>()));
  static_assert(gives<spec<double, dyn, 3, 2>>(triangular, spec<double, dyn, 3, 3>(), spec<double, dyn, 3, 2>()));
  static_assert(gives<spec<float, 4, 3, 3>>(inv, spec<float, 4, 3, dyn>()));
  static_assert(gives<spec<float, 4>>(det, spec<float, 4, 3, 3>()));
  static_assert(gives<spec<float>>(det, spec<float, dyn, dyn>()));
  static_assert(gives<spec<double, 2, 2>>(cholesky, spec<double, 2, 2>()));

  const jig::tensor<double, 2, 2> a{{0, 2}, {4, 6}};
  CHECK(elements(both(inv, a)) == std::vector<double>{-.75, .25, .5, 0});
  CHECK(both(det, a) == -8);
  CHECK(elements(both(solve, a, jig::tensor<double, 2>{2, 10})) == std::vector<double>{1, 1});
  CHECK(elements(both(triangular, jig::tensor<double, 2, 2>{{2, 4}, {9, 2}}, jig::tensor<double, 2>{10, 4})) == std::vector<double>{1, 2});
  const auto at_run_time = [](auto f, const auto&... x) {
    return message_of([&] { (void)jig::dynamic_function(f)(jig::any_tensor(x)...); });
  };
  CHECK(at_run_time(det, jig::tensor<double, 2, 3>()).starts_with("MatrixDeterminant: the matrix is not square: float64 (2, 3)"));
  CHECK(at_run_time(inv, jig::tensor<double, 2>()).starts_with("MatrixInverse: a matrix has two axes: float64 (2,)"));
  CHECK(at_run_time(cholesky, jig::tensor<int, 2, 2>()).find("Cholesky") != std::string::npos);
  CHECK(at_run_time(solve, a, jig::tensor<double, 3>()).find("do not have as many rows as the matrix") != std::string::npos);
  CHECK(at_run_time(solve, a, jig::tensor<double, 1, 2, 2>()).find("need the same number of axes") != std::string::npos);
  CHECK(at_run_time(triangular, jig::zeros<double, 2, 2, 2>(), jig::zeros<double, 3, 2, 2>()).find("other numbers of matrices") !=
        std::string::npos);
}

TEST_CASE("functions of the program with these names are the better match") {
  CHECK(own::f(jig::tensor<double, 2, 2>{{1, 4}, {1, 9}}) == 5 + 1 + .25 + 1 + 1 / 9. + 1 + 2 + 1 + 3);
}

TEST_CASE("gradients of systems") {
  const jig::tensor<double, 3, 3> a{{4, 1, .5}, {-1, 3, .25}, {.5, .75, 5}};
  const jig::tensor<double, 3, 2> b{{1, 2}, {-1, .5}, {3, 1}};
  check_gradients([](auto x, auto y) { return jig::reduce_sum(jig::square(jig::solve(x, y))); }, a, b);
  check_gradients([](auto x, auto y) { return jig::reduce_sum(jig::square(jig::solve(x, y, jig::transpose_a))); }, a, b);
  check_gradients([](auto x) { return jig::reduce_sum(jig::square(jig::inv(x))); }, a);
  check_gradients([](auto x) { return jig::square(jig::det(x)); }, a);
  check_gradients([](auto x) { return jig::reduce_sum(jig::det(jig::stack<0>(x, x * x))); }, a);
  check_gradients([](auto x, auto y) { return jig::reduce_sum(jig::square(jig::triangular_solve(x, y))); }, a, b);
  check_gradients([](auto x, auto y) { return jig::reduce_sum(jig::square(jig::triangular_solve(x, y, jig::upper, jig::transpose_a))); }, a,
                  b);
  check_gradients(
      [](auto x, auto y) {
        const auto gram = jig::matmul(x, x, jig::transpose_b);
        return jig::reduce_sum(jig::square(jig::cholesky(jig::stack<0>(gram, gram + jig::eye_like(gram))))) +
               jig::reduce_sum(y * jig::cholesky_solve(jig::cholesky(gram), y));
      },
      a, b);
  // The gradient with respect to a symmetric matrix is symmetric: of log det, by its factor, the inverse.
  constexpr auto log_det =
      jig::function<"g(x)">([](auto x) { return jig::gradient(2 * jig::reduce_sum(jig::log(jig::diag_part(jig::cholesky(x)))), x); });
  const auto g = log_det(jig::tensor<double, 2, 2>{{4, 2}, {2, 3}});
  CHECK(g(0, 0) == doctest::Approx(3 / 8.));
  CHECK(g(0, 1) == doctest::Approx(-2 / 8.));
  CHECK(g(1, 0) == doctest::Approx(-2 / 8.));
  CHECK(g(1, 1) == doctest::Approx(4 / 8.));
}

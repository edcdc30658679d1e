// SPDX-License-Identifier: MIT
#include <jig/eval/scattered_rows.hpp>

#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace {

using jig::dyn;

struct of_rows {
  // What is between the results is as long as a row, or has one element in each row; one result overwrites what it is made from.
  constexpr auto operator()(auto x) const {
    auto e = jig::exp(x - jig::reduce_mean<2>(x, jig::keepdims));
    auto sum = jig::reduce_sum<2>(e);
    auto scaled = jig::log(e) * jig::expand_dims<2>(sum) + jig::reduce_max<2>(e * 2 + 1, jig::keepdims);
    return std::tuple(scaled, sum, jig::reduce_min<2>(jig::abs(e * jig::expand_dims<2>(sum))));
  }
};
struct sums_of_rows {
  constexpr auto operator()(auto x) const {
    auto e = jig::exp(x - jig::reduce_max<2>(x, jig::keepdims));
    return jig::reduce_sum<2>(e * e * jig::reduce_sum<2>(e, jig::keepdims));
  }
};

template <class X>
void fill(X& x) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i * 7 % 13) * 0.1;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b) + 1e-12; }

template <class X>
int wrong_in(const X& x) {
  const auto [scaled, sums, least] = jig::function(of_rows())(x);
  const auto squares = jig::function(sums_of_rows())(x);
  int wrong = 0;
  const jig::index n = x.extent(2);
  for (jig::index i = 0; i < x.extent(0); ++i)
    for (jig::index j = 0; j < x.extent(1); ++j) {
      double mean = 0, sum = 0, most = 0, smallest = std::numeric_limits<double>::infinity(), top = x(i, j, 0), plain = 0, square = 0;
      for (jig::index k = 0; k < n; ++k) {
        mean += x(i, j, k) / static_cast<double>(n);
        top = std::max(top, x(i, j, k));
      }
      for (jig::index k = 0; k < n; ++k) {
        const double e = std::exp(x(i, j, k) - mean);
        sum += e;
        most = std::max(most, e * 2 + 1);
        plain += std::exp(x(i, j, k) - top);
      }
      for (jig::index k = 0; k < n; ++k) {
        const double e = std::exp(x(i, j, k) - mean), f = std::exp(x(i, j, k) - top);
        smallest = std::min(smallest, std::abs(e * sum));
        square += f * f * plain;
        wrong += !close(scaled(i, j, k), std::log(e) * sum + most);
      }
      wrong += !close(sums(i, j), sum) || !close(least(i, j), smallest) || !close(squares(i, j), square);
    }
  return wrong;
}

template <jig::index... E>
void check() {
  static jig::tensor<double, E...> known;
  fill(known);
  CHECK(wrong_in(known) == 0);
  // Rows of any length.
  jig::tensor<double, dyn, dyn, dyn> any(jig::uninitialized, known.shape());
  fill(any);
  CHECK(wrong_in(any) == 0);
  // Rows that are not contiguous are copied one by one.
  const auto turned = any.view();
  jig::tensor<double, dyn, dyn, dyn> behind(jig::uninitialized, {3, {known.extent(0), known.extent(2), known.extent(1)}});
  for (jig::index i = 0; i < known.extent(0); ++i)
    for (jig::index j = 0; j < known.extent(1); ++j)
      for (jig::index k = 0; k < known.extent(2); ++k) behind(i, k, j) = turned(i, j, k);
  const jig::view<const double, dyn, dyn, dyn> strided(behind.data(), known.shape(),
                                                       {3, {known.extent(1) * known.extent(2), 1, known.extent(1)}});
  CHECK(wrong_in(strided) == 0);
}

template <class F>
using program_of = jig::program<jig::trace<F, "f(x)", jig::spec<double, 60, 50, 100>>, 1>;

}  // namespace

TEST_CASE("rows pass through all steps of a region, with what only these need in the memory of one row") {
  static_assert(program_of<of_rows>::region(0).kind == jig::region_kind::rows && program_of<of_rows>::region(0).locals.count > 0);
  static_assert(program_of<sums_of_rows>::plan.size.buffers == 0 && program_of<sums_of_rows>::plan.size.regions == 1);
  check<1, 1, 32>();
  check<3, 1, 33>();
  check<1, 4, 40>();
  check<5, 3, 100>();
  // Shorter rows run many at a time if there are many.
  check<5, 3, 31>();
  check<70, 2, 9>();
  check<1, 129, 5>();
}

TEST_CASE("threads have rows of their own") {
  static bool apart;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    apart = apart || blocks > 1;
    for (jig::index b = blocks; b-- > 0;) run(work, b);
  }};
  jig::detail::current_parallel_runner = &runner;
  check<60, 50, 100>();
  jig::detail::current_parallel_runner = nullptr;
  CHECK(apart);
}

TEST_CASE("no rows") {
  CHECK(jig::function(sums_of_rows())(jig::tensor<double, 0, 3, 64>()).size() == 0);
  // Of an argument that lies anywhere.
  constexpr auto f = jig::function(sums_of_rows());
  const jig::view<const double, dyn, dyn, dyn> none(nullptr, {3, {3, 0, 64}}, {3, {7, 0, 2}});
  CHECK(f(none).size() == 0);
}

// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace {

// Scalars, neighbours in slices and rows with copies between them, as often as told.
template <int Trips>
constexpr auto mixed = jig::function<"mixed(x, y)">([](auto x, auto y) {
  for ([[maybe_unused]] auto i : jig::range(Trips)) {
    const auto turned = jig::stack<0>(x[0] * 0.5f - x[1], x[1] + jig::sin(x[2]), x[2] - 0.25f * x[0]);
    x = jig::reduce_mean<1>(jig::transpose(y) * jig::expand_dims<1>(turned)) + turned;
    y = 0.5f * y + 0.25f * jig::pad<1, 0, 0, 0>(jig::strided_slice<jig::range_of(0, 3)>(y));
  }
  return jig::stack<0>(x, jig::reduce_sum<0>(y));
});
template <int Trips>
std::array<std::array<double, 3>, 2> mixed_by_loops(std::array<double, 3> x, std::array<std::array<double, 3>, 4> y) {
  for (int i = 0; i < Trips; ++i) {
    const std::array<double, 3> turned{x[0] * 0.5 - x[1], x[1] + std::sin(x[2]), x[2] - 0.25 * x[0]};
    for (std::size_t k = 0; k < 3; ++k) x[k] = turned[k] + turned[k] * (y[0][k] + y[1][k] + y[2][k] + y[3][k]) / 4;
    for (std::size_t r = 4; r-- > 0;)
      for (std::size_t k = 0; k < 3; ++k) y[r][k] = 0.5 * y[r][k] + (r > 0 ? 0.25 * y[r - 1][k] : 0);
  }
  std::array<std::array<double, 3>, 2> out{};
  out[0] = x;
  for (const auto& row : y)
    for (std::size_t k = 0; k < 3; ++k) out[1][k] += row[k];
  return out;
}

template <int Trips>
void check() {
  const jig::tensor<float, 3> x{0.3f, -0.6f, 0.9f};
  jig::tensor<float, 4, 3> y;
  std::array<std::array<double, 3>, 4> rows{};
  for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 3; ++k)
      rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(k)] = y(r, k) = static_cast<float>(r - k) * 0.25f;
  const auto got = mixed<Trips>(x, y);
  const auto want = mixed_by_loops<Trips>({0.3, -0.6, 0.9}, rows);
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 3; ++k)
      CHECK(got(r, k) == doctest::Approx(want[static_cast<std::size_t>(r)][static_cast<std::size_t>(k)]).epsilon(1e-4));
}

}  // namespace

TEST_CASE("a graph lowered in steps is what one evaluation makes of it") {
  constexpr auto small = mixed<2>.get_concrete_function(jig::spec<float, 3>(), jig::spec<float, 4, 3>());
  constexpr auto large = mixed<12>.get_concrete_function(jig::spec<float, 3>(), jig::spec<float, 4, 3>());
  static_assert(small.optimized_graph().size() <= jig::detail::nodes_lowered_at_once);
  static_assert(large.optimized_graph().size() > jig::detail::nodes_lowered_at_once);
  CHECK(jig::to_text(small.lowered_graph()) == jig::to_text(jig::lower(small.optimized_graph())));
  CHECK(jig::to_text(large.lowered_graph()) == jig::to_text(jig::lower(large.optimized_graph())));
  check<2>();
  check<12>();
}

TEST_CASE("steps that have nothing to do are left out") {
  constexpr auto sums = jig::function<"sums(x)">([](auto x) {
    for ([[maybe_unused]] auto i : jig::range(60)) x = jig::tanh(x * 0.5f + jig::reduce_max(x));
    return x;
  });
  constexpr auto concrete = sums.get_concrete_function(jig::spec<float, 20>());
  static_assert(concrete.optimized_graph().size() > jig::detail::nodes_lowered_at_once);
  CHECK(jig::to_text(concrete.lowered_graph()) == jig::to_text(jig::lower(concrete.optimized_graph())));
  jig::tensor<float, 20> x;
  std::array<double, 20> want{};
  for (int i = 0; i < 20; ++i) want[static_cast<std::size_t>(i)] = x(i) = static_cast<float>(i - 10) * 0.1f;
  const auto got = sums(x);
  for (int trip = 0; trip < 60; ++trip) {
    double most = want[0];
    for (double e : want) most = std::fmax(most, e);
    for (double& e : want) e = std::tanh(e * 0.5 + most);
  }
  for (int i = 0; i < 20; ++i) CHECK(got(i) == doctest::Approx(want[static_cast<std::size_t>(i)]).epsilon(1e-4));
}

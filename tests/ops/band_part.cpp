// SPDX-License-Identifier: MIT
#include <jig/ops/band_part.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

constexpr auto bands = [](const auto& x, const auto& lower, const auto& upper) { return jig::band_part(x, lower, upper); };
constexpr auto diagonals = [](const auto& x, const auto& d) { return jig::set_diag(x, d); };

}  // namespace

TEST_CASE("bands of matrices of any extents") {
  constexpr auto f = jig::function<"f(x, l, u)">(bands);
  for (const jig::index m : {0, 1, 4, 17})
    for (const jig::index n : {0, 1, 5, 16, 19})
      for (const int lower : {-1, 0, 2, 40})
        for (const int upper : {-7, 0, 1, std::numeric_limits<int>::max()}) {
          auto x = jig::ones<float, dyn, dyn, dyn>(2, m, n);
          if (x.size() > 0) x(0, 0, n - 1) = std::numeric_limits<float>::infinity();
          const auto y = f(x, lower, upper);
          REQUIRE(y.shape() == x.shape());
          jig::index wrong = 0;
          for (jig::index b = 0; b < 2; ++b)
            for (jig::index i = 0; i < m; ++i)
              for (jig::index k = 0; k < n; ++k) {
                const bool kept = (lower < 0 || i - k <= lower) && (upper < 0 || k - i <= upper);
                wrong += !(y(b, i, k) == (kept ? x(b, i, k) : 0));
              }
          CHECK(wrong == 0);
        }
}

TEST_CASE("triangles") {
  constexpr auto low = [](const auto& x) { return jig::band_part(x, -1, 0); };
  constexpr auto high = [](const auto& x) { return jig::band_part(x, 0, -1); };
  const auto y = both(low, counted<int, 3, 3>());
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 3, 3>>);
  CHECK(elements(y) == ints{0, 0, 0, 3, 4, 0, 6, 7, 8});
  CHECK(elements(both(high, jig::transpose(counted<int, 2, 3>()))) == ints{0, 3, 0, 4, 0, 0});
  CHECK(elements(both(low, jig::ones<bool, 2, 2>())) == std::vector<bool>{true, false, true, true});
  static_assert(gives<spec<float, dyn, 3, dyn>>(high, spec<float, dyn, 3, dyn>()));
  constexpr auto g = jig::function<"g(x)">([](auto x) { return jig::gradient(jig::reduce_sum(jig::square(jig::band_part(x, -1, 0))), x); });
  CHECK(elements(g(counted<float, 2, 2>())) == std::vector<float>{0, 0, 4, 6});
  const auto at_run_time = jig::dynamic_function([](auto x, auto l) { return jig::band_part(x, l, 0); });
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(counted<int, 3>()), jig::any_tensor(0));
        }).starts_with("band_part: a matrix has two axes"));
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(counted<int, 3, 3>()), jig::any_tensor(0.5f));
        }).starts_with("band_part: the numbers of diagonals must be int32"));
}

TEST_CASE("other diagonals") {
  const auto y = both(diagonals, counted<int, 2, 3>(), jig::tensor<int, 2>{7, 8});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 2, 3>>);
  CHECK(elements(y) == ints{7, 1, 2, 3, 8, 5});
  CHECK(elements(both(diagonals, jig::transpose(counted<int, 2, 3>()), jig::tensor<int, 2>{7, 8})) == ints{7, 3, 1, 8, 2, 5});
  CHECK(elements(both(diagonals, counted<float, dyn, dyn, dyn>(2, 2, 2), counted<float, dyn, dyn>(2, 2))) ==
        std::vector<float>{0, 1, 2, 1, 2, 5, 6, 3});
  CHECK(both(diagonals, jig::zeros<float, 3, 0>(), jig::zeros<float, 0>()).size() == 0);
  auto x = jig::ones<double, 40, 40>();
  jig::function<"f(x, d)">(diagonals).into(x, x, counted<double, 40>());
  jig::index wrong = 0;
  for (jig::index i = 0; i < 40; ++i)
    for (jig::index k = 0; k < 40; ++k) wrong += !(x(i, k) == (i == k ? static_cast<double>(i) : 1));
  CHECK(wrong == 0);
  constexpr auto g = jig::function<"g(x, d)">([](auto v, auto d) {
    const auto z = jig::reduce_sum(jig::square(jig::set_diag(v, d)));
    return jig::gradient(z, std::tuple(v, d));
  });
  const auto [by_x, by_d] = g(counted<float, 2, 3>(), jig::tensor<float, 2>{7, 8});
  CHECK(elements(by_x) == std::vector<float>{0, 2, 4, 6, 0, 10});
  CHECK(elements(by_d) == std::vector<float>{14, 16});
  CHECK(message_of([] {
          (void)diagonals(jig::zeros<float, dyn, 2>(2), jig::zeros<float, dyn>(1));
        }).starts_with("MatrixSetDiag: the diagonal has another shape"));
}

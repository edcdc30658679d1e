// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

constexpr auto counts = [](const auto& x) { return jig::bincount<4>(x); };
constexpr auto sums = [](const auto& x, const auto& w) { return jig::bincount<4>(x, w); };
constexpr auto histogram = [](const auto& x) { return jig::histogram_fixed_width<4>(x, -1.0, 3.0); };

}  // namespace

TEST_CASE("counts of numbers") {
  const auto y = both(counts, jig::tensor<std::uint8_t, 2, 3>{{3, 1, 3}, {0, 9, 3}});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 4>>);
  CHECK(elements(y) == ints{1, 1, 0, 3});
  CHECK(elements(counts(jig::tensor<std::int64_t>(2))) == ints{0, 0, 1, 0});
  CHECK(elements(counts(jig::zeros<int, dyn>(0))) == ints{0, 0, 0, 0});
  static_assert(gives<spec<int, 4>>(counts, spec<std::int16_t, dyn, 3, dyn>()));
  static_assert(gives<spec<double, 2>>([](auto x) { return jig::bincount<2, double>(x); }, spec<int, dyn>()));
  CHECK(message_of([] { (void)counts(jig::tensor<int, 2>{1, -3}); }) == "DenseBincount: the value -3 is negative");
}

TEST_CASE("sums of weights") {
  const jig::tensor<int, 2, 3> x{{3, 1, 3}, {0, 9, 3}};
  CHECK(elements(both(sums, x, counted<float, 2, 3>())) == std::vector<float>{3, 1, 0, 7});
  static_assert(gives<spec<double, 4>>(sums, spec<std::int16_t, dyn, 3>(), spec<double, 2, dyn>()));
  CHECK(message_of([] {
          (void)sums(jig::zeros<int, dyn>(2), jig::zeros<float, dyn>(3));
        }).starts_with("DenseBincount: the weights do not have the shape of the values"));
  // The gradient of weights, where the dtype has numbers that are not counted and where it has none.
  constexpr auto g = jig::function<"g(x, w)">([](auto v, auto w) {
    const auto y = jig::bincount<4>(v, w);
    const auto all = jig::bincount<256>(v, w);
    return std::tuple(jig::gradient(jig::reduce_sum(y * y), w), jig::gradient(jig::reduce_sum(all * all), w));
  });
  const auto [few, all] = g(jig::cast<std::uint8_t>(x), counted<float, 2, 3>());
  CHECK(elements(few) == std::vector<float>{14, 2, 14, 6, 0, 14});
  CHECK(elements(all) == std::vector<float>{14, 2, 14, 6, 8, 14});
  const auto none = jig::function<"g(x, w)">([](auto v, auto w) { return jig::gradient(jig::reduce_sum(jig::bincount<0>(v, w)), w); })(
      x, counted<float, 2, 3>());
  CHECK(elements(none) == std::vector<float>(6, 0));
}

TEST_CASE("histograms") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto y = both(histogram, jig::tensor<float, 9>{-5, -1, -0.01f, 0, 2.99f, 3, inf, -inf, nan});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 4>>);
  CHECK(elements(y) == ints{5, 1, 0, 3});
  // TensorFlow's own example.
  CHECK(elements(jig::histogram_fixed_width<5>(jig::tensor<float, 6>{-1, 0, 1.5f, 2, 5, 15}, 0.0, 5.0)) == ints{2, 1, 1, 0, 2});
  // Limits that are values of the computation.
  const auto f =
      jig::function<"f(x)">([](auto x) { return jig::histogram_fixed_width<3, std::int64_t>(x, jig::reduce_min(x), jig::reduce_max(x)); });
  CHECK(elements(f(counted<double, dyn>(10))) == std::vector<std::int64_t>{3, 3, 4});
}

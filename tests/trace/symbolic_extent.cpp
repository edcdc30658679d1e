// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <jig.hpp>

TEST_CASE("an extent is an int32 scalar, known or not") {
  static constexpr auto f = jig::function([](auto x) { return jig::extent<1>(x) * 10 + jig::extent<0>(x); });
  CHECK(f(jig::zeros<float, 2, 3>())() == 32);
  CHECK(f(jig::zeros<float, jig::dyn, 3>(5))() == 35);
  CHECK(f(jig::zeros<float, jig::dyn, jig::dyn>(5, 0))() == 5);
  static_assert(f.get_concrete_function(jig::spec<float, 2, 3>()).graph().count("Shape") == 0);
}

TEST_CASE("a copy of an extent may change, the extent stays") {
  static constexpr auto f = jig::function([](auto x) {
    jig::symbol<int> n = jig::extent<0>(x);
    auto m = jig::extent<0>(x);
    n = n + 1;
    return n * 100 + m;
  });
  CHECK(f(jig::zeros<float, 4>())() == 504);
}

TEST_CASE("extents are numbers of the trace: in arithmetic, casts, ranges, slices and positions") {
  constexpr auto f = jig::function([](auto x) {
    auto n = jig::extent<0>(x);
    auto sum = jig::cast<float>((n - 1) * 2 + n / 2 - n % 2);
    for (auto i : jig::range(1, n - 1)) sum = sum + x(i);
    return sum + x(n - 1) * 100 + jig::reduce_sum(jig::slice<2>(x, n - 2));
  });
  const float expected = 8 + 2 - 1 + (2 + 3 + 4) + 500 + 9;
  CHECK(f(jig::tensor<float, 5>{1, 2, 3, 4, 5})() == expected);
  CHECK(f(std::vector<float>{1, 2, 3, 4, 5})() == expected);
  CHECK(f.eager(jig::tensor<float, 5>{1, 2, 3, 4, 5})() == expected);
  CHECK(f.eager(std::vector<float>{1, 2, 3, 4, 5})() == expected);
}

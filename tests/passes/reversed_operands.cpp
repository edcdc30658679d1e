// SPDX-License-Identifier: MIT
#include <jig/passes/reversed_operands.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

using jig::dyn;

namespace {

using matrix = jig::spec<float, 20, 30>;

// How many values the graph that runs reads in reverse, and how many loops its plan has.
template <class F, class... S>
constexpr auto reverses(F f, S... specs) {
  return jig::function(f).get_concrete_function(specs...).lowered_graph().count("ReverseV2");
}
template <class F, class... S>
constexpr auto copies(F f, S... specs) {
  return jig::function(f).get_concrete_function(specs...).lowered_graph().count("Identity");
}

// One loop, which reads its operands in reverse: no copy of what is reversed.
static_assert(copies([](auto x) { return jig::reverse<1>(jig::relu(x)); }, matrix()) == 0);
static_assert(reverses([](auto x, auto y) { return jig::reverse<0>(x * y + 1); }, matrix(), matrix()) == 2);
// Numbers and what has one place along the axes stay as they are.
static_assert(reverses([](auto x, auto y) { return jig::reverse<0>(x * y); }, matrix(), jig::spec<float, 30>()) == 1);
static_assert(reverses([](auto x, auto y) { return jig::reverse<1>(x * y); }, matrix(), jig::spec<float, 20, 1>()) == 1);
static_assert(reverses([](auto x, auto y) { return jig::reverse<0, 1>(x * y); }, matrix(), jig::spec<float, 30>()) == 2);
// What others read is computed as it is, and so are a few numbers.
static_assert(copies(
                  [](auto x) {
                    auto y = jig::exp(x);
                    return std::tuple(y, jig::reverse<0>(y));
                  },
                  matrix()) == 1);
static_assert(copies([](auto x) { return jig::reverse<0>(jig::relu(x)); }, jig::spec<float, 8>()) == 1);

}  // namespace

TEST_CASE("what is computed of reversed operands has the values of what is reversed") {
  constexpr auto f = jig::function([](auto x, auto row, auto column, auto s) {
    auto y = jig::reverse<0>(jig::exp(x * 0) * x + row);
    auto z = jig::reverse<-1>(jig::cast<std::int32_t>(x - column) * 2);
    auto both = jig::reverse<0, 1>(jig::where(x > s, x - row, column * s));
    return std::tuple(y, z, both, jig::reduce_sum<1>(jig::reverse<1>(x + row) * x));
  });
  const auto check = [&](const auto& x, const auto& row, const auto& column) {
    const float s = 3;
    const auto [y, z, both, sums] = f(x, row, column, s);
    for (jig::index i = 0; i < 20; ++i) {
      float sum = 0;
      for (jig::index j = 0; j < 30; ++j) {
        const jig::index k = 19 - i, l = 29 - j;
        CHECK(y(i, j) == x(k, j) + row(j));
        CHECK(z(i, j) == static_cast<std::int32_t>(x(i, l) - column(i, 0)) * 2);
        CHECK(both(i, j) == (x(k, l) > s ? x(k, l) - row(l) : column(k, 0) * s));
        sum += (x(i, l) + row(l)) * x(i, j);
      }
      CHECK(sums(i) == sum);
    }
  };
  jig::tensor<float, 20, 30> x;
  jig::tensor<float, 30> row;
  jig::tensor<float, 20, 1> column;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 61 - 30);
  for (jig::index i = 0; i < 30; ++i) row(i) = static_cast<float>(i % 7);
  for (jig::index i = 0; i < 20; ++i) column(i, 0) = static_cast<float>(i % 5 - 2);
  check(x, row, column);
  check(jig::tensor<float, dyn, dyn>(x), jig::tensor<float, dyn>(row), jig::tensor<float, dyn, dyn>(column));
  check(jig::tensor<float, dyn, 30>(x), row, jig::tensor<float, dyn, 1>(column));
}

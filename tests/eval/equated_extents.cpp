// SPDX-License-Identifier: MIT
#include <jig/eval/equated_extents.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

using jig::dyn;
using jig::range_of;
using jig::strided_slice;
using jig::unbounded;

constexpr jig::spec<double, dyn> any_length;

template <class F, class... Spec>
constexpr jig::detail::equated_extents equated(F, Spec...) {
  return {jig::function(F()).get_concrete_function(Spec()...).plan(), 64};
}
// What has to hold of the first extent of the arguments.
template <class F, class... Spec>
constexpr jig::extent_fact needed(F f, Spec... spec) {
  return equated(f, spec...).needed(jig::detail::extent_symbol(0));
}
constexpr auto doubled = [](auto x, auto y) { return std::tuple(2 * x + y, 3 * y); };
template <int Step>
constexpr auto turns = [](auto x) {
  const auto first = strided_slice<range_of(0, unbounded, Step)>(x), next = strided_slice<range_of(1, unbounded, Step)>(x);
  return std::tuple(first + next, first - 2 * next);
};
template <int Places>
constexpr auto shifted = [](auto x) { return 2 * x + jig::pad<Places, 0>(strided_slice<range_of(0, -Places)>(x)); };

}  // namespace

TEST_CASE("extents that are compared are one") {
  constexpr auto two = [] {
    const auto extents = equated(doubled, any_length, any_length);
    return extents.pay() && extents.now(jig::detail::extent_symbol(1)) == jig::detail::extent_symbol(0);
  };
  static_assert(two());
  // A number is what an argument of it has to be.
  static_assert(equated(doubled, any_length, jig::spec<double, 9>()).now(jig::detail::extent_symbol(0)) == 9);
}
TEST_CASE("what has to hold of arguments is what makes expressions of one form equal, and room for cuts") {
  static_assert(needed(doubled, any_length, any_length).multiple == 1 && needed(doubled, any_length, any_length).least == 0);
  static_assert(needed(turns<2>, any_length).multiple == 2 && needed(turns<2>, any_length).least == 8);
  static_assert(needed(turns<6>, any_length).multiple == 6);
  static_assert(equated(turns<2>, any_length).pay());
  static_assert(needed(shifted<3>, any_length).multiple == 1 && needed(shifted<3>, any_length).least == 8);
  static_assert(needed(shifted<20>, any_length).least == 20);
  static_assert(equated(shifted<20>, any_length).pay());
  // Of two arguments, one that is a number has it or has not.
  constexpr auto beside = [](auto x, auto y) {
    const auto [sum, difference] = turns<2>(x);
    return std::tuple(sum, difference, 2 * x + y);
  };
  static_assert(equated(beside, any_length, jig::spec<double, 10>()).pay());
  static_assert(!equated(beside, any_length, jig::spec<double, 6>()).pay());
  const auto [sum, difference, both] = jig::function(beside)(jig::ones<double, dyn>(6), jig::ones<double, 6>());
  CHECK((sum.extent(0) == 3 && sum(2) == 2));
  CHECK((difference.extent(0) == 3 && difference(2) == -1));
  CHECK((both.extent(0) == 6 && both(5) == 3));
}
TEST_CASE("parts that are put together are computed each where they are alike") {
  constexpr auto reduced = [](auto x, auto y) { return jig::reduce_sum<1>(jig::stack<1>(x, y)); };
  constexpr auto scaled = [](auto x, auto y) { return 2 * jig::stack<1>(x, y); };
  constexpr auto alone = [](auto x, auto y) { return jig::stack<1>(x, y); };
  static_assert(equated(reduced, any_length, any_length).pay());
  static_assert(equated(scaled, any_length, any_length).pay());
  static_assert(!equated(alone, any_length, any_length).pay());
  static_assert(!equated(reduced, any_length, jig::spec<double, 1>()).pay());
  static constexpr auto f = jig::function<"f(x, y)">(scaled);
  for (const jig::index n : {0, 1, 2, 7, 40}) {
    auto x = jig::zeros<double, dyn>(n), y = jig::ones<double, dyn>(n);
    for (jig::index i = 0; i < n; ++i) x(i) = static_cast<double>(i);
    const auto z = f(x, y);
    REQUIRE(z.extent(0) == n);
    for (jig::index i = 0; i < n; ++i) CHECK((z(i, 0) == 2 * static_cast<double>(i) && z(i, 1) == 2));
  }
  CHECK_THROWS_WITH_AS(f(jig::ones<double, dyn>(4), jig::ones<double, dyn>(1)), doctest::Contains("Pack: shapes differ"),
                       jig::invalid_argument);
}

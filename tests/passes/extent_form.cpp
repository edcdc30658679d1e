// SPDX-License-Identifier: MIT
#include <jig/passes/extent_form.hpp>

#include <doctest/doctest.h>

#include <jig/core/extent.hpp>

namespace {

using form = jig::detail::extent_form;
using arithmetic = jig::detail::form_arithmetic;
using relation = jig::extent_algebra::relation;
using jig::index;

constexpr index n = jig::detail::lowest_name - 1, m = n - 1;
constexpr form of_n = form::of_symbol(n), of_m = form::of_symbol(m);
constexpr form number(index k) { return form::of_number(k); }
constexpr form combine(relation r, const form& a, index b) { return arithmetic::combine(r, a, number(b)); }

}  // namespace

TEST_CASE("numbers and symbols are forms") {
  static_assert(number(3).is_number() && !number(3).is_base() && number(3).offset == 3 && !number(3).needs_facts());
  static_assert(of_n.is_base() && !of_n.is_number() && of_n.base == n);
  static_assert(of_n.is_like(of_m) && !(of_n == of_m) && of_n == form::of_symbol(n));
  static_assert(!form().known && !form().is_number() && !form().is_base() && !form().is_like(form()));
}

TEST_CASE("sums and differences of multiples of one extent") {
  constexpr form twice = arithmetic::combine(relation::sum, of_n, of_n), more = combine(relation::sum, twice, 5);
  static_assert(twice.factor == 2 && more.offset == 5 && !more.needs_facts());
  static_assert(arithmetic::combine(relation::difference, more, of_n) == combine(relation::sum, of_n, 5));
  static_assert(arithmetic::combine(relation::excess, more, twice).is_number());
  static_assert(twice == combine(relation::product, of_n, 2) && twice == arithmetic::combine(relation::product, number(2), of_n));
  // Two extents are in no relation, nor is what falls as another one grows.
  static_assert(!arithmetic::combine(relation::sum, of_n, of_m).known && !arithmetic::combine(relation::product, of_n, of_n).known);
  static_assert(!arithmetic::combine(relation::excess, number(5), of_n).known);
}

TEST_CASE("differences need what they are taken from") {
  constexpr form three_less = combine(relation::excess, of_n, 3);
  static_assert(three_less.offset == -3 && three_less.least == 3 && three_less.needs_facts());
  static_assert(three_less.holds({.extent = n, .least = 3}) && !three_less.holds({.extent = n, .multiple = 9, .least = 2}));
  static_assert(combine(relation::sum, three_less, 3).is_base() && combine(relation::sum, three_less, 3).needs_facts());
  static_assert(combine(relation::excess, combine(relation::product, of_n, 2), 5).least == 3);
  static_assert(combine(relation::excess, number(2), 5).offset == 0 && !combine(relation::difference, number(2), 5).known);
  // Or are 0 where there is less.
  constexpr form at_least_0 = arithmetic::at_least_0(of_n, number(3));
  static_assert(at_least_0.clamped && !at_least_0.needs_facts() && !(at_least_0 == three_less));
  static_assert(combine(relation::excess, at_least_0, 2) == arithmetic::at_least_0(of_n, number(5)));
  static_assert(!combine(relation::sum, at_least_0, 3).known && !combine(relation::steps, at_least_0, 2).known);
  static_assert(!arithmetic::combine(relation::excess, of_n, at_least_0).known);
}

TEST_CASE("steps and quotients need multiples") {
  constexpr form half = combine(relation::steps, of_n, 2), odd = combine(relation::steps, combine(relation::excess, of_n, 1), 2);
  static_assert(half == odd && half.multiple == 2 && odd.least == 1 && half.holds({.extent = n, .multiple = 6}));
  static_assert(!half.holds({.extent = n, .multiple = 3}));
  static_assert(combine(relation::quotient, half, 3).multiple == 6 && combine(relation::quotient, half, 3).divisor == 6);
  static_assert(combine(relation::quotient, combine(relation::product, of_n, 6), 2) == combine(relation::product, of_n, 3));
  static_assert(!combine(relation::quotient, combine(relation::product, of_n, 6), 3).needs_facts());
  static_assert(combine(relation::steps, combine(relation::sum, of_n, 3), 2).offset == 2);
  static_assert(combine(relation::steps, combine(relation::excess, of_n, 3), 2).offset == -1);
  static_assert(!combine(relation::quotient, combine(relation::sum, of_n, 3), 2).known);
  static_assert(!combine(relation::steps, of_n, 0).known);
}

TEST_CASE("nothing is said of numbers that might overflow") {
  constexpr index large = index{1} << 27;
  static_assert(combine(relation::product, of_n, large).known);
  static_assert(!combine(relation::product, combine(relation::product, of_n, large), large).known);
  static_assert(!combine(relation::sum, of_n, 4 * large).known && !combine(relation::excess, of_n, 4 * large).known);
  static_assert(!combine(relation::steps, combine(relation::steps, of_n, large), large).known);
  static_assert(!combine(relation::product, combine(relation::sum, of_n, large), index{1} << 62).known);
  static_assert(!number(index{1} << 62).known && !number(-(index{1} << 62)).known);
}

// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/valarray.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <valarray>

TEST_CASE("a valarray is a vector, in place") {
  static_assert(std::is_same_v<jig::argument<std::valarray<double>>::spec_type, jig::spec<double, jig::dyn>>);
  static_assert(std::is_same_v<jig::argument<std::valarray<long long>>::spec_type, jig::spec<std::int64_t, jig::dyn>>);
  static_assert(jig::argument_layout<std::valarray<double>> == jig::memory_layout::row_major && !jig::Argument<std::valarray<long double>>);
  std::valarray<double> x{1, 2, 3};
  CHECK(jig::argument<std::valarray<double>>::bind(x).data() == &x[0]);
  CHECK(twice(x)(2) == 6);
  CHECK(twice(std::as_const(x))(0) == 2);
  std::valarray<double> out(3);
  twice.into(out, x);
  CHECK(out[1] == 4);
  twice.into(x, x);
  CHECK(x[2] == 6);
  std::valarray<long long> wide{-1, 1LL << 40};
  twice.into(wide, wide);
  CHECK(wide[1] == 1LL << 41);
  std::valarray<bool> flags{true, false};
  CHECK(jig::argument<std::valarray<bool>>::bind(flags).extent(0) == 2);
  CHECK(jig::any_tensor::viewing(x).data() == &x[0]);
}

TEST_CASE("of nothing, and of another size") {
  std::valarray<double> none, two(2);
  CHECK(twice(none).size() == 0);
  twice.into(none, std::valarray<double>());
  CHECK_THROWS_AS(twice.into(none, two), jig::invalid_argument);
  CHECK(none.size() == 0);
  CHECK_THROWS_AS(twice.into(two, none), jig::invalid_argument);
}

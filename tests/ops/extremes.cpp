// SPDX-License-Identifier: MIT
#include <jig/ops/extremes.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using jig::dtype_of, jig::index;
namespace ops = jig::ops;

template <const jig::op& Op, class T>
jig::known_bits folded(T x, T y) {
  const std::uint64_t words[] = {jig::detail::to_word(x), jig::detail::to_word(y)};
  return Op.value(jig::known_operands(words, dtype_of<T>, dtype_of<T>));
}

TEST_CASE_TEMPLATE("what a graph knows of the larger and the smaller number", T, float, double, std::int8_t, std::uint8_t, std::int64_t,
                   std::uint64_t) {
  using limits = std::numeric_limits<T>;
  int wrong = 0;
  for (T x : {limits::lowest(), T(0), T(1), T(3), static_cast<T>(limits::max() - 1), limits::max()})
    for (T y : {limits::lowest(), T(1), T(2), limits::max()}) {
      const auto larger = folded<ops::maximum>(x, y), smaller = folded<ops::minimum>(x, y);
      wrong += !larger.known || larger.bits != jig::detail::to_word((std::max)(x, y));
      wrong += !smaller.known || smaller.bits != jig::detail::to_word((std::min)(x, y));
    }
  CHECK(wrong == 0);
  if constexpr (std::is_floating_point_v<T>) {
    CHECK_FALSE(folded<ops::maximum>(T(0), T(-0.0)).known);
    CHECK_FALSE(folded<ops::minimum>(T(-0.0), T(0)).known);
    CHECK(folded<ops::maximum>(T(-0.0), T(-0.0)).bits == jig::detail::to_word(T(-0.0)));
  }
}

TEST_CASE("where the larger and the smaller of two integers are") {
  int wrong = 0;
  for (index a = -3; a <= 3; ++a)
    for (index b = a; b <= 3; ++b)
      for (index c = -3; c <= 3; ++c)
        for (index d = c; d <= 3; ++d) {
          jig::value_range larger{9, -9}, smaller{9, -9};
          for (index x = a; x <= b; ++x)
            for (index y = c; y <= d; ++y) {
              const index high = (std::max)(x, y), low = (std::min)(x, y);
              larger = {(std::min)(larger.low, high), (std::max)(larger.high, high)};
              smaller = {(std::min)(smaller.low, low), (std::max)(smaller.high, low)};
            }
          const jig::value_range inputs[] = {{a, b}, {c, d}};
          const auto of_larger = ops::maximum.range({inputs}), of_smaller = ops::minimum.range({inputs});
          wrong += of_larger.low != larger.low || of_larger.high != larger.high;
          wrong += of_smaller.low != smaller.low || of_smaller.high != smaller.high;
        }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("of one number and in a register; NaN on either side is the result", T, float, double) {
  using batch = jig::simd::batch<T>;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  int wrong = 0;
  for (T x : {T(-2), T(1), T(3), infinity, -infinity, nan})
    for (T y : {T(-2), T(2), infinity, -infinity, nan}) {
      const bool ordered = x == x && y == y;
      const T larger = ordered ? (std::max)(x, y) : nan, smaller = ordered ? (std::min)(x, y) : nan;
      const auto differs = [](T found, T expected) { return !(found == expected || (std::isnan(found) && std::isnan(expected))); };
      wrong += differs(jig::functor<ops::maximum>::apply(x, y), larger) + differs(jig::functor<ops::minimum>::apply(x, y), smaller);
      wrong += differs(jig::functor<ops::maximum>::apply(batch(x), batch(y)).get(0), larger);
      wrong += differs(jig::functor<ops::minimum>::apply(batch(x), batch(y)).get(0), smaller);
    }
  CHECK(wrong == 0);
}

TEST_CASE("where both are equal the first one has the whole gradient") {
  constexpr auto f = jig::function([](auto x, auto y) {
    const auto larger = jig::reduce_sum(jig::maximum(x, y)), smaller = jig::reduce_sum(jig::minimum(x, y));
    return std::tuple(jig::gradient(larger, x), jig::gradient(larger, y), jig::gradient(smaller, x), jig::gradient(smaller, y));
  });
  const jig::tensor<float, 3> x{1, 2, 3}, y{3, 2, 1};
  const auto [max_x, max_y, min_x, min_y] = f(x, y);
  for (index i = 0; i < 3; ++i) {
    CHECK(max_x(i) == (x(i) >= y(i)));
    CHECK(max_y(i) == (x(i) < y(i)));
    CHECK(min_x(i) == (x(i) <= y(i)));
    CHECK(min_y(i) == (x(i) > y(i)));
  }
}

}  // namespace

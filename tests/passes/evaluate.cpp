// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "without_passes.hpp"

#include <cstdint>

namespace {

using jig::known_bits;
using jig::detail::known_value;

// Compares what is known before a call with what the kernel computes. How many elements are known at all is returned.
template <const jig::op& Op, class With = jig::attributes<>, class T>
int known_like_kernel(const std::vector<T>& x, const std::vector<T>& y) {
  constexpr bool two = Op.name != jig::ops::cast.name && Op.name != jig::ops::neg.name && Op.name != jig::ops::abs.name &&
                       Op.name != jig::ops::sign.name && Op.name != jig::ops::square.name && Op.name != jig::ops::invert.name &&
                       Op.name != jig::ops::relu.name && Op.name != jig::ops::reciprocal.name && Op.name != jig::ops::floor.name &&
                       Op.name != jig::ops::ceil.name && Op.name != jig::ops::trunc.name && Op.name != jig::ops::rint.name &&
                       Op.name != jig::ops::is_finite.name;
  int known = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const jig::tensor<T> a{x[i]}, b{y[i]};
    try {
      const auto kernel = [&] {
        if constexpr (two) return jig::call<Op, With>(a, b);
        else return jig::call<Op, With>(a);
      }();
      using R = typename std::remove_cvref_t<decltype(kernel)>::value_type;
      const std::uint64_t bits[] = {jig::detail::to_word(x[i]), jig::detail::to_word(y[i])};
      const known_bits found = known_value(Op, {{bits, two ? std::size_t{2} : std::size_t{1}}, jig::dtype_of<T>, jig::dtype_of<R>});
      if (!found.known) continue;
      ++known;
      CAPTURE(Op.name);
      CAPTURE(+x[i]);
      CAPTURE(+y[i]);
      CHECK(found.bits == jig::detail::to_word(kernel()));
    } catch (const jig::invalid_argument&) {
      const std::uint64_t bits[] = {jig::detail::to_word(x[i]), jig::detail::to_word(y[i])};
      CHECK(!known_value(Op, {bits, jig::dtype_of<T>, jig::dtype_of<T>}).known);
    }
  }
  return known;
}

template <class T, const jig::op&... Op>
int all_known_like_kernels() {
  const auto [x, y] = telling_pairs<T>();
  return (0 + ... + known_like_kernel<Op>(x, y));
}

template <class T>
int integers_like_kernels() {
  using namespace jig::ops;
  return all_known_like_kernels<T, add, subtract, multiply, truncate_divide, truncate_mod, floor_divide, floor_mod, power, maximum, minimum,
                                squared_difference, bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift, equal, less, less_equal,
                                greater, greater_equal, not_equal, neg, jig::ops::abs, sign, square, invert, relu>();
}
template <class T>
int floats_like_kernels() {
  using namespace jig::ops;
  return all_known_like_kernels<T, add, subtract, multiply, jig::ops::divide, maximum, minimum, squared_difference, equal, less, less_equal,
                                greater, greater_equal, not_equal, neg, jig::ops::abs, sign, square, relu, reciprocal, jig::ops::floor,
                                jig::ops::ceil, jig::ops::trunc, jig::ops::rint, is_finite>();
}

template <class From, class... To>
int casts_like_kernels() {
  const std::vector<From> x = telling_numbers<From>();
  return (0 + ... + known_like_kernel<jig::ops::cast, jig::attributes<jig::type_attribute<"DstT", jig::dtype_of<To>>>>(x, x));
}
template <class From>
int all_casts_like_kernels() {
  return casts_like_kernels<From, float, double, std::int8_t, std::int64_t, std::uint32_t, std::uint64_t, bool>();
}

}  // namespace

TEST_CASE("integers are known before a call as kernels compute them") {
  CHECK(integers_like_kernels<std::int8_t>() > 1000);
  CHECK(integers_like_kernels<std::uint64_t>() > 500);
}

TEST_CASE("finite floating numbers too; others are left to the call") {
  CHECK(floats_like_kernels<float>() > 1000);
  CHECK(floats_like_kernels<double>() > 1000);
}

TEST_CASE("conversions") {
  CHECK(all_casts_like_kernels<float>() > 100);
  CHECK(all_casts_like_kernels<double>() > 100);
  CHECK(all_casts_like_kernels<std::int64_t>() > 50);
}

TEST_CASE("storage dtypes are rounded from float") {
  for (float x : {0.1f, 1.0f, -3.3f, 1000.0f, 6e-8f})
    for (float y : {0.7f, -2.0f, 1e-3f}) {
      const jig::half a(x), b(y);
      const std::uint64_t bits[] = {a.bits, b.bits};
      const known_bits sum = known_value(jig::ops::add, {bits, jig::dtype::float16, jig::dtype::float16});
      CHECK((sum.known && sum.bits == (jig::tensor<jig::half>{a} + jig::tensor<jig::half>{b})().bits));
      const known_bits product = known_value(jig::ops::multiply, {bits, jig::dtype::float16, jig::dtype::float16});
      CHECK((product.known && product.bits == (jig::tensor<jig::half>{a} * jig::tensor<jig::half>{b})().bits));
    }
}

TEST_CASE("all of it is constant evaluation") {
  constexpr auto of = [](const jig::op& kind, double x, double y) {
    const std::uint64_t bits[] = {std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y)};
    return known_value(kind, {bits, jig::dtype::float64, jig::dtype::float64});
  };
  constexpr double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  static_assert(std::bit_cast<double>(of(jig::ops::add, 0.1, 0.2).bits) == 0.1 + 0.2);
  static_assert(!of(jig::ops::add, most, most).known && !of(jig::ops::multiply, most, most).known && !of(jig::ops::divide, 1, 0).known);
  static_assert(!of(jig::ops::divide, most, least).known && of(jig::ops::multiply, least, least).bits == 0);
  static_assert(!of(jig::ops::add, std::numeric_limits<double>::infinity(), 1).known);
  static_assert(!of(jig::ops::less, std::numeric_limits<double>::quiet_NaN(), 1).known);
  static_assert(!of(jig::ops::power, 2, 3).known);  // not exact in kernels
}

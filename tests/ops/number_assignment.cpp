// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using jig::tensor;

constexpr auto total = jig::function([](auto x) { return jig::reduce_sum(x); });

// All that a scalar changes about a number, beside the same with a number.
template <class R, class T>
void same_as_numbers() {
  const tensor<T, 3> x{1, 2, 4};
  const T sum = 7;
  R number = R(2.5), expected = number;
  const auto same = [&] { CHECK(number == expected); };
  number += total(x), expected += sum, same();
  number -= total(x) * 2, expected -= sum * 2, same();
  number *= total(x), expected *= sum, same();
  number /= -total(x), expected /= -sum, same();
  if constexpr (std::is_same_v<R, T>) number = number + total(x), expected = expected + sum, same();
  number += x[1], expected += T(2), same();
  number -= jig::view<const T>(x.data()), expected -= T(1), same();
  static_assert(std::is_same_v<decltype(number += total(x)), R&>);
  (number += total(x)) *= total(x), (expected += sum) *= sum, same();
}

template <class R, class Y>
concept Adds = requires(R& number, const Y& y) { number += y; };

}  // namespace

TEST_CASE("a number changes by a scalar as by a number") {
  same_as_numbers<float, float>();
  same_as_numbers<double, double>();
  same_as_numbers<double, float>();
  double number = 0.1;
  // In the number's own type: 0.1 is not rounded to float.
  number += tensor<float>(1);
  CHECK(number == 0.1 + 1);
}

TEST_CASE("a number changes by scalars of other dtypes whose numbers it has") {
  double number = 0.5;
  number += tensor<std::int32_t>(3);
  number += tensor<bool>(true);
  CHECK(number == 4.5);
  float small = 1;
  small += tensor<jig::half>(jig::half(0.5f));
  small *= tensor<jig::bfloat16>(jig::bfloat16(2.f));
  small += tensor<std::int16_t>(std::int16_t(-1));
  CHECK(small == 2);
}

TEST_CASE("an integer changes by a scalar as by an integer") {
  constexpr auto last = jig::function([](auto x) { return x[2]; });
  const tensor<int, 3> x{5, 6, 3};
  std::int64_t number = 1000, expected = number;
  const auto same = [&] { CHECK(number == expected); };
  number <<= last(x), expected <<= 3, same();
  number |= last(x), expected |= 3, same();
  number ^= x[0], expected ^= 5, same();
  number &= ~last(x), expected &= ~std::int64_t(3), same();
  number >>= last(x), expected >>= 3, same();
  number %= last(x) * 100 + 7, expected %= 307, same();
  number /= last(x), expected /= 3, same();
  number += last(x) > 2, expected += 1, same();
  std::int8_t small = 100;
  small += tensor<std::int8_t>(100);
  CHECK(small == -56);
  bool all = true;
  all &= total(x) > 13;
  CHECK(all);
  all &= total(x) > 14;
  CHECK(!all);
  all |= last(x) == 3;
  CHECK(all);
}

TEST_CASE("only a scalar changes a number, and no constant") {
  CHECK((Adds<float, tensor<float>> && Adds<double, tensor<float>> && Adds<long, tensor<int>>));
  CHECK((!Adds<float, tensor<float, 1>> && !Adds<const float, tensor<float>> && !Adds<float, tensor<std::string>>));
}

TEST_CASE("variables and elements of others are scalars too") {
  jig::variable<float> scale(3.0f);
  double number = 1;
  number += scale;
  CHECK(number == 4);
  tensor<float, 2, 2> x{{1, 2}, {3, 4}};
  number *= x(1, 1);
  number *= x[1][0];
  CHECK(number == 48);
  if (total(x) > 9) number = 0;
  CHECK(number == 0);
}

// SPDX-License-Identifier: MIT
#include <jig/ops/rounding.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using jig::dtype_of;
namespace ops = jig::ops;

// Halves and their neighbours, where doubles and floats have no fractions any more, and the smallest there are.
template <class T>
std::vector<T> finite() {
  std::vector<T> all{0,
                     std::numeric_limits<T>::denorm_min(),
                     std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max(),
                     T(0x1p22) + T(0.5),
                     T(0x1p23) + 1,
                     T(0x1p51),
                     T(0x1p52) + 1,
                     T(0x1p62)};
  for (T half : {T(0.5), T(1), T(1.5), T(2.5), T(3.5), T(7)})
    for (T x : {std::nextafter(half, T(0)), half, std::nextafter(half, T(100))}) all.push_back(x);
  for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(-all[i]);
  return all;
}

// Not every machine keeps the sign of a zero.
template <class T>
bool same(T a, T b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// In a graph, bit by bit, of one number, and in a register, beside the standard library.
template <const jig::op& Op, class T, class F>
void check(F expected) {
  using batch = jig::simd::batch<T>;
  int wrong = 0;
  for (T x : finite<T>()) {
    const std::uint64_t word = jig::detail::to_word(x);
    const auto folded = Op.value(jig::known_operands({&word, 1}, dtype_of<T>, dtype_of<T>));
    wrong += !folded.known || folded.bits != jig::detail::to_word(expected(x));
  }
  CHECK(wrong == 0);
  auto all = finite<T>();
  for (T x : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()})
    all.push_back(x);
  for (T x : all) {
    wrong += !same<T>(jig::functor<Op>::apply(x), expected(x));
    wrong += !same<T>(jig::functor<Op>::apply(batch(x)).get(0), expected(x));
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("numbers rounded down, up, to zero and to the nearest", T, float, double) {
  check<ops::floor, T>([](T x) { return std::floor(x); });
  check<ops::ceil, T>([](T x) { return std::ceil(x); });
  check<ops::trunc, T>([](T x) { return std::trunc(x); });
  check<ops::rint, T>([](T x) { return std::nearbyint(x); });
  check<ops::round, T>([](T x) { return std::nearbyint(x); });
}

TEST_CASE("rounding stops gradients") {
  constexpr auto f = jig::function([](auto x) {
    return jig::gradient(jig::reduce_sum(x * jig::floor(x) + jig::ceil(x) * jig::trunc(x) + jig::rint(x) + jig::round(x)), x);
  });
  const auto g = f(jig::tensor<double, 3>{1.25, -2.5, 7});
  CHECK(g(0) == 1);
  CHECK(g(1) == -3);
  CHECK(g(2) == 7);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include <jig/eval/one_hot.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using jig::dyn;

namespace {

template <class T, jig::index Depth, class I, jig::index... E>
void check(jig::index rows) {
  jig::tensor<I, E...> at(jig::uninitialized, {1, {rows}});
  for (jig::index i = 0; i < rows; ++i) at(i) = static_cast<I>(i * 7 % (Depth + 2));
  if (rows > 3) {
    at(1) = std::numeric_limits<I>::max();
    at(2) = std::numeric_limits<I>::lowest();
    at(rows - 1) = static_cast<I>(-1);
  }
  const auto y = jig::function<"f(i)">([](auto i) { return jig::one_hot<Depth, T>(i); })(at);
  bool same = y.shape() == jig::shape{2, {rows, Depth}};
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index k = 0; k < Depth; ++k) same = same && y(i, k) == (std::cmp_equal(at(i), k) ? T(1) : T(0));
  CAPTURE(rows);
  CHECK(same);
}
template <class T, jig::index Depth, class I>
void lengths() {
  for (jig::index rows : {0, 1, 2, 5, 15, 16, 17, 63, 64, 65, 130, 3000}) check<T, Depth, I, dyn>(rows);
}

}  // namespace

TEST_CASE("short and long rows") {
  lengths<float, 3, int>();
  lengths<std::uint8_t, 8, std::int64_t>();
  lengths<double, 1, std::uint8_t>();
  lengths<float, 9, int>();
  lengths<bool, 5, std::int8_t>();
  lengths<std::int16_t, 2, std::uint64_t>();
  lengths<float, 5000, std::int16_t>();
  lengths<float, 0, int>();
}
TEST_CASE("a few rows at constant places") {
  check<float, 3, int, 3>(3);
  check<double, 8, std::uint8_t, 8>(8);  // 64 elements
  check<double, 8, std::uint8_t, 9>(9);
  const auto turned = jig::function<"f(i)">([](auto i) { return jig::one_hot<3>(jig::reverse(i)); })(jig::tensor<int, 2>{0, 2});
  CHECK((turned(0, 2) == 1 && turned(1, 0) == 1 && turned(0, 0) == 0 && turned(1, 2) == 0));
  CHECK(jig::function<"f(i)">([](auto i) { return jig::one_hot<2>(i); })(jig::tensor<int>(1))(1) == 1);
}

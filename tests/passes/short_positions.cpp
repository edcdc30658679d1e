// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "../comes_first.hpp"

#include <cstdint>
#include <limits>
#include <string>

using jig::dyn;

namespace {

// Along each axis, beside a plain search.
template <class T, jig::index... E>
void positions(jig::tensor<T, E...> x) {
  int i = 3;
  for (auto& e : x) {
    i = (i * 29 + 7) % 97;
    e = static_cast<T>(i % 13);
    if constexpr (std::is_floating_point_v<T>)
      if (i % 31 == 0) e = std::numeric_limits<T>::quiet_NaN();
  }
  const auto check = [&]<int Axis>(std::integral_constant<int, Axis>) {
    static constexpr auto f = jig::function<"f(x)">(
        [](auto t) { return std::tuple(jig::cast<int>(jig::argmax<Axis>(t)), jig::cast<int>(jig::argmin<Axis>(t))); });
    const auto [most, least] = f(x);
    const jig::index n = x.extent(Axis);
    jig::index inner = 1;
    for (int a = Axis + 1; a < 3; ++a) inner *= x.extent(a);
    bool same = true;
    for (jig::index o = 0; o < most.size(); ++o) {
      const T* from = x.data() + o / inner * inner * n + o % inner;
      int high = 0, low = 0;
      for (int k = 1; k < n; ++k) {
        if (comes_first(from[k * inner], from[high * inner], false)) high = k;
        if (comes_first(from[k * inner], from[low * inner], true)) low = k;
      }
      same = same && most.data()[o] == high && least.data()[o] == low;
    }
    CHECK(same);
  };
  check(std::integral_constant<int, 0>());
  check(std::integral_constant<int, 1>());
  check(std::integral_constant<int, 2>());
}

std::string lowered_text(auto f) { return jig::to_text(jig::lower(jig::graph_of(f, jig::spec<float, 10, 3>()))); }

}  // namespace

TEST_CASE("positions that are cast are found as int32") {
  positions(jig::zeros<float, 40, 7, 3>());
  positions(jig::zeros<float, dyn, 3, 70>(33));
  positions(jig::zeros<double, dyn, 20, dyn>(5, 9));
  positions(jig::zeros<std::uint8_t, 70, 5, 4>());
  positions(jig::zeros<std::int16_t, dyn, dyn, dyn>(2, 5, 4));
  positions(jig::zeros<bool, 9, 5, 4>());
  positions(jig::zeros<float, 1, 1, 1>());
}
TEST_CASE("of arguments that lie anywhere, and of more positions than fit beside the numbers") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::cast<int>(jig::argmin<1>(jig::transpose(x))); });
  const auto x = jig::tensor<int, 3, 2>{{5, 1}, {4, 3}, {9, 1}};
  const auto found = f(x);
  CHECK(found(0) == 1);
  CHECK(found(1) == 0);
  static constexpr auto g = jig::function<"g(x)">([](auto t) { return jig::cast<int>(jig::argmax<0>(t)); });
  auto long_one = jig::zeros<std::uint8_t, 400, 70>();
  for (jig::index k = 0; k < 70; ++k) long_one(399 - k, k) = 1;
  const auto there = g(long_one);
  bool same = true;
  for (jig::index k = 0; k < 70; ++k) same = same && there(k) == 399 - k;
  CHECK(same);
}
TEST_CASE("positions that somebody wants as int64 stay so") {
  CHECK(lowered_text([](auto x) { return jig::cast<int>(jig::argmax<1>(x)); }).find("ShortArgMax") != std::string::npos);
  CHECK(lowered_text([](auto x) { return jig::cast<int>(jig::argmin<0>(x)); }).find("ShortArgMin") != std::string::npos);
  CHECK(lowered_text([](auto x) { return jig::cast<float>(jig::argmax<1>(x)); }).find("Short") == std::string::npos);
  CHECK(lowered_text([](auto x) {
          const auto at = jig::argmax<1>(x);
          return std::tuple(jig::cast<int>(at), at);
        }).find("Short") == std::string::npos);
}

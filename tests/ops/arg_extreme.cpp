// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

constexpr float quiet = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("argmax and argmin") {
  jig::tensor<float, 2, 4> x{{1, 3, 3, 2}, {0, -5, -5, 7}};
  auto y = traced([](const auto& v) { return jig::argmax<1>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<std::int64_t, 2>>);
  CHECK(elements(y) == std::vector<std::int64_t>{1, 3});
  auto f = jig::function<"f(x)">([](auto v) { return std::tuple(jig::argmin<-1>(v), jig::argmax(v), jig::argmax(jig::transpose(v))); });
  auto [lowest, along_columns, turned] = f(x);
  CHECK(elements(lowest) == std::vector<std::int64_t>{0, 1});
  CHECK(elements(along_columns) == std::vector<std::int64_t>{0, 0, 0, 1});
  CHECK(elements(turned) == std::vector<std::int64_t>{1, 3});
  auto g = jig::function<"g(x)">([](auto v) { return std::tuple(jig::argmax(v), jig::argmin(v)); });
  auto [most, least] = g(std::vector<float>{2, quiet, 9, quiet});
  CHECK(most() == 1);
  CHECK(least() == 1);
  CHECK(std::get<0>(g(std::vector<float>{quiet, 9}))() == 0);
  CHECK(jig::argmax(jig::tensor<bool, 3>{false, true, true})() == 1);
  CHECK(jig::argmin(std::vector<std::uint8_t>{3, 2, 2})() == 1);
  CHECK(jig::argmax<1>(jig::zeros<int, 0, 3>()).size() == 0);
  CHECK(message_of([] { (void)jig::argmin(std::vector<std::uint8_t>()); }) == "ArgMin: axis 0 has no elements");
}

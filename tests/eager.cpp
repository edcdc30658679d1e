// SPDX-License-Identifier: MIT
#include <jig/eager.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

TEST_CASE("ops on tensors compute at once") {
  jig::tensor<float, 2, 2> x{{1, 2}, {3, 4}};
  auto y = jig::sqrt(x * x + 0) - x;
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 2, 2>>);
  for (float v : y) CHECK(v == 0);
  // Real values: real branches and loops.
  int steps = 0;
  while (static_cast<float>(jig::reduce_sum(x)) > 1) {
    x = x * 0.5f;
    ++steps;
  }
  CHECK(steps == 4);
}

TEST_CASE("one lambda computes the same in both worlds, bit for bit") {
  auto lambda = [](const auto& x, const auto& y) {
    auto d = jig::exp(x - y) / 3;
    return jig::where(d > 1, jig::log1p(d), -d * y);
  };
  jig::tensor<double, 67> x, y;
  for (int i = 0; i < 67; ++i) {
    x(i) = i / 7.0 - 4;
    y(i) = 3 - i / 11.0;
  }
  auto eager = lambda(x, y);
  auto traced = jig::function<"f(x, y)">(lambda)(x, y);
  for (int i = 0; i < 67; ++i) CHECK(eager(i) == traced(i));
}

TEST_CASE("containers, views and numbers are operands") {
  std::vector<float> v{1, 2, 3};
  std::array<float, 3> a{4, 5, 6};
  float raw[3] = {7, 8, 9};
  auto sum = jig::add_n(v, a, raw);
  CHECK(sum(2) == 18);
  static_assert(std::is_same_v<decltype(jig::maximum(a, raw)), jig::tensor<float, 3>>);
  static_assert(std::is_same_v<decltype(jig::maximum(v, raw)), jig::tensor<float, 3>>);
  static_assert(std::is_same_v<decltype(jig::maximum(v, v)), jig::tensor<float, jig::dyn>>);
  jig::view<const float, 3> seen(v.data());
  CHECK((seen + a)(0) == 5);
  CHECK((2 * seen)(2) == 6);
  CHECK(jig::maximum(std::span<const float>(v), 2)(0) == 2);
  jig::tensor<std::string, 2> words{"a", "b"};
  CHECK((words + words)(1) == "bb");
}

TEST_CASE("literals take the dtype of the tensor") {
  static_assert(std::is_same_v<decltype(jig::tensor<float>() + 1), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::tensor<float>() + 0.5), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(1 - jig::tensor<std::uint8_t>()), jig::tensor<std::uint8_t>>);
  static_assert(std::is_same_v<decltype(jig::tensor<float>() * jig::lit<2>), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::maximum(1, 2.5f)), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::maximum(1, 2)), jig::tensor<int>>);
  CHECK((jig::tensor<float>{1} + 0.1)() == 1 + 0.1f);
  CHECK((jig::lit<5> - jig::tensor<int>{2})() == 3);
}

TEST_CASE("a literal that the dtype cannot hold is refused, not wrapped") {
  jig::tensor<std::uint8_t, 2> x{1, 2};
  CHECK((x + 255)(0) == 0);
  CHECK_THROWS_AS((void)(x + 300), jig::invalid_argument);
  CHECK_THROWS_AS((void)(x + -1), jig::invalid_argument);
  CHECK_THROWS_AS((void)(x + jig::lit<256>), jig::invalid_argument);
  jig::tensor<std::int8_t, 2> y{1, 2};
  CHECK((y + -128)(0) == -127);
  CHECK_THROWS_AS((void)(y + 128), jig::invalid_argument);
  jig::tensor<int, 2> z{1, 2};
  CHECK_THROWS_AS((void)(z * 3'000'000'000), jig::invalid_argument);
  CHECK((z + 'a')(0) == 98);
  jig::tensor<std::uint64_t> w{1};
  CHECK((w + 18'446'744'073'709'551'615u)() == 0);
  CHECK_THROWS_AS((void)(w + -1), jig::invalid_argument);
}

TEST_CASE("what only the values tell is checked at the call") {
  std::vector<float> x{1, 2, 3}, y{1, 2};
  CHECK_THROWS_WITH_AS((void)jig::maximum(x, y), "Maximum: shapes do not broadcast: float32 (3,) and float32 (2,)",
                       jig::invalid_argument);
  jig::tensor<int, 2> a{1, 2}, zero{1, 0};
  CHECK_THROWS_AS((void)(a / zero), jig::invalid_argument);
}

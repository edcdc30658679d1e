// SPDX-License-Identifier: MIT
#include <jig/eval/eager_run.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

TEST_CASE("a function runs as it stands on tensors and variables") {
  constexpr auto f = jig::function<"f(v, x, n)">([](auto& v, auto x, auto n) {
    for (auto i : jig::range(n)) {
      if (i == 1) continue;
      v.assign_add(x);
    }
    return std::tuple(v.read(), x * 2, 5);
  });
  jig::variable<float, 2> v;
  auto [a, b, c] = f.eager(v, std::vector<float>{1, 2}, 3);
  static_assert(std::is_same_v<decltype(a), jig::tensor<float, 2>> && std::is_same_v<decltype(c), jig::tensor<int>>);
  CHECK(a(1) == 4);
  CHECK(b(1) == 4);
  CHECK(c() == 5);
  CHECK(v.value()(0) == 2);
}

TEST_CASE("numbers, strings and structures are values to the lambda") {
  constexpr auto f = jig::function<"f(x, s, p)">([](auto x, auto s, auto p) {
    static_assert(jig::is_variable_value<decltype(x)> && jig::is_variable_value<decltype(s)>);
    return std::pair(x + std::get<0>(p), s);
  });
  auto r = f.eager(1, "text", std::tuple(2, jig::lit<3>));
  CHECK(r.first() == 3);
  CHECK(r.second() == "text");
}

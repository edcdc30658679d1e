// SPDX-License-Identifier: MIT
#include <jig/trace/cond.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

TEST_CASE("cond") {
  static constexpr auto clamp =
      jig::function<"clamp(x)">([](auto x) { return jig::cond(x > 1, [&] { return jig::ones_like(x); }, [&] { return x; }); });
  static_assert(clamp.get_concrete_function(jig::spec<float>()).graph().count("If") == 1);
  CHECK(clamp(3.0f)() == 1.0f);
  CHECK(clamp(0.5f)() == 0.5f);
  CHECK(jig::cond(true, [] { return 1; }, [] { return 2; }) == 1);
  CHECK(jig::cond(jig::tensor<bool>(false), [] { return 1; }, [] { return 2; }) == 2);

  // Several results, literals among them, and nothing but what one of them needs.
  static constexpr auto two = jig::function([](auto x, auto y) {
    auto [a, b] = jig::cond(x > y, [&] { return std::tuple(x, 1); }, [&] { return std::tuple(y * 2, 0); });
    return a * 10 + b;
  });
  CHECK(two(5, 2)() == 51);
  CHECK(two(2, 5)() == 100);
  // What the functions assign is assigned.
  static constexpr auto assigned = jig::function([](auto x) {
    auto y = x;
    jig::cond(x > 0, [&] { y = y + 1; }, [&] { y = y - 1; });
    return y;
  });
  CHECK(assigned(4)() == 5);
  CHECK(assigned(-4)() == -5);
}

TEST_CASE("switch_case") {
  static constexpr auto pick =
      jig::function([](auto i, auto x) { return jig::switch_case(i, [&] { return x; }, [&] { return x * 2; }, [&] { return x - 100; }); });
  CHECK(pick(0, 7)() == 7);
  CHECK(pick(1, 7)() == 14);
  CHECK(pick(2, 7)() == -93);
  CHECK(pick(3, 7)() == -93);
  CHECK(pick(-1, 7)() == -93);
  CHECK(jig::switch_case(1, [] { return 5; }, [] { return 6; }, [] { return 7; }) == 6);
}

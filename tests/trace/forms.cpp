// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

TEST_CASE("cond") {
  static constexpr auto clamp = jig::function<"clamp(x)">([](auto x) {
    return jig::cond(x > 1, [&] { return jig::ones_like(x); }, [&] { return x; });
  });
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
  static constexpr auto pick = jig::function([](auto i, auto x) {
    return jig::switch_case(i, [&] { return x; }, [&] { return x * 2; }, [&] { return x - 100; });
  });
  CHECK(pick(0, 7)() == 7);
  CHECK(pick(1, 7)() == 14);
  CHECK(pick(2, 7)() == -93);
  CHECK(pick(3, 7)() == -93);
  CHECK(pick(-1, 7)() == -93);
  CHECK(jig::switch_case(1, [] { return 5; }, [] { return 6; }, [] { return 7; }) == 6);
}

TEST_CASE("while_loop") {
  static constexpr auto doubled = jig::function([](auto x) {
    auto [i, y] = jig::while_loop([](auto k, auto) { return k < 10; }, [](auto k, auto z) { return std::tuple(k + 1, z + z); },
                                  std::tuple(jig::constant_like(x, 0), x));
    return y;
  });
  static_assert(doubled.get_concrete_function(jig::spec<int>()).graph().count("While") == 1);
  CHECK(doubled(1)() == 1024);
  // A single value, and no trip at all.
  static constexpr auto halved = jig::function([](auto x) {
    return jig::while_loop([](auto y) { return jig::reduce_max(y) > 1; }, [](auto y) { return y / 2; }, x);
  });
  auto y = halved(jig::tensor<float, 3>{8, 4, -1});
  CHECK(y(0) == 1.0f);
  CHECK(y(1) == 0.5f);
  CHECK(y(2) == -0.125f);
  CHECK(halved(jig::tensor<float, 3>{1, 0.5f, -1})(0) == 1.0f);
  CHECK(halved(std::vector<float>{32})(0) == 1.0f);
  // On tensors it runs at once.
  auto eager = jig::while_loop([](auto k) { return k < 100; }, [](auto k) { return k * 3; }, jig::tensor<int>(1));
  CHECK(eager() == 243);
}

TEST_CASE("scan and map") {
  static constexpr auto running = jig::function([](auto x) {
    return jig::scan([](auto s, auto row) { return s + row; }, x, jig::zeros_like(x[0]));
  });
  static constexpr auto squares = jig::function([](auto x) { return jig::map([](auto row) { return row * row; }, x); });
  for (jig::index n : {1, 2, 7}) {
    auto x = jig::zeros<float, jig::dyn, 3>(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
    auto sums = running(x);
    auto y = squares(x);
    REQUIRE(sums.shape() == jig::shape{2, {n, 3}});
    for (jig::index j = 0; j < 3; ++j) {
      float s = 0;
      for (jig::index i = 0; i < n; ++i) {
        s += x(i, j);
        CHECK(sums(i, j) == s);
        CHECK(y(i, j) == x(i, j) * x(i, j));
      }
    }
  }
  CHECK(squares(jig::zeros<float, jig::dyn, 3>(0)).extent(0) == 0);
  static_assert(decltype(running(jig::tensor<float, 4, 2>()))::rank() == 2);
  auto fixed = running(jig::ones<float, 4, 2>());
  static_assert(std::is_same_v<decltype(fixed), jig::tensor<float, 4, 2>>);
  CHECK(fixed(3, 1) == 4.0f);
}

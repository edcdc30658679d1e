// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("tensors of one value") {
  auto z = jig::zeros<float, 2, 3>();
  static_assert(std::is_same_v<decltype(z), jig::tensor<float, 2, 3>>);
  for (float x : z) CHECK(x == 0);
  auto o = jig::ones<int, dyn, 2>(3);
  static_assert(std::is_same_v<decltype(o), jig::tensor<int, dyn, 2>>);
  CHECK(o.extent(0) == 3);
  for (int x : o) CHECK(x == 1);
  auto f = jig::full<double, dyn, dyn>(0.5, 2, 0);
  CHECK(f.size() == 0);
  CHECK(f.extent(0) == 2);
  CHECK(jig::full<bool>(true)() == true);
  CHECK(jig::full<std::string, 2>("a")(1) == "a");
  CHECK(jig::zeros<std::string, 1>()(0).empty());
  CHECK(jig::zeros<std::int8_t, jig::dim<"n">>(4).size() == 4);
  // larger than what fits inside the object
  auto big = jig::ones<double, 1000>();
  for (double x : big) CHECK(x == 1);
}

TEST_CASE("a negative extent throws") { CHECK_THROWS_AS((jig::zeros<float, dyn>(-1)), jig::invalid_argument); }

TEST_CASE("identity matrices") {
  constexpr auto check = [](const auto& m) {
    for (jig::index i = 0; i < m.extent(0); ++i)
      for (jig::index j = 0; j < m.extent(1); ++j) CHECK(m(i, j) == (i == j ? 1 : 0));
  };
  check(jig::eye<float, 3>());
  check(jig::eye<int, 2, 5>());
  check(jig::eye<double, dyn>(4));
  check(jig::eye<double, dyn, dyn>(4, 2));
  static_assert(std::is_same_v<decltype(jig::eye<int, 2>()), jig::tensor<int, 2, 2>>);
  CHECK(jig::eye<float, 0>().size() == 0);
}

TEST_CASE("numbers in a row") {
  auto i = jig::iota<std::int64_t, 4>();
  CHECK(i(3) == 3);
  CHECK(jig::iota<float, dyn>(300)(299) == 299.0f);
  auto l = jig::linspace<double, 5>(0, 1);
  CHECK(l(0) == 0);
  CHECK(l(1) == 0.25);
  CHECK(l(4) == 1);
  CHECK(jig::linspace<float, 1>(2, 3)(0) == 2.0f);
  CHECK(jig::linspace<float, dyn>(0, 1, 0).size() == 0);
  auto thirds = jig::linspace<float, dyn>(-1, 1, 7);
  for (int k = 0; k < 7; ++k) CHECK(thirds(k) == -thirds(6 - k));
}

TEST_CASE("new tensors are constants in a trace") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    return x + jig::ones<float, 2, 2>() + jig::full<float, 1, 2>(2) + jig::eye<float, 2>() + jig::iota<float, 2>() +
           jig::linspace<float, 2>(0, 8);
  });
  jig::tensor<float, 2, 2> x{{10, 20}, {30, 40}};
  auto y = f(x);
  CHECK(y(0, 0) == 14);
  CHECK(y(0, 1) == 32);
  CHECK(y(1, 1) == 53);
  constexpr auto traced = f.get_concrete_function(jig::spec<float, 2, 2>{});
  static_assert(traced.graph().count("Const") == 5);
}

TEST_CASE("without a dtype, new tensors have that of TensorFlow") {
  static_assert(std::is_same_v<decltype(jig::zeros<2, dyn>(3)), jig::tensor<float, 2, dyn>>);
  static_assert(std::is_same_v<decltype(jig::zeros()), jig::tensor<float>>);
  static_assert(std::is_same_v<decltype(jig::ones<3>()), jig::tensor<float, 3>>);
  static_assert(std::is_same_v<decltype(jig::eye<3>()), jig::tensor<float, 3, 3>>);
  static_assert(std::is_same_v<decltype(jig::eye<3, dyn>(2)), jig::tensor<float, 3, dyn>>);
  static_assert(std::is_same_v<decltype(jig::full<2>(0.5)), jig::tensor<double, 2>>);
  static_assert(std::is_same_v<decltype(jig::linspace<5>(0.0f, 1)), jig::tensor<float, 5>>);
  static_assert(std::is_same_v<decltype(jig::iota<64>()), jig::tensor<std::int32_t, 64>>);
  CHECK(jig::zeros<2, dyn>(3)(1, 2) == 0);
  CHECK(jig::ones<3>()(2) == 1);
  CHECK((jig::eye<3, dyn>(2)(1, 1) == 1 && jig::eye<3, dyn>(2)(2, 1) == 0));
  CHECK(jig::full<dyn>(7, 3)(2) == 7);
  CHECK(jig::linspace<5>(0.0f, 1)(1) == 0.25f);
  CHECK(jig::iota<dyn>(3)(2) == 2);
  constexpr auto f = jig::function([](auto x) { return x * jig::ones<64>() + jig::cast<float>(jig::iota<64>()); });
  const auto y = f(jig::full<64>(0.5f));
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += y(i) != 0.5f + static_cast<float>(i);
  CHECK(wrong == 0);
}

TEST_CASE("values like another one") {
  static constexpr auto all =
      jig::function([](auto x, auto value) { return std::tuple(jig::zeros_like(x), jig::ones_like(x), jig::full_like(x, value)); });
  auto check = []<class T>(std::type_identity<T>) {
    for (jig::index n : {0, 1, 5, 67}) {
      jig::tensor<T, dyn> x = jig::zeros<T, dyn>(n);
      auto [zeros, ones, full] = all(x, jig::tensor<T>(T(1)));
      static_assert(std::is_same_v<decltype(ones), jig::tensor<T, dyn>>);
      CHECK(ones.size() == n);
      for (jig::index i = 0; i < n; ++i) {
        CHECK(zeros(i) == T(0));
        CHECK(ones(i) == T(1));
        CHECK(full(i) == T(1));
      }
    }
  };
  check(std::type_identity<float>());
  check(std::type_identity<bool>());
  check(std::type_identity<std::int8_t>());
  check(std::type_identity<std::uint64_t>());
  jig::tensor<std::string, 2> words{"a", "b"};
  CHECK(jig::zeros_like(words)(1).empty());
  CHECK(jig::full_like(words, std::string("c"))(1) == "c");
  CHECK(jig::ones_like(3.5)() == 1.0);
  CHECK(jig::full_like(std::vector<float>{1, 2}, 7)(1) == 7.0f);
}

TEST_CASE("values like a traced one") {
  constexpr auto f = jig::function<"f(x)">(
      [](auto x) { return jig::where(x > 0, jig::zeros_like(x), jig::full_like(x, jig::reduce_sum(x))) + jig::ones_like(x); });
  jig::tensor<float, 3> x{1, -2, 3};
  auto y = f(x);
  CHECK(y(0) == 1);
  CHECK(y(1) == 3);
  constexpr auto traced = f.get_concrete_function(jig::spec<float, dyn>{});
  static_assert(std::is_same_v<decltype(traced)::output_spec, jig::spec<float, dyn>>);
  static_assert(traced.graph().count("ZerosLike") == 1 && traced.graph().count("OnesLike") == 1);
  // Masks go through the same loops as numbers.
  constexpr auto g = jig::function<"g(x)">([](auto v) { return ((v > 0) & jig::ones_like(v > 9)) | jig::zeros_like(v < 0); });
  jig::tensor<double, 11> v;
  for (int i = 0; i < 11; ++i) v(i) = i - 5;
  auto w = g(v);
  for (int i = 0; i < 11; ++i) CHECK(w(i) == (i > 5));
}

TEST_CASE("identity matrices like another matrix") {
  jig::tensor<int, 2, 2> m{{5, 6}, {7, 8}};
  auto e = jig::eye_like(m);
  CHECK(e(0, 0) == 1);
  CHECK(e(0, 1) == 0);
  auto f = jig::function<"f(x)">([](auto x) { return jig::eye_like(x) + x; });
  auto batch = f(jig::zeros<float, 2, 2, 3>());
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) CHECK(batch(b, i, j) == (i == j));
  constexpr auto traced = f.get_concrete_function(jig::spec<float, dyn, dyn>{});
  static_assert(std::is_same_v<decltype(traced)::output_spec, jig::spec<float, dyn, dyn>>);
  CHECK(traced(jig::zeros<float, dyn, dyn>(3, 2))(1, 1) == 1);
  CHECK(traced(jig::zeros<float, dyn, dyn>(3, 0)).size() == 0);
  const auto tall = jig::eye_like(jig::zeros<std::int8_t, 2, 3, 2>());
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) CHECK(tall(b, i, j) == (i == j));
}

TEST_CASE("constants in the world of another value") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x + jig::constant_like(x, 2) * 3; });
  static_assert(f.get_concrete_function(jig::spec<float>{}).graph().count("Const") == 2);
  CHECK(f(1.5f)() == 7.5f);
  auto c = jig::constant_like(jig::tensor<double, 2>{1, 2}, jig::lit<4>);
  static_assert(std::is_same_v<decltype(c), jig::tensor<double>>);
  CHECK(c() == 4.0);
  static_assert(std::is_same_v<decltype(jig::constant_like(std::vector<std::uint8_t>(), 1)), jig::tensor<std::uint8_t>>);
  CHECK(jig::constant_like(true, false)() == false);
  const jig::tensor<std::uint8_t, 2> bytes{1, 2};
  CHECK(jig::constant_like(bytes, 255u)() == 255);
  CHECK_THROWS_WITH_AS((void)jig::constant_like(bytes, 256), "a literal does not fit the dtype of the tensor", jig::invalid_argument);
  CHECK_THROWS_WITH_AS((void)jig::constant_like(jig::variable<std::uint8_t, 2>(bytes), -1),
                       "a literal does not fit the dtype of the tensor", jig::invalid_argument);
  static_assert(std::is_same_v<decltype(f.get_concrete_function(jig::spec<int, 3>{}))::output_spec, jig::spec<int, 3>>);
}

TEST_CASE("arrays of arrays are constants of a trace") {
  using rows = std::array<std::array<float, 3>, 2>;
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    constexpr float weights[2][3] = {{1, 2, 3}, {4, 5, 6}};
    constexpr std::array<long long, 3> counts[2] = {{{1, 0, 2}}, {{0, 3, 0}}};
    return x * rows{{{{10, 20, 30}}, {{40, 50, 60}}}} + jig::constant(weights) + jig::cast<float>(jig::constant(counts)) +
           jig::cast<float>(jig::constant(std::array<long long, 3>{7, 8, 9}));
  });
  const auto y = f(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  const float counts[] = {1, 0, 2, 0, 3, 0};
  for (int i = 0; i < 6; ++i) {
    const auto k = static_cast<float>(i + 1);
    CHECK(y.data()[i] == k * 10 * k + k + counts[i] + static_cast<float>(7 + i % 3));
  }
  // At run time too.
  rows given{{{{1, 2, 3}}, {{4, 5, 6}}}};
  const auto c = jig::constant(given);
  given[1][2] = 0;
  CHECK(c(1, 2) == 6);
  static_assert(std::is_same_v<decltype(c), const jig::tensor<float, 2, 3>>);
}

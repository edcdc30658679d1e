// SPDX-License-Identifier: MIT
#undef JIG_NO_EAGER  // it is what is tested here
#include <jig/eager.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
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
  CHECK_THROWS_WITH_AS((void)jig::maximum(x, y), "Maximum: shapes do not broadcast: float32 (3,) and float32 (2,)", jig::invalid_argument);
  jig::tensor<int, 2> a{1, 2}, zero{1, 0};
  CHECK_THROWS_AS((void)(a / zero), jig::invalid_argument);
}

TEST_CASE("functions run eagerly when that is switched on") {
  static constexpr auto get_mse = jig::function<"get_MSE(y_true, y_pred)">([](auto y_true, auto y_pred) {
    auto difference = y_true - y_pred;
    return jig::reduce_mean(difference * difference);
  });
  const jig::tensor<int, 5> a{1, 0, 4, 4, 7}, b{3, 6, 3, 0, 6}, c{4, 7, 4, 9, 0}, d{7, 4, 1, 6, 3};
  // Only in eager mode does a lambda run again in every call: it may then look at values and at the world.
  static int runs = 0;
  static constexpr auto counted = jig::function([](auto x) {
    if (!std::is_constant_evaluated()) ++runs;
    if (x > 0) return x;
    return jig::zeros_like(x);
  });
  for (bool eagerly : {false, true, false}) {
    jig::run_functions_eagerly(eagerly);
    CHECK(jig::functions_run_eagerly() == eagerly);
    CHECK(get_mse(a, b)() == 11);
    CHECK(get_mse(c, d)() == 9);
    runs = 0;
    CHECK(counted(5)() == 5);
    CHECK(counted(-5)() == 0);
    CHECK(runs == (eagerly ? 2 : 0));
    static_assert(std::is_same_v<decltype(counted(5)), jig::tensor<int>>);
  }
  CHECK(get_mse.eager(a, b)() == 11);
}

TEST_CASE("options of functions that run eagerly") {
  static int runs = 0;
  static constexpr auto root = jig::function<"root(x)">([](auto x) {
    if (!std::is_constant_evaluated()) ++runs;
    return jig::sqrt(x);
  });
  constexpr auto declared = root.with_signature<jig::spec<float, jig::dyn>>();
  const jig::tensor<float, 2> x{4, 9};
  for (bool eagerly : {false, true}) {
    jig::run_functions_eagerly(eagerly);
    runs = 0;
    CHECK(declared(x)(1) == 3);
    CHECK(root.relax_shapes().max_traces<9>()(x)(1) == 3);
    CHECK(declared(jig::any_tensor(x)).as<float>()(1) == 3);
    CHECK(runs == (eagerly ? 3 : 0));
    // Checks are in the graph.
    runs = 0;
    CHECK(root.check_numerics()(x)(1) == 3);
    CHECK(root.check_numerics()(jig::any_tensor(x)).as<float>()(1) == 3);
    CHECK(runs == (eagerly ? 0 : 1));  // it is traced in the first call
    CHECK_THROWS_AS(declared(jig::any_tensor(1.5f)), jig::invalid_argument);
  }
  jig::run_functions_eagerly(false);
}

TEST_CASE("an unused gather out of range throws in eager mode only") {
  static constexpr auto unused = jig::function([](auto x) {
    (void)jig::gather(x, 1);
    return x;
  });
  jig::tensor<float, 1> x{0};
  CHECK(unused(x)(0) == 0.0f);
  CHECK_THROWS_AS(unused.eager(x), jig::invalid_argument);
  jig::run_functions_eagerly(true);
  CHECK_THROWS_AS(unused(x), jig::invalid_argument);
  jig::run_functions_eagerly(false);
}

TEST_CASE("what runs eagerly has the results of the graph, in its types") {
  static constexpr auto f = jig::function([](auto x, auto n) {
    auto sums = jig::tensor_array(jig::extent<0>(x), x[0]);
    auto s = jig::zeros_like(x[0]);
    for (auto i : jig::range(jig::extent<0>(x))) {
      s = s + x[i];
      sums = sums.write(i, s);
    }
    JIG_WHILE(n < 10) { n = n * 2; }
    return std::tuple(sums.stack(), n, 5);
  });
  jig::tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  auto traced = f(x, 3);
  jig::run_functions_eagerly(true);
  auto eager = f(x, 3);
  jig::run_functions_eagerly(false);
  static_assert(std::is_same_v<decltype(traced), decltype(eager)>);
  for (jig::index i = 0; i < 6; ++i) CHECK(std::get<0>(traced).data()[i] == std::get<0>(eager).data()[i]);
  CHECK(std::get<1>(traced)() == 12);
  CHECK(std::get<1>(eager)() == 12);
  CHECK(std::get<2>(eager)() == 5);
}

TEST_CASE("calls with run-time tensors run eagerly too where that is switched on") {
  constexpr auto mse =
      jig::function<"get_MSE(y_true, y_pred)">([](auto y_true, auto y_pred) { return jig::reduce_mean(jig::square(y_true - y_pred)); });
  using vector = jig::tensor<int, 5>;
  const jig::any_tensor truth(vector{1, 0, 4, 4, 7}), guess(vector{3, 6, 3, 0, 6});
  jig::run_functions_eagerly(true);
  CHECK(jig::tensor<int>(mse(truth, guess))() == 11);
  CHECK(jig::tensor<int>(mse.relax_shapes()(truth, guess))() == 11);
  int runs = 0;
  const auto counting = jig::dynamic_function([&](auto x) {
    ++runs;
    return x + 1;
  });
  for (int i = 0; i < 3; ++i) CHECK(jig::tensor<int>(counting(jig::any_tensor(i)))() == i + 1);
  CHECK(runs == 3);
  CHECK(counting.experimental_get_tracing_count() == 0);
  jig::run_functions_eagerly(false);
  CHECK(mse.experimental_get_tracing_count() == 0);
  CHECK(jig::tensor<int>(mse(truth, guess))() == 11);
  CHECK(mse.experimental_get_tracing_count() == 1);
}

TEST_CASE("values that belong to no trace meet in a lambda that is traced") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = jig::zeros<float, 3>() + jig::ones<float, 3>();
    auto z = jig::full<float, 3, 3>(2) * jig::eye<float, 3>() - jig::constant(1.0f) / 2;
    auto k = jig::iota<int, 3>() * 3 + 1;
    auto sum = jig::cast<float>(jig::reduce_sum(k));
    y[0] = 7;
    y += 1;
    y(1) = 2;
    return x + y + z[1] + jig::cast<float>(k) + sum;
  });
  const jig::tensor<float, 3> x{1, 2, 3};
  const std::vector<float> expected{1 + 8 - .5f + 1 + 12, 2 + 2 + 1.5f + 4 + 12, 3 + 2 - .5f + 7 + 12};
  const auto traced = f(x), eager = f.eager(x);
  CHECK(std::vector<float>(traced.begin(), traced.end()) == expected);
  CHECK(std::vector<float>(eager.begin(), eager.end()) == expected);
  static_assert(f.get_concrete_function(jig::spec<float, 3>()).graph().count("Mul") == 0);
  static_assert((jig::constant(2) * 3)() == 6);
  CHECK(jig::constant(std::array<int, 2>{1, 2})(1) == 2);
}

TEST_CASE("operands whose types tell everything, and such that a call has to bind") {
  using vector = std::vector<float>;
  float memory[6] = {1, 2, 3, 4, 5, 6};
  const jig::view<const float, 3, 2> given(memory, {3, 2}, {1, 3});  // columns of a matrix: strided
  jig::tensor<float, 3, 2> copy;
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index j = 0; j < 2; ++j) copy(i, j) = memory[i + 3 * j];
  const auto strided = jig::matmul(jig::transpose(given), given), dense = jig::matmul(jig::transpose(copy), copy);
  CHECK(std::is_same_v<decltype(strided), decltype(dense)>);
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index j = 0; j < 2; ++j) CHECK(strided(i, j) == dense(i, j));
  CHECK(dense(0, 1) == 1 * 4 + 2 * 5 + 3 * 6);
  const long long wide[2] = {1, -7};
  const auto squares = jig::square(std::array<long long, 2>{wide[0], wide[1]});
  CHECK(squares(1) == 49);
  CHECK((jig::tensor<float>(3.0f) + vector{1, 2})(1) == 5);
  CHECK((jig::tensor<float, 0>() + 1.0f).size() == 0);
}

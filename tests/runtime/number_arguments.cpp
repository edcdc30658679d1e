// SPDX-License-Identifier: MIT
// Numbers beside run-time tensors take the dtype of what they meet, as in static traces.
#include "../compared_numbers.hpp"

#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T>
auto elements_of(const jig::any_tensor& x) {
  const auto y = x.as<T, jig::dyn>();
  return std::vector<T>(y.begin(), y.end());
}
template <class T>
T number_of(const jig::any_tensor& x) {
  return x.as<T>()();
}

constexpr auto many = jig::function<"many(x, k)">([](auto x, auto k) {
  auto n = k;
  n = n + 1;
  auto y = x;
  y[0] = k;
  y[1] += k;
  auto sum = jig::constant_like(x, 0);
  sum = n;
  for (auto i : jig::range(k)) sum = sum + i * x[1];
  auto [z, m] =
      jig::while_loop([](auto, auto i) { return i > 0; }, [](auto v, auto i) { return std::tuple(v * i, i - 1); }, std::tuple(x, k));
  auto chosen = k;
  JIG_IF(k > 2) {
    chosen = chosen * 2;
  } JIG_ELSE {
    chosen = chosen - 1;
  }
  return std::tuple(x * (k * 0.5), y * n, sum, z + m, x[k - 2] * chosen, n, jig::constant_like(k, 7) * x);
});

void check_many(const auto& results) {
  CHECK(elements_of<float>(std::get<0>(results)) == std::vector<float>{1.5f, 3});
  CHECK(elements_of<float>(std::get<1>(results)) == std::vector<float>{12, 20});
  CHECK(number_of<float>(std::get<2>(results)) == 10);
  CHECK(elements_of<float>(std::get<3>(results)) == std::vector<float>{6, 12});
  CHECK(number_of<float>(std::get<4>(results)) == 12);
  CHECK(number_of<int>(std::get<5>(results)) == 4);
  CHECK(elements_of<float>(std::get<6>(results)) == std::vector<float>{7, 14});
}

}  // namespace

TEST_CASE("arithmetic, assignments, ranges, loops and branches") {
  const jig::any_tensor x(jig::tensor<float, 2>{1, 2});
  check_many(many(x, 3));
  check_many(many.eager(x, 3));
  const auto [a, b, c, d, e, f, g] = many(jig::tensor<float, 2>{1, 2}, 3);
  check_many(std::tuple(jig::any_tensor(a), jig::any_tensor(b), jig::any_tensor(c), jig::any_tensor(d), jig::any_tensor(e),
                        jig::any_tensor(f), jig::any_tensor(g)));
}

TEST_CASE("numbers alone, and dtypes that decide") {
  constexpr auto f = jig::function<"f(x, k, a)">([](auto x, auto k, auto a) { return std::tuple(x * (k + a), k + a); });
  const jig::any_tensor x(jig::tensor<float, 2>{1, 2});
  const auto sum = [&](auto k, auto a) { return std::get<1>(f(x, k, a)).dtype(); };
  CHECK(sum(1, 0.5) == jig::dtype::float64);
  CHECK(sum(1, 0.5f) == jig::dtype::float32);
  CHECK(sum(1L, 2) == jig::dtype::int64);
  CHECK(sum(1u, 2) == jig::dtype::uint32);
  CHECK(sum(std::int16_t(1), std::int8_t(2)) == jig::dtype::int32);
  CHECK(sum(std::uint8_t(1), std::uint8_t(2)) == jig::dtype::uint8);
  CHECK(elements_of<float>(std::get<0>(f(x, 1, 0.5))) == std::vector<float>{1.5f, 3});
  constexpr auto product = jig::function<"product(x, k)">([](auto n, auto k) { return n * k; });
  const jig::any_tensor n(jig::tensor<int, 2>{1, 2});
  CHECK(elements_of<int>(product(n, 2L)) == std::vector<int>{2, 4});
  CHECK(message_of([&] { product(n, 2.5); }) ==
        "Mul: a number of dtype float64 cannot join a tensor of dtype int32: use jig::cast, or call with a number of that kind");
  // A run-time tensor has its own dtype, also where it is a number.
  CHECK(message_of([&] { product(n, jig::any_tensor(2L)); }).find("dtypes differ") != std::string::npos);
}

TEST_CASE("one signature for all values") {
  const auto f = jig::dynamic_function([](auto x, auto k) { return x + k; });
  const jig::any_tensor x(jig::tensor<float, 2>{1, 2});
  CHECK(elements_of<float>(f(x, 2)) == std::vector<float>{3, 4});
  CHECK(elements_of<float>(f(x, 5)) == std::vector<float>{6, 7});
  CHECK(f.experimental_get_tracing_count() == 1);
  CHECK(elements_of<float>(f(x, 5.0)) == std::vector<float>{6, 7});
  CHECK(f.experimental_get_tracing_count() == 2);
  CHECK(elements_of<float>(f.relax_shapes()(jig::any_tensor(jig::tensor<float, 1>{1}), 5)) == std::vector<float>{6});
}

TEST_CASE("variables take numbers, gradients go back to their dtype") {
  constexpr auto f = jig::function<"f(v, x, k)">([](auto& v, auto x, auto k) {
    v.assign(k);
    v.assign_add(k);
    return x * v;
  });
  jig::variable<float> v{0};
  CHECK(elements_of<float>(f(v, jig::any_tensor(jig::tensor<float, 2>{1, 2}), 3)) == std::vector<float>{6, 12});
  CHECK(v.value()() == 6);
  constexpr auto loss = jig::function<"loss(x, k)">([](auto x, auto k) { return jig::reduce_sum(x * k * k); });
  const auto by_k = jig::grad<1>(loss)(jig::any_tensor(jig::tensor<float, 2>{1, 2}), 3.0);
  CHECK(by_k.dtype() == jig::dtype::float64);
  CHECK(number_of<double>(by_k) == 18);
}

TEST_CASE("as loops in C++") {
  compare_numbers([](const auto& f, const auto& x, auto k) {
    using T = typename std::remove_cvref_t<decltype(x)>::value_type;
    const auto [a, b, c, d, e] = f(jig::any_tensor(x), k);
    return std::tuple(a.template as<T, jig::dyn>(), b.template as<T, jig::dyn>(), c.template as<T, jig::dyn>(),
                      d.template as<T, jig::dyn>(), e.template as<int, jig::dyn>());
  });
}

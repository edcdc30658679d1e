// SPDX-License-Identifier: MIT
#include "../compared_numbers.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

constexpr auto scale = jig::function<"scale(x, k)">([](auto x, auto k) { return x * (k + 1) / 2; });

template <class Expected, class... S>
constexpr bool is_weak_at(Expected, S...) {
  return std::is_same_v<typename decltype(scale.get_concrete_function(S()...))::output_spec, Expected>;
}

}  // namespace

TEST_CASE("a number takes the dtype of what it meets, converted once") {
  const jig::tensor<float, 3> x{1, 2, 3};
  CHECK(elements(scale(x, 3)) == std::vector<float>{2, 4, 6});
  CHECK(elements(scale(x, 3L)) == elements(scale(x, 3.0)));
  CHECK(elements(scale(x, static_cast<std::size_t>(3))) == std::vector<float>{2, 4, 6});
  CHECK(elements(scale(std::vector<double>{1, 2}, 0.5f)) == std::vector<double>{0.75, 1.5});
  CHECK(elements(scale(std::vector<std::int64_t>{4, -6}, 3)) == std::vector<std::int64_t>{8, -12});
  CHECK(elements(scale(std::vector<std::uint8_t>{4, 6}, 1)) == std::vector<std::uint8_t>{4, 6});
  static_assert(scale.get_concrete_function(jig::spec<float, 3>(), 3).graph().count("Cast") == 1);
  static_assert(scale.get_concrete_function(jig::spec<float, 3>(), 3).graph().count("AddV2") == 1);
  static_assert(scale.get_concrete_function(jig::spec<float, 3>(), 3.0f).graph().count("Cast") == 0);
}

TEST_CASE("numbers alone are what C++ makes of them") {
  static_assert(is_weak_at(jig::spec<double>(), 3, 0.5));
  static_assert(is_weak_at(jig::spec<double>(), 0.5f, 0.5));
  static_assert(is_weak_at(jig::spec<std::int64_t>(), 3, 5L));
  static_assert(is_weak_at(jig::spec<int>(), std::int8_t(), std::int16_t()));
  static_assert(is_weak_at(jig::spec<float>(), 3, 0.5f));
  CHECK(scale(3, 0.5)() == 2.25);
  CHECK(scale(7, 4L)() == 17);
  // A floating literal makes a floating number of an integer, beside a tensor one of its dtype.
  constexpr auto f = jig::function([](auto x, auto k) { return x * (k * 0.5); });
  CHECK(elements(f(std::vector<float>{2, 4}, 3)) == std::vector<float>{3, 6});
}

TEST_CASE("what other arguments there are decides which numbers take other dtypes") {
  using jig::weak_spec;
  const auto keys = []<class... X>(const X&...) { return jig::detail::keys_of<X...>(); };
  using jig::detail::types;
  const std::vector<float> x;
  const std::vector<int> labels;
  const std::vector<std::uint8_t> bytes;
  using float_rows = jig::spec<float, jig::dyn>;
  using int_rows = jig::spec<int, jig::dyn>;
  const auto same = []<class A, class B>(const A&, const B&) { return std::is_same_v<A, B>; };
  CHECK(same(keys(x, 2), types<float_rows, weak_spec<int>>()));
  CHECK(same(keys(x, 2.0f), types<float_rows, jig::spec<float>>()));
  CHECK(same(keys(x, 0.5f, 2), types<float_rows, jig::spec<float>, weak_spec<int>>()));
  CHECK(same(keys(x, 0.5, true), types<float_rows, weak_spec<double>, jig::spec<bool>>()));
  CHECK(same(keys(x, labels, 2), types<float_rows, int_rows, weak_spec<int>>()));
  CHECK(same(keys(x, labels, 2.0f), types<float_rows, int_rows, jig::spec<float>>()));
  CHECK(same(keys(labels, 2), types<int_rows, jig::spec<int>>()));
  CHECK(same(keys(bytes, 0.5), types<jig::spec<std::uint8_t, jig::dyn>, weak_spec<double>>()));
  CHECK(same(keys(2, 3), types<jig::spec<int>, jig::spec<int>>()));
  CHECK(same(keys(2, 0.5), types<weak_spec<int>, jig::spec<double>>()));
  CHECK(same(keys(2, jig::tensor<int>{3}), types<jig::spec<int>, jig::spec<int>>()));
  CHECK(same(keys(jig::tensor<int>{3}, 2.5), types<jig::spec<int>, weak_spec<double>>()));
  CHECK(same(keys(2, "text", true), types<jig::spec<int>, jig::spec<std::string>, jig::spec<bool>>()));
  CHECK(same(keys(std::tuple(2, x)), types<std::tuple<weak_spec<int>, float_rows>>()));
  CHECK(same(keys(float_rows(), weak_spec<int>()), types<float_rows, weak_spec<int>>()));
  CHECK(same(keys(float_rows(), jig::spec<int>()), types<float_rows, jig::spec<int>>()));
}

TEST_CASE("the value belongs to the call, the dtype to the signature") {
  static constexpr auto f = jig::function<"f(x, k)">([](auto x, auto k) { return x + k; });
  const jig::tensor<float, 2> x{1, 2};
  CHECK(elements(f(x, 2)) == std::vector<float>{3, 4});
  CHECK(elements(f(x, 5)) == std::vector<float>{6, 7});
  CHECK(f.experimental_get_tracing_count() == 2);  // these, and those of any number of elements below
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, 2>(), jig::weak_spec<int>());
  static_assert(std::is_same_v<std::remove_cv_t<decltype(concrete)>, decltype(f.get_concrete_function(x, 2))>);
  CHECK(elements(concrete(x, 7)) == std::vector<float>{8, 9});
  CHECK(elements(concrete(x, jig::tensor<int>{7})) == std::vector<float>{8, 9});
  CHECK(concrete.pretty_printed_signature() ==
        "f(x, k)\n  Args:\n    x: float32 Tensor, shape=(2,)\n    k: int32 Tensor, shape=()\n  Returns:\n    float32 Tensor, shape=(2,)\n");
  jig::tensor<float, 2> out;
  f.into(out, x, -1);
  CHECK(elements(out) == std::vector<float>{0, 1});
  CHECK(elements(f.relax_shapes()(x, 2)) == std::vector<float>{3, 4});
  CHECK(elements(f.with_signature<jig::spec<float, jig::dyn>, int>()(x, 2)) == std::vector<float>{3, 4});
}

TEST_CASE("an integer number stays one where integers are asked for") {
  constexpr auto f = jig::function([](auto x, auto k) {
    auto y = x[k];
    for (auto i : jig::range(k)) y = y + x[i] * i;
    JIG_WHILE(k > 0) {
      y = y * 2;
      k = k - 1;
    }
    return std::tuple(y, k, x(k) + jig::gather<0>(x, k) * jig::reduce_sum(jig::slice<1>(x, k)));
  });
  const auto [y, k, z] = f(std::vector<float>{1, 2, 4, 8}, 3);
  CHECK(y() == (8 + 2 + 8) * 8);
  CHECK(k() == 0);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(k)>, jig::tensor<int>>);
  CHECK(z() == 2);
}

TEST_CASE("assignments convert a number, and keep the dtype of one that is assigned to") {
  constexpr auto f = jig::function([](auto x, auto k, auto& total) {
    auto sum = jig::constant_like(x, 0);
    sum = k;
    sum += k;
    auto y = x;
    y[0] = k;
    y[1] += k;
    y(jig::range_of(2, 4)) = k;
    auto n = k;
    n = n * 2;
    n = jig::cast<int>(sum);
    total.assign(k);
    total.assign_add(n);
    return std::tuple(sum, y, n * x);
  });
  jig::variable<double> total{0};
  const auto check = [&](const auto& results) {
    const auto& [sum, y, product] = results;
    CHECK(sum() == 6);
    CHECK(elements(y) == std::vector<float>{3, 13, 3, 3, 50});
    CHECK(elements(product) == std::vector<float>{0, 60, 120, 180, 300});
    CHECK(total.value()() == 9);
  };
  const jig::tensor<float, 5> x{0, 10, 20, 30, 50};
  check(f(x, 3, total));
  total.assign(0);
  check(f.eager(x, 3, total));
  static_assert(std::is_same_v<decltype(std::get<0>(f(x, 3, total))), jig::tensor<float>&&>);
}

TEST_CASE("loops and branches carry numbers") {
  constexpr auto f = jig::function([](auto x, auto k) {
    auto [y, n] =
        jig::while_loop([](auto, auto i) { return i > 0; }, [](auto v, auto i) { return std::tuple(v * i, i - 1); }, std::tuple(x, k));
    auto chosen = jig::cond(k > 2, [&] { return k + 1; }, [&] { return k - 1; });
    auto strong = jig::cond(k > 2, [&] { return k; }, [&] { return jig::cast<int>(x[0]); });
    JIG_IF(k > 2) {
      chosen = chosen * 2;
    } JIG_ELSE {
      chosen = k;
    }
    return std::tuple(y + n, x * chosen, strong);
  });
  const auto [y, product, strong] = f(jig::tensor<float, 2>{1, 2}, 4);
  CHECK(elements(y) == std::vector<float>{24, 48});
  CHECK(elements(product) == std::vector<float>{10, 20});
  CHECK(strong() == 4);
  constexpr auto ways = jig::function([](auto x, auto n) {
    for (auto i : jig::range(2, n))
      if (n % i == 0) return std::tuple(i, x * i);
    return std::tuple(n, x * n);
  });
  CHECK(std::get<1>(ways(2.0f, 35))() == 10);
  CHECK(std::get<1>(ways(2.0f, 7))() == 14);
  constexpr auto scanned =
      jig::function([](auto x, auto k) { return jig::scan([](auto s, auto part) { return s + part; }, x, jig::cast<float>(k)); });
  CHECK(elements(scanned(std::vector<float>{1, 2}, 5)) == std::vector<float>{6, 8});
}

TEST_CASE("gradients go back to the dtype of a number") {
  constexpr auto f = jig::function([](auto x, auto k) { return jig::reduce_sum(x * k * k); });
  const jig::tensor<float, 2> x{1, 2};
  const auto by_k = jig::grad<1>(f)(x, 3.0);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_k)>, jig::tensor<double>>);
  CHECK(by_k() == 18);
  CHECK(elements(jig::grad<0>(f)(x, 3)) == std::vector<float>{9, 9});
  constexpr auto descend = jig::function([](auto y, auto k) {
    k = k - 0.5 * jig::gradient(jig::reduce_sum(y * k * k), k);
    return y + k;
  });
  CHECK(elements(descend(x, 1.0)) == std::vector<float>{-1, 0});
}

TEST_CASE("values that the other dtype does not hold are those of a cast") {
  constexpr auto add = jig::function([](auto x, auto k) { return x + k; });
  CHECK(add(std::vector<std::uint8_t>{1}, 300)(0) == static_cast<std::uint8_t>(45));
  CHECK(add(std::vector<std::uint8_t>{1}, -1)(0) == 0);
  CHECK(add(std::vector<float>{0}, 16777217)(0) == 16777216.0f);
  CHECK(add(std::vector<std::int64_t>{0}, std::numeric_limits<int>::min())(0) == std::numeric_limits<int>::min());
  CHECK(add(std::vector<std::uint32_t>{0}, -1)(0) == std::numeric_limits<std::uint32_t>::max());
  CHECK(add(std::vector<double>{0}, std::numeric_limits<std::uint64_t>::max())(0) == 18446744073709551616.0);
  CHECK(std::isinf(add(std::vector<float>{0}, std::numeric_limits<double>::infinity())(0)));
  CHECK(std::isnan(add(std::vector<float>{0}, std::numeric_limits<double>::quiet_NaN())(0)));
  CHECK(std::signbit(jig::function([](auto x, auto k) { return x * k; })(std::vector<float>{1}, -0.0)(0)));
  CHECK(static_cast<float>(add(std::vector<jig::half>{jig::half(1.0f)}, 2)(0)) == 3.0f);
}

TEST_CASE("all dtypes beside numbers of all types, as loops in C++") {
  compare_numbers([](const auto& f, const auto& x, auto k) { return f(x, k); });
}

TEST_CASE("the same with static extents") {
  const auto call = [](const auto& f, const auto& x, auto k) {
    using T = typename std::remove_cvref_t<decltype(x)>::value_type;
    jig::tensor<T, number_cases> fixed;
    std::copy(x.begin(), x.end(), fixed.begin());
    return f(fixed, k);
  };
  compare_dtypes<float, int, double>(call);
  compare_dtypes<std::int16_t, int, std::int64_t>(call);
}

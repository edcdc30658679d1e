// SPDX-License-Identifier: MIT
#include <jig/ops/literals.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <type_traits>
#include <vector>

using jig::lits;

TEST_CASE("a list of literals takes the dtype that one literal in its place would") {
  static_assert(std::is_same_v<decltype(jig::tensor<double, 2>() + lits<1, 2>), jig::tensor<double, 2>>);
  static_assert(std::is_same_v<decltype(lits<1, 2> - std::vector<float>()), jig::tensor<float, 2>>);
  static_assert(std::is_same_v<decltype(jig::maximum(0.5f, lits<1, -1>)), jig::tensor<float, 2>>);
  static_assert(std::is_same_v<decltype(lits<1, 2> * lits<3L, 4L>), jig::tensor<std::int64_t, 2>>);
  static_assert(std::is_same_v<decltype(lits<true, false> & jig::tensor<bool>()), jig::tensor<bool, 2>>);
  CHECK((jig::tensor<std::uint8_t, 2>{1, 2} + lits<255, 3>)(0) == 0);
  CHECK((lits<10, 20, 30> - std::vector<float>{1, 2, 3})(2) == 27);
  CHECK((jig::tensor<float, 2, 1>{{1}, {2}} * lits<3, 4, 5>)(1, 2) == 10);
  CHECK((lits<7> + 1)(0) == 8);
}

TEST_CASE("positions and conditions among lists keep their own dtype") {
  const jig::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  constexpr auto swapped = jig::function<"swapped(x)">([](auto t) { return jig::gather<1>(t, lits<2, 0>); });
  for (const auto& y : {jig::gather<1>(x, lits<2, 0>), swapped(x)}) {
    CHECK(y(0, 0) == 3);
    CHECK(y(1, 1) == 4);
  }
  constexpr auto chosen = jig::function<"chosen(x)">([](auto t) { return jig::where(lits<true, false, true>, t, lits<7, 8, 9>); });
  const auto z = chosen(x);
  static_assert(std::is_same_v<decltype(chosen(x)), jig::tensor<float, 2, 3>>);
  CHECK(z(1, 0) == 4);
  CHECK(z(1, 1) == 8);
}

TEST_CASE("as an argument it is part of the signature, and a vector in the lambda") {
  constexpr auto f = jig::function<"f(x, by)">([](auto x, auto by) { return x * by + by.size(); });
  const auto y = f(std::vector<double>{1, 2}, lits<3, -4>);
  CHECK(y(0) == 5);
  CHECK(y(1) == -6);
  CHECK(f(std::vector<double>{1, 2}, lits<3, 5>)(1) == 12);
  CHECK(f.experimental_get_tracing_count() == 3);  // with the one below
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, 2>(), lits<3, -4>);
  static_assert(concrete.graph().count("Const") == 2 && concrete.graph().inputs().size() == 1);
  CHECK(concrete(jig::tensor<float, 2>{1, 1})(1) == -2);
  CHECK(concrete(jig::tensor<float, 2>{1, 1}, lits<3, -4>)(0) == 5);
  CHECK(concrete.pretty_printed_signature() ==
        "f(x, by=[3, -4])\n  Args:\n    x: float32 Tensor, shape=(2,)\n  Returns:\n    float32 Tensor, shape=(2,)\n");
  CHECK(f.eager(jig::tensor<float, 2>{1, 1}, lits<3, -4>)(1) == -2);
  // With a variable, and without anything that is traced.
  jig::variable<float, 2> v{1, 2};
  constexpr auto scale = jig::function<"scale(v, by)">([](auto& w, auto by) { w.assign(w * by); });
  scale(v, lits<2, 3>);
  CHECK(v.value()(1) == 6);
  constexpr auto sum = jig::function<"sum(x)">([](auto x) { return std::tuple(jig::reduce_sum(x), x); });
  const auto [total, parts] = sum(lits<1, 2, 4>);
  CHECK(total() == 7);
  CHECK(sum.experimental_get_tracing_count() == 1);
}

// SPDX-License-Identifier: MIT
#include <jig/runtime/run_time_arguments.hpp>

#include "../counting.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;

constexpr auto affine = jig::function<"affine(x, y)">([](auto x, auto y) { return x * y + 1; });

}  // namespace

TEST_CASE("static tensors, containers and numbers may stand beside run-time tensors") {
  const std::vector<float> y{2, 3, 4};
  const any_tensor z = affine(counting(3), y);
  CHECK(z.as<float>()(2) == 9);
  CHECK(affine(counting(2), 5.0f).as<float>()(1) == 6);
}

TEST_CASE("structures and literals: their types are part of the signature") {
  constexpr auto f = jig::function<"f(p, n)">([](auto p, auto n) {
    auto [a, b] = p;
    auto s = a;
    for (int k = 0; k < decltype(n)::value; ++k) s = s + b;
    return std::tuple(s, a);
  });
  auto [s, a] = f(std::pair(counting(2), any_tensor(jig::ones<float, 2>())), jig::lit<3>);
  CHECK(s.template as<float>()(1) == 4);
  CHECK(a.template as<float>()(1) == 1);
  std::ignore = f(std::pair(counting(2), any_tensor(jig::ones<float, 2>())), jig::lit<4>);
  CHECK(f.experimental_get_tracing_count() == 2);
  CHECK(f.pretty_printed_concrete_signatures() ==
        "f(p, n=3)\n  Args:\n    p: (<1>, <2>)\n      <1>: float32 Tensor, shape=(2,)\n      <2>: float32 Tensor, shape=(2,)\n"
        "  Returns:\n    (<1>, <2>)\n      <1>: float32 Tensor, shape=(2,)\n      <2>: float32 Tensor, shape=(2,)\n"
        "\n"
        "f(p, n=4)\n  Args:\n    p: (<1>, <2>)\n      <1>: float32 Tensor, shape=(2,)\n      <2>: float32 Tensor, shape=(2,)\n"
        "  Returns:\n    (<1>, <2>)\n      <1>: float32 Tensor, shape=(2,)\n      <2>: float32 Tensor, shape=(2,)\n");
}

TEST_CASE("a single argument may be a structure") {
  constexpr auto f = jig::function<"f(p)">([](auto p) { return std::get<0>(p) - std::get<1>(p); });
  CHECK(f(std::tuple(counting(3), any_tensor(1.0f))).as<float>()(2) == 1);
  CHECK(f(std::pair(counting(3), any_tensor(2.0f))).as<float>()(2) == 0);
}

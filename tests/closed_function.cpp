// SPDX-License-Identifier: MIT
#include "printed.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using jig::any_tensor;
using jig::dyn;

constexpr auto next_collatz =
    jig::function<"next_collatz(x)">([](auto x) { return jig::where(x % 2 == 0, x / 2, 3 * x + 1); }).with_signature<jig::spec<int, dyn>>();

// Tells which of its signatures runs by their extents, which are 1 and not a wildcard where they are static.
template <class X>
constexpr int static_axes(const X&) {
  int n = 0;
  const auto s = X::spec_type::value().shape;
  for (int a = 0; a < s.rank; ++a) n += jig::is_static_extent(s[a]) ? 1 << a : 0;
  return n;
}
constexpr auto which = jig::function<"which(x)">([](auto x) { return jig::cast<int>(jig::reduce_sum(x)) * 0 + static_axes(x); });

int run_on(const auto& f, const any_tensor& x) { return f(x).template as<int>()(); }

}  // namespace

TEST_CASE("a declared signature: one trace for every length, also of run-time tensors") {
  const auto y = next_collatz(jig::tensor<int, 2>{1, 2});
  CHECK(y(0) == 4);
  CHECK(y(1) == 1);
  CHECK(next_collatz(std::vector<int>{7, 8, 9})(0) == 22);
  const any_tensor z = next_collatz(any_tensor(jig::tensor<int, 3>{1, 2, 7}));
  CHECK(z.as<int>()(2) == 22);
  CHECK(next_collatz(any_tensor(jig::zeros<int, dyn>(0))).shape() == jig::shape{1, {0}});
  CHECK(next_collatz.experimental_get_tracing_count() == 1);
  CHECK(next_collatz.pretty_printed_concrete_signatures() ==
        "next_collatz(x)\n  Args:\n    x: int32 Tensor, shape=(None,)\n  Returns:\n    int32 Tensor, shape=(None,)\n");
}

TEST_CASE("run-time tensors that no signature takes are refused in TensorFlow's words") {
  CHECK(complaint([] { next_collatz(any_tensor(jig::tensor<float, 2>{1, 2})); }) ==
        "next_collatz: inputs incompatible with input_signature:\n"
        "  inputs: (\n"
        "    tf.Tensor([1. 2.], shape=(2,), dtype=float32))\n"
        "  input_signature: (\n"
        "    TensorSpec(shape=(None,), dtype=tf.int32, name=None)).");
  CHECK(complaint([] { next_collatz(any_tensor(jig::ones<int, 2, 2>())); }).find("shape=(2, 2)") != std::string::npos);
}

TEST_CASE("of signatures that fit the most specific one runs, of incomparable ones the first") {
  constexpr auto diamond = which.with_signature<jig::spec<float, dyn, 3>>().with_signature<jig::spec<float, 2, dyn>>();
  CHECK(diamond(jig::ones<float, 2, 3>())() == 2);
  CHECK(run_on(diamond, jig::ones<float, 2, 3>()) == 2);
  CHECK(run_on(diamond, jig::ones<float, 2, 4>()) == 1);
  CHECK(diamond(jig::ones<float, 5, 3>())() == 2);

  constexpr auto exact = diamond.with_signature<jig::spec<float, 2, 3>>();
  CHECK(exact(jig::ones<float, 2, 3>())() == 3);
  CHECK(run_on(exact, jig::ones<float, 2, 3>()) == 3);
  CHECK(run_on(exact, jig::ones<float, 4, 3>()) == 2);

  constexpr auto general_first = which.with_signature<jig::spec<float, dyn, dyn>>().with_signature<jig::spec<float, 2, dyn>>();
  CHECK(run_on(general_first, jig::ones<float, 2, 3>()) == 1);
  CHECK(run_on(general_first, jig::ones<float, 4, 3>()) == 0);
}

TEST_CASE("what a static argument leaves open is looked at in the call") {
  constexpr auto two = which.with_signature<jig::spec<float, 2, 3>>();
  CHECK(two(jig::ones<float, dyn, 3>(2))() == 3);
  CHECK_THROWS_AS(two(jig::ones<float, dyn, 3>(4)), jig::invalid_argument);
}

TEST_CASE("literals and structure of a call with run-time tensors must be those of a signature") {
  constexpr auto power = jig::function<"power(x, n)">([](auto x, auto n) {
    auto y = x;
    for (int k = 1; k < decltype(n)::value; ++k) y = y * x;
    return y;
  });
  constexpr auto declared =
      power.with_signature<jig::spec<int>, decltype(jig::lit<2>)>().with_signature<jig::spec<int>, decltype(jig::lit<3>)>();
  CHECK(declared(any_tensor(5), jig::lit<2>).as<int>()() == 25);
  CHECK(declared(any_tensor(5), jig::lit<3>).as<int>()() == 125);
  CHECK_THROWS_AS(declared(any_tensor(5), jig::lit<4>), jig::invalid_argument);
}

// SPDX-License-Identifier: MIT
#include <jig/runtime/declared_signatures.hpp>

#include "../printed.hpp"

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

TEST_CASE("variables stand beside run-time tensors where a signature declares them") {
  constexpr auto step = jig::function<"step(v, x)">([](auto& v, auto x) {
                          v.assign_add(x);
                        }).with_signature<jig::variable<float, 2>, jig::spec<float, dyn>>();
  jig::variable<float, 2> v{1, 2};
  step(v, any_tensor(jig::tensor<float, 1>{5}));
  step(v, any_tensor(jig::tensor<float, 2>{1, 2}));
  CHECK(v.value()(0) == 7);
  CHECK(v.value()(1) == 9);
  CHECK_THROWS_AS(step(v, any_tensor(jig::tensor<double, 1>{5})), jig::invalid_argument);
}

TEST_CASE("inside a trace at run time declared signatures are looked at too") {
  static constexpr auto inner = jig::function<"inner(x)">([](auto x) { return x + 1; }).with_signature<jig::spec<int, dyn>>();
  constexpr auto outer = jig::function<"outer(x)">([](auto x) { return inner(x) * 2; });
  CHECK(outer(any_tensor(jig::tensor<int, 2>{1, 2})).as<int>()(1) == 6);
  CHECK(complaint([&] { outer(any_tensor(1.5f)); }) ==
        "inner: inputs incompatible with input_signature:\n"
        "  inputs: (\n"
        "    TensorSpec(shape=(), dtype=tf.float32, name=None))\n"
        "  input_signature: (\n"
        "    TensorSpec(shape=(None,), dtype=tf.int32, name=None)).");
}

TEST_CASE("a function that captures traces for the declared specs, once for each") {
  int runs = 0;
  const auto f = jig::dynamic_function("f(x)",
                                       [&](auto x) {
                                         ++runs;
                                         return x + x;
                                       })
                     .with_signature<jig::spec<int, dyn>>()
                     .with_signature<jig::spec<int, 3>>();
  for (int n = 1; n < 6; ++n) CHECK(f(any_tensor(std::vector<int>(static_cast<std::size_t>(n), 4))).as<int>()(n - 1) == 8);
  CHECK(runs == 2);
  CHECK(f.experimental_get_tracing_count() == 2);
  CHECK(f.pretty_printed_concrete_signatures().starts_with("f(x)\n  Args:\n    x: int32 Tensor, shape=(None,)\n"));
  CHECK_THROWS_AS(f(any_tensor(1.5f)), jig::invalid_argument);
  CHECK_THROWS_AS(f.eager(any_tensor(1.5f)), jig::invalid_argument);
}

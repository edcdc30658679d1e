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

TEST_CASE("a signature of unknown rank takes tensors of every rank and is one signature") {
  constexpr auto doubled = jig::function<"doubled(x, k)">([](auto x, auto k) {
                             return x * 2.0f + k;
                           }).with_signature<jig::spec_of_unknown_rank<float>, jig::spec<float>>();
  CHECK(doubled.experimental_get_tracing_count() == 0);
  for (int trip = 0; trip < 2; ++trip) {
    CHECK(doubled(any_tensor(1.5f), any_tensor(1.0f)).as<float>()() == 4);
    CHECK(doubled(any_tensor(jig::tensor<float, 3>{1, 2, 3}), any_tensor(1.0f)).as<float>()(2) == 7);
    CHECK(doubled(any_tensor(jig::tensor<float, 2>{1, 2}), any_tensor(1.0f)).as<float>()(1) == 5);
    const any_tensor y = doubled(jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, 1.0f);  // what static types know is not asked
    CHECK(y.shape() == jig::shape{2, {2, 2}});
    CHECK(y.as<float>()(1, 1) == 9);
    std::vector<float> out(3);
    doubled.into(out, std::vector<float>{1, 2, 3}, 0.5f);
    CHECK(out == std::vector<float>{2.5f, 4.5f, 6.5f});
  }
  CHECK(doubled.experimental_get_tracing_count() == 1);
  CHECK(doubled.pretty_printed_concrete_signatures() ==
        "doubled(x, k)\n  Args:\n    x: float32 Tensor, shape=<unknown>\n    k: float32 Tensor, shape=()\n"
        "  Returns:\n    float32 Tensor, shape=<unknown>\n");
  CHECK(doubled.pretty_printed_concrete_signatures(true).find("TensorSpec(shape=<unknown>, dtype=tf.float32, name=") != std::string::npos);
  CHECK(complaint([&] { doubled(any_tensor(1), any_tensor(1.0f)); }) ==
        "doubled: inputs incompatible with input_signature:\n"
        "  inputs: (\n"
        "    tf.Tensor(1, shape=(), dtype=int32),\n"
        "    tf.Tensor(1.0, shape=(), dtype=float32))\n"
        "  input_signature: (\n"
        "    TensorSpec(shape=<unknown>, dtype=tf.float32, name=None),\n"
        "    TensorSpec(shape=(), dtype=tf.float32, name=None)).");
  // A known rank stays what it is.
  CHECK_THROWS_AS(doubled(any_tensor(1.0f), any_tensor(jig::ones<float, 1>())), jig::invalid_argument);
}

TEST_CASE("of signatures with known and unknown ranks the most specific one runs; all traces of one are one for max_traces") {
  constexpr auto rank = jig::function<"rank(x)">([](auto x) { return jig::reduce_sum(x) * 0.0f + static_cast<float>(x.rank()); });
  constexpr auto two = rank.with_signature<jig::spec_of_unknown_rank<float>>().with_signature<jig::spec<float, dyn>>().max_traces<2>();
  CHECK(two(any_tensor(1.0f)).as<float>()() == 0);
  CHECK(two(any_tensor(jig::ones<float, 2>())).as<float>()() == 1);
  CHECK(two(any_tensor(jig::ones<float, 2, 2>())).as<float>()() == 2);
  CHECK(two(any_tensor(jig::ones<float, 1, 2, 2>())).as<float>()() == 3);
  CHECK(two.experimental_get_tracing_count() == 2);
  const std::string printed = two.pretty_printed_concrete_signatures();
  CHECK(printed.find("x: float32 Tensor, shape=<unknown>\n  Returns:\n    float32 Tensor, shape=()\n") != std::string::npos);
  CHECK(printed.find("x: float32 Tensor, shape=(None,)\n") != std::string::npos);
  CHECK_THROWS_AS(two.max_traces<1>()(any_tensor(jig::ones<float, 1, 1, 2, 2>())), jig::invalid_argument);
}

TEST_CASE("functions that capture, variables and calls in traces with a signature of unknown rank") {
  float factor = 3;
  int runs = 0;
  jig::variable<float> total(0.0f);
  const auto f = jig::dynamic_function("f(x, v)", [&](auto x, auto& v) {
                   ++runs;
                   v.assign_add(jig::reduce_sum(x));
                   return x * factor;
                 }).with_signature<jig::spec_of_unknown_rank<float>, jig::variable_spec<float>>();
  CHECK(f(any_tensor(jig::tensor<float, 2>{1, 2}), total).as<float>()(1) == 6);
  CHECK(f(any_tensor(jig::tensor<float, 3>{1, 2, 4}), total).as<float>()(2) == 12);
  CHECK(runs == 1);
  CHECK(f(any_tensor(5.0f), total).as<float>()() == 15);
  CHECK(runs == 2);
  CHECK(f.experimental_get_tracing_count() == 1);
  CHECK(total.value()() == 15);
  CHECK(f.eager(any_tensor(5.0f), total).as<float>()() == 15);

  static constexpr auto any = jig::function<"any(x)">([](auto x) { return x + 1.0f; }).with_signature<jig::spec_of_unknown_rank<float>>();
  constexpr auto outer = jig::function<"outer(x)">([](auto x) { return any(x) * 2.0f; });
  CHECK(outer(jig::tensor<float, 2>{1, 2})(1) == 6);
  CHECK(outer(any_tensor(jig::tensor<float, 2>{1, 2})).as<float>()(1) == 6);
  CHECK(any.experimental_get_tracing_count() == 0);
}

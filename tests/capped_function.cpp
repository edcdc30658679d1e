// SPDX-License-Identifier: MIT
#include "printed.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using jig::any_tensor;

constexpr auto inner = jig::function<"inner(x)">([](auto x) { return x + 1; }).max_traces<0>();

}  // namespace

TEST_CASE("max_traces: as many signatures as are allowed run") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x + 1; }).max_traces<2>();
  CHECK(f(1)() == 2);
  CHECK(f(1.5f)() == 2.5f);
  CHECK(f(41)() == 42);
  CHECK(f.experimental_get_tracing_count() == 2);
  float out = 0;
  f.into(out, 2.0f);
  CHECK(out == 3);
  static_assert(f.get_concrete_function(jig::spec<int>()).graph().count("AddV2") == 1);
}

TEST_CASE("max_traces: more signatures in the program are refused with the list of them") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; }).max_traces<1>();
  // Whichever comes first: the program has both.
  const std::string sentence =
      "f: max_traces: the limit of 1 is exceeded:\n"
      "f(x)\n  Args:\n    x: int32 Tensor, shape=()\n  Returns:\n    int32 Tensor, shape=()\n\n"
      "f(x)\n  Args:\n    x: float64 Tensor, shape=()\n  Returns:\n    float64 Tensor, shape=()\n";
  CHECK(complaint([&] { f(1); }) == sentence);
  CHECK(complaint([&] { f(1.0); }) == sentence);
  double out = 7;
  CHECK(complaint([&] { f.into(out, 1.0); }) == sentence);
  CHECK(out == 7);
}

TEST_CASE("max_traces: run-time tensors are counted as they come") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x * x; }).max_traces<2>();
  CHECK(f(any_tensor(3)).as<int>()() == 9);
  CHECK(f(any_tensor(1.5)).as<double>()() == 2.25);
  CHECK(f(any_tensor(4)).as<int>()() == 16);
  const std::string why = complaint([&] { f(any_tensor(jig::tensor<int, 2>{1, 2})); });
  CHECK(why.starts_with("f: max_traces: the limit of 2 is exceeded:\nf(x)\n  Args:\n    x: int32 Tensor, shape=()\n"));
  CHECK(f.experimental_get_tracing_count() == 2);
  CHECK(f(any_tensor(5)).as<int>()() == 25);
}

TEST_CASE("max_traces: both kinds count together") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x - 1; }).max_traces<2>();
  CHECK(f(3)() == 2);
  CHECK(f(any_tensor(1.5)).as<double>()() == 0.5);
  const std::string why = complaint([&] { f(any_tensor(1.5f)); });
  CHECK(why.starts_with("f: max_traces: the limit of 2 is exceeded:\nf(x)\n  Args:\n    x: int32 Tensor, shape=()\n"));
  CHECK(why.find("    x: float64 Tensor, shape=()\n") != std::string::npos);
  CHECK(f(4)() == 3);
}

TEST_CASE("max_traces: inside another trace the lambda is part of that") {
  constexpr auto g = jig::function<"g(x)">([](auto x) { return inner(x) * 2; });
  CHECK(g(3)() == 8);
  CHECK(g(any_tensor(4)).as<int>()() == 10);
}

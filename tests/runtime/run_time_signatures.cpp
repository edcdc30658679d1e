// SPDX-License-Identifier: MIT
#include <jig/runtime/run_time_signatures.hpp>

#include "../printed.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

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

namespace {

constexpr auto plain = jig::function<"squares(x)">([](auto x) { return x * x; });
constexpr auto squares = plain.relax_shapes();

}  // namespace

TEST_CASE("extents of run-time tensors become wildcards when they change") {
  const int before = squares.experimental_get_tracing_count();
  for (int n = 1; n < 6; ++n) {
    const any_tensor y = squares(any_tensor(std::vector<double>(static_cast<std::size_t>(n), 1.5)));
    CHECK(y.shape() == jig::shape{1, {n}});
    CHECK(y.as<double>()(n - 1) == 2.25);
  }
  CHECK(squares.experimental_get_tracing_count() == before + 2);
  // One function has one list of signatures, whatever its options.
  CHECK(plain.experimental_get_tracing_count() == before + 2);
  CHECK(plain(any_tensor(jig::tensor<double, 9>())).shape() == jig::shape{1, {9}});
  CHECK(plain.experimental_get_tracing_count() == before + 2);
}

TEST_CASE("traces for wildcards give and refuse what those for extents do") {
  // x keeps its extents, so that numbers stand beside wildcards.
  constexpr auto same = [](auto f) {
    const auto relaxed = f.relax_shapes();
    const any_tensor x = jig::ones<float, 2, 3>();
    std::mt19937 random(1);
    for (int trial = 0; trial < 24; ++trial) {
      const auto extent = [&](jig::index e) { return random() % 2 == 0 ? e : static_cast<jig::index>(random() % 4); };
      const jig::index rows = extent(2), columns = extent(3);
      const any_tensor y = jig::ones<float, jig::dyn, jig::dyn>(rows, columns);
      const auto outcome = [&](const auto& g) {
        try {
          return to_text(g(x, y));
        } catch (const jig::invalid_argument&) {
          return std::string("refused");
        }
      };
      INFO(rows, " x ", columns);
      CHECK(outcome(relaxed) == outcome(f));
    }
  };
  same(jig::function<"add(x, y)">([](auto x, auto y) { return x + y; }));
  same(jig::function<"stack(x, y)">([](auto x, auto y) { return jig::stack<0>(x + x, y); }));
  same(jig::function<"broadcast(x, y)">([](auto x, auto y) { return jig::broadcast_like(x, y); }));
  same(jig::function<"repeat(x, y)">([](auto x, auto y) { return jig::broadcast_like(y, x) + 1; }));
  same(jig::function<"reshape(x, y)">([](auto x, auto y) { return jig::reshape_like(x, y); }));
  same(jig::function<"choose(x, y)">([](auto x, auto y) { return jig::boolean_mask(x, y > 0); }));
}

TEST_CASE("graphs with other options are traced for themselves, and count") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::sqrt(x * 1); });
  const any_tensor x = jig::tensor<float, 2>{4, 9};
  for (int i = 0; i < 2; ++i) {
    CHECK(f(x).as<float>()(1) == 3);
    CHECK(f.without_passes()(x).as<float>()(1) == 3);
    CHECK(f.check_numerics()(x).as<float>()(1) == 3);
    CHECK(f.check_numerics().max_traces<3>().relax_shapes()(x).as<float>()(1) == 3);
    CHECK(f.experimental_get_tracing_count() == 3);
  }
  CHECK(complaint([&] { f.check_numerics().max_traces<2>()(x); }).starts_with("f: max_traces: the limit of 2 is exceeded"));
}

TEST_CASE("max_traces with other options, on both sides of the limit") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x + x; });
  const any_tensor x = jig::tensor<int, 2>{4, 9}, longer = jig::tensor<int, 3>{4, 9, 1}, longest = jig::tensor<int, 5>{};
  constexpr auto capped = f.max_traces<2>().relax_shapes();
  CHECK(capped(x).as<int>()(1) == 18);
  CHECK(capped(longer).as<int>()(1) == 18);
  CHECK(capped(longest).as<int>()(1) == 0);  // the second trace takes all lengths
  CHECK(complaint([&] { capped(any_tensor(1)); }).starts_with("f: max_traces: the limit of 2 is exceeded"));
  jig::tensor<int, 2> out{7, 7};
  CHECK(complaint([&] { f.max_traces<1>().into(out, x); }).starts_with("f: max_traces: the limit of 1 is exceeded"));
  CHECK(out(0) == 7);
  f.max_traces<2>().into(out, x);
  CHECK(out(0) == 8);
  // Of declared signatures all count that calls with run-time tensors may run.
  constexpr auto g =
      jig::function<"g(y)">([](auto y) { return y - 1; }).with_signature<jig::spec<int>>().with_signature<jig::spec<int, jig::dyn>>();
  CHECK(g.max_traces<2>()(any_tensor(3)).as<int>()() == 2);
  CHECK(complaint([&] { g.max_traces<1>()(any_tensor(3)); }).starts_with("g: max_traces: the limit of 1 is exceeded"));
}

// SPDX-License-Identifier: MIT
#include <jig/trace/registry.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

constexpr auto first = jig::function<"first(x)">([](auto x) { return x; });
constexpr auto second = jig::function<"second(x)">([](auto x) { return x; });
constexpr auto unused = jig::function<"unused(x)">([](auto x) { return x; });

int never_called() { return static_cast<int>(second(jig::tensor<double, 7>())(0)); }

}  // namespace

TEST_CASE("every signature of a function is listed once, before main and without a call") {
  CHECK(second.experimental_get_tracing_count() == 2);
  for (int i = 0; i < 3; ++i) CHECK(second(i)() == i);
  CHECK(second.experimental_get_tracing_count() == 2);
  CHECK(reinterpret_cast<void*>(&never_called) != nullptr);
  CHECK(second.pretty_printed_concrete_signatures().find("float64 Tensor, shape=(7,)") != std::string::npos);
}

TEST_CASE("functions have lists of their own, in the order of the source") {
  (void)first(1);
  (void)first(1.5f);
  (void)first(true);
  CHECK(first.experimental_get_tracing_count() == 3);
  auto all = first.pretty_printed_concrete_signatures();
  auto at = [&](const char* dtype) { return all.find(std::string("x: ") + dtype + " Tensor"); };
  CHECK(at("int32") < at("float32"));
  CHECK(at("float32") < at("bool"));
  CHECK(at("bool") != std::string::npos);
  CHECK(unused.experimental_get_tracing_count() == 0);
  CHECK(unused.pretty_printed_concrete_signatures().empty());
}

TEST_CASE("asking for a signature enters it too") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x; });
  constexpr auto concrete = f.get_concrete_function(jig::spec<float, 2>{});
  (void)concrete;
  CHECK(f.experimental_get_tracing_count() == 1);
}

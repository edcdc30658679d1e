// SPDX-License-Identifier: MIT
#include <jig/trace/traceable.hpp>

#include <jig/ops/arithmetic.hpp>

#include <doctest/doctest.h>

#include <memory>

TEST_CASE("traceable_for says whether a lambda takes these keys and what it returns can be a result") {
  constexpr auto add = [](auto x, auto y) { return x + y; };
  using add_t = std::remove_const_t<decltype(add)>;
  static_assert(std::is_same_v<decltype(jig::detail::traceable_for<add_t, "", jig::spec<float>, jig::spec<float>>()), std::true_type>);
  static_assert(std::is_same_v<decltype(jig::detail::traceable_for<add_t, "", jig::refused<>, jig::spec<float>>()), jig::refused<>>);
  constexpr auto nothing = [](auto) {};
  using nothing_t = std::remove_const_t<decltype(nothing)>;
  static_assert(std::is_same_v<decltype(jig::detail::traceable_for<nothing_t, "", jig::spec<float>>()), std::true_type>);
  CHECK(jig::detail::all_leaves<jig::detail::not_refused, std::tuple<float, std::tuple<int>>>());
  CHECK(!jig::detail::all_leaves<jig::detail::not_refused, std::tuple<float, std::tuple<jig::refused<>>>>());
}

TEST_CASE("whether a lambda has the parameters is asked without looking at its body") {
  using jig::detail::TakesArguments;
  constexpr auto one = [](auto x) { return x.no_member(); };
  constexpr auto any = [](auto&&...) { return 0; };
  constexpr auto only_float = [](float x) { return x; };
  constexpr auto none = [] { return 0; };
  static_assert(TakesArguments<decltype(one), jig::symbol<float>>);
  static_assert(!TakesArguments<decltype(one), jig::symbol<float>, jig::symbol<float>>);
  static_assert(TakesArguments<decltype(any)> && TakesArguments<decltype(any), int, int, int>);
  static_assert(TakesArguments<decltype(only_float), int>);
  static_assert(!TakesArguments<decltype(only_float), std::unique_ptr<int>>);
  static_assert(TakesArguments<decltype(none)> && !TakesArguments<decltype(none), int>);
}

TEST_CASE("the sentence of a failure names the function") {
  const jig::message m = jig::detail::failure_sentence("f", jig::trace_failure::left_branch);
  CHECK(m.view() == "f: JIG_IF cannot be left by return, break or continue: use a plain if");
}

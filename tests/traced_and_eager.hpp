// SPDX-License-Identifier: MIT
#pragma once

#include "without_line.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <type_traits>
#include <vector>

/// Numbers 0, 1, 2, … in row-major order.
template <class T, jig::index... E, class... N>
auto counted(N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = 0;
  for (auto& e : x) e = static_cast<T>(i++);
  return x;
}

template <class X>
auto elements(const X& x) {
  return std::vector<typename X::value_type>(x.begin(), x.end());
}
using ints = std::vector<int>;

/// What a lambda gives in a trace.
template <class F, class... X>
auto traced(F f, const X&... x) {
  return jig::function<"f(x)">(f)(x...);
}

/// What a lambda gives on tensors, which is what it gives in a trace.
template <class F, class... X>
auto both(F f, const X&... x) {
  auto y = f(x...);
  auto in_trace = traced(f, x...);
  static_assert(std::is_same_v<decltype(y), decltype(in_trace)>);
  CHECK(elements(y) == elements(in_trace));
  CHECK(y.shape() == in_trace.shape());
  return y;
}

/// Whether the result of a function of arguments with these specs has this one.
template <class Expected, class F, class... S>
constexpr bool gives(F, S...) {
  using result = typename decltype(jig::function<"f(x)">(F()).get_concrete_function(S()...))::output_spec;
  return std::is_same_v<result, Expected>;
}

/// What the exception says that a call throws, without the line of an op.
std::string message_of(auto&& f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return without_line(e.what());
  }
  return "no exception";
}

// SPDX-License-Identifier: MIT
#pragma once
// The reference is the C++ compiler: a lambda called with numbers is an ordinary function.

#include <doctest/doctest.h>

#include <jig.hpp>

template <class F>
constexpr const jig::graph_view& graph_of_one(F) {
  return jig::graph_of(F{}, jig::spec<int>{});
}

template <class F>
void same_as_compiled(F lambda, int first = -3, int last = 40) {
  constexpr auto f = jig::function(F{});
  for (int n = first; n <= last; ++n) {
    CAPTURE(n);
    CHECK(f(n)() == lambda(n));
  }
}

template <class F>
void same_as_compiled_2(F lambda) {
  constexpr auto f = jig::function(F{});
  for (int a = -4; a <= 9; ++a)
    for (int b = -4; b <= 9; ++b) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK(f(a, b)() == lambda(a, b));
    }
}

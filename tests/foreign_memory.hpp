// SPDX-License-Identifier: MIT
#pragma once
// What tests of containers and other libraries' types ask of them.

#include <jig.hpp>

template <class X>
using spec_of = typename jig::argument<X>::spec_type;
template <class X>
constexpr jig::memory_layout layout_of = jig::argument_layout<X>;
template <class X>
constexpr std::string_view refusal() {
  return jig::refused_argument<X>::sentence.view();
}

inline constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });

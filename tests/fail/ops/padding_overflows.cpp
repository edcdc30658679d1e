// SPDX-License-Identifier: MIT
// expect-error: PadV2: the result would
// expect-error: 2\^56
// at most with clang: 43
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr jig::index padding = 1;
#else
constexpr jig::index padding = 9223372036854775807;
#endif

constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::pad<padding, padding>(x); });
constexpr auto of_three = f.get_concrete_function(jig::spec<float, 3>());

int main() { return of_three.graph().size(); }

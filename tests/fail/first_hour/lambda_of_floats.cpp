// SPDX-License-Identifier: MIT
// expect-error: f: the lambda cannot be called with 1 argument: (float32 shape=()): it needs as many
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
#else
constexpr auto f = jig::function<"f(x)">([](float x) { return x * 2; });
#endif
int main() { (void)f(2.0f); }

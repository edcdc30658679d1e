// SPDX-License-Identifier: MIT
// expect-error: f: the lambda cannot be called with 2 arguments: (float32 shape=(3,); float32 shape=()): it needs as many
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x, scale)">([](auto x, auto scale) { return x * scale; });
#else
constexpr auto f = jig::function<"f(x, scale)">([](auto x, float scale) { return x * scale; });
#endif

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}, 2.0f); }

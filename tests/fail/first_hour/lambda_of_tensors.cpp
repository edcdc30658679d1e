// SPDX-License-Identifier: MIT
// expect-error: f: the lambda cannot be called with 1 argument: (float32 shape=(3,)): it needs as many
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
#else
constexpr auto f = jig::function<"f(x)">([](const jig::tensor<float, 3>& x) { return x * 2; });
#endif
int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }

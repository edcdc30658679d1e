// SPDX-License-Identifier: MIT
// expect-error: jacobian: the target needs from
// expect-error: 1 to 32 elements, of known extents
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr jig::index elements = 32;
#else
constexpr jig::index elements = 33;
#endif

constexpr auto f = jig::function([](auto x) { return jig::jacobian(2.0f * x, x); });

int main() { return static_cast<int>(f(jig::ones<float, elements>())(0, 0)); }

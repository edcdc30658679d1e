// SPDX-License-Identifier: MIT
// expect-error: jig::spec: a tensor has at most 8 axes
#include <jig.hpp>

#ifdef JIG_CONTROL
using high = jig::spec<float, 1, 1, 1, 1, 1, 1, 1, 2>;
#else
using high = jig::spec<float, 1, 1, 1, 1, 1, 1, 1, 1, 2>;
#endif

int main() { return high::rank(); }

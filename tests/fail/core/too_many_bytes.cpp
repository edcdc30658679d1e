// SPDX-License-Identifier: MIT
// expect-error: jig::spec: a tensor has at most 2.56 bytes
#include <jig.hpp>

#ifdef JIG_CONTROL
using many = jig::spec<jig::half, (jig::index{1} << 30), (jig::index{1} << 25)>;
#else
using many = jig::spec<jig::half, (jig::index{1} << 30), (jig::index{1} << 25) + 1>;
#endif

int main() { return many::rank(); }

// SPDX-License-Identifier: MIT
// expect-error: jig::spec: an extent is a number from 0, jig::dyn or a jig::dim
#include <jig.hpp>

#ifdef JIG_CONTROL
using checked_spec = jig::spec<float, jig::dim<"0123456789">, jig::dim<"a">, jig::dyn, 0>;
#else
using checked_spec = jig::spec<float, 3, -(jig::index{1} << 62)>;
#endif

int main() { return checked_spec::rank(); }

// SPDX-License-Identifier: MIT
// expect-error: assign: expected float32
// expect-error: (2,), given float32
#include <jig.hpp>

int main() {
  jig::variable<float, 2> v;
#ifdef JIG_CONTROL
  v.assign(jig::ones<float, 2>());
#else
  v.assign(jig::ones<float, 3>());
#endif
}

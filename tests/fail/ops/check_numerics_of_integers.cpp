// SPDX-License-Identifier: MIT
// expect-error: CheckNumerics: the dtype must
// expect-error: int32 (3,)
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  jig::check_numerics(jig::tensor<float, 3>{1, 2, 3}, "x");
#else
  jig::check_numerics(jig::tensor<int, 3>{1, 2, 3}, "x");
#endif
}

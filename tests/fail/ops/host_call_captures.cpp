// SPDX-License-Identifier: MIT
// expect-error: host_call: the function must
// expect-error: not capture
#include <jig.hpp>

int main() {
  int n = 2;
#ifdef JIG_CONTROL
  jig::host_call([](auto) {}, n);
#else
  jig::host_call([n](auto) { (void)n; }, n);
#endif
}

// SPDX-License-Identifier: MIT
// expect-error: host_call: the function
// expect-error: another dtype or rank
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  auto y = jig::host_call<jig::spec<float>>([](auto x) { return x(); }, 1.5f);
#else
  auto y = jig::host_call<jig::spec<float>>([](auto x) { return x(); }, 1.5);
#endif
  return static_cast<int>(y());
}

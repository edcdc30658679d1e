// SPDX-License-Identifier: MIT
// expect-error: host_call: the function cannot
// expect-error: any_tensors
#include <jig.hpp>

#ifdef JIG_CONTROL
using seen = jig::any_tensor;
#else
using seen = jig::view<const int>;
#endif
constexpr auto f = jig::function<"f(x)">([](auto x) {
  jig::host_call([](const seen&) {}, x);
  return x;
});

int main() { (void)f(jig::any_tensor(1)); }

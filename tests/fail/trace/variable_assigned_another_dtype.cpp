// SPDX-License-Identifier: MIT
// expect-error: assign: expected int32
#include <jig.hpp>

constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) {
#ifdef JIG_CONTROL
  v.assign(jig::cast<int>(x));
#else
  v.assign(x);
#endif
});

int main() {
  jig::variable<int> v;
  f(v, 1.5f);
}

// SPDX-License-Identifier: MIT
// expect-error: argument count:
// expect-error: variable int32
#include <jig.hpp>

constexpr auto count_up = jig::function<"count_up(count)">([](auto& count) {
  count.assign_add(1);
  return count.read();
});

int main() {
  jig::variable<int> v;
  auto concrete = count_up.get_concrete_function(v);
#ifdef JIG_CONTROL
  concrete(v);
#else
  concrete(jig::tensor<int>(1));
#endif
}

// SPDX-License-Identifier: MIT
// expect-error: the function assigns
// expect-error: argument count, which is
// at most with clang: 105
#include <jig.hpp>

constexpr auto count_up = jig::function<"count_up(count)">([](auto& count) {
  count.assign_add(1);
  return count.read();
});

int main() {
#ifdef JIG_CONTROL
  jig::variable<int> v;
#else
  const jig::variable<int> v;
#endif
  return static_cast<int>(count_up(v));
}

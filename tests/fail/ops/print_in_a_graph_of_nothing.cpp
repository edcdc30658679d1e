// SPDX-License-Identifier: MIT
// expect-error: in_a_trace_add_jig_beside
// at most: 31
// at most with clang: 55
#include <jig.hpp>

constexpr auto hello = jig::function<"hello()">([] { jig::print("Executing"); });

int main() {
#ifdef JIG_CONTROL
  hello();  // runs as it stands
#else
  hello.get_concrete_function()();
#endif
}

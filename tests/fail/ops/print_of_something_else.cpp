// SPDX-License-Identifier: MIT
// expect-error: print: an argument
#include <jig.hpp>

struct something {};

int main() {
#ifdef JIG_CONTROL
  jig::print("here", 1);
#else
  jig::print("here", something());
#endif
}

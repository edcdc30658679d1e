// SPDX-License-Identifier: MIT
// expect-error: jig: into writes into tensors, views, containers, numbers and structures of these
#include <jig.hpp>

#include <list>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

int main() {
  std::vector<float> x(3);
#ifdef JIG_CONTROL
  std::vector<float> out(3);
#else
  std::list<float> out(3);
#endif
  f.into(out, x);
}

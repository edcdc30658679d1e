// SPDX-License-Identifier: MIT
// expect-error: a signature of unknown rank has no
// expect-error: it is traced when it is called
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x + 1; });

int main() {
#ifdef JIG_CONTROL
  using key = jig::spec<float, jig::dyn>;
#else
  using key = jig::spec_of_unknown_rank<float>;
#endif
  (void)f.with_signature<key>().get_concrete_function();
}

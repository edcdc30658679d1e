// SPDX-License-Identifier: MIT
// Ops on integers as programs are compiled to be debugged, for all that this machine has.
#include <jig.hpp>

#include <cstdint>
#include <cstdio>

template <class T>
int wrong_elements() {
  jig::tensor<T, 131> a, b;
  for (int i = 0; i < 131; ++i) {
    a(i) = static_cast<T>(i * 7 % 50);
    b(i) = static_cast<T>(i % 5 + 1);
  }
  const auto chosen = jig::where(a < b, a, b);
  const auto rest = jig::floormod(a, b);
  const auto larger = jig::maximum(a, b);
  const auto smaller = jig::minimum(a, b);
  const auto shifted = a << (b & jig::ones_like(b));
  int wrong = 0;
  for (int i = 0; i < 131; ++i) {
    const T x = a(i), y = b(i);
    if (chosen(i) != (x < y ? x : y) || rest(i) != static_cast<T>(x % y) || larger(i) != (x > y ? x : y) || smaller(i) != (x < y ? x : y) ||
        shifted(i) != static_cast<T>(x << (y & 1)))
      ++wrong;
  }
  return wrong;
}

int main() {
  const int wrong = wrong_elements<std::int8_t>() + wrong_elements<std::uint8_t>() + wrong_elements<std::int16_t>() +
                    wrong_elements<std::int32_t>() + wrong_elements<std::uint64_t>();
  if (wrong != 0) std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}

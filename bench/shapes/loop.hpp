// SPDX-License-Identifier: MIT
#pragma once
// What plain loops and calls of jig in bench/shapes have in common.

#include <cstdint>

namespace bench {

using u8 = std::uint8_t;

/// A loop without types: `memory` points to the operands, then to the result; `n` is the first extent of the first operand, for
/// loops that are not compiled for one.
using plain_loop = void (*)(long n, void* const* memory);

inline constexpr int many = 64;

// Keeps calls in a row apart: memory is written and read again.
[[gnu::always_inline]] inline void barrier() { asm volatile("" ::: "memory"); }

/// An extent that a loop is compiled for, or with 0 the one that the call tells.
template <long N>
[[gnu::always_inline]] constexpr long known(long n) {
  return N == 0 ? n : N;
}
/// A number that the compiler does not know.
template <long N>
[[gnu::always_inline]] inline long told() {
  long n = N;
  asm("" : "+r"(n));
  return n;
}

}  // namespace bench

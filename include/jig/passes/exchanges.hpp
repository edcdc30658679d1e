// SPDX-License-Identifier: MIT
#pragma once
// The network that sorts: pairs of places that are the same for all rows of so many elements.

namespace jig::detail {

/// Calls f(i, k) for pairs of places, i < k: putting the elements of each pair into order, one pair after the other, sorts n elements.
/// Source: Batcher's merge exchange, as in Knuth's The Art of Computer Programming, volume 3, 5.2.2, algorithm M.
template <class F>
constexpr void for_each_exchange(int n, F f) {
  int top = 1;
  while (2 * top < n) top *= 2;
  for (int p = top; p > 0 && n > 1; p /= 2) {
    int apart = p, from = 0;
    for (int q = top;; q /= 2) {
      for (int i = 0; i + apart < n; ++i)
        if ((i & p) == from) f(i, i + apart);
      if (q == p) break;
      apart = q - p;
      from = p;
    }
  }
}

}  // namespace jig::detail

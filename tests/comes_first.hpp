// SPDX-License-Identifier: MIT
#pragma once
// Which of two elements a search finds, as a plain loop asks it: NaN is beyond all numbers, the first of equals wins.

template <class T>
bool comes_first(T x, T best, bool smallest) {
  if (best != best) return false;
  return x != x || (smallest ? x < best : x > best);
}

// SPDX-License-Identifier: MIT
#pragma once
// Numbers that programs are written with: a seed gives the same ones everywhere.

#include <cstdint>
#include <random>
#include <vector>

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {
    for (int i = 0; i < 8; ++i) (void)engine_();
  }
  // Not a distribution of the standard library, which differ.
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

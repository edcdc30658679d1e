// SPDX-License-Identifier: MIT
// One program with kernels for several instruction sets, of which it runs the best that the machine has.
// Prints what instruction_sets.txt holds.

#include "kernels.hpp"

#include <cassert>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

bool has_x86_64_v2() { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"); }
bool has_x86_64_v3() {
  return has_x86_64_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}
bool has_x86_64_v4() {
  return has_x86_64_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

// The best comes last.
std::vector<const kernel_set*> sets_of_this_machine() {
  std::vector<const kernel_set*> sets{&kernels_x86_64};
  if (has_x86_64_v2()) sets.push_back(&kernels_x86_64_v2);
  if (has_x86_64_v3()) sets.push_back(&kernels_x86_64_v3);
  if (has_x86_64_v4()) sets.push_back(&kernels_x86_64_v4);
  return sets;
}

}  // namespace

int main() {
  static const std::vector<const kernel_set*> sets = sets_of_this_machine();
  const kernel_set& best = *sets.back();

  std::vector<float> scores(1000), probabilities(scores.size());
  std::iota(scores.begin(), scores.end(), 0.0f);
  for (float& score : scores) score = std::sin(score);
  best.softmax(scores.data(), probabilities.data(), scores.size());
  std::cerr << "chosen: " << best.instruction_set << '\n';

  // Every set computes the same, up to the last digits.
  double total = 0;
  for (float score : scores) total += std::exp(double{score});
  for (const kernel_set* set : sets) {
    set->softmax(scores.data(), probabilities.data(), scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double expected = std::exp(double{scores[i]}) / total;
      assert(std::abs(probabilities[i] - expected) < 1e-6 * expected);
    }
  }
  std::cout << "sum of the probabilities: " << std::accumulate(probabilities.begin(), probabilities.end(), 0.0) << '\n';
}

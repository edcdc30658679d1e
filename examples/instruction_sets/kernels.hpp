// SPDX-License-Identifier: MIT
// What the program and its kernels share: plain types, which mean the same in every translation unit.
#pragma once

#include <cstddef>

/// The program's kernels, compiled for one instruction set.
struct kernel_set {
  const char* instruction_set;
  /// Writes the n probabilities of the n scores; the arrays may be the same.
  void (*softmax)(const float* scores, float* probabilities, std::size_t n);
};

// Constant-initialised: they run no code of theirs on a machine that may not have it.
extern const kernel_set kernels_x86_64, kernels_x86_64_v2, kernels_x86_64_v3, kernels_x86_64_v4;

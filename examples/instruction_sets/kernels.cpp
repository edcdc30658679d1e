// SPDX-License-Identifier: MIT
// Compiled once for each instruction set, each time with another -march and with two macros, such as
//   -march=x86-64-v3 -Djig=jig_x86_64_v3 -DKERNELS=kernels_x86_64_v3
// The first gives all of jig's functions names of their own, so that the linker never takes one that was
// compiled for another instruction set; the second names the set.

#include "kernels.hpp"

#include <jig.hpp>

#include <span>

namespace {

constexpr auto softmax = jig::function<"softmax(scores)">([](auto scores) { return jig::softmax(scores); });

void run_softmax(const float* scores, float* probabilities, std::size_t n) {
  softmax.into(std::span(probabilities, n), std::span(scores, n));
}

}  // namespace

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
constinit const kernel_set KERNELS{TEXT(KERNELS), run_softmax};
